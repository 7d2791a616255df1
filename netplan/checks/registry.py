"""How a check is declared and run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from netplan.checks.faults import Faults
from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.acceptance import Acceptances
from netplan.model.fabric import Acceptance
from netplan.model.partial import UnknownPartError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check found: where, what clashes, what to do.

    ``rests``: sets of entities, each enough for the finding by itself: it follows from an error only where
    each of them has one (``checks.faults``). None where that is not known.
    """

    at: Path
    message: str
    hint: str = ""
    rests: tuple[frozenset[Path], ...] | None = None


@dataclass(frozen=True, slots=True)
class Check(Generic[T]):
    """``counts`` says how many subjects the check has in an inventory; none means it is not applicable.

    ``kind``: input (an inventory can break it), derived (true by construction, read back from artifacts) or
    foreign (for files others wrote).
    """

    code: str
    title: str
    severity: Severity
    subject: type[T]
    counts: Callable[[T], int]
    kind: str
    run: Callable[[T], Iterator[Finding]]

    @property
    def explanation(self) -> str:
        return self.run.__doc__ or ""


REGISTRY: dict[str, Check[Any]] = {}
MAX_FINDINGS = 10_000
"""Of one check: a copied section makes millions, each naming two of its copies."""


def check(
    code: str,
    title: str,
    *,
    on: type[T],
    counts: Callable[[T], int],
    severity: Severity = Severity.ERROR,
    kind: str = "input",
) -> Callable[[Callable[[T], Iterator[Finding]]], Callable[[T], Iterator[Finding]]]:
    """Register a function ``(subject) -> findings`` under a permanent code."""

    def register(run: Callable[[T], Iterator[Finding]]) -> Callable[[T], Iterator[Finding]]:
        if code in REGISTRY:
            raise ValueError(f"{code} is already {REGISTRY[code].run.__qualname__}")
        REGISTRY[code] = Check(code, title, severity, on, counts, kind, run)
        return run

    return register


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one round of checks found and looked at; ``checked`` counts subjects by code.

    ``used``: indexes of the entries of ``accept`` that covered a finding. ``muted``: checks that would need
    what has errors.
    """

    diagnostics: tuple[Diagnostic, ...]
    accepted: tuple[Diagnostic, ...]
    checked: dict[str, int]
    used: frozenset[int] = frozenset()
    muted: int = 0


def run_checks(subject: object, accept: tuple[Acceptance, ...] = (), faults: Faults | None = None) -> Outcome:
    """Run every check declared on ``type(subject)``; findings at an accepted place are set apart, those that
    may follow from an earlier stage's ``faults`` are dropped."""
    faults = faults or Faults()
    found: list[Diagnostic] = []
    accepted: list[Diagnostic] = []
    checked: dict[str, int] = {}
    used: set[int] = set()
    muted = 0
    entries = Acceptances(accept)
    for code, c in sorted(REGISTRY.items()):
        if not isinstance(subject, c.subject):
            continue
        try:
            checked[code], findings = _findings(c, subject, faults)
        except UnknownPartError:
            muted += 1
            continue
        for number, f in enumerate(findings):
            covering = entries.covering(code, f.at)
            used.update(entry.index for entry in covering)
            target = accepted if covering else found
            if number == MAX_FINDINGS:
                what = f"more than {MAX_FINDINGS:,} findings, the rest is not listed"
                target.append(Diagnostic(code, c.severity, f.at, what, "correct those listed and run again"))
            elif not faults.silence(code, f.at, f.rests):
                target.append(Diagnostic(code, c.severity, f.at, f.message, f.hint))
    return Outcome(tuple(found), tuple(accepted), checked, frozenset(used), muted)


def _findings(c: Check[T], subject: T, faults: Faults) -> tuple[int, list[Finding]]:
    """How many subjects a check has, and one finding more than is listed at most. Raises UnknownPartError."""
    if faults.mute(c.code):
        raise UnknownPartError(c.code)
    count = c.counts(subject)
    return count, list(islice(c.run(subject), MAX_FINDINGS + 1)) if count else []
