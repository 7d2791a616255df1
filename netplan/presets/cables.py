"""The cables of a design as rows of ``links``: ranges that pair by offset, as in an inventory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.presets.fabric import Design
from netplan.presets.ports import Split

Row = Mapping[str, object]


def series(prefix: str, first: int, count: int, width: int, step: int = 1) -> str:
    """``leaf-[01-08]``; a plain name if ``count`` is 1."""
    if count == 1:
        return f"{prefix}{first:0{width}d}"
    last = first + (count - 1) * step
    return f"{prefix}[{first:0{width}d}-{last:0{width}d}{f'/{step}' if step > 1 else ''}]"


def width(count: int) -> int:
    """Digits of names that count to ``count``."""
    return len(str(count))


def hosts_name(design: Design, first: int = 0, count: int = 0) -> str:
    count = count or design.numbers.hosts
    return series("gpu-", first + 1, count, width(design.numbers.hosts))


def leaves_name(design: Design, first: int = 0, count: int = 0) -> str:
    return series("leaf-", first + 1, count or design.leaves, width(design.leaves))


def spines_name(design: Design, first: int = 0, count: int = 0) -> str:
    return series("spine-", first + 1, count or design.spines, width(design.spines))


def host_rows(design: Design, hca: str, metres: int) -> Iterator[Row]:
    """For each group, and each rail that shares a leaf with others: consecutive hosts on consecutive
    ports."""
    numbers, leaves = design.numbers, design.leaves_per_group
    for group in range(design.groups):
        first, count = design.group(group)
        switch = leaves_name(design, group * leaves, leaves)
        for rail in range(numbers.rails_per_leaf):
            cards = series(hca, rail, leaves, 1, numbers.rails_per_leaf)
            start, done = rail * design.per_leaf, 0
            for ports, taken in numbers.down.ranges(start, count):
                yield {
                    "hosts": hosts_name(design, first + done, taken),
                    "hca": cards,
                    "switch": switch,
                    "ports": ports,
                    "cable_m": metres,
                }
                done += taken


def switch_rows(design: Design, metres: int) -> Iterator[Row]:
    """For each spine: the same uplinks of all leaves, on its ports in the order of the leaves."""
    up, spine = design.numbers.up, design.numbers.spine
    if up is None or spine is None or not design.links:
        return
    for number in range(design.spines):
        to = spines_name(design, number, 1)
        start = design.first_uplink() + number * design.links
        for first, count, ports, to_ports in _runs(design, up, spine, start):
            yield {
                "switches": leaves_name(design, first, count),
                "ports": ports,
                "to": to,
                "to_ports": to_ports,
                "speed_gbps": up.speed_gbps,
                "cable_m": metres,
            }


def _runs(design: Design, up: Split, spine: Split, start: int) -> Iterator[tuple[int, int, str, str]]:
    """(first leaf, number of leaves, their ports, ports of the spine), in as few rows as ranges allow."""
    links = design.links
    mine = up.ranges(start, links)
    if len(mine) == 1:
        leaf = 0
        for text, ports in spine.ranges(0, design.leaves * links):
            if ports % links:
                break
            yield leaf, ports // links, mine[0][0], text
            leaf += ports // links
        else:
            return
    else:
        leaf = 0
    for number in range(leaf, design.leaves):
        yield from (
            (number, 1, ours, theirs) for ours, theirs in _paired(up, start, spine, number * links, links)
        )


def _paired(up: Split, start: int, spine: Split, to: int, count: int) -> Iterator[tuple[str, str]]:
    """Links of one leaf to one spine, split where either side needs a new range."""
    done = 0
    while done < count:
        left = count - done
        taken = min(up.ranges(start + done, left)[0][1], spine.ranges(to + done, left)[0][1])
        yield up.ranges(start + done, taken)[0][0], spine.ranges(to + done, taken)[0][0]
        done += taken
