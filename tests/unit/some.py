"""Minimal objects for tests of single functions."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from netplan.model.owners import Owners


def some(**facts: Any) -> Any:
    return SimpleNamespace(**facts)


def owned_by(**words: Any) -> Owners:
    """Owners with these words; the others make nothing by an operator."""
    return Owners(**{"vfs": "none", "device_plugin": "manual", "nads": "netplan", "nic_qos": "host", **words})


def but(thing: Any, **facts: Any) -> Any:
    """A copy with other values."""
    if isinstance(thing, Owners):
        return replace(thing, **facts)
    return SimpleNamespace(**{**vars(thing), **facts})


def said(findings: Any) -> list[str]:
    return [each.message for each in findings]
