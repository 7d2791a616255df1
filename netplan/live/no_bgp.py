"""Answers of a switch on which BGP does not run, or has no neighbour: no session is there.

Shapes: FRRouting/frr fbfc8222 bgpd/bgp_vty.c, bgp_show_summary_vty (``{}``, ``% BGP instance not found``),
bgp_show_summary_afi_safi (``{}``, ``% No BGP neighbors found in VRF default``: none of the family asked for);
``bgpd is not running``: vtysh/vtysh.c, vtysh_execute_func; unconfirmed, from published sessions: what docker
says of the container of bgp on SONiC, and ``BGP is not running`` of Junos. EOS ``{"vrfs": {}}``:
aristanetworks/anta tests/units/anta_tests/routing/test_bgp.py, with ``BGP inactive`` among its warnings:
sonic-net/sonic-mgmt b4ba9de3 tests/common/devices/eos.py. NVUE: its schema of neighbours is an object by
address (``live.nvue``), which is empty without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from netplan.diagnostics import Source
from netplan.live.commands import family_of, shows_part, vrf_of
from netplan.live.model import Whole
from netplan.live.objects import UNICAST
from netplan.reading.tables import Line

_ASKED = re.compile(r"\bbgp\b[^|;&]*\b(?:su[a-z]*|nei[a-z]*)\b")
_NOT_RUNNING = re.compile(
    r"\s*(?:%+ ?(?:BGP instance not found|BGP inactive)|BGP is not running|bgpd is not running"
    r"|(?:Error: )?(?:Error response from daemon: )?Container \S{1,80} is not running"
    r"|(?:Error: )?(?:Error response from daemon: )?No such container: bgp)\s*"
)
_NO_NEIGHBOUR = re.compile(r"\s*% No BGP neighbors found(?: in VRF default)?\s*")
_INACTIVE = "BGP inactive"


def asks(command: str) -> bool:
    """Whether a command shows all sessions of the default VRF, and nothing else."""
    alone = _ASKED.search(command) is not None and not shows_part(command) and ";" not in command
    return alone and vrf_of(command) in ("default", "all")


def said_none(where: str, lines: Sequence[Line], command: str) -> Iterator[Whole]:
    """``lines``: what the command printed as text."""
    for line in lines if asks(command) else ():
        if _NOT_RUNNING.fullmatch(line.text):
            yield from _no_sessions(where, line.at, (4, 6))
        elif _NO_NEIGHBOUR.fullmatch(line.text):
            yield from no_sessions(where, line.at, command)


def is_none(data: Any, command: str) -> bool:
    """``data``: what a command printed as JSON."""
    if not isinstance(data, dict):
        return False
    warnings = data.get("warnings")
    inactive = isinstance(warnings, list) and _INACTIVE in warnings
    empty = not data or (data.get("vrfs") == {} and data.keys() <= {"vrfs", "warnings"})
    return empty and (inactive or asks(command))


def no_sessions(where: str, at: Source, command: str) -> Iterator[Whole]:
    """Of the address family that it asks for: sessions of another one may be up."""
    version = UNICAST.get(family_of(command).lower(), 0)
    yield from _no_sessions(where, at, (version,) if version else (4, 6))


def _no_sessions(where: str, at: Source, versions: Sequence[int]) -> Iterator[Whole]:
    for version in versions:
        yield Whole(where=where, kind="bgp", at=at, version=version, rows=frozenset())
