"""Rows from one host's files, and the functions they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal

from netplan.diagnostics import Source
from netplan.importing.facts import Remark, Value, not_taken
from netplan.model.values import whole

Name = Literal["pci", "netdev", "rdma"]
MOST_ROWS = 20_000
"""Limit for one file; a host of 64 cards with 127 VFs each has 8,192."""

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
_PCI = re.compile(r"(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}:[0-9a-f]{2}\.[0-7])")
_PACKED = re.compile(r"\.(?:tar|tgz|tar\.gz)\Z")
_KINDS = (
    "lshw",
    "ip-link",
    "ip-addr",
    "rdma-link",
    "rdma-dev",
    "devlink-dev",
    "devlink-port",
    "devlink",
    "mlxconfig",
    "lspci",
    "nvidia-smi-topo",
    "topo",
    "sysfs",
    "lldp",
    "running-config",
    "running",
    "config",
    "conf",
    "yaml",
    "yml",
    "json",
    "txt",
)
"""Parts of a file name that tell its content: the names collect.sh gives, and those people use."""
_ENDINGS = frozenset({*_KINDS, "cfg", "ip", "rdma", "link", "addr", "nvidia-smi"})
"""Those that a name may also end in, behind a dot; hosts may begin with them (``ip-10-0-0-1``)."""


@dataclass(frozen=True, slots=True)
class Row:
    """``value`` of ``field`` of the function ``name``. ``also``: another name of the same function."""

    kind: Name
    name: str
    field: str
    value: Value
    at: Source


@dataclass(frozen=True, slots=True)
class Same:
    """A PCI address and another name of its function."""

    pci: str
    kind: Name
    name: str
    at: Source


@dataclass(frozen=True, slots=True)
class Virtual:
    """A function that is not a card: a VF or a representor."""

    pci: str


Found = Row | Same | Virtual | Remark
"""A remark: a value that cannot be taken."""
STATES = frozenset({"oper", "replaced_mac", "addresses", "master", "firmware_vfs"})
"""Fields of a moment, which no inventory has: whether the port is up, the MAC address that an interface has
in place of its card's, and all IP addresses that it has."""
PORT_OF = "port_of"
"""Field of a row: the bridge, or another interface than a bond, that the interface is a port of."""
_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}")
PERMANENT, PRESENT_MAC = "mac/permanent", "mac/present"
"""Fields of rows; the first says that the present address is another one."""


def of_mac(kind: Name, name: str, text: str, at: Source, field: str = PRESENT_MAC) -> Iterator[Found]:
    """An Ethernet address; that of an InfiniBand port has 20 octets and is not used."""
    if _MAC.fullmatch(text):
        yield Row(kind, name, field, text, at)
    elif ":" in text and text.count(":") != 19:
        yield not_taken(at, "MAC address", text, "not six octets")


def of_number(
    kind: Name, name: str, field: str, text: str, at: Source, least: int = 0, most: int = 2**31
) -> Iterator[Found]:
    """A whole number in the range; -1 means none."""
    number = whole(text, 15)
    if number is not None and least <= number <= most:
        yield Row(kind, name, field, number, at)
    elif text and text != "-1":
        yield not_taken(at, field, text, f"not a whole number from {least} to {most:,}")


def address(text: str) -> str:
    """A PCI address with domain, in lower case; empty for any other text. Some programs leave out domain 0;
    ``nvidia-smi`` writes domains with eight digits."""
    match = _PCI.fullmatch(text.strip().lower().removeprefix("pci@").removeprefix("pci/").partition("/")[0])
    if match is None:
        return ""
    domain = (match[1] or "0000").lstrip("0").zfill(4)
    return f"{domain}:{match[2]}" if len(domain) == 4 else ""


def host_of(file: str) -> str:
    """The host of ``dumps/gpu-001.lshw.json``, ``gpu-001_lspci.txt``, ``gpu-001/ip_link.json`` or
    ``gpu-001.tar/lspci.txt``; empty if neither file nor folder names one."""
    path = PurePath(file)
    parts = path.name.split(".")
    while parts and _hyphened(parts[-1].lower()) in _ENDINGS:
        parts.pop()
    stem = ".".join(parts)
    if _hyphened(stem).startswith(_KINDS):
        stem = ""
    for kind in _KINDS:
        if _hyphened(stem).endswith(f"-{kind}"):
            stem = stem[: -len(kind) - 1]
    name = stem or _PACKED.sub("", path.parent.name)
    return name if _HOST.fullmatch(name) else ""


def _hyphened(word: str) -> str:
    return word.replace("_", "-")


def listed(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a list, or a single object in place of a list. Old programs print empty ``{}``
    entries."""
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict) and entry:
            yield entry


def text(value: Any) -> str:
    """Text or number as written; the first element of a list."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return str(value) if isinstance(value, str) else ""
