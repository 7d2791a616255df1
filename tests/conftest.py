"""Golden trees; quick and full tests; markers that skip with a reason, fail if required, and are counted at
the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import probes, upstream
from tests.golden_tree import differences, read_tree, write_tree
from tests.split import SPLIT, split

GOLDEN = Path(__file__).parent / "golden"
GoldenTree = Callable[[str, Mapping[str, str]], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite tests/golden from the current output"
    )
    parser.addoption(
        "--nightly", action="store_true", help="what takes too long for CI, every mutation, every edit"
    )


def pytest_configure(config: pytest.Config) -> None:
    os.environ["NETPLAN_CACHE_DIR"] = ""  # netplan remembers nothing unless a test asks for it
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is for a developer's machine, not CI")
    if unknown := probes.required() - probes.PROBES.keys():
        known = ", ".join(probes.PROBES)
        raise pytest.UsageError(f"NETPLAN_REQUIRE: no marker {', '.join(sorted(unknown))}; there are {known}")


@pytest.fixture
def golden_tree(request: pytest.FixtureRequest) -> GoldenTree:
    """Compare ``{relative path: text}`` with ``tests/golden/<name>/`` byte by byte, in both directions.

    A tree belongs to one test: ``--update-golden`` deletes what that test did not produce.
    """
    update = request.config.getoption("--update-golden")

    def check(name: str, produced: Mapping[str, str]) -> None:
        __tracebackhide__ = True
        root = GOLDEN / name
        if update:
            write_tree(root, produced)
            return
        if lines := list(differences(read_tree(root), produced)):
            advice = "\nif this change is intended: pytest --update-golden, then read git diff"
            pytest.fail(f"tests/golden/{name}:\n{''.join(lines)}{advice}", pytrace=False)

    return check


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark full tests before ``-m`` selects. Put the markers into the reports: under pytest-xdist nothing
    else reaches the process that counts."""
    if not config.getoption("--nightly"):
        left = [item for item in items if item.get_closest_marker("nightly")]
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left)
    config.stash[SPLIT] = split(items, probes.PROBES)
    for item in items:
        item.user_properties += [("needs", name) for name in probes.PROBES if item.get_closest_marker(name)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    upstream.MARKED["running"] = not {"crd", "formats", "yang"}.isdisjoint(_needs(item.user_properties))
    for marker in _needs(item.user_properties):
        reason = probes.missing(marker)
        if reason and probes.must_run(marker):
            pytest.fail(f"{marker} is required here: {reason}", pytrace=False)
        if reason:
            pytest.skip(f"{marker}: {reason}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A required marker without a test fails the run, in the process that has all reports."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    controls = not hasattr(session.config, "workerinput") and not session.config.getoption("collectonly")
    if controls and session.exitstatus == pytest.ExitCode.OK and _unasked(session.config, _tallies(reporter)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tallies = _tallies(terminalreporter)
    lines = [f"{marker}: {_account(tally)}" for marker, tally in tallies.items() if tally]
    unasked = _unasked(terminalreporter.config, tallies)
    lines += [f"{marker}: required, and no test with it was selected" for marker in unasked]
    if not tallies["kustomize"] and (reason := probes.missing("kustomize")):
        lines.append(f"kustomize: {reason}")
    if lines:
        terminalreporter.section("external tools")
        terminalreporter.write("".join(f"{line}\n" for line in lines))


def _tallies(reporter: pytest.TerminalReporter) -> dict[str, Counter[str]]:
    """Marker -> how many of its tests ran, or did not run and why."""
    tallies: dict[str, Counter[str]] = {marker: Counter() for marker in probes.PROBES}
    for reports in reporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and (outcome := _outcome(report)):
                for marker in _needs(report.user_properties):
                    tallies[marker][outcome] += 1
    return tallies


def _unasked(config: pytest.Config, tallies: Mapping[str, Counter[str]]) -> list[str]:
    """Required markers without a test. ``-m full`` is exempt: it runs after the quick tests, which have all
    markers."""
    if config.option.markexpr == "full":
        return []
    return sorted(marker for marker in probes.required() if not tallies[marker])


def _needs(properties: list[tuple[str, object]]) -> list[str]:
    return [str(value) for name, value in properties if name == "needs"]


def _outcome(report: pytest.TestReport) -> str:
    """``ran``, a reason for not running, or empty for a setup or teardown that passed."""
    if report.skipped and isinstance(report.longrepr, tuple):
        return f"skipped: {report.longrepr[2].removeprefix('Skipped: ')}"
    if report.when == "setup" and report.failed:
        return "not run: error in setup"
    return "ran" if report.when == "call" else ""


def _account(tally: Counter[str]) -> str:
    return "; ".join(f"{count} {outcome}" for outcome, count in sorted(tally.items()))
