"""The Jinja environment for templates that ship; an undefined name or a printed None is an error."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from netplan.render.compiled import CompiledTemplates


@lru_cache(maxsize=32)
def environment(*folders: Path) -> Environment:
    """Environment with the templates of ``folders``, earlier folders first; output is plain text, so nothing
    is escaped.

    Cached, because compiling a template takes longer than rendering it; a changed file is read again.
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
    """Refuses None, which Jinja would print into a switch's configuration as a word."""
    if value is None:
        raise ValueError("a template prints a value that is None")
    return value
