"""Turns saved outputs into readings: whose a file is, and what in it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from netplan.importing.recognise import PROGRAMS, recognised
from netplan.live import linux, pods, sonic
from netplan.live.answered import answer, as_printed, has_text
from netplan.live.chunks import Chunk, chunks, is_json, several
from netplan.live.commands import why_no_state
from netplan.live.far_ends import FarEnds
from netplan.live.folded import unfolded, with_whole_json
from netplan.live.headings import repeats_command
from netplan.live.hosts import part_of, read_cards
from netplan.live.model import OUTPUTS, Unused
from netplan.live.names import Known, by_name, named
from netplan.live.no_bgp import asks, said_none
from netplan.live.objects import Found
from netplan.live.outputs import LLDP, output
from netplan.live.prefixes import without_times
from netplan.live.prompts import without_prompt
from netplan.live.sections import Section, is_end, sections
from netplan.live.seen import NOBODY, STRANGER, Read, of_host, stranger, tell, why_not
from netplan.live.taken import ended, first_strange, holds_output
from netplan.live.typed import in_one_line, in_one_row, without_logins
from netplan.live.unread import command_within, left_over, nothing_of_host, nothing_read, one_not_read
from netplan.model.document import Places, SourceMap, unix_text
from netplan.model.plan import Plan
from netplan.reading.printed import printed, without_roles
from netplan.reading.tables import PROMPT, Line, lines_of
from netplan.reading.terminal import as_seen

_TRANSCRIPTS: Mapping[str, Callable[[Section, sonic.Peer], Found]] = {
    "sonic": sonic.readings,
    "cumulus-nvue": lambda section, _: linux.sysctls(section.whose, section.lines),
}
"""NOS -> reader of what its commands print as text."""
_PROMPTED = re.compile(rf"^(?![\"\s]){PROMPT.pattern}", re.MULTILINE)
_LOGS_IN = re.compile(r"\bssh\b")
"""Above the output of any other command stands no banner."""
_FOLDED = "a table whose rows are broken at the width of a terminal, which is not used"


def read_outputs(texts: Mapping[str, str], plan: Plan) -> Read:
    read = Read(SourceMap(), _known(plan), FarEnds(plan), {switch.name: switch for switch in plan.switches})
    places = Places(read.sources)
    for name, given in texts.items():
        text = with_whole_json(without_roles(as_seen(given.replace("\ufeff", ""))))
        shown = printed(text)
        kind = recognised(shown.text)
        of_program = kind in PROGRAMS or kind in LLDP or is_json(shown.text)
        parted = several(shown.text) or without_prompt(shown.text.rstrip().rpartition("\n")[2])
        of_program = of_program and not (
            shown.name or parted or has_text(shown.text) or _PROMPTED.search(shown.text)
        )
        if of_program and (is_json(text) or _is_whole(shown.text, name, read, places)):
            part = Section(whose=named(name, read.known.switches), command="", lines=())
            output(read, part, shown.text, kind, name, places)
        else:
            _printed(read, name, unix_text(text), plan, places)
    cards = read_cards(read.programs, read.hosts, plan, places)
    read.readings += cards.readings
    read.unread += cards.unread
    tell(read, cards.problems)
    return read


def _is_whole(text: str, name: str, read: Read, places: Places) -> bool:
    """Whether it is nothing but what a program printed as text."""
    lines = lines_of(text, places.sources.add(name, text), places)
    return first_strange(lines, named(name, read.known.machines)) == len(lines)


def _known(plan: Plan) -> Known:
    switches = [switch.name for switch in plan.switches]
    hosts = (host.name for host in plan.fabric.hosts if host.named)
    workloads = [each.name for each in plan.workloads]
    return Known(switches=switches, machines=frozenset((*switches, *hosts)), workloads=workloads)


def _printed(read: Read, name: str, text: str, plan: Plan, places: Places) -> None:
    """A transcript from pods, hosts or switches."""
    whole = lines_of(text, places.sources.add(name, text), places)
    typed = list(in_one_line(without_times(whole)))
    typed = list(without_logins(list(in_one_row(typed))))
    shown = unfolded([each for line in as_printed(typed) for each in _apart(line)])
    read.take(Unused(line.at, _FOLDED) for line in shown.left)
    lines = shown.lines
    parts = list(ended(list(sections(name, lines, read.known))))
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


def _apart(line: Line) -> Iterator[Line]:
    found = answer(line.text)
    parts = without_prompt(line.text)
    if found is not None and (not found.item or repeats_command(found.item)):
        parts = found.title, found.text
    yield from [line] if parts is None else (Line(part, line.at) for part in parts)


def _session(read: Read, name: str, parts: Sequence[Section], unended: bool, places: Places) -> None:
    """What commands of hosts and switches printed. ``unended``: without a line break at its end. What is of
    nobody is told once, up to the next prompt or title that is known. ``closed``: below a prompt without a
    name no longer the file's switch speaks."""
    before, last, below, told = read.taken(), None, tuple[Line, ...](), False
    closed = False
    for each in parts:
        part = replace(each, whose="") if closed and each.unnamed else each
        here = len(read.readings), len(read.whole), len(read.unread), read.taken()
        last, below, line = _part(read, name, part, unended and each is parts[-1], places)
        closed = closed or (line is not None and _is_read(part))
        if not (part.nobody and told):
            told = _tell(read, part, replace(part, lines=below), line, here)
    if read.taken() > before and unended and not below:
        read.take(_without_end(parts[-1], last))


