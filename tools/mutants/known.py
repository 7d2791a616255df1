"""Mutants that mean the same as what stands there: ``equivalent.yaml``, each with the reason.

One is known by its file, function, line of source and change, so that edits elsewhere in the file leave it
known. One that a test kills, or that is not there any more, is reported.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tools.mutants.changes import Mutant

LIST = Path(__file__).with_name("equivalent.yaml")


@dataclass(frozen=True)
class Known:
    """``key``: as of a mutant."""

    key: tuple[str, str, str, str]
    why: str

    def __str__(self) -> str:
        file, function, source, change = self.key
        return f"{file} {function}: {change} in {source!r}"


def known(path: Path = LIST) -> list[Known]:
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    return [
        Known((entry["file"], entry["function"], entry["line"], entry["change"]), entry["why"])
        for entry in entries
    ]


def gone(listed: Iterable[Known], every: Iterable[Mutant]) -> list[Known]:
    keys = {mutant.key for mutant in every}
    return [entry for entry in listed if entry.key not in keys]
