"""Declare and run checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from netplan.checks.faults import Faults
from netplan.checks.once import forget
from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.acceptance import Acceptances
from netplan.model.fabric import Acceptance
from netplan.model.partial import UnknownPartError
from netplan.model.rulebook import HINT_OF_MORE, About, Accepted, Answer, Rule, register
from netplan.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check found: where, what clashes, what to do.

    ``rests``: sets of entities, each sufficient for the finding. The finding follows from earlier errors only
    if each set contains an entity with one (``checks.faults``). None if unknown.
    """

    at: Path
    message: str
    hint: str = ""
    rests: tuple[frozenset[Path], ...] | None = None


REGISTRY: dict[str, Rule[Any, Finding]] = {}
"""Code -> check of an inventory or its plan."""


def check(
    code: str,
    title: str,
    *,
    on: type[T],
    counts: Callable[[T], int],
    severity: Severity = Severity.ERROR,
    accepted: Accepted = "below",
    about: About = "site",
) -> Callable[[Callable[[T], Iterator[Finding]]], Callable[[T], Iterator[Finding]]]:
    """Register a function ``(subject) -> findings`` under a permanent code. ``counts``: number of entities
    that the check looks at."""

    def declare(run: Callable[[T], Iterator[Finding]]) -> Callable[[T], Iterator[Finding]]:
        REGISTRY[code] = register(
            Rule(
                code=code,
                title=title,
                severity=severity,
                kind="input",
                subject=on,
                ask=lambda subject: (counts(subject), run(subject)),
                run=run,
                text=run.__doc__ or "",
                accepted=accepted,
                about=about,
            )
        )
        return run

    return declare


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one round of checks; ``checked``: code -> number of entities looked at.

    ``used``: indexes of the ``accept`` entries that covered a finding. ``muted``: number of checks skipped
    because their input has errors.
    """

    diagnostics: tuple[Diagnostic, ...]
    accepted: tuple[Diagnostic, ...]
    checked: dict[str, int]
    used: frozenset[int] = frozenset()
    muted: int = 0


def run_checks(subject: object, accept: tuple[Acceptance, ...] = (), faults: Faults | None = None) -> Outcome:
    """Run every check declared on ``type(subject)``. Findings at an accepted place are listed separately;
    those that may follow from an earlier stage's ``faults`` are dropped."""
    faults = faults or Faults()
    found: list[Diagnostic] = []
    accepted: list[Diagnostic] = []
    checked: dict[str, int] = {}
    used: set[int] = set()
    muted = 0
    entries = Acceptances(accept)
    for rule in _about(subject):
        try:
            answer = _answer(rule, subject, faults)
        except UnknownPartError:
            muted += 1
            continue
        checked[rule.code] = answer.looked_at
        for f in (*answer.findings, *filter(None, [answer.over])):
            message, hint = (rule.more, HINT_OF_MORE) if f is answer.over else (f.message, f.hint)
            covering = entries.covering(rule.code, f.at)
            used.update(entry.index for entry in covering)
            if f is answer.over or not faults.silence(rule.code, f.at, f.rests):
                target = accepted if covering else found
                target.append(Diagnostic(rule.code, rule.severity, f.at, message, hint))
    forget()
    return Outcome(tuple(found), tuple(accepted), checked, frozenset(used), muted)


def _about(subject: object) -> list[Rule[Any, Finding]]:
    every = (rule for _, rule in sorted(REGISTRY.items()))
    return [rule for rule in every if isinstance(subject, rule.subject)]


def _answer(rule: Rule[Any, Finding], subject: object, faults: Faults) -> Answer[Finding]:
    """Raises UnknownPartError if the check needs input that has errors."""
    if faults.mute(rule.code):
        raise UnknownPartError(rule.code)
    return rule.answer(subject)
