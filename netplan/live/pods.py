"""Output of ``pods/<workload>/check-rails.sh`` including its errors: ``sh -s < check-rails.sh > FILE 2>&1``.

Shape: templates/pod/check-rails.sh.j2 of this project. It names every rail only if all are right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from netplan.live.model import Reading
from netplan.model.ranges import gathered
from netplan.reading.tables import PROMPT, Line
from netplan.records import dataclass

Workloads = Mapping[str, frozenset[str]]
"""Name -> interfaces of its rails."""
_SAID = re.compile(r"check-rails: (.{1,2000})")
_OK = re.compile(r"ok, ([A-Za-z0-9_.\- ]+)")
_UNASKED = "gateways not asked"
_INTERFACES = (
    re.compile(r"(?P<interface>\S+) has no IPv[46] address"),
    re.compile(r"\S+ from \S+ does not leave on (?P<interface>[^\s:]+):"),
    re.compile(r"the pod's IPv[46] default route is on rail (?P<interface>\S+)"),
    re.compile(r"gateway \S+ does not answer on (?P<interface>[^\s:]+):"),
)


@dataclass(frozen=True, slots=True)
class PodCheck:
    """``why``: what was not read, and why; empty if all was."""

    readings: tuple[Reading, ...] = ()
    why: str = ""


def is_pod(name: str, lines: Sequence[Line], workloads: Workloads, switches: Collection[str]) -> bool:
    """Whether it is output of the check, or of what should have run it: then the file, not its folder alone,
    is named after a workload, and no part of it is a switch's."""
    if any(line.text.startswith("check-rails: ") for line in lines):
        return True
    prompts = (PROMPT.match(line.text) for line in lines)
    if _named(name, switches)[0] or any(found is not None and found["name"] in switches for found in prompts):
        return False
    return _named(name, workloads)[1]


def read_pod(name: str, lines: Sequence[Line], workloads: Workloads) -> PodCheck:
    told, strange = list(_told(lines)), _strange(lines)
    interfaces = frozenset(interface for interface, _, _ in told)
    whole = any(found == "ok" for _, found, _ in told)
    whose = _workload(name, interfaces, workloads)
    if not whose:
        return PodCheck(why="no line names the pod's workload: name the file after the workload")
    own = workloads[whose]
    if not told:
        why = (
            f"the check did not run: {strange}"
            if strange
            else f"no output of check-rails.sh: {_first(lines)}"
        )
        return PodCheck(_silent(whose, own, lines), why)
    if other := _other_plan(whose, interfaces, own, whole):
        why = f"{other}: check-rails.sh of another workload, or of another plan"
        return PodCheck(_silent(whose, own, lines), why)
    readings = (_reading(whose, interface, found, line) for interface, found, line in told)
    why = strange if strange.startswith(_UNASKED) else f"not a line of check-rails.sh: {strange}"
    return PodCheck(tuple(readings), why if strange else "")


def _reading(whose: str, interface: str, found: str, line: Line) -> Reading:
    return Reading(
        where=whose,
        kind="rails",
        subject=interface,
        field="routes",
        found=found,
        at=line.at,
        silent=not found,
    )


def _silent(whose: str, own: frozenset[str], lines: Sequence[Line]) -> tuple[Reading, ...]:
    """Of all rails: what other pods of the workload say does not stand for this one."""
    return tuple(_reading(whose, interface, "", lines[0]) for interface in sorted(own) if lines)


def _other_plan(whose: str, named: frozenset[str], own: frozenset[str], whole: bool) -> str:
    """How it shows that this workload's script of today does not print this."""
    if more := named - own:
        return f"{gathered(sorted(more))} is no rail of pod {whose}"
    missing = sorted(own - named) if whole else []
    return f"it does not name {gathered(missing)} of pod {whose}" if missing else ""


def _told(lines: Sequence[Line]) -> Iterator[tuple[str, str, Line]]:
    """(interface, ok or what is wrong, line)"""
    for line in lines:
        said = _SAID.match(line.text)
        if said is not None:
            for interface, found in _rails(said[1].strip()):
                yield interface, found, line


def _rails(said: str) -> Iterator[tuple[str, str]]:
    if right := _OK.fullmatch(said):
        yield from ((name, "ok") for name in right[1].split())
    for shape in _INTERFACES:
        if wrong := shape.match(said):
            yield wrong["interface"], said


def _strange(lines: Sequence[Line]) -> str:
    """The first line of the script that is about no rail, such as ``no ip command in this image``."""
    said = (match[1].strip() for line in lines if (match := _SAID.match(line.text)))
    return next((text for text in said if not any(_rails(text))), "")


def _first(lines: Sequence[Line]) -> str:
    """What stands there instead, as kubectl says it."""
    shown = next((line.text.strip() for line in lines if line.text.strip()), "")
    return shown[:200] or "the file is empty; save its errors too (2>&1)"


def _workload(name: str, interfaces: frozenset[str], workloads: Workloads) -> str:
    """The one that the file is named after; else the one with these interfaces: if several have them, the one
    that a folder is named after."""
    by_name, of_file = _named(name, workloads)
    if by_name and (of_file or not interfaces):
        return by_name
    fitting = [each for each, own in workloads.items() if interfaces and interfaces <= own]
    return by_name if by_name in fitting else fitting[0] if len(fitting) == 1 else ""


def _named(name: str, known: Collection[str]) -> tuple[str, bool]:
    """The longest of the known names that the file, or the folder nearest to it, is named after; whether it
    is the file."""
    for depth, part in enumerate(reversed(re.split(r"[/\\]", name))):
        if fitting := [each for each in known if _named_after(part, each)]:
            return max(fitting, key=len), depth == 0
    return "", False


def _named_after(part: str, name: str) -> bool:
    """``training``, ``training-0.txt`` or ``training.txt``."""
    return part == name or part.startswith((f"{name}-", f"{name}.", f"{name}_"))
