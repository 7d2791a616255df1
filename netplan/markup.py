"""Text of an inventory on its way into Markdown."""

from __future__ import annotations


def escaped(text: str) -> str:
    """What an inventory holds is no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "'")


def cell(text: str) -> str:
    """The same, as a cell of a table."""
    return escaped(text).replace("|", "\\|")
