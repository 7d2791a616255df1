"""Lines of text that readers take as a whole: those of outputs that are read, and a few that cannot name a
machine. Any other line may name one, in words that nobody knows: outputs below it are of nobody.

Forms of outputs: as the readers of ``live.sonic``, ``live.linux`` and ``importing.bare.printed_text``. Around
them: sonic-net/sonic-utilities 691b1bbc (scripts/lldpshow, scripts/pfcstat); FRRouting/frr fbfc8222
bgpd/bgp_vty.c (bgp_show_summary).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import replace

from netplan.diagnostics import Source
from netplan.live.banners import above_output, is_heading
from netplan.live.commands import own
from netplan.live.headings import repeats_command
from netplan.live.inside import LEAVES
from netplan.live.noise import is_noise, named_in
from netplan.live.sections import Section
from netplan.live.sonic import HEADS
from netplan.reading.tables import Line, Row, Table, tables

_OUTPUT = re.compile(
    r"\s*(?:BGP router identifier [0-9.]+, local AS number .*|BGP table version (?:is )?[0-9]+.*"
    r"|RIB entries [0-9]+, using .*|Peers [0-9]+, using .*|Peer groups [0-9]+, using .*"
    r"|Neighb\w+ +V +AS +MsgRcvd .*|[0-9A-Fa-f.:]{3,45} +4 +[0-9.]{1,16} +[0-9]+ +[0-9]+ .*"
    r"|Total number of neighbors [0-9]+|Displayed [0-9]+ (?:neighbors|routes).*"
    r"|(?:IPv[46]|VPNv[46]|L2VPN|Link-State) [A-Z][A-Za-z-]{1,20} Summary(?: \(VRF \S{1,64}\))?:?"
    r"|net\.ipv[46]\.neigh\.default\.[a-z_0-9]+ = [0-9]+|Changed polling interval to [0-9]+ms"
    r"|BIG_RED_SWITCH status is (?:en|dis)able|Capability codes: \(R\).*|Total entries displayed: +[0-9]+"
    r"|Last cached time was [0-9][0-9 :.-]*|%+ ?(?:BGP instance not found|BGP inactive)"
    r"|% No BGP neighbors found(?: in VRF default)?|No IPv[46] neighbor is configured|BGP is not running"
    r"|bgpd is not running|(?:Error: )?(?:Error response from daemon: )?[Cc]ontainer \S{1,80} is not running"
    r"|(?:Error: )?(?:Error response from daemon: )?No such container: bgp|check-rails: .*"
    r"|# netplan collect [0-9]+: pci|pci=\S+(?: [a-z_]+=(?:\"[^\"]*\"|\S*))*"
    r"|GPU0\s.*\bAffinity\b.*|(?:GPU|NIC|mlx5_)[0-9]+(?:\s+(?:X|NV[0-9]+|P[HIX]B|PIX|NODE|SYS|[0-9,-]+|N/A))+\s*"
    r"|Legend:|NIC Legend:|X +=  *Self|(?:SYS|NODE|PHB|PXB|PIX|NV#) += Connection .*|NIC[0-9]+: mlx5_\S+)\s*"
)
_PROFILE = re.compile(r"(?:Profile|Pool): \S{1,64}\s*")
_RULE = re.compile(r"-+ {2,}-+\s*")
_PAIR = re.compile(r"[a-z_]{1,40} {2,}\S{1,40}\s*")
_BORDER = re.compile(r"\+[-=+]*\+\s*")
_RECORD = re.compile(r"[A-Za-z]+:[ \t]+.*")
_SLOT = re.compile(r"Slot:\s+[0-9a-fA-F:.]+")
_KEY = re.compile(r"[A-Za-z-]{1,24}[0-9]+(?:[/:.][0-9]+){0,3}|lo(?:-m)?|mgmt|Bridge|(?:veth|Vrf)\S{0,20}")
_PORT = re.compile(r"(?:Ethernet|PortChannel|Vlan|Loopback)\S{1,20}")
_ADDRESS = re.compile(r"[0-9A-Fa-f:.]{3,45}(?:%\S{1,20})?/[0-9]{1,3}")
_FEW = 4


def first_strange(lines: Sequence[Line], mine: str, machines: frozenset[str] = frozenset()) -> int:
    """The number of the first line that no reader takes; that of all lines without one. ``mine``: the machine
    that speaks, if it is known; ``machines``: of the inventory, where a banner may stand above the output."""
    inside, top = None, 0
    for number, line in enumerate(lines):
        if is_harmless(line.text, mine) or (inside is None and line.text.strip() in LEAVES):
            continue
        if inside is None:
            inside = {*_rows(lines), *_grids(lines), *_profiles(lines), *_records(lines)}
            top = _above(lines, inside, mine, machines)
        if number >= top and number not in inside:
            return number
    return len(lines)


def _above(lines: Sequence[Line], inside: Set[int], mine: str, machines: frozenset[str]) -> int:
    """How many lines are a banner above the output."""
    if not (mine and machines):
        return 0
    read = (n for n, line in enumerate(lines) if n in inside or _OUTPUT.fullmatch(line.text))
    return above_output(lines[: next(read, len(lines))], mine, machines)


def ended(parts: Sequence[Section]) -> Iterator[Section]:
    """The prompt of another machine, or any title, ends a list only where it is not amid it."""
    for part, below in zip(parts, [*parts[1:], None], strict=True):
        yield replace(part, ended=False) if below is not None and _goes_on(below) else part


def _goes_on(below: Section) -> bool:
    """Whether what stands below a prompt that is not known, or begins no output below a title, is there."""
    prompted = below.nobody and below.lines[:1] == (below.above,)
    lines = [line for line in below.lines[prompted:] if line.text.strip()]
    begins = below.titled and lines and (lines[0].text[:1] in ("{", "[") or first_strange(lines, below.whose))
    return bool(lines) and (prompted or (below.titled and not begins))


def holds_output(lines: Sequence[Line]) -> bool:
    """Whether any line is one of an output that is read."""
    if any(not is_noise(line.text) and _OUTPUT.fullmatch(line.text) for line in lines):
        return True
    return any(True for _ in (*_rows(lines), *_profiles(lines))) or next(_grids(lines), -1) >= 0


def is_harmless(line: str, mine: str) -> bool:
    """Of an output that is read, or of no machine in particular, or a heading that repeats a command."""
    if is_noise(line) or _OUTPUT.fullmatch(line):
        return True
    if (name := named_in(line)) is not None:
        return bool(mine) and own(name, frozenset({mine})) == mine
    return repeats_command(line) or is_heading(line, mine)


def _rows(lines: Sequence[Line]) -> Iterator[int]:
    """Header, rule and rows of tables that are read."""
    number: dict[Source, int] = {}
    for table in tables(lines):
        if any(heads <= {*table.head} for heads in HEADS):
            number = number or {line.at: each for each, line in enumerate(lines)}
            first = number[table.at]
            yield from (first, first + 1)
            own = [row for row in table.rows if _is_row(row, table)]
            words = {word for row in own for word in lines[number[row.at]].text.split()}
            others = (number[row.at] for row in table.rows if row not in own)
            yield from (number[row.at] for row in own)
            yield from (each for each in others if _is_damaged(lines[each].text, words))


def _is_row(row: Row, table: Table) -> bool:
    key, filled = row.cells[table.head[0]], sum(map(bool, row.cells.values()))
    if not key:  # of an interface with several addresses
        return row.fits and any(map(_ADDRESS.fullmatch, row.cells.values()))
    enough = filled >= 2 if _PORT.fullmatch(key) else 2 * filled >= len(table.head)
    return row.fits and enough and _KEY.fullmatch(key) is not None


def _is_damaged(line: str, usual: Collection[str]) -> bool:
    """A row that lost a character, as on a serial console: most of its words are in other rows, too."""
    words = line.split()
    shared = sum(word in usual for word in words)
    of_port = len(words) >= _FEW and _PORT.fullmatch(words[0]) is not None
    return len(words) >= _FEW and (2 * shared >= len(words) or (of_port and shared >= 2))


def _grids(lines: Sequence[Line]) -> Iterator[int]:
    """Of ``show vlan brief``."""
    width = 0
    for number, line in enumerate(lines):
        if line.text[:1] not in ("+", "|"):
            width = 0
            continue
        cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
        below = lines[number + 1].text if number + 1 < len(lines) else ""
        if _BORDER.fullmatch(line.text):
            if re.match(r"\|\s*VLAN ID\s*\|", below):
                width = below.strip().strip("|").count("|") + 1
            if width:
                yield number
        elif (
            line.text[:1] == "|"
            and len(cells) == width
            and (not cells[0] or cells[0].isdigit() or _is_head(cells))
        ):
            yield number
        else:
            width = 0


def _is_head(cells: Sequence[str]) -> bool:
    return cells[0] == "VLAN ID"


def _profiles(lines: Sequence[Line]) -> Iterator[int]:
    """Of ``ecnconfig -l`` and ``mmuconfig -l``: a name, and settings between two rules."""
    within = False
    for number, line in enumerate(lines):
        if _PROFILE.fullmatch(line.text):
            within = number + 1 < len(lines) and _RULE.fullmatch(lines[number + 1].text) is not None
        elif not (_PAIR.fullmatch(line.text) or _RULE.fullmatch(line.text)):
            within = False
        if within:
            yield number


def _records(lines: Sequence[Line]) -> Iterator[int]:
    """Of lspci: from the slot of a device up to an empty line."""
    within = False
    for number, line in enumerate(lines):
        within = (within or _SLOT.fullmatch(line.text) is not None) and _RECORD.fullmatch(
            line.text
        ) is not None
        if within:
            yield number
