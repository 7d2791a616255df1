"""Running configurations that netplan did not write: ranges, groups, virtual addresses."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.reading.switches import read_switch
from netplan.reading.switches.several import members
from tests.test_import import data

NVUE_YAML = """\
- header:
    model: SN5600
    version: Cumulus Linux 5.11.0
- set:
    bridge:
      domain:
        br_default:
          vlan:
            '100': {}
    interface:
      lo:
        ip:
          address:
            10.0.0.1/32: {}
      swp1-2s0-1:
        bridge:
          domain:
            br_default:
              access: 100
        link:
          mtu: 9216
          speed: 400G
      swp61,63:
        link:
          mtu: 9216
      vlan100:
        ip:
          address:
            172.16.0.2/24: {}
          vrr:
            address:
              172.16.0.1/24: {}
    system:
      hostname: leaf-1
"""
NVUE_COMMANDS = """\
nv set bridge domain br_default vlan 100-101
nv set interface swp1-2 bridge domain br_default access 101
nv set interface swp1-2 link mtu 9216
nv set interface vlan100-101 ip address 172.16.1.1/24
nv set interface bond1 bond member swp3-4
nv set system hostname leaf-2
"""
EOS = """\
! Command: show running-config
! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)
!
hostname leaf-1
!
interface Ethernet1/1
   mtu 9214
   speed forced 400gfull
   switchport access vlan 100
!
interface Ethernet3/1
   channel-group 10 mode active
!
interface Management1
   vrf MGMT
!
interface Ethernet62/1
   no switchport
   vrf RDMA
   ip address 10.1.0.2/31
!
interface Vlan100
   ip address virtual 172.16.0.1/24
!
interface Vlan200
   ip address 172.20.0.2/24
   ip virtual-router address 172.20.0.1
!
router bgp 65001
   neighbor SPINES peer group
   neighbor SPINES remote-as 65100
   neighbor 10.1.0.1 peer group SPINES
"""
NXOS = """\
!Command: show running-config
hostname leaf-2
feature bgp
vlan 101
interface Vlan101
  no shutdown
  ip address 172.16.1.2/24
  hsrp 1
    ip 172.16.1.1

interface Ethernet1/1
  switchport access vlan 101
  mtu 9216
  speed 400000

interface Ethernet1/3
  channel-group 10 mode active

interface Ethernet1/4
  vrf member RDMA

interface mgmt0
  vrf member management

router bgp 65002
  template peer SPINE
    remote-as 65100
    address-family ipv4 unicast
  neighbor 10.1.0.5
    inherit peer SPINE
  neighbor 10.1.0.7
    remote-as 65101
    address-family ipv4 unicast
  neighbor 10.1.0.9
    inherit peer SPINE
    remote-as 65102
