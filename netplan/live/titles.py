"""Lines above an output that may name the machine or pod that printed it, as loops over machines write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from netplan.live.prefixes import by_machine
from netplan.reading.tables import Line
from netplan.records import dataclass

_MARK = re.compile(r"\s*(?P<mark>[=#*+<>-]{2,}|# (?=[\w./-]{1,120}\Z))")
_MARKS = "=#*+<>:- \t"
_LONGEST = 160
"""``== leaf-1 ==``, as loops over machines or pods print it above the output of each."""
_LABEL = re.compile(
    r"\s*\[?(?P<name>[A-Za-z0-9][A-Za-z0-9._/-]{0,120})(?:\]?:|\]|(?P<ran> \| [A-Z]{1,20}\b.{0,40}))\s*"
)
"""``leaf-1:``, ``[leaf-1]``, ``gpu-001 | CHANGED | rc=0 >>`` of ansible."""
_PSSH = re.compile(r"\[[0-9]{1,6}\] [0-9:]{8} \[(?:SUCCESS|FAILURE)\] (?P<name>[^\s:]{1,120})\b.*")
_FRAME = re.compile(r"([-=*#_~])\1{4,199}")
_FRAMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._,/\[\]-]{0,120}(?P<number> \([0-9]{1,6}\))?")
"""``gpu-001`` between two rules, of dshbak; ``gpu-[001-004]`` with ``-c``, ``gpu-[001-004] (4)`` of clush
(chaos/pdsh scripts/dshbak.in, clush(1), lilydjwg/pssh bin/pssh: unconfirmed at their sources)."""
_FILE = re.compile(r"==> (\S.{0,150}) <==")
"""Of head and tail for several files (coreutils src/head.c and src/tail.c, write_header)."""
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PATH = re.compile(rf"(?:[a-z0-9.-]{{1,63}}/)?{WORD.pattern}")
"""``leaf-1``, ``pod/training-0``, ``training/training-0``"""
_MORE = re.compile("more", re.IGNORECASE)
LOGIN = re.compile(r"[A-Za-z0-9._-]{1,64}@")
_CALLED = frozenset({"device", "host", "hostname", "machine", "node", "router", "switch", "server"})
_MACHINE = re.compile(
    r"(?!(?:ethernet|port|portchannel|port-channel|vlan|loopback|swp|eth|en[opsx]|ibp?|mlx|mgmt|bond|lag|ae|po"
    r"|lo|et|xe|ge|irb|docker|veth|rdma|roce|ipv|ip|asic|rail|queue|step|v|management|tunnel|nve|null|vxlan|vtep|cpu|nic"
    r"|numa|psu|fan|slot|fxp|em|vme|hu|gi|te)"
    r"[-_]?[0-9])(?=.*[0-9])[a-z][a-z0-9._-]{1,62}",
    re.IGNORECASE,
)
"""A letter and a digit, and no port, VLAN or address family: the name that a machine may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """``mark``: how it begins. ``file``: whose name it is. ``strange``: it names a machine, known or not, on
    any line; of a label, only on the first line of a file."""

    mark: str
    words: tuple[str, ...]
    file: str = ""
    strange: bool = False


SAID = re.compile(
    r"begin|changed|checking|collecting|commands?|connect(?:ed|ing|ion)|device|err(?:or)?|executing|fail(?:ed|ure)"
    r"|false|for|from|host(?:name)?|in|info|into|logged|login|machine|node|of|ok|on|open(?:ed|ing)?|out(?:put)?|pods?"
    r"|reply|response|results?|router|running|server|session|spawn|ssh|start(?:ed)?|std(?:err|out)|success|switch"
    r"|target|telnet|the|to|true|trying|unreachable",
    re.IGNORECASE,
)
"""Words beside a name in what programs say that connect to it: nornir, Ansible, Fabric, expect, telnet."""
_CERTAIN = frozenset({"spawn", "connected", "connecting", "telnet", "ssh"})
"""Beside these a name needs no digit."""
NO_SENTENCE = re.compile(r"^(?:[\s\"{}\]|+]|\[(?![A-Za-z0-9]))|\t| {2}|\w\s*=\s*\w")
"""In JSON, rows and settings."""
_NO_NAME = re.compile(r"[0-9.:]+")


