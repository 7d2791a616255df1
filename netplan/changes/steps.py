"""The steps from one switch to another by what their files state: VLANs, ports, addresses, BGP, queues."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from netaddr import IPNetwork

from netplan.model.ranges import compressed
from netplan.model.readback import ReadPort, ReadQos, ReadSwitch
from netplan.model.values import natural

NAMED = 3
"""Ports or DSCPs that a row names one by one."""


@dataclass(frozen=True, slots=True)
class Step:
    """``kind``: a row of ``switches`` in effects.yaml. ``at``: port, VLAN or neighbour; empty for the switch
    as a whole."""

    kind: str
    at: str = ""
    said: str = ""


_FEATURES: Mapping[str, str] = {
    "routing": "IP routing",
    "vlan-routing": "routing between VLANs",
    "bgp": "BGP",
}
"""What ``lacking`` of a switch holds, in words."""


def steps(old: ReadSwitch | None, new: ReadSwitch | None, sending: Collection[int] = range(64)) -> list[Step]:
    if old is None or new is None:
        return [Step("switch-added" if old is None else "switch-gone")]
    if old.nos != new.nos:
        return [Step("nos", "", f"{old.nos} -> {new.nos}")]
    found = [
        *_of_vlans(old, new),
        *_of_addresses(_addresses(old), _addresses(new)),
        *_of_ports(old.ports, new.ports, sending),
        *_of_bgp(old, new),
        *_one("arp", "", old.arp_seconds, new.arp_seconds, " s"),
    ]
    return found or [Step("unread")]


def _of_vlans(old: ReadSwitch, new: ReadSwitch) -> Iterator[Step]:
    for kind, vlans in (("vlan-added", new.vlans - old.vlans), ("vlan-gone", old.vlans - new.vlans)):
        if vlans:
            yield Step(kind, "", compressed(sorted(vlans)))


def _addresses(switch: ReadSwitch) -> dict[str, set[str]]:
    """Address with prefix length -> interfaces."""
    found: dict[str, set[str]] = {}
    for port in switch.ports.values():
        for address in port.addresses:
            found.setdefault(str(address), set()).add(port.name)
    for vlan, interface in switch.vlan_interfaces.items():
        for address in interface.addresses:
            found.setdefault(str(address), set()).add(f"VLAN {vlan}")
    for address in switch.loopbacks:
        found.setdefault(str(address), set()).add("loopback")
    return found


def _of_addresses(old: Mapping[str, set[str]], new: Mapping[str, set[str]]) -> Iterator[Step]:
    replaced = dict(_replaced(old, new))
    told = set(replaced.values())
    for address in sorted({*old, *new}, key=natural):
        before, after = (", ".join(sorted(side.get(address, ()), key=natural)) for side in (old, new))
        if before == after or address in told:
            continue
        if address in replaced:
            yield Step("address-replaced", "", f"{address} -> {replaced[address]} {before}")
            continue
        kind = "address-moved" if before and after else "address-added" if after else "address-gone"
        yield Step(kind, "", f"{address} {' -> '.join(filter(None, (before, after)))}")


def _replaced(old: Mapping[str, set[str]], new: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """(removed address, new address in the same subnet on the same interface)."""
    come: dict[frozenset[str], list[tuple[str, IPNetwork]]] = {}
    for address in sorted(new.keys() - old.keys(), key=natural):
        come.setdefault(frozenset(new[address]), []).append((address, IPNetwork(address)))
    for address in sorted(old.keys() - new.keys(), key=natural):
        there, own = come.get(frozenset(old[address]), []), IPNetwork(address)
        found = next((each for each in there if each[1].cidr in own.cidr or own.cidr in each[1].cidr), None)
        if found is not None:
            there.remove(found)
            yield address, found[0]


def _of_ports(
    old: Mapping[str, ReadPort], new: Mapping[str, ReadPort], sending: Collection[int]
) -> Iterator[Step]:
    for name in sorted({*old, *new}, key=natural):
        if name not in old or name not in new:
            yield Step("port-added" if name in new else "port-gone", name)
        elif old[name] != new[name]:
            yield from _of_port(name, old[name], new[name], sending)


def _of_port(name: str, old: ReadPort, new: ReadPort, sending: Collection[int]) -> Iterator[Step]:
    for kind, vlans in (("member-added", new.tagged - old.tagged), ("member-gone", old.tagged - new.tagged)):
        if vlans:
            yield Step(kind, name, compressed(sorted(vlans)))
    yield from _one("untagged", name, old.untagged, new.untagged)
    yield from _one("mtu", name, old.ip_mtu, new.ip_mtu)
    if old.up is not new.up:
        yield Step("up" if new.up else "down", name)
    yield from _one("trust", name, old.trust, new.trust)
    yield from _one("headroom", name, old.headroom_m, new.headroom_m, " m")
    yield from _of_queues(name, old, new, sending)


def _of_queues(name: str, old: ReadPort, new: ReadPort, sending: Collection[int]) -> Iterator[Step]:
    a, b = old.qos, new.qos
    yield from _one("pfc", name, *(compressed(sorted(side.pfc)) or "none" for side in (a, b)))
    yield from _of_map("queues", name, a.queues, b.queues, sending)
    yield from _of_map("groups", name, a.groups, b.groups, sending)
    if (a.buffers, a.queue_buffers) != (b.buffers, b.queue_buffers):
        yield Step("buffers", name, f"{_lossless(a)} -> {_lossless(b)}")
    if (dict(old.ecn), a.marking, a.ecn_percent) != (dict(new.ecn), b.marking, b.ecn_percent):
        yield Step("ecn", name, _pair(_thresholds(old), _thresholds(new)))
    yield from _one("watchdog", name, *map(_watchdog, (a, b)))
    yield from _one("scheduling", name, *map(_served, (a, b)))


def _watchdog(qos: ReadQos) -> str:
    """Its priorities and times."""
    times = (("detection", qos.detection_ms), ("restoration", qos.restoration_ms))
    stated = (f"{word} {compressed(sorted(ms))} ms" for word, ms in times if ms)
    return ", ".join([compressed(sorted(qos.watchdog)) or "none", *stated])


def _served(qos: ReadQos) -> str:
    """Strict queues, and the weights of the others."""
    weights = (
        f"{queue} has weight {compressed(sorted(each))}" for queue, each in sorted(qos.weights.items())
    )
    return ", ".join([f"strict {compressed(sorted(qos.strict)) or 'none'}", *weights])


def _lossless(qos: ReadQos) -> str:
    groups = compressed(sorted(qos.buffers)) or "none"
    queues = compressed(sorted(qos.queue_buffers)) or "not stated"
    return f"groups {groups}, queues {queues}"


_Map = Mapping[int, frozenset[int]]


def _of_map(kind: str, name: str, old: _Map, new: _Map, sending: Collection[int]) -> Iterator[Step]:
    unlike = [dscp for dscp in sorted({*old, *new}) if old.get(dscp) != new.get(dscp)]
    if unlike:
        used = any(dscp in sending for dscp in unlike)
        yield Step(kind if used else f"idle-{kind}", name, ", ".join(_moved(unlike, old, new)))


def _moved(unlike: list[int], old: _Map, new: _Map) -> Iterator[str]:
    for dscp in unlike[:NAMED]:
        yield f"{dscp}: {_pair(*(compressed(sorted(side.get(dscp, ()))) for side in (old, new)))}"
    if len(unlike) > NAMED:
        yield f"{len(unlike) - NAMED} more"


def _thresholds(port: ReadPort) -> str:
    said = (f"queue {queue} {low:,} to {high:,} bytes" for queue, (low, high) in sorted(port.ecn.items()))
    percents = (f"{compressed(sorted(each))} %" for _, each in sorted(port.qos.ecn_percent.items()))
    return ", ".join([*said, *percents]) or compressed(sorted(port.qos.marking))


def _of_bgp(old: ReadSwitch, new: ReadSwitch) -> Iterator[Step]:
    yield from _one("asn", "", old.asn, new.asn)
    yield from _one("paths", "", old.paths, new.paths)
    for kind, features in (
        ("feature-added", old.lacking - new.lacking),
        ("feature-gone", new.lacking - old.lacking),
    ):
        if features:
            yield Step(kind, "", ", ".join(_FEATURES[name] for name in sorted(features)))
    before, after = ({str(n.address): n.remote_as for n in side.neighbours} for side in (old, new))
    for address in sorted({*before, *after}, key=natural):
        if address not in before or address not in after:
            yield Step("neighbour-added" if address in after else "neighbour-gone", "", address)
        elif before[address] != after[address]:
            yield Step("neighbour-as", "", f"{address} {_pair(before[address], after[address])}")
    for kind, prefixes in (
        ("announced", new.networks - old.networks),
        ("announced-gone", old.networks - new.networks),
    ):
        for prefix in sorted(map(str, prefixes), key=natural):
            yield Step(kind, "", prefix)


def _one(kind: str, at: str, old: Any, new: Any, unit: str = "") -> Iterator[Step]:
    if old != new:
        yield Step(kind, at, f"{_pair(old, new)}{unit}")


def _pair(old: Any, new: Any) -> str:
    return f"{_value(old)} -> {_value(new)}"


def _value(value: Any) -> str:
    return "not stated" if value is None or value == "" else str(value)
