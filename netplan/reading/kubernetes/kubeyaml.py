"""Kubernetes YAML as the API's clients read it: YAML 1.1, several documents, anchors, merge keys.

Limits and diagnostic codes are those of ``netplan.yaml12``; a plain scalar means what sigs.k8s.io/yaml
(go-yaml v2, resolve.go) makes of it: ``on`` and ``yes`` are true, ``0777`` is octal, a date is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import yaml

from netplan.diagnostics import Diagnostic
from netplan.model.document import Places, unix_text
from netplan.records import dataclass
from netplan.yaml12 import PARSER
from netplan.yaml12.builder import Builder
from netplan.yaml12.frames import Anchor, MapFrame, Repeat
from netplan.yaml12.scalars import Forbidden

MAX_DEPTH = 120
"""Schemas of CustomResourceDefinitions nest about 60 levels deep."""
OVER_LIMITS = "NP004"
"""The code of a file that is too large, too deep, or grows through aliases."""

FORBIDDEN = Forbidden(r"\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff")
_JSON_ONLY = re.compile(r"[\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")
"""Characters that JSON allows in strings, and YAML does not. Clients read a text that begins with a brace as
JSON (kubernetes/apimachinery pkg/util/yaml/decoder.go, hasJSONPrefix; RFC 8259 section 7)."""
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[1-9][0-9_]*|0)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_DIGITS_MAX = 20
_CORE = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({"!", f"{_CORE}str", f"{_CORE}binary", f"{_CORE}timestamp"})
_VALUE_TAGS = frozenset(f"{_CORE}{name}" for name in ("int", "float", "bool", "null"))
_SHAPE_TAGS = frozenset({"!", f"{_CORE}map", f"{_CORE}seq"})


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """``documents``: those that parsed completely, each with its start offset."""

    documents: tuple[tuple[Any, int], ...]
    problems: tuple[Diagnostic, ...]


def parse(name: str, text: str, places: Places) -> ParsedFile:
    """Parse one file and record positions in ``places``. Never raises."""
    text = unix_text(text)
    builder = _Builder(places, places.sources.add(name, text))
    text = _JSON_ONLY.sub("\ufffd", text) if text.lstrip()[:1] == "{" else text
    forbidden = FORBIDDEN.search(text)
    if forbidden:
        builder.refuse_character(forbidden[0], forbidden.start())
    else:
        builder.run(text, PARSER)
    return ParsedFile(tuple(builder.documents), tuple(builder.problems))


def plain_value(text: str) -> Any:
    """The value of an unquoted scalar. Raises ValueError for one that JSON cannot hold."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _float(text)
    if _INFINITE.fullmatch(text):
        raise ValueError(text)
    return text


def _float(text: str) -> float | str:
    """Like go-yaml (resolve.go, ParseFloat), one that is too large stays a text: a name such as
    209276e89438."""
    number = float(text)
    return text if number in (float("inf"), float("-inf")) else number


def _integer(text: str) -> int | float | str:
    """A leading zero means octal; like go-yaml (resolve.go), of more than 64 bits a decimal integer becomes a
    float and any other stays a text."""
    plain = text.replace("_", "")
    sign, digits = (plain[0], plain[1:]) if plain[0] in "+-" else ("", plain)
    if len(plain) > _DIGITS_MAX:
        return _float(plain) if digits.isdecimal() else text
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        digits = f"0o{digits[1:]}"
    return int(f"{sign}{digits}", 0)


