"""A difference as text for a terminal, Markdown for a pull request, and data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from netplan.changes.drift import Drift, Drifted
from netplan.changes.drift_words import DIRECTION
from netplan.changes.model import WORDS, Difference, Effect, Intent, Touched, Word
from netplan.changes.show_waves import wave_data, wave_lines, wave_markdown
from netplan.changes.wave import INTERRUPTS, Course
from netplan.markup import cell, escaped
from netplan.printable import printable
from netplan.report import count

_BOLD, _RED, _YELLOW, _END = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[m"
_LOOKED_AT: frozenset[Word] = frozenset({"remake", "plugin", "new-pods", "by-hand", "stays", "unknown"})
"""Effects that interrupt nothing, but that somebody has to act on or know about."""
SAME = "nothing changes"
_DRIFT = "Differences between what runs and what the inventory renders"
_IN_WAVES = "in this order, each wave interrupts only what it lists, and only while it runs"
_FILES = 30
"""Files listed in the text; Markdown folds the list, data has all."""


def lines(found: Difference, way: Course | None = None, color: bool = False) -> Iterator[str]:
    if found.same:
        yield SAME
        yield from map(printable, found.notes)
        return
    if found.intent:
        yield _head("Inventory", color)
        yield from (f"  {line}" for line in _aligned(map(_intent, found.intent)))
    yield _head("Effects of each change, if applied on its own and at once", color)
    for word, rows in groupby(found.effects, key=lambda each: each.effect.word):
        yield f"  {_colored(word, color)}"
        for effect, alike in _by_effect(rows):
            yield from (printable(f"    {_target(each)}: {each.change}") for each in alike)
            yield f"      {_what(effect)}"
    if not found.effects:
        yield "  none: only READMEs and file lists differ"
    if way and way.waves:
        yield _head(f"Waves: {_IN_WAVES}", color)
        yield from wave_lines(way)
    yield _head("Not touched", color)
    yield from (f"  {each}" for each in found.untouched or ("nothing",))
    yield _head(_counted(found), color)
    for sign, paths in (("+", found.added), ("-", found.removed), ("~", found.changed)):
        yield from (printable(f"  {sign} {path}") for path in paths[:_FILES])
        if len(paths) > _FILES:
            yield f"  {sign} and {len(paths) - _FILES} more"
    yield from map(printable, found.notes)


def markdown(found: Difference, way: Course | None = None) -> Iterator[str]:
    """One screen: effects first, inventory and files folded."""
    yield "### netplan diff"
    yield ""
    if found.same:
        yield f"{SAME[0].upper()}{SAME[1:]}."
        return
    if not found.effects:
        yield "Nothing on the wire changes."
        yield ""
    else:
        yield "| effect if applied at once | what | change | |"
        yield "|---|---|---|---|"
        for each in found.effects:
            cells = (f"**{WORDS[each.effect.word]}**", _target(each), each.change, _what(each.effect))
            yield f"| {' | '.join(map(cell, cells))} |"
        yield ""
    if way and way.waves:
        yield "#### Waves"
        yield ""
        yield f"{_IN_WAVES[0].upper()}{_IN_WAVES[1:]}."
        yield ""
        yield from wave_markdown(way)
    yield f"Not touched: {'; '.join(map(escaped, found.untouched)) or 'nothing'}."
    yield ""
    if found.intent:
        yield from _folded("Inventory", (escaped("  ".join(_intent(each))) for each in found.intent))
    signed = [("+", found.added), ("-", found.removed), ("~", found.changed)]
    listed = (f"`{sign} {path}`" for sign, paths in signed for path in paths)
    yield from _folded(_counted(found), listed)
    yield from (f"- {escaped(note)}" for note in found.notes)


def data(found: Difference, way: Course) -> dict[str, Any]:
    return {"same": found.same, **asdict(found), **wave_data(way)}


def drift_lines(found: Drift, color: bool = False) -> Iterator[str]:
    if found.found:
        yield _head(f"{_DRIFT}, {DIRECTION}", color)
    indent = "  " if found.found else ""
    for name in found.compared:
        rows = [each for each in found.found if _is_of(each, name)]
        yield f"{indent}{_head(name, color)}{'' if rows else ': as planned, as far as netplan reads it'}"
        cells = ((_beside(each, name), each.place, "") for each in rows)
        yield from (f"{indent}  {line}" for line in _aligned(cells))
    yield from map(printable, found.notes)


def drift_markdown(found: Drift) -> Iterator[str]:
    yield "### netplan diff: running configuration"
    yield ""
    if found.found:
        yield f"{_DRIFT}, {escaped(DIRECTION)}:"
        yield ""
        yield f"| what | {DIRECTION} | where |"
        yield "|---|---|---|"
        for each in found.found:
            yield f"| {' | '.join(map(cell, (each.target, each.change, each.place)))} |"
        yield ""
    same = [name for name in found.compared if not any(_is_of(each, name) for each in found.found)]
    if same:
        yield f"As planned, as far as netplan reads it: {', '.join(map(escaped, same))}."
    yield from (f"- {escaped(note)}" for note in found.notes)


def _is_of(row: Drifted, name: str) -> bool:
    """Whether the row is about the switch, or about an object of the kind."""
    return row.target == name or row.target.startswith(f"{name} ")


def _beside(row: Drifted, name: str) -> str:
    return " ".join(filter(None, (row.target.removeprefix(name).strip(), row.change)))


def _by_effect(rows: Iterable[Touched]) -> Iterator[tuple[Effect, list[Touched]]]:
    """Groups rows with the same effect."""
    found: dict[Effect, list[Touched]] = {}
    for each in rows:
        found.setdefault(each.effect, []).append(each)
    yield from found.items()


def _target(each: Touched) -> str:
    return f"{each.target} ({each.where})" if each.where else each.target


def _what(effect: Effect) -> str:
    """The effect with its source; without one it follows from what the files state."""
    return f"{effect.what} [{effect.source}]" if effect.source else effect.what


def _intent(each: Intent) -> tuple[str, str, str]:
    change = f"{each.old} -> {each.new}"
    if not each.old:
        change = f"new: {each.new}"
    elif not each.new:
        change = f"gone: {each.old}"
    return each.path, change, each.place


def _aligned(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    listed = list(rows)
    widths = [max((len(row[column]) for row in listed), default=0) for column in range(2)]
    for path, change, place in listed:
        yield printable(f"{path:<{widths[0]}}  {change:<{widths[1]}}  {place}".rstrip())


def _counted(found: Difference) -> str:
    numbers = ((found.added, "added"), (found.removed, "removed"), (found.changed, "changed"))
    return ", ".join(f"{count(len(paths), 'file')} {what}" for paths, what in numbers if paths) or "no file"


def _head(text: str, color: bool) -> str:
    return f"{_BOLD}{text}{_END}" if color else text


def _colored(word: Word, color: bool) -> str:
    code = _RED if word in INTERRUPTS else _YELLOW if word in _LOOKED_AT else ""
    return f"{code}{WORDS[word]}{_END}" if color and code else WORDS[word]


def _folded(title: str, items: Iterable[str]) -> Iterator[str]:
    yield f"<details><summary>{escaped(title)}</summary>"
    yield ""
    yield from (f"- {item}" for item in items)
    yield ""
    yield "</details>"
    yield ""
