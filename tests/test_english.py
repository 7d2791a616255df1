"""Texts for users are in the field's own English: phrases that read as if translated do not come back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent

PHRASES = (
    r"two switches are the same",
    r"is not so\b",
    r"leads? nowhere",
    r"sorts first first",
    r"nothing to do:",
    r"what the files' knowledge ends",
    r"a rule that was refused is reported once",
    r"\bfor ever\b",
    r"\bin silence\b",
    r"\bwithout a word\b",
    r"\boutside of\b",
    r"\b(?:has|have) not the\b",
    r"\bto and fro\b",
    r"\bmade anew\b",
    r"\btold once\b",
    r"\bwhoever reads (?:it|the key) believes\b",
    r"\bof no effect\b",
    r"\bwait in a circle\b",
    r"\bno whole number\b",
    r"(?<!there )\b(?:is|are) no (?:file|folder|directory|switch|check|number|address|network|prefix"
    r"|feature|manifest|JSON|YAML|part|card|text|interface|key|mode|port|host|VLAN|object)\b",
)
"""Regular expressions: phrases that readers reported, then typical ones."""

FORBIDDEN = re.compile("|".join(PHRASES), re.IGNORECASE)

_UNITS = r"(?:bytes|kB|KiB|MB|MiB|GB|GiB|[GM]b/s|ms|s|min|m)"
_COUNTED = r"(?:addresses|entries|hosts|switches|nodes|pods|files|packets|ports|GPUs)"

FIGURES = (
    r"\b\d+ per ?cent\b",
    r"(?<![\w.%-])\d+(?:\.\d+)?%(?!\w)",
    r"\b\d+ ?(?:[GM]bps|[GM]bit(?:/s|s)?|KB|kb)(?!\w)",
    r"(?<![\w./:,-])\d+(?:[GM]b/s|KiB|MiB|GiB|kB|MB|bytes|ms)(?!\w)",
    r"\b\d+ (?:seconds?|milliseconds?|minutes?|meters?|metres?)\b",
    rf"(?<![\w.:/#,=+-])[1-9]\d{{3,}}(?: to [1-9][\d,]*)? (?:{_UNITS}|{_COUNTED})(?![\w/])",
)
"""Regular expressions: figures that violate "Numbers and units" of CONTRIBUTING.md."""

WRONG_FIGURE = re.compile("|".join(FIGURES))

LITERAL = re.compile(
    r"`[^`\n]*`|^\*\*Source\.\*\*(?:.+\n?)+|^ *\d+ \|.*$|threshold \d+ bytes"
    r"|^.*[mM]ax_?[uU]navailable.*$|^ *hint: (?:state|write) .*%$|show as [^)]*|\"\d+ Mb/s\"",
    re.MULTILINE,
)
"""Quoted text: code, sources, lines of files, and a percentage of nodes in Kubernetes' format."""

PAGES = [
    page
    for page in (*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "SECURITY.md")
    if page.name not in {"nos-support.md", "coverage.md"}  # they quote sources
]
READMES = [page for page in ROOT.glob("tests/golden/**/*.md") if page.parent.name != "switches"]  # sources

TEXTS = sorted(
    path
    for pattern in (
        "docs/checks/*.md",
        "docs/cli.md",
        "netplan/changes/*.yaml",
        "templates/**/*.md.j2",
        "tests/checks/**/*.out",
        "inventories/*.yaml",
    )
    for path in ROOT.glob(pattern)
)


def _found(text: str) -> list[str]:
    return [match[0] for match in FORBIDDEN.finditer(" ".join(text.split()))]


def _wrong_figures(text: str) -> list[str]:
    return [match[0] for match in WRONG_FIGURE.finditer(LITERAL.sub("", text))]


@cache
def _described() -> tuple[str, ...]:
    """Descriptions of every schema that ships."""

    def walk(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            if isinstance(part.get("description"), str):
                yield part["description"]
            for below in part.values():
                yield from walk(below)
        elif isinstance(part, list):
            for below in part:
                yield from walk(below)

    return tuple(
        text for path in ROOT.glob("schemas/**/*.json") for text in walk(json.loads(path.read_text()))
    )


def test_pages_messages_and_templates() -> None:
    assert len(TEXTS) > 400
    found = {str(path.relative_to(ROOT)): _found(path.read_text()) for path in TEXTS}
    assert {path: phrases for path, phrases in found.items() if phrases} == {}


def test_schema_descriptions() -> None:
    assert len(_described()) > 400
    assert [text for text in _described() if _found(text) or _wrong_figures(text)] == []


def test_numbers_and_units() -> None:
    assert len(PAGES) > 40
    assert len(READMES) > 20
    found = {
        str(path.relative_to(ROOT)): _wrong_figures(path.read_text()) for path in {*TEXTS, *PAGES, *READMES}
    }
    assert {path: figures for path, figures in sorted(found.items()) if figures} == {}


def _titles() -> list[tuple[str, str]]:
    pages = "\n".join(path.read_text() for path in sorted(ROOT.glob("docs/checks/*.md")))
    return re.findall(r"^## (NP\d+): (.+)$", pages, re.MULTILINE)


def test_titles_are_short_and_have_no_article() -> None:
    titles = _titles()
    assert len(titles) > 300
    assert [
        t for t in titles if len(t[1]) > 70 or re.match(r"(?:a|an|the) ", t[1]) or t[1].endswith(".")
    ] == []


@pytest.mark.parametrize("phrase", ["leaf-1 leads nowhere", "x is no address", "it waits for\n  ever"])
def test_a_phrase_is_found(phrase: str) -> None:
    assert _found(phrase)


@pytest.mark.parametrize(
    "text",
    [
        "20 percent",
        "at 25% of it",
        "400 Gbps",
        "200 Gbit/s",
        "400Gb/s",
        "64KB",
        "200ms",
        "7 seconds of it",
        "40 metres",
        "10000 hosts",
        "150000 to 1,500,000 bytes",
        "2000 ms",
    ],
)
def test_a_wrong_figure_is_found(text: str) -> None:
    assert _wrong_figures(text)


@pytest.mark.parametrize(
    "text",
    [
        "20 % at 400 Gb/s over 40 m",
        "1,204,224 bytes, 300 s, 12,500 hosts",
        "MTU 9216, AS 4200000100, kmin_bytes 150000",
        "`mac address-table aging-time` 300 s",
        "maxUnavailable is 25%",
    ],
)
def test_a_right_figure_is_not(text: str) -> None:
    assert not _wrong_figures(text)
