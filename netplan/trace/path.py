"""From the cable of one pod to the interface of another, through switches; every equal-cost path is
judged."""

from __future__ import annotations

from dataclasses import replace

from netplan.graph.hosts import Stated
from netplan.trace.bgp import Bgp
from netplan.trace.capacity import Capacity
from netplan.trace.fabric import Domain, ReadFabric
from netplan.trace.link import Packet, Passed, Ports, distinct, fits
from netplan.trace.linux import Address, Decision
from netplan.trace.model import Hop, Nic, TracePod, Verdict
from netplan.trace.nic_end import nic_point
from netplan.trace.onward import Onward, Request, entering, host_hop, host_port, lost, once, pod_name
from netplan.trace.routed import Routed, as_prefix
from netplan.trace.sessions import TracedSession


class Paths:
    """Paths through one fabric; results for a destination are cached."""

    def __init__(self, fabric: ReadFabric, bgp: Bgp) -> None:
        self.fabric, self.bgp = fabric, bgp
        self.ports = Ports(fabric)
        self.capacity = Capacity(fabric, bgp)
        self._onward: dict[tuple[object, ...], Onward] = {}

    def cable_m(self, nic: Nic) -> int:
        return self.fabric.cables.length_m(nic.hca.switch, nic.hca.port) if nic.hca is not None else 0

    def from_cable(self, request: Request, decision: Decision, nic: Nic, packet: Packet) -> Onward:
        if nic.beyond:
            return Onward(arrives=request.arrive, notes=(nic.beyond,))
        if inside := self._inside(request, decision, nic):
            return self._arrive(request, inside, packet)
        if nic.hca is None or not nic.hca.switch:
            return self._unknown_switch(request, decision, nic)
        switch, port = nic.hca.switch, nic.hca.port
        domain = self.fabric.accept(switch, port, nic.vlan)
        if isinstance(domain, str):
            return lost(domain)
        entered = self.ports.at(switch, port, packet)
        router = next((r for r in self.fabric.routers(domain) if r.ip == decision.next_hop), None)
        if router is None and nic.outside and decision.next_hop != request.dst:
            note = f"gateway {decision.next_hop} is a router outside the inventory"
            file = f"pods/{request.sender.workload}/routes.yaml"
            onward = Onward(arrives=request.arrive, notes=(f"{note} ({file})",))
        elif router is None:
            onward = self._resolve(request, decision.next_hop, domain, (switch, port), packet)
        else:
            onward = self._gateway(request, router, (switch, port), packet)
        return entering(onward, port, entered).after(passed=[entered])

    def _inside(self, request: Request, decision: Decision, nic: Nic) -> str | None:
        """The other pod's interface, if the NIC's embedded switch connects the two."""
        if nic.hca is None or request.sender.host.name != request.receiver.host.name:
            return None
        owner = request.receiver.space.owner(decision.next_hop)
        other = request.receiver.nics.get(owner or "")
        same = other is not None and (other.hca, other.vlan) == (nic.hca, nic.vlan)
        return owner if same else None

    def _unknown_switch(self, request: Request, decision: Decision, nic: Nic) -> Onward:
        """No cable of the port is known, so it can only be said whether the two pods agree."""
        owner = request.receiver.space.owner(decision.next_hop)
        if decision.guessed or (decision.next_hop == request.dst and owner is None):
            return lost(f"{request.dst} is not on the segment of {nic.name} ({nic.file})")
        arrives = owner if decision.next_hop == request.dst else request.arrive
        if nic.hca is None and _broken(nic):
            return Onward(arrives=arrives)
        port = host_port(request.sender, nic)
        note = f"no file says what {port} is cabled to: the switches in between are not netplan's"
        return Onward(arrives=arrives, notes=(note,))

    def _gateway(self, request: Request, router: Routed, at: tuple[str, str], packet: Packet) -> Onward:
        """Through the gateway's switch, which need not be the switch of the port."""
        faults, notes = self.ports.interface(router, packet)
        answers = f"{router.ip} answered by {router.switch} {router.name}"
        if self.fabric.strict_reverse_path and not self._expected(request, router):
            text = f"{router.switch} expects {request.src} from a different neighbour than {router.name}"
            return lost(text)
        onward = self._forward(request, router.switch, packet)
        entered = entering(onward, at[1] if router.switch == at[0] else "", None, f"gateway {router.ip}")
        if router.switch != at[0]:
            entered = self._bridge(entered, at, router.switch, router.vlan or 0, packet)
        return entered.after(passed=[Passed(faults, notes, None, ())], neighbours=(answers,))

    def _expected(self, request: Request, router: Routed) -> bool:
        """Strict reverse path check: the route back to the source must leave where the packet came in."""
        source = request.src or request.sender.space.decide(request.dst, None, request.oif).src
        back = self.fabric.connected(router.switch, source) if source is not None else None
        return back is not None and (back.vlan, back.port) == (router.vlan, router.port)

    def _forward(self, request: Request, switch: str, packet: Packet) -> Onward:
        """From a router to the destination, by connected routes and BGP."""
        key = (switch, request.dst, pod_name(request.receiver), packet)
        if key not in self._onward:
            where = self.fabric.file(switch, "bgp")
            self._onward[key] = lost(
                f"{switch} gets packets for {request.dst} back: a forwarding loop ({where})"
            )
            self._onward[key] = self._forwarded(request, switch, packet)
        return self._onward[key]

    def _forwarded(self, request: Request, switch: str, packet: Packet) -> Onward:
        near = self.fabric.connected(switch, request.dst)
        learned = self.bgp.route(switch, request.dst)
        kept = self.fabric.kept(switch, request.dst)
        longer = max((near.prefix.prefixlen if near else -1), (learned[0].prefixlen if learned else -1))
        if kept is not None and kept.prefixlen >= longer:
            where = self.fabric.file(switch, "vlans")
            return lost(f"{switch} keeps packets for {request.dst}: its loopback has {kept} ({where})")
        if near is not None and (learned is None or near.prefix.prefixlen >= learned[0].prefixlen):
            return self._last(request, near, packet)
        if learned is None:
            verdict = (
                Verdict.LOST if any(map(self.bgp.sessions.speaks, self.fabric.switches)) else Verdict.UNPROVED
            )
            return lost(self._no_route(switch, request.dst), verdict)
        prefix, sessions = learned
        fewer = Passed(*self.capacity.of(switch, prefix, request.dst, sessions), None, ())
        ways = []
        for session in sessions:
            rest = self._forward(request, session.neighbour, packet)
            out = self.ports.at(switch, session.out, packet)
            into = self.ports.at(session.neighbour, session.into, packet)
            ways.append((session, rest, out, into))
        return self._together(switch, f"{prefix} by BGP", ways).after(passed=[fewer])

    def _together(
        self, switch: str, does: str, ways: list[tuple[TracedSession, Onward, Passed, Passed]]
    ) -> Onward:
        """Equal-cost paths: all are judged, the first one that arrives is drawn."""
        session, rest, out, into = next((way for way in ways if way[1].arrives is not None), ways[0])
        hop = Hop(
            node=switch,
            enter="",
            leave=session.out,
            does=does,
            values=dict(out.values),
            file=self.fabric.file(switch, "bgp"),
        )
        passed = [port for _, _, *ports in ways for port in ports]
        rests = {id(each): each for _, each, _, _ in ways}.values()
        drawn = entering(rest, session.into, into)
        return Onward(
            hops=(hop, *drawn.hops),
            count=sum(each.count for _, each, _, _ in ways),
            faults=once(*(p.faults for p in passed), *(r.faults for r in rests)),
            notes=once(*(p.notes for p in passed), *(r.notes for r in rests)),
            points=distinct([*(p.point for p in passed), *(q for r in rests for q in r.points)]),
            arrives=rest.arrives,
            neighbours=rest.neighbours,
        )

    def _no_route(self, switch: str, dst: Address) -> str:
        file = self.fabric.at_bgp(switch)
        announced = next(self.bgp.announced(dst), None)
        if announced is None:
            why = self._unannounced(dst) or f"no switch announces it ({file})"
            return f"{switch} has no route to {dst}: {why}"
        prefix, origins = announced
        broken = [text for text in map(self.bgp.kept_back, sorted(self.fabric.switches)) if text]
        broken += [r for name in (switch, *sorted(origins)) for r in self._broken(name)]
        why = f": {broken[0]}" if broken else f" ({file})"
        return f"{switch} has no route to {prefix}{why}"

    def _unannounced(self, dst: Address) -> str:
        """A network with the address that a switch is told to announce without having a route to it."""
        for name in self.fabric.switches:
            for network in sorted(self.bgp.unowned(name)):
                if dst in as_prefix(network):
                    where = self.fabric.at(name, "bgp", "network", "address", network)
                    return f"{name} should announce {network}, which none of its interfaces has ({where})"
        return ""

    def _broken(self, switch: str) -> list[str]:
        """BGP neighbours without a session: the switch's own, and those of other switches that name it."""
        peers = dict.fromkeys(far for _, (far, _) in self.fabric.cables.links.get(switch, ()))
        others = (text for peer in peers for text in self.bgp.sessions.refused(peer) if f"{switch} " in text)
        unread = [(name, self.fabric.unparsed(name)) for name in (switch, *peers)]
        files = [f"{name} has a file that cannot be read: {text}" for name, text in unread if text]
        return [*files, *self.bgp.sessions.refused(switch), *others]

    def _last(self, request: Request, near: Routed, packet: Packet) -> Onward:
        """The last router, which resolves the destination itself."""
        domain = self.fabric.domain_of(near)
        at = (near.switch, near.port or "")
        faults, notes = self.ports.interface(near, packet)
        onward = self._resolve(request, request.dst, domain, at, packet)
        head = onward.hops[:1]
        if head and head[0].node == near.switch:
            onward = replace(
                onward, hops=(replace(head[0], does=f"{near.prefix} on {near.name}"), *onward.hops[1:])
            )
        return onward.after(passed=[Passed(faults, notes, None, ())])

    def _resolve(
        self, request: Request, target: Address, domain: Domain, at: tuple[str, str], packet: Packet
    ) -> Onward:
        """Who answers for an address in a broadcast domain, and the path to it from a switch of the
        domain."""
        name = self._answering(request.receiver, target, domain)
        if name is None:
            return lost(self._silence(request, target, domain, at[0]))
        nic = request.receiver.nics[name]
        assert nic.hca is not None
        switch, port = nic.hca.switch, nic.hca.port
        out = self.ports.at(switch, port, packet)
        tagged = f"VLAN {domain.vlan}" if domain.vlan is not None else "routed port"
        hop = Hop(
            node=switch,
            enter="",
            leave=port,
            does=tagged,
            values=dict(out.values),
            file=self.fabric.file(switch, "ports"),
        )
        answers = f"{target} answered by {pod_name(request.receiver)} {name}"
        onward = self._arrive(request, name, packet).after(hop, passed=[out], neighbours=(answers,))
        if switch != at[0] and domain.vlan is not None:
            onward = self._bridge(onward, at, switch, domain.vlan, packet)
        return onward

    def _answering(self, pod: TracePod, target: Address, domain: Domain) -> str | None:
        """The interface that owns the address; without ``arp_ignore`` any other interface in the domain
        answers too (torvalds/linux Documentation/networking/ip-sysctl.rst, arp_ignore 0)."""
        here = [
            nic
            for nic in pod.nics.values()
            if nic.hca is not None
            and nic.hca.switch
            and self.fabric.accept(nic.hca.switch, nic.hca.port, nic.vlan) == domain
        ]
        owner = pod.space.owner(target)
        if any(nic.name == owner for nic in here):
            return owner
        careless = (nic.name for nic in here if owner is not None and not pod.space.arp_ignore.get(nic.name))
        return next(careless, None)

    def _silence(self, request: Request, target: Address, domain: Domain, switch: str) -> str:
        """Why nobody answers: a port that drops the frame, a missing gateway, or an address in another
        domain."""
        owner = request.receiver.nics.get(request.receiver.space.owner(target) or "")
        if owner is None:
            file = self.fabric.file(switch, "vlans")
            return f"nobody answers for {target} in {domain}: no switch has that address there ({file})"
        if owner.hca is not None and owner.hca.switch:
            accepted = self.fabric.accept(owner.hca.switch, owner.hca.port, owner.vlan)
            if isinstance(accepted, str):
                return accepted
            return f"nobody answers for {target} in {domain}: it is in {accepted}"
        return _broken(owner) or f"nobody answers for {target} in {domain}"

    def _bridge(self, onward: Onward, at: tuple[str, str], to: str, vlan: int, packet: Packet) -> Onward:
        """Over trunks of a stretched VLAN, by the shortest path."""
        way = self._trunk_way(at[0], to, vlan)
        hops, passed, enter = [], [], at[1]
        for switch, out, (far, into) in way:
            leaving = self.ports.at(switch, out, packet)
            passed += [leaving, self.ports.at(far, into, packet)]
            hops.append(
                Hop(
                    node=switch,
                    enter=enter,
                    leave=out,
                    does=f"VLAN {vlan}",
                    values=dict(leaving.values),
                    file=self.fabric.file(switch, "ports"),
                )
            )
            enter = into
        return entering(onward, enter).after(*hops, passed=passed)

    def _trunk_way(self, start: str, to: str, vlan: int) -> list[tuple[str, str, tuple[str, str]]]:
        before: dict[str, tuple[str, str, tuple[str, str]]] = {}
        edge = [start]
        while edge and to not in before:
            following = []
            for switch in edge:
                for port, far in self.fabric.trunks(switch, vlan):
                    if far[0] not in before:
                        before[far[0]] = (switch, port, far)
                        following.append(far[0])
            edge = following
        way = []
        while to != start:
            way.append(before[to])
            to = before[to][0]
        return way[::-1]

    def _arrive(self, request: Request, name: str, packet: Packet) -> Onward:
        """At the other pod: its MTU and its NIC."""
        pod = request.receiver
        nic = pod.nics[name]
        where = host_port(pod, nic)
        hop = host_hop(pod, nic, "", packet)
        own = Stated(nic.mtu, nic.file) if nic.mtu is not None else None
        smallest = min((m for m in (own, nic.port_mtu) if m is not None), key=lambda m: m.value, default=None)
        faults = fits(where, smallest.value, packet, smallest.at)[0] if smallest is not None else ()
        point = nic_point(where, nic, packet, self.cable_m(nic))
        return Onward(arrives=name).after(hop, passed=[Passed((*nic.problems, *faults), (), point, ())])


def _broken(nic: Nic) -> str:
    """Why an interface does not come up; empty if nothing says so."""
    return next((fault.text for fault in nic.problems if fault.verdict is Verdict.LOST), "")
