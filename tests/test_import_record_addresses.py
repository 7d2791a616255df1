"""``netplan import`` of addresses, VRFs and platforms of record."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cluster_dumps
from tests.test_import import FILES, data
from tests.test_import_record import NetBox, recorded
from tests.test_import_record_ports import address, interface, names_of, port

SHARED = "an address shared by several switches is not taken; state it as the gateway if hosts use it"


def imported(box: NetBox) -> Imported:
    """Without the pools of the cluster."""
    cluster = {name: text for name, text in cluster_dumps(FILES).items() if "ipam" not in name}
    return import_texts({**cluster, **box.pages()}, "site")


def with_gateways() -> NetBox:
    box = recorded()
    for rail in range(4):
        leaf = f"leaf-{rail + 1}"
        interface(box, leaf, f"Vlan{100 + rail}", "virtual")
        address(box, leaf, f"Vlan{100 + rail}", f"10.1.{rail}.1/24")
    return box


def again(box: NetBox, host_part: str, **fields: Any) -> None:
    """A second address on each VLAN interface."""
    for rail in range(4):
        leaf, name = f"leaf-{rail + 1}", f"Vlan{100 + rail}"
        held = box.brief(port(box, leaf, name), "name")
        held["device"] = box.brief(box.known["dcim/devices", leaf], "name")
        text = f"10.1.{rail}.{host_part}/24"
        box.new("ipam/ip-addresses", leaf, text, address=text, assigned_object=held, **fields)


@pytest.mark.parametrize(
    ("role", "why"),
    [
        ("vrrp", SHARED),
        ("anycast", SHARED),
        ("secondary", "an inventory has one address of each family on a VLAN interface"),
    ],
)
def test_addresses_with_a_role_are_told_and_leave_the_others(role: str, why: str) -> None:
    box = with_gateways()
    again(box, "254", role={"value": role, "label": role})
    result = imported(box)
    (remark,) = [each.text for each in result.remarks if "role" in each.text]
    assert remark == f"leaf-1 Vlan100 10.1.0.254/24 has role {role}: {why} (and 3 more)"
    rails = data(result)["rails"]
    assert (rails["supernets"], rails["gateway"]) == (["10.1.0.0/22"], "first")


def test_addresses_of_hosts_on_their_cards_are_reserved() -> None:
    box = with_gateways()
    address(box, "gpu-001", names_of(box, "gpu-001")[0], "10.1.0.77/24")
    result = imported(box)
    assert data(result)["rails"]["reserved"] == ["10.1.0.77"]
    assert "ipam-ip-addresses.json:" in next(line for line in result.text.splitlines() if "reserved:" in line)


def in_vrf(box: NetBox, device: str, name: str, vrf: str) -> None:
    port(box, device, name)["vrf"] = {"id": 9, "url": "u", "display": vrf, "name": vrf}


def test_vrfs_are_told_once_each_without_that_of_management() -> None:
    box = with_gateways()
    for rail in range(4):
        in_vrf(box, f"leaf-{rail + 1}", f"Vlan{100 + rail}", "GPU")
        interface(box, f"leaf-{rail + 1}", "eth0", "1000base-t")
        in_vrf(box, f"leaf-{rail + 1}", "eth0", "mgmt")
    told = [each.text for each in imported(box).remarks if "VRF" in each.text]
    assert told == ["leaf-1 Vlan100 is in VRF GPU: addresses are taken, the VRF is not (and 3 more)"]


def test_as_numbers_are_of_sites_and_told_once() -> None:
    box = with_gateways()
    for number in (65001, 65002, 65003):
        box.new("ipam/asns", str(number), asn=number)
    (told,) = (each.text for each in imported(box).remarks if "AS number" in each.text)
    why = "not taken, the record does not say which switch has it; configurations do"
    assert told == f"AS number '65001': {why} (and 2 more, also '65002', '65003')"


@pytest.mark.parametrize(
    ("platform", "nos"),
    [
        ("Cumulus Linux 5.14", "cumulus-nvue"),
        ("SONiC 202505", "sonic"),
        ("Arista EOS", "arista-eos"),
        ("eos", "arista-eos"),
        ("Cisco NX-OS 10.4", "cisco-nxos"),
        ("Junos", "juniper-junos"),
        ("videos", "TODO"),
        ("", "TODO"),
    ],
)
def test_the_nos_that_a_platform_of_record_names(platform: str, nos: str) -> None:
    box, stated = recorded(), {"id": 3, "url": "u", "name": platform} if platform else None
    for name in ("leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1", "spine-2"):
        box.known["dcim/devices", name]["platform"] = stated
    result = imported(box)
    assert data(result)["switch_types"]["msn2700"]["nos"] == nos
    line = next(line for line in result.text.splitlines() if " nos:" in line)
    assert (f"platform {platform}, dcim-devices.json:" in line) is bool(platform)
