"""Lines that a NOS accepts: ``<nos>.yaml`` beside this file, written from public sources, not from templates.

A form is a regular expression with tokens in <>; ``in`` lists its context lines, outermost first. The
``source`` of ``forms`` names one or more of ``sources``: repository, commit and path, or manual and address;
or it is ``unconfirmed``, with the ``reason``. ``known`` ones have a source of nos.yaml, which has ``named``.

``site``: how the tests use the NOS in their fabrics (see ``Facts``); a new NOS needs no Python here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
_QUEUE = "[0-7]"
_DSCP = r"([0-5]?\d|6[0-3])"
_VLAN = r"([1-9]\d{0,2}|[1-3]\d{3}|40\d\d)"
TOKENS: Mapping[str, str] = {
    "n": r"\d+",
    "name": r"[A-Za-z][\w.-]*",
    "ip": r"\d+(\.\d+){3}",
    "cidr": r"\d+(\.\d+){3}/\d+",
    "len": r"([12]?\d|3[0-2])",
    "asn": r"[1-9]\d{0,9}",
    "mtu": r"[1-9]\d{2,3}",
    "percent": r"(100|\d{1,2})",
    "seconds": r"\d+(\.\d{1,2})?",
    "vlan": _VLAN,
    "vlans": rf"{_VLAN}([-, ]{_VLAN}| to {_VLAN})*",
    "queue": _QUEUE,
    "queues": rf"{_QUEUE}([-, ]{_QUEUE}| to {_QUEUE})*",
    "dscp": _DSCP,
    "dscps": rf"{_DSCP}([-, ]{_DSCP})*",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A command and its context lines, outermost first; all without indent."""

    text: str
    under: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Form:
    line: re.Pattern[str]
    under: tuple[re.Pattern[str], ...]

    def matches(self, line: Line) -> bool:
        return (
            self.line.fullmatch(line.text) is not None
            and len(self.under) == len(line.under)
            and all(form.fullmatch(text) for form, text in zip(self.under, line.under, strict=True))
        )


@dataclass(frozen=True, slots=True)
class Grammar:
    """``leave``: the word that leaves a context, "" for a NOS without contexts; ``known``: see ``named``.
    ``cited``: for each group of forms its first line, the names of its sources, its reason or ""."""

    comment: re.Pattern[str]
    leave: str
    forms: tuple[Form, ...]
    known: tuple[Form, ...]
    named: tuple[str, ...]
    sources: Mapping[str, str]
    cited: tuple[tuple[str, tuple[str, ...], str], ...]

    def refused(self, text: str) -> list[Line]:
        """The commands in ``text`` that match no form."""
        lines = (line for line in self.lines(text) if line.text != self.leave)
        return [line for line in lines if not any(form.matches(line) for form in self.forms + self.known)]

    def lines(self, text: str) -> Iterator[Line]:
        """The commands in ``text``, with contexts by indent."""
        above: list[tuple[int, str]] = []
        for raw in text.splitlines():
            line = raw.strip()
            if not line or self.comment.match(line):
                continue
            depth = len(raw) - len(raw.lstrip(" "))
            while above and above[-1][0] >= depth:
                above.pop()
            yield Line(line, tuple(text for _, text in above))
            above.append((depth, line))


@dataclass(frozen=True, slots=True)
class Facts:
    """What the generic tests need to know about a NOS.

    ``port``: port name before its last number. ``asic``: one it runs on. ``last``: last port of a switch with
    32 ports, and the next name. ``hier_config``: the library's platform, if it has one. ``pfc``: "port", or
    "switch" if it is one setting. ``other_files``: outputs that are not CLI text -> why, or their test.
    ``unconfirmed``: values that are only a comment in the mixed fabric -> feature and comment.
    """

    port: str
    asic: str
    last: tuple[str, str]
    hier_config: str
    pfc: str
    other_files: Mapping[str, str]
    unconfirmed: Mapping[str, Mapping[str, str]]


NOSES = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))
"""NOSes with a grammar."""


@cache
def facts(nos: str) -> Facts:
    data = yaml.safe_load((FOLDER / f"{nos}.yaml").read_text(encoding="utf-8"))["site"]
    first, after = data["last"]
    return Facts(
        port=data["port"],
        asic=data["asic"],
        last=(str(first), str(after)),
        hier_config=data.get("hier_config", "GENERIC"),
        pfc=data.get("pfc", "port"),
        other_files=data.get("other_files", {}),
        unconfirmed=data.get("unconfirmed", {}),
    )


@cache
def grammar(nos: str) -> Grammar:
    """Raises FileNotFoundError for a NOS without a grammar."""
    data = yaml.safe_load((FOLDER / f"{nos}.yaml").read_text(encoding="utf-8"))
    return Grammar(
        re.compile(data["comment"]),
        data.get("leave", ""),
        tuple(_forms(data["forms"], data["port"])),
        tuple(_forms(data["known"], data["port"])),
        tuple(group["named"] for group in data["known"]),
        data["sources"],
        tuple(
            (group["lines"][0], _names(group["source"]), group.get("reason", "")) for group in data["forms"]
        ),
    )


def _names(source: str | list[str]) -> tuple[str, ...]:
    return (source,) if isinstance(source, str) else tuple(source)


def _forms(groups: list[dict[str, Any]], port: str) -> Iterator[Form]:
    for group in groups:
        under = tuple(_pattern(text, port) for text in group.get("in", ()))
        for text in group["lines"]:
            yield Form(_pattern(text, port), under)


def _pattern(text: str, port: str) -> re.Pattern[str]:
    tokens = {**TOKENS, "port": port}
    return re.compile(re.sub(r"<(\w+)>", lambda found: f"({tokens[found[1]]})", text))
