"""Policies, states of nodes and running VFs that differ: dumps of different times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from netplan.importing.cards import SELECTORS, Card, Selectors, has_labels, selects
from netplan.importing.facts import Contradiction, Of, Remark, Site, first_faults, not_taken, place


def other_policies(site: Site, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """Policies that give a card a resource which the state of its node does not have: either dump is old."""
    yield from first_faults(_other_policies(site, cards))


def _other_policies(site: Site, cards: Iterable[Card]) -> Iterator[tuple[object, str]]:
    selectors = Selectors(site)
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
                yield (*stated, selector.resource), why


def stale_states(site: Site, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """Only where policies are among the dumps. One for each resource, with the number of the other cards."""
    yield from first_faults(_stale_states(site, cards))


def _stale_states(site: Site, cards: Iterable[Card]) -> Iterator[tuple[object, str]]:
    policies: dict[str, list[Of]] = {}
    for of in site.every("resource"):
        if site.said("resource", of, "policy") is not None:
            policies.setdefault(of[1], []).append(of)
    selectors = Selectors(site)
    for card in cards if policies else ():
        for resource, said in site.prefixed("card", card.of, "by_policy/"):
            policy = str(said.value)
            if reason := _reason(site, card, policies.get(policy, []), selectors):
                own = (
                    f"card {' '.join(card.of)} has resource {resource} of policy {policy} by its node's state"
                )
                yield (resource, policy), f"{own} ({place(said.at)}), {reason}"


def _reason(site: Site, card: Card, own: list[Of], selectors: Selectors) -> str:
    """Why the policy does not give it, "" if it may."""
    if not own:
        return "which is not among the policies of the dumps"
    said = site.said("resource", own[0], "policy")
    labels = (dict(site.prefixed("resource", of, "label/")) for of in own)
    if said is not None and not any(has_labels(site, card.node, each) for each in labels):
        return f"which selects other nodes ({place(said.at)})"
    if said is not None and _selects_others(site, card, own, selectors):
        return f"which selects other cards ({place(said.at)})"
    return ""


def _selects_others(site: Site, card: Card, own: list[Of], selectors: Selectors) -> bool:
    """Unless another policy gives the card what its state lacks, which is told instead."""
    stated = dict(site.prefixed("card", card.of, "resource/"))
    known = any(site.said("resource", of, name) is not None for of in own for name in SELECTORS)
    found = [each for each in selectors.near(card) if each.policy is not None and selects(each, card, site)]
    places = {said.at for of in own if (said := site.said("resource", of, "policy")) is not None}
    mine = any(each.policy is not None and each.policy.at in places for each in found)
    return known and not mine and all(each.resource in stated for each in found)


def other_vfs(site: Site, cards: Iterable[Card]) -> Iterator[Remark]:
    """Running VFs that differ from those the operator will create."""
    for card in cards:
        running, used = site.said("card", card.of, "vfs"), card.fields.get("vfs")
        if running is not None and used is not None and running.value not in (0, used.value):
            why = f"{used.value} is configured ({place(used.at)}), which the operator will set"
            told = not_taken(running.at, f"card {' '.join(card.of)} vfs", running.value, why)
            yield replace(told, alike=f"card vfs {running.value} {used.value}")
