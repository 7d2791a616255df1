"""Turns saved outputs into readings: whose a file is, and what in it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.importing.lldp import Heard, read_json
from netplan.importing.lldp_switch import read_switch_json
from netplan.importing.recognise import PROGRAMS, recognised
from netplan.importing.sonic.read import diagnostics
from netplan.live import eos, junos, linux, nvue, nxos, pods, sonic
from netplan.live.hosts import read_cards
from netplan.live.model import Reading, Whole
from netplan.model.document import Places, SourceMap, unix_text
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.reading.config_db.scan import scan
from netplan.reading.printed import printed
from netplan.reading.tables import PROMPT, Line, lines_of
from netplan.records import dataclass


@dataclass(slots=True)
class Read:
    """``switches``: of the plan, by name; ``called``: as _called; ``unread``: (file, why nothing was read
    from it); ``about``: names of hops with a file that may say nothing of use."""

    sources: SourceMap
    switches: Mapping[str, SwitchPlan]
    called: Mapping[str, Sequence[str]]
    readings: list[Reading] = field(default_factory=list)
    whole: list[Whole] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    problems: list[Diagnostic] = field(default_factory=list)

    def take(self, found: Iterable[Reading | Whole]) -> None:
        for one in found:
            if isinstance(one, Reading):
                self.readings.append(one)
            else:
                self.whole.append(one)


Reader = Callable[[str, Any, Places], Iterator[Reading | Whole]]
_JSON: Mapping[str, tuple[Reader, ...]] = {
    "arista-eos": (eos.readings,),
    "cisco-nxos": (nxos.readings,),
    "cumulus-nvue": (nvue.readings, linux.readings),
    "juniper-junos": (junos.readings,),
    "sonic": (linux.readings,),
}
"""NOS -> readers of what its commands print as JSON."""
_TRANSCRIPTS: Mapping[str, Callable[[str, Sequence[Line], sonic.Peer], Iterator[Reading | Whole]]] = {
    "sonic": sonic.readings,
    "cumulus-nvue": lambda where, lines, _: linux.sysctls(where, lines),
}
"""NOS -> reader of what its commands print as text."""


def read_outputs(texts: Mapping[str, str], plan: Plan) -> Read:
    switches = {switch.name: switch for switch in plan.switches}
    read = Read(SourceMap(), switches, _called(plan))
    places = Places(read.sources)
    programs: dict[str, dict[str, str]] = {}
    for name, text in texts.items():
        shown = printed(text)
        clean, kind = shown.text, recognised(shown.text)
        whose = shown.name if shown.name in switches else _named(name, switches)
        if kind in PROGRAMS:
            programs.setdefault(kind, {})[name] = clean
        elif kind == "lldp" or kind == "lldp_switch":
            heard = (read_json if kind == "lldp" else read_switch_json)(name, clean, places)
            read.problems += diagnostics(heard.problems, places)
            _neighbours(read, name, heard.asked_by(shown.name))
            if kind == "lldp_switch":  # ports are in the same output of some NOSes
                _take(read, whose, scan(name, clean, places).data, places)
        elif clean.lstrip()[:1] in ("{", "["):
            _json(read, name, whose, clean, places)
        else:
            _printed(read, name, unix_text(text), plan, places)
    cards = read_cards(programs, plan, places)
    read.readings += cards.readings
    read.unread += cards.unread
    read.problems += cards.problems
    return read


def _json(read: Read, name: str, whose: str, text: str, places: Places) -> None:
    """What one command of a switch printed. ``whose``: empty where nothing says it."""
    scanned = scan(name, text, places)
    read.problems += diagnostics(scanned.problems, places)
    if _take(read, whose, scanned.data, places):
        return
    why = "the JSON does not name its switch: name the file after the switch"
    read.unread.append((name, _why({whose}, read.switches, _JSON) if whose else why))


def _take(read: Read, whose: str, data: Any, places: Places) -> bool:
    """Whether anything is in it."""
    before = len(read.readings) + len(read.whole)
    for reader in _JSON.get(read.switches[whose].nos, ()) if whose else ():
        read.take(reader(whose, data, places))
    return len(read.readings) + len(read.whole) > before


def _printed(read: Read, name: str, text: str, plan: Plan, places: Places) -> None:
    """A transcript from a pod or from switches."""
    before = len(read.readings)
    base = places.sources.add(name, text)
    lines = lines_of(text, base, places)
    workloads = {each.name: frozenset(route.interface for route in each.routed) for each in plan.workloads}
    if pods.is_pod(name, lines, workloads, read.switches):
        pod = pods.read_pod(name, lines, workloads)
        read.readings += pod.readings
        read.unread += [(name, pod.why)] if pod.why else []
        read.about |= {pod.workload} - {""}
        return
    sections = list(_sections(name, lines, read.switches))
    for whose, part in sections:
        reader = _TRANSCRIPTS.get(read.switches[whose].nos) if whose else None
        if reader is not None:
            read.take(reader(whose, part, _far_end(read, whose)))
    if len(read.readings) == before:
        read.unread.append((name, _why({whose for whose, _ in sections}, read.switches, _TRANSCRIPTS)))


def _why(owners: Collection[str], switches: Mapping[str, SwitchPlan], known: Collection[str]) -> str:
    """``owners``: of the parts of a file, empty where nothing says whose it is. ``known``: NOSes of which
    outputs of its form are read."""
    others = sorted({switches[whose].nos for whose in owners if whose} - {*known})
    if others:
        return f"{', '.join(others)}: this output is not read; docs/check-live.md lists those that are"
    if set(owners) <= {""}:
        return "no line names the switch: keep the prompt, or name the file after the switch"
    return "no output that check-live reads; docs/check-live.md lists them"


def _sections(name: str, lines: Sequence[Line], known: Collection[str]) -> Iterator[tuple[str, list[Line]]]:
    """Parts of a transcript by the prompt before them, the first one by the file's name."""
    whose, part = _named(name, known), list[Line]()
    for line in lines:
        prompt = PROMPT.match(line.text)
        if prompt is not None and prompt["name"] in known:
            yield whose, part
            whose, part = prompt["name"], []
        else:
            part.append(line)
    yield whose, part


