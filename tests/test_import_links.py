"""``netplan import`` of hosts whose links have networks of their own: ids from the networks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, refused, todo_lines
from tests.test_import_accepted import made
from tests.test_import_fabric import stretched_dumps

Pairs = tuple[tuple[str, str], tuple[str, str]]


def routed(names: tuple[str, str], *families: Pairs) -> Imported:
    """Two hosts with two rails, each on a leaf. ``families``: addresses of the leaves' ports, for each
    IP version."""
    texts = {}
    for file, text in stretched_dumps().items():
        for number, name in ((2, names[1]), (1, names[0])):
            file, text = (each.replace(f"gpu-{number}", f"HOST{number}") for each in (file, text))
            file, text = (each.replace(f"HOST{number}", name) for each in (file, text))
        texts[file] = text
    for number in (1, 2):
        tables: dict[str, Any] = json.loads(texts[f"leaf-{number}.json"])
        del tables["VLAN_MEMBER"]
        tables["INTERFACE"] = {
            f"{port}|{address}": {}
            for networks in families
            for port, address in zip(tables["PORT"], networks[number - 1], strict=True)
        }
        texts[f"leaf-{number}.json"] = json.dumps(tables, indent=1)
    return import_texts(texts, "site")


@pytest.mark.parametrize(
    ("names", "second", "hosts"),
    [
        (("gpu-01", "gpu-02"), 2, {"gpu-[01-02]": {"type": "a"}}),
        (("gpu-01", "gpu-21"), 24, {"gpu-01": {"type": "a"}, "gpu-21": {"type": "a", "id": 13}}),
        (("gpu-00", "gpu-01"), 2, {"gpu-[00-01]": {"type": "a", "id": 1}}),
        (("gpu-a", "gpu-b"), 2, {"gpu-a": {"type": "a", "id": 1}, "gpu-b": {"type": "a", "id": 2}}),
    ],
)
def test_ids_of_hosts_from_their_links(names: tuple[str, str], second: int, hosts: dict[str, Any]) -> None:
    """``second``: how far the links of the second host are behind those of the first."""
    result = routed(
        names, (("10.100.0.0/31", "10.101.0.0/31"), (f"10.100.0.{second}/31", f"10.101.0.{second}/31"))
    )
    found = data(result)
    rails = {"count": 2, "segment": "host", "supernets": ["10.100.0.0/15"], "rail_prefixes": [16]}
    assert found["rails"] == {**rails, "prefixes": [31], "gateway": "first"}
    assert found["hosts"] == hosts


IPV4 = (("10.100.0.0/31", "10.101.0.0/31"), ("10.100.0.2/31", "10.101.0.2/31"))
IPV6 = (("fd00:0::/127", "fd00:1::/127"), ("fd00:0::2/127", "fd00:1::2/127"))


@pytest.mark.parametrize("families", [(IPV4, IPV6), (IPV6, IPV4)])
def test_links_of_two_families_keep_both(families: tuple[Pairs, Pairs]) -> None:
    found = data(routed(("gpu-01", "gpu-02"), *families))["rails"]
    assert found["segment"] == "host"
    assert (found["supernets"], found["prefixes"]) == (["10.100.0.0/15", "fd00::/31"], [31, 127])
    assert found["rail_prefixes"] == [16, 32]
    assert found["gateway"] == "first"


def test_the_odd_address_of_one_family_is_enough_to_ask() -> None:
    odd = (("fd00:0::1/127", "fd00:1::1/127"), IPV6[1])
    result = routed(("gpu-01", "gpu-02"), IPV4, odd)
    assert data(result)["rails"]["gateway"] == "TODO"
    assert "leaf-1 Ethernet0 fd00:0::1/127 (leaf-1.json:" in result.text


def test_networks_in_another_order_on_each_rail() -> None:
    result = routed(
        ("gpu-01", "gpu-21"), (("10.100.0.0/31", "10.101.0.24/31"), ("10.100.0.24/31", "10.101.0.0/31"))
    )
    found = data(result)
    assert found["rails"] == {"count": 2, "segment": "TODO"}
    assert found["hosts"] == {"gpu-[01-21/20]": {"type": "a"}}
    assert "rail 1 gpu-01 10.101.0.24/31 (gpu-01.json:1)" in result.text
    assert set(todo_lines(result.text)) == refused(result.text)


def test_a_switch_with_the_odd_address() -> None:
    result = routed(
        ("gpu-01", "gpu-02"), (("10.100.0.1/31", "10.101.0.1/31"), ("10.100.0.3/31", "10.101.0.3/31"))
    )
    assert data(result)["rails"]["gateway"] == "TODO"
    (line,) = [text for text in result.text.splitlines() if text.startswith("  gateway:")]
    assert "an inventory cannot express this: switches with the odd address of a link" in line
    assert "leaf-1 Ethernet0 10.100.0.1/31 (leaf-1.json:" in line
    assert set(todo_lines(result.text)) == refused(result.text)


def pooled(
    cidrs: tuple[str, str], nodes: tuple[str, str], links: tuple[tuple[str, str], ...], **spec: Any
) -> Imported:
    """Two rails. ``links``: prefix of each node and rail, and gateway; ``spec``: of the CIDRPools."""
    sriov, objects = "sriovnetwork.openshift.io/v1", list[dict[str, Any]]()
    for rail, cidr in enumerate(cidrs):
        ipam = json.dumps({"type": "nv-ipam", "poolName": f"p{rail}", "poolType": "cidrpool"})
        texts = {name: own[rail].partition(" ") for name, own in zip(nodes, links, strict=True)}
        given = [{"nodeName": n, "prefix": own, "gateway": gate} for n, (own, _, gate) in texts.items()]
        pool = {
            "cidr": cidr,
            "perNodeNetworkPrefix": 31,
            "gatewayIndex": 0,
            "staticAllocations": given,
            **spec,
        }
        own = {"resourceName": f"rail_{rail}"}
        selected = {**own, "numVfs": 1, "isRdma": True, "nicSelector": {"pfNames": [f"ens{rail}"]}}
        objects += [
            made("nv-ipam.nvidia.com/v1alpha1", "CIDRPool", f"p{rail}", **pool),
            made(sriov, "SriovNetwork", f"rail-{rail}", **own, networkNamespace="a", ipam=ipam),
            made(sriov, "SriovNetworkNodePolicy", f"rail-{rail}", **selected),
        ]
    for name in nodes:
        cards = [interface(f"0000:{18 + rail}:00.0", f"ens{rail}", 100) for rail in range(len(cidrs))]
        objects += [node(name, {"a": "b"}, 8), node_state(name, cards)]
    return import_texts({"x.yaml": listed(objects)}, "site")


NAMES = ("gpu-01", "gpu-02")
FIRST = (("10.0.0.0/31", "10.0.8.0/31"), ("10.0.0.2/31", "10.0.8.2/31"))


def told_of(result: Imported) -> list[str]:
    return [str(remark) for remark in result.remarks if "spec.cidr" in str(remark)]


def test_the_range_of_a_cidrpool_stays() -> None:
    """Equal parts of one supernet would be /21: pods would have routes to addresses that the site has not
    given to the rails."""
    result = pooled(("10.0.0.0/24", "10.0.8.0/24"), NAMES, FIRST)
    found = data(result)["rails"]
    assert found["rail_networks"] == ["10.0.0.0/24", "10.0.8.0/24"]
    assert (found["prefixes"], "supernets" in found, told_of(result)) == ([31], False, [])
    assert "# the ranges of the pools, x.yaml:" in result.text
    parts = data(pooled(("10.0.0.0/21", "10.0.8.0/21"), NAMES, FIRST))["rails"]
    assert (parts["supernets"], parts["rail_prefixes"]) == (["10.0.0.0/20"], [21])


def test_a_range_that_begins_with_a_later_host_states_the_ids() -> None:
    """The names would be ids 17 and 18, with which the range would have to begin before its first host."""
    later = (("10.0.0.32/31", "10.0.8.32/31"), ("10.0.0.34/31", "10.0.8.34/31"))
    result = pooled(("10.0.0.32/27", "10.0.8.32/27"), ("gpu-17", "gpu-18"), later)
    found = data(result)
    assert found["rails"]["rail_networks"] == ["10.0.0.32/27", "10.0.8.32/27"]
    assert found["hosts"] == {"gpu-[17-18]": {"type": "b", "id": 1}}


def test_a_range_that_the_ids_of_the_hosts_do_not_fit_is_told() -> None:
    """A host has one id on all rails."""
    links = (("10.0.0.0/31", "10.0.8.4/31"), ("10.0.0.2/31", "10.0.8.6/31"))
    result = pooled(("10.0.0.0/24", "10.0.8.0/24"), NAMES, links)
    assert data(result)["rails"]["rail_networks"] == ["10.0.0.0/30", "10.0.8.4/30"]
    (one, other) = told_of(result)
    assert "CIDRPool p0 spec.cidr '10.0.0.0/24': rail 0 has 10.0.0.0/30, in which the links" in one
    assert "CIDRPool p1 spec.cidr '10.0.8.0/24': rail 1 has 10.0.8.4/30, in which the links" in other


@pytest.mark.parametrize(
    ("length", "index", "word"),
    [
        (31, 0, "first"),
        (31, 1, "TODO"),
        (30, 1, "first"),
        (30, 2, "last"),
        (29, 2, "TODO"),
        (31, None, "TODO"),
    ],
)
def test_the_gateways_of_pools_are_those_of_the_switches(length: int, index: int | None, word: str) -> None:
    """``gatewayIndex`` counts from the network address of a node's prefix."""
    links = tuple(
        (f"10.0.0.{at << (32 - length)}/{length}", f"10.0.8.{at << (32 - length)}/{length}") for at in (0, 1)
    )
    result = pooled(("10.0.0.0/24", "10.0.8.0/24"), NAMES, links, gatewayIndex=index)
    assert data(result)["rails"]["gateway"] == word
    assert set(todo_lines(result.text)) == refused(result.text)


def test_what_a_pool_gives_to_a_node_counts_before_its_index() -> None:
    links = (("10.0.0.0/31 10.0.0.1", "10.0.8.0/31"), FIRST[1])
    result = pooled(("10.0.0.0/24", "10.0.8.0/24"), NAMES, links)
    (line,) = [text for text in result.text.splitlines() if text.startswith("  gateway:")]
    assert "p0 gpu-01 10.0.0.1 (x.yaml:" in line


def test_prefixes_of_nodes_without_cables_are_told() -> None:
    """netplan writes them for the links of the inventory."""
    result = pooled(("10.0.0.0/24", "10.0.8.0/24"), NAMES, FIRST)
    (told,) = [str(each) for each in result.remarks if "staticAllocations" in str(each)]
    assert "CIDRPool spec.staticAllocations 'p0': no dump has the cables of its nodes, and netplan" in told
    assert told.endswith("(and 1 more, also 'p1')")
