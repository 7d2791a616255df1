"""A JSON patch (RFC 6902) for a switch: the rows it results in, and operations that the switch would
refuse.

The only prior state known is the rows that the switch's image writes for each port (``StockBuffers``);
nothing is assumed about other rows. The switch tries the patch on the whole configuration before it
applies any of it (sonic-net/sonic-utilities 104a016c generic_config_updater/generic_updater.py,
PatchApplier.apply): one impossible operation refuses all of them, and only the final result counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from netplan.model.switch_buffers import Range, StockBuffers
from netplan.reading.switches.columns import spans
from netplan.records import dataclass

PATCHED = "patched "
"""Prefix of a table of a patch: those rows it adds itself that are left at the end."""
QUEUES, GROUPS = "BUFFER_QUEUE", "BUFFER_PG"
COMPUTED = "NULL"
"""Profile of a priority group whose headroom the switch computes itself."""
Tables = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Patched:
    """``tables``: TABLE -> key -> fields; ``refused``: why the switch rejects the whole patch."""

    tables: Mapping[str, Any]
    refused: tuple[str, ...] = ()


def is_patch(data: object) -> bool:
    return isinstance(data, list) and bool(data) and all(isinstance(e, dict) and "op" in e for e in data)


def pointer(path: object) -> list[str]:
    """The parts of an RFC 6901 pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in str(path).split("/")[1:]]


def said(operation: Mapping[str, Any]) -> str:
    """``remove BUFFER_PG.Ethernet0|3``"""
    return f"{operation['op']} {'.'.join(pointer(operation.get('path')))}"


def patched(operations: Sequence[Mapping[str, Any]], stock: StockBuffers | None) -> Patched:
    """``stock``: of the switch's image, None if not known."""
    shipped = _shipped(operations, stock) if stock is not None else {}
    root = deepcopy(shipped)
    refused: list[str] = []
    for operation in operations:
        parts = pointer(operation.get("path")) or [""]
        known = stock is not None and parts[0] in (QUEUES, GROUPS)
        if not _done(root, operation, parts) and known:
            refused.append(f"{said(operation)}: the image has no such row")
    if stock is not None:
        refused += _odd(root, shipped, stock)
    left = {table: _added(rows, shipped.get(table, {})) for table, rows in root.items()}
    return Patched({f"{PATCHED}{table}": rows for table, rows in left.items()}, tuple(refused))


def _done(root: Tables, operation: Mapping[str, Any], parts: list[str]) -> bool:
    """Applies one operation; false if its target does not exist."""
    *above, last = parts
    at = root
    for part in above:
        below = at.setdefault(part, {})
        at = below if isinstance(below, dict) else {}
    there = last in at
    if operation["op"] in ("add", "replace"):
        at[last] = operation.get("value")
        return there or operation["op"] == "add"
    at.pop(last, None)
    return there


def _shipped(operations: Sequence[Mapping[str, Any]], stock: StockBuffers) -> Tables:
    """The image's rows for the ports that the patch names."""
    keys = (pointer(each.get("path"))[1:2] for each in operations)
    ports = dict.fromkeys(key[0].partition("|")[0] for key in keys if key and "|" in key[0])
    queues = [(one, stock.lossless) for one in stock.lossless_queues]
    queues += [(one, stock.lossy) for one in stock.lossy_queues]
    groups = [(one, COMPUTED) for one in stock.groups]
    return {
        table: {f"{port}|{_key(one)}": {"profile": name} for port in ports for one, name in rows}
        for table, rows in ((QUEUES, queues), (GROUPS, groups))
    }


def _key(one: Range) -> str:
    return str(one[0]) if one[0] == one[1] else f"{one[0]}-{one[1]}"


def _added(rows: Any, shipped: Mapping[str, Any]) -> Any:
    if not isinstance(rows, dict):
        return rows
    return {key: row for key, row in rows.items() if shipped.get(key) != row}


def _members(numbers: str) -> tuple[int, ...]:
    """None of a list longer than any switch's."""
    try:
        return spans(numbers)
    except ValueError:
        return ()


def _odd(root: Tables, shipped: Tables, stock: StockBuffers) -> Iterator[str]:
    """Resulting rows that overlap, or whose profile the image does not have."""
    names = {stock.lossless, stock.lossy, COMPUTED}
    for table in (QUEUES, GROUPS):
        seen: dict[tuple[str, int], str] = {}
        rows = root.get(table)
        for key, row in rows.items() if isinstance(rows, dict) else ():
            profile = row.get("profile") if isinstance(row, dict) else None
            if row != shipped[table].get(key) and profile not in names:
                what = f"profile {profile}, which the image does not have" if profile else "no profile"
                yield f"it leaves {table}.{key} with {what}"
            port, _, numbers = key.partition("|")
            for number in _members(numbers):
                other = seen.setdefault((port, number), key)
                if other != key:
                    yield f"it leaves {table}.{key} beside {other}: {number} is in both"
