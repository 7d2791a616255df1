"""The rest of a path through the fabric, and the names of a pod and its ports on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from netplan.records import dataclass
from netplan.trace.link import Packet, Passed, Point, distinct
from netplan.trace.linux import Address
from netplan.trace.model import Fault, Hop, Nic, TracePod, Verdict
from netplan.trace.nic_end import nic_point

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One direction: sender, receiver, what the socket is bound to, and the interfaces it should use."""

    sender: TracePod
    receiver: TracePod
    dst: Address
    src: Address | None
    oif: str | None
    leave: str
    arrive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Onward:
    """The rest of a path. ``count``: equal paths in it."""

    hops: tuple[Hop, ...] = ()
    count: int = 1
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    arrives: str | None = None
    neighbours: tuple[str, ...] = ()

    def after(self, *hops: Hop, passed: Iterable[Passed] = (), neighbours: tuple[str, ...] = ()) -> Onward:
        """This path with something in front of it."""
        ports = tuple(passed)
        return Onward(
            hops=(*hops, *self.hops),
            count=self.count,
            faults=(*(f for p in ports for f in p.faults), *self.faults),
            notes=(*(n for p in ports for n in p.notes), *self.notes),
            points=distinct([*(p.point for p in ports), *self.points]),
            arrives=self.arrives,
            neighbours=(*neighbours, *self.neighbours),
        )


def lost(text: str, verdict: Verdict = Verdict.LOST) -> Onward:
    """``verdict``: not proved where no switch runs BGP, as others may route between them."""
    return Onward(faults=(Fault(verdict, text),))


def pod_name(pod: TracePod) -> str:
    return f"{pod.workload}@{pod.host.name}"


def host_port(pod: TracePod, nic: Nic) -> str:
    """The HCA behind a pod interface, else the interface itself."""
    return f"{pod.host.name} {nic.hca.name}" if nic.hca else f"{pod_name(pod)} {nic.name}"


def host_hop(pod: TracePod, nic: Nic, does: str, packet: Packet) -> Hop:
    """A pod with its interface; ``does`` is empty where the packet ends."""
    point = nic_point(host_port(pod, nic), nic, packet)
    values = {"MTU": str(nic.mtu) if nic.mtu is not None else "not stated"}
    if nic.vlan is not None:
        values["VLAN"] = str(nic.vlan)
    if point is not None:
        values |= {"DSCP": str(packet.dscp), "priority": _number(point.priority)}
        values["PFC"] = "on" if point.lossless else "off"
    port = f"{nic.name} ({nic.hca.name})" if nic.hca else nic.name
    enter, leave = ("", port) if does else (port, "")
    return Hop(node=pod_name(pod), enter=enter, leave=leave, does=does, values=values, file=nic.file)


def _number(priority: int | None) -> str:
    return "not stated" if priority is None else str(priority)


def entering(onward: Onward, port: str, passed: Passed | None = None, does: str = "") -> Onward:
    """The same path with the port by which its first node is entered."""
    if not onward.hops:
        return onward
    first = onward.hops[0]
    pfc = dict(passed.values).get("PFC") if passed else None
    entered = Hop(
        node=first.node,
        enter=port,
        leave=first.leave,
        does=f"{does}, {first.does}" if does else first.does,
        values={**first.values, "PFC in": pfc} if pfc else first.values,
        file=first.file,
    )
    return Onward(
        hops=(entered, *onward.hops[1:]),
        count=onward.count,
        faults=onward.faults,
        notes=onward.notes,
        points=onward.points,
        arrives=onward.arrives,
        neighbours=onward.neighbours,
    )


def once(*groups: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(each for group in groups for each in group))
