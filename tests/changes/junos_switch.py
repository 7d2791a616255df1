"""A model of a Junos switch that takes ``set`` and ``delete`` lines in one commit.

It is independent of the product: which statements have one value and which entries have a name is stated
here, from Juniper's configuration model (Juniper/yang 2a696d62, 24.4R1, junos-qfx).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.changes.commands import Change, Files

ONE_VALUE = re.compile(
    r"interfaces \S+ (mtu|native-vlan-id|number-of-sub-ports|speed)"
    r"|interfaces \S+ unit \S+ family inet6? mtu"
    r"|interfaces \S+ unit \S+ family ethernet-switching interface-mode"
    r"|vlans \S+ (vlan-id|description|l3-interface)"
    r"|routing-options (router-id|autonomous-system)"
    r"|protocols bgp group \S+ type"
    r"|protocols bgp group \S+ neighbor \S+ peer-as"
    r"|class-of-service interfaces \S+ (scheduler-map|congestion-notification-profile)"
    r"|class-of-service forwarding-classes class \S+ (queue-num|pfc-priority)"
    r"|class-of-service schedulers \S+ (priority|transmit-rate percent)"
    r"|class-of-service schedulers \S+ drop-profile-map loss-priority any protocol any drop-profile"
    r"|class-of-service scheduler-maps \S+ forwarding-class \S+ scheduler"
    r"|class-of-service congestion-notification-profile \S+ input cable-length"
    r"|class-of-service congestion-notification-profile \S+ input \S+ code-point \S+ pfc mru"
    r"|class-of-service congestion-notification-profile \S+ pfc-watchdog \S+"
    r"|system arp aging-timer"
    r"|protocols l2-learning global-mac-table-aging-time"
    r"|forwarding-options enhanced-hash-key ecmp-dlb"
)
NAMED = re.compile(
    r"vlans \S+|interfaces \S+( unit \S+( family \S+)?)?|class-of-service interfaces \S+( unit \S+)?"
    r"|class-of-service forwarding-classes class \S+|class-of-service (schedulers|drop-profiles) \S+"
    r"|class-of-service classifiers \S+ \S+( forwarding-class \S+)?|class-of-service scheduler-maps \S+"
    r"|class-of-service congestion-notification-profile \S+|policy-options policy-statement \S+( term \S+)?"
    r"|protocols bgp group \S+( neighbor \S+)?|protocols (dcbx|lldp) interface \S+"
)
"""Entries that remain, empty, when everything in them is deleted."""
FOREIGN = """
set vlans v3999 vlan-id 3999
set vlans v3999 l3-interface irb.3999
set interfaces irb unit 3999 family inet address 192.0.2.1/24
set interfaces et-0/0/63 mtu 1514
set interfaces et-0/0/63 unit 0 family ethernet-switching vlan members v3999
set interfaces et-0/0/1 description mine
set interfaces lo0 unit 0 family inet address 198.51.100.1/32
set protocols bgp group others type external
set protocols bgp group others neighbor 192.0.2.2 peer-as 64999
set class-of-service forwarding-classes class mine queue-num 1
set policy-options policy-statement mine then accept
"""


class RefusedError(Exception):
    """The commit or one of its lines is rejected."""


class JunosSwitch:
    """``values``: statement -> value, None for a flag or a list item. ``entries``: named entries."""

    def __init__(self, *, planted: bool) -> None:
        self.values: dict[str, str | None] = {}
        self.entries: set[str] = set()
        if planted:
            self.load(FOREIGN)

    def rollout(self, files: Files) -> None:
        for name in ("interfaces.txt", "roce.txt", "arp.txt"):
            self.load(files.get(name, ""))

    def apply(self, change: Change) -> None:
        for part in change.parts:
            assert part.apply.startswith("load set {file}; ")
            self.load(part.text)
            self.check()

    def load(self, text: str) -> None:
        for line in text.splitlines():
            if line.startswith("set "):
                for one in statements(line.removeprefix("set ")):
                    self.put(one)
            elif line.startswith("delete "):
                self.delete(line.removeprefix("delete "))
            elif line and not line.startswith("#"):
                raise RefusedError(line)

    def put(self, line: str) -> None:
        words = line.split(" ")
        for end in range(1, len(words) + 1):
            if NAMED.fullmatch(" ".join(words[:end])):
                self.entries.add(" ".join(words[:end]))
        one = ONE_VALUE.match(line)
        if one and one[0] != line:
            self.values[one[0]] = line.removeprefix(one[0]).strip()
        elif line not in self.entries:
            self.values[line] = None

    def delete(self, path: str) -> None:
        gone = [each for each in (*self.values, *self.entries) if f"{each} ".startswith(f"{path} ")]
        if not gone:
            raise RefusedError(f"statement not found: {path}")
        for each in gone:
            self.values.pop(each, None)
            self.entries.discard(each)

    def check(self) -> None:
        """``commit check``."""
        for unit in (each for each in self.entries if re.fullmatch(r"interfaces \S+ unit \S+", each)):
            below = [e for e in self.entries if e.startswith(f"{unit} family ")]
            families = {e.rpartition(" ")[2] for e in below}
            if "ethernet-switching" in families and families & {"inet", "inet6"}:
                raise RefusedError(f"{unit} switches and routes")
        members = {each.rpartition(" ")[2] for each in self.values if " vlan members " in each}
        if missing := {name for name in members if f"vlans {name}" not in self.entries}:
            raise RefusedError(f"no such VLAN: {missing}")
        points = [e for e in self.values if e.startswith("class-of-service classifiers ")]
        marks = [(e.split(" ")[2], e.split(" ")[3], e.rpartition(" ")[2]) for e in points]
        if len(set(marks)) < len(marks):
            raise RefusedError("a code point is in two classes")
        for line, value in self.values.items():
            if (
                line.endswith(" congestion-notification-profile")
                and f"{PROFILES} {value}" not in self.entries
            ):
                raise RefusedError(f"no such profile: {value}")
            if line.endswith(" l3-interface") and f"interfaces irb unit {str(value)[4:]}" not in self.entries:
                raise RefusedError(f"no such interface: {value}")
        if twice := self.twice():
            raise RefusedError(f"overlapping subnets: {twice}")

    def twice(self) -> list[str]:
        """Addresses on more than one interface."""
        found = [each.rpartition(" ")[2] for each in self.values if " address " in each]
        return sorted({one for one in found if found.count(one) > 1})

    def said(self) -> set[str]:
        """Every statement; ports, irb and lo0 count even if they are empty."""
        lines = {f"{line} {value}" if value is not None else line for line, value in self.values.items()}
        return lines | {f"entry {e}" for e in self.entries if not re.fullmatch(r"interfaces \S+", e)}


PROFILES = "class-of-service congestion-notification-profile"


def statements(line: str) -> Iterator[str]:
    """The statements of a line: it may have a list, or several settings in a row."""
    match = re.fullmatch(
        r"(class-of-service forwarding-classes class \S+) queue-num (\d+)(?: (no-loss) pfc-priority (\d+))?",
        line,
    )
    if match:
        yield f"{match[1]} queue-num {match[2]}"
        if match[3]:
            yield f"{match[1]} no-loss"
            yield f"{match[1]} pfc-priority {match[4]}"
        return
    match = re.fullmatch(r"(.*) interpolate fill-level \[ (.*) \] drop-probability \[ (.*) \]", line)
    if match:
        for name, values in (("fill-level", match[2]), ("drop-probability", match[3])):
            yield from (
                f"{match[1]} interpolate {name} {number} {value}"
                for number, value in enumerate(values.split())
            )
        return
    match = re.fullmatch(r"(.*) code-points \[ (.*) \]", line)
    if match:
        yield from (f"{match[1]} code-points {value}" for value in match[2].split())
    else:
        yield line
