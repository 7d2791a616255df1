"""``lshw -json -class network`` of old releases: objects without a list around them, and with or without
commas between them (lyonel/lshw src/core/hw.cc, asJSON, before 2b1c730)."""

from __future__ import annotations

import re
from itertools import pairwise
from json import JSONDecodeError, JSONDecoder

_MOST = 4096
"""Objects."""
_BETWEEN = re.compile(r"[ \t\r\n,]*")


def one_list(text: str) -> str:
    """Several objects as the list of them, on the lines that they have; another text as it is."""
    spans = _objects(text)
    if len(spans) < 2:
        return text
    (first, _), (_, end) = spans[0], spans[-1]
    parts = [text[:first], "["]
    for (begin, close), (follows, _) in pairwise(spans):
        between = text[close:follows]
        parts += [text[begin:close], between if "," in between else f",{between}"]
    return "".join([*parts, text[spans[-1][0] : end], "]"])


def _objects(text: str) -> list[tuple[int, int]]:
    """Where each begins and ends; none if anything else is in the text."""
    decoder, found, at = JSONDecoder(), list[tuple[int, int]](), 0
    while len(found) < _MOST:
        between = _BETWEEN.match(text, at)
        at = between.end() if between is not None else at
        if at == len(text):
            return found
        try:
            _, end = decoder.raw_decode(text, at) if text[at] == "{" else (None, 0)
        except (JSONDecodeError, RecursionError):
            return []
        if not end:
            return []
        found.append((at, end))
        at = end
    return []
