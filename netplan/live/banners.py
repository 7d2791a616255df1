"""What scripts and logins print above outputs.

A heading names the device that speaks, or a command, a date, and nothing else. Above the first output of a
device may also stand a legal banner, whose lines are words alone and name no machine, and what ssh says of
the address that a user gave it: below an output each such line may be about another machine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.commands import own
from netplan.live.headings import COMMAND_WORDS
from netplan.live.noise import is_noise, named_in
from netplan.live.prompts import command_in
from netplan.model.values import parse_address
from netplan.reading.tables import Line

_AROUND = "*#=|+-_.,;:!?'\"()[]<>~ \t"
_WORD = re.compile(
    r"[A-Za-z]+(?:['\u2019][A-Za-z]{1,2})?|[A-Za-z]{2,}(?:[-/][A-Za-z]{2,}){1,3}|(?:[A-Z]\.){1,4}[A-Z]?"
    r"|[0-9]{1,6}|[0-9]{1,4}(?:[-/.:][0-9]{1,4}){1,2}|\u00a7|&"
)
"""Words, numbers, dates and times; not ``core-77``, ``10.1.1.1`` or a domain."""
_ROLES = frozenset({"leaf", "spine", "superspine", "core", "tor", "agg", "border", "edge"})
"""A machine may be called so."""
_ANNOUNCING = re.compile(
    r"ssh|telnet|next|another|(?:connect|check|collect|gather|switch|jump|read|query|runn|execut|logg|pars)ing|connected|outputs?|results?"
)
"""Words of scripts that may say which machine comes next."""
_SENTENCE = 4
_WORDS_OF_HEADINGS = (
    "command commands output outputs of for from on at to in executing running collecting gathering"
    " connecting connected fetching saving device host hostname node switch date time timestamp done ok"
    " no-more"
)
_IN_HEADING = frozenset(_WORDS_OF_HEADINGS.split())
_DATE = re.compile(r"[0-9]{1,4}(?:[-/.:][0-9]{1,4}){1,2}(?:Z|[+-][0-9:]{2,5})?|[0-9-]{10}T[0-9:.]{8,15}Z?")


def above_output(lines: Sequence[Line], mine: str, machines: frozenset[str]) -> int:
    """How many of the lines at the top do. ``mine``: the one of all ``machines`` that speaks. In the last of
    them is a sentence, or its end: one or two words may be a title."""
    end, address, sentence = 0, "", False
    for number, line in enumerate(lines):
        if is_noise(line.text):
            continue
        said = named_in(line.text)
        if said is not None:
            known = own(said, machines) == mine
            if not known and (parse_address(said) is None or said != (address or said)):
                break
            address, end = address if known else said, number + 1
            continue
        words = _words(line.text, mine, machines)
        if not words:
            break
        sentence = sentence or words >= _SENTENCE
        if words >= _SENTENCE or (sentence and line.text.rstrip()[-1] in ".!*#|"):
            end = number + 1
    return end


def is_heading(line: str, mine: str) -> bool:
    """``Collecting show vlan brief from leaf-1``, ``== interfaces ==``, ``leaf-1 (10.1.1.1)``"""
    words = [word for each in line.split() if (word := each.strip(_AROUND))]
    mines = [word for word in words if mine and own(word, frozenset({mine}))]
    others = [word for word in words if word not in mines and word.lower() not in _IN_HEADING]
    rest = [word for word in others if word not in COMMAND_WORDS and _DATE.fullmatch(word) is None]
    said = mines or any(word in COMMAND_WORDS for word in others)
    return (
        bool(said)
        and not command_in(line)
        and all(mines and parse_address(word) is not None for word in rest)
    )


def _words(line: str, mine: str, machines: frozenset[str]) -> int:
    """How many words a line of words alone has; 0 of any other line."""
    words = [word for each in line.split() if (word := each.strip(_AROUND))]
    return len(words) if not command_in(line) and all(_is_word(word, mine, machines) for word in words) else 0


def _is_word(word: str, mine: str, machines: frozenset[str]) -> bool:
    if named := own(word, machines):
        return named == mine
    parts = re.split("[-/]", word.lower())
    may_name = not _ROLES.isdisjoint(parts) or any(map(_ANNOUNCING.fullmatch, parts))
    return _WORD.fullmatch(word) is not None and not may_name
