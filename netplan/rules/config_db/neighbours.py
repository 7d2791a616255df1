"""NP880: rows of BGP neighbours that bgpcfgd does not configure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from netaddr import IPNetwork

from netplan.model.values import parse_address, parse_network
from netplan.reading.config_db.switch import DbSwitch, listed, once, with_others
from netplan.rules.config_db.interfaces import ROUTED
from netplan.rules.config_db.registry import RowFinding, rule
from netplan.rules.config_db.rows import has_old_rows

_WITH_ADDRESSES = (*ROUTED, "LOOPBACK_INTERFACE", "VOQ_INBAND_INTERFACE")
"""Tables of which bgpcfgd knows the addresses (src/sonic-bgpcfgd/bgpcfgd/main.py, InterfaceMgr)."""
OF_FRRCFGD = (
    "BGP_GLOBALS",
    "BGP_GLOBALS_AF",
    "BGP_GLOBALS_AF_NETWORK",
    "BGP_NEIGHBOR_AF",
    "ROUTE_REDISTRIBUTE",
)
"""Tables that frrcfgd reads and bgpcfgd does not."""
_IPV4 = 4
_MANY = 4
"""More addresses than this count as one mistake: their interfaces are left out."""


def _neighbours(switch: DbSwitch) -> int:
    return len(switch.rows("BGP_NEIGHBOR"))


@rule("NP880", "BGP neighbour that never comes up", on=DbSwitch, counts=_neighbours)
def bgp_forms(switch: DbSwitch) -> Iterator[RowFinding]:
    """A row of `BGP_NEIGHBOR` names a port instead of an address (BGP unnumbered) or an address of the switch
    itself, or has a `local_addr` that no interface of the switch has (a note if another port than that of the
    neighbour has it); or the switch has no `bgp_asn`, no
    `type` (202411 and later), no Loopback0, or neither an IPv4 address of it nor a `bgp_router_id`.

    **Why.** bgpcfgd up to 202605 takes only addresses and ignores or rejects the rest, so the session never
    comes up. bgpd refuses an address of its own: "Can not configure the local system as neighbor". Only
    frrcfgd accepts a port as neighbour there, as `VRF|PORT`, when
    `frr_mgmt_framework_config` is true. For an interface with the `local_addr` bgpcfgd waits without end, and
    logs it at level debug only. So it does for `bgp_asn`, `type` and Loopback0, before it configures any
    neighbour.

    **Fix.** Give the link a /31; or set `docker_routing_config_mode` to split-unified and configure the
    neighbour in frr.conf. Write the address of the interface as `local_addr`. Add what is missing.

    **Source.** sonic-bgp-neighbor.yang; sonic-net/sonic-buildimage issue 26960, pull request 27370;
    sonic-net/sonic-buildimage 00060c1 src/sonic-bgpcfgd/bgpcfgd/managers_bgp.py (add_peer: "wait for the
    corresponding interface to be set"), 011adf8 src/sonic-bgpcfgd/bgpcfgd/main.py (InterfaceMgr), 086b03bd
    managers_bgp.py (deps of BGPPeerMgrBase; get_lo_ipv4), 80e5153 (localhost/type); FRRouting/frr fbfc8222
    bgpd/bgp_vty.c (peer_address_self_check).
    """
    if not switch.frrcfgd and any(switch.rows(table) for table in OF_FRRCFGD):
        return  # NP841: the rows are of the other owner of FRR
    managed = not switch.whole or switch.frrcfgd
    for key in switch.keys("BGP_NEIGHBOR"):
        vrf, _, name = key.rpartition("|")
        if (
            parse_address(name) is not None
            or (vrf and managed)
            or (_takes_ports(switch) and _PORT.match(name))
        ):
            continue
        message = f"BGP_NEIGHBOR {key} is not an address; bgpcfgd up to 202605 takes no unnumbered neighbours"
        hint = "give the link a /31, or configure the neighbour in frr.conf"
        yield RowFinding(switch.spot("BGP_NEIGHBOR", key), message, hint)
    yield from _with_itself(switch)
    yield from _without_interface(switch)
    if not switch.frrcfgd:  # NP819
        yield from of_other_ports(switch, unsure=True)
    yield from _waiting(switch)


def _with_itself(switch: DbSwitch) -> Iterator[RowFinding]:
    """Neighbours outside VRFs with an address that the switch has outside VRFs."""
    own = _own(switch)
    for key in switch.keys("BGP_NEIGHBOR"):
        vrf, _, name = key.rpartition("|")
        address = str(parse_address(name))
        if vrf in ("", "default") and address in own:
            table, row = own[address]
            message = f"BGP_NEIGHBOR {key} is the switch itself: {table} {row} at "
            message += switch.where(switch.spot(table, row))
            at = switch.spot("BGP_NEIGHBOR", key)
            yield RowFinding(at, message, "write the address of the other end")


def _own(switch: DbSwitch) -> dict[str, tuple[str, str]]:
    """Addresses outside VRFs -> table and key of their rows."""
    found: dict[str, tuple[str, str]] = {}
    for table, key, address in _addresses(switch):
        if not switch.text(table, key.partition("|")[0], "vrf_name"):
            found.setdefault(address, (table, key))
    return found


_PORT = re.compile("Ethernet|PortChannel|Vlan|Eth|Po")


def _takes_ports(switch: DbSwitch) -> bool:
    """Whether the image is newer than those whose bgpcfgd takes addresses only (pull request 27370)."""
    return switch.versioned and not switch.older_than(202611)


_PORTS = 4
"""A file with fewer ports is an excerpt: what it leaves out does not count as missing."""
_TYPE_SINCE = (202411,)
"""Branch since which bgpcfgd waits for `type` (sonic-net/sonic-buildimage 80e5153)."""


def _waiting(switch: DbSwitch) -> Iterator[RowFinding]:
    """What bgpcfgd waits for before it configures the first neighbour. Not in the split modes, where FRR has
    sessions of its own files; nor on images before 201911, which generate those files at start
    (sonic-net/sonic-buildimage, branch 201811, dockers/docker-fpm-quagga/bgpd.conf.j2)."""
    rows = [key for key in switch.keys("BGP_NEIGHBOR") if parse_address(key.rpartition("|")[2]) is not None]
    if not rows or not _by_bgpcfgd(switch):
        return
    who = f"BGP_NEIGHBOR {listed(rows)} {'waits' if len(rows) == 1 else 'wait'}"
    recent = switch.versioned and not switch.older_than(*_TYPE_SINCE)
    for name in ("bgp_asn", "type") if recent else ("bgp_asn",):
        if not switch.local.get(name):
            message = f"{who} for {name}, which DEVICE_METADATA localhost does not have"
            yield RowFinding(switch.spot("DEVICE_METADATA", "localhost", name), message, f"add {name}")
    table = "LOOPBACK_INTERFACE" if switch.has("LOOPBACK_INTERFACE") else "BGP_NEIGHBOR"
    at = switch.spot(table, "Loopback0" if switch.row(table, "Loopback0") else rows[0])
    lacking, hint = _no_loopback(switch)
    if lacking:
        yield RowFinding(at, f"{who} for {lacking}", hint)


def _by_bgpcfgd(switch: DbSwitch) -> bool:
    """Whether bgpcfgd configures all sessions, of a file that is no excerpt."""
    excerpt = len(switch.rows("PORT")) < _PORTS
    return switch.sessions_by_rows and not (excerpt or switch.frrcfgd or has_old_rows(switch))


def _no_loopback(switch: DbSwitch) -> tuple[str, str]:
    """What bgpcfgd misses of Loopback0, and what to do; empty if nothing."""
    rows = [key for key in switch.keys("LOOPBACK_INTERFACE") if key.partition("|")[0] == "Loopback0"]
    if not rows:
        return "Loopback0, which LOOPBACK_INTERFACE does not have", 'add "Loopback0": {} and its address'
    networks = [parse_network(key.partition("|")[2]) for key in rows if "|" in key]
    if "bgp_router_id" in switch.local or any(one and one.version == _IPV4 for one in networks):
        return "", ""
    return (
        "an IPv4 address of Loopback0, or a bgp_router_id",
        "add bgp_router_id to DEVICE_METADATA localhost",
    )


def _without_interface(switch: DbSwitch) -> Iterator[RowFinding]:
    """Only of neighbours that bgpcfgd configures."""
    if switch.frrcfgd:
        return
    for text, keys in foreign_sources(switch).items():
        more = with_others(len(keys) - 1, "neighbour has such an address", "neighbours have such an address")
        message = f"local_addr {text} of BGP_NEIGHBOR {keys[0]} is on no interface{more}"
        at = switch.spot("BGP_NEIGHBOR", keys[0], "local_addr")
        yield RowFinding(at, message, "write the address of the interface towards the neighbour")


def foreign_sources(switch: DbSwitch) -> dict[str, list[str]]:
    """`local_addr` that no interface has -> the neighbours with it; one entry for all if they are many. Only
    of a whole configuration with addresses."""
    own = {address for _, _, address in _addresses(switch)}
    missing: dict[str, list[str]] = {}
    for key in switch.keys("BGP_NEIGHBOR") if own and switch.whole else ():
        text = (switch.text("BGP_NEIGHBOR", key, "local_addr") or "").partition("/")[0]
        address = parse_address(text)
        if address is not None and int(address) and str(address) not in own:
            missing.setdefault(text, []).append(key)
    if len(missing) > _MANY:
        missing = {next(iter(missing)): [key for keys in missing.values() for key in keys]}
    return missing


def of_other_ports(switch: DbSwitch, unsure: bool) -> Iterator[RowFinding]:
    """Neighbours in the subnet of one port whose `local_addr` is the address of another; one finding for all.
    A loopback may be the source of any session."""
    found = [(key, *pair) for key in switch.keys("BGP_NEIGHBOR") if (pair := _ports_apart(switch, key))]
    for key, text, port, other in found[:1]:
        more = with_others(len(found) - 1, "neighbour has such an address", "neighbours have such an address")
        message = (
            f"local_addr {text} of BGP_NEIGHBOR {key} is the address of {other}, the neighbour is in the "
            f"subnet of {port}{more}"
        )
        at = switch.spot("BGP_NEIGHBOR", key, "local_addr")
        yield RowFinding(at, message, f"write the address of {port}", unsure)


def _ports_apart(switch: DbSwitch, key: str) -> tuple[str, str, str] | None:
    """`local_addr` of a neighbour, the port towards it, and another port with that address."""
    text = (switch.text("BGP_NEIGHBOR", key, "local_addr") or "").partition("/")[0]
    source, address = parse_address(text), parse_address(key.rpartition("|")[2])
    if source is None or address is None or not switch.whole:
        return None
    ports = routed_ports(switch)
    around = {name for name, network in ports if address in network}
    owners = {name for name, network in ports if network.ip == source}
    if not around or not owners or around & owners:
        return None
    return text, min(around), min(owners)


@once
def routed_ports(switch: DbSwitch) -> Sequence[tuple[str, IPNetwork]]:
    """Routed interfaces with their addresses."""
    keys = [key for table, key, _ in _addresses(switch) if table in ROUTED]
    found = ((key.partition("|")[0], parse_network(key.rpartition("|")[2])) for key in keys)
    return [(name, network) for name, network in found if network is not None]


def _addresses(switch: DbSwitch) -> Iterator[tuple[str, str, str]]:
    """Table and key of each row with an address, and the address without its length."""
    for table in _WITH_ADDRESSES:
        for key in switch.rows(table):
            network = parse_network(key.rpartition("|")[2]) if "|" in key else None
            if network is not None:
                yield table, key, str(network.ip)
