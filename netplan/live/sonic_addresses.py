"""``show ip interfaces`` and ``show ipv6 interfaces`` of SONiC: the addresses that the kernel has.

Shapes: sonic-net/sonic-utilities 691b1bbc: scripts/ipintutil (display_ip_intfs: an interface with several
addresses has its name in the first row only; get_if_master: a VRF, a LAG or the bridge; an interface without
addresses is left out), tests/show_ip_int_test.py (link-local addresses with their interface), and
utilities_common/cli.py (run_command_in_alias_mode: ``sudo ipintutil``); sonic-net/sonic-mgmt 609fe27e:
tests/bgp/conftest.py reads the same columns. VRFs: sonic-utilities tests/vrf_test.py (test_invalid_vrf_name);
``lo-m`` of the management VRF: sonic-net/sonic-buildimage files/image_config/interfaces/interfaces.j2.
Of other releases: without Master, which came with VRFs (sonic-utilities pull requests 558, 194 and 686); IPv4
in the heading of the list of IPv6 (sonic-utilities 23fa39c84 to 05c79ef08; sonic-buildimage issue 11124).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.model import COMMANDS, Kind, Unused, Whole
from netplan.live.objects import Found, addresses, is_link_local, said
from netplan.live.sections import Section
from netplan.live.sonic_lists import aliases
from netplan.model.values import parse_network
from netplan.reading.tables import Row, Table

_COLUMN = re.compile(r"ip(?:v[46])? address/mask")
_PORT = re.compile(r"Ethernet[A-Za-z-]{0,8}[0-9]{1,5}(?:\.[0-9]{1,4})?")
_NO_PORT = re.compile(
    r"(?:PortChannel|Po|Vlan|Loopback|eth|docker|usb)[0-9].{0,20}|lo(?:-m)?|mgmt|Bridge|(?:veth|Vrf).{0,20}"
)
_STATES = frozenset({"up", "down", "unknown", "dormant", "testing", "notpresent", "lowerlayerdown", ""})
_VRF = re.compile(r"mgmt|Vrf.{0,20}")
"""Masters whose addresses are of a table of their own."""


def readings(section: Section, table: Table) -> Found:
    """Of another table none. Which IP version it is of, its values say: a heading may be wrong."""
    column = next((each for each in table.head if _COLUMN.fullmatch(each)), "")
    if not column or not {"interface", "admin/oper"} <= set(table.head):
        return
    kinds = {kind for row in table.rows if (kind := _kind(row.cells[column])) is not None}
    if len(kinds) > 1:
        yield Unused(table.at, "addresses of both IP versions in one table")
    elif kinds:
        yield from _interfaces(section, table, column, kinds.pop())


def _kind(shown: str) -> Kind | None:
    network = parse_network(shown)
    if network is not None:
        return "ipv4" if network.version == 4 else "ipv6"
    return "ipv6" if is_link_local(shown) else None


def _interfaces(section: Section, table: Table, column: str, kind: Kind) -> Found:
    found = _by_interface(table.rows)
    if _by_alias(list(found)):
        yield aliases(table.rows[0].at, kind)
        return
    for name, rows in found.items():
        own = [row.cells[column] for row in rows if not is_link_local(row.cells[column])]
        first = rows[0]
        if not (_is_interface(name) and all(map(parse_network, own))):
            yield Unused(
                first.at, f"{COMMANDS[kind]}: no interface or no address: {name} {' '.join(own)}"[:120]
            )
            continue
        master = first.cells.get("master")
        if not _VRF.fullmatch(master or ""):
            yield said(section.whose, kind, name, "addresses", addresses(own), first.at)
        if master is not None:
            yield said(section.whose, kind, name, "master", master, first.at)
        yield from _state(section.whose, kind, name, first)
    if all(map(_is_interface, found)) and found and (table.ended or section.ended):
        yield Whole(where=section.whose, kind=kind, at=table.at, rows=frozenset(found))


def _state(where: str, kind: Kind, name: str, row: Row) -> Found:
    admin, _, oper = row.cells["admin/oper"].partition("/")
    if {admin, oper} <= {"up", "down"}:
        yield said(where, kind, name, "oper", oper, row.at)
    elif "error" in (admin, oper):  # where ipintutil cannot read it
        yield Unused(row.at, f"{COMMANDS[kind]}: the switch could not read the state of {name}")
    elif not {admin, oper} <= _STATES:
        yield Unused(
            row.at, f"{COMMANDS[kind]}: {admin[:20]}/{oper[:20]} of {name} is no state that is known"
        )


def _is_interface(name: str) -> bool:
    return bool(_PORT.fullmatch(name) or _NO_PORT.fullmatch(name))


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
