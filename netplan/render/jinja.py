"""The one Jinja environment: a name a template misspells, and a None it would print, are errors."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from netplan.render.compiled import CompiledTemplates


@lru_cache(maxsize=32)
def environment(*folders: Path) -> Environment:
    """Templates of ``folders``, the first folder first; output is plain text, so nothing is escaped.

    Kept, because compiling a template takes longer than printing it; a file that changes is read again.
    """
    return Environment(
        loader=FileSystemLoader(folders),
        bytecode_cache=CompiledTemplates.of_user(),
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - no output is HTML
    )


def _printable(value: Any) -> Any:
    """Refuse None: Jinja would print the word into a switch's configuration."""
    if value is None:
        raise ValueError("a template prints a value that is None")
    return value
