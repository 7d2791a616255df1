"""What a port does to a packet: whether it fits, which queue it gets, whether that queue is lossless."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache, partial

from netplan.graph.qos import TO_CONFIRM, Doubt, PriorityAnswer, Proof, QosChain, chain_of
from netplan.graph.site_qos import Mapped, mapped, unlike_site
from netplan.model.readback import ReadSwitch
from netplan.model.site import PATH
from netplan.records import dataclass
from netplan.trace.fabric import ReadFabric
from netplan.trace.model import Fault, Verdict, divided
from netplan.trace.physical import link_faults
from netplan.trace.routed import Routed
from netplan.trace.stated_buffers import StatedBuffers

_GARP = frozenset({"vlan-garp", "garp"})
_FILE = re.compile(r"[\w.-]+\.\w+: ", re.ASCII)
_PFC = ("trust", "dscp", "pfc", "pfc-queue", "group", "pfc-group")
"""Facts without which PFC does not apply to a packet."""


@dataclass(frozen=True, slots=True)
class Packet:
    """``size``: bytes of the largest IP packet the sender makes, None if its MTU is not stated. ``cnp``: DSCP
    of the congestion notifications that its NIC sends the same way, None if there are none to judge."""

    size: int | None
    dscp: int | None
    cnp: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A port on the path; compared by identity, because each is judged once. ``doubts``: about the packet,
    its congestion notifications and what the site asks for. ``priority``: of PFC, ``queue``: of a switch;
    None where not known."""

    place: str
    lossless: bool | None
    priority: int | None
    doubts: tuple[Doubt, ...]
    queue: int | None = None


_LOSSLESS = {Proof.PROVED: True, Proof.OPEN: None, Proof.UNLIKE: True, Proof.REFUTED: False}
_PFC_IS = {Proof.OPEN: "not stated", Proof.REFUTED: "off"}
_VERDICTS = {Proof.UNLIKE: Verdict.UNLIKE, Proof.REFUTED: Verdict.LOSSY}


def point_of(place: str, answer: PriorityAnswer, others: tuple[Doubt, ...]) -> Point:
    return Point(place, _LOSSLESS[answer.proof], answer.priority, (*answer.doubts, *others), answer.queue)


@dataclass(frozen=True, slots=True)
class Passed:
    """Passing one port: what is wrong, what is not known, its QoS and the values to show."""

    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    point: Point | None
    values: tuple[tuple[str, str], ...]


