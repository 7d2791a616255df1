"""The commands that lead from one set of settings to another, and their order.

First remove what must go before anything new (sessions, addresses); then set what is new or changed, each
thing before what refers to it; then remove what is gone, each thing after what refers to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from netaddr import IPNetwork
from netaddr.core import AddrFormatError

from netplan.changes.commands.block_rows import Blocks, Row, said
from netplan.changes.commands.block_text import Key, Setting, Settings, listed, relisted


class Phase(IntEnum):
    EARLY = 0
    SET = 1
    LATE = 2


@dataclass(frozen=True, slots=True)
class Step:
    """``line`` is entered below ``path``; no line if the header itself is new. ``gone``: what the step
    removes or replaces."""

    phase: Phase
    rank: tuple[int, ...]
    path: tuple[str, ...]
    line: str
    row: Row
    gone: str


class BlockDifference:
    """``gone``, ``set``: settings to remove and to set. ``before``: old addresses removed before anything is
    set; ``undone``: settings that a new value removes implicitly; ``reset``: blocks that lose their settings
    because their mode changes; ``replaced``: old block -> the block that replaces it."""

    def __init__(self, old: Settings, new: Settings, blocks: Blocks) -> None:
        self.old, self.new, self.blocks = old, new, blocks
        self.gone = {key: one for key, one in old.items() if key not in new and one.row.block != "shared"}
        self.set = {
            key: one
            for key, one in new.items()
            if (key not in old or old[key].value != one.value)
            and not (one.row.block in ("shared", "only") and key in old)
        }
        self.reset = {one.block for one in self._modes()}
        self.replaced = self._replaced()
        self.undone: set[Key] = set()
        self._leave_out()
        self._set_again()
        self.before = self._clashing()

    def _modes(self) -> Iterator[Setting]:
        """Settings of a mode that changes, in existing blocks."""
        known = {key[:-1] for key in self.old}
        for one in (*self.gone.values(), *self.set.values()):
            stays = one.row.keep and one.key not in self.new
            if one.row.mode and one.block in known and not stays:
                yield one

    def _replaced(self) -> dict[Key, Key]:
        """Blocks that can exist only once -> the block that replaces them."""
        new = {(key[:-1], one.row.slot): key for key, one in self.set.items() if one.row.block == "only"}
        return {
            key: new[key[:-1], one.row.slot]
            for key, one in self.gone.items()
            if one.row.block == "only" and (key[:-1], one.row.slot) in new
        }

    def _leave_out(self) -> None:
        """Drop removals that happen anyway: of what goes with its header or with a line it depends on."""
        headers = [key for key, one in self.gone.items() if one.row.block == "whole" or key in self.replaced]
        heads = set(headers)
        for key, one in list(self.gone.items()):
            within = any(key[:depth] in heads for depth in range(1, len(key)))
            if within and not (one.row.address and not self._in_replaced(key)):
                del self.gone[key]
        modes = [self.old[key] for key, one in self.set.items() if one.row.mode and key in self.old]
        for one in [*self.gone.values(), *modes]:
            for key in hanging(one, one.row.takes, self.old):
                self.gone.pop(key, None)

    def _in_replaced(self, key: Key) -> bool:
        return any(key[:depth] in self.replaced for depth in range(1, len(key)))

    def _set_again(self) -> None:
        """Set again what a changed mode, or a removal ahead of the new value, removes too."""
        for key, one in self.new.items():
            if one.block in self.reset and one.row.block != "shared":
                self.set[key] = one
        for key in [*self.set]:
            if key in self.old and self.swaps(key):
                self.set |= {
                    taken: self.new[taken]
                    for taken in hanging(self.old[key], self.old[key].row.takes, self.new)
                }

        for one in [*self.set.values()]:
            self.set |= {key: self.new[key] for key in hanging(one, one.row.again, self.new)}
            self.undone |= set(hanging(one, one.row.again, self.gone))

    def swaps(self, key: Key) -> bool:
        """Whether the old value must be removed before the new one is set."""
        old, new = self.old[key], self.new[key]
        swap = old.row.swap
        return old.value != new.value and (swap == "always" or (swap == "other" and old.row is not new.row))

    def _clashing(self) -> set[Key]:
        """Changing addresses whose network moves to another interface."""
        given = [(key, net) for key, one in self.set.items() if one.row.address and (net := network(one))]
        found: set[Key] = set()
        for key, _ in given:
            was = network(self.old[key]) if key in self.old else None
            if was is not None and any(block[:-1] != key[:-1] and meets(net, was) for block, net in given):
                found.add(key)
        return found

    def by_hand(self, key: Key) -> bool:
        """Whether a person has to set the new value."""
        row = self.new[key].row
        return row.kept and key in self.old and self.old[key].row is row

    @property
    def kept(self) -> list[tuple[Setting, Setting | None]]:
        """Settings shared with others: they stay, and a person sets the new value."""
        shared = {key for key, one in self.old.items() if one.row.block == "shared" and key not in self.new}
        gone = [
            (one, None)
            for key, one in self.old.items()
            if one.row.keep and (key in self.gone or key in shared) and key not in self.replaced
        ]
        changed = [
            (self.old[key], one)
            for key, one in self.set.items()
            if self.by_hand(key) and self.old[key].value != one.value
        ]
        return [*gone, *changed]


def hanging(one: Setting, forms: Iterable[str], among: Settings) -> list[Key]:
    """Keys of settings that go, or come, together with ``one``."""
    if not forms:
        return []
    bound = {name: re.escape(value) for name, value in one.bound.items()}
    lines = re.compile("|".join(said(form, bound, re.escape(one.line)) for form in forms))
    depth = len(one.block)
    return [
        key
        for key, other in among.items()
        if key[:depth] == one.block and lines.fullmatch(" / ".join((*other.path[depth:], other.line)))
    ]


def network(one: Setting) -> IPNetwork | None:
    """The network of a line that gives an interface an address or announces it."""
    if not (one.row.address or one.row.announces):
        return None
    address, length = one.bound.get("address", ""), one.bound.get("mask", "").lstrip("/")
    try:
        return IPNetwork(f"{address}/{length}" if length else address).cidr
    except (AddrFormatError, ValueError):
        return None


def meets(one: IPNetwork, other: IPNetwork) -> bool:
    return bool(one.version == other.version and one.first <= other.last and other.first <= one.last)


class Steps:
    def __init__(self, difference: BlockDifference) -> None:
        self.difference = difference
        self.blocks = difference.blocks
        self.lists = tuple(
            {(one.block, one.row.slot) for one in side.values() if one.element is not None}
            for side in (difference.old, difference.new)
        )
        self.levels = {"": 0} | {name: index for index, name in enumerate(self.blocks.order)}

    def all(self) -> list[Step]:
        found = [*self._removals(), *self._settings()]
        return sorted(found, key=lambda step: (step.phase, step.rank))

    def _removals(self) -> Iterator[Step]:
        difference = self.difference
        going = [
            one for key, one in difference.gone.items() if key in difference.replaced or not one.row.keep
        ]
        swapped = [
            difference.old[key]
            for key in difference.set
            if key in difference.old and (difference.swaps(key) or key in difference.before)
        ]
        for group in _together([*going, *swapped]):
            first = group[0]
            for line in self._forms(group):
                yield self._removal(first, line)

    def _forms(self, group: list[Setting]) -> Iterator[str]:
        """Commands that remove the settings of one line."""
        one = group[0]
        if one.element is None:
            yield from (said(form, one.bound, one.line) for form in one.row.remove)
            return
        rest = (one.block, one.row.slot) in self.lists[1]
        if one.row.clear and (not rest or one.block in self.difference.reset):
            yield said(one.row.clear, one.bound, one.line)
            return
        members = {each.element for each in group if each.element is not None}
        elements = sorted(members - one.row.shipped)
        if not elements:
            return
        bound = {**one.bound, one.row.each: listed(elements, one.line[slice(*one.list_at)])}
        line = relisted(one.line, one.list_at, elements)
        yield from (said(form, bound, line) for form in one.row.remove)

    def _removal(self, one: Setting, line: str) -> Step:
        phase, part = self._when(one)
        level = self.levels[one.row.level]
        place = (-part, -level) if phase is not Phase.SET else (level, part)
        path = one.path if phase is Phase.EARLY else self._path(one)
        top, block, at = one.order
        return Step(phase, (*place, top, -block, -at), path, line, one.row, one.line)

    def _when(self, one: Setting) -> tuple[Phase, int]:
        difference = self.difference
        early = one.key in difference.replaced or one.row.when == "early" or one.key in difference.before
        if one.key in difference.undone or (one.block in difference.reset and not one.row.mode):
            early = True
        if early:
            return Phase.EARLY, 0
        swapped = one.key in difference.set
        if swapped or one.row.when == "first" or one.row.mode or self._moves(one):
            return Phase.SET, 0
        return Phase.LATE, 0

    def _moves(self, one: Setting) -> bool:
        return one.row.moves and any(
            other.row is one.row and other.element == one.element and other.value == one.value
            for other in self.difference.set.values()
        )

    def _path(self, one: Setting) -> tuple[str, ...]:
        """The header lines as they are after the new ones are set."""
        new = self.difference.new
        lines = []
        for depth, line in enumerate(one.path, start=1):
            header = new.get(one.key[:depth])
            lines.append(header.line if header else line)
        return tuple(lines)

    def _settings(self) -> Iterator[Step]:
        difference = self.difference
        wanted = [one for key, one in difference.set.items() if not difference.by_hand(key)]
        for group in _together(wanted):
            one = group[0]
            old = difference.old.get(one.key)
            gone = old.line if old is not None and old.value != one.value else ""
            path, line = (*one.path, one.line), ""
            if not one.row.block:
                path, line = one.path, self._set_line(group)
            rank = (self.levels[one.row.level], self._part(one, old), *one.order)
            yield Step(Phase.SET, rank, path, line, one.row, gone)

    def _set_line(self, group: list[Setting]) -> str:
        one, difference = group[0], self.difference
        if one.element is None:
            return one.line
        elements = sorted(each.element for each in group if each.element is not None)
        has = one.block not in difference.reset and (one.block, one.row.slot) in self.lists[0]
        if one.row.add and has:
            return said(one.row.add, {**one.bound, one.row.each: listed(elements, ",")}, one.line)
        return one.line if not has else relisted(one.line, one.list_at, elements)

    def _part(self, one: Setting, old: Setting | None) -> int:
        """Sort key within a shared budget: what shrinks comes before what grows."""
        if not one.row.budget:
            return 2
        was = _amount(old) if old is not None and old.row.budget else 0
        return 1 if _amount(one) < was else 3


def _amount(one: Setting) -> int:
    text = one.bound.get(one.row.budget, "")
    return int(text[:9]) if text.isdecimal() else 0


def _together(found: Iterable[Setting]) -> list[list[Setting]]:
    """Settings that one line sets together."""
    groups: dict[object, list[Setting]] = {}
    for one in found:
        key: object = one.key if one.element is None else (one.block, one.row.slot, one.value, one.line)
        groups.setdefault(key, []).append(one)
    return list(groups.values())
