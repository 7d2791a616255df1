"""Parses a file with stubs in place of cached entries (`netplan.load.kept`), and puts the entries there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from netplan.model.document import Places, SourceMap
from netplan.yaml12 import Parsed, parse

Known = Mapping[bytes, tuple[list[Any], list[int], str]]
"""Digest of an entry's text -> its value or the values of its items, their offsets in the text, and the
section."""


class Entry(NamedTuple):
    """Offsets in the file's text, and the digest of the entry's text.

    ``start``: of its line. ``at``: of its name or first hyphen. ``head_end``: after that. ``end``: of the
    line that follows the entry. ``behind``: of the first character on that line after the indentation.
    """

    start: int
    at: int
    head_end: int
    end: int
    behind: int
    digest: bytes


Found = dict[int, tuple[Any, Any, int, str]]
"""Offset of a name or hyphen -> (container, key or index in it, offset of the value, key of the top-level map
that the container is the value of, "" for this map itself)."""


Stretches = dict[int, Sequence[Entry]]
"""Offset of a stub's name or hyphen in the file with stubs -> the entries that it stands for."""


def filled(
    name: str,
    text: str,
    entries: Sequence[Entry],
    known: Known,
    places: Places,
    accepted: dict[int, Any],
) -> Parsed | None:
    """The parsed file with these entries taken from the cache; None if it has to be parsed in full. Adds to
    ``accepted`` those that were in the same section before."""
    if not entries:
        return None
    skeleton, stretches, original = _skeleton(text, _stretches(entries, known))
    scratch = Places(SourceMap())
    parsed = parse(name, skeleton, scratch)
    found = {} if parsed.problems else found_in(parsed, scratch)
    if not _stand(stretches, found):
        return None
    with_stubs = {id(found[at][0]): found[at][0] for at in stretches}.values()
    whole = [
        (each, list(_whole(_rows(each, scratch), stretches, text, known, original))) for each in with_stubs
    ]
    if any(_has_twice(each, rows) for each, rows in whole):
        return None
    base = places.sources.add(name, text)
    _put(parsed.data, parsed.data, scratch, places, lambda at: base + original(at))
    for container, rows in whole:
        _fill(container, rows, places, base)
    values = {entry.start: known[entry.digest][0] for entry in entries}
    later = _positions(text, base, places, values)
    for at, stretch in stretches.items():
        containers = _containers(stretch, known)
        places.put_later(later, containers)
        if found[at][3] == known[stretch[0].digest][2]:
            accepted.update((id(value), value) for value, _, _ in containers)
    return Parsed(parsed.data, [], base + original(parsed.root))


def _stand(stretches: Stretches, found: Found) -> bool:
    """Whether each stub is an entry where it was put."""
    return all(at in found and found[at][0][found[at][1]] == 0 for at in stretches)


def _containers(stretch: Sequence[Entry], known: Known) -> list[tuple[Any, int, int]]:
    """Maps and lists among the values, which have an identity of their own; start and end of each entry."""
    return [
        (value, entry.start, entry.end)
        for entry in stretch
        for value in known[entry.digest][0]
        if type(value) in (dict, list)
    ]


def _stretches(entries: Sequence[Entry], known: Known) -> list[list[Entry]]:
    """Entries that follow each other directly, at the same indentation, and were in one section before: each
    begins where the one before it left the parser, so a stub for the first stands for all."""
    stretches: list[list[Entry]] = []
    end, before = -1, None
    for entry in entries:
        is_item = entry.head_end - entry.at == len("-")
        like = entry.at - entry.start, is_item, known[entry.digest][2]
        if entry.start == end and like == before:
            stretches[-1].append(entry)
        else:
            stretches.append([entry])
        end, before = entry.end, like
    return stretches


