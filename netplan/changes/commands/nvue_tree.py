"""The settings of NVUE: the tree of its YAML files, or the paths of its commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from netplan.model.document import Places, SourceMap
from netplan.yaml12 import parse

Tree = dict[str, Any]
Path = tuple[str, ...]
SET = "nv set "


def commands_of(text: str) -> list[tuple[Path, str | None, int]]:
    """The settings of a file of commands: path, value and line. Whether the last word is a value no command
    says: it is one where no other command differs in it alone."""
    found: dict[Path, list[tuple[str, int]]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(SET):
            *path, last = line.removeprefix(SET).split() or [""]
            if path:
                found.setdefault(tuple(path), []).append((last, number))
    return [
        (path, last, number) if len(values) == 1 else ((*path, last), None, number)
        for path, values in found.items()
        for last, number in values
    ]


def tree_of(text: str) -> Tree:
    """What the ``set`` of a file contains, keys as text. The caller may change it."""
    found: Tree = _keyed(_read(_HEADER.sub("", text, count=1)))
    return found


_HEADER = re.compile(r"\A(#.*\n)+")


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    """Cached: a file is compared with several others, and equal on switches of a kind except for its
    header."""
    parsed = parse("nvue.yaml", text, Places(SourceMap()))
    items: Any = [] if parsed.problems else parsed.data
    found: Tree = {}
    for item in items if isinstance(items, list) else []:
        inner = _keyed(item.get("set")) if isinstance(item, dict) else None
        found = laid(found, inner) if isinstance(inner, dict) else found
    return found


def _keyed(value: Any) -> Any:
    return {str(key): _keyed(item) for key, item in value.items()} if isinstance(value, dict) else value


def laid(under: Tree, over: Tree) -> Tree:
    """Merges as ``nv config patch`` does."""
    found = dict(under)
    for key, value in over.items():
        below = found.get(key)
        mappings = isinstance(below, dict) and isinstance(value, dict)
        found[key] = laid(below or {}, value) if mappings else value
    return found


def leaves(tree: Tree, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Settings with their values; None for a list entry."""
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*at, key))
        else:
            yield (*at, key), None if isinstance(value, dict) else value


def has(tree: Any, path: Path) -> bool:
    for key in path:
        if not isinstance(tree, dict) or key not in tree:
            return False
        tree = tree[key]
    return True


def drop(tree: Tree, path: Path) -> None:
    """Removes a setting and the mappings above it that become empty."""
    if len(path) > 1:
        drop(tree[path[0]], path[1:])
        if not tree[path[0]]:
            del tree[path[0]]
    else:
        del tree[path[0]]
