"""Verdicts as text and as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from netplan.live.judge import ABSENT, Live, RailVerdict
from netplan.live.model import HOP_KINDS, Judged
from netplan.model.ranges import gathered
from netplan.printable import clipped, printable
from netplan.report import count

_LINE = re.compile(r"line ([0-9]{1,9}): ")
_MOST_SHOWN = 200
"""Wrong values listed in text; JSON has all."""


def live_lines(live: Live, quiet: bool, strict: bool = False) -> Iterator[str]:
    """``quiet``: only what makes the run fail; with ``strict`` what is not seen does too."""
    if not quiet:
        yield from _table(live.verdicts)
    yield from _wrong(live.wrong)
    if strict or not quiet:
        yield from _not_seen(live)
    if not quiet:
        yield ""
        yield summary(live)


def summary(live: Live) -> str:
    ok = sum(1 for one in live.judged if one.outcome == "ok")
    values = f"{ok:,} ok, {len(live.wrong):,} wrong, {len(live.not_seen):,} not seen"
    return f"{values}; {count(len(live.unseen), 'hop')} not seen"


def _table(verdicts: Iterable[RailVerdict]) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [("rail", "hop", "verdict", "ok", "wrong", "not seen")]
    for verdict in verdicts:
        rail = "-" if verdict.rail is None else str(verdict.rail)
        counts = (str(verdict.counts[outcome]) for outcome in ("ok", "wrong", "not seen"))
        rows.append((rail, f"{verdict.hop.kind} {verdict.hop.name}", verdict.outcome, *counts))
    if len(rows) == 1:
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _wrong(wrong: tuple[Judged, ...]) -> Iterator[str]:
    """A list that lacks several rows is one line."""
    alike: dict[object, list[Judged]] = {}
    for one in wrong:
        alike.setdefault(_missing(one), []).append(one)
    groups = list(alike.values())
    for group in groups[:_MOST_SHOWN]:
        yield clipped(printable(_lacking(group) if len(group) > 1 else _told(group[0])))
    if left := sum(map(len, groups[_MOST_SHOWN:])):
        yield f"and {left:,} more wrong values: --format json has all"


def _missing(one: Judged) -> object:
    """What values that a list has no row for have in common; of any other value itself."""
    return (one.claim.hop, one.claim.output, one.at) if one.found == ABSENT else id(one)


def _lacking(group: list[Judged]) -> str:
    first = group[0]
    subjects = list(dict.fromkeys(one.claim.subject for one in group))
    hop, fields = first.claim.hop, ", ".join(one.claim.field for one in group)
    what = f"{subjects[0]} ({fields})" if len(subjects) == 1 else gathered(subjects)
    return f"{_place(first)}{hop.kind} {hop.name}, {first.claim.output}: {ABSENT} of {what}"


def _told(one: Judged) -> str:
    claim = one.claim
    subject = f"{claim.hop.kind} {claim.hop.name}, {claim.subject}, {claim.field}"
    return f"{_place(one)}{subject}: expected {claim.expected or 'none'}, found {one.found or 'none'}"


def _place(one: Judged) -> str:
    return "" if one.at is None else f"{one.at.file}:{one.at.line}: "


def _not_seen(live: Live) -> Iterator[str]:
    """What to save, by hop: a command, and what it would show; of what is seen in part, the fields that are
    missing."""
    partly = {(*_output_of(one), one.claim.subject) for one in live.judged if one.outcome != "not seen"}
    ordered = sorted(live.not_seen, key=_output_of)
    for (hop, output), ones in groupby(ordered, key=_output_of):
        fields: dict[str, list[str]] = {}
        for one in ones:
            known = (hop, output, one.claim.subject) in partly
            fields.setdefault(one.claim.subject, []).extend([one.claim.field] if known else [])
        alike: dict[str, list[str]] = {}
        for subject, missing in fields.items():
            alike.setdefault(", ".join(missing), []).append(subject)
        for what, subjects in alike.items():
            yield printable(f"not seen: {hop}: {output}: {gathered(subjects)}{what and f' ({what})'}")
    for kind in HOP_KINDS:
        names = [hop.name for hop in live.unseen if hop.kind == kind]
        if names:
            yield printable(f"not seen: {kind} {gathered(names)}")
    for name, why in _alike(live.unread):
        yield clipped(printable(f"not read: {name}: {why}"))


def _alike(unread: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What is said of several lines of a file is said once."""
    lines: dict[tuple[str, str], list[str]] = {}
    for name, why in unread:
        at = _LINE.match(why)
        lines.setdefault((name, why[at.end() :] if at is not None else why), []).append(at[1] if at else "")
    for (name, why), places in lines.items():
        more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
        yield name, f"line {places[0]}{more}: {why}" if places[0] else why


def _output_of(one: Judged) -> tuple[str, str]:
    return one.claim.hop.name, one.claim.output


def live_data(live: Live) -> dict[str, Any]:
    return {
        "verdicts": [
            {
                "rail": verdict.rail,
                "kind": verdict.hop.kind,
                "hop": verdict.hop.name,
                "verdict": verdict.outcome,
                "ok": verdict.counts["ok"],
                "wrong": verdict.counts["wrong"],
                "not_seen": verdict.counts["not seen"],
            }
            for verdict in live.verdicts
        ],
        "wrong": [_judged(one) | {"expected": one.claim.expected, "found": one.found} for one in live.wrong],
        "not_seen": [_judged(one) for one in live.not_seen],
        "unseen": [{"kind": hop.kind, "hop": hop.name} for hop in live.unseen],
        "unread": [{"file": name, "reason": why} for name, why in live.unread],
    }


def _judged(one: Judged) -> dict[str, Any]:
    claim = one.claim
    where = {} if one.at is None else {"file": one.at.file, "line": one.at.line}
    return {
        "kind": claim.hop.kind,
        "hop": claim.hop.name,
        "rails": list(claim.rails),
        "output": claim.output,
        "subject": claim.subject,
        "field": claim.field,
        **where,
    }
