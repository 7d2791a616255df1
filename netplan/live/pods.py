"""Output of ``pods/<workload>/check-rails.sh`` including its errors: ``sh -s < check-rails.sh > FILE 2>&1``.

Shape: templates/pod/check-rails.sh.j2 of this project. It names every rail only if all are right. What stands
there in its place: ``live.pod_words``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from netplan.diagnostics import Source
from netplan.live.commands import why_no_state
from netplan.live.model import Reading
from netplan.live.names import Known, by_name, exec_of, workload_of
from netplan.live.pod_prompts import parted
from netplan.live.pod_runs import Runs, names_no_pod, runs
from netplan.live.pod_words import is_above, is_failure, is_harmless, is_unopened
from netplan.live.sections import Section
from netplan.live.seen import NOBODY
from netplan.model.ranges import gathered
from netplan.reading.tables import Line
from netplan.records import dataclass

Workloads = Mapping[str, frozenset[str]]
"""Name -> interfaces of its rails."""
_PREFIXED = re.compile(
    r"(?P<prefix>\[[^\]\s]{1,120}\]|[0-9]{1,5}:|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,18}Z)"
    r"(?:<std(?:out|err)>:)? ?(?P<text>.*)"
)
"""What others put before each line: the pod (``kubectl logs --prefix``, ``[pod/%s/%s] `` of
addPrefixIfNeeded), the time (``kubectl logs --timestamps``); unconfirmed: the rank (``mpirun --tag-output``,
``srun --label``)."""
_TIME = re.compile(r"[0-9]{4}-.*")
_SAID = re.compile(r"check-rails: (.{1,2000})")
_OK = re.compile(r"ok, ([A-Za-z0-9_.\- ]+)")
_FAILED_CHECK = "a check that did not run, or did not end"
_UNASKED = "gateways not asked"
_NO_IP = "no ip command in this image"
_INTERFACES = (
    re.compile(r"(?P<interface>\S+) has no IPv[46] address"),
    re.compile(r"\S+ from \S+ does not leave on (?P<interface>[^\s:]+):"),
    re.compile(r"the pod's IPv[46] default route is on rail (?P<interface>\S+)"),
    re.compile(r"gateway \S+ does not answer on (?P<interface>[^\s:]+):"),
)
_EXIT = re.compile(r"command terminated with exit code ([0-9]{1,3})\s*")
_IN_POD = re.compile(r"\b(?:exec|rsh|nsenter)\b")
_PIPED = re.compile(r"\|.*(?:\bexec\b|\bnsenter\b)")
"""``cat check-rails.sh | kubectl exec -i POD -- sh -s``"""
_LOOP = re.compile(r"\b(?:for|while)\s.*\bdo\b")


@dataclass(frozen=True, slots=True)
class PodCheck:
    """``why``: what was not read, and why; empty if all was."""

    readings: tuple[Reading, ...] = ()
    why: str = ""


def apart(
    name: str, parts: Sequence[Section], known: Known
) -> tuple[list[tuple[str, Section]], list[Section]]:
    """Parts that are output of the check, or of what should have run it, each with the workload that a line
    above it is about; and the other ones. Without any output of the check in it, the file, not its folder
    alone, is named after a workload, and no part of it is a switch's."""
    parts = [each for part in parts for each in _by_prefix(part, known.workloads)]
    if not any(map(has_check, parts)) and not _is_of_pod(name, parts, known):
        return [], list(parts)
    own, others, parts = list[tuple[str, Section]](), list[Section](), parted(parts)
    for number, part in enumerate(parts):
        blank = _is_blank(part, parts[number + 1 :], bool(number))
        ran = _is_in_pod(part) and _should_have(part, bool(number))
        if not blank and (ran or _is_unopened(part, known.workloads)):
            own.append((part.pod or exec_of(part.command, known.workloads), part))
        elif not blank:
            others.append(part)
    return own, others


def _is_blank(part: Section, below: Sequence[Section], behind: bool) -> bool:
    """Above the first prompt or title, or between a loop and the first title that it prints."""
    loop = bool(below) and below[0].titled and _LOOP.search(part.command) is not None
    lines = part.lines[1:] if part.nobody and part.lines[:1] == (part.above,) else part.lines
    return bool(below) and (loop or not behind) and all(is_above(line.text) for line in lines)


