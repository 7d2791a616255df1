"""The admission policy, run with another implementation of CEL, compared with the component's result."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import celpy
import jsonpatch
import pytest
import yaml
from celpy.adapter import CELJSONEncoder, json_to_cel

from netplan.changes.effects import effects
from netplan.changes.files import pod_effects
from netplan.changes.sides import Side
from netplan.pipeline import compile_texts
from netplan.render.admission import ALREADY_SET
from netplan.render.pod_patches import WITHOUT_GPUS
from netplan.verify.schemas import validate
from tests import openapi
from tests.inventories import outputs, text_of
from tests.job_manifests import BARE, HEAD, RICH, job
from tests.pod_site import rendered
from tests.unit.test_pod_kinds import NETWORKS, built

POLICY = "admission-policy.yaml"
ON = 'cluster: {kubernetes_version: "%s"}\nworkloads: {job: {admission_policy: true%s}}'
PLAIN = ON % ("1.34", "")
SBR = PLAIN + "\nnetworks: {rail: {routing: sbr}}"
FULL = ON % (
    "1.34",
    """, privileged: true, runtime_class: nvidia, hugepages_2mi_mib: 512, annotations: {example.com/own: x y},
    env: {OWN: ours}, extra: {
      tolerations: [{key: k, operator: Exists}], imagePullSecrets: [{name: registry}], hostIPC: true,
      securityContext: {fsGroup: 1000, supplementalGroups: [5]}}""",
)
REORDERED = {**RICH, "spec": {**RICH["spec"], "containers": RICH["spec"]["containers"][::-1]}}
OTHERS: dict[str, Any] = deepcopy(REORDERED)
OTHERS["spec"]["volumes"].insert(0, {"name": "rdma-shm", "emptyDir": {}})
OTHERS["spec"]["containers"][1]["env"].insert(0, {"name": "NCCL_IB_TC", "value": "own"})
OTHERS["spec"]["containers"][1]["resources"]["limits"] |= {"cpu": "1", "nvidia.com/rail_0": "9"}
TEMPLATES = {"bare": BARE, "rich": RICH, "sidecar first": REORDERED, "entries of ours": OTHERS}


class DeniedError(Exception):
    """The API server denies the pod: a policy with failurePolicy Fail has an error."""


def _index_of(values: Any, wanted: Any) -> Any:
    """indexOf of Kubernetes' CEL list library."""
    return celpy.celtypes.IntType(list(values).index(wanted) if wanted in values else -1)


def _evaluated(expression: str, names: dict[str, Any]) -> Any:
    """Result as JSON. Operations are maps: cel-python has no type JSONPatch."""
    text = re.sub(r'JSONPatch\{op: ("\w+"), path: ', r'{"op": \1, "path": ', expression)
    environment = celpy.Environment()
    program = environment.program(
        environment.compile(text.replace(", value: ", ', "value": ')), functions={"indexOf": _index_of}
    )
    found = program.evaluate({name: json_to_cel(value) for name, value in names.items()})
    return json.loads(json.dumps(found, cls=CELJSONEncoder))


def admitted(policy: dict[str, Any], pod: dict[str, Any]) -> dict[str, Any]:
    """The pod after all mutations in order. Raises DeniedError with the API server's reason."""
    spec = policy["spec"]
    variables: dict[str, Any] = {}
    for each in spec["variables"]:
        variables[each["name"]] = _evaluated(each["expression"], {"object": pod, "variables": variables})
    for each in spec["mutations"]:
        patch = _evaluated(each["jsonPatch"]["expression"], {"object": pod, "variables": variables})
        try:
            pod = jsonpatch.apply_patch(pod, patch)
        except jsonpatch.JsonPatchTestFailed:
            continue  # patch/json_patch.go: the object stays as it is
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
            raise DeniedError(patch) from error
    return pod


def objects(over: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(rendered(over)[POLICY]))


def defaulted(pod: dict[str, Any]) -> dict[str, Any]:
    """The pod as the API server stores it: a missing request is set to the limit."""
    out = deepcopy(pod)
    for container in out["spec"]["containers"]:
        resources = container.get("resources", {})
        if "limits" in resources:
            resources["requests"] = {**resources["limits"], **resources.get("requests", {})}
    return out


