"""Every code has cases: ``bad-*.yaml`` gives it and no other error, ``good-*.yaml`` is just within limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from netplan.checks import REGISTRY
from netplan.config_db import RULES
from netplan.diagnostics import Severity
from netplan.model.codes import CODES
from netplan.pipeline import Result
from netplan.rendered import RULES as OBJECT_RULES
from tests.case_counts import case_id, look_at
from tests.overlay import CHECKS, case_texts, compiled, printed

STAGE_CODES = sorted(code for code in CODES if code < "NP300")
"""Codes of loading, schema, references and numbering; the others are about netplan's own files."""

WITHOUT_INVENTORY = {
    "NP019": "it is about files that render wrote: tests/test_cli_formats.py",
    "NP024": "it is about overlays: tests/test_overlays.py",
    **dict.fromkeys(
        ("NP020", "NP021", "NP022", "NP023"), "it is about NOS folders of a site: tests/test_nos_dir.py"
    ),
    **dict.fromkeys(
        ("NP130", "NP131", "NP132", "NP133", "NP134"),
        "it is about several inventories: tests/test_sharing.py",
    ),
    "NP694": "such an object has lines of thousands of hosts: tests/unit/test_sizes.py",
    "NP812": "no NOS folder states bounds for ARP ages: tests/checks/test_arp_bounds.py",
}
"""Checks that no inventory can fail with the shipped NOS folders -> where their test is."""

FOREIGN = frozenset({**OBJECT_RULES, **RULES})
"""Codes of rules about files written by others, tested in test_foreign.py and test_sonicdb_cases.py."""

FOLDERS = sorted(p for p in CHECKS.iterdir() if p.name.startswith("NP") and p.name not in FOREIGN)
BAD = sorted(case for folder in FOLDERS for case in folder.glob("bad-*.yaml"))
GOOD = sorted(case for folder in FOLDERS for case in folder.glob("good-*.yaml"))


def _errors(result: Result) -> set[str]:
    return {d.code for d in result.diagnostics if d.severity is Severity.ERROR}


@pytest.mark.parametrize("case", BAD, ids=case_id)
def test_bad_case_is_reported(case: Path, request: pytest.FixtureRequest) -> None:
    texts, code = case_texts(case), case.parent.name
    result = compiled(texts, case)
    report, expected = printed(texts, result), case.with_suffix(".out")
    assert code in {d.code for d in result.diagnostics}, report
    assert _errors(result) <= {code}, report
    look_at(case, result.checked, request.config.getoption("--update-golden"))
    if request.config.getoption("--update-golden"):
        expected.write_text(report)
    assert expected.is_file(), "no .out file: pytest --update-golden writes it"
    assert report == expected.read_text()


@pytest.mark.parametrize("case", GOOD, ids=case_id)
def test_good_case_is_clean(case: Path, request: pytest.FixtureRequest) -> None:
    texts, code = case_texts(case), case.parent.name
    result = compiled(texts, case)
    report = printed(texts, result)
    assert not _errors(result), report
    assert code not in {d.code for d in result.diagnostics}, report
    assert code in CODES or result.checked[code], "the check had nothing to look at"
    look_at(case, result.checked, request.config.getoption("--update-golden"))


@pytest.mark.parametrize(
    "base", sorted([*CHECKS.glob("bases/*.yaml"), CHECKS / "base.yaml"]), ids=lambda p: p.stem
)
def test_bases_are_clean(base: Path) -> None:
    texts = {base.name: base.read_text()}
    assert printed(texts, compiled(texts)) == ""


@pytest.mark.parametrize("code", sorted({*REGISTRY, *STAGE_CODES} - WITHOUT_INVENTORY.keys()))
def test_code_has_cases(code: str) -> None:
    names = {path.name.partition("-")[0] for path in (CHECKS / code).glob("*.yaml")}
    assert names == {"bad", "good"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_folder_has_code(folder: Path) -> None:
    assert folder.name in {*REGISTRY, *STAGE_CODES}
    strays = [p.name for p in folder.glob("*.out") if not p.with_suffix(".yaml").is_file()]
    assert strays == []