def _by_prefix(part: Section, workloads: Collection[str]) -> Iterator[Section]:
    """What each pod or rank printed, whose lines others have joined."""
    found = {line.at: each for line in part.lines if (each := _PREFIXED.fullmatch(line.text))}
    if not any(_SAID.match(each["text"]) for each in found.values()):
        yield part
        return
    groups: dict[str, list[Line]] = {}
    for line in part.lines:
        each = found.get(line.at)
        prefix = _TIME.sub("", each["prefix"]) if each is not None else ""
        groups.setdefault(prefix, []).append(Line(each["text"] if each is not None else line.text, line.at))
    for prefix, lines in groups.items():
        if any(line.text.strip() for line in lines):
            yield _of_prefix(replace(part, lines=tuple(lines)), prefix, workloads)


def _of_prefix(part: Section, prefix: str, workloads: Collection[str]) -> Section:
    words = re.split(r"[^A-Za-z0-9._-]+", prefix)
    pod = next((whose for word in words if (whose := workload_of(word, workloads))), "")
    nobody = part.nobody or (prefix.startswith("[pod/") and not pod)
    return replace(part, pod=pod or part.pod, titled=part.titled or bool(prefix), nobody=nobody)


def _is_in_pod(part: Section) -> bool:
    """Neither the content of a file nor what the script prints on a machine itself."""
    if not part.command or _PIPED.search(part.command):
        return True
    if not part.whose and runs(part.command, bool(part.pod)) is Runs.CHECK:
        return True
    return not (why_no_state(part.command) or (part.whose and not _IN_POD.search(part.command)))


def has_check(part: Section) -> bool:
    """Whether anything in it is output of the script."""
    return any(line.text.startswith("check-rails: ") for line in part.lines)


def _is_of_pod(name: str, parts: Sequence[Section], known: Known) -> bool:
    """Nothing but an error, or nothing at all, stands there."""
    if by_name(name, known.switches)[0] or any(part.whose for part in parts):
        return False
    if not by_name(name, known.workloads)[1]:
        return False
    lines = [line.text for part in parts for line in part.lines if line.text.strip()]
    told = [text for text in lines if not is_harmless(text)]
    if any(_SAID.search(text) for text in told):  # behind what is not known
        return True
    return not told or is_failure(told[0]) or is_failure(told[-1])


def _should_have(part: Section, behind: bool) -> bool:
    """Whether the check ran there, or should have. ``behind``: behind a prompt or title."""
    if has_check(part) or _SAID.search(part.command):  # behind what is no prompt
        return True
    if part.whose:
        return False
    if not part.command:
        return not behind or part.titled
    asked = runs(part.command, bool(part.pod) and not part.titled)
    return asked is Runs.CHECK or (asked is Runs.SCRIPT and _is_failed(part))


def _is_failed(part: Section) -> bool:
    """Of a script that may be a copy of the check: it printed an error, or nothing, as no check does."""
    lines = [line.text for line in part.lines if not is_harmless(line.text)]
    return any(map(is_failure, lines)) or not (lines or (part.pod and not part.titled))


def _is_unopened(part: Section, workloads: Collection[str]) -> bool:
    """An error below a command that was to run in a pod, which may be of a workload, or below its title."""
    of_pod = bool(part.pod) if part.titled else bool(exec_of(part.command, workloads))
    unsure = _IN_POD.search(part.command) is not None and names_no_pod(part.command)
    return (of_pod or unsure) and any(is_unopened(line.text) for line in part.lines)


def read_checks(name: str, parts: Sequence[tuple[str, Section]], workloads: Workloads) -> Iterator[PodCheck]:
    """Where nothing says whose a check is that did not run, it may be that of every workload in the file."""
    named = [(frozenset(interface for interface, _, _ in _told(part.lines)), part) for _, part in parts]
    meant = [
        whose or _workload(name, said, workloads) for (whose, _), (said, _) in zip(parts, named, strict=True)
    ]
    every = [one for one in dict.fromkeys(meant) if one]
    for whose, (said, part) in zip(meant, named, strict=True):
        owners = [whose] if whose else [] if said else every
        if not owners:
            broken = _broken(part)
            unseen = [_silent(each, workloads[each], broken.at) for each in every if broken is not None]
            yield PodCheck(
                tuple(chain(*unseen)), "no line names the pod's workload: name the file after the workload"
            )
        yield from (_check(each, part, workloads[each], len(parts) > 1) for each in owners)


