"""Inventories: cases of ``tests/checks`` with a part changed, what is said of them and what is planned.

After ``@`` stands the case (``base``, one of ``tests/checks/bases``, CODE/NAME, ``inventories/NAME``) and,
where the row is about more than findings, parts of the plan, ``checked[CODE]``, how many things a check saw,
or ``checked`` for all. A row names the key that changes, its way between slashes, and what stands there
then, null to take it out; without a key a patch of the inventory, without either the case as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, reduce
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.load import load_texts
from netplan.pipeline import compile_texts
from tests.factories import merged
from tests.overlay import CHECKS, FILE, base_data, case_data
from tests.said import Row, values

_INVENTORIES = CHECKS.parent.parent


@cache
def inventory(name: str) -> Mapping[str, Any]:
    if name.startswith("inventories/"):
        path = _INVENTORIES / f"{name}.yaml"
        return load_texts({path.name: path.read_text(encoding="utf-8")}).data or {}
    if "/" in name:
        return case_data(CHECKS / f"{name}.yaml")
    return base_data("" if name == "base" else name)


def said(row: Row) -> tuple[str, ...]:
    """Code and place of each finding, with the values and the inventory's names in it; then the facts of the
    parts."""
    name, *parts = row.about.split(" ")
    data = edited(inventory(name), row)
    result = compile_texts({FILE: json.dumps(data)}, upto="plan")
    names = frozenset(_WORD.findall(json.dumps(data))) | _OWN
    found = sorted(_line(each, names) for each in result.diagnostics)
    return (*found, *(fact for part in parts for fact in facts(result, part)))


def edited(data: Mapping[str, Any], row: Row) -> Mapping[str, Any]:
    if not row.now:
        return data
    keys = reversed(row.was.split(" / ")) if row.was else ()
    value = (load_texts({FILE: f"value: {row.now[0]}"}).data or {})["value"]
    return merged(data, reduce(lambda inner, key: {key: inner}, keys, value))


_WORD = re.compile(r"[^\s,;()'\"\[\]{}]*\w")
_OWN = frozenset({"None"})
"""What a message must not tell: a reason that is missing."""


def _line(found: Diagnostic, names: frozenset[str]) -> str:
    """Names are told in the order of the message."""

    def told(text: str) -> str:
        valued = set(values(text).split())
        return " ".join(word for word in _WORD.findall(text) if word in valued or word in names)

    place = ".".join(map(str, found.path))
    return f"{found.code} {place} {told(found.message)} | {told(found.hint)}".rstrip(" |")


def facts(result: Any, part: str) -> Iterator[str]:
    """Those of a part of the plan, or how many things a check looked at. Empty ones are left out."""
    if part == "checked":
        for n in sorted(set(result.checked.values()) - {0}):
            yield f"{n}: {' '.join(code for code, number in result.checked.items() if number == n)}"
        return
    field = re.split(r"[.\[]", part)[0]
    whole = result.checked if field == "checked" else getattr(result.plan, field, None)
    for path, value in _facts(field, whole):
        if value and re.match(re.escape(part) + r"(?![\w-])", path):
            yield f"{path} {value}"


_ENTITIES = ("netplan.model.fabric", "netplan.model.hardware")
"""Where things of the inventory are defined; the plan refers to them."""


def _facts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """What has single values only is one line."""
    if is_dataclass(value) and not isinstance(value, type):
        if type(value).__module__ in _ENTITIES and hasattr(value, "name"):
            yield path, value.name
            return
        told = (each.name for each in fields(value) if each.name != "at" and "index" not in each.metadata)
        inner = {name: getattr(value, name) for name in told}
        single = {name: item for name, item in inner.items() if not _parted(item)}
        yield path, " ".join(f"{name}={text}" for name, item in single.items() if (text := _shown(item)))
        for name in (name for name in inner if name not in single):
            yield from _facts(f"{path}.{name}", inner[name])
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _facts(f"{path}[{key}]", item)
    elif _parted(value):
        for number, item in enumerate(value):
            yield from _facts(f"{path}[{str(getattr(item, 'name', number)).replace(' ', '_')}]", item)
    else:
        yield path, _shown(value)


def _parted(value: Any) -> bool:
    inside = value[0] if isinstance(value, tuple) and value else value
    return isinstance(inside, Mapping) or (is_dataclass(inside) and type(inside).__module__ not in _ENTITIES)


def _shown(value: Any) -> str:
    """Of a sentence its values; of an entity its name; nothing of what is empty."""
    if is_dataclass(value) and type(value).__module__ in _ENTITIES:
        return getattr(value, "name", "")
    if isinstance(value, str):
        return values(value) if " " in value else value
    if isinstance(value, frozenset):
        return ",".join(sorted(map(str, value)))
    if isinstance(value, Sequence):
        return ",".join(str(getattr(item, "name", item)).partition("\n")[0] for item in value)
    return "" if value is None or value is False else str(value)
