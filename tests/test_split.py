"""Every test file, tool and family of tests has quick tests."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests import probes
from tests.split import SPLIT, Split, Value, sampled

TESTS = Path(__file__).resolve().parent
NOSES, FAULTS = ("eos", "nxos", "sonic"), ("mtu", "vlan", "pfc", "bgp")
CASES: dict[str, set[Value]] = {
    f"test[{nos}-{fault}]": {("nos", nos), ("fault", fault)} for nos in NOSES for fault in FAULTS
}


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> Split:
    """The tests collected in this run, before ``-m`` deselects any."""
    return request.config.stash[SPLIT]


def whole(config: pytest.Config) -> bool:
    """Whether all tests were collected, not a selection."""
    return [(config.invocation_params.dir / arg).resolve() for arg in config.args] == [TESTS]


def test_every_file_has_a_quick_test(collected: Split, request: pytest.FixtureRequest):
    assert Split.never_quick(collected.files) == []
    if whole(request.config):
        stored = {path.relative_to(TESTS.parent).as_posix() for path in TESTS.rglob("test_*.py")}
        assert stored - {name for name, _ in collected.files} == set()


def test_every_tool_has_a_quick_test(collected: Split, request: pytest.FixtureRequest):
    assert Split.never_quick(collected.markers) == []
    if whole(request.config):
        assert {name for name, _ in collected.markers} == set(probes.PROBES)


def test_ci_runs_every_test_once():
    """make test and make test-full complement each other, and .ci/run runs both."""
    makefile = (TESTS.parent / "Makefile").read_text()
    recipes = dict(re.findall(r"^(test[a-z-]*):.*\n\t\$\(PYTEST\)(.*)$", makefile, re.MULTILINE))
    assert recipes == {"test": ' -m "not full"', "test-full": " -m full", "test-all": ""}
    steps = re.findall(r"^make (\S+)$", (TESTS.parent / ".ci/run").read_text(), re.MULTILINE)
    assert steps == ["check", "test", "test-full"]


def test_a_test_that_is_never_quick_is_named():
    counted = Counter({("test_a.py", True): 1, ("test_a.py", False): 5, ("test_b.py", False): 2})
    assert Split.never_quick(counted) == ["test_b.py"]


def test_a_sample_has_every_value_of_every_parameter():
    quick = sampled(CASES, len(FAULTS))
    assert len(quick) == len(FAULTS)
    assert set().union(*(CASES[name] for name in quick)) == set().union(*CASES.values())


def test_a_sample_depends_on_no_order_and_hardly_on_other_cases():
    quick = sampled(CASES, 4)
    assert sampled(dict(reversed(list(CASES.items()))), 4) == quick
    single: dict[str, set[Value]] = {f"test[{n}]": {("n", n)} for n in range(100)}
    more = single | {"test[new]": {("n", "new")}}
    assert len(sampled(single, 10) & sampled(more, 10)) >= 9


def test_a_sample_larger_than_the_family_is_the_family():
    assert sampled(CASES, 100) == set(CASES)
