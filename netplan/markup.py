"""Escape inventory text for Markdown."""

from __future__ import annotations


def escaped(text: str) -> str:
    """``text`` escaped so that Markdown shows it literally."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "'")


def cell(text: str) -> str:
    """``text`` escaped for a table cell."""
    return escaped(text).replace("|", "\\|")
