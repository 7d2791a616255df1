"""``netplan render --staged``: whether a commit would contain the rendered files."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from netplan.cli.running import could_not_run
from netplan.cli.stream import STDOUT
from netplan.cli.terminal import tell
from netplan.printable import printable

_SHOWN = 10


def staging(command: Callable[..., int]) -> Callable[..., int]:
    """Add the option to ``render``, which itself knows nothing about git."""

    @click.option(
        "--staged",
        is_flag=True,
        help="Exit 1 unless every file of DIR is staged or committed unchanged: for a git hook.",
    )
    @functools.wraps(command)
    def with_staged(staged: bool, **arguments: Any) -> int:
        if staged and (arguments["check"] or arguments["output"] == STDOUT):
            raise click.UsageError("--staged requires files to be written: leave out --check and -o -")
        status = command(**arguments)
        return _status(Path(arguments["output"])) if staged and not status else status

    return with_staged


def _status(directory: Path) -> int:
    from netplan.changes.git import not_staged

    owned = json.loads((directory / "manifest.json").read_bytes())["files"]
    with could_not_run():
        found = not_staged(directory, ("manifest.json", *owned))
    if not found:
        return 0
    for name in found[:_SHOWN]:
        tell(f"not staged: {printable(name)}\n")
    add = f"git add -A -f {printable(str(directory))}"
    tell(f"{len(found):,} files of the directory are not staged as they are; run {add}\n")
    return 1
