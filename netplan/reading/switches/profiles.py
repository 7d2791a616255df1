"""Settings that a running configuration has without stating them: those that one statement stands for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from netplan.reading.switches.places import is_commands, matched
from netplan.reading.switches.rules import Profile, Rules

Tree = Mapping[str, Any]


@lru_cache(maxsize=64)
def completed(rules: Rules, text: str) -> str:
    """The text with the settings that its profiles stand for below its lines."""
    trees = [tree for profile in rules.profiles for tree in _stood_for(rules, text, profile)]
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


def chosen(rules: Rules, text: str) -> int | None:
    """The line that chooses a profile; None if none does."""
    for profile in rules.profiles:
        if not profile.shipped and not _has(rules, text, profile.unless):
            for line in matched(rules, text, profile.lines):
                return line.line or 1
    return None


def _stood_for(rules: Rules, text: str, profile: Profile) -> Iterator[Tree]:
    if _has(rules, text, profile.lines) and not _has(rules, text, profile.unless):
        yield from (tree for unless, tree in profile.sets if not _has(rules, text, unless))


def _has(rules: Rules, text: str, patterns: tuple[str, ...]) -> bool:
    return any(True for _ in matched(rules, text, patterns))


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
