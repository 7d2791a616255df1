"""Lines of running configurations that change where packets go and that no inventory has are told."""

from __future__ import annotations

import pytest

from netplan.importing.rewritten_rows import NO_KEY
from netplan.importing.run import import_texts
from netplan.importing.unplanned_lines import ROWS
from netplan.reading.switches import read_switch

NVUE = "- header:\n    version: Cumulus Linux 5.9.2\n- set:\n    system:\n      hostname: leaf-1\n"
NVUE += "    interface:\n      swp1:\n        link:\n          mtu: 9216\n"
HEADS = {
    "cumulus-nvue": "nv set system hostname leaf-1\nnv set interface swp1 link mtu 9216\n",
    "arista-eos": "! Command: show running-config\nhostname leaf-1\ninterface Ethernet1/1\n   mtu 9214\n",
    "cisco-nxos": "!Command: show running-config\nhostname leaf-1\ninterface Ethernet1/1\n  mtu 9216\n",
    "juniper-junos": "set version 23.4R2\nset system host-name leaf-1\nset interfaces et-0/0/0 mtu 9192\n",
    "onyx": '##\n## Running database "x"\n## Hostname: leaf-1\ninterface ethernet 1/1 mtu 9216 force\n',
}
GONE = "is not taken"
SHARED = "the address shared by several switches is a gateway alone: an inventory has it on one switch"
IRB = "set interfaces irb unit 100 family inet address 172.16.0.2/28"
IN_VRF = "        ip:\n          vrf: RED\n"
EOS_PORT = "interface Ethernet1/1\n   "
BGP = "   neighbor 10.0.0.1 remote-as 65100\n"


def told(text: str) -> list[str]:
    remarks = (each.text for each in import_texts({"leaf.cfg": text}, "site").remarks)
    elsewhere = ("ARP", "no rail and no network", "no dump shows a link")
    return [each for each in remarks if not any(part in each for part in elsewhere)]


@pytest.mark.parametrize(
    ("nos", "lines", "said"),
    [
        (
            "cumulus-nvue",
            "nv set vrf default router static 0.0.0.0/0 via 10.0.0.1",
            "route 0.0.0.0/0: static routes are not taken, the inventory has no key for them",
        ),
        (
            "cumulus-nvue",
            "nv set interface vlan100 ip vrrp virtual-router 1 address 172.16.0.14",
            f"vlan100: {SHARED}",
        ),
        ("cumulus-nvue", "nv set interface swp1 router pim enable on", f"PIM of swp1 {GONE}, {NO_KEY}"),
        (
            "cumulus-nvue",
            "nv set interface swp1 router pbr map M",
            f"the traffic policy of swp1 {GONE}, {NO_KEY}",
        ),
        (
            "cumulus-nvue",
            "nv set interface swp1 port-security enable on",
            f"port-security of swp1 {GONE}, {NO_KEY}",
        ),
        ("arista-eos", "router isis CORE", f"IS-IS of CORE {GONE}, netplan plans BGP"),
        (
            "arista-eos",
            "interface Vlan100\n   ip address 10.99.0.1/24 secondary",
            f"the second address 10.99.0.1/24 of Vlan100 {GONE}, {NO_KEY}",
        ),
        (
            "arista-eos",
            "router bgp 1\n   vrf TENANT\n      neighbor 10.1.1.1 remote-as 65500",
            f"BGP neighbour 10.1.1.1 of VRF TENANT {GONE}, {NO_KEY}",
        ),
        (
            "arista-eos",
            "router bgp 1\n   aggregate-address 10.0.0.0/8",
            f"the BGP aggregate 10.0.0.0/8 {GONE}: netplan announces loopbacks and rails one by one",
        ),
        ("arista-eos", f"{EOS_PORT}dot1x port-control auto", f"dot1x of Ethernet1/1 {GONE}, {NO_KEY}"),
        (
            "arista-eos",
            f"{EOS_PORT}storm-control broadcast level 1",
            f"storm-control of Ethernet1/1 {GONE}, {NO_KEY}",
        ),
        (
            "arista-eos",
            f"{EOS_PORT}switchport port-security",
            f"port-security of Ethernet1/1 {GONE}, {NO_KEY}",
        ),
        (
            "cisco-nxos",
            "interface Ethernet1/1\n  ip router isis CORE",
            f"IS-IS of Ethernet1/1 {GONE}, netplan plans BGP",
        ),
        (
            "cisco-nxos",
            "interface Vlan100\n  ip address 10.99.0.1/24 secondary",
            f"the second address 10.99.0.1/24 of Vlan100 {GONE}, {NO_KEY}",
        ),
        (
            "cisco-nxos",
            "router bgp 1\n  vrf TENANT\n    neighbor 10.1.1.1\n      remote-as 65500",
            f"BGP neighbour 10.1.1.1 of VRF TENANT {GONE}, {NO_KEY}",
        ),
        (
            "juniper-junos",
            "set protocols isis interface et-0/0/1.0",
            f"IS-IS of et-0/0/1.0 {GONE}, netplan plans BGP",
        ),
        (
            "juniper-junos",
            "set protocols iccp local-ip-addr 10.0.0.1",
            "MLAG is not taken, the inventory has no pair of switches with common LAGs",
        ),
        (
            "juniper-junos",
            "set vlans v200 vlan-id 200 l3-interface irb.200",
            "vlans v200 vlan-id 200 l3-interface irb.200: several settings in one line are not read; "
            "give show configuration | display set",
        ),
        (
            "cumulus-nvue",
            "nv set interface swp1 router ospf area 0",
            f"OSPF of swp1 {GONE}, netplan plans BGP",
        ),
        (
            "cumulus-nvue",
            "nv set interface swp1 acl A inbound",
            "swp1 has an ACL, which the inventory has no key for",
        ),
        (
            "cumulus-nvue",
            "nv set interface swp1 ip vrf RED",
            "swp1 is in a VRF: its addresses are taken, the VRF is not",
        ),
        ("cumulus-nvue", "nv set interface swp1 ip vrf default", ""),
        (
            "cumulus-nvue",
            "nv set interface swp1.3 base-interface swp1",
            "swp1.3: the VLAN and the addresses of a sub-interface are not taken",
        ),
        (
            "cumulus-nvue",
            "nv set interface swp1 evpn multihoming segment local-id 1",
            "swp1 is multihomed (ESI): its LAG over several switches is not taken",
        ),
        (
            "cumulus-nvue",
            "nv set service dhcp-relay default interface vlan100",
            f"DHCP relay of vlan100 {GONE}, {NO_KEY}",
        ),
        ("cumulus-nvue", "nv set interface swp1 link fec rs", f"FEC rs of swp1 {GONE}, the switch keeps it"),
        (
            "cumulus-nvue",
            "nv set interface swp1 link auto-negotiate off",
            f"auto-negotiation off of swp1 {GONE}, the switch keeps it",
        ),
        (
            "arista-eos",
            f"router bgp 65001\n{BGP}   neighbor SPINES peer group\n   neighbor SPINES password 7 abc",
            f"the password of BGP neighbour SPINES {GONE}, {NO_KEY}",
        ),
        (
            "arista-eos",
            f"router bgp 65001\n{BGP}   neighbor 10.0.0.1 bfd",
            f"BFD of BGP neighbour 10.0.0.1 {GONE}, {NO_KEY}",
        ),
        (
            "arista-eos",
            "interface Ethernet1/1\n   evpn ethernet-segment\n      identifier 0011:1111:1111:1111:1111",
            "Ethernet1/1 is multihomed (ESI): its LAG over several switches is not taken",
        ),
        (
            "cisco-nxos",
            "interface Ethernet1/1\n  ip router ospf 1 area 0.0.0.0",
            f"OSPF of Ethernet1/1 {GONE}, netplan plans BGP",
        ),
        (
            "juniper-junos",
            f"{IRB} vrrp-group 1 virtual-address 172.16.0.1",
            f"irb unit 100: {SHARED}",
        ),
        (
            "juniper-junos",
            "set protocols ospf area 0.0.0.0 interface et-0/0/0.0",
            f"OSPF of et-0/0/0.0 {GONE}, netplan plans BGP",
        ),
        (
            "onyx",
            "interface vlan 7 magp 4 ip virtual-router address 192.168.11.1",
            f"vlan 7: {SHARED}",
        ),
        (
            "onyx",
            "interface vlan 7 ipv4 port access-group A",
            "vlan 7 has an ACL, which the inventory has no key for",
        ),
        (
            "onyx",
            "ip route vrf default 0.0.0.0/0 10.0.0.1",
            "route 0.0.0.0/0: static routes are not taken, the inventory has no key for them",
        ),
        ("onyx", "interface vlan 7 ip dhcp relay instance 2 downstream", f"DHCP relay of 7 {GONE}, {NO_KEY}"),
    ],
)
def test_such_a_line_is_told(nos: str, lines: str, said: str) -> None:
    assert told(f"{HEADS[nos]}{lines}\n") == ([f"leaf-1: {said}"] if said else [])


