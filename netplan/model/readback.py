"""What the text of a switch's files states, read back without the plan, for `trace` and other judges.

Values that the text does not state are None or empty; nothing is filled in from intent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Protocol

from netaddr import IPAddress, IPNetwork

from netplan.model.values import InterfaceAddress
from netplan.records import dataclass


class Line(Protocol):
    """Finds the line of a file's text that states a fact of a port, or of its queue or group ``number``."""

    def __call__(self, text: str, fact: str, port: str, number: int | None = None) -> int | None: ...


def _no_line(text: str, fact: str, port: str, number: int | None = None) -> int | None:
    return None


Where = Callable[[str, str, str, str], int | None]
"""(text of a file, fact, column, value there) -> the line that states it."""


def _nowhere(text: str, fact: str, column: str, value: str) -> int | None:
    return None


Numbers = Mapping[int, frozenset[int]]
"""A map of numbers; several values if lines contradict each other."""


Pools = Mapping[tuple[int, int], tuple[int, int]]
"""(speed in Gb/s, cable length in m) of a headroom row -> (bytes of the pool, dynamic threshold of a group in
it)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=True)
class ReadQos:
    """What the lines state about a port's queues; the same object for all ports with the same statements.

    ``queues``, ``groups``: DSCP -> queue, priority group. ``pfc``: lossless priorities, ``pfc_again``: those
    in a second file; ``pfc_queues``, ``pfc_groups``: what a priority pauses, and which group sends the pause;
    ``class_queues``: of traffic classes, where PFC goes by the class.
    ``buffers``, ``queue_buffers``: priority groups and queues with a lossless buffer, ``lossy_``: those
    stated to drop. ``marking``: queues with ECN, ``unmarked``: those where it is stated to be off.
    ``watchdog``: priorities with a PFC watchdog, ``unwatched``: those stated to have none; ``detection_ms``,
    ``restoration_ms``: its times. ``weights``: of queues, ``shares``: in percent; ``ecn_percent``: marking
    probability at a queue's upper threshold. ``fixed``: PFC stays as stated, whatever the peer offers.
    ``mtus``: queue -> the largest packet it takes. ``headroom_mtus``: DSCP -> the largest IP packet that its
    headroom is sized for.
    """

    queues: Numbers = field(default_factory=dict)
    groups: Numbers = field(default_factory=dict)
    pfc: frozenset[int] = frozenset()
    pfc_again: frozenset[int] = frozenset()
    pfc_queues: Numbers = field(default_factory=dict)
    pfc_groups: Numbers = field(default_factory=dict)
    class_queues: Numbers = field(default_factory=dict)
    buffers: frozenset[int] = frozenset()
    lossy_buffers: frozenset[int] = frozenset()
    queue_buffers: frozenset[int] = frozenset()
    lossy_queues: frozenset[int] = frozenset()
    marking: frozenset[int] = frozenset()
    unmarked: frozenset[int] = frozenset()
    watchdog: frozenset[int] = frozenset()
    unwatched: frozenset[int] = frozenset()
    strict: frozenset[int] = frozenset()
    fixed: bool = False
    mtus: Mapping[int, int] = field(default_factory=dict)
    headroom_mtus: Mapping[int, int] = field(default_factory=dict)
    weights: Numbers = field(default_factory=dict)
    shares: Numbers = field(default_factory=dict)
    ecn_percent: Numbers = field(default_factory=dict)
    detection_ms: frozenset[int] = frozenset()
    restoration_ms: frozenset[int] = frozenset()

    def stopped(self, priority: int) -> frozenset[int]:
        """The queues that a received PFC frame of a priority stops; without a line that of its number."""
        return self.pfc_queues.get(priority, frozenset({priority}))

    def sending(self, priority: int) -> frozenset[int]:
        """The priority groups that send PFC frames of a priority; without a line that of its number."""
        return self.pfc_groups.get(priority, frozenset({priority}))

    def stopping(self, queue: int | None, group: int | None = None) -> list[int]:
        """The priorities with PFC whose frames stop a queue, those first that the priority group sends."""
        found = [one for one in self.pfc if queue in self.stopped(one)]
        return sorted(found, key=lambda one: (group not in self.sending(one), one))

    def sent(self, group: int | None) -> list[int]:
        """The priorities with PFC that a priority group sends."""
        return [one for one in sorted(self.pfc) if group in self.sending(one)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPort:
    """One physical port. ``ip_mtu``: the largest IP packet in bytes, however the NOS counts.

    ``up``: whether the port is enabled, None if nothing states it and the NOS has no known default. ``pfc``:
    the port's lossless priorities, None if none is stated. ``trust``, ``ecn``: as in ``ReadSwitch``, for this
    port. ``headroom_m``: cable length its headroom is for. ``gbps``, ``fec``, ``autoneg``: as stated; None
    and empty if the port uses the switch's settings.
    """

    name: str
    tagged: frozenset[int]
    untagged: int | None
    addresses: tuple[InterfaceAddress, ...]
    ip_mtu: int | None
    pfc: frozenset[int] | None
    trust: str | None = None
    ecn: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    up: bool | None = True
    headroom_m: int | None = None
    gbps: int | None = None
    fec: str = ""
    autoneg: str = ""
    qos: ReadQos = field(default_factory=ReadQos)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a fact is stated, or would be: a file of the switch, and the form of the line or row."""

    file: str
    line: str


