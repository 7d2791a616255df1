"""``show ip interfaces`` and ``show ipv6 interfaces`` of SONiC: the addresses that the kernel has.

Shapes: sonic-net/sonic-utilities 691b1bbc: scripts/ipintutil (display_ip_intfs: an interface with several
addresses has its name in the first row only; get_if_master: a VRF, a LAG or the bridge; an interface without
addresses is left out), tests/show_ip_int_test.py (link-local addresses with their interface), and
utilities_common/cli.py (run_command_in_alias_mode: ``sudo ipintutil``); sonic-net/sonic-mgmt 609fe27e:
tests/bgp/conftest.py reads the same columns. VRFs: sonic-utilities tests/vrf_test.py (test_invalid_vrf_name);
``lo-m`` of the management VRF: sonic-net/sonic-buildimage files/image_config/interfaces/interfaces.j2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.commands import shows_part
from netplan.live.model import Kind, Whole
from netplan.live.objects import Found, addresses, is_link_local, said
from netplan.live.sections import Section
from netplan.live.sonic_lists import aliases
from netplan.model.values import parse_network
from netplan.reading.tables import Row, Table

_COLUMNS: Sequence[tuple[str, Kind]] = (("ipv4 address/mask", "ipv4"), ("ipv6 address/mask", "ipv6"))
_PORT = re.compile(r"Ethernet[A-Za-z-]{0,8}[0-9]{1,5}(?:\.[0-9]{1,4})?")
_NO_PORT = re.compile(
    r"(?:PortChannel|Po|Vlan|Loopback|eth|docker|usb)[0-9].{0,20}|lo(?:-m)?|mgmt|Bridge|(?:veth|Vrf).{0,20}"
)
_VRF = re.compile(r"mgmt|Vrf.{0,20}")
"""Masters whose addresses are of a table of their own."""
_ONE_ASIC = re.compile(r" (?:-n|--namespace)\b")


def readings(section: Section, table: Table) -> Found:
    """Of another table none."""
    for column, kind in _COLUMNS:
        if {"interface", "master", "admin/oper", column} <= set(table.head):
            yield from _interfaces(section, table, column, kind)


def _interfaces(section: Section, table: Table, column: str, kind: Kind) -> Found:
    found = _by_interface(table.rows)
    if _by_alias(list(found)):
        yield aliases(table.rows[0].at, kind)
        return
    for name, rows in found.items():
        own = [row.cells[column] for row in rows if not is_link_local(row.cells[column])]
        if not all(map(parse_network, own)):
            continue
        first = rows[0]
        if not _VRF.fullmatch(first.cells["master"]):
            yield said(section.whose, kind, name, "addresses", addresses(own), first.at)
        yield said(section.whose, kind, name, "master", first.cells["master"], first.at)
        admin, _, oper = first.cells["admin/oper"].partition("/")
        if {admin, oper} <= {"up", "down"}:  # error where ipintutil cannot read it
            yield said(section.whose, kind, name, "oper", oper, first.at)
    part = shows_part(section.command) or _ONE_ASIC.search(section.command)
    if found and not part and (table.ended or section.ended):
        yield Whole(where=section.whose, kind=kind, at=table.at, rows=frozenset(found))


def _by_interface(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows above the first name are of none."""
    found: dict[str, list[Row]] = {}
    name = ""
    for row in rows:
        name = row.cells["interface"] or name
        if name:
            found.setdefault(name, []).append(row)
    return found


def _by_alias(names: Sequence[str]) -> bool:
    """Only ports have aliases."""
    ports = [name for name in names if not _NO_PORT.fullmatch(name)]
    return bool(ports) and not any(map(_PORT.fullmatch, ports))
