"""Lines of an inventory: keys, values, and comments with a value's source or what to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

from netplan.importing.facts import Conflict, Kind, Of, Said, Site, place
from netplan.model.inventory_schema import inventory_schema
from netplan.model.inventory_text import Flow, key, scalar
from netplan.printable import printable
from netplan.report import few

TODO = "TODO"
"""Invalid by schema wherever it is written, see UNSURE: validate names the key."""
INEXPRESSIBLE = "an inventory cannot express this"
_LISTED_MAX = 400
_COMMENT_MAX = 1000
"""Only a text of a dump itself is longer."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of the inventory with its comment. ``value``: a number, a boolean, a text, or finished
    YAML (``Flow``). ``assumed``: no dump states it; it follows from what the dumps lack."""

    value: object
    comment: str = ""
    assumed: bool = False


def todo(what: str, where: str) -> Entry:
    return Entry(TODO, f"{TODO}: {what}; {where}")


def clash(conflict: Conflict) -> Entry:
    return Entry(TODO, f"{TODO}: decide, sources disagree: {conflict.values}")


def told(said: Said) -> Entry:
    return Entry(said.value, place(said.at))


def stated(site: Site, kind: Kind, of: Of, name: str) -> Entry | None:
    """The value, or a question if sources disagree; None if nothing is said."""
    conflict, said = site.conflict(kind, of, name), site.said(kind, of, name)
    if conflict is not None:
        return clash(conflict)
    return None if said is None else told(said)


UNSURE = Flow(f'"{TODO}: decide"')
"""For a key of which TODO alone would be a value."""


@cache
def _named_so() -> frozenset[str]:
    """Keys whose texts may be TODO by the schema: names of interfaces, images and the like."""
    return frozenset(_loose(inventory_schema()))


def _loose(schema: Any) -> Iterator[str]:
    """Without ``extra``, the fields of pods that an inventory passes on."""
    parts = {key: part for key, part in schema.items() if key != "extra"} if isinstance(schema, dict) else {}
    for part in parts.values() or (schema if isinstance(schema, list) else ()):
        yield from _loose(part)
    for name, row in parts.get("properties", {}).items():
        pattern = row.get("pattern") if isinstance(row, dict) and "enum" not in row else None
        if isinstance(pattern, str) and re.search(pattern, TODO):
            yield name


def line(depth: int, name: str, entry: Entry) -> str:
    loose = entry.value == TODO and name in _named_so()
    value = "" if entry.value is None else f" {scalar(UNSURE if loose else entry.value)}"
    return f"{'  ' * depth}{key(name)}:{value}{comment(entry.comment)}"


def comment(text: str) -> str:
    """One line, whatever a dump contains."""
    if not text:
        return ""
    shown = printable(text)
    if len(shown) > _COMMENT_MAX:
        shown = f"{shown[:_COMMENT_MAX].rpartition(' ')[0] or shown[:_COMMENT_MAX]} ..."
    return f" # {shown}"


def listed(parts: Iterable[str]) -> str:
    """As many of them as a comment holds, each as a whole, then how many more there are."""
    every = list(parts)
    ends = accumulate(len(part) + 2 for part in every)
    return few(every, max(1, sum(end <= _LISTED_MAX for end in ends)))


Section = Mapping[str, "Entry | Sequence[str] | Section"]
"""Entries of a map: a value, a map of values, or finished lines including the key."""


def block(depth: int, name: str, entries: Section, note: str = "") -> list[str]:
    """A map; nothing if it is empty."""
    if not entries:
        return []
    lines = [f"{'  ' * depth}{key(name)}:{comment(note)}"]
    for part, entry in entries.items():
        if isinstance(entry, Entry):
            lines.append(line(depth + 1, part, entry))
        elif isinstance(entry, Mapping):
            lines += block(depth + 1, part, entry)
        else:
            lines += entry
    return lines
