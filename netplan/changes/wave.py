"""A change over time: waves, their order, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from netplan.changes.model import Touched, Word
from netplan.changes.state import State
from netplan.model.document import Places, SourceMap
from netplan.yaml12 import parse

FILE = "waves.yaml"
Kind = Literal[
    "delete", "drain", "join", "stop", "isolate",
    "switches-add", "switches-set", "switches-finish", "switches-remove", "switches-replace",
    "cables", "hosts-add", "hosts-set", "hosts", "hosts-finish",
    "charts", "objects-clear", "objects", "pods", "start", "objects-remove",
]  # fmt: skip
Order = Literal["outward", "inward", "window", "plain"]


@dataclass(frozen=True, slots=True)
class WaveRule:
    """A kind in ``waves.yaml``. ``interrupts``: what it always interrupts, empty for nothing."""

    title: str
    who: str
    check: tuple[str, ...]
    back: str
    interrupts: str


@dataclass(frozen=True, slots=True)
class Wave:
    """``targets``: switches, hosts' files, objects or workloads. ``effects``: of what it changes.

    ``before``, ``after``: states of the site; ``after`` was judged, except in a maintenance window.
    """

    kind: Kind
    targets: tuple[str, ...]
    effects: tuple[Touched, ...]
    before: State
    after: State

    @property
    def of_switches(self) -> bool:
        return self.kind.startswith("switches")

    @property
    def of_hosts(self) -> bool:
        return self.kind.startswith("hosts")

    @property
    def interrupts(self) -> tuple[Touched, ...]:
        """Effects that interrupt, restart, or are unknown. A pool cannot move under stopped pods."""
        words = {*INTERRUPTS, "plugin", "unknown"}
        if self.before.pods == "stopped":
            words.discard("readdressed")
        return tuple(each for each in self.effects if each.effect.word in words)

    @property
    def hand(self) -> tuple[Touched, ...]:
        """Manual work; for cables that is everything."""
        return tuple(each for each in self.effects if each.effect.word in HAND or self.kind == "cables")


@dataclass(frozen=True, slots=True)
class Course:
    """``stopped``: workloads whose pods are stopped meanwhile. ``against``: order not taken, or only with
    pods stopped -> what it refutes."""

    order: Order
    waves: tuple[Wave, ...]
    stopped: tuple[str, ...] = ()
    against: tuple[tuple[Order, tuple[str, ...]], ...] = ()


INTERRUPTS: frozenset[Word] = frozenset(
    {"reboot", "drain", "twice", "forwarding", "readdressed", "link", "session", "traffic"}
)
"""Effects that stop traffic for a while."""
HAND: frozenset[Word] = frozenset({"by-hand"})
"""Effects that need work besides the wave's files."""


@cache
def rules() -> tuple[Mapping[Kind, WaveRule], Mapping[Order, str]]:
    """The rules that ship. ``schemas/waves.schema.json`` has the form; tests validate the file against it."""
    text = (Path(__file__).parent / FILE).read_text(encoding="utf-8")
    data = parse(FILE, text, Places(SourceMap())).data
    waves = {
        kind: WaveRule(row["title"], row["who"], tuple(row["check"]), row["back"], row.get("interrupts", ""))
        for kind, row in data["waves"].items()
    }
    return waves, {order: row["what"] for order, row in data["orders"].items()}
