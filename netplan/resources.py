"""Locate ``schemas/``, ``templates/`` and ``inventories/``, installed or in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def root() -> Path:
    """Parent of the data folders; independent of the working directory."""
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


def schemas() -> Path:
    return root() / "schemas"


def templates() -> Path:
    return root() / "templates"


def inventories() -> Path:
    return root() / "inventories"
