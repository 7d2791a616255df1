"""Output of ``pods/<workload>/check-rails.sh`` including its errors: ``sh -s < check-rails.sh > FILE 2>&1``.

Shape: templates/pod/check-rails.sh.j2 of this project. It names every rail only if all are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from netplan.live.model import Reading
from netplan.reading.tables import Line

_SAID = re.compile(r"check-rails: (.{1,2000})")
_OK = re.compile(r"ok, ([A-Za-z0-9_.\- ]+)")
_INTERFACES = (
    re.compile(r"(?P<interface>\S+) has no IPv[46] address"),
    re.compile(r"\S+ from \S+ does not leave on (?P<interface>[^\s:]+):"),
    re.compile(r"the pod's IPv[46] default route is on rail (?P<interface>\S+)"),
    re.compile(r"gateway \S+ does not answer on (?P<interface>[^\s:]+):"),
)


def is_check(lines: Sequence[Line]) -> bool:
    return any(line.text.startswith("check-rails: ") for line in lines)


def interfaces(lines: Sequence[Line]) -> frozenset[str]:
    """Interfaces that the output names."""
    return frozenset(name for name, _, _ in _told(lines))


def readings(where: str, lines: Sequence[Line]) -> Iterator[Reading]:
    for interface, found, line in _told(lines):
        yield Reading(where=where, kind="rails", subject=interface, field="routes", found=found, at=line.at)


def _told(lines: Sequence[Line]) -> Iterator[tuple[str, str, Line]]:
    """(interface, ok or what is wrong, line)"""
    for line in lines:
        said = _SAID.match(line.text)
        if said is None:
            continue
        if right := _OK.fullmatch(said[1].strip()):
            yield from ((name, "ok", line) for name in right[1].split())
        else:
            for shape in _INTERFACES:
                if wrong := shape.match(said[1]):
                    yield wrong["interface"], said[1].strip(), line


def workload_of(name: str, named: frozenset[str], workloads: Mapping[str, frozenset[str]]) -> str | None:
    """The workload whose pod printed an output: the one with the interfaces it names; of several, the one in
    the file's name. ``workloads``: name -> interfaces."""
    fitting = [each for each, own in workloads.items() if named and named <= own]
    parts = re.split(r"[/\\]", name)
    by_name = [each for each in fitting if any(_named_after(part, each) for part in parts)]
    best = sorted(by_name, key=len)[-1:] or (fitting if len(fitting) == 1 else [])
    return best[0] if best else None


def _named_after(part: str, workload: str) -> bool:
    """``training``, ``training-0.txt`` or ``training.txt``."""
    return part == workload or part.startswith((f"{workload}-", f"{workload}.", f"{workload}_"))