"""
JUNOS = """\
set version 23.4R2-S3.9-EVO
set system host-name leaf-3
set groups RAIL interfaces <et-*> mtu 9216
set interfaces interface-range hosts member-range et-0/0/0 to et-0/0/15
set interfaces interface-range hosts unit 0 family ethernet-switching vlan members rail2
set interfaces et-0/0/16 native-vlan-id 102
set interfaces et-0/0/16 unit 0 family ethernet-switching interface-mode trunk
set interfaces et-0/0/16 unit 0 family ethernet-switching vlan members rail2
set interfaces et-0/0/16 unit 0 family ethernet-switching vlan members 200
set interfaces et-0/0/17 unit 0 family ethernet-switching interface-mode access
set interfaces et-0/0/17 unit 0 family ethernet-switching vlan members 102
set interfaces et-0/0/18 ether-options 802.3ad ae0
set interfaces et-0/0/19 mtu 9216
set interfaces et-0/0/19 unit 0 family inet address 10.1.0.8/31
set interfaces irb unit 102 family inet address 172.16.2.2/24 virtual-gateway-address 172.16.2.1
set vlans rail2 vlan-id 102
set vlans rail2 l3-interface irb.102
set class-of-service interfaces et-0/0/16 unit 0 classifiers dscp RDMA
set class-of-service forwarding-classes class NO-LOSS queue-num 3 no-loss pfc-priority 3
set class-of-service classifiers dscp RDMA forwarding-class NO-LOSS loss-priority low code-points 011010
set class-of-service classifiers dscp RDMA forwarding-class NO-LOSS loss-priority low code-points 011011
set protocols bgp group SPINES peer-as 65100
set protocols bgp group SPINES neighbor 10.1.0.9
set protocols bgp group SPINES neighbor 10.1.0.11 peer-as 65101
set routing-instances mgmt_junos interface em0.0
set routing-instances RDMA interface et-0/0/20.0
deactivate interfaces et-0/0/19
"""
TEXTS = {
    "leaf-1.yaml": NVUE_YAML,
    "leaf-2.txt": NVUE_COMMANDS,
    "eos.txt": EOS,
    "nxos.txt": NXOS,
    "junos.txt": JUNOS,
}


def imported(file: str) -> Imported:
    return import_texts({file: TEXTS[file]}, "x")


def ports(file: str) -> dict[str, dict[str, Any]]:
    """Of the only switch in a file."""
    site = imported(file).site
    return {
        of[1]: {name: said.value for name, said in site.fields("port", of).items() if name != "there"}
        for of in site.every("port")
    }


def test_nvue_folds_interfaces_of_the_same_settings() -> None:
    split = {"access": 100, "mtu": 9216, "speed": 400_000}
    assert ports("leaf-1.yaml") == {
        **{f"swp{port}s{part}": split for port in (1, 2) for part in (0, 1)},
        "swp61": {"mtu": 9216},
        "swp63": {"mtu": 9216},
    }
    assert ports("leaf-2.txt") == {
        **{name: {"access": 101, "mtu": 9216} for name in ("swp1", "swp2")},
        **{name: {"lag": True, "of_lag": "bond1"} for name in ("swp3", "swp4")},
    }
    site = imported("leaf-2.txt").site
    assert site.every("svi") == [("leaf-2", "100"), ("leaf-2", "101")]
    said = imported("leaf-1.yaml").site.said("port", ("leaf-1", "swp2s1"), "access")
    assert said is not None
    assert "access: 100" in NVUE_YAML.splitlines()[said.at.line - 1]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("swp1-3", ["swp1", "swp2", "swp3"]),
        ("swp1-2s0-1", ["swp1s0", "swp1s1", "swp2s0", "swp2s1"]),
        ("swp5,7,bond1-2", ["swp5", "swp7", "bond1", "bond2"]),
        ("swp1", ["swp1"]),
        ("lo", ["lo"]),
        ("my-bond", ["my-bond"]),
        ("swp1-99999", ["swp1-99999"]),
        ("swp9-2", []),
        ("1-2", ["1-2"]),
        ("", [""]),
    ],
)
def test_members_of_a_word(word: str, found: list[str]) -> None:
    assert members(word) == found


def test_forms_of_eos() -> None:
    assert ports("eos.txt")["Ethernet1/1"] == {"access": 100, "mtu": 9214, "speed": 400_000}
    said = imported("eos.txt").site.prefixed("svi", ("leaf-1", "100"), "address/")
    assert [address for address, _ in said] == ["172.16.0.1/24"]


def test_forms_of_nxos() -> None:
    assert ports("nxos.txt")["Ethernet1/1"] == {"access": 101, "mtu": 9216, "speed": 400_000}


def test_forms_of_junos() -> None:
    """What is deactivated stays in ``display set``."""
    found = ports("junos.txt")
    assert found["et-0/0/16"] == {"access": 102, "tagged": ("200",)}
    assert found["et-0/0/17"] == {"access": 102, "odd_qos": "queues of DSCP, trust"}
    assert "et-0/0/19" not in found
    assert imported("junos.txt").site.listed("class", ("3",), "dscp") == ("26", "27")


@pytest.mark.parametrize(
    ("nos", "text", "neighbours"),
    [
        ("arista-eos", EOS, {"10.1.0.1": 65100}),
        ("cisco-nxos", NXOS, {"10.1.0.5": 65100, "10.1.0.7": 65101, "10.1.0.9": 65102}),
        ("juniper-junos", JUNOS, {"10.1.0.9": 65100, "10.1.0.11": 65101}),
    ],
)
def test_neighbours_of_a_group(nos: str, text: str, neighbours: dict[str, int]) -> None:
    read = read_switch("x", nos, {"interfaces.txt": text})
    assert {str(each.address): each.remote_as for each in read.neighbours} == neighbours


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("leaf-1.yaml", {"vlan100: the address"}),
        ("leaf-2.txt", {"swp3 is in a LAG"}),
        (
            "eos.txt",
            {
                "Ethernet3/1 is in a LAG",
                "Vlan200: the address shared",
                "Ethernet62/1 is in a VRF",
                "Vlan100: the address is taken",
            },
        ),
        ("nxos.txt", {"Ethernet1/3 is in a LAG", "Vlan101: the address", "Ethernet1/4 is in a VRF"}),
        (
            "junos.txt",
            {
                "et-0/0/18 is in a LAG",
                "irb unit 102: the address",
                "groups RAIL: configuration groups",
                "routing-instances RDMA is in a VRF",
                "interfaces et-0/0/19: inactive statements",
            },
        ),
    ],
)
def test_what_is_not_taken_is_told_with_its_line(file: str, told: set[str]) -> None:
    elsewhere = ("gratuitous ARP", "a BGP session beyond", "no rail and no network")
    remarks = [each for each in imported(file).remarks if not any(part in each.text for part in elsewhere)]
    lines = TEXTS[file].splitlines()
    found = {next(text for text in told if f": {text}" in each.text) for each in remarks}
    assert (found, len(remarks)) == (told, len(told))
    for each in remarks:
        name = each.text.partition(": ")[2].removeprefix("lines of ").split()[0].strip(":,")
        block = [n for n in range(each.at.line) if lines[n].lstrip().startswith(("interface ", "vlan"))]
        assert name in lines[each.at.line - 1] or name in lines[block[-1]]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "! Command: show running-config\nhostname leaf-1\ninterface Ethernet1/1\n"
            "   switchport trunk native vlan 10\n   switchport trunk allowed vlan 10,330\n"
            "   switchport mode trunk\n",
            4,
        ),
        (
            "set version 23.4R2\nset system host-name leaf-1\n"
            "set interfaces et-0/0/0 unit 0 family ethernet-switching interface-mode trunk\n"
            "set interfaces et-0/0/0 native-vlan-id 10\n"
            "set interfaces et-0/0/0 unit 0 family ethernet-switching vlan members [ BOOT 330 ]\n"
            "set vlans BOOT vlan-id 10\n",
            4,
        ),
    ],
)
def test_a_native_vlan_has_its_line(text: str, line: int) -> None:
    site = import_texts({"leaf-1.txt": text}, "x").site
    (of,) = site.every("port")
    said = site.said("port", of, "access")
    assert said is not None
    assert (said.value, said.at.line) == (10, line)
    assert site.listed("port", of, "tagged") == ("330",)
    told = import_texts({"leaf-1.txt": text.replace("10,330", "330").replace("BOOT 330", "330")}, "x").remarks
    assert [each.at.line for each in told if "native VLAN is not among the VLANs" in str(each)] == [line]


def test_the_native_vlan_of_a_trunk_without_others_has_its_line() -> None:
    head = "! Command: show running-config\nhostname leaf-1\ninterface Ethernet1/1\n"
    trunk = (
        "   switchport trunk native vlan 10\n   switchport trunk allowed vlan 10\n   switchport mode trunk\n"
    )
    site = import_texts({"leaf-1.txt": head + trunk}, "x").site
    said = site.said("port", ("leaf-1", "Ethernet1/1"), "access")
    assert said is not None
    assert (said.value, said.at.line) == (10, 4)


ONYX = """\
##
## Running database "initial"
## Hostname: leaf-1
##

