"""Pages of docs/ about checks: the list, a page for each hundred of codes, and which known mistake each check
catches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from netplan.explain import entries
from netplan.model.rulebook import Code

SOURCE = Path(__file__).resolve().parent.parent / "docs"
"""Folder of the hand-written sources of pages; tests write pages elsewhere."""
MADE = "<!-- made by tools/docs.py; do not edit -->"
AREAS = (
    "load and schema",
    "identity and references",
    "addressing",
    "VLAN and MTU",
    "QoS",
    "RDMA and SR-IOV",
    "routing",
    "Kubernetes objects",
    "switches",
    "artifacts",
)
"""Hundreds of the codes, as in netplan/model/codes.py."""


def checks_page() -> Iterator[str]:
    yield "# Checks"
    yield MADE
    yield (
        "Every problem has a permanent code; `netplan explain CODE` prints what stands here. "
        "An *input* check is about the inventory. A *derived* check reads back what netplan itself wrote; "
        "a failure is a bug. A *foreign* check is for files that others wrote. "
        "A *stage* code comes from reading and resolving."
    )
    for area, title in enumerate(AREAS):
        codes = [code for code in entries().values() if code.code[2] == str(area)]
        page = family(area)
        yield f"## [NP{area}xx: {title}]({page})"
        rows = [f"| [{c.code}]({page}#{c.code.lower()}) | {c.grade} | {c.kind} | {c.title} |" for c in codes]
        yield "\n".join(["| code | severity | kind | title |", "|---|---|---|---|", *rows])
    yield "## What no check decides"
    yield (
        "Known mistakes that cannot be decided from an inventory, or that netplan's own output cannot have. "
        "[coverage.md](coverage.md) says of every known mistake what catches it."
    )
    rows = [_undecided(row) for section in coverage() for row in section["rows"] if not row.get("checks")]
    yield "\n".join(["| row | mistake | why |", "|---|---|---|", *rows])


def family(area: int) -> str:
    """The page for a hundred of codes, below docs/."""
    return f"checks/np{area}xx.md"


def family_page(area: int) -> Iterator[str]:
    yield f"# NP{area}xx: {AREAS[area]}"
    yield MADE
    yield "[All checks](../checks.md). Severity and kind stand below each title."
    for code in entries().values():
        if code.code[2] == str(area):
            yield f'<a id="{code.code.lower()}"></a>'
            yield f"## {code.code}: {code.title}"
            yield f"{code.grade}, {code.kind}"
            yield code.explanation


def _undecided(row: Mapping[str, Any]) -> str:
    tests = "true by construction, read back by a test" if row.get("tests") else ""
    why = "; ".join(text for text in (row.get("note"), tests) if text)
    return f"| {row['id']} | {row['mistake']} | {why} |"


def coverage() -> list[dict[str, Any]]:
    """Sections of docs/coverage.yaml; row ids with their section's prefix."""
    sections: list[dict[str, Any]] = yaml.safe_load((SOURCE / "coverage.yaml").read_text(encoding="utf-8"))
    for section in sections:
        for row in section["rows"]:
            row["id"] = f"{section['prefix']}{row['id']}"
    return sections


def coverage_page() -> Iterator[str]:
    every = entries()
    yield "# Which known mistake is caught by what"
    yield MADE
    yield (
        "Mistakes that people made or that documents warn of, made from `docs/coverage.yaml`. "
        "A code is a check of [checks.md](checks.md), with its kind. A test stands where an inventory cannot "
        "be wrong, and what is rendered is read back."
    )
    for section in coverage():
        yield f"## {section['title']}"
        yield f"Source: {section['source']}."
        rows = [f"| {row['id']} | {row['mistake']} | {_caught(row, every)} |" for row in section["rows"]]
        yield "\n".join(["| row | mistake | caught by |", "|---|---|---|", *rows])


def _caught(row: Mapping[str, Any], every: Mapping[str, Code]) -> str:
    codes = [f"{code} ({every[code].kind})" for code in row.get("checks", ())]
    tests = [f"`{test}`" for test in row.get("tests", ())]
    return "<br>".join([*filter(None, [", ".join(codes)]), *tests, *filter(None, [row.get("note")])])
