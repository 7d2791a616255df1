"""Families of switch commands: ``templates/switch/<nos>/commands.yaml``, and dependencies that a tree does
not meet.

A family says which lines belong to it, who judged them and what they depend on. A grammar of allowed lines
cannot detect a missing line; ``unmet`` does: BGP lines on a switch whose BGP process is off, a policy that is
applied but never defined.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from netplan.model.inventory_schema import packaged_schema
from netplan.model.nos import NosProfile
from netplan.nos import switch_folder
from netplan.strict import fill, validator

JUDGES: Mapping[str, str] = {
    "model": "accepted by a model",
    "vendor-code": "equal to a vendor's own code",
    "transcript": "seen in a device transcript",
    "documented": "documented only",
}
"""Judge -> its text in docs/nos-support.md. What no source confirms is a comment and has no family."""

_COMMENT = re.compile(r"[!#]")
_LEAVE = frozenset({"exit", "quit"})
"""Words that leave a context; a family may list them, but need not."""


@dataclass(frozen=True, slots=True)
class Need:
    """``same``: the required line is about the same thing: the group ``name`` of both matches the same
    text."""

    family: str
    same: bool


@dataclass(frozen=True, slots=True)
class Family:
    name: str
    lines: tuple[re.Pattern[str], ...]
    judge: str
    source: str
    needs: tuple[Need, ...]

    def match(self, line: str) -> re.Match[str] | None:
        return next(filter(None, (form.fullmatch(line) for form in self.lines)), None)


@dataclass(frozen=True, slots=True)
class Undo:
    """How lines are undone: ``text`` is a pattern that the README's rollback must contain.

    ``file`` "": any file; ``lines`` empty: all lines of the file.
    """

    text: re.Pattern[str]
    file: str
    lines: tuple[re.Pattern[str], ...]

    def takes(self, file: str, line: str) -> bool:
        in_lines = not self.lines or any(form.fullmatch(line) for form in self.lines)
        return self.file in ("", file) and in_lines


@dataclass(frozen=True, slots=True)
class Commands:
    families: tuple[Family, ...]
    factory: Mapping[str, str]
    undo: tuple[Undo, ...]
    _seen: dict[str, tuple[Family, str] | None] = field(default_factory=dict, compare=False, repr=False)

    def family(self, line: str) -> tuple[Family, str] | None:
        """(first family with the line, text of its group ``name`` or "").

        Cached per line: the same lines are in many trees.
        """
        if line not in self._seen:
            matches = ((family, family.match(line)) for family in self.families)
            self._seen[line] = next(((f, m.groupdict().get("name") or "") for f, m in matches if m), None)
        return self._seen[line]


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a file. ``step``: lines of a step take effect together, after those of lower steps."""

    step: tuple[int, int]
    text: str


@cache
def load(nos: str) -> Commands:
    """Raises FileNotFoundError if the NOS has no commands.yaml, ValueError if it violates its schema."""
    path = switch_folder() / nos / "commands.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    schema = packaged_schema("commands.schema.json")
    problems = [
        f"{nos}: {'.'.join(map(str, e.path))}: {e.message}" for e in validator(schema).iter_errors(data)
    ]
    if problems:
        raise ValueError("; ".join(problems))
    data = fill(data, schema)
    return Commands(
        tuple(_family(entry) for entry in data["families"]),
        data["factory"],
        tuple(_undo(entry) for entry in data["undo"]),
    )


def _undo(entry: Mapping[str, Any]) -> Undo:
    lines = tuple(re.compile(text) for text in entry["lines"])
    return Undo(re.compile(entry["text"]), entry["file"], lines)


def _family(entry: Mapping[str, Any]) -> Family:
    return Family(
        name=entry["name"],
        lines=tuple(re.compile(text) for text in entry["lines"]),
        judge=entry["judge"],
        source=entry["source"],
        needs=tuple(_need(need) for need in entry["needs"]),
    )


def _need(entry: str | Mapping[str, Any]) -> Need:
    return Need(entry, False) if isinstance(entry, str) else Need(entry["family"], True)


def said(nos: NosProfile, files: Mapping[str, str]) -> list[Said]:
    """Every line in a switch's files, in the order they are applied; without the README."""
    lines: list[Said] = []
    for number, output in enumerate(nos.outputs):
        if output.file in files and not output.file.endswith(".md"):
            text = files[output.file]
            if output.format == "text":
                lines += _text(number, text)
            else:
                data = json.loads(text) if output.format == "json" else yaml.safe_load(text)
                paths = _operations(data) if output.file.endswith(".patch.json") else _paths(data, ())
                lines += [Said((number, 0), path) for path in paths]
    return lines


def _text(number: int, text: str) -> Iterator[Said]:
    for count, raw in enumerate(text.splitlines()):
        line = raw.strip()
        if line and not _COMMENT.match(line):
            yield Said((number, count), line)


def _operations(patch: list[Mapping[str, Any]]) -> Iterator[str]:
    """Operations of a JSON patch (RFC 6902): operation and path, joined by dots."""
    for one in patch:
        yield f"{one['op']} {one['path'].removeprefix('/').replace('/', '.')}"


def _paths(data: Any, above: tuple[str, ...]) -> Iterator[str]:
    """Keys that lead to each value; list entries have no keys."""
    if isinstance(data, Mapping) and data:
        for key, below in data.items():
            yield from _paths(below, (*above, str(key)))
    elif isinstance(data, list) and data:
        for below in data:
            yield from _paths(below, above)
    else:
        yield ".".join(above)


def strangers(commands: Commands, lines: Sequence[Said]) -> list[str]:
    """Lines that are in no family."""
    return [line.text for line in lines if commands.family(line.text) is None and line.text not in _LEAVE]


def unmet(commands: Commands, lines: Sequence[Said]) -> list[str]:
    """What a line needs and no earlier line provides, once per family and need."""
    first: dict[tuple[str, str], tuple[int, int]] = {}
    asked: dict[str, tuple[tuple[int, int], tuple[str, str]]] = {}
    for line in lines:
        found = commands.family(line.text)
        if found is None:
            continue
        family, name = found
        for key in ((family.name, ""), (family.name, name)):
            first.setdefault(key, line.step)
        for need in family.needs:
            wanted = (need.family, name if need.same else "")
            about = f" {name}" if need.same else ""
            asked.setdefault(f"{family.name} needs {need.family}{about}: {line.text}", (line.step, wanted))
    return [
        text
        for text, (step, wanted) in asked.items()
        if wanted[0] not in commands.factory and (wanted not in first or first[wanted] > step)
    ]


def left_behind(nos: NosProfile, commands: Commands, files: Mapping[str, str]) -> list[str]:
    """Lines that the README's rollback neither undoes nor names as staying, each kind once."""
    rollback = " ".join(files["README.md"].partition("## Roll back")[2].partition("## ")[0].split())
    found: dict[str, None] = {}
    for line in said(nos, files):
        file = nos.outputs[line.step[0]].file
        undo = next((one for one in commands.undo if one.takes(file, line.text)), None)
        if line.text in _LEAVE or (undo is not None and undo.text.search(rollback)):
            continue
        found[f"{file}: {line.text}: {'no undo' if undo is None else undo.text.pattern}"] = None
    return list(found)
