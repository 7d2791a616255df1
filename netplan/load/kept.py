"""Cache the parsed entries of large inventories: after an edit of one host only that host is parsed again.

An *entry* is one name of a top-level map with its value, such as a host, or one item of a top-level list,
such as a link. It runs from its line to the next line indented no deeper. An entry is cached only if the
parser found it and its successor at the starts of these lines, with nothing else of that level in between.
Its value then depends on its own text alone, since no anchor crosses its borders (a file with ``&`` is
parsed in full).

A run parses the file with a stub in place of each stretch of cached entries. If that yields any problem, a
stub is not found where it was put, or a name is there twice, the whole file is parsed: no diagnostic ever
comes from the cache. Positions within a cached entry are computed on demand.

An entry of a section that the schema accepted there in an earlier run of the same program is not validated
again. So a file is stored once the schema has decided (`Entries.settle`).
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b, sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from netplan import program, user_cache
from netplan.model.document import Places, SourceMap
from netplan.yaml12 import MAX_NODES, Parsed, parse

LARGE = 256 << 10
"""File size in characters below which parsing is cheaper than caching: some 150 hosts written out."""
MAX_BYTES = 256 << 20
"""Limit of the cache of one file. 12,500 hosts with 8 HCAs take 12 MiB."""
MOST = 16
"""Maximum number of cached files; the one stored longest ago is evicted first."""
RENEWED_AT = 0.1
"""Share of new entries above which the cache is rewritten; editing one host does not rewrite all others."""
_SMALLEST = 60
"""Minimum entry size in characters; a stub for a smaller one saves nothing."""
_LINE = re.compile(r"\n {0,2}(?=[^\s#])")
"""Start of a line indented no deeper than an entry."""
_HEAD = re.compile(r"  ([A-Za-z0-9][\w.-]*:)(?=[ \n])|(?:  )?(-)(?= [A-Za-z0-9{\[\"'])", re.ASCII)
"""Start of an entry: its name, or the hyphen of a list item."""
Known = Mapping[bytes, tuple[Any, int, str]]
"""Digest of an entry's text -> its value, the offset of that value in the text, and the section."""


class Cached(NamedTuple):
    """What is stored of a file. ``accepted``: the schema accepted all of it."""

    version: str
    accepted: bool
    known: Known


class Entry(NamedTuple):
    """Offsets in the file's text, and the digest of the entry's text.

    ``start``: of its line. ``at``: of its name or hyphen. ``head_end``: after that. ``end``: of the line that
    follows the entry. ``behind``: of the first character on that line after the indentation.
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


class Entries:
    """What one run takes from the cache and stores there.

    ``accepted``: identity -> value of each entry of a section that the schema is known to accept there.
    ``overlaid``: the values will be changed, so the schema decides about others than those in the files.
    """

    def __init__(self, overlaid: bool) -> None:
        self.accepted: dict[int, Any] = {}
        self._overlaid = overlaid
        self._stores: list[Callable[[bool], None]] = []

    def parse(self, name: str, text: str, places: Places) -> Parsed:
        """As `netplan.yaml12.parse`, with a cache for large regular files."""
        folder, version = user_cache.folder_of("inventories"), None
        if folder is not None and _may_be_kept(text) and Path(name).is_file():
            version = program.version()
        if folder is None or version is None:
            return parse(name, text, places)
        place = folder / sha256(os.fsencode(os.path.realpath(name))).hexdigest()[:32]
        cached, entries = _load(place, version), list(_entries(text))
        base = places.sources.end
        accepted = self.accepted if cached.accepted and not self._overlaid else {}
        parsed = _filled(name, text, _each_once(entries, cached.known), cached.known, places, accepted)
        if parsed is None:
            parsed = parse(name, text, places)
        if not parsed.problems:
            self._stores.append(partial(_store, place, cached, entries, parsed, text, places, base))
        if self._overlaid:
            self.settle(accepted=False)
        return parsed

    def settle(self, accepted: bool) -> None:
        """Store what changed. ``accepted``: the schema has no problem with the document."""
        while self._stores:
            self._stores.pop()(accepted)


def _may_be_kept(text: str) -> bool:
    """Whether the file is large and stubs cannot change the outcome: no anchors, no character that the parser
    strips before reading, and too few indicators to reach the parser's limit on values per file."""
    return (
        len(text) >= LARGE
        and not any(sign in text for sign in "&\r\ufeff")
        and sum(text.count(sign) for sign in ":,-[{") < MAX_NODES
    )


