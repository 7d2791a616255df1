"""Make every file of rows anew."""

from __future__ import annotations

from dataclasses import replace

from tests.said import FOLDER, rows, written
from tests.unit.test_said import JUDGES

for name, said in JUDGES.items():
    (FOLDER / name).write_text(
        written([replace(row, said=said(row)) for row in rows(name)]), encoding="utf-8"
    )
