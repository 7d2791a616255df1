"""Queues, buffers and watchdog of one switch, all numbers computed."""

from __future__ import annotations

from netplan.model.nos import NosAsic
from netplan.model.ranges import compressed
from netplan.records import dataclass

CONTROL_QUEUE = 7
"""Queue in which Junos sends its own BGP and LLDP (juniper.net, Understanding Default CoS Settings)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """Lossless buffer of one priority group of one port, in bytes; alpha = 2**dynamic_th.

    ``cable_m``: the length the numbers are for, never shorter than the cable. ``reserved``: what a priority
    group takes from the packet buffer besides the pool, 0 if XOFF has its own pool. ``table_xoff``: from the
    SKU's static table for the same speed and length, 0 if it has no row.
    """

    cable_m: int
    xoff: int
    xon: int
    size: int
    dynamic_th: int
    reserved: int
    table_xoff: int
    formula: str
    inputs: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueEcn:
    """Marking of one queue, probability in percent. ``kmin``, ``kmax``: in the NOS's unit; ``kmin_bytes``,
    ``kmax_bytes``: the same in bytes, which differ from ``stated`` (both, in bytes) if the unit is coarse.
    """

    kmin: int
    kmax: int
    kmin_bytes: int
    kmax_bytes: int
    stated: tuple[int, int]
    probability: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchQueue:
    """One queue in use; ``weight`` in percent, 0 if strict; ``ecn``: one entry or none.

    ``dscps``, ``pcps``: code points and 802.1p values classified into it.
    """

    number: int
    classes: str
    strict: bool
    lossless: bool
    weight: int
    dscps: tuple[int, ...]
    pcps: tuple[int, ...]
    ecn: tuple[QueueEcn, ...]

    @property
    def dscp_list(self) -> str:
        return compressed(self.dscps)

    @property
    def pcp_list(self) -> str:
        return compressed(self.pcps)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchQos:
    """QoS of a switch; everything is empty unless ``enabled``.

    Maps are positional: ``dscp_to_tc`` has 64 entries, the others 8. ``pfc_to_pg``: lossless pairs only.
    ``ecn_known``: false if the NOS's unit depends on an ASIC size that is not stated; thresholds are then in
    bytes. ``queue_bytes``: queue size for thresholds in percent, 0 for other units.
    """

    enabled: bool
    dscp_trust: bool
    ecn_known: bool
    queue_bytes: int
    dscp_to_tc: tuple[int, ...]
    pcp_to_tc: tuple[int, ...]
    tc_to_queue: tuple[int, ...]
    tc_to_pg: tuple[int, ...]
    pfc_to_queue: tuple[int, ...]
    pfc: tuple[int, ...]
    queues: tuple[SwitchQueue, ...]
    class_dscps: tuple[tuple[str, int, int], ...]

    @property
    def weighted(self) -> tuple[SwitchQueue, ...]:
        return tuple(queue for queue in self.queues if not queue.strict)

    @property
    def control_shared(self) -> bool:
        """Whether a class uses queue 7, in which a NOS sends its own BGP and LLDP."""
        return any(queue.number == CONTROL_QUEUE for queue in self.queues)

    @property
    def marking(self) -> tuple[SwitchQueue, ...]:
        """Queues with ECN."""
        return tuple(queue for queue in self.queues if queue.ecn)

    @property
    def strict_levels(self) -> tuple[tuple[int, int], ...]:
        """(queue, level) from queue 7 down to the lowest strict one, level 1 served first.

        For a NOS whose strict queues must be contiguous from the top: unused queues fill the gaps.
        """
        lowest = min((queue.number for queue in self.queues if queue.strict), default=8)
        weighted = {queue.number for queue in self.weighted}
        run = (number for number in range(7, lowest - 1, -1) if number not in weighted)
        return tuple((number, level) for level, number in enumerate(run, start=1))

    @property
    def first_served(self) -> tuple[int, ...]:
        """Strict queues, and those above every used queue, in which the switch itself sends."""
        highest = max((queue.number for queue in self.queues), default=-1)
        strict = {queue.number for queue in self.queues if queue.strict}
        return tuple(number for number in range(8) if number in strict or number > highest)

    @property
    def in_turn(self) -> tuple[int, ...]:
        """All other queues."""
        return tuple(number for number in range(8) if number not in self.first_served)

    @property
    def idle(self) -> tuple[int, ...]:
        """Queues that no class uses, without those of ``strict_levels``."""
        taken = {queue.number for queue in self.weighted} | {number for number, _ in self.strict_levels}
        return tuple(number for number in range(8) if number not in taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchWatchdog:
    """Times in the NOS's unit; ``detection_polls``: the same as a number of polls.

    ``step_ms`` above 0: the ASIC counts in such steps, and times are in ms. ``unfit``: why no count fits.
    ``in_force``: what takes effect, in words. ``changed``: (key of the inventory, stated and actual value) if
    they differ.
    """

    enabled: bool
    poll: str
    detection: str
    restoration: str
    detection_polls: int
    step_ms: int = 0
    detection_steps: int = 0
    restoration_steps: int = 0
    unfit: str = ""
    in_force: str = ""
    changed: tuple[tuple[str, str], ...] = ()


def ecn_divisor(unit: str, asic: NosAsic | None, queue_bytes: int) -> float:
    """Bytes per unit; 0 if the cell size, or the queue size (stated or the ASIC's), is unknown."""
    sizes = {
        "bytes": 1.0,
        "kilobytes": 1000.0,
        "cells": float(asic.cell_bytes) if asic else 0.0,
        "percent": (queue_bytes or (asic.queue_bytes if asic else 0)) / 100,
    }
    return sizes[unit]


def room_for_headroom(buffer_bytes: int, pool_bytes: int) -> int:
    """Bytes that all lossless priority groups can reserve; headroom is not part of the ingress pool.

    If XOFF of all ports has its own pool, a group's ``size`` does not include it and the bound is loose.
    Source: sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md (independent headroom model).
    """
    return max(0, buffer_bytes - pool_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferDemand:
    """In bytes. ``pool``: ingress lossless pool, 0 if unknown or equal to what headroom leaves; ``reserved``:
    headroom besides it, summed over ports and priorities; ``total``: what both must fit into, 0 if unknown.

    ``shared``: what thresholds are a fraction of: the pool, or in the dynamic model at most what headroom
    leaves.

    ``xoff_one``, ``xoff_all``: queue length at which a priority group sends XOFF if only it, or every
    lossless one, is congested; 0 if unknown.
    """

    pool: int
    shared: int
    reserved: int
    total: int
    xoff_one: int
    xoff_all: int

    @property
    def room(self) -> int:
        """Space for ``reserved``; 0 if unknown."""
        return room_for_headroom(self.total, self.pool)
