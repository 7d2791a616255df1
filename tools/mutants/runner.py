"""Distributes a sample to the workers and counts the verdicts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from multiprocessing.connection import Connection, wait
from typing import TypeVar

from tools.mutants.changes import Mutant
from tools.mutants.known import Known
from tools.mutants.order import Seen
from tools.mutants.reach import Reach
from tools.mutants.worker import Outcome, Task, Verdict

DEAD = (Outcome.KILLED, Outcome.TIMED_OUT)
Work = Generator[Task, Verdict, Verdict]
Answer = TypeVar("Answer")


def answer(worker: Connection, kind: type[Answer]) -> Answer:
    """A worker's answer; a text is an error message."""
    found: object = worker.recv()
    if not isinstance(found, kind):
        raise SystemExit(f"a worker is at fault: {found}")
    return found


class Runner:
    """``tests``: reaching a mutant, in order; ``seen``: when its block first runs."""

    def __init__(
        self, tests: Callable[[Mutant], list[Reach]], seen: Callable[[Mutant], Seen], budget: float
    ) -> None:
        self._tests, self._seen, self._budget = tests, seen, budget
        self._sound: dict[str, bool] = {}

    def verdicts(
        self, chosen: Sequence[Mutant], workers: Sequence[Connection]
    ) -> Iterator[tuple[Mutant, Verdict, float]]:
        """(mutant, verdict, seconds), as they finish."""
        waiting, free = list(reversed(chosen)), list(workers)
        running: dict[Connection, tuple[Mutant, Work, float]] = {}
        while waiting or running:
            while waiting and free:
                worker, mutant = free.pop(), waiting.pop()
                work = self._judge(mutant)
                worker.send(next(work))
                running[worker] = (mutant, work, time.monotonic())
            ready = wait(list(running))
            for worker, (mutant, work, began) in list(running.items()):
                if worker not in ready:
                    continue
                try:
                    worker.send(work.send(answer(worker, Verdict)))
                except StopIteration as end:
                    del running[worker]
                    free.append(worker)
                    yield mutant, end.value, time.monotonic() - began

    def _judge(self, mutant: Mutant) -> Work:
        """A block that runs at import needs a new process. One that runs at collection needs it if no test
        fails in a worker: the tests there may use objects created before the change."""
        tests, seen = {test.test: test.seconds for test in self._tests(mutant)}, self._seen(mutant)
        if seen is Seen.IMPORTING:
            return (yield from self._killed(mutant, tests, True))
        verdict = yield from self._killed(mutant, tests, False)
        if verdict.outcome in DEAD or seen is Seen.LATER:
            return verdict
        return (yield from self._killed(mutant, tests, True))

    def _killed(self, mutant: Mutant, tests: dict[str, float], fresh: bool) -> Work:
        """Leaves out a test that also fails on its own without a mutant."""
        while True:
            verdict = yield Task(mutant, tuple(tests.items()), self._budget, fresh)
            if verdict.test not in tests or (yield from self._passes_alone(verdict.test, tests, fresh)):
                return verdict
            del tests[verdict.test]

    def _passes_alone(
        self, test: str, tests: Mapping[str, float], fresh: bool
    ) -> Generator[Task, Verdict, bool]:
        if test not in self._sound:
            verdict = yield Task(None, [(test, tests[test])], self._budget, fresh)
            self._sound[test] = verdict.outcome not in DEAD
        return self._sound[test]


@dataclass
class Sums:
    """``listed``: equivalent mutants, by key. ``wrong``: wrong entries of that list."""

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
        """Killed mutants in percent of those that are not equivalent."""
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
    """Wilson's 95 % interval, in percent, for the share killed of all mutants."""
    if not total:
        return 0.0, 100.0
    z, share = 1.96, killed / total
    middle = share + z * z / (2 * total)
    width = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 100 / (1 + z * z / total)
    return (middle - width) * scale, (middle + width) * scale
