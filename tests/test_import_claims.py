"""Pods whose rails come from ResourceClaims become workloads as those with annotations do. Shapes:
kubernetes/api resource/v1/types.go; k8snetworkplumbingwg/dra-driver-sriov cd9404f README.md;
kubernetes-sigs/dranet f258477 examples."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cluster_dumps, listed
from tests.inventories import compiled, outputs
from tests.test_import_workloads import cluster, comment_of, container, of_pods, pod, workloads

API, SRIOV = "resource.k8s.io/v1", "sriovnetwork.k8snetworkplumbingwg.io"


def request(name: str, driver_class: str = SRIOV, cel: str = "", exactly: bool = True) -> dict[str, Any]:
    own: dict[str, Any] = {"deviceClassName": driver_class}
    own |= {"selectors": [{"cel": {"expression": cel}}]} if cel else {}
    return {"name": name, **({"exactly": own} if exactly else own)}


def template(
    *requests: dict[str, Any], networks: dict[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """``networks``: request -> NetworkAttachmentDefinition that a VfConfig names."""
    config = [
        {
            "requests": [name],
            "opaque": {"driver": SRIOV, "parameters": {"kind": "VfConfig", "netAttachDefName": nad}},
        }
        for name, nad in (networks or {}).items()
    ]
    meta = {"name": "rdma", "namespace": "training"}
    devices = {"requests": [*requests], "config": config}
    made = {"apiVersion": API, "kind": "ResourceClaimTemplate", "metadata": meta}
    return {**made, "spec": {"spec": {"devices": devices}}, **more}


def claiming(name: str, *, key: str = "resourceClaimTemplateName", networks: str = "") -> dict[str, Any]:
    return pod(name, networks, containers=[container()], resourceClaims=[{"name": "rdma", key: "rdma"}])


def imported(*objects: dict[str, Any]) -> Imported:
    return import_texts({**cluster(), "pods.yaml": listed(list(objects))}, "site")


NADS = {"a": "rail-0-leaf-1", "b": "rail-1-leaf-1"}


@pytest.mark.parametrize("exactly", [True, False])
def test_networks_that_a_claim_names(exactly: bool) -> None:
    """dra-driver-sriov without Multus; ``exactly`` came with v1beta2."""
    both = [request(name, exactly=exactly) for name in NADS]
    result = imported(template(*both, networks=NADS), claiming("a"))
    assert (workloads(result)["a"]["networks"], of_pods(result)) == (["rail"], [])


def test_devices_that_a_claim_selects_are_those_of_the_networks() -> None:
    """With Multus, which attaches by the annotation."""
    text = 'device.attributes["k8s.cni.cncf.io"].resourceName == "intel.com/rail_{}"'
    both = [request(f"r{n}", "my-class", text.format(n)) for n in range(2)]
    asked = imported(template(*both), claiming("a", networks="rail-0-leaf-1@rail0, rail-1-leaf-1@rail1"))
    assert workloads(asked)["a"]["networks"] == ["rail"]
    bare = imported(template(*both), claiming("a"))
    assert workloads(bare)["a"]["networks"] == "TODO"
    assert "that of rail_0, rail_1, which its pods take" in comment_of(bare, "networks")


def test_a_claim_that_no_dump_has_or_that_says_no_network_is_asked() -> None:
    missing = imported(claiming("a"))
    assert "claim training/rdma, in no dump" in comment_of(missing, "networks")
    vague = imported(template(request("x")), claiming("a"))
    assert f"request x of {SRIOV}" in comment_of(vague, "networks")


def test_a_claim_of_its_own_counts_and_one_made_of_a_template_does_not() -> None:
    own = template(*(request(name) for name in NADS), networks=NADS)
    own |= {"kind": "ResourceClaim", "spec": own["spec"]["spec"]}
    assert workloads(imported(own, claiming("a", key="resourceClaimName")))["a"]["networks"] == ["rail"]
    made = copy.deepcopy(own)
    made["metadata"]["ownerReferences"] = [{"kind": "Pod", "name": "a", "controller": True}]
    assert "in no dump" in comment_of(imported(made, claiming("a")), "networks")


def test_claimed_gpus_are_asked() -> None:
    gpu = {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": "h100"}}
    gpu |= {"spec": {"selectors": [{"cel": {"expression": 'device.driver == "gpu.nvidia.com"'}}]}}
    both = [request(name) for name in NADS]
    each = claiming("a")
    each["spec"]["containers"] = [container(gpus=0)]
    result = imported(gpu, template(*both, request("g", "h100"), networks=NADS), each)
    assert workloads(result)["a"]["gpus"] == "TODO"
    assert "its pods claim GPUs of gpu.nvidia.com" in comment_of(result, "gpus")
    alone = imported(gpu, template(request("g", "h100")), each)
    assert workloads(alone) == {}


@cache
def dranet() -> dict[str, str]:
    files = outputs(compiled("dgx-h100-dra"))
    claim = next(text for path, text in files.items() if path.endswith("claims/training/training.yaml"))
    made = yaml.safe_load(files["pods/training/pod.yaml"])
    made["spec"]["nodeName"] = "gpu-01"
    return {**cluster_dumps(files), "claim.yaml": claim, "pods.yaml": yaml.safe_dump(made)}


def test_interfaces_that_pods_claim_from_dranet_are_a_network_of_the_rails() -> None:
    """As rendered: nothing but the claim says that pods have the rails."""
    result = import_texts(dranet(), "site")
    found = yaml.safe_load(result.text)
    network = found["networks"]["rail"]
    assert [network[key] for key in ("for_each", "mode", "ipam", "namespaces")] == [
        "rails",
        "host-device",
        "none",
        ["training"],
    ]
    assert found["workloads"]["training"]["networks"] == ["rail"]
    assert [each for each in result.remarks if "name of a network" in each.text] == []
