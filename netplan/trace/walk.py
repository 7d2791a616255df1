"""Walks one packet and its answer through what the files say."""

from __future__ import annotations

from netplan.model.site import PATH
from netplan.trace.bgp import Bgp
from netplan.trace.fabric import ReadFabric
from netplan.trace.link import Packet, Passed, judge_lossless
from netplan.trace.linux import MAIN, Address, Decision, Owned
from netplan.trace.model import (
    COORDINATOR,
    Fault,
    Flow,
    Hop,
    Leg,
    SentClass,
    TracePod,
    Verdict,
    Walk,
    divided,
)
from netplan.trace.nic_end import nic_point, port_fits
from netplan.trace.onward import Onward, Request, host_hop, host_port, pod_name
from netplan.trace.path import Paths


class Walker:
    """Walks through one fabric."""

    def __init__(self, fabric: ReadFabric, bgp: Bgp) -> None:
        self.fabric, self.bgp = fabric, bgp
        self._paths = Paths(fabric, bgp)
        self._pair: tuple[TracePod, ...] = ()
        self._legs: dict[tuple[object, ...], Leg] = {}

    def walk(self, a: tuple[TracePod, str], b: tuple[TracePod, str], flow: Flow, version: int) -> Walk:
        """A packet from an interface of one pod to one of another, and the answer to it."""
        (sender, leave), (receiver, arrive) = a, b
        dst, own = _address(receiver, arrive, version), _address(sender, leave, version)
        if dst is None or own is None:
            return Walk(flow, self._unaddressed(sender, leave, receiver, arrive), None)
        request = Request(
            sender=sender,
            receiver=receiver,
            dst=dst,
            src=own if flow.source else None,
            oif=leave if flow.device else None,
            leave=leave if flow.source else arrive,
            arrive=arrive,
        )
        there = self.leg(request)
        if there.arrives is None or there.source is None:
            return Walk(flow, there, None)
        back = Request(
            sender=receiver,
            receiver=sender,
            dst=there.source,
            src=dst,
            oif=arrive if flow.reply_device else None,
            leave=arrive,
            arrive=request.leave,
        )
        return Walk(flow, there, self.leg(back))

    def _unaddressed(self, sender: TracePod, leave: str, receiver: TracePod, arrive: str) -> Leg:
        """Devices without IP addresses: what is known ends at the host. What explains the missing address is
        the reason, if there is such a thing."""
        nic, other = sender.nics[leave], receiver.nics[arrive]
        faults, open_ = divided((*sender.problems, *receiver.problems, *nic.problems, *other.problems))
        hops = (host_hop(sender, nic, "sends", Packet(None, None)),)
        if nic.beyond:
            return Leg(hops=hops, leaves=leave, arrives=arrive, faults=faults, notes=(*open_, nic.beyond))
        texts = [
            f"{n.name} of {pod.workload}@{pod.host.name} has no such address ({n.file})"
            for pod, n in ((sender, nic), (receiver, other))
            if not pod.space.addresses.get(n.name) and not n.unknown
        ]
        lost = (Fault(Verdict.LOST, text) for text in texts)
        return Leg(hops=hops, faults=(*faults, *lost), notes=open_)

    def leg(self, request: Request) -> Leg:
        """The path of a packet. Results are kept for the last pair of pods only.

        The device a socket is bound to decides how the packet leaves, and nothing after that.
        """
        sender, receiver = request.sender, request.receiver
        decision = sender.space.decide(request.dst, request.src, request.oif)
        if not any(sender is pod for pod in self._pair) or not any(receiver is pod for pod in self._pair):
            self._pair, self._legs = (sender, receiver), {}
        way = (decision.dev, decision.next_hop, decision.src, id(decision.rule), id(decision.route))
        asked = (id(sender), request.dst, request.src, request.leave, request.arrive)
        key = (*asked, *way, decision.guessed)
        if key not in self._legs:
            self._legs[key] = self._judged(request, decision)
        return self._legs[key]

    def _judged(self, request: Request, decision: Decision) -> Leg:
        sender = request.sender
        nic = sender.nics.get(decision.dev or "")
        if decision.dev is None or nic is None:
            return self._nowhere(request, decision)
        rail = sender.collective(nic)
        cnp = next(iter(nic.qos.cnps), None) if rail and nic.qos is not None else None
        packet = Packet(nic.mtu, sender.sent.dscp if rail else None, cnp)
        where = host_port(sender, nic)
        begun = host_hop(sender, nic, _says(decision, request), packet)
        faults, unstated = port_fits(where, nic, packet)
        point = nic_point(where, nic, packet, self._paths.cable_m(nic))
        onward = self._paths.from_cable(request, decision, nic, packet).after(
            begun, passed=[Passed((*sender.problems, *nic.problems, *faults), unstated, point, ())]
        )
        lossless, unknown = _lossless(sender, onward) if rail and not nic.beyond else ((), ())
        dropped = _dropped(request, decision, onward)
        found = [*_explained(request, decision, onward.faults), *lossless, *dropped]
        found += _rails(request, decision, onward.arrives)
        arrives = None if dropped else onward.arrives
        return Leg(
            hops=onward.hops,
            others=onward.count - 1,
            leaves=decision.dev,
            arrives=arrives,
            source=decision.src,
            neighbours=tuple(dict.fromkeys(onward.neighbours)),
            faults=tuple(dict.fromkeys(found)),
            notes=tuple(dict.fromkeys((*sender.notes, *onward.notes, *unknown))),
        )

    def _nowhere(self, request: Request, decision: Decision) -> Leg:
        """The packet leaves on the pod network, or not at all."""
        why = _why(request, decision)
        verdict = Verdict.LOST if decision.dev is None else Verdict.WRONG_RAIL
        verdict = _unless_coordinated(request, verdict)
        hop = Hop(
            node=pod_name(request.sender), enter="", leave=decision.dev or "", does=why, values={}, file=""
        )
        faults = (*request.sender.problems, Fault(verdict, why))
        return Leg(hops=(hop,), leaves=decision.dev, source=decision.src, faults=faults)


