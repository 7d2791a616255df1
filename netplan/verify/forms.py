"""Documents that differ only in words, such as thousands of pools, are parsed as one form.

A word is a name or an IPv4 address: plain text to any YAML or JSON parser, so another word never changes
the structure of a document. A form is parsed once, with a mark where its documents have different words;
its data is then filled in for each document. Places are those of the form: if anything is found,
`netplan.verify` parses each file by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from netplan.model.document import Places
from netplan.reading.kubernetes.kubeyaml import ParsedFile, parse
from netplan.reading.kubernetes.load import thing_of
from netplan.reading.kubernetes.objects import Form, Row, Thing, is_object, read_texts

_WORD = re.compile(
    r"""\b(?<![^\s"'/,:=\[{(])([a-z]++[0-9-][a-z0-9-]*+(?<!-)|[0-9]++(?:\.[0-9]++){3})(?![\w.+-]|:\s)""",
    re.ASCII,
)
"""Letters with a digit or hyphen behind them, and IPv4 addresses: what ends no key of a block, and begins
nothing that YAML or JSON gives a meaning (``&``, ``!``, ``\\``) or that makes of a text one to be replaced
(``placeholders.templated``)."""
_MARK = re.compile(r"zq([0-9]+)qz")
_UNSAFE = ("zq", "\\x", "\\u", "\\U", "\\\n")
"""The mark itself, and escapes of YAML and JSON that may spell one (any character, or none). A text that
contains one of these is parsed by itself."""
_LEAST = 4
"""Minimum of documents for a form: fewer are faster to parse one by one."""
_NEXT = "\n---\n"

Filler = Callable[[Row], Any]


class _MarkedKeyError(Exception):
    """A map has a mark in a key, so filling in words could make two keys equal."""


def read_alike(files: Iterable[tuple[str, str]], places: Places) -> dict[str, list[Thing]]:
    """Path -> documents of each text, without texts that have problems."""
    pieces = [(path, piece) for path, text in files for piece in _pieces(text)]
    read: dict[int, list[Thing] | None] = {}
    for numbers, rows in _grouped([text for _, text in pieces]):
        read.update(zip(numbers, _documents([pieces[n] for n in numbers], rows, places), strict=True))
    found: dict[str, list[list[Thing] | None]] = {}
    for number, (path, _) in enumerate(pieces):
        found.setdefault(path, []).append(read[number])
    whole = {path: parts for path, parts in found.items() if None not in parts}
    return {path: [thing for part in parts for thing in part or ()] for path, parts in whole.items()}


def _documents(
    group: Sequence[tuple[str, str]], words: Sequence[Row], places: Places
) -> Sequence[list[Thing] | None]:
    """The documents of each text of a form; None for a text with problems."""
    filled = _filled(group, words, places) if len(group) >= _LEAST else None
    return filled or [things_of(path, parse(path, text, places), places) for path, text in group]


def things_of(path: str, parsed: ParsedFile, places: Places) -> list[Thing] | None:
    """The documents of a file, with the embedded JSON texts of objects parsed; None if the file has
    problems."""
    if parsed.problems:
        return None
    things = [thing_of(body, path, at, places) for body, at in parsed.documents]
    for thing in things:
        if is_object(thing.body):
            read_texts(thing)
    return things


def _pieces(text: str) -> list[str]:
    """A text split into its documents: a line ``---`` starts one wherever it is (YAML 1.1, 4.3.1). Not
    split if it has directives, which come before that line."""
    if "\n%" in text or text.startswith("%"):
        return [text]
    first, *others = text.split(_NEXT)
    *ended, last = [first, *(f"---\n{other}" for other in others)]
    return [*(f"{piece}\n" for piece in ended), last]


def _grouped(texts: Sequence[str]) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Indexes of the texts that differ only in words, with the words of each; a unique text is a group of
    its own."""
    forms: dict[str, list[int]] = {}
    words: dict[int, list[str]] = {}
    for number, text in enumerate(texts):
        if any(sign in text for sign in _UNSAFE):
            yield [number], [[]]
            continue
        parts = _WORD.split(text)
        forms.setdefault("zq".join(parts[::2]), []).append(number)
        words[number] = parts[1::2]
    for numbers in forms.values():
        yield numbers, [words[number] for number in numbers]


def _filled(
    group: Sequence[tuple[str, str]], words: Sequence[Row], places: Places
) -> list[list[Thing]] | None:
    """The documents of each text of a form; None if the form itself cannot be used."""
    varying = [number for number, column in enumerate(zip(*words, strict=True)) if len(set(column)) > 1]
    path, text = group[0]
    marks = {number: f"zq{mark}qz" for mark, number in enumerate(varying)}
    parts = _WORD.split(text)
    parts[1::2] = [marks.get(number, word) for number, word in enumerate(words[0])]
    marked = things_of(path, parse(path, "".join(parts), places), places)
    if marked is None or any(thing.faults for thing in marked):
        return None
    rows = [tuple(row[number] for number in varying) for row in words]
    try:
        makers = [_maker(Form(thing, rows)) for thing in marked]
    except _MarkedKeyError:
        return None
    return [[make(path, row) for make in makers] for (path, _), row in zip(group, rows, strict=True)]


def _maker(form: Form) -> Callable[[str, Row], Thing]:
    marked = form.thing
    body, namespace = filler(marked.body), filler(marked.namespace)
    texts = {place: filler(value) for place, value in marked.texts.items()}

    def make(path: str, row: Row) -> Thing:
        found = {place: fill(row) for place, fill in texts.items()}
        return Thing(body(row), path, marked.root, marked.places, namespace(row), found, form=form)

    return make


def filler(value: Any) -> Filler:
    """A function that returns the value with given words in place of its marks; parts without marks are
    shared."""
    return _filler(value) or (lambda row: value)


def _filler(value: Any) -> Filler | None:
    if isinstance(value, str):
        return _text_filler(value)
    if not isinstance(value, dict | list):
        return None
    if isinstance(value, dict) and any(map(_MARK.search, value)):
        raise _MarkedKeyError
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    fillers = [(at, filled) for at, part in parts if (filled := _filler(part))]

    def fill(row: Row) -> Any:
        copy = value.copy()
        for at, filled in fillers:
            copy[at] = filled(row)
        return copy

    return fill if fillers else None


def _text_filler(text: str) -> Filler | None:
    parts = _MARK.split(text)
    numbers = [int(number) for number in parts[1::2]]
    if parts == ["", *parts[1::2], ""]:
        return itemgetter(*numbers)

    def fill(row: Row) -> str:
        parts[1::2] = [row[number] for number in numbers]
        return "".join(parts)

    return fill if numbers else None


def longest(form: Form) -> Any:
    """An object at least as long as any of the form: with the longest word for each mark."""
    return filler(form.thing.body)([max(words, key=len) for words in zip(*form.rows, strict=True)])


def marks(value: Any) -> set[int]:
    """Numbers of the marks in a value."""
    if isinstance(value, str):
        return {int(number) for number in _MARK.findall(value)}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(marks, parts))
