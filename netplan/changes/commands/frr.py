"""FRR's own configuration: the lines of ``router bgp``, as ``vtysh -f`` takes them.

A line in _SINGLE or _OF_NEIGHBOUR replaces the one before; any other adds. ``no`` plus the line removes it
(FRR user guide, BGP). A neighbour is removed as a whole, with ``no neighbor <address>``.
"""

from __future__ import annotations

from collections.abc import Iterable

_SINGLE = (("bgp", "router-id"), ("maximum-paths",))
_OF_NEIGHBOUR = ("remote-as", "description")
_ENDS = frozenset({"exit", "exit-address-family", "!"})
Line = tuple[str, str]
"""(header, line); the header is empty for ``router bgp`` itself."""


def asn(text: str) -> str:
    """The line that opens the block, with the AS number."""
    return _read(text)[0]


def change(old: str, new: str) -> str:
    """The lines to enter; empty if nothing changes."""
    before, lines_before = _read(old)
    after, lines_after = _read(new)
    if (before, lines_before) == (after, lines_after):
        return ""
    if before != after:  # another AS number means another BGP instance
        gone = f"no {before}\n" if before else ""
        return gone + (_written(after, lines_after) if after else "")
    keys = {_key(line) for line in lines_after}
    gone_lines = [line for line in lines_before if _key(line) not in keys]
    removed = _removals(gone_lines)
    added = [line for line in lines_after if line not in set(lines_before)]
    return _written(after, [*removed, *added])


def both(old: str, new: str) -> str:
    before, lines_before = _read(old)
    after, lines_after = _read(new)
    if before != after:
        return new or old
    keys = {_key(line) for line in lines_after}
    return _written(after, [*lines_after, *(line for line in lines_before if _key(line) not in keys)])


def _read(text: str) -> tuple[str, list[Line]]:
    router, family, found = "", "", list[Line]()
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith(("!", "#")):
            continue
        if line.startswith("router bgp "):
            router, family = line, ""
        elif line.startswith("address-family "):
            family = line
        elif line in _ENDS:
            family = ""
        elif (family, line) not in found[-1:]:
            found.append((family, line))
    return router, list(dict.fromkeys(found))


def _key(line: Line) -> tuple[str, ...]:
    """Key of a line: of two lines with the same key the later one applies."""
    words = tuple(line[1].split())
    for single in _SINGLE:
        if words[: len(single)] == single:
            return (line[0], *single)
    if words[0] == "neighbor" and words[2:3] and words[2] in _OF_NEIGHBOUR:
        return (line[0], *words[:3])
    return (line[0], *words)


def _removals(gone: list[Line]) -> list[Line]:
    """Address families first, then neighbours; lines that go with a removed neighbour are not removed
    again."""
    whole = {line.split()[1] for family, line in gone if not family and " remote-as " in line}
    found = [
        (family, line.removeprefix("no ") if line.startswith("no ") else f"no {line}")
        for family, line in gone
        if not (line.startswith("neighbor ") and line.split()[1] in whole)
    ]
    return [
        *sorted(found, key=lambda each: not each[0]),
        *(("", f"no neighbor {one}") for one in sorted(whole)),
    ]


def _written(router: str, lines: Iterable[Line]) -> str:
    """Lines in order: a neighbour exists before an address family activates it."""
    families: dict[str, list[str]] = {"": []}
    for family, line in lines:
        families.setdefault(family, []).append(line)
    text = [router, *(f" {line}" for line in families.pop(""))]
    for family, inner in families.items():
        text += [f" {family}", *(f"  {line}" for line in inner), " exit-address-family"]
    return "\n".join([*text, "exit", ""])