def _named(name: str, known: Collection[str]) -> str:
    """``dumps/leaf-1/bgp.txt``, ``leaf-1.txt`` or ``leaf-1-bgp.txt``: the longest name that fits."""
    for part in reversed(re.split(r"[/\\]", name)):
        fitting = [
            each for each in known if part == each or part.startswith((f"{each}.", f"{each}-", f"{each}_"))
        ]
        if fitting:
            return max(fitting, key=len)
    return ""


def _neighbours(read: Read, name: str, heard: Heard) -> None:
    known = read.switches
    whose = next((each for each in heard.speaker if each in known), "") or _named(name, known)
    if not whose:
        read.unread.append(
            (name, "LLDP neighbours, but of no switch in the inventory: name the file after the switch")
        )
        return
    far_end = _far_end(read, whose)
    for neighbour in heard.neighbours:
        found = far_end(neighbour.port, neighbour.system, neighbour.names)
        if found:
            read.readings.append(
                Reading(
                    where=whose,
                    kind="lldp",
                    subject=neighbour.port,
                    field="peer",
                    found=found,
                    at=neighbour.at,
                )
            )


def _far_end(read: Read, whose: str) -> Callable[[str, str, tuple[str, ...]], str]:
    """For a switch: (port, system, names of the far port) -> the far end as the plan writes it."""
    peers = {port.name: port.peer for port in read.switches[whose].ports}
    return partial(_peer, peers, read.called)


def _called(plan: Plan) -> dict[str, list[str]]:
    """First DNS label in lower case -> names of hosts and switches that begin with it."""
    names = {host.name for host in plan.fabric.hosts} | {switch.name for switch in plan.switches}
    names |= {port.peer.partition(" ")[0] for switch in plan.switches for port in switch.ports}
    found: dict[str, list[str]] = {}
    for name in sorted({name.lower() for name in names}):
        found.setdefault(name.partition(".")[0], []).append(name)
    return found


def _peer(
    peers: Mapping[str, str],
    called: Mapping[str, Sequence[str]],
    port_here: str,
    system: str,
    names: tuple[str, ...],
) -> str:
    """The plan's name for a peer, so that equal peers compare equal. For a host only its name counts: how an
    agent names the port is its own matter. Empty if unknown: the far end has no name (a NIC's own agent), its
    name fits two, or it is the right switch without the name of a port (sonic-swss lldpmgrd sends the alias
    and, in place of the name, a free-text description)."""
    expected = peers.get(port_here, "")
    name, _, port = expected.partition(" ")
    if not system:
        return ""
    meant = _meant(called, system)
    if name.lower() not in meant:
        shown = meant[0] if len(meant) == 1 else system.removesuffix(".")
        return f"{shown} {names[0] if names else '?'}"
    if len(meant) > 1:
        return ""
    if port in names or not _is_port(port):
        return expected
    other = next((each for each in names if _form(each) == _form(port)), "")
    return f"{name} {other}" if other else ""


def _meant(called: Mapping[str, Sequence[str]], system: str) -> list[str]:
    """Names in the inventory that a reported system name may mean. Case is ignored; an agent may send the
    name with its domain, and so may the inventory have it: if only one has it, the part before the first dot
    decides."""
    own = system.lower().rstrip(".")
    near = called.get(own.partition(".")[0], ())
    if own in near:
        return [own]
    return [each for each in near if own.startswith(f"{each}.") or each.startswith(f"{own}.")]


def _is_port(name: str) -> bool:
    """Whether the far end is a switch port; names of HCAs are the inventory's own."""
    return re.search(r"[/:]|Ethernet|swp|^et-|GE[0-9]", name) is not None


def _form(port: str) -> str:
    """What port names of one kind share: an alias or a description has another form."""
    return re.sub(r"[0-9]+", "0", port)
