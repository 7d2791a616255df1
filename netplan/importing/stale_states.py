"""States of nodes that name a policy which no longer gives them anything: either dump is old."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card, has_labels
from netplan.importing.facts import Fault, Of, Site, place


def stale_states(site: Site, cards: Iterable[Card]) -> Iterator[Fault]:
    """Only where policies are among the dumps. One for each resource, with the number of the other cards."""
    policies: dict[str, list[Of]] = {}
    for of in site.every("resource"):
        if site.said("resource", of, "policy") is not None:
            policies.setdefault(of[1], []).append(of)
    found: dict[tuple[str, str], list[str]] = {}
    for card in cards if policies else ():
        for resource, said in site.prefixed("card", card.of, "by_policy/"):
            policy = str(said.value)
            if reason := _reason(site, card.node, policies.get(policy, [])):
                own = (
                    f"card {' '.join(card.of)} has resource {resource} of policy {policy} by its node's state"
                )
                found.setdefault((resource, policy), []).append(f"{own} ({place(said.at)}), {reason}")
    for whys in found.values():
        yield Fault(whys[0], len(whys) - 1)


def _reason(site: Site, node: str, own: list[Of]) -> str:
    """Why the policy does not give it, "" if it may."""
    if not own:
        return "which is not among the policies of the dumps"
    if any(has_labels(site, node, dict(site.prefixed("resource", of, "label/"))) for of in own):
        return ""
    said = site.said("resource", own[0], "policy")
    return f"which selects other nodes ({place(said.at)})" if said is not None else ""
