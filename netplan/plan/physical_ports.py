"""Maps port names to physical ports and finds how each is split.

The split is the smallest of 2, 4, 8 and 16 that has every part the inventory names; parts named by lane give
it exactly.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosBreakout, NosProfile, PortNumbers
from netplan.model.switch_ports import PhysicalPort, SwitchPort

SPLITS = (2, 4, 8, 16)
"""Possible numbers of parts: the lanes of a port are a power of two, SFF-8636 (4), QSFP-DD and OSFP MSA
(8)."""


def physical_ports(
    kind: SwitchType, nos: NosProfile, ports: Sequence[SwitchPort]
) -> tuple[PhysicalPort, ...]:
    """Physical ports in the order of ``ports``. A name that does not match the split pattern is an unsplit
    port."""
    parts: dict[str, dict[int, SwitchPort]] = defaultdict(dict)
    whole: dict[str, SwitchPort] = {}
    for port in ports:
        name, part = _place(port.name, nos.breakout, kind.model.lanes)
        if part is None:
            whole.setdefault(name, port)
            parts[name].update({})
        else:
            parts[name].setdefault(part, port)
    return tuple(_port(name, parts[name], whole.get(name), kind, nos) for name in parts)


@lru_cache(maxsize=65536)
def _place(name: str, rule: NosBreakout | None, lanes: int) -> tuple[str, int | None]:
    """(physical port, part number from 0); (physical port, None) for an unsplit port."""
    found = re.fullmatch(rule.name, name) if rule is not None else None
    if rule is None or found is None or (rule.parts != "ordinal" and not lanes):
        return name, None
    parent, number = found.groupdict().get("parent") or "", _number(found["part"])
    if number is None:
        return parent or name, None
    if rule.parts == "running":
        port, lane = divmod(number, lanes)
        return f"{name.removesuffix(found['part'])}{port * lanes}", lane
    part = number - rule.first
    if part < 0 or (rule.parts == "lane" and part >= lanes):
        return name, None
    return parent, part


def _number(text: str | None) -> int | None:
    """Integer of a regex group, which may come from a site's pattern; None if it is not a number."""
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else None


@lru_cache(maxsize=65536)
def _position(name: str, rule: PortNumbers, lanes: int) -> int:
    """Number of the port on the front panel, from 1; 0 if the name does not tell."""
    found = re.fullmatch(rule.name, name)
    groups = found.groupdict() if found is not None else {}
    lane, port = _number(groups.get("lane")), _number(groups.get("port"))
    if lane is not None:
        return lane // lanes + 1 if lanes else 0
    return 0 if port is None else port - rule.first + 1


def _port(
    name: str, parts: dict[int, SwitchPort], whole: SwitchPort | None, kind: SwitchType, nos: NosProfile
) -> PhysicalPort:
    members = [parts[number] for number in sorted(parts)]
    used = ([] if whole is None else [whole]) + members
    count = _count(parts, nos.breakout, kind.model.lanes)
    speeds = tuple(sorted({port.speed_gbps for port in used}))
    word = f"{speeds[-1]}g-{count}x"
    splits = nos.breakout.splits if nos.breakout is not None else ()
    return PhysicalPort(
        name=name,
        position=_position(name, nos.port_numbers, kind.model.lanes),
        parts=count,
        part_gbps=speeds[-1],
        part_lanes=kind.model.lanes // count,
        members=tuple(port.name for port in members),
        whole=whole is not None and bool(members),
        speeds=speeds,
        confirmed=not splits or word in splits,
        last=used[-1].name,
    )


def _count(parts: dict[int, SwitchPort], rule: NosBreakout | None, lanes: int) -> int:
    """Number of parts the port is split into; 1 if unsplit."""
    if rule is None or not parts:
        return 1
    if rule.parts == "ordinal":
        return next((n for n in SPLITS if n > max(parts)), max(parts) + 1)
    return next((n for n in (1, *SPLITS) if n <= lanes and not any(p % (lanes // n) for p in parts)), lanes)
