"""Where a path of keys stands in a JSON or YAML text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from netplan.model.document import Places, SourceMap
from netplan.yaml12 import Parsed, parse


def line_of(text: str, path: Sequence[str]) -> int:
    """The line, from 1, of the last key of ``path`` that is there, lists passed over; 0 if none is."""
    places, read = _read(text)
    here: object = read.data
    offset = 0
    for part in path:
        found = [child for each in _maps(here) if (child := places.child(each, part))]
        if not found:
            break
        here, offset = [value for value, *_ in found], found[-1][1]
    return places.sources.source(offset).line if offset else 0


def _maps(value: object) -> list[object]:
    return [inner for item in value for inner in _maps(item)] if isinstance(value, list) else [value]


@lru_cache(maxsize=1)
def _read(text: str) -> tuple[Places, Parsed]:
    """Cached: asked for many settings of one text in turn."""
    places = Places(SourceMap())
    return places, parse("running", text, places)
