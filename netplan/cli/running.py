"""Runs the pipeline for a command and prints its findings."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from netplan.cli.terminal import Manner, progress, tell
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.cli.counting import Counting
    from netplan.model.shard import Shard
    from netplan.pipeline import Result


@contextmanager
def could_not_run() -> Iterator[None]:
    """Unreadable inputs and unwritable directories end the run with exit status 2."""
    try:
        yield
    except _refusals() as error:
        raise click.ClickException(printable(str(error))) from error


def _refusals() -> tuple[type[Exception], ...]:
    """Loaded only when something is raised: most runs do not write and need not import what writes."""
    from netplan.load import InputError
    from netplan.write import WriteError

    return InputError, WriteError


def compiled(
    inputs: Sequence[str], upto: str, nos_dir: str | None = None, overlays: Sequence[str] = ()
) -> Result:
    """Run the pipeline with progress."""
    from netplan import pipeline

    options = pipeline.Options(nos_dir=nos_dir, overlays=overlays)
    with could_not_run(), progress() as stage:
        return pipeline.run(inputs, options, upto=upto, progress=stage)


def verified(inputs: Sequence[str], counted: Counting, shard: Shard | None = None) -> Result:
    """Run the whole pipeline for one inventory, or for several with the fabric they share. ``shard``: the
    part of the files to make. The plan of a single inventory is not kept."""
    from netplan import pipeline
    from netplan.model.shard import WHOLE

    options, part = counted.options(), shard or WHOLE
    with could_not_run(), progress() as stage:
        if not counted.fabric:
            return pipeline.run(inputs, options, shard=part, progress=stage, keep_plan=False)
        from netplan import sharing

        result = sharing.run(inputs, counted.fabric, options, progress=stage)
    return replace(result, artifacts=tuple(a for a in result.artifacts if part.has(a.path)))


def nos_folders_read(nos_dir: str) -> Result:
    """Read a site's NOS folders without an inventory."""
    from netplan import pipeline

    with could_not_run():
        return pipeline.read_nos_dir(nos_dir)


def config_db_checked(inputs: Sequence[str], counted: Counting) -> Result:
    """Check config_db files, with progress. Without an inventory, no acceptance can expire."""
    from netplan import others

    with could_not_run(), progress() as stage:
        return others.check_config_db(inputs, selection=counted.options().selection, progress=stage)


def checked_rendered(given: str, crds: str | None, inventory: Sequence[str], counted: Counting) -> Result:
    """Check objects from others, with an inventory if there is one, with progress."""
    from netplan import others, pipeline

    options = counted.options()
    with could_not_run(), progress() as stage:
        site = pipeline.run(inventory, options, progress=stage) if inventory else None
        return others.run_rendered(given, crds, site=site, selection=options.selection, progress=stage)


def has_failed(result: Result, manner: Manner) -> bool:
    from netplan.report import failing

    return bool(failing(result.diagnostics, manner.strict))


def why_refused(result: Result, manner: Manner) -> str:
    """Why nothing may be written; empty if it may."""
    from netplan.report import failing

    if has_failed(result, manner):
        return "nothing written"
    return "nothing written: errors are left out of this report" if failing(result.left_out, False) else ""


def tell_findings(result: Result, manner: Manner) -> None:
    """Print the findings; with ``--quiet`` only those that fail."""
    from netplan.report import failing, finding_text, ordered

    line_of = result.document.places.sources.line if result.document else None
    color = manner.colored(sys.stderr)
    found = ordered(result.diagnostics)
    for diagnostic in failing(found, manner.strict) if manner.quiet else found:
        tell(finding_text(diagnostic, line_of, color))


def tell_summary(result: Result, manner: Manner, *endings: str) -> None:
    """Print the last line; with ``--quiet`` only if something failed."""
    from netplan.report import summary_text

    if not manner.quiet or has_failed(result, manner):
        tell(summary_text(result, *endings))
