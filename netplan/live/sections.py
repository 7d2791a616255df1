"""Parts of a saved session: what each command printed, and on which switch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from netplan.reading.tables import PROMPT, Line, is_broken_off
from netplan.records import dataclass

_FILTER = re.compile(r"\|(?! *(?:json|display json|no-more)\b)")
_ONE = re.compile(
    r"\bvlan +(?:id +|name +)?[0-9]|\bdev +\S|\bneighbou?rs? +[0-9A-Fa-f]{0,4}[.:]|\b(?:failed|established)\b"
    r"|\bpfcwd (?:show )?config +[^\s;&>|-]"
)
"""Of one VLAN, interface or neighbour, or of some sessions."""
_TOTAL = re.compile(r"\s*Total [a-z ]{1,40}:? +[0-9]+\s*")
_VRF = re.compile(r"\b(?:vrf|view|instance) +(\S{1,64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """``whose``: the switch, empty where nothing says it. ``command``: behind the prompt, empty without one.
    ``ended``: another prompt is below it, and nobody broke it off."""

    whose: str
    command: str
    lines: tuple[Line, ...]
    ended: bool = False


def is_end(lines: Sequence[Line]) -> bool:
    """Whether the last line is whole though no line break ends it: a prompt, a total, or a rule of a grid."""
    last = lines[-1].text
    if PROMPT.match(last) or _TOTAL.fullmatch(last):
        return True
    return last.startswith("+-") and any(line.text == last for line in lines[:-1])


def shows_part(command: str) -> bool:
    """Whether a command shows a part of a list only, such as ``| grep Ethernet0`` or ``show vlan 103``."""
    return bool(_FILTER.search(command) or _ONE.search(command))


def vrf_of(command: str) -> str:
    """The VRF that a command about BGP asks for, all for several; empty for another command or none."""
    if not re.search(r"\bbgp\b", command):
        return ""
    asked = _VRF.search(command)
    return asked[1] if asked is not None else "default"


def sections(name: str, lines: Sequence[Line], known: Collection[str]) -> Iterator[Section]:
    """By the prompt before them; the first one by the file's name, and so those below a prompt with a name
    that is not planned, unless a planned one was before it: then it is of another device."""
    whose, command, part, told = named(name, known), "", list[Line](), False
    for line in lines:
        prompt = PROMPT.match(line.text)
        if prompt is None:
            part.append(line)
            continue
        ended = not any(map(is_broken_off, part))
        yield Section(whose=whose, command=command, lines=tuple(part), ended=ended)
        own = _own(prompt["name"], known)
        told = told or bool(own)
        whose = own or ("" if told else whose)
        command, part = line.text[prompt.end() :].strip(), []
        whose = _asked(command, known, whose)
    yield Section(whose=whose, command=command, lines=tuple(part))


def _asked(command: str, known: Collection[str], whose: str) -> str:
    """The switch that ``ssh`` asks, empty if it is none that is planned; else the one of the prompt."""
    words = command.split()
    if "ssh" not in words[:4]:
        return whose
    ends = (word.rpartition("@")[2] for word in words[words.index("ssh") + 1 :])
    return next(filter(None, (_own(end, known) for end in ends)), "")


def _own(prompted: str, known: Collection[str]) -> str:
    """The switch with a prompt's name, in any case and with or without a domain; empty if none has it."""
    if prompted in known:
        return prompted
    low = prompted.lower()
    for form in (low, low.partition(".")[0]):
        fitting = [each for each in known if each.lower() == form]
        if len(fitting) == 1:
            return fitting[0]
    return ""


def named(name: str, known: Collection[str]) -> str:
    """``dumps/leaf-1/bgp.txt``, ``leaf-1.txt`` or ``leaf-1-bgp.txt``: the longest name that fits."""
    for part in reversed(re.split(r"[/\\]", name)):
        fitting = [
            each for each in known if part == each or part.startswith((f"{each}.", f"{each}-", f"{each}_"))
        ]
        if fitting:
            return max(fitting, key=len)
    return ""