def _check(whose: str, part: Section, own: frozenset[str], several: bool) -> PodCheck:
    """``several``: parts of the file. Below a line that is none of the check another pod may speak."""
    strange, broken = _strange(part.lines), _broken(part)
    above = part.lines if broken is None else part.lines[: part.lines.index(broken)]
    told = list(_told(above))
    at = part.lines[0].at if part.above is None else part.above.at
    why = ""
    if not told and (strange or broken is None or not has_check(part)):
        why = _not_run(part, strange)
    elif other := _other_plan(whose, told, own):
        why = f"{other}: check-rails.sh of another workload, or of another plan"
    if why:
        return PodCheck(_silent(whose, own, at), f"line {at.line}: {why}" if several else why)
    readings = tuple(_reading(whose, interface, found, line.at) for interface, found, line in told)
    if broken is not None:
        return PodCheck(
            (*readings, *_silent(whose, own, broken.at)), _why(broken, part, part.lines[len(above) + 1 :])
        )
    why = strange if strange.startswith(_UNASKED) else f"not a line of check-rails.sh: {strange}"
    return PodCheck(readings, why if strange else "")


def _not_run(part: Section, strange: str) -> str:
    return f"the check did not run: {strange}" if strange else f"no output of check-rails.sh: {_first(part)}"


def _why(broken: Line, part: Section, below: Sequence[Line]) -> str:
    said = f"{_FAILED_CHECK}: {broken.text.strip()[:200]}"
    if part.nobody or any(_SAID.match(line.text) for line in below):
        said = f"{broken.text.strip()[:80]}: {NOBODY}"
    return f"line {broken.at.line}: {said}"


def _broken(part: Section) -> Line | None:
    """The first line that is none of the check: it may name another pod, or be what one printed in its
    place."""
    wrong = False
    for line in part.lines:
        if part.nobody:
            return line
        said = _SAID.match(line.text)
        if said is not None:
            if said[1].startswith(_NO_IP):
                return line
            wrong = not said[1].startswith(("ok, ", _UNASKED))
        elif (ended := _EXIT.fullmatch(line.text)) is not None and ended[1] == "1" and wrong:
            wrong = False
        elif not is_harmless(line.text):
            return line
    return None


def _reading(whose: str, interface: str, found: str, at: Source) -> Reading:
    return Reading(
        where=whose,
        kind="rails",
        subject=interface,
        field="routes",
        found=found,
        at=at,
        silent=not found,
    )


def _silent(whose: str, own: frozenset[str], at: Source) -> tuple[Reading, ...]:
    """Of all rails: what other pods of the workload say does not stand for this one."""
    return tuple(_reading(whose, interface, "", at) for interface in sorted(own))


def _other_plan(whose: str, told: Sequence[tuple[str, str, Line]], own: frozenset[str]) -> str:
    """How it shows that this workload's script of today does not print this."""
    named = frozenset(interface for interface, _, _ in told)
    whole = any(found == "ok" for _, found, _ in told)
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


def _first(part: Section) -> str:
    """What stands there instead, as kubectl says it."""
    shown = next((line.text.strip() for line in part.lines if line.text.strip()), "")
    of = "the file is empty" if part.above is None else "nothing stands there"
    return shown[:200] or f"{of}; save its errors too (2>&1)"


def _workload(name: str, interfaces: frozenset[str], workloads: Workloads) -> str:
    """The one that the file is named after; else the one with these interfaces: if several have them, the one
    that a folder is named after."""
    named, of_file = by_name(name, workloads)
    if named and (of_file or not interfaces):
        return named
    fitting = [each for each, own in workloads.items() if interfaces and interfaces <= own]
    return named if named in fitting else fitting[0] if len(fitting) == 1 else ""
