"""Merges new files into old ones without removing anything, as files."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from netaddr import IPNetwork

from netplan.changes.commands.block_rows import Blocks
from netplan.changes.commands.block_steps import BlockDifference, hanging, meets, network
from netplan.changes.commands.block_text import (
    Key,
    Line,
    Setting,
    element_key,
    listed,
    parsed,
    relisted,
    settings,
)
from netplan.changes.commands.model import Files


def both(old: Files, new: Files, blocks: Blocks, held: Collection[int] = ()) -> Files:
    """Old and new settings together, without what must go before the new ones can be set: what a mode or
    another block of its kind removes, an address that another interface gets, a share of a budget. ``held``:
    DSCPs that nothing of ``new`` maps, see ``unmapped``."""
    return _Both(old, new, blocks, held).files()


def unmapped(files: Files, held: Collection[int], blocks: Blocks) -> Files:
    """The files without the lines that map these DSCPs, so that the mapping in older files stays in force."""
    found: dict[str, str] = {}
    for file, text in files.items():
        lines = list(_unmapped(parsed(text, blocks), held))
        found[file] = "\n".join([*_printed(lines, (), blocks), ""])
    return found


def _unmapped(lines: list[Line], held: Collection[int]) -> Iterator[Line]:
    for line in lines:
        line.below = list(_unmapped(line.below, held))
        token = line.found.row.code_point if line.found else ""
        if line.found is None or not token:
            yield line
        elif elements := line.elements:
            rest = [each for each in elements if each not in held]
            if rest:
                yield _with(line, rest) if len(rest) < len(elements) else line
        elif not (line.found.bound[token].isdecimal() and int(line.found.bound[token]) in held):
            yield line


class _Both:
    def __init__(self, old: Files, new: Files, blocks: Blocks, held: Collection[int]) -> None:
        self.old, self.new, self.blocks, self.held = old, new, blocks, held
        self.difference = BlockDifference(settings(old, blocks), settings(new, blocks), blocks)
        gets = self.difference.set.values()
        self.modes = {one.row.level for one in self.difference.new.values() if one.row.mode}
        self.barred = {
            key
            for one in self.difference.new.values()
            for key in hanging(one, one.row.bars, self.difference.old)
        }
        self.tops = {key[:1] for key in (*self.difference.new, *self.difference.replaced)}
        self.moved = {(one.row, one.element, one.value) for one in gets if one.row.moves}
        self.stays = set(self._staying())

    def _staying(self) -> Iterator[Key]:
        """Old settings that stay. A network that is on no interface any more is not announced."""
        difference = self.difference
        left = [
            one for key, one in difference.old.items() if key not in difference.new and self._may_stay(one)
        ]
        given = [
            (key, net) for key, one in difference.new.items() if one.row.address and (net := network(one))
        ]
        free = [one for one in left if not _clashes(one, given)]
        on = [net for _, net in given] + [network(one) for one in free if one.row.address]
        yield from (one.key for one in free if not one.row.announces or network(one) in on)

    def _may_stay(self, one: Setting) -> bool:
        difference = self.difference
        if one.key in self.barred or (one.row, one.element, one.value) in self.moved:
            return False
        if len(one.key) > 1 and one.key[:1] not in self.tops:
            return True  # nothing new comes into that block
        lost = one.block in difference.reset and one.row.level in self.modes
        return not lost and not self._goes_first(one.key)

    def _goes_first(self, key: Key) -> bool:
        """Whether a setting goes before the new ones come: with its block, or with a block that replaces
        that."""
        gone = self.difference.gone
        own = len(key) if self._is_held(key) else len(key) + 1
        within = [key[:depth] for depth in range(1, own)]
        return any(
            each in self.difference.replaced or (each in gone and gone[each].row.when == "first")
            for each in within
        )

    def _is_held(self, key: Key) -> bool:
        one = self.difference.old[key]
        number = one.element if one.element is not None else one.bound.get(one.row.code_point, "")
        return bool(one.row.code_point) and str(number).isdecimal() and int(number) in self.held

    def files(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for file in dict.fromkeys([*self.new, *self.old]):
            new = parsed(self.new.get(file, ""), self.blocks)
            old = parsed(self.old.get(file, ""), self.blocks)
            if file not in self.new:
                new = [line for line in old if line.found is None]
            found[file] = "\n".join([*_printed(self._merged(old, new), (), self.blocks), ""])
        return found

    def _merged(self, old: list[Line], new: list[Line]) -> list[Line]:
        """Remaining lines of ``old`` keep their place after the line that preceded them."""
        out = list(new)
        known = {line.key: line for line in new if line.found is not None}
        after = max((n for n, line in enumerate(out, start=1) if line.found is not None), default=0)
        for line in old:
            if line.found is None:
                continue
            same = known.get(line.key)
            if same is not None and not line.elements:
                same.below = self._merged(line.below, same.below)
                after = out.index(same) + 1
                continue
            left = self._left(line)
            if left is not None and not self._grown(left, new):
                out.insert(after, left)
                after += 1
        return out

    def _left(self, line: Line) -> Line | None:
        """What remains of a line."""
        if elements := line.elements:
            rest = [each for each in elements if element_key(line.key, each) in self.stays]
            return _with(line, rest) if rest else None
        if line.below:
            line.below = self._merged(line.below, [])
        return line if line.key in self.stays or line.below else None

    def _grown(self, left: Line, new: list[Line]) -> bool:
        """Whether a new line contains what remains of an old one: a list that is replaced as a whole."""
        if left.found is None or not left.elements or not left.found.row.add:
            return False
        for line in new:
            if line.found is not None and line.key == left.key and line.elements:
                grown = _with(line, sorted({*line.elements, *left.elements}))
                line.text, line.found = grown.text, grown.found
                return True
        return False


def _printed(lines: list[Line], path: tuple[str, ...], blocks: Blocks) -> Iterator[str]:
    flat, margin = blocks.flat, " " * (blocks.indent * len(path))
    for line in lines:
        if flat and path:
            yield " ".join((*path, line.text))
            continue
        if line.left != "none":
            yield margin + line.text
        if flat and line.left == "beside":
            yield margin + blocks.leave
        yield from _printed(line.below, (*path, line.text), blocks)
        if line.left == "below":
            yield margin + " " * blocks.indent + blocks.leave


def _clashes(one: Setting, given: list[tuple[Key, IPNetwork]]) -> bool:
    """Whether another interface gets its network."""
    was = network(one) if one.row.address else None
    return was is not None and any(key[:-1] != one.block and meets(net, was) for key, net in given)


def _with(line: Line, elements: list[int]) -> Line:
    """The line with another list in it."""
    assert line.found is not None
    found, start = line.found, line.found.list_at[0]
    text = listed(elements, line.text[slice(*found.list_at)])
    bound = {**found.bound, found.row.each: text}
    changed = replace(found, bound=bound, list_at=(start, start + len(text)))
    return Line(relisted(line.text, found.list_at, elements), changed, line.key)
