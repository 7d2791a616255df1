"""Answers of a switch on which BGP does not run: no session is there.

Shapes: FRRouting/frr fbfc8222 bgpd/bgp_vty.c, bgp_show_summary_vty (``{}``, ``% BGP instance not found``);
EOS ``{"vrfs": {}}``: aristanetworks/anta tests/units/anta_tests/routing/test_bgp.py, with ``BGP inactive``
among its warnings: sonic-net/sonic-mgmt b4ba9de3 tests/common/devices/eos.py. NVUE: its schema of neighbours
is an object by address (``live.nvue``), which is empty without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Source
from netplan.live.commands import shows_part, vrf_of
from netplan.live.model import Whole

_ASKED = re.compile(r"\bbgp\b[^|;&]*\b(?:su[a-z]*|nei[a-z]*)\b")
_NONE = re.compile(r"\s*%+ ?(?:BGP instance not found|BGP inactive)\s*")
_INACTIVE = "BGP inactive"


def asks(command: str) -> bool:
    """Whether a command shows all sessions of the default VRF, and nothing else."""
    alone = _ASKED.search(command) is not None and not shows_part(command) and ";" not in command
    return alone and vrf_of(command) in ("default", "all")


def says_none(text: str) -> bool:
    return _NONE.fullmatch(text) is not None


def is_none(data: Any, command: str) -> bool:
    """``data``: what a command printed as JSON."""
    if not isinstance(data, dict):
        return False
    warnings = data.get("warnings")
    inactive = isinstance(warnings, list) and _INACTIVE in warnings
    empty = not data or (data.get("vrfs") == {} and data.keys() <= {"vrfs", "warnings"})
    return empty and (inactive or asks(command))


def no_sessions(where: str, at: Source) -> Iterator[Whole]:
    for version in (4, 6):
        yield Whole(where=where, kind="bgp", at=at, version=version, rows=frozenset())
