"""How a rule about config_db files is declared and run: a function of a file, a switch or all switches."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from netplan.diagnostics import Diagnostic, Severity
from netplan.model.document import SourceMap
from netplan.printable import clipped
from netplan.reading.config_db.switch import Spot

T = TypeVar("T")
MAX_FINDINGS = 1_000
"""Of one rule about one subject: the rest is most likely one mistake."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: where, what clashes, what to do."""

    at: Spot
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """``counts``: the number of things of a subject that the rule looks at."""

    code: str
    title: str
    severity: Severity
    subject: type[T]
    counts: Callable[[T], int]
    run: Callable[[T], Iterator[Finding]]

    @property
    def explanation(self) -> str:
        return inspect.cleandoc(self.run.__doc__ or "")


RULES: dict[str, Rule[Any]] = {}


def rule(
    code: str,
    title: str,
    *,
    on: type[T],
    counts: Callable[[T], int],
    severity: Severity = Severity.ERROR,
) -> Callable[[Callable[[T], Iterator[Finding]]], Callable[[T], Iterator[Finding]]]:
    """Register a function ``(subject) -> findings`` under a permanent code."""

    def register(run: Callable[[T], Iterator[Finding]]) -> Callable[[T], Iterator[Finding]]:
        if code in RULES:
            raise ValueError(f"{code} is already {RULES[code].run.__qualname__}")
        RULES[code] = Rule(code, title, severity, on, counts, run)
        return run

    return register


def run_rules(subjects: Sequence[object], sources: SourceMap) -> tuple[list[Diagnostic], dict[str, int]]:
    """What every rule for a kind of subject finds, and how much each looked at."""
    found: list[Diagnostic] = []
    checked: dict[str, int] = {}
    for code, one in sorted(RULES.items()):
        for subject in subjects:
            if not isinstance(subject, one.subject):
                continue
            number = one.counts(subject)
            checked[code] = checked.get(code, 0) + number
            if number:
                found += _diagnostics(one, subject, sources)
    return found, checked


def _diagnostics(one: Rule[Any], subject: object, sources: SourceMap) -> Iterator[Diagnostic]:
    for number, finding in enumerate(one.run(subject)):
        source = sources.source(finding.at.offset)
        if number == MAX_FINDINGS:
            message = f"more than {MAX_FINDINGS:,} findings, the rest is not listed"
            hint = "correct those listed and run again"
            yield Diagnostic(one.code, one.severity, finding.at.path, message, hint, source)
            return
        message, hint = clipped(finding.message), clipped(finding.hint)
        yield Diagnostic(one.code, one.severity, finding.at.path, message, hint, source)
