"""Lines between outputs that no reader takes and that may name another machine: what stands below them is of
nobody, up to the next prompt or title that is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from netplan.live.commands import own
from netplan.live.titles import LOGIN, NO_SENTENCE, SAID, WORD, may_be_machine
from netplan.reading.tables import BROKEN_OFF, Line

_OF_OUTPUT = re.compile(
    r"^(?:(?:Profile|Pool): \S{1,64}\s*|check-rails: .*|# netplan collect .*"
    r"|[A-Z][A-Za-z0-9-]{1,20} .{0,40}Summary\b.*|BGP (?:router identifier|table version) .*|RIB entries .*"
    r"|Peers? [0-9]+, .*|Peer groups .*|Total number of .*|Displayed .*|No (?:IPv[46]|BGP) .*"
    r"|.*BGP .*not (?:found|running)|Changed polling interval .*|BIG_RED_SWITCH .*|Capability codes: .*"
    r"|Last cached time .*|Last login: .*|Script (?:started|done) .*|.*%[A-Z][A-Z0-9_]*-[0-9]-[A-Z0-9_]+: .*)"
)
"""Lines of outputs that are read, of login(1) and script(1), and messages of a switch."""
_NO_NAME = re.compile(
    r"l[23]vpn|[0-9A-Fa-f]{1,12}(?:[.:-][0-9A-Fa-f]{1,4}){0,7}|x86_64|amd64|i[3-6]86|aarch64|arm64|\S{0,12}utf-?8|ed25519|sha[0-9-]+|xterm-\S*|tty\S*|\S{0,20}json\S{0,5}"
    r"|(?:sonic|sonic[._-]|cumulus|eos|nxos|junos)[0-9._-]\S{0,40}",
    re.IGNORECASE,
)
"""MAC addresses and serial numbers in hexadecimal digits, architectures, keys, terminals, releases."""
_HEADING = re.compile(
    r"address(?:es)?|after|all|and|before|bgp|brief|check(?:s|ed)?|cli|complete[d]?|configuration|counters|details?|done"
    r"|ecn|end|entries|errors?|interfaces?|json|legend|links?|lldp|neighbou?rs?|note|password|pfc|ping|ports?|queues?"
    r"|rails?|sessions?|show|statistics|status|step|summary|sysctl|table|time|today|total|vlans?|warnings?|watchdog",
    re.IGNORECASE,
)
"""Words of headings above outputs: of any other one that stands alone, it may be a name."""
_MOST_WORDS = 8
_LONGEST = 200


def interruption(lines: Sequence[Line], whose: str, known: frozenset[str], asked: bool) -> int:
    """The number of the first such line; the number of lines without one. ``asked``: the prompt above has a
    command that is read, so that only what stands below its first output may be another machine's."""
    outputs = 0
    for number, line in enumerate(lines):
        if line.text.strip() and NO_SENTENCE.search(line.text):
            outputs += 1
        elif (outputs or not asked) and may_name_another(line.text, whose, known):
            return number
    return len(lines)


def may_name_another(line: str, whose: str, known: frozenset[str]) -> bool:
    known_line = NO_SENTENCE.search(line) or _OF_OUTPUT.match(line) or BROKEN_OFF.match(line)
    if len(line) > _LONGEST or known_line:
        return False
    words = [word.rstrip(".") for word in WORD.findall(LOGIN.sub(" ", line))]
    machines = {own(word, known) for word in words} - {""}
    if whose in machines:
        return False
    return bool(machines) or any(map(_may_be_name, words)) or _has_one_name(words)


@lru_cache(4096)
def _may_be_name(word: str) -> bool:
    return may_be_machine(word) and _NO_NAME.fullmatch(word) is None


def _has_one_name(words: Sequence[str]) -> bool:
    """Whether all of them but one, that has no digit, are those of headings and of programs that connect."""
    return len(words) <= _MOST_WORDS and len({word for word in words if stands_out(word)}) == 1


@lru_cache(4096)
def stands_out(word: str) -> bool:
    plain = not any(each.isdigit() for each in word)
    return plain and not any(form.fullmatch(word) for form in (SAID, _HEADING))
