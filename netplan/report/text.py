"""Diagnostics for people: findings as a compiler prints them, and a summary line."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import combining, east_asian_width

from netplan.diagnostics import Diagnostic, Severity, Source, dotted
from netplan.model.fabric import Fabric
from netplan.printable import printable
from netplan.report.outcome import Outcome, by_severity, count, left_out_text, ordered, ran

LineOf = Callable[[Source], str]
"""Returns the inventory line of a source."""

_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;35", Severity.INFO: "1;36"}
_PATH_MAX = 300
_HALF = 60
"""Characters shown on each side of the place, if the line is longer than both."""


def finding_text(diagnostic: Diagnostic, line_of: LineOf | None, color: bool = False) -> str:
    """One finding: place, severity, code, path and message; the inventory line with a caret; the hint."""
    severity, source = diagnostic.severity, diagnostic.source
    place = f"{printable(str(source))}:" if source else "netplan:"
    label = f"{_WORDS[severity]} {diagnostic.code}"
    path = f" {printable(_short(dotted(diagnostic.path)))}" if diagnostic.path else ""
    head = f"{_paint(place, '1', color)} {_paint(label, _COLORS[severity], color)}{path}"
    lines = [f"{head}: {printable(diagnostic.message)}"]
    if source and line_of and (line := line_of(source)):
        lines += _excerpt(line, source, color)
    if diagnostic.hint:
        lines.append(f"  {_paint('hint:', '1', color)} {printable(diagnostic.hint)}")
    return "".join(f"{line}\n" for line in lines)


def _short(path: str) -> str:
    """Shortens a path: an inventory key may have any length."""
    return path if len(path) <= _PATH_MAX else f"{path[:_PATH_MAX]}..."


def _excerpt(line: str, source: Source, color: bool) -> list[str]:
    """The line with its number, and a caret under the column."""
    before, after = line[: source.column - 1], line[source.column - 1 :]
    if len(line) > 2 * _HALF:
        before = f"...{before[-_HALF:]}" if len(before) > _HALF else before
        after = f"{after[:_HALF]}..." if len(after) > _HALF else after
    before, after = printable(before), printable(after)
    number = f"{source.line:>5}"
    caret = " " * _columns(before) + _paint("^", "1;32", color)
    return [f"{number} | {before}{after}".rstrip(), f"{' ' * len(number)} | {caret}"]


def _columns(text: str) -> int:
    """Terminal columns: East Asian wide characters take two, combining marks none."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _paint(text: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[m" if color else text


def summary_text(outcome: Outcome, *endings: str) -> str:
    """One line: what was found, what was looked at, and what was not done. ``endings`` come last."""
    parts = [_found(outcome), _looked_at(outcome) if outcome.checked else "no check ran"]
    if outcome.accepted:
        parts.append(f"{count(len(outcome.accepted), 'finding')} accepted")
    if outcome.left_out:
        parts.append(left_out_text(ordered(outcome.left_out)))
    parts += map(printable, (*outcome.skipped, *endings))
    return "; ".join(parts) + "\n"


def _found(outcome: Outcome) -> str:
    """Errors and warnings always, notes when there are any."""
    counts = by_severity(outcome.diagnostics)
    return ", ".join(count(n, _WORDS[s]) for s, n in counts.items() if n or s is not Severity.INFO)


def _looked_at(outcome: Outcome) -> str:
    subjects = ran(outcome)
    text = f"{count(len(subjects), 'check')} looked at {count(sum(subjects.values()), 'thing')}"
    if not outcome.not_applicable:
        return text
    absent = _absent(outcome.fabric)
    reason = f" (no {', '.join(absent)})" if absent else ""
    return f"{text}, {len(outcome.not_applicable)} not applicable{reason}"


def _absent(fabric: Fabric | None) -> list[str]:
    """Kinds of subjects that the inventory does not have, by their keys."""
    if fabric is None:
        return []
    kinds = {
        "qos": fabric.qos,
        "rails": fabric.rails,
        "subnets other than the rails'" if fabric.rails else "subnets": fabric.subnets,
        "switches": fabric.switches,
        "networks": fabric.networks,
        "workloads": fabric.workloads,
    }
    return [word for word, things in kinds.items() if not things]
