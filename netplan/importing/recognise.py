"""Recognizes a text by its content; file names do not matter."""

from __future__ import annotations

import re
from typing import Literal

from netplan.importing.cabling_csv import is_cabling, is_table
from netplan.importing.lldp_switch import is_switch_json
from netplan.importing.switch_forms import form_of
from netplan.importing.unheaded import lacks

Program = Literal["lshw", "ip", "rdma", "devlink", "mlxconfig", "lspci", "topology", "sysfs"]
Source = (
    Literal["kubernetes", "config_db", "launch_kit", "netbox", "cabling", "switch_text"]
    | Literal["lldp", "lldp_switch", "lldp_printed", "unheaded"]
    | Program
)

_HEAD = 4096
_LLDP = re.compile(r'\A\s*\{\s*"lldp"\s*:')
_PRINTED = re.compile(r"^(?: *LocalPort +RemoteDevice +RemotePortID\b|LLDP neighbors: *$)", re.MULTILINE)
_CONFIG_DB = re.compile(r'"(?:DEVICE_METADATA|PORT|VLAN|DEVICE_NEIGHBOR|BGP_NEIGHBOR|PORT_QOS_MAP)[|"]')
_LAUNCH_KIT = re.compile(r"^clusterConfig\s*:", re.MULTILINE)
_NETBOX = re.compile(r'"url"\s*:\s*"[^"]*/api/(?:dcim|ipam|extras)/')
_OBJECT = re.compile(r"""["']?apiVersion["']?\s*:""")
_FIRST = re.compile(
    r"""\ufeff?(?:\s|\#[^\n]*\n|---[^\n]*\n)*[{-]?\s*["']?(?:apiVersion|items|kind|metadata)["']?\s*:""",
    re.ASCII,
)
"""The beginning of objects, so that a page of documentation with an example in it is none."""

_PROGRAMS: tuple[tuple[Program, re.Pattern[str]], ...] = (
    ("sysfs", re.compile(r"\A# netplan collect 1: pci$", re.MULTILINE)),
    ("lspci", re.compile(r"\A\s*Slot:\s+[0-9a-fA-F:.]+$", re.MULTILINE)),
    ("topology", re.compile(r"^(?:\x1b\[[0-9;]*m|\s)*GPU0\s.*\bAffinity\b", re.MULTILINE)),
    ("devlink", re.compile(r'\A\s*\{\s*"(?:dev|port)"\s*:\s*\{')),
    ("mlxconfig", re.compile(r'\A\s*\{[^{}]*\{[^{}]*"tlv_configuration"\s*:')),
    ("rdma", re.compile(r'\A\s*\[\s*\{\s*"ifindex"\s*:[^{}]*"(?:physical_state|node_guid)"')),
    ("ip", re.compile(r'\A\s*\[(?:\s*\{\s*\}\s*,)*\s*\{\s*"ifindex"\s*:[^{}]*"ifname"')),
    ("lshw", re.compile(r'\A\s*\[?\s*\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"class"\s*:')),
)
"""Programs of a host, by the beginning of their output."""


PROGRAMS = frozenset(name for name, _ in _PROGRAMS)


def recognised(text: str) -> Source:
    """Anything else is treated as Kubernetes: that reader explains what is wrong with a broken file."""
    neighbours = _neighbours(text)
    if neighbours is not None:
        return neighbours
    head = text[:_HEAD].removeprefix("\ufeff")
    program = next((name for name, begins in _PROGRAMS if begins.search(head)), None)
    if program is not None:
        return program
    if form_of(text) is not None:
        return "switch_text"
    if is_cabling(head):
        return "cabling"
    if text.lstrip()[:1] in ("{", "[") and _NETBOX.search(head):
        return "netbox"
    return "kubernetes" if _OBJECT.search(text[:_HEAD]) else _no_object(text)


def is_known(text: str) -> bool:
    """Whether a reader knows the text, whatever the name of its file."""
    return recognised(text) != "kubernetes" or _FIRST.match(text) is not None


def _no_object(text: str) -> Source:
    if text.lstrip().startswith("{") and _CONFIG_DB.search(text):
        return "config_db"
    if _PRINTED.search(text):  # a session that begins with other commands
        return "lldp_printed"
    if _LAUNCH_KIT.search(text):
        return "launch_kit"
    if lacks(text):
        return "unheaded"
    return "cabling" if is_table(text[:_HEAD]) else "kubernetes"


def _neighbours(text: str) -> Source | None:
    if _LLDP.match(text):
        return "lldp"
    if is_switch_json(text):
        return "lldp_switch"
    return "lldp_printed" if _PRINTED.search(text[:_HEAD]) else None
