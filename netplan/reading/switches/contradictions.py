"""Conflicting statements in the files of a switch: it is undefined which of two values applies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from netaddr import IPNetwork

from netplan.model.values import InterfaceAddress
from netplan.reading.switches.facts import EVERYWHERE
from netplan.records import dataclass

Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class One:
    """A fact with a single value, in its last column. ``file``: kind of the file that states it."""

    file: str
    what: str


ONE: Mapping[str, One] = {
    "port-mtu": One("ports", "MTU of"),
    "port-speed": One("ports", "speed of"),
    "port-fec": One("ports", "FEC of"),
    "untagged": One("ports", "untagged VLAN of"),
    "native": One("ports", "native VLAN of"),
    "vlan-mtu": One("vlans", "MTU of VLAN"),
    "asn": One("bgp", "AS number"),
    "neighbour": One("bgp", "AS of BGP neighbour"),
    "trust": One("qos", "trust of"),
}


def network_of(address: InterfaceAddress) -> IPNetwork:
    return IPNetwork((int(address.ip), address.prefixlen), version=address.ip.version).cidr


def contradictions(
    stated: Mapping[str, Rows], files: Mapping[str, str], place: Callable[[str, tuple[Any, ...]], str]
) -> Iterator[str]:
    """Facts stated with several values. Each message begins with the file's name. ``place``: file and
    line of a row of a fact."""
    for fact, one in ONE.items():
        values: dict[tuple[Any, ...], dict[Any, None]] = {}
        for row in stated.get(fact, ()):
            values.setdefault(row[:-1], {})[row[-1]] = None
        for key, said in values.items():
            if len(said) > 1:
                of = "".join(f" {each if each != EVERYWHERE else 'the switch'}" for each in key)
                places = [at for value in said if (at := place(fact, (*key, value)))]
                where = f" ({', '.join(places)})" if places else ""
                yield f"{files[one.file]}: {one.what}{of} is {' and '.join(map(str, said))}{where}"


def unbridged(stated: Mapping[str, Rows], files: Mapping[str, str]) -> Iterator[str]:
    """Ports with VLANs but no line that makes them switch ports, on a NOS that requires one."""
    if "bridged" not in stated:
        return
    bridged = {port for (port,) in stated.get("bridged", ())}
    used = dict.fromkeys(row[0] for fact in ("trunk", "untagged") for row in stated.get(fact, ()))
    routed = {port for (port,) in stated.get("routed", ())}
    for port in used:
        if port not in bridged | routed:
            yield f"{files['ports']}: {port} has VLANs, but no line makes it a switch port"


def two_roles(stated: Mapping[str, Rows], files: Mapping[str, str]) -> Iterator[str]:
    """Ports that both switch and route: the switch refuses one of the two, or keeps the first."""
    rows = [row for fact in ("port-address", "port-layer3") for row in stated.get(fact, ())]
    routing = dict.fromkeys(row[0] for row in rows)
    routed = {port for (port,) in stated.get("routed", ())}
    for port, vlan in dict.fromkeys((*stated.get("trunk", ()), *stated.get("untagged", ()))):
        if port in routing and port not in routed:
            yield f"{files['ports']}: {port} is in VLAN {vlan} but is also a routed port"


def same_level(stated: Mapping[str, Rows], files: Mapping[str, str]) -> Iterator[str]:
    """Strict queues with the same priority level: which of them is served first is undefined."""
    first: dict[int, int] = {}
    for queue, level in sorted(stated.get("level", ())):
        other = first.setdefault(level, queue)
        if other != queue:
            yield f"{files['qos']}: queues {other} and {queue} are both at priority level {level}"


def nameless(stated: Mapping[str, Rows], files: Mapping[str, str]) -> Iterator[str]:
    """BGP neighbours without the name that the switch puts into a command."""
    for (address,) in dict.fromkeys(stated.get("neighbour-nameless", ())):
        yield f"{files['bgp']}: BGP neighbour {address} has no name: a command for it is then incomplete"


def above(stated: Mapping[str, Rows], files: Mapping[str, str], most: int) -> Iterator[str]:
    """MTUs above ``most``, the NOS maximum; 0 if that is not known (no check)."""
    for kind, what in (("port", ""), ("vlan", "VLAN ")):
        for name, mtu in stated.get(f"{kind}-mtu", ()):
            if 0 < most < mtu:
                yield f"{files[f'{kind}s']}: {what}{name} has MTU {mtu}; the NOS takes {most} at most"


def refused_mtus(stated: Mapping[str, Rows], files: Mapping[str, str]) -> Iterator[str]:
    """Switch port MTUs other than 1500 and the system MTU, on a NOS that allows only these two."""
    if "bridged-mtu" not in stated:
        return
    system = next((mtu for (mtu,) in stated["bridged-mtu"]), None)
    bridged = {port for (port,) in stated.get("bridged", ())}
    for port, mtu in stated.get("port-mtu", ()):
        if port in bridged and mtu not in (1500, system):
            other = "the system's, which no line states" if system is None else f"the system's, {system}"
            yield f"{files['ports']}: {port} switches and has MTU {mtu}; it takes 1500 or {other}"


def unconnected(stated: Mapping[str, Rows], files: Mapping[str, str]) -> Iterator[str]:
    """Prefixes for BGP to announce that no interface has: they are not announced, or cannot be reached."""
    own = {
        network_of(row[-1])
        for fact in ("port-address", "vlan-address", "loopback")
        for row in stated.get(fact, ())
    }
    for (address,) in dict.fromkeys(stated.get("network", ())):
        if (network := network_of(address)) not in own:
            yield f"{files['bgp']}: {network} is announced, but no interface has it"
