"""The test harness, tried on its own test files with pytest inside pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import probes
from tests.conftest import GOLDEN
from tests.golden_tree import read_tree

pytest_plugins = ["pytester"]

REPOSITORY = Path(__file__).resolve().parent.parent
MARKERS = "".join(f"    {marker}: see pyproject.toml\n" for marker in (*probes.PROBES, "full", "sample(n)"))


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with our conftest, its own golden folder, and an environment without our variables."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("NETPLAN_REQUIRE", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setattr("tests.conftest.GOLDEN", pytester.path / "golden")
    # hypothesis' plugin imports all of hypothesis for its summary: a second per inner run.
    pytester.makeini(f"[pytest]\naddopts = -p no:hypothesispytest\nmarkers =\n{MARKERS}")
    pytester.makeconftest("from tests.conftest import *")
    return pytester


def _golden(inner: pytest.Pytester, *options: str) -> pytest.RunResult:
    """Run with one stored golden file and a different file produced."""
    stored = inner.path / "golden" / "site" / "stored.txt"
    stored.parent.mkdir(parents=True)
    stored.write_text("one\n")
    inner.makepyfile("def test_it(golden_tree): golden_tree('site', {'sub/new.txt': 'two'})")
    return inner.runpytest_inprocess(*options)


def test_golden_difference_fails(inner: pytest.Pytester):
    result = _golden(inner)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "tests/golden/site:",
            "not produced: stored.txt",
            "not in golden: sub/new.txt",
            "if this change is intended: pytest --update-golden, then read git diff",
        ]
    )


def test_update_makes_the_stored_tree_the_produced_one(inner: pytest.Pytester):
    _golden(inner, "--update-golden").assert_outcomes(passed=1)
    assert read_tree(inner.path / "golden") == {"site/sub/new.txt": "two"}


def test_update_is_refused_in_ci(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CI", "true")
    result = _golden(inner, "--update-golden")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert read_tree(inner.path / "golden") == {"site/stored.txt": "one\n"}


def test_golden_folder_is_beside_the_tests():
    assert GOLDEN.relative_to(REPOSITORY).as_posix() == "tests/golden"


def _without_frr(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *options: str) -> pytest.RunResult:
    monkeypatch.setitem(probes.PROBES, "frr", lambda: "no vtysh here")
    probes.missing.cache_clear()
    inner.makepyfile(
        """
        import pytest

        @pytest.mark.frr
        def test_marked(): pass

        def test_plain(): pass
        """
    )
    try:
        return inner.runpytest_inprocess(*options)
    finally:
        probes.missing.cache_clear()


def test_unmet_marker_skips_with_the_reason(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    result = _without_frr(inner, monkeypatch)
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*external tools*", "frr: 1 skipped: frr: no vtysh here"])


def test_unmet_marker_fails_when_required(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NETPLAN_REQUIRE", "crd, frr")
    result = _without_frr(inner, monkeypatch)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*frr is required here: no vtysh here",
            "frr: 1 not run: error in setup",
            "crd: required, and no test with it was selected",
        ]
    )


def test_misspelt_requirement_is_refused(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NETPLAN_REQUIRE", "netn")
    result = inner.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*NETPLAN_REQUIRE: no marker netn; there are crd, yang, *"])


def test_absence_of_kustomize_is_told(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(probes.PROBES, "kustomize", lambda: "no kubectl here")
    result = _without_frr(inner, monkeypatch)
    result.stdout.fnmatch_lines(["kustomize: no kubectl here"])


def test_kustomize_is_required_where_a_binary_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NETPLAN_REQUIRE", raising=False)
    monkeypatch.setattr("tests.kustomize.present", lambda: True)
    assert (probes.must_run("kustomize"), probes.must_run("netns")) == (True, False)


def test_accounting_works_under_xdist(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(inner.path))
    inner.makepyfile(
        """
        import pytest

        @pytest.mark.frr
        @pytest.mark.parametrize("n", [1, 2, 3])
        def test_marked(n): pass
        """
    )
    result = inner.runpytest_subprocess("-n2")
    result.assert_outcomes(skipped=3)
    result.stdout.fnmatch_lines(["frr: 3 skipped: frr: vtysh is not on the PATH (Debian: frr)"])


SPLIT = """
    import pytest

    @pytest.mark.sample(2)
    @pytest.mark.parametrize("n", range(5))
    def test_family(n): pass

    @pytest.mark.full
    def test_long(): pass

    @pytest.mark.frr
    def test_short(): pass
    """


def test_quick_and_full_tests_are_all_tests_once(inner: pytest.Pytester):
    inner.makepyfile(SPLIT)
    found = {}
    for options in ((), ("-m", "not full"), ("-m", "full")):
        result = inner.runpytest_inprocess("--collect-only", "-q", *options)
        found[options] = [line for line in result.outlines if "::" in line]
    everything, quick, full = found.values()
    assert [len(quick), len(full)] == [3, 4]
    assert sorted(quick + full) == sorted(everything)
    assert [line.partition("::")[2] for line in full][-1] == "test_long"


@pytest.mark.parametrize("arguments", ["", "0", "True", "2, 3", "n=2"])
def test_a_sample_is_a_number(inner: pytest.Pytester, arguments: str):
    inner.makepyfile(SPLIT.replace("sample(2)", f"sample({arguments})"))
    result = inner.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*sample takes one number, how many of the cases are quick"])


def test_a_sample_is_of_a_test_with_parameters(inner: pytest.Pytester):
    inner.makepyfile(SPLIT.replace("mark.full", "mark.sample(2)"))
    result = inner.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_long: sample is for tests with parameters, mark this one full"])


@pytest.mark.parametrize(
    ("required", "options", "wanted"),
    [
        ("frr", ("-m", "not full"), pytest.ExitCode.OK),
        ("frr", ("-m", "full"), pytest.ExitCode.OK),
        ("frr", ("-k", "family"), pytest.ExitCode.TESTS_FAILED),
        ("crd", ("-m", "not full"), pytest.ExitCode.TESTS_FAILED),
        ("crd", (), pytest.ExitCode.TESTS_FAILED),
        ("crd", ("--collect-only",), pytest.ExitCode.OK),
        ("crd", ("-n2",), pytest.ExitCode.TESTS_FAILED),
    ],
)
def test_a_required_marker_without_a_test_fails(inner, monkeypatch, required, options, wanted):
    """It fails in the quick tests, which CI runs first; the remaining tests need not have the marker."""
    monkeypatch.setenv("NETPLAN_REQUIRE", required)
    monkeypatch.setitem(probes.PROBES, "frr", lambda: None)
    probes.missing.cache_clear()
    inner.makepyfile(SPLIT if "-n2" not in options else "def test_short(): pass")
    try:
        assert inner.runpytest_inprocess(*options).ret == wanted
    finally:
        probes.missing.cache_clear()
