"""Rows about the queues of a port as one value; ports with the same statements share the object."""

from __future__ import annotations

from functools import cache
from typing import Any

from netplan.model.readback import ReadQos
from netplan.reading.switches.facts import QOS


@cache
def qos_of(stated: tuple[tuple[frozenset[Any], frozenset[Any]], ...], below_ip: int) -> ReadQos:
    """``stated``: for each fact of QOS, the rows of the port and those of the whole switch.
    ``below_ip``: what the NOS counts of a frame beside the IP packet."""
    rows = dict(zip(QOS, (own | common for own, common in stated), strict=True))
    rest = {queue for (queue,) in rows["dscp-rest"]}
    polled = {polls * ms for (polls,) in rows["watchdog-polls"] for (ms,) in rows["watchdog-poll"]}
    queues = dict.fromkeys(range(64), frozenset(rest)) if rest else {}
    return ReadQos(
        queues=queues | _numbers(rows["dscp"]),
        groups=_numbers(rows["group"]),
        pfc=_firsts(rows["pfc"]),
        pfc_again=_firsts(rows["pfc-again"]),
        pfc_queues=_numbers(rows["pfc-queue"]),
        pfc_groups=_numbers(rows["pfc-group"]),
        class_queues=_numbers(rows["class-queue"]),
        buffers=_firsts(rows["buffer"]),
        lossy_buffers=_firsts(rows["buffer-lossy"]),
        queue_buffers=_firsts(rows["queue-buffer"]),
        lossy_queues=_firsts(rows["queue-lossy"]),
        marking=_firsts(rows["ecn"]),
        unmarked=_firsts(rows["ecn-off"]),
        watchdog=_firsts(rows["watchdog"]),
        unwatched=_firsts(rows["watchdog-off"]),
        strict=_firsts(rows["strict"]),
        fixed=bool(rows["pfc-fixed"]),
        mtus={queue: min(mtus) for queue, mtus in _numbers(rows["queue-mtu"]).items()},
        headroom_mtus={dscp: min(mtus) - below_ip for dscp, mtus in _numbers(rows["headroom-mtu"]).items()},
        weights=_numbers(rows["weight"] | rows["share"]),
        shares=_numbers(rows["share"]),
        ecn_percent=_numbers(rows["ecn-percent"]),
        detection_ms=_firsts(rows["watchdog-detection"]) | polled,
        restoration_ms=_firsts(rows["watchdog-restoration"]),
    )


def _numbers(rows: frozenset[tuple[int, int]]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {}
    for key, value in rows:
        found.setdefault(key, set()).add(value)
    return {key: frozenset(found[key]) for key in sorted(found)}


def _firsts(rows: frozenset[tuple[int, ...]]) -> frozenset[int]:
    return frozenset(row[0] for row in rows)
