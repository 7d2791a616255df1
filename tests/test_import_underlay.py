"""``netplan import`` of the underlay: what was seen, where no range or number of it follows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, refused, todo_lines
from tests.test_import_fabric import stretched_dumps
from tests.test_import_overlay import line_of

Tables = dict[str, Any]


def leaf(number: int, *addresses: str, **tables: Any) -> Tables:
    """Tables of a leaf with an uplink Ethernet64, which has the addresses."""
    own = json.loads(stretched_dumps()[f"leaf-{number}.json"])
    own["DEVICE_METADATA"]["localhost"]["bgp_asn"] = str(65100 + number)
    own["PORT"]["Ethernet64"] = {"speed": "100000", "mtu": "9216"}
    uplink = {"name": "spine-1", "port": f"Ethernet{4 * number}"}
    return {
        **own,
        "LOOPBACK_INTERFACE": {f"Loopback0|10.255.0.{number}/32": {}},
        "DEVICE_NEIGHBOR": {"Ethernet64": uplink},
        "INTERFACE": {f"Ethernet64|{address}": {} for address in addresses},
        **tables,
    }


SPINE = {
    "DEVICE_METADATA": {"localhost": {"hostname": "spine-1", "bgp_asn": "65000"}},
    "PORT": {"Ethernet4": {}, "Ethernet8": {}},
    "LOOPBACK_INTERFACE": {"Loopback0|10.255.0.101/32": {}},
}


def imported(leaves: list[Tables], spine: Tables) -> Imported:
    texts = stretched_dumps()
    for number, tables in enumerate(leaves, 1):
        texts[f"leaf-{number}.json"] = json.dumps(tables, indent=1)
    return import_texts({**texts, "spine-1.json": json.dumps(spine, indent=1)}, "site")


def place_of(tables: Tables, text: str, file: str) -> str:
    lines = json.dumps(tables, indent=1).splitlines()
    return f"{file}:{next(number for number, line in enumerate(lines, 1) if text in line)}"


@pytest.mark.parametrize(
    ("tables", "text"),
    [
        ({"BGP_NEIGHBOR": {"default|Ethernet64": {"peer_type": "external"}}}, "default|Ethernet64"),
        ({"INTERFACE": {"Ethernet64": {"ipv6_use_link_local_only": "enable"}}}, "ipv6_use_link_local_only"),
    ],
)
def test_uplinks_without_addresses(tables: Tables, text: str) -> None:
    leaves = [leaf(number, **tables) for number in (1, 2)]
    result = imported(leaves, SPINE)
    line = line_of(result, "uplinks")
    assert "an inventory cannot express this: uplinks without addresses (BGP unnumbered)" in line
    assert f"leaf-1 Ethernet64 ({place_of(leaves[0], text, 'leaf-1.json')}), leaf-2 Ethernet64 (" in line
    found = data(result)["underlay"]
    assert (found["leaf_asn"], found["spine_asn"]) == ("65101+", 65000)
    assert set(todo_lines(result.text)) == refused(result.text)


def test_routed_uplinks_whose_bgp_is_in_no_dump() -> None:
    """FRR has files of its own."""
    tables = [leaf(1, "10.254.0.0/31"), leaf(2, "10.254.0.2/31")]
    for own in tables:
        del own["DEVICE_METADATA"]["localhost"]["bgp_asn"]
    spine = {**SPINE, "DEVICE_METADATA": {"localhost": {"hostname": "spine-1"}}}
    result = imported(tables, spine)
    found = data(result)["underlay"]
    assert (found["uplinks"], found["loopbacks"]) == ("10.254.0.0/30", "10.255.0.0/25")
    assert all("no dump has BGP; vtysh" in line_of(result, key) for key in ("leaf_asn", "spine_asn"))
    assert set(todo_lines(result.text)) == refused(result.text)


def test_leaves_without_an_as_number_are_named() -> None:
    """A minigraph without one, and unified mode without BGP_GLOBALS."""
    tables = [leaf(1, "10.254.0.0/31"), leaf(2, "10.254.0.2/31")]
    del tables[0]["DEVICE_METADATA"]["localhost"]["bgp_asn"]
    line = line_of(imported(tables, SPINE), "leaf_asn")
    assert "leaf-2 65102 (leaf-2.json:" in line
    assert "no dump has the AS number of leaf-1; vtysh -c 'show running-config' on SONiC" in line
    for own in tables:
        own["DEVICE_METADATA"]["localhost"] |= {"bgp_asn": "None", "frr_mgmt_framework_config": "true"}
        own["BGP_NEIGHBOR"] = {"default|10.254.0.1": {"asn": "65000"}}
    alone = {**SPINE, "DEVICE_METADATA": {"localhost": {"hostname": "spine-1"}}}
    line = line_of(imported(tables, alone), "leaf_asn")
    assert "leaf_asn: TODO # TODO: a first AS number that counts up" in line
    assert "leaf-1 has BGP neighbours (leaf-1.json:" in line
    assert "no dump has the AS number of leaf-[1-2]" in line


@pytest.mark.parametrize(
    ("spine", "where"),
    [
        ("65000", "of switches whose role is open, spine-1 65000 (spine-1.json:"),
        ("", "no dump has the AS number of a spine"),
    ],
)
def test_spines_that_no_cable_shows(spine: str, where: str) -> None:
    """BGP unnumbered without neighbours of LLDP: a name of an interface does not say who is behind it."""
    own = {"INTERFACE": {"Ethernet64": {"ipv6_use_link_local_only": "enable"}}, "DEVICE_NEIGHBOR": {}}
    named = {"hostname": "spine-1", **({"bgp_asn": spine} if spine else {})}
    lone = {**SPINE, "DEVICE_METADATA": {"localhost": named}}
    linked = leaf(2, "10.254.0.2/31") | {"DEVICE_NEIGHBOR": {"Ethernet64": {"name": "leaf-9", "port": "x"}}}
    line = line_of(imported([leaf(1, **own), linked], lone), "spine_asn")
    assert f"one AS number of all spines; {where}" in line


def test_uplinks_of_other_lengths() -> None:
    leaves = [leaf(1, "10.254.0.1/30"), leaf(2, "10.254.0.5/30")]
    line = line_of(imported(leaves, SPINE), "uplinks")
    change = "state a range of /31 or /127 networks, which renumbers them"
    assert f"cannot express this: uplinks with networks of length /30; {change}" in line
    assert f"leaf-1 Ethernet64 10.254.0.1/30 ({place_of(leaves[0], '10.254', 'leaf-1.json')})" in line


def test_uplinks_of_two_families() -> None:
    leaves = [leaf(1, "10.254.0.0/31", "fd00:254::/127"), leaf(2, "10.254.0.2/31", "fd00:254::2/127")]
    leaves[0]["LOOPBACK_INTERFACE"]["Loopback0|fd00:255::1/128"] = {}
    result = imported(leaves, SPINE)
    line = line_of(result, "uplinks")
    assert "cannot express this: uplinks with IPv4 and IPv6 addresses; state one of the families" in line
    assert "uplinks: 10.254.0.0/30 with uplinks_per_leaf: 1 or uplinks: fd00:254::/126 with" in line
    assert "fd00:254::/127 (leaf-1.json:" in line
    (told,) = [str(each) for each in result.remarks if "netplan adds" not in each.text]
    assert told.startswith(place_of(leaves[0], "fd00:255::1", "leaf-1.json"))
    assert "'Loopback0 fd00:255::1/128': the inventory has one loopback address for each switch" in told


def test_an_uplink_without_an_address_is_named() -> None:
    line = line_of(imported([leaf(1, "10.254.0.0/31"), leaf(2)], SPINE), "uplinks")
    assert "leaf-1 Ethernet64 10.254.0.0/31 (leaf-1.json:" in line
    assert line.endswith("; without an address: leaf-2 Ethernet64")


def only_leaves(*spine_asns: str) -> Imported:
    """The spine is known from the leaves alone."""
    leaves = [
        leaf(
            number,
            f"10.254.0.{2 * number - 2}/31",
            BGP_NEIGHBOR={f"10.254.0.{2 * number - 1}": {"asn": asn, "name": "spine-1"}},
        )
        for number, asn in enumerate(spine_asns, 1)
    ]
    return imported(
        leaves, {"DEVICE_METADATA": {"localhost": {"hostname": "spine-1"}}, "PORT": SPINE["PORT"]}
    )


def test_the_number_of_a_spine_that_only_leaves_state() -> None:
    result = only_leaves("65000", "65000")
    assert data(result)["underlay"]["spine_asn"] == 65000
    assert "# of a leaf's neighbour, leaf-1.json:" in line_of(result, "spine_asn")
    line = line_of(result, "loopbacks")
    assert "leaf-1 with id 1: 10.255.0.1 (leaf-1.json:" in line
    assert line.endswith("; in no dump: spine-1")
    assert data(result)["underlay"]["uplinks"] == "10.254.0.0/30"


def test_leaves_that_expect_two_numbers_of_a_spine() -> None:
    result = only_leaves("65000", "65001")
    assert data(result)["underlay"]["spine_asn"] == "TODO"
    line = line_of(result, "spine_asn")
    assert "spine-1 65000 (leaf-1.json:" in line
    assert "spine-1 65001 (leaf-2.json:" in line
    assert "65101" not in line


def test_leaves_without_a_link_to_another_switch() -> None:
    """A rail on one leaf needs no underlay; the AS numbers are told."""
    texts = stretched_dumps()
    for number in (1, 2):
        own = leaf(number, DEVICE_NEIGHBOR={})
        texts[f"leaf-{number}.json"] = json.dumps(own, indent=1)
    result = import_texts(texts, "site")
    assert "underlay" not in data(result)
    (told,) = [str(each) for each in result.remarks if "netplan adds" not in each.text]
    assert told.startswith(place_of(leaf(1), "bgp_asn", "leaf-1.json"))
    assert "leaf-1 AS number 65101, loopback 10.255.0.1, leaf-2 AS number 65102, loopback 10.255.0.2" in told
    assert "no dump shows a link between switches, so underlay is left out" in told


def test_uplinks_that_switch_vlans_are_no_underlay() -> None:
    """Two leaves below one aggregation switch; BGP has a number and nothing else."""
    leaves = [leaf(number) for number in (1, 2)]
    for own in leaves:
        own["VLAN_MEMBER"] |= {f"Vlan{vlan}|Ethernet64": {"tagging_mode": "tagged"} for vlan in (100, 101)}
    result = imported(leaves, SPINE)
    found = data(result)
    assert ("underlay" in found, found["rails"]["segment"]) == (False, "stretched")
    (told,) = [str(each) for each in result.remarks if "netplan adds" not in each.text]
    assert (
        "spine-1 AS number 65000, loopback 10.255.0.101: leaf-1 Ethernet64 has VLAN 100, 101 tagged" in told
    )
    assert told.endswith("no BGP neighbour, so underlay is left out and these are not in the inventory")
    leaves[0]["BGP_NEIGHBOR"] = {"10.254.0.1": {"asn": "65000"}}
    assert "underlay" in data(imported(leaves, SPINE))


NVUE = """\
- set:
    system:
      hostname: leaf-1
    vrf:
      default:
        router:
          bgp:
            autonomous-system: 65101
            neighbor:
              10.1.0.1:
                remote-as: 65000
                type: numbered
              swp63-64:
                peer-group: underlay
                remote-as: external
                type: unnumbered
