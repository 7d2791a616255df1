"""The result of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Word = Literal[
    "reboot", "drain", "twice", "forwarding", "readdressed", "link", "session", "traffic", "remake", "plugin",
    "new-pods", "by-hand", "stays", "unknown", "live", "none",
]  # fmt: skip
REMADE: frozenset[Word] = frozenset({"remake", "new-pods", "readdressed"})
"""Effects that require running pods to be recreated."""
WORDS: Mapping[Word, str] = {
    "reboot": "nodes reboot",
    "drain": "nodes drain",
    "twice": "duplicate address",
    "forwarding": "forwarding stops",
    "readdressed": "addresses move under running pods",
    "link": "links go down and up",
    "session": "BGP sessions are reset",
    "traffic": "traffic is interrupted",
    "remake": "pods have to be recreated",
    "plugin": "a device plugin or operator restarts",
    "new-pods": "new pods only",
    "by-hand": "needs manual work",
    "stays": "stays until it is removed",
    "unknown": "not known",
    "live": "live, nothing is interrupted",
    "none": "no running component uses it",
}
"""Worst first: what a person has to know first."""
ORDER: Mapping[str, int] = {word: place for place, word in enumerate(WORDS)}
Status = Literal["read", "documented", "reasoned", "unconfirmed"]
Part = Literal["kubernetes", "hosts", "pods", "switches"]
ChangeKind = Literal["", "new", "gone", "changed", "type", "labels"]
"""What happened to an object or host as a whole; empty if the row is about a part of it."""
INSTALLED: frozenset[ChangeKind] = frozenset({"new", "type"})
"""Changes of hosts whose files are listed separately."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a kind of change causes. ``source``: public, with the place in it; empty if ``status`` is reasoned
    or unconfirmed. ``status``: how certain it is."""

    word: Word
    what: str
    source: str
    status: Status


@dataclass(frozen=True, slots=True)
class Touched:
    """Something that changes, and the effect. ``target``: switch, object, host or workload.

    ``change``: what changed, ``old -> new`` if there are values. ``where``: affected nodes or pods. ``kind``:
    set for an object or host as a whole.
    """

    part: Part
    target: str
    change: str
    effect: Effect
    where: str = ""
    kind: ChangeKind = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A change of the inventory. ``place``: file and line, in the new inventory if it is there."""

    path: str
    old: str
    new: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """``files``: paths added, removed and changed. ``untouched``: sentences on what is equal on both sides.
    ``notes``: what was not compared, and why."""

    intent: tuple[Intent, ...]
    effects: tuple[Touched, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    untouched: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def same(self) -> bool:
        return not (self.intent or self.added or self.removed or self.changed)
