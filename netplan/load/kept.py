"""Entries of large inventories, kept from run to run: where one host changed, only that host is parsed again.

An *entry* is what stands below one name of a top-level map, such as a host, or an item of a top-level list,
such as a link: from its line to the next that is indented no deeper. It is kept where the parser found it and
what follows it at the beginnings of these lines, and nothing else of that level between. Its value then
depends on its own text alone, since no anchor crosses its borders (a file with ``&`` is parsed as it is).

A run parses the file with a stub in the place of each entry that it knows. Where that has any problem, or a
stub is not found where it was put, the file is parsed as it is: what is reported never comes from here. The
positions within an entry are made when somebody asks for one.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from netplan import __version__, user_cache
from netplan.model.document import Places, SourceMap
from netplan.yaml12 import MAX_NODES, Parsed, parse

LARGE = 256 << 10
"""Characters of a file below which parsing costs less than keeping: some 150 hosts written out."""
MAX_BYTES = 256 << 20
"""Of what is kept of one file. 12,500 hosts of 8 HCAs take 12 MiB."""
MOST = 16
"""Files that are remembered; the one stored longest ago is forgotten first."""
RENEWED_AT = 0.1
"""Part of the entries that is new. An edit of one host does not write all others to disk again."""
_SMALLEST = 60
"""Characters of an entry; a stub for less saves nothing."""
_LINE = re.compile(r"\n {0,2}(?=[^\s#])")
"""The beginning of what is indented no deeper than an entry."""
_HEAD = re.compile(r"  ([A-Za-z0-9][\w.-]*:)(?=[ \n])|(?:  )?(-)(?= [A-Za-z0-9{\[\"'])", re.ASCII)
"""Of an entry: a name, or the hyphen of an item."""
_DIGEST = sha256().digest_size
_VERSION = f"1 {__version__} {sys.version}"
Known = Mapping[bytes, tuple[Any, int]]
"""By digest of an entry's text: its value, and where in the text that begins."""


class Entry(NamedTuple):
    """Offsets in the text: ``start`` of its line, ``at`` of its name or hyphen, ``head_end`` behind that,
    ``end`` of the line that follows it, ``behind`` of what stands there. ``digest``: of its text."""

    start: int
    at: int
    head_end: int
    end: int
    behind: int
    digest: bytes


Found = dict[int, tuple[Any, Any, int]]
"""By the offset of a name or hyphen: ``container, part`` of what it stands for, the offset of its value."""


def parse_kept(name: str, text: str, places: Places) -> Parsed:
    """As `netplan.yaml12.parse`, of a file."""
    folder = user_cache.folder_of("inventories")
    if folder is None or not _may_be_kept(text) or not Path(name).is_file():
        return parse(name, text, places)
    place = folder / sha256(os.fsencode(os.path.realpath(name))).hexdigest()[:32]
    known, entries = _load(place), list(_entries(text))
    base = places.sources.end
    parsed = _filled(name, text, _each_once(entries, known), known, places)
    if parsed is None:
        parsed = parse(name, text, places)
    new = sum(entry.digest not in known for entry in entries)
    if not parsed.problems and new > RENEWED_AT * len(entries):
        _store(place, _now(parsed, places, entries, base))
    return parsed


def _may_be_kept(text: str) -> bool:
    """Without anchors, and with too few signs to come near the number of values that the parser allows in a
    file; without what it takes out of the text before it reads it."""
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
    """Those that are known. Of two with one text, in different maps, one: positions go by identity."""
    first = {entry.digest: entry for entry in reversed(entries)}
    return [entry for entry in entries if entry.digest in known and first[entry.digest] is entry]


def _now(parsed: Parsed, places: Places, entries: Sequence[Entry], base: int) -> Known:
    """The entries that may be kept."""
    found = _found(parsed, places)
    behind = dict(pairwise([*sorted(found), places.sources.end - 1]))
    kept = {}
    for entry in entries:
        if behind.get(base + entry.at) == base + entry.behind:
            container, part, value_at = found[base + entry.at]
            kept[entry.digest] = container[part], value_at - base - entry.start
    return kept


def _found(parsed: Parsed, places: Places) -> Found:
    """What is in the top-level map, and in the maps and lists below it."""
    found: Found = {}
    _find(parsed.data, parsed.root, places, found)
    for container, key, value_at in list(found.values()):
        _find(container[key], value_at, places, found)
    return found


