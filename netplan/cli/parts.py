"""``netplan render --shard`` and ``--join``: rendering a site on several machines."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from netplan.cli.running import could_not_run
from netplan.cli.stream import STDOUT
from netplan.cli.terminal import PLAIN_FORMATS, put_lines
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.model.shard import Shard

_SHARD = "netplan.shard"


def chosen_shard() -> Shard | None:
    """The part to render; None for all."""
    shard: Shard | None = click.get_current_context().meta.get(_SHARD)
    return shard


def sharding(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to ``render``; with --join, nothing else of ``render`` runs."""

    @click.option(
        "--shard",
        metavar="I/N",
        expose_value=False,
        callback=_read,
        help="Only part I of N: each host, switch and other file is in one part, by its name.",
    )
    @click.option(
        "--join",
        is_flag=True,
        help="INVENTORY are the directories of all parts: combine them in DIR, without rendering.",
    )
    @functools.wraps(command)
    def with_shards(join: bool, **arguments: Any) -> int:
        shard = chosen_shard()
        if shard is not None and arguments["only"]:
            raise click.UsageError("--only and --shard exclude each other")
        if not join:
            return command(**arguments)
        if shard is not None or arguments["only"] or arguments["output"] == STDOUT:
            raise click.UsageError("--join requires a directory and excludes --shard and --only")
        if arguments["manner"].form != PLAIN_FORMATS[0]:
            raise click.UsageError("--join has nothing to report but the files: leave out --format")
        return _join(
            arguments["inventory"], Path(arguments["output"]), arguments["check"], arguments["adopt"]
        )

    return with_shards


def _read(ctx: click.Context, param: click.Parameter, given: str | None) -> None:
    if given is None:
        return
    from netplan.model.shard import shard_of

    try:
        ctx.meta[_SHARD] = shard_of(given)
    except ValueError as error:
        raise click.BadParameter(printable(str(error)), ctx, param) from error


def _join(parts: tuple[str, ...], directory: Path, check: bool, adopt: bool) -> int:
    from netplan.write import compare, joined, refuse_unclaimed, write

    with could_not_run():
        if not adopt:
            refuse_unclaimed(directory, ())
        site, artifacts = joined([Path(part) for part in parts])
        changes = (compare if check else write)(directory, artifacts, site)
    if check:
        by_verb = {"add": changes.added, "change": changes.changed, "remove": changes.removed}
        put_lines(f"would {verb} {printable(path)}" for verb, paths in by_verb.items() for path in paths)
    numbers = (len(changes.added), len(changes.changed), len(changes.removed))
    words = ("would write", "change", "remove") if check else ("wrote", "changed", "removed")
    told = ", ".join(f"{word} {number:,}" for word, number in zip(words, numbers, strict=True))
    put_lines([f"{told}, unchanged {len(changes.unchanged):,} in {printable(str(directory))}"])
    return int(check and bool(changes.pending))
