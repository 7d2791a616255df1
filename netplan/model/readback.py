"""What the text of one switch's files says, read back without the plan; `trace` and other judges walk it.

A value that the text does not state is None or empty; nothing is filled in from what was meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from netaddr import IPAddress, IPNetwork

from netplan.model.values import InterfaceAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPort:
    """One physical port. ``ip_mtu``: the largest IP packet in bytes, whatever way the NOS counts.

    ``pfc``: the lossless priorities of the port, None where the text states none for it. ``trust`` and
    ``ecn``: as in ``ReadSwitch``, what holds for this port.
    """

    name: str
    tagged: frozenset[int]
    untagged: int | None
    addresses: tuple[InterfaceAddress, ...]
    ip_mtu: int | None
    pfc: frozenset[int] | None
    trust: str | None = None
    ecn: Mapping[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVlanInterface:
    """The routed interface of a VLAN."""

    vlan: int
    addresses: tuple[InterfaceAddress, ...]
    ip_mtu: int | None


@dataclass(frozen=True, slots=True)
class ReadNeighbour:
    """A BGP neighbour as stated. ``remote_as`` is None where the text leaves it to the session."""

    address: IPAddress
    remote_as: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSwitch:
    """One switch.

    ``vlans``: those that exist. ``networks``: prefixes it announces by BGP. ``queues``: DSCP -> queue
    (0..7) of the code points whose queue the text states; ``trust``: dscp, pcp or None where nothing is
    stated. ``ecn``: queue -> (minimum, maximum) in bytes. ``strict``: queues served first. Where ports differ
    in these, it is what most of those that state it have.
    ``marking``: queues with ECN, also where the unit of its thresholds cannot be told in bytes.
    ``arp_seconds``: neighbour age, None where it is not stated. ``comments``: features of
    ``model.nos.FEATURES`` whose value stands in the text as a comment to confirm only. ``files``: the file
    each kind of statement (ports, vlans, qos, bgp, arp) is read from, so that a message can name it.
    ``problems``: what could not be read, beginning with the file's name, and what contradicts itself;
    ``unparsed``: those of them about files that are no JSON or YAML, though they should be.
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
    problems: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
