"""``netplan import``: VLANs, sessions and addresses of leaves that no cable or no other leaf has."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare, Tables
from tests.test_import import data
from tests.test_import_fabric import fabric_with, imported
from tests.test_import_tiers import with_spines


def test_a_port_in_the_vlan_of_a_rail_without_a_cable_is_told() -> None:
    """Only where it is set up: SONiC's ports are down otherwise."""
    site = Bare()
    for number, state in ((200, "up"), (208, "up"), (216, "down"), (224, "")):
        port = f"Ethernet{number}"
        own = {"speed": "400000", **({"admin_status": state} if state else {})}
        site.leaves["leaf-1"]["PORT"][port] = own
        site.leaves["leaf-1"]["VLAN_MEMBER"][f"Vlan100|{port}"] = {"tagging_mode": "untagged"}
    (remark,) = site.imported().remarks
    why = "no dump has the other end, and an inventory has the VLANs of its links alone"
    assert remark.text == f"VLAN 100 of leaf-1 Ethernet[200-208/8]: {why}"
    assert "Vlan100|Ethernet200" in site.texts()["leaf-1.json"].splitlines()[remark.at.line - 1]


def sessions(expected: str, *, back: bool = True, known: str = "65101", group: bool = False) -> Imported:
    """``expected``: AS number of the spine, for leaf-1; ``back``: the spine has the session too, ``known``:
    with that AS number. ``group``: leaf-1 has the number of the spine in a peer group."""
    site = with_spines(Bare(rails=2))
    spine = site.leaves["spine-1"]
    spine["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "65000"
    for rail in range(2):
        leaf = site.leaves[f"leaf-{rail + 1}"]
        leaf["DEVICE_METADATA"]["localhost"]["bgp_asn"] = str(65101 + rail)
        leaf["INTERFACE"] = {f"Ethernet128|172.31.0.{2 * rail}/31": {}}
        leaf["BGP_NEIGHBOR"] = {f"172.31.0.{2 * rail + 1}": {"asn": expected if rail == 0 else "65000"}}
        spine.setdefault("INTERFACE", {})[f"Ethernet{8 * rail}|172.31.0.{2 * rail + 1}/31"] = {}
        if back or rail:
            own = str(65101 + rail) if rail else known
            spine.setdefault("BGP_NEIGHBOR", {})[f"172.31.0.{2 * rail}"] = {"asn": own}
    if group:
        first = site.leaves["leaf-1"]
        first["BGP_NEIGHBOR"] = {"default|172.31.0.1": {"peer_group_name": "FABRIC"}}
        first["BGP_PEER_GROUP"] = {"default|FABRIC": {"asn": expected}}
    return site.imported()


def asked(result: Imported) -> set[str]:
    """Keys of ``underlay`` with that contradiction and its place."""
    (conflict,) = map(str, result.conflicts)
    lines = [text.strip() for text in result.text.splitlines()]
    found = [text for text in lines if f": TODO # TODO: decide, sources disagree: {conflict}; " in text]
    return {text.partition(":")[0] for text in found}


def test_sessions_that_agree_are_no_contradiction() -> None:
    assert sessions("65000").conflicts == ()


def test_a_session_has_the_as_number_of_its_peer_group() -> None:
    assert sessions("65000", group=True).conflicts == ()
    (conflict,) = sessions("65001", group=True).conflicts
    assert str(conflict).startswith("leaf-1 expects AS 65001 of spine-1 Ethernet0 (leaf-1.json:")


def test_another_as_number_than_the_other_end_has_is_a_contradiction() -> None:
    result = sessions("65001")
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith("leaf-1 expects AS 65001 of spine-1 Ethernet0 (leaf-1.json:")
    assert ", spine-1 has AS 65000 (spine-1.json:" in conflict
    assert asked(result) == {"spine_asn"}
    assert asked(sessions("65000", known="65999")) == {"leaf_asn"}


def test_a_session_that_one_end_alone_has_is_a_contradiction() -> None:
    result = sessions("65000", back=False)
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith("leaf-1 has a BGP session with spine-1 Ethernet0 (leaf-1.json:")
    assert conflict.endswith("), spine-1 has none")
    assert asked(result) == {"uplinks"}


def test_a_family_that_one_leaf_alone_has_is_told_and_no_range_of_the_rails() -> None:
    site, both = Bare(), Bare()
    site.leaves["leaf-1"]["VLAN_INTERFACE"]["Vlan100|fd00:100::1/64"] = {}
    result = site.imported()
    assert data(result)["rails"]["supernets"] == ["172.16.0.0/22"]
    (remark,) = result.remarks
    assert remark.text.startswith("subnet of leaf-1 'fd00:100::/64': the others have no subnet of this")
    for rail in range(4):
        both.leaves[f"leaf-{rail + 1}"]["VLAN_INTERFACE"][f"Vlan{100 + rail}|fd00:10{rail}::1/64"] = {}
    assert (both.imported().remarks, len(data(both.imported())["rails"]["prefixes"])) == ((), 2)


@pytest.mark.parametrize(
    ("subnet", "why"),
    [
        (
            "fd00:{0}::",
            "no pool of the rails has this family, and netplan would give each pod an address of it",
        ),
        ("fe80::", "the inventory has no link-local addresses"),
    ],
)
def test_a_family_that_no_pool_has_is_told_and_no_range_of_the_rails(subnet: str, why: str) -> None:
    def change(switch: str, tables: Tables) -> None:
        for vlan in [key for key in tables.get("VLAN_INTERFACE", {}) if "|" not in key]:
            tables["VLAN_INTERFACE"][f"{vlan}|{subnet.format(switch[-1])}1/64"] = {}

    result = fabric_with(change)
    (told,) = [each.text for each in result.remarks if "::/64" in each.text]
    assert told == f"subnet of leaf-1 '{subnet.format(1)}/64': {why} (and 3 more)"
    assert data(result)["rails"] == data(imported())["rails"]


def test_sub_interfaces_and_borrowed_addresses_are_told() -> None:
    site = Bare()
    site.leaves["leaf-1"]["VLAN_SUB_INTERFACE"] = {"Ethernet0.10": {}, "Ethernet0.10|10.3.3.1/24": {}}
    site.leaves["leaf-1"]["INTERFACE"] = {"Ethernet8": {"unnumbered": "Loopback0"}}
    assert [each.text for each in site.imported().remarks] == [
        "leaf-1: VLAN_SUB_INTERFACE Ethernet0.10 (and 1 more of it): the inventory has no key for it",
        "leaf-1: INTERFACE Ethernet8 unnumbered Loopback0: the inventory has no key for it",
    ]


def gateway_of_record(address: str) -> Imported:
    """NetBox has the address on VLAN 100 of leaf-1, whose configuration has 172.16.0.1/24."""
    api = "https://netbox.example.com/api"
    role = {"id": 1, "url": f"{api}/dcim/device-roles/1/", "name": "leaf", "slug": "leaf"}
    device = {"id": 2, "url": f"{api}/dcim/devices/2/", "name": "leaf-1", "role": role}
    held = {"id": 3, "url": f"{api}/dcim/interfaces/3/", "name": "Vlan100", "device": device}
    own = {"id": 4, "url": f"{api}/ipam/ip-addresses/4/", "address": address, "assigned_object": held}
    texts = {"devices.json": json.dumps([device]), "addresses.json": json.dumps([own])}
    return import_texts({**Bare().texts(), **texts}, "site")


def test_a_gateway_of_record_that_the_switch_does_not_have_is_a_contradiction() -> None:
    result = gateway_of_record("172.16.0.254/24")
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith("leaf-1 VLAN 100, address: 172.16.0.1/24 (leaf-1.json:")
    assert ") or 172.16.0.254/24 (addresses.json:" in conflict
    assert data(result)["rails"]["supernets"] == ["172.16.0.0/22"]
    assert gateway_of_record("172.16.0.1/24").conflicts == ()


def test_a_second_address_of_a_vlan_interface_is_told() -> None:
    site = Bare()
    site.leaves["leaf-1"]["VLAN_INTERFACE"]["Vlan100|172.16.0.9/24"] = {}
    result = site.imported()
    (remark,) = result.remarks
    assert remark.text.startswith("second address of leaf-1 VLAN 100 '172.16.0.9/24': an inventory has one ")
    assert data(result)["rails"]["supernets"] == ["172.16.0.0/22"]


def routed(length: int = 31, **tables: Tables) -> Bare:
    """Ports of leaf-1 to hosts in networks of that length, those of the other leaves in /31."""
    site = Bare()
    for rail in range(4):
        leaf, step = site.leaves[f"leaf-{rail + 1}"], 2 if rail or length == 31 else 4
        for table in ("VLAN", "VLAN_MEMBER", "VLAN_INTERFACE"):
            del leaf[table]
        ports = {f"Ethernet{8 * host}": f"172.20.{rail}.{step * host + (step == 4)}" for host in range(4)}
        own = length if not rail else 31
        leaf["INTERFACE"] = {f"{port}|{address}/{own}": {} for port, address in ports.items()}
    site.leaves["leaf-1"].update(tables)
    return site


def test_routed_ports_to_hosts_have_their_range() -> None:
    result = routed().imported()
    assert (result.conflicts, result.remarks) == ((), ())
    assert data(result)["rails"] | {"count": 4} == {
        "count": 4,
        "segment": "host",
        "supernets": ["172.20.0.0/22"],
        "rail_prefixes": [24],
        "prefixes": [31],
        "gateway": "first",
    }


def test_routed_ports_to_hosts_with_other_networks_are_asked_with_each_address() -> None:
    result = routed(30).imported()
    assert data(result)["rails"] == {"count": 4, "segment": "TODO"}
    line = next(line for line in result.text.splitlines() if " segment:" in line)
    assert "networks other than /31 and /127" in line
    assert "leaf-1 Ethernet0 172.20.0.1/30 (leaf-1.json:" in line


def test_a_second_address_of_a_port_to_a_host_is_asked() -> None:
    site = routed()
    site.leaves["leaf-1"]["INTERFACE"]["Ethernet0|10.66.0.0/31"] = {}
    assert data(site.imported())["rails"]["segment"] == "TODO"


def test_a_port_of_routed_rails_without_an_address_is_a_contradiction() -> None:
    site = routed()
    del site.leaves["leaf-1"]["INTERFACE"]["Ethernet0|172.20.0.0/31"]
    (conflict,) = map(str, site.imported().conflicts)
    assert conflict.startswith("rail 0: leaf-1 Ethernet0 has no address (leaf-1.json:")
    assert ", leaf-1 Ethernet8 has 172.20.0.2/31 (leaf-1.json:" in conflict


def test_a_session_with_a_host_is_told() -> None:
    (remark,) = routed(BGP_NEIGHBOR={"172.20.0.1": {"asn": "64900"}}).imported().remarks
    why = "a BGP session with a host, and netplan plans none"
    assert remark.text == f"leaf-1 neighbour 172.20.0.1 with AS 64900: {why}"


@pytest.mark.parametrize(("mode", "asked"), [("separated", True), ("split", False), ("", True)])
def test_an_owner_of_frr_that_drops_the_links_of_hosts_is_asked_for(mode: str, asked: bool) -> None:
    site = routed()
    for tables in site.leaves.values():
        own = tables["DEVICE_METADATA"]["localhost"]
        own |= {"bgp_asn": "65000", **({"docker_routing_config_mode": mode} if mode else {})}
    found = [kind.get("frr_mode") for kind in data(site.imported())["switch_types"].values()]
    assert found == ["TODO" if asked else "split"]


@pytest.mark.parametrize(
    ("address", "told"),
    [("10.200.0.1", True), ("172.16.0.9", False), ("fe80::1", False), ("10.0.0.2", False)],
)
def test_a_neighbour_beyond_the_networks_of_its_switch_is_told(address: str, told: bool) -> None:
    """Such as a firewall; the loopback of another switch of the dumps is none."""
    site = Bare(rails=2)
    site.leaves["leaf-1"]["BGP_NEIGHBOR"] = {address: {"asn": "65500"}}
    site.leaves["leaf-2"]["LOOPBACK_INTERFACE"] = {"Loopback0|10.0.0.2/32": {}}
    found = [each.text for each in site.imported().remarks if "beyond" in each.text]
    why = "a BGP session beyond the networks of the switch, and an inventory has those of its links"
    assert found == ([f"leaf-1 neighbour {address} with AS 65500: {why}"] if told else [])


NXOS = """!Command: show running-config
version 10.3(4a) Bios:version 05.47
hostname leaf-1
feature bgp
router bgp 65101
  template peer SPINES
{template}    remote-as 65000
    address-family ipv4 unicast
  neighbor 10.0.0.1
    inherit peer SPINES
{own}  neighbor 10.0.0.3
    remote-as 65000
    address-family ipv4 unicast
{other}"""
SHUT = "    shutdown\n"


@pytest.mark.parametrize(
    ("lines", "up"),
    [
        ({}, ["10.0.0.1", "10.0.0.3"]),
        ({"own": SHUT}, ["10.0.0.3"]),
        ({"other": SHUT}, ["10.0.0.1"]),
        ({"template": SHUT}, ["10.0.0.3"]),
        ({"template": SHUT, "own": "    no shutdown\n"}, ["10.0.0.1", "10.0.0.3"]),
    ],
)
def test_a_neighbour_of_nx_os_that_is_shut_down_is_no_session(lines: dict[str, str], up: list[str]) -> None:
    text = NXOS.format(**{"template": "", "own": "", "other": "", **lines})
    result = import_texts({"leaf-1.cfg": text}, "site")
    site = result.site
    assert sorted(far for far, _ in site.prefixed("switch", ("leaf-1",), "neighbour/")) == up
    shut = {"10.0.0.1", "10.0.0.3"} - {*up}
    told = [str(each) for each in result.remarks if "shut down today" in str(each)]
    assert [f"leaf-1: BGP neighbour {far}: shut down today" in line for far in shut for line in told] == [
        True for _ in shut
    ]


def test_all_neighbours_of_eos_that_are_shut_down_are_told_in_one_line() -> None:
    """As of a drained spine, which is in service with the first render."""
    fars = ("10.0.0.1", "10.0.0.3")
    own = "".join(f"   neighbor {far} remote-as 65101\n   neighbor {far} shutdown\n" for far in fars)
    text = f"! device: spine-1 (DCS-7060X6-64PE, EOS-4.33.1F)\nhostname spine-1\nrouter bgp 65000\n{own}"
    (line,) = [str(each) for each in import_texts({"s.cfg": text}, "site").remarks if "shut" in str(each)]
    assert line.startswith("s.cfg:5: spine-1: BGP neighbour 10.0.0.1, 10.0.0.3: shut down today, which an")


@pytest.mark.parametrize(
    "head", [NXOS.partition("router bgp")[0], "! device: a (b, EOS-4.33.1F)\nhostname a\n"]
)
def test_bgp_that_is_shut_down_as_a_whole_is_told(head: str) -> None:
    """And not a neighbour's own line, which is a level below."""
    indent = "  " if "feature" in head else "   "
    below = f"{indent}neighbor 10.0.0.1\n{indent * 2}shutdown\n"
    for lines, count in ((f"{below}{indent}shutdown\n", 1), (below, 0)):
        text = f"{head}interface Ethernet1/1\n{indent}mtu 9214\nrouter bgp 65000\n{lines}"
        told = [str(each) for each in import_texts({"s.cfg": text}, "site").remarks]
        assert len([each for each in told if "shutdown of router bgp: shut down today" in each]) == count
