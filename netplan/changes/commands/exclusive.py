"""Settings that cannot coexist on one port: a switched port cannot route. The new files win."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

PORT = "port"
"""The group of both expressions that must be equal."""


def beaten(old: Iterable[str], new: Iterable[str], rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Statements of ``old`` that cannot coexist with one of ``new``."""
    before, after = list(old), list(new)
    found: set[str] = set()
    for row in rows:
        one, other = re.compile(row["one"]), re.compile(row["other"])
        for mine, theirs in ((one, other), (other, one)):
            ports = _ports(theirs, after)
            for statement in set(before) - set(after):
                match = mine.fullmatch(statement)
                if match and match[PORT] in ports:
                    found.add(statement)
    return found


def _ports(pattern: re.Pattern[str], statements: Iterable[str]) -> set[str]:
    return {match[PORT] for statement in statements if (match := pattern.fullmatch(statement))}


def statements_of(files: Iterable[Mapping[str, Mapping[str, Mapping[str, Any]]]]) -> Iterator[str]:
    """``TABLE|KEY`` of each row, and ``TABLE|KEY FIELD VALUE`` of each field."""
    for tables in files:
        for table, rows in tables.items():
            for key, row in rows.items():
                yield f"{table}|{key}"
                yield from (f"{table}|{key} {name} {value}" for name, value in row.items())
