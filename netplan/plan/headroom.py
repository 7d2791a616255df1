"""Bytes that a lossless priority group needs after it sends XOFF, computed in three independent ways.

The SKU's lookup table (SONiC traditional model), SONiC's own computation (dynamic model, NVIDIA ASICs), and
the worst case of IEEE 802.1Qbb, which is for comparison only: some vendors' tables assume faster silicon.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from netplan.model.nos import DynamicBuffers, HeadroomRow, NosAsic, NosModel
from netplan.model.switch_qos import Headroom

KIB = 1024
QUANTUM_BYTES = 64  # 512 bit times

# IEEE 802.1Qbb delay budget in bit times, by Gb/s; restated in the Cisco Nexus PFC buffer white paper.
_INTERFACE_BITS = {10: 8192, 25: 6144, 40: 24576, 100: 122880, 400: 122880}  # 400: that of 100 assumed
_RESPONSE_BITS = {10: 30720, 25: 40960, 40: 60416, 100: 201728, 400: 463360}
_NS_PER_METRE = 5
"""Propagation delay in twinax or fibre, 4.76 to 5.13 ns/m (the same white paper), rounded."""


def qbb_headroom(speed_gbps: int, cable_m: int, mtu: int) -> int | None:
    """Headroom in bytes by the 802.1Qbb delay budget, not rounded to cells; None for a speed without a
    budget.

    Two cable lengths, two interface crossings, the peer's response, and one frame of ``mtu`` just begun on
    either side.
    """
    if speed_gbps not in _RESPONSE_BITS:
        return None
    frames = (8 * mtu + 96 + 64) + (8 * mtu + 160)
    pause = 512 + 160
    cable = _NS_PER_METRE * cable_m * speed_gbps
    bits = frames + pause + 2 * _INTERFACE_BITS[speed_gbps] + 2 * cable + _RESPONSE_BITS[speed_gbps]
    return bits // 8


def interface_bytes(speed_gbps: int) -> int:
    """One interface delay of the 802.1Qbb budget in bytes; 0 for a speed without a budget."""
    return _INTERFACE_BITS.get(speed_gbps, 0) // 8


def response_bytes(speed_gbps: int) -> int:
    """Bytes a peer may still send after PAUSE by the 802.1Qbb budget; 0 for a speed without a budget."""
    return _RESPONSE_BITS.get(speed_gbps, 0) // 8


def cable_lengths(rows: Sequence[HeadroomRow], speed_gbps: int) -> tuple[int, ...]:
    """Cable lengths in the table at a speed, in metres, shortest first."""
    return tuple(sorted(row.cable_m for row in rows if row.speed_gbps == speed_gbps))


def table_headroom(model: NosModel, speed_gbps: int, cable_m: int) -> Headroom | None:
    """Headroom from the table row with the shortest length that covers the cable; None if no row does.

    SONiC looks up speed and length exactly, so a cable between two rows is configured with the longer length.
    """
    fitting = [r for r in model.headroom if r.speed_gbps == speed_gbps and r.cable_m >= cable_m]
    if not fitting:
        return None
    row = min(fitting, key=lambda r: r.cable_m)
    reserved = 0 if model.shared_headroom else row.size
    return Headroom(
        cable_m=row.cable_m,
        xoff=row.xoff,
        xon=row.xon,
        size=row.size,
        dynamic_th=row.dynamic_th,
        reserved=reserved,
        table_xoff=row.xoff,
        formula="row of the SKU's lossless table, next length not shorter than the cable",
        inputs=f"{model.sku}, {speed_gbps} Gb/s, cable {cable_m} m, row {row.cable_m} m",
        source=model.source,
    )


def travelling_bytes(
    data: DynamicBuffers, asic: NosAsic, speed_gbps: int, cable_m: int, port_mtu: int
) -> float:
    """Bytes that arrive after the XOFF decision, without what the peer sends before it stops."""
    return (
        port_mtu
        + 2 * cable_m * speed_gbps * 1e9 / data.metres_per_second / 8
        + data.mac_phy_bytes
        + (speed_gbps * 120 / 8 if asic.tile else 0)
    )


def dynamic_headroom(
    data: DynamicBuffers, asic: NosAsic, speed_gbps: int, cable_m: int, port_mtu: int, table_xoff: int = 0
) -> Headroom | None:
    """Headroom as SONiC computes it on NVIDIA ASICs without a shared headroom pool; None for a speed it does
    not know.

    For an eight-lane port ``size`` can be up to 1 KiB above the SKU's table, which rounds differently there.
    """
    if speed_gbps not in data.peer_response_quanta:
        return None
    eight_lanes = speed_gbps in asic.eight_lane_gbps
    response = data.peer_response_quanta[speed_gbps] * QUANTUM_BYTES
    travelling = travelling_bytes(data, asic, speed_gbps, cable_m, port_mtu) + response
    xoff, worst = (
        _whole_kib(data.lossless_mtu + travelling * cell_occupancy(asic.cell_bytes, data.lossless_mtu, share))
        for share in (data.small_packet_percent, 100)
    )
    if xoff + 2 * KIB < worst:
        xoff += 2 * KIB
    xon = asic.pipeline_bytes * (2 if eight_lanes else 1)
    size = xon + xoff + (port_mtu if eight_lanes else 0)
    return Headroom(
        cable_m=cable_m,
        xoff=xoff,
        xon=xon,
        size=size,
        dynamic_th=data.dynamic_th,
        reserved=size,
        table_xoff=table_xoff,
        formula="lossless MTU + (port MTU + cable + MAC/PHY + peer response + tile) x occupancy, whole KiB",
        inputs=f"{asic.name}, {speed_gbps} Gb/s, cable {cable_m} m, port MTU {port_mtu}, lossless MTU "
        f"{data.lossless_mtu}, small packets {data.small_packet_percent} %, cell {asic.cell_bytes} bytes",
        source=data.source,
    )


def cell_occupancy(cell_bytes: int, lossless_mtu: int, small_packet_percent: int) -> float:
    """Buffer bytes used per byte received, above 1 because every packet, even of 64 bytes, fills whole
    cells."""
    two_packets = ceil(2 * cell_bytes / (1 + cell_bytes))
    worst = ceil(cell_bytes / 64) if cell_bytes > 2 * 64 else two_packets
    average = (small_packet_percent * 64 + (100 - small_packet_percent) * lossless_mtu) / 100
    small_share = 100 * 64 / average
    return (100 - small_share + small_share * worst) / 100


def _whole_kib(size: float) -> int:
    return ceil(size / KIB) * KIB


def xoff_threshold(pool_bytes: int, dynamic_th: int, congested: int) -> int:
    """Bytes at which each of n ``congested`` priority groups sends XOFF: pool x alpha / (1 + n x alpha)."""
    alpha = 2.0**dynamic_th
    return int(pool_bytes * alpha / (1 + congested * alpha))
