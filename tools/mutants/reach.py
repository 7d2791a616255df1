"""Which blocks every test reaches, also through what another test left in a cache or a fixture.

Tests share results: a cached function or a fixture of a module runs in the first test that asks. What it
reached is kept beside the result and counts for every test that asks later.
"""

from __future__ import annotations

import functools
import importlib
import os
import pickle
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tools.mutants.blocks import Marking, Numbers

_PROGRAMS = ("ansible", "avd", "frr", "kustomize", "netns", "wheel", "yang")
"""Markers of tests that hand the output to other programs, for seconds each."""
OPTIONS = ["-q", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
OPTIONS += ["-m", " and ".join(f"not {marker}" for marker in ("full", *_PROGRAMS))]
LEFT_OUT = ("tests/test_complexity.py", "tests/test_mutants.py", "tests/test_split.py", "tests/test_wheel.py")
"""They look at texts, or at the whole package built; each fails or passes whatever the code does."""
_OWN = ("netplan", "tests", "tools")


@dataclass(frozen=True)
class Reach:
    """``reached``: a bit for each block. ``seconds``: of processor time, alone in its process."""

    test: str
    seconds: float
    reached: int

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]

    @property
    def function(self) -> str:
        return self.test.partition("[")[0]


@dataclass(frozen=True)
class Measured:
    """``failed``: tests that did not pass; ``at_import``: blocks that importing runs; ``modules``: libraries
    that tests import."""

    tests: tuple[Reach, ...]
    failed: tuple[str, ...]
    at_import: int
    modules: tuple[str, ...]


class Recorder:
    """What was reached, innermost asker last: bits and seconds of each."""

    def __init__(self, size: int) -> None:
        self._bytes = size // 8 + 1
        self.hits: set[int] = set()
        self._open: list[list[Any]] = [[0, 0.0]]

    def begin(self) -> None:
        self._flush()
        self._open.append([0, -_cpu()])

    def end(self) -> tuple[int, float]:
        """It counts for who began it only where that one adds it."""
        self._flush()
        bits, seconds = self._open.pop()
        seconds += _cpu()
        self._open[-1][1] -= seconds
        return bits, seconds

    def add(self, reached: tuple[int, float]) -> None:
        bits, seconds = reached
        self._open[-1][0] |= bits
        self._open[-1][1] += seconds

    def _flush(self) -> None:
        if self.hits:
            bits = bytearray(self._bytes)
            for number in self.hits:
                bits[number >> 3] |= 1 << (number & 7)
            self.hits.clear()
            self._open[-1][0] |= int.from_bytes(bits, "little")

    def kept(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[Any, Any]:
        """The result and what it reached, for whoever asks to add."""
        self.begin()
        try:
            result = function(*arguments, **named)
        except BaseException:
            self.add(self.end())
            raise
        return result, self.end()


def _cpu() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def watch_caches(recorder: Recorder) -> None:
    """Before netplan and the tests are imported: their caches tell what the kept results reached."""
    made = functools.lru_cache

    def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
        def wrapped(function: Any) -> Any:
            run = functools.partial(recorder.kept, function)
            inner = made(None if callable(maxsize) else maxsize, typed)(run)

            @functools.wraps(function)
            def outer(*arguments: Any, **named: Any) -> Any:
                result, reached = inner(*arguments, **named)
                recorder.add(reached)
                return result

            for name in ("cache_clear", "cache_info", "cache_parameters"):
                setattr(outer, name, getattr(inner, name))
            return outer

        return wrapped(maxsize) if callable(maxsize) else wrapped

    class CachedProperty(functools.cached_property):  # type: ignore[type-arg]
        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            kept, name = instance.__dict__, self.attrname
            if name not in kept:
                kept[name], kept[f"{name} reached"] = recorder.kept(self.func, instance)
            recorder.add(kept.get(f"{name} reached", (0, 0.0)))
            return kept[name]

        def __set__(self, instance: Any, value: Any) -> None:
            instance.__dict__[self.attrname] = value

    changed: Any = functools
    changed.lru_cache, changed.cached_property = lru_cache, CachedProperty
    changed.cache = lambda function: lru_cache(None)(function)


class Watch:
    """A plugin of pytest: every test's reach, with that of its fixtures and of what collecting it took."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._collected: dict[str, tuple[int, float]] = {}
        self._fixtures: dict[int, tuple[int, float]] = {}
        self._passed: set[str] = set()
        self.tests: list[Reach] = []
        self.failed: list[str] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        self._recorder.begin()
        yield
        self._collected[collector.nodeid] = self._recorder.end()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        if fixturedef.scope == "function":
            yield
            return
        self._recorder.begin()
        yield
        self._fixtures[id(fixturedef)] = reached = self._recorder.end()
        self._recorder.add(reached)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self._recorder.begin()
        yield
        bits, seconds = self._recorder.end()
        for node in item.listchain():
            bits |= self._collected.get(node.nodeid, (0, 0.0))[0]
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for definition in definitions:
                bits |= self._fixtures.get(id(definition), (0, 0.0))[0]
        if item.nodeid in self._passed:
            self.tests.append(Reach(item.nodeid, seconds, bits))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
            self._passed.discard(report.nodeid)
        elif report.when == "call" and report.passed:
            self._passed.add(report.nodeid)


def measured(root: Path, numbers: Numbers, files: Sequence[str], jobs: int, scratch: Path) -> Measured:
    """Run the tests of ``files`` once, in so many processes."""
    shares = [files[job::jobs] for job in range(jobs)]
    running = []
    for job, share in enumerate(shares):
        target = scratch / f"reach-{job}"
        if not (child := os.fork()):
            _measure(root, numbers, share, target)
        running.append((child, target))
    parts: list[Measured] = []
    for child, target in running:
        os.waitpid(child, 0)
        parts.append(pickle.loads(target.read_bytes()))
    return Measured(
        tests=tuple(sorted((test for part in parts for test in part.tests), key=lambda test: test.test)),
        failed=tuple(sorted({test for part in parts for test in part.failed})),
        at_import=parts[0].at_import,
        modules=tuple(sorted({name for part in parts for name in part.modules})),
    )


def _measure(root: Path, numbers: Numbers, files: Sequence[str], target: Path) -> NoReturn:
    """In a process of its own; never returns."""
    try:
        enter(root, target.with_suffix(".txt"))
        recorder = Recorder(numbers.size)
        watch_caches(recorder)
        Marking(numbers, recorder.hits.add).install()
        recorder.begin()
        for name in _modules(root):
            importlib.import_module(name)
        at_import, _ = recorder.end()
        watch = Watch(recorder)
        pytest.main([*OPTIONS, *files], plugins=[watch])
        others = (name for name in sys.modules if name.partition(".")[0] not in _OWN)
        found = Measured(tuple(watch.tests), tuple(watch.failed), at_import, tuple(sorted(others)))
        target.write_bytes(pickle.dumps(found))
    finally:
        sys.stdout.flush()
        os._exit(0)


def _modules(root: Path) -> list[str]:
    found = pkgutil.walk_packages([str(root / "netplan")], "netplan.")
    return [module.name for module in found if not module.name.endswith("__main__")]


def enter(root: Path, log: Path) -> None:
    """This process is about the repository in ``root`` from now on, and writes to ``log``."""
    os.chdir(root)
    sys.path.insert(0, str(root))
    os.environ["PYTHONPATH"] = str(root)
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tools", "tests", "netplan")]:
        if not name.startswith("tools.mutants"):
            del sys.modules[name]
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(output, 1)
    os.dup2(output, 2)
