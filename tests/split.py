"""Quick and full tests: `make test` runs the quick ones, `make test-all` both.

``full`` on a test: not quick. ``sample(n)`` on a test with parameters: n of its cases are quick, chosen to
share as few parameter values as possible, independent of the order of cases; the others are full.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

Value = tuple[str, Hashable]
"""(parameter name, its value or, if that is not a plain one, its index among the values)"""


@dataclass
class Split:
    """Number of quick and of full tests collected per file, test function and marker."""

    files: Counter[tuple[str, bool]] = field(default_factory=Counter)
    functions: Counter[tuple[str, bool]] = field(default_factory=Counter)
    markers: Counter[tuple[str, bool]] = field(default_factory=Counter)

    @staticmethod
    def never_quick(counted: Counter[tuple[str, bool]]) -> list[str]:
        return sorted({name for name, _ in counted if not counted[name, True]})


SPLIT = pytest.StashKey[Split]()


def split(items: Sequence[pytest.Item], markers: Iterable[str]) -> Split:
    """Mark as full what ``sample`` leaves out, and count."""
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            families.setdefault(_function(item), []).append(item)
    for family in families.values():
        quick = sampled({item.nodeid: _values(item) for item in family}, _wanted(family[0]))
        for item in family:
            if item.nodeid not in quick:
                item.add_marker("full")
    out, names = Split(), tuple(markers)
    for item in items:
        quickly = item.get_closest_marker("full") is None
        out.files[item.nodeid.partition("::")[0], quickly] += 1
        out.functions[_function(item), quickly] += 1
        out.markers.update((name, quickly) for name in names if item.get_closest_marker(name))
    return out


def sampled(cases: dict[str, set[Value]], wanted: int) -> set[str]:
    """``wanted`` of the cases: always the one with the most unseen values, ties by the hash of the name.

    Adding or removing a case changes few others, and no order of parameters hides one of their values.
    """
    left = dict(sorted(cases.items(), key=lambda case: (zlib.crc32(case[0].encode()), case[0])))
    seen: Counter[Value] = Counter()
    quick: set[str] = set()
    while left and len(quick) < wanted:
        best = min(left, key=lambda name: sorted(seen[value] for value in left[name]))
        seen.update(left.pop(best))
        quick.add(best)
    return quick


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _wanted(item: pytest.Item) -> int:
    marker = item.get_closest_marker("sample")
    assert marker is not None
    if len(marker.args) != 1 or type(marker.args[0]) is not int or marker.args[0] < 1 or marker.kwargs:
        raise pytest.UsageError(f"{item.nodeid}: sample takes one number, how many of the cases are quick")
    return int(marker.args[0])


def _values(item: pytest.Item) -> set[Value]:
    call: Any = getattr(item, "callspec", None)
    if call is None:
        raise pytest.UsageError(f"{item.nodeid}: sample is for tests with parameters, mark this one full")
    return {
        (name, value if isinstance(value, str | int) else call.indices[name])
        for name, value in call.params.items()
    }
