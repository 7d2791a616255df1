"""Declares and runs the rules about config_db files: functions of a file, a switch or all switches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from netplan.diagnostics import Diagnostic, Severity
from netplan.model.document import SourceMap
from netplan.model.rulebook import HINT_OF_MORE, Accepted, Answer, Rule, register
from netplan.printable import clipped
from netplan.reading.config_db.switch import DbSwitch, Spot
from netplan.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RowFinding:
    """One finding: where, what clashes, what to do. ``unsure``: it is a note, because nothing shows that this
    switch refuses it."""

    at: Spot
    message: str
    hint: str
    unsure: bool = False


RULES: dict[str, Rule[Any, RowFinding]] = {}
"""Rules about config_db files."""


def rule(
    code: str,
    title: str,
    *,
    on: type[T],
    counts: Callable[[T], int],
    severity: Severity = Severity.ERROR,
    accepted: Accepted = "below",
) -> Callable[[Callable[[T], Iterator[RowFinding]]], Callable[[T], Iterator[RowFinding]]]:
    """Register a function ``(subject) -> findings`` under a permanent code."""

    def declare(run: Callable[[T], Iterator[RowFinding]]) -> Callable[[T], Iterator[RowFinding]]:
        RULES[code] = register(
            Rule(
                code=code,
                title=title,
                severity=severity,
                kind="foreign",
                subject=on,
                ask=lambda subject: (counts(subject), run(subject)),
                run=run,
                text=run.__doc__ or "",
                most=1_000,
                accepted=accepted,
            )
        )
        return run

    return declare


def run_rules(subjects: Sequence[object], sources: SourceMap) -> tuple[list[Diagnostic], dict[str, int]]:
    """Findings of every rule for this kind of subject, and how many subjects each checked."""
    found: list[Diagnostic] = []
    checked: dict[str, int] = {}
    for code, rule in sorted(RULES.items()):
        for subject in subjects:
            if isinstance(subject, rule.subject):
                answer = rule.answer(subject)
                checked[code] = checked.get(code, 0) + answer.looked_at
                foreign = isinstance(subject, DbSwitch) and subject.of_broadcom
                found += _diagnostics(rule, answer, sources, foreign)
    return found, checked


def _diagnostics(
    rule: Rule[Any, RowFinding], answer: Answer[RowFinding], sources: SourceMap, foreign: bool
) -> Iterator[Diagnostic]:
    """``foreign``: an error is a note, because the switch runs other code than the rule cites."""
    for each in answer.findings:
        source = sources.source(each.at.offset)
        message, hint = clipped(each.message), clipped(each.hint)
        doubtful = each.unsure or (foreign and rule.severity is Severity.ERROR)
        severity = Severity.INFO if doubtful else rule.severity
        yield Diagnostic(rule.code, severity, each.at.path, message, hint, source)
    if answer.over is not None:
        at, source = answer.over.at.path, sources.source(answer.over.at.offset)
        yield Diagnostic(rule.code, rule.severity, at, rule.more, HINT_OF_MORE, source)
