"""What has to change in the buffer rows of a switch's image for the lossless priorities of the fabric.

The image writes ranges (``Ethernet0|3-4``), so a row written beside one overlaps: orchagent applies whichever
comes last, and taking the range away later takes the profile off every queue or priority group in it
(sonic-net/sonic-swss orchagent/bufferorch.cpp, processPriorityGroup and processQueue). A range whose
priorities no longer agree is therefore replaced by one row for each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile
from netplan.model.switch_buffers import NO_PATCH, BufferPatch, PatchOperation, Range, StockBuffers
from netplan.model.switching import SwitchPort

COMPUTED = "NULL"
"""Profile of a BUFFER_PG row whose headroom the switch computes (dynamic buffer model)."""


def plan_buffer_patch(
    kind: SwitchType, nos: NosProfile, pfc: tuple[int, ...], ports: Iterable[SwitchPort]
) -> BufferPatch:
    """Nothing for a NOS whose image makes no such rows."""
    lossless = tuple(port.name for port in ports if port.pfc)
    if not nos.stock_lossless or not lossless:
        return NO_PATCH
    model = nos.models.get(kind.model.name)
    stock = model.stock_buffers if model else None
    dynamic = kind.buffer_model == "dynamic"
    ranges = stock.groups if stock else tuple(_runs(nos.stock_lossless))
    groups = _group_ranges(ranges, pfc)
    operations: tuple[PatchOperation, ...] = ()
    if stock and set(pfc) != set(nos.stock_lossless):
        operations = tuple(op for port in lossless for op in _port(port, stock, pfc, groups, dynamic))
    return BufferPatch(
        required=tuple(priority for priority in pfc if priority not in nos.stock_lossless),
        surplus=tuple(priority for priority in nos.stock_lossless if priority not in pfc),
        unknown=stock is None,
        groups=tuple(_key(one) for one in groups),
        operations=operations,
    )


def _port(
    port: str, stock: StockBuffers, pfc: tuple[int, ...], groups: tuple[Range, ...], dynamic: bool
) -> Iterator[PatchOperation]:
    yield from _queues(port, stock, pfc)
    gone = [one for one in stock.groups if one not in groups]
    if not gone:
        return
    for one in gone:
        path = _path("BUFFER_PG", f"{port}|{_key(one)}")
        if not dynamic:  # buffermgrd has made this row, or has not: added first, its removal never fails
            yield _put(path, COMPUTED)
        yield _removal(path)
    if dynamic:
        new = (one for one in groups if one not in stock.groups)
        yield from (_put(_path("BUFFER_PG", f"{port}|{_key(one)}"), COMPUTED) for one in new)
    else:  # or buffermgrd makes the removed row again when the port comes up
        enabled = ",".join(map(str, pfc))
        path = _path("PORT_QOS_MAP", port, "pfc_enable")
        yield PatchOperation(op="add", path=path, text=enabled, row=())


def _queues(port: str, stock: StockBuffers, pfc: tuple[int, ...]) -> Iterator[PatchOperation]:
    rows = dict.fromkeys(stock.lossless_queues, stock.lossless)
    rows |= dict.fromkeys(stock.lossy_queues, stock.lossy)
    for one in sorted(rows):
        parts = _parts(one, pfc)
        profiles = [stock.lossless if first in pfc else stock.lossy for first, _ in parts]
        path = _path("BUFFER_QUEUE", f"{port}|{_key(one)}")
        if len(parts) > 1:
            yield _removal(path)
            for part, profile in zip(parts, profiles, strict=True):
                yield _put(_path("BUFFER_QUEUE", f"{port}|{_key(part)}"), profile)
        elif profiles[0] != rows[one]:
            yield PatchOperation(op="replace", path=f"{path}/profile", text=profiles[0], row=())
    covered = {number for first, last in rows for number in range(first, last + 1)}
    for number in (priority for priority in pfc if priority not in covered):
        yield _put(_path("BUFFER_QUEUE", f"{port}|{number}"), stock.lossless)


def _parts(one: Range, pfc: tuple[int, ...]) -> list[Range]:
    """A range cut where lossless priorities begin and end."""
    first, last = one
    numbers = range(first, last + 1)
    inside = _runs(number for number in numbers if number in pfc)
    outside = _runs(number for number in numbers if number not in pfc)
    return sorted([*inside, *outside])


def _group_ranges(stock: tuple[Range, ...], pfc: tuple[int, ...]) -> tuple[Range, ...]:
    """Rows with headroom: a stock range that is lossless throughout stays as it is."""
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


def _path(*tokens: str) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join(f"/{token.replace('~', '~0').replace('/', '~1')}" for token in tokens)


def _put(path: str, profile: str) -> PatchOperation:
    return PatchOperation(op="add", path=path, text="", row=(("profile", profile),))


def _removal(path: str) -> PatchOperation:
    return PatchOperation(op="remove", path=path, text="", row=())
