"""A text with what it states once for several places, as lines of each: configuration groups of Junos and
ranges of ports. Whoever reads a switch reads this; numbers of lines are those of the file."""

from __future__ import annotations

from functools import lru_cache

from netplan.reading.switches.junos_groups import with_groups
from netplan.reading.switches.port_ranges import Expanded, with_ports


@lru_cache(maxsize=64)
def expanded(nos: str, text: str) -> Expanded:
    """Groups first: they may state a range."""
    groups = with_groups(nos, text)
    ports = with_ports(nos, groups.text)
    return Expanded(ports.text, tuple(map(groups.line, ports.numbers)))
