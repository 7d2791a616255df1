"""Lines of an inventory: keys, values, and a comment that says where a value comes from or what to fill
in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.facts import Conflict, Kind, Of, Said, Site, place
from netplan.printable import printable

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"})
_CIDR = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}/[0-9]{1,2}|[0-9]+-[0-9]+|[0-9]+\+")
TODO = "TODO"
"""The schema takes it nowhere that it is written: validate names the key."""
_COMMENT_MAX = 300


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of the inventory with its comment. ``value``: a number, a truth, a text, or YAML that is
    ready (``Flow``). ``assumed``: no dump says it, it follows from what is in none."""

    value: object
    comment: str = ""
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """Text that is YAML already: ``{pci: "0000:18:00.0"}``"""

    text: str


def todo(what: str, where: str) -> Entry:
    return Entry(TODO, f"{TODO}: {what}; {where}")


def clash(conflict: Conflict) -> Entry:
    return Entry(TODO, f"{TODO}: decide, sources disagree: {conflict.values}")


def told(said: Said) -> Entry:
    return Entry(said.value, place(said.at))


def stated(site: Site, kind: Kind, of: Of, name: str) -> Entry | None:
    """What is said, or what sources disagree about; None where nothing is."""
    conflict, said = site.conflict(kind, of, name), site.said(kind, of, name)
    if conflict is not None:
        return clash(conflict)
    return None if said is None else told(said)


def scalar(value: object) -> str:
    """As YAML 1.2 and 1.1 read it back."""
    if isinstance(value, Flow):
        return value.text
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    text = printable(str(value))
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS
    return text if plain or _CIDR.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def flow(values: Mapping[str, object]) -> Flow:
    return Flow("{" + ", ".join(f"{scalar(key)}: {scalar(value)}" for key, value in values.items()) + "}")


def flow_list(values: Iterable[object]) -> Flow:
    return Flow("[" + ", ".join(map(scalar, values)) + "]")


def key(text: str) -> str:
    """A name or range as key of a block map: ``roce[0-3]``, ``example.com/x``."""
    text = printable(text)
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*(?:\[[0-9]+-[0-9]+(?:/[0-9]+)?\][A-Za-z0-9_./-]*)*", text)
    return text if plain and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)


def line(depth: int, name: str, entry: Entry) -> str:
    value = "" if entry.value is None else f" {scalar(entry.value)}"
    return f"{'  ' * depth}{key(name)}:{value}{comment(entry.comment)}"


def comment(text: str) -> str:
    """On one line, whatever a dump put into it."""
    if not text:
        return ""
    shown = printable(text)
    return f" # {shown if len(shown) <= _COMMENT_MAX else shown[:_COMMENT_MAX] + '...'}"


Section = Mapping[str, "Entry | Sequence[str] | Mapping[str, Entry]"]
"""Entries of a map: a value, a map of values, or lines that are ready, key and all."""


def block(depth: int, name: str, entries: Section, note: str = "") -> list[str]:
    """A map. Nothing where it is empty."""
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