def _find(container: Any, begins: int, places: Places, found: Found) -> None:
    """A map in flow style begins before its first key: there, lines mean nothing. In a list of that style no
    item has a hyphen before it, so an offset that is none of a hyphen meets no entry."""
    if isinstance(container, dict):
        rows = list(places.entries(container))
        if rows and rows[0][2] == begins:
            found.update((key_at, (container, key, value_at)) for key, _, key_at, value_at in rows)
    elif isinstance(container, list):
        for number, item_at in enumerate(places.items(container)):
            found[item_at - len("- ")] = container, number, item_at


# The file with stubs.


def _filled(name: str, text: str, entries: Sequence[Entry], known: Known, places: Places) -> Parsed | None:
    """The file, with these entries from what is known; None where it has to be parsed as it is."""
    if not entries:
        return None
    skeleton, stubs, original = _skeleton(text, entries)
    scratch = Places(SourceMap())
    parsed = parse(name, skeleton, scratch)
    found = {} if parsed.problems else _found(parsed, scratch)
    if not all(at in found and found[at][0][found[at][1]] == 0 for at in stubs):
        return None
    values_at = {found[at][2]: entry.start + known[entry.digest][1] for at, entry in stubs.items()}
    base = places.sources.add(name, text)
    _put(parsed.data, parsed.data, scratch, places, lambda at: base + (values_at.get(at) or original(at)))
    later = _positions(text, base, places)
    for at, entry in stubs.items():
        container, part, _ = found[at]
        value = container[part] = known[entry.digest][0]
        places.put_later(value, later, entry.start, entry.end)
    return Parsed(parsed.data, [], base + original(parsed.root))


def _skeleton(text: str, entries: Sequence[Entry]) -> tuple[str, dict[int, Entry], Callable[[int], int]]:
    """The text with stubs; the entry of each by the offset of its name or hyphen; and what gives the offset
    in the text of anything but the values of stubs."""
    parts: list[str] = []
    stubs: dict[int, Entry] = {}
    size, done, ends, missing = 0, 0, [0], [0]
    for entry in entries:
        before = text[done : entry.head_end]
        stubs[size + entry.at - done] = entry
        parts += [before, " 0\n"]
        size, done = size + len(before) + len(" 0\n"), entry.end
        ends.append(size)
        missing.append(done - size)
    parts.append(text[done:])
    return "".join(parts), stubs, lambda at: at + missing[bisect_right(ends, at) - 1]


def _positions(text: str, base: int, places: Places) -> Callable[[Any, int, int], None]:
    """What puts the offsets of the value of an entry, from where it starts and ends in the text."""

    def put(value: Any, start: int, end: int) -> None:
        scratch = Places(SourceMap())
        alone = parse("", text[start:end], scratch).data
        (same,) = alone.values() if isinstance(alone, dict) else alone
        _put(value, same, scratch, places, lambda at: base + start + at)

    return put


def _put(value: Any, same: Any, known: Places, places: Places, moved: Callable[[int], int]) -> None:
    """The offsets of all maps and lists of ``value`` from those ``known`` of its equal."""
    if isinstance(value, dict):
        rows = list(known.entries(same))
        places.put(value, [moved(at) for row in rows for at in row[2:]])
        for key, below, *_ in rows:
            _put(value[key], below, known, places, moved)
    elif isinstance(value, list):
        places.put(value, [moved(at) for at in known.items(same)])
        for item, below in zip(value, same, strict=True):
            _put(item, below, known, places, moved)


# On disk.


def _load(place: Path) -> Known:
    if not user_cache.is_private(place.parent):
        return {}
    try:
        kept = user_cache.load(place, MAX_BYTES)
    except OSError:
        return {}
    digest, data = kept[:_DIGEST], kept[_DIGEST:]
    if sha256(data).digest() != digest:  # marshal may crash on a damaged file
        return {}
    version, known = marshal.loads(data)
    return known if version == _VERSION else {}


def _store(place: Path, known: Known) -> None:
    data = marshal.dumps((_VERSION, dict(known)))
    if len(data) < MAX_BYTES and user_cache.store(place, sha256(data).digest() + data):
        user_cache.forget(place.parent, MOST)
