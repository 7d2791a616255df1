"""Files that differ in names and addresses only, such as thousands of pools, are parsed once.

The second file of a form is parsed with a mark in the place of each such word; the marks in its data are then
filled in for every file of the form. A word here is text to every YAML reader, so no file is another kind of
data for having another word. Places are those of the form: where anything is found, `netplan.verify` reads
each file by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from netplan.model.document import Places
from netplan.reading.kubernetes.kubeyaml import ParsedFile, parse

_WORD = re.compile(
    r"(?<![\w.+-])(?:[a-z]+[0-9-](?:[a-z0-9-]*[a-z0-9])?|[0-9]+(?:\.[0-9]+){3})(?![\w.+-])", re.ASCII
)
"""Letters with a digit or hyphen behind them, and IPv4 addresses."""
_MARK = re.compile(r"zq([0-9]+)qz")


class _RepeatedKeyError(Exception):
    """Two keys of a map are one when filled in."""


class Forms:
    """The forms of one run. None for one that was met once: most files are like no other."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._forms: dict[str, ParsedFile | None] = {}

    def parsed(self, path: str, text: str) -> ParsedFile:
        words: list[str] = []

        def mark(found: re.Match[str]) -> str:
            words.append(found[0])
            return f"zq{len(words) - 1}qz"

        form = _WORD.sub(mark, text)
        if form not in self._forms or "zq" in text:
            self._forms.setdefault(form, None)
            return parse(path, text, self._places)
        known = self._forms[form]
        if known is None:
            known = self._forms[form] = parse(path, form, self._places)
        try:
            return _filled(known, words, self._places)
        except _RepeatedKeyError:
            return parse(path, text, self._places)


def _filled(form: ParsedFile, words: Sequence[str], places: Places) -> ParsedFile:
    def text(value: str) -> str:
        return _MARK.sub(lambda found: words[int(found[1])], value) if "zq" in value else value

    documents = tuple((_copy(body, text, places), at) for body, at in form.documents)
    return ParsedFile(documents, form.problems)


def _copy(value: Any, text: Callable[[str], str], places: Places) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        filled: Any = {text(key): _copy(each, text, places) for key, each in value.items()}
        if len(filled) != len(value):
            raise _RepeatedKeyError
    elif isinstance(value, list):
        filled = [_copy(each, text, places) for each in value]
    else:
        return value
    places.put_like(filled, value)
    return filled
