"""Running objects that claim what a planned object claims too: addresses, VFs, a resource, a network's name.

Applying the plan does not remove them: both then hand out the same addresses, or fight over the same VFs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from netplan.changes.drift import Drifted
from netplan.changes.objects import key_of, name_of
from netplan.changes.rival_claims import Claims, RivalClaim
from netplan.model.ranges import gathered
from netplan.model.values import natural
from netplan.reading.kubernetes.objects import Thing

_HANDFUL = 8
"""Objects that are alike and have a row each; more share one."""


class _Alike(NamedTuple):
    """What objects of one row have in common."""

    kind: str
    what: str
    how: str
    of: str
    advice: str


def rivals(claims: Claims, left: Iterable[Thing]) -> Iterator[Drifted]:
    """``left``: running objects that are neither planned nor listed already."""
    groups: dict[_Alike, list[tuple[Thing, RivalClaim]]] = {}
    for thing in sorted(left, key=_order):
        claim = claims.of(thing)
        if claim is not None:
            alike = _Alike(thing.kind, claim.what, claim.how, claim.planned[0].kind, claim.advice)
            groups.setdefault(alike, []).append((thing, claim))
    for alike, found in groups.items():
        each = [found] if len(found) > _HANDFUL else [[one] for one in found]
        yield from (_row(alike, rows) for rows in each)


def _row(alike: _Alike, found: list[tuple[Thing, RivalClaim]]) -> Drifted:
    names = gathered(_name(thing) for thing, _ in found)
    shared = gathered(dict.fromkeys(claim.text for _, claim in found))
    whose = {_name(other): None for _, claim in found for other in claim.planned if other.kind == alike.of}
    what = f"{alike.what} {shared}".strip()
    change = f"not planned: {what}, {alike.how} planned {alike.of} {gathered(whose)}: {alike.advice}"
    thing, claim = found[0]
    source = thing.source(claim.at)
    return Drifted(f"{alike.kind} {names}", change, f"{source.file}:{source.line}")


def _order(thing: Thing) -> tuple[object, ...]:
    return thing.kind, natural(thing.namespace or ""), natural(thing.name), thing.file, thing.root


def _name(thing: Thing) -> str:
    return name_of(key_of(thing))
