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
"""Every ability a plan can ask for. True: required, lacking it is an error. False: wanted, lacking it is a
note unless a key of the inventory asks for it (``plan/switch_features.py``).

``qos_map``: DSCP, priority and queue of each class can be chosen; without it there is only the vendor's RoCE
profile (DSCP / 8 is the priority, 3 is lossless, 6 is strict, the rest is best effort). ``ecn_probability``:
the share of packets marked at Kmax can be chosen. ``jumbo``: ports pass frames of the stated MTU. ``ecmp``:
routes use all equal paths. ``cross_family``: a BGP session over one IP version carries prefixes of the other
too. ``dcbx``: PFC stays as configured, whatever a DCBX peer offers. ``hash_seed``: the ECMP hash differs per
tier. ``port_settings``: speed, FEC, auto-negotiation and admin status of ports. ``frr_mode``: the owner of
FRR's configuration can be chosen.
"""

TITLES: Mapping[str, str] = {
    "pfc": "PFC",
    "ecn": "ECN marking",
    "dscp_trust": "classification by DSCP",
    "pcp_trust": "classification by 802.1p priority",
    "qos_map": "free mapping of DSCP to priority",
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
    "dcbx": "PFC independent of DCBX",
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
"""What tests compare a feature's output with, besides its sources and the grammar of allowed lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NosOutput:
    """One file a NOS folder renders.

    ``format``: text, or json or yaml, which are parsed and formatted again. ``needs``: qos, arp, frr_lines
    (BGP is FRR's own file), host_links (those that FRR forgets), or always; the file is not written if the
    switch has nothing for it.
    """

    template: str
    file: str
    format: str
    needs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NosBreakout:
    """How ports that are parts of a physical port are named.

    ``name``: regular expression with the groups parent and part (running: only part). ``parts``: ordinal:
    counted from ``first``; lane: number of the part's first lane in the port, from ``first``; running: the
    same over the whole switch. ``splits``: those the command accepts, empty for any.
    """

    name: str
    parts: str
    first: int
    splits: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortNumbers:
    """Which port of the switch a physical port's name means.

    ``name``: regular expression with the group port, or lane (of the whole switch); names that do not match
    are not known. ``first``: number of the first port.
    """

    name: str
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PortForm:
    """How ports are named: ``whole`` and ``part`` contain {port}, {lane}, {part} and {kind}, the word of
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
    """Assumptions of the NOS's own headroom computation; formula: ``plan/headroom.py``.

    ``peer_response_quanta``: pause quanta (512 bit times) until the peer stops, the maximum in IEEE 802.3, by
    speed in Gb/s; ``peer_bytes``: the vendor's assumption.
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
    """PFC watchdog of an ASIC that counts times in steps; pairs are smallest and largest count.

    If there are several steps, the chosen one is the polling interval; with one step no line sets it.
    """

    steps_ms: tuple[int, ...]
    detection: tuple[int, int]
    restoration: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NosAsic:
    """An ASIC family under this NOS.

    ``cell_bytes``, ``queue_bytes``: 0 if unknown. ``pipeline_bytes`` above 0: the dynamic buffer model works
    on it. ``tile``: speed adds a tile delay. ``eight_lane_gbps``: speeds whose ports have eight lanes.
    ``adaptive_gbps``: port speeds with adaptive routing, empty if there is none. ``flags``: words that the
    NOS's own templates test. ``confirms``: features whose command has a source for this family only.
    ``watchdog``: None if the NOS's unit applies. ``lossy_priorities``: None if those of the NOS apply.
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

    ``pool_bytes``: ingress lossless pool without headroom, ``buffer_bytes``: memory that pool and headroom
    share; 0 if unknown. ``shared_headroom``: XOFF of all ports shares a pool, which is not part of a row's
    ``size``. ``stock_buffers``: rows that the SKU's image writes for each port, None if unknown.
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
    """``ecn``: bytes, kilobytes (1,000 bytes), cells or percent (of the queue). ``arp``: s or min.

    ``watchdog``: ms, 100ms or s in steps of 0.01. ``watchdog_poll_ms``: fixed interval of the NOS, 0 if it
    takes the stated one. ``watchdog_detection``: time, or polls. ``watchdog_poll``: any, or half: at most
    half of the shorter of the other two. ``watchdog_restoration``: "", or when PFC comes back if no command
    sets it. ``mtu_overhead``: bytes of L2 header that the port's MTU includes.
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
    """Limits in the NOS's own units; 0 if none is known.

    ``cable_max_m``: longest cable for which it sizes headroom by itself. ``weights_max``: of all queues
    together that are not strict.
    """

    mtu_max: int
    arp_min: int
    arp_max: int
    cable_max_m: int
    mac_min: int
    mac_max: int
    weights_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StockMap:
    """The image maps all code points to queues; one that no line maps stays there. ``show``: the command that
    prints the map in use."""

    show: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NosProfile:
    """One NOS folder.

    ``supports``: feature -> "" or a sentence on why not. ``unconfirmed``: feature -> what to confirm on the
    switch; its command is written as a comment. ``searched``: feature -> where its command was searched for
    in vain. ``kernel_neighbours``: default gc_thresh1..3 if Linux keeps the neighbour table, else empty.
    ``buffer_models``: its buffer models, none if it sizes headroom itself. ``notes``: feature -> how it works
    without a line from netplan. ``confirmed_by``: feature -> which of PROOFS its output is compared with.
    ``dscp_map``: any, or eighths: DSCP / 8 as in FEATURES. ``stock_map``: None if no image has one.
    ``mac_age_seconds``: default, 0 if unknown. ``frr_modes``: possible owners of FRR's configuration, the
    image's default first; empty if there is no choice.
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
    stock_map: StockMap | None
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
        """Whether the NOS has a confirmed command for it, not only a comment."""
        return not self.supports[feature] and feature not in self.unconfirmed
