"""What scripts and logins print above outputs.

A heading names the device that speaks, or a command, a date, and nothing else. Above the first output of a
device may also stand a legal banner, whose lines are words alone and name no machine, and what ssh says of
the address that a user gave it: below an output each such line may be about another machine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.commands import own
from netplan.live.headings import COMMAND_WORDS, RELATIONS
from netplan.live.noise import is_noise, named_in
from netplan.live.programs import word_set
from netplan.live.prompts import command_in
from netplan.model.values import parse_address
from netplan.reading.tables import Line

_AROUND = "*#=|+-_.,;:!?'\"()[]<>~ \t"
_WORD = re.compile(
    r"[^\W\d_]+(?:['\u2019][^\W\d_]{1,2})?|[^\W\d_]{2,}(?:[-/][^\W\d_]{2,}){1,3}|(?:[A-Za-z]\.){1,4}[A-Za-z]?"
    r"|[0-9]{1,6}|[0-9]{1,4}(?:[-/.:][0-9]{1,4}){1,2}|\u00a7|&"
)
"""Words, numbers, dates and times; not ``core-77``, ``10.1.1.1`` or a domain."""
_ROLES = frozenset({"leaf", "spine", "superspine", "core", "tor", "agg", "border", "edge"})
"""A machine may be called so."""
_ANNOUNCING = re.compile(
    r"ssh|telnet|next|trying|answers?|fail(?:ed|over|s)|verification|refused|unreachable|backup|standby"
    r"|peers?|neighbou?rs?|partner|twin"
)
"""Words of scripts that may say which machine comes next."""
_IN_SHORT = re.compile(
    r"other|another|(?:connect|check|collect|gather|switch|jump|read|query|runn|execut|logg|pars)ing|connected"
    r"|outputs?|results?"
)
"""The same, but in a long sentence."""
_LEGAL = re.compile(
    r"\b(?:un)?authori[sz]ed\b|\baccess\b|\bwarning\b|\bnotice\b|\bprohibited\b|\bprivate\b|\bmonitor"
    r"|\bwelcome\b|\bproperty\b",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"\b(?:contact|mail|e-mail|report|support|call|help)\b.*?\b(?P<mail>[\w.+-]+@[\w.-]+\w)", re.IGNORECASE
)
_PLACE = re.compile(r"(?:U|RU|DC|R|Rack|Row|Room|Hall|Pod|SU)-?[0-9]{1,4}", re.IGNORECASE)
"""Of the device that the line names."""
_SENTENCE, _LONG = 4, 7
_IN_HEADING = word_set(
    "command commands output outputs of for from on at to in executing running collecting gathering"
    " connecting connected fetching saving device host hostname node switch date time timestamp done ok"
    " no-more"
)
_SHOWN = frozenset({"bgp", "lldp", "show"})
_HEADING = re.compile(r"(?=.*[ncs])(?:[wncs]|na|an|(?<=s)r)*")
"""A name, words around it, those of commands; an address beside the name, not ``from leaf-1 to 10.9.9.9``;
and neighbours that a command shows, not ``Output of neighbor``."""
_LONGEST = 300
_DATE = re.compile(r"[0-9]{1,4}(?:[-/.:][0-9]{1,4}){1,2}(?:Z|[+-][0-9:]{2,5})?|[0-9-]{10}T[0-9:.]{8,15}Z?")


def above_output(lines: Sequence[Line], mine: str, machines: frozenset[str]) -> int:
    """How many of the lines at the top do. ``mine``: the one of all ``machines`` that speaks. In the last of
    them is a sentence, or its end: one or two words may be a title."""
    end, address, sentence = 0, "", False
    for number, line in enumerate(lines):
        said = named_in(line.text)
        if is_noise(line.text) or (said is not None and own(said, machines) == mine):
            continue
        if said is not None:
            if parse_address(said) is None or said != (address or said):
                break
            address, end = said, number + 1
            continue
        words = _words(line.text, mine, machines)
        if not words:
            break
        whole = _is_sentence(line.text, words)
        if whole or (sentence and line.text.rstrip()[-1] in ".!*#|"):
            end = number + 1
        sentence = sentence or whole
    return end


def _is_sentence(line: str, words: int) -> bool:
    return words >= _SENTENCE or (words > 1 and _LEGAL.search(line) is not None)


def is_heading(line: str, mine: str) -> bool:
    """``Collecting show vlan brief from leaf-1``, ``== interfaces ==``, ``leaf-1 (10.1.1.1)``"""
    words = _words_in(line[:_LONGEST])
    kinds = "".join(_kind(word, mine) for word in words)
    leaves = "from" in words and any(word.lower().startswith("connect") for word in words)
    return (
        len(line) <= _LONGEST
        and _HEADING.fullmatch(kinds) is not None
        and kinds.count("a") <= 1
        and not (leaves or command_in(line))
    )


def _words_in(text: str) -> list[str]:
    return [word for each in text.split() if (word := each.strip(_AROUND))]


def _kind(word: str, mine: str) -> str:
    """As in ``_HEADING``."""
    if mine and own(word, frozenset({mine})):
        return "n"
    if word.lower() in _IN_HEADING or _DATE.fullmatch(word) is not None:
        return "w"
    if word in COMMAND_WORDS:
        return "r" if word in RELATIONS else "s" if word in _SHOWN else "c"
    return "a" if parse_address(word) is not None else "?"


def _words(line: str, mine: str, machines: frozenset[str]) -> int:
    """How many words a line has that are more than a number or a letter; 0 if any may name a machine."""
    mail = _CONTACT.search(line)
    text = line if mail is None else line.replace(mail["mail"], "")
    words = _words_in(text.replace("--", " "))
    named = any(own(word, machines) == mine for word in words)
    long = len(words) >= _LONG
    known = all(_is_word(word, mine, machines, named=named, long=long) for word in words)
    return sum(map(_is_said, words)) if known and not command_in(line) else 0


def _is_said(word: str) -> bool:
    return len(word) > 1 and not word[0].isdecimal()


def _is_word(word: str, mine: str, machines: frozenset[str], *, named: bool, long: bool) -> bool:
    """``named``: the line names the device that speaks."""
    if found := own(word, machines):
        return found == mine
    parts = re.split("[-/]", word.lower())
    says = any(_ANNOUNCING.fullmatch(part) or (not long and _IN_SHORT.fullmatch(part)) for part in parts)
    may_name = says or not _ROLES.isdisjoint(parts)
    place = named and _PLACE.fullmatch(word) is not None
    return place or (_WORD.fullmatch(word) is not None and not may_name)
