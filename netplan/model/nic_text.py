"""What a NIC QoS script sets, read back from its text, to judge rendered files.

One row of patterns per tool; a script in any other form is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache

from netplan.records import dataclass

NIC_SCRIPT = re.compile(r"hosts/[^/]+/rdma-nic-qos[a-z0-9-]*\.sh\Z")
"""Path of a NIC QoS script in a rendered tree."""

_MLNX_PFC = re.compile(r"--pfc ([01](?:,[01]){7})\b")
_MLNX_DSCP = re.compile(r"--dscp2prio set,(\d+),([0-7])\b")
_MLNX_TRUST = re.compile(r"--trust=(\w+)")
_DCB_PFC = re.compile(r"\bdcb pfc set dev \S+ prio-pfc all:off((?: [0-7]:on)*)")
_DCB_DSCP = re.compile(r"\bdcb app add dev \S+ dscp-prio (\d+):([0-7])\b")
_NICCTL_TRUST = re.compile(r"^nicctl update qos --classification-type (\w+)", re.MULTILINE)
_NICCTL_DSCP = re.compile(
    r"^nicctl update qos dscp-to-priority --dscp (\d+) --priority ([0-7])\b", re.MULTILINE
)
_MLNX_CNP = re.compile(r"^ *write (\d+) \S+/ecn/roce_np/cnp_dscp", re.MULTILINE)
_MLNX_ECN = re.compile(r"^ *write 1 \S+/ecn/roce_(np|rp)/enable/([0-7])", re.MULTILINE)
_DCB_CNP = re.compile(r"^ *write (0x[0-9a-f]+) \S+/(?:cnp_dscp|alt_vlan_dscp)", re.MULTILINE)
_NICCTL_CNP = re.compile(r"--cnp-dscp (\d+)\b")
_MLNX_ETS = re.compile(r"-p ([0-7](?:,[0-7]){7}) -s (\w+(?:,\w+){7}) -t (\d{1,3}(?:,\d{1,3}){7})\b")
_MLNX_CNP_PRIORITY = re.compile(r"^ *write ([0-7]) \S+/ecn/roce_np/cnp_802p_prio", re.MULTILINE)
_PCI = re.compile(r"^netdev=.*/devices/([0-9A-Fa-f:.]+)/net\b")
_APPLY = re.compile(r'^apply (\S+)((?: "[^"]*")*)\s*$')
_NICCTL_PFC = re.compile(r"^nicctl update qos pfc --priority ([0-7]) --no-drop enable", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NicPort:
    """What a script sets on one port: cable length for the headroom, and the traffic class byte that
    overrides what programs ask for; None if it sets neither. ``line``: where, 0 if nowhere."""

    cable_m: int | None = None
    traffic_class: int | None = None
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NicEts:
    """``classes``: of each priority. ``strict``: strict classes. ``shares``: percent of each class."""

    classes: tuple[int, ...]
    strict: frozenset[int]
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NicText:
    """``priorities``: DSCP -> priority, for the DSCPs it names; all others have priority 0. ``pfc``: lossless
    priorities.

    ``marks``: priorities with ECN on both sides, None if the tool has no such list. ``cnp_dscp``,
    ``cnp_priority``: DSCP and VLAN priority of congestion notifications. ``ports``: interface or PCI address
    -> what it sets there. ``ets``: None if the tool has another form of it. ``lines``: trust, pfc, dscp, ets
    and cnp -> the first line that sets it.
    """

    trust: str | None
    priorities: dict[int, int]
    pfc: frozenset[int]
    marks: frozenset[int] | None = None
    cnp_dscp: int | None = None
    ports: Mapping[str, NicPort] = field(default_factory=dict)
    ets: NicEts | None = None
    cnp_priority: int | None = None
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)


_BLANKS = re.compile(r"(\"[^\"\n]*\"|'[^'\n]*'|^[ \t]+)|[ \t]+$|[ \t]{2,}|\t", re.MULTILINE)


@lru_cache(maxsize=64)
def one_blank(text: str) -> str:
    """A script with single blanks between words, as the shell reads it; quotes and indentation stay."""
    return _BLANKS.sub(lambda m: m[1] or ("" if m.end() == len(text) or text[m.end()] == "\n" else " "), text)


@lru_cache(maxsize=64)
def read_nic_script(given: str) -> NicText | None:
    """None for a script whose tool is not known."""
    text = one_blank(given)
    return next(
        (reader(text) for tool, reader in _READERS.items() if re.search(tool, text, re.MULTILINE)), None
    )


def _lines(text: str, **patterns: re.Pattern[str]) -> dict[str, int]:
    found = {fact: pattern.search(text) for fact, pattern in patterns.items()}
    return {fact: text.count("\n", 0, each.start()) + 1 for fact, each in found.items() if each}


def _pairs(pattern: re.Pattern[str], text: str) -> dict[int, int]:
    return {int(dscp): int(priority) for dscp, priority in pattern.findall(text)}


def _mlnx_qos(text: str) -> NicText:
    pfc, words = _MLNX_PFC.search(text), [*_MLNX_TRUST.findall(text), None]
    bits = pfc[1].split(",") if pfc else []
    on = frozenset(p for p, bit in enumerate(bits) if bit == "1")
    ecn = {side: {int(n) for way, n in _MLNX_ECN.findall(text) if way == side} for side in ("np", "rp")}
    return NicText(
        trust=words[0],
        priorities=_pairs(_MLNX_DSCP, text),
        pfc=on,
        marks=frozenset(ecn["np"] & ecn["rp"]),
        cnp_dscp=_number(_MLNX_CNP, text),
        ports={name: NicPort(*_two(arguments), line) for name, arguments, line in _applied(text)},
        ets=_ets(text),
        cnp_priority=_number(_MLNX_CNP_PRIORITY, text),
        lines=_lines(text, trust=_MLNX_TRUST, pfc=_MLNX_PFC, dscp=_MLNX_DSCP, ets=_MLNX_ETS, cnp=_MLNX_CNP),
    )


def _ets(text: str) -> NicEts | None:
    found = _MLNX_ETS.search(text)
    if found is None:
        return None
    strict = frozenset(i for i, word in enumerate(found[2].split(",")) if word == "strict")
    return NicEts(tuple(map(int, found[1].split(","))), strict, tuple(map(int, found[3].split(","))))


def _two(arguments: list[str]) -> tuple[int | None, int | None]:
    first, second, *_ = (*(int(a) if a.isdecimal() else None for a in arguments), None, None)
    return first, second


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return int(found[1], 0) if found else None


def _applied(text: str) -> Iterator[tuple[str, list[str], int]]:
    """(interface or PCI address, arguments, line) of every call for a port."""
    pci = ""
    for number, line in enumerate(text.split("\n"), 1):
        if known := _PCI.match(line):
            pci = known[1]
        elif call := _APPLY.match(line):
            yield (pci if call[1].startswith('"') else call[1]), re.findall(r'"([^"]*)"', call[2]), number


def _dcb(text: str) -> NicText:
    """A port trusts DSCP once it has an entry for a code point."""
    pfc, pairs = _DCB_PFC.search(text), _pairs(_DCB_DSCP, text)
    on = frozenset(int(part[0]) for part in pfc[1].split()) if pfc else frozenset()
    return NicText(
        trust="dscp" if pairs else None,
        priorities=pairs,
        pfc=on,
        cnp_dscp=_number(_DCB_CNP, text),
        ports={name: NicPort(None, _two(arguments)[0], line) for name, arguments, line in _applied(text)},
        lines=_lines(text, trust=_DCB_DSCP, pfc=_DCB_PFC, dscp=_DCB_DSCP, cnp=_DCB_CNP),
    )


def _nicctl(text: str) -> NicText:
    """The last classification counts."""
    types, on = _NICCTL_TRUST.findall(text), frozenset(int(p) for p in _NICCTL_PFC.findall(text))
    return NicText(
        trust=types[-1] if types else None,
        priorities=_pairs(_NICCTL_DSCP, text),
        pfc=on,
        cnp_dscp=_number(_NICCTL_CNP, text),
        lines=_lines(text, trust=_NICCTL_TRUST, pfc=_NICCTL_PFC, dscp=_NICCTL_DSCP, cnp=_NICCTL_CNP),
    )


_READERS: Mapping[str, Callable[[str], NicText]] = {
    r"^ *mlnx_qos -i ": _mlnx_qos,
    r"^ *dcb (ets|pfc|app) ": _dcb,
    r"^ *nicctl update qos ": _nicctl,
}
"""By a line that identifies the tool."""
