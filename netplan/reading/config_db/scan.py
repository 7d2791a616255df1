"""Strict JSON (RFC 8259) to plain data, with the position of everything in it.

A scanner of our own, because Python's keeps no positions and accepts NaN, and a YAML parser accepts what a
switch would reject. Numbers stay text (`Number`): config_db holds only text, and a number of a million
digits costs nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import field
from typing import Any

from netplan.diagnostics import Path
from netplan.model.document import Places, unix_text
from netplan.reading.config_db.no_json import explained
from netplan.records import dataclass

MAX_DEPTH = 32
"""Nesting depth of objects and lists; config_db needs four."""
MAX_VALUES = 3_000_000
"""Values in one file; a switch of 512 ports has some 50,000."""

_PLAIN = r'[^"\\\x00-\x1f]*+'
_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r"(?P<mark>[{}\[\],:])"
    rf'|"(?P<text>{_PLAIN})"'
    rf'|(?P<escaped>"{_PLAIN}(?:\\.{_PLAIN})*+")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![0-9A-Za-z_.+-]))"
    r"|(?P<word>true|false|null)(?![0-9A-Za-z_])"
    r"|(?P<end>\Z))"
)
_SPACE = re.compile(r"[ \t\n\r]*+")
_WORDS = {"true": True, "false": False, "null": None}
_SHOWN = 24


class Number(str):
    """A number as it was written."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a text; ``repeated``: a duplicate key, otherwise the text is not JSON; ``lost``: the value
    that a later one replaces."""

    offset: int
    path: Path
    message: str
    hint: str
    repeated: bool = False
    lost: Any = None


@dataclass(slots=True)
class Scanned:
    """One file, or part of one. ``readable``: false if it is not JSON; ``data`` is then None.

    ``note``: its form, if it was not an object of tables; ``namespace``: the ASIC it belongs to.
    """

    name: str
    base: int
    data: Any = None
    readable: bool = True
    problems: list[Problem] = field(default_factory=list)
    note: str = ""
    namespace: str = ""


class _UnreadableError(Exception):
    """The rest of the text cannot be parsed; carries the fields of `Problem`."""

    def __init__(self, index: int, message: str, hint: str) -> None:
        self.index, self.message, self.hint = index, message, hint


def scan(name: str, text: str, places: Places) -> Scanned:
    """Parse one file and record positions in ``places``. Expects bytes that are not UTF-8 as lone
    surrogates."""
    marked = text.startswith("\ufeff")
    text = unix_text(text)
    scanned = Scanned(name, places.sources.add(name, text))
    if marked:  # json.load of Python refuses it
        message, hint = "the file begins with a byte order mark (U+FEFF)", "save it as UTF-8 without the mark"
        scanned.problems.append(Problem(scanned.base, (), message, hint))
    scanner = _Scanner(text, scanned, places)
    try:
        scanner.document()
    except _UnreadableError as error:
        scanned.data, scanned.readable = None, False
        index = min(error.index, len(text))
        message, hint = explained(text, index, error.message, error.hint)
        scanned.problems.append(Problem(scanned.base + index, tuple(scanner.path), message, hint))
    return scanned


class _Scanner:
    def __init__(self, text: str, scanned: Scanned, places: Places) -> None:
        self.path: list[str | int] = []
        self._text, self._scanned, self._places = text, scanned, places
        self._index = self._values = 0
        self._kind: str = "end"
        self._token: str = ""
        self._at = 0
        self._known: dict[str, str] = {}

    def document(self) -> None:
        self._next()
        self._scanned.data = self._value(0)
        self._next()
        if self._kind != "end":
            raise _UnreadableError(self._at, f"{self._shown()} after the end of the object", "remove it")

    def _next(self) -> None:
        found = _TOKEN.match(self._text, self._index)
        if found is None:
            self._refuse()
            return
        kind = found.lastgroup or "end"
        self._kind, self._token, self._at = kind, found[kind], found.start(kind)
        if kind == "text":
            self._at -= 1  # the quote
        self._index = found.end()

    def _refuse(self) -> None:
        """Raises for text that starts no JSON token."""
        found = _SPACE.match(self._text, self._index)
        at = found.end() if found else self._index
        character = self._text[at]
        if "\udc80" <= character <= "\udcff":
            raise _UnreadableError(
                at, f"byte 0x{ord(character) - 0xDC00:02x} is not UTF-8", "save the file as UTF-8"
            )
        if character == '"':
            hint = 'close it with "; a line break or a tab inside is written \\n, \\t'
            raise _UnreadableError(at, "a text has no end on its line", hint)
        if character in "#/":
            raise _UnreadableError(at, "JSON has no comments", "remove the comment")
        if character == "'":
            raise _UnreadableError(at, "JSON texts must be in double quotes", "write \" instead of '")
        raise _UnreadableError(at, f"{character!r} begins no JSON value", 'write texts in "double quotes"')

    def _shown(self) -> str:
        if self._kind == "end":
            return "the end of the file"
        token = self._token if len(self._token) <= _SHOWN else self._token[:_SHOWN] + "..."
        return repr(token)

    def _value(self, depth: int) -> Any:
        self._values += 1
        if self._values > MAX_VALUES:
            hint = "check the files of each switch in a separate run"
            raise _UnreadableError(self._at, f"more than {MAX_VALUES:,} values in one file", hint)
        kind, token = self._kind, self._token
        if kind == "text":
            return self._checked(token)
        if kind == "escaped":
            return self._unescaped()
        if kind == "number":
            return Number(token)
        if kind == "word":
            return _WORDS[token]
        if kind == "mark" and token in "{[":
            if depth == MAX_DEPTH:
                hint = "config_db is tables, rows and fields"
                raise _UnreadableError(self._at, f"nested more than {MAX_DEPTH} deep", hint)
            return self._object(depth) if token == "{" else self._list(depth)
        hint = "remove the comma before the closing bracket" if token and token in "}]" else "add the value"
        raise _UnreadableError(self._at, f"{self._shown()} where a value belongs", hint)

    def _checked(self, text: str) -> str:
        """Checks the characters and interns the text: port names repeat, so one copy of each is kept."""
        known = self._known.get(text)
        if known is not None:
            return known
        if not text.isascii():
            for number, character in enumerate(text):
                if "\udc80" <= character <= "\udcff":
                    message = f"byte 0x{ord(character) - 0xDC00:02x} is not UTF-8"
                    raise _UnreadableError(self._at + 1 + number, message, "save the file as UTF-8")
        self._known[text] = text
        return text

    def _unescaped(self) -> str:
        try:
            text: str = json.loads(self._token)
        except ValueError:
            hint = r"JSON has \" \\ \/ \b \f \n \r \t and \u with four digits"
            raise _UnreadableError(self._at, "a text with an escape that JSON does not have", hint) from None
        if any("\ud800" <= character <= "\udfff" for character in text):
            message = "a text with half of a surrogate pair, or with bytes that are not UTF-8"
            raise _UnreadableError(self._at, message, "write the character itself, in UTF-8")
        return text

    def _object(self, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        at: dict[str, tuple[int, int]] = {}
        base = self._scanned.base
        self._next()
        while self._token != "}" or self._kind != "mark":
            if data:
                self._separator("}")
            if self._kind not in ("text", "escaped"):
                hint = 'keys stand in "double quotes"; after the last entry there is no comma'
                raise _UnreadableError(self._at, f"{self._shown()} where a key belongs", hint)
            key_at = self._at
            key = self._checked(self._token) if self._kind == "text" else self._unescaped()
            self._next()
            if self._kind != "mark" or self._token != ":":
                raise _UnreadableError(self._at, f"{self._shown()} where a colon belongs", "write KEY: VALUE")
            self._next()
            self.path.append(key)
            value_at = self._at
            value = self._value(depth + 1)
            if key in data and data[key] != value:
                self._repeat(at[key][0], key_at, data[key])
            data[key] = value
            at[key] = (base + key_at, base + value_at)
            self.path.pop()
            self._next()
        self._places.put(data, (one for both in at.values() for one in both))
        return data

    def _separator(self, closing: str) -> None:
        if self._kind != "mark" or self._token != ",":
            hint = "add the comma, or close what is open"
            raise _UnreadableError(self._at, f"{self._shown()} where a comma or {closing} belongs", hint)
        self._next()

    def _repeat(self, first: int, index: int, lost: Any) -> None:
        where = self._places.sources.source(first)
        message = f"appears again, first at {where}; a switch keeps the last one"
        hint = "keep one of the two"
        self._scanned.problems.append(
            Problem(self._scanned.base + index, tuple(self.path), message, hint, repeated=True, lost=lost)
        )

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        at: list[int] = []
        self._next()
        while self._token != "]" or self._kind != "mark":
            if items:
                self._separator("]")
            self.path.append(len(items))
            at.append(self._scanned.base + self._at)
            items.append(self._value(depth + 1))
            self.path.pop()
            self._next()
        self._places.put(items, at)
        return items
