"""The one way netplan reports a problem: a Diagnostic with a permanent code, a place and an action."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from netplan.records import dataclass

Path = tuple[str | int, ...]
"""Path of a value in the inventory: ``("hosts", "gpu-01", "hcas", "roce0", "pci")``."""


class Severity(IntEnum):
    """``INFO`` never fails a run, ``WARNING`` does with ``--strict``, ``ERROR`` always does."""

    INFO = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A place in an inventory file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def dotted(path: Path) -> str:
    """``("hosts", 0, "pci")`` -> ``hosts[0].pci``"""
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else (f".{part}" if out else part)
    return out or "(top level)"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem.

    ``message`` names the entities at fault and the conflicting values; ``hint`` is an action to take. The
    pipeline fills in ``source`` from ``path`` (nearest known parent) unless the stage has set it.
    """

    code: str
    severity: Severity
    path: Path
    message: str
    hint: str = ""
    source: Source | None = None


def has_errors(found: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in found)
