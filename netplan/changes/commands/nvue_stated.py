"""The settings that NVUE runs, or that files of it state, one by one.

``nv config show`` folds interfaces with equal settings into one name, and has settings of netplan at other
paths too: those of a VRF, and those of a peer group.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from netplan.changes.commands.model import Files, Stated
from netplan.changes.commands.nvue_tree import SET, Path, Tree, commands_of, leaves, tree_of
from netplan.reading.switches.several import members
from netplan.render.dump import dump_yaml

_NUMBER = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class _Setting:
    """``path``: of one interface; ``said``: as the text has it, with its value."""

    path: Path
    value: Any
    number: int
    said: str

    @property
    def line(self) -> str:
        return " ".join(self.path if self.value is None else (*self.path, str(self.value)))


class Settings:
    """``rows``: the section ``nvue`` of change.yaml."""

    def __init__(self, rows: Mapping[str, Any]) -> None:
        self._several = frozenset(rows["several"])
        self._whole = [re.compile(row["path"]) for row in rows["whole"]]
        self._implied = [re.compile(row["setting"]) for row in rows["implied"]]
        self._instead = [(re.compile(row["setting"]), row["of"]) for row in rows["instead"]]
        self._inherited = [(re.compile(row["setting"]), row["of"], row["to"]) for row in rows["inherited"]]
        self._undoing = [(re.compile(row["setting"]), row["within"]) for row in rows["undoing"]]

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        found: dict[Hashable, Stated] = {}
        for text in files.values():
            own = [*self._settings(text)]
            for one in own:
                found[self._key(one)] = self._stated(one)
            for one in own:
                if self._key(one) != one.path:
                    found[self._key(one)] = self._stated(one)
            for one in self._from_groups(own):
                found.setdefault(one.path, self._stated(one))
            for one in own:
                for end in range(1, len(one.path)):
                    above = _Setting(one.path[:end], None, one.number, " ".join(one.path[:end]))
                    if above.path not in found:
                        found[above.path] = replace(self._stated(above), own=False, implied=True)
        return found

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        found = {}
        for file, text in files.items():
            own = [*self._settings(text)]
            left = [one for one in own if self._key(one) not in keys]
            if commands_of(text):
                found[file] = _commands_left(text, own, left)
                continue
            tree: Tree = {}
            for one in left:
                _put(tree, one.path, one.value)
            found[file] = dump_yaml([[{"set": tree}]], "")
        return found

    def _settings(self, text: str) -> Iterator[_Setting]:
        commands = commands_of(text)
        for path, value, number in commands or ((*leaf, 0) for leaf in leaves(tree_of(text))):
            said = " ".join(path if value is None else (*path, str(value)))
            if value is not None and path[-1] in self._several:
                path, value = (*path, str(value)), None
            for each in self._singly(path):
                yield _Setting(each, value, number, said)

    def _singly(self, path: Path) -> Iterator[Path]:
        """The path for each interface that it names."""
        words = [
            members(word) if above in self._several else [word]
            for above, word in zip(("", *path), path, strict=False)
        ]
        yield from product(*words)

    def _key(self, one: _Setting) -> Path:
        """The path at which netplan writes this setting."""
        for pattern, of in self._instead:
            if found := pattern.fullmatch(one.line):
                return tuple(found.expand(of).split(" "))
        return one.path

    def _from_groups(self, own: list[_Setting]) -> Iterator[_Setting]:
        """What members of a group have from it."""
        for one in own:
            for pattern, of, to in self._inherited:
                if found := pattern.fullmatch(one.line):
                    group, member = tuple(found.expand(of).split(" ")), tuple(found.expand(to).split(" "))
                    for other in own:
                        if other.path[: len(group)] == group and len(other.path) > len(group):
                            path = (*member, *other.path[len(group) :])
                            yield _Setting(path, other.value, other.number, other.said)

    def _stated(self, one: _Setting) -> Stated:
        above = (" ".join(one.path[:end]) for end in range(len(one.path), 0, -1))
        block = next((at for at in above if any(p.fullmatch(at) for p in self._whole)), "")
        said = " ".join(one.path)
        undoes = self._undone(one.line)
        block = block or undoes
        at, text = said, str(one.value)
        if one.value is None:
            at = block if said.startswith(f"{block} ") else ""
            text = said.removeprefix(at).strip()
        marks = f"{SET}{undoes}" if undoes else ""
        return Stated(
            levels=(f"{SET}{one.said}",),
            kind=_NUMBER.sub("#", said),
            at=at,
            text=text,
            block=block,
            own=bool(block),
            number=one.number,
            implied=any(pattern.fullmatch(one.line) for pattern in self._implied),
            undoes=marks,
        )

    def _undone(self, line: str) -> str:
        """The path below which a setting of others undoes those of netplan."""
        for pattern, within in self._undoing:
            if found := pattern.fullmatch(line):
                return found.expand(within)
        return ""


def _put(tree: Tree, path: Path, value: Any) -> None:
    for key in path[:-1]:
        tree = tree.setdefault(key, {})
    tree.setdefault(path[-1], {} if value is None else value)


def _commands_left(text: str, own: list[_Setting], left: list[_Setting]) -> str:
    """The lines without those that are not ``left``; one that is left in part is split."""
    before, after = _by_number(own), _by_number(left)
    found: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        kept = after.get(number, [])
        if len(kept) == len(before.get(number, [])):
            found.append(line)
        else:
            found += (f"{SET}{one.line}" for one in kept)
    return "\n".join(found)


def _by_number(settings: list[_Setting]) -> dict[int, list[_Setting]]:
    found: dict[int, list[_Setting]] = {}
    for one in settings:
        found.setdefault(one.number, []).append(one)
    return found
