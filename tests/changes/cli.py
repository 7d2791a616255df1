"""A model of a switch with a block CLI, for testing changes: it accepts or rejects lines one by one.

It knows nothing of change.yaml. The commands of each NOS are a separate table (``eos.py``, ...); ``Rule``s
must hold after every line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_interface
from itertools import combinations

Path = tuple[str, ...]
Objects = dict[Path, dict[str, str]]


class RefusedError(Exception):
    """The switch rejects a line."""


@dataclass
class State:
    """``objects``: path of a block -> keys set in it; ``kept``: settings that others share; ``headers``: the
    line that entered a block."""

    objects: Objects = field(default_factory=lambda: {(): {}})
    kept: set[Path] = field(default_factory=set)
    headers: dict[Path, str] = field(default_factory=dict)

    def flat(self) -> dict[Path, str]:
        return {(*path, key): value for path, keys in self.objects.items() for key, value in keys.items()}

    def below(self, path: Path) -> list[Path]:
        return [each for each in self.objects if each[: len(path)] == path]

    def drop(self, path: Path) -> None:
        for each in self.below(path):
            del self.objects[each]


@dataclass(frozen=True)
class Form:
    """A command. ``within``: pattern of its mode, the path of blocks joined by `` / ``.

    ``opens``: the block it enters, and creates if missing; ``inside``: what it sets there. ``sets``: the key,
    ``value``: its value (default: the whole line); ``adds``, ``takes``: members of a list, whose value is the
    line that shows it, with # for the members. ``unsets``: keys to remove (patterns, any of which may match);
    ``wipes``: keys removed when the value changes; ``clears``: keys removed with it, with their path below
    the block; ``ends``: the block to remove. ``keeps``: others share it. {0}, {1}: groups of the command.
    """

    within: str
    command: str
    opens: str = ""
    whole: bool = True
    sets: str = ""
    value: str | None = "{0}"
    adds: str = ""
    takes: str = ""
    unsets: Sequence[str] = ()
    ends: str = ""
    keeps: bool = False
    wipes: Sequence[str] = ()
    clears: Sequence[str] = ()
    inside: Mapping[str, str] = field(default_factory=dict)
    refused: Callable[[State, Path, str], str] = lambda state, path, line: ""


Fill = Callable[[str], str]
Rule = Callable[[State], Iterable[str]]


def numbers(text: str) -> list[int]:
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


class Cli:
    def __init__(
        self,
        forms: Sequence[Form],
        rules: Sequence[Rule],
        *,
        comment: str,
        leave: str,
        free: str = "(?!)",
        flat: Callable[[str], tuple[str, str]] | None = None,
        start: Callable[[], State] = State,
    ) -> None:
        self.forms = [(form, re.compile(form.within), re.compile(form.command)) for form in forms]
        self.rules, self.comment, self.leave = rules, comment, leave
        self.free, self.flat, self.start = free, flat, start

    def run(self, texts: Iterable[str], state: State | None = None, *, strict: bool = True) -> State:
        """The state after all lines. ``strict``: lines are entered, not loaded: each block must be left
        before a line of a higher one, and the rules must hold after each line."""
        state = deepcopy(state) if state is not None else self.start()
        for text in texts:
            self._text(text, state, strict)
        return state

    def _text(self, text: str, state: State, strict: bool) -> None:
        path: Path = ()
        above: list[int] = []
        for raw in text.splitlines():
            line, depth = raw.strip(), len(raw) - len(raw.lstrip())
            if not line or line.startswith(self.comment) or re.fullmatch(self.free, line):
                continue
            if line == self.leave:
                path = path[:-1]
                continue
            if not strict:
                while above and above[-1] >= depth:
                    above.pop()
                path = path[: len(above)]
                above.append(depth)
            try:
                path = self._line(line, path, state)
            except RefusedError as error:
                raise RefusedError(f"{' / '.join(path)}> {line}: {error}") from None
            broken = [fault for rule in self.rules for fault in rule(state)] if strict else []
            if broken:
                raise RefusedError(f"{' / '.join(path)}> {line}: {broken[0]}")

    def _line(self, line: str, path: Path, state: State) -> Path:
        if self.flat is not None:
            header, rest = self.flat(line)
            if rest:
                block = self._take(header, (), state, opening=True)
                self._take(rest, block, state)
                return path
        return self._take(line, path, state)

    def _take(self, line: str, path: Path, state: State, *, opening: bool = False) -> Path:
        mode = " / ".join(path)
        for form, within, command in self.forms:
            if not within.fullmatch(mode) or (match := command.fullmatch(line)) is None:
                continue
            if opening and not form.opens:
                continue
            return self._done(form, _fill(line, match), path, state)
        raise RefusedError("there is no such command here")

    def _done(self, form: Form, fill: Fill, path: Path, state: State) -> Path:
        here = state.objects[path]
        if fault := form.refused(state, path, fill("{0}")):
            raise RefusedError(fault)
        if form.ends:
            self._end((*path, fill(form.ends)), state)
            state.kept.discard((*path, fill("{0}").partition(" ")[2]))
        for key in form.unsets:
            _unset(fill(key), here)
        self._cleared(form, fill, path, state)
        if form.keeps:
            state.kept.add((*path, fill("{0}")))
        elif form.sets and form.value is None:
            here.pop(fill(form.sets), None)
        elif form.sets:
            here[fill(form.sets)] = fill(form.value or "")
        _members(form, fill, here)
        return self._opened(form, fill, path, state) if form.opens else path

    def _cleared(self, form: Form, fill: Fill, path: Path, state: State) -> None:
        here = state.objects[path]
        for key in form.clears:
            for block, keys in state.objects.items():
                inner = " / ".join(block[len(path) :]) if block[: len(path)] == path else None
                for each in [each for each in keys if f"{inner} / {each}" == fill(key)]:
                    del keys[each]
        for wiped in form.wipes if not form.sets or _changes(form, fill, here) else ():
            for key in [key for key in here if re.fullmatch(wiped, key)]:
                del here[key]

    def _opened(self, form: Form, fill: Fill, path: Path, state: State) -> Path:
        block = (*path, fill(form.opens))
        state.headers[block] = fill("{0}")
        state.objects.setdefault(block, {"": "made"} if form.whole else {})
        state.objects[block].update({key: fill(value) for key, value in form.inside.items()})
        return block

    def shown(self, state: State) -> str:
        """The running configuration in the format of the rendered files."""
        return "".join(f"{line}\n" for line in self._shown((), state))

    def _shown(self, path: Path, state: State) -> Iterator[str]:
        indent = " " * len(path)
        headers = set(state.headers.values())
        for *above, line in sorted(state.kept):
            if tuple(above) == path and line not in headers:
                yield indent + line
        lists: dict[str, list[int]] = {}
        for key, value in state.objects[path].items():
            if match := re.fullmatch(r"(.+):(\d+)", key):
                lists.setdefault(value, []).append(int(match[2]))
            elif key:
                yield indent + value
        for template, members in lists.items():
            yield indent + template.replace("#", ",".join(map(str, sorted(members))))
        for block in [each for each in state.objects if len(each) == len(path) + 1 and each[:-1] == path]:
            header = state.headers[block]
            yield indent + header
            lines = self._shown(block, state)
            yield from lines if self.flat is None else (f"{header} {line.strip()}" for line in lines)

    def _end(self, block: Path, state: State) -> None:
        if block not in state.objects:
            raise RefusedError(f"{block[-1]} is not there")
        state.drop(block)


def _members(form: Form, fill: Fill, here: dict[str, str]) -> None:
    for member in numbers(fill(form.adds.rpartition(":")[2])) if form.adds else ():
        here[f"{fill(form.adds.rpartition(':')[0])}:{member}"] = fill(form.value or "")
    for member in numbers(fill(form.takes.rpartition(":")[2])) if form.takes else ():
        _unset(re.escape(f"{fill(form.takes.rpartition(':')[0])}:{member}"), here)


def _changes(form: Form, fill: Fill, here: Mapping[str, str]) -> bool:
    wanted = None if form.value is None else fill(form.value)
    return here.get(fill(form.sets)) != wanted


def _fill(line: str, match: re.Match[str]) -> Fill:
    groups = [line, *(group or "" for group in match.groups())]
    return lambda template: template.format(*groups)


def _unset(key: str, here: dict[str, str]) -> None:
    found = [each for each in here if re.fullmatch(key, each)]
    if not found:
        raise RefusedError(f"{key} is not set")
    for each in found:
        del here[each]


@cache
def _network(line: str) -> IPv4Network | IPv6Network:
    words = line.split()
    return ip_interface(words[-1] if "/" in words[-1] else "/".join(words[-2:])).network


def one_network_once(state: State) -> Iterable[str]:
    """Each subnet is on one interface only."""
    given = [
        (path, _network(value))
        for path, keys in state.objects.items()
        for key, value in keys.items()
        if key.startswith("address")
    ]
    for (one, a), (other, b) in combinations(given, 2):
        if one != other and a.version == b.version and a.overlaps(b):
            yield f"{a} is on {one[-1]} and {b} on {other[-1]}"


def members_exist(vlan: Callable[[str], Path]) -> Rule:
    """Every VLAN of a port exists: keys ``access``, ``native`` with the number last, ``vlans:<n>``."""

    def rule(state: State) -> Iterable[str]:
        for path, keys in state.objects.items():
            for key, value in keys.items():
                number = key.partition(":")[2] if key.startswith("vlans:") else ""
                if key in ("access", "native"):
                    number = value.split()[-1]
                if number and vlan(number) not in state.objects:
                    yield f"{path[-1]} is a member of VLAN {number}, which is not there"

    return rule


def interfaces_have_vlans(prefix: str, vlan: Callable[[str], Path]) -> Rule:
    def rule(state: State) -> Iterable[str]:
        for path in state.objects:
            if (
                len(path) == 1
                and path[0].startswith(prefix)
                and vlan(path[0][len(prefix) :]) not in state.objects
            ):
                yield f"{path[0]} is of a VLAN that is not there"

    return rule


def names_exist(used: str, made: str) -> Rule:
    """Every name in use is defined. ``used``: pattern of path and value, joined by `` / ``, with the name as
    its group; ``made``: the block that defines it, with the name in braces."""

    def rule(state: State) -> Iterable[str]:
        for path, keys in state.objects.items():
            for value in ["", *keys.values()]:
                match = re.fullmatch(used, " / ".join((*path, value)))
                if match and (made.format(match[1]),) not in state.objects:
                    yield f"{made.format(match[1])} is in use and not there"

    return rule


def only_one(prefix: str) -> Rule:
    def rule(state: State) -> Iterable[str]:
        found = [path[0] for path in state.objects if len(path) == 1 and path[0].startswith(prefix)]
        if len(found) > 1:
            yield f"{found[0]} runs already"

    return rule


def within_budget(block: str, key: str) -> Rule:
    """Values of ``key`` in the blocks below each ``block`` add up to at most 100."""

    def rule(state: State) -> Iterable[str]:
        sums: dict[Path, int] = {}
        for path, keys in state.objects.items():
            if re.fullmatch(block, " / ".join(path)) and key in keys:
                sums[path[:-1]] = sums.get(path[:-1], 0) + int(keys[key].split()[-1])
        yield from (f"{path[-1]} gives away {total} %" for path, total in sums.items() if total > 100)

    return rule
