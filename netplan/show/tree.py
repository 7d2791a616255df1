"""Walks a tree of frozen dataclasses: its entries, and what a dotted path names.

Fields, tuples and mappings are branches; everything else is a value. An entity that stands elsewhere in the
tree is shown by its name, so that a part never includes the whole.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from netplan.diagnostics import Path
from netplan.model import cluster, hardware, qos_classes
from netplan.model.fabric import Fabric

PLAN = "plan"
"""Label of the plan at the top of its tree."""
_FABRIC = ("name", "type", "mtu", "cross_rail", "adaptive_routing", "qos", "arp", "partition")
"""Fields of `Fabric` that the inventory has below ``fabric``."""
_INVENTORY = {Fabric.__module__, cluster.__name__, hardware.__name__, qos_classes.__name__}
"""Modules with the inventory's own entities; entities of other models come from the plan."""


class UnknownPathError(Exception):
    """The path names nothing; the message says what is there instead."""


class Item(NamedTuple):
    """An entry of a shown thing: its label, its value and its path in the inventory."""

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
    """What a dotted path such as ``hosts.gpu-007``, ``host_links[3]`` or ``plan.segments`` names.

    Raises `UnknownPathError`. The empty path is the whole tree.
    """
    here = Item("", tree, ())
    rest = wanted = re.sub(r"\[(\d+)\]", r".\1", wanted)
    while rest:
        entries = {item.label: item for item in items_of(here, named=False)}
        fits = [label for label in entries if rest == label or rest.startswith(f"{label}.")]
        if not fits:
            raise UnknownPathError(_nothing_there(wanted, rest, list(entries)))
        label = max(fits, key=len)  # names may contain dots
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


def items_of(item: Item, named: bool = True) -> list[Item]:
    """The entries of a branch. ``named``: entities that stand elsewhere are shown by name."""
    value = item.value
    path = item.path if item.path[:1] == (PLAN,) else place_of(value) or item.path
    show = _by_name if named else _itself
    if is_dataclass(value):
        return [Item(name, show(child, path, False), (*path, name)) for name, child in _fields(item)]
    if isinstance(value, Mapping):
        pairs = ((_label(key), child) for key, child in value.items())
        return [Item(key, show(child, path, _name(child) == key), (*path, key)) for key, child in pairs]
    if not isinstance(value, tuple):
        return []
    labelled = zip(_labels(value), value, strict=True)
    return [Item(str(label), show(child, path, True), (*path, label)) for label, child in labelled]


def _fields(item: Item) -> Iterator[tuple[str, Any]]:
    """Without fields that repeat the path to the entity. A plan contains the fabric it was made from, which
    is shown separately; indexes add nothing."""
    implied = {"at": place_of(item.value), "name": item.label}
    for field in fields(item.value):
        child = getattr(item.value, field.name)
        said = field.name in implied and child == implied[field.name]
        if not said and not field.metadata.get("index") and not isinstance(child, Fabric):
            yield field.name, child


def _labels(value: tuple[Any, ...]) -> Sequence[str | int]:
    """Names if every entry has its own, else numbers."""
    names = [name for child in value if (name := _name(child)) is not None]
    return names if len(set(names)) == len(value) else range(len(value))


def _itself(child: Any, _path: Path, _listed: bool) -> Any:
    return child


def _by_name(child: Any, path: Path, listed: bool) -> Any:
    """``child``, or its name if it stands elsewhere.

    An entity of the inventory stands at its own path; one without a path stands where it is listed.
    """
    if isinstance(child, tuple):
        return tuple(_by_name(each, path, True) for each in child)
    name, at = _name(child), place_of(child)
    if name is None:
        return child
    if at is None:
        return child if listed else name
    decided_there = path[:1] == (PLAN,) and type(child).__module__ not in _INVENTORY
    return child if at[: len(path)] == path or decided_there else name


def is_branch(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(is_branch(child) for child in value)
    if isinstance(value, Mapping):
        return bool(value)
    # A dataclass with its own text form, such as an address, is a value.
    return is_dataclass(value) and type(value).__str__ is object.__str__


def _name(value: Any) -> str | None:
    name = getattr(value, "name", None) if is_dataclass(value) else None
    return name if isinstance(name, str) else None


def place_of(value: Any) -> Path | None:
    at = getattr(value, "at", None) if is_dataclass(value) else None
    return at if isinstance(at, tuple) else None


def _label(key: Any) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)
