"""Which card is on which rail, from the best source there is:

1. ``railIndex`` of the NicDevice, the operator's own number, or ``rail`` of k8s-launch-kit; of several PFs
   with one number (planes) those that a resource takes, where it takes any;
2. the resource that takes the card alone: resources in natural order (rail_0, rail_1, ...; names without an
   order, such as red and blue, only where 3 has none), where each takes one card of a node; of nodes that
   share a resource, those of all of them (rail_0, rail_2 of a smaller host are rails 0 and 2), or ports of
   one card (``planes.py``);
3. the VLAN of the switch port, where each card of a node is in another one: in ascending order if they have
   one step (100, 110, 120), else one VLAN is one rail and 4 or 5 say the order, as a proposal; a node whose
   cables contradict those of the nodes with the same cards has the rails that most of them have;
4. the GPU that a card is near to (``nvidia-smi topo -m``), in the order of the GPUs, of equals by PCI
   address; cards near to none are for something else, as k8s-launch-kit takes them;
5. the PCI address, as k8s-launch-kit numbers rails where nothing else says them (NVIDIA/k8s-launch-kit
   docs/user/discovery.md 089ceea): a proposal, and the page says so; of InfiniBand and Ethernet the link type
   that most cards have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.cabled_rails import (
    BY_GPU,
    BY_VLAN,
    PROPOSED,
    as_cabled,
    by_group,
    in_one_step,
    of_one_link,
    voted_vlans,
    with_open_rails,
)
from netplan.importing.cards import Card, slot_of
from netplan.importing.facts import Of, Said, place
from netplan.model.values import natural

_DIGITS = re.compile(r"[0-9]+")
BY_RESOURCE = "by the order of the resources"
FRONT_END = "front-end"
_PROPOSALS = (PROPOSED, BY_GPU)


def with_rails(
    cards: Iterable[Card],
    vlans: Mapping[Of, Said],
    apart: Container[Of] = frozenset(),
    beside: Container[Of] = frozenset(),
) -> list[Card]:
    """``vlans``: card -> VLAN of its switch port. ``apart``: cards that are on a rail only by a number of
    their own, such as ports of bonds; ``beside``: those of them that pods get."""
    by_node: dict[str, list[Card]] = {}
    others = []
    for card in cards:
        if card.number("rail") is None and (card.of in apart or card.of in beside):
            others.append(replace(card, for_pods=card.of in beside))
        else:
            by_node.setdefault(card.node, []).append(card)
    usual = _as_most({of: _id(said) for of, said in vlans.items()})
    numbers, reason = _ordered(by_node.values(), usual)
    by_vlan = {of: numbers[vlan] for of, vlan in usual.items() if vlan in numbers}
    order = _resource_order(by_node.values())
    found = {node: _of_node(mine, order, by_vlan, reason) for node, mine in by_node.items()}
    whole = as_cabled(with_open_rails([*_as_whole(found)], vlans), vlans)
    return [*(card for mine in whole for card in mine), *others]


def _ordered(nodes: Iterable[list[Card]], usual: Mapping[Of, int]) -> tuple[dict[int, int], str]:
    """VLAN of the cards for pods -> rail; VLANs without a common step (210, 110, 330) are no order."""
    every = [*map(_of_pods, nodes)]
    proposed = [(own, *_proposed(own)) for own in every]
    reasons = {reason for *_, reason in proposed}
    grouped = by_group(frozenset(usual[card.of] for card in own if card.of in usual) for own in every)
    ids, votes = voted_vlans(((own, numbers) for own, numbers, _ in proposed), usual)
    if grouped or in_one_step(ids):
        return grouped or {vlan: number for number, vlan in enumerate(ids)}, BY_VLAN
    ids.sort(key=lambda vlan: votes[vlan].most_common(1)[0][0])
    return {
        vlan: number for number, vlan in enumerate(ids)
    }, f"{BY_VLAN}, which give no order: {min(reasons)}"


def _of_pods(cards: Iterable[Card]) -> list[Card]:
    physical = sorted((card for card in cards if not card.virtual), key=lambda card: card.pci)
    return [card for card in physical if card.resources] or physical


def _as_whole(nodes: Mapping[str, list[Card]]) -> Iterator[list[Card]]:
    """Of proposed rails: a node that lacks cards has those of the nodes, at least twice as many, that have
    its cards and the others too. Numbered by itself, the cards after the gap would move to another rail. One
    whose GPUs no dump shows has those of a node with the same cards."""
    proposed = {node: mine for node, mine in nodes.items() if any(c.rail_from in _PROPOSALS for c in mine)}
    layouts: dict[frozenset[str], list[str]] = {}
    near: dict[frozenset[str], str] = {}
    for node, mine in proposed.items():
        pcis = frozenset(card.pci for card in mine)
        layouts.setdefault(pcis, []).append(node)
        near[pcis] = near.get(pcis) or _near(mine)
    for node, mine in nodes.items():
        own = frozenset(card.pci for card in mine)
        fuller = [(len(names), names) for pcis, names in layouts.items() if own < pcis]
        times, names = max(fuller, default=(0, [""]))
        if node in proposed and times >= 2 * len(layouts[own]):
            lacking = ", ".join(sorted({card.pci for card in nodes[names[0]]} - own))
            yield _as(mine, nodes[names[0]], f"as on {names[0]}, which has {lacking} too")
        else:
            yield _as_near(mine, nodes[near.get(own) or node])


def _near(cards: Sequence[Card]) -> str:
    """The node, if the GPUs that its cards are near to say its rails."""
    return next((card.node for card in cards if card.rail_from == BY_GPU), "")


def _as_near(cards: list[Card], usual: Sequence[Card]) -> list[Card]:
    """``usual``: those of a node whose GPUs are known."""
    if all(card.rail_from != PROPOSED for card in cards) or not (node := _near(usual)):
        return cards
    return _as(cards, usual, f"as on {node}, whose GPUs are known")


def _as(cards: Iterable[Card], usual: Iterable[Card], why: str) -> list[Card]:
    same = {card.pci: card for card in usual}
    return [_like(card, same[card.pci], why) for card in cards]


def _like(card: Card, usual: Card, why: str) -> Card:
    reason = f"{usual.rail_from}; {why}" if usual.rail is not None else usual.rail_from
    return replace(card, rail=usual.rail, rail_from=reason)


def _as_most(by_vlan: Mapping[Of, int]) -> dict[Of, int]:
    """The number that most nodes with cards at the same addresses have there, where at most half as many have
    another one."""
    addresses: dict[str, list[str]] = {}
    for node, pci in by_vlan:
        addresses.setdefault(node, []).append(pci)
    layouts = {node: tuple(sorted(own)) for node, own in addresses.items()}
    counts: dict[tuple[tuple[str, ...], str], Counter[int]] = {}
    for (node, pci), number in by_vlan.items():
        counts.setdefault((layouts[node], pci), Counter())[number] += 1
    found: dict[Of, int] = {}
    for (node, pci), number in by_vlan.items():
        mine = counts[layouts[node], pci]
        most, times = mine.most_common(1)[0]
        found[node, pci] = most if 2 * mine[number] <= times else number
    return found


def _id(said: Said) -> int:
    return said.value if isinstance(said.value, int) else 0


def _of_node(
    cards: list[Card], order: Mapping[tuple[str, ...], int], by_vlan: Mapping[Of, int], by: str
) -> list[Card]:
    """Cards for pods get a rail; if there are any, the other cards get none. ``order``: resources of a card
    -> rail."""
    given = _given([card for card in cards if card.virtual], order)
    cards = sorted((card for card in cards if not card.virtual), key=lambda card: card.pci)
    if any(card.number("rail") is not None for card in cards):
        carrying = {card.number("rail") for card in cards if card.resources}
        own = [
            _stated(card) if card.resources or card.number("rail") not in carrying else card for card in cards
        ]
        return [*own, *given]
    numbers, reason = _numbered(cards, order, by_vlan, by)
    own = [
        replace(card, rail=numbers[card.of], rail_from=reason) if card.of in numbers else card
        for card in cards
    ]
    return [*own, *given]


def _given(cards: list[Card], order: Mapping[tuple[str, ...], int]) -> list[Card]:
    """Functions of a virtual machine: neither PCI addresses nor near GPUs are those of the host, so only
    resources indicate a rail. Azure's accelerated networking is a function of the other link type."""
    taken = [card for card in cards if card.resources]
    usual = {card.of for card in taken or of_one_link(cards)}
    cards = [replace(card, for_pods=card.of in usual) for card in cards]
    numbers = _by_resource(taken, order) if len(taken) > 1 else {}
    return [
        replace(card, rail=numbers[card.of], rail_from=BY_RESOURCE) if card.of in numbers else card
        for card in cards
    ]


