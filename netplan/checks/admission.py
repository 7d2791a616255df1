"""NP682, NP683: requirements of a workload's admission policy, and what it cannot set."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.admission import FILLED_IN, VERSIONS, api_version
from netplan.model.fabric import Fabric


def _policies(fabric: Fabric) -> int:
    return sum(w.admission_policy for w in fabric.workloads)


@check("NP682", "Kubernetes without MutatingAdmissionPolicy", on=Fabric, counts=_policies)
def policy_of_a_later_kubernetes(fabric: Fabric) -> Iterator[Finding]:
    """`admission_policy` needs an API server that has MutatingAdmissionPolicy.

    The API is v1alpha1 from Kubernetes 1.32, v1beta1 from 1.34 and v1 from 1.36; up to 1.35 its feature gate
    and its version must be enabled on the API server.

    **Why.** An older API server rejects the policy, and no pod gets its rails.
    **Fix.** State `cluster.kubernetes_version` 1.32 or newer, or set `admission_policy: false` and use the
    kustomize component.
    **Source.** kubernetes/enhancements 64765b4b
    keps/sig-api-machinery/3962-mutating-admission-policies/kep.yaml; kubernetes.io, Mutating Admission Policy
    """
    version = fabric.cluster.kubernetes_version
    has = "not stated" if version is None else ".".join(map(str, version))
    first = ".".join(map(str, VERSIONS[-1][0]))
    for w in fabric.workloads if api_version(version) is None else ():
        if w.admission_policy:
            what = (
                f"workload {w.name} has admission_policy true, kubernetes_version is {has}, {first} is needed"
            )
            hint = f"state kubernetes_version {first} or newer, or use the kustomize component"
            yield Finding((*w.at, "admission_policy"), what, hint)


@check("NP683", "pod field that an admission policy cannot set", on=Fabric, counts=_policies)
def field_filled_in(fabric: Fabric) -> Iterator[Finding]:
    """Some fields of a pod have their value before an admission policy runs.

    **Why.** The API server fills in defaults first, and its admission plugins read the service account and
    the priority class before policies run: the pod would be denied, or keep the first account's token.
    **Fix.** Remove the field from `extra` and state it in the job, or set `admission_policy: false` and use
    the kustomize component.
    **Source.** kubernetes/kubernetes e34b0935 pkg/apis/core/v1/defaults.go;
    pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins; plugin/pkg/admission/priority/admission.go
    """
    for w in fabric.workloads:
        for name in w.extra if w.admission_policy else ():
            if name in FILLED_IN:
                what = f"extra of {w.name} has {name}, which the API server sets before admission_policy runs"
                hint = f"state {name} in the job instead, or use the kustomize component"
                yield Finding((*w.at, "extra", name), what, hint)
