"""Keys of classes that a line of a running configuration may decide which no rule reads."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Kind, Of, Site, place
from netplan.importing.text import Entry, listed, todo
from netplan.reading.switches.rules import Rules
from netplan.reading.switches.unread import deciding_lines

KEYS = {
    "dscp": "the one DSCP of the class",
    "lossless": "true if the class has PFC both ways, else remove the key",
    "ecn": "thresholds of ECN in bytes, or remove the key",
    "scheduling": "strict, or remove the key",
    "bandwidth_percent": "its share of the bandwidth in percent, or remove the key",
    "trust": "dscp or pcp",
}


def open_field(key: str, line: str) -> str:
    """Of a class, or of the cluster if the line names no class."""
    return f"open/{key}/{line}"


def open_facts(rules: Rules, text: str, file: str) -> Iterator[Fact]:
    for found in deciding_lines(rules, text):
        of: tuple[Kind, Of] = ("class", (found.number,)) if found.number else ("cluster", ())
        yield Fact(*of, open_field(found.key, found.text), found.text, Source(file, found.line, 1))


def asked_by_lines(site: Site, number: str, key: str, also: str = "", alone: bool = False) -> Entry | None:
    """What the key of a class asks; None if all lines are read. ``number``: empty for what no class has;
    ``also``: what is seen elsewhere; ``alone``: without lines that name no class."""
    lines = [*site.prefixed("class", (number,), open_field(key, ""))]
    lines += [] if alone else site.prefixed("cluster", (), open_field(key, ""))
    if not lines:
        return None
    seen = listed(f"{line} ({place(said.at)})" for line, said in lines)
    return todo(KEYS[key], f"no value follows from {seen}{also}")
