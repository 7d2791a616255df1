"""Lines of a range of ports, as lines of each port: ``interface-range`` of Junos, blocks of EOS and NX-OS.

juniper.net, Interface Ranges for Physical Interfaces (EX, QFX): ``member`` takes a name or a pattern
(``et-0/0/[0-3]``, ``et-0/0/*``), ``member-range`` the first and last name; since 14.1X53-D15 what the range
has is appended to what the port has itself. Real ones: redhat-performance/quads docs, ``set interfaces
interface-range PC43 member et-0/0/12``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice

from netplan.reading.switches.cli_ranges import has_ranges, split_blocks
from netplan.records import dataclass

BEGIN: Mapping[str, str] = {"juniper-junos": "set interfaces interface-range "}
"""NOS -> what lines of a range begin with, before its name."""
MOST = 4096
"""Lines of one file that ranges may become, and ports of a range."""
_SPAN = re.compile(r"(?P<stem>\S*?)(?P<first>[0-9]{1,4}) to (?P=stem)(?P<last>[0-9]{1,4})")
_LIST = re.compile(r"(?P<stem>[^\[\]*]+)\[(?P<parts>[0-9]+(?:[-, ]+[0-9]+)*)\]")
_OF_SEVERAL = ("members", "address")
"""Statements with several values: those of the range and of the port add up."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """``numbers``: of the lines in the file."""

    text: str
    numbers: tuple[int, ...]

    def line(self, number: int) -> int:
        return self.numbers[number - 1] if 0 < number <= len(self.numbers) else 1


def as_given(text: str) -> Expanded:
    return Expanded(text, tuple(range(1, text.count("\n") + 2)))


def with_ports(nos: str, text: str) -> Expanded:
    """A range of which no port is known stays as it is."""
    if nos in _BLOCKS and has_ranges(text):
        return _split(text, text.split("\n"))
    begin = BEGIN.get(nos, "")
    return _of_names(begin, text, text.split("\n")) if begin and begin in text else as_given(text)


def _of_names(begin: str, text: str, lines: Sequence[str]) -> Expanded:
    ranges = _ranges(begin, lines)
    if not ranges:
        return as_given(text)
    stated = {line.rpartition(" ")[0] for line in lines} | {*lines}
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        name = next((name for name in _named(begin, line) if name in ranges), "")
        own = [*_lines(begin, line, name, ranges[name], stated)] if name else [line]
        found += ((number, each) for each in own or [""])
        if len(found) > len(lines) + MOST * 16:
            return as_given(text)
    return Expanded("\n".join(each for _, each in found), tuple(number for number, _ in found))


_BLOCKS = frozenset({"arista-eos", "cisco-nxos"})


def _split(text: str, lines: Sequence[str]) -> Expanded:
    """Ranges in the heads of blocks; too many stay as they are."""
    found = [*islice(split_blocks(lines), len(lines) + MOST * 16 + 1)]
    if len(found) > len(lines) + MOST * 16:
        return as_given(text)
    return Expanded("\n".join(each for _, each in found), tuple(number for number, _ in found))


def _named(begin: str, line: str) -> Iterator[str]:
    for start in (begin, _COS):
        if line.startswith(start):
            yield line.removeprefix(start).partition(" ")[0]


_COS = "set class-of-service interfaces "


def _lines(begin: str, line: str, name: str, ports: Iterable[str], stated: Iterable[str]) -> Iterator[str]:
    """Of each port, unless the port has such a line of its own."""
    start = begin if line.startswith(begin) else _COS
    rest = line.removeprefix(f"{start}{name}").strip()
    word, value = rest.partition(" ")[0], rest.rpartition(" ")[0]
    if word in ("member", "member-range", "description", "apply-macro", ""):
        return
    to = _COS if start == _COS else "set interfaces "
    for port in ports:
        if f"{to}{port} {value}" not in stated or value.endswith(_OF_SEVERAL):
            yield f"{to}{port} {rest}"


def _ranges(begin: str, lines: Iterable[str]) -> Mapping[str, list[str]]:
    """Name of a range -> its ports."""
    known = sorted({match[1] for line in lines if (match := re.match(r"set interfaces (\S+/\S+) ", line))})
    found: dict[str, list[str]] = {}
    for line in lines:
        name, _, rest = line.removeprefix(begin).partition(" ") if line.startswith(begin) else ("", "", "")
        word, _, value = rest.partition(" ")
        if word in ("member", "member-range"):
            ports = [*_ports(value.strip().strip('"'), known)]
            found[name] = [*dict.fromkeys([*found.get(name, ()), *ports])][:MOST]
    return {name: ports for name, ports in found.items() if ports}


def _ports(text: str, known: Iterable[str]) -> Iterator[str]:
    if (span := _SPAN.fullmatch(text)) is not None:
        first, last = int(span["first"]), int(span["last"])
        yield from (f"{span['stem']}{port}" for port in range(first, min(last, first + MOST) + 1))
    elif (listed := _LIST.fullmatch(text)) is not None:
        for part in re.split(r"[, ]+", listed["parts"]):
            low, _, high = part.partition("-")
            numbers = range(int(low), min(int(high or low), int(low) + MOST) + 1)
            yield from (f"{listed['stem']}{port}" for port in numbers)
    elif "*" in text:
        yield from (port for port in known if fnmatchcase(port, text))
    elif re.fullmatch(r"[a-z]+-[0-9/:]+", text):
        yield text
