"""Shared by the formats for CI systems: the place of a finding, and fingerprints that survive moved lines."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from netplan.diagnostics import Diagnostic, Severity, Source, dotted
from netplan.printable import printable
from netplan.report.outcome import Outcome

LEVELS: Mapping[Severity, str] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_TOKEN = re.compile(r""" "(?:\\.|[^"\\])*" | '(?:''|[^'])*' | (?:[^\s:,{}"'] | :(?=\S))+ """, re.VERBOSE)
"""A quoted scalar; else everything up to a space, a comma, a brace or the colon after a key."""
_MEMBERS = re.compile(r"\[[^\[\]]*\]")
_LINK = re.compile(r"\]\s*\(")


def working_directory() -> str:
    """Empty if it no longer exists."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ""


def words(text: str) -> str:
    """Text for a web page: no control characters, and no Markdown links from input."""
    return _LINK.sub("] (", printable(text))


def sentence(diagnostic: Diagnostic) -> str:
    """The message with its hint on a second line."""
    hint = f"\nhint: {words(diagnostic.hint)}" if diagnostic.hint else ""
    return f"{words(diagnostic.message)}{hint}"


def relative(file: str, root: str) -> str:
    """``file`` relative to the directory ``root`` if it lies below it; no leading ``./``."""
    path = PurePath(file)
    below = root and path.is_relative_to(root)
    return posixpath.normpath(path.relative_to(root).as_posix() if below else file)


def place(diagnostic: Diagnostic, outcome: Outcome) -> Source | None:
    """Where to show a finding: without a place, at the beginning of the first file."""
    if diagnostic.source or outcome.document is None or not outcome.document.files:
        return diagnostic.source
    return Source(outcome.document.files[0], 1, 1)


def end_column(diagnostic: Diagnostic, outcome: Outcome) -> int | None:
    """The column after the key or value at the finding's place; None if its line is not known."""
    if diagnostic.source is None or outcome.document is None:
        return None
    at = diagnostic.source.column - 1
    token = _TOKEN.match(outcome.document.places.sources.line(diagnostic.source), at)
    if token is None:
        return at + 2
    closing = _MEMBERS.sub("", token[0]).find(
        "]"
    )  # brackets of a list end the token; those of ranges come in pairs
    return token.end() + 1 - (len(token[0]) - token[0].rfind("]") if closing > 0 else 0)


def fingerprints(diagnostics: Iterable[Diagnostic], outcome: Outcome) -> list[str]:
    """One for each finding: of code, path and message without positions, numbered where they repeat."""
    files = outcome.document.files if outcome.document else ()
    position = re.compile("(" + "|".join(map(re.escape, files)) + r"):\d+:\d+") if files else None
    seen: Counter[str] = Counter()
    found = []
    for d in diagnostics:
        message = position.sub(r"\1", d.message) if position else d.message
        same = "\n".join((d.code, dotted(d.path), message))
        seen[same] += 1
        text = f"{same}\n{seen[same]}".encode(errors="surrogatepass")
        found.append(hashlib.sha256(text).hexdigest()[:32])
    return found