_UNAME = re.compile(r"Linux (?P<name>[A-Za-z0-9._-]{1,63}) [0-9]+\.[0-9]\S{0,60} #[0-9].*")
"""uname -a, which Debian and SONiC print at login (/etc/update-motd.d/10-uname)."""


def said_of(line: str) -> str:
    """The machine that a line is about, which has no words but its name and those of a program that connects
    to machines; empty of any other line."""
    if len(line) > _LONGEST or NO_SENTENCE.search(line):
        return ""
    if kernel := _UNAME.fullmatch(line):
        return kernel["name"]
    words = [word.rstrip(".") for word in WORD.findall(LOGIN.sub(" ", line)) if not _NO_NAME.fullmatch(word)]
    names = {word for word in words if not SAID.fullmatch(word)}
    if len(names) != 1:
        return ""
    name = names.pop()
    certain = may_be_machine(name) or bool(_CERTAIN & {word.lower() for word in words})
    return name if certain and not _MORE.search(line) else ""


def path(line: str) -> str:
    """The last part of the one word on a line; empty if there is another."""
    word = line.strip()
    return word.rpartition("/")[2] if _PATH.fullmatch(word) else ""


def as_title(line: str) -> Title | None:
    if len(line) > _LONGEST:
        return None
    if of_file := _FILE.fullmatch(line.strip()):
        return Title(mark="==", words=(), file=of_file[1], strange=True)
    if of_pssh := _PSSH.fullmatch(line):
        return Title(mark="pssh", words=(of_pssh["name"],), strange=True)
    if mark := _MARK.match(line):
        words = WORD.findall(line.strip(_MARKS))
        return _marked(mark["mark"][:2], words) if words and not _MORE.search(line) else None
    label = _LABEL.fullmatch(line)
    if label is None:
        return None
    return Title(mark="label", words=tuple(WORD.findall(label["name"])), strange=bool(label["ran"]))


def headed(
    lines: Sequence[Line], is_machine: Callable[[str], bool], is_pod: Callable[[str], bool]
) -> Iterator[tuple[Line, Title | None]]:
    """Each line, with the title that it is: between two rules, which are left out, or before what one machine
    printed."""
    if groups := list(by_machine(lines, is_machine)):
        for name, rows in groups:
            yield Line(name, rows[0].at), Title(mark="prefix", words=(name,), strange=True)
            yield from ((row, None) for row in rows)
        return

    def known(word: str) -> bool:
        return is_machine(word) or is_pod(word)

    rules = [_FRAME.fullmatch(line.text.strip()) is not None for line in lines]
    frames = dict[int, Title]()
    for at in range(1, len(lines) - 1):
        alike = rules[at - 1] and rules[at + 1] and lines[at - 1].text.strip() == lines[at + 1].text.strip()
        if alike and (title := _framed(lines[at].text.strip(), known)):
            frames[at] = title
    left = {at + side for at in frames for side in (-1, 1)}
    yield from ((line, frames.get(at)) for at, line in enumerate(lines) if at not in left)


def _framed(text: str, known: Callable[[str], bool]) -> Title | None:
    found = _FRAMED.fullmatch(text)
    if found is None:
        return None
    words = tuple(WORD.findall(text.partition(" ")[0]))
    several = found["number"] or "[" in text or "," in text
    names = several or any(known(word) or may_be_machine(word) for word in words)
    return Title(mark="frame", words=words, strange=True) if names else None


def _marked(mark: str, words: list[str]) -> Title:
    alone = len(words) == 1 or (len(words) == 2 and words[0].lower() in _CALLED)
    return Title(mark=mark, words=tuple(words), strange=alone and may_be_machine(words[-1]))


def may_be_machine(word: str) -> bool:
    return _MACHINE.fullmatch(word) is not None


def may_name(line: str) -> bool:
    """Whether it may be the name of a machine: no heading that repeats a command, and no sentence."""
    title = as_title(line)
    if title is None or title.strange:
        return title is not None or bool(path(line))
    return len(title.words) == 1 or any(map(may_be_machine, title.words))


def is_title(line: str) -> bool:
    """Whether a line may name who speaks below it."""
    return bool(path(line)) or as_title(line) is not None
