"""Turns saved outputs into readings: whose a file is, and what in it is known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.importing.lldp import Heard, called, read_json
from netplan.importing.lldp_switch import read_switch_json
from netplan.importing.recognise import PROGRAMS, recognised
from netplan.importing.sonic.read import diagnostics
from netplan.live import eos, junos, linux, nvue, nxos, pods, sonic
from netplan.live.commands import asked, family_of, own, shows_part, vrf_of, why_no_state
from netplan.live.far_ends import FarEnds
from netplan.live.hosts import read_cards
from netplan.live.model import Kind, Reading, Unused, Whole, row_of
from netplan.live.objects import Found, neighbour, said
from netplan.live.sections import Section, is_end, named, sections
from netplan.model.document import Places, SourceMap, unix_text
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.reading.config_db.scan import scan
from netplan.reading.printed import Printed, as_seen, printed, without_roles
from netplan.reading.tables import Line, lines_of
from netplan.records import dataclass


@dataclass(slots=True)
class Read:
    """``switches``: of the plan, by name; ``unread``: (file, why nothing, or not all, was read from it);
    ``heard``: hosts with a file of LLDP neighbours."""

    sources: SourceMap
    switches: Mapping[str, SwitchPlan]
    far_ends: FarEnds
    readings: list[Reading] = field(default_factory=list)
    whole: list[Whole] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)

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
        return len(self.readings) + len(self.whole) + len(self.unread)


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


def read_outputs(texts: Mapping[str, str], plan: Plan) -> Read:
    switches = {switch.name: switch for switch in plan.switches}
    read = Read(SourceMap(), switches, FarEnds(plan))
    places = Places(read.sources)
    programs: dict[str, dict[str, str]] = {}
    for name, given in texts.items():
        text = without_roles(as_seen(given))
        shown = printed(text)
        clean, kind = shown.text, recognised(shown.text)
        whose = asked(shown.command, switches, own(shown.name, switches) or named(name, switches))
        if kind in PROGRAMS:
            programs.setdefault(kind, {})[name] = clean
        elif kind in _LLDP or clean.lstrip()[:1] in ("{", "["):
            speaker = replace(shown, name=asked(shown.command, switches, shown.name))
            _json(read, name, whose, speaker, kind, places)
        else:
            _printed(read, name, unix_text(text), plan, places)
    cards = read_cards(programs, plan, places)
    read.readings += cards.readings
    read.unread += cards.unread
    _tell(read, cards.problems)
    return read


def _json(read: Read, name: str, whose: str, shown: Printed, kind: str, places: Places) -> None:
    """What one command printed. ``whose``: the switch, empty where nothing says it; ``kind``: of the text."""
    if why := why_no_state(shown.command):
        read.unread.append((name, why))
    elif kind in _LLDP:
        heard = _LLDP[kind](name, shown.text, places)
        _tell(read, diagnostics(heard.problems, places))
        _neighbours(read, name, heard.asked_by(shown.name))
        if kind == "lldp_switch":  # ports are in the same output of some NOSes
            _take(read, whose, scan(name, shown.text, places).data, places)
    else:
        _state(read, name, whose, shown, places)


def _state(read: Read, name: str, whose: str, shown: Printed, places: Places) -> None:
    """JSON of a switch, but of its neighbours."""
    scanned = scan(name, shown.text, places)
    _tell(read, diagnostics(scanned.problems, places))
    vrf = vrf_of(shown.command)
    if vrf not in ("", "default", "all"):
        read.unread.append((name, f"BGP summary of {vrf}, not of the default VRF"))
        return
    if not scanned.readable or _take(read, whose, scanned.data, places, shown.command):
        return
    why = "the JSON does not name its switch: name the file after the switch"
    read.unread.append((name, _why({whose}, read.switches, _JSON) if whose else _of_host(read, name) or why))


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
    for reader in _JSON.get(read.switches[whose].nos, ()) if whose else ():
        asks = reader is linux.readings
        found = (
            linux.readings(whose, data, places, family_of(command)) if asks else reader(whose, data, places)
        )
        read.take(one for one in found if not (part and isinstance(one, Whole)))
    return read.taken() > before


def _printed(read: Read, name: str, text: str, plan: Plan, places: Places) -> None:
    """A transcript from a pod or from switches."""
    base = places.sources.add(name, text)
    lines = lines_of(text, base, places)
    workloads = {each.name: frozenset(route.interface for route in each.routed) for each in plan.workloads}
    if pods.is_pod(name, lines, workloads, read.switches):
        pod = pods.read_pod(name, lines, workloads)
        read.readings += pod.readings
        read.unread += [(name, pod.why)] if pod.why else []
        return
    _session(read, name, lines, places)


def _session(read: Read, name: str, lines: Sequence[Line], places: Places) -> None:
    """What commands of switches printed as text."""
    before = read.taken()
    unended = bool(lines[-1].text.strip()) and not is_end(lines)
    parts = list(sections(name, lines[:-1] if unended else lines, read.switches))
    owners = {part.whose for part in parts}
    for part in parts:
        first = next((line for line in part.lines if line.text.strip()), None)
        if part.whose and first is not None and first.text.lstrip()[0] in "{[":
            shown = _as_printed(part)
            _json(read, name, part.whose, shown, recognised(shown.text), places)
        else:
            _part(read, part, bool(owners - {""}))
    if read.taken() == before:
        of_host = "" if owners - {""} else _of_host(read, name)
        read.unread.append((name, of_host or _why(owners, read.switches, _TRANSCRIPTS)))
    elif unended:
        read.take([Unused(lines[-1].at, "a last line without its end, which is not used")])


def _as_printed(part: Section) -> Printed:
    """What a command printed as JSON between others; lines keep their numbers."""
    above = "\n" * (part.lines[0].at.line - 1)
    return Printed(above + "\n".join(line.text for line in part.lines), part.whose, part.command)


def _part(read: Read, part: Section, of_switches: bool) -> None:
    """``of_switches``: a planned switch is in the same file."""
    if part.lines and (why := why_no_state(part.command)):
        read.take([Unused(part.lines[0].at, why)])
        return
    reader = _TRANSCRIPTS.get(read.switches[part.whose].nos) if part.whose else None
    if reader is not None:
        read.take(reader(part, partial(read.far_ends.of, part.whose)))
    elif of_switches and part.command and part.lines and not part.whose:
        read.take([Unused(part.lines[0].at, "below a prompt of no planned switch")])


def _of_host(read: Read, name: str) -> str:
    """Why nothing is read from a file that is named after a host; empty for any other one."""
    host = read.far_ends.host(called(name))
    return f"no output of host {host} that check-live reads; docs/check-live.md lists them" if host else ""


def _why(owners: Collection[str], switches: Mapping[str, SwitchPlan], known: Collection[str]) -> str:
    """``owners``: of the parts of a file, empty where nothing says whose it is. ``known``: NOSes of which
    outputs of its form are read."""
    others = sorted({switches[whose].nos for whose in owners if whose} - {*known})
    if others:
        return f"{', '.join(others)}: this output is not read; docs/check-live.md lists those that are"
    if set(owners) <= {""}:
        return "no line names the switch: keep the prompt, or name the file after the switch"
    return "no output that check-live reads; docs/check-live.md lists them"


def _neighbours(read: Read, name: str, heard: Heard) -> None:
    known, far_ends = read.switches, read.far_ends
    switch = next((each for each in heard.speaker if each in known), "") or named(name, known)
    whose, ends = switch or far_ends.host(heard.speaker), far_ends.of if switch else far_ends.of_host
    if not whose:
        why = "LLDP neighbours, but of no switch and no host of the inventory: name the file after it"
        read.unread.append((name, why))
        return
    read.heard |= set() if switch else {whose}
    for one in heard.neighbours:
        for known_as, found in ends(whose, one.port, one.system, one.names):
            read.readings.append(said(whose, "lldp", one.port, known_as, found, one.at))
