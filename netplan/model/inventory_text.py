"""Keys and values as an inventory has them: plain if YAML 1.1 and 1.2 read them the same, else quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from netplan.printable import printable

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"})
_CIDR = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}/[0-9]{1,2}|[0-9]+-[0-9]+|[0-9]+\+")


@dataclass(frozen=True, slots=True)
class Flow:
    """Text that is already YAML: ``{pci: "0000:18:00.0"}``"""

    text: str

    def __str__(self) -> str:
        return self.text


def scalar(value: object) -> str:
    """As YAML 1.2 and 1.1 read it back."""
    if isinstance(value, list | tuple):
        value = flow_list(value)
    if isinstance(value, Flow):
        return value.text
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    text = printable(str(value))
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS
    return text if plain or _CIDR.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def flow(values: Mapping[str, object]) -> Flow:
    return Flow("{" + ", ".join(f"{scalar(key)}: {scalar(value)}" for key, value in values.items()) + "}")


def flow_list(values: Iterable[object]) -> Flow:
    return Flow("[" + ", ".join(map(scalar, values)) + "]")


def key(text: str) -> str:
    """A name or range as key of a block map: ``roce[0-3]``, ``example.com/x``."""
    text = printable(text)
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*(?:\[[0-9]+-[0-9]+(?:/[0-9]+)?\][A-Za-z0-9_./-]*)*", text)
    return text if plain and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)
