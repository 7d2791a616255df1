"""Names in ACL tables and BGP neighbours that no row defines, for NP874."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.reading.config_db.switch import DbSwitch, once
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.config_db.absent import is_missing, may_be_there
from netplan.rules.config_db.registry import RowFinding


@dataclass(frozen=True, slots=True)
class Naming:
    """``fields`` of ``tables`` name rows of one of ``targets``: table -> part of its key that is the name,
    None for the key as a whole. ``frr``: of frrcfgd only, bgpcfgd reads neither."""

    tables: tuple[str, ...]
    fields: tuple[str, ...]
    targets: Mapping[str, int | None]
    frr: bool = False


_NAMINGS = (
    Naming(("ACL_TABLE",), ("ports",), {"PORT": None, "PORTCHANNEL": None, "VLAN": None}),
    Naming(("BGP_NEIGHBOR",), ("peer_group_name",), {"BGP_PEER_GROUP": -1}, frr=True),
    Naming(
        ("BGP_NEIGHBOR_AF", "BGP_PEER_GROUP_AF"),
        ("route_map_in", "route_map_out"),
        {"ROUTE_MAP": 0, "ROUTE_MAP_SET": 0},
        frr=True,
    ),
)
"""sonic-net/sonic-swss e6b0c5b orchagent/aclorch.cpp (processAclTablePorts: a port that is not there is
pending; getAclBindPortId: ports, port channels, VLANs); leafrefs of sonic-acl, sonic-bgp-neighbor and
sonic-bgp-common.yang."""


def namings(switch: DbSwitch) -> tuple[Naming, ...]:
    return tuple(each for each in _NAMINGS if switch.frrcfgd or not each.frr)


def lists_of_names(switch: DbSwitch) -> Iterator[RowFinding]:
    """One finding for each field, however many names and rows it has: they are absent together."""
    for naming in namings(switch):
        for table in naming.tables:
            for field in naming.fields:
                yield from _unknown(switch, naming, table, field)


def _unknown(switch: DbSwitch, naming: Naming, table: str, field: str) -> Iterator[RowFinding]:
    missing: dict[str, str] = {}
    for key in switch.keys(table):
        for name in (part.strip() for part in (switch.text(table, key, field) or "").split(",")):
            if name and all(_lacks(switch, target, part, name) for target, part in naming.targets.items()):
                missing.setdefault(name, key)
    if missing:
        first, *others = missing.values()
        more = and_more(len(others), "name")
        wanted = " or ".join(naming.targets)
        message = (
            f"{field} of {table} {first} names {next(iter(missing))}, but {wanted} has no such row{more}"
        )
        unsure = all(may_be_there(switch, name, *naming.targets) for name in missing)
        yield RowFinding(switch.spot(table, first, field), message, "correct the name, or add it", unsure)


def _lacks(switch: DbSwitch, table: str, part: int | None, name: str) -> bool:
    if part is None:
        return is_missing(switch, table, name)
    return (switch.whole or switch.has(table)) and name not in _parts(switch, table, part)


@once
def _parts(switch: DbSwitch, table: str, part: int) -> frozenset[str]:
    return frozenset(key.split("|")[part] for key in switch.rows(table))
