"""A configuration of NVUE as the list of ``header`` and ``set`` in block style, whatever its form is.

``nv config show`` prints that list, and with ``-o json`` the same as JSON. ``GET /nvue_v1/?rev=applied``
gives one object, with ``header`` among the keys of the tree (CumulusNetworks/docs 7c6e375b,
Running-the-Playbooks.md; cumulus-linux-515, NVUE-API.md, View a Configuration). Tools fold the list into one
object with ``header`` and ``set`` (annetutil/annet, annet/vendors/library/pc.py, nvos_yaml_to_dict).
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from netplan import json_text
from netplan.records import dataclass

PARTS = frozenset({"header", "set", "unset"})
"""Keys of the list's items."""
_KEY = re.compile(r"""['"]?([A-Za-z][\w-]*)['"]?:(?: |$)""")
_SKIPPED = re.compile(r"\s|#|---(?:\s|$)|\.\.\.\s*$")
_PLAIN = re.compile(r"(?!(?:true|false|null)$)[A-Za-z_/](?:[\w./:,-]*[\w./,-])?(?: [\w./-]+)*", re.ASCII)
_ANY_KEY = re.compile(r'"(?:[^"\\]|\\.)*"\s*:')
_PLAIN_KEY = re.compile(r"[\w./:,-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listed:
    """``above``: lines that were put above the text; ``exact``: whether its lines keep their order and
    number otherwise, and their header, which is no setting, stays out."""

    text: str
    above: int = 0
    exact: bool = True

    def line(self, number: int) -> int:
        """That of the text as it was given; the first one where that is not known."""
        return max(number - self.above, 1) if self.exact else 1


def top_keys(text: str) -> tuple[str, ...]:
    """Of one object, in JSON or in block style; none of anything else."""
    start = text.lstrip()[:1]
    if start == "{":
        data = _loaded(text)
        return tuple(data) if isinstance(data, dict) else ()
    if start in ("", "[", "-") and not text.lstrip().startswith("---"):
        return ()
    found: list[str] = []
    for line in text.split("\n"):
        if not line or _SKIPPED.match(line):
            continue
        key = _KEY.match(line)
        if key is None:
            return ()
        found.append(key[1])
    return tuple(found)


@lru_cache(maxsize=64)
def as_list(text: str) -> Listed:
    if text.lstrip()[:1] in ("{", "["):
        data = _loaded(text)
        items = data if isinstance(data, list) else [data]
        mappings = items and all(isinstance(item, dict) for item in items)
        return _of_json(text, items) if mappings else Listed(text)
    keys = top_keys(text)
    if not keys:
        return Listed(text)
    return _of_parts(text) if PARTS.issuperset(keys) else _of_tree(text)


def list_text(text: str) -> str:
    return as_list(text).text


def _loaded(text: str) -> Any:
    try:
        return json_text.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_parts(text: str) -> Listed:
    lines = ("" if line.startswith("---") else _of_part(line) for line in text.split("\n"))
    return Listed("\n".join(lines))


def _of_part(line: str) -> str:
    if not line or line.startswith("#"):
        return line
    return f"  {line}" if line[0].isspace() else f"- {line}"


def _of_tree(text: str) -> Listed:
    """Without its header, which is no setting."""
    lines, header = ["- set:"], False
    for line in text.split("\n"):
        key = _KEY.match(line)
        header = key[1] == "header" if key is not None else header and (not line or line[0].isspace())
        lines.append("" if header or not line or line.startswith(("---", "...")) else f"    {line}")
    return Listed("\n".join(lines), above=1)


def _of_json(text: str, items: list[dict[str, Any]]) -> Listed:
    """Each key in its line, if no line has two; a line between is as deep as the one before."""
    walk = _Walk(text)
    lines = [*walk.items(items)]
    numbers = [number for number, _ in lines]
    if not all(one < other for one, other in zip([0, *numbers], numbers, strict=False)):
        return Listed("\n".join((*walk.header, *(said for _, said in lines), "")), exact=False)
    said, placed, indent = dict(lines), list[str](), ""
    for number in range(1, text.count("\n") + 2):
        placed.append(said.get(number, indent))
        indent = " " * (len(placed[-1]) - len(placed[-1].lstrip())) if number in said else indent
    return Listed("\n".join(placed))


class _Walk:
    """The keys of parsed JSON in the order of its text, each with its line."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self.header = text, 0, list[str]()
        self._ends = [at for at, letter in enumerate(text) if letter == "\n"]

    def items(self, items: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
        for item in items:
            if item and PARTS.issuperset(item):
                for part, value in item.items():
                    yield from self._entry(part, value, "- ")
                continue
            yield self._line(_ANY_KEY) - 1, "- set:"
            for key, value in item.items():
                if key == "header":  # no setting
                    self.header += [said for _, said in self._entry(key, value, "- ")]
                else:
                    yield from self._entry(key, value, "    ")

    def _entry(self, key: str, value: Any, begin: str) -> Iterator[tuple[int, str]]:
        number = self._line(re.compile(rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:"), go=True)
        name = key if _PLAIN_KEY.fullmatch(key) else _quoted(key)
        if not isinstance(value, dict) or not value:
            yield number, f"{begin}{name}: {_value(value)}"
            return
        yield number, f"{begin}{name}:"
        for each, below in value.items():
            yield from self._entry(each, below, "    " if begin == "- " else f"{begin}  ")

    def _line(self, key: re.Pattern[str], go: bool = False) -> int:
        """That of the next such key, 0 if there is none. ``go``: whether the next one is behind it."""
        found = key.search(self._text, self._at)
        if found is None:
            return 0
        self._at = found.end() if go else self._at
        return bisect(self._ends, found.start()) + 1


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else _quoted(value)
    return json.dumps(value)


def _quoted(value: str) -> str:
    if "\n" in value or not value.isprintable():
        return json.dumps(value)
    return "'{}'".format(value.replace("'", "''"))