@dataclass(frozen=True, slots=True)
class Implied:
    """What a NOS does without a line. ``numbers``: of queues, groups or priorities, empty for all."""

    why: str
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Steps:
    """Granularity of a NOS's numbers: bytes for ECN thresholds (0.0 if not known), ms for the watchdog,
    seconds for neighbour ages. ``eighths``: it has no map of code points, the priority is DSCP / 8."""

    ecn_bytes: float = 0.0
    watchdog_ms: int = 1
    arp_seconds: int = 1
    eighths: bool = False


EXACT = Steps()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVlanInterface:
    """The routed interface of a VLAN. ``up``: as for a port. ``aged``: whether a neighbour age is stated for
    it, on NOSes with an age per interface. ``garp``: whether it is stated to learn from gratuitous ARP."""

    vlan: int
    addresses: tuple[InterfaceAddress, ...]
    ip_mtu: int | None
    up: bool | None = True
    garp: bool = False
    aged: bool = False


@dataclass(frozen=True, slots=True)
class ReadNeighbour:
    """A BGP neighbour as stated. ``remote_as``: None if the text leaves it to the session. ``local``: the
    switch's own address in it, if stated."""

    address: IPAddress
    remote_as: int | None
    local: IPAddress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSwitch:
    """One switch.

    ``vlans``: those that exist. ``networks``: prefixes it announces by BGP, each with a line of
    its own; ``redistributed``: IP versions of which it announces networks of its interfaces, all or some.
    ``queues``: DSCP -> queue (0..7),
    for code points whose queue is stated; ``trust``: dscp, pcp, or None if not stated. ``ecn``: queue ->
    (minimum, maximum) in bytes. ``strict``: strict queues. If ports differ in these, the value of most ports
    that state one. ``marking``: queues with ECN, also if its thresholds cannot be converted to bytes.
    ``arp_seconds``: neighbour age, None if not stated; ``arp6_seconds``: for IPv6, if it has lines of its
    own. ``lengths``: speed in Gb/s -> cable lengths in its headroom table, empty if it needs none or none is
    known; ``pools``: the table's rows. ``comments``: features of ``model.nos.FEATURES`` whose value stands in
    the text only as a comment to confirm. ``files``: the file each kind of statement (ports, vlans, qos, bgp,
    arp) is read from, for messages. ``states``: facts that lines of the NOS can state; ``told``: those of the
    QoS chain that some line here states; ``implied``: those that need no line, and why; ``stands``: fact ->
    where its line belongs. ``entries``: IP version -> maximum number of neighbours, as stated or by default,
    if known; ``collected``: number above which idle ones are dropped at once. ``unread_neighbours``: stated
    in a form that the owner of BGP on the switch ignores; ``shut_neighbours``: shut down.
    ``rejects``: (policy, term) of BGP policies that reject every route.
    ``lacking``: ``routing``, ``vlan-routing`` and ``bgp`` if the NOS needs a line for
    them that is missing. ``paths``: maximum of equal paths for BGP, ``seed``: of the ECMP hash, None if not
    stated. ``line``: looks up which line of a text states a fact about a port, ``where`` about anything else.
    ``problems``: what could not be read, beginning with the file's name, and contradictions; ``unparsed``:
    those about files that should be JSON or YAML and are not. ``steps``: granularity of its numbers.
    ``unread``: lines that nothing reads and netplan does not write, ``refused``: values above the NOS's
    maximum, each beginning with the file's name.
    """

    name: str
    nos: str
    ports: Mapping[str, ReadPort]
    vlans: frozenset[int]
    vlan_interfaces: Mapping[int, ReadVlanInterface]
    loopbacks: tuple[InterfaceAddress, ...]
    asn: int | None
    neighbours: tuple[ReadNeighbour, ...]
    networks: frozenset[IPNetwork]
    trust: str | None
    queues: Mapping[int, int]
    ecn: Mapping[int, tuple[int, int]]
    strict: frozenset[int]
    arp_seconds: int | None
    comments: frozenset[str]
    files: Mapping[str, str]
    marking: frozenset[int] = frozenset()
    states: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    implied: Mapping[str, Implied] = field(default_factory=dict)
    stands: Mapping[str, Stand] = field(default_factory=dict)
    lacking: frozenset[str] = frozenset()
    paths: int | None = None
    seed: str | None = None
    router_id: IPAddress | None = None
    redistributed: frozenset[int] = frozenset()
    arp6_seconds: int | None = None
    entries: Mapping[int, int] = field(default_factory=dict)
    collected: Mapping[int, int] = field(default_factory=dict)
    rejects: tuple[tuple[str, str], ...] = ()
    unread_neighbours: frozenset[IPAddress] = frozenset()
    shut_neighbours: tuple[IPAddress, ...] = ()
    lengths: Mapping[int, frozenset[int]] = field(default_factory=dict)
    pools: Pools = field(default_factory=dict)
    steps: Steps = EXACT
    line: Line = field(default=_no_line, compare=False, repr=False)
    where: Where = field(default=_nowhere, compare=False, repr=False)
    problems: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
