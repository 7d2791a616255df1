"""Changes to the buffer rows of a switch's image for the fabric's lossless priorities.

The image writes ranges (``Ethernet0|3-4``), so a separate row for one of them would overlap: orchagent
applies whichever comes last, and removing the range later removes the profile from every queue or priority
group in it (sonic-net/sonic-swss e6b0c5b orchagent/bufferorch.cpp, processPriorityGroup, processQueue). A
range whose priorities no longer agree is therefore replaced by one row for each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile
from netplan.model.switch_buffers import NO_PATCH, BufferPatch, PatchOperation, Range, StockBuffers
from netplan.model.switch_ports import SwitchPort

COMPUTED = "NULL"
"""Profile of a BUFFER_PG row whose headroom the switch computes (dynamic buffer model)."""


def plan_buffer_patch(
    kind: SwitchType, nos: NosProfile, pfc: tuple[int, ...], ports: Iterable[SwitchPort]
) -> BufferPatch:
    """The patch for one switch; ``NO_PATCH`` if the NOS's image creates no such rows."""
    if not nos.stock_lossless or not any(port.pfc for port in ports):
        return NO_PATCH
    model = nos.models.get(kind.model.name)
    stock = model.stock_buffers if model else None
    return _patch(stock, nos.stock_lossless, pfc, kind.buffer_model == "dynamic")


@cache
def _patch(
    stock: StockBuffers | None, usual: tuple[int, ...], pfc: tuple[int, ...], dynamic: bool
) -> BufferPatch:
    """The patch common to all switches of a kind. ``usual``: priorities that images make lossless."""
    groups = _group_ranges(stock.groups if stock else tuple(_runs(usual)), pfc)
    return BufferPatch(
        required=tuple(priority for priority in pfc if priority not in usual),
        surplus=tuple(priority for priority in usual if priority not in pfc),
        unknown=stock is None,
        groups=tuple(_key(one) for one in groups),
        operations=tuple(_operations(stock, pfc, groups, dynamic)) if stock else (),
    )


def _operations(
    stock: StockBuffers, pfc: tuple[int, ...], groups: tuple[Range, ...], dynamic: bool
) -> Iterator[PatchOperation]:
    yield from _queues(stock, pfc)
    gone = [one for one in stock.groups if one not in groups]
    if not gone:
        return
    for one in gone:
        if not dynamic:  # buffermgrd may not have made this row: add it, so that removal never fails
            yield _put("BUFFER_PG", one, COMPUTED)
        yield _removal("BUFFER_PG", one)
    if dynamic:
        yield from (_put("BUFFER_PG", one, COMPUTED) for one in groups if one not in stock.groups)
    else:  # without it buffermgrd recreates the removed row when the port comes up
        enabled = ",".join(map(str, pfc))
        yield PatchOperation(op="add", table="PORT_QOS_MAP", rest="/pfc_enable", text=enabled, row=())


def _queues(stock: StockBuffers, pfc: tuple[int, ...]) -> Iterator[PatchOperation]:
    table = "BUFFER_QUEUE"
    rows = dict.fromkeys(stock.lossless_queues, stock.lossless)
    rows |= dict.fromkeys(stock.lossy_queues, stock.lossy)
    for one in sorted(rows):
        parts = _parts(one, pfc)
        profiles = [stock.lossless if first in pfc else stock.lossy for first, _ in parts]
        if len(parts) > 1:
            yield _removal(table, one)
            yield from (_put(table, part, profile) for part, profile in zip(parts, profiles, strict=True))
        elif profiles[0] != rows[one]:
            rest = f"|{_key(one)}/profile"
            yield PatchOperation(op="replace", table=table, rest=rest, text=profiles[0], row=())
    covered = {number for first, last in rows for number in range(first, last + 1)}
    for number in (priority for priority in pfc if priority not in covered):
        yield _put(table, (number, number), stock.lossless)


def _parts(one: Range, pfc: tuple[int, ...]) -> list[Range]:
    """The range, split where lossless priorities begin and end."""
    first, last = one
    numbers = range(first, last + 1)
    inside = _runs(number for number in numbers if number in pfc)
    outside = _runs(number for number in numbers if number not in pfc)
    return sorted([*inside, *outside])


def _group_ranges(stock: tuple[Range, ...], pfc: tuple[int, ...]) -> tuple[Range, ...]:
    """Rows with headroom. A stock range that is lossless throughout is kept; each other priority has its own
    row."""
    kept = [one for one in stock if set(range(one[0], one[1] + 1)) <= set(pfc)]
    covered = {number for first, last in kept for number in range(first, last + 1)}
    alone = [(number, number) for number in pfc if number not in covered]
    return tuple(sorted([*kept, *alone]))


def _runs(numbers: Iterable[int]) -> list[Range]:
    found: list[Range] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _key(one: Range) -> str:
    first, last = one
    return str(first) if first == last else f"{first}-{last}"


def _put(table: str, one: Range, profile: str) -> PatchOperation:
    row = (("profile", profile),)
    return PatchOperation(op="add", table=table, rest=f"|{_key(one)}", text="", row=row)


def _removal(table: str, one: Range) -> PatchOperation:
    return PatchOperation(op="remove", table=table, rest=f"|{_key(one)}", text="", row=())
