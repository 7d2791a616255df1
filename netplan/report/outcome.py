"""The input of every format, and the order of findings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

from netplan.diagnostics import Diagnostic, Severity, Source, dotted
from netplan.model.acceptance import Acceptances
from netplan.model.document import Document
from netplan.model.fabric import Acceptance, Fabric
from netplan.model.rulebook import Code
from netplan.records import dataclass


class Outcome(Protocol):
    """What a run of the pipeline found, and how much it looked at.

    ``checked``: number of subjects by code of the check. ``not_applicable``: codes of checks with no subject.
    ``accepted``: findings that the inventory accepts, ``left_out``: those that options leave out.
    ``skipped``: sentences on what was not done.
    """

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    @property
    def accepted(self) -> tuple[Diagnostic, ...]: ...
    @property
    def left_out(self) -> tuple[Diagnostic, ...]: ...
    @property
    def checked(self) -> Mapping[str, int]: ...
    @property
    def not_applicable(self) -> tuple[str, ...]: ...
    @property
    def skipped(self) -> tuple[str, ...]: ...
    @property
    def fabric(self) -> Fabric | None: ...
    @property
    def document(self) -> Document | None: ...


@dataclass(frozen=True, slots=True)
class Report:
    """Input of a format.

    ``rules``: every code. ``strict``: warnings fail. ``more``: results of the command, which only JSON
    includes.
    """

    outcome: Outcome
    rules: Mapping[str, Code]
    strict: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file, line, column and code; findings without a place last; duplicates removed."""
    return sorted(dict.fromkeys(diagnostics), key=_position)


def accepted_by(outcome: Outcome) -> list[tuple[Diagnostic, Acceptance]]:
    """Each accepted finding with the entry of the inventory that accepts it."""
    entries = Acceptances(outcome.fabric.accept if outcome.fabric else ())
    return [(d, entries.covering(d.code, d.path)[0]) for d in ordered(outcome.accepted)]


def _position(diagnostic: Diagnostic) -> tuple[bool, Source, str, str, str]:
    source = diagnostic.source
    place = source or Source("", 0, 0)
    return source is None, place, diagnostic.code, dotted(diagnostic.path), diagnostic.message


def failing(diagnostics: Iterable[Diagnostic], strict: bool) -> list[Diagnostic]:
    """Findings that make a run fail: errors, and with ``strict`` warnings too."""
    least = failing_from(strict)
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity >= least]


def failing_from(strict: bool) -> Severity:
    return Severity.WARNING if strict else Severity.ERROR


def by_severity(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """Number of different findings of each severity, the worst first."""
    severities = [diagnostic.severity for diagnostic in dict.fromkeys(diagnostics)]
    return {severity: severities.count(severity) for severity in sorted(Severity, reverse=True)}


def ran(outcome: Outcome) -> dict[str, int]:
    """``checked`` without the checks that had no subject."""
    return {code: n for code, n in outcome.checked.items() if code not in outcome.not_applicable}


def left_out_text(diagnostics: Collection[Diagnostic]) -> str:
    """``2 findings left out (1 error)``"""
    errors = by_severity(diagnostics)[Severity.ERROR]
    among = f" ({count(errors, 'error')})" if errors else ""
    return f"{count(len(diagnostics), 'finding')} left out{among}"


def few(names: Sequence[str], most: int, noun: str = "more") -> str:
    """``Ethernet0, Ethernet4, Ethernet8 and 61 more``: at most so many, then how many others there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} {noun}" if len(names) > most else shown


def count(number: int, noun: str) -> str:
    """``1 file``, ``12,500 files``"""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def and_more(number: int, noun: str) -> str:
    """`` (and 2 more files)`` after the first of several; empty if there are no others."""
    return f" (and {count(number, f'more {noun}')})" if number else ""
