"""NP894 compares ports of one kind: uplinks and peer links differ from host ports on purpose."""

from __future__ import annotations

from typing import Any

from netplan.config_db import judge_texts
from tests.sonic_corpus import corpus, merged, texts

LEAF = corpus()["leaf-1.json"]
HOSTS = [key.partition("|")[2] for key in LEAF["VLAN_MEMBER"]]
SHORT = {"PORT": {port: {"mtu": "9100"} for port in HOSTS}}
PEER_LINK = ("Ethernet96", "Ethernet100")


def unlike(*changes: dict[str, Any]) -> list[str]:
    leaf: Any = LEAF
    for change in changes:
        leaf = merged(leaf, change)
    found = judge_texts(texts({"leaf-1.json": leaf})).diagnostics
    return [each.message for each in found if each.code == "NP894"]


def routed(ports: list[str]) -> dict[str, Any]:
    rows = {
        key: dict[str, str]()
        for number, port in enumerate(ports)
        for key in (port, f"{port}|10.50.{number}.0/31")
    }
    return {"VLAN": None, "VLAN_MEMBER": None, "VLAN_INTERFACE": None, "INTERFACE": rows}


def test_uplinks_have_sessions_and_host_ports_have_none() -> None:
    few = {f"Ethernet{4 * number}": None for number in range(20, 24)}
    addresses = {key: None for key in LEAF["INTERFACE"] if key.partition("|")[0] in few}
    assert unlike(SHORT, routed(HOSTS), {"INTERFACE": addresses}) == []


def test_a_host_port_is_compared_with_host_ports() -> None:
    (found,) = unlike(SHORT, routed(HOSTS), {"PORT": {HOSTS[0]: {"mtu": "9216"}}})
    assert found.startswith("Ethernet0 has mtu 9216, 15 other routed ports of speed 100000 have mtu 9100")


def test_a_peer_link_is_in_a_port_channel() -> None:
    link = {
        "PORT": {port: {"admin_status": "up"} for port in PEER_LINK},
        "PORTCHANNEL": {"PortChannel99": {"admin_status": "up", "mtu": "9216"}},
        "PORTCHANNEL_MEMBER": {f"PortChannel99|{port}": {} for port in PEER_LINK},
        "VLAN_MEMBER": {"Vlan100|PortChannel99": {"tagging_mode": "tagged"}},
    }
    assert unlike(SHORT, link) == []
