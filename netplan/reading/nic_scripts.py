"""Checks NIC QoS scripts line by line: unknown lines, and missing ones (``catalog/nic_scripts.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from netplan.catalog import nic_drivers, nic_script_rows
from netplan.model.nic_text import one_blank
from netplan.records import dataclass

_SHELL = "#!/bin/sh"
_PAIRS = ((r"^ *if .*; then$", r"^ *fi$"), (r"^[a-z_]+\(\) \{$", r"^\}$"))
_FUNCTION = re.compile(r"([a-z_]+)\(\) \{\Z")


@dataclass(frozen=True, slots=True)
class _Line:
    """``times``: ``once``, ``any``, or the name of the group of lines it belongs to."""

    pattern: re.Pattern[str]
    times: str


@lru_cache(maxsize=64)
def odd_lines(script: str, text: str) -> tuple[tuple[int, str], ...]:
    """(line, what is wrong there), line 0 for what is missing. ``script``: name of the file, which
    determines the driver."""
    known = next((_lines(d.name) for d in nic_drivers() if d.script == script), ())
    return tuple(_odd(known, one_blank(text))) if known else ()


@cache
def _lines(driver: str) -> tuple[_Line, ...]:
    rows = nic_script_rows()
    own = rows["drivers"].get(driver, ())
    every = rows["every"] if own else ()
    return tuple(_Line(re.compile(row["line"]), row.get("times", "any")) for row in (*every, *own))


def _odd(known: tuple[_Line, ...], text: str) -> Iterator[tuple[int, str]]:
    bodies, count = rows_of_functions(text), dict.fromkeys(known, 0)
    first = text.partition("\n")[0]
    if first != _SHELL:
        yield 1, f"is not {_SHELL}, which runs it: {first[:80]}"
    for name, lines in bodies.items():
        if name in nic_script_rows()["functions"]:
            yield from _changed(name, lines)
            continue
        for number, line in lines:
            found = next((each for each in known if each.pattern.fullmatch(line)), None)
            if found is None:
                yield number, f"is not read: {line}"
                continue
            count[found] += 1
            if count[found] > 1 and found.times != "any":
                yield number, f"is there twice: {line}"
    yield from _lacking(count, set(bodies), text)


def _changed(name: str, lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """A known function whose body was changed; the script's own name in its messages is ignored."""
    wanted = nic_script_rows()["functions"][name].splitlines()
    stated = [re.sub(r'^echo "rdma-nic-qos[a-z0-9-]*:', 'echo "rdma-nic-qos:', line) for _, line in lines]
    if stated != wanted:
        pairs = zip(stated, wanted, strict=False)
        at = next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(stated), len(wanted)))
        yield (lines[min(at, len(lines) - 1)][0] if lines else 0), f"changes the function {name}"


def _lacking(count: dict[_Line, int], functions: set[str], text: str) -> Iterator[tuple[int, str]]:
    groups = {line.times for line, times in count.items() if times and line.times not in ("any", "once")}
    for line, times in count.items():
        if not times and (line.times == "once" or line.times in groups):
            yield 0, f"lacks a line like {line.pattern.pattern.replace(chr(92), '')}"
    called = {name for name in nic_script_rows()["functions"] if re.search(rf"(?m)[ (]{name} [\"0-9$]", text)}
    for name in sorted(called - functions):
        yield 0, f"lacks the function {name}"
    for begins, ends in _PAIRS:
        opened, closed = (len(re.findall(word, text, re.MULTILINE)) for word in (begins, ends))
        if opened != closed:
            yield 0, f"begins {opened} blocks like {begins.strip('^$ *')} and ends {closed}"


def rows_of_functions(text: str) -> dict[str, list[tuple[int, str]]]:
    """Function name, empty for lines outside, -> its logical lines, each with the number of its first
    physical line."""
    found: dict[str, list[tuple[int, str]]] = {"": []}
    into, begun, parts = "", 0, [""]
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not any(parts):
            if not line or line.startswith("#"):
                continue
            if match := _FUNCTION.match(raw):
                into = match[1]
                found.setdefault(into, [])
                continue
            if raw == "}":
                into = ""
                continue
            begun = number
        parts.append(line.removesuffix("\\").strip())
        if not line.endswith("\\"):
            found[into].append((begun, " ".join(filter(None, parts))))
            parts = [""]
    if any(parts):
        found[into].append((begun, " ".join(filter(None, parts))))
    return found
