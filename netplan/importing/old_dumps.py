"""Policies, states of nodes and running VFs that differ: dumps of different times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from netplan.importing.cards import Card, Selectors, selects
from netplan.importing.facts import Fault, Remark, Site, not_taken, place


def other_policies(site: Site, cards: Iterable[Card]) -> Iterator[Fault]:
    """Policies that give a card a resource which the state of its node does not have: either dump is old."""
    selectors, found = Selectors(site), dict[tuple[str, ...], list[str]]()
    for card in cards:
        stated = dict(site.prefixed("card", card.of, "resource/"))
        if not stated or site.said("node", (card.node,), "there") is None:
            continue
        for selector in selectors.near(card):
            said = selector.policy
            if said is not None and selector.resource not in stated and selects(selector, card, site):
                at = place(next(iter(stated.values())).at)
                own = f"card {' '.join(card.of)} has resource {', '.join(stated)} by its node's state ({at})"
                why = f"{own}, a policy gives it {selector.resource} ({place(said.at)})"
                found.setdefault((*stated, selector.resource), []).append(why)
    for whys in found.values():
        yield Fault(whys[0], len(whys) - 1)


def other_vfs(site: Site, cards: Iterable[Card]) -> Iterator[Remark]:
    """Running VFs that differ from those the operator will create."""
    for card in cards:
        running, used = site.said("card", card.of, "vfs"), card.fields.get("vfs")
        if running is not None and used is not None and running.value not in (0, used.value):
            why = f"{used.value} is configured ({place(used.at)}), which the operator will set"
            told = not_taken(running.at, f"card {' '.join(card.of)} vfs", running.value, why)
            yield replace(told, alike=f"card vfs {running.value} {used.value}")
