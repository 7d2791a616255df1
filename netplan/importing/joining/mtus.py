"""MTU of the cards for which netplan renders it: ``fabric.mtu``, whatever the networks of the pods have."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Said, place
from netplan.importing.joining.hosts import cards_by_node
from netplan.importing.joining.known import Change, Known
from netplan.importing.networks import NetworkRow
from netplan.importing.text import Entry, Section
from netplan.model.ranges import gathered
from netplan.report import few

_SHOWN = 4


def mtu_changes(
    known: Known, cards: Iterable[Card], rows: Iterable[NetworkRow], fabric: Section
) -> Iterator[Change]:
    """Cards of one MTU are one change, and so are networks. ``fabric``: the section of the dumps, whose MTU
    is compared by itself."""
    entry, planned = fabric.get("mtu"), known.fabric.mtu
    told = entry.value if isinstance(entry, Entry) else planned
    yield from _of_networks(known, rows, (planned, told))
    found: dict[object, dict[str, list[str]]] = {}
    first: dict[object, Said] = {}
    for name, mine in cards_by_node(cards).items():
        host = known.hosts.get(name)
        for hca_name, card in (known.names(host, mine) if host else {}).items():
            said, hca = card.fields.get("mtu"), host.type.hca(hca_name) if host else None
            if said is None or hca is None or not hca.has_fabric_mtu or said.value in (planned, told):
                continue
            found.setdefault(said.value, {}).setdefault(name, []).append(hca_name)
            first.setdefault(said.value, said)
    for value, hosts in found.items():
        what = f"{planned} ({known.at(('fabric', 'mtu'))}) or {value} on {_cards(hosts)}"
        yield Change("differs", "fabric.mtu", f"{what} ({place(first[value].at)})")


def _of_networks(known: Known, rows: Iterable[NetworkRow], usual: Container[object]) -> Iterator[Change]:
    found: dict[object, dict[str, Said]] = {}
    for part in (part for row in rows for part in row.parts):
        if (said := part.fields.get("mtu")) is not None and said.value not in usual:
            found.setdefault(said.value, {})[part.of[1]] = said
    for value, own in found.items():
        names, at = few([*own], _SHOWN), place(next(iter(own.values())).at)
        what = f"{known.fabric.mtu} ({known.at(('fabric', 'mtu'))}) or {value} on networks {names} ({at})"
        yield Change("differs", "fabric.mtu", what)


def _cards(hosts: dict[str, list[str]]) -> str:
    """``gpu-[1-8] roce[0-7]``: hosts with the same HCAs together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for host, names in hosts.items():
        groups.setdefault(tuple(names), []).append(host)
    return ", ".join(f"{gathered(group)} {gathered(names)}" for names, group in groups.items())
