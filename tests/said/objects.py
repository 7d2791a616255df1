"""Kubernetes objects: cases of ``tests/checks`` with one line changed, and the inventory that they name."""

from __future__ import annotations

from functools import cache

from netplan.others import rendered_texts
from tests.checks.test_foreign import FILE, site_beside, texts_of
from tests.overlay import CHECKS
from tests.said import Row, line


@cache
def _case(name: str) -> dict[str, str]:
    return texts_of(CHECKS / f"{name}.yaml")


def said(row: Row) -> tuple[str, ...]:
    """Code, place and values of each finding, in order."""
    name, _, file = row.about.partition(" ")
    texts, file = _case(name), file or FILE
    found = rendered_texts(
        {**texts, file: row.edited(texts[file])}, site=site_beside(CHECKS / f"{name}.yaml")
    ).diagnostics
    return tuple(
        line(d, str(d.source).removeprefix(f"{FILE}:"))
        for d in found
        if d.source is None or d.source.file in texts
    )
