"""``cabling.csv`` of every switch: what is plugged in where, and what is known of the host there."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from netplan.model.cabling import COLUMNS
from netplan.model.values import natural
from netplan.trace.model import HostHca, TraceError, TraceHost

_NAME = "cabling.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """One end of a cable at a switch. ``peer_kind``: host or switch; ``peer_port``: of a host its HCA."""

    switch: str
    nos: str
    port: str
    peer_kind: str
    peer: str
    peer_port: str
    rail: int | None
    speed_gbps: int
    cable_m: int
    host_type: str
    pci: str | None
    netdev: str | None
    labels: Mapping[str, str]


def read_cables(texts: Mapping[str, str]) -> tuple[Cable, ...]:
    """Of all ``switches/*/cabling.csv``. Raises TraceError."""
    paths = sorted((p for p in texts if p.startswith("switches/") and p.endswith(f"/{_NAME}")), key=natural)
    return tuple(cable for path in paths for cable in _rows(path, texts[path]))


def _rows(path: str, text: str) -> Iterator[Cable]:
    reader = csv.DictReader(text.splitlines())
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise TraceError(f"{path}: its first line is not {','.join(COLUMNS)}")
    try:
        for row in reader:
            yield _cable(row)
    except (csv.Error, ValueError, TypeError, AttributeError) as error:
        raise TraceError(f"{path}:{reader.line_num}: not a row of a cabling table") from error


def _cable(row: Mapping[str, str]) -> Cable:
    return Cable(
        switch=row["switch"],
        nos=row["nos"],
        port=row["port"],
        peer_kind=row["peer_kind"],
        peer=row["peer"],
        peer_port=row["peer_port"],
        rail=int(row["rail"]) if row["rail"] else None,
        speed_gbps=int(row["speed_gbps"]),
        cable_m=int(row["cable_m"]),
        host_type=row["host_type"],
        pci=row["pci"] or None,
        netdev=row["netdev"] or None,
        labels=dict(pair.split("=", 1) for pair in row["labels"].split(";") if pair),
    )


def cabled_hosts(cables: Iterable[Cable]) -> dict[str, TraceHost]:
    """Hosts of the host rows, in natural order of their names, with the HCAs that have a cable."""
    rows: dict[str, list[Cable]] = {}
    for cable in cables:
        if cable.peer_kind == "host":
            rows.setdefault(cable.peer, []).append(cable)
    return {
        name: TraceHost(
            name=name,
            type=rows[name][0].host_type,
            number=number,
            labels=rows[name][0].labels,
            hcas=tuple(sorted((_hca(cable) for cable in rows[name]), key=lambda h: natural(h.name))),
        )
        for number, name in enumerate(sorted(rows, key=natural))
    }


def _hca(cable: Cable) -> HostHca:
    return HostHca(
        name=cable.peer_port,
        rail=cable.rail,
        pci=cable.pci,
        netdev=cable.netdev,
        switch=cable.switch,
        port=cable.port,
    )
