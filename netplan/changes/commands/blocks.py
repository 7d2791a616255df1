"""Changes of switches that are configured in blocks of lines: EOS, NX-OS, OS10, Onyx, Comware, VRP.

The meaning of a NOS's lines stands in its ``change.yaml``; nothing here names a NOS.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence, Set
from functools import cache

from netplan.changes.commands.block_both import both, unmapped
from netplan.changes.commands.block_rows import BELOW, Blocks, Row, blocks_of
from netplan.changes.commands.block_steps import BlockDifference, Phase, Step, Steps
from netplan.changes.commands.block_text import Key, Setting, Settings, relisted, settings
from netplan.changes.commands.data import Rules, new_comments
from netplan.changes.commands.in_place import in_place, kinds
from netplan.changes.commands.model import Change, Files, InPlace, Running, Stated, without_lines
from netplan.model.ranges import gathered
from netplan.reading.switches.rules import rules_of as readback_of
from netplan.reading.switches.settled import Effect

STEP = "commands"
_HEADINGS = {
    Phase.EARLY: "first: sessions, addresses and port settings that must be removed before others are added",
    Phase.SET: "new and changed",
    Phase.LATE: "gone",
}
_MOST = 60
"""Longest line quoted in a sentence, in characters."""


_OWN = ("whole", "only")
"""Blocks that are netplan's alone."""


class BlockForm:
    """``Form`` of one NOS."""

    hides = True

    def __init__(self, rules: Rules, blocks: Blocks) -> None:
        self.rules, self.blocks = rules, blocks
        self.negate = blocks.negate
        self._named = kinds(rules.rows["names"])

    def change(self, old: Files, new: Files) -> Change:
        difference = BlockDifference(settings(old, self.blocks), settings(new, self.blocks), self.blocks)
        steps = Steps(difference).all()
        by_hand = (*_by_hand(difference), *new_comments(old, new))
        if not steps:
            return Change((), by_hand, ())
        part = self.rules.part(STEP, _text(steps, self.blocks))
        return Change((part,), by_hand, tuple(dict.fromkeys(self._doubts(steps))))

    def both(self, old: Files, new: Files, held: Collection[int] = ()) -> Files:
        return both(old, unmapped(new, held, self.blocks) if held else new, self.blocks, held)

    def running(self, text: str, planned: Files) -> Running | None:
        """No commands are derived from a running configuration: defaults of the image and lines of others
        cannot be told apart in it."""
        return None

    def in_place(
        self, runs: Mapping[Hashable, Stated], planned: Mapping[Hashable, Stated], text: str
    ) -> Sequence[InPlace]:
        return in_place(self._of, runs, planned, self._named)

    def _of(self, levels: tuple[str, ...]) -> tuple[Hashable, Stated] | None:
        text = "\n".join(" " * (self.blocks.indent * depth) + line for depth, line in enumerate(levels))
        found = self.stated({"": text})
        return next(((key, one) for key, one in found.items() if one.levels == levels), None)

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        found = settings(files, self.blocks)
        return {_named(key, found): self._stated(one, found) for key, one in found.items()}

    def _stated(self, one: Setting, found: Settings) -> Stated:
        line = one.line if one.element is None else relisted(one.line, one.list_at, [one.element])
        levels = (*one.path, line)
        headers = (found.get(one.key[:depth]) for depth in range(1, len(one.key)))
        return Stated(
            levels=(" ".join(levels),) if self.blocks.flat else levels,
            kind=one.row.data.get("line", ""),
            at=BELOW.join(one.path),
            text=line,
            block=BELOW.join(_headers(one, found)),
            own=any(header is not None and header.row.block in _OWN for header in headers)
            or self.blocks.overrides(levels),
            number=one.number,
        )

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        found = {}
        for file, text in files.items():
            own = settings({file: text}, self.blocks)
            numbers = {one.number for key, one in own.items() if _named(key, own) in keys}
            found[file] = without_lines(text, numbers)
        return found

    def line(self, text: str, one: Stated) -> int:
        return one.number

    def _doubts(self, steps: Sequence[Step]) -> Iterator[str]:
        """One sentence for each unconfirmed row, with the first line that uses it."""
        told: set[Row] = set()
        for step in steps:
            if step.gone and step.row not in told:
                told.add(step.row)
                verb = "replaces" if step.line != step.gone and _sets(step) else "removes"
                at = f" under {' / '.join(step.path)}" if step.path and step.line else ""
                line = step.line or step.path[-1]
                yield from self.rules.doubt(step.row.data, f"`{_cut(line)}`{at} {verb} `{_cut(step.gone)}`")


