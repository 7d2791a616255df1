"""Dumps of one network that disagree: what one has and the other has not is a question, not a choice."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import OPERATED, operated, refused

CHAIN = ({"type": "tuning", "mtu": 4200}, {"type": "rdma"}, {"type": "sbr"})
DISAGREE = "decide, sources disagree: "


def chained(*plugins: dict[str, Any]) -> str:
    return ", ".join(map(json.dumps, plugins))


def pooled(name: str) -> str:
    return json.dumps({"type": "nv-ipam", "poolName": name})


SPEC: dict[str, Any] = {
    "networkNamespace": "a",
    "resourceName": "rail_{}",
    "vlan": "10{}",
    "ipam": pooled("p{}"),
    "metaPlugins": chained(*CHAIN),
    "trust": "on",
    "minTxRate": 100,
}


def filled(value: Any, rail: int) -> Any:
    return value.replace("{}", str(rail)) if isinstance(value, str) else value


def network(rail: int, changes: dict[str, Any]) -> dict[str, Any]:
    spec = {key: filled(value, rail) for key, value in {**SPEC, **changes}.items() if value is not None}
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetwork",
        "metadata": {"name": f"rail-{rail}", "namespace": "operator"},
        "spec": spec,
    }


def policy(rail: int, netdev: str, name: str) -> dict[str, Any]:
    spec = {"numVfs": 8, "isRdma": True, "nodeSelector": {"kind": "a"}, "nicSelector": {"pfNames": [netdev]}}
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodePolicy",
        "metadata": {"name": name.replace("_", "-"), "namespace": "operator"},
        "spec": {**spec, "resourceName": name},
    }


def pool(name: str) -> dict[str, Any]:
    spec = {"subnet": f"10.1.{name[-1]}.0/24", "gateway": f"10.1.{name[-1]}.1", "perNodeBlockSize": 8}
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": name},
        "spec": spec,
    }


def hardware(rails: int) -> list[dict[str, Any]]:
    cards = (("0000:18:00.0", "ens1"), ("0000:3b:00.0", "ens2"))[:rails]
    state = node_state("gpu-1", [interface(pci, netdev, 100) for pci, netdev in cards])
    policies = [policy(rail, netdev, f"rail_{rail}") for rail, (_, netdev) in enumerate(cards)]
    return [node("gpu-1", {"kind": "a"}, 8), state, *policies, *(pool(f"p{rail}") for rail in range(rails))]


def dumped(before: dict[str, Any], after: dict[str, Any], rails: int = 2) -> Imported:
    """Two dumps of the networks; the nodes are in the first."""
    one, other = ([network(rail, changes) for rail in range(rails)] for changes in (before, after))
    return import_texts({"a.yaml": listed([*hardware(rails), *one]), "b.yaml": listed(other)}, "site")


def asked(result: Imported) -> dict[str, str]:
    """Key -> the question under it."""
    lines = [line.strip() for line in result.text.splitlines() if DISAGREE in line]
    return {line.partition(":")[0]: line.partition(DISAGREE)[2] for line in lines}


def lines_of(result: Imported, key: str) -> set[int]:
    lines = enumerate(result.text.splitlines(), 1)
    found = {number for number, line in lines if line.strip().startswith(f"{key}: TODO")}
    assert found
    return found


CASES: list[tuple[dict[str, Any], str, str, str]] = [
    ({"metaPlugins": chained(*CHAIN[:2])}, "routing", "sbr", "nothing"),
    ({"metaPlugins": None}, "routing", "sbr", "nothing"),
    (
        {"metaPlugins": chained(CHAIN[0], CHAIN[2])},
        "rdma_mode",
        "network a/rail-0 with the rdma plugin",
        "network a/rail-0 without the rdma plugin",
    ),
    ({"metaPlugins": chained({"type": "tuning", "mtu": 9000}, *CHAIN[1:])}, "mtu", "4200", "9000"),
    ({"metaPlugins": chained(*CHAIN[1:])}, "mtu", "4200", "nothing"),
    ({"resourceName": "other_{}"}, "resource_name", "rail_0", "other_0"),
    ({"ipam": pooled("q{}")}, "supernets", "p0", "q0"),
    ({"ipam": pooled("p{},q{}")}, "supernets", "nothing", "q0"),
    ({"vlan": "20{}"}, "vlan_ids", "100", "200"),
    ({"vlan": None}, "vlan_ids", "100", "nothing"),
    ({"trust": "off"}, "trust", "on", "off"),
    ({"trust": None}, "trust", "on", "nothing"),
    ({"minTxRate": None}, "min_tx_rate_mbps", "100", "nothing"),
]


@pytest.mark.parametrize(("change", "key", "first", "second"), CASES)
def test_what_dumps_say_otherwise_or_not_at_all_is_asked_with_both_places(
    change: dict[str, Any], key: str, first: str, second: str
) -> None:
    for before, after, texts in (({}, change, (first, second)), (change, {}, (second, first))):
        result = dumped(before, after)
        parts = asked(result)[key].split(" or ")
        assert [part.rpartition(" (")[0] for part in parts] == [*texts]
        assert [part.rpartition(" (")[2].partition(":")[0] for part in parts] == ["a.yaml", "b.yaml"]
        assert "# of 2 networks: rail-0, rail-1" in result.text
        assert lines_of(result, key) <= refused(result.text)
        assert not [remark for remark in result.remarks if "no network in the dumps" in remark.text]


@pytest.mark.parametrize("change", [{}, {"vlan": "10{}", "minTxRate": 100}])
def test_dumps_that_agree_are_not_asked(change: dict[str, Any]) -> None:
    result = dumped({}, change)
    assert asked(result) == {}
    assert result.conflicts == ()
    assert "routing: sbr # a.yaml:" in result.text
    assert "rdma_mode: exclusive" in result.text


@pytest.mark.parametrize("mtu", [4200, 9000])
def test_networks_with_another_mtu_than_their_cards_are_asked_about(mtu: int) -> None:
    """netplan sets both to the MTU of the fabric: the policies would lower the cards."""
    same = {"metaPlugins": chained({"type": "tuning", "mtu": mtu})}
    result = dumped(same, same)
    found = next(line.strip() for line in result.text.splitlines() if line.startswith("  mtu:"))
    if mtu == 9000:
        assert re.fullmatch(r"mtu: 9000 # a.yaml:[0-9]+", found)
        return
    what = "mtu: TODO # TODO: an inventory cannot express this: networks with another MTU than their cards"
    assert found.startswith(f"{what}; state 4200, which changes the cards, or 9000, which changes the pods; ")
    assert re.search(r"; 4200 \(a.yaml:[0-9]+\) and 9000 \(a.yaml:[0-9]+\)$", found)
    assert not any("MTU" in remark.text for remark in result.remarks)


def test_zero_is_what_a_network_without_the_key_has() -> None:
    unset = {"vlan": None, "minTxRate": None}
    assert dumped({"vlan": 0, "minTxRate": 0}, unset).conflicts == ()


def test_what_a_text_that_is_not_readable_lacks_is_not_known() -> None:
    result = dumped({}, {"metaPlugins": '{"type": '})
    assert result.conflicts == ()
    assert [remark.text for remark in result.remarks if "metaPlugins" in remark.text]


@pytest.mark.parametrize(
    ("change", "key"),
    [({"ipam": pooled("q{}")}, "subnet"), ({"vlan": 7}, "vlan"), ({"vlan": None}, "vlan")],
)
def test_of_a_network_on_no_rail_too(change: dict[str, Any], key: str) -> None:
    both = {"resourceName": "other", "vlan": 5}
    assert key in asked(dumped(both, {**both, **change}, rails=1))


def test_with_the_resource_that_only_the_second_dump_has_the_network_stays_on_its_rail() -> None:
    result = dumped({"resourceName": "old_{}"}, {})
    assert asked(result)["resource_name"].startswith("old_0 (a.yaml:")
    assert "for_each: rails" in result.text
    assert "supernets: [10.1.0.0/23]" in result.text


def test_routes_in_a_network_of_nv_ipam_are_told_as_its_own() -> None:
    """Those of a subnet stand in its pool, which has a gateway."""
    ipam = json.dumps({"type": "nv-ipam", "poolName": "p0", "routes": [{"dst": "10.7.0.0/16"}]})
    told = [each.text for each in dumped({"ipam": ipam}, {"ipam": ipam}, rails=1).remarks]
    why = "an inventory has the routes of a subnet, with its pool"
    assert f"route of a network '10.7.0.0/16': {why}" in told


def attachment(**config: str) -> dict[str, Any]:
    whole = {"type": "macvlan", "master": "ens1", "ipam": {"type": "nv-ipam", "poolName": "p0"}, **config}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "store", "namespace": "a"},
        "spec": {"config": json.dumps(whole)},
    }


@pytest.mark.parametrize(
    ("config", "key", "values"),
    [({"type": "ipvlan"}, "mode", "macvlan/ipvlan"), ({"master": "ens2"}, "hcas", "ens1/ens2")],
)
def test_a_network_whose_mode_or_master_dumps_disagree_about_is_kept(
    config: dict[str, str], key: str, values: str
) -> None:
    one, other = [*hardware(2), attachment()], [attachment(**config)]
    result = import_texts({"a.yaml": listed(one), "b.yaml": listed(other)}, "site")
    parts = asked(result)[key].split(" or ")
    assert "/".join(part.partition(" (")[0] for part in parts) == values
    assert lines_of(result, key) <= refused(result.text)
    assert "for_each: rails # of 1 network: store" in result.text


def made(vlan: int = 100, **more: object) -> str:
    """The NetworkAttachmentDefinition that the SR-IOV operator makes of the first network
    (k8snetworkplumbingwg/sriov-network-operator 249e2001 api/v1/testdata/TestRendering)."""
    config = {"cniVersion": "1.0.0", "name": "rail-0", "type": "sriov", "vlan": vlan, "vlanQoS": 0}
    config |= {"ipam": {"type": "nv-ipam", "poolName": "p0"}, **more}
    resource = "{k8s.v1.cni.cncf.io/resourceName: nvidia.com/rail_0}"
    return f"""---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {{name: rail-0, namespace: a, annotations: {resource}}}
spec: {{config: '{json.dumps(config)}'}}
"""


def test_an_attachment_that_is_as_its_network_object_says_nothing() -> None:
    result = operated(OPERATED + made())
    assert result.conflicts == operated(OPERATED).conflicts
    assert result.text.count("TODO") == operated(OPERATED).text.count("TODO")


@pytest.mark.parametrize(
    ("nad", "field"),
    [
        (made(555), "vlan: 100 ("),
        (made(trust="off"), "trust: nothing ("),
        (made(mtu=1500), "mtu: nothing ("),
        (made(ipam={"type": "nv-ipam", "poolName": "p1"}), "pool: p0 ("),
    ],
)
def test_an_attachment_that_is_not_as_its_network_object_contradicts_it(nad: str, field: str) -> None:
    """Pods get what the attachment has."""
    before = [*map(str, operated(OPERATED).conflicts)]
    (said,) = (each for each in map(str, operated(OPERATED + nad).conflicts) if each not in before)
    assert said.startswith(f"network a rail-0, {field}")
