"""Neighbours as LLDP shows them: ``lldpctl -f json`` and ``-f json0``, and SONiC's ``show lldp table``.

lldpd/lldpd da2ab0b src/client/json_writer.c: json0 always has lists; json makes an element of a list of one,
a text of an object with nothing but ``value``, and ``{"leaf-1": {...}}`` of an object with a ``name``. A
chassis without a system name (a NIC's own agent) has no such level. Values yes and no become booleans, also
where they are names. The local system is in neither: whose neighbours these are follows from the file's name.
The table: sonic-net/sonic-utilities 691b1bb scripts/lldpshow, columns as wide as the dashes below their
heads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from netplan.diagnostics import Source
from netplan.model.document import Places
from netplan.reading.config_db.scan import Problem, scan

_RULE = re.compile(r"-+(?: +-+){3,}")
_PROMPT = re.compile(r"^\S*?@([A-Za-z0-9][A-Za-z0-9._-]*?):[^\n]*?[$#] *show lldp", re.MULTILINE)
_SWITCHING = frozenset({"Bridge", "Router"})
_MOST = 20_000


@dataclass(frozen=True, slots=True)
class Neighbour:
    """``port``: the local one. ``names``: what the far port is called, best first; ``switching``: whether the
    far end says that it forwards."""

    port: str
    system: str
    names: tuple[str, ...]
    switching: bool
    at: Source


@dataclass(frozen=True, slots=True)
class Heard:
    """``speaker``: the local system, as far as the file or its name tells; ``table``: it is a switch's."""

    speaker: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]
    table: bool
    problems: tuple[Problem, ...] = ()


def read_json(name: str, text: str, places: Places) -> Heard:
    scanned = scan(name, text, places)
    data = scanned.data if isinstance(scanned.data, dict) else {}
    found: list[Neighbour] = []
    for lldp in _listed(data.get("lldp")):
        for port, body, at in _interfaces(lldp, places):
            found.append(_neighbour(port, body, at))
    return Heard(_called(name), tuple(found[:_MOST]), False, tuple(scanned.problems))


def _listed(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or the one object that stands for a list of one."""
    return [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, dict)]


def _interfaces(lldp: dict[str, Any], places: Places) -> Iterator[tuple[str, dict[str, Any], Source]]:
    for entry in _listed(lldp.get("interface")):
        if isinstance(entry.get("name"), str):  # json0
            yield entry["name"], entry, _place(places, entry, "name")
        else:
            for name, body in entry.items():
                for one in _listed(body):
                    yield name, one, _place(places, entry, name)


def _place(places: Places, container: dict[str, Any], key: str) -> Source:
    child = places.child(container, key)
    return places.sources.source(child[1] if child else 0)


def _neighbour(local: str, body: dict[str, Any], at: Source) -> Neighbour:
    chassis = next(iter(_listed(body.get("chassis"))), {})
    system = _text(chassis.get("name"))
    if not system and "id" not in chassis and len(chassis) == 1:
        system, inner = next(iter(chassis.items()))
        chassis = inner if isinstance(inner, dict) else {}
    port = next(iter(_listed(body.get("port"))), {})
    ident = next(iter(_listed(port.get("id"))), {})
    names = (_text(port.get("descr")), _text(ident.get("value")))
    if ident.get("type") == "ifname":
        names = (names[1], names[0])
    switching = any(_switches(one) for one in _listed(chassis.get("capability")))
    return Neighbour(local, system, tuple(filter(None, names)), switching, at)


def _switches(capability: dict[str, Any]) -> bool:
    return _text(capability.get("type")) in _SWITCHING and capability.get("enabled") in (True, "on", "yes")


def _text(value: Any) -> str:
    """A text, an object with a value, or a list of one of them."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, str) else ""


def _called(name: str) -> tuple[str, ...]:
    """``dumps/gpu-001/lldp.json`` or ``gpu-001.lldp.json``: what may be a system's name, the nearest
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


def read_table(name: str, text: str, places: Places) -> Heard:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    base = places.sources.add(name, text)
    prompt = _PROMPT.search(text)
    found: list[Neighbour] = []
    columns: list[tuple[int, int]] = []
    offset = base
    for line in text.split("\n"):
        if _RULE.fullmatch(line.strip()):
            columns = [match.span() for match in re.finditer("-+", line)]
        elif columns and (not line.strip() or set(line.strip()) == {"-"}):
            columns = []
        elif columns and len(found) < _MOST:
            found.append(_row(line, columns, places.sources.source(offset)))
        offset += len(line) + 1
    speaker = (prompt[1],) if prompt else _called(name)
    return Heard(speaker, tuple(found), True)


def _row(line: str, columns: list[tuple[int, int]], at: Source) -> Neighbour:
    cells = [line[start:end].strip() for start, end in columns[:-1]] + [line[columns[-1][0] :].strip()]
    port, system, ident, capability, description = (*cells, "", "", "", "", "")[:5]
    switching = bool(set(capability) & {"B", "R"})
    return Neighbour(port, system, tuple(filter(None, (description, ident))), switching, at)
