"""ECN of Junos: fill levels in percent of the memory of a queue, whose size is in no configuration.

Statements: Juniper/yang 24.4R1, class-of-service: drop-profiles, schedulers, scheduler-maps and
forwarding-classes; juniper.net, statement fill-level (percent of the memory of the queue).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact

_SET = r"^set class-of-service "
_LEVELS = re.compile(
    _SET + r"drop-profiles (\S+) interpolate fill-level \[ ?([0-9]{1,3}) ([0-9]{1,3}) ?\]"
    r"(?: drop-probability \[ ?[0-9]{1,3} ([0-9]{1,3}) ?\])?",
    re.MULTILINE,
)
_PROFILE = re.compile(_SET + r"schedulers (\S+) drop-profile-map .*\bdrop-profile (\S+)$", re.MULTILINE)
_MARKS = re.compile(_SET + r"schedulers (\S+) explicit-congestion-notification$", re.MULTILINE)
_CLASS = re.compile(_SET + r"scheduler-maps \S+ forwarding-class (\S+) scheduler (\S+)$", re.MULTILINE)
_QUEUE = re.compile(_SET + r"forwarding-classes class (\S+) queue-num ([0-7])\b", re.MULTILINE)


def ecn_facts(text: str, spot: Callable[[int], Source]) -> Iterator[Fact]:
    """Of each queue whose scheduler marks, the fill levels of its drop profile."""
    levels = {found[1]: found for found in _LEVELS.finditer(text)}
    profiles = {found[1]: found[2] for found in _PROFILE.finditer(text)}
    marking = {found[1] for found in _MARKS.finditer(text)}
    queues = {found[1]: found[2] for found in _QUEUE.finditer(text)}
    for found in _CLASS.finditer(text):
        queue, profile = queues.get(found[1]), levels.get(profiles.get(found[2], ""))
        if found[2] in marking and queue is not None and profile is not None:
            most = f", at {profile[4]} percent" if profile[4] else ""
            seen = f"fill levels {profile[2]} and {profile[3]} percent of the queue{most}"
            yield Fact("class", (queue,), "ecn_in/percent", seen, spot(profile.start()))
