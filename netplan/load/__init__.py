"""Inventory files -> one Document: find the files and combine them.

Files of an inventory are united and never override each other: top-level maps are merged entry by entry,
top-level lists are concatenated in file-name order, and a top-level scalar may repeat only with the same
value. Overlays are then applied in order (``netplan.load.overlays``).
``netplan.yaml12`` reports problems within one file; this module reports those between files:

NP002  a key appears in two files
NP007  the top level of a file is not a map
NP008  the files belong to different sites
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.load.kept import Entries
from netplan.load.overlays import Overlaying
from netplan.load.union import Union, shown
from netplan.model.document import Document, Places, SourceMap
from netplan.model.inventory_schema import item_keys
from netplan.paths import exists
from netplan.yaml12 import Parsed, parse

__all__ = ["MAX_BYTES", "STDIN", "Document", "InputError", "load", "load_texts"]

MAX_BYTES = 256 * 2**20
"""Limit per file; 12,500 hosts with 8 HCAs, each written out, take about 17 MiB."""
STDIN = "<stdin>"
_SUFFIXES = (".yaml", ".yml")


class InputError(Exception):
    """An input cannot be opened or contains no inventory; the message names it and the remedy."""


def load(inputs: Sequence[str], overlays: Sequence[str] = ()) -> Document:
    """Read an inventory from files, directories of ``*.yaml`` and ``*.yml`` files, or ``-`` (standard input).

    Directories are not searched recursively and hidden files are ignored; a file named twice is read once.
    ``overlays``: inputs of the same kinds, applied in this order. Errors in the text go to
    ``Document.problems``. Raises InputError if there is no text to read.
    """
    if ("-" in inputs) + list(overlays).count("-") > 1:
        raise InputError("standard input can be read once: name files for the others")
    texts, over = read_texts(inputs), [read_texts([given]) for given in overlays]
    document = _document(texts, over, Entries(overlaid=bool(over)))
    if document.data is None and not document.problems:
        names = ", ".join(document.files) or "no input"
        raise InputError(f"{names}: no inventory in it; `netplan init` writes one to start from")
    return document


def read_texts(inputs: Sequence[str]) -> dict[str, str]:
    """File name -> text. Raises InputError."""
    files = {str(path): _read(path) for path in input_files(inputs)}
    return {**files, STDIN: _read_stdin()} if "-" in inputs else files


def input_files(inputs: Sequence[str]) -> list[FilePath]:
    """The files that ``load`` reads, each once; not standard input. Raises InputError."""
    found: dict[FilePath, FilePath] = {}
    for given in inputs:
        for path in _files(given) if given != "-" else ():
            found.setdefault(path.resolve(), path)
    return list(found.values())


def read_text(name: str) -> str:
    """The text of one file. Raises InputError if it cannot be read or is too large."""
    return _read(FilePath(name))


def load_texts(texts: Mapping[str, str], overlays: Sequence[Mapping[str, str]] = ()) -> Document:
    """As ``load``, for texts in memory (file name -> text). Never raises; no text gives ``data`` None."""
    return _document(texts, overlays)


def _document(
    texts: Mapping[str, str],
    overlays: Sequence[Mapping[str, str]],
    entries: Entries | None = None,
) -> Document:
    places = Places(SourceMap())
    data, root, problems = _inventory(texts, places, entries.parse if entries is not None else parse)
    laying = Overlaying(places, item_keys() if overlays else {})
    for each in overlays:
        over, at, found = _inventory(each, places)
        problems += found
        if isinstance(data, dict) and isinstance(over, dict) and root is not None and at is not None:
            data = laying.lay(data, root, over, at)
    problems += laying.notes
    problems.sort(key=lambda problem: problem.source or Source("", 0, 0))
    files = tuple(dict.fromkeys(places.sources.names))
    return Document(data, tuple(problems), files, root, places, entries)


def _inventory(
    texts: Mapping[str, str], places: Places, read: Callable[[str, str, Places], Parsed] = parse
) -> tuple[Any, int | None, list[Diagnostic]]:
    """The united map, the offset of its top level, and the problems found."""
    parsed = [read(name, texts[name], places) for name in sorted(texts)]
    maps = [file for file in parsed if isinstance(file.data, dict)]
    problems = [problem for file in parsed for problem in file.problems]
    problems += [
        _not_a_map(file, places)
        for file in parsed
        if not file.problems and not isinstance(file.data, dict | None)
    ]
    data, clashes = _joined(maps, places)
    root = maps[0].root if maps else (0 if texts else None)
    return data, root, [*problems, *clashes]


def _joined(maps: list[Parsed], places: Places) -> tuple[Any, Sequence[Diagnostic]]:
    """The united data, and the conflicts between the files."""
    if several_sites := _several_sites(maps, places):
        return None, [several_sites]
    if len(maps) < 2:
        return (maps[0].data if maps else None), []
    union = Union(places)
    return union.of([file.data for file in maps]), union.problems


def _files(given: str) -> list[FilePath]:
    path = FilePath(given)
    try:
        if not given or not exists(path):
            raise InputError(f"{given!r} does not exist; name a file, a directory or - for standard input")
        if not path.is_dir():
            return [path]
        found = [entry for entry in path.iterdir() if is_inventory_name(entry.name) and may_be_read(entry)]
    except (OSError, ValueError) as error:
        raise InputError(
            f"{given!r} cannot be opened ({_reason(error)}); check path and permissions"
        ) from error
    if not found:
        raise InputError(
            f"{given} contains no *.yaml or *.yml file; name the directory with the inventory files"
        )
    return sorted(found)


def may_be_read(path: str | FilePath) -> bool:
    """Whether a directory entry is a regular file; reading a pipe, socket or device might never end.

    True for a broken link, so that reading it reports the error.
    """
    path = FilePath(path)
    return path.is_file() or not exists(path)


def is_inventory_name(name: str) -> bool:
    """Whether ``load`` reads a file of this name in a directory: not hidden, ``.yaml`` or ``.yml``."""
    return "/" not in name and name.endswith(_SUFFIXES) and not name.startswith(".")


def _read(path: FilePath) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({_reason(error)}); check its permissions") from error
    return _decoded(str(path), raw)


def _read_stdin() -> str:
    try:
        raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    except (AttributeError, OSError) as error:  # sys.stdin is None when the shell closed it
        raise InputError("standard input cannot be read; pipe the inventory in or name a file") from error
    return _decoded(STDIN, raw)


def _decoded(name: str, raw: bytes) -> str:
    """Decode UTF-8; invalid bytes become lone surrogates, which the parser reports with their position.

    Raises InputError above MAX_BYTES.
    """
    if len(raw) > MAX_BYTES:
        limit = MAX_BYTES // 2**20
        raise InputError(f"{name} is larger than {limit} MiB; write hosts as ranges or split the file")
    return raw.decode("utf-8", "surrogateescape")


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _not_a_map(file: Parsed, places: Places) -> Diagnostic:
    kind = "a list" if isinstance(file.data, list) else "a single value"
    hint = "start with `version: 1` and `site:` at the left margin"
    source = places.sources.source(file.root)
    return Diagnostic("NP007", Severity.ERROR, (), f"top level is {kind}, not a map", hint, source)


def _several_sites(files: Sequence[Parsed], places: Places) -> Diagnostic | None:
    """NP008 if the files name different sites; it replaces the duplicate-key errors that would follow."""
    found: dict[str, list[int]] = {}
    for file in files:
        child = places.child(file.data, "site")
        if child and not isinstance(child[0], dict | list):
            found.setdefault(str(child[0]), []).append(child[2])
    if len(found) < 2:
        return None
    source = places.sources.source
    sites = "; ".join(
        f"{shown(site)} in {', '.join(str(source(at)) for at in found[site])}" for site in found
    )
    message = f"{len(found)} sites in one inventory: {sites}"
    second = source(list(found.values())[1][0])
    return Diagnostic("NP008", Severity.ERROR, ("site",), message, "name the files of one site only", second)
