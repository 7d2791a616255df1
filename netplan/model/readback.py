"""What the text of one switch's files says, read back without the plan; `trace` and other judges walk it.

A value that the text does not state is None or empty; nothing is filled in from what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from netaddr import IPAddress, IPNetwork

from netplan.model.values import InterfaceAddress
from netplan.records import dataclass

Line = Callable[[str, str, str], int | None]
"""(text of a file, fact, port) -> the line that states it."""


def _no_line(text: str, fact: str, port: str) -> int | None:
    return None


Where = Callable[[str, str, str, str], int | None]
"""(text of a file, fact, column, value there) -> the line that states it."""


def _nowhere(text: str, fact: str, column: str, value: str) -> int | None:
    return None


Numbers = Mapping[int, frozenset[int]]
"""A map of numbers; more than one value where lines contradict each other."""


Pools = Mapping[tuple[int, int], tuple[int, int]]
"""Speed in Gb/s and cable length of a row of headroom -> bytes of the pool, and the dynamic threshold of a
group in it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=True)
class ReadQos:
    """What the lines state of the queues of a port; the same object on all ports of which they say the same.

    ``queues``, ``groups``: DSCP -> queue, priority group. ``pfc``: lossless priorities, ``pfc_again``
    those of a second file; ``pfc_queues``, ``pfc_groups``: what a priority stops, and which group sends it.
    ``buffers``, ``queue_buffers``: priority groups and queues with a lossless buffer, ``lossy_`` those
    stated to drop. ``marking``: queues with ECN, ``unmarked`` those where it is stated to be off.
    ``watchdog``: priorities that a PFC watchdog looks after, ``unwatched`` those it is stated not to;
    ``detection_ms``, ``restoration_ms``: its times. ``weights``: of queues, ``shares``: those in percent;
    ``ecn_percent``: probability of a mark at the upper threshold of a queue.
    ``fixed``: PFC is as stated, whatever the peer offers. ``mtus``: queue -> the largest packet it takes.
    """

    queues: Numbers = field(default_factory=dict)
    groups: Numbers = field(default_factory=dict)
    pfc: frozenset[int] = frozenset()
    pfc_again: frozenset[int] = frozenset()
    pfc_queues: Numbers = field(default_factory=dict)
    pfc_groups: Numbers = field(default_factory=dict)
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
    weights: Numbers = field(default_factory=dict)
    shares: Numbers = field(default_factory=dict)
    ecn_percent: Numbers = field(default_factory=dict)
    detection_ms: frozenset[int] = frozenset()
    restoration_ms: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPort:
    """One physical port. ``ip_mtu``: the largest IP packet in bytes, whatever way the NOS counts.

    ``up``: whether the port is enabled, None where nothing states it and the NOS has no default that says so.
    ``pfc``: the lossless priorities of the port, None where the text states none for it. ``trust`` and
    ``ecn``: as in ``ReadSwitch``, what holds for this port. ``headroom_m``: the cable length that its
    headroom is for. ``gbps``, ``fec``, ``autoneg``: as stated, None and empty where the port keeps what the
    switch has.
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
    """What a NOS does without a line. ``numbers``: of the queues, groups or priorities, empty for all."""

    why: str
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Steps:
    """How coarse a NOS's numbers are: bytes of ECN thresholds, 0.0 where not known, ms of the watchdog,
    seconds of the age of neighbours.
    ``eighths``: it has no map of code points, DSCP / 8 is the priority."""

    ecn_bytes: float = 0.0
    watchdog_ms: int = 1
    arp_seconds: int = 1
    eighths: bool = False


EXACT = Steps()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVlanInterface:
    """The routed interface of a VLAN. ``up`` as of a port. ``aged``: whether an age of neighbours is stated
    for it, where each interface has its own. ``garp``: whether it is stated to learn from gratuitous ARP."""

    vlan: int
    addresses: tuple[InterfaceAddress, ...]
    ip_mtu: int | None
    up: bool | None = True
    garp: bool = False
    aged: bool = False


@dataclass(frozen=True, slots=True)
class ReadNeighbour:
    """A BGP neighbour as stated. ``remote_as`` is None where the text leaves it to the session. ``local``:
    the switch's own address in it, where one is stated."""

    address: IPAddress
    remote_as: int | None
    local: IPAddress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSwitch:
    """One switch.

    ``vlans``: those that exist. ``networks``: prefixes it announces by BGP. ``queues``: DSCP -> queue
    (0..7) of the code points whose queue the text states; ``trust``: dscp, pcp or None where nothing is
    stated. ``ecn``: queue -> (minimum, maximum) in bytes. ``strict``: queues served first. Where ports differ
    in these, it is what most of those that state it have.
    ``marking``: queues with ECN, also where the unit of its thresholds cannot be told in bytes.
    ``arp_seconds``: neighbour age, None where it is not stated; ``arp6_seconds``: of IPv6, where it has lines
    of its own. ``lengths``: speed in Gb/s -> cable lengths
    that its table of headroom has, empty where it needs none or none is known; ``pools``: its rows.
    ``comments``: features of
    ``model.nos.FEATURES`` whose value stands in the text as a comment to confirm only. ``files``: the file
    each kind of statement (ports, vlans, qos, bgp, arp) is read from, so that a message can name it.
    ``states``: the facts that lines of the NOS can state; ``told``: those of the QoS chain that some line
    here does; ``implied``: those that need no line, and why; ``stands``: fact -> where its line stands.
    ``entries``: IP version -> neighbours kept at most, as stated or as the NOS ships, where known;
    ``collected``: those above which idle ones are dropped at once.
    ``unread_neighbours``: stated in a form that the owner of BGP on the switch passes over.
    ``rejects``: terms of BGP policies that keep back every route which reaches them, policy and term.
    ``lacking``: ``routing``, ``vlan-routing`` and ``bgp`` where the NOS does them only after a line that
    is not there. ``paths``: equal paths BGP uses at most, ``seed``: of the hash that deals
    flows to them, None where not stated. ``line``: looks up which
    line of a text states a fact of a port, ``where`` of anything else. ``problems``: what could not be read,
    beginning with the file's name, and what contradicts itself; ``unparsed``: those of them about files that
    are no JSON or YAML, though they should be. ``steps``: how coarse its numbers are. ``unread``: lines that
    nothing takes and netplan does not write, and ``refused``: values above what the NOS takes, beginning with
    the file's name.
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
    arp6_seconds: int | None = None
    entries: Mapping[int, int] = field(default_factory=dict)
    collected: Mapping[int, int] = field(default_factory=dict)
    rejects: tuple[tuple[str, str], ...] = ()
    unread_neighbours: frozenset[IPAddress] = frozenset()
    lengths: Mapping[int, frozenset[int]] = field(default_factory=dict)
    pools: Pools = field(default_factory=dict)
    steps: Steps = EXACT
    line: Line = field(default=_no_line, compare=False, repr=False)
    where: Where = field(default=_nowhere, compare=False, repr=False)
    problems: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
