"""One finding for what one key does to many: the hosts of a range, the HCAs of a type, all leaves."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.model.folding import folded
from netplan.model.ranges import MAX_NAMES, RangeError, expand
from netplan.model.values import natural

_NUMBER = re.compile(r"[0-9]+")
_NAMED = 3
"""Ranges of names listed in a message."""
_ENTITY = 2
"""Length of the path of a host or host type."""

Key = tuple[str, Severity, Source | None, str]


def grouped(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Merges findings with the same code and place whose messages differ in numbers only: the first stays,
    with names and number of the others."""
    groups: dict[Key, list[Diagnostic]] = defaultdict(list)
    for d in found:
        groups[d.code, d.severity, d.source, _NUMBER.sub("0", d.message)].append(d)
    for group in groups.values():
        yield group[0] if len(group) == 1 else _one(group)


def _one(group: list[Diagnostic]) -> Diagnostic:
    first = min(group, key=lambda d: (natural(d.message), natural(".".join(map(str, d.path)))))
    messages = sorted({d.message for d in group} - {first.message}, key=natural)
    if not messages:
        return first
    names = dict.fromkeys(_other(first.message, message) for message in messages)
    ranges = [run.texts[0] for run in folded(("", (name,)) for name in names)]
    listed = ", ".join(ranges[:_NAMED]) + (" and others" if len(ranges) > _NAMED else "")
    count = f", {len(messages) + 1} in all" if len(messages) > 1 else ""
    return replace(first, message=f"{first.message}; also {listed}{count}")


def _other(first: str, message: str) -> str:
    """The first word in which a message differs; for a bare number together with the word before it."""
    words = message.split()
    at = next(i for i, (ours, theirs) in enumerate(zip(first.split(), words, strict=True)) if ours != theirs)
    name = words[at].strip(",:;()")
    return f"{words[at - 1]} {name}" if name.isdecimal() and at else name


def with_heirs(data: Any, found: list[Diagnostic]) -> Iterator[Diagnostic]:
    """The same findings; one about a key that several hosts inherit from their range or type also says how
    many."""
    hosts = data.get("hosts") if found and isinstance(data, dict) else None
    heirs: Counter[tuple[str, str]] = Counter()
    total = 0
    for name, host in hosts.items() if isinstance(hosts, dict) else ():
        size = _size(name, host)
        total += size
        if total > 2 * MAX_NAMES:
            break  # no site has that many
        heirs["hosts", name] = size
        if isinstance(host, dict):
            heirs["host_types", str(host.get("type"))] += size
    for d in found:
        count = heirs[str(d.path[0]), str(d.path[1])] if len(d.path) > _ENTITY else 0
        yield replace(d, message=f"{d.message}; {count} hosts inherit it") if count > 1 else d


def _size(name: Any, host: Any) -> int:
    """Hosts that an entry of ``hosts`` stands for."""
    count = host.get("count") if isinstance(host, dict) else None
    try:
        return count if type(count) is int else len(expand(str(name)))
    except RangeError:
        return 0
