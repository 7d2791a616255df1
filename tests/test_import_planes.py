"""Ports of one card with one resource: the networks of the rails are known, their HCAs are too many."""

from __future__ import annotations

from typing import Any

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

PORTS = {f"0000:{bus}:00.{port}": f"ens{bus}f{port}" for bus in ("1a", "3c", "5e") for port in (0, 1)}


def policy(resource: str, *names: str) -> dict[str, Any]:
    spec = {"resourceName": resource, "numVfs": 4, "nicSelector": {"pfNames": [*names]}}
    kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    return {**kind, "metadata": {"name": resource, "namespace": "x"}, "spec": {**spec, "nodeSelector": {}}}


def network(number: int) -> list[dict[str, Any]]:
    ipam = f'{{"type": "nv-ipam", "poolName": "pool-{number}"}}'
    spec = {"resourceName": f"rail{number}", "networkNamespace": "ml", "vlan": 100 + number, "ipam": ipam}
    kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetwork"}
    subnet = {"subnet": f"172.16.{number}.0/24", "perNodeBlockSize": 16, "gateway": f"172.16.{number}.1"}
    pool = {"apiVersion": "nv-ipam.nvidia.com/v1alpha1", "kind": "IPPool", "spec": subnet}
    made = {**kind, "metadata": {"name": f"rail-{number}", "namespace": "x"}, "spec": spec}
    return [made, {**pool, "metadata": {"name": f"pool-{number}", "namespace": "x"}}]


def site(taken: dict[str, list[str]]) -> Imported:
    names = ("gpu-1", "gpu-2")
    cards = [interface(pci, name, 200) for pci, name in PORTS.items()]
    objects = [policy(resource, *own) for resource, own in taken.items()]
    objects += [each for number in range(len(taken)) for each in network(number)]
    nodes = [node(name, {"example.com/pool": "a"}, 8) for name in names]
    return import_texts({"x.yaml": listed([*nodes, *(node_state(name, cards) for name in names), *objects])})


def test_ports_of_one_card_are_on_one_rail_and_the_count_says_so() -> None:
    names = [*PORTS.values()]
    result = site({f"rail{card}": names[2 * card : 2 * card + 2] for card in range(3)})
    rails = data(result)["rails"]
    assert rails["count"] == "TODO"
    assert rails["vlan_ids"] == "100-102"
    assert rails["supernets"] == ["172.16.0.0/22"]
    (kind,) = data(result)["host_types"].values()
    assert [hca["rail"] for hca in kind["hcas"].values()] == [0, 0, 1, 1, 2, 2]
    assert data(result)["networks"]["rail"]["resource_name"] == "rail[0-2]"
    (count,) = [line for line in result.text.splitlines() if "count:" in line]
    at = result.folded.cards[0].fields["netdev"].at
    assert (
        "an inventory cannot express this: ports of one card on one rail; on gpu-1 ens1af0, ens1af1" in count
    )
    assert f"have resource rail0 (x.yaml:{at.line}), ens3cf0, ens3cf1 have resource rail1" in count
    assert "keep one port of each card" in count
    assert result.text.count("an inventory cannot express this") == 1


def test_ports_of_several_cards_are_no_planes() -> None:
    """First ports of all cards have one resource, second ones the other."""
    names = [*PORTS.values()]
    result = site({"first": names[::2], "second": names[1::2]})
    assert data(result)["rails"]["count"] == 6
    assert "ports of one card" not in result.text
