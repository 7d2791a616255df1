"""Statements of configuration groups of Junos, as statements of the places that they are applied to.

juniper.net, Junos CLI User Guide, Configuration Groups Overview and Use Configuration Groups:
``apply-groups`` stands at the top or below a statement; a group has the whole path; names in ``<>`` are
wildcards, for what the configuration has; a statement of the configuration counts before one of a group, an
inner place before an outer one, a group before those listed after it; ``apply-groups-except`` leaves out.
``re0``, ``node0`` and the like hold on that part of the device alone, ``when`` on a condition: these stay as
they are, and so do groups that apply others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from netplan.reading.switches.port_ranges import MOST, Expanded, as_given
from netplan.records import dataclass

JUNOS = "juniper-junos"
APPLY, _EXCEPT, _GROUPS = "apply-groups", "apply-groups-except", "groups"
_WORD = re.compile(r'"[^"]*"|\S+')
_PART = re.compile(r"(?:re|node|member|lcc)[0-9]+")
_ONE = frozenset(
    {
        "vlan-id",
        "l3-interface",
        "native-vlan-id",
        "interface-mode",
        "mtu",
        "speed",
        "number-of-sub-ports",
        "channel-speed",
        "host-name",
        "router-id",
        "autonomous-system",
        "peer-as",
        "local-as",
        "type",
        "queue-num",
        "pfc-priority",
        "priority",
        "transmit-rate",
        "buffer-size",
        "aging-timer",
        "global-mac-table-aging-time",
        "802.3ad",
        "gateway",
        "scheduler-map",
        "congestion-notification-profile",
        "dscp",
        "ieee-802.1",
    }
)
"""Words with one value (leaves of Juniper/yang 2a696d62, 24.4R1, junos-qfx-conf-*.yang): that of the
configuration stays. Of other words the values add up."""
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Applied:
    """A place, and the groups that it has."""

    place: Path
    names: tuple[str, ...]


def with_groups(nos: str, text: str) -> Expanded:
    """``text``: of ``display set``. Lines of groups that are not applied, or not read, stay as they are."""
    if nos != JUNOS or f"set {_GROUPS} " not in text or f"{APPLY} " not in text:
        return as_given(text)
    lines = text.split("\n")
    found = _inherited([tuple(_WORD.findall(line)) for line in lines])
    if sum(map(len, found.values())) > MOST * 16:
        return as_given(text)
    every = [(n, text) for n, line in enumerate(lines, 1) for text in (found.get(n, [line]) or [""])]
    return Expanded("\n".join(text for _, text in every), tuple(number for number, _ in every))


def _inherited(words: Sequence[Path]) -> Mapping[int, list[str]]:
    """Line of a group -> the statements that it becomes; those without wildcards first."""
    groups, excepted = _groups(words), _applied(words, _EXCEPT)
    state = _State([own for own in words if own[:1] == ("set",) and own[1:2] != (_GROUPS,)])
    rows = [
        (each.place, name, number, own)
        for each in _applied(words, APPLY)
        for name in each.names
        for number, own in groups.get(name, {}).items()
    ]
    found: dict[int, list[str]] = {}
    for place, name, number, own in sorted(rows, key=lambda row: any(map(_is_wild, row[3]))):
        left = [one.place for one in excepted if name in one.names]
        found.setdefault(number, []).extend(state.inherited(place, own, left))
    return found


def _groups(words: Sequence[Path]) -> Mapping[str, Mapping[int, Path]]:
    """Name -> statements, by line from 1; without groups that are not read."""
    found: dict[str, dict[int, Path]] = {}
    for number, own in enumerate(words, 1):
        if own[:2] == ("set", _GROUPS) and len(own) > 3:
            found.setdefault(own[2], {})[number] = own[3:]
    off = [own for own in words if own[:1] == ("deactivate",) and {_GROUPS, APPLY} & {*own}]
    if any(own[-1] in (_GROUPS, APPLY) for own in off):
        return {}  # all of them, at one place
    closed = {name for own in off for name in own}
    return {n: rows for n, rows in found.items() if n not in closed and _is_plain(n, rows.values())}


def _is_plain(name: str, rows: Iterable[Path]) -> bool:
    """Whether no statement of a group goes by a condition or applies a group, and it is for all parts."""
    odd = any(own[0] == "when" or APPLY in own or _EXCEPT in own for own in rows)
    return not odd and not _PART.fullmatch(name)


def _applied(words: Iterable[Path], word: str) -> list[_Applied]:
    """The innermost places first, each with its groups in their order."""
    found: dict[Path, list[str]] = {}
    for own in words:
        if own[:1] == ("set",) and own[1:2] != (_GROUPS,) and word in own:
            at = own.index(word)
            names = (name.strip("[]") for name in own[at + 1 :])
            found.setdefault(own[1:at], []).extend(filter(None, names))
    places = sorted(found, key=len, reverse=True)
    return [_Applied(place, tuple(dict.fromkeys(found[place]))) for place in places]


class _State:
    """What the configuration states, with what it has inherited so far."""

    def __init__(self, stated: Sequence[Path]) -> None:
        self._names: dict[Path, set[str]] = {}
        self._known: set[Path] = set()
        self._single: set[Path] = set()
        for own in stated:
            self._take(own[1:])

    def _take(self, own: Path) -> None:
        if own in self._known:
            return
        self._known.add(own)
        for depth, word in enumerate(own):
            self._names.setdefault(own[:depth], set()).add(word)
            if word in _ONE and depth + 2 == len(own):
                self._single.add(own[: depth + 1])

    def inherited(self, place: Path, own: Path, left: Iterable[Path]) -> list[str]:
        """Lines that a statement of a group becomes at a place. ``left``: places that leave it out."""
        found = []
        for path in [*self._paths(place, own)]:
            single = path[:-1] if len(path) > 1 and path[-2] in _ONE else None
            out = any(path[: len(each)] == each for each in left)
            if not out and path not in self._known and (single is None or single not in self._single):
                self._take(path)
                found.append(f"set {' '.join(path)}")
        return found

    def _paths(self, place: Path, own: Path) -> Iterator[Path]:
        """With the names that wildcards have, below the place."""
        if len(own) <= len(place) or not all(map(_fits, own, place)):
            return
        paths: list[Path] = [place]
        for word in own[len(place) :]:
            if not _is_wild(word):
                paths = [(*path, word) for path in paths]
                continue
            names = ((path, name) for path in paths for name in sorted(self._names.get(path, ())))
            paths = [(*path, name) for path, name in names if _fits(word, name)][:MOST]
        yield from paths


def _is_wild(word: str) -> bool:
    return word.startswith("<") and word.endswith(">")


def _fits(word: str, name: str) -> bool:
    return fnmatchcase(name, word[1:-1]) if _is_wild(word) else word == name
