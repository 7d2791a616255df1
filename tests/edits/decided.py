"""Edits that no command detects, decided one by one per family of files: ``<family>.yaml``.

``harmless``: the edit does not affect any packet; ``survivors``: it does, but nothing detects it yet. Both
state the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from tests.edits.alike import one_of_each
from tests.edits.judges import JUDGES, placeless
from tests.edits.plan import Edit, edits_of
from tests.edits.site import rendered

FOLDER = Path(__file__).parent
FAMILIES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@dataclass(frozen=True)
class Row:
    """``file``: its path or the last parts of it, with ``*``. ``edit``: pattern for the edit without the
    file."""

    file: str
    edit: re.Pattern[str]
    why: str

    def takes(self, edit: Edit) -> bool:
        return PurePosixPath(edit.file).match(self.file) and self.edit.fullmatch(edit.name) is not None

    def __str__(self) -> str:
        return f"{self.file}: {self.edit.pattern}"


@dataclass(frozen=True)
class Family:
    """Files to edit: those below ``files`` in the tree of the small site on NOS ``tree``, or of the shipped
    inventory of that name; with ``alike``, one edit of each kind. ``also``: families whose rows count too.
    ``most``: limit of survivors in percent of the edits that are not harmless. ``undecided``: limit of
    undetected edits without a row; it may only be lowered. ``every``: the full tests make one in so many
    edits, if all take too long. ``counts``: numbers of all edits."""

    name: str
    tree: str
    files: tuple[str, ...]
    most: float
    undecided: int
    every: int
    counts: Mapping[str, int]
    harmless: tuple[Row, ...]
    survivors: tuple[Row, ...]
    alike: bool = False
    also: tuple[str, ...] = ()

    def edits(self) -> Iterator[Edit]:
        made = edits(self.tree, *self.files)
        return one_of_each(made, rendered(self.tree)) if self.alike else made

    @property
    def decided(self) -> tuple[Row, ...]:
        return (*self.harmless, *self.survivors)

    def rows(self, edit: Edit) -> list[Row]:
        others = (row for name in self.also for row in family(name).decided)
        return [row for row in (*self.decided, *others) if row.takes(edit)]

    def survives(self, edit: Edit) -> bool:
        """Whether a row lists it among the survivors; a row of this family that lists it as harmless takes
        precedence."""
        if any(row.takes(edit) for row in (*self.harmless, *self.survivors)):
            return any(row.takes(edit) for row in self.survivors)
        return any(family(name).survives(edit) for name in self.also)


@cache
def family(name: str) -> Family:
    data = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return Family(
        name=name,
        tree=data["tree"],
        files=tuple(data["files"]),
        most=data["most"],
        undecided=data.get("undecided", 0),
        every=data.get("every", 1),
        counts=data.get("counts") or {},
        harmless=tuple(_read(data.get("harmless"))),
        survivors=tuple(_read(data.get("survivors"))),
        alike=data.get("alike", False),
        also=tuple(data.get("also", ())),
    )


def _read(rows: Iterable[Mapping[str, Any]] | None) -> Iterator[Row]:
    for row in rows or ():
        yield Row(row["file"], re.compile(row["edit"]), row["why"])


def edits(nos: str, *starts: str) -> Iterator[Edit]:
    """Edits of all files below ``starts`` that a command checks, so not of README.md."""
    for path, text in sorted(rendered(nos).items()):
        if path.startswith(starts) and not path.endswith("README.md"):
            yield from edits_of(path, text)


def noticed(nos: str, edit: Edit) -> str:
    """The first judge that reports something new for an edited tree, or ""."""
    tree = without_twin(nos, edit.file)
    edited = {**tree, **edit.texts}
    for name, judge in JUDGES.items():
        if placeless(judge(edited)) - placeless(judge(tree)):
            return name
    return ""


@cache
def without_twin(nos: str, file: str) -> Mapping[str, str]:
    """The tree without the file that states the same in another format: detecting only that the two differ
    does not count."""
    stem, _, ending = file.rpartition(".")
    twin = {"txt": f"{stem}.yaml", "yaml": f"{stem}.txt"}.get(ending, "")
    return {path: text for path, text in rendered(nos).items() if path != twin}


def unnoticed(family: Family, made: Iterable[Edit]) -> list[Edit]:
    return [edit for edit in made if not noticed(family.tree, edit)]


def counted(family: Family, made: list[Edit], left: list[Edit]) -> dict[str, int]:
    """``left``: the undetected edits. An edit listed as both kinds counts as a survivor."""
    survivors = [edit for edit in left if family.survives(edit)]
    decided = [edit for edit in left if family.rows(edit)]
    return {
        "made": len(made),
        "noticed": len(made) - len(left),
        "harmless": len(decided) - len(survivors),
        "survivors": len(survivors),
    }
