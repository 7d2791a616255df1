"""Ports of switches of which two sources cannot both be right: another speed than the card on the cable, a
VLAN tagged in one file and untagged in the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Fault, Said, Site, place


def port_clashes(site: Site, cards: Iterable[Card]) -> Iterator[Fault]:
    """The first of each kind, with the number of the others."""
    found: dict[tuple[object, ...], list[str]] = {}
    for key, why in (*_speeds(site, cards), *_tags(site)):
        found.setdefault(key, []).append(why)
    for whys in found.values():
        yield Fault(whys[0], len(whys) - 1)


def _speeds(site: Site, cards: Iterable[Card]) -> Iterator[tuple[tuple[object, ...], str]]:
    """Only of cards that state a speed themselves: a port without link states none."""
    for card in cards:
        port, own = site.listed("card", card.of, "port"), site.said("card", card.of, "speed_gbps")
        there = site.said("port", port, "speed") if port else None
        if own is None or there is None or not isinstance(own.value, int) or own.value * 1000 == there.value:
            continue
        name = f"{card.node} {card.text('netdev') or card.pci}"
        here = f"{name} runs at {own.value} Gbit/s ({place(own.at)})"
        why = f"{here}; {' '.join(port)}, its port, is set to {_gbps(there)} Gbit/s ({place(there.at)})"
        yield ("speed", own.value, there.value), why


def _gbps(said: Said) -> str:
    return f"{said.value / 1000:g}" if isinstance(said.value, int) else str(said.value)


def _tags(site: Site) -> Iterator[tuple[tuple[object, ...], str]]:
    """In two files: in one, the native VLAN of a trunk may be listed among the others."""
    for of in site.every("port"):
        access, tagged = site.said("port", of, "access"), site.said("port", of, "tagged")
        if access is None or tagged is None or access.at.file == tagged.at.file:
            continue
        if str(access.value) in site.listed("port", of, "tagged"):
            here = f"{' '.join(of)} has VLAN {access.value} untagged ({place(access.at)})"
            yield ("tag", of[0], access.at.file, tagged.at.file), f"{here} and tagged ({place(tagged.at)})"
