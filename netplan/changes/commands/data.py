"""The rules for changing one NOS: ``templates/switch/<nos>/change.yaml``, validated against its schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from netplan.changes.commands.model import Files, Part
from netplan.load import InputError
from netplan.model.document import SourceMap
from netplan.model.folding import folded
from netplan.model.nos import NosProfile
from netplan.model.values import natural
from netplan.nos import DataFile, NosLibrary, load_nos, text_of

NAME = "change.yaml"
SCHEMA = "change.schema.json"
UNCONFIRMED = "unconfirmed"
_NUMBER = re.compile(r"[0-9.,]+")
_COMMENT = re.compile(r"^[^\w\n]+(confirm on the switch.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """``syntax``: the module that reads ``rows``, the section with that name. ``sources``: short name -> a
    public source. ``steps``: how a file is applied, by step name. ``profile``: nos.yaml of the folder, None
    if it cannot be used."""

    nos: str
    library: NosLibrary
    profile: NosProfile | None
    syntax: str
    rows: Mapping[str, Any]
    sources: Mapping[str, str]
    steps: Mapping[str, Mapping[str, Any]]

    def cited(self, row: Mapping[str, Any]) -> str:
        """The source of a row, with the place in it."""
        return ", ".join([self.sources[row["source"]], *([row["at"]] if "at" in row else [])])

    def part(self, step: str, text: str) -> Part:
        """A file to apply as ``apply.<step>`` says."""
        row = self.steps[step]
        return Part(row["suffix"], text, row["apply"], tuple(row["before"]), self.cited(row))

    def doubt(self, row: Mapping[str, Any], what: str) -> tuple[str, ...]:
        """For ``Change.confirm``: a sentence if no source confirms the row, else nothing."""
        return (f"confirm on the switch: {what}",) if row["status"] == UNCONFIRMED else ()

    def doubts_of(self, parts: Iterable[Part]) -> Iterator[str]:
        """The same for the steps that apply these files."""
        applied = {part.apply for part in parts}
        for name, row in self.steps.items():
            if row["apply"] in applied:
                yield from self.doubt(row, f"{name}: {row['apply']}")


def together(names: Iterable[str]) -> str:
    """The names, consecutive ones as a range: ``swp[1-16]``."""
    return ", ".join(_counted(names))


def _counted(texts: Iterable[str]) -> Iterator[str]:
    ordered = sorted(texts, key=natural)
    yield from (run.texts[0] for run in folded(("", (text,)) for text in ordered))


def new_comments(old: Files, new: Files) -> Iterator[str]:
    """For ``Change.by_hand``: comments that leave work to a person, if they are new, have other numbers or
    are gone."""
    before, after = (dict.fromkeys(_comments(files)) for files in (old, new))
    kinds = {_NUMBER.sub("", said) for said in after}
    gone = _counted(said for said in before if _NUMBER.sub("", said) not in kinds)
    yield from (f"take back what was entered for: {said}" for said in gone)
    yield from _counted(said for said in after if said not in before)


def _comments(files: Files) -> Iterator[str]:
    for text in files.values():
        yield from (match[1] for match in _COMMENT.finditer(text))


def stays(kept: Iterable[tuple[str, str]]) -> Iterator[str]:
    """For ``Change.by_hand``: lines that cannot be removed, grouped by reason."""
    groups: dict[str, list[str]] = {}
    for line, why in kept:
        groups.setdefault(why, []).append(line)
    for why, lines in groups.items():
        yield f"{together(lines)} stays as it is: {why}"


@cache
def rules_of(nos: str, library: NosLibrary) -> Rules | None:
    """None for a NOS without the file. Raises InputError for a site's file that cannot be used, and
    ValueError for a shipped one, which no user writes."""
    folder = library.folders.get(nos)
    text = None if folder is None else text_of(folder, NAME)
    if folder is None or text is None:
        return None
    file = DataFile(folder.file(NAME), text, SCHEMA, "NP023", SourceMap())
    if file.data is not None:
        _judge(file)
    if file.problems:
        first = file.problems[0]
        place = f"{first.source.file}:{first.source.line}" if first.source else folder.file(NAME)
        message = f"{place}: {first.message}; {first.hint}"
        raise InputError(message) if folder.own else ValueError(message)
    data = file.data
    profile = load_nos({nos: ()}, library)[0].get(nos)
    rows = data[data["syntax"]]
    return Rules(nos, library, profile, data["syntax"], rows, data["sources"], data["apply"])


def _judge(file: DataFile) -> None:
    """Checks beyond the schema: exactly the section of the syntax, and sources that exist."""
    data = file.data
    sections = [name for name in data if name not in ("syntax", "sources", "apply")]
    if data["syntax"] not in sections:
        file.add(("syntax",), f"there is no section {data['syntax']}")
    for name in sections:
        if name != data["syntax"]:
            file.add((name,), f"section {name} is of another syntax than {data['syntax']}")
    for at, row in _rows(data, ()):
        if row["source"] not in data["sources"]:
            file.add((*at, "source"), f"{row['source']} is not among sources")


def _rows(value: Any, at: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    """Every row with a source, and its path."""
    found: list[tuple[tuple[str | int, ...], Mapping[str, Any]]] = []
    if isinstance(value, dict):
        if isinstance(value.get("source"), str) and "status" in value:
            found.append((at, value))
        for key, item in value.items():
            found += _rows(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += _rows(item, (*at, index))
    return found
