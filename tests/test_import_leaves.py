"""``netplan import`` of rails with several leaves: what only some of them have."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from netaddr import IPNetwork

from netplan.importing.numbering import later_rail_space
from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled
from tests.test_import_fabric import neighbour

PCI = ("0000:18:00.0", "0000:3b:00.0")
PAIRS = [(rail, leaf) for rail in range(2) for leaf in range(1, 3)]


def nad(rail: int, leaf: int, **more: Any) -> dict[str, Any]:
    config = {"type": "host-device", "ipam": {"type": "nv-ipam", "poolName": f"p{rail}-{leaf}"}, **more}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {
            "name": f"rail-{rail}-leaf-{leaf}",
            "namespace": "t",
            "annotations": {"k8s.v1.cni.cncf.io/resourceName": f"nvidia.com/rail_{rail}"},
        },
        "spec": {"config": json.dumps(config)},
    }


def pool(rail: int, leaf: int, free: int = 0) -> dict[str, Any]:
    subnet = f"10.1.{4 * rail + leaf - 1 + free}"
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": f"p{rail}-{leaf}"},
        "spec": {"subnet": f"{subnet}.0/24", "gateway": f"{subnet}.1", "perNodeBlockSize": 4},
    }


def site(
    made: list[tuple[int, int]],
    members: list[tuple[int, int]] = PAIRS,
    free: int = 0,
    configured: bool = True,
) -> Imported:
    """Two leaves with two rails and four hosts each. ``made``: rails and leaves with a network; ``members``:
    with the rail's VLAN on the ports; ``free``: subnets before the first."""
    plugin = {
        "resourceList": [
            {"resourceName": f"rail_{n}", "selectors": {"pciAddresses": [pci]}} for n, pci in enumerate(PCI)
        ]
    }
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    objects = [config | {"data": {"c": json.dumps(plugin)}}]
    texts = {}
    for leaf in (1, 2):
        ports, vlans, svis = dict[str, Any](), dict[str, Any](), dict[str, Any]()
        for host in range(4):
            name = f"gpu-{4 * (leaf - 1) + host + 1}"
            objects += [
                node(name, {"k": "a"}, 8),
                node_state(name, [interface(pci, f"ens{n}", 100) for n, pci in enumerate(PCI)]),
            ]
            seen = {f"ens{rail}": f"Ethernet{4 * (4 * rail + host)}" for rail in range(2)}
            heard = [{card: neighbour(f"leaf-{leaf}", port)} for card, port in seen.items()]
            texts[f"{name}.json"] = json.dumps({"lldp": {"interface": heard}})
            for rail, port in enumerate(seen.values()):
                ports[port] = {"speed": "100000", "mtu": "9216"}
                if (rail, leaf) in members:
                    vlans[f"Vlan{100 + rail}|{port}"] = {"tagging_mode": "untagged"}
                svis[f"Vlan{100 + rail}|10.1.{4 * rail + leaf - 1 + free}.1/24"] = {}
        tables = {
            "DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{leaf}", "hwsku": "ACS-MSN2700"}},
            "PORT": ports,
            "VLAN": {f"Vlan{100 + rail}": {"vlanid": str(100 + rail)} for rail in range(2)},
            "VLAN_MEMBER": vlans,
            "VLAN_INTERFACE": svis,
        }
        if configured:
            texts[f"leaf-{leaf}.db.json"] = json.dumps(tables, indent=1)
    objects += [each for pair in made for each in (nad(*pair), pool(*pair, free))]
    return import_texts({"k.yaml": listed(objects), **texts}, "site")


def for_each(result: Imported) -> str:
    return next(line.strip() for line in result.text.splitlines() if "for_each:" in line)


def test_vlans_of_switches_that_only_neighbours_tell_of_are_asked() -> None:
    """Without them validate would refuse the inventory: NP306, NP321."""
    line = next(line for line in site(PAIRS, configured=False).text.splitlines() if "vlan_ids:" in line)
    assert "TODO: a VLAN of its own for each rail" in line
    assert "rail 0: no dump of the configuration of leaf-1, leaf-2" in line


