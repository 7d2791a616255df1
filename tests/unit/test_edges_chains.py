"""Edge cases, one fact per case: pods from any source, step by step as ``trace`` follows them."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.graph.qos import Proof
from netplan.trace.chains.draw import _reasons as reasons
from netplan.trace.chains.model import Doubt
from netplan.trace.chains.tree import chains_of
from tests.unit.edges import things

FILE = "kubernetes/pod.yaml"
LIMITS = {"resources": {"limits": {"nvidia.com/rail": 1}}}


def pod(
    containers: list[Any] | None = None, networks: str | None = None, namespace: str | None = "a", **spec: Any
) -> dict[str, Any]:
    annotations = {} if networks is None else {"k8s.v1.cni.cncf.io/networks": networks}
    meta: dict[str, Any] = {"name": "job", "annotations": annotations}
    meta |= {} if namespace is None else {"namespace": namespace}
    whole = {"containers": containers or [{"name": "main"}], **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": whole}


def nad(
    name: str = "rail", namespace: str = "a", resource: str | None = None, **config: Any
) -> dict[str, Any]:
    key = {"k8s.v1.cni.cncf.io/resourceName": resource} if resource else {}
    plugin = {"cniVersion": "1.0.0", "name": name, "type": "macvlan", **config}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": name, "namespace": namespace, "annotations": key},
        "spec": {"config": json.dumps(plugin)},
    }


def chains(*objects: dict[str, Any], name: str = FILE) -> Any:
    text = yaml.safe_dump_all(objects, sort_keys=False)
    return chains_of(things({name: text}))


def steps(*objects: dict[str, Any]) -> dict[str, tuple[list[str], list[str]]]:
    """Name of a step -> its lines and doubts, for the only pod; without findings of rules."""
    (found,) = chains(*objects).pods
    every = [*found.steps, *(step for chain in found.chains for step in chain.steps)]
    return {
        step.name: ([each.text for each in step.lines], [each.text for each in step.doubts if not each.code])
        for step in every
    }


@pytest.mark.parametrize(
    ("networks", "shown"),
    [
        ("{{ networks }}", "networks with placeholders: {{ networks }}"),
        ('[{"name": 3}]', 'networks as written: [{"name": 3}]'),
        ("[" + " x" * 100, "networks as written: " + ("[" + " x" * 100)[:120]),
    ],
)
def test_an_annotation_that_names_no_network_is_shown(networks: str, shown: str) -> None:
    lines, doubts = steps(pod(networks=networks))["pod"]
    assert lines == [shown]
    assert doubts == ["Multus cannot read this as the networks of the pod"]


@pytest.mark.parametrize("networks", ["", "[]", None])
def test_an_empty_annotation_is_no_network(networks: str | None) -> None:
    assert chains(pod(networks=networks)).pods == ()


def test_a_pod_on_the_network_of_its_node_with_gpus_says_so() -> None:
    gpus = {"name": "main", "resources": {"limits": {"nvidia.com/gpu": 8}}}
    found = steps(pod([gpus], "rail", hostNetwork=True), nad())["pod"]
    assert found[0] == ["container main has 8 nvidia.com/gpu", "it is on the network of the node"]


CLAIM = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "spec": {}}


@pytest.mark.parametrize(
    ("name", "namespace", "taken"),
    [("nics", "a", True), ("nics", None, True), ("nics", "b", False), ("gpus", "a", False)],
)
def test_a_claim_rests_on_the_template_of_its_name_and_namespace(
    name: str, namespace: str | None, taken: bool
) -> None:
    meta = {"name": name} | ({"namespace": namespace} if namespace else {})
    asking = pod(networks="rail", resourceClaims=[{"name": "n", "resourceClaimTemplateName": "nics"}])
    (found,) = chains(asking, nad(), CLAIM | {"metadata": meta}).pods
    (step,) = (step for step in found.steps if step.name == "claims")
    assert [line.text for line in step.lines] == ["claim n: nics"]
    assert ["ResourceClaimTemplate" in str(subject.thing) for subject in step.subjects] == [True] * taken
    assert len(step.doubts) == 1


def test_a_claim_stands_at_its_own_line_also_behind_what_is_none() -> None:
    named = {"name": "n", "resourceClaimTemplateName": "nics"}
    places = []
    for claims in ([named], ["odd", named]):
        (found,) = chains(pod(networks="rail", resourceClaims=claims), nad()).pods
        (step,) = (step for step in found.steps if step.name == "claims")
        (line,) = step.lines
        places.append(int(line.place.rpartition(":")[2]))
    assert places[1] == places[0] + 1
    (found,) = chains(pod(networks="rail", resourceClaims=["odd"]), nad()).pods
    assert not any(step.name == "claims" for step in found.steps)


@pytest.mark.parametrize(("namespace", "taken"), [("a", True), ("b", False)])
def test_variables_of_a_config_map_that_a_container_takes_whole(namespace: str, taken: bool) -> None:
    data = {"IB_TC": "106", "OTHER": "1"}
    kept = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "env", "namespace": namespace},
        "data": data,
    }
    others = kept | {"metadata": {"name": "more", "namespace": "a"}, "data": {"IB_TC": "0"}}
    container = {"name": "main", "envFrom": [{"prefix": "NCCL_", "configMapRef": {"name": "env"}}]}
    (found,) = chains(pod([container], "rail"), nad(), kept, others).pods
    said = [line.text for step in found.steps if step.name == "environment" for line in step.lines]
    assert said == ["NCCL_IB_TC=106 (DSCP 26)"] * taken
    assert found.traffic_class == (106 if taken else None)


@pytest.mark.parametrize(
    ("entry", "shown", "open_"),
    [
        ({"value": "106"}, "NCCL_IB_TC=106 (DSCP 26)", False),
        ({"value": "255"}, "NCCL_IB_TC=255 (DSCP 63)", False),
        ({"value": "256"}, "NCCL_IB_TC=256", False),
        ({"value": "0106"}, "NCCL_IB_TC=0106", False),
        ({"value": "{{ tc }}"}, "NCCL_IB_TC={{ tc }}", True),
        ({"valueFrom": {"configMapKeyRef": {"name": "x", "key": "y"}}}, "NCCL_IB_TC=...", True),
    ],
)
def test_a_variable_is_shown_with_its_dscp(entry: dict[str, Any], shown: str, open_: bool) -> None:
    container = {"name": "main", "env": [{"name": "NCCL_IB_TC", **entry}, {"name": "HOME", "value": "/"}]}
    lines, doubts = steps(pod([container], "rail"), nad())["environment"]
    assert lines == [shown]
    said = "the value of NCCL_IB_TC is not in the files (kubernetes/pod.yaml:"
    assert [text.startswith(said) for text in doubts] == [True] * open_


def test_networks_of_one_name_that_differ_are_named() -> None:
    files = {"kubernetes/0.yaml": yaml.safe_dump(pod(networks="rail"))}
    for number in range(1, 7):
        files[f"kubernetes/{number}.yaml"] = yaml.safe_dump(nad(mtu=1500 + number))
    (found,) = chains_of(things(files)).pods
    doubts = [each.text for each in found.chains[0].steps[0].doubts]
    places = ", ".join(f"kubernetes/{number}.yaml:1" for number in range(2, 6))
    (said,) = [text for text in doubts if "is defined elsewhere too" in text]
    assert said.endswith(f"is defined elsewhere too ({places}); the nearest is followed")
    same = {name: text if name.endswith("0.yaml") else yaml.safe_dump(nad()) for name, text in files.items()}
    (found,) = chains_of(things(same)).pods
    assert not any("elsewhere" in each.text for each in found.chains[0].steps[0].doubts)


def test_the_vlan_of_a_network() -> None:
    def vlan(**config: Any) -> tuple[list[str], list[str]]:
        return steps(pod(networks="rail"), nad(**config))["vlan"]

    assert vlan(type="sriov", vlan=100) == (["vlan 100"], [])
    assert vlan(type="macvlan") == (["untagged: no vlan is stated"], [])
    assert vlan(type="ib-sriov") == (["no pkey is stated"], [])
    assert vlan(type="sriov", vlan="100")[1] == ["the VLAN is a placeholder"]
    assert vlan(master="eth7.100") == (["VLAN 100, by the name of its master eth7.100"], [])
    assert vlan(master="eth7.4094") == (["VLAN 4094, by the name of its master eth7.4094"], [])
    assert vlan(master="eth7.40940") == (["untagged: no vlan is stated"], [])
    assert vlan(master="eth7.vlan") == (["untagged: no vlan is stated"], [])


def test_the_mtu_of_a_network() -> None:
    def mtu(**config: Any) -> tuple[list[str], list[str]]:
        return steps(pod(networks="rail"), nad(**config))["mtu"]

    assert mtu(mtu=1) == (["1 of macvlan"], [])
    unknown = "no file states it: the interface keeps the MTU of its port"
    for value in (0, True, "9000", None):
        assert mtu(mtu=value) == ([], [unknown])


def test_addresses_of_a_network() -> None:
    def addresses(ipam: dict[str, Any]) -> tuple[list[str], list[str]]:
        return steps(pod(networks="rail"), nad(ipam=ipam))["addresses"]

    assert addresses({}) == (["none: the network has no ipam"], [])
    assert addresses({"type": "dhcp"})[1] == ["a DHCP server assigns them: no file states its range"]
    stated = [{"address": "10.0.0.1/24", "gateway": "10.0.0.254"}]
    lines, doubts = addresses({"type": "static", "addresses": stated})
    assert "10.0.0.0/24" in lines[0] or "10.0.0.1/24" in lines[0]
    assert doubts == []
    assert addresses({"type": "static"})[1] == ["they can only be in each pod's annotation"]
    lost = {"type": "nv-ipam", "poolName": "p", "poolType": "ippool"}
    assert addresses(lost)[1] == ["ippool p is not in the files"]


def test_a_pool_without_a_route_is_on_link_only_unless_something_moves_it() -> None:
    pool = {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": "p", "namespace": "a"},
        "spec": {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.1"},
    }
    ipam = {"type": "nv-ipam", "poolName": "p", "poolType": "ippool"}
    routes = steps(pod(networks="rail"), nad(ipam=ipam), pool)["routes"]
    assert routes == (["on-link only: gateway 10.0.0.1 is in no route"], [])
    chained = nad(ipam=ipam)
    plugin = json.loads(chained["spec"]["config"])
    both = {"cniVersion": "1.0.0", "name": "rail", "plugins": [plugin, {"type": "sbr"}]}
    chained["spec"]["config"] = json.dumps(both)
    (found,) = chains(pod(networks="rail"), chained, pool).pods
    said = [line.text for step in found.chains[0].steps if step.name == "routes" for line in step.lines]
    assert said == ["sbr: routes of the interface in a table of their own, for its source addresses"]
    assert found.chains[0].meets.routed is True


@pytest.mark.parametrize("key", ["master", "device", "pciBusID", "bridge"])
def test_what_an_interface_stands_on(key: str) -> None:
    stated: dict[str, Any] = {key: "eth7"}
    assert steps(pod(networks="rail"), nad(**stated))["device"][0] == [f"{key} eth7"]
    stated[key] = 7
    assert "device" not in steps(pod(networks="rail"), nad(**stated))


def test_a_resource_that_nothing_makes_and_nobody_asks_for() -> None:
    network = nad(resource="nvidia.com/rail", type="sriov")
    assert steps(pod(networks="rail"), network)["resource"] == (
        ["nvidia.com/rail, the pod asks for none"],
        ["no container asks for it", "nothing in the files produces nvidia.com/rail"],
    )
    asking = pod([{"name": "main", **LIMITS}], "rail")
    assert steps(asking, network)["resource"] == (
        ["nvidia.com/rail, the pod asks for 1"],
        ["nothing in the files produces nvidia.com/rail"],
    )


def test_virtual_machines_are_counted_and_not_followed() -> None:
    machine = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "v", "namespace": "a"},
    }
    unseen = chains(pod(networks="rail"), nad(), machine | {"spec": {}}).unseen
    assert "networks of 1 VirtualMachine were not followed" in unseen


def test_templates_of_one_object_are_named_by_what_tells_them_apart() -> None:
    def replica() -> dict[str, Any]:
        return {
            "replicas": 1,
            "template": {"metadata": pod(networks="rail")["metadata"], "spec": pod()["spec"]},
        }

    job = {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": "m", "namespace": "a"},
        "spec": {"mpiReplicaSpecs": {"Launcher": replica(), "Worker": replica()}},
    }
    names = [each.name for each in chains(job, nad()).pods]
    assert [name.rpartition(" ")[2] for name in names] == ["Launcher", "Worker"]


@pytest.mark.parametrize(
    ("count", "last"), [(12, "not proved: l differs"), (13, "and 1 more (--format json lists all)")]
)
def test_twelve_reasons_are_listed(count: int, last: str) -> None:
    words = "abcdefghijklm"
    doubts = [Doubt(proof=Proof.OPEN, text=f"{words[number]} differs") for number in range(count)]
    given: Any = SimpleNamespace(pods=[SimpleNamespace(doubts=doubts)])
    said = [text for text, _ in reasons(given)]
    assert len(said) == min(count, 12) + (count > 12)
    assert said[-1] == last
