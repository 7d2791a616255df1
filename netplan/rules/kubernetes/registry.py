"""How a rule about foreign objects is declared and run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.graph.kubernetes.cluster import Cluster
from netplan.model.codes import Code
from netplan.printable import clipped
from netplan.reading.kubernetes.objects import Thing

T = TypeVar("T")
MAX_FINDINGS = 2_000
"""Of one rule: a directory of copies makes millions."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a rule found. ``at``: path in the object; it may go on into a JSON text. ``breaks``: the
    value is unusable, rules that come later do not look at it again."""

    thing: Thing
    at: Path
    message: str
    hint: str
    breaks: bool = False
    within: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """``subjects``: what of a cluster the rule looks at; none means it is not applicable."""

    code: str
    title: str
    severity: Severity
    subjects: Callable[[Cluster], Sequence[T]]
    run: Callable[[Cluster, T], Iterator[Finding]]


RULES: dict[str, Rule[Any]] = {}
Run = Callable[[Cluster, T], Iterator[Finding]]


def rule(
    code: str,
    title: str,
    *,
    on: Callable[[Cluster], Sequence[T]],
    severity: Severity = Severity.ERROR,
) -> Callable[[Run[T]], Run[T]]:
    """Register a function ``(cluster, subject) -> findings`` under a permanent code."""

    def register(run: Run[T]) -> Run[T]:
        if code in RULES:
            raise ValueError(f"{code} is already {RULES[code].run.__qualname__}")
        RULES[code] = Rule(code, title, severity, on, run)
        return run

    return register


def explained() -> dict[str, Code]:
    """For ``netplan explain``."""
    return {
        r.code: Code(r.code, r.title, inspect.cleandoc(r.run.__doc__ or ""), r.severity)
        for r in sorted(RULES.values(), key=lambda r: r.code)
    }


def run_rules(cluster: Cluster, codes: Sequence[str]) -> tuple[list[Diagnostic], dict[str, int]]:
    """What the rules find, and how many subjects each looked at."""
    found: list[Diagnostic] = []
    counts: dict[str, int] = {}
    for code in codes:
        each = RULES[code]
        findings, counts[code] = run_rule(cluster, code)
        found += [_diagnostic(each, f) for f in findings[:MAX_FINDINGS]]
        if len(findings) > MAX_FINDINGS:
            what = f"{len(findings):,} findings, {MAX_FINDINGS:,} of them listed"
            found.append(Diagnostic(code, each.severity, (), what, "correct those and run again"))
    return found, counts


def run_rule(cluster: Cluster, code: str) -> tuple[list[Finding], int]:
    """What a rule finds, and how many subjects it looked at."""
    subjects = RULES[code].subjects(cluster)
    findings = [f for s in subjects for f in RULES[code].run(cluster, s) if not _is_consequence(f)]
    for finding in findings:
        if finding.breaks:
            finding.thing.broken.append(finding.at)
    return findings, len(subjects)


def _is_consequence(finding: Finding) -> bool:
    """Whether the place, or a part of it, has a problem of its own already."""
    at = finding.at
    return any(at[: len(b)] == b or (len(at) > 1 and b[: len(at)] == at) for b in finding.thing.broken)


def _diagnostic(rule: Rule[Any], finding: Finding) -> Diagnostic:
    message, hint = clipped(f"{finding.thing}: {finding.message}"), clipped(finding.hint)
    source = finding.thing.source(finding.at, finding.within)
    return Diagnostic(rule.code, rule.severity, finding.at, message, hint, source)