def _entries(text: str) -> Iterator[Entry]:
    lines = [(found.start() + 1, found.end()) for found in _LINE.finditer(text)]
    lines.append((len(text), len(text)))
    for (start, _), (end, behind) in pairwise(lines):
        if end - start >= _SMALLEST and (head := _HEAD.match(text, start)):
            digest = blake2b(text[start:end].encode(errors="surrogatepass"), digest_size=16).digest()
            yield Entry(start, head.start(head.lastindex or 0), head.end(), end, behind, digest)


def _each_once(entries: Sequence[Entry], known: Known) -> list[Entry]:
    """The cached entries. Of entries with the same text only the first, since positions go by identity."""
    first = {entry.digest: entry for entry in reversed(entries)}
    return [entry for entry in entries if entry.digest in known and first[entry.digest] is entry]


def _now(parsed: Parsed, text: str, places: Places, entries: Sequence[Entry], base: int) -> Known:
    """The entries of this file that are safe to cache."""
    found = _found(parsed, places)
    behind = dict(pairwise([*sorted(found), places.sources.end - 1]))
    kept = {}
    for entry in entries:
        if behind.get(base + entry.at) == base + entry.behind:
            container, part, value_at, section = found[base + entry.at]
            if part == text[entry.at : entry.head_end - len(":")] or isinstance(part, int):
                kept[entry.digest] = container[part], value_at - base - entry.start, section
    return kept


def _found(parsed: Parsed, places: Places) -> Found:
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


# The file with stubs.

Stretches = dict[int, Sequence[Entry]]
"""Offset of a stub's name or hyphen in the file with stubs -> the entries that it stands for."""


def _filled(
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
    found = {} if parsed.problems else _found(parsed, scratch)
    if not all(at in found and found[at][0][found[at][1]] == 0 for at in stretches):
        return None
    with_stubs = {id(found[at][0]): found[at][0] for at in stretches}.values()
    whole = [
        (each, list(_whole(_rows(each, scratch), stretches, text, known, original))) for each in with_stubs
    ]
    if any(isinstance(each, dict) and len({row[0] for row in rows}) < len(rows) for each, rows in whole):
        return None
    base = places.sources.add(name, text)
    _put(parsed.data, parsed.data, scratch, places, lambda at: base + original(at))
    for container, rows in whole:
        _fill(container, rows, places, base)
    later = _positions(text, base, places)
    for at, stretch in stretches.items():
        filled = [(known[entry.digest][0], entry.start, entry.end) for entry in stretch]
        containers = [each for each in filled if type(each[0]) in (dict, list)]
        places.put_later(later, containers)
        if found[at][3] == known[stretch[0].digest][2]:
            accepted.update((id(value), value) for value, _, _ in containers)
    return Parsed(parsed.data, [], base + original(parsed.root))


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
            value, value_at, _ = known[entry.digest]
            yield text[entry.at : entry.head_end - len(":")], value, entry.at, entry.start + value_at


def _fill(container: Any, rows: Sequence[Row], places: Places, base: int) -> None:
    if isinstance(container, dict):
        container.clear()
        container.update((key, value) for key, value, _, _ in rows)
        places.put(container, [base + at for row in rows for at in row[2:]])
    else:
        container[:] = [value for _, value, _, _ in rows]
        places.put(container, [base + value_at for *_, value_at in rows])


def _positions(text: str, base: int, places: Places) -> Callable[[Any, int, int], None]:
    """A callback that computes and stores the positions within one entry, by parsing its text alone."""

    def put(value: Any, start: int, end: int) -> None:
        scratch = Places(SourceMap())
        alone = parse("", text[start:end], scratch).data
        (same,) = alone.values() if isinstance(alone, dict) else alone
        _put(value, same, scratch, places, lambda at: base + start + at)

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


# Storage.


def _load(place: Path, version: str) -> Cached:
    stored = user_cache.load_object(place, MAX_BYTES) if user_cache.is_private(place.parent) else None
    match stored:
        case [found, bool(accepted), dict(known)] if found == version:
            return Cached(version, accepted, known)
    return Cached(version, False, {})  # nothing, or of another netplan


def _store(
    place: Path,
    cached: Cached,
    entries: Sequence[Entry],
    parsed: Parsed,
    text: str,
    places: Places,
    base: int,
    accepted: bool,
) -> None:
    new = sum(entry.digest not in cached.known for entry in entries)
    if new > RENEWED_AT * len(entries) or accepted > cached.accepted:
        known = dict(_now(parsed, text, places, entries, base))
        user_cache.store_object(place, (cached.version, accepted, known), MAX_BYTES, MOST)
