"""Turns saved outputs into readings: whose a file is, and what in it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.lldp import Heard, called, read_json
from netplan.importing.lldp_switch import read_switch_json
from netplan.importing.recognise import PROGRAMS, recognised
from netplan.importing.sonic.read import diagnostics
from netplan.live import eos, junos, linux, nvue, nxos, pods, sonic
from netplan.live.chunks import Chunk, chunks, is_json, several
from netplan.live.commands import family_of, shows_part, vrf_of, why_no_state
from netplan.live.far_ends import FarEnds
from netplan.live.hosts import part_of, read_cards
from netplan.live.model import Kind, Reading, Unused, Whole, row_of
from netplan.live.no_bgp import asks, is_none, no_sessions, says_none
from netplan.live.objects import Found, neighbour, said
from netplan.live.sections import Known, Section, by_name, is_end, named, sections
from netplan.live.shells import Asked, host_of
from netplan.model.document import Places, SourceMap, unix_text
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.reading.config_db.scan import scan
from netplan.reading.printed import as_seen, printed, without_roles
from netplan.reading.tables import PROMPT, lines_of
from netplan.records import dataclass


@dataclass(slots=True)
class Read:
    """``switches``: of the plan, by name; ``unread``: (file, why nothing, or not all, was read from it);
    ``heard``: hosts with a file of LLDP neighbours. ``programs``: what programs of hosts printed, by program
    and part of a file (``live.hosts``); ``hosts``: such a part -> the machine that a line of it names."""

    sources: SourceMap
    known: Known
    far_ends: FarEnds
    switches: Mapping[str, SwitchPlan]
    readings: list[Reading] = field(default_factory=list)
    whole: list[Whole] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    programs: dict[str, dict[str, str]] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    lists_of_neighbours: int = 0

    def take(self, found: Iterable[Reading | Whole | Unused]) -> None:
        """Of one output or more. The rows of a list are those since the one before it."""
        rows: dict[Kind, set[str]] = {}
        for one in found:
            if isinstance(one, Reading):
                subject = neighbour(one.subject) if one.kind == "bgp" else one.subject
                self.readings.append(replace(one, subject=subject))
                rows.setdefault(one.kind, set()).add(row_of(one.kind, subject, one.field))
            elif isinstance(one, Whole):
                mine = frozenset(rows.pop(one.kind, ())) if one.rows is None else one.rows
                self.whole.append(replace(one, rows=mine))
            else:
                self.unread.append((one.at.file, f"line {one.at.line}: {one.why}"))

    def taken(self) -> int:
        outputs = self.lists_of_neighbours + sum(map(len, self.programs.values()))
        return len(self.readings) + len(self.whole) + len(self.unread) + outputs


_LLDP: Mapping[str, Callable[[str, str, Places], Heard]] = {
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
_TRANSCRIPTS: Mapping[str, Callable[[Section, sonic.Peer], Found]] = {
    "sonic": sonic.readings,
    "cumulus-nvue": lambda section, _: linux.sysctls(section.whose, section.lines),
}
"""NOS -> reader of what its commands print as text."""
_PROMPTED = re.compile(rf"^(?![\"\s]){PROMPT.pattern}", re.MULTILINE)
_STRANGER = "below a prompt of no planned switch"
_UNCLEAR = "the line above it may name another machine: keep the prompt, or save it alone"


def read_outputs(texts: Mapping[str, str], plan: Plan) -> Read:
    read = Read(SourceMap(), _known(plan), FarEnds(plan), {switch.name: switch for switch in plan.switches})
    places = Places(read.sources)
    for name, given in texts.items():
        text = without_roles(as_seen(given))
        shown = printed(text)
        kind = recognised(shown.text)
        of_program = kind in PROGRAMS or kind in _LLDP or is_json(shown.text)
        if of_program and not (shown.name or several(shown.text) or _PROMPTED.search(shown.text)):
            alone = Section(whose=named(name, read.known.switches), command="", lines=())
            _output(read, alone, shown.text, kind, name, places)
        else:
            _printed(read, name, unix_text(text), plan, places)
    cards = read_cards(read.programs, read.hosts, plan, places)
    read.readings += cards.readings
    read.unread += cards.unread
    _tell(read, cards.problems)
    return read


def _known(plan: Plan) -> Known:
    switches = [switch.name for switch in plan.switches]
    hosts = (host.name for host in plan.fabric.hosts if host.named)
    workloads = [each.name for each in plan.workloads]
    return Known(switches=switches, machines=frozenset((*switches, *hosts)), workloads=workloads)


def _output(
    read: Read, part: Section, text: str, kind: str, name: str, places: Places, key: str = ""
) -> None:
    """JSON, or what a program of a host printed. ``key``: of a part of the file."""
    if kind in PROGRAMS:
        _program(read, part, text, kind, name, key or name)
    elif why := why_no_state(part.command) or (_STRANGER if part.speaker == "" and not part.whose else ""):
        _leave(read, part, name, why)
    elif kind in _LLDP:
        heard = _LLDP[kind](name, text, places)
        _tell(read, diagnostics(heard.problems, places))
        _neighbours(read, part, name, heard)
        if kind == "lldp_switch":  # ports are in the same output of some NOSes
            _take(read, part.whose, scan(name, text, places).data, places)
    else:
        _state(read, part, text, name, places)


def _program(read: Read, part: Section, text: str, program: str, name: str, key: str) -> None:
    """Hosts are read in the end, all files of one together."""
    host = _host_of(read, part)
    if host is not None and host.why:
        _leave(read, part, name, host.why)
        return
    whole = not shows_part(part.command)
    read.programs.setdefault(program, {})[key] = (
        text if whole else text.rstrip("\n")
    )  # as one that is cut off
    read.hosts |= {key: host.whose} if host is not None else {}


def _leave(read: Read, part: Section, name: str, why: str) -> None:
    if part.lines:
        read.take([Unused(part.lines[0].at, why)])
    else:
        read.unread.append((name, why))


def _host_of(read: Read, part: Section) -> Asked | None:
    """Whose the output of a program of a host is; None if only the file's name can say it."""
    if part.speaker is None and not part.command:
        return None
    return host_of(part.command, part.speaker or "", read.known.machines)


