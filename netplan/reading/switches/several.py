"""One word for several interfaces: NVUE writes ``swp1-16``, ``swp1-2s0-3`` or ``swp61,63`` where their
settings are the same (``nv set interface swp1-16 qos remark profile`` on the page about packet trimming of
the Cumulus Linux guide; unconfirmed: a copy was read without a citable address)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = re.compile(
    r"(?P<stem>[A-Za-z_]*)(?P<port>[0-9]{1,5}(?:-[0-9]{1,5})?)(?:s(?P<part>[0-9]{1,2}(?:-[0-9]{1,2})?))?"
)
_SLOT = re.compile(r"(?P<slot>(?:[0-9]{1,3}/){1,2})(?P<first>[0-9]{1,3})-(?P=slot)(?P<last>[0-9]{1,3})")
"""``1/1-1/9`` of Onyx, from the first port of a slot to the last (NVIDIA Onyx user manual 3.10, interface
ethernet <slot>/<port>-<slot>/<port>)."""
MOST = 4096
"""Limit of interfaces in one word: all VLAN IDs."""


def members(word: str) -> list[str]:
    """The interfaces that a word names; the word itself if it is none of these forms."""
    found: list[str] = []
    stem = ""
    if (slot := _SLOT.fullmatch(word)) is not None:
        return [f"{slot['slot']}{port}" for port in _span(f"{slot['first']}-{slot['last']}")] or [word]
    for text in word.split(","):
        part = _PART.fullmatch(text)
        if part is None:
            return [word]
        stem = part["stem"] or stem
        found += (f"{stem}{port}{lane}" for port in _span(part["port"]) for lane in _lanes(part["part"]))
        if not stem or len(found) > MOST:
            return [word]
    return found


def _span(text: str) -> Iterator[int]:
    first, _, last = text.partition("-")
    yield from range(int(first), min(int(last or first), int(first) + MOST) + 1)


def _lanes(text: str | None) -> list[str]:
    return [""] if text is None else [f"s{number}" for number in _span(text)]
