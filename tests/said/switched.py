"""Files of ``leaf-1`` of a small site on a NOS with one line changed: what is then read from the switch.

A row names the NOS and the file; it lists every changed fact, with ``-`` for a missing one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from tests.edits.judges import site_of
from tests.edits.site import rendered
from tests.said import Row

FOLDER = "switches/leaf-1/"


def said(row: Row) -> tuple[str, ...]:
    nos, file = row.about.split(" ")
    texts = rendered(nos)
    usual, found = _usual(nos), _read(nos, {**texts, FOLDER + file: row.edited(texts[FOLDER + file])})
    other = (f"{name} {value}".rstrip() for name, value in found.items() if usual.get(name) != value)
    return (*other, *(f"{name} -" for name in usual if name not in found))


@cache
def _usual(nos: str) -> Mapping[str, str]:
    return _read(nos, rendered(nos))


@cache
def _site(nos: str) -> Any:
    return site_of(rendered(nos))


def _read(nos: str, texts: Mapping[str, str]) -> dict[str, str]:
    site = _site(nos)
    own = {path.removeprefix(FOLDER): text for path, text in texts.items() if path.startswith(FOLDER)}
    return dict(_facts("", site.read_switch(site.facts.switches["leaf-1"], own)))


_NOT_READ = ("line", "where", "stands", "implied", "steps", "states", "lengths", "pools")
"""Attributes of a switch that come from its NOS folder."""


def _facts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            if each.name not in _NOT_READ:
                yield from _facts(f"{path}.{each.name}".lstrip("."), getattr(value, each.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _facts(f"{path}[{key}]", item)
    elif isinstance(value, frozenset):
        yield path, " ".join(sorted(map(str, value)))
    elif isinstance(value, tuple) and value and is_dataclass(value[0]):
        for number, item in enumerate(value):
            yield path, f"{number} {item}"
    else:
        yield path, " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
