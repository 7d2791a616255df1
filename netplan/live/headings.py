"""Lines that do no more than repeat a command whose output is read, as scripts print them above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.commands import destination
from netplan.live.model import OTHERS, OUTPUTS
from netplan.live.shells import simple, without_prefix

_AROUND = "=#*-<>$%:!+|,;`'\"()[]\u276f\u279c~ \t"
_WORDS = frozenset(("command", "cmd", "output", "of", "executing", "running", "sudo", "no-more"))
_NUMBER = re.compile(r"[0-9]{1,3}[.)]")
TIME = (
    r"(?:[A-Z][a-z]{2} (?:[A-Z][a-z]{2} +[0-9]{1,2}|[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}) [0-9:]{8}(?: [AP]M)?"
    r" [A-Z0-9+-]{2,5}(?: [0-9]{4})?"
    r"|\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
    r"(?:Z| ?[+-][0-9]{2}:?[0-9]{2}| UTC)?\]?)"
)
"""Of date(1) in the locales C and en_US, with ``-Is``, and of logs."""
_TIME = re.compile(rf"{TIME} ")
_ALSO = (
    "show bgp summary",
    "show interfaces description | json",
    "show vlan brief | json",
    "show vlans | display json",
    "show lldp neighbors | json",
    "nv show vrf default router bgp neighbor -o json",
    "lldpctl -f json0",
    "pfcwd show stats",
)
"""Beside those of the READMEs."""
_OF_HOSTS = re.compile(
    r"(?:/s?bin/|/usr/s?bin/)?(?:ip (?:-(?:d|j|details|json) )*(?:link|addr|address|a|l)(?: show)?"
    r"|rdma -j link|devlink -j (?:dev|port)(?: show)?|lshw -json|lspci -D -nn -vmm|nvidia-smi topo -m"
    r"|lldpctl -f json0?)"
)


def repeats_command(line: str) -> bool:
    return is_command(" ".join(_own(_TIME.sub("", line.strip(_AROUND), count=1).split())))


def is_command(text: str) -> bool:
    """Whether its output is read, or left to people by the README of a switch."""
    plain = text.replace('"', "'").strip(_AROUND)
    return plain in _COMMANDS or _OF_HOSTS.fullmatch(plain) is not None


def of_host(command: str) -> str:
    """The command of a host whose output is read, also behind ``sudo`` or ``ssh``; empty if it is none."""
    for words in simple(command) if ">" not in command else ():
        rest = without_prefix(words)
        behind = destination(rest[1:])[1] if rest[:1] == ["ssh"] else ()
        text = of_host(" ".join(behind)) if behind else " ".join(rest)
        if _OF_HOSTS.fullmatch(text):
            return text
    return ""


def _own(words: Sequence[str]) -> Sequence[str]:
    """Without words that stand around a command."""
    first, end = 0, len(words)
    while first < end and (_is_around(words[first]) or _NUMBER.fullmatch(words[first])):
        first += 1
    while first < end and _is_around(words[end - 1]):
        end -= 1
    return words[first:end]


def _is_around(word: str) -> bool:
    return word.strip(f"{_AROUND}/").lower() in {"", *_WORDS}


_COMMANDS = frozenset(
    " ".join(_own(each.split())).strip(_AROUND)
    for outputs in (OTHERS, *OUTPUTS.values())
    for each in (*outputs.commands.values(), *outputs.unread, outputs.bgp6, *_ALSO)
    if each
)
_MAY_NAME = frozenset({"all", "default", "is", "router"})
COMMAND_WORDS = frozenset(word for each in _COMMANDS for word in each.split() if word.isalpha()) - _MAY_NAME
"""Each says which output it is, and names no machine."""
