"""Routed interfaces of a switch that share a subnet, read from the text of each kind of NOS."""

from __future__ import annotations

import json

import pytest

from netplan.graph.subnets import shared_subnets
from netplan.reading.switches import read_switch

SVI = {
    "arista-eos": "interface Vlan{vlan}\n   ip address {address}\n",
    "cisco-nxos": "interface Vlan{vlan}\n  ip address {address}\n",
    "cumulus-nvue": "nv set interface vlan{vlan} ip address {address}\n",
    "dell-os10": "interface vlan {vlan}\n ip address {address}\n exit\n",
    "h3c-comware": "interface Vlan-interface{vlan}\n ip address {address} 24\n quit\n",
    "huawei-vrp": "interface Vlanif{vlan}\n ip address {address} 24\n quit\n",
    "juniper-junos": "set vlans v{vlan} vlan-id {vlan}\nset vlans v{vlan} l3-interface irb.{vlan}\n"
    "set interfaces irb unit {vlan} family inet address {address}\n",
    "onyx": "interface vlan {vlan} ip address {address}\n",
}


def shared(nos: str, addresses: dict[int, str]) -> list[str]:
    plain = nos in ("h3c-comware", "huawei-vrp")
    text = "".join(
        SVI[nos].format(vlan=vlan, address=address.partition("/")[0] if plain else address)
        for vlan, address in addresses.items()
    )
    return [str(each) for each in shared_subnets(read_switch("leaf", nos, {"interfaces.txt": text}))]


@pytest.mark.parametrize("nos", sorted(SVI))
def test_two_svis_with_one_address(nos: str) -> None:
    assert shared(nos, {300: "10.0.0.1/24", 200: "10.0.0.1/24"}) == [
        "Vlan200 (10.0.0.1/24) is in one subnet with Vlan300 (10.0.0.1/24)"
    ]
    assert shared(nos, {300: "10.0.0.1/24", 200: "10.0.1.1/24"}) == []


def test_a_subnet_in_another_one_and_three_alike() -> None:
    nested = shared("arista-eos", {1: "10.0.0.1/24", 2: "10.0.0.129/25", 3: "10.0.1.1/24"})
    assert nested == ["Vlan2 (10.0.0.129/25) is in one subnet with Vlan1 (10.0.0.1/24)"]
    assert len(shared("arista-eos", {1: "10.0.0.1/24", 2: "10.0.0.1/24", 3: "10.0.0.1/24"})) == 3


def test_two_addresses_of_one_interface_and_link_local_ones_are_no_clash() -> None:
    text = "interface Vlan1\n   ipv6 address fe80::1/64\n   ip address 10.0.0.1/24\n"
    text += "   ip address 10.0.0.2/24 secondary\ninterface Vlan2\n   ipv6 address fe80::1/64\n"
    assert shared_subnets(read_switch("leaf", "arista-eos", {"interfaces.txt": text})) == ()


def test_a_port_and_a_vlan() -> None:
    data: dict[str, dict[str, dict[str, str]]] = {
        "VLAN": {"Vlan1": {}},
        "VLAN_INTERFACE": {"Vlan1": {}, "Vlan1|10.0.0.1/24": {}},
        "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.2/31": {}},
    }
    (found,) = shared_subnets(read_switch("leaf", "sonic", {"interfaces.json": json.dumps(data)}))
    assert (found.first.name, found.second.name) == ("Vlan1", "Ethernet0")
    assert [found.has(1, None), found.has(None, "Ethernet0"), found.has(2, None)] == [True, True, False]
