"""Ports and VLANs of one switch, as planned."""

from __future__ import annotations

import re
from dataclasses import field

from netplan.diagnostics import Path
from netplan.model.hardware import PortSettings
from netplan.model.switch_qos import Headroom
from netplan.model.values import FRAME_BYTES, InterfaceAddress
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class PortVlans:
    """VLANs of a host port, from what the PF and VFs behind it use."""

    tagged: tuple[int, ...]
    untagged: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPort:
    """One cabled port. ``kind``: host, uplink (to an upper switch), downlink (to a lower one) or peer (same
    tier).

    ``mtu``: as the NOS counts it; ``ip_mtu``: largest IP packet. ``untagged``: one id or none. ``optic``:
    type of transceiver or cable, if stated. ``rdma``: frames are classified here. ``rail``: of the HCA behind
    it, if it has one. ``buffer_cable_m``: cable length to configure, that of the headroom's row.
    ``headroom``: None if the port has no lossless priority, the NOS sizes it, or ``missing`` says why there
    is not a number. ``lengths``: cable lengths in the SKU's table at this speed. ``settings``: what the link
    states about its ports.
    """

    name: str
    kind: str
    peer: str
    at: Path = field(compare=False, repr=False)
    speed_gbps: int
    cable_m: int
    optic: str | None
    mtu: int
    ip_mtu: int
    tagged: tuple[int, ...]
    untagged: tuple[int, ...]
    addresses: tuple[InterfaceAddress, ...]
    rdma: bool
    pfc: tuple[int, ...]
    buffer_cable_m: int
    rail: int | None
    headroom: Headroom | None
    missing: str
    lengths: tuple[int, ...]
    settings: PortSettings

    @property
    def speed_mbps(self) -> int:
        return self.speed_gbps * 1000

    @property
    def frame_bytes(self) -> int:
        """Length of a frame with the largest IP packet."""
        return self.ip_mtu + FRAME_BYTES

    @property
    def routed(self) -> bool:
        return bool(self.addresses)

    @property
    def vlans(self) -> tuple[int, ...]:
        return tuple(sorted({*self.tagged, *self.untagged}))


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicalPort:
    """A port of the switch with what is cabled to it: ``parts`` ports of up to ``part_gbps`` each, 1 if it is
    whole.

    ``part_lanes``: lanes per part, 0 if the model's are not known. ``members``: parts in use. ``position``:
    number of the port on the switch, from 1, 0 if its name does not tell. ``whole``: the undivided port is in
    use as well. ``speeds``: of all of them. ``confirmed``: a source has the NOS's command for this split.
    ``last``: name of the last port on it.
    """

    name: str
    position: int
    parts: int
    part_gbps: int
    part_lanes: int
    members: tuple[str, ...]
    whole: bool
    speeds: tuple[int, ...]
    confirmed: bool
    last: str

    @property
    def split(self) -> str:
        """As several NOSes write it: 400g-2x."""
        return f"{self.part_gbps}g-{self.parts}x"

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers in its name, outermost first."""
        return tuple(re.findall(r"[0-9]+", self.name))


@dataclass(frozen=True, slots=True)
class VlanMember:
    port: str
    tagged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchVlan:
    """One VLAN on one switch; ``addresses`` of its VLAN interface, empty if it is not routed here."""

    id: int
    name: str
    addresses: tuple[InterfaceAddress, ...]
    members: tuple[VlanMember, ...]


def oversubscription(down_gbps: int, up_gbps: int) -> int:
    """Bandwidth down in percent of the bandwidth up, rounded up.

    Source: RFC 7938 section 3.2.2: oversubscribed by the ratio of the ports down to those up.
    """
    return -(-100 * down_gbps // up_gbps)
