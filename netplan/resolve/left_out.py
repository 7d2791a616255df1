"""Where a fabric is not what the inventory states, because what is written there is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path
from netplan.model.ranges import RangeError, expand, is_range
from netplan.resolve.context import Context

_DEPTH = {"host_types": 4, "rails": 2, "cluster": 2, "underlay": 2}
"""Parts of the path of what is wrong as a whole: one HCA of a host type; elsewhere the entity."""
_ENTITY = 2


def left_out(context: Context) -> frozenset[Path]:
    """Places of problems, and of what goes without something that has one; with the members of a range."""
    paths = {*context.refused, *context.partial, *(d.path for d in context.problems.found)}
    whole = {path[: _DEPTH.get(str(path[0]), _ENTITY)] for path in paths if path}
    return frozenset(place for path in whole for place in _members(path))


def _members(path: Path) -> Iterator[Path]:
    """A place under a range, and the same under each of its names."""
    yield path
    last = str(path[-1])
    if is_range(last):
        try:
            yield from ((*path[:-1], name) for name in expand(last))
        except RangeError:
            return