def _state(read: Read, part: Section, text: str, name: str, places: Places) -> None:
    """JSON of a switch, but of its neighbours."""
    scanned = scan(name, text, places)
    _tell(read, diagnostics(scanned.problems, places))
    vrf = vrf_of(part.command)
    if vrf not in ("", "default", "all"):
        read.unread.append((name, f"BGP summary of {vrf}, not of the default VRF"))
        return
    if part.whose in read.switches and scanned.readable and is_none(scanned.data, part.command):
        at = part.lines[0].at if part.lines else Source(name, 1, 1)
        read.take(no_sessions(part.whose, at))
        return
    if not scanned.readable or _take(read, part.whose, scanned.data, places, part.command):
        return
    why = "the JSON does not name its switch: name the file after the switch"
    of_switch = part.whose in read.switches
    read.unread.append(
        (name, _why({part.whose}, read.switches, _JSON) if of_switch else _of_host(read, name) or why)
    )


def _tell(read: Read, problems: Iterable[Diagnostic]) -> None:
    """The first fault of a file: that it is no JSON, or has a key twice."""
    told = set[str]()
    for one in problems:
        if one.source is not None and one.source.file not in told:
            told.add(one.source.file)
            twice = one.code == "NP871"
            why = "a key appears twice, the last counts" if twice else f"not JSON: {one.message}"
            read.take([Unused(one.source, why)])


def _take(read: Read, whose: str, data: Any, places: Places, command: str = "") -> bool:
    """Whether anything is in it."""
    before, part = read.taken(), shows_part(command)
    for reader in _JSON.get(read.switches[whose].nos, ()) if whose in read.switches else ():
        asks = reader is linux.readings
        found = (
            linux.readings(whose, data, places, family_of(command)) if asks else reader(whose, data, places)
        )
        read.take(one for one in found if not (part and isinstance(one, Whole)))
    return read.taken() > before


def _printed(read: Read, name: str, text: str, plan: Plan, places: Places) -> None:
    """A transcript from pods, hosts or switches."""
    lines = lines_of(text, places.sources.add(name, text), places)
    parts = list(sections(name, lines, read.known))
    workloads = {each.name: frozenset(route.interface for route in each.routed) for each in plan.workloads}
    checks, others = pods.apart(name, parts, read.known)
    for check in pods.read_checks(name, checks, workloads):
        read.readings += check.readings
        read.unread += [(name, check.why)] if check.why else []
    before = read.taken() - len(checks)
    if others:
        _session(read, name, others, bool(lines[-1].text.strip()) and not is_end(lines), places)
    if read.taken() == before:
        read.unread.append((name, _nothing(read, name, others)))


