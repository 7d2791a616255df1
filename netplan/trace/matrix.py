"""Every rail to every rail of a workload. Hosts with the same files and ports form a class and are walked
once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from netplan.graph.hosts import link_of, port_mtu
from netplan.model.site import SiteHca, SiteHost
from netplan.records import dataclass
from netplan.trace.hosts import own_scripts
from netplan.trace.linux import Address
from netplan.trace.memory import uncollected
from netplan.trace.model import DEVICE_BOUND, FLOWS, UNBOUND, Fault, Flow, TracePod, Verdict, Walk
from netplan.trace.pods import build_pod
from netplan.trace.pods_per_node import shared_by_pods
from netplan.trace.routed import as_address
from netplan.trace.site import TracedSite, TraceWorkload
from netplan.trace.units import Use, host_faults
from netplan.trace.walk import Walker

SAME_NODE, OTHER_NODE, OTHER_LEAVES = "same node", "other node", "other leaves"
_ALL_PAIRS = 12
"""Up to this many classes, every class is walked to every other, with every flow and pair of rails. Beyond
it, each class gets two partners, and rules and tables, which are the workload's, are judged on the first
class."""
_DISPUTES = 100
"""Up to so many cables that two files state differently, each makes a class of its own; more make one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The worst walk of one relation, flow and pair of interfaces. ``meant``: whether it should be delivered.

    ``decides``: false for an unbound socket if the workload declares none. ``example``: two hosts it was
    found on. ``faults``: of all walks in the cell.
    """

    relation: str
    flow: Flow
    start: str
    end: str
    meant: bool
    decides: bool
    verdict: Verdict
    example: tuple[str, str]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]

    @property
    def fails(self) -> bool:
        return self.meant and self.decides and self.verdict.fails


@dataclass(frozen=True, slots=True)
class _Pair:
    """``sampled``: each interface only to its counterpart and the next one, so that each port and leaf has
    its turn."""

    relation: str
    a: TracePod
    b: TracePod
    flows: tuple[Flow, ...]
    sampled: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """``classes``: sizes of the host classes. ``pairs``: of classes that were walked."""

    workload: str
    interfaces: tuple[str, ...]
    hosts: int
    classes: tuple[int, ...]
    pairs: int
    walks: int
    cells: tuple[Cell, ...]
    missing: str = ""

    @property
    def verdict(self) -> Verdict:
        decisive = [c.verdict for c in self.cells if c.meant and c.decides]
        return Verdict.LOST if self.missing else max(decisive, default=Verdict.UNPROVED)

    @property
    def few(self) -> bool:
        """Whether classes were walked to two others only."""
        return len(self.classes) > _ALL_PAIRS


class Tabulator:
    """Makes the matrices of a site. ``flows``: those to walk. ``sampled``: each interface only to its
    counterpart and the next one. ``walker``: of another site on the same fabric, to reuse what it knows."""

    def __init__(
        self,
        site: TracedSite,
        flows: tuple[Flow, ...] = FLOWS,
        *,
        sampled: bool = False,
        walker: Walker | None = None,
    ) -> None:
        self.site = site
        self.flows, self.sampled = flows, sampled
        self.walker = walker or Walker(site.fabric, site.bgp)
        self._mtus: dict[tuple[str, str], int | None] = {}
        self._usual: dict[str, tuple[object, ...]] = {}

    def matrix(self, workload: TraceWorkload) -> Matrix:
        with uncollected():
            return self._matrix(workload)

    def _matrix(self, workload: TraceWorkload) -> Matrix:
        hosts = self.site.hosts_of(workload)
        classes = self._classes(hosts)
        if not classes:
            missing = f"no host has the labels its pods ask for ({workload.file})"
            return Matrix(workload.name, (), 0, (), 0, 0, (), missing)
        pods = [build_pod(self.site, workload, group[0]) for group in classes]
        found: dict[tuple[str, Flow, str, str], Cell] = {}
        pairs = walks = 0
        for pair in self._pairs(workload, classes, pods):
            pairs += 1
            for cell in self._cells(pair, workload.routes.unbound):
                walks += 1
                key = (cell.relation, cell.flow, cell.start, cell.end)
                found[key] = _worse(found[key], cell) if key in found else cell
        return Matrix(
            workload=workload.name,
            interfaces=tuple(pods[0].nics),
            hosts=len(hosts),
            classes=tuple(len(group) for group in classes),
            pairs=pairs,
            walks=walks,
            cells=tuple(found.values()),
            missing=_without_rdma(workload, pods[0]),
        )

    def _pairs(
        self, workload: TraceWorkload, classes: list[list[SiteHost]], pods: list[TracePod]
    ) -> Iterator[_Pair]:
        several, many = shared_by_pods(self.site, workload), len(classes) > _ALL_PAIRS
        few = many or self.sampled
        for index, (group, pod) in enumerate(zip(classes, pods, strict=True)):
            flows = (DEVICE_BOUND,) if many and index else self.flows
            if several:
                yield _Pair(SAME_NODE, pod, build_pod(self.site, workload, group[0], 1), flows, self.sampled)
            if len(group) > 1:
                yield _Pair(OTHER_NODE, pod, build_pod(self.site, workload, group[-1]), flows, self.sampled)
            for other in _partners(index, len(classes)):
                near = _switches(group[0]) == _switches(classes[other][0])
                yield _Pair(OTHER_NODE if near else OTHER_LEAVES, pod, pods[other], flows, few)

    def _cells(self, pair: _Pair, unbound: bool) -> Iterator[Cell]:
        a, b = pair.a, pair.b
        example = (a.host.name, b.host.name)
        for flow in pair.flows:
            for start, end in _ends(pair, flow):
                walk = self.between(a, start, b, end, flow)
                meant = (start, end) in a.intended
                decides = unbound or flow is not UNBOUND
                found = walk.verdict, example, walk.faults, walk.notes
                yield Cell(pair.relation, flow, start, end, meant, decides, *found)

    def between(self, a: TracePod, start: str, b: TracePod, end: str, flow: Flow) -> Walk:
        """The worst walk among the IP versions that both interfaces have."""
        walks = [self.walker.walk((a, start), (b, end), flow, v) for v in versions(a, start, b, end)]
        return max(walks, key=lambda walk: walk.verdict)

    def _classes(self, hosts: tuple[SiteHost, ...]) -> list[list[SiteHost]]:
        groups: dict[tuple[object, ...], list[SiteHost]] = {}
        for host in hosts:
            groups.setdefault(self._signature(host), []).append(host)
        return list(groups.values())

    def _signature(self, host: SiteHost) -> tuple[object, ...]:
        allocated = self._allocated.get(host.name, {})
        own, given = host.name in self._with_files, frozenset(allocated.values())
        return (
            host.type,
            tuple(sorted(allocated)),
            self.site.apart_at(host.name),
            own_scripts(self.site, host) if own else (),
            self._own_faults(host) if own else (),
            self._set_up(host) if own else self._usual_set_up(host),
            *(self._port_signature(host, hca, own, given) for hca in host.hcas),
        )

    def _set_up(self, host: SiteHost) -> tuple[object, ...]:
        """How the host's ports are set up, its VFs included."""
        units = [link_of(self.site.texts, host, hca) for hca in host.hcas]
        stated = [unit.last("Link", "SR-IOVVirtualFunctions") if unit else None for unit in units]
        return tuple(each.value if each is not None else None for each in stated)

    def _usual_set_up(self, host: SiteHost) -> tuple[object, ...]:
        """The same for a host without files of its own: from its type's files."""
        if host.type not in self._usual:
            self._usual[host.type] = self._set_up(host)
        return self._usual[host.type]

    def _own_faults(self, host: SiteHost) -> tuple[Fault, ...]:
        """What the host's own files set up differently from its type's."""
        uses = tuple(Use(hca, 0, made=False) for hca in host.hcas)
        return tuple(host_faults(self.site.texts, host, uses))

    def _port_signature(
        self, host: SiteHost, hca: SiteHca, own: bool, allocated: frozenset[tuple[str, str]]
    ) -> tuple[object, ...]:
        """All that files say about the cable and both of its ends, except names and addresses."""
        cabled = (hca.name, hca.pci, hca.netdev, hca.switch, self._disputed(hca))
        mtu = self._mtu(host, hca) if own else self._usual_mtu(host, hca)
        switch = self.site.fabric.switches.get(hca.switch)
        port = switch.ports.get(hca.port) if switch is not None else None
        if port is None:
            return (*cabled, mtu)
        links = tuple(
            ((str(a.network), str(a.ip)) in allocated, self._announces(hca.switch, as_address(a.ip)))
            for a in port.addresses
        )
        ecn, qos = tuple(sorted(port.ecn.items())), (port.pfc, port.trust, port.headroom_m, id(port.qos))
        set_to = (port.gbps, port.fec, port.autoneg)
        return (*cabled, mtu, *set_to, port.up, port.tagged, port.untagged, port.ip_mtu, *qos, ecn, links)

    def _disputed(self, hca: SiteHca) -> str:
        disputed = self.site.fabric.cables.disputed
        found = disputed.get((hca.switch, hca.port), "")
        return found if len(disputed) <= _DISPUTES else found[:1]

    def _mtu(self, host: SiteHost, hca: SiteHca) -> int | None:
        stated = port_mtu(self.site.texts, host, hca)
        return stated.value if stated is not None else None

    def _usual_mtu(self, host: SiteHost, hca: SiteHca) -> int | None:
        """MTU of a host without files of its own: from its type's files."""
        key = (host.type, hca.name)
        if key not in self._mtus:
            self._mtus[key] = self._mtu(host, hca)
        return self._mtus[key]

    def _announces(self, switch: str, ip: Address) -> bool:
        best = next(self.site.bgp.announced(ip), None)
        return best is not None and best[1] == {switch}

    @cached_property
    def _allocated(self) -> Mapping[str, Mapping[str, tuple[str, str]]]:
        """Host -> pool -> (prefix, gateway), for pools that give each node a prefix."""
        found: dict[str, dict[str, tuple[str, str]]] = {}
        for pool in self.site.cluster.pools.values():
            for entry in pool.spec.get("staticAllocations", ()):
                given = (str(entry["prefix"]), str(entry.get("gateway")))
                found.setdefault(entry["nodeName"], {})[pool.name] = given
        return found

    @cached_property
    def _with_files(self) -> frozenset[str]:
        return frozenset(p.split("/")[1] for p in self.site.texts if p.startswith("hosts/"))