def _tell(
    read: Read, part: Section, below: Section, line: Line | None, before: tuple[int, int, int, int]
) -> bool:
    """Of what is not read of a part; whether it is told that lines at its end are of nobody."""
    if _tell_of_nobody(read, below, line, read.taken() > before[-1]):
        return bool(below.lines) or part.nobody
    if not part.nobody:
        _tell_of_command(read, part, before)
    return False


def _without_end(part: Section, last: Chunk | None) -> Iterator[Unused]:
    if last is not None and not last.kind:
        yield Unused(part.lines[-1].at, "a last line without its end, which is not used")


def _part(
    read: Read, name: str, part: Section, cut: bool, places: Places
) -> tuple[Chunk | None, tuple[Line, ...], Line | None]:
    """Its last output, lines below its outputs that are of nobody, and the one that nobody knows."""
    if part.nobody:
        return None, part.lines, next(iter(part.lines), None)
    one, below, strange = None, tuple[Line, ...](), None
    mine = part.whose or part.speaker or named(name, read.known.machines)
    login = not part.command or _LOGS_IN.search(part.command)
    for one in chunks(part, cut, mine, read.known.machines if login else frozenset()):
        known = _chunk(read, one, name, places)
        if one.strange or not known:
            below = one.below
            strange = (below if one.strange else one.part.lines)[0]
            break
    return one, below, strange


def _is_read(part: Section) -> bool:
    """Whether it stands above all prompts, or below a command whose output is read."""
    return not part.command or any(command_within(part.command, nos) for nos in ("", *OUTPUTS))


def _tell_of_command(read: Read, part: Section, before: tuple[int, int, int, int]) -> None:
    """What its command did not print. ``before``: numbers of readings, lists, what is unread, and all."""
    readings, lists, unread, taken = before
    if part.whose not in read.switches:
        read.take(nothing_of_host(part) if part.whose and read.taken() == taken else ())
        return
    nos = read.switches[part.whose].nos
    if read.taken() == taken:
        read.take(_without_sessions(part) if asks(part.command) else nothing_read(part, nos))
    elif len(read.unread) == unread:
        kinds = {each.kind for each in read.readings[readings:]} | {each.kind for each in read.whole[lists:]}
        read.take(one_not_read(part, nos, kinds))


def _tell_of_nobody(read: Read, part: Section, line: Line | None, behind: bool) -> bool:
    """Of lines that are of nobody and hold what is read, or a planned port or neighbour. ``behind``: below an
    output that is read."""
    left, switch = replace(part, command=""), read.switches.get(part.whose)
    outputs = any(each.kind or holds_output(each.part.lines) for each in chunks(left, cut=False))
    names = switch is not None and (behind or not part.command) and any(left_over(left, switch, ""))
    if line is None or not (outputs or names):
        return False
    why = f"{line.text.strip()[:80]}: {NOBODY}"
    if not (outputs or behind):
        why = why_not({part.whose}, read.switches, _TRANSCRIPTS)
    read.take([Unused(line.at, why)])
    return True


def _without_sessions(part: Section) -> Iterator[Unused]:
    """Below a command that shows sessions, of which nothing is read."""
    first = next((line for line in part.lines if line.text.strip()), None)
    if first is not None:
        yield Unused(first.at, f"no BGP summary that check-live reads: {first.text.strip()[:80]}")
    elif part.ended and part.above is not None:
        yield Unused(part.above.at, "nothing stands below it: no BGP, or not saved")


def _chunk(read: Read, one: Chunk, name: str, places: Places) -> bool:
    """Whether a reader takes what it holds: JSON, or what a program of a host printed, between other outputs
    (lines keep their numbers), or text."""
    if not one.kind:
        _text(read, one.part)
        return True
    line = one.part.lines[0].at.line
    text = "\n" * (line - 1) + one.text
    return output(read, one.part, text, one.kind, name, places, part_of(name, line))


def _text(read: Read, part: Section) -> None:
    why = why_no_state(part.command) or ("check-rails.sh, but in no pod" if pods.has_check(part) else "")
    if part.lines and why:
        read.take([Unused(part.lines[0].at, why)])
    elif part.whose in read.switches:
        _of_switch(read, part)
    elif part.lines and not part.whose and part.above is not None and _is_known(part):
        read.take([Unused(part.lines[0].at, stranger(part))])


def _is_known(part: Section) -> bool:
    """Whether it is what a switch prints."""
    return any(any(reader(part, lambda *_: iter(()))) for reader in _TRANSCRIPTS.values())


def _of_switch(read: Read, part: Section) -> None:
    before, switch = read.taken(), read.switches[part.whose]
    reader = _TRANSCRIPTS.get(switch.nos)
    read.take(said_none(part.whose, part.lines, part.command))
    if reader is not None:
        read.take(reader(part, partial(read.far_ends.of, part.whose)))
    if read.taken() == before and not part.command:
        read.take(left_over(part, switch, why_not({part.whose}, read.switches, _TRANSCRIPTS)))


def _nothing(read: Read, name: str, parts: Sequence[Section]) -> str:
    """Why nothing is read from a file."""
    owners = {part.whose for part in parts if part.whose in read.switches}
    hosts = [part.whose for part in parts if part.whose and part.whose not in owners]
    if not owners and (why := of_host(read, name, *hosts[:1])):
        return why
    if not owners and by_name(name, read.known.workloads)[1]:
        return "no output of check-rails.sh"
    if not owners and any(part.nobody or part.speaker == "" for part in parts):
        return STRANGER
    return why_not(owners, read.switches, _TRANSCRIPTS)
