"""Text of a running configuration in the form that netplan's patterns have; every line keeps its number.

Junos (juniper.net, CLI user guide, ``show | display set``, ``deactivate``; CoS user guide, wildcards in
``class-of-service interfaces``): ``display set`` prints a leaf a line, also of what one ``set`` command sets
together, and statements that ``deactivate`` switches off. AS numbers in asdot notation: RFC 5396.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache

from netplan.reading.switches.expanded import expanded
from netplan.reading.switches.nvue_list import Listed, as_list
from netplan.reading.switches.other_words import SHIPPED, WORDS
from netplan.reading.switches.rules import Leaves, Rules

Numbered = tuple[int, str]
_ASDOT = re.compile(
    r"(\b(?:router bgp|bgp|remote-as\"?|peer-as|as-number|local-as\"?|autonomous-system\"?|asn)"
    r"[ :]+[\"']?)([0-9]{1,5})\.([0-9]{1,5})(?![0-9.])"
)
_MOST = 65536
_MOST_OFF = 10_000
_VALUES = re.compile(r"\[([^\[\]]*)\]|(\S+)")


@lru_cache(maxsize=64)
def settled(rules: Rules, text: str) -> str:
    """In netplan's words; AS numbers as one number; without what is inactive; the leaves of a statement in
    its first line."""
    words = WORDS.get(rules.nos.name)
    text = text if words is None else words(text)
    if "." in text:
        text = _ASDOT.sub(_as_number, text)
    if rules.inactive and rules.inactive in text:
        text = _active(text, rules.inactive)
    for spelling in rules.spelled:
        text = spelling.settle(text)
    for leaves in rules.leaves:
        text = _together(text, leaves)
    return text


def as_runs(rules: Rules, text: str) -> str:
    """A running configuration, with what it leaves out because it is as shipped; of a tree, as the list that
    NVUE prints."""
    add = SHIPPED.get(rules.nos.name)
    text = settled(rules, listed(rules, text).text)
    return text if add is None else add(text)


def listed(rules: Rules, text: str) -> Listed:
    """Also says which line of ``as_runs`` is which of the text."""
    return as_list(text) if rules.command else Listed(text)


def numbered(rules: Rules, text: str) -> Iterator[Numbered]:
    """The lines, from 1; one with a wildcard for each interface that has no such line of its own, one of a
    group or a range for each place that has it."""
    grown = expanded(rules.nos.name, text)
    text = grown.text
    lines = ((grown.line(at), line) for at, line in enumerate(settled(rules, text).split("\n"), start=1))
    begin = rules.wildcards
    if not begin or not re.search(rf"(?m)^{re.escape(begin)}\S*[*\[]", text):
        yield from lines
        return
    own = {found[0] for found in re.finditer(rf"(?m)^{re.escape(begin)}\S+ .*(?= )", text)}
    ports = sorted({found[1] for found in re.finditer(r"(?m)^set interfaces (\S+) ", text)})
    for number, line in lines:
        word, _, rest = line.removeprefix(begin).partition(" ")
        if not line.startswith(begin) or not {"*", "["} & {*word}:
            yield number, line
            continue
        rest = rest.replace("unit * ", "unit 0 ", 1)
        lines_of = (f"{begin}{port} {rest}" for port in ports if fnmatchcase(port, word))
        yield from ((number, each) for each in lines_of if each.rpartition(" ")[0] not in own)


def _as_number(found: re.Match[str]) -> str:
    high, low = int(found[2]), int(found[3])
    return f"{found[1]}{high * _MOST + low}" if max(high, low) < _MOST else found[0]


def _active(text: str, mark: str) -> str:
    paths = re.findall(rf"(?m)^{re.escape(mark)}(\S[^\n]*?)\s*$", text)[:_MOST_OFF]
    off = tuple(f"set {path} " for path in paths)
    return "\n".join("" if off and f"{line} ".startswith(off) else line for line in text.split("\n"))


def _together(text: str, leaves: Leaves) -> str:
    lines = text.split("\n")
    found: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate(lines):
        if match := leaves.begin.match(line):
            found.setdefault(match[0], []).append((number, line[match.end() :]))
    for begin, parts in found.items():
        values = _values(leaves, [rest for _, rest in parts]) if len(parts) > 1 else None
        if values is not None:
            for number, _ in parts:
                lines[number] = ""
            said = (word if not each else f"{word} {_listed(each)}" for word, each in values.items())
            lines[parts[0][0]] = " ".join([begin, *said])
    return "\n".join(lines)


def _values(leaves: Leaves, rests: list[str]) -> dict[str, list[str]] | None:
    """Leaf -> its values, in the order of ``leaves``, where each line has one; None where one has several, or
    another."""
    values: dict[str, list[str]] = {}
    for rest in rests:
        word, *found = [each[2] or each[1] for each in _VALUES.finditer(rest)] or [""]
        if word not in leaves.words or not leaves.words.isdisjoint(found):
            return None
        own = [value for each in found for value in each.split()]
        values[word] = [*values.get(word, ()), *own] if leaves.lists else own
    return {word: values[word] for word in leaves.order if word in values}


def _listed(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"[ {' '.join(values)} ]"
