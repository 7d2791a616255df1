"""Names of switch ports as inventory ranges: ports are counted, the NOS gives the names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.model.nos import NosProfile, PortForm
from netplan.records import dataclass

_PARTS = (4, 2, 1)
"""Splits that presets use; for 8, models differ in how many ports remain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Ports of a model at one speed under one NOS. ``parts``: per physical port, 1 if it is not split."""

    form: PortForm
    by_lane: bool
    first: int
    first_part: int
    part_step: int
    lanes: int
    kind: str
    ports: int
    parts: int
    speed_gbps: int

    @property
    def total(self) -> int:
        """Ports of this speed on the switch."""
        return self.ports * self.parts

    def ports_of(self, count: int) -> int:
        """Physical ports needed for ``count`` ports of this speed."""
        return -(-count // self.parts)

    def ranges(self, start: int, count: int) -> list[tuple[str, int]]:
        """(range, size) for ``count`` ports from ``start`` on, counted from 0 over the whole switch."""
        if self.by_lane or self.parts == 1:
            return [(self._run(start, count), count)]
        found, end = [], start + count
        while start < end:
            port, part = divmod(start, self.parts)
            if part == 0 and end - start >= self.parts:
                whole = (end - start) // self.parts
                taken = whole * self.parts
                text = self._text(_span(port + self.first, whole, 1), self._span_of_parts(0, self.parts))
            else:
                taken = min(self.parts - part, end - start)
                text = self._text(str(port + self.first), self._span_of_parts(part, taken))
            found.append((text, taken))
            start += taken
        return found

    def _run(self, start: int, count: int) -> str:
        if self.by_lane:
            step = self.lanes // self.parts
            return self._text(_span(self.first + start * step, count, step), "")
        return self._text(_span(start + self.first, count, 1), "")

    def _span_of_parts(self, part: int, count: int) -> str:
        return _span(self.first_part + part * self.part_step, count, self.part_step)

    def _text(self, number: str, part: str) -> str:
        form = self.form.part if part else self.form.whole
        return form.format(port=number, lane=number, part=part, kind=self.kind)


def _span(first: int, count: int, step: int) -> str:
    if count == 1:
        return str(first)
    return f"[{first}-{first + (count - 1) * step}{f'/{step}' if step > 1 else ''}]"


def split(name: str, model: Mapping[str, Any], nos: NosProfile, speed_gbps: int) -> Split | str:
    """How ports of a model are used at a speed, or why they cannot be. ``model``: a row of the catalog."""
    form, speeds = nos.port_form, sorted(model["speeds_gbps"])
    if form is None:
        return f"{nos.name} has no port_form in its nos.yaml: its ports cannot be named"
    if model["asic"] not in nos.asics:
        return f"{nos.name} has no {model['asic']}, the ASIC of {name}; it has {', '.join(nos.asics)}"
    if speed_gbps not in speeds:
        return f"{name} has no ports of {speed_gbps} Gb/s, its speeds are {', '.join(map(str, speeds))} Gb/s"
    if form.kinds and str(speed_gbps) not in form.kinds:
        return f"{nos.name} names ports of {', '.join(form.kinds)} Gb/s, and none of {speed_gbps} Gb/s"
    if nos.buffer_models and speed_gbps not in _with_headroom(nos, name):
        return f"{nos.name} has no lossless table for {name} at {speed_gbps} Gb/s: no source has its headroom"
    parts = next(n for n in _PARTS if _can_split(model, nos, n, speed_gbps))
    first_part, step = _part_numbers(nos, model["lanes"] // parts)
    return Split(
        form=form,
        by_lane="{lane}" in form.whole,
        first=nos.port_numbers.first,
        first_part=first_part,
        part_step=step,
        lanes=model["lanes"],
        kind=form.kinds.get(str(speed_gbps), ""),
        ports=model["ports"],
        parts=parts,
        speed_gbps=speed_gbps,
    )


def _part_numbers(nos: NosProfile, lanes: int) -> tuple[int, int]:
    """Number of a port's first part, and the increment for the next; ``lanes``: per part."""
    if nos.breakout is None:
        return 0, 1
    return nos.breakout.first, lanes if nos.breakout.parts == "lane" else 1


def _with_headroom(nos: NosProfile, name: str) -> frozenset[int]:
    """Speeds for which the NOS has rows in its headroom table."""
    model = nos.models.get(name)
    return frozenset(row.speed_gbps for row in model.headroom) if model is not None else frozenset()


def _can_split(model: Mapping[str, Any], nos: NosProfile, parts: int, speed_gbps: int) -> bool:
    """Whether a port can be split into this many of the speed; one always works."""
    if parts == 1:
        return True
    if nos.breakout is None or not nos.writes("breakout"):
        return False
    stated = not nos.breakout.splits or f"{speed_gbps}g-{parts}x" in nos.breakout.splits
    return stated and parts * speed_gbps <= max(model["speeds_gbps"]) and parts <= model["lanes"]
