"""JUnit XML as Jenkins and GitLab read it: a test case for each check.

A check with failing findings is a failed case with the text report as its text; findings that do not fail are
the case's output. Checks without a subject, checks that were not reached and checks that options leave out
are skipped, with the reason. The document has only ASCII characters, and nothing that depends on time or
place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar
from xml.sax.saxutils import escape, quoteattr

from netplan.diagnostics import Diagnostic
from netplan.model.rulebook import Code
from netplan.printable import printable
from netplan.records import dataclass
from netplan.report.outcome import (
    Outcome,
    Report,
    accepted_by,
    failing,
    failing_from,
    left_out_text,
    ordered,
    ran,
)
from netplan.report.text import finding_text, summary_text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Case:
    """``element``: its content, empty if it passed; ``verdict``: passed, failure or skipped."""

    rule: Code
    verdict: str
    element: str = ""


def document(report: Report) -> str:
    cases = list(_cases(report))
    verdicts = Counter(case.verdict for case in cases)
    shown = [_case_xml(f"netplan.{c.rule.kind}", f"{c.rule.code} {c.rule.title}", c.element) for c in cases]
    return _suite(shown, verdicts, f"<system-out>{escape(summary_text(report.outcome))}</system-out>")


def failure(message: str) -> str:
    text = printable(message)
    error = f'<error type="could-not-run" message={quoteattr(text)}>{escape(text)}</error>'
    return _suite([_case_xml("netplan", "netplan runs", error)], {"error": 1}, "")


def _cases(report: Report) -> Iterator[_Case]:
    outcome = report.outcome
    found = _by_code((d, d) for d in ordered(outcome.diagnostics))
    accepted = _by_code((d, (d, entry)) for d, entry in accepted_by(outcome))
    left_out = _by_code((d, d) for d in ordered(outcome.left_out))
    reached = ran(outcome)
    foreign = any(report.rules[code].kind == "foreign" for code in outcome.checked)
    for code, rule in sorted(report.rules.items()):
        if code in found or (code in reached and code not in left_out):
            output = "".join(
                f"accepted ({printable(entry.reason)}): {_told([d], outcome)}"
                for d, entry in accepted.get(code, ())
            )
            yield _judged(rule, found.get(code, []), output, report)
        elif code in left_out:
            yield _skipped(rule, f"{left_out_text(left_out[code])}, by --select or --ignore")
        elif code in outcome.not_applicable:
            yield _skipped(rule, "not applicable: there is nothing it looks at")
        elif outcome.skipped and not foreign and rule.kind in ("input", "derived"):
            yield _skipped(rule, "; ".join(outcome.skipped))


def _judged(rule: Code, found: list[Diagnostic], output: str, report: Report) -> _Case:
    """``output``: what to print for the case before its findings that do not fail."""
    failed = failing(found, report.strict)
    output += _told([d for d in found if d.severity < failing_from(report.strict)], report.outcome)
    element = f"<system-out>{escape(output)}</system-out>" if output else ""
    if not failed:
        return _Case(rule, "passed", element)
    message = printable(failed[0].message) + (f" (and {len(failed) - 1:,} more)" if failed[1:] else "")
    opened = f'failure type="{failed[0].severity.name.lower()}" message={quoteattr(message)}'
    return _Case(rule, "failure", f"<{opened}>{escape(_told(failed, report.outcome))}</failure>{element}")


def _skipped(rule: Code, reason: str) -> _Case:
    return _Case(rule, "skipped", f"<skipped message={quoteattr(printable(reason))}/>")


def _by_code(found: Iterable[tuple[Diagnostic, T]]) -> dict[str, list[T]]:
    codes: dict[str, list[T]] = {}
    for d, value in found:
        codes.setdefault(d.code, []).append(value)
    return codes


def _told(found: list[Diagnostic], outcome: Outcome) -> str:
    line_of = outcome.document.places.sources.line if outcome.document else None
    return "".join(finding_text(d, line_of) for d in found)


def _case_xml(classname: str, name: str, element: str) -> str:
    opened = f"<testcase classname={quoteattr(classname)} name={quoteattr(name)}"
    return f"    {opened}>{element}</testcase>\n" if element else f"    {opened}/>\n"


def _suite(cases: list[str], verdicts: Mapping[str, int], output: str) -> str:
    failures, errors = verdicts.get("failure", 0), verdicts.get("error", 0)
    numbers = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        f'<testsuites name="netplan" {numbers}>\n',
        f'  <testsuite name="netplan" {numbers} skipped="{verdicts.get("skipped", 0)}">\n',
        *cases,
        f"    {output}\n" if output else "",
        "  </testsuite>\n",
        "</testsuites>\n",
    ]
    return "".join(lines).encode("ascii", "xmlcharrefreplace").decode()
