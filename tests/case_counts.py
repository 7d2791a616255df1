"""How many things a check or rule looked at in each of its own cases: ``tests/checks/counts.txt``.

Reports state these numbers as what was checked, so a wrong one claims too much or too little. One line per
case; ``--update-golden`` writes it.
"""

from __future__ import annotations

import fcntl
from collections.abc import Mapping
from pathlib import Path

from tests.overlay import CHECKS

COUNTS = CHECKS / "counts.txt"


def _counts() -> dict[str, int]:
    rows = (line.split() for line in COUNTS.read_text(encoding="utf-8").splitlines())
    return {name: int(number) for name, number in rows}


COUNTED = _counts()


def case_id(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def look_at(case: Path, checked: Mapping[str, int], update: bool) -> None:
    """Compare the case with its golden, or update it; several processes may write the file."""
    name, number = case_id(case), checked.get(case.parent.name)
    if update and number is not None:
        with COUNTS.open("r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            lines = sorted(f"{n} {many}\n" for n, many in (_counts() | {name: number}).items())
            file.truncate()
            file.writelines(lines)
    else:
        assert number == COUNTED.get(name), "how many things the check looked at"
