"""Rails of cards that sources say little about: by the VLANs of switch ports, of ports without a neighbour
and of cards that are near to no GPU; by PCI address, of cards of two link types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from netplan.importing.cards import Card
from netplan.importing.facts import Of

PROPOSED = "proposed by PCI address; compare with the cabling"
BY_GPU = "proposed by the nearest GPUs; compare with the cabling"
BY_VLAN = "by the VLANs of the switch ports"
_PROPOSALS = (PROPOSED, BY_GPU)
Layout = frozenset[tuple[str, str]]
"""PCI address and model of each card of a node."""
Order = list[tuple[str, int | None]]
"""PCI addresses by the GPUs that they are near to, each with its rail, None for a rail that is open."""


def in_one_step(ids: Sequence[int]) -> bool:
    return len({other - one for one, other in pairwise(ids)}) <= 1


def by_group(nodes: Iterable[frozenset[int]]) -> dict[int, int]:
    """VLAN -> rail, where groups of leaves have as many VLANs of their own, each in one step; else empty.
    ``nodes``: the VLANs of each."""
    groups: list[set[int]] = []
    for own in filter(None, nodes):
        joined = [group for group in groups if not own.isdisjoint(group)]
        groups = [group for group in groups if own.isdisjoint(group)]
        groups.append(set(own).union(*joined))
    ordered = [sorted(group) for group in groups]
    several = len(groups) > 1 and len({len(group) for group in groups}) == 1
    if not several or len(groups[0]) < 2 or not all(map(in_one_step, ordered)):
        return {}
    return {vlan: rail for group in ordered for rail, vlan in enumerate(group)}


def of_one_link(cards: list[Card]) -> list[Card]:
    """Of cards that nothing takes, those of the link type that most have: the others are no rails."""
    links = Counter(link for card in cards if (link := card.text("link")))
    (most, times), *others = links.most_common() or [("", 0)]
    if not others or times == others[0][1] or any(card.resources for card in cards):
        return cards
    return [card for card in cards if card.text("link") in (most, "")]


def voted_vlans(
    nodes: Iterable[tuple[Sequence[Card], Mapping[Of, int]]], usual: Mapping[Of, int]
) -> tuple[list[int], dict[int, Counter[int]]]:
    """VLANs of rails, and what number their cards have by another source. ``nodes``: cards, with these
    numbers; ``usual``: card -> VLAN. Those of cards that are near to no GPU count where all go up in one
    step."""
    votes: dict[int, Counter[int]] = {}
    apart = set[int]()
    for cards, numbers in nodes:
        apart.update(_in_vlans_of_their_own(cards, numbers, usual))
        for of, number in numbers.items():
            if of in usual:
                votes.setdefault(usual[of], Counter())[number] += 1
    every = sorted(apart.union(votes))
    return (every if len(every) > 2 and in_one_step(every) else sorted(votes)), votes


def _in_vlans_of_their_own(
    cards: Sequence[Card], numbers: Container[Of], usual: Mapping[Of, int]
) -> Iterator[int]:
    """VLANs of the cards that are near to no GPU and like those that are, where no two have one VLAN."""
    kinds = {(card.model, card.number("speed_gbps")) for card in cards if card.of in numbers}
    alike = [c for c in cards if c.of in usual and (c.model, c.number("speed_gbps")) in kinds]
    if len({usual[card.of] for card in alike}) == len(alike):
        yield from (usual[card.of] for card in alike if card.of not in numbers)


def with_open_rails(nodes: Sequence[list[Card]], vlans: Container[Of]) -> Sequence[list[Card]]:
    """Where some cards near to GPUs have a rail by their VLAN, and others like them, near to other GPUs, run
    with neighbours that no dump has on any node, these are on rails too, in the order of the GPUs."""
    members: dict[Layout, list[list[Card]]] = {}
    for mine in filter(_is_cabled, nodes):
        members.setdefault(_layout(mine), []).append(mine)
    orders = {layout: _order(own, vlans) for layout, own in members.items()}
    moved = {tuple(rail for _, rail in order) for order in orders.values()}
    numbers = _numbers(moved.pop()) if len(moved) == 1 else {}
    railed = {card.rail for card in chain(*filter(_is_cabled, nodes))} - {None}
    if not numbers or not railed <= numbers.keys() or any(map(_otherwise, chain(*nodes))):
        return nodes
    moving = {id(mine): orders[layout] for layout, own in members.items() for mine in own}
    return [_renumbered(mine, numbers, moving[id(mine)]) if id(mine) in moving else mine for mine in nodes]


def _is_cabled(cards: Iterable[Card]) -> bool:
    return any(card.rail_from.startswith(BY_VLAN) for card in cards)


def _numbers(rails: Sequence[int | None]) -> dict[int, int]:
    """Rail -> its number with those between; empty where there are none."""
    return {rail: n for n, rail in enumerate(rails) if rail is not None} if None in rails else {}


def _otherwise(card: Card) -> bool:
    """Whether something else than VLANs and proposals says the rail."""
    proposed = card.rail_from.startswith(BY_VLAN) or card.rail_from.startswith(_PROPOSALS)
    return card.rail is not None and not proposed


def _renumbered(cards: list[Card], numbers: Mapping[int, int], order: Order) -> list[Card]:
    opened = {pci: number for number, (pci, rail) in enumerate(order) if rail is None}
    return [
        replace(card, rail=opened[card.pci], rail_from=BY_GPU)
        if card.pci in opened
        else card
        if card.rail is None
        else replace(card, rail=numbers[card.rail])
        for card in cards
    ]


def _order(members: Sequence[Sequence[Card]], vlans: Container[Of]) -> Order:
    """Of nodes with the same cards; empty where the rails are in another order."""
    near = [card for mine in members for card in mine if card.number("gpu") is not None]
    same: dict[str, list[Card]] = {}
    for card in near:
        same.setdefault(card.pci, []).append(card)
    rails = {card.pci: card.rail for card in near if card.rail is not None}
    railed = [same[pci][0] for pci in rails]
    opened = [own[0] for pci, own in same.items() if pci not in rails and _is_open(own, railed, vlans)]
    ordered = sorted([*railed, *opened], key=_by_gpu)
    known = [rails[card.pci] for card in ordered if card.pci in rails]
    return [(card.pci, rails.get(card.pci)) for card in ordered] if known == sorted(known) else []


def _by_gpu(card: Card) -> tuple[int, str]:
    return card.number("gpu") or 0, card.pci


def _is_open(own: Sequence[Card], railed: Sequence[Card], vlans: Container[Of]) -> bool:
    """Whether the cards at one address run as those on rails do, near to another GPU, in no VLAN."""
    first = own[0]
    of_pods = any(card.resources for card in railed)
    return (
        first.number("speed_gbps") is not None
        and (first.model, first.text("link")) in {(card.model, card.text("link")) for card in railed}
        and first.number("gpu") not in {card.number("gpu") for card in railed}
        and all(card.of not in vlans and bool(card.resources) is of_pods for card in own)
    )


def as_cabled(nodes: Sequence[list[Card]], vlans: Container[Of]) -> Iterator[list[Card]]:
    """A port without a neighbour has the rail that nodes with the same cards have there, and so have all
    ports of a node without any. ``vlans``: the cards whose port has one."""
    usual: dict[Layout, dict[str, Counter[int]]] = {}
    names: dict[tuple[Layout, str], str] = {}
    for mine in nodes:
        for card in mine if _is_cabled(mine) else ():
            if card.rail is not None:
                usual.setdefault(_layout(mine), {}).setdefault(card.pci, Counter())[card.rail] += 1
                names.setdefault((_layout(mine), card.pci), card.node)
    for mine in nodes:
        layout = _layout(mine)
        most = {pci: counts.most_common(1)[0][0] for pci, counts in usual.get(layout, {}).items()}
        like = {pci: (rail, names[layout, pci]) for pci, rail in most.items()}
        yield _with(mine, like, vlans) if like else mine


def _layout(cards: Iterable[Card]) -> Layout:
    return frozenset((card.pci, card.model) for card in cards)


def _with(cards: list[Card], like: Mapping[str, tuple[int, str]], vlans: Container[Of]) -> list[Card]:
    """``like``: PCI address -> the rail, and a node that has it."""
    if not _is_cabled(cards):
        proposed = all(card.rail_from in ("", *_PROPOSALS) for card in cards)
        return [_as(card, like.get(card.pci)) for card in cards] if proposed else cards
    taken = {card.rail for card in cards}
    of_pods = any(card.resources for card in cards)
    found = []
    for card in cards:
        usual = like.get(card.pci)
        idle = card.rail is None and card.of not in vlans and (card.resources or not of_pods)
        found.append(_as(card, usual) if idle and usual is not None and usual[0] not in taken else card)
    return found


def _as(card: Card, usual: tuple[int, str] | None) -> Card:
    if usual is None:
        return replace(card, rail=None, rail_from="")
    if card.rail == usual[0]:
        return card
    return replace(card, rail=usual[0], rail_from=f"{BY_VLAN}; as on {usual[1]}, whose cables are known")
