"""Regenerate the named files of rows, or all of them."""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.said import FOLDER, rows, written
from tests.unit.test_said import JUDGES

for name, said in JUDGES.items():
    if sys.argv[1:] and name not in sys.argv[1:]:
        continue
    found = sorted(rows(name), key=lambda row: row.about)
    (FOLDER / name).write_text(written([replace(row, said=said(row)) for row in found]), encoding="utf-8")
