"""The rows of ``effects.yaml``: what a change causes, with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from netplan.changes.model import Effect
from netplan.model.document import Places, SourceMap
from netplan.yaml12 import parse

FILE = "effects.yaml"
ADDED, GONE, ANY_FIELD, LESS = "+", "-", "*", "less"
WIDER, ELSEWHERE = "wider", "elsewhere"
"""How a pool's addresses relate to the old ones: the old ones and more, or none of them."""
OLDER = "older"
ANY_NOS = "any"
_UNKNOWN = Effect("unknown", "no source says how it takes effect", "", "unconfirmed")


@dataclass(frozen=True, slots=True)
class Effects:
    """``objects``: kind -> field, or + - *. ``hosts``: (pattern of file names, effect), the first match
    counts. ``switches``: kind of change -> NOS or any."""

    objects: Mapping[str, Mapping[str, Effect]]
    hosts: tuple[tuple[str, Effect], ...]
    switches: Mapping[str, Mapping[str, Effect]]
    pods: Mapping[str, Effect]
    cables: Mapping[str, Effect]
    names: Mapping[str, Effect]
    charts: Mapping[str, Effect]

    def of_object(self, kind: str, field: str) -> Effect:
        """``field``: dotted; the longest row that is a prefix of it counts."""
        rows = self.objects.get(kind, {})
        for known in _rows_for(field):
            if known in rows:
                return rows[known]
        return _UNKNOWN if field in (ADDED, GONE) else rows.get(ANY_FIELD, _UNKNOWN)

    def stated(self, kind: str, row: str) -> Effect | None:
        """The effect of a row that only some kinds have."""
        return self.objects.get(kind, {}).get(row)

    def of_chart(self, name: str, older: bool) -> Effect:
        return self.charts.get(f"{name} {OLDER}" if older else name, self.charts[name])

    @property
    def chart_names(self) -> tuple[str, ...]:
        return tuple(name for name in self.charts if not name.endswith(OLDER))

    def of_file(self, name: str) -> Effect:
        return next((effect for files, effect in self.hosts if fnmatchcase(name, files)), _UNKNOWN)

    def of_switch(self, change: str, nos: str) -> Effect:
        rows = self.switches[change]
        return rows.get(nos, rows[ANY_NOS])


def _rows_for(field: str) -> Iterator[str]:
    """``a.b.c``: itself, ``a.b.c.*``, ``a.b``, ``a.b.*``, ..."""
    parts = field.split(".")
    for end in range(len(parts), 0, -1):
        whole = ".".join(parts[:end])
        yield from (whole, f"{whole}.*")


@cache
def effects() -> Effects:
    """The rows that ship. ``schemas/effects.schema.json`` has the form; tests validate the file against
    it."""
    text = (Path(__file__).parent / FILE).read_text(encoding="utf-8")
    data = parse(FILE, text, Places(SourceMap())).data
    sources: Mapping[str, str] = data["sources"]

    def effect(row: Mapping[str, Any]) -> Effect:
        cited = f"{sources[row['source']]}, {row['at']}" if "source" in row else ""
        return Effect(row["effect"], row["what"], cited, row.get("status", "unconfirmed"))

    def table(rows: Mapping[str, Any]) -> Mapping[str, Effect]:
        return {key: effect(row) for key, row in rows.items()}

    return Effects(
        objects={kind: table(rows) for kind, rows in data["objects"].items()},
        hosts=tuple((row["files"], effect(row)) for row in data["hosts"]),
        switches={change: table(rows) for change, rows in data["switches"].items()},
        pods=table(data["pods"]),
        cables=table(data["cables"]),
        names=table(data["names"]),
        charts=table(data["charts"]),
    )
