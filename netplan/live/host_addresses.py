"""Addresses of a host beside its planned cards: those of a rail, or of a planned card, on another interface.

Shape: ``ip -d -j addr``, as ``netplan/importing/bare/printed_json.py`` has it. An interface is no planned
card if it is made (``linkinfo``, but ``ipoib``), or of another function (``parentdev``); of any other one
nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netaddr import IPNetwork

from netplan.importing.bare.rows import address
from netplan.live.cards import pci_of
from netplan.live.model import Reading
from netplan.live.objects import mapping, objects, text
from netplan.model.document import Places
from netplan.model.hardware import Host
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.model.values import parse_network
from netplan.reading.config_db.scan import scan
from netplan.records import dataclass

FIELD = "addresses of a rail"
"""Of an interface, by its name: no card of the plan has it."""


@dataclass(frozen=True, slots=True)
class Rails:
    """``networks``: of ports of rails; ``lengths``: of their prefixes. ``addresses``: of planned interfaces
    of hosts, without their lengths."""

    networks: frozenset[IPNetwork]
    lengths: frozenset[int]
    addresses: frozenset[str]

    def has(self, own: IPNetwork) -> bool:
        if str(own.ip) in self.addresses:
            return True
        most = 32 if own.version == 4 else 128
        around = (IPNetwork(f"{own.ip}/{length}").cidr for length in self.lengths if length <= most)
        return any(network in self.networks for network in around)


def rails_of(plan: Plan) -> Rails:
    networks = frozenset(each.cidr for switch in plan.switches for each in _of_switch(switch))
    planned = (each for host in plan.hosts for network in host.networks for each in network.addresses)
    addresses = frozenset(str(each).partition("/")[0] for each in planned)
    return Rails(networks, frozenset(each.prefixlen for each in networks), addresses)


def _of_switch(switch: SwitchPlan) -> Iterator[IPNetwork]:
    ports = [port for port in switch.ports if port.rail is not None and port.kind == "host"]
    vlans = {str(vlan) for port in ports for vlan in port.vlans}
    yield from (each.network for port in ports for each in port.addresses)
    for vlan in switch.vlans:
        if str(vlan.id) in vlans:
            yield from (each.network for each in vlan.addresses)


def beside_cards(host: Host, name: str, shown: str, rails: Rails, places: Places) -> Iterator[Reading]:
    """``shown``: what ``ip`` printed."""
    if '"addr_info"' not in shown:
        return
    cards = {pci_of(host, hca) for hca in host.type.hcas}
    for row in objects(scan(name, shown, places).data):
        found = list(_strange(objects(row.get("addr_info")), rails)) if _is_no_card(row, cards) else []
        if found:
            at = places.source_of(row, "addr_info")
            words = " ".join(sorted(found))
            yield Reading(
                where=host.name, kind="card", subject=text(row, "ifname"), field=FIELD, found=words, at=at
            )


def _is_no_card(row: dict[str, Any], cards: Iterable[str]) -> bool:
    made = text(mapping(row, "linkinfo"), "info_kind")
    function = address(text(row, "parentdev"))
    return made not in ("", "ipoib") or bool(function and function not in cards)


def _strange(shown: Iterable[dict[str, Any]], rails: Rails) -> Iterator[str]:
    for each in shown:
        own = parse_network(f"{text(each, 'local')}/{text(each, 'prefixlen')}")
        if own is not None and text(each, "scope") == "global" and rails.has(own):
            yield str(own)
