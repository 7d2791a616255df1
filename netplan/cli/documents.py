"""Reports as one document on standard output, in every format except text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from netplan.cli.terminal import FORMATS, Manner, put

if TYPE_CHECKING:
    from netplan.pipeline import Result

TEXT = FORMATS[0]


def put_document(result: Result | None, manner: Manner, **more: Any) -> bool:
    """Print the report; False if the format is text. ``result``: None if no inventory was read. ``more``:
    results of the command, for JSON."""
    if manner.form == TEXT:
        return False
    from netplan.explain import entries
    from netplan.report import DOCUMENTS, Report
    from netplan.result import Result as Nothing

    put(DOCUMENTS[manner.form](Report(result or Nothing(), entries(), manner.strict, more)))
    return True


def put_failure(message: str, form: str) -> bool:
    """Print why a run could not start; False if the format is text."""
    if form == TEXT:
        return False
    from netplan.report import FAILURES

    put(FAILURES[form](message))
    return True


def asked_format(arguments: Sequence[str]) -> str:
    """The requested format, even if the arguments could not be parsed."""
    wanted = ""
    for before, argument in zip(("", *arguments), arguments, strict=False):
        if argument == "--":
            break
        if before == "--format":
            wanted = argument
        elif argument.startswith("--format="):
            wanted = argument.removeprefix("--format=")
    return wanted if wanted in FORMATS else TEXT
