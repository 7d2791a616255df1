"""Rows of the image that ``buffers.patch.json`` changes: how to get from one patch to another.

``stock_buffers`` of nos.yaml has the rows an image ships with; the profiles in the patches tell which image.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from netplan.changes.commands.config_db.beside import range_of
from netplan.changes.commands.config_db.difference import DbDifference
from netplan.changes.commands.config_db.state import Patched, Place, Row, State, pointer
from netplan.model.switch_buffers import StockBuffers

_QUEUES, _GROUPS = "BUFFER_QUEUE", "BUFFER_PG"
_COMPUTED: Row = {"profile": "NULL"}
Operation = Mapping[str, Any]


def operation(op: str, place: tuple[str, ...], value: Any = None) -> Operation:
    found: dict[str, Any] = {"op": op, "path": pointer(*place)}
    return found if value is None else {**found, "value": value}


@dataclass(frozen=True, slots=True)
class Unknown:
    """A row of the image whose original content is not known."""

    place: Place


class Buffers:
    """``stock``: rows that images of the NOS ship with."""

    def __init__(self, old: State, new: State, stock: Sequence[StockBuffers]) -> None:
        self._old, self._new = old, new
        seen = {str(value) for state in (old, new) for value in _profiles(state)}
        self._stock = [one for one in stock if seen <= {one.lossless, one.lossy}]

    def operations(self, found: DbDifference) -> Iterator[Operation | Unknown]:
        """Takes out of ``found`` the rows that go back to those of the image."""
        for place in [each for each in found.gone if each not in found.crowded]:
            image = self._image(place)
            after = self._new.patched.get(place)
            if after is not None and after.now is not None:
                yield operation("add", place, after.now)
                del found.gone[place]
            elif isinstance(image, dict) and after is None and found.gone.pop(place) != image:
                yield operation("add", place, image)
        for place in dict.fromkeys((*self._old.patched, *self._new.patched)):
            if place[1] in self._old.rows.get(place[0], {}) or place[1] in self._new.rows.get(place[0], {}):
                continue
            yield from self._row(place, self._old.patched.get(place), self._new.patched.get(place))

    def _row(self, place: Place, old: Patched | None, new: Patched | None) -> Iterator[Operation | Unknown]:
        if old is None:
            yield from new.operations if new else ()
        elif new is None:
            yield from self._back(place, old)
        elif old.now != new.now:
            yield from _to(place, old.now, new.now)

    def _back(self, place: Place, old: Patched) -> Iterator[Operation | Unknown]:
        """Back to what the image has there. A row the patch created is removed."""
        if old.made:
            yield from _to(place, old.now, None)
            return
        image = self._image(place)
        if isinstance(image, Unknown):
            yield image
        elif image != old.now:
            yield from _to(place, old.now, image)

    def _image(self, place: Place) -> Row | Unknown | None:
        """None if the image has no such row, or buffermgrd creates it."""
        one = range_of(place[1].rpartition("|")[2])
        if place[0] == _GROUPS:
            dynamic = any(_dynamic(state) for state in (self._old, self._new))
            return dict(_COMPUTED) if dynamic and any(one in each.groups for each in self._stock) else None
        if place[0] != _QUEUES:
            return None
        profiles = {each.lossless for each in self._stock if one in each.lossless_queues}
        profiles |= {each.lossy for each in self._stock if one in each.lossy_queues}
        return {"profile": profiles.pop()} if len(profiles) == 1 else Unknown(place)


def _to(place: Place, before: Row | None, after: Row | None) -> Iterator[Operation]:
    if after is not None:
        yield operation("add" if before is None else "replace", place, after)
    elif before is not None:
        yield operation("remove", place)


def _profiles(state: State) -> Iterator[Any]:
    """Queue profiles that the patch names."""
    for (table, _), one in state.patched.items():
        if table == _QUEUES and one.now is not None:
            yield one.now.get("profile")


def _dynamic(state: State) -> bool:
    return bool(state.rows.get("DEVICE_METADATA", {}).get("localhost", {}).get("buffer_model") == "dynamic")
