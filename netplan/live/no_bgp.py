"""Answers of a switch on which BGP does not run, or has no neighbour: no session is there.

Shapes: FRRouting/frr fbfc8222 bgpd/bgp_vty.c, bgp_show_summary_vty (``{}``, ``% BGP instance not found``),
bgp_show_summary_afi_safi (``{}``, ``% No BGP neighbors found in VRF default``: none of the family asked for);
``bgpd is not running``: vtysh/vtysh.c, vtysh_execute_func; unconfirmed, from published sessions: what docker
says of the container of bgp on SONiC, and ``BGP is not running`` of Junos. EOS ``{"vrfs": {}}``:
aristanetworks/anta tests/units/anta_tests/routing/test_bgp.py, with ``BGP inactive`` among its warnings:
sonic-net/sonic-mgmt b4ba9de3 tests/common/devices/eos.py. NVUE: its schema of neighbours is an object by
address (``live.nvue``), which is empty without one. SONiC, ``No IPv4 neighbor is configured``: sonic-net/
sonic-utilities 691b1bbc tests/bgp_commands_test.py, show_error_no_v4_neighbor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from netplan.diagnostics import Source
from netplan.live.commands import family_of, vrf_of
from netplan.live.lists import shows_part
from netplan.live.model import Whole
from netplan.live.objects import UNICAST, objects
from netplan.reading.tables import Line

_ASKED = re.compile(r"\bbgp\b[^|;&]*\b(?:su[a-z]*|nei[a-z]*)\b")
_NOT_RUNNING = re.compile(
    r"\s*(?:%+ ?(?:BGP instance not found|BGP inactive)|BGP is not running|bgpd is not running"
    r"|(?:Error: )?(?:Error response from daemon: )?[Cc]ontainer \S{1,80} is not running"
    r"|(?:Error: )?(?:Error response from daemon: )?No such container: bgp)\s*"
)
_NO_NEIGHBOUR = re.compile(
    r"\s*(?:% No BGP neighbors found(?: in VRF default)?|No IPv[46] neighbor is configured)\s*"
)
_INACTIVE, _NO_INSTANCE = "BGP inactive", "Default BGP instance not found"


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
    said = [each for key in ("warnings", "errors") for each in _texts(data.get(key))]
    if _INACTIVE in said or data.get("warning") == _NO_INSTANCE:
        return not data.keys() - {"warnings", "errors", "warning", "vrfs"} and not data.get("vrfs")
    empty = not data or (data.get("vrfs") == {} and data.keys() <= {"vrfs", "warnings"})
    return (empty or _is_empty_of_junos(data)) and asks(command)


def _texts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_empty_of_junos(data: dict[str, Any]) -> bool:
    shown = data.get("bgp-information")
    return data.keys() == {"bgp-information"} and all(
        not each.keys() - {"attributes"} for each in objects(shown)
    )


def no_sessions(where: str, at: Source, command: str) -> Iterator[Whole]:
    """Of the address family that it asks for: sessions of another one may be up."""
    version = UNICAST.get(family_of(command).lower(), 0)
    yield from _no_sessions(where, at, (version,) if version else (4, 6))


def _no_sessions(where: str, at: Source, versions: Sequence[int]) -> Iterator[Whole]:
    for version in versions:
        yield Whole(where=where, kind="bgp", at=at, version=version, rows=frozenset())
