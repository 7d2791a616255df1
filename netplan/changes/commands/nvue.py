"""Cumulus NVUE: ``nv unset`` for what is gone, ``nv set`` for what is new, in one file and one apply.

The YAML files are the state: a tree in which empty mappings are list entries. ``nv config patch`` of a new
file only merges, so removals are unset: whole entries that change.yaml marks as netplan's own, single
settings everywhere else.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from netplan.changes.commands import sysctl
from netplan.changes.commands.data import Rules, stays
from netplan.changes.commands.exclusive import beaten
from netplan.changes.commands.lookup import line_of
from netplan.changes.commands.model import Change, Files, InPlace, Part, Running, Stated
from netplan.changes.commands.nvue_stated import Settings
from netplan.changes.commands.nvue_tree import SET, Path, Tree, drop, has, laid, leaves, tree_of
from netplan.render.dump import dump_yaml


class NvueForm:
    hides = False
    negate = ""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._twins: Mapping[str, str] = rules.rows["files"]["twins"]
        self._whole = [(re.compile(row["path"]), row) for row in rules.rows["whole"]]
        self._keep = [(re.compile(row["path"]), row["why"]) for row in rules.rows["keep"]]
        self._code_points = re.compile(rules.rows["code_points"])
        self._implied = [re.compile(row["path"]) for row in rules.rows["implied"]]
        self._settings = Settings(rules.rows)

    def change(self, old: Files, new: Files) -> Change:
        before, after = self._tree(old), self._tree(new)
        gone = [path for path, _ in leaves(before) if not has(after, path)]
        kept = [(path, why) for path in gone for why in self._kept(path)]
        staying = {path for path, _ in kept}
        removed = dict.fromkeys(self._entry(path, after) for path in gone if path not in staying)
        states = dict(leaves(before))
        lines = [f"nv unset {_said(path)}" for path in removed]
        lines += [_set(path, value) for path, value in leaves(after) if states.get(path, _ABSENT) != value]
        kernel = sysctl.change(old, new, self._rules)
        parts = [self._rules.part("commands", "".join(f"{line}\n" for line in lines))] if lines else []
        by_hand = [*stays((" ".join(path), why) for path, why in kept), *kernel.by_hand]
        by_hand += [self._rules.rows["confirmation"]] if lines else []
        return Change((*parts, *kernel.parts), tuple(by_hand), self._doubts(removed, parts))

    def both(self, old: Files, new: Files, held: Collection[int] = ()) -> Files:
        texts = {**old, **new}
        stated = [[" ".join(path) for path, _ in leaves(self._tree(files))] for files in (old, new)]
        gone = beaten(stated[0], stated[1], self._rules.rows["exclusive"])
        for name, twin in self._twins.items():
            if name in old and name in new:
                before, after = self._trees(old[name], new[name], gone, held)
                texts[name] = dump_yaml([[{"set": laid(before, after)}]], _header(new[name]))
                more = [_set(path, value) for path, value in leaves(before) if not has(after, path)]
                lines = [line for line in more if not self._is_implied(line)]
                texts[twin] = self._unmapped(new.get(twin, ""), held) + "".join(f"{line}\n" for line in lines)
        return texts | sysctl.both(old, new, self._rules)

    def running(self, text: str, planned: Files) -> Running | None:
        """No commands are derived from a running configuration: defaults of the image and lines of others
        cannot be told apart in it."""
        return None

    def in_place(
        self, runs: Mapping[Hashable, Stated], planned: Mapping[Hashable, Stated], text: str
    ) -> Sequence[InPlace]:
        return ()

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        return self._settings.stated(files)

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        return self._settings.without(files, keys)

    def line(self, text: str, one: Stated) -> int:
        if one.number:
            return one.number
        return line_of(text, ["set", *one.levels[0].removeprefix(SET).split(" ")])

    def _trees(self, old: str, new: str, gone: Collection[str], held: Collection[int]) -> tuple[Tree, Tree]:
        """``old`` without what is ``gone``, and ``new`` without the DSCPs that stay as in ``old``."""
        before, after = tree_of(old), tree_of(new)
        for path in [path for path, _ in leaves(before) if " ".join(path) in gone]:
            drop(before, path)
        for path in [path for path, _ in leaves(after) if self._is_held(path, held) and has(before, path)]:
            drop(after, path)
        return before, after

    def _tree(self, files: Files) -> Tree:
        """The settings, without those that NVUE infers, such as the type of an interface."""
        found: Tree = {}
        for name in self._twins:
            found = laid(found, tree_of(files.get(name, "")))
        for path, _ in list(leaves(found)):
            if any(implied.fullmatch(" ".join(path)) for implied in self._implied):
                drop(found, path)
        return found

    def _is_held(self, path: Path, held: Collection[int]) -> bool:
        match = self._code_points.fullmatch(" ".join(path)) if held else None
        return match is not None and match["dscp"].isdecimal() and int(match["dscp"]) in held

    def _unmapped(self, text: str, held: Collection[int]) -> str:
        """The commands without those that map these DSCPs."""
        return "".join(f"{line}\n" for raw in text.splitlines() for line in self._others(raw, held))

    def _others(self, line: str, held: Collection[int]) -> Iterator[str]:
        match = self._code_points.fullmatch(line.removeprefix(SET)) if held else None
        if match is None:
            yield line
            return
        start, end = (place + len(SET) for place in match.span("dscp"))
        rest = [each for each in match["dscp"].split(",") if each.isdecimal() and int(each) not in held]
        if rest:
            yield f"{line[:start]}{','.join(rest)}{line[end:]}"

    def _is_implied(self, line: str) -> bool:
        path = line.removeprefix(SET).rpartition(" ")[0]
        return any(implied.fullmatch(path) for implied in self._implied)

    def _kept(self, path: Path) -> Iterator[str]:
        said = " ".join(path)
        yield from (why for pattern, why in self._keep if pattern.fullmatch(said))

    def _entry(self, path: Path, after: Tree) -> Path:
        """The highest entry of netplan's own above a setting with nothing else left in it."""
        for end in range(1, len(path)):
            above = path[:end]
            if not has(after, above) and any(p.fullmatch(" ".join(above)) for p, _ in self._whole):
                return above
        return path

    def _doubts(self, removed: Iterable[Path], parts: Iterable[Part]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for path in removed:
            for pattern, row in self._whole:
                if pattern.fullmatch(" ".join(path)):
                    found |= dict.fromkeys(self._rules.doubt(row, row.get("doubt", _said(path))))
        found |= dict.fromkeys(self._rules.doubts_of(parts))
        return tuple(found)


_ABSENT = object()


def _said(path: Path) -> str:
    return " ".join(shlex.quote(word) for word in path)


def _set(path: Path, value: Any) -> str:
    return f"nv set {_said(path if value is None else (*path, str(value)))}"


def _header(text: str) -> str:
    return "\n".join(line[2:] for line in text.splitlines() if line.startswith("# "))
