"""Steps from what a switch runs to what is planned, in words: what is missing, what nobody planned, and what
is there but incomplete."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from netaddr import IPNetwork

from netplan.changes.steps import Step
from netplan.changes.switches import WORDS
from netplan.model.readback import ReadPort, ReadSwitch
from netplan.reading.switches.halves import half_stated
from netplan.reading.switches.places import line_where
from netplan.reading.switches.rules import Rules

DIRECTION = "running -> planned"

SHUT, INCOMPLETE, REDISTRIBUTED = "neighbour-shut", "neighbour-half", "announced-by-all"
DRIFT_WORDS: Mapping[str, str] = {
    **WORDS,
    "vlan-added": "VLAN missing:",
    "vlan-gone": "VLAN not planned:",
    "member-added": "VLANs of ports, missing:",
    "member-gone": "VLANs of ports, not planned:",
    "address-added": "address missing:",
    "address-gone": "address not planned:",
    "up": "shut down, planned enabled:",
    "down": "enabled, planned shut down:",
    "port-added": "ports missing:",
    "neighbour-added": "BGP neighbour missing:",
    "neighbour-gone": "BGP neighbour not planned:",
    SHUT: "BGP neighbour shut down:",
    INCOMPLETE: "BGP neighbour incomplete:",
    "feature-added": "feature not enabled:",
    "announced": "not announced:",
    REDISTRIBUTED: "not announced by a line of its own, but connected routes are redistributed:",
    "announced-gone": "announced, not planned:",
}
"""Of the kinds of steps: "new" and "gone" would be words for a change, and nothing has changed yet."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where the lines of a kind of step stand: the fact they state, and the column whose value is the first
    number in the step's text; without a column the lines of its port."""

    fact: str
    column: str = ""


WHERE: Mapping[str, Where] = {
    "vlan-gone": Where("vlan", "vlan"),
    "member-added": Where("trunk"),
    "member-gone": Where("trunk"),
    "mtu": Where("port-mtu"),
    "up": Where("port-down"),
    "down": Where("port-up"),
    "queues": Where("dscp", "dscp"),
    "buffers": Where("buffer"),
    "scheduling": Where("strict"),
    "neighbour-gone": Where("neighbour", "ip"),
    "neighbour-as": Where("neighbour", "ip"),
    "announced-gone": Where("network"),
}
"""Kinds whose name differs from the fact's."""

Keys = list[tuple[str, Mapping[str, str]]]
"""Facts that would state what is missing, and the columns that say what it is about."""


_ADDRESS_FACTS = ("port-address", "vlan-address", "loopback")
_ADDRESSES = frozenset({"address-gone", "address-replaced", "address-moved"})
"""Steps that begin with the address that runs."""


def _address(_: ReadSwitch, step: Step) -> Keys:
    address = step.said.partition(" ")[0]
    return [(fact, {"address": address}) for fact in _ADDRESS_FACTS]


def _asn(running: ReadSwitch, step: Step) -> Keys:
    return [("asn", {"asn": step.said.rpartition(" ")[2]})] if running.asn is None else []


def _of_port(fact: str, has: Callable[[ReadPort], Any]) -> Callable[[ReadSwitch, Step], Keys]:
    """``has``: what a port has of it."""

    def keys(running: ReadSwitch, step: Step) -> Keys:
        port = running.ports.get(step.at)
        return [(fact, {"port": step.at})] if port is not None and not has(port) else []

    return keys


_KEYS: Mapping[str, Callable[[ReadSwitch, Step], Keys]] = {
    "neighbour-added": lambda _, step: [("neighbour", {"ip": step.said})],
    "asn": _asn,
    "announced": lambda _, step: [("network", {"address": step.said})],
    "address-added": _address,
    "member-added": lambda _, step: [("trunk", {"port": step.at, "vlan": re.split("[-,]", step.said)[0]})],
    "pfc": _of_port("pfc", lambda port: port.qos.pfc),
    "queues": _of_port("dscp", lambda port: port.qos.queues),
    "groups": _of_port("group", lambda port: port.qos.groups),
    "ecn": _of_port("ecn", lambda port: port.qos.marking),
    "watchdog": _of_port("watchdog", lambda port: port.qos.watchdog),
}
"""By kind of step."""


def explained(rules: Rules, text: str, running: ReadSwitch, step: Step) -> tuple[Step, int | None]:
    """The step; where what is missing is there in part, or shut down, with what keeps it from counting, and
    the line that is there."""
    if step.kind == "neighbour-added":
        line = line_where(rules, text, "neighbour-down", "ip", step.said)
        if line is not None:
            return replace(step, kind=SHUT), line
    if step.kind == "announced" and (version := IPNetwork(step.said).version) in running.redistributed:
        line = line_where(rules, text, "redistributed", "version", str(version))
        return replace(step, kind=REDISTRIBUTED), line
    if step.kind in _ADDRESSES:
        address = step.said.partition(" ")[0]
        places = (line_where(rules, text, fact, "address", address) for fact in _ADDRESS_FACTS)
        return step, next(filter(None, places), None)
    for fact, known in _KEYS[step.kind](running, step) if step.kind in _KEYS else ():
        half = half_stated(rules, text, fact, known)
        if half is not None:
            kind = INCOMPLETE if step.kind == "neighbour-added" else step.kind
            return replace(step, kind=kind, said=f"{step.said} (it is there, but {half})"), half.line
    return step, None
