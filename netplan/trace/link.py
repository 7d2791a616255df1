"""What a port does to a packet: whether it fits, which queue it takes, whether that queue is lossless."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from netplan.model.readback import ReadSwitch
from netplan.trace.fabric import Fabric, Routed
from netplan.trace.model import Fault, Nic, Verdict

_FILE = re.compile(r"[\w-]+\.\w+: ", re.ASCII)
UNSTATED = "not stated (comment to confirm)"
_QUEUE_COMMENTS = frozenset({"qos_map", "dscp_trust", "pcp_trust"})


@dataclass(frozen=True, slots=True)
class Packet:
    """``size``: of the largest IP packet the sender makes, None where its MTU is not stated."""

    size: int | None
    dscp: int | None


@dataclass(frozen=True, slots=True)
class Point:
    """A port on the way. ``lossless`` is None where it is not stated; ``why`` is said where it should be.

    ``priority``: the queue, PFC priority or both that the packet has there.
    """

    place: str
    lossless: bool | None
    priority: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Passed:
    """One port passed: what is wrong, what is not known, its QoS and the values to show."""

    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    point: Point | None
    values: tuple[tuple[str, str], ...]


class Ports:
    """Judges the ports of a fabric for a packet; each once."""

    def __init__(self, fabric: Fabric) -> None:
        self._fabric = fabric
        self.at = lru_cache(maxsize=None)(self._at)

    def _at(self, switch: str, port: str, packet: Packet) -> Passed:
        read = self._fabric.switches[switch]
        state = read.ports.get(port)
        if state is None:
            text = f"{switch} does not configure {port} ({self._fabric.file(switch, 'ports')})"
            return Passed((Fault(Verdict.LOST, text),), (), None, ())
        where, file = f"{switch} {port}", self._fabric.file(switch, "ports")
        faults, notes = fits(where, state.ip_mtu, packet, file)
        if other := self._fabric.disputed.get((switch, port)):
            faults = (Fault(Verdict.LOST, other), *faults)
        if broken := self._fabric.unparsed(switch):
            text = f"{switch} has a file that cannot be read: {broken}"
            faults = (Fault(Verdict.LOST, text), *faults)
        notes = (*notes, *self._unread(read))
        point = self._point(read, port, packet)
        values = {
            "MTU": str(state.ip_mtu) if state.ip_mtu is not None else "not stated",
            **_qos_values(read, point, packet),
        }
        return Passed(faults, notes, point, tuple(values.items()))

    def _unread(self, read: ReadSwitch) -> Iterator[str]:
        """What its files say twice, or in words that are not known, with the file."""
        for text in read.problems:
            if _FILE.match(text):
                yield f"switches/{read.name}/{text}"
            else:
                kind = "arp" if text.startswith("ages") else "qos"
                yield f"{read.name}: {text} ({self._fabric.file(read.name, kind)})"

    def interface(self, interface: Routed, packet: Packet) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
        """Of a VLAN's routed interface, which has an MTU of its own."""
        file = self._fabric.file(interface.switch, "vlans")
        return fits(f"{interface.switch} {interface.name}", interface.ip_mtu, packet, file)

    def _point(self, read: ReadSwitch, port: str, packet: Packet) -> Point | None:
        if packet.dscp is None:
            return None
        where, file = f"{read.name} {port}", self._fabric.file(read.name, "qos")
        queue, pfc = read.queues.get(packet.dscp), read.ports[port].pfc
        if queue is None:
            if read.trust == "pcp" or read.comments & _QUEUE_COMMENTS:
                return Point(where, None, None, f"the queue of DSCP {packet.dscp} at {where} is {UNSTATED}")
            return Point(where, False, None, f"{read.name} states no queue for DSCP {packet.dscp} ({file})")
        if pfc is None:
            if "pfc" in read.comments:
                return Point(where, None, queue, f"PFC of {where} is {UNSTATED}")
            return Point(where, False, queue, f"{where} states no PFC ({file})")
        if queue in pfc:
            return Point(where, True, queue, "")
        others = ", ".join(map(str, sorted(pfc)))
        if others:
            text = f"DSCP {packet.dscp} lands in queue {queue} of {where}, which has PFC for {others} only"
        else:
            text = f"DSCP {packet.dscp} lands in queue {queue} of {where}, which has PFC off"
        return Point(where, False, queue, f"{text} ({file})")


def _qos_values(read: ReadSwitch, point: Point | None, packet: Packet) -> dict[str, str]:
    if point is None:
        return {}
    values = {"DSCP": str(packet.dscp)}
    values["queue"] = UNSTATED if point.priority is None else str(point.priority)
    values["PFC"] = UNSTATED if point.lossless is None else "on" if point.lossless else "off"
    if point.priority is not None:
        span = read.ecn.get(point.priority)
        unknown = UNSTATED if "ecn" in read.comments else "off"
        values["ECN"] = f"{span[0]:,} to {span[1]:,} bytes" if span else unknown
    return values


def fits(where: str, mtu: int | None, packet: Packet, file: str) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """The fault of a packet that is too big for a place, or a note that nobody knows."""
    if packet.size is None:
        return (), ()
    if mtu is None:
        return (), (f"the MTU of {where} is not stated ({file})",)
    if mtu >= packet.size:
        return (), ()
    text = f"{where} takes IP packets of up to {mtu} bytes, the pod sends up to {packet.size} ({file})"
    return (Fault(Verdict.TOO_BIG, text),), ()


def nic_point(where: str, nic: Nic, packet: Packet) -> Point | None:
    """The HCA's end of the cable."""
    if packet.dscp is None or nic.hca is None:
        return None
    if nic.qos is None:
        return Point(where, False, None, f"no file sets QoS on {where}")
    if not nic.qos.judged:
        return Point(where, None, None, f"QoS of {where} is not judged: trace cannot read {nic.qos.file}")
    priority = nic.qos.priorities.get(packet.dscp, 0)
    if priority in nic.qos.pfc:
        return Point(where, True, priority, "")
    text = f"DSCP {packet.dscp} gets priority {priority} on {where}, which has PFC off ({nic.qos.file})"
    return Point(where, False, priority, text)


def distinct(points: Iterable[Point | None]) -> tuple[Point, ...]:
    """Of those that pause, one for each priority; all others."""
    found: dict[object, Point] = {}
    for point in points:
        if point is not None:
            found.setdefault(("on", point.priority) if point.lossless else point, point)
    return tuple(found.values())


def judge_lossless(points: Iterable[Point]) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Where one port on the way pauses for a packet, all must, and for the same priority."""
    passed = sorted(set(points), key=lambda p: p.place)
    pausing = [p for p in passed if p.lossless]
    if not pausing:
        return (), ()
    faults = [Fault(Verdict.LOSSY, p.why) for p in passed if p.lossless is False]
    notes = tuple(p.why for p in passed if p.lossless is None)
    first = pausing[0]
    for other in pausing:
        if other.priority != first.priority:
            text = f"{first.place} pauses priority {first.priority}, {other.place} priority {other.priority}"
            faults.append(Fault(Verdict.LOSSY, text))
    return tuple(dict.fromkeys(faults)), notes
