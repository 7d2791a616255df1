"""config_db: ``leaf-1.json`` of the small fabric of ``tests/sonic_corpus.py`` with one part changed.

A row names the part by its keys, joined by slashes, and its new value as JSON.
"""

from __future__ import annotations

import json
from functools import cache, reduce
from typing import Any

from netplan.config_db import judge_texts
from netplan.diagnostics import Diagnostic
from tests.said import Row, line, values
from tests.sonic_corpus import merged, small, texts


@cache
def _files() -> dict[str, Any]:
    return small()


@cache
def _texts() -> dict[str, str]:
    return texts(_files())


@cache
def _usual() -> tuple[str, ...]:
    return judge_texts(_texts()).skipped


def said(row: Row) -> tuple[str, ...]:
    """Code, place and values of each finding; also what was not checked, if that differs."""
    value = json.loads(row.now[0]) if row.now else None
    patch = reduce(lambda inner, key: {key: inner}, reversed(row.was.split(" / ")), value)
    judged = judge_texts({**_texts(), **texts({row.about: merged(_files()[row.about], patch)})})
    found = sorted(_line(each) for each in judged.diagnostics)
    return (*found, *(values(text) for text in judged.skipped if text not in _usual()))


def _line(found: Diagnostic) -> str:
    file = found.source.file if found.source else ""
    return line(found, f"{file} {'|'.join(map(str, found.path))}")
