"""P_Keys of InfiniBand networks, as ib-kubernetes reads them: ``0x`` and hexadecimal digits, 15 bits
(Mellanox/ib-kubernetes 528f63f pkg/utils/utils.go, ParsePKey; pkg/ib-utils/utils.go, IsPKeyValid). 0x7fff is
the default partition, which a network without ``pkey`` is in; 0 is none (InfiniBand Architecture
Specification 1.4, 10.9).
"""

from __future__ import annotations

import re

from netplan.importing.facts import Said, place
from netplan.importing.text import Entry, todo, told

_FORM = re.compile(r"0[xX][0-9a-fA-F]{1,16}")
_DEFAULT, _FULL = 0x7FFF, 0x8000
FIELD = "pkey"


def pkey_of(text: str) -> str:
    """In the form of an inventory; a text that is no partition as it is."""
    return text if _fault(text) else written(int(text, 16))


def written(number: int) -> str:
    return f"0x{number:04x}"


def pkey_entry(said: Said) -> Entry:
    """A question where ib-kubernetes refuses the value, or means the default partition."""
    text = str(said.value)
    why = _fault(text)
    return todo(f"0x0001 to 0x7ffe, or remove the key; {text!r} {why}", place(said.at)) if why else told(said)


def _fault(text: str) -> str:
    if not _FORM.fullmatch(text):
        return "does not begin with 0x, which ib-kubernetes refuses"
    number = int(text, 16)
    if 0 < number < _DEFAULT:
        return ""
    if number == _DEFAULT:
        return "is the default partition, that of networks without pkey"
    if _FULL < number < _FULL + _DEFAULT:
        own = written(number - _FULL)
        return f"has the bit of the membership, which ib-kubernetes refuses; the partition is {own}"
    return "is no partition"
