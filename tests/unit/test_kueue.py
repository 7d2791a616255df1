"""Kueue quotas and queues: their content, and that Kueue's CRDs accept them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.model.kueue import KueuePlan
from netplan.plan import kueue as planner
from netplan.render.kueue import render_kueue
from netplan.verify.schemas import validate
from tests.crd import validate_object
from tests.inventories import compiled, outputs
from tests.pod_site import plan_of, pods, rendered

GANG = "cluster: {gang_scheduler: kueue}\n"
SIZES = (
    "workloads: {job: {queue: llm, cpus: 16, memory_mib: 1024, hugepages_2mi_mib: 512, pods_per_node: 2}}\n"
)
TWO_TYPES = """
host_types:
  big:
    gpus: 8
    node_selector: {type: big}
    hcas: {roce0: {model: connectx-5, rail: 0, speed_gbps: 100, use: vf, vfs: 2}}
hosts: {big-9: {type: big, id: 9}}
rails: {segment: host, vlan_ids: null, prefixes: [31]}
workloads: {job: {hosts: [gpu, big]}}
"""


def over(*parts: str) -> str:
    """Parts of an inventory, merged."""
    out: dict[str, Any] = {}
    for part in parts:
        _merge(out, yaml.safe_load(part))
    return json.dumps(out)


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def text(*parts: str) -> str:
    (artifact,) = render_kueue(plan_of(over(*parts)).kueue, "lab")
    assert artifact.path == "pods/kueue.yaml"
    return artifact.text


def objects(*parts: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(text(*parts)))


def group(*parts: str) -> dict[str, Any]:
    (queue,) = (o for o in objects(*parts) if o["kind"] == "ClusterQueue")
    (only,) = queue["spec"]["resourceGroups"]
    return dict(only)


def quotas(flavor: dict[str, Any]) -> dict[str, str]:
    return {r["name"]: r["nominalQuota"] for r in flavor["resources"]}


@pytest.mark.crd
@pytest.mark.parametrize(
    ("release", "version"), [(None, "v1beta1"), ("0.14", "v1beta1"), ("0.15", "v1beta2")]
)
def test_the_crds_take_every_object(release: str | None, version: str) -> None:
    stated = f"cluster: {{kueue: {{release: '{release}'}}}}" if release else "{}"
    found = objects(GANG, SIZES, TWO_TYPES, stated)
    assert {o["apiVersion"] for o in found} == {f"kueue.x-k8s.io/{version}"}
    for one in found:
        assert list(validate(f"{one['kind']}.json", one)) == []
        assert validate_object(one) == []
        assert validate_object({**one, "spec": {**one["spec"], "surplus": 1}})
        assert list(validate(f"{one['kind']}.json", {**one, "spec": {**one["spec"], "surplus": 1}}))
    assert [o["kind"] for o in found] == ["ResourceFlavor", "ResourceFlavor", "ClusterQueue", "LocalQueue"]


def test_one_group_covers_gpus_rails_and_the_rest() -> None:
    only = group(GANG, SIZES)
    rails = ["intel.com/rail_0", "intel.com/rail_1"]
    assert only["coveredResources"] == ["nvidia.com/gpu", *rails, "cpu", "memory", "hugepages-2Mi", "pods"]
    (flavor,) = only["flavors"]
    assert [r["name"] for r in flavor["resources"]] == only["coveredResources"]


def test_quotas_are_those_of_the_nodes() -> None:
    """Four hosts with 8 GPUs and 4 VFs per rail; CPUs and memory as two pods on each of them request."""
    (flavor,) = group(GANG, SIZES)["flavors"]
    assert quotas(flavor) == {
        "nvidia.com/gpu": "32",
        "intel.com/rail_0": "16",
        "intel.com/rail_1": "16",
        "cpu": "128",
        "memory": "8192Mi",
        "hugepages-2Mi": "4096Mi",
        "pods": "440",
    }


def test_every_flavor_has_every_resource() -> None:
    """Kueue's rule: flavors must have the same number of resources as the coveredResources."""
    only = group(GANG, TWO_TYPES)
    assert [f["name"] for f in only["flavors"]] == ["lab-big", "lab-gpu"]
    assert all([r["name"] for r in f["resources"]] == only["coveredResources"] for f in only["flavors"])
    big, _ = map(quotas, only["flavors"])
    assert (big["nvidia.com/gpu"], big["intel.com/rail_0"]) == ("8", "2")
    labels = [o["spec"]["nodeLabels"] for o in objects(GANG, TWO_TYPES) if o["kind"] == "ResourceFlavor"]
    assert labels == [{"type": "big"}, {"type": "gpu"}]


def test_rails_can_be_left_to_the_configuration() -> None:
    excluded = "cluster: {kueue: {rails: exclude}}"
    line = 'excludeResourcePrefixes: ["intel.com/rail_"]'
    assert line in text(GANG)
    assert line in text(GANG, excluded)
    assert "waits forever unless" in text(GANG, excluded)
    assert not [r for r in group(GANG, excluded)["coveredResources"] if "rail" in r]


def test_other_gpus_have_their_own_resource() -> None:
    amd = "host_types: {gpu: {gpu_resource: amd.com/gpu}}"
    assert group(GANG, amd)["coveredResources"][0] == "amd.com/gpu"


def test_each_workload_has_its_queue() -> None:
    *_, queue = objects(GANG, SIZES)
    assert queue["metadata"] == {"name": "llm", "namespace": "train"}
    assert queue["spec"] == {"clusterQueue": "lab-rdma"}
    assert pods(over(GANG, SIZES)).local_queue == "llm"
    assert "LocalQueue `llm`" in rendered(over(GANG, SIZES))["README.md"]


def test_without_kueue_there_is_nothing() -> None:
    assert plan_of().kueue is None
    assert list(render_kueue(None, "lab")) == []
    assert pods().local_queue is None
    assert "kueue" not in rendered()["README.md"].lower()


def test_no_kustomization_has_the_file() -> None:
    tree = outputs(compiled("kitchen-sink"))
    assert "pods/kueue.yaml" in tree
    kustomizations = [t for path, t in tree.items() if path.endswith("kustomization.yaml")]
    assert kustomizations
    assert not [t for t in kustomizations if "kueue.yaml" in t]


def kueue_of(release: str) -> KueuePlan:
    kueue = plan_of(over(GANG, f"cluster: {{kueue: {{release: '{release}'}}}}")).kueue
    assert kueue is not None
    return kueue


def test_the_limit_follows_the_release() -> None:
    limits = {release: kueue_of(release).limit for release in ("0.9", "0.13", "0.14", "1.0")}
    assert limits == {"0.9": 16, "0.13": 16, "0.14": 64, "1.0": 64}
    assert set(planner.LIMITS.values()) == {16, 64}