def _session(read: Read, name: str, parts: Sequence[Section], unended: bool, places: Places) -> None:
    """What commands of hosts and switches printed. ``unended``: without a line break at its end."""
    before, last = read.taken(), None
    of_switches = any(part.whose in read.switches for part in parts)
    for part in parts:
        if (
            part.ended
            and part.above
            and asks(part.command)
            and not any(each.text.strip() for each in part.lines)
        ):
            read.take([Unused(part.above.at, "nothing stands below it: no BGP, or not saved")])
        for last in chunks(part, unended and part is parts[-1]):
            if last.kind:
                _chunk(read, last, name, places)
            else:
                _text(read, last.part, of_switches)
    if read.taken() > before and unended and parts[-1].lines and last is not None and not last.kind:
        read.take([Unused(parts[-1].lines[-1].at, "a last line without its end, which is not used")])


def _is_blank(part: Section) -> bool:
    return part.ended and not any(line.text.strip() for line in part.lines)


def _chunk(read: Read, one: Chunk, name: str, places: Places) -> None:
    """JSON, or what a program of a host printed, between other outputs; lines keep their numbers."""
    if one.unclear:
        read.take([Unused(one.part.lines[0].at, _UNCLEAR)])
        return
    line = one.part.lines[0].at.line
    text = "\n" * (line - 1) + one.text
    _output(read, one.part, text, one.kind, name, places, part_of(name, line))


def _text(read: Read, part: Section, of_switches: bool) -> None:
    """``of_switches``: a planned switch is in the same file."""
    if part.lines and (why := why_no_state(part.command)):
        read.take([Unused(part.lines[0].at, why)])
        return
    reader = _TRANSCRIPTS.get(read.switches[part.whose].nos) if part.whose in read.switches else None
    none = next((line for line in part.lines if says_none(line.text)), None)
    if none is not None and part.whose in read.switches and asks(part.command):
        read.take(no_sessions(part.whose, none.at))
    elif reader is not None:
        read.take(reader(part, partial(read.far_ends.of, part.whose)))
    elif of_switches and part.command and part.lines and not part.whose:
        read.take([Unused(part.lines[0].at, _STRANGER)])


def _nothing(read: Read, name: str, parts: Sequence[Section]) -> str:
    """Why nothing is read from a file."""
    owners = {part.whose for part in parts if part.whose in read.switches}
    hosts = [part.whose for part in parts if part.whose and part.whose not in owners]
    if not owners and (of_host := _of_host(read, name, *hosts[:1])):
        return of_host
    if not owners and by_name(name, read.known.workloads)[1]:
        return "no output of check-rails.sh"
    if not owners and any(part.speaker == "" for part in parts):
        return _STRANGER
    return _why(owners, read.switches, _TRANSCRIPTS)


def _of_host(read: Read, name: str, *hosts: str) -> str:
    """Why nothing is read from a file of a host, which a line of it or its name says; empty for any other
    file."""
    host = next(iter(hosts), "") or read.far_ends.host(called(name))
    return f"no output of host {host} that check-live reads; docs/check-live.md lists them" if host else ""


def _why(owners: Collection[str], switches: Mapping[str, SwitchPlan], known: Collection[str]) -> str:
    """``owners``: switches whose the parts of a file are. ``known``: NOSes of which outputs of its form are
    read."""
    others = sorted({switches[whose].nos for whose in owners} - {*known})
    if others:
        return f"{', '.join(others)}: this output is not read; docs/check-live.md lists those that are"
    if not owners:
        return "no line names the switch: keep the prompt, or name the file after the switch"
    return "no output that check-live reads; docs/check-live.md lists them"


def _neighbours(read: Read, part: Section, name: str, heard: Heard) -> None:
    switch, host, why = _speaker(read, part, heard)
    if not (switch or host):
        why = why or "LLDP neighbours, but of no switch and no host of the inventory: name the file after it"
        _leave(read, part, name, why)
        return
    whose, ends = switch or host, read.far_ends.of if switch else read.far_ends.of_host
    read.heard |= set() if switch else {whose}
    read.lists_of_neighbours += 1
    for one in heard.neighbours:
        for known_as, found in ends(whose, one.port, one.system, one.names):
            read.readings.append(said(whose, "lldp", one.port, known_as, found, one.at))


def _speaker(read: Read, part: Section, heard: Heard) -> tuple[str, str, str]:
    """The switch, the host, or why it is neither."""
    asked, switches = _host_of(read, part), read.switches
    switch = part.whose if part.whose in switches else ""
    if asked is None:
        by_file = next((each for each in heard.speaker if each in switches), switch)
        return by_file, read.far_ends.host(heard.speaker), ""
    return switch, read.far_ends.host((asked.whose,)), asked.why
