"""What a switch operating system can do: ``templates/switch/<nos>/nos.yaml`` as a type."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.bounds import LossyPriorities, SwitchBounds
from netplan.model.frr import NosFrr
from netplan.model.nos_folder import NosFolder
from netplan.model.releases import Releases
from netplan.model.switch_buffers import StockBuffers
from netplan.records import dataclass

FEATURES: Mapping[str, bool] = {
    "pfc": True,
    "ecn": True,
    "dscp_trust": True,
    "pcp_trust": True,
    "qos_map": True,
    "strict_queue": True,
    "vlan": True,
    "routed_port": True,
    "jumbo": True,
    "bgp": True,
    "ecmp": True,
    "ipv6": True,
    "cross_family": True,
    "announce_host_links": True,
    "pfc_watchdog": False,
    "ecn_probability": False,
    "headroom": False,
    "arp_age": False,
    "arp_from_garp": False,
    "mac_age": False,
    "lldp": False,
    "dcbx": False,
    "breakout": False,
    "hash_seed": False,
    "port_settings": False,
    "frr_mode": False,
    "adaptive_routing": False,
}
"""Every ability a plan can ask for; true: required, its lack is an error; false: wanted, its lack is a note
unless a key of the inventory asks for it (``plan/switch_features.py``).

``qos_map``: DSCP, priority and queue of each class can be chosen; without it there is only the vendor's RoCE
profile (DSCP / 8 is the priority, 3 is lossless, 6 is strict, the rest is best effort).
``ecn_probability``: the share of packets marked at Kmax can be chosen. ``jumbo``: ports pass frames of the
stated MTU. ``ecmp``: routes use all equal paths. ``cross_family``: a BGP session over one IP version carries
prefixes of the other too. ``dcbx``: PFC holds as configured, whatever a DCBX peer offers. ``hash_seed``: the
ECMP hash differs per tier. ``port_settings``: speed, FEC, auto-negotiation and admin status of ports.
``frr_mode``: FRR's configuration has an owner that can be chosen.
"""

TITLES: Mapping[str, str] = {
    "pfc": "PFC",
    "ecn": "ECN marking",
    "dscp_trust": "classification by DSCP",
    "pcp_trust": "classification by 802.1p priority",
    "qos_map": "free map from DSCP to priority",
    "strict_queue": "strict-priority queue",
    "vlan": "VLANs",
    "routed_port": "routed ports",
    "jumbo": "jumbo frames",
    "bgp": "BGP",
    "ecmp": "ECMP over all equal paths",
    "ipv6": "IPv6",
    "cross_family": "BGP session for both IP versions",
    "announce_host_links": "announcement of routed host links",
    "pfc_watchdog": "PFC watchdog",
    "ecn_probability": "marking probability",
    "headroom": "headroom by cable length",
    "arp_age": "ARP ageing time",
    "arp_from_garp": "learning from gratuitous ARP",
    "mac_age": "MAC ageing time",
    "lldp": "LLDP",
    "dcbx": "PFC safe from DCBX peers",
    "breakout": "port splitting",
    "hash_seed": "ECMP hash seed per tier",
    "port_settings": "setting of speed, FEC and auto-negotiation",
    "frr_mode": "choice of FRR's owner",
    "adaptive_routing": "adaptive routing",
}
"""Feature -> its name in messages and pages."""

PROOFS: Mapping[str, str] = {
    "yanglint": "SONiC's own YANG models",
    "vtysh": "FRR's own parser",
    "pyavd": "Arista's own generator",
    "junos-model": "Juniper's own YANG model",
    "schema": "a closed schema of our own",
}
"""What a feature's output is held to in the tests, beside its sources and the grammar of allowed lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NosOutput:
    """One file a NOS folder renders.

    ``format``: text, or json or yaml, which are parsed back and laid out anew. ``needs``: qos, arp, frr_lines
    (BGP is FRR's own file), host_links (those that FRR forgets), or always; the file is not written where the
    switch has nothing of it.
    """

    template: str
    file: str
    format: str
    needs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NosBreakout:
    """How ports that are parts of a physical port are named.

    ``name``: regular expression with the groups parent and part (running: only part). ``parts``: ordinal,
    they count from ``first``; lane, the number of the part's first lane in the port, from ``first``; running,
    the same counted over the whole switch. ``splits``: those the command takes, empty where any.
    """

    name: str
    parts: str
    first: int
    splits: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortNumbers:
    """Which port of the box a physical port's name means.

    ``name``: regular expression with the group port, or lane (of the whole switch); names that do not match
    say nothing. ``first``: number of the first port.
    """

    name: str
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PortForm:
    """How ports are named: ``whole`` and ``part`` hold {port}, {lane}, {part} and {kind}, the word of
    ``kinds`` for a speed in Gb/s."""

    whole: str
    part: str
    kinds: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadroomRow:
    """One row of a SKU's lossless table: sizes in bytes; alpha = 2**dynamic_th."""

    speed_gbps: int
    cable_m: int
    size: int
    xon: int
    xoff: int
    dynamic_th: int
    xon_offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicBuffers:
    """What the NOS's own headroom computation assumes; see ``plan/headroom.py`` for the formula.

    ``peer_response_quanta``: pause quanta (512 bit times) until the peer stops, the most that IEEE 802.3
    allows, by speed in Gb/s; ``peer_bytes``: what the vendor assumes of it.
    """

    lossless_mtu: int
    small_packet_percent: int
    mac_phy_bytes: float
    peer_bytes: float
    metres_per_second: int
    dynamic_th: int
    peer_response_quanta: Mapping[int, int]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchdogTimer:
    """PFC watchdog of an ASIC whose times are counts of one step; pairs are smallest and largest count.

    With more than one step the chosen one is the interval at which it polls; with one there is no such line.
    """

    steps_ms: tuple[int, ...]
    detection: tuple[int, int]
    restoration: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NosAsic:
    """An ASIC family under this NOS.

    ``cell_bytes`` and ``queue_bytes`` are 0 where unknown. ``pipeline_bytes`` above 0: the dynamic buffer
    model works on it. ``tile``: speed adds a tile delay. ``eight_lane_gbps``: speeds whose ports have eight
    lanes. ``adaptive_gbps``: speeds of ports that adaptive routing works on, empty where it does not.
    ``flags``: words that the NOS's own templates test. ``confirms``: features whose command a source has for
    this family, though it is unconfirmed on the others. ``watchdog``: None where the NOS's unit holds.
    ``lossy_priorities``: None where those of the NOS hold.
    """

    name: str
    cell_bytes: int
    queue_bytes: int
    pipeline_bytes: int
    tile: bool
    eight_lane_gbps: tuple[int, ...]
    adaptive_gbps: tuple[int, ...]
    flags: tuple[str, ...]
    confirms: tuple[str, ...]
    watchdog: WatchdogTimer | None
    lossy_priorities: LossyPriorities | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NosModel:
    """A switch model under this NOS: its hardware SKU, buffer pool and lossless table.

    ``pool_bytes``: ingress lossless pool without headroom, ``buffer_bytes``: what pool and headroom share; 0
    where unknown. ``shared_headroom``: XOFF of all ports share a pool, ``size`` of a row does not hold it.
    ``stock_buffers``: rows that the SKU's image writes for each port, None where unknown.
    """

    name: str
    sku: str
    pool_bytes: int
    buffer_bytes: int
    shared_headroom: bool
    stock_buffers: StockBuffers | None
    headroom: tuple[HeadroomRow, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NosUnits:
    """``ecn``: bytes, kilobytes (1000 bytes), cells or percent (of the queue). ``arp``: s or min.

    ``watchdog``: ms, 100ms or s in steps of 0.01. ``watchdog_poll_ms``: the NOS's own poll, 0 where it takes
    the stated one. ``watchdog_detection``: time, or polls. ``watchdog_poll``: any, or half: at most half of
    the shorter of the other two. ``watchdog_restoration``: "", or when PFC comes back, where no command says.
    ``mtu_overhead``: bytes of L2 header that the port's MTU counts.
    """

    ecn: str
    arp: str
    watchdog: str
    watchdog_poll_ms: int
    watchdog_detection: str
    watchdog_poll: str
    watchdog_restoration: str
    mtu_overhead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NosLimits:
    """Bounds in the NOS's own units; 0 where there is none known.

    ``cable_max_m``: longest cable it sizes headroom for without a line of ours.
    """

    mtu_max: int
    arp_min: int
    arp_max: int
    cable_max_m: int
    mac_min: int
    mac_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NosProfile:
    """One NOS folder.

    ``supports``: feature -> "" or the sentence why not. ``unconfirmed``: feature -> what to confirm on the
    switch, its command is emitted as a comment only. ``searched``: feature -> where its command was looked
    for in vain. ``kernel_neighbours``: shipped gc_thresh1..3 where Linux keeps the neighbour table, else
    empty. ``buffer_models``: the models it has, none when it sizes headroom itself. ``notes``: feature -> how
    it is there without a line of ours. ``confirmed_by``: feature -> what of PROOFS its output is held to.
    ``dscp_map``: any, or eighths: DSCP / 8 as in FEATURES. ``mac_age_seconds``: as shipped, 0 where unknown.
    ``frr_modes``: owners of FRR's configuration, that of the image first; none where there is no choice.
    """

    name: str
    folder: NosFolder
    title: str
    releases: Releases
    verified: str
    outputs: tuple[NosOutput, ...]
    supports: Mapping[str, str]
    unconfirmed: Mapping[str, str]
    searched: Mapping[str, str]
    notes: Mapping[str, str]
    confirmed_by: Mapping[str, str]
    units: NosUnits
    limits: NosLimits
    bounds: SwitchBounds
    port_name: str
    port_numbers: PortNumbers
    breakout: NosBreakout | None
    port_form: PortForm | None
    dscp_map: str
    mac_age_seconds: int
    kernel_neighbours: tuple[int, ...]
    buffer_models: tuple[str, ...]
    stock_lossless: tuple[int, ...]
    frr_modes: tuple[NosFrr, ...]
    dynamic_buffers: DynamicBuffers | None
    asics: Mapping[str, NosAsic]
    models: Mapping[str, NosModel]
    sources: tuple[str, ...]

    def writes(self, feature: str) -> bool:
        """Whether the NOS has it as a command, not as a comment."""
        return not self.supports[feature] and feature not in self.unconfirmed
