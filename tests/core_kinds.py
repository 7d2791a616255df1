"""Closed schemas of Kubernetes kinds without a CRD: the fields netplan may write and no others.

Written by hand from the Kubernetes API reference and much narrower than the API on purpose: an additional
field is a decision to take here. Pod specs come from the CRD of MPIJob, which contains all of PodTemplateSpec
(``tests.crd``).
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
BOOLEAN: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
PORT: Schema = {"type": "integer", "minimum": 1, "maximum": 65535}

# Names and label syntax: Kubernetes "Object Names and IDs", "Labels and Selectors".
DNS_LABEL: Schema = {"type": "string", "maxLength": 63, "pattern": r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?\Z"}
DNS_NAME: Schema = {
    "type": "string",
    "maxLength": 253,
    "pattern": r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z",
}
KEY: Schema = {
    "pattern": r"^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\Z"
}
LABEL_VALUE: Schema = {
    "type": "string",
    "maxLength": 63,
    "pattern": r"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?\Z",
}
LABELS: Schema = {"type": "object", "propertyNames": KEY, "additionalProperties": LABEL_VALUE}
ANNOTATIONS: Schema = {"type": "object", "propertyNames": KEY, "additionalProperties": STRING}


def closed(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def listing(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def choice(*values: str) -> Schema:
    return {"enum": list(values)}


STRINGS = listing(STRING)
METADATA = closed(("name",), name=DNS_NAME, namespace=DNS_LABEL, labels=LABELS, annotations=ANNOTATIONS)
SELECTOR = closed(
    matchLabels=LABELS,
    matchExpressions=listing(
        closed(
            ("key", "operator"),
            key=STRING,
            operator=choice("In", "NotIn", "Exists", "DoesNotExist"),
            values=STRINGS,
        )
    ),
)

CONFIG_MAP = closed(
    apiVersion=STRING,
    kind=STRING,
    metadata=METADATA,
    data={
        "type": "object",
        "propertyNames": {"pattern": r"^[-._a-zA-Z0-9]+\Z", "maxLength": 253},
        "additionalProperties": STRING,
    },
    immutable=BOOLEAN,
)
NAMESPACE = closed(
    apiVersion=STRING,
    kind=STRING,
    metadata=closed(("name",), name=DNS_LABEL, labels=LABELS, annotations=ANNOTATIONS),
)
# GitRepository, HelmRepository: fluxcd/source-controller config/crd/bases at 39b711b1; the CRDs are not among
# the upstream files
INTERVAL = {"type": "string", "pattern": r"^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$"}
SECRET = closed(("name",), name=STRING)
GIT_REPOSITORY_SPEC = closed(
    ("interval", "url"),
    interval=INTERVAL,
    url={"type": "string", "pattern": "^(http|https|ssh)://.*$"},
    ref=closed(branch=STRING, commit=STRING, name=STRING, semver=STRING, tag=STRING),
    secretRef=SECRET,
)
HELM_REPOSITORY_SPEC = closed(
    ("url",),
    interval=INTERVAL,
    url={"type": "string", "pattern": "^(http|https|oci)://.*$"},
    secretRef=SECRET,
    type=choice("default", "oci"),
)
SERVICE_SPEC = closed(
    type=choice("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
    clusterIP=STRING,
    selector=LABELS,
    publishNotReadyAddresses=BOOLEAN,
    ports=listing(
        closed(
            ("port",),
            name=DNS_LABEL,
            port=PORT,
            targetPort={"anyOf": [PORT, DNS_LABEL]},
            protocol=choice("TCP", "UDP", "SCTP"),
        )
    ),
)
NAMED = dict.fromkeys(("group", "version", "kind", "name", "namespace"), STRING)
SELECTED = closed((), **NAMED, labelSelector=STRING, annotationSelector=STRING)
# kubernetes-sigs/kustomize api/types: kustomization.go, selector.go, replacement.go
KUSTOMIZATION = closed(
    ("apiVersion", "kind"),
    apiVersion=STRING,
    kind=STRING,
    namespace=DNS_LABEL,
    resources=STRINGS,
    components=STRINGS,
    labels=listing(closed(("pairs",), pairs=LABELS, includeSelectors=BOOLEAN, includeTemplates=BOOLEAN)),
    commonAnnotations=ANNOTATIONS,
    patches=listing(closed(path=STRING, patch=STRING, target=SELECTED)),
    replacements=listing(
        closed(
            ("source", "targets"),
            source=closed(("fieldPath",), **NAMED, fieldPath=STRING),
            targets=listing(
                closed(
                    ("select", "fieldPaths"),
                    select=SELECTED,
                    options=closed(create=BOOLEAN),
                    fieldPaths=STRINGS,
                )
            ),
        )
    ),
)


def pod_template(pod_spec: Schema, *restart_policies: str) -> Schema:
    """PodTemplateSpec for a kind that accepts only these restart policies."""
    properties = {**pod_spec["properties"], "restartPolicy": choice(*restart_policies)}
    required = list(pod_spec["required"])
    if "Always" not in restart_policies:
        required.append("restartPolicy")  # if omitted it defaults to Always
    spec = {**pod_spec, "properties": properties, "required": required}
    return closed(("spec",), metadata=closed(labels=LABELS, annotations=ANNOTATIONS), spec=spec)


def job_spec(pod_spec: Schema) -> Schema:
    return closed(
        ("template",),
        template=pod_template(pod_spec, "Never", "OnFailure"),
        completions=COUNT,
        parallelism=COUNT,
        completionMode=choice("NonIndexed", "Indexed"),
        backoffLimit=COUNT,
        backoffLimitPerIndex=COUNT,
        maxFailedIndexes=COUNT,
        activeDeadlineSeconds=COUNT,
        ttlSecondsAfterFinished=COUNT,
        suspend=BOOLEAN,
    )


def stateful_set_spec(pod_spec: Schema) -> Schema:
    return closed(
        ("selector", "template"),
        serviceName=DNS_LABEL,
        replicas=COUNT,
        selector=SELECTOR,
        template=pod_template(pod_spec, "Always"),
        podManagementPolicy=choice("OrderedReady", "Parallel"),
        minReadySeconds=COUNT,
    )


def pod_rails(pod_spec: Schema) -> Schema:
    """The source of kustomize's replacements: a part of a pod template, not an API object."""
    spec = {**pod_spec, "required": []}
    container = {**pod_spec["properties"]["containers"]["items"], "required": ["name"]}
    return closed(
        ("template", "container"),
        apiVersion=STRING,
        kind=STRING,
        metadata=METADATA,
        roles=listing(DNS_LABEL),
        template=closed(metadata=closed(annotations=ANNOTATIONS), spec=spec),
        container=container,
        seed={"type": "object"},
    )


