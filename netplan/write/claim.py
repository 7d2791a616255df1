"""Output directories that a render must not take over unless told to: ``render --adopt``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from netplan.write.manifest import JOURNAL, MANIFEST, TEMPORARY
from netplan.write.tree import WriteError, os_errors

_HINT = "name a directory for the rendered files alone, or add --adopt to use this one"
_SHOWN = 3


def refuse_unclaimed(directory: Path, inputs: Sequence[str]) -> None:
    """Raises `WriteError` for a directory that contains, or is likely to contain, files of others.

    A directory with a manifest, or with the journal of a cut-off run, is already netplan's;
    `netplan.write.survey` checks whether they are valid. ``inputs``: the inventory as given.
    """
    with os_errors(directory):
        if not directory.is_dir() or any(os.path.lexists(directory / name) for name in (MANIFEST, JOURNAL)):
            return
        why = _special(directory.resolve(), inputs) or _holds(directory)
    if why:
        raise WriteError(f"{directory} {why}; {_HINT}")


def _special(directory: Path, inputs: Sequence[str]) -> str:
    """Why nobody wants this directory used as output, even if it is empty."""
    if directory == directory.parent:
        return "is the root of the file system"
    if directory == _home():
        return f"is the home directory {directory}"
    for given in inputs:
        own = Path(given) if Path(given).is_dir() else Path(given).parent
        if given != "-" and own.resolve() == directory:
            return f"is the directory of the inventory {given}"
    return ""


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except RuntimeError:  # no HOME, and a user without an entry in passwd, as in a container
        return None


def _holds(directory: Path) -> str:
    names = sorted(path.name for path in directory.iterdir() if path.name != TEMPORARY)
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"is not empty and has no {MANIFEST} of netplan: it holds {', '.join(names[:_SHOWN])}{more}"
