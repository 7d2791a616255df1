"""Junos: ``delete`` for what is gone, ``set`` for what is new, in one file and one commit.

A ``set`` replaces a single-valued statement and adds to a list. Deleting everything in a named entry leaves
the empty entry behind, so entries that are netplan's own (``whole`` in change.yaml) are deleted by name. An
entry whose lines have lists or several values (``again``) is deleted and all its lines are set again; within
one commit only the difference takes effect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set

from netplan.changes.commands.data import Rules, new_comments, stays
from netplan.changes.commands.exclusive import beaten
from netplan.changes.commands.in_place import in_place, kinds
from netplan.changes.commands.model import Change, Files, InPlace, Running, Stated, without_lines
from netplan.reading.switches.rules import rules_of as readback_of
from netplan.reading.switches.settled_text import numbered

_SET = "set "
_NUMBER = re.compile("[0-9]+")


class SetForm:
    hides = False
    negate = ""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._names: Sequence[str] = rules.rows["files"]
        self._whole = [(_begin(row["path"]), row) for row in rules.rows["whole"]]
        self._single = [_begin(row["path"]) for row in rules.rows["single"]]
        self._code_points = [re.compile(row) for row in rules.rows["code_points"]]
        self._keep = [(re.compile(row["path"]), row["why"]) for row in rules.rows["keep"]]
        self._named = kinds(rules.rows["names"], _SET)

    def change(self, old: Files, new: Files) -> Change:
        before, after = (list(self._statements(files)) for files in (old, new))
        anew = self._anew(before, after)
        gone = self._gone(before, after, anew)
        kept = [(line, why) for line in gone for why in self._kept(line)]
        deleted = self._deleted(gone, kept, after)
        known = set(before)
        added = [line for line in after if line not in known or self._again(line) in anew]
        lines = [*(f"delete {each}" for each in (*deleted, *anew)), *(f"{_SET}{each}" for each in added)]
        if not lines:
            return Change((), (*stays(kept), *new_comments(old, new)), ())
        part = self._rules.part("lines", "".join(f"{line}\n" for line in lines))
        by_hand = (*stays(kept), *new_comments(old, new), self._rules.rows["confirmation"])
        return Change((part,), by_hand, tuple(self._doubts([*deleted, *anew])))

    def _gone(self, before: Iterable[str], after: Iterable[str], anew: Container[str]) -> list[str]:
        """Lines without a new replacement, outside entries that are set again."""
        lines, stems = set(after), {self._stem(line) for line in after}
        left = (line for line in before if line not in lines and self._stem(line) not in stems)
        return [line for line in left if self._again(line) not in anew]

    def _deleted(
        self, gone: Iterable[str], kept: Iterable[tuple[str, str]], after: Iterable[str]
    ) -> list[str]:
        here, staying = _Here(after), {line for line, _ in kept}
        return list(dict.fromkeys(self._path(line, here) for line in gone if line not in staying))

    def both(self, old: Files, new: Files, held: Collection[int] = ()) -> Files:
        if held:
            new = self._held(old, new, held)
        texts = {**old, **new}
        after = list(self._statements(new))
        lines, stems = set(after), {self._stem(line) for line in after}
        entries = {self._again(line) for line in after} - {""}
        gone = beaten(self._statements(old), after, self._rules.rows["exclusive"])
        for name in self._names:
            if name in old and name in new:
                more = [
                    line
                    for line in _statements(old[name])
                    if line not in lines | gone
                    and self._stem(line) not in stems
                    and self._again(line) not in entries
                ]
                texts[name] = new[name] + "".join(f"{_SET}{line}\n" for line in more)
        return texts

    def running(self, text: str, planned: Files) -> Running | None:
        """No commands are derived from a running configuration: defaults of the image and lines of others
        cannot be told apart in it."""
        return None

    def in_place(
        self, runs: Mapping[Hashable, Stated], planned: Mapping[Hashable, Stated], text: str
    ) -> Sequence[InPlace]:
        return in_place(self._of, runs, planned, self._named)

    def _of(self, levels: tuple[str, ...]) -> tuple[Hashable, Stated] | None:
        return next(iter(self.stated({"": levels[0]}).items()), None)

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        found: dict[Hashable, Stated] = {}
        readback = readback_of(self._rules.nos, self._rules.library)
        for text in files.values():
            for number, raw in numbered(readback, text) if readback else ():
                line = " ".join(raw.split())
                if line.startswith(_SET):
                    statement = line.removeprefix(_SET)
                    found[self._stem(statement)] = self._stated(statement, number)
        return found

    def _stated(self, statement: str, number: int) -> Stated:
        stem = self._stem(statement)
        value = statement.removeprefix(stem).strip()
        entries = [match[0] for pattern, _ in self._whole if (match := pattern.match(statement))]
        block = max(entries, key=len, default="")
        return Stated(
            levels=(f"{_SET}{statement}",),
            kind=_NUMBER.sub("#", stem),
            at=stem if value else block,
            text=value or statement.removeprefix(block).strip(),
            block=block,
            own=bool(block),
            number=number,
        )

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        found = {}
        for file, text in files.items():
            stated = self.stated({file: text})
            found[file] = without_lines(text, {one.number for key, one in stated.items() if key in keys})
        return found

    def line(self, text: str, one: Stated) -> int:
        return one.number

    def _held(self, old: Files, new: Files, held: Collection[int]) -> Files:
        """``new`` with these DSCPs as in ``old``, in the entries that both have."""
        entries = {self._again(line) for line in self._statements(new)} - {""}
        texts = dict(new)
        for name in self._names:
            if name in old and name in new:
                lines = [
                    line
                    for raw in new[name].splitlines()
                    for line in ([raw] if not raw.startswith(_SET) else self._coded(raw, held, kept=False))
                ]
                for line in _statements(old[name]):
                    if self._again(line) in entries:
                        lines += self._coded(f"{_SET}{line}", held, kept=True)
                texts[name] = "".join(f"{line}\n" for line in lines)
        return texts

    def _coded(self, line: str, held: Collection[int], kept: bool) -> Iterator[str]:
        """A line limited to its held DSCPs, or to the others; a line without DSCPs is not held."""
        for pattern in self._code_points:
            if match := pattern.fullmatch(line.removeprefix(_SET)):
                bits = [each for each in match["bits"].split() if (int(each, 2) in held) is kept]
                start, end = (place + len(_SET) for place in match.span("bits"))
                if bits:
                    yield f"{line[:start]}{' '.join(bits)}{line[end:]}"
                return
        if not kept:
            yield line

    def _statements(self, files: Files) -> Iterator[str]:
        for name in self._names:
            yield from _statements(files.get(name, ""))

    def _anew(self, before: Iterable[str], after: Iterable[str]) -> dict[str, None]:
        """Entries in both whose lines differ."""
        held: tuple[dict[str, set[str]], dict[str, set[str]]] = ({}, {})
        for side, lines in zip(held, (before, after), strict=True):
            for line in lines:
                if entry := self._again(line):
                    side.setdefault(entry, set()).add(line)
        return {entry: None for entry, lines in held[0].items() if held[1].get(entry, lines) != lines}

    def _again(self, line: str) -> str:
        """The entry that is set again as a whole; empty if there is none."""
        for pattern, row in self._whole:
            match = pattern.match(line) if row["again"] else None
            if match:
                return match[0]
        return ""

    def _stem(self, line: str) -> str:
        """A single-valued statement without its value."""
        for pattern in self._single:
            match = pattern.match(line)
            if match:
                return match[0]
        return line

    def _kept(self, line: str) -> Iterator[str]:
        yield from (why for pattern, why in self._keep if pattern.fullmatch(line))

    def _path(self, line: str, here: _Here) -> str:
        """What to delete: the highest netplan-owned entry with nothing left, or the statement."""
        found = [match[0] for pattern, _ in self._whole if (match := pattern.match(line))]
        return min((each for each in found if each not in here.prefixes), key=len, default=self._stem(line))

    def _doubts(self, entries: Iterable[str]) -> Iterator[str]:
        said: dict[str, None] = {}
        for entry in entries:
            for pattern, row in self._whole:
                match = pattern.match(entry)
                if match and match[0] == entry:
                    said |= dict.fromkeys(self._rules.doubt(row, f"delete {entry}"))
        yield from said


class _Here:
    """The new files: their lines, and every prefix of a line."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = set(lines)
        self.prefixes: set[str] = set()
        for line in self.lines:
            words = line.split(" ")
            self.prefixes |= {" ".join(words[:end]) for end in range(1, len(words) + 1)}


def _begin(path: str) -> re.Pattern[str]:
    """Matches at the beginning of a line, up to a word boundary."""
    return re.compile(f"(?:{path})(?= |$)")


def _statements(text: str) -> Iterator[str]:
    """Statements without ``set``, words separated by one space, each once."""
    seen: set[str] = set()
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if line.startswith(_SET) and line not in seen:
            seen.add(line)
            yield line.removeprefix(_SET)
