"""Which blocks each test reaches, including through results that another test left in a cache or fixture.

Tests share results: a cached function or a module fixture runs in the first test that needs it. The blocks it
reached are stored with the result and count for every later test that uses it.
"""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_PROGRAMS = ("ansible", "avd", "frr", "kustomize", "netns", "wheel", "yang")
"""Markers of tests that run other programs, which takes seconds each."""
OPTIONS = ["-q", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
OPTIONS += ["-m", " and ".join(f"not {marker}" for marker in ("full", *_PROGRAMS))]
LEFT_OUT = ("tests/test_complexity.py", "tests/test_mutants.py", "tests/test_split.py")
"""Tests that examine source texts; they pass or fail whatever the code does."""
OPTIONS += [f"--ignore={name}" for name in LEFT_OUT]


@dataclass(frozen=True)
class Reach:
    """``reached``: a bit per block. ``seconds``: processor time, with caches filled by other tests."""

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
    """``failed``: tests that did not pass; ``at_import``, ``at_collection``: blocks that ran before the
    tests."""

    tests: tuple[Reach, ...]
    failed: tuple[str, ...]
    at_import: int
    at_collection: int


class Recorder:
    """Stack of reached blocks as bits, the innermost caller last."""

    def __init__(self, size: int) -> None:
        self._bytes = size // 8 + 1
        self.hits: set[int] = set()
        self._open = [0]

    def begin(self) -> None:
        self._flush()
        self._open.append(0)

    def end(self) -> int:
        """Ends the innermost recording and returns its bits; the caller has to add them where they should
        count."""
        self._flush()
        return self._open.pop()

    def add(self, reached: int) -> None:
        self._open[-1] |= reached

    def _flush(self) -> None:
        if self.hits:
            bits = bytearray(self._bytes)
            for number in self.hits:
                bits[number >> 3] |= 1 << (number & 7)
            self.hits.clear()
            self._open[-1] |= int.from_bytes(bits, "little")

    def kept(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[Any, int]:
        """(result, blocks it reached); the caller may add those to its own."""
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
    """Must run before netplan and the tests are imported: makes their caches store what results reached."""
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
            recorder.add(kept.get(f"{name} reached", 0))
            return kept[name]

        def __set__(self, instance: Any, value: Any) -> None:
            instance.__dict__[self.attrname] = value

    changed: Any = functools
    changed.lru_cache, changed.cached_property = lru_cache, CachedProperty
    changed.cache = lambda function: lru_cache(None)(function)


class Watch:
    """A pytest plugin that measures every test's reach, with its fixtures and what collecting it took."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._collected: dict[str, int] = {}
        self._fixtures: dict[int, int] = {}
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
        began = _cpu()
        yield
        bits, seconds = self._recorder.end(), _cpu() - began
        for node in item.listchain():
            bits |= self._collected.get(node.nodeid, 0)
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for definition in definitions:
                bits |= self._fixtures.get(id(definition), 0)
        if item.nodeid in self._passed:
            self.tests.append(Reach(item.nodeid, seconds, bits))

    def measured(self, at_import: int) -> Measured:
        at_collection = 0
        for bits in self._collected.values():
            at_collection |= bits
        return Measured(tuple(self.tests), tuple(self.failed), at_import, at_collection)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
            self._passed.discard(report.nodeid)
        elif report.when == "call" and report.passed:
            self._passed.add(report.nodeid)


def together(parts: Sequence[Measured]) -> Measured:
    return Measured(
        tests=tuple(sorted((test for part in parts for test in part.tests), key=lambda test: test.test)),
        failed=tuple(sorted({test for part in parts for test in part.failed})),
        at_import=parts[0].at_import,
        at_collection=parts[0].at_collection,
    )


def import_all(root: Path) -> None:
    """Imports every module of netplan, so that no test is the first to do it."""
    for module in pkgutil.walk_packages([str(root / "netplan")], "netplan."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def enter(root: Path, log: Path) -> None:
    """Makes this process work on the repository in ``root`` and write to ``log``."""
    os.chdir(root)
    sys.path.insert(0, str(root))
    os.environ["PYTHONPATH"] = str(root)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tools", "tests", "netplan")]:
        if not name.startswith("tools.mutants"):
            del sys.modules[name]
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(output, 1)
    os.dup2(output, 2)
