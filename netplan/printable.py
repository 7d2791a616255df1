"""Make inventory text safe to print on a terminal."""

from __future__ import annotations

_MESSAGE_MAX = 1_000


def clipped(message: str) -> str:
    """The message cut to 1,000 characters; it may quote a value of any length from a foreign file."""
    return message if len(message) <= _MESSAGE_MAX else f"{message[:_MESSAGE_MAX]}..."


def printable(text: str) -> str:
    """``text`` with everything that is not a visible character or a space written as an escape.

    Line breaks, terminal escape sequences, bidirectional controls and lone surrogates come out as ``\\n``,
    ``\\x1b``, ``\\u202e``, ``\\udc80``: a message stays on its line and cannot rewrite the screen.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
