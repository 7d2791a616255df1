"""Compares claims with readings, and gives the verdict of each rail at each hop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.live.claims import all_hops, claims_of
from netplan.live.model import Expected, Judged, Kind, LiveHop, Outcome, Reading, Whole, ip_version, row_of
from netplan.live.seen import Read
from netplan.live.unplanned import Key, unplanned
from netplan.live.values import is_value
from netplan.model.plan import Plan
from netplan.records import dataclass

ABSENT = "no row"
"""Found of what a complete list does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RailVerdict:
    """Verdict of one rail at one hop; ``rail`` is None for what belongs to no rail."""

    rail: int | None
    hop: LiveHop
    outcome: Outcome
    counts: Mapping[Outcome, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """``unseen``: hops without a file."""

    judged: tuple[Judged, ...]
    verdicts: tuple[RailVerdict, ...]
    unseen: tuple[LiveHop, ...]
    unread: tuple[tuple[str, str], ...]

    @property
    def wrong(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.outcome == "wrong")

    @property
    def not_seen(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.outcome == "not seen")


def judged(plan: Plan, read: Read) -> Live:
    seen = (
        frozenset(reading.where for reading in read.readings)
        | {whole.where for whole in read.whole}
        | read.heard
    )
    readings, strange = _parted(read.readings)
    by_key: dict[Key, list[Reading]] = {}
    for reading in readings:
        by_key.setdefault(_key_of(reading), []).append(reading)
    whole: dict[tuple[str, Kind, int], list[Whole]] = {}
    for one in read.whole:
        whole.setdefault((one.where, one.kind, one.version), []).append(one)
    claims = [c for c in claims_of(plan, seen, read.heard) if not c.if_shown or _key(c) in by_key]
    keys = frozenset(map(_key, claims))
    planned = [_judge(claim, by_key, whole) for claim in claims]
    results = (*planned, *unplanned(plan, readings, keys))
    return Live(
        judged=results,
        verdicts=tuple(_verdicts(results)),
        unseen=tuple(hop for hop, _ in all_hops(plan) if hop.name not in seen),
        unread=(*read.unread, *_no_values(strange, keys)),
    )


def _key(claim: Expected) -> Key:
    return claim.hop.name, claim.kind, claim.subject, claim.field


def _key_of(one: Reading) -> Key:
    return one.where, one.kind, one.subject, one.field


def _parted(readings: Iterable[Reading]) -> tuple[list[Reading], list[Reading]]:
    """Those with a value that is known, and the others."""
    known, strange = list[Reading](), list[Reading]()
    for one in readings:
        (known if is_value(one) else strange).append(one)
    return known, strange


def _no_values(strange: Iterable[Reading], claimed: frozenset[Key]) -> Iterator[tuple[str, str]]:
    for one in strange:
        if _key_of(one) in claimed:
            why = f"{one.subject}, {one.field}: {one.found[:40]} is no value that is known, and not used"
            yield one.at.file, f"line {one.at.line}: {why}"


def _judge(
    claim: Expected,
    readings: Mapping[Key, Sequence[Reading]],
    whole: Mapping[tuple[str, Kind, int], Sequence[Whole]],
) -> Judged:
    """Of several outputs the first wrong one decides: another pod or an older file must not hide it. So does
    a list without the row; a list that has the row without the value says nothing."""
    found = readings.get(_key(claim), ())
    right = (claim.expected, *claim.also)
    wrong = next((one for one in found if one.found not in right and not one.silent), None)
    if wrong is not None:
        return Judged(claim=claim, outcome="wrong", found=wrong.found, at=wrong.at)
    lacking = _lacking(claim, whole)
    if lacking is not None:
        return Judged(claim=claim, outcome="wrong", found=ABSENT, at=lacking.at)
    if silent := next((one for one in found if one.silent), None):
        return Judged(claim=claim, outcome="not seen", at=silent.at)
    if found:
        return Judged(claim=claim, outcome="ok", found=found[0].found, at=found[0].at)
    return Judged(claim=claim, outcome="not seen")


def _lacking(claim: Expected, whole: Mapping[tuple[str, Kind, int], Sequence[Whole]]) -> Whole | None:
    """The first list that should have the row and does not; where no list is certain, each has to lack it."""
    if claim.if_shown:
        return None
    version = ip_version(claim.subject) if claim.kind == "bgp" else 0
    row = row_of(claim.kind, claim.subject, claim.field)
    every = whole.get((claim.hop.name, claim.kind, version), ())
    certain = [each for each in every if not each.weak]
    lacking = [each for each in certain or every if row not in (each.rows or ())]
    return lacking[0] if lacking and (certain or len(lacking) == len(every)) else None


def _verdicts(results: Iterable[Judged]) -> Iterator[RailVerdict]:
    counts: dict[tuple[int | None, LiveHop], dict[Outcome, int]] = {}
    for one in results:
        for rail in one.claim.rails or (None,):
            row = counts.setdefault((rail, one.claim.hop), {"ok": 0, "wrong": 0, "not seen": 0})
            row[one.outcome] += 1
    order = {hop: number for number, hop in enumerate(dict.fromkeys(one.claim.hop for one in results))}
    for (rail, hop), row in sorted(counts.items(), key=lambda item: _order(item[0], order)):
        yield RailVerdict(rail=rail, hop=hop, outcome=_outcome(row), counts=row)


def _order(key: tuple[int | None, LiveHop], order: Mapping[LiveHop, int]) -> tuple[int, int]:
    rail, hop = key
    return (1_000_000 if rail is None else rail), order[hop]


def _outcome(row: Mapping[Outcome, int]) -> Outcome:
    if row["wrong"]:
        return "wrong"
    return "not seen" if row["not seen"] else "ok"
