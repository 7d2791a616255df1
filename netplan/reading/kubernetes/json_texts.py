"""JSON texts inside objects: how their consumers parse them, and where in the file a part of one stands."""

from __future__ import annotations

from typing import Any

from netplan import json_text
from netplan.diagnostics import Path, Source
from netplan.model.document import Document, Places, SourceMap

TWICE = "duplicate key"


def parse_json(text: str) -> Any:
    """JSON as Go's encoding/json reads it, which takes the last value of a key. Raises ValueError where an
    earlier one differs."""
    return json_text.loads(text, object_pairs_hook=_last, parse_constant=_refuse)


def _last(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        lost = next((key for key, value in pairs if value != mapping[key]), None)
        if lost is not None:
            raise ValueError(f"{TWICE} {lost!r}, of whose values only the last counts")
    return mapping


def check_json(text: str) -> None:
    """Raises ValueError where it is no strict JSON, without keeping a result: the text may be large."""
    json_text.loads(text, object_pairs_hook=_check_unique, parse_constant=_refuse)


def _check_unique(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{TWICE} {next(key for key in keys if keys.count(key) > 1)!r}")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def place_inside(sources: SourceMap, at: int, text: str, path: Path) -> Source:
    """The place of a path in a JSON text, which is parsed again as YAML for its positions."""
    from netplan.yaml12 import parse

    bare = isinstance(path[0], int) and not text.lstrip().startswith("[")  # metaPlugins has no brackets
    inner = Places(SourceMap())
    parsed = parse("", f"[{text}]" if bare else text, inner)
    found = Document(parsed.data, (), ("",), parsed.root, inner).locate(path) if not parsed.problems else None
    if found is None:
        return sources.source(at)
    return place_in_file(sources, at, text, found.line, found.column - (bare and found.line == 1))


def place_in_file(sources: SourceMap, at: int, text: str, line: int, column: int) -> Source:
    """Converts line and column of an embedded text to those of its file: exact for a literal block and
    for a single line written verbatim; for other texts the start of the text."""
    start = sources.source(at)
    written = sources.line(start)[start.column - 1 :]
    if written.startswith("|"):
        first = sources.line(sources.source(at + len(written) + 1))
        return Source(start.file, start.line + line, len(first) - len(first.lstrip(" ")) + column)
    quoted = written.startswith(("'", '"'))
    if line == 1 and written[quoted:].startswith(text):
        return Source(start.file, start.line, start.column + quoted + column - 1)
    return start
