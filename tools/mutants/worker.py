"""A process with pytest's collection in memory, which forks for each mutant.

Importing and collecting take half a minute, a mutant's tests a second. So a worker does both once, in its own
copy of the repository; a forked child replaces the code of existing functions and runs the tests that the
parent chose. What importing has already run cannot be replaced that way: such a mutant gets a new process,
which imports the changed copy.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tools.mutants.blocks import MARK, Marking, Numbers, compiled
from tools.mutants.changes import Mutant
from tools.mutants.reach import OPTIONS, Measured, Recorder, Watch, enter, import_all, watch_caches

MEMORY = 12 << 30
SLOWER, AT_LEAST = 10, 20.0
"""Time limit of a test: ten times its usual processor time, at least 20 s."""
WALL = 900.0
"""Wall-clock limit for a mutant in seconds: past it there is no verdict, the machine may be busy."""
FRESH = 400
"""Limit of tests in a new process, whose names are on its command line."""
COLD = 4
"""Factor for tests in a new process: no other test has filled its caches."""
BROKEN = 70
"""Exit status of a child that is itself broken (sysexits.h: EX_SOFTWARE)."""


class Outcome(Enum):
    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Verdict:
    """``test``: the one that failed. ``ran``: number of tests run."""

    outcome: Outcome
    test: str = ""
    ran: int = 0


@dataclass(frozen=True)
class Task:
    """``mutant``: None to change nothing. ``tests``: names, with seconds of processor time.

    ``budget``: seconds of tests; ``fresh``: in a new process.
    """

    mutant: Mutant | None
    tests: Sequence[tuple[str, float]]
    budget: float
    fresh: bool


@dataclass(frozen=True)
class Share:
    """Measure the tests number ``job``, ``job + jobs``, ...; ``seconds``: limit of processor time, None for
    all.

    ``paths``: tests of the first path come first; within a path the cases of different test functions in
    turn.
    """

    job: int
    jobs: int
    paths: Sequence[str]
    seconds: float | None


class Host:
    """A pytest plugin that replaces the test run: it does what its orders say."""

    def __init__(self, copy: Path, numbers: Numbers, watch: Watch, orders: Connection) -> None:
        self._copy, self._numbers, self._watch, self._orders = copy, numbers, watch, orders
        self._scratch = copy.parent / f"{copy.name}.scratch"
        self.at_import = 0
        self._items: dict[str, pytest.Item] = {}
        self._functions: dict[str, list[FunctionType]] = {}
        self._failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed = self._failed or report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._items = {item.nodeid: item for item in session.items}
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                self._functions.setdefault(thing.__code__.co_filename, []).append(thing)
        gc.collect()
        gc.freeze()  # children do not touch existing objects, so memory stays shared
        self._orders.send("ready")
        while (order := self._orders.recv()) is not None:
            self._orders.send(self._measured(order) if isinstance(order, Share) else self._judged(order))
        return True

    def _measured(self, share: Share) -> Measured:
        mine = [self._items[name] for name in in_turn(self._items, share.paths)][share.job :: share.jobs]

        def measure() -> Measured:
            until = time.process_time() + share.seconds if share.seconds is not None else None
            for item, following in zip(mine, [*mine[1:], None], strict=False):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if until is not None and time.process_time() > until:
                    break
            return self._watch.measured(self.at_import)

        found = self._forked(measure, None)
        if not isinstance(found, Measured):
            raise RuntimeError(f"the tests cannot be measured: {found}, see {self._log}")
        return found

    def _judged(self, task: Task) -> Verdict:
        with planted(self._copy, task.mutant):
            fresh = task.fresh or not self._replaceable(task.mutant)
            found = self._fresh(task) if fresh else self._forked(lambda: self._run(task), WALL)
        assert isinstance(found, Verdict)
        return found

    def _run(self, task: Task) -> Verdict:
        """Runs in a child."""
        setattr(sys.modules["builtins"], MARK, int)  # no counting here
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if task.mutant is not None and task.mutant.path.endswith(".py"):
            self._take(task.mutant)
        items = [(self._items[name], seconds) for name, seconds in task.tests if name in self._items]
        until, ran = time.process_time() + task.budget, 0
        for (item, seconds), following in zip(items, [*items[1:], None], strict=False):
            limit_processor(AT_LEAST + SLOWER * seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following[0] if following else None)
            ran += 1
            if self._failed:
                return Verdict(Outcome.KILLED, self._failed, ran)
            if time.process_time() > until:
                return Verdict(Outcome.UNFINISHED, "", ran)
        return Verdict(Outcome.SURVIVED, "", ran)

    def _take(self, mutant: Mutant) -> None:
        """Puts the changed code into every existing function of the file."""
        changed = self._changed(mutant)
        for function in self._functions.get(str(self._copy / mutant.path), ()):
            if (code := changed.get(function.__code__)) is not None:
                function.__code__ = code

    def _changed(self, mutant: Mutant) -> dict[CodeType, CodeType]:
        path, first = self._copy / mutant.path, self._numbers.first[mutant.path]
        text = path.read_bytes()
        before = compiled(mutant.original(text), str(path), first)
        return dict(pairs(before, compiled(text, str(path), first)))

    def _replaceable(self, mutant: Mutant | None) -> bool:
        """Whether existing functions can take the change: not if one closes over other names than before,
        such as a method that no longer calls ``super()``."""
        if mutant is None or not mutant.path.endswith(".py"):
            return True
        return all(old.co_freevars == new.co_freevars for old, new in self._changed(mutant).items())

    def _forked(self, work: Callable[[], object], wall: float | None) -> object:
        """What ``work`` returns in a child, or a verdict if the child ends otherwise."""
        result = self._scratch.with_suffix(".result")
        result.unlink(missing_ok=True)
        if not (child := os.fork()):
            _in_child(work, result, self._log)
        try:
            status = _awaited(child, wall)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        if result.is_file():
            return pickle.loads(result.read_bytes())
        if status is None:
            return Verdict(Outcome.UNFINISHED)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
            return Verdict(Outcome.TIMED_OUT)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
            raise RuntimeError(self._log.read_text(encoding="utf-8", errors="replace")[-3000:])
        return Verdict(Outcome.KILLED, f"the process ended with {status}")

    @property
    def _log(self) -> Path:
        return self._scratch.with_suffix(".log")

    def _fresh(self, task: Task) -> Verdict:
        """Runs the first tests in a new process. If the last one fails, the process itself may be the
        problem: unfinished."""
        names = first_within(task.tests[:FRESH], task.budget / COLD)
        if not names:
            return Verdict(Outcome.SURVIVED)
        command = [sys.executable, "-m", "pytest", *OPTIONS, "-x", *names]
        limit = int(4 * AT_LEAST + SLOWER * task.budget)
        try:
            done = subprocess.run(
                command,
                cwd=self._copy,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                capture_output=True,
                text=True,
                timeout=WALL,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
            )
        except subprocess.TimeoutExpired:
            return Verdict(Outcome.UNFINISHED)
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return Verdict(Outcome.TIMED_OUT)
        if done.returncode not in (0, 5):
            found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
            return Verdict(Outcome.KILLED, found[1] if found else f"pytest ended with {done.returncode}")
        outcome = Outcome.SURVIVED if len(names) == len(task.tests) else Outcome.UNFINISHED
        return Verdict(outcome, "", len(names))


def first_within(tests: Sequence[tuple[str, float]], seconds: float) -> list[str]:
    """Names of the first tests that together take at most ``seconds``, but at least one."""
    ends = accumulate(took for _, took in tests)
    return [
        name
        for place, ((name, _), end) in enumerate(zip(tests, ends, strict=True))
        if not place or end <= seconds
    ]


def work(copy: Path, numbers: Numbers, tests: Sequence[str], orders: Connection) -> None:
    """Main loop of a worker; an order of None ends it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends its child too
    enter(copy, copy.parent / f"{copy.name}.log")
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(copy.parent)
    recorder = Recorder(numbers.size)
    watch_caches(recorder)
    Marking(numbers, recorder.hits.add).install()
    recorder.begin()
    import_all(copy)
    at_import = recorder.end()
    watch = Watch(recorder)
    host = Host(copy, numbers, watch, orders)
    host.at_import = at_import
    status = pytest.main([*OPTIONS, "-s", *tests], plugins=[watch, host])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        said = (copy.parent / f"{copy.name}.log").read_text(encoding="utf-8", errors="replace")
        orders.send(f"pytest ended with {int(status)}:\n{said[-3000:]}")


