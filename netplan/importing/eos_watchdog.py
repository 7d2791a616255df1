"""The PFC watchdog of an EOS configuration. netplan's drops what a stuck queue holds, on every port with PFC;
one that acts otherwise, or on no port, is asked about.

pyavd 6.4.0: priority_flow_control.watchdog (action drop, errdisable or notify-only; timeout, recovery_time,
polling_interval; override_action_drop) and qos_profiles.priority_flow_control.watchdog (enabled, action,
timer: ``port action``, ``port timer``). EOS polls at most twice per shorter time: public notes on EOS RoCE
configuration, quoting the manual.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.model.inventory_schema import schema_at
from netplan.model.inventory_text import flow

_HEAD = "priority-flow-control pause watchdog"
_TIME = re.compile(
    rf"^{_HEAD} default (timeout|recovery-time|polling-interval) ([0-9]{{1,5}}(?:\.[0-9]{{1,3}})?)"
    r"( forced)?[ \t]*$",
    re.M,
)
_ACTION = re.compile(rf"^{_HEAD} ((?:action|override action) \S+)[ \t]*$", re.M)
_PORT = re.compile(rf"^[ \t]+{_HEAD}[ \t]*$", re.M)
_OWN = re.compile(rf"^[ \t]+{_HEAD} (port [^\n]*?)[ \t]*$", re.M)
_KEYS = {"polling-interval": "poll_ms", "timeout": "detection_ms", "recovery-time": "restoration_ms"}
ASKED = "watchdog_asked"
"""Field of the cluster: the value of ``pfc_watchdog`` with the stated times, and what is unlike netplan's."""


def told_watchdog(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    """``at``: the place of an offset."""
    times, actions, port = [*_TIME.finditer(text)], [*_ACTION.finditer(text)], _PORT.search(text)
    yield from _apart(text, times, at)
    starts = [each.start() for each in (*times, *actions)] + ([port.start()] if port else [])
    if not starts:
        return
    stated = {_KEYS[time[1]]: round(float(time[2]) * 1000) for time in times}
    unlike = [*_unlike(stated, [each[1] for each in actions], port)]
    if unlike:
        answer = str(flow({key: stated[key] for key in _KEYS.values() if key in stated}).text)
        yield Fact("cluster", (), ASKED, (answer, ", ".join(unlike)), at(min(starts)))
        return
    for time in times:
        key = _KEYS[time[1]]
        if key != "poll_ms" or _is_own_poll(stated):
            yield Fact("cluster", (), f"watchdog/{key}", stated[key], at(time.start(2)))


def _apart(text: str, times: Iterable[re.Match[str]], at: Callable[[int], Source]) -> Iterator[Remark]:
    """What netplan's watchdog does not have."""
    for own in _OWN.finditer(text):
        yield not_taken(at(own.start(1)), _HEAD, own[1], "an inventory has one watchdog for all ports")
    for time in times:
        if time[3]:
            why = "netplan's watchdog restores a queue once no more pause frames come"
            yield not_taken(at(time.start(3)), f"{_HEAD} default {time[1]}", f"{time[2]} forced", why)


def _is_own_poll(stated: Mapping[str, int]) -> bool:
    """Whether it is another one than netplan writes by default. EOS polls at most twice per shorter time,
    whatever longer one is stated, here or on other switches."""
    usual = {key: int(schema_at("fabric", "qos", "pfc_watchdog", key)["default"]) for key in _KEYS.values()}
    most = min({**usual, **stated}[key] for key in ("detection_ms", "restoration_ms")) // 2
    return min(stated["poll_ms"], most) != min(usual["poll_ms"], most)


def _unlike(stated: Container[str], actions: list[str], port: re.Match[str] | None) -> Iterator[str]:
    """What keeps it from being netplan's watchdog."""
    if "detection_ms" not in stated:
        yield "no default timeout"
    if actions[-1:] != ["action drop"]:
        yield actions[-1] if actions else "no action drop"
    if port is None:
        yield "no port that has it"
