"""Output of Arista EOS show commands with ``| json``, as readings; neighbours: importing.lldp_switch.

Shapes: aristanetworks/anta 68667e0e, tests/units/anta_tests: test_interfaces.py (show interfaces
description), routing/test_bgp.py (show bgp summary).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Source
from netplan.live.model import Kind, Reading, Whole
from netplan.model.document import Places

_HEAD = 4096
_KEYS = re.compile(r'"(?:interfaceDescriptions|vrfs)"\s*:\s*\{')
Found = Iterator[Reading | Whole]


def is_output(text: str) -> bool:
    return text.lstrip().startswith("{") and _KEYS.search(text[:_HEAD]) is not None


def readings(where: str, data: Any, places: Places) -> Found:
    """``data``: the object that a command printed."""
    yield from _interfaces(where, _map(data, "interfaceDescriptions"), places)
    yield from _bgp(where, _map(data, "vrfs"), places)


def _map(data: Any, key: str) -> dict[str, Any]:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _text(data: Any, key: str) -> str:
    """Text or number; empty for anything else."""
    value = data.get(key) if isinstance(data, dict) else None
    return str(value)[:80] if isinstance(value, (str, int)) else ""


def _at(places: Places, container: Any, key: str) -> Source:
    child = places.child(container, key)
    return places.sources.source(child[1] if child is not None else 0)


def _interfaces(where: str, ports: dict[str, Any], places: Places) -> Found:
    for port, body in ports.items():
        if state := _text(body, "lineProtocolStatus"):
            yield _said(where, "interfaces", port, "oper", state, _at(places, ports, port))


def _bgp(where: str, vrfs: dict[str, Any], places: Places) -> Found:
    default = _map(vrfs, "default")
    for key, field in (("routerId", "router id"), ("asn", "AS")):
        if value := _text(default, key):
            yield _said(where, "bgp", "local", field, value, _at(places, default, key))
    peers = _map(default, "peers")
    for address, body in peers.items():
        at = _at(places, peers, address)
        number = _text(body, "peerAsn") or _text(body, "asn")
        if number:
            yield _said(where, "bgp", address.lower(), "AS", number, at)
        if state := _text(body, "peerState"):
            yield _said(where, "bgp", address.lower(), "session", state.lower(), at)
    if peers:
        yield Whole(where=where, kind="bgp", at=_at(places, default, "peers"))


def _said(where: str, kind: Kind, subject: str, field: str, found: str, at: Source) -> Reading:
    return Reading(where=where, kind=kind, subject=subject, field=field, found=found, at=at)
