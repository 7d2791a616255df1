"""Settings that a running configuration has without stating them: those that one statement stands for, and
those as shipped. A line of the configuration comes in the place of its own setting alone."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from netplan.reading.switches.columns import spans
from netplan.reading.switches.places import is_commands, matched
from netplan.reading.switches.rules import Profile, Rules

Tree = Mapping[str, Any]


@lru_cache(maxsize=64)
def completed(rules: Rules, text: str) -> str:
    """The text with the settings that its profiles stand for below its lines."""
    return _with(rules, text, [left for left, _ in _stood_for(rules, text)])


@lru_cache(maxsize=64)
def completed_plan(rules: Rules, text: str) -> str:
    """The same of a text of netplan, which states all that it needs of what it states a part of."""
    return _with(rules, text, [left for left, whole in _stood_for(rules, text) if left == whole])


def _with(rules: Rules, text: str, trees: list[Tree]) -> str:
    if not trees:
        return text
    if is_commands(rules, text):
        return "\n".join(
            (text.rstrip("\n"), *(line for tree in trees for line in _commands(tree, f"{rules.command} set")))
        )
    if text.lstrip().startswith("["):
        more = "".join(f", {json.dumps({'set': tree})}" for tree in trees)
        return f"{text.rstrip().removesuffix(']')}{more}]"
    return "\n".join((text.rstrip("\n"), *(line for tree in trees for line in _block(tree)), ""))


def own_lines(text: str) -> int:
    """How many lines of ``completed`` are those of the text itself."""
    return text.rstrip("\n").count("\n") + 1


def standing_line(rules: Rules, text: str) -> int:
    """The first line of the text that stands for others; 1 if none does."""
    found = (profile for profile in rules.profiles if _applies(rules, text, profile))
    lines = (each.line for profile in found for each in matched(rules, text, profile.lines))
    return min(lines, default=1) or 1


def _applies(rules: Rules, text: str, profile: Profile) -> bool:
    return _has(rules, text, profile.lines) and not _has(rules, text, profile.unless)


def _stood_for(rules: Rules, text: str) -> Iterator[tuple[Tree, Tree]]:
    """Settings that no line states, each with those that go together with it."""
    for profile in (profile for profile in rules.profiles if _applies(rules, text, profile)):
        for unless, tree in profile.sets:
            if left := _unstated(rules, text, unless, tree):
                yield left, tree


def _has(rules: Rules, text: str, patterns: tuple[str, ...]) -> bool:
    return any(True for _ in matched(rules, text, patterns))


def _unstated(rules: Rules, text: str, unless: tuple[str, ...], tree: Tree) -> Tree:
    """Nothing if such a line is there; of one with a column the keys that no line has."""
    for pattern in unless:
        stated = {number for each in matched(rules, text, (pattern,)) for number in each.values.values()}
        above, column, _ = pattern.partition(" <")
        if column and stated:
            tree = _without(tree, above.split()[2:], stated)
        elif _has(rules, text, (pattern,)):
            return {}
    return tree


def _without(tree: Tree, path: list[str], stated: Collection[object]) -> Tree:
    """``path``: of the keys that are numbers."""
    if path:
        below = _without(tree[path[0]], path[1:], stated)
        return {path[0]: below} if below else {}
    left = {key: [number for number in spans(key) if number not in stated] for key in tree}
    return {",".join(map(str, numbers)): tree[key] for key, numbers in left.items() if numbers}


def _commands(tree: Tree, command: str) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _commands(value, f"{command} {key}")
        else:
            yield f"{command} {key}" if isinstance(value, dict) else f"{command} {key} {value}"


def _block(tree: Tree) -> Iterator[str]:
    """An item of a list of settings, in block style."""
    yield "- set:"
    yield from _nested(tree, "    ")


def _nested(tree: Tree, indent: str) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield f"{indent}'{key}':"
            yield from _nested(value, f"{indent}  ")
        else:
            yield f"{indent}'{key}': {value if isinstance(value, dict) else _quoted(value)}"


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)
