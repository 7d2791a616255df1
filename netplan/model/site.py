"""A site as ``site.json`` states it: what exists, not what was decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from netplan.records import dataclass

PATH = "site.json"
VERSION = 1
"""Version of the format: raised if readers of the old one would misread the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteHca:
    """One HCA port of one host. ``link``: its link layer. ``model``: in the catalog. ``use``: how pods use
    it. ``switch``, ``port``: empty if no cable is known."""

    name: str
    rail: int | None
    pci: str | None
    netdev: str | None
    link: str = ""
    model: str = ""
    use: str = ""
    switch: str = ""
    port: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteHost:
    """One host, or one of several without names. ``number``: its position among all, for an example address.

    ``labels``: of the node. ``gpus``: 0 if it has none, or none are known.
    """

    name: str
    type: str
    number: int
    labels: Mapping[str, str]
    hcas: tuple[SiteHca, ...]
    gpus: int = 0

    def has(self, labels: Mapping[str, str]) -> bool:
        """Whether the node has all of these labels."""
        return labels.items() <= self.labels.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCable:
    """One end of a cable at a switch. ``peer_kind``: host or switch; ``peer_port``: of a host its HCA.

    Speed in Gb/s, length in m.
    """

    switch: str
    port: str
    peer_kind: str
    peer: str
    peer_port: str
    speed_gbps: int
    cable_m: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSwitch:
    """``queue_bytes``: size of the queue that percentages refer to, 0 if not stated. ``nos_version``: the
    stated one, empty if none is."""

    name: str
    role: str
    nos: str
    model: str
    asic: str
    queue_bytes: int
    nos_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteClass:
    """``bandwidth_percent``: of what strict queues leave, 0 for a strict class. ``ecn_bytes``: thresholds,
    ``ecn_percent``: marking probability at the upper one. None if ``site.json`` does not state it."""

    name: str
    dscp: int
    priority: int
    lossless: bool
    ecn: bool
    strict: bool | None = None
    bandwidth_percent: int | None = None
    ecn_bytes: tuple[int, int] | None = None
    ecn_percent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteWatchdog:
    """PFC watchdog, in milliseconds."""

    poll_ms: int
    detection_ms: int
    restoration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteQos:
    """``best_effort_percent``: share of traffic outside all classes, None if not stated. ``trust``: what
    classifies packets, dscp or pcp."""

    classes: tuple[SiteClass, ...] = ()
    best_effort_percent: int | None = None
    watchdog: SiteWatchdog | None = None
    trust: str = "dscp"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFacts:
    """``links``: host type -> link layers of its HCAs. ``arp_seconds``: neighbour age, None if not stated.
    ``mtu``: IP MTU that pods see. ``placed``: workload -> host types; ``pods``: workload -> pods of a node at
    once, where its GPUs would allow more. ``named``: all hosts, whether nodes or not. ``releases``: versions
    that the inventory states."""

    name: str
    fabric_type: str
    cross_rail: str
    qos: SiteQos
    hosts: tuple[SiteHost, ...]
    links: Mapping[str, frozenset[str]]
    switches: Mapping[str, SiteSwitch]
    cables: tuple[SiteCable, ...]
    workloads: tuple[str, ...]
    mtu: int | None = None
    placed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pods: Mapping[str, int] = field(default_factory=dict)
    arp_seconds: int | None = None
    named: frozenset[str] = frozenset()
    releases: Mapping[str, str] = field(default_factory=dict)

    @property
    def classes(self) -> tuple[SiteClass, ...]:
        return self.qos.classes
