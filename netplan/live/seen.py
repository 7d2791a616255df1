"""What was read of saved outputs, and why something was not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace

from netplan.diagnostics import Diagnostic
from netplan.importing.lldp import called
from netplan.live.far_ends import FarEnds
from netplan.live.model import Kind, Reading, Unsure, Unused, Whole, row_of
from netplan.live.names import Known, named
from netplan.live.objects import neighbour
from netplan.live.sections import Section
from netplan.model.document import SourceMap
from netplan.model.switching import SwitchPlan
from netplan.records import dataclass

STRANGER = "below a prompt or title of no planned switch"
ELSEWHERE = "behind a command that may show another machine, or a file"
NAMELESS = "below a prompt without a switch's name, and another device may have been named above it"
NOBODY = (
    "not known, so outputs below it are of no device; keep the prompt, or save each in a file named after its"
    " device"
)


def stranger(part: Section) -> str:
    """Why what stands below the prompt or title of a part is of no switch."""
    if part.speaker and part.command and not part.titled:
        return ELSEWHERE
    return NAMELESS if part.unnamed else STRANGER


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

    def take(self, found: Iterable[Reading | Whole | Unused | Unsure]) -> None:
        """Of one output or more. The rows of a list are those since the one before it."""
        rows: dict[Kind, set[str]] = {}
        for one in self._decided(found):
            if isinstance(one, Reading):
                subject = neighbour(one.subject) if one.kind == "bgp" else one.subject
                self.readings.append(replace(one, subject=subject))
                rows.setdefault(one.kind, set()).add(row_of(one.kind, subject, one.field))
            elif isinstance(one, Whole) and one.doubt:
                rows.pop(one.kind, None)
                doubt = (one.at.file, f"line {one.at.line}: {one.doubt}")
                self.unread += [] if doubt in self.unread else [doubt]
            elif isinstance(one, Whole):
                mine = frozenset(rows.pop(one.kind, ())) if one.rows is None else one.rows
                self.whole.append(replace(one, rows=mine))
            else:
                self.unread.append((one.at.file, f"line {one.at.line}: {one.why}"))

    def _decided(
        self, found: Iterable[Reading | Whole | Unused | Unsure]
    ) -> Iterator[Reading | Whole | Unused]:
        for one in found:
            if not isinstance(one, Unsure):
                yield one
            elif any(isinstance(each, Reading) and self._is_session(each) for each in one.found):
                yield from one.found
            else:
                yield Unused(
                    one.at, "BGP summary without a planned session: perhaps of another address family or VRF"
                )

    def _is_session(self, one: Reading) -> bool:
        planned = self.switches[one.where].neighbours if one.where in self.switches else ()
        return neighbour(one.subject) in {neighbour(str(each.address)) for each in planned}

    def taken(self) -> int:
        outputs = self.lists_of_neighbours + sum(map(len, self.programs.values()))
        return len(self.readings) + len(self.whole) + len(self.unread) + outputs


def tell(read: Read, problems: Iterable[Diagnostic]) -> None:
    """The first fault of a file: that it is no JSON, or has a key twice."""
    told = set[str]()
    for one in problems:
        if one.source is not None and one.source.file not in told:
            told.add(one.source.file)
            twice = one.code == "NP871"
            why = "a key appears twice, the last counts" if twice else f"not JSON: {one.message}"
            read.take([Unused(one.source, why)])


def leave(read: Read, part: Section, name: str, why: str) -> None:
    if part.lines:
        read.take([Unused(part.lines[0].at, why)])
    else:
        read.unread.append((name, why))


def of_host(read: Read, name: str, *hosts: str) -> str:
    """Why nothing is read from a file of a host, which a line of it or its name says; empty for any other
    file."""
    host = next(iter(hosts), "") or read.far_ends.host(called(name))
    host = host or named(name, read.known.machines - {*read.switches})
    return f"no output of host {host} that check-live reads; docs/check-live.md lists them" if host else ""


def why_not(owners: Collection[str], switches: Mapping[str, SwitchPlan], known: Collection[str]) -> str:
    """``owners``: switches whose the parts of a file are. ``known``: NOSes of which outputs of its form are
    read."""
    others = sorted({switches[whose].nos for whose in owners} - {*known})
    if others:
        return f"{', '.join(others)}: this output is not read; docs/check-live.md lists those that are"
    if not owners:
        return "no line names the switch: keep the prompt, or name the file after the switch"
    return "no output that check-live reads; docs/check-live.md lists them"
