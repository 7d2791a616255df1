"""One output after the other without a prompt between them, as commands in one ``ssh`` print them: JSON, and
text above and below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from netplan.importing.recognise import PROGRAMS, recognised
from netplan.live.sections import Section
from netplan.live.taken import first_strange
from netplan.reading.tables import Line
from netplan.records import dataclass

_STARTS = r"(?=\[\s*[{\[\]\"]|\{\s*[}\"])"
"""Of an object, or a list of objects, lists or texts; not ``[pod/training-0]``."""
_BEGINS = re.compile(rf"^{_STARTS}", re.MULTILINE)
_JSON = re.compile(rf"\s*{_STARTS}")
_GOES_ON = re.compile(r"[\]}][ \t]*\n(?=\s*[^\s\]},])")
"""In JSON only a comma or the end of what is around it stands below the end of an object or list."""


def is_json(text: str) -> bool:
    return _JSON.match(text) is not None


def several(text: str) -> bool:
    """Whether there is JSON in the text, and something else than one value."""
    if is_json(text):
        return _GOES_ON.search(text) is not None
    return _BEGINS.search(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """``kind``: of what it holds, if that is JSON or of a program of a host. ``below``: the lines below it;
    ``strange``: the first of them is one that nobody takes."""

    part: Section
    text: str
    kind: str = ""
    below: tuple[Line, ...] = ()
    strange: bool = False


def chunks(
    part: Section, cut: bool, mine: str | None = None, machines: frozenset[str] = frozenset()
) -> Iterator[Chunk]:
    """``cut``: the last line has no end, and counts for JSON only. ``mine``: the machine that speaks, among
    ``machines``; up to the first line that nobody takes, but for None."""
    text = "\n".join(line.text for line in part.lines) + ("" if cut else "\n")
    for first, last, each in _split(text):
        if is_json(each):
            kind = recognised(each.strip("\n"))
            below = part.lines[last:]
            yield Chunk(part=replace(part, lines=part.lines[first:last]), text=each, kind=kind, below=below)
            continue
        yield (one := _text(part, each, first, last, cut, mine, machines if not first else frozenset()))
        if one.strange:
            return


def _text(
    part: Section, text: str, first: int, last: int, cut: bool, mine: str | None, machines: frozenset[str]
) -> Chunk:
    """As for ``chunks``, of the lines from ``first`` on, up to ``last``; without ``machines`` below an
    output."""
    lines, is_last = part.lines[first:last], last >= len(part.lines)
    whole = lines[:-1] if cut and is_last else lines
    end = len(whole) if mine is None else first_strange(whole, mine, machines)
    strange = end < len(whole)
    shown = "".join(f"{line.text}\n" for line in lines[:end]) if strange else text
    found = recognised(shown.strip("\n"))
    kind = found if found in PROGRAMS else ""
    own = lines if kind and not strange else whole[:end]
    return Chunk(
        part=replace(part, lines=own, ended=not strange and (part.ended or not is_last)),
        text=shown,
        kind=kind,
        below=part.lines[first + end :] if strange else part.lines[last:],
        strange=strange,
    )


def _split(text: str) -> Iterator[tuple[int, int, str]]:
    """(first line, line behind its last, text) of each output, without those that are blank."""
    above, at = 0, 0
    while at < len(text):
        end = _end(text, at)
        one = text[at:end]
        below = above + one.count("\n") + (end == len(text))
        if one.strip():
            yield above, below, one
        above, at = below, end


def _end(text: str, at: int) -> int:
    """Of the output that begins there."""
    if _JSON.match(text, at):
        goes_on = _GOES_ON.search(text, at)
        return goes_on.end() if goes_on is not None else len(text)
    begins = (each.start() for each in _BEGINS.finditer(text, at + 1))
    return next((begin for begin in begins if _is_new(text, begin)), len(text))


def _is_new(text: str, at: int) -> bool:
    """Not within something that begins above: no comma, bracket or key is before it."""
    above = text[max(at - 200, 0) : at].rstrip()
    return bool(above) and not above.endswith((",", '":', "[", "{"))
