"""The resolved inventory or the plan as text or plain data, each value with its origin.

Works on any frozen dataclasses: fields, tuples and mappings are walked, everything else is text. An entity
that stands elsewhere in the tree is shown by its name, so that a part never drags in the whole.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from netplan.diagnostics import Path
from netplan.model.document import Document
from netplan.model.fabric import Fabric
from netplan.model.inventory_schema import inventory_schema
from netplan.model.ranges import expand, is_range
from netplan.printable import printable

Scalar = str | int | float | bool | None
OriginOf = Callable[[Path, Any], str]
"""Path and value of a leaf -> ``file:line``, ``default``, ``computed``, ``not set``, or nothing to say."""

PLAN = "plan"
_FABRIC = ("type", "mtu", "cross_rail", "qos", "arp", "partition")
"""Fields of `Fabric` that the inventory has below its key ``fabric``."""
_INVENTORY_WORDS = {"watchdog": "pfc_watchdog"}
"""Fields of the model that the inventory calls something else."""
_PLAIN = re.compile(r"[A-Za-z_./][\w./:@%+ -]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off"})


class UnknownPathError(Exception):
    """The path names nothing; the message says what is there instead."""


class Item(NamedTuple):
    """One entry of a shown thing: its label, its value and its path in the inventory."""

    label: str
    value: Any
    path: Path


def inventory_tree(fabric: Fabric) -> dict[str, Any]:
    """The fabric under the inventory's own top-level keys."""
    top = {field.name: getattr(fabric, field.name) for field in fields(fabric)}
    return {
        "site": top.pop("site"),
        "cluster": top.pop("cluster"),
        "fabric": {name: top.pop(name) for name in _FABRIC},
        **top,
    }


def find(tree: Mapping[str, Any], wanted: str) -> Item:
    """What a dotted path such as ``hosts.gpu-007``, ``links[3]`` or ``plan.segments`` names.

    Raises `UnknownPathError`. The empty path is the whole tree.
    """
    here = Item("", tree, ())
    rest = re.sub(r"\[(\d+)\]", r".\1", wanted)
    while rest:
        entries = {item.label: item for item in _items(here, named=False)}
        fits = [label for label in entries if rest == label or rest.startswith(f"{label}.")]
        if not fits:
            raise UnknownPathError(_nothing_there(wanted, rest, list(entries)))
        label = max(fits, key=len)  # a name may hold dots itself
        here, rest = entries[label], rest[len(label) + 1 :]
    return here


def _nothing_there(wanted: str, rest: str, labels: Sequence[str]) -> str:
    before = wanted[: len(wanted) - len(rest)].rstrip(".") or "the top level"
    part = rest.split(".")[0]
    close = difflib.get_close_matches(part, labels, n=3)
    if close:
        return f"{before} has no {part}; did you mean {' or '.join(close)}?"
    known = ", ".join(labels[:12]) + (", ..." if len(labels) > 12 else "")
    return f"{before} has no {part}; it has {known or 'no parts'}"


def text_lines(item: Item, origin_of: OriginOf, indent: str = "") -> Iterator[str]:
    """YAML-like lines: ``key: value  # origin``."""
    if not _is_branch(item.value):
        yield f"{indent}{_value_text(item.value)}{_comment(origin_of(item.path, item.value))}"
        return
    for entry in _items(item):
        label = printable(entry.label)
        if _is_branch(entry.value):
            yield f"{indent}{label}:"
            yield from text_lines(entry, origin_of, f"{indent}  ")
        else:
            origin = _comment(origin_of(entry.path, entry.value))
            yield f"{indent}{label}: {_value_text(entry.value)}{origin}"


def _comment(origin: str) -> str:
    return f"  # {printable(origin)}" if origin else ""


def as_data(item: Item) -> Any:
    """The same as plain JSON data."""
    if _is_branch(item.value):
        return {entry.label: as_data(entry) for entry in _items(item)}
    return _plain(item.value)


def origins(item: Item, origin_of: OriginOf, below: str = "") -> dict[str, str]:
    """Origin of every leaf that has one, by dotted path below ``item``."""
    if not _is_branch(item.value):
        origin = origin_of(item.path, item.value)
        return {below: origin} if origin else {}
    found: dict[str, str] = {}
    for entry in _items(item):
        found |= origins(entry, origin_of, f"{below}.{entry.label}" if below else entry.label)
    return found


