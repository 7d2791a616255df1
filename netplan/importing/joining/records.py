"""Rows of a record of cables that no cable of the dumps shows: a port that the other end does not have, and
rows that are not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.diagnostics import Path
from netplan.importing.cabling import SWITCH, Cable, heard_name, is_listed
from netplan.importing.facts import Kind, Of, Said, Site, place
from netplan.importing.joining.known import Change, Known
from netplan.model.ranges import gathered
from netplan.model.values import natural

_TABLE = "record/csv"
_LISTS = (_TABLE, "record/netbox")
"""A table of cables is a whole list, and so are the pages of NetBox, as incomplete sets of them are not read;
DEVICE_NEIGHBOR need not be one."""


def record_changes(
    known: Known, site: Site, cables: Iterable[Cable], parts: set[tuple[str, str]]
) -> Iterator[Change]:
    """``parts``: hosts and HCAs on a part of a port that the record does not name."""
    yield from _other_ports(known, site)
    yield from _without_row(known, site, parts.union((cable.switch, cable.port) for cable in cables))


def _other_ports(known: Known, site: Site) -> Iterator[Change]:
    """Cables between switches of which the record has a port that the far switch does not list."""
    for (switch, port), ((kind, *far), path, _) in known.ports.items():
        said = site.said("port", (switch, port), _TABLE)
        if kind == SWITCH and said is not None and isinstance(said.value, tuple):
            names = frozenset(filter(None, said.value[1:]))
            if said.value[0] == far[0] and names and not _has_port(site, far[0], names):
                yield _moved(known, (switch, port), " ".join(far), path, said)


def _moved(known: Known, own: Of, far: str, path: Path, said: Said) -> Change:
    there = heard_name(tuple(filter(None, said.value))) if isinstance(said.value, tuple) else ""
    what = f"to {far} ({known.written_at(path)}) or to {there} ({place(said.at)})"
    return Change("differs", f"cable of {' '.join(own)}", what)


def _has_port(site: Site, switch: str, names: frozenset[str]) -> bool:
    """True of a switch without a list of its ports."""
    listed = [of for of in site.every("port") if of[0] == switch and is_listed(site, of)]
    return not listed or any(of[1] in names or site.text("port", of, "alias") in names for of in listed)


def _without_row(known: Known, site: Site, seen: set[tuple[str, str]]) -> Iterator[Change]:
    """Cables without a row, where the table has others of the switch to the same kind of neighbour."""
    rows = {of for of in site.every("port") if any(site.said("port", of, name) for name in _LISTS)}
    tables = {(of[0], known.ports[of[0], of[1]][0][0]) for of in rows if (of[0], of[1]) in known.ports}
    groups: dict[tuple[str, str], list[str]] = {}
    for (switch, port), (end, path, _) in known.ports.items():
        own = (switch, port)
        listed = (switch, end[0]) in tables and not _heard(site, switch, end[1])
        if listed and {own, end[1:]}.isdisjoint(rows | seen):
            groups.setdefault((switch, known.written_at(path)), []).append(port)
    for (switch, at), ports in groups.items():
        whom = f"cable of {switch} {gathered(sorted(ports, key=natural))}"
        yield Change("gone", whom, f"no row of the record has it ({at})")


def _heard(site: Site, *names: str) -> bool:
    """Whether LLDP of an end was read: what it does not hear is told as that."""
    kinds: tuple[Kind, ...] = ("switch", "node")
    return any(site.said(kind, (name,), "heard") is not None for kind in kinds for name in names)
