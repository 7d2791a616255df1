"""Selects the files to read: named files; from a folder those with a text suffix, and tars from
collect.sh.

UTF-16 and UTF-32 are read by their byte order mark: Windows PowerShell 5.1 writes UTF-16 with a mark where
output is redirected (learn.microsoft.com, PowerShell, about_Character_Encoding). Another byte that is not
UTF-8 is left to the readers, which name its place.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from netplan.importing.packed import SUFFIXES as PACKED
from netplan.importing.packed import unpacked
from netplan.load import InputError
from netplan.reading.kubernetes.files import MAX_BYTES, SUFFIXES, read_input

WANTED = (*SUFFIXES, ".txt", ".csv")
"""Suffixes of files in a folder; tables of switches are text."""
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""The mark of UTF-32 begins with that of UTF-16."""


@dataclass(frozen=True, slots=True)
class Sources:
    """``texts``: by name, in the order given. ``broken``: why others were not read, one sentence each."""

    texts: dict[str, str]
    broken: tuple[str, ...]


def read_sources(inputs: Sequence[str]) -> dict[str, str]:
    """Text by name, in the order given. Raises InputError for what is unreadable or too large."""
    found = sources(inputs)
    if found.broken:
        raise InputError(found.broken[0])
    return found.texts


def sources(inputs: Sequence[str]) -> Sources:
    """A tar that cannot be read leaves the others, and so does a text that is not in the encoding of its
    mark. Raises InputError for other files."""
    texts: dict[str, str] = {}
    broken: list[str] = []
    for given in inputs:
        for name, text in _read(given, broken).items():
            if (decoded := _decoded(name, text, broken)) is not None:
                texts.setdefault(name, decoded)
    return Sources(texts, tuple(broken))


def _read(given: str, broken: list[str]) -> dict[str, str]:
    packed = _packed(given)
    texts: dict[str, str] = {}
    if packed != [given]:
        found = read_input(given, WANTED)
        if found.large:
            limit = f"{MAX_BYTES // 2**20} MiB"
            raise InputError(f"{found.large[0]} is larger than {limit}; split it, or dump fewer kinds")
        texts = dict(found.texts)
    for each in packed:
        try:
            texts |= unpacked(each)
        except InputError as error:
            broken.append(str(error))
    if not texts and not packed:
        raise InputError(f"{given} holds no file such as *.yaml, *.json, *.txt or *.tar")
    return texts


def _decoded(name: str, text: str, broken: list[str]) -> str | None:
    """By its mark; None if it is not what the mark says. ``text``: as UTF-8, other bytes as surrogates."""
    head = text[:4].encode("utf-8", "surrogateescape")
    encoding = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "")
    if not encoding:
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode(encoding)
    except UnicodeDecodeError as error:
        what = f"byte {error.start + 1:,} is not {encoding.upper()}, which the file's first bytes announce"
        broken.append(f"{name}: {what}; save it as UTF-8")
        return None


def _packed(given: str) -> list[str]:
    """The tar itself, or the tars of a folder; links are not followed."""
    path = Path(given)
    if given == "-" or not given:
        return []
    try:
        if not path.is_dir():
            return [given] if given.endswith(PACKED) else []
        files = (each for each in sorted(path.rglob("*")) if each.name.endswith(PACKED))
        return [str(each) for each in files if each.is_file() and not each.is_symlink()]
    except (OSError, ValueError):
        return []  # the reader reports why
