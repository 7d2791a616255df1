"""HCAs of InfiniBand and of Ethernet that device plugins give to pods: an inventory has one fabric."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.importing.cards import Card
from netplan.importing.facts import place
from netplan.model.ranges import gathered

WORDS = {"ethernet": "roce", "infiniband": "infiniband"}
"""Link type of the cards -> type of the fabric."""
_NAMES = {"ethernet": "RoCE", "infiniband": "InfiniBand"}
_APART = (
    "make one of each, from dumps of its nodes, node states, policies, networks, pools and switches alone"
)
_TOGETHER = "leave out the policies and networks of one, and the vfGroups of its cards in the node states"
_WHERE = "docs/import.md, Two fabrics in one cluster"


def two_fabrics(cards: Iterable[Card]) -> str:
    """Both, with their hosts and places, and what to do; empty for one fabric. A card in the wrong mode is no
    fabric: its resource takes cards of the other link type too. Cards on no rail count where networks ask for
    their resources, such as those of storage."""
    own: dict[str, list[Card]] = {}
    links: dict[str, set[str]] = {}
    for card in cards:
        if card.resources and (card.rail is not None or card.for_pods) and card.text("link") in WORDS:
            own.setdefault(card.text("link"), []).append(card)
            for name in card.resources:
                links.setdefault(name, set()).add(card.text("link"))
    alone = {link for each in links.values() if len(each) == 1 for link in each}
    if len(alone) < len(WORDS):
        return ""
    hosts = {link: [*dict.fromkeys(card.node for card in mine)] for link, mine in sorted(own.items())}
    seen = (
        f"{_NAMES[link]} on {gathered(names)} ({place(own[link][0].fields['link'].at)})"
        for link, names in hosts.items()
    )
    one, other = map(set, hosts.values())
    way_out = _TOGETHER if one & other else _APART
    return f"pods get {' and '.join(seen)}; an inventory has one fabric: {way_out} ({_WHERE})"
