"""What a change is made of in time: waves, their order, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from netplan.changes.model import Touched, Word
from netplan.changes.states import State
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
    """What ``waves.yaml`` says of a kind. ``interrupts``: what it does always, empty for nothing."""

    title: str
    who: str
    check: tuple[str, ...]
    back: str
    interrupts: str


@dataclass(frozen=True, slots=True)
class Wave:
    """``targets``: switches, hosts' files, objects or workloads. ``effects``: of what it changes.

    ``before``, ``after``: states of the site; the one after it was judged, but for those of a window.
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
        """What does so, and what restarts or nobody knows of. No pool moves under pods that are stopped."""
        words = {*INTERRUPTS, "plugin", "unknown"}
        if self.before.pods == "stopped":
            words.discard("readdressed")
        return tuple(each for each in self.effects if each.effect.word in words)

    @property
    def hand(self) -> tuple[Touched, ...]:
        """Of cables all that is done."""
        return tuple(each for each in self.effects if each.effect.word in HAND or self.kind == "cables")


@dataclass(frozen=True, slots=True)
class Course:
    """``stopped``: workloads whose pods are stopped meanwhile. ``against``: of each order that was not taken,
    or not without stopping pods, what is refuted in it."""

    order: Order
    waves: tuple[Wave, ...]
    stopped: tuple[str, ...] = ()
    against: tuple[tuple[Order, tuple[str, ...]], ...] = ()


INTERRUPTS: frozenset[Word] = frozenset(
    {"reboot", "drain", "twice", "forwarding", "readdressed", "link", "session", "traffic"}
)
"""What stops traffic for a while."""
HAND: frozenset[Word] = frozenset({"by-hand"})
"""What a wave takes beside its files."""


@cache
def rules() -> tuple[Mapping[Kind, WaveRule], Mapping[Order, str]]:
    """Those that ship. ``schemas/waves.schema.json`` has the form, tests hold the file to it."""
    text = (Path(__file__).parent / FILE).read_text(encoding="utf-8")
    data = parse(FILE, text, Places(SourceMap())).data
    waves = {
        kind: WaveRule(row["title"], row["who"], tuple(row["check"]), row["back"], row.get("interrupts", ""))
        for kind, row in data["waves"].items()
    }
    return waves, {order: row["what"] for order, row in data["orders"].items()}
