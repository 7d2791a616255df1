"""Rules about what two ports of one switch must not share: ASIC lanes and subnets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from netaddr import IPNetwork

from netplan.model.values import natural, parse_network
from netplan.reading.config_db.switch import DbSwitch, listed
from netplan.records import dataclass
from netplan.rules.config_db.registry import RowFinding, rule

_SHARING = frozenset(
    ("x86_64-arista_7050cx3_32c", "x86_64-arista_7050cx3_32s", "x86_64-dellemc_s5232f_c3538-r0")
)
"""Platforms whose ports may share lanes (dup_lanes_platforms in generic_config_updater/gu_common.py)."""
_MANY = 4
"""More ports than this count as one mistake, reported once."""
_LANES = 64
_MOST = 64
"""Limit on lanes of a port and ports of a lane: a hostile file may have thousands."""
_NESTED = 256
"""Limit on enclosing addresses: a prefix has 128 bits, and an interface may have two in a subnet."""
ROUTED = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE")


def _laned(switch: DbSwitch) -> int:
    return sum("lanes" in row.fields for row in switch.rows("PORT").values())


@rule("NP862", "ports share a lane", on=DbSwitch, counts=_laned)
def lanes(switch: DbSwitch) -> Iterator[RowFinding]:
    """The `lanes` of two ports have a number in common.

    **Why.** A lane is a SerDes of the ASIC and belongs to one port. orchagent creates the first port and
    fails on the other; this happens after a breakout if the parent's row was not shortened.

    **Fix.** Use the lanes from the platform's platform.json or port_config.ini; `config interface
    breakout` writes them.

    **Source.** sonic-net/sonic-utilities 691b1bb generic_config_updater/gu_common.py (`validate_lanes`
    refuses it, but for three platforms); sonic-net/sonic-swss e6b0c5b orchagent/portsorch.cpp (ports are
    created by their set of lanes).
    """
    if switch.local.get("platform") in _SHARING:
        return
    wrong = _wrong(switch, _clashes(switch))
    more = f", and {len(wrong) - 1} more ports share lanes" if len(wrong) > _MANY else ""
    for port, others in wrong[:1] if more else wrong:
        yield _clash(switch, port, others, more)


Clashes = dict[str, dict[str, list[str]]]
"""Port -> other port -> the lanes that both have."""


def _clashes(switch: DbSwitch) -> Clashes:
    owners: dict[str, list[str]] = {}
    for port in switch.keys("PORT"):
        text = switch.text("PORT", port, "lanes") or ""
        for lane in dict.fromkeys(filter(None, (part.strip() for part in text.split(",")[:_LANES]))):
            owners.setdefault(lane, []).append(port)
    clashes: Clashes = {}
    for lane, ports in owners.items():
        for port, other in permutations(ports[:_MOST], 2):
            clashes.setdefault(port, {}).setdefault(other, []).append(lane)
    return clashes


def _wrong(switch: DbSwitch, clashes: Clashes) -> list[tuple[str, dict[str, list[str]]]]:
    """Takes the port that clashes with most others as the wrong one, the later of two; each clash once."""
    order = {port: number for number, port in enumerate(switch.keys("PORT"))}
    wrong = []
    for port in sorted(clashes, key=lambda port: (-len(clashes[port]), -order[port])):
        others = clashes.pop(port)
        for other in others:
            clashes[other].pop(port)
        if others:
            wrong.append((port, others))
    return wrong


def _clash(switch: DbSwitch, port: str, others: dict[str, list[str]], more: str) -> RowFinding:
    numbers = list(dict.fromkeys(lane for lanes in others.values() for lane in lanes))
    names = sorted(others, key=natural)
    what = f"lane{'s' if len(numbers) > 1 else ''} {listed(numbers, 8)}"
    where = switch.where(switch.spot("PORT", names[0], "lanes"))
    have = "has" if len(names) == 1 else "have"
    message = f"{port} has {what}, which {listed(names)} also {have} at {where}{more}"
    return RowFinding(switch.spot("PORT", port, "lanes"), message, "give each port lanes of its own")


@dataclass(frozen=True, slots=True)
class Address:
    """An address on a routed interface, with its place."""

    table: str
    key: str
    name: str
    network: IPNetwork


def _addresses(switch: DbSwitch) -> Iterator[Address]:
    for table in ROUTED:
        for key in switch.keys(table):
            name, bar, prefix = key.partition("|")
            network = parse_network(prefix) if bar else None
            if network is not None and not network.ip.is_link_local():
                yield Address(table, key, name, network)


@rule("NP869", "interfaces share a subnet", on=DbSwitch, counts=lambda s: sum(1 for _ in _addresses(s)))
def subnets(switch: DbSwitch) -> Iterator[RowFinding]:
    """The subnets of two routed interfaces in a VRF overlap, usually the same /31 twice.

    **Why.** orchagent rejects the second address while the first exists, so one of the two links has no
    address and no session; which one depends on the order in which they come up.

    **Fix.** Give each link a subnet of its own.

    **Source.** sonic-net/sonic-swss e6b0c5b orchagent/intfsorch.cpp (overlap of subnets in a VRF).
    """
    groups: dict[tuple[str, int], list[Address]] = {}
    for one in _addresses(switch):
        row = switch.row(one.table, one.name)
        vrf = str(row.fields.get("vrf_name") or row.fields.get("vnet_name") or "") if row else ""
        groups.setdefault((vrf, one.network.version), []).append(one)
    for group in groups.values():
        within: dict[str, dict[str, tuple[Address, Address]]] = {}
        for one, other in _overlaps(group):
            within.setdefault(other.name, {}).setdefault(one.name, (one, other))
        for inner in within.values():
            one, other = next(iter(inner.values()))
            if len(inner) > 1:  # the one that encloses several is the odd one
                one, other = other, one
            where = switch.where(switch.spot(other.table, other.key))
            more = f", and with {len(inner) - 1} more" if len(inner) > 1 else ""
            clash = f"{one.network}, overlaps {other.network} of {other.name} at {where}{more}"
            message = f"{one.name} has {clash}"
            yield RowFinding(
                switch.spot(one.table, one.key), message, "give each interface a subnet of its own"
            )


def _overlaps(group: list[Address]) -> Iterator[tuple[Address, Address]]:
    """Each address inside a subnet of another interface, with that one; subnets either nest or are
    disjoint."""
    around: list[Address] = []
    for one in sorted(group, key=lambda one: (one.network.first, -one.network.last)):  # stable: in file order
        while around and around[-1].network.last < one.network.first:
            around.pop()
        other = next((outer for outer in reversed(around) if outer.name != one.name), None)
        if other is not None:
            yield one, other
        if len(around) < _NESTED:
            around.append(one)
