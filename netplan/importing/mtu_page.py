"""``fabric.mtu``, from the networks, the Spectrum-X rails, the physical functions or the policies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.cards import Card, most_common
from netplan.importing.facts import Remark, Said, Site, not_taken, place
from netplan.importing.networks import NetworkRow, first_conflict
from netplan.importing.text import Entry, clash, todo, told


def in_use(cards: Iterable[Card]) -> list[Card]:
    return [card for card in cards if card.rail is not None or card.for_pods]


def mtu_entry(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Entry:
    """The MTU of the pods, or a question, also where two dumps of a network disagree about it."""
    if (conflict := first_conflict(site, rows, "mtu")) is not None:
        return clash(conflict)
    said = next(_mtus(site, cards, rows), None)
    return todo("IP MTU of a pod", "ip link, in a pod") if said is None else told(said)


def _mtus(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Iterator[Said]:
    """The MTU that pods see, then all others: of the networks, else of the Spectrum-X rails, else of the
    physical functions, else of the policies."""
    parts = [part for row in rows for part in row.parts]
    sources = (
        [part.fields["mtu"] for part in parts if "mtu" in part.fields],
        _of_resources(site, cards, "pod_mtu"),
        [card.fields["mtu"] for card in cards if "mtu" in card.fields],
        _of_resources(site, cards, "mtu"),
    )
    first = most_common(next((found for found in sources if found), []))
    if first is not None:
        yield first
        yield from (said for found in sources for said in found if said.value != first.value)


def _of_resources(site: Site, cards: Sequence[Card], field: str) -> list[Said]:
    """Of the resources that cards have."""
    names = dict.fromkeys(name for card in cards for name in card.resources)
    found = (site.said("resource", of, field) for of in site.every("resource") if of[0] in names)
    return [said for said in found if said is not None]


def other_mtus(site: Site, cards: Iterable[Card], rows: Sequence[NetworkRow]) -> Iterator[Remark]:
    """``fabric.mtu`` is one number; of one that is asked for, the question has the values."""
    if first_conflict(site, rows, "mtu") is not None:
        return
    found = list(_mtus(site, in_use(cards), rows))
    for said in found[1:]:
        why = f"fabric.mtu is {found[0].value} ({place(found[0].at)})"
        yield not_taken(said.at, "MTU", said.value, why)
