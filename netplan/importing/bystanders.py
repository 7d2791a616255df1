"""Nodes that take no part in the fabric, such as those of the control plane, and cards of the front end: they
are on no rail."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from netplan.importing.cabled_rails import PROPOSED
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Said, Site

OTHER_VLAN = "its port is in a VLAN of no rail"
NO_CABLE = "no host with these cards has a cable of it in the dumps, and others of theirs have"


def bystanders(site: Site, cards: Iterable[Card]) -> frozenset[Of]:
    """Cards of nodes without a GPU of which no resource takes a card and no dump has a cable, nor of any node
    with the same models, where resources take other cards."""
    by_node = _by_node(cards)
    alike: dict[tuple[str, ...], list[Card]] = {}
    for mine in by_node.values():
        alike.setdefault(tuple(sorted(card.model for card in mine)), []).extend(mine)
    left = [mine for mine in alike.values() if not any(_takes_part(site, card) for card in mine)]
    taken = any(card.resources for mine in by_node.values() for card in mine)
    return frozenset(card.of for mine in left for card in mine if taken)


def _takes_part(site: Site, card: Card) -> bool:
    """A node that only the state of its NICs shows may have GPUs."""
    node = (card.node,)
    return bool(
        card.resources
        or card.virtual
        or site.said("node", node, "there") is None
        or any(site.prefixed("node", node, "gpus/"))
        or site.said("card", card.of, "port") is not None
        or site.conflict("card", card.of, "port") is not None
    )


def _by_node(cards: Iterable[Card]) -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {}
    for card in cards:
        found.setdefault(card.node, []).append(card)
    return found


def in_other_vlans(site: Site, cards: Iterable[Card], vlans: Mapping[Of, Said]) -> frozenset[Of]:
    """Cards of nodes without a GPU and without a resource, such as storage servers, whose ports are in none
    of the VLANs that cards of the other nodes have, or that networks send. ``vlans``: card -> VLAN of its
    port."""
    by_node = _by_node(cards)
    working = {node: mine for node, mine in by_node.items() if _works(site, mine)}
    taken = {vlans[of].value for mine in working.values() for of in _on_rails(mine) if of in vlans}
    if not taken:
        return frozenset()
    taken |= {site.number("network", of, "vlan") or 0 for of in site.every("network")}
    others = [node for node in by_node.keys() - working.keys() if site.said("node", (node,), "there")]
    return frozenset(of for of, vlan in vlans.items() if of[0] in others and vlan.value not in taken)


def _on_rails(mine: Sequence[Card]) -> list[Of]:
    return [card.of for card in mine if card.resources] or [card.of for card in mine]


def _works(site: Site, mine: Sequence[Card]) -> bool:
    """Whether the node has pods of the fabric: GPUs, or cards that are given to pods."""
    given = any(card.resources or card.virtual for card in mine)
    return given or any(site.prefixed("node", (mine[0].node,), "gpus/"))


def slower_cards(site: Site, cards: Iterable[Card]) -> frozenset[Of]:
    """Cards without a cable to a switch whose configuration is in the dumps, as all of their model, beside
    faster ones of the same node that have one, where no resource says what pods get."""
    every = [*cards]
    cabled = [card for card in every if _on_the_fabric(site, card)]
    known, least = {card.model for card in cabled}, dict[str, int]()
    for card in cabled:
        least[card.node] = min(_gbps(card), least.get(card.node, _gbps(card)))
    asked = {card.node for card in every if card.resources or card.virtual}
    left = (card for card in every if card.node in least and card.node not in asked)
    return frozenset(
        card.of for card in left if card.model not in known and 0 < _gbps(card) < least[card.node]
    )


def uncabled_alike(site: Site, cards: Iterable[Card]) -> frozenset[Of]:
    """Cards on a rail by their PCI address alone, without a cable on any node with the same cards, beside
    others that have one: storage, or a rail whose leaf is in no dump."""
    return frozenset(card.of for mine in _layouts(cards) for card in _open_ends(site, mine))


def _open_ends(site: Site, mine: Sequence[Card]) -> Iterator[Card]:
    """Of nodes with the same cards, where most of the nodes have the cables of the others; not those that are
    faster, or of another link type."""
    cabled = [card for card in mine if _on_the_fabric(site, card)]
    nodes, ports = {card.node for card in mine}, {card.pci for card in cabled}
    if 3 * len(cabled) < 2 * len(nodes) * len(ports) or any(card.resources or card.virtual for card in mine):
        return
    links, most = {card.text("link") for card in cabled}, max(map(_gbps, cabled), default=0)
    heard = ports | {card.pci for card in mine if _has_neighbour(site, card)}
    yield from (card for card in mine if card.pci not in heard and _is_alike(card, links, most))


def _is_alike(card: Card, links: Container[str], most: int) -> bool:
    return card.text("link") in links and _gbps(card) <= most and card.rail_from.startswith(PROPOSED)


def _layouts(cards: Iterable[Card]) -> list[list[Card]]:
    """Cards of all nodes that have the same ones."""
    by_node = _by_node(cards)
    found: dict[tuple[tuple[str, str], ...], list[Card]] = {}
    for mine in by_node.values():
        found.setdefault(tuple(sorted((card.pci, card.model) for card in mine)), []).extend(mine)
    return list(found.values())


def _has_neighbour(site: Site, card: Card) -> bool:
    return bool(site.said("card", card.of, "port") or site.conflict("card", card.of, "port"))


def _on_the_fabric(site: Site, card: Card) -> bool:
    leaf, *_ = site.listed("card", card.of, "port") or ("",)
    return bool(leaf) and site.said("switch", (leaf,), "nos") is not None


def _gbps(card: Card) -> int:
    return card.number("speed_gbps") or 0
