"""The PFC watchdog of Junos where its lines leave times or the action to Junos.

juniper.net, Junos OS class of service user guide, PFC Watchdog: ``pfc-watchdog`` without options polls each
100 ms, detects after 2 polls, restores after 200 ms; ports drop unless ``watchdog-action`` says forward.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark

_LINE = re.compile(
    r"^set class-of-service congestion-notification-profile (\S+) pfc-watchdog(?: (\S+) (\S+))?$",
    re.MULTILINE,
)
_USED = re.compile(
    r"^set class-of-service interfaces \S+ congestion-notification-profile (\S+)$", re.MULTILINE
)
_SHIPPED: Mapping[str, int] = {"poll-interval": 100, "detection": 2, "recovery": 200}
_ACTION = "watchdog-action"


def told_watchdog(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    used = {found[1] for found in _USED.finditer(text)}
    profiles: dict[str, dict[str, re.Match[str]]] = {}
    for found in _LINE.finditer(text):
        if found[1] in used:
            profiles.setdefault(found[1], {})[found[2] or ""] = found
    for stated in profiles.values():
        action = stated.get(_ACTION)
        if (action is None or action[3] == "drop") and not {_ACTION, *_SHIPPED} <= stated.keys():
            yield from _filled(stated, at)


def _filled(stated: Mapping[str, re.Match[str]], at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    first = at(min(line.start() for line in stated.values()))
    values, places = dict(_SHIPPED), dict.fromkeys(_SHIPPED, first)
    for name in _SHIPPED.keys() & stated.keys():
        if stated[name][3].isdecimal():
            values[name], places[name] = int(stated[name][3]), at(stated[name].start())
    lacking = [f"{name} {values[name]}" for name in _SHIPPED if name not in stated]
    if lacking:
        why = f"pfc-watchdog leaves {', '.join(lacking)} to Junos: taken as its defaults"
        yield Remark(first, why, alike=why)
    poll = values["poll-interval"]
    yield Fact("cluster", (), "watchdog/poll_ms", poll, places["poll-interval"])
    yield Fact("cluster", (), "watchdog/detection_ms", poll * values["detection"], places["detection"])
    yield Fact("cluster", (), "watchdog/restoration_ms", values["recovery"], places["recovery"])