def pod_group_spec(*more: str) -> Schema:
    """For Volcano and scheduler-plugins, whose CRDs are not among the upstream files."""
    return closed(("minMember",), minMember=COUNT, **dict.fromkeys(more, STRING))


CEL = listing(closed(("cel",), cel=closed(("expression",), expression={**STRING, "maxLength": 10240})))
DEVICE_CLASS_SPEC = closed(selectors={**CEL, "maxItems": 32}, extendedResourceName=STRING)
# resource.k8s.io/v1: kubernetes/kubernetes staging/src/k8s.io/api/resource/v1/types.go
CLAIM_SPEC = closed(
    ("devices",),
    devices=closed(
        requests={
            **listing(
                closed(
                    ("name", "exactly"),
                    name=DNS_LABEL,
                    exactly=closed(
                        ("deviceClassName",),
                        deviceClassName=DNS_NAME,
                        allocationMode=choice("ExactCount", "All"),
                        count={**COUNT, "minimum": 1},
                        selectors={**CEL, "maxItems": 32},
                    ),
                )
            ),
            "maxItems": 32,
        },
        constraints=listing(closed(requests=STRINGS, matchAttribute=STRING)),
        config=listing(
            closed(
                ("opaque",),
                requests=STRINGS,
                opaque=closed(("driver", "parameters"), driver=DNS_NAME, parameters={"type": "object"}),
            )
        ),
    ),
)


ADMISSION_SPEC = closed(
    ("matchConstraints", "mutations", "reinvocationPolicy"),
    failurePolicy=choice("Fail"),
    reinvocationPolicy=choice("Never"),
    matchConstraints=closed(
        ("resourceRules",),
        namespaceSelector=SELECTOR,
        objectSelector=SELECTOR,
        resourceRules=listing(
            closed(apiGroups=STRINGS, apiVersions=STRINGS, operations=STRINGS, resources=STRINGS)
        ),
    ),
    variables=listing(closed(("name", "expression"), name=STRING, expression=STRING)),
    mutations=listing(
        closed(
            ("patchType", "jsonPatch"),
            patchType=choice("JSONPatch"),
            jsonPatch=closed(("expression",), expression=STRING),
        )
    ),
)
ADMISSION = {
    "MutatingAdmissionPolicy": ADMISSION_SPEC,
    "MutatingAdmissionPolicyBinding": closed(("policyName",), policyName=DNS_NAME),
}


def core_schemas(pod_spec: Schema) -> dict[tuple[str, str], Schema]:
    """``(apiVersion, kind)`` -> schema of the whole object."""

    def whole(spec: Schema) -> Schema:
        return closed(("spec",), apiVersion=STRING, kind=STRING, metadata=METADATA, spec=spec)

    return {
        ("v1", "ConfigMap"): CONFIG_MAP,
        ("v1", "Namespace"): NAMESPACE,
        ("v1", "Service"): whole(SERVICE_SPEC),
        ("v1", "Pod"): whole(pod_spec),
        ("batch/v1", "Job"): whole(job_spec(pod_spec)),
        ("apps/v1", "StatefulSet"): whole(stateful_set_spec(pod_spec)),
        ("resource.k8s.io/v1", "DeviceClass"): whole(DEVICE_CLASS_SPEC),
        ("resource.k8s.io/v1", "ResourceClaimTemplate"): whole(closed(("spec",), spec=CLAIM_SPEC)),
        ("scheduling.volcano.sh/v1beta1", "PodGroup"): whole(pod_group_spec("queue", "priorityClassName")),
        ("scheduling.x-k8s.io/v1alpha1", "PodGroup"): whole(pod_group_spec()),
        ("netplan/v1", "PodRails"): pod_rails(pod_spec),
        ("kustomize.config.k8s.io/v1beta1", "Kustomization"): KUSTOMIZATION,
        ("source.toolkit.fluxcd.io/v1", "GitRepository"): whole(GIT_REPOSITORY_SPEC),
        ("source.toolkit.fluxcd.io/v1", "HelmRepository"): whole(HELM_REPOSITORY_SPEC),
        ("kustomize.config.k8s.io/v1alpha1", "Component"): KUSTOMIZATION,
        **{
            (f"admissionregistration.k8s.io/{version}", kind): whole(spec)
            for version in ("v1", "v1beta1", "v1alpha1")
            for kind, spec in ADMISSION.items()
        },
    }
