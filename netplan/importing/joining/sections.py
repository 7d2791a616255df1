"""Single values of an inventory: cluster, fabric, rails, underlay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.diagnostics import Path
from netplan.importing.joining.known import Change, Known
from netplan.importing.text import TODO, Entry, Section
from netplan.model.inventory_schema import inventory_schema
from netplan.model.inventory_text import Flow
from netplan.strict import fill

COMPARED: Mapping[str, frozenset[str]] = {
    "cluster": frozenset(
        {
            "distribution",
            "kubernetes_version",
            "primary_network",
            "owners",
            "network_operator",
            "sriov_operator",
            "gpu_operator",
            "rdma_mode",
            "maintenance",
        }
    ),
    "fabric": frozenset({"type", "mtu"}),
    "underlay": frozenset({"leaf_asn", "spine_asn"}),
    "rails": frozenset({"vlan_ids", "gateway"}),
}
"""What dumps state directly. Address space is inferred, as the smallest that fits, so what follows from it is
compared with what runs."""


def section_changes(known: Known, sections: Mapping[str, Section]) -> Iterator[Change]:
    filled = fill(known.data, inventory_schema())
    for path, entry in _values(sections):
        if entry.comment.startswith(TODO) or entry.assumed or not isinstance(entry.value, str | int | Flow):
            continue
        stated, name = _under(filled, path), ".".join(map(str, path))
        if stated is None:
            yield Change("new", name, f"{_text(entry.value)} ({entry.comment})")
        elif _numbers(stated) != _numbers(entry.value):
            yield Change(
                "differs", name, f"{stated} ({_written(known, path)}) or {entry.value} ({entry.comment})"
            )


def _values(sections: Mapping[str, Section]) -> Iterator[tuple[Path, Entry]]:
    for section, entries in sections.items():
        for key, entry in entries.items():
            if key not in COMPARED[section]:
                continue
            yield from _single((section, key), entry)


def _single(path: Path, entry: object) -> Iterator[tuple[Path, Entry]]:
    if isinstance(entry, Entry):
        yield path, entry
    elif isinstance(entry, Mapping):
        for part, value in entry.items():
            yield from _single((*path, part), value)


def _text(value: str | int | Flow) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(value: object) -> str:
    """One text for the forms of a list, such as ``100-101`` and ``[100, 101]`` of VLAN IDs; of others their
    text."""
    span = re.fullmatch(r"([0-9]+)-([0-9]+)", str(value))
    if span is not None and int(span[2]) - int(span[1]) < 4096:
        return str([*range(int(span[1]), int(span[2]) + 1)])
    return str(value)


def _under(data: Any, path: Path) -> Any:
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _written(known: Known, path: Path) -> str:
    stated = _under(known.data, path) is not None
    return known.written_at(path) if stated else "by default"
