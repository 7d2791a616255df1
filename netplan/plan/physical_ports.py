"""Maps port names to physical ports and finds how each is split."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile, PortNumbers
from netplan.model.port_parts import count_of, number_of, place_of
from netplan.model.switch_ports import PhysicalPort, SwitchPort


def physical_ports(
    kind: SwitchType, nos: NosProfile, ports: Sequence[SwitchPort]
) -> tuple[PhysicalPort, ...]:
    """Physical ports in the order of ``ports``. A name that does not match the split pattern is an unsplit
    port."""
    parts: dict[str, dict[int, SwitchPort]] = defaultdict(dict)
    whole: dict[str, SwitchPort] = {}
    for port in ports:
        name, part = place_of(port.name, nos.breakout, kind.model.lanes)
        if part is None:
            whole.setdefault(name, port)
            parts[name].update({})
        else:
            parts[name].setdefault(part, port)
    return tuple(_port(name, parts[name], whole.get(name), kind, nos) for name in parts)


@lru_cache(maxsize=65536)
def _position(name: str, rule: PortNumbers, lanes: int) -> int:
    """Number of the port on the front panel, from 1; 0 if the name does not tell."""
    found = re.fullmatch(rule.name, name)
    groups = found.groupdict() if found is not None else {}
    lane, port = number_of(groups.get("lane")), number_of(groups.get("port"))
    if lane is not None:
        return lane // lanes + 1 if lanes else 0
    return 0 if port is None else port - rule.first + 1


def _port(
    name: str, parts: dict[int, SwitchPort], whole: SwitchPort | None, kind: SwitchType, nos: NosProfile
) -> PhysicalPort:
    members = [parts[number] for number in sorted(parts)]
    used = ([] if whole is None else [whole]) + members
    count = count_of(parts, nos.breakout, kind.model.lanes)
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