def _key_text(value: Any) -> str | None:
    """A scalar as a key; None for a map, a list and null (kubernetes-sigs/yaml 9671ecd yaml.go,
    convertToJSONableObject)."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None


_HEAD = frozenset({"apiVersion", "kind"})
"""Keys that each object has once."""


def _runs(repeats: Iterable[Repeat]) -> list[list[Repeat]]:
    """Repeated keys of one map, up to the next time that one of them is repeated."""
    runs: list[list[Repeat]] = []
    open_runs: dict[int, list[Repeat]] = {}
    for each in repeats:
        run = open_runs.get(id(each.frame))
        if run is None or any(each.key == one.key for one in run):
            run = open_runs[id(each.frame)] = []
            runs.append(run)
        run.append(each)
    return runs


class _Builder(Builder):
    """Reads all documents of a file."""

    max_depth = MAX_DEPTH
    size_hint = "split the file, or write nested aliases out"

    @property
    def documents(self) -> list[tuple[Any, int]]:
        return list(zip(self._outermost.data, self._outermost.offsets, strict=True))

    def _document(self, event: Any) -> None:
        self._anchors = {}

    def _report_repeats(self) -> None:
        """Two objects without ``---`` between them repeat all keys of an object: that is one cause."""
        kept = []
        for repeats in _runs(self._repeats):
            if len(repeats[0].path) > 1 or not {each.key for each in repeats} >= _HEAD:
                kept += repeats
                continue
            keys = ", ".join(each.key for each in repeats)
            message = f"a second object begins here without --- before it: {keys} appear twice"
            hint = "write --- on a line of its own before it"
            self._problem("NP002", repeats[0].path, message, repeats[0].at, hint)
        self._repeats = kept
        super()._report_repeats()

    def _resolve(self, text: str, at: int) -> Any:
        try:
            value = self._plain[text] = plain_value(text)
            return value
        except ValueError:
            self._problem(
                "NP005", self._path(), "a number that JSON cannot hold", at, "quote it if it is text"
            )
            return None

    def _quoted(self, event: Any, at: int) -> Any:
        if event.tag in _VALUE_TAGS:
            return self._resolve(event.value, at)
        if event.tag in _TEXT_TAGS:
            text: str = event.value
            return text
        return super()._quoted(event, at)

    def _refuse_tag(self, tag: str, at: int) -> None:
        """One with brackets is text that was to be quoted: ``!has(label)``."""
        if "(" in tag:
            message = f"{tag} without quotes is a tag, and what it stands for is empty"
            self._problem("NP005", self._path(), message, at, hint=f'quote it: "{tag}"')
        elif tag not in _SHAPE_TAGS:
            super()._refuse_tag(tag, at)

    def _key(self, frame: MapFrame, event: Any, at: int) -> None:
        if event.value == "<<" and not event.style and "<<" not in frame.data:
            frame.expect("<<", at)
        else:
            super()._key(frame, event, at)

    def _name(self, name: str, anchor: Anchor) -> None:
        """An alias is that of the last anchor before it: names may be used again (YAML 1.2.2, 3.2.2.2)."""
        self._anchors[name] = anchor

    def _alias(self, event: Any) -> None:
        """An alias of a scalar may be a key."""
        frame, anchor, mark = self._frame, self._anchors.get(event.anchor), event.start_mark
        text = _key_text(anchor.value) if anchor else None
        if frame.key is not None or (anchor and text is None):
            super()._alias(event)
        elif text is None:
            self._refuse_alias(event.anchor, None, self._base + mark.index)
            frame.ignore("", nodes=1)
        else:
            key = yaml.ScalarEvent(None, None, (False, True), text, mark, mark, '"')
            self._key(frame, key, self._base + mark.index)

    def _close(self, event: Any) -> None:
        if isinstance(self._frame, MapFrame) and isinstance(self._frame.data.get("<<"), dict | list):
            self._merge(self._frame)
        super()._close(event)

    def _merge(self, frame: MapFrame) -> None:
        """Adds entries of the merged maps that the map itself lacks; an earlier merged map wins."""
        own = dict(zip(frame.data, zip(frame.offsets[::2], frame.offsets[1::2], strict=True), strict=True))
        merged = frame.data.pop("<<")
        del own["<<"]
        for source in merged if isinstance(merged, list) else [merged]:
            if isinstance(source, dict):
                for key, value, key_at, value_at in self._places.entries(source):
                    if key not in own:
                        own[key] = (key_at, value_at)
                        frame.data[key] = value
                        self._count(1, key_at)
        frame.offsets[:] = [at for key in frame.data for at in own[key]]
