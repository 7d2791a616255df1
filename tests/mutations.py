"""Every single mistake an inventory can have: one key, value, name, range or list changed at a time."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tests.leaves import Path, schema_at

Edit = Callable[[Any, Any], None]
"""Changes one entry of a mapping or a list: (container, key or index)."""

_RANGE = re.compile(r"(\d+)-(\d+)")
_SECOND = "\x7fsecond"
_STRANGERS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    7,
    1.0,
    1.5,
    10**17,
    10**30,
    "",
    "text",
    "7",
    [],
    {},
    [None],
    {"a": 1},
)


@dataclass(frozen=True)
class Mutation:
    """``id``: what is changed and how; ``edit`` is applied to the container at ``path``."""

    id: str
    path: Path
    edit: Edit


def mutated(data: Any, mutation: Mutation) -> str:
    """The inventory's text with one mutation, as JSON, which is YAML too, one value per line."""
    out = copy.deepcopy(data)
    here = out
    for part in mutation.path[:-1]:
        here = here[part]
    mutation.edit(here, mutation.path[-1])
    return json.dumps(out, indent=1).replace(json.dumps(_SECOND)[1:], '"')


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """(path, value) of every entry of every mapping and list."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in entries:
        yield (*path, key), item
        yield from nodes(item, (*path, key))


def _set(value: Any) -> Edit:
    def edit(container: Any, key: Any) -> None:
        container[key] = value

    return edit


def _rename(new: str) -> Edit:
    def edit(container: Any, key: Any) -> None:
        entries = {new if name == key else name: value for name, value in container.items()}
        container.clear()
        container.update(entries)

    return edit


def _swap(other: Any) -> Edit:
    def edit(container: Any, key: Any) -> None:
        container[key], container[other] = container[other], container[key]

    return edit


def _remove(container: Any, key: Any) -> None:
    del container[key]


def _made(path: Path, what: str, edit: Edit) -> Mutation:
    return Mutation(f"{'.'.join(map(str, path))} {what}", path, edit)


def removed(data: Any) -> Iterator[Mutation]:
    for path, _ in nodes(data):
        yield _made(path, "removed", _remove)


def duplicated(data: Any) -> Iterator[Mutation]:
    """A duplicate key with another value; a duplicate list item."""

    def again(container: Any, index: Any) -> None:
        container.insert(index, container[index])

    for path, _ in nodes(data):
        if isinstance(path[-1], int):
            yield _made(path, "twice", again)
        else:
            yield _made((*path[:-1], path[-1] + _SECOND), "twice", _set("other"))


def retyped(data: Any) -> Iterator[Mutation]:
    for path, value in nodes(data):
        wrapped = [[value], {"a": value}, str(value), float(value) if isinstance(value, int) else value]
        for other in (*_STRANGERS, *wrapped):
            if type(other) is not type(value) or other != value:
                yield _made(path, f"= {other!r}", _set(other))


def swapped(data: Any) -> Iterator[Mutation]:
    """Two scalars of a mapping or list swapped."""
    siblings: dict[Path, list[tuple[Any, Any]]] = {}
    for path, value in nodes(data):
        if not isinstance(value, dict | list):
            siblings.setdefault(path[:-1], []).append((path[-1], value))
    for parent, entries in siblings.items():
        for (one, left), (other, right) in combinations(entries, 2):
            if left != right:
                yield _made((*parent, one), f"swapped with {other}", _swap(other))


def bounded(data: Any) -> Iterator[Mutation]:
    """Numbers at the schema's bounds and just beyond."""
    for path, value in nodes(data):
        if type(value) is int:
            schema = schema_at(path)
            low, high = schema.get("minimum", 0), schema.get("maximum", 2**32)
            for other in (low - 1, low, low + 1, high - 1, high, high + 1):
                if other != value:
                    yield _made(path, f"= {other}", _set(other))


def chosen(data: Any) -> Iterator[Mutation]:
    """Every other word of an enumeration."""
    for path, value in nodes(data):
        if not isinstance(value, dict | list):
            for word in schema_at(path).get("enum", ()):
                if word != value:
                    yield _made(path, f"= {word}", _set(word))


def renamed(data: Any) -> Iterator[Mutation]:
    """A definition or a reference renamed, so that the other side dangles."""
    for path, value in nodes(data):
        if isinstance(value, str):
            yield _made(path, "renamed", _set(value + "x"))
        if isinstance(path[-1], str):
            yield _made(path, "key renamed", _rename(path[-1] + "x"))


def stretched(data: Any) -> Iterator[Mutation]:
    """Ranges one longer, one shorter, shifted by one, single, backwards and with step 0."""
    for path, value in nodes(data):
        if isinstance(value, str):
            for text in _ranges_of(value):
                yield _made(path, f"= {text}", _set(text))
        if isinstance(path[-1], str):
            for text in _ranges_of(path[-1]):
                yield _made(path, f"key = {text}", _rename(text))


def _ranges_of(text: str) -> Iterator[str]:
    for match in _RANGE.finditer(text):
        first, last, width = int(match[1]), int(match[2]), len(match[1])
        for low, high in (
            (first, last + 1), (first, last - 1), (first + 1, last), (first + 1, last + 1),
            (first, first), (last, first - 1), (first, last * 10**6),
        ):  # fmt: skip
            yield f"{text[: match.start()]}{low:0{width}}-{high:0{width}}{text[match.end() :]}"


def reversed_lists(data: Any) -> Iterator[Mutation]:
    for path, value in nodes(data):
        if isinstance(value, list) and len(value) > 1:
            yield _made(path, "backwards", _set(value[::-1]))
            yield _made(path, "first only", _set(value[:1]))


KINDS: Mapping[str, Callable[[Any], Iterator[Mutation]]] = {
    "removed": removed,
    "duplicated": duplicated,
    "retyped": retyped,
    "swapped": swapped,
    "bounded": bounded,
    "chosen": chosen,
    "renamed": renamed,
    "stretched": stretched,
    "reversed": reversed_lists,
}
