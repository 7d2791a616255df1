"""Which files are read: those that are named, and of a folder those with a suffix of text."""

from __future__ import annotations

from collections.abc import Sequence

from netplan.load import InputError
from netplan.reading.kubernetes.files import MAX_BYTES, SUFFIXES, read_input

WANTED = (*SUFFIXES, ".txt")
"""Of the files of a folder; tables of switches are text."""


def read_sources(inputs: Sequence[str]) -> dict[str, str]:
    """Text by name, in the order given. Raises InputError for what cannot be read, and for what is too
    large."""
    texts: dict[str, str] = {}
    for given in inputs:
        found = read_input(given, WANTED)
        if found.large:
            limit = f"{MAX_BYTES // 2**20} MiB"
            raise InputError(f"{found.large[0]} is larger than {limit}; split it, or dump fewer kinds")
        if not found.texts:
            raise InputError(f"{given} holds no file such as *.yaml, *.json or *.txt")
        for name, text in found.texts.items():
            texts.setdefault(name, text)
    return texts
