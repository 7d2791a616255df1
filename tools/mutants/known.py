"""Equivalent mutants: ``equivalent.yaml``, each with the reason.

They are identified by file, function, source line and change, so edits elsewhere in the file do not matter.
An entry that a test kills, or that no longer exists, is reported.
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
    """``key``: as for a mutant."""

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
