"""A shown thing as YAML-like text or as JSON data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.printable import printable
from netplan.show.origin import OriginOf
from netplan.show.tree import PLAN, Item, is_branch, items_of

_PLAIN = re.compile(r"[A-Za-z_./][\w./:@%+ -]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
"""Words that YAML 1.1 readers do not take as text."""


def text_lines(item: Item, origin_of: OriginOf, indent: str = "") -> Iterator[str]:
    """YAML-like lines: ``key: value  # origin``."""
    if not is_branch(item.value):
        yield f"{indent}{_value_text(item.value)}{_comment(origin_of(item.path, item.value))}"
        return
    for entry in items_of(item):
        label = printable(entry.label)
        if is_branch(entry.value):
            yield f"{indent}{label}:{_comment(_made_for(entry, origin_of))}"
            yield from text_lines(entry, origin_of, f"{indent}  ")
        else:
            origin = _comment(origin_of(entry.path, entry.value))
            yield f"{indent}{label}: {_value_text(entry.value)}{origin}"


def _made_for(item: Item, origin_of: OriginOf) -> str:
    """Origin of a branch; only branches that the plan made for one entity have one."""
    return origin_of(item.path, item.value) if item.path[:1] == (PLAN,) else ""


def _comment(origin: str) -> str:
    return f"  # {printable(origin)}" if origin else ""


def as_data(item: Item) -> Any:
    """The same as plain JSON data."""
    if is_branch(item.value):
        return {entry.label: as_data(entry) for entry in items_of(item)}
    return _plain(item.value)


def origins(item: Item, origin_of: OriginOf, below: str = "") -> dict[str, str]:
    """Origin of everything that has one, by dotted path below ``item``."""
    branch = is_branch(item.value)
    origin = _made_for(item, origin_of) if branch else origin_of(item.path, item.value)
    found = {below: origin} if origin else {}
    if not branch:
        return found
    for entry in items_of(item):
        found |= origins(entry, origin_of, f"{below}.{entry.label}" if below else entry.label)
    return found


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
    is_text = isinstance(value, str)
    if isinstance(plain, str) and (not is_text or (_PLAIN.fullmatch(plain) and plain.lower() not in _WORDS)):
        return plain
    return json.dumps(plain)
