"""Cards of new hosts against the host type of the inventory that they get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.cards import NAMES, Card
from netplan.importing.facts import Said, place, shown
from netplan.importing.hosts import HostKind
from netplan.importing.joining.known import Change, Known
from netplan.model.ranges import gathered

_SHARED = ("speed_gbps", "link", "numa", "rail")
"""What a host has of its type; names and addresses it may state itself."""


def as_stated(card: Card, values: Mapping[str, str]) -> Card:
    """The card with the address and the names that a host type states."""
    own = {
        name: Said(values[name], said.at)
        for name in NAMES
        if (said := card.fields.get(name)) and name in values
    }
    return replace(card, pci=values.get("pci", card.pci), fields={**card.fields, **own})


def unlike_first(own: Mapping[str, tuple[Card, ...]], first: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
    """Nodes that state something of their own: a name that no dump has is the type's."""
    return {node: cards for node, cards in own.items() if not all(map(_is_alike, cards, first))}


def _is_alike(card: Card, usual: Card) -> bool:
    named = (not card.text(name) or card.text(name) == usual.text(name) for name in NAMES)
    return card.pci == usual.pci and all(named)


def unlike_type(known: Known, kinds: Iterable[HostKind], cards: Sequence[Card]) -> Iterator[Change]:
    """``kinds``: of the new hosts, by the name of their host type; ``cards``: of all new hosts."""
    for kind in kinds:
        used = {card.of for own in kind.own.values() for card in own}
        extra: dict[str, list[Card]] = {}
        for card in cards:
            if card.node in kind.nodes and card.of not in used:
                extra.setdefault(card.pci, []).append(card)
        for pci, found in extra.items():
            first = found[0]
            at = place(next(iter(first.fields.values())).at)
            whom = f"{gathered(card.node for card in found)} {pci}"
            yield Change(
                "new", whom, f"{first.model} {first.text('netdev')} is not an HCA of {kind.name} ({at})"
            )
        yield from _values(known, kind)


def _values(known: Known, kind: HostKind) -> Iterator[Change]:
    wanted = next(each for each in known.fabric.host_types if each.name == kind.name)
    found: dict[tuple[str, str, str, str], tuple[list[str], Said]] = {}
    for node, own in kind.own.items():
        for name, card in zip(kind.names, own, strict=True):
            hca = wanted.hca(name)
            for field in _SHARED if hca is not None else ():
                said, mine = card.fields.get(field), getattr(hca, field)
                if said is not None and mine is not None and said.value != mine:
                    key = (name, field, shown(mine), shown(said.value))
                    found.setdefault(key, ([], said))[0].append(node)
    for (name, field, mine, dumped), (nodes, said) in found.items():
        at = known.at(("host_types", kind.name, "hcas", name, field))
        yield Change(
            "differs", f"{gathered(nodes)} {name}", f"{field}: {mine} ({at}) or {dumped} ({place(said.at)})"
        )
