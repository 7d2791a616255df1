"""Labels of hosts that distinguish the nodes of each leaf.

Where a rail has a subnet for each leaf, nv-ipam has a pool for each, and selects its nodes by labels (NP719).
"""

from __future__ import annotations

from collections import Counter
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
    """Empty if leaves need no pools of their own; TODO if no label distinguishes the leaves. A host without
    a cable in the dumps has what it carries."""
    pooled = any(row.rails and row.first.text("ipam") == "nv-ipam" for row in rows)
    rails = _rails(cards, cables) if pooled else []
    cabled = {node for leaves in rails for nodes in leaves.values() for node in nodes}
    everyone = sorted(cabled, key=natural)
    of_pools = {*_of_pools(site)}
    for key in dict.fromkeys((*_of_pools(site), *_of_people(site, everyone))):
        odd = _odd(site, key, rails) if rails else None
        if odd == {} or (odd and key in of_pools):
            own = {node: _entry(site, node, key) for node in everyone if node not in odd}
            return {**odd, **own, **_uncabled(site, key, cards, cabled)}
    where = "no label that all nodes of a leaf and no others carry is in the dumps; kubectl label nodes"
    return dict.fromkeys(everyone, _asked(where))


def _uncabled(site: Site, key: str, cards: Iterable[Card], cabled: Set[str]) -> Labels:
    nodes = {card.node for card in cards if card.rail is not None} - cabled
    return {node: _entry(site, node, key) for node in nodes if label_of(site, node, key) is not None}


def _asked(where: str) -> Entry:
    return Entry(Flow(TODO), f"{TODO}: labels, {{key: value}} by leaf; {where}")


def _rails(cards: Iterable[Card], cables: Iterable[Cable]) -> list[Mapping[str, Set[str]]]:
    """Leaf -> its nodes, of each rail with several leaves. A leaf with few cables of the rail and many of
    another is none of it: they are crossed."""
    rails = {card.of: card.rail for card in cards if card.rail is not None}
    found: dict[int, dict[str, set[str]]] = {}
    for cable in cables:
        rail = rails.get(cable.far) if cable.kind == CARD and cable.doubt is None else None
        if rail is not None:
            found.setdefault(rail, {}).setdefault(cable.switch, set()).add(cable.far[0])
    most: dict[str, int] = {}
    for leaf, nodes in (row for leaves in found.values() for row in leaves.items()):
        most[leaf] = max(most.get(leaf, 0), len(nodes))
    of_rails = (
        {leaf: nodes for leaf, nodes in leaves.items() if 2 * len(nodes) >= most[leaf]}
        for leaves in found.values()
    )
    return [leaves for leaves in of_rails if len(leaves) > 1]


def _odd(site: Site, key: str, rails: Iterable[Mapping[str, Set[str]]]) -> dict[str, Entry] | None:
    """Nodes without the value of their leaf, each with the question; None unless two thirds of the nodes of
    each leaf have one value, and the leaves of a rail different ones."""
    found: dict[str, Entry] = {}
    for leaves in rails:
        usual: dict[object, str] = {}
        for leaf, nodes in leaves.items():
            own = {node: label_of(site, node, key) for node in sorted(nodes, key=natural)}
            value, count = Counter(own.values()).most_common(1)[0]
            if value is None or value in usual or 3 * count < 2 * len(own):
                return None
            usual[value] = leaf
            like = next(node for node, each in own.items() if each == value)
            for node in (node for node, each in own.items() if each != value):
                found.setdefault(node, _differs(site, key, node, like, leaf))
    return found


def _differs(site: Site, key: str, node: str, like: str, leaf: str) -> Entry:
    said = site.said("node", (node,), f"label/{key}")
    own = f"{key}: {said.value} ({place(said.at)})" if said is not None else f"no {key}"
    usual = site.fields("node", (like,))[f"label/{key}"]
    return _asked(f"{node} has {own}, {like} on {leaf} {usual.value} ({place(usual.at)})")


def _of_pools(site: Site) -> Iterator[str]:
    """Keys by which the existing pools select."""
    for of in site.every("pool"):
        for name in site.fields("pool", of):
            if name.startswith("selector/"):
                yield name.removeprefix("selector/")


def _of_people(site: Site, nodes: Sequence[str]) -> Iterator[str]:
    """Keys that people set, and the topology."""
    for node in nodes[:1]:
        for key, _ in site.prefixed("node", (node,), "label/"):
            if is_set_by_people(key) or key.startswith("topology."):
                yield key


def _entry(site: Site, node: str, key: str) -> Entry:
    said = site.fields("node", (node,))[f"label/{key}"]
    return Entry(flow({key: said.value}), place(said.at))
