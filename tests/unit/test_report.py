"""Findings as text and in machine-readable formats."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.model.fabric import Acceptance
from netplan.printable import printable
from netplan.report import DOCUMENTS, FAILURES, Report, failing, finding_text, ordered, summary_text
from tests.cli_runs import json_report


@dataclass(frozen=True)
class Run:
    """The parts of a pipeline result that reports use."""

    diagnostics: tuple[Diagnostic, ...] = ()
    accepted: tuple[Diagnostic, ...] = ()
    checked: dict[str, int] = field(default_factory=dict)
    not_applicable: tuple[str, ...] = ()
    left_out: tuple[Diagnostic, ...] = ()
    skipped: tuple[str, ...] = ()
    fabric: Any = None
    document: Any = None


def finding(
    code: str = "NP203",
    severity: Severity = Severity.ERROR,
    source: Source | None = None,
    message: str = "rail 0 is full",
    hint: str = "",
) -> Diagnostic:
    return Diagnostic(code, severity, ("rails", "supernets", 0), message, hint, source)


ENTRY = {"reason": "later", "until": None}
ACCEPTANCE = Acceptance(check="NP404", at="rails", index=0, reason="later", until=None)
ERROR = finding(source=Source("site.yaml", 3, 5), hint="lengthen prefixes")
WARNING = finding("NP404", Severity.WARNING, Source("site.yaml", 3, 5))
NOTE = finding("NP801", Severity.INFO)


def test_a_finding_is_printed_as_a_compiler_does():
    text = finding_text(ERROR, lambda source: "    supernets: [10.0.0.0/30]")
    assert text == (
        "site.yaml:3:5: error NP203 rails.supernets[0]: rail 0 is full\n"
        "    3 |     supernets: [10.0.0.0/30]\n"
        "      |     ^\n"
        "  hint: lengthen prefixes\n"
    )


def test_a_finding_without_a_place_has_no_excerpt():
    assert finding_text(NOTE, lambda source: "never asked") == (
        "netplan: note NP801 rails.supernets[0]: rail 0 is full\n"
    )


def test_a_finding_about_the_whole_inventory_has_no_path():
    whole = Diagnostic("NP007", Severity.ERROR, (), "the top level is a list", source=Source("a.yaml", 1, 1))
    assert finding_text(whole, None) == "a.yaml:1:1: error NP007: the top level is a list\n"


@pytest.mark.parametrize(
    ("severity", "label"),
    [
        (Severity.ERROR, "\x1b[1;31merror NP203\x1b[m"),
        (Severity.WARNING, "\x1b[1;35mwarning NP203\x1b[m"),
        (Severity.INFO, "\x1b[1;36mnote NP203\x1b[m"),
    ],
)
def test_colour_follows_the_severity(severity, label):
    text = finding_text(finding(severity=severity, source=Source("a.yaml", 1, 1)), None, color=True)
    assert text == f"\x1b[1ma.yaml:1:1:\x1b[m {label} rails.supernets[0]: rail 0 is full\n"


def test_an_escape_sequence_reaches_the_terminal_as_text():
    evil = Diagnostic("NP010", Severity.ERROR, ("a\x1b[2J",), "x\ny\u202e", "h\x07", Source("f\r.yaml", 1, 3))
    assert finding_text(evil, lambda source: "a\x1b[2Jb\tc") == (
        "f\\r.yaml:1:3: error NP010 a\\x1b[2J: x\\ny\\u202e\n"
        "    1 | a\\x1b[2Jb\\tc\n"
        "      |      ^\n"
        "  hint: h\\x07\n"
    )


def test_the_caret_counts_wide_characters_twice():
    at = finding(source=Source("a.yaml", 1, 4))
    assert finding_text(at, lambda source: "名前: x").splitlines()[1:] == [
        "    1 | 名前: x",
        "      |      ^",
    ]


def test_a_long_line_is_cut_around_the_place():
    at = finding(source=Source("a.yaml", 1, 501))
    excerpt = finding_text(at, lambda source: "a" * 500 + "X" + "b" * 500).splitlines()[1:]
    assert excerpt == [
        f"    1 | ...{'a' * 60}X{'b' * 59}...",
        f"      | {' ' * 63}^",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcode 名", "plain ünïcode 名"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\u2066\u200b\ufeff", "\\u2066\\u200b\\ufeff"),
        ("\udc80", "\\udc80"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_printable(text, shown):
    assert printable(text) == shown


def test_order_is_file_line_column_code_and_identical_ones_once():
    findings = [
        NOTE,
        finding("NP300", source=Source("b.yaml", 1, 1)),
        finding("NP300", source=Source("a.yaml", 10, 1)),
        finding("NP300", source=Source("a.yaml", 9, 2)),
        finding("NP200", source=Source("a.yaml", 9, 2)),
        finding("NP300", source=Source("a.yaml", 9, 2)),
    ]
    assert [(str(f.source), f.code) for f in ordered(findings)] == [
        ("a.yaml:9:2", "NP200"),
        ("a.yaml:9:2", "NP300"),
        ("a.yaml:10:1", "NP300"),
        ("b.yaml:1:1", "NP300"),
        ("None", "NP801"),
    ]


@pytest.mark.parametrize(("strict", "failed"), [(False, [ERROR]), (True, [ERROR, WARNING])])
def test_failing(strict, failed):
    assert failing([ERROR, WARNING, NOTE], strict) == failed


def test_summary_counts_and_says_what_was_not_done():
    fabric = SimpleNamespace(qos=1, rails=1, subnets=(1,), switches=(), networks=(1,), workloads=())
    run = Run(
        diagnostics=(ERROR, ERROR, WARNING, NOTE, finding("NP802", Severity.INFO)),
        accepted=(WARNING,),
        left_out=(WARNING, ERROR),
        checked={"NP301": 800, "NP302": 412, "NP303": 0},
        not_applicable=("NP303",),
        skipped=("artifacts were not rendered: the inventory has errors",),
        fabric=fabric,
    )
    assert summary_text(run, "nothing written") == (
        "1 error, 1 warning, 2 notes; 2 checks looked at 1,212 things, "
        "1 not applicable (no switches, workloads); 1 finding accepted; 2 findings left out (1 error); "
        "artifacts were not rendered: the inventory has errors; nothing written\n"
    )


def test_summary_of_a_clean_run():
    assert summary_text(Run(checked={"NP301": 1})) == "0 errors, 0 warnings; 1 check looked at 1 thing\n"


def test_summary_when_no_check_ran():
    assert summary_text(Run(diagnostics=(ERROR,))) == "1 error, 0 warnings; no check ran\n"


def test_json_report():
    run = Run(
        diagnostics=(NOTE, ERROR, ERROR),
        accepted=(WARNING,),
        left_out=(NOTE, NOTE),
        fabric=SimpleNamespace(accept=(ACCEPTANCE,)),
        checked={"NP301": 7, "NP302": 0},
        not_applicable=("NP302",),
        skipped=("artifacts were not rendered",),
    )
    base = {"path": "rails.supernets[0]", "message": "rail 0 is full"}
    place = {"file": "site.yaml", "line": 3, "column": 5}
    nowhere = {"file": None, "line": None, "column": None}
    assert json_report(DOCUMENTS["json"](Report(run, {}, more={"files": None}))) == {
        "version": 1,
        "diagnostics": [
            {"code": "NP203", "severity": "error", **base, "hint": "lengthen prefixes", **place},
            {"code": "NP801", "severity": "info", **base, "hint": "", **nowhere},
        ],
        "accepted": [{"code": "NP404", "severity": "warning", **base, "hint": "", **place, **ENTRY}],
        "summary": {
            "errors": 1,
            "warnings": 0,
            "infos": 1,
            "checks": 1,
            "subjects": 7,
            "not_applicable": ["NP302"],
            "left_out": 1,
            "skipped": ["artifacts were not rendered"],
        },
        "files": None,
    }


def test_json_is_ascii_and_keeps_the_text():
    text = FAILURES["json"]("名 \x1b[2J \udc80")
    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text) == {"version": 1, "error": "名 \x1b[2J \udc80"}
