"""HCAs of InfiniBand and of Ethernet that device plugins give to pods: an inventory has one fabric."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.importing.cards import Card
from netplan.importing.facts import place
from netplan.model.ranges import gathered

WORDS = {"ethernet": "roce", "infiniband": "infiniband"}
"""Link type of the cards -> type of the fabric."""
_NAMES = {"ethernet": "RoCE", "infiniband": "InfiniBand"}
_WAY_OUT = (
    "an inventory has one fabric: make one of each, from dumps of its nodes, node states, policies, "
    "networks, pools and switches alone (docs/import.md, Two fabrics in one cluster)"
)


def two_fabrics(cards: Iterable[Card]) -> str:
    """Both, with their hosts and places, and what to do; empty for one fabric. A card in the wrong mode is no
    fabric: its resource takes cards of the other link type too."""
    own: dict[str, list[Card]] = {}
    links: dict[str, set[str]] = {}
    for card in cards:
        if card.resources and card.rail is not None and card.text("link") in WORDS:
            own.setdefault(card.text("link"), []).append(card)
            for name in card.resources:
                links.setdefault(name, set()).add(card.text("link"))
    alone = {link for each in links.values() if len(each) == 1 for link in each}
    if len(alone) < len(WORDS):
        return ""
    seen = (
        f"{_NAMES[link]} on {gathered(dict.fromkeys(card.node for card in mine))} "
        f"({place(mine[0].fields['link'].at)})"
        for link, mine in sorted(own.items())
    )
    return f"pods get {' and '.join(seen)}; {_WAY_OUT}"
