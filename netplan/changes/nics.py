"""NIC scripts between two renders: DSCPs that one side alone has a class for are mapped as that side does.

So pods of both sides run beside each other. ``mlnx_qos`` sets code points one by one, and while the PFC mask
stays the link does. The other tools empty the map first: their scripts are old or new.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from netplan.model.nic_text import NIC_SCRIPT

_MAPPED = re.compile(r"(--dscp2prio set,)(\d+),([0-7])\b")

_SENDS = re.compile(r'^(apply \S+ "[0-9]*" )"([0-9]*)"', re.MULTILINE)
"""The call for a port of a script of ``mlnx_qos``: interface, metres of cable, traffic class."""


def with_dscps(texts: Mapping[str, str], held: Collection[int], other: Mapping[str, str]) -> dict[str, str]:
    """``texts`` with the DSCPs that are ``held`` as the same scripts of ``other`` map them."""
    found = dict(texts)
    for path, text in texts.items():
        if held and NIC_SCRIPT.match(path) and path in other:
            found[path] = _mapped(text, held, other[path])
    return found


def sending_as(texts: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """``texts`` with the traffic class that scripts of ``other`` set on each port. A queue pair keeps the one
    of when it was made; where both DSCPs are mapped, either is served."""
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
