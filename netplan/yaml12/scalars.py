"""Values of unquoted scalars, and the characters allowed in YAML text."""

from __future__ import annotations

import re
from functools import cached_property
from math import isfinite

_PRINTABLE = bytes([*b"\t\n", *range(0x20, 0x7F)])


class Forbidden:
    """Finds forbidden characters: all but tab, line feed, printable ASCII and ``others``, ranges for a regex
    character class. The regex takes 5 ms to compile and most files are ASCII, so it is compiled on demand."""

    def __init__(self, others: str) -> None:
        self._others = others

    def search(self, text: str) -> re.Match[str] | None:
        if text.isascii() and not text.encode().translate(None, _PRINTABLE):
            return None
        return self._all.search(text)

    @cached_property
    def _all(self) -> re.Pattern[str]:
        return re.compile(rf"[^\t\n\x20-\x7e{self._others}]")


FORBIDDEN = Forbidden(r"\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff")
"""Outside YAML's printable set (1.2.2, section 5.1), or read differently by 1.1 and 1.2: NEL, LS and PS are
line breaks only in 1.1, and a byte order mark belongs at the start only."""

_WORDS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_NUMBER_START = frozenset("+-.0123456789")
# More digits do not fit the 64-bit integers of downstream readers: such a scalar is a name, not a quantity.
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]{1,18}|0x[0-9a-fA-F]{1,18}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def plain_value(text: str) -> str | int | float | bool | None:
    """The value of an unquoted scalar, by the YAML 1.2 core schema (yaml.org/spec/1.2.2, section 10.3.2).

    Raises ValueError for ``.inf``, ``.nan`` and a float out of range.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not isfinite(number):
            raise ValueError(text)
        return number
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(text)
    return text
