"""``cabling.csv`` of every switch against ``site.json``: both must name the same cables."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping

from netplan.model.cabling import COLUMNS
from netplan.model.site import PATH, SiteCable
from netplan.trace.cables import Place
from netplan.trace.model import TraceError

_NAME = "cabling.csv"


def disputed(texts: Mapping[str, str], cables: Iterable[SiteCable]) -> Mapping[Place, str]:
    """Ports whose ``cabling.csv`` row differs from ``site.json``, and how. Raises TraceError."""
    stated = {(cable.switch, cable.port): _said(cable) for cable in cables}
    switches = sorted({switch for switch, _ in stated})
    found: dict[Place, str] = {}
    for switch in switches:
        path = f"switches/{switch}/{_NAME}"
        if path in texts:
            listed = dict(_rows(path, texts[path]))
            found |= dict(_differences(path, switch, listed, stated))
    return found


def _said(cable: SiteCable) -> str:
    return f"{cable.peer} {cable.peer_port}, {cable.speed_gbps} Gb/s, {cable.cable_m} m"


def _differences(
    path: str, switch: str, listed: Mapping[str, tuple[int, str]], stated: Mapping[Place, str]
) -> Iterator[tuple[Place, str]]:
    for port, (line, peer) in listed.items():
        known = stated.get((switch, port))
        if known != peer:
            beside = f"has {known} there" if known else "has no cable there"
            yield (switch, port), f"{path}:{line} has {peer} at {switch} {port}, {PATH} {beside}"
    for place, peer in stated.items():
        if place[0] == switch and place[1] not in listed:
            yield place, f"{path} has no cable at {switch} {place[1]}, {PATH} has {peer} there"


def peers(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The peers all tables name, with file and line. Raises TraceError."""
    for path, text in sorted(texts.items()):
        if path.startswith("switches/") and path.endswith(f"/{_NAME}"):
            for _, (line, said) in _rows(path, text):
                yield said.partition(" ")[0], f"{path}:{line}"


def _row(row: Mapping[str, str]) -> str:
    return f"{row['peer']} {row['peer_port']}, {row['speed_gbps']} Gb/s, {row['cable_m']} m"


def _rows(path: str, text: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """Port -> (line, what is plugged in)."""
    reader = csv.DictReader(text.splitlines())
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise TraceError(f"{path}: its first line is not {','.join(COLUMNS)}")
    try:
        for row in reader:
            if None in row or None in row.values():
                raise ValueError(row)
            yield row["port"], (reader.line_num, _row(row))
    except (csv.Error, ValueError) as error:
        raise TraceError(f"{path}:{reader.line_num}: not a row of a cabling table") from error
