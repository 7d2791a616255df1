"""Selects the files to read: named files; from a folder those with a text suffix, and tars from
collect.sh."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from netplan.importing.packed import SUFFIXES as PACKED
from netplan.importing.packed import unpacked
from netplan.load import InputError
from netplan.reading.kubernetes.files import MAX_BYTES, SUFFIXES, read_input

WANTED = (*SUFFIXES, ".txt", ".csv")
"""Suffixes of files in a folder; tables of switches are text."""


def read_sources(inputs: Sequence[str]) -> dict[str, str]:
    """Text by name, in the order given. Raises InputError for what is unreadable or too large."""
    texts: dict[str, str] = {}
    for given in inputs:
        for name, text in _read(given).items():
            texts.setdefault(name, text)
    return texts


def _read(given: str) -> dict[str, str]:
    packed = _packed(given)
    if packed == [given]:
        return unpacked(given)
    found = read_input(given, WANTED)
    if found.large:
        limit = f"{MAX_BYTES // 2**20} MiB"
        raise InputError(f"{found.large[0]} is larger than {limit}; split it, or dump fewer kinds")
    texts = dict(found.texts)
    for each in packed:
        texts |= unpacked(each)
    if not texts:
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
