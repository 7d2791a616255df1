"""Every rule for foreign objects has cases: ``bad-*.yaml`` reports it and otherwise only notes,
``good-*.yaml`` differs by as little as possible and reports nothing. ``# file: NAME`` begins another file.
``# inventory: NAME`` in the second line names an inventory to check with it, as ``validate NAME --rendered``
does; the inventory's own findings are left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from netplan.diagnostics import Severity, Source
from netplan.others import rendered_texts
from netplan.pipeline import Result, run
from netplan.rendered import RULES as CODES
from netplan.report import finding_text
from tests.case_counts import case_id, look_at
from tests.overlay import CHECKS, FOREIGN_MARK

FILE = "objects.yaml"
INVENTORIES = CHECKS.parent.parent / "inventories"
_INVENTORY = re.compile(r"# inventory: (\S+)\n")
_NEXT_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
CASES = sorted(p for code in CODES for p in (CHECKS / code).glob("*.yaml"))
BAD = [path for path in CASES if path.name.startswith("bad-")]
GOOD = [path for path in CASES if path.name.startswith("good-")]


def texts_of(case: Path) -> dict[str, str]:
    text = case.read_text()
    assert text.startswith(FOREIGN_MARK)
    first, *rest = _NEXT_FILE.split(text.removeprefix(FOREIGN_MARK))
    files = dict(zip(rest[::2], rest[1::2], strict=True))
    return {FILE: first, **files} if first.strip() else files


@cache
def _site(name: str) -> Result:
    return run([str(INVENTORIES / f"{name}.yaml")])


def site_beside(case: Path) -> Result | None:
    """Result of the inventory that a case names."""
    beside = _INVENTORY.search(case.read_text())
    return _site(beside[1]) if beside else None


def _checked(case: Path) -> tuple[dict[str, str], Result]:
    texts = texts_of(case)
    result = rendered_texts(texts, site=site_beside(case))
    return texts, replace(
        result, diagnostics=tuple(d for d in result.diagnostics if d.source and d.source.file in texts)
    )


def _printed(texts: dict[str, str], result: Result) -> str:
    def line_of(source: Source) -> str:
        return texts[source.file].split("\n")[source.line - 1]

    return "".join(finding_text(d, line_of) for d in result.diagnostics)


def _serious(result: Result) -> set[str]:
    return {d.code for d in result.diagnostics if d.severity > Severity.INFO}


@pytest.mark.parametrize("case", BAD, ids=case_id)
def test_bad_case_is_reported(case: Path, request: pytest.FixtureRequest) -> None:
    code = case.parent.name
    texts, result = _checked(case)
    report, expected = _printed(texts, result), case.with_suffix(".out")
    mine = [d for d in result.diagnostics if d.code == code]
    assert mine, report
    assert {d.severity for d in mine} == {CODES[code].elsewhere}
    assert _serious(result) <= {code}, report
    assert all(d.source and d.hint for d in mine), report
    look_at(case, result.checked, request.config.getoption("--update-golden"))
    if request.config.getoption("--update-golden"):
        expected.write_text(report)
    assert expected.is_file(), "no .out file: pytest --update-golden writes it"
    assert report == expected.read_text()


@pytest.mark.parametrize("case", GOOD, ids=case_id)
def test_good_case_is_clean(case: Path, request: pytest.FixtureRequest) -> None:
    code = case.parent.name
    texts, result = _checked(case)
    report = _printed(texts, result)
    assert not result.diagnostics, report
    assert result.checked[code], "the rule had nothing to look at"
    look_at(case, result.checked, request.config.getoption("--update-golden"))


@pytest.mark.parametrize("code", sorted(CODES))
def test_rule_has_cases_and_says_why(code: str) -> None:
    names = {path.stem.partition("-")[0] for path in (CHECKS / code).glob("*.yaml")}
    assert names == {"bad", "good"}
    assert all(part in CODES[code].explanation for part in ("**Why.**", "**Fix.**", "**Source.**"))


@pytest.mark.parametrize("case", BAD, ids=case_id)
def test_bad_case_has_a_good_one_beside_it(case: Path) -> None:
    assert case.with_name(case.name.replace("bad-", "good-")).is_file()