class Ports:
    """Judges the ports of a fabric for a packet, each port once."""

    def __init__(self, fabric: ReadFabric) -> None:
        self._fabric = fabric
        self._as_stated: set[Hashable] = set()
        self._mapped: dict[tuple[str, int], Mapped] = {}
        self._buffers = StatedBuffers(fabric)
        self.at = lru_cache(maxsize=None)(self._at)

    def _at(self, switch: str, port: str, packet: Packet) -> Passed:
        read = self._fabric.switches[switch]
        state = read.ports.get(port)
        if state is None:
            text = f"{switch} does not configure {port} ({self._fabric.file(switch, 'ports')})"
            return Passed((Fault(Verdict.LOST, text),), (), None, ())
        where, file = f"{switch} {port}", self._fabric.file(switch, "ports")
        faults, notes = fits(where, state.ip_mtu, packet, file)
        if faults:
            place = self._fabric.at_port(switch, port, "port-mtu", "port-ip-mtu", "port-frame")
            faults, notes = fits(where, state.ip_mtu, packet, place)
        if state.up is False:
            place = self._fabric.at_port(switch, port, "port-down")
            faults = (Fault(Verdict.LOST, f"{where} is shut down ({place})"), *faults)
        elif state.up is None:
            notes = (*notes, self._fabric.unstated(switch, "port-up", port))
        if other := self._fabric.cables.disputed.get((switch, port)):
            faults = (Fault(Verdict.LOST, other), *faults)
        if broken := self._fabric.unparsed(switch):
            text = f"{switch} has a file that cannot be read: {broken}"
            faults = (Fault(Verdict.LOST, text), *faults)
        wrong, unknown = divided(link_faults(self._fabric, switch, port))
        faults = (*faults, *wrong)
        notes = (*notes, *unknown, *_in_queue(read, port, packet, self._fabric), *self._unread(read))
        notes = (*notes, *self._shared(switch, None, port))
        point = self._point(read, port, packet)
        values = {
            "MTU": str(state.ip_mtu) if state.ip_mtu is not None else "not stated",
            **_qos_values(read, port, point, packet),
        }
        return Passed(faults, notes, point, tuple(values.items()))

    def _unread(self, read: ReadSwitch) -> Iterator[str]:
        """What the switch's files state twice or in words that are not known, with the file."""
        for text in (*read.problems, *read.unread, *read.refused):
            if _FILE.match(text):
                yield f"switches/{read.name}/{text}"
            else:
                kind = "arp" if text.startswith("ages") else "qos"
                yield f"{read.name}: {text} ({self._fabric.file(read.name, kind)})"

    def interface(self, interface: Routed, packet: Packet) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
        """The routed interface of a VLAN, which has its own MTU."""
        file = self._fabric.file(interface.switch, "vlans")
        where = f"{interface.switch} {interface.name}"
        faults, notes = fits(where, interface.ip_mtu, packet, file)
        if faults:
            place = self._fabric.at_vlan(interface.switch, interface.vlan, "vlan-mtu", "vlan-ip-mtu")
            faults, notes = fits(where, interface.ip_mtu, packet, place)
        if interface.vlan is not None and interface.up is False:
            place = self._fabric.at_vlan(interface.switch, interface.vlan, "vlan-down")
            faults = (Fault(Verdict.LOST, f"{where} is shut down ({place})"), *faults)
        elif interface.vlan is not None and interface.up is None:
            notes = (*notes, self._fabric.unstated(interface.switch, "vlan-up", str(interface.vlan)))
        if interface.vlan is not None:
            aged, unknown = self._neighbours(interface)
            refused, open_ = divided(self._crowded(interface))
            faults, notes = (*faults, *aged, *refused), (*notes, *unknown, *open_)
            notes = (*notes, *self._shared(interface.switch, interface.vlan, None))
        return faults, (*notes, *self.enabled(interface))

    def _shared(self, switch: str, vlan: int | None, port: str | None) -> Iterator[str]:
        """Another interface of the switch is in the same subnet: the switch may reject one of the two."""
        for each in self._fabric.shared(switch):
            if each.has(vlan, port):
                ends = (self._fabric.at_interface(switch, end) for end in (each.second, each.first))
                one, other = ends
                text = f"{switch} {each.second} is in one subnet with {each.first}"
                yield f"{text}: which of the two answers is not stated ({one}, {other})"

    def _crowded(self, interface: Routed) -> Iterator[Fault]:
        """More neighbours than the kernel keeps: it refuses the next one (torvalds/linux
        Documentation/networking/ip-sysctl.rst, neigh/default/gc_thresh3)."""
        switch, version = interface.switch, interface.ip.version
        read, demand = self._fabric.switches[switch], self._fabric.wanted.demand.get(switch, 0)
        for fact, limits, verdict, does in (
            ("entries", read.entries, Verdict.LOST, "keeps at most {} neighbours"),
            ("collected", read.collected, Verdict.UNPROVED, "drops idle neighbours above {}"),
        ):
            limit = limits.get(version)
            if limit is not None and demand > limit:
                where = self._fabric.at(switch, "arp", f"{fact}6" if version == 6 else fact, "count", limit)
                text = f"{switch} {does.format(limit)} ({where})"
                yield Fault(verdict, f"{text}, VFs and switches on its cables are {demand} ({PATH})")

    def _neighbours(self, interface: Routed) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
        """Whether the switch keeps neighbours as long as the site asks, and follows an address that moves."""
        switch, vlan, wanted = interface.switch, interface.vlan or 0, self._fabric.wanted.arp_seconds
        if wanted is None:
            return (), ()
        read = self._fabric.switches[switch]
        apart = interface.ip.version == 6 and "arp6-ms" in read.states
        ages = ("arp6-ms",) if apart else ("arp", "arp-ms")
        age = read.arp6_seconds if apart else read.arp_seconds
        notes = [self._fabric.unstated(switch, fact, str(vlan)) for fact in _untold(read, interface)]
        if age is None and "arp_age" not in read.comments and any(fact in read.states for fact in ages):
            stated = next((fact for fact in ages if fact in read.stands), "arp")
            notes.append(self._fabric.unstated(switch, stated))
        if age is None or abs(age - wanted) < read.steps.arp_seconds:
            return (), tuple(notes)
        text = f"{switch} keeps neighbours {age:,} s, {PATH} has {wanted:,} s"
        return (Fault(Verdict.UNLIKE, f"{text} ({self._fabric.file(switch, 'arp')})"),), tuple(notes)

    def enabled(self, interface: Routed) -> Iterator[str]:
        """Some NOSes need a line that enables routing, or one for VLAN interfaces."""
        lacking = self._fabric.switches[interface.switch].lacking
        for fact in ("routing", "vlan-routing") if interface.vlan is not None else ("routing",):
            if fact in lacking:
                yield self._fabric.unstated(interface.switch, fact)

    def _point(self, read: ReadSwitch, port: str, packet: Packet) -> Point | None:
        if packet.dscp is None:
            return None
        chain = chain_of(read, port, f"switches/{read.name}/", partial(self._line, read, port))
        cable = self._fabric.cables.length_m(read.name, port), self._fabric.cables.speed_gbps(read.name, port)
        answer = chain.lossless(packet.dscp, *cable, packet.size or 0)
        others = (*self._control(chain, packet.cnp), *self._unlike(read.name, chain))
        answer = self._buffers.judged(answer, read.name, port)
        return point_of(f"{read.name} {port}", answer, others)

    def _unlike(self, switch: str, chain: QosChain) -> tuple[Doubt, ...]:
        """Ports of a switch that share a QoS configuration are judged against the site once."""
        qos, site = (switch, id(chain.qos)), self._fabric.wanted.qos
        key = (qos, tuple(sorted(chain.ecn.items())))
        if key in self._as_stated:
            return ()
        if qos not in self._mapped:
            self._mapped[qos] = mapped(chain, site)
        found = unlike_site(chain, site, self._mapped[qos])
        if not found:
            self._as_stated.add(key)
        return found

    def _line(self, read: ReadSwitch, port: str, file: str, fact: str, number: int | None) -> int | None:
        return self._fabric.line(read.name, file, fact, port, number)

    def _control(self, chain: QosChain, dscp: int | None) -> tuple[Doubt, ...]:
        return () if dscp is None else chain.control(dscp, self._fabric.served_first(dscp))


