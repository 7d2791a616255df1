"""Streams of several JSON values in one text, as kubectl reads a text that begins with one."""

from __future__ import annotations

import json
import re

from netplan.model.document import Places
from netplan.reading.kubernetes.kubeyaml import ParsedFile, parse


def parse_stream(name: str, text: str, places: Places) -> ParsedFile | None:
    """The objects of a stream; None if the text is none."""
    spans = _spans(text)
    each = [parse(name, f"{_space_before(text, a)}{text[a:b]}", places) for a, b in spans]
    found = [document for part in each for document in part.documents if document[0] is not None]
    problems = [problem for part in each for problem in part.problems]
    return ParsedFile(tuple(found), tuple(problems)) if each else None


def _space_before(text: str, at: int) -> str:
    """White space in place of what precedes, so that what follows keeps its line and column."""
    line = text.rfind("\n", 0, at) + 1
    return "\n" * text.count("\n", 0, at) + " " * (at - line)


def _spans(text: str) -> list[tuple[int, int]]:
    """Where each value of a stream of several JSON values begins and ends; empty if it is none
    (kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/yaml/decoder.go, NewYAMLOrJSONDecoder)."""
    spans: list[tuple[int, int]] = []
    at = _after_space(text, 0)
    while at < len(text):
        try:
            _, end = json.JSONDecoder().raw_decode(text, at) if text[at] == "{" else (None, at)
        except (ValueError, RecursionError):
            return []
        if end == at:
            return []
        spans.append((at, end))
        at = _after_space(text, end)
    return spans if 1 < len(spans) <= _STREAM_MAX else []


_STREAM_MAX = 500
"""Most values of a stream that are read as objects: each is parsed by itself."""


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


_SPACE = re.compile(r"\s*")