"""
NVUE_COMMANDS = """\
nv set system hostname leaf-1
nv set router bgp autonomous-system 65101
nv set vrf default router bgp neighbor 10.1.0.1 remote-as 65000
nv set vrf default router bgp neighbor swp63-64 remote-as external
"""
EOS = """\
! Command: show running-config
hostname leaf-1
router bgp 65101
   neighbor SPINES peer group
   neighbor SPINES remote-as 65000
   neighbor 10.1.0.1 peer group SPINES
   neighbor interface Et63-64 peer-group SPINES
"""
JUNOS = """\
set version 23.4R2
set system host-name leaf-1
set routing-options autonomous-system 65101
set protocols bgp group a peer-as 65000
set protocols bgp group a neighbor 10.1.0.1
set protocols bgp group u dynamic-neighbor d peer-auto-discovery family inet6 ipv6-nd
set protocols bgp group u dynamic-neighbor d peer-auto-discovery interface et-0/0/63.0
set protocols bgp group u dynamic-neighbor d peer-auto-discovery interface et-0/0/64.0
"""


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        (NVUE, ["swp63", "swp64"]),
        (NVUE_COMMANDS, ["swp63", "swp64"]),
        (EOS, ["Et63", "Et64"]),
        (JUNOS, ["et-0/0/63", "et-0/0/64"]),
    ],
)
def test_sessions_of_running_configurations(text: str, ports: list[str]) -> None:
    site = import_texts({"leaf-1.txt": text}, "x").site
    found = dict(site.prefixed("switch", ("leaf-1",), "unnumbered/"))
    assert sorted(found) == ports
    assert all("63" in text.splitlines()[said.at.line - 1] or "64" in port for port, said in found.items())
    ((far, said),) = site.prefixed("switch", ("leaf-1",), "neighbour/")
    assert (far, said.value) == ("10.1.0.1", 65000)
    assert "65000" in text.splitlines()[said.at.line - 1] or "10.1.0.1" in text.splitlines()[said.at.line - 1]


def test_leaves_that_share_an_as_number_are_asked_about() -> None:
    """NP220 refuses them: each rejects the other's routes, unless it is set up to take them."""
    tables = [leaf(1, "10.254.0.0/31"), leaf(2, "10.254.0.2/31")]
    for own in tables:
        own["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "65100"
    line = line_of(imported(tables, SPINE), "leaf_asn")
    assert "leaf_asn: TODO # TODO: an inventory cannot express this: leaves that share an AS number; " in line
    assert "which renumbers leaves, or remove underlay and the links between switches" in line
    where = place_of(tables[1], "65100", "leaf-2.json")
    assert line.endswith(f"leaf-2 with id 2: 65100 ({where})")


def lags(**more: Any) -> Imported:
    """Uplinks that are LAGs, as SONiC's minigraph of a T0 has them."""
    return imported(
        [leaf(n, PORTCHANNEL_MEMBER={"PortChannel1|Ethernet64": {}}, **more) for n in (1, 2)], SPINE
    )


def test_uplinks_in_lags_are_asked_with_their_addresses() -> None:
    addresses: Tables = {"PortChannel1": {}, "PortChannel1|10.254.0.0/31": {}}
    result = lags(PORTCHANNEL_INTERFACE=addresses, BGP_NEIGHBOR={"10.254.0.1": {"asn": "65000"}})
    line = line_of(result, "uplinks")
    assert "uplinks: TODO # TODO: an inventory cannot express this: uplinks in LAGs; state a range" in line
    assert "; leaf-1 PortChannel1 10.254.0.0/31 (leaf-1.json:" in line
    assert "leaf-2 PortChannel1 10.254.0.0/31 (leaf-2.json:" in line
    told = [each.text for each in result.remarks if "BGP session" in each.text]
    why = "a BGP session over a LAG, and an inventory has those of single links (and 1 more)"
    assert told == [f"leaf-1 neighbour 10.254.0.1 with AS 65000: {why}"]


def test_uplinks_in_lags_without_addresses_are_asked_with_their_ports() -> None:
    line = line_of(lags(), "uplinks")
    assert "uplinks in LAGs; state a range" in line
    assert "; leaf-1 Ethernet64 (leaf-1.json:" in line
