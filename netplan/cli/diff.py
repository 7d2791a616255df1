"""The command that says what a change does: ``diff``."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from netplan.cli.counting import nos_folders
from netplan.cli.documents import put_document
from netplan.cli.running import could_not_run, nos_folders_read, tell_findings, tell_summary
from netplan.cli.terminal import Manner, progress, put_lines, reporting, tell
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.changes.model import Difference
    from netplan.changes.sides import Side
    from netplan.pipeline import Result

FORMATS = ("text", "json", "markdown")
NOT_COMPARED = 2


@click.command(
    short_help="Say what a change does.",
    epilog="""\b
Examples:
  netplan diff old.yaml new.yaml
  netplan diff HEAD~1:site.yaml site.yaml           a revision of git, read by git cat-file
  netplan diff build/site site.yaml                 what is rendered now, and what would be
  netplan diff main:inventories/a.yaml a.yaml --format markdown > comment.md
  netplan diff site.yaml --running leaf-1=leaf-1.json --running dumps/    what the switches run

\b
Exit status: 0 the same, 1 something changes, 2 a side that cannot be read or has errors.
""",
)
@click.argument("old")
@click.argument("new", required=False)
@click.option(
    "--running",
    metavar="SWITCH=FILE",
    multiple=True,
    help="Compare OLD with a running configuration, or a folder of files named after switches; repeatable.",
)
@nos_folders
@reporting(FORMATS)
def diff(old: str, new: str | None, running: tuple[str, ...], nos_dir: str | None, manner: Manner) -> int:
    """Say what changes between OLD and NEW, and what that does to nodes, pods, switches and hosts.

    OLD and NEW are inventories (a file or a directory), directories that netplan rendered, or REV:path of git
    for either. Effects are those of the operators, plugins and NOSes themselves, each with its source; where
    none says what happens, that is said. Loading files adds and replaces: what OLD set and NEW does not is
    listed as staying on the switch.

    With --running and no NEW: what the switches run (config_db.json, nv config show -o yaml, show
    running-config, show configuration | display set) and the files of OLD do not say, both ways.
    """
    if (new is None) == (not running):
        raise click.UsageError("give NEW, or --running SWITCH=FILE")
    if new is None:
        return _running(old, running, nos_dir, manner)
    found = _difference(old, new, nos_dir, manner)
    if found is None:
        return NOT_COMPARED
    from netplan.changes import show

    if manner.form == "json":
        put_document(None, manner, diff=show.data(found))
    elif manner.form == "markdown":
        put_lines(map(printable, show.markdown(found)))
    elif not (manner.quiet and found.same):
        put_lines(show.lines(found, manner.colored(sys.stdout)))
    return int(not found.same)


def _running(planned: str, given: tuple[str, ...], nos_dir: str | None, manner: Manner) -> int:
    from netplan.changes import show
    from netplan.changes.compare import facts_of
    from netplan.changes.drift import drift, running_files
    from netplan.nos import shipped

    side = _sound(planned, nos_dir, manner)
    if side is None:
        return NOT_COMPARED
    library = shipped() if nos_dir is None else nos_folders_read(nos_dir).library
    with could_not_run():
        found = drift(side, facts_of(side), running_files(given), library)
    if manner.form == "json":
        put_document(None, manner, drift=asdict(found))
    elif manner.form == "markdown":
        put_lines(map(printable, show.drift_markdown(found)))
    elif found.found or not manner.quiet:
        put_lines(show.drift_lines(found, manner.colored(sys.stdout)))
    return int(bool(found.found))


def _difference(old: str, new: str, nos_dir: str | None, manner: Manner) -> Difference | None:
    """None where a side has errors, which are told."""
    from netplan.changes.compare import difference

    sides: list[Side] = []
    for given in (old, new):
        side = _sound(given, nos_dir, manner)
        if side is None:
            return None
        sides.append(side)
    library = None if nos_dir is None else nos_folders_read(nos_dir).library
    with could_not_run(), progress() as stage:
        stage("comparing")
        return difference(sides[0], sides[1], library)


def _sound(given: str, nos_dir: str | None, manner: Manner) -> Side | None:
    """None where it has errors, which are told."""
    from netplan.report import failing

    side, result = _side(given, nos_dir)
    if result is not None and (side is None or failing(result.diagnostics, manner.strict)):
        _refuse(given, result, manner)
        return None
    return side


def _side(given: str, nos_dir: str | None) -> tuple[Side | None, Result | None]:
    """What is compared, None of an inventory with errors; and what was found in an inventory."""
    from netplan import pipeline
    from netplan.changes import sides
    from netplan.changes.git import is_revision, texts_of

    with could_not_run(), progress() as stage:
        if sides.is_rendered(given):
            return sides.rendered_side(given), None
        if not is_revision(given):
            result = pipeline.run([given], nos_dir=nos_dir, progress=stage)
        else:
            texts = texts_of(given)
            if sides.has_manifest(given, texts):
                return sides.rendered_texts(given, texts), None
            result = pipeline.compile_texts(sides.inventory_texts(given, texts), nos_dir=nos_dir)
    if not result.artifacts:
        return None, result
    return sides.Side(given, {a.path: a.text for a in result.artifacts}, result.document), result


def _refuse(given: str, result: Result, manner: Manner) -> None:
    if manner.form == "json":
        put_document(result, manner, diff=None)
        return
    tell_findings(result, manner)
    tell_summary(result, manner, "nothing compared")
    tell(f"{given} has errors\n")
