"""Tokens of a pattern: ``<vlan>`` matches one VLAN ID, ``<vlan*>`` a list of them.

A token is ``<column>`` or ``<column:kind>``; a star after the column allows a list. The column's name
determines its kind unless the token names one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from socket import AF_INET, AF_INET6, inet_pton

from netaddr import IPAddress

from netplan.model.values import InterfaceAddress
from netplan.records import dataclass

Value = int | str | IPAddress | InterfaceAddress
MAX_LIST = 4096
"""Limit on members of one list: all VLAN IDs."""
_SPAN = re.compile(r"([0-9]+)(?:(?:-| to )([0-9]+))?")
_TOKEN = re.compile(r"<([a-z_]+)(\*?)(?::([a-z_][a-z0-9_]*))?>")


@dataclass(frozen=True, slots=True)
class Kind:
    """``pattern``: regex of one value; ``values``: converts a matched text, raises ValueError."""

    pattern: str
    values: Callable[[str], tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    values: Callable[[str], tuple[Value, ...]]


def spans(text: str) -> tuple[int, ...]:
    """Every number of ``1,3-5`` or ``1 3 to 5``. Raises ValueError if there are more than MAX_LIST."""
    found: list[int] = []
    for first, last in _SPAN.findall(text):
        start, end = int(first), int(last or first)
        if end - start + len(found) >= MAX_LIST:
            raise ValueError(f"more than {MAX_LIST} numbers")
        found += range(start, end + 1)
    return tuple(found)


def _number(low: int, high: int) -> Kind:
    def values(text: str) -> tuple[Value, ...]:
        found = spans(text)
        if wrong := [number for number in found if not low <= number <= high]:
            raise ValueError(f"{wrong[0]} is outside {low} to {high}")
        return found

    return Kind("[0-9]{1,10}", values)


def address(text: str) -> IPAddress:
    """Raises ValueError if the text is not a complete address."""
    try:
        if ":" in text:
            return IPAddress(int.from_bytes(inet_pton(AF_INET6, text), "big"), 6)
        return IPAddress(int.from_bytes(inet_pton(AF_INET, text), "big"), 4)
    except OSError:
        raise ValueError(f"{text[:60]} is not an address") from None


def _prefixed(text: str) -> tuple[Value, ...]:
    """``ip/length``, ``ip length`` or ``ip netmask``."""
    ip_text, length_text = text.replace("/", " ").split()
    ip = address(ip_text)
    if "." in length_text:
        mask = address(length_text)
        if not mask.is_netmask():
            raise ValueError(f"{length_text[:60]} is not a netmask")
        return (InterfaceAddress(ip, mask.netmask_bits()),)
    if int(length_text) > (32 if ip.version == 4 else 128):
        raise ValueError(f"{text[:60]} is not a prefix")
    return (InterfaceAddress(ip, int(length_text)),)


def _whole(number: int, unit: int) -> int:
    if number % unit:
        raise ValueError(f"{number} is not a multiple of {unit}")
    return number // unit


_TEXT = Kind(r"\S+", lambda text: (text,))
_ANY_NUMBER = _number(0, 2**32 - 1)
_PRIORITY = _number(0, 7)
KINDS: Mapping[str, Kind] = {
    "text": _TEXT,
    "number": _ANY_NUMBER,
    "bits": Kind("[01]{1,6}", lambda text: tuple(int(bits, 2) for bits in re.split("[, ]+", text))),
    "address": Kind(r"[0-9A-Fa-f.:]+(?:/| /| )[0-9.]+", _prefixed),
    "ip": Kind(r"[0-9A-Fa-f.:]+", lambda text: (address(text),)),
    "ip4": Kind(r"[0-9.]+", lambda text: (address(text),)),
    "ip6": Kind(r"[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*", lambda text: (address(text),)),
    "seconds": Kind(r"[0-9]{1,6}(?:\.[0-9]{1,3})?", lambda text: (round(float(text) * 1000),)),
    "mbps": Kind("[0-9]{1,7}", lambda text: (_whole(int(text), 1000),)),
    "tenths": Kind("[0-9]{1,6}", lambda text: (int(text) * 100,)),
    "vlan": _number(1, 4094),
    "dscp": _number(0, 63),
    "queue": _PRIORITY,
    "priority": _PRIORITY,
    "pg": _PRIORITY,
    "metres": _ANY_NUMBER,
    "paths": _ANY_NUMBER,
    "mtu": _ANY_NUMBER,
    "asn": _ANY_NUMBER,
    "min": _ANY_NUMBER,
    "max": _ANY_NUMBER,
    "age": _ANY_NUMBER,
    "local": Kind(r"[0-9A-Fa-f.:]+", lambda text: (address(text),)),
    "weight": _ANY_NUMBER,
    "percent": _ANY_NUMBER,
    "ms": _ANY_NUMBER,
    "polls": _ANY_NUMBER,
    "gbps": _ANY_NUMBER,
    "count": _ANY_NUMBER,
    "level": _ANY_NUMBER,
    "version": _number(4, 6),
}
"""A column whose name is not here is text. ``seconds`` and ``tenths`` (of a second): times, converted to
milliseconds. ``mbps``: a speed, converted to Gb/s."""
_NOT_NUMBERS = {
    "text": "text",
    "address": "an address with its length",
    "ip": "an address",
    "local": "an address",
}
_NOT_NUMBERS |= dict.fromkeys(("ip4", "ip6"), _NOT_NUMBERS["ip"])
"""Kind -> description of its values; the values of all other kinds are numbers."""


@cache
def kind_of(column: str, kind: str) -> Kind:
    return KINDS[kind] if kind else KINDS.get(column, _TEXT)


def columns_in(pattern: str) -> Iterator[tuple[str, bool, str]]:
    """Name, whether it is a list, and kind of every token, in order."""
    for name, star, kind in _TOKEN.findall(pattern):
        yield name, bool(star), kind


def compiled(
    pattern: str, port: str, words: Mapping[str, Mapping[str, Value]]
) -> tuple[re.Pattern[str], tuple[Column, ...]]:
    """``port``: regex of a port name; ``words``: kind or column -> text -> the value it stands for.

    Raises KeyError for an unknown kind, re.error for an invalid regex.
    """
    columns: list[Column] = []

    def group(found: re.Match[str]) -> str:
        name, star, kind_name = found[1], found[2], found[3] or ""
        kind = _named(name, kind_name, port, words)
        columns.append(Column(name, kind.values))
        more = rf"(?:(?:, ?|-| to | ){kind.pattern})*" if star else ""
        return f"(?P<{name}>{kind.pattern}{more})"

    return re.compile(_TOKEN.sub(group, pattern)), tuple(columns)


def _named(name: str, kind: str, port: str, words: Mapping[str, Mapping[str, Value]]) -> Kind:
    if name == "port" and not kind:
        return Kind(f"(?:{port})", _TEXT.values)
    if known := words.get(kind or name):
        return Kind(f"(?:{'|'.join(map(re.escape, known))})", lambda text: (known[text],))
    return kind_of(name, kind)


def refuse_misfits(pattern: str, columns: Sequence[str], words: Mapping[str, Mapping[str, Value]]) -> None:
    """Raises ValueError if a token's kind does not fit the fact's column, KeyError for an unknown kind."""
    for name, _, kind in columns_in(pattern):
        if name in columns and (wrong := _misfit(name, kind, words)):
            raise ValueError(wrong)


def _misfit(column: str, kind: str, words: Mapping[str, Mapping[str, Value]]) -> str:
    if kind and kind not in words and kind not in KINDS:
        raise KeyError(kind)
    wanted = _NOT_NUMBERS.get(column, "a number" if column in KINDS else "text")
    known = words.get(kind or column)
    if known is None:
        given = {_NOT_NUMBERS.get(kind or column, "a number" if (kind or column) in KINDS else "text")}
    else:
        given = {"a number" if isinstance(value, int) else "text" for value in known.values()}
    return "" if wanted == "text" or given <= {wanted} else f"<{column}> has to be {wanted}"


def constants(name: str, text: str) -> tuple[Value, ...]:
    """Values of a constant given in the rules."""
    return kind_of(name, "").values(text)
