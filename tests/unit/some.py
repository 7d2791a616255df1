"""Minimal objects for tests of single functions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


def some(**facts: Any) -> Any:
    return SimpleNamespace(**facts)


def but(thing: Any, **facts: Any) -> Any:
    """A copy with other values."""
    return SimpleNamespace(**{**vars(thing), **facts})


def said(findings: Any) -> list[str]:
    return [each.message for each in findings]
