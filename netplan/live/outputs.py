"""Reads one output: JSON of a switch or of LLDP, or what a program of a host printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from netplan.diagnostics import Source
from netplan.importing.lldp import Heard, read_json
from netplan.importing.lldp_switch import has_neighbours, heard, read_switch_json
from netplan.importing.recognise import PROGRAMS
from netplan.importing.sonic.read import diagnostics
from netplan.live import eos, junos, linux, nvue, nxos
from netplan.live.commands import family_of, is_filtered, own, vrf_of, why_no_state
from netplan.live.listed import are_different, entries
from netplan.live.lists import PART, shows_part
from netplan.live.model import Reading, Unsure, Unused, Whole
from netplan.live.names import UNNAMED
from netplan.live.no_bgp import is_none, no_sessions
from netplan.live.objects import UNICAST, Found, said, text
from netplan.live.sections import Section
from netplan.live.seen import Read, leave, of_host, stranger, tell, why_not
from netplan.live.shells import ELSE, OTHER_NETWORK, Asked, host_of
from netplan.live.wrapped import answers
from netplan.model.document import Places
from netplan.reading.config_db.scan import scan

LLDP: Mapping[str, Callable[[str, str, Places], Heard]] = {
    "lldp": read_json,
    "lldp_switch": read_switch_json,
}
"""Kind of a file -> reader of its neighbours."""
Reader = Callable[[str, Any, Places], Found]
_JSON: Mapping[str, tuple[Reader, ...]] = {
    "arista-eos": (eos.readings,),
    "cisco-nxos": (nxos.readings,),
    "cumulus-nvue": (nvue.readings, linux.readings),
    "juniper-junos": (junos.readings,),
    "sonic": (linux.readings,),
}
"""NOS -> readers of what its commands print as JSON."""
_BRIDGE = re.compile(r"\bbridge\b.*\bvlan\b")
"""A command that says by its words whether it shows all."""
_CONTAINERS = re.compile(r"\b(?:kubectl|oc|docker|podman|crictl|nerdctl|ctr|lxc|machinectl)\b")
"""They have a network of their own, and may have the host's name above them."""


def output(read: Read, part: Section, text: str, kind: str, name: str, places: Places, key: str = "") -> bool:
    """Whether a reader takes JSON, or what a program of a host printed. ``key``: of a part of the file."""
    if kind in PROGRAMS:
        _program(read, part, text, kind, name, key or name)
    elif why := why_no_state(part.command) or (
        stranger(part) if part.speaker == "" and not part.whose else ""
    ):
        leave(read, part, name, why)
    elif kind in LLDP:
        found = LLDP[kind](name, text, places)
        tell(read, diagnostics(found.problems, places))
        _neighbours(read, part, name, found)
        if kind == "lldp_switch":  # ports are in the same output of some NOSes
            _take(read, part.whose, scan(name, text, places).data, places)
    else:
        return _state(read, part, text, name, places)
    return True


def _program(read: Read, part: Section, text: str, program: str, name: str, key: str) -> None:
    """Hosts are read in the end, all files of one together."""
    host = _host_of(read, part)
    if host is not None and host.why:
        leave(read, part, name, host.why)
        return
    whole = not is_filtered(part.command)
    read.programs.setdefault(program, {})[key] = (
        text if whole else text.rstrip("\n")
    )  # as one that is cut off
    read.hosts |= {key: host.whose} if host is not None else {}


def _host_of(read: Read, part: Section) -> Asked | None:
    """Whose the output of a program of a host is; None if only the file's name can say it."""
    if part.speaker is None and not part.command:
        return None
    if part.entered and not part.speaker:
        return Asked("", OTHER_NETWORK)
    asked = host_of(part.command, part.speaker or "", read.known.machines)
    other = asked.why in ELSE or _CONTAINERS.search(part.command)
    titled = part.titled and part.speaker and not other  # by a line nearer than the command
    return Asked(part.speaker or "") if titled else asked


def _state(read: Read, part: Section, text: str, name: str, places: Places) -> bool:
    """Whether it is known: JSON of a switch, but of its neighbours, unless they are wrapped."""
    scanned = scan(name, text, places)
    tell(read, diagnostics(scanned.problems, places))
    if not scanned.readable:
        return False
    all_of_it = list(answers(scanned.data))
    if other := next(filter(None, (_other(one.data, part.whose) for one in all_of_it)), ""):
        leave(read, part, name, f"an answer in it is of {other[:80]}")
        return True
    found = [
        _answer(read, replace(part, command=one.command or part.command), one.data, name, places)
        for one in all_of_it
    ]
    if not any(found) and not (known := _listed(read, part, scanned.data, name, places)):
        _unknown(read, part, scanned.data, name)
        return known or scanned.data in ([], {})
    return True


def _listed(read: Read, part: Section, data: Any, name: str, places: Places) -> bool:
    """Whether it is a list of different outputs of a switch, each known; no command prints one."""
    each = entries(data) if part.whose in read.switches and not part.command else ()
    if not each or any(_other(one, part.whose) for one in each):
        return False
    found = [_said_of(part.whose, one, read.switches[part.whose].nos, places) for one in each]
    if not are_different(found):
        return False
    taken = [_answer(read, part, one, name, places) for one in each]
    return all(taken)