def _skeleton(text: str, stretches: Iterable[Sequence[Entry]]) -> tuple[str, Stretches, Callable[[int], int]]:
    """The text with a stub for each stretch; and a function that maps an offset in it to the original text,
    for anything but the values of stubs."""
    parts: list[str] = []
    stubs: Stretches = {}
    size, done, ends, missing = 0, 0, [0], [0]
    for stretch in stretches:
        before = text[done : stretch[0].head_end]
        stubs[size + stretch[0].at - done] = stretch
        parts += [before, " 0\n"]
        size, done = size + len(before) + len(" 0\n"), stretch[-1].end
        ends.append(size)
        missing.append(done - size)
    parts.append(text[done:])
    return "".join(parts), stubs, lambda at: at + missing[bisect_right(ends, at) - 1]


Row = tuple[str, Any, int, int]
"""Key ("" in a list), value, offset of the key or hyphen, offset of the value."""


def _rows(container: Any, places: Places) -> Iterable[Row]:
    if isinstance(container, dict):
        return places.entries(container)
    pairs = zip(container, places.items(container), strict=True)
    return (("", item, at - len("- "), at) for item, at in pairs)


def _whole(
    rows: Iterable[Row], stretches: Stretches, text: str, known: Known, original: Callable[[int], int]
) -> Iterator[Row]:
    """Rows of the file with stubs -> rows of the whole file."""
    for key, value, at, value_at in rows:
        if at not in stretches:
            yield key, value, original(at), original(value_at)
        for entry in stretches.get(at, ()):
            name = text[entry.at : entry.head_end - len(":")]
            for value, value_at in zip(*known[entry.digest][:2], strict=True):
                yield name, value, entry.at, entry.start + value_at


def _has_twice(container: Any, rows: Sequence[Row]) -> bool:
    """Whether a name is in a map twice, which a parser would report."""
    return isinstance(container, dict) and len({key for key, *_ in rows}) < len(rows)


def _fill(container: Any, rows: Sequence[Row], places: Places, base: int) -> None:
    if isinstance(container, dict):
        container.clear()
        container.update((key, value) for key, value, _, _ in rows)
        places.put(container, [base + at for row in rows for at in row[2:]])
    else:
        container[:] = [value for _, value, _, _ in rows]
        places.put(container, [base + value_at for *_, value_at in rows])


def _positions(
    text: str, base: int, places: Places, values: Mapping[int, list[Any]]
) -> Callable[[Any, int, int], None]:
    """A callback that computes and stores the positions within one entry, by parsing its text alone.
    ``values``: of each entry, by its start."""

    def put(_value: Any, start: int, end: int) -> None:
        scratch = Places(SourceMap())
        alone = parse("", text[start:end], scratch).data
        same = alone.values() if isinstance(alone, dict) else alone
        for value, below in zip(values[start], same, strict=True):
            _put(value, below, scratch, places, lambda at: base + start + at)

    return put


def _put(value: Any, same: Any, known: Places, places: Places, moved: Callable[[int], int]) -> None:
    """Copy the offsets of all maps and lists from ``same``, an equal value, to ``value``, each through
    ``moved``."""
    if isinstance(value, dict):
        rows = list(known.entries(same))
        places.put(value, [moved(at) for row in rows for at in row[2:]])
        for key, below, *_ in rows:
            _put(value[key], below, known, places, moved)
    elif isinstance(value, list):
        places.put(value, [moved(at) for at in known.items(same)])
        for item, below in zip(value, same, strict=True):
            _put(item, below, known, places, moved)


def found_in(parsed: Parsed, places: Places) -> Found:
    """Entries of the top-level map, and of the maps and lists directly below it, by offset."""
    found: Found = {}
    _find(parsed.data, parsed.root, places, found, "")
    for container, key, value_at, _ in list(found.values()):
        _find(container[key], value_at, places, found, str(key))
    return found


def _find(container: Any, begins: int, places: Places, found: Found, section: str) -> None:
    """Add the entries of one container to ``found``.

    Flow-style maps, which begin before their first key, are skipped: line starts mean nothing in them. Items
    of flow-style lists have no hyphen, so the offset computed for them matches no entry.
    """
    if isinstance(container, dict):
        rows = list(places.entries(container))
        if rows and rows[0][2] == begins:
            found.update((key_at, (container, key, value_at, section)) for key, _, key_at, value_at in rows)
    elif isinstance(container, list):
        for number, item_at in enumerate(places.items(container)):
            found[item_at - len("- ")] = container, number, item_at, section
