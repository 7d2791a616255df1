"""Cumulus NVUE: ``nv unset`` for what is gone, ``nv set`` for what is new, in one file and one apply.

The YAML files are the state: a tree in which empty mappings are list entries. ``nv config patch`` of a new
file only merges, so removals are unset: whole entries that change.yaml marks as netplan's own, single
settings everywhere else.
"""

from __future__ import annotations

import copy
import re
import shlex
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any

from netplan.changes.commands import sysctl
from netplan.changes.commands.data import Rules, stays
from netplan.changes.commands.exclusive import beaten
from netplan.changes.commands.lookup import line_of
from netplan.changes.commands.model import Change, Files, Part, Running, Stated, without_lines
from netplan.model.document import Places, SourceMap
from netplan.render.dump import dump_yaml
from netplan.yaml12 import parse

Tree = dict[str, Any]
Path = tuple[str, ...]
_SET = "nv set "
_NUMBER = re.compile("[0-9]+")


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

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        found: dict[Hashable, Stated] = {}
        for text in files.values():
            commands = _commands(text)
            for path, value, number in commands or ((*leaf, 0) for leaf in leaves(tree_of(text))):
                found[path] = self._stated(path, value, number)
        return found

    def _stated(self, path: Path, value: Any, number: int) -> Stated:
        above = (" ".join(path[:end]) for end in range(len(path), 0, -1))
        block = next((at for at in above if any(p.fullmatch(at) for p, _ in self._whole)), "")
        said = " ".join(path)
        line, at, text = f"{said} {value}", said, str(value)
        if value is None:
            line, at, text = said, block, said.removeprefix(block).strip()
        return Stated(
            levels=(f"{_SET}{line}",),
            kind=_NUMBER.sub("#", said),
            at=at,
            text=text,
            block=block,
            own=bool(block),
            number=number,
            implied=any(implied.fullmatch(said) for implied in self._implied),
        )

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        found = {}
        for file, text in files.items():
            if commands := _commands(text):
                found[file] = without_lines(text, {number for path, _, number in commands if path in keys})
                continue
            tree = copy.deepcopy(tree_of(text))
            for path in [path for path, _ in leaves(tree) if path in keys]:
                _drop(tree, path)
            found[file] = dump_yaml([[{"set": tree}]], "")
        return found

    def line(self, text: str, one: Stated) -> int:
        if one.number:
            return one.number
        return line_of(text, ["set", *one.levels[0].removeprefix(_SET).split(" ")])

    def _trees(self, old: str, new: str, gone: Collection[str], held: Collection[int]) -> tuple[Tree, Tree]:
        """``old`` without what is ``gone``, and ``new`` without the DSCPs that stay as in ``old``."""
        before, after = tree_of(old), tree_of(new)
        for path in [path for path, _ in leaves(before) if " ".join(path) in gone]:
            _drop(before, path)
        for path in [path for path, _ in leaves(after) if self._is_held(path, held) and has(before, path)]:
            _drop(after, path)
        return before, after

    def _tree(self, files: Files) -> Tree:
        """The settings, without those that NVUE infers, such as the type of an interface."""
        found: Tree = {}
        for name in self._twins:
            found = laid(found, tree_of(files.get(name, "")))
        for path, _ in list(leaves(found)):
            if any(implied.fullmatch(" ".join(path)) for implied in self._implied):
                _drop(found, path)
        return found

    def _is_held(self, path: Path, held: Collection[int]) -> bool:
        match = self._code_points.fullmatch(" ".join(path)) if held else None
        return match is not None and match["dscp"].isdecimal() and int(match["dscp"]) in held

    def _unmapped(self, text: str, held: Collection[int]) -> str:
        """The commands without those that map these DSCPs."""
        return "".join(f"{line}\n" for raw in text.splitlines() for line in self._others(raw, held))

    def _others(self, line: str, held: Collection[int]) -> Iterator[str]:
        match = self._code_points.fullmatch(line.removeprefix(_SET)) if held else None
        if match is None:
            yield line
            return
        start, end = (place + len(_SET) for place in match.span("dscp"))
        rest = [each for each in match["dscp"].split(",") if each.isdecimal() and int(each) not in held]
        if rest:
            yield f"{line[:start]}{','.join(rest)}{line[end:]}"

    def _is_implied(self, line: str) -> bool:
        path = line.removeprefix(_SET).rpartition(" ")[0]
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


def _commands(text: str) -> list[tuple[Path, str | None, int]]:
    """The settings of a file of commands: path, value and line. Whether the last word is a value no command
    says: it is one where no other command differs in it alone."""
    found: dict[Path, list[tuple[str, int]]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(_SET):
            *path, last = line.removeprefix(_SET).split()
            found.setdefault(tuple(path), []).append((last, number))
    return [
        (path, last, number) if len(values) == 1 else ((*path, last), None, number)
        for path, values in found.items()
        for last, number in values
    ]


_ABSENT = object()


def tree_of(text: str) -> Tree:
    """What the ``set`` of a file contains, keys as text. The caller may change it."""
    found: Tree = _keyed(_read(_HEADER.sub("", text, count=1)))
    return found


_HEADER = re.compile(r"\A(#.*\n)+")


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    """Cached: a file is compared with several others, and equal on switches of a kind except for its
    header."""
    parsed = parse("nvue.yaml", text, Places(SourceMap()))
    items: Any = [] if parsed.problems else parsed.data
    found: Tree = {}
    for item in items if isinstance(items, list) else []:
        inner = _keyed(item.get("set")) if isinstance(item, dict) else None
        found = laid(found, inner) if isinstance(inner, dict) else found
    return found


def _keyed(value: Any) -> Any:
    return {str(key): _keyed(item) for key, item in value.items()} if isinstance(value, dict) else value


def laid(under: Tree, over: Tree) -> Tree:
    """Merges as ``nv config patch`` does."""
    found = dict(under)
    for key, value in over.items():
        below = found.get(key)
        mappings = isinstance(below, dict) and isinstance(value, dict)
        found[key] = laid(below or {}, value) if mappings else value
    return found


def leaves(tree: Tree, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Settings with their values; None for a list entry."""
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*at, key))
        else:
            yield (*at, key), None if isinstance(value, dict) else value


def has(tree: Any, path: Path) -> bool:
    for key in path:
        if not isinstance(tree, dict) or key not in tree:
            return False
        tree = tree[key]
    return True


def _drop(tree: Tree, path: Path) -> None:
    """Removes a setting and the mappings above it that become empty."""
    if len(path) > 1:
        _drop(tree[path[0]], path[1:])
        if not tree[path[0]]:
            del tree[path[0]]
    else:
        del tree[path[0]]


def _said(path: Path) -> str:
    return " ".join(shlex.quote(word) for word in path)


def _set(path: Path, value: Any) -> str:
    return f"nv set {_said(path if value is None else (*path, str(value)))}"


def _header(text: str) -> str:
    return "\n".join(line[2:] for line in text.splitlines() if line.startswith("# "))
