"""What is left out: what other rules say only because of a value that SONiC's model refuses (NP876), and what
they say about placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from netplan.diagnostics import Diagnostic
from netplan.reading.config_db.switch import DbSwitch
from netplan.rules.config_db.registry import RULES
from netplan.rules.config_db.texts import File
from netplan.rules.config_db.values import legal_instead, refused_with

Told = Callable[[Sequence[DbSwitch]], Sequence[Diagnostic]]
"""Runs the rules on switches."""
_REFUSED = "NP876"
_FIELD = 3
"""Parts of the path of a field: table, key, name."""
_TRIES = 2
_OF_KEYS = frozenset({_REFUSED, "NP874"})
"""NP874: a row or an entry without the port that its key names."""


_PLACEHOLDER = re.compile(
    r"\{\{|\$\{|\$[A-Z]|<[A-Za-z][^<>|]*>|@[A-Za-z_]+@|\bREPLACE[-_]|\bCHANGE[-_]?ME\b|\bYOUR[-_]",
    re.IGNORECASE,
)
"""A value or key that somebody or something has still to fill in."""


def without_placeholders(found: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[str]]:
    """The findings that are about final values, and a sentence about the others."""
    kept = [each for each in found if not _about_placeholder(each)]
    left = [each for each in found if _about_placeholder(each)]
    if not left:
        return kept, []
    text = " ".join(map(str, left[0].path))
    where = left[0].source
    places = "1 place" if len(left) == 1 else f"{len(left):,} places"
    return kept, [f"{places} with placeholders not checked, the first {text} at {where}"]


def _about_placeholder(found: Diagnostic) -> bool:
    return any(_PLACEHOLDER.search(str(part)) for part in (*found.path, found.message))


def without_consequences(
    found: Sequence[Diagnostic], switches: Sequence[DbSwitch], told: Told
) -> list[Diagnostic]:
    """The findings that do not rest on a refused value: about texts and keys, and those elsewhere that hold
    with legal values in place of it."""
    refused = _refused(found)
    if not refused:
        return list(found)
    places = {_place(each) for same in refused.values() for each in same}
    kept = _those(found, lambda each: _place(each) not in places)
    for number in range(_TRIES):
        kept = _those(kept, _told_again(told([_mended(one, refused, number) for one in switches])))
    return kept


def _refused(found: Sequence[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """By file."""
    refused: dict[str, list[Diagnostic]] = {}
    for each in found:
        if each.code == _REFUSED and len(each.path) == _FIELD and each.source:
            refused.setdefault(each.source.file, []).append(each)
    return refused


def _those(found: Sequence[Diagnostic], holds: Callable[[Diagnostic], bool]) -> list[Diagnostic]:
    return [each for each in found if _stands(each) or holds(each)]


def _told_again(found: Sequence[Diagnostic]) -> Callable[[Diagnostic], bool]:
    again = {_identity(each) for each in found}
    return lambda each: _identity(each) in again


def _place(found: Diagnostic) -> tuple[object, ...]:
    return found.path, found.source


def _stands(found: Diagnostic) -> bool:
    return found.code in _OF_KEYS or RULES[found.code].subject is File


def _identity(found: Diagnostic) -> tuple[object, ...]:
    return found.code, found.path, found.source  # the message may count the value among others


def _mended(switch: DbSwitch, refused: Mapping[str, Sequence[Diagnostic]], number: int) -> DbSwitch:
    """The switch with a legal value, or none, in place of each refused one. ``refused``: by file."""
    own = [each for file in switch.files for each in refused.get(file.name, ()) if _is_of(switch, each)]
    if not own:
        return switch
    copy = DbSwitch(switch.name, switch.files, switch.places, switch.mends)
    for table, key, name in (map(str, each.path) for each in own):
        for of, one in refused_with(switch, table, key, name):
            legal, fields = legal_instead(switch, table, of, one), copy.rows(table)[of].fields
            if legal:
                fields[one] = legal[min(number, len(legal) - 1)]
            else:
                fields.pop(one, None)
    return copy


def _is_of(switch: DbSwitch, refused: Diagnostic) -> bool:
    """A file of several ASICs is several switches."""
    table, key, name = map(str, refused.path)
    spot = switch.spot(table, key, name)
    return len(spot.path) == _FIELD and switch.sources.source(spot.offset) == refused.source
