"""``netplan import`` of CIDRPools behind ports in VLANs: VLANs and subnets are those of the switches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any

import yaml

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, refused, todo_lines
from tests.test_import_fabric import stretched_dumps

Tables = dict[str, Any]
RANGES = ("10.1.0.0/24", "10.1.1.0/24")


def cidr_pool(pool: dict[str, Any], cidr: str, length: int) -> None:
    """What nv-ipam gave to both nodes is in the status."""
    first, second, *_ = ip_network(cidr).subnets(new_prefix=length)
    given = [{"nodeName": f"gpu-{n}", "prefix": str(net)} for n, net in ((1, first), (2, second))]
    pool |= {"kind": "CIDRPool", "spec": {"cidr": cidr, "perNodeNetworkPrefix": length}}
    pool["status"] = {"allocations": given}


def pooled(
    interfaces: Mapping[str, tuple[str, ...]], ranges: tuple[str, str] = RANGES, length: int = 28, **spec: Any
) -> dict[str, str]:
    """Two leaves with both rails. ``interfaces``: leaf -> addresses of VLANs 100 and 101."""
    texts = stretched_dumps()
    whole = yaml.safe_load(texts["k.yaml"])
    pools = [each for each in whole["items"] if each["kind"] == "IPPool"]
    for pool, cidr in zip(pools, ranges, strict=True):
        cidr_pool(pool, cidr, length)
        pool["spec"] |= spec
    texts["k.yaml"] = yaml.safe_dump(whole)
    for leaf, addresses in interfaces.items():
        tables: Tables = json.loads(texts[f"{leaf}.json"])
        own: Tables = {f"Vlan{number}|{text}": {} for number, text in enumerate(addresses, 100)}
        tables["VLAN_INTERFACE"] = {name.partition("|")[0]: {} for name in own} | own
        texts[f"{leaf}.json"] = json.dumps(tables, indent=1)
    return texts


def imported(texts: dict[str, str]) -> Imported:
    return import_texts(texts, "site")


def rails(texts: dict[str, str]) -> dict[str, Any]:
    result = imported(texts)
    assert set(todo_lines(result.text)) == refused(result.text)
    found: dict[str, Any] = data(result)["rails"]
    return found


def told(texts: dict[str, str], part: str) -> list[str]:
    return [str(each) for each in imported(texts).remarks if part in str(each)]


def test_vlans_and_subnets_are_those_of_the_switches() -> None:
    found = rails(pooled({"leaf-1": ("10.1.0.1/24", "10.1.1.1/24")}))
    assert (found["vlan_ids"], found["segment"], found["gateway"]) == ("100-101", "stretched", "first")
    assert (found["supernets"], found["prefixes"]) == (["10.1.0.0/23"], [24])


def test_prefixes_of_nodes_in_vlans_are_told() -> None:
    texts = pooled({"leaf-1": ("10.1.0.1/24", "10.1.1.1/24")}, staticAllocations=[{"nodeName": "gpu-1"}])
    (told_one,) = told(texts, "perNodeNetworkPrefix")
    assert (
        "CIDRPool p0 spec.perNodeNetworkPrefix '/28 of 10.1.0.0/24': netplan gives nodes blocks" in told_one
    )
    assert told_one.endswith("(and 1 more, also 'p1')")
    assert "netplan fixes no prefix of a node in a VLAN" in told(texts, "staticAllocations 'p0'")[0]


def test_a_range_around_the_subnets_of_several_leaves_is_no_subnet() -> None:
    interfaces = {f"leaf-{leaf}": (f"10.0.{leaf}.1/24", f"10.1.{leaf}.1/24") for leaf in (1, 2)}
    found = rails(pooled(interfaces, ("10.0.0.0/16", "10.1.0.0/16"), 27))
    assert (found["vlan_ids"], found["supernets"], found["prefixes"]) == ("100-101", ["10.0.0.0/15"], [24])


def test_a_range_beside_the_subnets_is_asked_with_both() -> None:
    texts = pooled({"leaf-1": ("10.2.0.1/24", "10.2.1.1/24")})
    found = rails(texts)
    assert (found["vlan_ids"], found["supernets"]) == ("100-101", "TODO")
    (line,) = [text for text in imported(texts).text.splitlines() if text.startswith("  supernets:")]
    assert "rail 0 leaf-1: 10.2.0.0/24" in line
    assert "rail 0: 10.1.0.0/24" in line


def test_ports_in_vlans_without_an_interface_have_no_links_of_their_own() -> None:
    found = rails(pooled({}, length=31))
    assert (found["vlan_ids"], found["segment"]) == ("100-101", "stretched")
    assert found["gateway"] == "none"
    assert rails(pooled({}, length=31, gatewayIndex=0))["gateway"] == "TODO"


def test_vlans_without_cables_are_told() -> None:
    """Their interfaces have the networks of the pools."""
    texts = pooled({"leaf-1": ("10.1.0.1/24", "10.1.1.1/24")})
    alone = {name: text for name, text in texts.items() if not name.startswith("gpu-")}
    assert "segment" not in rails(alone)
    (line,) = told(alone, "of the switches")
    assert "VLAN 100-101 of the switches: it is of no rail" in line


def test_routed_ports_beside_ports_in_vlans_are_asked() -> None:
    texts = pooled({"leaf-1": ("10.9.0.1/24", "10.9.1.1/24")}, length=31)
    for leaf in ("leaf-1", "leaf-2"):
        tables: Tables = json.loads(texts[f"{leaf}.json"])
        del tables["VLAN_MEMBER"]["Vlan100|Ethernet0"]
        tables["INTERFACE"] = {f"Ethernet0|10.1.0.{2 * int(leaf[-1]) - 2}/31": {}}
        texts[f"{leaf}.json"] = json.dumps(tables, indent=1)
    assert rails(texts) == {"count": 2, "segment": "TODO"}
    (line,) = [text for text in imported(texts).text.splitlines() if text.startswith("  segment:")]
    assert "leaf-1 Ethernet4 is in VLAN 101 (leaf-1.json:" in line
    assert "interface 10.9.1.1/24 (leaf-1.json:" in line


def test_exclusions_of_pools_in_vlans_are_reserved() -> None:
    spans = [{"startIP": "10.1.0.40", "endIP": "10.1.0.49"}]
    found = rails(pooled({"leaf-1": ("10.1.0.1/24", "10.1.1.1/24")}, exclusions=spans))
    assert found["reserved"] == ["10.1.0.40-10.1.0.49"]