@pytest.mark.parametrize("nos", [*ROWS])
def test_a_configuration_without_them_tells_nothing(nos: str) -> None:
    assert told(HEADS[nos]) == []


def test_paths_of_yaml_are_told_with_the_first_line_and_the_number_of_the_others() -> None:
    text = f"{NVUE}      vlan100:\n{IN_VRF}      vlan101:\n{IN_VRF}"
    (found,) = import_texts({"leaf.yaml": text}, "site").remarks
    assert found.text == (
        "leaf-1: vlan100 is in a VRF: its addresses are taken, the VRF is not (1 more of this kind)"
    )
    assert "vrf: RED" in text.splitlines()[found.at.line - 1]


def test_a_disabled_port_of_a_running_configuration_is_down() -> None:
    lines = "interface Ethernet1/1\n   shutdown\ninterface Ethernet1/2\n   mtu 9214\n"
    site = import_texts({"leaf.cfg": HEADS["arista-eos"] + lines}, "site").site
    assert site.text("port", ("leaf-1", "Ethernet1/1"), "admin_status") == "down"
    assert site.said("port", ("leaf-1", "Ethernet1/2"), "admin_status") is None


def test_the_release_of_onyx() -> None:
    head = HEADS["onyx"].replace("## Hostname", "## Product release: 3.9.2110\n## Hostname")
    site = import_texts({"leaf.cfg": head}, "site").site
    assert site.text("switch", ("leaf-1",), "nos_version") == "3.9.2110"


def test_a_session_of_an_eos_peer_group_that_is_shut_down_is_down() -> None:
    group = "   neighbor S peer group\n   neighbor S remote-as 65100\n   neighbor 10.0.0.1 peer group S\n"
    lines = f"router bgp 65001\n{group}   neighbor S shutdown\n"
    down = read_switch("x", "arista-eos", {"interfaces.txt": lines})
    up = read_switch("x", "arista-eos", {"interfaces.txt": f"router bgp 65001\n{group}"})
    assert (len(down.neighbours), len(up.neighbours)) == (0, 1)
