"""Parts of a physical port, by the names of the ports.

The split is the smallest of 2, 4, 8 and 16 that has every part the inventory names; parts named by lane give
it exactly.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from netplan.model.nos import NosBreakout

SPLITS = (2, 4, 8, 16)
"""Possible numbers of parts: the lanes of a port are a power of two, SFF-8636 (4), QSFP-DD and OSFP MSA
(8)."""


@lru_cache(maxsize=65536)
def place_of(name: str, rule: NosBreakout | None, lanes: int) -> tuple[str, int | None]:
    """(physical port, part number from 0); (physical port, None) for an unsplit port."""
    found = re.fullmatch(rule.name, name) if rule is not None else None
    if rule is None or found is None or (rule.parts != "ordinal" and not lanes):
        return name, None
    parent, number = found.groupdict().get("parent") or "", number_of(found["part"])
    if number is None:
        return parent or name, None
    if rule.parts == "running":
        port, lane = divmod(number, lanes)
        return f"{name.removesuffix(found['part'])}{port * lanes}", lane
    part = number - rule.first
    if part < 0 or (rule.parts == "lane" and part >= lanes):
        return name, None
    return parent, part


def number_of(text: str | None) -> int | None:
    """Integer of a regex group, which may come from a site's pattern; None if it is not a number."""
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else None


def count_of(parts: Collection[int], rule: NosBreakout | None, lanes: int) -> int:
    """Number of parts the port is split into; 1 if unsplit."""
    if rule is None or not parts:
        return 1
    if rule.parts == "ordinal":
        return next((n for n in SPLITS if n > max(parts)), max(parts) + 1)
    return next((n for n in (1, *SPLITS) if n <= lanes and not any(p % (lanes // n) for p in parts)), lanes)
