"""The share of a class where a switch states weights: of how many, by its other queues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.facts import Fact, Remark

SUM = "sum of weights"
"""Field of a class: what all queues of a switch add up to."""
BEYOND = "weights beyond the whole"
"""Field of a class: the same, where it is more than the switch takes, so not all of them hold."""


def weight_sums(said: Iterable[Fact | Remark]) -> Iterator[Fact]:
    """``said``: of one switch. Classes in one queue share its weight. Switches with other sums serve a class
    in other shares, whatever its own weight: the sums contradict each other then."""
    classes = [fact for fact in said if isinstance(fact, Fact) and fact.kind == "class"]
    queue_of = {fact.of: str(fact.value) for fact in classes if fact.field == "queue"}
    weights = [
        (fact, fact.value) for fact in classes if fact.field == "weight" and isinstance(fact.value, int)
    ]
    total = sum({queue_of.get(fact.of, fact.of[0]): weight for fact, weight in weights}.values())
    yield from (Fact("class", fact.of, SUM, total, fact.at) for fact, _ in weights)
