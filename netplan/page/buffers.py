"""Numbers of the switches: buffers, thresholds and every computed value, once for each kind of switch."""

from __future__ import annotations

from typing import Any

from netplan.model.plan import Plan
from netplan.model.switch_page import ChainRow, switch_page
from netplan.model.switching import Computed, MissingFeature, SwitchPlan
from netplan.page.places import Once


class Sheets:
    """``rows``: sheets, by number, each shared by equal switches; ``numbers``: computed values that sheets
    share."""

    def __init__(self) -> None:
        self._sheets: Once[dict[str, Any]] = Once()
        self._numbers: Once[list[Any]] = Once()

    @property
    def rows(self) -> list[dict[str, Any]]:
        return self._sheets.rows

    @property
    def numbers(self) -> list[list[Any]]:
        return self._numbers.rows

    def of(self, switch: SwitchPlan) -> int:
        page = switch_page(switch)
        key = (
            switch.type.name, switch.role, switch.nos, switch.sku, switch.buffers, switch.qos, switch.demand,
            switch.computed, switch.totals, page.by_hand, page.left_out, page.chain,
            tuple((p.speed_gbps, p.cable_m, p.headroom, p.missing) for p in switch.lossless_ports),
        )  # fmt: skip
        return self._sheets.number(key, self._sheet(switch, page.chain, page.by_hand, page.left_out))

    def _sheet(
        self,
        switch: SwitchPlan,
        chain: tuple[ChainRow, ...],
        by_hand: tuple[MissingFeature, ...],
        left_out: tuple[MissingFeature, ...],
    ) -> dict[str, Any]:
        buffers, demand = switch.buffers, switch.demand
        return {
            "nos": switch.nos,
            "release": switch.release.name,
            "model": switch.type.model.name,
            "asic": switch.type.model.asic,
            "mtu": switch.type.port_mtu,
            "buffers": {
                "total": buffers.total,
                "pool": buffers.pool,
                "shared": buffers.shared,
                "reserved": buffers.reserved,
                "room": buffers.room if buffers.total else 0,
                "xoff_one": buffers.xoff_one,
                "xoff_all": buffers.xoff_all,
            },
            "headroom": _headroom(switch),
            "missing": sorted({p.missing for p in switch.lossless_ports if p.missing}),
            "ecn": [
                [queue.number, queue.classes, each.kmin_bytes, each.kmax_bytes, each.probability]
                for queue in switch.qos.marking
                for each in queue.ecn
            ],
            "queues": [[r.classes, r.points, r.queue, r.pfc, r.scheduling, r.ecn] for r in chain],
            "neighbours": [demand.hosts, demand.stale, demand.uplinks, demand.total, demand.host_table],
            "numbers": [self._number(each) for each in (*switch.computed, *switch.totals)],
            "by_hand": [[gap.title, gap.reason] for gap in by_hand],
            "left_out": [[gap.title, gap.reason] for gap in left_out],
        }

    def _number(self, each: Computed) -> int:
        row = [each.name, each.value, each.unit, each.verdict, each.formula, each.inputs, each.source]
        return self._numbers.number(each, row)


def _headroom(switch: SwitchPlan) -> list[list[Any]]:
    """For each speed and cable length: ports, lossless priorities, XOFF headroom, and what a group
    reserves."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for port in switch.lossless_ports:
        if port.headroom is not None:
            room = port.headroom
            row = (port.speed_gbps, port.cable_m, room.xoff, room.reserved, room.size, room.inputs)
            found.setdefault(row, [0, 0])
            found[row][0] += 1
            found[row][1] += len(port.pfc)
    return [[*row[:2], *counts, *row[2:]] for row, counts in found.items()]


def class_rows(plan: Plan) -> list[list[Any]]:
    """Classes of the inventory."""
    if plan.qos is None:
        return []
    return [
        [c.name, c.dscp, c.priority, c.tos, c.lossless, c.strict, c.weight_percent] for c in plan.qos.classes
    ]
