"""docs/coverage.yaml lists every known mistake, and everything it names exists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from netplan.explain import entries
from tests.upstream import REPOSITORY, root
from tools.check_pages import coverage

FACTS = root().parent / "facts"
ROWS = [row for section in coverage() for row in section["rows"]]
KEYS = {"id", "mistake", "checks", "tests", "note"}
SHEETS = {
    "switch-": ("switches.md", "## G.", 26, r"^\| (\d+) \|"),
    "fabric-": ("switches.md", "## I.", 22, r"\bR(\d+) "),
    "pod-": ("pod-routing.md", "## 6.", 73, r"^\| V(\d+) \|"),
    "policy-": ("kubernetes.md", "### 5.7", 18, r"^\| V(\d+) \|"),
    "cluster-": ("kubernetes.md", "## 12.", 30, r"^\| M(\d+) \|"),
    "object-": ("kubernetes.md", "### 12.1", 10, r"^(\d+)\. "),
}
"""Prefix -> (fact sheet that the list was made from, heading, number of rows, pattern of an id); with the
number, a parser that finds nothing fails."""
NO_ROW = {
    *(
        "NP688",
        "NP689",
        "NP690",
        "NP692",
        "NP693",
        "NP696",
        "NP697",
        "NP698",
        "NP756",
        "NP760",
        "NP761",
        "NP764",
        "NP768",
        "NP796",
    ),
    *("NP817", "NP818", "NP819", "NP841", "NP860", "NP870", "NP871", "NP872", "NP873", "NP876", "NP878"),
    "NP889",
}
"""Foreign rules about mistakes without a row in the sheets: invalid files and names, owners of rows."""


def ids_of(text: str, heading: str, form: str) -> list[str]:
    """Ids below a heading, up to the next one of the same or a higher level."""
    level = heading.split(" ")[0]
    begin = text.index(f"\n{heading}") + 1
    higher = re.compile(rf"^#{{2,{len(level)}}} ", re.MULTILINE)
    end = higher.search(text, text.index("\n", begin))
    return re.findall(form, text[begin : end.start() if end else None], re.MULTILINE)


@pytest.mark.parametrize("section", coverage(), ids=lambda section: section["prefix"])
def test_every_row_of_the_facts_is_there(section: dict[str, Any]):
    name, heading, rows, form = SHEETS[section["prefix"]]
    ours = [row["id"].removeprefix(section["prefix"]) for row in section["rows"]]
    assert len(ours) == rows
    sheet = FACTS / name
    if not sheet.is_file():
        pytest.skip(f"{sheet} is not there: the fact sheets are not part of the repository")
    assert ours == ids_of(sheet.read_text(encoding="utf-8"), heading, form)


def wrong_with(row: dict[str, Any]) -> Iterator[str]:
    """Unknown codes and tests, or neither code nor test nor reason."""
    if row.keys() - KEYS or row["mistake"] != row["mistake"].strip():
        yield "keys"
    codes, tests, note = row.get("checks", []), row.get("tests", []), row.get("note", "")
    if not (codes or tests or len(note.split()) > 2):
        yield "neither code nor test nor reason"
    if re.search(r"\b(later|branch|todo|to come)\b", note.lower()):
        yield "a promise is no reason"
    if any(code not in entries() for code in codes) or codes != sorted(set(codes)):
        yield "codes"
    for path, _, name in (test.partition("::") for test in tests):
        file = REPOSITORY / path
        if not file.is_file() or f"def {name}(" not in file.read_text(encoding="utf-8"):
            yield f"test {path} {name}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_is_decided_by_what_exists_or_has_a_reason(row: dict[str, Any]):
    assert list(wrong_with(row)) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, ["neither code nor test nor reason"]),
        ({"checks": [], "tests": [], "note": "none"}, ["neither code nor test nor reason"]),
        ({"note": "foreign: see branch rendered"}, ["a promise is no reason"]),
        ({"later": "NP750", "checks": ["NP750"]}, ["keys"]),
        ({"checks": ["NP000"]}, ["codes"]),
        ({"checks": ["NP751", "NP750"]}, ["codes"]),
        ({"tests": ["tests/test_coverage.py::test_x"]}, ["test tests/test_coverage.py test_x"]),
        ({"tests": ["tests/nothing.py::test_x"]}, ["test tests/nothing.py test_x"]),
    ],
)
def test_what_is_wrong_with_a_row_is_found(change: dict[str, Any], found: list[str]):
    assert list(wrong_with({"id": "G0", "mistake": "a mistake", **change})) == found


def test_both_kinds_of_foreign_files_have_their_rules_in_the_rows():
    """Every rule about files written by others is in some row, unless its mistake is not in the sheets."""
    named = {code for row in ROWS for code in row.get("checks", ())}
    foreign = {code for code, entry in entries().items() if entry.kind == "foreign"}
    assert len(foreign) > 70
    assert foreign - named == NO_ROW


def test_ids_are_unique():
    assert [i for i, n in Counter(row["id"] for row in ROWS).items() if n > 1] == []


def test_cells_hold_no_bar_or_line_end():
    texts = [row[key] for row in ROWS for key in ("mistake", "note") if row.get(key)]
    assert len(texts) > len(ROWS)
    assert [text for text in texts if "|" in text or "\n" in text] == []


@pytest.mark.parametrize(
    ("text", "prefix", "expected"),
    [
        ("\n## G. x\n| 1 | a |\n| 2 | b |\n## H. y\n| 3 | c |\n", "switch-", ["1", "2"]),
        ("\n### 5.7 x\n| V1 | a |\n### 5.8\n| V2 | b |\n", "policy-", ["1"]),
        ("\n## 12. x\n| M1 | a |\n### 12.1 y\n| M2 | b |\n", "cluster-", ["1", "2"]),
    ],
)
def test_rows_end_with_their_section(text: str, prefix: str, expected: list[str]):
    _, heading, _, form = SHEETS[prefix]
    assert ids_of(text, heading, form) == expected
