"""Every rule about config_db files has cases: ``bad-*`` gives it and no other error, ``good-*`` does not.

A case ``*.json`` maps file names to JSON merge patches on the small fabric of ``tests/sonic_corpus.py``; a
case ``*.txt`` is itself the one file given.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netplan.config_db import RULES, Judged, judge_texts
from netplan.diagnostics import Severity, Source
from netplan.report import finding_text
from tests.case_counts import case_id, look_at
from tests.overlay import CHECKS
from tests.sonic_corpus import merged, small, texts, unlinked

FOLDERS = sorted(CHECKS / code for code in RULES)
BAD = [path for folder in FOLDERS for path in sorted(folder.glob("bad-*")) if path.suffix != ".out"]
GOOD = [path for folder in FOLDERS for path in sorted(folder.glob("good-*")) if path.suffix != ".out"]


def case_texts(case: Path) -> dict[str, str]:
    """File name -> text of a case."""
    text = case.read_text(encoding="utf-8")
    if case.suffix == ".txt":
        return {"config_db.json": text}
    files = small()
    for name, patch in json.loads(text).items():
        base = files.get(name, unlinked() if name == "leaf-3.json" else {})
        files[name] = merged(base, patch)
    return texts(files)


def printed(named: dict[str, str], judged: Judged) -> str:
    """What ``netplan validate --config-db`` prints about each finding, without colour."""

    def line_of(source: Source) -> str:
        return named[source.file].split("\n")[source.line - 1]

    found = sorted(judged.diagnostics, key=lambda d: (d.source or Source("", 0, 0), d.code, d.message))
    return "".join(finding_text(d, line_of) for d in found)


def _errors(judged: Judged) -> set[str]:
    return {d.code for d in judged.diagnostics if d.severity is Severity.ERROR}


@pytest.mark.parametrize("case", BAD, ids=case_id)
def test_bad_case_is_reported(case: Path, request: pytest.FixtureRequest) -> None:
    named, code = case_texts(case), case.parent.name
    judged = judge_texts(named)
    report, expected = printed(named, judged), case.with_suffix(".out")
    assert {d.code for d in judged.diagnostics} == {code}, report
    assert all(
        d.source and d.hint and d.severity in (RULES[code].severity, Severity.INFO)
        for d in judged.diagnostics
    )
    look_at(case, judged.checked, request.config.getoption("--update-golden"))
    if request.config.getoption("--update-golden"):
        expected.write_text(report)
    assert expected.is_file(), "no .out file: pytest --update-golden writes it"
    assert report == expected.read_text()


@pytest.mark.parametrize("case", GOOD, ids=case_id)
def test_good_case_is_clean(case: Path, request: pytest.FixtureRequest) -> None:
    named, code = case_texts(case), case.parent.name
    judged = judge_texts(named)
    report = printed(named, judged)
    assert not _errors(judged), report
    assert code not in {d.code for d in judged.diagnostics}, report
    assert judged.checked[code], "the rule had nothing to look at"
    look_at(case, judged.checked, request.config.getoption("--update-golden"))


def test_base_is_clean() -> None:
    named = texts({**small(), "leaf-3.json": unlinked()})
    assert printed(named, judge_texts(named)) == ""


@pytest.mark.parametrize("code", sorted(RULES))
def test_code_has_cases(code: str) -> None:
    names = {path.name.partition("-")[0] for path in (CHECKS / code).iterdir() if path.suffix != ".out"}
    assert names == {"bad", "good"}
    for section in ("**Why.**", "**Fix.**", "**Source.**"):
        assert section in RULES[code].explanation
    strays = [p.name for p in (CHECKS / code).glob("*.out") if not _case_of(p).is_file()]
    assert strays == []


def _case_of(out: Path) -> Path:
    text = out.with_suffix(".txt")
    return text if text.is_file() else out.with_suffix(".json")
