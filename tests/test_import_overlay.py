"""``netplan import`` of fabrics whose rails are stretched by VXLAN over routed uplinks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, refused, todo_lines
from tests.test_import_fabric import stretched_dumps


def stretched(**tables: Any) -> Imported:
    """Two leaves with both rails, each with the tables added."""
    texts = stretched_dumps()
    for leaf in ("leaf-1.json", "leaf-2.json"):
        texts[leaf] = json.dumps({**json.loads(texts[leaf]), **tables}, indent=1)
    return import_texts(texts, "site")


def line_of(result: Imported, key: str) -> str:
    (found,) = [line for line in result.text.splitlines() if line.startswith(f"  {key}:")]
    return found


VNIS = {
    "VXLAN_TUNNEL": {"vtep": {"src_ip": "10.255.0.1"}},
    "VXLAN_EVPN_NVO": {"nvo": {"source_vtep": "vtep"}},
    "VXLAN_TUNNEL_MAP": {
        "vtep|map_10100_Vlan100": {"vlan": "Vlan100", "vni": "10100"},
        "vtep|map_10101_Vlan101": {"vlan": "Vlan101", "vni": "10101"},
    },
    "SAG": {"GLOBAL": {"gateway_mac": "00:00:5e:00:01:01"}},
}


def test_rails_that_vxlan_stretches_are_asked_about() -> None:
    result = stretched(**VNIS)
    line = line_of(result, "segment")
    lines = json.dumps({**json.loads(stretched_dumps()["leaf-1.json"]), **VNIS}, indent=1).splitlines()
    at = next(number for number, text in enumerate(lines, 1) if '"vni": "10100"' in text)
    assert "an inventory cannot express this: one subnet of a rail on several leaves with routed" in line
    assert f"VLAN 100 is VNI 10100 on leaf-1 (leaf-1.json:{at})" in line
    assert data(result)["rails"]["supernets"] == ["10.1.0.0/23"]
    assert set(todo_lines(result.text)) == refused(result.text)
    told = [str(each) for each in result.remarks]
    assert all(any(f"leaf-1: {table} " in text for text in told) for table in VNIS)
    assert all(text.endswith("(and 1 more)") for text in told)


def test_stretched_rails_with_routed_uplinks_alone() -> None:
    """No VNI is in config_db, as with FRR's own files."""
    uplinks = {
        "PORT": {f"Ethernet{n}": {"speed": "100000", "mtu": "9216"} for n in (0, 4, 64)},
        "INTERFACE": {"Ethernet64": {}, "Ethernet64|10.254.0.0/31": {}},
        "DEVICE_NEIGHBOR": {"Ethernet64": {"name": "spine-1", "port": "Ethernet0"}},
    }
    spine = {"DEVICE_METADATA": {"localhost": {"hostname": "spine-1"}}, "PORT": {"Ethernet0": {}}}
    texts = {**stretched_dumps(), "spine-1.json": json.dumps(spine)}
    before = json.loads(texts["leaf-1.json"])
    assert data(import_texts(texts, "site"))["rails"]["segment"] == "stretched"
    texts["leaf-1.json"] = json.dumps({**before, **uplinks})
    line = line_of(import_texts(texts, "site"), "segment")
    assert "leaf-1 Ethernet64 has 10.254.0.0/31 (leaf-1.json:1); no dump shows a VXLAN" in line


NVUE = """\
- set:
    bridge:
      domain:
        br_default:
          vlan:
            '100':
              multicast: {}
              vni:
                '10100': {}
            '200': {}
    evpn:
      state: enabled
    nve:
      vxlan:
        source:
          address: 10.255.0.1
    system:
      hostname: leaf-1
"""
NVUE_COMMANDS = """\
nv set bridge domain br_default vlan 100 vni 10100
nv set bridge domain br_default vlan 200
nv set nve vxlan source address 10.255.0.1
nv set system hostname leaf-1
"""
EOS = """\
! Command: show running-config
hostname leaf-1
vlan 100,200
interface Vlan100
   ip address virtual 172.20.0.1/24
interface Vxlan1
   vxlan source-interface Loopback1
   vxlan vlan 100 vni 10100
   vxlan vrf BLUE vni 20000
"""
NXOS = """\
!Command: show running-config
hostname leaf-1
vlan 1,100,200
vlan 100
  name rail0
  vn-segment 10100
vlan 200
interface Vlan100
  ip address 172.20.0.1/24
  fabric forwarding mode anycast-gateway
interface nve1
  member vni 10100
"""
JUNOS = """\
set version 23.4R2
set system host-name leaf-1
set switch-options vtep-source-interface lo0.0
set vlans rail0 vlan-id 100
set vlans rail0 l3-interface irb.100
set vlans rail0 vxlan vni 10100
set vlans other vlan-id 200
"""


@pytest.mark.parametrize(
    ("text", "stated", "told"),
    [
        (NVUE, "'10100'", {"nve vxlan: VXLAN", "EVPN"}),
        (NVUE_COMMANDS, "vni 10100", {"nve vxlan: VXLAN"}),
        (EOS, "vlan 100 vni 10100", {"Vxlan1: VXLAN", "Vlan100: the address is taken, an anycast"}),
        (NXOS, "vn-segment 10100", {"nve1: VXLAN", "Vlan100: the address is taken, an anycast"}),
        (JUNOS, "vxlan vni 10100", {"switch-options vtep-source-interface: VXLAN"}),
    ],
)
def test_vnis_of_running_configurations(text: str, stated: str, told: set[str]) -> None:
    result = import_texts({"leaf-1.txt": text}, "x")
    found = {of: said for of in result.site.every("svi") if (said := result.site.said("svi", of, "vni"))}
    ((of, said),) = found.items()
    assert (of, said.value) == (("leaf-1", "100"), "10100")
    assert stated in text.splitlines()[said.at.line - 1]
    elsewhere = ("gratuitous ARP", "no rail and no network")
    texts = [str(each) for each in result.remarks if not any(part in each.text for part in elsewhere)]
    assert {part for part in told if any(f"leaf-1: {part}" in each for each in texts)} == told
    assert len(texts) == len(told)


def test_a_list_of_vlans_with_vnis() -> None:
    text = EOS.replace("vlan 100 vni 10100", "vlan 100-101,200 vni 10100-10101,10200")
    assert import_texts({"leaf-1.txt": text}, "x").site.every("svi") == [
        ("leaf-1", "100"),
        ("leaf-1", "101"),
        ("leaf-1", "200"),
    ]
