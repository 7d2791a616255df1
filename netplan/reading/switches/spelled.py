"""Lines that a running configuration shows in other words, in those of netplan (``spelled`` in
``readback.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from netaddr import AddrFormatError, IPAddress

from netplan.records import dataclass

_VALUE = re.compile(r"<([a-z_]+)(?::([a-z]+))?>")


def _length(text: str) -> str:
    mask = IPAddress(text)
    if not mask.is_netmask():
        raise ValueError(text)
    return str(mask.netmask_bits())


def _mask(text: str) -> str:
    length = int(text)
    if length > 32:
        raise ValueError(text)
    return str(IPAddress((0xFFFFFFFF << (32 - length)) & 0xFFFFFFFF, version=4))


FORMS: Mapping[str, Callable[[str], str]] = {
    "length": _length,
    "mask": _mask,
    "seconds": lambda text: str(int(text) * 60),
}
"""Of a value: the length of a mask, the mask of a length, minutes in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """``shown``: a line without its indent, with a group for each value that ``line`` names."""

    shown: re.Pattern[str]
    line: str

    def settle(self, text: str) -> str:
        return self.shown.sub(self._line, text)

    def _line(self, found: re.Match[str]) -> str:
        try:
            said = _VALUE.sub(lambda value: _value(found, value), self.line)
        except (AddrFormatError, ValueError):
            return found[0]
        return f"{found['indent']}{said}"


def _value(found: re.Match[str], value: re.Match[str]) -> str:
    text = found[value[1]]
    return FORMS[value[2]](text) if value[2] else text


def spelling_of(shown: str, line: str) -> Spelling:
    """Raises ValueError or re.error for what cannot be used."""
    pattern = re.compile(rf"(?m)^(?P<indent>[ \t]*)(?:{shown})[ \t]*$")
    for name, form in _VALUE.findall(line):
        if name not in pattern.groupindex or (form and form not in FORMS):
            raise ValueError(f"<{name}> of {line} is no value of {shown}")
    return Spelling(pattern, line)
