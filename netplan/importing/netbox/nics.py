"""Recorded interfaces of hosts, which become facts of the cards that have their names; and LAGs of switches.

``lag`` of an interface: netbox-community/netbox 43fe81f netbox/dcim/api/serializers_/device_components.py;
MAC addresses are ``mac_address``, since 4.2 that of ``primary_mac_address``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Of, Remark, Site, Value
from netplan.importing.netbox.objects import Object, Record
from netplan.importing.switch_lags import LAG, LAG_LEFT
from netplan.model.ranges import gathered
from netplan.model.values import natural
from netplan.report import few

_MAC = re.compile(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}")
MAC = "recorded_mac"
"""Field of a card."""
_SHOWN = 6
"""LAGs of one switch in a remark."""


@dataclass(frozen=True, slots=True)
class Nic:
    """What a record states of an interface of a host: ``field`` of the card. ``pci``: its address, if the
    record has it."""

    node: str
    netdev: str
    field: str
    value: Value
    at: Source
    pci: str = ""


def nics(record: Record, hosts: Container[str]) -> Iterator[Nic]:
    for interface in record.every("dcim/interfaces"):
        node, name = record.end(interface)
        if node not in hosts or not name:
            continue
        if mtu := record.number(interface, "mtu"):
            yield Nic(node, name, "mtu", mtu, record.at(interface, "mtu"))
        if mac := _mac(record, interface):
            yield Nic(node, name, MAC, mac, record.at(interface, "mac_address"))
        if lag := record.name(interface.get("lag")):
            yield Nic(node, name, "bond", lag, record.at(interface, "lag"))


def _mac(record: Record, interface: Object) -> str:
    """That of the interface, or of its own object."""
    own = record.other(interface.get("primary_mac_address")).get("mac_address")
    text = str(interface.get("mac_address") or own or "").lower()
    return text if _MAC.fullmatch(text) else ""


def nic_facts(found: Iterable[Nic], site: Site) -> Iterator[Fact]:
    """Of the cards that other files have. A PCI address that no other file has, of an interface that one has
    at another, is a contradiction about that card."""
    cards: dict[tuple[str, str], Of] = {}
    for of in sorted(site.every("card"), key=lambda of: site.said("card", of, "device") is None):
        if len(of) == 2 and (netdev := site.text("card", of, "netdev")):
            cards.setdefault((of[0].lower(), netdev), of)
    for nic in found:
        card = cards.get((nic.node.lower(), nic.netdev))
        if card is None or nic.pci == card[1]:
            continue
        own = site.said("card", card, "netdev")
        if not nic.pci:
            yield Fact("card", card, nic.field, nic.value, nic.at)
        elif own is not None and site.said("card", (card[0], nic.pci), "device") is None:
            yield Fact("card", card, "pci", nic.pci, nic.at)
            yield Fact("card", card, "pci", card[1], own.at)
            yield Fact("card", card, nic.field, nic.value, nic.at)


def lags(record: Record, switches: Container[str]) -> Iterator[Fact | Remark]:
    """The LAGs of each switch, with their ports; switches are alike."""
    ports: dict[str, dict[str, list[str]]] = {}
    places: dict[str, Source] = {}
    for interface in record.every("dcim/interfaces"):
        switch, name = record.end(interface)
        lag = record.name(interface.get("lag"))
        if switch in switches and name and lag:
            ports.setdefault(switch, {}).setdefault(lag, []).append(name)
            places.setdefault(switch, record.at(interface, "lag"))
            yield Fact("port", (switch, name), LAG, True, record.at(interface, "lag"))
    for switch, own in ports.items():
        shown = [f"{lag} of {gathered(sorted(names, key=natural))}" for lag, names in own.items()]
        yield Remark(places[switch], f"{switch} {few(shown, _SHOWN)}: {LAG_LEFT}", alike=f"LAG: {LAG_LEFT}")
