"""Whether a command shows all that a list has: only if each word of it is known to leave nothing out.

Options and words of each list: sonic-net/sonic-utilities 691b1bbc show/main.py, show/vlan.py, pfcwd/main.py,
scripts/ecnconfig; bridge(8); the command references of EOS, NX-OS and Junos; NVUE Reference, Common Options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from netplan.live.bgp_commands import known_word, of_some, strange_word
from netplan.live.commands import OTHER_FAMILY, is_filtered

PART = "by its command a part of the list: what is not there is not seen"
_LISTS: Sequence[tuple[str, str]] = (
    ("show vlan", "brief"),
    ("show vlans", "brief detail extensive"),
    ("show ip interfaces", "brief -d all"),
    ("show ipv6 interfaces", "brief -d all"),
    ("pfcwd show config", "-d all"),
    ("show pfcwd config", "-d all"),
    ("ecnconfig", "-l --list -v -vv --verbose"),
    ("bridge", "-j -json -p -pretty -d -details -c vlan show list"),
)
"""How a list is asked for, and words behind it that leave nothing out."""
_BEFORE = (
    "sudo",
    "time",
    "do",
    "run",
    "cli",
    "docker",
    "exec",
    "-i",
    "-t",
    "-it",
    "bgp",
    "vtysh",
    "env",
    "nohup",
)
"""Words before it that do not either; behind ssh its options and the machine are."""
_BEFORE_BGP = frozenset({"ip", "ipv4", "ipv6", "router"})
_INTO = re.compile(r"[0-9]?>+&?\s*\S+")
_ANOTHER, _GIVEN, _PIPE, _QUOTE = map(re.compile, (r"[;&]+", r"\s-c\s", r"\|.*", r"['\"<]"))
_SHORTEST = 2
"""Letters of a word that switches know it by."""


def shows_part(command: str) -> bool:
    """Of a command that asks for no known list, too: what it prints may be a part of one."""
    if not command:
        return False
    found = [lists for each in _commands(command) if (lists := _lists_all(*each)) is not None]
    return is_filtered(command) or of_some(command) or not (found and all(found))


def _commands(command: str) -> Iterator[tuple[list[str], list[str]]]:
    """(words of the program that it is given to, its own words) of each."""
    for each in _ANOTHER.split(_INTO.sub("", command)):
        program, *given = (_QUOTE.sub(" ", part).split() for part in _GIVEN.split(_PIPE.sub("", each)))
        yield from ((program, words) for words in given) if given else [([], program)]


def _lists_all(before: list[str], words: list[str]) -> bool | None:
    """None of a command that asks for no list."""
    shows = next((at for at, word in enumerate(words) if _is_short(word, "show")), len(words))
    if "bgp" in words[shows:]:
        if OTHER_FAMILY.search(" ".join(words)):
            return None
        program = [*before, *words[: shows - (words[shows - 1 : shows] == ["nv"])]]
        return _adds_nothing(program) and _lists_sessions(words[shows + 1 :])
    for at in range(len(words)):
        for head, more in _LISTS:
            if _begins(words[at:], head.split()):
                behind = words[at + len(head.split()) :]
                known = all(any(_is_short(word, each) for each in more.split()) for word in behind)
                return known and _adds_nothing([*before, *words[:at]])
    return None


def _adds_nothing(words: Sequence[str]) -> bool:
    behind_ssh = words.index("ssh") if "ssh" in words else len(words)
    return all(word in _BEFORE for word in words[:behind_ssh] if "=" not in word)


def _lists_sessions(words: Sequence[str]) -> bool:
    """``words``: behind show."""
    before = iter(words[: words.index("bgp")])
    for word in before:
        if word == "vrf":
            next(before, "")
        elif word not in _BEFORE_BGP and not known_word(word):
            return False
    return not strange_word(" ".join(("show", *words)))


def _begins(words: Sequence[str], head: Sequence[str]) -> bool:
    return len(words) >= len(head) and all(map(_is_short, words, head))


def _is_short(word: str, known: str) -> bool:
    return word == known or (len(word) >= _SHORTEST and word[0] != "-" and known.startswith(word))
