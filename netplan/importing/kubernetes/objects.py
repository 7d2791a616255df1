"""The objects of a dump: from one document or several, from a List, or from the API's XxxList."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.facts import Fact, Kind, Of, Remark, Value, not_taken
from netplan.model.document import Places
from netplan.model.values import parse_address, parse_network, whole
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.load import is_list, items_of, thing_of
from netplan.reading.kubernetes.objects import Thing, inside, is_object, listing, mapping, read_texts

_SCALAR = re.compile(r"[^\s,\]}#]+")
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
PCI_FORM = "0000:18:00.0"
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Dump:
    """``cut``: a list ends before its kind, which kubectl prints behind the items."""

    things: tuple[Thing, ...]
    problems: tuple[Diagnostic, ...]
    cut: bool


def objects_of(name: str, text: str, places: Places) -> Dump:
    """The objects of a file, possibly none. Never raises."""
    parsed = parse(name, text, places)
    things = tuple(thing for body, at in parsed.documents for thing in _objects(body, name, at, places))
    for thing in things:
        read_texts(thing)
    return Dump(things, parsed.problems, any(_is_cut(body) for body, _ in parsed.documents))


def _is_cut(body: Any) -> bool:
    items = body.get("items") if isinstance(body, dict) and "kind" not in body else None
    return isinstance(items, list) and any(map(is_object, items))


def _objects(body: Any, name: str, at: int, places: Places) -> Iterator[Thing]:
    if not is_object(body):
        return
    if not is_list(body):
        yield thing_of(body, name, at, places)
        return
    for item, item_at in items_of(body, places):
        yield from _objects(item, name, item_at, places)


def as_they_are(*words: str) -> dict[str, str]:
    """For ``Reader.word``: words that an inventory has too."""
    return {word: word for word in words}


class Reader:
    """How the modules of this folder read an object: fields with their places.

    ``seen``: paths that were looked at. ``refused``: values that cannot be taken; who reads the object hands
    them on. Empty and missing fields are neither.
    """

    def __init__(self, thing: Thing) -> None:
        self.thing = thing
        self.seen: set[Path] = set()
        self.refused: list[Remark] = []

    def value(self, *path: str | int) -> Any:
        """The value at a path, which may lead into a JSON text."""
        for length in range(len(path), 0, -1) if self.thing.texts else ():
            if path[:length] in self.thing.texts:
                return inside(self.thing.texts[path[:length]], path[length:])
        return self.thing.get(*path)

    def refuse(self, why: str, *path: str | int) -> None:
        """Say that the value at a path is not taken."""
        self.seen.add(path)
        self.refused.append(not_taken(self.at(*path), self.called(path), self.shown(path), why))

    def called(self, path: Path) -> str:
        """``SriovNetwork spec.vlan``"""
        return f"{self.thing.kind} {dotted(path)}" if self.thing.body.get("kind") else dotted(path)

    def shown(self, path: Path) -> str:
        """The value at a path in words; of a container's environment, which is a list, the name alone, as it
        may hold passwords, and an inventory is kept where many read."""
        value = self.value(*path)
        if "env" in path[:-1] or (path[-1:] == ("env",) and isinstance(value, dict | list)):
            return str(mapping(value).get("name", ""))
        whole = isinstance(value, dict | list)
        return json.dumps(_open(value), default=str) if whole else self.scalar(path, value)

    def text(self, *path: str | int) -> str:
        """A scalar as written: a device ID 1023 without quotes is not a number."""
        value = self.value(*path)
        self.seen.add(path)
        if isinstance(value, dict | list):
            if value:
                self.refuse("a single value is expected", *path)
            return ""
        return self.scalar(path, value)

    def scalar(self, path: Path, value: Any) -> str:
        if isinstance(value, str):
            return value
        return "" if value is None else self._written(path) or str(value)

    def _written(self, path: Path) -> str:
        found = self.thing.places.child(self.thing.get(*path[:-1]), path[-1])
        if found is None:
            return ""
        at = self.thing.places.sources.source(found[2])
        match = _SCALAR.match(self.thing.places.sources.line(at), at.column - 1)
        return match[0] if match else ""

    def number(self, *path: str | int, least: int = 0, most: int = 10**15) -> int | None:
        """A whole number in the range; others are refused. One without quotes is what YAML 1.1 makes of it,
        as kubectl does (sigs.k8s.io/yaml): 0145 is 101."""
        text = self.text(*path)
        if not text:
            return None
        value = self.value(*path)
        number = value if isinstance(value, int) and not isinstance(value, bool) else whole(text, 16)
        if number is None or not least <= number <= most:
            end = f" to {most:,}" if most < 10**15 else " on"
            self.refuse(f"not a whole number from {least}{end}", *path)
            return None
        return number

    def word(self, words: Mapping[str, str], *path: str | int) -> str:
        """What one of the words means; others are refused. Capitals do not count."""
        text = self.text(*path)
        found = words.get(text.lower(), "")
        if text and not found:
            self.refuse(f"not one of {', '.join(words)}", *path)
        return found

    def flag(self, *path: str | int) -> bool | None:
        value = self.value(*path)
        self.seen.add(path)
        if value is not None and not isinstance(value, bool):
            self.refuse("neither true nor false", *path)
        return value if isinstance(value, bool) else None

    def network(self, *path: str | int) -> str:
        """A subnet such as 10.0.0.0/24, its address in the shortest form; others are refused. Of an address
        in a subnet the subnet is taken, which is told."""
        why = "not a subnet such as 10.0.0.0/24"
        network = parse_network(self._formed(lambda text: str(parse_network(text) or ""), why, path))
        if network is not None and network.ip != network.cidr.ip:
            self.refuse(f"it has host bits; {network.cidr} is taken", *path)
        return "" if network is None else str(network.cidr)

    def address(self, *path: str | int) -> str:
        """In its shortest form; others than IP addresses are refused."""
        return self._formed(_shortest, "not an IP address", path)

    def pci(self, *path: str | int) -> str:
        """A PCI address with domain; others are refused."""
        return self._formed(pci_of, f"not a PCI address such as {PCI_FORM}", path)

    def _formed(self, form: Callable[[str], str], why: str, path: Path) -> str:
        """What ``form`` makes of a text; one of which it makes nothing is refused."""
        text = self.text(*path)
        found = form(text)
        if text and not found:
            self.refuse(why, *path)
        return found

    def texts(self, *path: str | int) -> list[str]:
        """The texts of a list, none of them empty."""
        self.seen.add(path)
        found = [self.text(*path, index) for index in range(len(self._listed(path)))]
        return [text for text in found if text]

    def rows(self, *path: str | int) -> Iterator[tuple[Path, dict[str, Any]]]:
        """The maps of a list, each with its path."""
        for index, row in enumerate(self._listed(path)):
            if isinstance(row, dict):
                yield (*path, index), row
            else:
                self.refuse("a map is expected", *path, index)

    def _listed(self, path: Path) -> list[Any]:
        found = self.value(*path)
        if found is not None and not isinstance(found, list):
            self.refuse("a list is expected", *path)
        return listing(found)

    def names(self, *path: str | int) -> list[str]:
        """The keys of a map."""
        value = self.value(*path)
        if value is not None and not isinstance(value, dict):
            self.refuse("a map is expected", *path)
        return [name for name in mapping(value) if isinstance(name, str)]

    def labels(self, kind: Kind, of: Of, *path: str | int) -> Iterator[Fact]:
        """A fact for each label."""
        for key in self.names(*path):
            yield self.fact(kind, of, f"label/{key}", self.text(*path, key), *path, key)

    def at(self, *path: str | int) -> Source:
        return self.thing.source(path)

    def fact(self, kind: Kind, of: Of, field: str, value: Value, *path: str | int) -> Fact:
        return Fact(kind, of, field, value, self.at(*path))


def _open(value: Any) -> Any:
    """The value without what environments of containers hold."""
    if isinstance(value, dict):
        hidden = {key for key, part in value.items() if key == "env" and isinstance(part, dict | list)}
        return {key: "..." if key in hidden else _open(part) for key, part in value.items()}
    return [_open(part) for part in value] if isinstance(value, list) else value


def dotted(path: Path) -> str:
    """``spec.exclusions.startIP``: numbers of lists are left out."""
    return ".".join(str(part) for part in path if not isinstance(part, int))


def no_address(text: str, at: Source) -> Remark:
    return Remark(at, f"{text!r} is not a PCI address such as {PCI_FORM}; the card is left out")


def _shortest(text: str) -> str:
    address = parse_address(text)
    return "" if address is None else str(address)


def pci_of(text: str) -> str:
    """A PCI address in lower case; empty for any other text."""
    text = text.strip().lower()
    return text if _PCI.fullmatch(text) else ""
