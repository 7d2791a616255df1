"""A loaded inventory: plain data, and the file position of everything in it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import accumulate, repeat
from operator import add
from typing import Any, Protocol

from netplan.diagnostics import Diagnostic, Path, Source
from netplan.records import dataclass


def unix_text(text: str) -> str:
    """The text without a byte order mark, and with ``\\n`` as its only line break."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class SourceMap:
    """All texts of an inventory, concatenated: an integer (an *offset*) is a position in any of them."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._texts: list[str] = []
        self._bases: list[int] = []
        self._end = 0
        self._line_starts: dict[int, array[int]] = {}

    @classmethod
    def joined(cls, maps: Iterable[SourceMap]) -> SourceMap:
        """The texts of several maps, to look up lines; a file in two of them is added once."""
        texts = {name: text for m in maps for name, text in zip(m._names, m._texts, strict=True)}
        both = cls()
        for name, text in texts.items():
            both.add(name, text)
        return both

    @property
    def names(self) -> tuple[str, ...]:
        """File names in the order they were added."""
        return tuple(self._names)

    @property
    def end(self) -> int:
        """The offset that the next text begins at."""
        return self._end

    def add(self, name: str, text: str) -> int:
        """Append ``text``, whose only line break is ``\\n``; returns the offset of its first character."""
        base = self._end
        self._names.append(name)
        self._texts.append(text)
        self._bases.append(base)
        self._end += len(text) + 1  # one past the last character belongs to the same file
        return base

    def source(self, offset: int) -> Source:
        """File, line and column of an offset; a file's line table is built on first use."""
        number = bisect_right(self._bases, offset) - 1
        index = offset - self._bases[number]
        starts = self._starts(number)
        line = bisect_right(starts, index)
        return Source(self._names[number], line, index - starts[line - 1] + 1)

    def text(self, name: str) -> str:
        """The whole text of a file; empty for one that was not read."""
        return self._texts[self._names.index(name)] if name in self._names else ""

    def line(self, source: Source) -> str:
        """The whole line a source stands in, without its line break; empty for a file that was not read."""
        if source.file not in self._names:
            return ""
        number = self._names.index(source.file)
        starts = self._starts(number)
        return self._texts[number][starts[source.line - 1] : starts[source.line] - 1]

    def _starts(self, number: int) -> array[int]:
        """Where the lines of a text begin."""
        if number not in self._line_starts:
            lengths = map(add, map(len, self._texts[number].split("\n")), repeat(1))
            self._line_starts[number] = array("Q", accumulate(lengths, initial=0))
        return self._line_starts[number]


class Places:
    """Offsets of the entries of every map and list, in their order.

    A map has two offsets per entry (key, value), a list one per item. They are stored by identity of the
    container, so that data stays plain dicts and lists. Whoever builds a container calls ``put`` when it is
    complete, so the reused identity of a freed container never has stale offsets. ``put_later`` takes a call
    that puts them when somebody asks.
    """

    def __init__(self, sources: SourceMap) -> None:
        self.sources = sources
        self._offsets: dict[int, array[int]] = {}
        self._order: dict[int, dict[str, int]] = {}
        self._later: dict[int, tuple[Callable[[Any, int, int], None], int, int]] = {}

    def put(self, container: Any, offsets: Iterable[int]) -> None:
        self._later.pop(id(container), None)
        self._offsets[id(container)] = array("Q", offsets)
        self._order.pop(id(container), None)

    def put_later(
        self, put: Callable[[Any, int, int], None], containers: Iterable[tuple[Any, int, int]]
    ) -> None:
        """``put`` puts the offsets of a container and of all below it, which only it leads to; it is called
        with the container and the two numbers given beside it."""
        later = {id(container): (put, start, end) for container, start, end in containers}
        for of_freed in self._offsets.keys() & later.keys():
            del self._offsets[of_freed]
        for of_freed in self._order.keys() & later.keys():
            del self._order[of_freed]
        self._later |= later

    def _of(self, container: Any) -> array[int]:
        if (later := self._later.pop(id(container), None)) is not None:
            put, start, end = later
            put(container, start, end)
        return self._offsets[id(container)]

    def entries(self, container: dict[str, Any]) -> Iterable[tuple[str, Any, int, int]]:
        """Key, value, offset of the key and offset of the value, for each entry of a map."""
        offsets = self._of(container)
        for (key, value), key_at, value_at in zip(
            container.items(), offsets[::2], offsets[1::2], strict=True
        ):
            yield key, value, key_at, value_at

    def items(self, container: list[Any]) -> array[int]:
        """Offset of each item of a list."""
        return self._of(container)

    def drop(self, container: Any, part: str | int) -> None:
        """Take an entry out of a map or list, and its offsets."""
        if isinstance(container, dict):
            index = list(container).index(str(part))
            offsets = self._of(container)
            del container[part], offsets[2 * index : 2 * index + 2]
            self._order.pop(id(container), None)
        elif isinstance(part, int):
            offsets = self._of(container)
            del container[part], offsets[part]

    def child(self, container: Any, part: str | int) -> tuple[Any, int, int] | None:
        """Value, offset of the key (or item) and offset of the value; None when there is no such entry."""
        if isinstance(container, dict):
            if id(container) not in self._order:
                self._order[id(container)] = {key: index for index, key in enumerate(container)}
            index = self._order[id(container)].get(part) if isinstance(part, str) else None
            if index is None:
                return None
            offsets = self._of(container)
            return container[part], offsets[2 * index], offsets[2 * index + 1]
        if isinstance(container, list) and isinstance(part, int) and 0 <= part < len(container):
            offset = self._of(container)[part]
            return container[part], offset, offset
        return None

    def source_of(self, container: Any, part: str | int) -> Source:
        """Where the key (or item) is written; the start of the first text if there is no such entry."""
        child = self.child(container, part)
        return self.sources.source(child[1] if child is not None else 0)


class KeptEntries(Protocol):
    """Entries that are kept from run to run (``netplan.load.kept``)."""

    accepted: dict[int, Any]

    def settle(self, accepted: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class Document:
    """One inventory: all its files together.

    ``data`` consists of dict, list, str, int, float, bool and None only; it is None if no file has a usable
    top-level map. It must not be changed: positions are looked up by identity of its maps and lists, and a
    YAML alias is the same object as its anchor. ``root`` is the offset of the top level. ``entries``: what of
    it is kept from run to run.
    """

    data: Any
    problems: tuple[Diagnostic, ...]
    files: tuple[str, ...]
    root: int | None = field(repr=False, compare=False)
    places: Places = field(repr=False, compare=False)
    entries: KeptEntries | None = field(default=None, repr=False, compare=False)

    def locate(self, path: Path) -> Source | None:
        """Where the key of a map entry, or a list item, is written.

        A path that is not in the files (a default, a missing key) gives its nearest existing parent;
        something behind an alias is found at the anchor. None only if there is no file.
        """
        found = self._offsets(path)
        return self.places.sources.source(found[0]) if found else None

    def locate_value(self, path: Path) -> Source | None:
        """Where the value itself begins; otherwise as ``locate``."""
        found = self._offsets(path)
        return self.places.sources.source(found[1]) if found else None

    def _offsets(self, path: Path) -> tuple[int, int] | None:
        if self.root is None:
            return None
        found, here = (self.root, self.root), self.data
        for part in path:
            child = self.places.child(here, part)
            if child is None:
                break
            here, *at = child
            found = (at[0], at[1])
        return found