##
## Running-config temporary prefix mode setting
##
no cli default prefix-modes enable

##
## Interface Ethernet configuration
##
   interface ethernet 1/1 speed 100G force
   interface ethernet 1/1 mtu 9216 force
   interface ethernet 1/1 switchport access vlan 100
   interface ethernet 1/2 switchport mode trunk
   interface ethernet 1/2 switchport trunk allowed-vlan none
   interface ethernet 1/2 switchport trunk allowed-vlan 100
   interface ethernet 1/3 no switchport force
   interface ethernet 1/3 ip address 10.1.0.0/31 primary

##
## VLAN configuration
##
   vlan 100
   interface vlan 100
   interface vlan 100 ip address 172.16.0.1/24 primary
   interface loopback 0 ip address 10.255.0.1/32 primary

##
## BGP configuration
##
   protocol bgp
   router bgp 65001 vrf default
"""
"""As ``show running-config`` prints it: intel/mfd-switchmanagement c79b9e18
tests/unit/test_mfd_switchmanagement/test_vendors/test_mellanox/test_mellanox.py, with values of our own."""


def test_onyx_indents_every_line_below_a_heading() -> None:
    site = import_texts({"leaf-1.txt": ONYX}, "site").site
    port = {name: said.value for name, said in site.fields("port", ("leaf-1", "1/1")).items()}
    assert port == {"there": True, "alias": "Eth1/1", "speed": 100000, "mtu": 9216, "access": 100}
    assert site.listed("port", ("leaf-1", "1/2"), "tagged") == ("100",)
    assert [name for name, _ in site.prefixed("port", ("leaf-1", "1/3"), "address/")] == ["10.1.0.0/31"]
    assert [name for name, _ in site.prefixed("svi", ("leaf-1", "100"), "address/")] == ["172.16.0.1/24"]
    assert site.text("switch", ("leaf-1",), "loopback") == "10.255.0.1"
    assert site.number("switch", ("leaf-1",), "asn") == 65001


ROUTER = {
    "eos.txt": ("router bgp 65001\n", "router bgp 65001\n   router-id 10.9.9.1\n"),
    "nxos.txt": ("router bgp 65002\n", "router bgp 65002\n  router-id 10.9.9.1\n"),
    "junos.txt": ("set vlans", "set routing-options router-id 10.9.9.1\nset vlans"),
    "leaf-2.txt": ("nv set system", "nv set router bgp router-id 10.9.9.1\nnv set system"),
}


@pytest.mark.parametrize("file", ROUTER)
def test_the_router_id_stays(file: str) -> None:
    text = TEXTS[file].replace(*ROUTER[file], 1)
    (row,) = data(import_texts({file: text}, "x"))["switches"].values()
    assert row["router_id"] == "10.9.9.1"
    (row,) = data(imported(file))["switches"].values()
    assert "router_id" not in row


@pytest.mark.parametrize(
    ("file", "heading", "mtu", "told"),
    [
        ("eos.txt", "interface Vlan100\n", "   mtu 1500\n", "IP MTU 1,500 of VLAN 100"),
        ("eos.txt", "interface Vlan100\n", "   mtu 9214\n", ""),
        ("nxos.txt", "interface Vlan101\n", "  mtu 1500\n", "IP MTU 1,500 of VLAN 101"),
        ("nxos.txt", "interface Vlan101\n", "  mtu 9216\n", ""),
    ],
)
def test_another_mtu_of_a_vlan_is_told(file: str, heading: str, mtu: str, told: str) -> None:
    text = TEXTS[file].replace(heading, heading + mtu)
    found = [each for each in import_texts({file: text}, "x").remarks if "MTU" in each.text]
    assert [told in each.text for each in found] == [True] * bool(told)
    assert [text.splitlines()[each.at.line - 1].strip() for each in found] == [mtu.strip()] * len(found)