def _lossless(sender: TracePod, onward: Onward) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """For rail traffic only. If the traffic is in no lossless class, the ports are not blamed for it as
    well."""
    sent = sender.sent
    if not sent.lossless:
        return sent.faults, sent.notes
    faults, notes = judge_lossless(onward.points)
    return (*sent.faults, *faults), (*sent.notes, *notes, *_priorities(sent, onward))


def _priorities(sent: SentClass, onward: Onward) -> tuple[str, ...]:
    """Ports that pause another priority than the class has."""
    found = ((p.place, p.priority) for p in onward.points if p.lossless and p.priority != sent.priority)
    return tuple(
        f"{place} pauses priority {priority}, the class of DSCP {sent.dscp} has {sent.priority} ({PATH})"
        for place, priority in found
    )


def _address(pod: TracePod, interface: str, version: int) -> Address | None:
    owned = pod.space.addresses.get(interface, ())
    return next((o.ip for o in owned if o.ip.version == version), None)


def _owned(pod: TracePod, address: Address) -> Owned | None:
    return next((o for each in pod.space.addresses.values() for o in each if o.ip == address), None)


def _says(decision: Decision, request: Request) -> str:
    """The rule and route that decided, as ``ip`` names them."""
    if decision.guessed or decision.route is None or decision.rule is None:
        return f"no route to {request.dst}, taken for on-link on {decision.dev}"
    rule, route = decision.rule, decision.route
    source = f"from {rule.source} " if rule.source is not None else ""
    via = f"via {route.via}" if route.via is not None else "on the link"
    return f"{source}table {_table(rule.table)}: {route.dst} {via}"


def _table(number: int) -> str:
    return "main" if number == MAIN else str(number)


def _why(request: Request, decision: Decision) -> str:
    """Why a packet does not leave on a rail."""
    sender, file = request.sender, request.sender.routes_file
    if decision.dev is None:
        return f"{pod_name(sender)} has no way to {request.dst}: {_says_unreachable(decision)} ({file})"
    if request.src is None:
        owner = _owned(request.receiver, request.dst)
        wanted = owner.prefix if owner else request.dst
        return f"no route to {wanted} in table main: the packet leaves on {decision.dev} ({file})"
    if decision.rule is not None and decision.rule.source is not None:
        table = _table(decision.rule.table)
        return f"table {table} sends {request.dst} out on {decision.dev} ({file})"
    owned = _owned(sender, request.src)
    source = owned.prefix if owned else request.src
    return f"no rule for source {source}: the packet leaves on {decision.dev} ({file})"


def _says_unreachable(decision: Decision) -> str:
    if decision.rule is None or decision.route is None:
        return "no table has a route"
    return f"{decision.route.dst} is unreachable in table {_table(decision.rule.table)}"


def _explained(request: Request, decision: Decision, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """If a packet is lost because it was taken as on-link, that fault comes first."""
    if not decision.guessed:
        return faults
    start = f"no route to {request.dst} on {decision.dev} ({request.sender.routes_file}), taken for on-link"
    return tuple(
        Fault(fault.verdict, f"{start}: {fault.text}") if fault.verdict is Verdict.LOST else fault
        for fault in faults
    )


def _rails(request: Request, decision: Decision, arrives: str | None) -> list[Fault]:
    """Interfaces other than those it should use; an HCA drops packets for a queue pair of another HCA."""
    found = []
    if decision.dev != request.leave:
        found.append(f"{pod_name(request.sender)}: {_why(request, decision)}")
    if arrives is not None and arrives != request.arrive:
        found.append(f"arrives on {arrives} of {pod_name(request.receiver)}, not on {request.arrive}")
    verdict = _unless_coordinated(request, Verdict.WRONG_RAIL)
    return [Fault(verdict, text) for text in found]


def _unless_coordinated(request: Request, verdict: Verdict) -> Verdict:
    """Where Spiderpool's coordinator adds rules and tables that no file states, the routes of the files alone
    refute nothing."""
    nic = request.sender.nics.get(request.leave)
    return Verdict.UNPROVED if nic is not None and nic.beyond == COORDINATOR else verdict


def _dropped(request: Request, decision: Decision, onward: Onward) -> tuple[Fault, ...]:
    """Strict reverse path check in the receiving pod."""
    space, name = request.receiver.space, onward.arrives
    if name is None or decision.src is None or space.rp_filter.get(name) != 1:
        return ()
    back = space.decide(decision.src, request.dst)
    if back.dev == name:
        return ()
    pod = pod_name(request.receiver)
    text = f"{pod} drops it on {name}: rp_filter is 1, and {decision.src} is behind {back.dev}"
    return (Fault(Verdict.LOST, text),)
