"""Turn parser events into dicts and lists: one method per event type, one frame per open map or list."""

from __future__ import annotations

import re
from typing import Any, NoReturn

import yaml

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.document import Places
from netplan.yaml12.frames import Anchor, Frame, ListFrame, MapFrame, Repeat
from netplan.yaml12.scalars import plain_value

MAX_NODES = 5_000_000
"""Limit on values per file, an alias's counted at each use; 12,500 hosts with 8 HCAs have about 850,000."""
MAX_DEPTH = 40
"""Limit on nested maps and lists."""

_RANGE = re.compile(r"[A-Za-z0-9-]\[\d+-\d+")
"""A range such as gpu-[001-016]: a plain scalar in block style, a syntax error in flow style."""
_LONGEST_QUOTE = 60


class _UnreadableError(Exception):
    """Reading cannot continue; the problem is already recorded."""


class Builder:
    """Builds one file; ``base`` is the offset of its first character."""

    max_depth = MAX_DEPTH
    size_hint = "write hosts as ranges (gpu-[001-128]), or write nested aliases out"

    def __init__(self, places: Places, base: int) -> None:
        self.problems: list[Diagnostic] = []
        self._places = places
        self._base = base
        self._outermost = ListFrame(base)
        self._frame: Frame = self._outermost
        self._stack: list[Frame] = []
        self._anchors: dict[str, Anchor] = {}
        self._plain: dict[str, Any] = {}
        self._keys: dict[str, str] = {}  # unquoted keys that need no further check
        self._nodes = 0
        self._repeats: list[Repeat] = []
        self._handlers = {
            yaml.StreamStartEvent: self._nothing,
            yaml.StreamEndEvent: self._nothing,
            yaml.DocumentEndEvent: self._nothing,
            yaml.DocumentStartEvent: self._document,
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: self._open,
            yaml.SequenceStartEvent: self._open,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
        }

    @property
    def data(self) -> Any:
        """The first document; None if there is none or it is incomplete."""
        return self._outermost.data[0] if self._outermost.data else None

    @property
    def root(self) -> int:
        return self._outermost.offsets[0] if self._outermost.data else self._base

    def run(self, text: str, parser: Any) -> None:
        handlers = self._handlers
        try:
            # Not yaml.parse: its generator and its second call per event add a quarter to the parser's time.
            for event in iter(parser(text).get_event, None):
                handlers[type(event)](event)
        except _UnreadableError:
            pass
        except yaml.YAMLError as error:
            self._refuse_syntax(error, text)
        except (
            ValueError
        ) as error:  # an escape beyond Unicode such as "\U00110000", or a %-escaped tag that is not UTF-8
            self._problem("NP001", self._path(), f"not YAML: {error}", self._frame.at, "remove the escape")
        self._report_repeats()

    def refuse_character(self, character: str, index: int) -> None:
        code = ord(character)
        if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, decoded with "surrogateescape"
            message, hint = f"byte 0x{code - 0xDC00:02x} is not UTF-8", "save the file as UTF-8"
        else:
            message = f"character U+{code:04X} is not allowed in YAML text"
            hint = "remove it, or write it as an escape in double quotes"
        self._problem("NP001", (), message, self._base + index, hint)

    def _problem(self, code: str, path: Path, message: str, offset: int, hint: str) -> None:
        source = self._places.sources.source(offset)
        self.problems.append(Diagnostic(code, Severity.ERROR, path, message, hint, source))

    def _path(self) -> Path:
        """Path of the node being read."""
        frames = [*self._stack, self._frame][1:]
        return tuple(part for part in (frame.part() for frame in frames) if part is not None)

    def _nothing(self, event: Any) -> None:
        """Events that carry no data."""

    def _document(self, event: Any) -> None:
        if self._outermost.data:
            at = self._base + event.start_mark.index
            hint = "move it to a file of its own, or remove the ---"
            self._problem("NP006", (), "a second document starts here, but a file holds only one", at, hint)
            raise _UnreadableError

    def _scalar(self, event: Any) -> None:
        at = self._base + event.start_mark.index
        frame = self._frame
        text = event.value
        if frame.key is None:
            known = self._keys.get(text)
            if known is None or known in frame.data or event.anchor is not None or event.tag is not None:
                self._key(frame, event, at)
            else:
                frame.expect(known, at)
            return
        if event.style or event.tag is not None:
            value = self._quoted(event, at)
        elif text in self._plain:
            value = self._plain[text]
        else:
            value = self._resolve(text, at)
        if event.anchor is not None:
            self._name(event.anchor, Anchor(at, value, nodes=1))
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._refuse_size(at)
        frame.add(value, at)

    def _resolve(self, text: str, at: int) -> Any:
        try:
            value = self._plain[text] = plain_value(text)
            return value
        except ValueError:
            hint = "write a finite number, or quote it if it is text"
            self._problem("NP005", self._path(), f"{_short(text)} is not a finite number", at, hint)
            return None

    def _quoted(self, event: Any, at: int) -> Any:
        """A quoted or tagged scalar."""
        if event.tag is not None:
            self._refuse_tag(event.tag, at)
            return None
        text: str = event.value
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            message = "an escape here is half of a surrogate pair, not a character"
            self._problem("NP001", self._path(), message, at, hint="write the character itself")
            return None
        return text

    def _key(self, frame: MapFrame, event: Any, at: int) -> None:
        text = event.value
        plain = not event.style  # None from the pure parser, empty from libyaml
        if not plain or event.anchor is not None or event.tag is not None:
            self._unusual_key(event, at)
        if text in frame.data:
            self._repeats.append(Repeat(frame, text, (*self._path(), text), at))
        elif text == "<<" and plain:
            path = (*self._path(), text)
            self._problem("NP003", path, "merge key << is not supported", at, "write the merged keys out")
        else:
            frame.expect(self._keys.setdefault(text, text) if plain else text, at)
            return
        frame.ignore(text, nodes=1)

    def _unusual_key(self, event: Any, at: int) -> None:
        if event.anchor is not None:
            self._name(event.anchor, Anchor(at, event.value, nodes=1))
        self._quoted(event, at)

    def _alias(self, event: Any) -> None:
        at = self._base + event.start_mark.index
        frame = self._frame
        name = event.anchor
        if isinstance(frame, MapFrame) and frame.key is None:
            message = f"alias *{_short(name)} cannot be a key"
            self._problem("NP005", self._path(), message, at, hint="write the key out")
            frame.ignore("", nodes=1)
            return
        anchor = self._anchors.get(name)
        if anchor is None or not anchor.nodes:
            self._refuse_alias(name, anchor, at)
            frame.add(None, at)
            return
        self._count(anchor.nodes, at)
        self._check_depth(at, len(self._stack) + anchor.height)
        frame.height = max(frame.height, anchor.height)
        frame.add(anchor.value, at)

    def _open(self, event: Any) -> None:
        at = self._base + event.start_mark.index
        parent = self._frame
        if parent.key is None:
            message = "a map or a list cannot be a key"
            self._problem("NP005", self._path(), message, at, hint="use a text as key, or quote it")
            parent.ignore("", nodes=2)
        if event.tag is not None:
            self._refuse_tag(event.tag, at)
        self._check_depth(at, len(self._stack) + 1)
        anchor = None
        if event.anchor is not None:
            anchor = Anchor(at)
            self._name(event.anchor, anchor)
        self._stack.append(parent)
        kind = MapFrame if type(event) is yaml.MappingStartEvent else ListFrame
        self._frame = kind(at, anchor, self._nodes)

    def _close(self, _event: Any) -> None:
        frame = self._frame
        parent = self._frame = self._stack.pop()
        height = frame.height + 1
        self._count(1, frame.at)
        self._places.put(frame.data, frame.offsets)
        if height > parent.height:
            parent.height = height
        if frame.anchor is not None:
            frame.anchor.value = frame.data
            frame.anchor.nodes = self._nodes - frame.nodes_before
            frame.anchor.height = height
        parent.add(frame.data, frame.at)

    def _name(self, name: str, anchor: Anchor) -> None:
        first = self._anchors.get(name)
        if first is not None:
            message = (
                f"anchor &{_short(name)} is used twice, first at {self._places.sources.source(first.at)}"
            )
            self._problem("NP009", self._path(), message, anchor.at, hint="rename one of the two")
        self._anchors[name] = anchor

    def _check_depth(self, at: int, depth: int) -> None:
        if depth > self.max_depth:
            message = f"nested {depth} deep, the limit is {self.max_depth}"
            self._problem("NP004", self._path(), message, at, hint="flatten this part")
            raise _UnreadableError

    def _count(self, nodes: int, at: int) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            self._refuse_size(at)

    def _refuse_size(self, at: int) -> NoReturn:
        message = f"file holds more than {MAX_NODES:,} values, those behind an alias counted at each use"
        self._problem("NP004", self._path(), message, at, self.size_hint)
        raise _UnreadableError

    def _refuse_alias(self, name: str, anchor: Anchor | None, at: int) -> None:
        name = _short(name)
        if anchor is None:
            message = f"alias *{name} has no anchor &{name} before it"
            hint = f"write &{name} before the value it names, or quote the text if it is not an alias"
            self._problem("NP009", self._path(), message, at, hint)
        else:
            opened = self._places.sources.source(anchor.at)
            message = f"alias *{name} contains itself: it stands inside &{name} at {opened}"
            self._problem("NP004", self._path(), message, at, hint="write the inner value out")

    def _refuse_tag(self, tag: str, at: int) -> None:
        name = _short(tag.replace("tag:yaml.org,2002:", "!!"))
        self._problem("NP005", self._path(), f"tag {name} is not supported", at, hint="remove the tag")

    def _refuse_syntax(self, error: yaml.YAMLError, text: str) -> None:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        index = min(mark.index, len(text)) if mark else 0
        reasons = [getattr(error, name, None) for name in ("problem", "context")]
        message = "not YAML: " + (", ".join(reason for reason in reasons if reason) or str(error))
        hint = "check indentation, colons and brackets just before this place, or quote the text"
        if text.startswith("\t", index):
            hint = "indent with spaces, not tabs"
        elif _RANGE.search(text, max(0, index - _LONGEST_QUOTE), index + _LONGEST_QUOTE):
            hint = 'quote a range that stands inside { } or [ ]: "gpu-[001-016]"'
        self._problem("NP001", self._path(), message, self._base + index, hint)

    def _report_repeats(self) -> None:
        """Report duplicate keys (NP002). Runs last, so that a map with many duplicates is walked once."""
        firsts: dict[int, dict[str, int]] = {}
        for each in self._repeats:
            frame = each.frame
            if id(frame) not in firsts:
                firsts[id(frame)] = dict(zip(frame.data, frame.offsets[::2], strict=False))
            first = self._places.sources.source(firsts[id(frame)][each.key])
            message = f"key {_short(each.key)} appears twice, first at {first}"
            self._problem("NP002", each.path, message, each.at, hint="remove or rename one of the two")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."