def _named(key: Key, found: Settings) -> Key:
    """The key, without the name of a block of which a switch has only one: another AS number is no other
    setting."""
    parts = enumerate(key, start=1)
    return tuple((part[0],) if _is_only(found.get(key[:depth])) else part for depth, part in parts)


def _is_only(header: Setting | None) -> bool:
    return header is not None and header.row.block == "only"


def _headers(one: Setting, found: Settings) -> Iterator[str]:
    """Of the block that a line is in, or opens; of one that a switch has only once its form."""
    lines = (*one.path, one.line) if one.row.block else one.path
    for depth, line in enumerate(lines, start=1):
        header = found.get(one.key[:depth])
        yield header.row.data["line"] if header is not None and _is_only(header) else line


def _cut(line: str) -> str:
    return line if len(line) <= _MOST else f"{line[: _MOST - 3]}..."


def _sets(step: Step) -> bool:
    return step.phase is Phase.SET and step.rank[1] > 0


@cache
def block_form(rules: Rules) -> BlockForm:
    """Raises ValueError for rows that cannot be used."""
    readback = readback_of(rules.nos, rules.library)
    if readback is None:
        raise ValueError(f"{rules.nos}: change.yaml of blocks goes with a readback.yaml")
    singles = {
        part.pattern: list(single.by)
        for single in readback.singles
        for part in single.parts
        if part.effect is Effect.SET
    }
    return BlockForm(rules, blocks_of(rules.rows, readback.comment, singles, readback.several))


def _by_hand(difference: BlockDifference) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for old, new in difference.kept:
        where = old.path[-1] if old.path else ""
        what = f"`{old.line}` stays" if new is None else f"`{old.line}` -> `{new.line}`"
        groups.setdefault((what if where else "", old.row.keep), []).append(where or what)
    for (what, why), at in groups.items():
        places = gathered(dict.fromkeys(at))
        yield f"{places}: {what}: {why}" if what else f"{places}: {why}"
    moded = [one for one in difference.old.values() if one.row.mode and one.block in difference.reset]
    if moded:
        places = gathered(dict.fromkeys(one.path[-1] for one in moded))
        yield f"{places}: changes its mode; other lines in it are removed, enter them again"
    for old_key, new_key in difference.replaced.items():
        before, after = difference.old[old_key].line, difference.new[new_key].line
        yield f"`{before}` -> `{after}`: other lines in the old block are removed with it, enter them again"


def _text(steps: Sequence[Step], blocks: Blocks) -> str:
    out: list[str] = []
    phases = dict.fromkeys(step.phase for step in steps)
    for phase in phases:
        out.append(f"{blocks.comment[0]} {_HEADINGS[phase]}")
        of_phase = [step for step in steps if step.phase is phase]
        out += _flat(of_phase, blocks) if blocks.flat else _nested(of_phase, blocks)
        then = dict.fromkeys(step.row.then for step in of_phase if step.row.then)
        out += then
    return "\n".join([*out, *blocks.ends, ""])


def _nested(steps: Sequence[Step], blocks: Blocks) -> Iterator[str]:
    """Consecutive steps in the same block share it; a block is left before a line of a higher level."""
    at: tuple[str, ...] = ()
    for step in steps:
        common = 0
        while common < min(len(at), len(step.path)) and at[common] == step.path[common]:
            common += 1
        if not step.line and common == len(step.path):
            common -= 1
        yield from _left(at, common, blocks)
        for depth in range(common, len(step.path)):
            yield " " * (blocks.indent * depth) + step.path[depth]
        if step.line:
            yield " " * (blocks.indent * len(step.path)) + step.line
        at = step.path
    yield from _left(at, 0, blocks)


def _left(at: tuple[str, ...], to: int, blocks: Blocks) -> Iterator[str]:
    for depth in range(len(at), to, -1):
        yield " " * (blocks.indent * depth) + blocks.leave


def _flat(steps: Sequence[Step], blocks: Blocks) -> Iterator[str]:
    for step in steps:
        if not step.line:
            yield from (" ".join(step.path), blocks.leave)
        else:
            yield " ".join((*step.path, step.line))
