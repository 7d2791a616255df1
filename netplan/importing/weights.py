"""The share of a class where a switch states weights: of how many, by its other queues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.facts import Fact, Remark

SUM = "sum of weights"
"""Field of a class: what all queues of a switch add up to."""


def weight_sums(said: Iterable[Fact | Remark]) -> Iterator[Fact]:
    """``said``: of one switch. Classes in one queue share its weight. Switches with other sums serve a class
    in other shares, whatever its own weight: the sums contradict each other then."""
    weights: list[Fact] = []
    queue_of: dict[str, str] = {}
    for fact in said:
        if isinstance(fact, Fact) and fact.kind == "class":
            if fact.field == "queue":
                queue_of[fact.of[0]] = str(fact.value)
            elif fact.field == "weight" and isinstance(fact.value, int):
                weights.append(fact)
    by_queue = {queue_of.get(fact.of[0], fact.of[0]): fact.value for fact in weights}
    total = sum(value for value in by_queue.values() if isinstance(value, int))
    yield from (Fact("class", fact.of, SUM, total, fact.at) for fact in weights)
