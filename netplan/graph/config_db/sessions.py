"""BGP sessions between the given switches, from the addresses of BGP_NEIGHBOR and of interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaddr import IPAddress, IPNetwork

from netplan.graph.config_db.links import DbTopology
from netplan.model.values import parse_address, parse_network
from netplan.reading.config_db.switch import DbSwitch, Spot, once
from netplan.records import dataclass

_INTERFACES = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE")
_LISTENING = ("BGP_PEER_RANGE", "BGP_GLOBALS_LISTEN_PREFIX")
"""Tables of ranges from which a switch accepts sessions (bgpcfgd, frrcfgd)."""
_NEIGHBOURS = (
    "BGP_NEIGHBOR",
    "BGP_INTERNAL_NEIGHBOR",
    "BGP_VOQ_CHASSIS_NEIGHBOR",
    "BGP_MONITORS",
    "BGP_SENTINELS",
)


@dataclass(frozen=True, slots=True)
class DbSession:
    """A row of BGP_NEIGHBOR whose address another switch has. ``stated``: the AS number that the row expects;
    ``own``: that of the other switch, and ``at``: where it states it."""

    switch: DbSwitch
    key: str
    owner: DbSwitch
    stated: int
    own: int
    at: Spot


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A row of BGP_NEIGHBOR whose other end has no row for ``back``, the address it comes from."""

    switch: DbSwitch
    key: str
    owner: DbSwitch
    back: str


def owners(fabric: DbTopology) -> Mapping[str, DbSwitch]:
    """Address -> the only switch with it on an interface; anycast addresses are left out."""
    if not any(switch.rows("BGP_NEIGHBOR") for switch in fabric.switches):
        return {}
    found: dict[str, set[DbSwitch]] = {}
    for switch in fabric.switches:
        for network in _networks(switch):
            found.setdefault(str(network.ip), set()).add(switch)
    return {address: next(iter(each)) for address, each in found.items() if len(each) == 1}


def _networks(switch: DbSwitch) -> Iterator[IPNetwork]:
    for table in _INTERFACES:
        for key in switch.rows(table):
            network = parse_network(key.partition("|")[2]) if "|" in key else None
            if network is not None:
                yield network


def between(fabric: DbTopology) -> Iterator[tuple[DbSwitch, str, IPAddress, DbSwitch]]:
    """Each BGP neighbour that is another of the switches given."""
    known = owners(fabric)
    for switch in fabric.switches if known else ():
        for key in switch.keys("BGP_NEIGHBOR"):
            address = parse_address(key.rpartition("|")[2])
            owner = known.get(str(address)) if address is not None else None
            if address is not None and owner is not None and owner is not switch:
                yield switch, key, address, owner


def sessions(fabric: DbTopology) -> Iterator[DbSession]:
    """Those of which both AS numbers are stated."""
    for switch, key, _, owner in between(fabric):
        stated = switch.number("BGP_NEIGHBOR", key, "asn")
        table, row, field = _own_as(owner)
        own = owner.number(table, row, field)
        if stated and own:
            own = stated if stated in _other_as(owner) else own
            yield DbSession(switch, key, owner, stated, own, owner.spot(table, row, field))


_GLOBALS = ("BGP_GLOBALS", "default", "local_asn")


def _own_as(switch: DbSwitch) -> tuple[str, str, str]:
    """Where a switch states its AS number. frrcfgd takes that of DEVICE_METADATA only if BGP_GLOBALS has
    none (sonic-net/sonic-buildimage 086b03bd frrcfgd.py, __get_vrf_asn)."""
    if switch.frrcfgd and switch.number(*_GLOBALS):
        return _GLOBALS
    return "DEVICE_METADATA", "localhost", "bgp_asn"


_OTHER_AS = (
    ("BGP_GLOBALS", "local_asn"),
    ("BGP_GLOBALS", "confed_id"),
    ("BGP_NEIGHBOR", "local_asn"),
    ("BGP_PEER_GROUP", "local_asn"),
)


@once
def _other_as(switch: DbSwitch) -> frozenset[int | None]:
    """AS numbers that a switch uses in a VRF, outside its confederation, or towards some neighbours."""
    stated = _OTHER_AS if switch.frrcfgd else ()
    return frozenset(
        switch.number(table, key, field) for table, field in stated for key in switch.rows(table)
    )


def unanswered(fabric: DbTopology) -> Iterator[Unanswered]:
    """Those that only one end has. The other end is complete, has neighbours by address only, and accepts
    none from a range."""
    known: dict[DbSwitch, frozenset[str] | None] = {}
    for switch, key, address, owner in between(fabric):
        if owner not in known:
            known[owner] = _accepted(owner)
        accepted, back = known[owner], _source(switch, key, address)
        down = switch.text("BGP_NEIGHBOR", key, "admin_status") == "down"
        if accepted and back and back not in accepted and not down:
            yield Unanswered(switch, key, owner, back)


def _accepted(switch: DbSwitch) -> frozenset[str] | None:
    """Addresses from which a switch accepts sessions; None if its file does not tell."""
    if not switch.sessions_by_rows or any(switch.rows(table) for table in _LISTENING):
        return None
    found = [parse_address(key.rpartition("|")[2]) for table in _NEIGHBOURS for key in switch.rows(table)]
    return None if None in found else frozenset(map(str, found))


def _source(switch: DbSwitch, key: str, address: IPAddress) -> str:
    """The address that a switch opens a session from; empty if its file does not tell. Only frrcfgd makes
    `local_addr` the source of a session (sonic-net/sonic-buildimage 086b03bd frrcfgd.py, update-source)."""
    own = list(_networks(switch))
    stated = parse_address((switch.text("BGP_NEIGHBOR", key, "local_addr") or "").partition("/")[0])
    if switch.frrcfgd and stated is not None and any(network.ip == stated for network in own):
        return str(stated)
    around = [network for network in own if address in network]
    return str(max(around, key=lambda network: network.prefixlen).ip) if around else ""