def _by_resource(taken: list[Card], order: Mapping[tuple[str, ...], int]) -> dict[Of, int]:
    return {of: order[names] for of, names in _alone(taken).items()}


def beside_rails(cards: Iterable[Card], masters: Container[str]) -> frozenset[Of]:
    """Cards for pods on no rail, such as that of a storage network: of a node the ones whose resource is of
    another name than those of at least twice as many cards, which differ in numbers alone, and those that
    only networks name. ``masters``: interfaces that networks are on."""
    by_node: dict[str, list[Card]] = {}
    for card in cards:
        if not card.virtual:
            by_node.setdefault(card.node, []).append(card)
    found: set[Of] = set()
    for mine in by_node.values():
        taken = [card for card in mine if card.resources]
        found |= _other_names(taken)
        found |= {card.of for card in mine if taken and card not in taken and card.text("netdev") in masters}
    return frozenset(found)


def _other_names(taken: list[Card]) -> set[Of]:
    families: dict[str, list[Card]] = {}
    for card in taken:
        for name in card.resources:
            families.setdefault(_DIGITS.sub("", name), []).append(card)
    most = max(families.values(), key=len, default=[])
    names = {name for card in most for name in card.resources}
    others = [card for card in taken if card not in most]
    return {card.of for card in others} if len(names) > 1 and len(most) >= 2 * len(others) else set()


