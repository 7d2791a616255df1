"""Contradictions with one cause: one finding, not one for each card or cable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from netplan.importing.cabling import SWITCH
from netplan.importing.facts import Conflict, Contradiction, Said, Site, texts_in

_LEAST = 3
"""Cables; two may be crossed."""


def folded_conflicts(site: Site) -> Iterator[Conflict | Contradiction]:
    """Those of two switches of which one claims every cable that the other has are one."""
    groups: dict[tuple[str, ...], list[Conflict]] = {}
    for conflict in site.conflicts:
        groups.setdefault(_switches(conflict), []).append(conflict)
    totals = Counter(of[0] for of in site.every("port") if _has_peer(site, of))
    for pair, conflicts in groups.items():
        if len(pair) < 2 or len(conflicts) < max(_LEAST, min(totals[name] for name in pair)):
            yield from _alike(conflicts)
        else:
            what = f"{' and '.join(pair)} claim the same cables"
            why = "one switch under two names, or dumps of two sites"
            yield Contradiction(f"{what}: {why}; {conflicts[0]}", len(conflicts) - 1)


def _alike(conflicts: Iterable[Conflict]) -> Iterator[Conflict | Contradiction]:
    """Those of one statement with many that are alike, such as of a policy with the states of its nodes, are
    one, and so are those of a field of cards with the same two values: dumps of the hosts of two times."""
    groups: dict[tuple[object, ...], list[Conflict]] = {}
    for each in conflicts:
        scalar = each.kind == "card" and not isinstance(each.one.value, tuple)  # no switch and port
        at = None if scalar else each.other.at
        key = (each.kind, each.field, each.one.value, each.other.value, at)
        groups.setdefault(key, []).append(each)
    for first, *others in groups.values():
        yield Contradiction(str(first), len(others)) if others else first


def _has_peer(site: Site, of: tuple[str, ...]) -> bool:
    return site.said("port", of, "peer") is not None or site.conflict("port", of, "peer") is not None


def _switches(conflict: Conflict) -> tuple[str, ...]:
    """Those that both claim a cable; empty for another contradiction."""
    found = [_switch(conflict.field, said) for said in (conflict.one, conflict.other)]
    return tuple(sorted(found)) if all(found) and found[0] != found[1] else ()


def _switch(field: str, said: Said) -> str:
    value = texts_in(said.value)
    if field == "port" and len(value) == 2:
        return value[0]
    return value[1] if field == "peer" and len(value) == 3 and value[0] == SWITCH else ""
