"""Cache the parsed entries of large inventories: after an edit of one host only that host is parsed again.

An *entry* is one name of a top-level map with its value, such as a host, or some successive items of a
top-level list, such as links. It runs from its line to the next line indented no deeper that is not of it. An
entry is cached only if the parser found it and its successor at the starts of these lines, with nothing else
of that level in between. Its value then depends on its own text alone, since no anchor crosses its borders (a
file with ``&`` is parsed in full).

Where one entry of a list ends and the next begins depends on the items' text alone, not on their number, so
an item that is inserted or removed changes only the entry that it is in.

A run parses the file with a stub in place of each stretch of cached entries. If that yields any problem, a
stub is not found where it was put, or a name is there twice, the whole file is parsed: no diagnostic ever
comes from the cache. Positions within a cached entry are computed on demand.

An entry of a section that the schema accepted there in an earlier run of the same program is not validated
again. So a file is stored once the schema has decided (`Entries.settle`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b, sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from netplan import program, user_cache
from netplan.load.stubs import Entry, Known, filled, found_in
from netplan.model.document import Places
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
_ITEMS = 16
"""Items of a list in one entry, on average: one by one, 100,000 links take three times as long."""
_LINE = re.compile(
    r"\n(?:  (?P<name>[A-Za-z0-9][\w.-]*:)(?=[ \n])|(?:  )?(?P<item>-)(?= [A-Za-z0-9{\[\"'])"
    r"| {0,2}(?=[^\s#]))",
    re.ASCII,
)
"""Start of a line indented no deeper than an entry; ``name`` or ``item`` if an entry can begin there."""


class Cached(NamedTuple):
    """What is stored of a file. ``accepted``: the schema accepted all of it."""

    version: str
    accepted: bool
    known: Known


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
        parsed = filled(name, text, _each_once(entries, cached.known), cached.known, places, accepted)
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
    for start, at, head_end, end, behind in _stretches_of(text):
        if end - start >= _SMALLEST:
            digest = blake2b(_bytes(text, start, end), digest_size=16).digest()
            yield Entry(start, at, head_end, end, behind, digest)


def _stretches_of(text: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Offsets of each entry, as in `Entry`."""
    first = None  # line, name or hyphen, and what follows it, of the entry that is open
    column = -1  # of the hyphen if that is an item
    last = 0  # start of the line before
    for line in _LINE.finditer(text):
        start, at = line.start() + 1, line.end()
        kind = line.lastgroup
        if kind is not None:
            at = line.start(kind)
        if first is not None:
            if kind == "item" and column == at - start and crc32(_bytes(text, last, start)) % _ITEMS:
                last = start
                continue
            yield *first, start, at
        first = (start, at, line.end()) if kind is not None else None
        column = at - start if kind == "item" else -1
        last = start
    if first is not None:
        yield *first, len(text), len(text)


def _bytes(text: str, start: int, end: int) -> bytes:
    return text[start:end].encode(errors="surrogatepass")


def _each_once(entries: Sequence[Entry], known: Known) -> list[Entry]:
    """The cached entries. Of entries with the same text only the first, since positions go by identity."""
    first = {entry.digest: entry for entry in reversed(entries)}
    return [entry for entry in entries if entry.digest in known and first[entry.digest] is entry]


def _now(parsed: Parsed, text: str, places: Places, entries: Sequence[Entry], base: int) -> Known:
    """The entries of this file that are safe to cache."""
    found = found_in(parsed, places)
    behind = dict(pairwise([*sorted(found), places.sources.end - 1]))
    kept = {}
    for entry in entries:
        if base + entry.at not in found:
            continue
        container, part, value_at, section = found[base + entry.at]
        offsets, last = [value_at], base + entry.at
        if isinstance(part, int):
            after = found.get(base + entry.behind)
            until = after[1] if after is not None and after[0] is container else len(container)
            offsets = places.items(container)[part:until].tolist()
            last = offsets[-1] - len("- ") if offsets else -1
            values = container[part:until]
        elif part == text[entry.at : entry.head_end - len(":")]:
            values = [container[part]]
        else:
            continue
        if behind.get(last) == base + entry.behind:
            kept[entry.digest] = values, [at - base - entry.start for at in offsets], section
    return kept


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
