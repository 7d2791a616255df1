"""Headroom of a lossless priority group after XOFF: by the SKU's table, by SONiC's computation for NVIDIA
ASICs, or at least by what is in flight on the cable.

Computed here from the sources, independently of the planner: shared code would repeat a mistake on both
sides.
"""

from __future__ import annotations

from fractions import Fraction

from netplan.model.nos import DynamicBuffers, NosAsic, NosModel
from netplan.records import dataclass

_SMALLEST_PACKET = 64
_KIB = 1024
_BYTES_PER_QUANTUM = 512 // 8
_TILE_NS = 120
_COMPENSATION = 2 * _KIB


@dataclass(frozen=True, slots=True)
class Need:
    """In bytes. ``xoff``: what arrives after XOFF was sent; ``reserved``: what the group takes besides the
    pool.

    ``why``: the inputs, for a message.
    """

    xoff: int
    reserved: int
    why: str


@dataclass(frozen=True, slots=True)
class Cable:
    """Inputs of the headroom of a port. ``lanes``: 0 if not stated."""

    speed_mbps: int
    metres: int
    mtu: int
    lanes: int = 0

    @property
    def gbps(self) -> int:
        return self.speed_mbps // 1000


@dataclass(frozen=True, slots=True)
class Pattern:
    """LOSSLESS_TRAFFIC_PATTERN. ``shared``: whether all groups share one headroom pool."""

    mtu: int
    small_percent: int
    shared: bool


def lengths(table: NosModel, gbps: int) -> list[int]:
    """Cable lengths in metres for which the SKU's table has a row at this speed."""
    return sorted({row.cable_m for row in table.headroom if row.speed_gbps == gbps})


def by_table(table: NosModel, cable: Cable) -> Need | None:
    """The SKU's pg_profile_lookup.ini row for this cable length, rounded up; None if it has none that
    long."""
    longer = [metres for metres in lengths(table, cable.gbps) if metres >= cable.metres]
    for row in table.headroom if longer else ():
        if (row.speed_gbps, row.cable_m) == (cable.gbps, longer[0]):
            why = f"{table.sku}, {cable.gbps} Gb/s, cable {cable.metres} m, row {row.cable_m} m"
            return Need(row.xoff, 0 if table.shared_headroom else row.size, why)
    return None


def computed(data: DynamicBuffers, asic: NosAsic, cable: Cable, pattern: Pattern) -> Need | None:
    """As cfgmgr/buffer_headroom_mellanox.lua of sonic-net/sonic-swss e6b0c5b; None at a speed without
    pause quanta there. A gearbox is left out (SN3800 alone has one), so the result is never too large."""
    quanta = data.peer_response_quanta.get(cable.gbps)
    if quanta is None:
        return None
    tile = Fraction(cable.gbps * _TILE_NS, 8) if asic.tile else 0
    delay = (
        cable.mtu
        + Fraction(2 * cable.metres * cable.speed_mbps * 10**6, 8 * data.metres_per_second)
        + Fraction(str(data.mac_phy_bytes))
        + quanta * _BYTES_PER_QUANTUM
        + tile
    )
    worst = _cells_factor(asic.cell_bytes)
    average = pattern.small_percent * _SMALLEST_PACKET + (100 - pattern.small_percent) * pattern.mtu
    share = Fraction(100 * _SMALLEST_PACKET, average)  # share of the bytes that is in smallest packets
    xoff = _whole_kib(pattern.mtu + delay * (1 - share + share * worst))
    if not pattern.shared and xoff + _COMPENSATION < _whole_kib(pattern.mtu + delay * worst):
        xoff += _COMPENSATION
    eight = cable.lanes == 8 or (not cable.lanes and cable.gbps in asic.eight_lane_gbps)
    xon = asic.pipeline_bytes * (2 if eight else 1)
    size = xon if pattern.shared else xoff + xon + (cable.mtu if eight else 0)
    why = (
        f"{asic.name}, {cable.gbps} Gb/s, cable {cable.metres} m, port MTU {cable.mtu}, lossless MTU "
        f"{pattern.mtu}, small packets {pattern.small_percent} %, cell {asic.cell_bytes} bytes"
    )
    return Need(xoff, size, why)


def _cells_factor(cell: int) -> int:
    """Cell bytes used per byte of traffic, if every packet just misses fitting a cell: two cells, or for a
    large cell that of the smallest packet, in whole numbers as the script rounds."""
    return max(2, -(-cell // _SMALLEST_PACKET))


def _whole_kib(size: Fraction) -> int:
    return -(-size // _KIB) * _KIB


def level_of_xoff(pool_bytes: int, dynamic_th: int) -> int:
    """Bytes at which a group, if it alone is congested, sends XOFF: pool x alpha / (1 + alpha)."""
    alpha = Fraction(2) ** dynamic_th
    return int(pool_bytes * alpha / (1 + alpha))


_BOTH_WAYS_M = 1_000
"""Cables up to this length hold data both ways in each lossless table: of 3,607 rows of pg_profile_lookup.ini
in sonic-net/sonic-buildimage 086b03bd device/ only some of 1,500 and 2,000 m have less."""


def least_for(cable: Cable, metres_per_second: int) -> int:
    """Bytes: a frame that the peer has already begun, and what is in flight until the pause is at the peer
    and the last data back; of a long cable one way only."""
    ways = 2 if cable.metres <= _BOTH_WAYS_M else 1
    return cable.mtu + ways * cable.metres * cable.speed_mbps * 10**6 // (8 * metres_per_second)