def test_networks_of_all_leaves_are_one() -> None:
    result = site(PAIRS)
    assert (result.conflicts, data(result)["networks"]["rail"]["for_each"]) == ((), "rails")
    assert data(result)["rails"]["supernets"] == ["10.1.0.0/21"]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (PAIRS[:3], ["rail 1: leaf-1 has rail-1-leaf-1 (", "none in 10.1.5.0/24 (leaf-2.db.json:"]),
        (PAIRS[1:], ["rail 0: leaf-2 has rail-0-leaf-2 (", "leaf-1 none in 10.1.0.0/24 (leaf-1.db.json:"]),
        ([(0, 1), (1, 1)], ["rail 0: leaf-1 has", "leaf-2 none in 10.1.1.0/24", "rail 1: leaf-1 has rail-1"]),
    ],
)
def test_a_network_that_a_leaf_lacks_is_not_added(made: list[tuple[int, int]], told: list[str]) -> None:
    result = site(made)
    line = for_each(result)
    assert line.startswith(
        "for_each: TODO # TODO: an inventory cannot express this: a network that some leaves"
    )
    for part in told:
        assert part in line


def test_pools_that_no_leaf_has_ask_nothing() -> None:
    """Routers elsewhere have the gateways: the leaves' own subnets say nothing of the networks."""
    result = site(PAIRS)
    other = {f"10.1.{n}": f"10.9.{n}" for n in range(8)}
    text = result.texts["k.yaml"]
    for old, new in other.items():
        text = text.replace(f"{old}.", f"{new}.")
    assert for_each(import_texts({**result.texts, "k.yaml": text}, "site")).startswith("for_each: rails")


def with_pools(edits: dict[str, str], *without: str) -> Imported:
    """The site with other addresses in its pools; ``without``: files."""
    texts = {name: text for name, text in site(PAIRS).texts.items() if name not in without}
    marks = {old: f"<{number}>" for number, old in enumerate(edits)}
    for old, mark in marks.items():
        texts["k.yaml"] = texts["k.yaml"].replace(f"{old}.", mark)
    for old, mark in marks.items():
        texts["k.yaml"] = texts["k.yaml"].replace(mark, f"{edits[old]}.")
    return import_texts(texts, "site")


SWAPPED = {"10.1.0": "10.1.4", "10.1.4": "10.1.0"}
OTHER: dict[str, tuple[dict[str, str], str]] = {
    "of another rail": (SWAPPED, "; leaf-1 VLAN 101 has that network (and 1 more)"),
    "of no leaf": ({"10.1.0": "10.9.0"}, ")"),
}


@pytest.mark.parametrize("case", OTHER)
def test_a_pool_that_is_not_in_the_network_of_its_cards_is_a_contradiction(case: str) -> None:
    edits, end = OTHER[case]
    result = with_pools(edits)
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith(f"pool p0-1 of network rail-0-leaf-1 has {edits['10.1.0']}.0/24 (k.yaml:")
    assert "), its cards are on leaf-1, whose VLAN 100 has 10.1.0.1/24 (leaf-1.db.json:" in conflict
    assert conflict.endswith(end)
    found = data(result)
    assert (found["rails"]["supernets"], found["networks"]["rail"]["for_each"]) == ("TODO", "rails")
    assert (
        f"supernets: TODO # TODO: decide, sources disagree: {conflict}; seen rail 0 leaf-1: " in result.text
    )


def test_a_pool_of_nodes_whose_leaf_no_dump_shows_is_no_contradiction() -> None:
    """Hosts of leaf-2 have no LLDP: their pools are in networks of no card that has a port."""
    assert with_pools({}, *(f"gpu-{number}.json" for number in range(5, 9))).conflicts == ()


def test_a_vlan_that_a_leaf_lacks_is_told_with_both_places() -> None:
    """On leaf-2 the ports of rail 1 have no VLAN."""
    (found,) = site(PAIRS, PAIRS[:3]).conflicts
    assert str(found).startswith("rail 1: leaf-2 Ethernet[16-28/4] in no VLAN (leaf-2.db.json:")
    assert "; leaf-1 Ethernet16 in VLAN 101 (leaf-1.db.json:" in str(found)


