"""``site.json`` of one side with the cables of the other: what pods from before a move meet after it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Row = Mapping[str, Any]
Cables = Mapping[str, Mapping[str, Row]]
"""Switch -> port -> what is plugged in, from ``site.json``."""


def recabled(own: str, other: str) -> str:
    """Both must have been read before. Cables of hosts and switches that ``own`` lacks are left out; cables
    of hosts that the other site lacks stay until the hosts are drained."""
    site, cables = json.loads(own), json.loads(other)["cables"]
    found: dict[str, dict[str, Row]] = {}
    for switch, port, row in _rows(cables):
        known = row.get("host") in site["hosts"] or row.get("switch") in site["switches"]
        if known and switch in site["switches"]:
            found.setdefault(switch, {})[port] = row
    ends = {_end(row) for _, _, row in _rows(cables)}
    for switch, port, row in _rows(site["cables"]):
        if port not in cables.get(switch, {}) and _end(row) not in ends:
            found.setdefault(switch, {})[port] = row
    site["cables"] = found
    return json.dumps(site)


def _rows(cables: Cables) -> Iterator[tuple[str, str, Row]]:
    for switch, ports in cables.items():
        yield from ((switch, port, row) for port, row in ports.items())


def _end(row: Row) -> tuple[str, str]:
    """The far end of a cable."""
    return (row["host"], row["hca"]) if "host" in row else (row["switch"], row["port"])
