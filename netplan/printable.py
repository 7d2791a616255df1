"""Text of an inventory on its way to a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """``text`` with everything that is not a visible character or a space written as an escape.

    Line breaks, terminal escape sequences, bidirectional controls and lone surrogates come out as ``\\n``,
    ``\\x1b``, ``\\u202e``, ``\\udc80``: a message stays on its line and cannot rewrite the screen.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