def origin_in(document: Document) -> OriginOf:
    """Where values of the inventory come from; what only the plan has is computed and not marked."""

    def origin_of(path: Path, value: Any) -> str:
        if path[:1] == (PLAN,):
            return ""
        words = tuple(_INVENTORY_WORDS.get(str(part), part) for part in path)
        written = _written(document.data, words)
        source = document.locate(written) if written else None
        if source:
            return f"{source.file}:{source.line}"
        if "default" in _described(words):
            return "default"
        return "not set" if value is None else "computed"

    return origin_of


def _written(data: Any, path: Path) -> Path | None:
    """Where the inventory states a value: under its own keys, or under a range that gives such a name."""
    if not path:
        return ()
    part, rest = path[0], path[1:]
    keys: list[str | int]
    if isinstance(data, list):
        keys = [part] if isinstance(part, int) and part < len(data) else []
    elif isinstance(data, dict):
        keys = [part] if part in data else []
        keys += [key for key in data if is_range(key) and key != part and part in expand(key)]
    else:
        return None
    places = ((key, _written(data[key], rest)) for key in keys)
    return next(((key, *below) for key, below in places if below is not None), None)


def _described(path: Path) -> Mapping[str, Any]:
    """The schema of the value at a path; empty when the inventory has no such key."""
    schema: Any = inventory_schema()
    for part in path:
        if isinstance(part, int):
            schema = schema.get("items")
        else:
            schema = schema.get("properties", {}).get(part, schema.get("additionalProperties"))
        if not isinstance(schema, dict):
            return {}
    found: dict[str, Any] = schema
    return found


def _items(item: Item, named: bool = True) -> list[Item]:
    """The entries of a branch. ``named``: entities that stand elsewhere are given by their name."""
    value, path = item.value, _at(item.value) or item.path
    show = _by_name if named else _itself
    if is_dataclass(value):
        every = ((field.name, getattr(value, field.name)) for field in fields(value))
        shown = ((name, child) for name, child in every if not (name == "at" and isinstance(child, tuple)))
        return [Item(name, show(child, path, False), (*path, name)) for name, child in shown]
    if isinstance(value, Mapping):
        pairs = ((_label(key), child) for key, child in value.items())
        return [Item(key, show(child, path, _name(child) == key), (*path, key)) for key, child in pairs]
    if not isinstance(value, tuple):
        return []
    names = [name for child in value if (name := _name(child)) is not None]
    labels: Sequence[str | int] = names if len(set(names)) == len(value) else range(len(value))
    return [
        Item(str(label), show(child, path, True), (*path, label))
        for label, child in zip(labels, value, strict=True)
    ]


def _itself(child: Any, _path: Path, _listed: bool) -> Any:
    return child


def _by_name(child: Any, path: Path, listed: bool) -> Any:
    """``child``, or its name where it stands elsewhere.

    An entity of the inventory stands at its own path; one without a path stands where it is listed.
    """
    if isinstance(child, tuple):
        return tuple(_by_name(each, path, True) for each in child)
    name, at = _name(child), _at(child)
    if name is None:
        return child
    if at is None:
        return child if listed else name
    decided_there = path[:1] == (PLAN,) and type(child).__module__ != Fabric.__module__
    return child if at[: len(path)] == path or decided_there else name


def _is_branch(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_is_branch(child) for child in value)
    if isinstance(value, Mapping):
        return bool(value)
    # A dataclass that says how it reads as text, such as an address, is a value.
    return is_dataclass(value) and type(value).__str__ is object.__str__


def _name(value: Any) -> str | None:
    name = getattr(value, "name", None) if is_dataclass(value) else None
    return name if isinstance(name, str) else None


def _at(value: Any) -> Path | None:
    at = getattr(value, "at", None) if is_dataclass(value) else None
    return at if isinstance(at, tuple) else None


def _label(key: Any) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(child) for child in value]
    if isinstance(value, Mapping):
        return {}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value_text, value))}]"
    plain = _plain(value)
    if isinstance(plain, str) and _PLAIN.fullmatch(plain) and plain.lower() not in _WORDS:
        return plain
    return json.dumps(plain)
