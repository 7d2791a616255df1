"""``fabric.mtu``, from the networks, the Spectrum-X rails, the physical functions or the policies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.cards import Card, most_common
from netplan.importing.facts import Remark, Said, Site, not_taken, place
from netplan.importing.networks import NetworkRow, first_conflict
from netplan.importing.text import INEXPRESSIBLE, Entry, clash, todo, told


def in_use(cards: Iterable[Card]) -> list[Card]:
    return [card for card in cards if card.rail is not None or card.for_pods]


def mtu_entry(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Entry:
    """The MTU of the pods, or a question, also where two sources disagree about that of a network or card, or
    the cards below have another one: netplan sets both to ``fabric.mtu``."""
    of_cards = (site.conflict("card", card.of, "mtu") for card in cards)
    if (conflict := first_conflict(site, rows, "mtu") or next(filter(None, of_cards), None)) is not None:
        return clash(conflict)
    if (both := _above_and_below(site, cards, rows)) is not None:
        above, below = both
        what = f"{INEXPRESSIBLE}: networks with another MTU than their cards"
        what += f"; state {above.value}, which changes the cards, or {below.value}, which changes the pods"
        return todo(what, f"{above.value} ({place(above.at)}) and {below.value} ({place(below.at)})")
    said = next(_mtus(site, cards, rows), None)
    return todo("IP MTU of a pod", "ip link, in a pod") if said is None else told(said)


def _above_and_below(
    site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]
) -> tuple[Said, Said] | None:
    """The MTU of most networks and that of most cards below, or else of the policies, where they differ. That
    of an InfiniBand card is not netplan's."""
    ethernet = [card for card in cards if card.text("link") != "infiniband"]
    above = most_common(_of_networks(rows))
    below = most_common(_of_cards(ethernet) or _of_resources(site, ethernet, "mtu"))
    if above is None or below is None or above.value == below.value:
        return None
    return above, below


def _of_networks(rows: Iterable[NetworkRow]) -> list[Said]:
    return [part.fields["mtu"] for row in rows for part in row.parts if "mtu" in part.fields]


def _of_cards(cards: Iterable[Card]) -> list[Said]:
    return [card.fields["mtu"] for card in cards if "mtu" in card.fields]


def _mtus(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Iterator[Said]:
    """The MTU that pods see, then all others: of the networks, else of the Spectrum-X rails, else of the
    physical functions, else of the policies."""
    sources = (
        _of_networks(rows),
        _of_resources(site, cards, "pod_mtu"),
        _of_cards(cards),
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
    used = in_use(cards)
    found, both = list(_mtus(site, used, rows)), _above_and_below(site, used, rows)
    asked = {said.value for said in both or ()}
    for said in (said for said in found[1:] if said.value not in asked):
        why = f"fabric.mtu is {'asked for' if both else found[0].value} ({place(found[0].at)})"
        yield not_taken(said.at, "MTU", said.value, why)
