"""Where the fabric deviates from the inventory because the input there is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path
from netplan.model.ranges import RangeError, expand, is_range
from netplan.resolve.context import Context

_DEPTH = {"host_types": 4, "rails": 2, "cluster": 2, "underlay": 2}
"""Path length of the unit that a problem invalidates: one HCA of a host type; elsewhere the entity."""
_ENTITY = 2


def left_out(context: Context) -> frozenset[Path]:
    """Places with a problem or with a dropped reference to one; a range also yields each member."""
    paths = {*context.refused, *context.partial, *(d.path for d in context.problems.found)}
    whole = {path[: _DEPTH.get(str(path[0]), _ENTITY)] for path in paths if path}
    return frozenset(place for path in whole for place in _members(path))


def _members(path: Path) -> Iterator[Path]:
    """The place itself and, if it is a range, the place of each expanded name."""
    yield path
    last = str(path[-1])
    if is_range(last):
        try:
            yield from ((*path[:-1], name) for name in expand(last))
        except RangeError:
            return