@pytest.mark.parametrize("mode", ["untagged", "tagged"])
def test_a_rail_that_ports_tag_under_a_network_that_cannot_is_told(mode: str) -> None:
    """A host-device network has no VLAN: pods send untagged."""
    texts = {name: text.replace('"untagged"', f'"{mode}"') for name, text in site(PAIRS).texts.items()}
    told = [each.text for each in import_texts(texts, "site").remarks if "tagged" in each.text]
    why = "no network in the dumps tags it, and without one netplan writes it untagged"
    assert told == (
        [f"leaf-1 Ethernet0 has VLAN 100 tagged: {why} (and 15 more)"] if mode == "tagged" else []
    )


@pytest.mark.parametrize(
    ("free", "supernet", "rail_prefix", "first"),
    [
        (1, "10.1.0.0/21", 22, 1),
        (9, "10.1.8.0/21", 22, 1),
        (0, "10.1.0.0/21", 22, 0),
    ],
)
def test_subnets_before_the_first_stay_free(free: int, supernet: str, rail_prefix: int, first: int) -> None:
    """Racks that count from 1: 10.1.1.0/24 and 10.1.2.0/24 of rail 0, 10.1.5.0/24 and .6.0 of rail 1."""
    result = site(PAIRS, free=free)
    rails = data(result)["rails"]
    assert (rails["supernets"], rails["rail_prefixes"]) == ([supernet], [rail_prefix])
    assert rails.get("first_subnet", 0) == first
    text = filled(result.text).replace("cable_m: TODO", "cable_m: 5")
    hosts = [
        f"gpu-[{hosts}]: {{type: a, labels: {{leaf: leaf-{n}}}}}" for n, hosts in ((1, "1-4"), (2, "5-8"))
    ]
    text = text.replace("gpu-[1-8]: {type: a, labels: TODO}", f"{hosts[0]}\n  {hosts[1]}")
    plan = compile_texts({"site.yaml": text}).plan
    assert plan is not None
    found = {str(subnet.network) for each in plan.addresses.segments for subnet in each.subnets}
    assert found >= {f"10.1.{4 * rail + leaf - 1 + free}.0/24" for rail, leaf in PAIRS}


def test_subnets_that_no_free_ones_explain_are_asked_for() -> None:
    """The second leaf's in the first half of a rail's part, the first leaf's in the other."""
    assert later_rail_space([{(0, 0): IPNetwork("10.0.2.0/24"), (0, 1): IPNetwork("10.0.1.0/24")}], 1) is None


def test_a_host_that_lacks_the_card_of_a_rail_may_have_the_label_of_its_leaf() -> None:
    texts = dict(site(PAIRS).texts)
    objects = [node(f"gpu-{n}", {"k": "a", "leaf": "1" if n < 5 else "2"}, 8) for n in range(1, 9)]
    kept = [each for each in yaml.safe_load(texts["k.yaml"])["items"] if each["kind"] != "Node"]
    for state in kept:
        if state["metadata"]["name"] == "gpu-8":
            del state["status"]["interfaces"][1]
    result = import_texts({**texts, "k.yaml": listed([*objects, *kept])}, "site")
    hosts = data(result)["hosts"]
    assert {row["labels"]["leaf"] for name, row in hosts.items() if "8" in name} == {"2"}
    assert "labels: TODO" not in result.text


@pytest.mark.parametrize(
    ("names", "first"), [(("red", "blue"), 0), (("rail_2", "rail_1"), 1), (("rail-b", "rail-a"), 1)]
)
def test_names_of_resources_without_an_order_leave_it_to_the_vlans(
    names: tuple[str, str], first: int
) -> None:
    """The first card is in VLAN 100, the second one in VLAN 101."""
    texts = dict(site(PAIRS).texts)
    for number, name in enumerate(names):
        texts["k.yaml"] = texts["k.yaml"].replace(f"rail_{number}", name)
    hcas = data(import_texts(texts, "site"))["host_types"]["a"]["hcas"]
    assert hcas[f"roce{first}"]["pci"] == PCI[0]
