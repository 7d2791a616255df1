"""Neighbours as LLDP shows them: lldpd (``lldpctl``, also with ``-f json`` and ``-f json0``) and SONiC's
``show lldp table``. JSON of other switches: lldp_switch.

lldpd/lldpd da2ab0b src/client/json_writer.c: json0 always has lists; json turns a list of one into its
element, an object with only ``value`` into a text, and an object with a ``name`` into ``{"leaf-1": {...}}``.
A chassis without a system name (a NIC's own agent) lacks that level. The values yes and no become booleans,
even as names. Neither format has the local system: it follows from the file's name. The text format:
src/client/text_writer.c (two blanks a level, continuation lines of a value below its begin) and display.c;
netenglabs/suzieq 584b22a config/textfsm_templates/lldpd.tfsm; NVUE prints the same for ``nv show interface
lldp-detail`` (CumulusNetworks/docs, NVUE reference, Show Commands, LLDP). The table:
sonic-net/sonic-utilities 691b1bb scripts/lldpshow, columns as wide as the dashes below their headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath
from typing import Any

from netplan.diagnostics import Source
from netplan.model.document import Places, unix_text
from netplan.reading.config_db.scan import Problem, scan
from netplan.reading.tables import PROMPT, Line, Table, lines_of, tables

_HEADS = {"localport", "remotedevice", "remoteportid"}
_ASKED = re.compile(r" *(?:sudo +)?(?:show +lldp|lldpctl|lldpcli|nv +show +interface)\b")
"""A command after a prompt: the neighbours below it are those of the prompt's system."""
_TOTAL = re.compile(r" *Total entries displayed:")
"""The last line of SONiC's table."""
_LOCAL = re.compile(r"Interface: {1,16}([^\s,]{1,64})(?:,.*)?")
_VALUE = re.compile(r" {4}(ChassisID|SysName|MgmtIP|Capability|PortID|PortDescr): *(.*)")
MAC = re.compile(r"[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}")
_SWITCHING = frozenset({"Bridge", "Router"})
_ADDRESSES = 8
MOST = 20_000


@dataclass(frozen=True, slots=True)
class Neighbour:
    """``port``: the local one. ``names``: of the far port, best first; ``switching``: whether the far end
    says that it forwards. ``ids``: MAC address and management addresses of the far system, as far as lldpd
    tells. ``named``: whether the ID of the far port says that it is the interface's name.
    ``recorded``: a cable of record, which nothing heard. ``description``: of the far port, where ``names``
    lacks it and nothing says what the ID is."""

    port: str
    system: str
    names: tuple[str, ...]
    switching: bool
    at: Source
    ids: tuple[str, ...] = ()
    named: bool = False
    recorded: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """``speaker``: the local system, if file or file name tells; ``table``: printed by a switch; ``cut``: a
    table without its last lines."""

    speaker: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]
    table: bool
    problems: tuple[Problem, ...] = ()
    cut: bool = False

    def asked_by(self, name: str) -> Heard:
        """``name``: the system in the prompt before the command; empty without one."""
        return replace(self, speaker=(name,)) if name else self


def read_json(name: str, text: str, places: Places) -> Heard:
    scanned = scan(name, text, places)
    data = scanned.data if isinstance(scanned.data, dict) else {}
    found: list[Neighbour] = []
    for lldp in listed(data.get("lldp")):
        for port, body, at in _interfaces(lldp, places):
            found.append(_neighbour(port, body, at))
    return Heard(called(name), tuple(found[:MOST]), False, tuple(scanned.problems))


