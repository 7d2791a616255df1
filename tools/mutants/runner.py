"""Run a sample in as many copies as jobs, and count what became of the mutants."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from tools.mutants.changes import Mutant
from tools.mutants.known import Known
from tools.mutants.reach import Reach
from tools.mutants.run import Outcome, Slot, Verdict

DEAD = (Outcome.KILLED, Outcome.TIMED_OUT)
POLL = 0.05
Work = Generator[None, None, Verdict]


class Runner:
    """``tests``: that reach a mutant, in order."""

    def __init__(self, tests: Callable[[Mutant], list[Reach]], slots: Sequence[Slot]) -> None:
        self._tests, self._slots = tests, slots
        self._sound: dict[str, bool] = {}

    def verdicts(self, chosen: Sequence[Mutant]) -> Iterator[tuple[Mutant, Verdict, float]]:
        """As they end, with the seconds each took."""
        waiting = list(reversed(chosen))
        running: dict[int, tuple[Mutant, Work, float]] = {}
        try:
            while waiting or running:
                for number, slot in enumerate(self._slots):
                    if number not in running and waiting:
                        mutant = waiting.pop()
                        running[number] = (mutant, self._judge(slot, mutant), time.monotonic())
                for number, (mutant, work, began) in list(running.items()):
                    try:
                        next(work)
                    except StopIteration as end:
                        del running[number]
                        yield mutant, end.value, time.monotonic() - began
                time.sleep(POLL)
        finally:
            for slot in self._slots:
                slot.clear()

    def _judge(self, slot: Slot, mutant: Mutant) -> Work:
        """A test that fails alone without a mutant as well says nothing, and is left out."""
        tests = self._tests(mutant)
        while True:
            slot.start(mutant, tests)
            verdict = yield from _awaited(slot)
            killer = [test for test in tests if test.test == verdict.test]
            if not killer or (yield from self._passes_alone(slot, killer[0])):
                return verdict
            tests.remove(killer[0])

    def _passes_alone(self, slot: Slot, test: Reach) -> Generator[None, None, bool]:
        if test.test not in self._sound:
            slot.start(None, [test])
            verdict = yield from _awaited(slot)
            self._sound[test.test] = verdict.outcome not in DEAD
        return self._sound[test.test]


def _awaited(slot: Slot) -> Work:
    while (verdict := slot.ended()) is None:
        yield
    return verdict


@dataclass
class Sums:
    """``listed``: mutants that are known to mean the same, by key. ``wrong``: what the list says wrongly."""

    listed: Mapping[tuple[str, str, str, str], Known]
    least: float
    counts: Counter[Outcome] = field(default_factory=Counter)
    same: int = 0
    survivors: list[tuple[Mutant, Verdict]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        dead, entry = verdict.outcome in DEAD, self.listed.get(mutant.key)
        if entry is not None and not dead:
            self.same += 1
            return
        self.counts[verdict.outcome] += 1
        if entry is not None:
            self.wrong.append(f"listed as equivalent, but killed by {verdict.test}: {entry}")
        if not dead:
            self.survivors.append((mutant, verdict))

    @property
    def killed(self) -> int:
        return sum(self.counts[outcome] for outcome in DEAD)

    @property
    def percent(self) -> float:
        """Of those that mean something else."""
        total = self.counts.total()
        return 100 * self.killed / total if total else 100.0

    @property
    def status(self) -> int:
        return int(bool(self.wrong) or self.percent < self.least)

    def lines(self) -> Iterator[str]:
        for mutant, verdict in sorted(self.survivors, key=lambda pair: pair[0]):
            yield f"{verdict.outcome.value} {verdict.ran} tests: {mutant}  ({mutant.function})"
        yield from self.wrong
        low, high = likely(self.killed, self.counts.total())
        counted = ", ".join(f"{outcome.value} {self.counts[outcome]}" for outcome in Outcome)
        yield f"{self.counts.total() + self.same} mutants: {counted}, equivalent {self.same}"
        yield (
            f"{self.percent:.1f} % killed, at least {self.least:g} % wanted;"
            f" of all mutants {low:.1f} to {high:.1f} % (19 times in 20)"
        )


def likely(killed: int, total: int) -> tuple[float, float]:
    """Percent of all mutants that a sample of them speaks for: Wilson's interval, 95 %."""
    if not total:
        return 0.0, 100.0
    z, share = 1.96, killed / total
    middle = share + z * z / (2 * total)
    width = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 100 / (1 + z * z / total)
    return (middle - width) * scale, (middle + width) * scale
