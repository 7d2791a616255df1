"""Every traffic class hop by hop, from application to wire and back, from the rendered files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netplan.graph.qos import Doubt, Proof, chain_of
from netplan.model.plan import Plan
from netplan.model.qos import TrafficClass
from netplan.model.ranges import gathered
from netplan.model.readback import ReadSwitch
from netplan.records import dataclass
from netplan.trace import TracedSite
from netplan.trace.classes import TRAFFIC_CLASSES
from netplan.trace.link import Packet
from netplan.trace.model import Nic, TracePod
from netplan.trace.nic_end import nic_point
from netplan.trace.pods import build_pod

_WORDS = {
    Proof.PROVED: "proved",
    Proof.OPEN: "not proved",
    Proof.UNLIKE: "refuted",
    Proof.REFUTED: "refuted",
}
_NIC = "NIC"
_NO_QUEUE = "queue not stated"
_REASONS = 8
"""Reasons shown for a hop; `netplan trace` has all."""


@dataclass(frozen=True, slots=True)
class ChainHop:
    """``who``: those that do the same. ``value``: what the file sets. ``why``: reasons for a verdict that is
    not proved."""

    hop: str
    who: str
    value: str
    file: str
    verdict: str
    why: tuple[str, ...]

    def row(self) -> list[Any]:
        return [self.hop, self.who, self.value, self.file, self.verdict, list(self.why)]


def chains(plan: Plan, site: TracedSite) -> list[dict[str, Any]]:
    """One for each class of the inventory; empty without QoS."""
    if plan.qos is None:
        return []
    pods = _pods(site)
    return [_chain(plan, each, list(_hops(plan, site, each, pods))) for each in plan.qos.classes]


def _chain(plan: Plan, each: TrafficClass, hops: list[ChainHop]) -> dict[str, Any]:
    """``open``: hops that no file describes, so that the whole is not proved."""
    absent = (
        []
        if any(hop.hop == _NIC for hop in hops)
        else ["no file that is read for these pods sets QoS on a NIC"]
    )
    if not plan.switches:
        absent.append("the inventory has no switches: what they do with the class is in no file")
    return {
        "name": each.name,
        "dscp": each.dscp,
        "priority": each.priority,
        "lossless": each.lossless,
        "hops": [hop.row() for hop in hops],
        "open": absent,
    }


def _pods(site: TracedSite) -> list[TracePod]:
    """One pod of each workload on each type of host."""
    found = []
    for workload in site.workloads.values():
        first = {host.type: host for host in reversed(site.hosts_of(workload))}
        found += [build_pod(site, workload, host) for host in reversed(first.values())]
    return found


def _hops(plan: Plan, site: TracedSite, each: TrafficClass, pods: list[TracePod]) -> Iterator[ChainHop]:
    control = plan.qos is not None and plan.qos.cnp is not None and each.name == plan.qos.cnp.name
    if not control:
        yield from _applications(site, each, pods)
    yield from _same(_nics(each, pods, control))
    yield from _same(_switches(plan, site, each, control))


def _applications(site: TracedSite, each: TrafficClass, pods: list[TracePod]) -> Iterator[ChainHop]:
    for pod in {pod.workload: pod for pod in pods}.values():
        workload = site.workloads[pod.workload]
        env = {n: workload.env[n] for n in TRAFFIC_CLASSES if workload.env.get(n, "").isdecimal()}
        mine = {name: value for name, value in env.items() if int(value) >> 2 == each.dscp}
        if not mine and (env or not each.lossless):
            continue
        said = ", ".join(f"{name}={value}" for name, value in mine.items())
        sent = pod.sent
        doubts = [*(fault.text for fault in sent.faults), *sent.notes]
        worst = Proof.REFUTED if sent.faults else Proof.OPEN if sent.notes else Proof.PROVED
        value = f"{said}: DSCP {each.dscp}" if mine else "states no traffic class"
        place = workload.env_at(next(iter(mine), TRAFFIC_CLASSES[0]))
        yield ChainHop("application", pod.workload, value, place, _WORDS[worst], tuple(doubts))


def _nics(each: TrafficClass, pods: list[TracePod], control: bool) -> Iterator[ChainHop]:
    for pod in pods:
        for nic in pod.nics.values():
            if not pod.collective(nic) or nic.hca is None:
                continue
            packet = Packet(nic.mtu, each.dscp)
            point = nic_point(f"{pod.host.name} {nic.hca.name}", nic, packet)
            doubts = [] if point is None else _fitting(point.doubts, each, control)
            if control and nic.qos is not None and not nic.qos.cnps:
                doubts.append(
                    Doubt(Proof.OPEN, f"no file that is read states the DSCP of CNPs ({nic.file})", "cnp")
                )
            file = nic.qos.file if nic.qos is not None else ""
            who = f"{pod.host.type} {nic.hca.name}"
            yield _hop(_NIC, who, _nic_value(nic, each, control), file, doubts)


def _nic_value(nic: Nic, each: TrafficClass, control: bool) -> str:
    qos = nic.qos
    if qos is None or not qos.judged:
        return "QoS not read"
    priority = qos.priorities.get(each.dscp, 0)
    said = [f"trust {qos.trust}", f"DSCP {each.dscp} to priority {priority}"]
    said += [f"PFC {'on' if priority in qos.pfc else 'off'}"]
    forced = qos.port.traffic_class
    if forced is not None and forced >> 2 == each.dscp:
        said.insert(0, f"sends traffic class {forced}")
    if control:
        named = ", ".join(map(str, sorted(qos.cnps)))
        said.insert(0, f"makes CNPs with DSCP {named}" if named else "DSCP of CNPs not stated")
    elif qos.marks is not None and each.marked:
        said += [f"DCQCN {'on' if priority in qos.marks else 'not stated'}"]
    return ", ".join(said)


def _fitting(doubts: Iterable[Doubt], each: TrafficClass, control: bool) -> list[Doubt]:
    """Doubts about PFC do not matter to a lossy class; doubts about CNPs belong to the CNP class."""
    if each.lossless:
        return [doubt for doubt in doubts if doubt.fact != "cnp"]
    return [doubt for doubt in doubts if doubt.fact == "cnp"] if control else []


def _switches(plan: Plan, site: TracedSite, each: TrafficClass, control: bool) -> Iterator[ChainHop]:
    """Ports of a kind with the same losslessness are one hop of a switch."""
    for switch in plan.switches:
        read = site.fabric.switches.get(switch.name)
        if read is None:
            continue
        asked: set[tuple[object, ...]] = set()
        for port in switch.rdma_ports:
            state = read.ports.get(port.name)
            key = (port.kind, id(state.qos) if state else 0, port.speed_gbps, port.cable_m)
            if state is None or key in asked:
                continue
            asked.add(key)
            value, doubts = _at_port(site, read, port.name, each, control)
            room = port.headroom
            if each.lossless and room is not None:
                value += f", headroom {room.xoff:,} bytes for {port.speed_gbps} Gb/s and {room.cable_m} m"
            where = f"{switch.role}, ports to {_TO[port.kind]}"
            yield _hop(where, switch.name, value, site.fabric.file(switch.name, "qos"), doubts)


_TO = {"host": "hosts", "uplink": "spines", "downlink": "leaves", "peer": "peers"}


def _at_port(
    site: TracedSite, read: ReadSwitch, port: str, each: TrafficClass, control: bool
) -> tuple[str, list[Doubt]]:
    name = read.name

    def line(file: str, fact: str, number: int | None) -> int | None:
        return site.fabric.line(name, file, fact, port, number)

    chain = chain_of(read, port, f"switches/{name}/", line)
    queue, unknown = chain.queue(each.dscp)
    said = [f"DSCP {each.dscp} to queue {queue}" if queue is not None else _NO_QUEUE]
    doubts = list(unknown)
    if each.lossless:
        fabric = site.fabric
        answer = chain.lossless(
            each.dscp, fabric.cables.length_m(name, port), fabric.cables.speed_gbps(name, port)
        )
        doubts = list(answer.doubts)
        said.append("PFC not stated" if answer.priority is None else f"PFC priority {answer.priority}")
        span = read.ports[port].ecn.get(queue) if queue is not None else None
        said += [f"ECN {span[0]:,} to {span[1]:,} bytes"] if span else []
    elif control:
        doubts = list(chain.control(each.dscp, site.fabric.served_first(each.dscp))) or doubts
    if queue is not None and queue in read.ports[port].qos.strict:
        said.append("strict")
    return ", ".join(said), doubts


def _hop(hop: str, who: str, value: str, file: str, doubts: list[Doubt]) -> ChainHop:
    worst = max((doubt.proof for doubt in doubts), default=Proof.PROVED)
    return ChainHop(hop, who, value, file, _WORDS[worst], tuple(doubt.text for doubt in doubts))


def _same(hops: Iterable[ChainHop]) -> Iterator[ChainHop]:
    """Merges hops that differ only in who they are and in file names, with the reasons of all."""
    groups: dict[tuple[object, ...], list[ChainHop]] = {}
    for hop in hops:
        form = hop.file.rpartition("/")[2]
        groups.setdefault((hop.hop, hop.value, form, hop.verdict), []).append(hop)
    order = list(dict.fromkeys(key[0] for key in groups))
    for key in sorted(groups, key=lambda key: order.index(key[0])):
        first, names = groups[key][0], list(dict.fromkeys(hop.who for hop in groups[key]))
        why = tuple(dict.fromkeys(text for hop in groups[key] for text in hop.why))
        shown = why[:_REASONS] + ((f"and {len(why) - _REASONS} more",) if len(why) > _REASONS else ())
        yield ChainHop(first.hop, gathered(names), first.value, first.file, first.verdict, shown)