def _in_queue(read: ReadSwitch, port: str, packet: Packet, fabric: ReadFabric) -> Iterator[str]:
    """Queues with their own largest packet: those of the packet and of unmarked traffic, which pods send
    through the same NIC."""
    if "queue-mtu" not in read.told or packet.size is None:
        return
    qos = read.ports[port].qos
    for queue in sorted({q for dscp in (packet.dscp, 0) for q in qos.queues.get(dscp or 0, ())}):
        mtu = qos.mtus.get(queue)
        if mtu is None:
            yield fabric.unstated(read.name, "queue-mtu", f"queue {queue}")
        elif mtu < packet.size:
            said = f"queue {queue} of {read.name} {port} takes packets of up to {mtu:,} bytes"
            yield f"{said}, the pod sends up to {packet.size:,} ({fabric.file(read.name, 'qos')})"


def _untold(read: ReadSwitch, interface: Routed) -> Iterator[str]:
    """Neighbour facts of a VLAN interface that a line could state and none does."""
    said = read.vlan_interfaces[interface.vlan or 0]
    if _GARP & read.states and interface.ip.version == 4 and not said.garp:
        yield "vlan-garp" if "vlan-garp" in read.stands else "garp"
    if "vlan-arp" in read.states and not said.aged:
        yield "arp"


def _qos_values(read: ReadSwitch, port: str, point: Point | None, packet: Packet) -> dict[str, str]:
    if point is None:
        return {}
    values = {"DSCP": str(packet.dscp)}
    values["queue"] = TO_CONFIRM if point.queue is None else str(point.queue)
    facts = {doubt.fact: doubt.proof for doubt in point.doubts}
    pfc = max((facts.get(fact, Proof.PROVED) for fact in _PFC), default=Proof.PROVED)
    values["PFC"] = _PFC_IS.get(pfc, "on")
    if point.queue is not None:
        span = read.ports[port].ecn.get(point.queue)
        unknown = TO_CONFIRM if "ecn" in read.comments else "off"
        values["ECN"] = f"{span[0]:,} to {span[1]:,} bytes" if span else unknown
    return values


def fits(where: str, mtu: int | None, packet: Packet, file: str) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """The fault of a packet that is too big for a place, or a note that the MTU there is not known."""
    if packet.size is None:
        return (), ()
    if mtu is None:
        return (), (f"the MTU of {where} is not stated ({file})",)
    if mtu >= packet.size:
        return (), ()
    text = f"{where} takes IP packets of up to {mtu:,} bytes, the pod sends up to {packet.size:,} ({file})"
    return (Fault(Verdict.TOO_BIG, text),), ()


def distinct(points: Iterable[Point | None]) -> tuple[Point, ...]:
    """Of proved points one for each priority; all others."""
    found: dict[object, Point] = {}
    for point in points:
        if point is not None:
            found.setdefault(point if point.doubts else point.priority, point)
    return tuple(found.values())


def judge_lossless(points: Iterable[Point]) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Traffic that must be lossless needs every port to be lossless for it, in one and the same priority."""
    passed = sorted(set(points), key=lambda p: p.place)
    doubts = [doubt for point in passed for doubt in point.doubts]
    faults = [Fault(_VERDICTS[doubt.proof], doubt.text) for doubt in doubts if doubt.proof in _VERDICTS]
    notes = tuple(doubt.text for doubt in doubts if doubt.proof is Proof.OPEN)
    pausing = [point for point in passed if point.lossless is not False and point.priority is not None]
    for other in pausing[1:]:
        if other.priority != pausing[0].priority:
            first = pausing[0]
            text = f"{first.place} pauses priority {first.priority}, {other.place} priority {other.priority}"
            faults.append(Fault(Verdict.LOSSY, text))
    return tuple(dict.fromkeys(faults)), notes
