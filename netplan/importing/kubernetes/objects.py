"""The objects of a dump: from one document or several, from a List, or from the API's XxxList."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.facts import Fact, Kind, Of, Remark, Value
from netplan.model.document import Places
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.load import is_list, items_of, thing_of
from netplan.reading.kubernetes.objects import Thing, is_object, mapping, read_texts

_SCALAR = re.compile(r"[^\s,\]}#]+")
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
PCI_FORM = "0000:18:00.0"


@dataclass(frozen=True, slots=True)
class Dump:
    things: tuple[Thing, ...]
    problems: tuple[Diagnostic, ...]


def objects_of(name: str, text: str, places: Places) -> Dump:
    """The objects of a file, possibly none. Never raises."""
    parsed = parse(name, text, places)
    things = tuple(thing for body, at in parsed.documents for thing in _objects(body, name, at, places))
    for thing in things:
        read_texts(thing)
    return Dump(things, parsed.problems)


def _objects(body: Any, name: str, at: int, places: Places) -> Iterator[Thing]:
    if not is_object(body):
        return
    if not is_list(body):
        yield thing_of(body, name, at, places)
        return
    for item, item_at in items_of(body, places):
        yield from _objects(item, name, item_at, places)


class Reader:
    """How the modules of this folder read an object: fields as text or number, with their places."""

    def __init__(self, thing: Thing) -> None:
        self.thing = thing

    def text(self, *path: str | int) -> str:
        """A scalar as written: a device ID 1023 without quotes is not a number."""
        value = self.thing.get(*path)
        if isinstance(value, str):
            return value
        if value is None or isinstance(value, dict | list):
            return ""
        return self._written(path) or str(value)

    def _written(self, path: tuple[str | int, ...]) -> str:
        found = self.thing.places.child(self.thing.get(*path[:-1]), path[-1])
        if found is None:
            return ""
        at = self.thing.places.sources.source(found[2])
        match = _SCALAR.match(self.thing.places.sources.line(at), at.column - 1)
        return match[0] if match else ""

    def number(self, *path: str | int) -> int | None:
        text = self.text(*path)
        return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None

    def rows(self, *path: str | int) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
        """The maps of a list, each with its path."""
        found = self.thing.get(*path)
        for index, row in enumerate(found if isinstance(found, list) else ()):
            if isinstance(row, dict):
                yield (*path, index), row

    def names(self, *path: str | int) -> list[str]:
        """The keys of a map."""
        return [name for name in mapping(self.thing.get(*path)) if isinstance(name, str)]

    def labels(self, kind: Kind, of: Of, *path: str | int) -> Iterator[Fact]:
        """A fact for each label."""
        for key in self.names(*path):
            yield self.fact(kind, of, f"label/{key}", self.text(*path, key), *path, key)

    def at(self, *path: str | int) -> Source:
        return self.thing.source(path)

    def fact(self, kind: Kind, of: Of, field: str, value: Value, *path: str | int) -> Fact:
        return Fact(kind, of, field, value, self.at(*path))


def no_address(text: str, at: Source) -> Remark:
    return Remark(at, f"{text!r} is not a PCI address such as {PCI_FORM}; the card is left out")


def pci_of(text: str) -> str:
    """A PCI address in lower case; empty for any other text."""
    text = text.strip().lower()
    return text if _PCI.fullmatch(text) else ""
