"""Cards whose cables contradict the other hosts: crossed cables, ports in another VLAN. What the majority of
the hosts says of a rail is kept, and these are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from netplan.importing.cards import Card
from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.vlans import membership_of
from netplan.model.ranges import gathered
from netplan.report import count

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Row:
    """A card that has a rail and a cable. ``vlan``: None if its port states no single one."""

    card: Card
    rail: int
    switch: str
    port: str
    said: Said
    vlan: Said | None

    @property
    def where(self) -> str:
        at = f"{self.switch} {self.port} ({place(self.said.at)})"
        return f"{at} in VLAN {self.vlan.value} ({place(self.vlan.at)})" if self.vlan is not None else at


@dataclass(frozen=True, slots=True)
class Crossed:
    """``usual``: a card of the same rail that agrees with the other hosts, ``count`` of them."""

    row: _Row
    usual: _Row
    count: int

    @property
    def of(self) -> Of:
        return self.row.card.of

    def __str__(self) -> str:
        card, hosts = self.row.card, count(self.count, "other host")
        name = card.text("netdev") or card.pci
        here = f"{card.node} {name}, rail {self.row.rail}: on {self.row.where}"
        return f"{here}; {hosts}, such as {self.usual.card.node}: on {self.usual.where}"


def crossed_cards(site: Site, cards: Iterable[Card]) -> list[Crossed]:
    """Those on a switch, or in a VLAN, that at most half as many cards of their rail are on as on the most
    frequent one; a switch counts only if another rail has twice as many cards there."""
    rows = list(_rows(site, cards))
    odd = _odd(rows)
    usual: dict[int, list[_Row]] = {}
    for row in rows:
        if row.card.of not in odd:
            usual.setdefault(row.rail, []).append(row)
    strange = [row for row in rows if row.card.of in odd and row.rail in usual]
    return [Crossed(row, usual[row.rail][0], len(usual[row.rail])) for row in strange]


def without(rows: Iterable[Card], crossed: Sequence[Crossed]) -> list[Card]:
    odd = {each.of for each in crossed}
    return [card for card in rows if card.of not in odd]


def nodes_of(crossed: Iterable[Crossed]) -> str:
    return gathered(dict.fromkeys(each.row.card.node for each in crossed))


def _rows(site: Site, cards: Iterable[Card]) -> Iterator[_Row]:
    for card in cards:
        said = site.said("card", card.of, "port")
        if card.rail is not None and said is not None and isinstance(said.value, tuple):
            port = membership_of(site, card)
            vlan = port.one if port is not None else None
            yield _Row(card, card.rail, said.value[0], said.value[1], said, vlan)


def _odd(rows: Sequence[_Row]) -> set[Of]:
    at_switch = Counter((row.rail, row.switch) for row in rows)
    in_vlan = Counter((row.rail, row.vlan.value) for row in rows if row.vlan is not None)
    by_rail, by_switch = _most(at_switch, 0), _most(at_switch, 1)
    vlan_by_rail = _most(in_vlan, 0)
    odd = set()
    for row in rows:
        here = 2 * at_switch[row.rail, row.switch]
        elsewhere = here <= by_rail[row.rail] and here <= by_switch[row.switch]
        other = row.vlan is not None and 2 * in_vlan[row.rail, row.vlan.value] <= vlan_by_rail[row.rail]
        if elsewhere or other:
            odd.add(row.card.of)
    return odd


def _most(counts: Counter[tuple[int, T]], column: int) -> dict[int | T, int]:
    """Value of a column -> the largest count with it."""
    found: dict[int | T, int] = {}
    for key, times in counts.items():
        found[key[column]] = max(times, found.get(key[column], 0))
    return found
