"""docs/coverage.yaml: every known mistake is there, and what it names exists."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from netplan.explain import entries
from tests.upstream import REPOSITORY, root
from tools.docs import coverage

FACTS = root().parent / "facts"
ROWS = [row for section in coverage() for row in section["rows"]]
KEYS = {"id", "mistake", "checks", "tests", "later", "note"}
SIZES = {"G": 26, "R": 22, "V": 73, "5.7 V": 18, "M": 30, "12.1-": 10}
"""Rows of each section, so that a parser that finds nothing fails."""

_FORMS = {
    "G": r"^\| (\d+) \|",
    "R": r"\bR(\d+) ",
    "V": r"^\| V(\d+) \|",
    "5.7 V": r"^\| V(\d+) \|",
    "M": r"^\| M(\d+) \|",
    "12.1-": r"^(\d+)\. ",
}
"""How a sheet writes the ids of each section."""


def ids_of(text: str, heading: str, form: str) -> list[str]:
    """Ids below a heading, up to the next one of the same or a higher level."""
    level = heading.split(" ")[0]
    begin = text.index(f"\n{heading}") + 1
    higher = re.compile(rf"^#{{2,{len(level)}}} ", re.MULTILINE)
    end = higher.search(text, text.index("\n", begin))
    return re.findall(form, text[begin : end.start() if end else None], re.MULTILINE)


@pytest.mark.parametrize("section", coverage(), ids=lambda section: section["prefix"])
def test_every_row_of_the_facts_is_there(section: dict[str, Any]):
    prefix = section["prefix"]
    ours = [row["id"].removeprefix(prefix) for row in section["rows"]]
    assert len(ours) == SIZES[prefix]
    sheet = FACTS / section["sheet"]
    if not sheet.is_file():
        pytest.skip(f"{sheet} is not there: the fact sheets are not part of the repository")
    assert ours == ids_of(sheet.read_text(encoding="utf-8"), section["heading"], _FORMS[prefix])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_names_what_exists(row: dict[str, Any]):
    assert row.keys() <= KEYS
    assert row["mistake"] == row["mistake"].strip()
    assert any(row.get(key) for key in KEYS - {"id", "mistake"}), "nothing is said against it"
    assert [code for code in row.get("checks", ()) if code not in entries()] == []
    assert row.get("checks", []) == sorted(set(row.get("checks", [])))
    for test in row.get("tests", ()):
        path, _, name = test.partition("::")
        assert f"def {name}(" in (REPOSITORY / path).read_text(encoding="utf-8"), test


def test_ids_are_unique():
    assert [i for i, n in Counter(row["id"] for row in ROWS).items() if n > 1] == []


def test_cells_hold_no_bar_or_line_end():
    texts = [row[key] for row in ROWS for key in ("mistake", "note", "later") if row.get(key)]
    assert len(texts) > len(ROWS)
    assert [text for text in texts if "|" in text or "\n" in text] == []


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("\n## G. x\n| 1 | a |\n| 2 | b |\n## H. y\n| 3 | c |\n", "G", ["1", "2"]),
        ("\n### 5.7 x\n| V1 | a |\n### 5.8\n| V2 | b |\n", "5.7 V", ["1"]),
        ("\n## 12. x\n| M1 | a |\n### 12.1 y\n| M2 | b |\n", "M", ["1", "2"]),
    ],
)
def test_rows_end_with_their_section(text: str, form: str, expected: list[str]):
    heading = next(section["heading"] for section in coverage() if section["prefix"] == form)
    assert ids_of(text, heading, _FORMS[form]) == expected
