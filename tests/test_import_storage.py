"""A network beside the rails on a card of its own, such as that of a storage: the card is on no rail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

RAILS = 2
STORE = "ens9"
TABLE = """LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    gpu-1           ens0            O             ens0
Ethernet4    gpu-1           ens1            O             ens1
Ethernet8    gpu-1           ens9            O             ens9
--------------------------------------------------
Total entries displayed:  3
"""
VLANS = {"Ethernet0": 100, "Ethernet4": 101, "Ethernet8": 50}


def policy(resource: str, netdev: str) -> dict[str, Any]:
    spec = {"resourceName": resource, "numVfs": 4, "nicSelector": {"pfNames": [netdev]}}
    kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    return {**kind, "metadata": {"name": f"p-{resource}"}, "spec": spec}


def ipam(subnet: str) -> str:
    gateway = subnet.replace(".0/24", ".1")
    return json.dumps({"type": "whereabouts", "range": subnet, "gateway": gateway})


def sriov(name: str, resource: str, subnet: str) -> dict[str, Any]:
    spec = {"resourceName": resource, "networkNamespace": "ml", "ipam": ipam(subnet)}
    return {**policy("x", "x"), "kind": "SriovNetwork", "metadata": {"name": name}, "spec": spec}


def macvlan(master: str) -> dict[str, Any]:
    kind = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork", "metadata": {"name": "storage"}}
    return {**kind, "spec": {"networkNamespace": "ml", "master": master, "ipam": ipam("172.31.0.0/24")}}


def leaf(gateway: str) -> dict[str, str]:
    ids = sorted(VLANS.values())
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}},
        "PORT": {port: {"speed": "100000", "alias": port} for port in VLANS},
        "VLAN": {f"Vlan{number}": {"vlanid": str(number)} for number in ids},
        "VLAN_MEMBER": {f"Vlan{n}|{port}": {"tagging_mode": "untagged"} for port, n in VLANS.items()},
        "VLAN_INTERFACE": {f"Vlan50|{gateway}/24": {}},
    }
    return {"leaf-1.json": json.dumps(tables, indent=1), "leaf-1.txt": TABLE}


def site(*objects: dict[str, Any], **files: str) -> Imported:
    cards = [interface(f"0000:{18 + n}:00.0", f"ens{n}", 100) for n in range(RAILS)]
    cards.append(interface("0000:17:00.0", STORE, 100))
    rails = [policy(f"rail{n}", f"ens{n}") for n in range(RAILS)]
    rails += [sriov(f"rail-{n}", f"rail{n}", f"172.16.{n}.0/24") for n in range(RAILS)]
    own = [node("gpu-1", {"pool": "a"}, 8), node_state("gpu-1", cards)]
    return import_texts({"x.yaml": listed([*own, *rails, *objects]), **files}, "site")


OWN = {
    "sriov": (
        (policy("storage", STORE), sriov("storage", "storage", "172.31.0.0/24")),
        {"use": "vf", "vfs": 4},
    ),
    "macvlan": ((macvlan(STORE),), {"use": "pf"}),
}


@pytest.mark.parametrize("kind", OWN)
def test_the_card_of_another_network_is_on_no_rail(kind: str) -> None:
    objects, use = OWN[kind]
    found = data(site(*objects))
    assert found["rails"]["count"] == RAILS
    assert found["rails"]["supernets"] == ["172.16.0.0/23"]
    (host,) = found["host_types"].values()
    assert [*host["hcas"]] == ["roce[0-1]", "roce0", "roce1", "roce2"]
    store = host["hcas"]["roce2"]
    assert (store["netdev"], "rail" in store) == (STORE, False)
    assert {key: store[key] for key in ("use", "vfs") if key in store} == use
    assert found["networks"]["rail"]["resource_name"] == "rail[0-1]"
    assert "hcas" not in found["networks"]["rail"]
    assert found["networks"]["storage"]["hcas"] == ["roce2"]
    assert found["subnets"]["storage"]["gateway_owner"] == "TODO"


def plugin(resource: str, netdev: str) -> dict[str, Any]:
    """Of a device plugin beside the SR-IOV operator."""
    config = {"resourceList": [{"resourceName": resource, "selectors": {"pfNames": [netdev]}}]}
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "p", "namespace": "kube-system"}}
    return {**body, "data": {"config.json": json.dumps(config)}}


UNASKED = "resource 'storage': no network in the dumps asks for it, so netplan would not advertise it"
KEPT = "; a network with mode: device-only keeps it"


@pytest.mark.parametrize(("own", "told"), [(plugin, UNASKED), (policy, UNASKED + KEPT)])
def test_a_card_whose_resource_no_network_asks_for_is_front_end(own: Any, told: str) -> None:
    """``validate`` would refuse it as a card for pods on no rail (NP509), and no network is invented."""
    result = site(own("storage", STORE))
    (host,) = data(result)["host_types"].values()
    assert [*host["hcas"]] == ["roce[0-1]", "roce0", "roce1", "front-end2"]
    assert "# no network asks for its resource storage: front-end or storage; x.yaml:" in result.text
    assert told in [remark.text for remark in result.remarks]


@pytest.mark.parametrize(
    ("owner", "read"), [("SriovOperatorConfig", False), ("NicClusterPolicy", True), ("", True)]
)
def test_the_configmap_that_the_operator_makes_of_its_policies_is_not_read(owner: str, read: bool) -> None:
    """The SR-IOV operator has a key for each node in it, with fields of its own. No NicClusterPolicy is among
    the dumps."""
    made = plugin("other", STORE)
    config = {"resourceList": [{"resourceName": "other", "selectors": {"pfNames": [STORE], "IsRdma": True}}]}
    made["data"] = {"gpu-1": json.dumps(config)}
    if owner:
        made["metadata"]["ownerReferences"] = [{"kind": owner, "name": "default", "controller": True}]
    told = [remark.text for remark in site(policy("storage", STORE), made).remarks]
    assert bool([text for text in told if "IsRdma" in text or "'other'" in text]) == read


def test_the_resource_of_a_rail_without_a_network_is_told() -> None:
    """The card stays on its rail: the next render would write no policy for it."""
    rails = [policy(f"rail{n}", f"ens{n}") for n in range(RAILS)]
    cards = [interface(f"0000:{18 + n}:00.0", f"ens{n}", 100) for n in range(RAILS)]
    network = sriov("rail-0", "rail0", "172.16.0.0/24")
    objects = [node("gpu-1", {"pool": "a"}, 8), node_state("gpu-1", cards), *rails, network]
    result = import_texts({"x.yaml": listed(objects)}, "site")
    assert UNASKED.replace("storage", "rail1") + KEPT in [remark.text for remark in result.remarks]
    assert data(result)["rails"]["count"] == RAILS


@pytest.mark.parametrize("gateway", ["172.31.0.1", "172.31.0.2"])
@pytest.mark.parametrize("kind", OWN)
def test_its_vlan_and_gateway_are_those_of_the_leaf(kind: str, gateway: str) -> None:
    found = data(site(*OWN[kind][0], **leaf(gateway)))
    assert found["vlans"] == {"storage": {"id": 50}}
    own = found["subnets"]["storage"]
    assert own["vlan"] == "storage"
    assert own["gateway_owner"] == ("leaf" if gateway == own["gateway"] else "TODO")
    assert found["rails"]["vlan_ids"] == "100-101"


@pytest.mark.parametrize("names", [("ens0", "ens1"), ("eno1",)])
def test_a_master_among_the_rails_changes_nothing(names: tuple[str, ...]) -> None:
    """A network on the interface of a rail, or on one that no card has."""
    found = data(site(*map(macvlan, names)))
    (host,) = found["host_types"].values()
    assert [*host["hcas"]] == ["roce[0-1]", "roce0", "roce1", "front-end2"]


def test_names_of_several_kinds_are_all_rails() -> None:
    """No name is that of most cards."""
    cards = [interface(f"0000:{18 + n}:00.0", f"ens{n}", 100) for n in range(4)]
    names = ("gpu0", "gpu1", "nic0", "nic1")
    policies = [policy(name, f"ens{n}") for n, name in enumerate(names)]
    found = data(import_texts({"x.yaml": listed([node_state("gpu-1", cards), *policies])}))
    assert found["rails"]["count"] == len(names)