@contextmanager
def planted(copy: Path, mutant: Mutant | None) -> Iterator[None]:
    """Changes the file, and restores it afterwards with its mtime, so that compiled files stay valid."""
    if mutant is None:
        yield
        return
    path = copy / mutant.path
    data, when = path.read_bytes(), path.stat().st_mtime_ns
    try:
        path.write_bytes(mutant.planted(data))
        os.utime(path, ns=(when, when + 2 * 10**9))
        yield
    finally:
        path.write_bytes(data)
        os.utime(path, ns=(when, when))


def pairs(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """(old, new) code objects of a module; a mutant leaves their structure unchanged."""
    yield before, after
    theirs = [[part for part in code.co_consts if isinstance(part, CodeType)] for code in (before, after)]
    if len(theirs[0]) == len(theirs[1]):
        for old, new in zip(*theirs, strict=True):
            yield from pairs(old, new)


def limit_processor(seconds: float) -> None:
    """Kills this process after the given processor time; works in C loops too, and cannot be caught."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def in_turn(names: Iterable[str], paths: Sequence[str]) -> list[str]:
    """Test names by path prefix, in the order of ``paths``; within one, cases of the functions in turn."""
    before: Counter[str] = Counter()
    keys = []
    for place, name in enumerate(names):
        function, file = name.partition("[")[0], name.partition("::")[0]
        path = next(
            (n for n, path in enumerate(paths) if file == path or file.startswith(f"{path}/")), len(paths)
        )
        keys.append((path, before[function], place, name))
        before[function] += 1
    return [name for *_, name in sorted(keys)]


def _in_child(work: Callable[[], object], result: Path, log: Path) -> Any:
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(output, 1)
        os.dup2(output, 2)
        found = pickle.dumps(work())
        limit_processor(0)
        result.with_suffix(".part").write_bytes(found)
        result.with_suffix(".part").rename(result)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(BROKEN)


def _awaited(child: int, wall: float | None) -> int | None:
    """Exit status; None if the child was killed after ``wall`` seconds."""
    ends = time.monotonic() + wall if wall is not None else None
    pause = 0.005
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        if ends is not None and time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(pause)
        pause = min(0.1, pause * 1.5)
