"""Folds rows of effects whose targets count up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from netplan.changes.model import Effect, Touched
from netplan.model.folding import folded

_NUMBER = re.compile(r"([0-9]+)")


def folded_rows(found: Iterable[Touched]) -> Iterator[Touched]:
    """Rows whose targets count up become one: leaf-[1-4], VLAN [100-103]."""
    groups: dict[tuple[str, Effect, str], list[Touched]] = {}
    for each in found:
        alike = _NUMBER.sub("0", f"{each.target} {each.change}")
        groups.setdefault((alike, each.effect, each.where), []).append(each)
    for rows in groups.values():
        width = len(_NUMBER.split(rows[0].target))  # every number is a column: several may count up
        columns = ((*_NUMBER.split(row.target), *_NUMBER.split(row.change)) for row in rows)
        for run in folded((rows[0].where, texts) for texts in columns):
            target, change = "".join(run.texts[:width]), "".join(run.texts[width:])
            yield replace(rows[0], target=target, change=change)
