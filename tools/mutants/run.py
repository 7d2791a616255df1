"""Plant one mutant after the other into a copy of the repository and run its tests, in a forked process.

The parent has the libraries in memory, but nothing of netplan and no test: a child imports the changed
sources as any user does, and what it starts reads them from the copy. A few tests come first, of few files;
the others follow only where those pass.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import NoReturn

import pytest

from tools.mutants.changes import Mutant
from tools.mutants.reach import OPTIONS, Reach, enter

FIRST_TESTS, FIRST_FILES = 12, 5
MEMORY = 8 << 30
SLOWER, AT_LEAST = 10, 20.0
"""A test may take ten times its seconds of processor time, and twenty seconds in any case."""
WALL = 1800.0
"""Seconds for a mutant in all, on any clock."""


BROKEN = 70
"""Exit status of a child that is itself at fault (sysexits.h: EX_SOFTWARE)."""


class Outcome(Enum):
    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Verdict:
    """``test``: that fails. ``ran``: how many of its tests were run."""

    outcome: Outcome
    test: str = ""
    ran: int = 0


class Chosen:
    """A plugin of pytest: these tests in this order, up to so many seconds of processor time."""

    def __init__(self, tests: Sequence[Reach], until: float) -> None:
        self._tests = {test.test: test for test in tests}
        self._until = until
        self.failed, self.ran, self.cut = "", 0, False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in self._tests if name in found]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        _limit(AT_LEAST + SLOWER * self._tests[item.nodeid].seconds)
        self.ran += 1
        yield
        if time.process_time() > self._until and not self.failed:
            item.session.shouldstop, self.cut = "budget", True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or f"collecting {report.nodeid}"


def _limit(seconds: float) -> None:
    """After so much processor time this process is ended: nothing catches it, not a loop in C either."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


class Slot:
    """One copy of the repository, and the child that runs there."""

    def __init__(self, copy: Path, budget: float) -> None:
        self.copy, self.budget = copy, budget
        self._result = copy.parent / f"{copy.name}.result"
        self._log = copy.parent / f"{copy.name}.log"
        self._child = 0
        self._ends = 0.0
        self._restore: tuple[Path, bytes, int] | None = None

    def start(self, mutant: Mutant | None, tests: Sequence[Reach]) -> None:
        """``mutant``: None where nothing is changed."""
        if mutant is not None:
            path = self.copy / mutant.path
            data, when = path.read_bytes(), path.stat().st_mtime_ns
            self._restore = (path, data, when)
            path.write_bytes(mutant.planted(data))
            os.utime(path, ns=(when, when + 2 * 10**9))  # no compiled file of before is taken for it
        self._result.unlink(missing_ok=True)
        self._ends = time.monotonic() + WALL
        sys.stdout.flush()
        if not (child := os.fork()):
            self._run(tests)
        self._child = child

    def ended(self) -> Verdict | None:
        """None as long as it runs."""
        late = time.monotonic() > self._ends
        if late:
            os.killpg(self._child, signal.SIGKILL)
        child, status = os.waitpid(self._child, 0 if late else os.WNOHANG)
        if not child:
            return None
        self.clear()
        if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF):
            return Verdict(Outcome.TIMED_OUT)
        if not self._result.is_file():
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
                raise RuntimeError(self._log.read_text(encoding="utf-8", errors="replace")[-3000:])
            return Verdict(Outcome.KILLED, f"the process ended with {status}")
        verdict: Verdict = pickle.loads(self._result.read_bytes())
        return verdict

    def clear(self) -> None:
        """End what the child left running, and make the copy whole."""
        if self._child:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child, signal.SIGKILL)
            self._child = 0
        if self._restore is not None:
            path, data, when = self._restore
            path.write_bytes(data)
            os.utime(path, ns=(when, when))
            self._restore = None

    def _run(self, tests: Sequence[Reach]) -> NoReturn:
        try:
            os.setsid()
            enter(self.copy, self._log)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            verdict = self._judged(tests)
            self._result.write_bytes(pickle.dumps(verdict))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(BROKEN)

    def _judged(self, tests: Sequence[Reach]) -> Verdict:
        ran = 0
        for stage in stages(tests):
            chosen = Chosen(stage, time.process_time() + self.budget)
            _limit(AT_LEAST * 10)
            status = pytest.main(
                [*OPTIONS, "-x", *dict.fromkeys(test.file for test in stage)], plugins=[chosen]
            )
            ran += chosen.ran
            if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not chosen.cut:
                return Verdict(Outcome.KILLED, chosen.failed or f"pytest ended with {int(status)}", ran)
            if chosen.cut:
                return Verdict(Outcome.UNFINISHED, "", ran)
        return Verdict(Outcome.SURVIVED, "", ran)


def stages(tests: Sequence[Reach]) -> Iterator[list[Reach]]:
    """The first few, of few files, because collecting a file takes time; then all others."""
    files = set(islice(dict.fromkeys(test.file for test in tests), FIRST_FILES))
    first = list(islice((test for test in tests if test.file in files), FIRST_TESTS))
    if first:
        yield first
    names = {test.test for test in first}
    if rest := [test for test in tests if test.test not in names]:
        yield rest
