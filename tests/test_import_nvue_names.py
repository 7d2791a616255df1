"""``netplan import``: bridges and VLAN interfaces of NVUE under other names than netplan's."""

from __future__ import annotations

from typing import Any

import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state

PCI = ("0000:18:00.0", "0000:3b:00.0")


def site(bridge: str = "br_default", svi: str = "vlan100") -> Imported:
    """A leaf of two hosts and two rails in VLANs 100 and 101."""
    objects, rows = [], ["switch,port,peer_kind,peer,peer_port,netdev"]
    ports = {}
    for number in (1, 2):
        name = f"gpu-{number}"
        objects += [node(name, {"k": "a"}, 8)]
        objects += [node_state(name, [interface(pci, f"ens{n}", 100) for n, pci in enumerate(PCI)])]
        for n in range(2):
            port = f"swp{2 * number + n}"
            rows.append(f"leaf-1,{port},host,{name},x,ens{n}")
            ports[port] = {"bridge": {"domain": {bridge: {"access": 100 + n}}}, "link": {"mtu": 9216}}
    svis = {
        svi: {"type": "svi", "vlan": 100, "ip": {"address": {"10.1.0.1/24": {}}}},
        "vlan101": {"type": "svi", "vlan": 101, "ip": {"address": {"10.1.1.1/24": {}}}},
        "swp9.300": {"base-interface": "swp9", "vlan": 300, "ip": {"address": {"10.9.0.1/24": {}}}},
    }
    vlans: dict[str, Any] = {"100": {}, "101": {}}
    tree = {
        "bridge": {"domain": {bridge: {"type": "vlan-aware", "vlan": vlans}}},
        "interface": {**ports, **svis},
        "system": {"hostname": "leaf-1"},
    }
    head = {"header": {"version": "Cumulus Linux 5.9.2"}}
    text = yaml.safe_dump([head, {"set": tree}], sort_keys=False)
    return import_texts({"k.yaml": listed(objects), "c.csv": "\n".join(rows) + "\n", "l.yaml": text}, "x")


def told(result: Imported, part: str) -> list[str]:
    return [each.text for each in result.remarks if part in each.text]


def test_the_vlans_of_another_bridge_are_asked_for() -> None:
    result = site(bridge="br_rail")
    assert told(result, "br_rail") == [
        "leaf-1: swp2 is in bridge br_rail: only VLANs of br_default are taken (3 more of this kind)"
    ]
    (line,) = [each for each in result.text.splitlines() if each.startswith("  vlan_ids: TODO")]
    assert "rail 0: leaf-1 swp2 is in bridge br_rail (l.yaml:" in line


def test_the_addresses_of_a_vlan_interface_of_another_name_are_those_of_its_vlan() -> None:
    result = site(svi="svi-rail")
    assert told(result, "svi-rail") == [
        "leaf-1: svi-rail is the interface of VLAN 100: netplan calls it otherwise, its addresses are taken"
    ]
    assert result.site.text("svi", ("leaf-1", "100"), "address/10.1.0.1/24") == "10.1.0.1/24"
    assert ("leaf-1", "300") not in result.site.every("svi")


def test_netplans_names_tell_nothing() -> None:
    result = site()
    assert told(result, "bridge") == told(result, "is the interface of") == []
    assert "vlan_ids: 100-101" in result.text


def test_a_port_of_which_only_the_type_is_stated_is_there() -> None:
    """Range of ports, as ``nv config show`` prints uplinks without addresses."""
    lines = "nv set system hostname leaf-1\nnv set interface swp60 link mtu 9216\n"
    found = import_texts({"l.txt": f"{lines}nv set interface swp61-62 type swp\n"}, "x").site
    assert [of[1] for of in found.every("port")] == ["swp60", "swp61", "swp62"]
