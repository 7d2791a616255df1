"""What counts: --select, --ignore, --as-of, and entries of accept."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from netplan.checks import REGISTRY
from netplan.diagnostics import Severity
from netplan.explain import entries
from netplan.model.acceptance import Selection, can_be_set_aside
from netplan.model.codes import CODES
from netplan.pipeline import Result, compile_texts
from netplan.report import summary_text
from tests.cli_runs import json_report, netplan
from tests.overlay import CHECKS, FILE, case_texts, inventory_cases

EVERY_AREA = Path(__file__).parent / "every_area.yaml"
ALWAYS = {"NP018", "NP107"}
"""Codes of EVERY_AREA that cannot be left out."""


def compiled(select: tuple[str, ...] = (), ignore: tuple[str, ...] = ()) -> Result:
    return compile_texts(case_texts(EVERY_AREA), selection=Selection(select, ignore))


def errors(result: Result) -> set[str]:
    return {d.code for d in result.diagnostics if d.severity is Severity.ERROR}


def everything() -> set[str]:
    return errors(compiled())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A file with a mistake of NP205, an error of a check."""
    (tmp_path / "site.yaml").write_text(case_texts(CHECKS / "NP205" / "bad-link-local.yaml")[FILE])
    return tmp_path


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        (("NP4",), (), {"NP401"}),
        (("NP401", "NP5"), (), {"NP401", "NP501"}),
        (("NP4",), ("NP401",), set()),
        ((), ("NP2", "NP308"), everything() - {"NP205", "NP308"}),
        ((), ("NP",), set()),
    ],
)
def test_only_what_is_selected_and_not_ignored_counts(select, ignore, left):
    result = compiled(select, ignore)
    assert errors(result) == left | ALWAYS
    assert {d.code for d in result.left_out} >= everything() - left - ALWAYS
    assert not set(result.diagnostics) & set(result.left_out)


def test_the_summary_says_what_was_left_out():
    result = compiled(ignore=("NP4", "NP5"))
    assert f"{len(result.left_out)} findings left out (2 errors)" in summary_text(result)


def test_what_later_stages_rely_on_cannot_be_set_aside():
    kept = {code for code, e in entries().items() if not can_be_set_aside(code, e.severity)}
    checks = {code for code, c in REGISTRY.items() if c.severity is Severity.ERROR}
    stages = {code for code, c in CODES.items() if c.severity is Severity.ERROR}
    assert kept >= stages
    assert {code for code in entries() if code[2] in "09"} <= kept
    assert {code for code in checks if code[2] == "1"} <= kept
    assert not kept & {code for code in checks if code[2] in "2345678"}


FIRST_CASES = {path.parent.name: path for path in reversed(inventory_cases("NP[2-8]*/bad-*.yaml"))}


@pytest.mark.parametrize("case", FIRST_CASES.values(), ids=FIRST_CASES)
def test_a_run_goes_on_past_what_is_left_out(case: Path):
    """A finding that is left out does not stop any stage, just like an accepted one, and no stage crashes."""
    code = case.parent.name
    result = compile_texts(case_texts(case), selection=Selection(ignore=("NP",)))
    if code in REGISTRY:
        assert code in {d.code for d in result.left_out}
        assert result.skipped == () or errors(result)  # by a stage, or of a kind that always counts
    else:
        assert code in errors(result)


def test_ignored_errors_do_not_fail_validate(site: Path):
    assert netplan("validate", str(site))[0] == 1
    status, _, err = netplan("validate", str(site), "--ignore", "NP2")
    assert (status, "(1 error)" in err) == (0, True)


@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_ignored_errors_are_not_written(site: Path, form: str):
    out = site / "out"
    arguments = ("render", str(site / "site.yaml"), "-o", str(out), "--ignore", "np205", "--format", form)
    status, stdout, err = netplan(*arguments)
    assert (status, out.exists()) == (1, False)
    assert "nothing written: errors are left out of this report" in stdout + err
    if form == "json":
        assert json_report(stdout)["summary"]["left_out"] >= 1


def test_ignored_warnings_do_not_keep_render_from_writing(tmp_path: Path):
    (tmp_path / "site.yaml").write_text(case_texts(CHECKS / "NP409" / "bad-none.yaml")[FILE])
    arguments = ("render", str(tmp_path / "site.yaml"), "-o", str(tmp_path / "out"), "--strict")
    assert netplan(*arguments)[0] == 1
    assert netplan(*arguments, "--ignore", "NP409")[0] == 0
    assert (tmp_path / "out" / "manifest.json").is_file()


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        ("--select", "NP4xx", "there is no code NP4xx; did you mean NP4?"),
        ("--ignore", "NP401,NP4O5", "there is no code NP4O5; did you mean NP405?"),
        ("--ignore", "", "write a code such as NP404, or NP4 for all that begin with it"),
        ("--select", "NP", "write a code such as NP404, or NP4 for all that begin with it"),
        ("--ignore", "NP107", "NP107 always counts and cannot be ignored"),
        ("--ignore", "NP9", "NP9 always counts and cannot be ignored"),
        ("--as-of", "tomorrow", "'tomorrow' does not match the format '%Y-%m-%d'."),
    ],
)
def test_wrong_codes_and_dates(option: str, given: str, message: str):
    status, out, err = netplan("validate", "x.yaml", option, given)
    assert (status, out) == (2, "")
    assert err.endswith(f"Error: Invalid value for '{option}': {message}\n")


@pytest.fixture
def accepting(tmp_path: Path) -> str:
    case = CHECKS / "NP114" / "bad-day-after.yaml"
    (tmp_path / "site.yaml").write_text(case_texts(case)[FILE])
    return str(tmp_path / "site.yaml")


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ((), []),
        (("--as-of", "2026-01-31"), []),
        (("--as-of", "2026-02-01"), ["NP409", "NP114"]),
        (("--as-of", "2026-02-01", "--ignore", "NP114"), ["NP409"]),
    ],
)
def test_acceptances_end_with_the_date_given_and_never_by_the_clock(accepting: str, options, codes):
    """The entry ended in January 2026, long before this test was written."""
    assert date.today() > date(2026, 1, 31)
    status, out, _ = netplan("validate", accepting, "--strict", "--format", "json", *options)
    assert [d["code"] for d in json_report(out)["diagnostics"]] == codes
    assert status == int(bool(codes))


def test_an_entry_whose_check_was_not_reached_is_not_called_unused():
    text = case_texts(CHECKS / "NP113" / "bad-nothing-there.yaml")[FILE]
    codes = [d.code for d in compile_texts({FILE: text}).diagnostics]
    assert "NP113" in codes
    broken = text.replace("version: 1", "version: 2")
    assert "NP113" not in [d.code for d in compile_texts({FILE: broken}).diagnostics]