def _alone(taken: list[Card]) -> Mapping[Of, tuple[str, ...]]:
    """Card -> its resources; empty where a resource takes several cards. A resource of some cards only,
    beside a family such as rail_0, rail_1, says nothing about rails."""
    names = _family(taken) or {card.of: card.resources for card in taken}
    return names if len(set(names.values())) == len(taken) else {}


def _resource_order(nodes: Iterable[list[Card]]) -> dict[tuple[str, ...], int]:
    """Resources of a card -> rail. Nodes that share one are numbered together."""
    groups: list[set[tuple[str, ...]]] = []
    for mine in nodes:
        for virtual in (False, True):
            own = {*_alone([card for card in mine if card.resources and card.virtual is virtual]).values()}
            joined = [group for group in groups if not own.isdisjoint(group)]
            groups = [group for group in groups if own.isdisjoint(group)]
            groups += [own.union(*joined)] if own else []
    return {
        names: number
        for group in groups
        for number, names in enumerate(sorted(group, key=lambda names: [natural(name) for name in names]))
    }


def _family(taken: list[Card]) -> dict[Of, tuple[str, ...]]:
    """Card -> its resource of the first family that all cards are in: names that differ in numbers alone."""
    found: dict[str, dict[Of, tuple[str, ...]]] = {}
    for card in taken:
        for name in card.resources:
            mine = found.setdefault(_DIGITS.sub("", name), {})
            mine[card.of] = (*mine.get(card.of, ()), name)
    whole = (names for _, names in sorted(found.items()) if len(names) == len(taken))
    return next((names for names in whole if len(set(names.values())) == len(taken)), {})


def _numbered(
    cards: list[Card], order: Mapping[tuple[str, ...], int], by_vlan: Mapping[Of, int], by: str
) -> tuple[dict[Of, int], str]:
    """``by``: what ``by_vlan`` follows."""
    taken = [card for card in cards if card.resources]
    cabled = {card.of: by_vlan[card.of] for card in taken or cards if card.of in by_vlan}
    each = bool(cabled) and len(set(cabled.values())) == len(cabled)
    if numbers := _by_resource(taken, order):
        by_words = each and by == BY_VLAN and len(cabled) == len(taken) and not _count_up(taken)
        return (cabled, by) if by_words else (numbers, BY_RESOURCE)
    if planes := _by_port(taken):
        return planes, BY_RESOURCE
    return (cabled, by) if each else _proposed(taken or cards)


def _count_up(taken: Iterable[Card]) -> bool:
    """Whether names of resources have an order: numbers, or one letter at the end; red, green and blue have
    none."""
    names = {name for card in taken for name in card.resources}
    return any(map(_DIGITS.search, names)) or len({name[:-1] for name in names}) == 1


def _by_port(taken: Iterable[Card]) -> dict[Of, int]:
    """Card -> rail, by the order of the resources, where each of several resources takes as many ports of a
    card of its own; else empty. ``taken``: cards of a node that have resources."""
    found: dict[tuple[str, ...], list[Card]] = {}
    for card in taken:
        found.setdefault(card.resources, []).append(card)
    slots = [{slot_of(card) for card in own} for own in found.values()]
    sizes = {len(own) for own in found.values()}
    apart = len(set[str]().union(*slots)) == len(slots) and all(len(own) == 1 for own in slots)
    if len(found) < 2 or len(sizes) > 1 or sizes == {1} or not apart:
        return {}
    order = sorted(found, key=lambda names: [natural(name) for name in names])
    return {card.of: rail for rail, names in enumerate(order) for card in found[names]}


def _proposed(cards: list[Card]) -> tuple[dict[Of, int], str]:
    near = [card for card in cards if card.number("gpu") is not None]
    near.sort(key=lambda card: (card.number("gpu") or 0, card.pci))
    alike = near or of_one_link(cards)
    return {card.of: number for number, card in enumerate(alike)}, BY_GPU if near else PROPOSED


def _stated(card: Card) -> Card:
    if card.number("rail") is None:
        return card
    return replace(card, rail=card.number("rail"), rail_from=f"as stated, {place(card.fields['rail'].at)}")
