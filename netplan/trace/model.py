"""The parts of a walk: positions in files, hops, legs, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import IntEnum

from netplan.graph.hosts import Stated
from netplan.model.nic_text import NicEts, NicPort
from netplan.model.site import SiteHca, SiteHost
from netplan.records import dataclass
from netplan.trace.linux import Address, Namespace


class TraceError(Exception):
    """The walk cannot start: an unknown end, or files that cannot be read. The message is for the user."""


class Verdict(IntEnum):
    """From best to worst; a path is as good as its worst part."""

    DELIVERED = 0
    UNPROVED = 1
    UNLIKE = 2
    NARROW = 3
    LOSSY = 4
    TOO_BIG = 5
    WRONG_RAIL = 6
    LOST = 7

    @property
    def words(self) -> str:
        return _WORDS[self]

    @property
    def proof(self) -> str:
        """``proved``, ``not proved`` or ``refuted``."""
        return _PROOFS.get(self, "refuted")

    @property
    def fails(self) -> bool:
        return self > Verdict.UNPROVED


_WORDS = {
    Verdict.DELIVERED: "delivered",
    Verdict.UNPROVED: "as far as the files show",
    Verdict.UNLIKE: "not as the site states",
    Verdict.NARROW: "not over every path",
    Verdict.LOSSY: "not lossless",
    Verdict.TOO_BIG: "too big",
    Verdict.WRONG_RAIL: "wrong rail",
    Verdict.LOST: "not delivered",
}
_PROOFS = {Verdict.DELIVERED: "proved", Verdict.UNPROVED: "not proved"}


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """``text`` names hop and file."""

    verdict: Verdict
    text: str


def unproved(text: str) -> Fault:
    return Fault(Verdict.UNPROVED, text)


def divided(found: Iterable[Fault]) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """The faults that refute, and the texts of those that only leave it unproved."""
    each = tuple(dict.fromkeys(found))
    return tuple(f for f in each if f.verdict.fails), tuple(f.text for f in each if not f.verdict.fails)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One node of a path. ``enter``, ``leave``: its interfaces, empty at the ends. ``does``: what decides
    there.

    ``values``: what applies to the packet here (MTU, queue, PFC, ECN), as text by name. ``file``: where it
    stands.
    """

    node: str
    enter: str
    leave: str
    does: str
    values: Mapping[str, str]
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One direction. ``arrives``: interface of the other pod, None if the packet is lost. ``others``: number
    of equal paths that are judged but not drawn. ``neighbours``: addresses that must resolve, and who
    answers."""

    hops: tuple[Hop, ...] = ()
    others: int = 0
    leaves: str | None = None
    arrives: str | None = None
    source: Address | None = None
    neighbours: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        worst = max((fault.verdict for fault in self.faults), default=Verdict.DELIVERED)
        return max(worst, Verdict.UNPROVED) if self.notes else worst


@dataclass(frozen=True, slots=True)
class Flow:
    """What the two sockets are bound to. ``name``: as printed."""

    name: str
    source: bool
    device: bool
    reply_device: bool


DEVICE_BOUND = Flow("device-bound", source=True, device=True, reply_device=True)
SOURCE_BOUND = Flow("source-bound", source=True, device=False, reply_device=False)
UNBOUND = Flow("unbound", source=False, device=False, reply_device=False)
FLOWS = (DEVICE_BOUND, SOURCE_BOUND, UNBOUND)


@dataclass(frozen=True, slots=True)
class Walk:
    """There and back; ``back`` is None if nothing arrived."""

    flow: Flow
    there: Leg
    back: Leg | None

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(dict.fromkeys((*self.there.faults, *(self.back.faults if self.back else ()))))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.there.notes, *(self.back.notes if self.back else ()))))

    @property
    def verdict(self) -> Verdict:
        return max(self.there.verdict, self.back.verdict if self.back else Verdict.DELIVERED)


@dataclass(frozen=True, slots=True)
class Walks:
    """All walks between two ends. ``meant``: whether routes.yaml wants them to reach each other.

    ``families``: IP version -> a walk for each flow. ``unbound``: whether the workload at either end declares
    unbound sockets, so that they count too.
    """

    start: str
    end: str
    meant: bool
    families: Mapping[str, tuple[Walk, ...]]
    unbound: bool = False

    def decides(self, walk: Walk) -> bool:
        return self.unbound or walk.flow is not UNBOUND

    @property
    def verdict(self) -> Verdict:
        """The worst verdict among the walks that count."""
        return max(w.verdict for each in self.families.values() for w in each if self.decides(w))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNicQos:
    """What the files set on an RDMA port. ``priorities``: DSCP -> priority; ``pfc``: lossless priorities.

    ``judged``: false for a file in a form that trace does not read. ``marks``: priorities with ECN, None if
    the form does not list them. ``port``: settings of this port alone. ``cnps``: DSCP of congestion
    notifications -> file that sets it. ``odd``: parts of the script that are not read, with their lines.
    ``ets``: traffic classes, None if the form has none. ``cnp_priority``: VLAN priority of congestion
    notifications. ``lines``: trust, pfc, dscp, ets and cnp -> the line of ``file`` that sets it. ``wanted``:
    the trust that the site has.
    """

    file: str
    judged: bool
    trust: str | None
    priorities: Mapping[int, int]
    pfc: frozenset[int]
    marks: frozenset[int] | None = None
    port: NicPort = field(default_factory=NicPort)
    cnps: Mapping[int, str] = field(default_factory=dict)
    odd: tuple[str, ...] = ()
    ets: NicEts | None = None
    cnp_priority: int | None = None
    lines: Mapping[str, int] = field(default_factory=dict)
    wanted: str = "dscp"

    def at(self, fact: str) -> str:
        """File and line that set ``port``, trust, pfc, dscp, ets or cnp."""
        line = self.port.line if fact == "port" else self.lines.get(fact, 0)
        return f"{self.file}:{line}" if line else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Nic:
    """A pod interface on its host. ``vlan``: tag of the VF, None if frames leave untagged.

    ``hca`` is None if the files do not say which one it is. ``mtu`` and ``port_mtu`` (of the PF) are None if
    not stated. ``beyond``: what carries the frame if it is not an Ethernet switch, else empty. ``outside``:
    its gateway is a router outside the inventory. ``unknown``: what explains that no address of it is known.
    """

    name: str
    rail: int | None
    kind: str
    vlan: int | None
    hca: SiteHca | None
    mtu: int | None
    port_mtu: Stated | None
    qos: ReadNicQos | None
    file: str
    beyond: str = ""
    outside: bool = False
    unknown: tuple[Fault, ...] = ()
    problems: tuple[Fault, ...] = ()


COORDINATOR = "Spiderpool's coordinator routes the pod: what it sets up there is not judged"
"""``beyond`` of an interface in its hands."""


@dataclass(frozen=True, slots=True)
class SentClass:
    """``dscp``: of a pod's RDMA traffic, None if its environment sets none. ``lossless``: whether the site
    has that DSCP in a lossless class, with ``priority``; if not, why, provided the site has lossless
    classes."""

    dscp: int | None
    lossless: bool
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    priority: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePod:
    """A pod of a workload on a host. ``sent``: the class of its RDMA traffic.

    ``space``: network state after its plugins and scripts ran; ``files``: what that was read from.
    """

    workload: str
    host: SiteHost
    primary: str
    nics: Mapping[str, Nic]
    space: Namespace
    sent: SentClass
    routes_file: str
    intended: frozenset[tuple[str, str]]
    problems: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def collective(self, nic: Nic) -> bool:
        """Whether NCCL and UCX use the interface: a rail's; any interface if there are no rails."""
        return nic.rail is not None or all(other.rail is None for other in self.nics.values())
