"""Labels of hosts that distinguish the nodes of each leaf.

Where a rail has a subnet for each leaf, nv-ipam has a pool for each, and selects its nodes by labels (NP719).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from netplan.importing.cabling import CARD, Cable
from netplan.importing.cards import Card, label_of
from netplan.importing.facts import Site, place
from netplan.importing.networks import NetworkRow
from netplan.importing.node_labels import is_set_by_people
from netplan.importing.text import TODO, Entry
from netplan.model.inventory_text import Flow, flow
from netplan.model.values import natural

Labels = Mapping[str, Entry]
"""Node -> ``labels`` with its place."""


def leaf_labels(
    site: Site, cards: Sequence[Card], cables: Iterable[Cable], rows: Iterable[NetworkRow]
) -> Labels:
    """Empty if leaves need no pools of their own; TODO if no label distinguishes the leaves."""
    pooled = any(row.rails and row.first.text("ipam") == "nv-ipam" for row in rows)
    ends = _ends(cards, cables) if pooled else []
    everyone = sorted({card.node for card in cards}, key=natural)
    wanted = [node for node in everyone if any(node in end for end, _ in ends)]
    for key in _keys(site, wanted) if ends else ():
        if all(_selects(site, key, end, others) for end, others in ends):
            return {node: _entry(site, node, key) for node in wanted}
    where = "no label that all nodes of a leaf and no others carry is in the dumps; kubectl label nodes"
    return dict.fromkeys(wanted, Entry(Flow(TODO), f"{TODO}: labels, {{key: value}} by leaf; {where}"))


def _ends(cards: Iterable[Card], cables: Iterable[Cable]) -> list[tuple[Set[str], Set[str]]]:
    """The nodes of each rail on each of its leaves, of rails with several, and all nodes of the rail: one
    that lacks the card may have the label of a leaf."""
    cards = [*cards]
    rails = {card.of: card.rail for card in cards if card.rail is not None}
    found: dict[int, dict[str, set[str]]] = {}
    for cable in cables:
        rail = rails.get(cable.far) if cable.kind == CARD and cable.doubt is None else None
        if rail is not None:
            found.setdefault(rail, {}).setdefault(cable.switch, set()).add(cable.far[0])
    every: dict[int, set[str]] = {}
    for card in cards:
        if card.rail is not None:
            every.setdefault(card.rail, set()).add(card.node)
    several = {rail: leaves for rail, leaves in found.items() if len(leaves) > 1}
    return [(nodes, every[rail]) for rail, leaves in several.items() for nodes in leaves.values()]


def _keys(site: Site, nodes: Sequence[str]) -> Iterator[str]:
    """Keys by which the existing pools select, then those that people set, and the topology."""
    stated = dict.fromkeys(
        name.removeprefix("selector/")
        for of in site.every("pool")
        for name in site.fields("pool", of)
        if name.startswith("selector/")
    )
    yield from stated
    for key in dict.fromkeys(
        name for node in nodes[:1] for name, _ in site.prefixed("node", (node,), "label/")
    ):
        if key not in stated and (is_set_by_people(key) or key.startswith("topology.")):
            yield key


def _selects(site: Site, key: str, end: Set[str], everyone: Iterable[str]) -> bool:
    """Whether these nodes have one value, and no other of ``everyone`` has it."""
    values = {label_of(site, node, key) for node in end}
    if len(values) != 1 or None in values:
        return False
    return all(node in end or label_of(site, node, key) not in values for node in everyone)


def _entry(site: Site, node: str, key: str) -> Entry:
    said = site.fields("node", (node,))[f"label/{key}"]
    return Entry(flow({key: said.value}), place(said.at))
