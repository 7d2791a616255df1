"""``check-live``: ``nv show interface -o json`` of leaf-2: no address, another VRF, ports in a bond."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.live.judge import Live
from tests.test_check_live_json import live, outputs, switch, told
from tests.test_check_live_json_more import with_change

FILE, PORT, SVI = "leaf-2-ports.json", "swp17", "vlan101"
"""A routed port, and the gateway of a rail."""


def planned(interface: str) -> str:
    leaf = switch("leaf-2")
    ports = [port.addresses for port in leaf.ports if port.name == interface]
    vlans = [vlan.addresses for vlan in leaf.vlans if f"vlan{vlan.id}" == interface]
    return " ".join(str(address) for found in (ports + vlans) for address in found)


def with_values(interface: str, **values: Any) -> Live:
    return with_change(FILE, lambda data: data[interface].update(values))


def unseen(found: Live) -> set[tuple[str, str]]:
    return {(one.claim.subject, one.claim.field) for one in found.not_seen}


NONE = [
    {"ip": {"address": {}}},
    {"ip": {"address": {"fe80::1/64": {}}}},
    {"ip": {"vrf": "default"}, "ipv4": {"address": {}}, "ipv6": {"address": {"fe80::1/64": {}}}},
]


@pytest.mark.parametrize(("interface", "subject"), [(PORT, PORT), (SVI, "101")])
@pytest.mark.parametrize("shown", NONE)
def test_a_list_without_the_planned_address_is_wrong(
    interface: str, subject: str, shown: dict[str, Any]
) -> None:
    assert told(with_values(interface, **shown)) == [f"{subject} addresses: {planned(interface)}, "]


@pytest.mark.parametrize(("interface", "subject"), [(PORT, PORT), (SVI, "101")])
@pytest.mark.parametrize("shown", [{}, {"vrf": "default"}, {"address": "auto"}])
def test_an_interface_without_a_list_of_addresses_is_not_seen(
    interface: str, subject: str, shown: dict[str, Any]
) -> None:
    found = with_values(interface, ip=shown)
    assert (told(found), (subject, "addresses") in unseen(found)) == ([], True)


@pytest.mark.parametrize(("interface", "subject"), [(PORT, PORT), (SVI, "101"), ("swp1", "swp1")])
@pytest.mark.parametrize("by_family", [False, True])
def test_an_interface_in_another_vrf_is_wrong(interface: str, subject: str, by_family: bool) -> None:
    """Until 5.14 the VRF stands below ip, as the addresses do."""

    def in_red(data: Any) -> None:
        if by_family:
            data[interface].update(vrf="RED", ipv4=data[interface].pop("ip"))
        else:
            data[interface]["ip"]["vrf"] = "RED"

    assert told(with_change(FILE, in_red)) == [f"{subject} VRF: default, RED"]


def test_a_vrf_that_is_not_shown_is_not_missed() -> None:
    found = with_change(FILE, lambda data: data[PORT]["ip"].pop("vrf"))
    assert told(found) == []
    assert (PORT, "VRF") not in unseen(found)


@pytest.mark.parametrize("bond", ["bond1", "peerlink"])
def test_planned_ports_in_a_bond_are_wrong(bond: str) -> None:
    members: dict[str, Any] = {"swp1": {}, PORT: {}, "swp60": {}}
    row = {"type": "bond", "bond": {"mode": "lacp", "member": members}, "link": {"oper-status": "up"}}
    found = with_change(FILE, lambda data: data.update({bond: row}))
    assert told(found) == [f"swp1 bond: , {bond}", f"{PORT} bond: , {bond}"]


def test_a_bond_of_other_ports_is_none_of_the_plans() -> None:
    row = {"type": "bond", "bond": {"member": {"swp60": {}}}, "ip": {"address": {}, "vrf": "RED"}}
    assert told(with_change(FILE, lambda data: data.update(bond1=row))) == []


def test_ports_without_any_value_of_now_may_be_a_stored_configuration() -> None:
    """As the REST API answers ``?rev=applied``."""
    ports = ("swp1", PORT)
    stored = {port: {"link": {"mtu": 9100, "state": {"up": {}}}, "type": "swp"} for port in ports}
    found = live({"leaf-2.json": json.dumps(stored)})
    assert found.judged == ()
    assert ["stored configuration" in why for _, why in found.unread] == [True]
    stored[PORT]["link"] = {"mtu": 9100, "state": {"up": {}}, "mac": "44:38:39:00:00:01"}
    running = live({"leaf-2.json": json.dumps(stored)})
    assert (told(running), running.unread) == ([], ())


@pytest.mark.parametrize(("rev", "read"), [("applied", False), ("startup", False), ("operational", True)])
def test_the_revision_that_the_rest_api_was_asked_for_counts(rev: str, read: bool) -> None:
    prompt = "cumulus@leaf-2:mgmt:~$"
    command = f'curl -k -u cumulus "https://127.0.0.1:8765/nvue_v1/interface?rev={rev}"'
    found = live({"x.txt": f"{prompt} {command}\n{outputs('leaf-2')[FILE]}\n{prompt}\n"})
    assert (found.wrong, bool(found.judged)) == ((), read)
