"""Lossless buffers of a port and of a whole switch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile
from netplan.model.switch_ports import SwitchPort
from netplan.model.switch_qos import BufferDemand, Headroom
from netplan.plan.headroom import cable_lengths, dynamic_headroom, table_headroom, xoff_threshold
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class SizedPort:
    """``headroom``, or the reason it is missing; neither if the NOS sizes headroom by itself."""

    headroom: Headroom | None
    missing: str = ""
    lengths: tuple[int, ...] = ()


class PortSizes:
    """Port headroom of one switch type, cached by speed and cable length."""

    def __init__(self, kind: SwitchType, nos: NosProfile) -> None:
        self._of = cache(lambda speed_gbps, cable_m: port_headroom(kind, nos, speed_gbps, cable_m))

    def of(self, speed_gbps: int, cable_m: int) -> SizedPort:
        return self._of(speed_gbps, cable_m)


def port_headroom(kind: SwitchType, nos: NosProfile, speed_gbps: int, cable_m: int) -> SizedPort:
    """Headroom of one lossless priority group by the switch type's buffer model."""
    if not nos.buffer_models:
        longest = nos.limits.cable_max_m
        if longest and cable_m > longest:
            what = f"{nos.name} sizes headroom for cables of up to {longest} m, this one has {cable_m} m"
            return SizedPort(None, what)
        return SizedPort(None)
    if kind.buffer_model not in nos.buffer_models:
        return SizedPort(None, f"{nos.name} has no {kind.buffer_model} buffer model")
    if kind.buffer_model == "dynamic":
        return _dynamic(kind, nos, speed_gbps, cable_m)
    return _from_table(kind, nos, speed_gbps, cable_m)


def _from_table(kind: SwitchType, nos: NosProfile, speed_gbps: int, cable_m: int) -> SizedPort:
    model = nos.models.get(kind.model.name)
    if model is None or not model.headroom:
        return SizedPort(None, f"{nos.name} has no lossless table for model {kind.model.name}")
    lengths = cable_lengths(model.headroom, speed_gbps)
    if not lengths:
        speeds = sorted({row.speed_gbps for row in model.headroom})
        listed = ", ".join(map(str, speeds))
        return SizedPort(
            None, f"the lossless table of {model.sku} has no row at {speed_gbps} Gb/s, only at {listed}"
        )
    headroom = table_headroom(model, speed_gbps, cable_m)
    if headroom is None:
        listed = ", ".join(map(str, lengths))
        rows = f"every row of {model.sku} at {speed_gbps} Gb/s: {listed} m"
        return SizedPort(None, f"a cable of {cable_m} m is longer than {rows}", lengths)
    return SizedPort(headroom, "", lengths)


def _dynamic(kind: SwitchType, nos: NosProfile, speed_gbps: int, cable_m: int) -> SizedPort:
    asic = nos.asics.get(kind.model.asic)
    if nos.dynamic_buffers is None or asic is None or not asic.pipeline_bytes:
        return SizedPort(None, f"the dynamic buffer model of {nos.name} does not work on {kind.model.asic}")
    model = nos.models.get(kind.model.name)
    row = table_headroom(model, speed_gbps, cable_m) if model else None
    data = replace(nos.dynamic_buffers, small_packet_percent=small_packet_percent(kind, nos))
    table_xoff = row.xoff if row else 0
    headroom = dynamic_headroom(data, asic, speed_gbps, cable_m, kind.port_mtu, table_xoff)
    if headroom is None:
        return SizedPort(
            None, f"the dynamic buffer model of {nos.name} has no peer response at {speed_gbps} Gb/s"
        )
    return SizedPort(headroom)


def small_packet_percent(kind: SwitchType, nos: NosProfile) -> int:
    """Percentage of 64-byte packets for which the dynamic model sizes headroom; 0 with another model."""
    if kind.buffer_model != "dynamic" or nos.dynamic_buffers is None:
        return 0
    stated = kind.small_packet_percentage
    return nos.dynamic_buffers.small_packet_percent if stated is None else stated


def buffer_demand(kind: SwitchType, nos: NosProfile, ports: Sequence[SwitchPort]) -> BufferDemand:
    """Headroom summed over ports and priorities, and the XOFF thresholds, alpha x free pool."""
    groups = [(port.headroom, len(port.pfc)) for port in ports if port.headroom]
    model = nos.models.get(kind.model.name)
    pool = model.pool_bytes if model and kind.buffer_model == "traditional" else 0
    total = model.buffer_bytes if model else 0
    reserved = sum(headroom.reserved * count for headroom, count in groups)
    shared = pool or max(0, total - reserved)
    threshold = min((headroom.dynamic_th for headroom, _ in groups), default=0)
    everyone = sum(count for _, count in groups)
    return BufferDemand(
        pool=pool,
        shared=shared,
        reserved=reserved,
        total=total,
        xoff_one=xoff_threshold(shared, threshold, 1) if groups else 0,
        xoff_all=xoff_threshold(shared, threshold, everyone) if groups else 0,
    )
