"""Gateways in configuration groups of Junos that are applied and not read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact
from netplan.reading.switches.junos_groups import APPLY, JUNOS

OPEN_GATEWAY = "gateway of a group"
"""Field of a switch: an address of a VLAN interface in a group that is applied and not read."""
_IRB = re.compile(r"^set groups (\S+) interfaces \S+ unit \S+ family inet6? address [^\n]+$", re.MULTILINE)


def open_gateways(nos: str, switch: str, text: str, file: str) -> Iterator[Fact]:
    """The first one. ``text``: with the statements of groups that are read."""
    off = set(re.findall(r"(?m)^deactivate groups (\S+)[ \t]*$", text))
    lines = (line.replace("[", " ") for line in text.split("\n") if APPLY in line)
    applied = {name for line in lines if line.startswith("set ") for name in line.split()} - off
    for found in _IRB.finditer(text) if nos == JUNOS else ():
        if found[1] in applied:
            at = Source(file, text.count("\n", 0, found.start()) + 1, 1)
            yield Fact("switch", (switch,), OPEN_GATEWAY, found[0], at)
            return
