"""NIC scripts between two renders: DSCPs that only one side has a class for are mapped as on that side.

So pods of both sides can run at the same time. ``mlnx_qos`` sets code points one by one, and the link stays
up while the PFC mask is unchanged. The other tools clear the map first, so their scripts are either old or
new.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from netplan.model.nic_text import NIC_SCRIPT

_MAPPED = re.compile(r"(--dscp2prio set,)(\d+),([0-7])\b")

_SENDS = re.compile(r'^(apply \S+ "[0-9]*" )"([0-9]*)"', re.MULTILINE)
"""The call for a port in an ``mlnx_qos`` script: interface, cable length in m, traffic class."""


def with_dscps(texts: Mapping[str, str], held: Collection[int], other: Mapping[str, str]) -> dict[str, str]:
    """``texts`` with the ``held`` DSCPs mapped as in the same scripts of ``other``."""
    found = dict(texts)
    for path, text in texts.items():
        if held and NIC_SCRIPT.match(path) and path in other:
            found[path] = _mapped(text, held, other[path])
    return found


def sending_as(texts: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """``texts`` with the traffic class that the scripts of ``other`` set on each port. A queue pair keeps the
    class it was created with; while both DSCPs are mapped, either one works."""
    return {path: _sending(text, other[path]) if path in other else text for path, text in texts.items()}


def _sending(text: str, other: str) -> str:
    own, theirs = (list(_SENDS.finditer(each)) for each in (text, other))
    if [match[1] for match in own] != [match[1] for match in theirs]:
        return text
    values = iter(match[2] for match in theirs)
    return _SENDS.sub(lambda match: f'{match[1]}"{next(values)}"', text)


def _mapped(text: str, held: Collection[int], other: str) -> str:
    known = {int(match[2]): match[3] for match in _MAPPED.finditer(other)}

    def priority(match: re.Match[str]) -> str:
        dscp = int(match[2])
        return f"{match[1]}{dscp},{known[dscp]}" if dscp in held and dscp in known else match[0]

    return _MAPPED.sub(priority, text)