@pytest.mark.kustomize
@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("over", [PLAIN, SBR, FULL], ids=["script", "sbr", "full"])
def test_a_pod_gets_what_the_component_gives(tmp_path: Path, name: str, over: str) -> None:
    template = deepcopy(TEMPLATES[name])
    for container in template["spec"]["containers"]:
        if over == FULL:
            container.pop("securityContext", None)
            if "resources" in container:
                container["resources"]["limits"]["cpu"] = "1"
    own = job("Pod", template)
    (wanted,) = built(tmp_path, own, over=over)
    found = admitted(objects(over)[0], defaulted(own))
    assert found["metadata"] == wanted["metadata"]
    assert found["spec"] == defaulted(wanted)["spec"]


@pytest.mark.kustomize
def test_a_pod_gets_its_claims(tmp_path: Path) -> None:
    text = text_of("dgx-h100-dra").replace(
        "    networks: [rail]", "    networks: [rail]\n    admission_policy: true"
    )
    texts = outputs(compile_texts({"dra.yaml": text}))
    below = {p.removeprefix("pods/training/"): t for p, t in texts.items() if p.startswith("pods/training/")}
    own = job("Pod", OTHERS)
    own["metadata"]["namespace"] = "training"
    own["spec"]["containers"][1]["resources"]["limits"].pop("nvidia.com/rail_0")
    (wanted,) = built(tmp_path, own, files=below)
    policy = next(yaml.safe_load_all(below[POLICY]))
    assert wanted["spec"]["containers"][1]["resources"]["claims"]
    assert admitted(policy, defaulted(own))["spec"] == defaulted(wanted)["spec"]


@pytest.mark.parametrize(
    ("reason", "metadata", "spec"),
    [
        (f"{ALREADY_SET}/metadata/annotations/k8s.v1.cni.cncf.io~1networks", {NETWORKS: "own"}, {}),
        (f"{ALREADY_SET}/spec/runtimeClassName", {}, {"runtimeClassName": "own"}),
        (f"{ALREADY_SET}/spec/nodeSelector/type", {}, {"nodeSelector": {"type": "own"}}),
        (WITHOUT_GPUS, {}, deepcopy(HEAD["spec"])),
    ],
)
def test_a_pod_that_cannot_have_them_is_denied(
    reason: str, metadata: dict[str, str], spec: dict[str, Any]
) -> None:
    pod = job("Pod", BARE)
    pod["metadata"]["annotations"] = metadata
    pod["spec"] |= spec
    with pytest.raises(DeniedError, match=re.escape(reason)):
        admitted(objects(FULL)[0], pod)


@pytest.mark.crd
@pytest.mark.parametrize(
    ("release", "version"),
    [("1.32", "v1alpha1"), ("1.33", "v1alpha1"), ("1.34", "v1beta1"), ("1.35", "v1beta1"), ("1.36", "v1")],
)
def test_version_by_release(release: str, version: str) -> None:
    policy, binding = objects(ON % (release, ""))
    for body in (policy, binding):
        assert list(validate(f"{body['kind']}.json", body)) == []
    assert policy["apiVersion"] == binding["apiVersion"] == f"admissionregistration.k8s.io/{version}"
    assert binding["spec"]["policyName"] == policy["metadata"]["name"]
    if openapi.of_kubernetes(policy):
        assert openapi.validate(policy, "1.34") + openapi.validate(binding, "1.34") == []
    match = policy["spec"]["matchConstraints"]
    assert match["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "train"}
    assert match["objectSelector"]["matchLabels"] == {"netplan/workload": "job"}


def test_only_who_asks_gets_one() -> None:
    other = 'cluster: {kubernetes_version: "1.34"}'
    assert POLICY not in rendered(other)
    with_policy, without = dict(rendered(PLAIN)), dict(rendered(other))
    del with_policy[POLICY]
    readme = "README.md"
    assert with_policy.pop(readme) != without.pop(readme)
    assert with_policy == without


def test_a_policy_that_goes_is_to_be_deleted() -> None:
    known = effects()
    with_one = Side("with", {f"pods/job/{name}": text for name, text in rendered(PLAIN).items()})
    without = Side("without", {path: text for path, text in with_one.texts.items() if POLICY not in path})
    (added,), (gone,) = pod_effects(without, with_one, known), pod_effects(with_one, without, known)
    assert (added.effect.word, gone.effect.word) == ("live", "by-hand")
