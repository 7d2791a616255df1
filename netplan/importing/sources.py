"""Selects the files to read: named files; from a folder those with a text suffix, and tars from
collect.sh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from netplan.importing.packed import SUFFIXES as PACKED
from netplan.importing.packed import unpacked
from netplan.load import InputError
from netplan.reading.kubernetes.files import MAX_BYTES, SUFFIXES, read_input

WANTED = (*SUFFIXES, ".txt", ".csv")
"""Suffixes of files in a folder; tables of switches are text."""


@dataclass(frozen=True, slots=True)
class Sources:
    """``texts``: by name, in the order given. ``broken``: why a tar was not read, one sentence each."""

    texts: dict[str, str]
    broken: tuple[str, ...]


def read_sources(inputs: Sequence[str]) -> dict[str, str]:
    """Text by name, in the order given. Raises InputError for what is unreadable or too large."""
    found = sources(inputs)
    if found.broken:
        raise InputError(found.broken[0])
    return found.texts


def sources(inputs: Sequence[str]) -> Sources:
    """The tar of one host that cannot be read leaves the others. Raises InputError for other files."""
    texts: dict[str, str] = {}
    broken: list[str] = []
    for given in inputs:
        for name, text in _read(given, broken).items():
            texts.setdefault(name, text)
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
