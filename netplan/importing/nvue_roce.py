"""The RoCE profile of NVUE (``profiles`` of its readback.yaml) beside lines of its own, and its other modes.

Which settings of a group of the profile stay beside an own line of that group no source says: NVIDIA's
example of another switch priority states a part of the map of priorities alone (CumulusNetworks/docs 1ffba627
RDMA-over-Converged-Ethernet-RoCE.md, Change RoCE Configuration). What the own lines leave open of a class of
the profile is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark
from netplan.importing.open_lines import open_field
from netplan.reading.switches.places import Matched, matched
from netplan.reading.switches.profiles import chosen
from netplan.reading.switches.rules import Rules

_ROCE = re.compile(
    r"^(?:[ \t]*\"?roce\"?:[ ]*\{?[ \t]*\n((?:[ \t]+\"?[a-z-]+\"?: *[\"']?[\w-]+[\"']?,?[ \t]*\n){1,6})"
    r"|nv set qos roce(?: ([^\n]*))?$)",
    re.M,
)
_OFF = re.compile(r"\b(?:state|enable)\"?:? *[\"']?(?:disabled|off)\b")
_MODE = re.compile(r"\bmode\"?:? *[\"']?([a-z][a-z-]*)")
_SCHEDULER = "nv set qos egress-scheduler default-global traffic-class <queue*>"
_OWN: Mapping[str, tuple[str, str]] = {
    "nv set qos mapping default-global dscp <dscp*> switch-priority <queue>": ("dscp", "36"),
    "nv set qos egress-queue-mapping default-global switch-priority <tc*:queue> traffic-class <queue>": (
        "dscp",
        "36",
    ),
    f"{_SCHEDULER} .+": ("scheduling", "36"),
    "nv set qos congestion-control default-global traffic-class <queue*> .+": ("ecn", "3"),
}
"""Lines of a group, the key that they decide, and the classes of which the profile has it."""
_PERCENT, _SERVED = f"{_SCHEDULER} bw-percent <weight>", f"{_SCHEDULER} mode .+"


def other_modes(text: str, at: Callable[[int], Source]) -> Iterator[Remark]:
    found = [*_ROCE.finditer(text)]
    said = " ".join((one[1] or one[2] or "") for one in found)
    if not found or _OFF.search(said):
        return
    modes = [mode[1] for mode in _MODE.finditer(said)]
    if modes and modes[-1] != "lossless":
        why = "the classes of this mode are not taken; state fabric.qos"
        alike = f"qos roce mode {modes[-1]}"
        yield Remark(at(found[0].start()), f"{alike}: {why}", alike=alike)


def own_lines(rules: Rules, text: str, file: str) -> Iterator[Fact]:
    """``text``: without what the profile stands for."""
    if rules.nos.name != "cumulus-nvue" or chosen(rules, text) is None:
        return
    for pattern, (key, classes) in _OWN.items():
        lines = [*matched(rules, text, (pattern,))]
        about = {_class(line) for line in lines}
        for number in classes if lines else ():
            if number not in about:
                what = f"its own lines of {' '.join(pattern.split()[2:4])} beside qos roce"
                yield Fact("class", (number,), open_field(key, what), what, _at(file, lines[0]))
    served = {_class(line) for line in matched(rules, text, (_SERVED,))}
    for line in matched(rules, text, (_PERCENT,)):  # the profile has the mode
        if (number := _class(line)) in {"0", "3"} - served and isinstance(line.values["weight"], int):
            yield Fact("class", (number,), "weight", line.values["weight"], _at(file, line))


def _class(line: Matched) -> str:
    return str(line.values["queue"])


def _at(file: str, line: Matched) -> Source:
    return Source(file, line.line or 1, 1)