def _without_rdma(workload: TraceWorkload, pod: TracePod) -> str:
    """Why the workload has no interface to walk from; empty if it has one."""
    return "" if pod.nics else f"its pods have no RDMA interface ({workload.file})"


def versions(a: TracePod, start: str, b: TracePod, end: str) -> list[int]:
    """IP versions that both interfaces have; if there are none, one, so that this is reported."""
    one = {o.ip.version for o in a.space.addresses.get(start, ())}
    other = {o.ip.version for o in b.space.addresses.get(end, ())}
    return sorted(one & other) or [4]


def _ends(pair: _Pair, flow: Flow) -> Iterator[tuple[str, str]]:
    """Pairs of interfaces that a flow can have: unbound sockets have no start, devices without addresses only
    reach their counterpart."""
    starts, ends = list(pair.a.nics), list(pair.b.nics)
    for index, start in enumerate(starts):
        plain = not pair.a.space.addresses.get(start)
        following = starts[(index + 1) % len(starts)]
        for end in ends:
            wanted = not pair.sampled or end in (start, following)
            possible = start == end or not (plain or flow is UNBOUND)
            if wanted and possible and (flow is DEVICE_BOUND or not plain):
                yield start, end


def _switches(host: SiteHost) -> frozenset[tuple[int | None, str]]:
    return frozenset((hca.rail, hca.switch) for hca in host.hcas if hca.switch)


def _partners(index: int, count: int) -> list[int]:
    """All other classes, or two of them: the next and the farthest, so that every class has its turn."""
    if count <= _ALL_PAIRS:
        return [other for other in range(count) if other != index]
    return [(index + 1) % count, (index + count // 2) % count]


def _worse(one: Cell, other: Cell) -> Cell:
    worst = other if other.verdict > one.verdict else one
    return Cell(
        worst.relation,
        worst.flow,
        worst.start,
        worst.end,
        one.meant or other.meant,
        worst.decides,
        worst.verdict,
        worst.example,
        tuple(dict.fromkeys((*one.faults, *other.faults))),
        tuple(dict.fromkeys((*one.notes, *other.notes))),
    )