def _said_of(whose: str, data: Any, nos: str, places: Places) -> Found:
    if has_neighbours(data):
        at = places.source_of(data, next(iter(data)))
        return iter([said(whose, "lldp", "", "", "", at)])
    return chain.from_iterable(reader(whose, data, places) for reader in _JSON.get(nos, ()))


def _other(data: Any, whose: str) -> str:
    """The machine of no planned name, or another one, that ``show hostname`` and ``show version`` name."""
    names = (text(data, key) for key in ("hostname", "host_name") if isinstance(data, dict))
    named = (each for each in names if each and each.lower() not in UNNAMED)
    return next((each for each in named if whose and not own(each, frozenset({whose}))), "")


def _answer(read: Read, part: Section, data: Any, name: str, places: Places) -> bool:
    """Whether anything is said of it."""
    if why := why_no_state(part.command):
        leave(read, part, name, why)
        return True
    vrf = vrf_of(part.command)
    if vrf not in ("", "default", "all"):
        read.unread.append((name, f"BGP summary of {vrf}, not of the default VRF"))
        return True
    if part.whose in read.switches and is_none(data, part.command):
        at = part.lines[0].at if part.lines else Source(name, 1, 1)
        read.take(no_sessions(part.whose, at, part.command))
        return True
    if has_neighbours(data):
        _neighbours(read, part, name, heard(name, data, places))
        return True
    return _take(read, part.whose, data, places, part.command)


def _unknown(read: Read, part: Section, data: Any, name: str) -> None:
    of_switch = part.whose in read.switches
    if data in ([], {}) and not of_switch and of_host(read, name):
        return  # of a host without what a program lists, such as RDMA devices that pods have
    why = "the JSON does not name its switch: name the file after the switch"
    if part.speaker and part.command:
        why = "of a machine of no plan, by its command"
    leave(
        read,
        part,
        name,
        why_not({part.whose}, read.switches, _JSON) if of_switch else of_host(read, name) or why,
    )


def _take(read: Read, whose: str, data: Any, places: Places, command: str = "") -> bool:
    """Whether anything is in it."""
    before, part = read.taken(), shows_part(command)
    for reader in _JSON.get(read.switches[whose].nos, ()) if whose in read.switches else ():
        asks = reader is linux.readings
        found = (
            linux.readings(whose, data, places, family_of(command)) if asks else reader(whose, data, places)
        )
        certain = vrf_of(command) or _BRIDGE.search(command)
        read.take(_of_part(found) if part else _of_command(found, command) if certain else found)
    return read.taken() > before


def _of_part(found: Found) -> Found:
    """No list has all there is."""
    for one in found:
        if isinstance(one, Unsure):
            yield replace(one, found=tuple(map(_in_doubt, one.found)))
        else:
            yield _in_doubt(one)


def _in_doubt(one: Reading | Whole | Unused) -> Reading | Whole | Unused:
    return replace(one, doubt=PART) if isinstance(one, Whole) else one


def _of_command(found: Found, command: str) -> Found:
    """The command says which address family a list is of: sessions of the other IP version may carry its
    routes, but need not."""
    version = UNICAST.get(family_of(command).lower(), 0)
    for one in found:
        for each in map(_certain, one.found if isinstance(one, Unsure) else (one,)):
            other = isinstance(each, Whole) and each.kind == "bgp" and version not in (0, each.version)
            yield from () if other else (each,)


def _certain(one: Reading | Whole | Unused) -> Reading | Whole | Unused:
    return replace(one, weak=False, doubt="") if isinstance(one, Whole) else one


def _neighbours(read: Read, part: Section, name: str, said_by: Heard) -> None:
    switch, host, why = _speaker(read, part, said_by)
    if not (switch or host):
        why = why or "LLDP neighbours, but of no switch and no host of the inventory: name the file after it"
        leave(read, part, name, why)
        return
    whose, ends = switch or host, read.far_ends.of if switch else read.far_ends.of_host
    read.heard |= set() if switch else {whose}
    read.lists_of_neighbours += 1
    before = len(read.readings)
    for one in said_by.neighbours:
        for known_as, found in ends(whose, one.port, one.system, read.far_ends.names(one)):
            read.readings.append(said(whose, "lldp", one.port, known_as, found, one.at))
    if len(read.readings) == before and any(one.system for one in said_by.neighbours):
        leave(read, part, name, "no LLDP neighbour in it can be compared: none has a name of the plan's")


def _speaker(read: Read, part: Section, heard: Heard) -> tuple[str, str, str]:
    """The switch, the host, or why it is neither."""
    asked, switches = _host_of(read, part), read.switches
    switch = part.whose if part.whose in switches else ""
    if asked is None:
        by_file = next((each for each in heard.speaker if each in switches), switch)
        return by_file, read.far_ends.host(heard.speaker), ""
    return switch, read.far_ends.host((asked.whose,)), asked.why
