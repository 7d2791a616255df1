"""PFC watchdog of one switch: the fabric's times in what its NOS or ASIC can be set to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from netplan.model.nos import NosAsic, NosProfile, NosUnits, WatchdogTimer
from netplan.model.qos import QosPlan
from netplan.model.qos_classes import Watchdog
from netplan.model.switch_qos import SwitchWatchdog
from netplan.records import dataclass

NO_WATCHDOG = SwitchWatchdog(enabled=False, poll="", detection="", restoration="", detection_polls=0)
OWN = "at an interval of the switch's own"
_UNIT_MS = {"ms": 1, "100ms": 100, "s": 10}
"""Resolution in ms of the NOS's time unit."""


@dataclass(frozen=True, slots=True)
class _Time:
    """``ms``: value in force, 0 if no line sets it. ``reason``: why it may differ from the stated value."""

    name: str
    stated: int
    ms: int
    reason: str

    @property
    def text(self) -> str:
        return f"{self.name} {f'{self.ms:,} ms' if self.ms else self.reason}"


def plan_watchdog(qos: QosPlan | None, nos: NosProfile, asic: NosAsic | None) -> SwitchWatchdog:
    """Watchdog times in the NOS's unit or the ASIC's timer steps; ``NO_WATCHDOG`` if the NOS has none."""
    if qos is None or qos.watchdog is None or nos.supports["pfc_watchdog"] or not qos.pfc:
        return NO_WATCHDOG
    if asic is not None and asic.watchdog is not None:
        return _stepped(qos.watchdog, asic.watchdog)
    return _timed(qos.watchdog, nos.units)


def _timed(times: Watchdog, units: NosUnits) -> SwitchWatchdog:
    poll_ms = _poll_ms(times, units)
    polls = ceil(times.detection_ms / poll_ms)
    unit = _UNIT_MS[units.watchdog]
    steps = f"in steps of {unit:,} ms"
    by_polls = units.watchdog_detection == "polls"
    detection = polls * poll_ms if by_polls else _rounded(times.detection_ms, unit)
    restoration = 0 if units.watchdog_restoration else _rounded(times.restoration_ms, unit)
    half = units.watchdog_poll == "half"
    why = "at most half of the shorter time" if half else "the switch polls at a fixed interval"
    found = (
        _Time("poll", times.poll_ms, poll_ms, why),
        _Time("detection", times.detection_ms, detection, "a whole number of polls" if by_polls else steps),
        _Time("restoration", times.restoration_ms, restoration, units.watchdog_restoration or steps),
    )
    dog = SwitchWatchdog(
        enabled=True,
        poll=_time(poll_ms, units.watchdog),
        detection=_time(times.detection_ms, units.watchdog),
        restoration=_time(times.restoration_ms, units.watchdog),
        detection_polls=polls,
    )
    return _told(dog, found)


def _poll_ms(times: Watchdog, units: NosUnits) -> int:
    if units.watchdog_poll_ms:
        return units.watchdog_poll_ms
    step = _UNIT_MS[units.watchdog]
    stated = _rounded(times.poll_ms, step)
    if units.watchdog_poll != "half":
        return stated
    shorter = min(times.detection_ms, times.restoration_ms)
    return max(step, min(stated, shorter // 2 // step * step))


def _rounded(milliseconds: int, unit: int) -> int:
    return ceil(milliseconds / unit) * unit


def _told(dog: SwitchWatchdog, found: tuple[_Time, ...]) -> SwitchWatchdog:
    """The watchdog with the times in force, and changes from the stated ones, in words."""
    return replace(dog, in_force=", ".join(time.text for time in found), changed=tuple(_changed(found)))


def _changed(found: tuple[_Time, ...]) -> Iterator[tuple[str, str]]:
    for time in found:
        if time.ms == 0:
            yield f"{time.name}_ms", f"{time.name} {time.stated:,} ms cannot be set: it is {time.reason}"
        elif time.ms != time.stated:
            yield f"{time.name}_ms", f"{time.name} {time.stated:,} ms becomes {time.ms:,} ms: {time.reason}"


def _stepped(times: Watchdog, timer: WatchdogTimer) -> SwitchWatchdog:
    """Uses the smallest timer step that can express both times, each rounded up to whole steps."""
    for step in timer.steps_ms:
        detection, restoration = ceil(times.detection_ms / step), ceil(times.restoration_ms / step)
        if _within(detection, timer.detection) and _within(restoration, timer.restoration):
            break
    else:
        return replace(NO_WATCHDOG, unfit=_why_unfit(times, timer))
    polled = len(timer.steps_ms) > 1
    steps = f"in steps of {step:,} ms"
    found = (
        _Time("poll", times.poll_ms, step if polled else 0, "the step of the timers" if polled else OWN),
        _Time("detection", times.detection_ms, detection * step, steps),
        _Time("restoration", times.restoration_ms, restoration * step, steps),
    )
    dog = SwitchWatchdog(
        enabled=True,
        poll=str(times.poll_ms),
        detection=str(detection * step),
        restoration=str(restoration * step),
        detection_polls=ceil(times.detection_ms / times.poll_ms),
        step_ms=step,
        detection_steps=detection,
        restoration_steps=restoration,
    )
    return _told(dog, found)


def _within(value: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= value <= bounds[1]


def _why_unfit(times: Watchdog, timer: WatchdogTimer) -> str:
    steps = ", ".join(f"{step:,}" for step in timer.steps_ms)
    (low, high), (least, most) = timer.detection, timer.restoration
    stated = f"detection {times.detection_ms:,} ms and restoration {times.restoration_ms:,} ms"
    return f"{stated} fit no step of {steps} ms: it counts {low:,} to {high:,} and {least:,} to {most:,}"


def _time(milliseconds: int, unit: str) -> str:
    texts = {
        "ms": str(milliseconds),
        "100ms": str(ceil(milliseconds / 100)),
        "s": f"{ceil(milliseconds / 10) / 100:g}",
    }
    return texts[unit]
