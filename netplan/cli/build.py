"""The commands that run the whole pipeline: ``validate`` and ``render``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from netplan.cli.terminal import Manner, progress, put, reporting, tell
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.pipeline import Result
    from netplan.write import Changes


@contextmanager
def could_not_run() -> Iterator[None]:
    """Inputs that cannot be read and directories that cannot be written end the run with exit 2."""
    from netplan.load import InputError
    from netplan.write import WriteError

    try:
        yield
    except (InputError, WriteError) as error:
        raise click.ClickException(printable(str(error))) from error


def compiled(inputs: Sequence[str], upto: str) -> Result:
    """Run the pipeline, showing its progress."""
    from datetime import date

    from netplan import pipeline

    with could_not_run(), progress() as stage:
        return pipeline.run(inputs, upto=upto, today=date.today(), progress=stage)


def has_failed(result: Result, manner: Manner) -> bool:
    from netplan.report import failing

    return bool(failing(result.diagnostics, manner.strict))


def tell_findings(result: Result, manner: Manner) -> None:
    """Print the findings, all or with ``--quiet`` those that fail."""
    import sys

    from netplan.report import failing, finding_text, ordered

    line_of = result.document.places.sources.line if result.document else None
    color = manner.colored(sys.stderr)
    found = ordered(result.diagnostics)
    for diagnostic in failing(found, manner.strict) if manner.quiet else found:
        tell(finding_text(diagnostic, line_of, color))


def tell_summary(result: Result, manner: Manner, *endings: str) -> None:
    """Print the last line, with ``--quiet`` only when something failed."""
    from netplan.report import summary_text

    if not manner.quiet or has_failed(result, manner):
        tell(summary_text(result, *endings))


@click.command(
    epilog="""\b
Examples:
  netplan validate inventories/minimal.yaml
  netplan validate --strict site/            a directory of YAML files
  netplan validate site.yaml fabric/         several are read as one inventory
  generate-inventory | netplan validate -    standard input
  netplan validate --format json site/ > report.json
"""
)
@click.argument("inventory", nargs=-1, required=True)
@reporting
def validate(inventory: tuple[str, ...], manner: Manner) -> int:
    """Check an inventory: everything that render does, without writing a file."""
    from netplan.report import report_json

    result = compiled(inventory, "verify")
    if manner.form == "json":
        put(report_json(result))
    else:
        tell_findings(result, manner)
        tell_summary(result, manner)
    return int(has_failed(result, manner))


class _Kind(click.ParamType):
    """An artifact kind; the list of them is fetched only when one is given."""

    name = "kind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from netplan.pipeline import KINDS

        return str(click.Choice(KINDS).convert(value, param, ctx))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from netplan.pipeline import KINDS

        return click.Choice(KINDS).shell_complete(ctx, param, incomplete)


@click.command(
    epilog="""\b
Examples:
  netplan render site.yaml -o build/site
  netplan render site.yaml -o build/site --check        what would change, as a diff; exit 1 if anything
  netplan render site.yaml -o build/site --only switches
  netplan render --strict --format json site/ -o build/site
"""
)
@click.argument("inventory", nargs=-1, required=True)
@click.option("--output", "-o", metavar="DIR", required=True, help="Output directory; made when missing.")
@click.option("--only", multiple=True, type=_Kind(), help="Write only this kind of artifact; may be repeated.")
@click.option("--check", is_flag=True, help="Write nothing; show what would change and exit 1 if anything.")
@reporting
def render(inventory: tuple[str, ...], output: str, only: tuple[str, ...], check: bool, manner: Manner) -> int:
    """Write every artifact of an inventory below DIR.

    Nothing is written when there are errors. Files that netplan wrote earlier and that are no longer part of the
    result are removed; files it did not write are never touched.
    """
    result = compiled(inventory, "verify")
    if has_failed(result, manner) or result.fabric is None:
        _report_refusal(result, manner)
        return 1
    directory = Path(output)
    with could_not_run(), progress() as stage:
        stage("comparing files" if check else "writing files")
        changes = _bring(directory, result, frozenset(only) or None, check)
    if manner.form == "json":
        _report_json(result, _files(directory, changes, written=not check))
    else:
        _report_text(result, manner, directory, changes, check)
    return int(check and bool(changes.pending))


def _bring(directory: Path, result: Result, only: frozenset[str] | None, check: bool) -> Changes:
    from netplan.write import compare, write

    assert result.fabric is not None
    act = compare if check else write
    return act(directory, result.artifacts, result.fabric.site, only)


def _report_refusal(result: Result, manner: Manner) -> None:
    if manner.form == "json":
        _report_json(result, None)
    else:
        tell_findings(result, manner)
        tell_summary(result, manner, "nothing written")


def _report_json(result: Result, files: Mapping[str, Any] | None) -> None:
    from netplan.report import report_json

    put(report_json(result, files=files))


def _files(directory: Path, changes: Changes, written: bool) -> dict[str, Any]:
    from dataclasses import asdict

    return {"directory": str(directory), "written": written, **asdict(changes)}


def _report_text(result: Result, manner: Manner, directory: Path, changes: Changes, check: bool) -> None:
    tell_findings(result, manner)
    if not manner.quiet:
        if check:
            _put_differences(directory, result, changes, manner)
        for path in changes.edited:
            fate = "would be lost" if check else "are lost"
            tell(f"{printable(f'{directory}/{path}')}: edited since netplan wrote it; the edits {fate}\n")
        put(_changes_text(directory, changes, check))
    tell_summary(result, manner, *(["nothing written"] if check else []))


def _put_differences(directory: Path, result: Result, changes: Changes, manner: Manner) -> None:
    import sys

    from netplan.write import unified_diff

    for verb, paths in (("add", changes.added), ("change", changes.changed), ("remove", changes.removed)):
        for path in paths:
            put(f"would {verb} {printable(path)}\n")
    for line in unified_diff(directory, result.artifacts, changes, manner.colored(sys.stdout)):
        put(f"{line}\n")


def _changes_text(directory: Path, changes: Changes, check: bool) -> str:
    counts = ("wrote", changes.added), ("changed", changes.changed), ("removed", changes.removed)
    would = ("write", changes.added), ("change", changes.changed), ("remove", changes.removed)
    parts = [f"{word} {len(paths):,}" for word, paths in (would if check else counts)]
    parts.append(f"unchanged {len(changes.unchanged):,}")
    return f"{'would ' if check else ''}{', '.join(parts)} in {printable(str(directory))}\n"
