"""Folds nodes with the same cards into host types, and keeps the differences of single nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.cards import NAMES, Card
from netplan.importing.facts import Said, Site
from netplan.importing.node_labels import Labels, Selector, labels_of, selector_of
from netplan.importing.rails import FRONT_END
from netplan.model.values import natural

Layout = tuple[tuple[str, ...], ...]
_DEVICE = re.compile(r"mlx5_([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class HostKind:
    """Nodes of one kind. ``cards``: of the representative node, by rail, front end last; ``names``: their
    names in the inventory. ``own``: node -> its cards, for ``others``: nodes with a different name or
    address. ``selector``: the label that all of them have and no other node has, or None."""

    name: str
    nodes: tuple[str, ...]
    cards: tuple[Card, ...]
    names: tuple[str, ...]
    others: Mapping[str, tuple[Card, ...]]
    selector: Selector
    gpus: tuple[tuple[str, Said], ...]
    own: Mapping[str, tuple[Card, ...]]

    @property
    def named(self) -> list[tuple[str, Card]]:
        return [*zip(self.names, self.cards, strict=True)]


def names_of(cards: Iterable[Card]) -> list[str]:
    """Names for the cards of a node in the inventory: by rail, in a virtual machine by the number of the RDMA
    device, else by position."""
    cards = list(cards)
    infiniband = any(card.text("link") == "infiniband" for card in cards)
    numbers = _numbers(cards)
    return [_name(card, number, infiniband) for card, number in zip(cards, numbers, strict=True)]


def _numbers(cards: list[Card]) -> list[int]:
    rails = [card.rail for card in cards if card.rail is not None]
    if rails:
        by_rail, above = len(set(rails)) == len(rails), max(rails) + 1 - len(rails)
        numbers = [n + above if card.for_pods else n for n, card in enumerate(cards)]
        return [n if c.rail is None or not by_rail else c.rail for n, c in zip(numbers, cards, strict=True)]
    devices = [_DEVICE.fullmatch(card.text("rdma_device")) for card in cards]
    found = [int(device[1]) for device in devices if device]
    return found if len(set(found)) == len(cards) else list(range(len(cards)))


def _name(card: Card, number: int, infiniband: bool) -> str:
    if card.fabric:
        return f"{card.fabric}{number}"
    if card.rail is None and not card.for_pods:
        return f"{FRONT_END}{number}"
    return f"{'ib' if infiniband else 'roce'}{number}"


def host_kinds(site: Site, cards: Iterable[Card]) -> list[HostKind]:
    """Kinds in the order of their first node, without nodes that have no known card."""
    by_node: dict[str, list[Card]] = {}
    for card in cards:
        by_node.setdefault(card.node, []).append(card)
    ordered = {node: tuple(sorted(mine, key=_order)) for node, mine in by_node.items()}
    labels, taken = labels_of(site), set[str]()
    parts = _parts(site, ordered, labels)
    kinds: list[HostKind] = []
    for nodes, others in sorted(parts, key=lambda part: natural(part[0][0])):
        everyone = sorted((*nodes, *others), key=natural)
        control = all(card.rail is None and not card.for_pods for card in ordered[nodes[0]])
        selector = selector_of(site, everyone, labels, control)
        name = unused(_kind_name(selector, len(kinds)), taken)
        odd = {node: ordered[node] for node in others}
        kinds.append(
            HostKind(
                name=name,
                nodes=tuple(everyone),
                cards=ordered[nodes[0]],
                names=tuple(names_of(ordered[nodes[0]])),
                others=odd,
                selector=selector,
                gpus=next(filter(None, (gpus_said(site, node) for node in everyone)), ()),
                own={node: ordered[node] for node in everyone},
            )
        )
    return kinds


def _order(card: Card) -> tuple[bool, bool, int, str]:
    device = _DEVICE.fullmatch(card.text("rdma_device")) if card.virtual else None
    number = card.rail or (int(device[1]) if device else 0)
    return (card.rail is None and not card.for_pods, card.rail is None, number, card.pci)


def _shape(card: Card) -> tuple[object, ...]:
    """What distinguishes kinds of hosts; an unknown value counts as one of its own."""
    stated = [card.text(name) for name in ("speed_gbps", "link", "vfs", "numa")]
    return (card.model, card.models, card.rail, card.for_pods, *stated)


def _layout(cards: Iterable[Card]) -> Layout:
    """What a single host may have differently within its type."""
    return tuple(
        (card.pci if is_stated(card) else "", *(card.text(name) for name in NAMES)) for card in cards
    )


def is_stated(card: Card) -> bool:
    """Whether the inventory states the PCI address of a card; for a function in a virtual machine only if a
    device plugin selects by it."""
    return not card.virtual or card.by_pci


Part = tuple[list[str], list[str]]
"""Nodes of a layout, and single nodes with another one."""


def _parted(layouts: Mapping[Layout, list[str]]) -> Iterator[Part]:
    """A layout of one node does not make a type."""
    shared = [nodes for nodes in layouts.values() if len(nodes) > 1]
    single = [nodes[0] for nodes in layouts.values() if len(nodes) == 1]
    if not shared:
        yield single[:1], single[1:]
        return
    shared.sort(key=len, reverse=True)
    yield shared[0], single
    for nodes in shared[1:]:
        yield nodes, []


def _parts(site: Site, cards: Mapping[str, tuple[Card, ...]], labels: Labels) -> list[Part]:
    """The nodes of each kind. ``cards``: node -> its cards in order."""
    shapes = {node: tuple(map(_shape, cards[node])) for node in sorted(cards, key=natural)}
    gpus, groups = _gpus_by_node(site, shapes), dict[tuple[object, ...], dict[Layout, list[str]]]()
    for node, shape in shapes.items():
        layouts = groups.setdefault((gpus[node], *shape), {})
        layouts.setdefault(_layout(cards[node]), []).append(node)
    alike = (part for layouts in groups.values() for part in _parted(layouts))
    return [own for part in alike for own in _by_resources(site, part, cards, labels)]


def _by_resources(
    site: Site, part: Part, cards: Mapping[str, Sequence[Card]], labels: Labels
) -> Iterator[Part]:
    """Nodes of one kind of which some have other resources, such as those of two tenants, are several types
    if a label selects some of them; else pods of a network would get nodes that lack its resource. Resources
    with a name for each node part nothing."""
    found = _of_resources((*part[0], *part[1]), cards)
    several = len(found) > 1 and any(len(own) > 1 for own in found)
    if not several or not any(selector_of(site, [*own], labels) for own in found):
        yield part
        return
    for own in found:
        nodes, others = ([node for node in nodes if node in own] for nodes in part)
        yield (nodes, others) if nodes else (others[:1], others[1:])


def _of_resources(nodes: Iterable[str], cards: Mapping[str, Sequence[Card]]) -> list[dict[str, None]]:
    """The nodes whose cards have the same resources."""
    found: dict[tuple[object, ...], dict[str, None]] = {}
    for node in nodes:
        found.setdefault(tuple(card.resources for card in cards[node]), {})[node] = None
    return [*found.values()]


def _gpus_by_node(site: Site, shapes: Mapping[str, tuple[object, ...]]) -> dict[str, tuple[object, ...]]:
    """A host outside Kubernetes whose GPUs no dump has is as the others with such cards, if those agree."""
    found = {node: gpus_of(site, node) for node in shapes}
    known: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    for node, gpus in found.items():
        known.setdefault(shapes[node], set()).update({gpus} if gpus else ())
    for node, gpus in found.items():
        if not gpus and site.said("node", (node,), "there") is None and len(known[shapes[node]]) == 1:
            found[node] = next(iter(known[shapes[node]]))
    return found


def gpus_of(site: Site, node: str) -> tuple[object, ...]:
    return tuple((resource, said.value) for resource, said in gpus_said(site, node))


def gpus_said(site: Site, node: str) -> tuple[tuple[str, Said], ...]:
    """Resources of its GPUs, several where some are parted (MIG)."""
    return tuple(sorted(site.prefixed("node", (node,), "gpus/"), key=lambda entry: entry[0]))


def _kind_name(selector: Selector, number: int) -> str:
    key, said = selector[0] if selector else ("", None)
    text = str(said.value or key.rpartition("/")[2]).lower() if said is not None else ""
    clean = "".join(c if c.isascii() and c.isalnum() else "-" for c in text).strip("-")[:40].strip("-")
    return clean if clean and clean not in ("true", "yes", "1") else f"type-{number + 1}"


def unused(name: str, taken: set[str]) -> str:
    """The name, with a number added if it is taken; marks it as taken."""
    free = name if name not in taken else f"{name}-{len(taken) + 1}"
    while free in taken:
        free += "x"
    taken.add(free)
    return free
