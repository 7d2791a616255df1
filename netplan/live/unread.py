"""What is said of a command of which nothing is read, by the commands that the README of a switch names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from netplan.live.headings import of_host
from netplan.live.model import OTHERS, OUTPUTS, Kind, Unused
from netplan.live.sections import Section
from netplan.model.switching import SwitchPlan

UNREAD = "of a command that the switch's README leaves to people"
_OF_JSON = frozenset({"json", "native", "-j", "-o", "-e", "|", "display", "no-more"})
"""Words that only ask for another form, or for every row."""
_PLAIN = re.compile(r"[\s\"',|()\[\]]+")
_ANOTHER = re.compile("[;&]+")
_SHORTEST = 2
"""Letters of a word that switches know it by: ``sh`` for show."""


def nothing_read(part: Section, nos: str) -> Iterator[Unused]:
    """Nothing of a command that no README names, or that printed nothing."""
    typed, read = _words(part.command), command_read(part.command, nos)
    unread = _longest(typed, OUTPUTS.get(nos, OTHERS).unread)
    first = next((line for line in part.lines if line.text.strip()), None)
    if first is None:
        if read and part.ended and part.above is not None:
            yield Unused(part.above.at, f"nothing stands below {read}")
    elif len(_words(unread)) > len(_words(read)):
        yield Unused(first.at, UNREAD)
    elif read and _asks_json(read) and not _asks_json(part.command):
        yield Unused(first.at, f"as text, which is not read; save {read}")
    elif read:
        yield Unused(first.at, f"nothing of {read} is in it: {first.text.strip()[:80]}")


def nothing_of_host(part: Section) -> Iterator[Unused]:
    """Nothing of a command of a host whose output is read."""
    read = of_host(part.command)
    first = next((line for line in part.lines if line.text.strip()), None)
    if read and first is not None:
        yield Unused(first.at, f"nothing of {read} is in it: {first.text.strip()[:80]}")
    elif read and part.ended and part.above is not None:
        yield Unused(part.above.at, f"nothing stands below {read}")


def left_over(part: Section, switch: SwitchPlan, why: str) -> Iterator[Unused]:
    """Text without a command that holds a planned port or neighbour."""
    names = {*(port.name for port in switch.ports), *(str(each.address) for each in switch.neighbours)}
    longer = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or r"(?!)")
    lines = (line for line in part.lines if longer.search(line.text))
    line = next((line for line in lines if names & {*_PLAIN.split(line.text)}), None)
    if line is not None:
        yield Unused(line.at, why)


def one_not_read(part: Section, nos: str, found: Collection[Kind]) -> Iterator[Unused]:
    """Of several commands behind one prompt, those of which nothing is among the kinds ``found``; LLDP may
    have no neighbour of the plan."""
    each = [command_within(one, nos) for one in _ANOTHER.split(part.command)]
    commands = OUTPUTS.get(nos, OTHERS).commands
    for read in dict.fromkeys(each if len(each) > 1 and part.above is not None and not part.titled else ()):
        kinds = {kind for kind, command in commands.items() if command == read}
        if kinds and "lldp" not in kinds and not kinds & {*found} and part.above is not None:
            yield Unused(part.above.at, f"nothing of {read} is in it")


def command_within(command: str, nos: str) -> str:
    """As ``command_read``, with sudo or ssh before it."""
    words = _words(command)
    within = (command_read(" ".join(words[at:]), nos) for at in range(len(words)))
    return next(filter(None, within), "")


def command_read(command: str, nos: str) -> str:
    """The command whose output is read that it is, or begins with; empty if there is none."""
    outputs = OUTPUTS.get(nos, OTHERS)
    return _longest(_words(command), [*outputs.commands.values(), *filter(None, [outputs.bgp6])])


def _words(command: str) -> list[str]:
    words = command.replace("'", " ").replace('"', " ").replace("|", " | ").split()
    return [word for word in words if word not in _OF_JSON]


def _asks_json(command: str) -> bool:
    return bool({"json", "-j"} & {*command.replace("'", " ").replace('"', " ").replace("|", " ").split()})


def _longest(typed: Sequence[str], known: Iterable[str]) -> str:
    """The one that the typed words begin with, also cut short; empty if there is none."""
    fitting = [each for each in known if _begins(typed, _words(each))]
    return max(fitting, key=lambda each: len(_words(each)), default="")


def _begins(typed: Sequence[str], known: Sequence[str]) -> bool:
    return len(typed) >= len(known) and all(map(_is_short, typed, known))


def _is_short(typed: str, known: str) -> bool:
    return known.startswith("<") or typed == known or (len(typed) >= _SHORTEST and known.startswith(typed))
