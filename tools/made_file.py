"""A tool that rewrites one file of the package from upstream documents; with ``--check`` it only compares."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def make(target: Path, text: Callable[[Path], str], arguments: list[str]) -> int:
    """Exit code; ``text`` gets the folder that NETPLAN_UPSTREAM names."""
    made = text(Path(os.environ.get("NETPLAN_UPSTREAM") or ROOT / "../shared/upstream"))
    if "--check" in arguments:
        return int(made != target.read_text(encoding="utf-8"))
    target.write_text(made, encoding="utf-8")
    return 0
