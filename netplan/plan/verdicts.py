"""Verdicts on the numbers of a switch, as sentences a reviewer can recompute from the README."""

from __future__ import annotations

from math import ceil

from netplan.model.nos import DynamicBuffers, NosAsic, NosProfile
from netplan.model.switch_qos import BufferDemand, Headroom, SwitchQos
from netplan.model.switching import NeighbourDemand, SwitchArp
from netplan.plan.headroom import (
    QUANTUM_BYTES,
    interface_bytes,
    qbb_headroom,
    response_bytes,
    travelling_bytes,
)

SEED_VERDICT = (
    "differs per tier, as it must: with the same seed a spine would choose the same way as the leaf below it"
)


def headroom_verdict(
    headroom: Headroom, nos: NosProfile, asic: NosAsic | None, speed_gbps: int, cable_m: int, mtu: int
) -> str:
    """Judged by the peer's response time where the ASIC's cell size is known, else by the 802.1Qbb budget."""
    data = nos.dynamic_buffers
    if data and asic and asic.pipeline_bytes and speed_gbps in data.peer_response_quanta:
        travelling = travelling_bytes(data, asic, speed_gbps, cable_m, mtu)
        return _by_response(headroom, data, asic, data.peer_response_quanta[speed_gbps], travelling)
    bound = qbb_headroom(speed_gbps, cable_m, mtu)
    if bound is None:
        return f"not judged: 802.1Qbb has no budget at {speed_gbps} Gb/s"
    if headroom.xoff >= bound:
        return f"enough: {headroom.xoff - bound:,} bytes above the 802.1Qbb worst case, cells not counted"
    given = 2 * interface_bytes(speed_gbps) + response_bytes(speed_gbps)
    left = max(0, given - (bound - headroom.xoff))
    return (
        f"below the 802.1Qbb worst case: leaves {left:,} bytes for interfaces and peer response, "
        f"the standard gives them up to {given:,}"
    )


def _by_response(
    headroom: Headroom, data: DynamicBuffers, asic: NosAsic, allowed: int, travelling: float
) -> str:
    """Judges the headroom left for the peer's response, in pause quanta, after the frame in flight, the cable
    and the MAC."""
    small, large = (
        max(0, int(((headroom.xoff - data.lossless_mtu) / occupancy - travelling) // QUANTUM_BYTES))
        for occupancy in (worst_occupancy(asic.cell_bytes), large_occupancy(asic.cell_bytes, data))
    )
    assumed = int(data.peer_bytes // QUANTUM_BYTES)
    packets = f"{data.lossless_mtu}-byte packets"
    peer = f"the vendor assumes {assumed}, IEEE 802.3 permits {allowed}"
    with_small = "" if large < allowed else " with 64-byte packets"
    overrun = f"{peer}, so a slow conforming peer can overrun it{with_small}"
    within = f"if the peer stops within {small} pause quanta ({large} with {packets})"
    if small >= allowed:
        return f"enough: a peer may take {small} pause quanta to stop; {peer}"
    if small >= assumed:
        return f"enough {within}; {overrun}"
    if large >= allowed:
        return f"enough with {packets}, else only {within}; {overrun}"
    return f"not enough for what the vendor assumes, only {within}; {overrun}"


def worst_occupancy(cell_bytes: int) -> float:
    """Worst-case buffer bytes per byte received: 64-byte packets, or packets of one byte more than a cell."""
    return max(cell_bytes / 64, 2 * cell_bytes / (cell_bytes + 1))


def large_occupancy(cell_bytes: int, data: DynamicBuffers) -> float:
    return ceil(data.lossless_mtu / cell_bytes) * cell_bytes / data.lossless_mtu


def qbb_verdict(headroom: Headroom, bound: int, speed_gbps: int) -> str:
    if headroom.xoff >= bound:
        return "the headroom holds it"
    response, interfaces = response_bytes(speed_gbps), 2 * interface_bytes(speed_gbps)
    return (
        f"{bound - headroom.xoff:,} bytes above the headroom: the standard counts up to {response:,} bytes "
        f"of peer response and {interfaces:,} of two interface delays; see the headroom's verdict"
    )


def reserved_verdict(buffers: BufferDemand) -> str:
    return "does not fit the buffer" if buffers.reserved > buffers.room else "fits the buffer"


def kmax_verdict(qos: SwitchQos, limit: int) -> str:
    """Compares Kmax with the XOFF threshold of one congested priority group; every Kmax should stay below
    it."""
    return _marking(qos, limit, "Kmax")


def kmin_verdict(qos: SwitchQos, limit: int) -> str:
    """Compares Kmin with the XOFF threshold when all priority groups are congested."""
    return _marking(qos, limit, "Kmin")


def _marking(qos: SwitchQos, limit: int, name: str) -> str:
    found = []
    for queue in (queue for queue in qos.marking if queue.lossless):
        ecn = queue.ecn[0]
        value = ecn.kmax_bytes if name == "Kmax" else ecn.kmin_bytes
        comes = "marks before PFC pauses" if value < limit else "PFC pauses before it marks"
        found.append(f"{name} {value:,} of queue {queue.number}: {comes}")
    return "; ".join(found) or "no lossless queue marks"


def neighbours_verdict(demand: NeighbourDemand) -> str:
    if not demand.host_table:
        return "not judged: the size of the table is unknown"
    return "fits the table" if demand.total <= demand.host_table else "exceeds the table"


def kernel_verdict(number: int) -> str:
    """Meaning of gc_thresh1 to 3, none of which is ever below the number of entries."""
    return (
        "not below the entries: none is collected early",
        "above the entries: none is collected early",
        "twice the entries or more: the kernel refuses none",
    )[number - 1]


def mac_age_verdict(arp: SwitchArp) -> str:
    if arp.mac_wanted >= arp.seconds:
        return f"enough: not below the ARP age of {arp.seconds:,} s"
    return f"too short: below the ARP age of {arp.seconds:,} s"


def oversubscription_verdict(percent: int, limit: int | None) -> str:
    if limit is not None:
        return f"{'within' if percent <= limit else 'above'} the limit that the inventory states"
    if percent <= 100:
        return "at or below 100 %: the uplinks are not oversubscribed"
    return "the uplinks are oversubscribed; the inventory states no limit"