def listed(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or a single object in place of a list."""
    return [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, dict)]


def _interfaces(lldp: dict[str, Any], places: Places) -> Iterator[tuple[str, dict[str, Any], Source]]:
    for entry in listed(lldp.get("interface")):
        if isinstance(entry.get("name"), str):  # json0
            yield entry["name"], entry, places.source_of(entry, "name")
        else:
            for name, body in entry.items():
                for one in listed(body):
                    yield name, one, places.source_of(entry, name)


def _neighbour(local: str, body: dict[str, Any], at: Source) -> Neighbour:
    chassis = next(iter(listed(body.get("chassis"))), {})
    system = _text(chassis.get("name"))
    if not system and "id" not in chassis and len(chassis) == 1:
        system, inner = next(iter(chassis.items()))
        chassis = inner if isinstance(inner, dict) else {}
    port = next(iter(listed(body.get("port"))), {})
    ident = next(iter(listed(port.get("id"))), {})
    named = ident.get("type") == "ifname"
    names = far_names(_text(ident.get("value")), _text(port.get("descr")), named)
    switching = any(_switches(one) for one in listed(chassis.get("capability")))
    return Neighbour(local, system, names, switching, at, _ids(chassis), named)


def _ids(chassis: dict[str, Any]) -> tuple[str, ...]:
    """One management address is a text, several are a list."""
    own = next(iter(listed(chassis.get("id"))), {})
    addresses = chassis.get("mgmt-ip")
    every = addresses if isinstance(addresses, list) else [addresses]
    mac = _text(own.get("value")).lower() if own.get("type") == "mac" else ""
    return tuple(filter(None, (mac, *map(_text, every[:_ADDRESSES]))))


def _switches(capability: dict[str, Any]) -> bool:
    return _text(capability.get("type")) in _SWITCHING and capability.get("enabled") in (True, "on", "yes")


def _text(value: Any) -> str:
    """A text, an object with a value, or a list of one of them."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, str) else ""


def called(name: str) -> tuple[str, ...]:
    """Candidates for the system's name in ``dumps/gpu-001/lldp.json`` or ``gpu-001.lldp.json``, nearest
    first."""
    path = PurePath(name)
    stem = path.name
    parts = [stem]
    while "." in stem:
        stem = stem.rpartition(".")[0]
        parts.append(stem)
    for end in ("-lldp", "_lldp", "-lldpctl", "_lldpctl", "-neighbors", "_neighbors"):
        parts += [part.removesuffix(end) for part in parts if part.endswith(end)]
    return tuple(dict.fromkeys([*parts, path.parent.name]))


def read_printed(name: str, text: str, places: Places) -> tuple[Heard, ...]:
    """Tables of SONiC and output of lldpctl in a session; each belongs to the system whose prompt precedes
    the command, else to the one in the file's name."""
    text = unix_text(text)
    lines = lines_of(text, places.sources.add(name, text), places)
    heard = []
    for speaker, part in _sections(name, lines):
        rows = tuple(neighbour for table in tables(part) for neighbour in of_table(table))
        ends = any(_TOTAL.match(line.text) for line in part)
        heard += [Heard(speaker, rows[:MOST], True, cut=not ends)] if rows else []
        told = tuple(islice(_of_lldpctl(part), MOST))
        heard += [Heard(speaker, told, False)] if told else []
    return tuple(heard)


def _sections(name: str, lines: Iterable[Line]) -> Iterator[tuple[tuple[str, ...], list[Line]]]:
    speaker, part = called(name), list[Line]()
    for line in lines:
        prompt = PROMPT.match(line.text)
        if prompt is None:
            part.append(line)
            continue
        yield speaker, part
        asked = _ASKED.match(line.text, prompt.end())
        speaker, part = (prompt["name"],) if asked else called(name), []
    yield speaker, part


def of_table(table: Table) -> Iterator[Neighbour]:
    """Rows of SONiC's ``show lldp table``; none for any other table."""
    for row in table.rows if set(table.head) >= _HEADS else ():
        cells = row.cells
        names = tuple(filter(None, (cells.get("remoteportdescr", ""), cells["remoteportid"])))
        switching = bool(set(cells.get("capability", "")) & {"B", "R"})
        yield Neighbour(cells["localport"], cells["remotedevice"], names, switching, row.at)


def _of_lldpctl(lines: Iterable[Line]) -> Iterator[Neighbour]:
    """An interface line begins a neighbour; lines indented deeper than its values belong to something
    else."""
    local, values, at = "", dict[str, str](), None
    for line in lines:
        begins = _LOCAL.fullmatch(line.text)
        if begins is not None:
            if at is not None:
                yield _told(local, values, at)
            local, values, at = begins[1], {}, line.at
        elif value := _VALUE.fullmatch(line.text):
            key, said = value[1], value[2].strip()
            if key == "Capability":
                key, _, said = said.partition(", ")
            if key == "MgmtIP":
                said = f"{values.pop(key, '')} {said}"
            values.setdefault(key, said)
    if at is not None:
        yield _told(local, values, at)


def _told(local: str, values: dict[str, str], at: Source) -> Neighbour:
    kind, _, ident = values.get("PortID", "").partition(" ")
    names = far_names(ident.strip(), values.get("PortDescr", ""), kind == "ifname")
    switching = any(values.get(kind) == "on" for kind in _SWITCHING)
    own, _, mac = values.get("ChassisID", "").partition(" ")
    every = (mac.strip().lower() if own == "mac" else "", *values.get("MgmtIP", "").split()[:_ADDRESSES])
    ids = tuple(filter(None, every))
    return Neighbour(local, values.get("SysName", ""), names, switching, at, ids, kind == "ifname")


def far_names(ident: str, description: str, is_interface: bool) -> tuple[str, ...]:
    """Names of the far port, best first. The ID alone if it is an interface name, because descriptions are
    free text; the description before a MAC address or alias, and instead of an index, which Junos sends. NVUE
    reports a MAC address as ifname too."""
    if MAC.fullmatch(ident):
        ident, is_interface = ":".join(re.findall("[0-9a-f]{2}", ident.lower().replace(".", ""))), False
    if description and ident.isdigit():
        return (description,)
    names = (ident,) if is_interface and ident else (description, ident)
    return tuple(filter(None, names))
