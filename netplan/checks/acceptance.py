"""Check the ``accept`` entries themselves: invalid, expired, or covering no finding."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Diagnostic, Severity
from netplan.model.acceptance import can_be_set_aside
from netplan.model.codes import CODES
from netplan.model.fabric import Acceptance, Fabric
from netplan.model.rulebook import BOOK


def _known_severity(code: str) -> Severity:
    known = BOOK.get(code)
    return known.severity if known else Severity.ERROR


@check("NP018", "finding that cannot be accepted", on=Fabric, counts=lambda fabric: len(fabric.accept))
def refused(fabric: Fabric) -> Iterator[Finding]:
    """Errors of loading, schema, identity and artifacts, and findings of stages, cannot be accepted.

    **Why.** Later stages rely on them: with duplicate host ids or an unreadable file, the output is wrong
    in ways no other check looks for.
    **Fix.** Correct what the finding names and remove the entry.
    **Source.** netplan's own rule: no later check looks for what these errors cause.
    """
    for entry in fabric.accept:
        if not can_be_set_aside(entry.check, _known_severity(entry.check)):
            what = f"{entry.check} at {entry.at} cannot be accepted"
            hint = "correct what it finds and remove the entry"
            yield Finding(("accept", entry.index, "check"), what, hint)


def expired(entry: Acceptance, today: str) -> bool:
    """``today`` is an ISO date; if it is empty, nothing expires."""
    return bool(entry.until and today and entry.until < today)


def entry_problems(
    accept: tuple[Acceptance, ...], used: Collection[int], checked: Collection[str], today: str
) -> Iterator[Diagnostic]:
    """Problems of the entries after the checks in ``checked`` have run. ``used``: indexes of entries that
    covered a finding."""
    for entry in accept:
        at = ("accept", entry.index)
        named = f"{entry.check} at {entry.at}"
        if entry.check not in checked or not can_be_set_aside(entry.check, _known_severity(entry.check)):
            continue
        if expired(entry, today):
            what = f"{named} was accepted until {entry.until}, the report is as of {today}"
            hint = "correct what was accepted and remove the entry, or give it a later date"
            yield Diagnostic("NP114", CODES["NP114"].severity, (*at, "until"), what, hint)
        elif entry.index not in used:
            what = f"{named} is accepted, but nothing was found there"
            hint = "remove the entry or correct its place"
            yield Diagnostic("NP113", CODES["NP113"].severity, at, what, hint)
