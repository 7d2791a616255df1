"""The command that shows the effects of a change: ``diff``."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.bound import OPTION, Bound, Given
from netplan.cli.counting import nos_folders, overlays
from netplan.cli.documents import put_document
from netplan.cli.running import could_not_run, nos_folders_read, tell_findings, tell_summary
from netplan.cli.terminal import Manner, progress, put_lines, reporting, tell
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.changes.drift import Drift
    from netplan.changes.ends import Ends
    from netplan.changes.sides import Side
    from netplan.changes.wave import Course
    from netplan.pipeline import Result

FORMATS = ("text", "json", "markdown")
NOT_COMPARED = 2


@click.command(
    cls=Bound,
    short_help="Show the effects of a change.",
    epilog="""\b
Examples:
  netplan diff old.yaml new.yaml
  netplan diff HEAD~1:site.yaml site.yaml           a git revision, read with git cat-file
  netplan diff build/site site.yaml                 the rendered tree and what a new render would change
  netplan diff old.yaml new.yaml -o change/         commands and rollback of each wave
  netplan diff main:inventories/a.yaml a.yaml --format markdown > comment.md
  netplan diff base.yaml --overlay dev.yaml base.yaml --overlay prod.yaml    two environments
  netplan diff --overlay prod.yaml main:base.yaml base.yaml                  the overlay on both sides
  kubectl get net-attach-def,ippools -A -o yaml | netplan diff site.yaml --cluster -
  netplan diff site.yaml --running leaf-1=leaf-1.json --running dumps/    what the switches run

\b
Exit status: 0 no change, 1 changes, 2 a side cannot be read or has errors.
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
@click.option(
    "--cluster",
    metavar="FILE",
    help="Compare OLD with the objects of the cluster: output of kubectl get -o yaml, a folder, or -.",
)
@click.option(
    "--output",
    "-o",
    metavar="DIR",
    help="Write the waves to DIR: commands, objects and rollback of each. With --running: the commands from "
    "the running configuration of a SONiC switch to the plan.",
)
@nos_folders
@overlays
@reporting(FORMATS)
def diff(
    old: Given,
    new: Given | None,
    running: tuple[str, ...],
    cluster: str | None,
    output: str | None,
    nos_dir: str | None,
    manner: Manner,
) -> int:
    """Show what changes between OLD and NEW, and the effects on nodes, pods, switches and hosts.

    OLD and NEW are inventories (a file or a directory), directories rendered by netplan, or either of them in
    git as REV:path. Effects are what operators, plugins and NOSes do with the change, each with its source;
    where no source tells, the output says so. Loading a file adds and replaces: settings that OLD has and NEW
    lacks are listed as staying on the switch.

    Waves are the steps of the change, in order: who applies what, what it interrupts, what to check next, how
    to roll back. The state after each wave is traced as by `netplan trace`; if no order keeps the pods
    connected, the change needs a maintenance window. With -o, the commands and objects of each wave are
    written.

    With --cluster: fields that OLD writes and that differ in the cluster (running -> planned), missing
    objects, and objects left over from an earlier render.

    An --overlay applies to the inventory before it on the command line; one before OLD, to both. It is a
    file, or REV:path in git.

    With --running and no NEW: the differences, in both directions, between the running configuration of the
    switches (config_db.json, nv config show -o yaml, show running-config, show configuration | display set)
    and the files of OLD, as running -> planned. With -o, for SONiC, also the commands that bring a switch
    from its running configuration to the plan, as for the first rollout onto factory defaults.
    """
    if (new is None) == (not running and cluster is None):
        raise click.UsageError("name NEW, or give --running SWITCH=FILE or --cluster FILE")
    if new is None:
        if output is not None and not running:
            raise click.UsageError("--output requires NEW or --running")
        return _running(old, running, cluster, output, nos_dir, manner)
    ends = _ends((old, new), nos_dir, manner)
    return NOT_COMPARED if ends is None else _compared(ends, (old, new), output, manner)


def _compared(ends: Ends, inputs: tuple[Given, ...], output: str | None, manner: Manner) -> int:
    from netplan.changes import show
    from netplan.changes.compare import difference
    from netplan.changes.waves import course

    with could_not_run(), progress() as stage:
        stage("comparing")
        found = difference(ends)
        stage("judging the waves")
        way = course(ends)
    if output is not None:
        _write(output, inputs, ends, way)
    if manner.form == "json":
        put_document(None, manner, diff=show.data(found, way))
    elif manner.form == "markdown":
        put_lines(map(printable, show.markdown(found, way)))
    elif not (manner.quiet and found.same):
        put_lines(show.lines(found, way, manner.colored(sys.stdout)))
    return int(not found.same)


def _running(
    planned: Given,
    dumps: tuple[str, ...],
    cluster: str | None,
    output: str | None,
    nos_dir: str | None,
    manner: Manner,
) -> int:
    from netplan.changes import show
    from netplan.changes.compare import facts_of
    from netplan.changes.drift import drift
    from netplan.changes.drift_objects import object_drift
    from netplan.changes.drift_words import DIRECTION
    from netplan.changes.ran import running_files
    from netplan.nos import shipped

    side = sound(planned, nos_dir, manner)
    if side is None:
        return NOT_COMPARED
    library = shipped() if nos_dir is None else nos_folders_read(nos_dir).library
    with could_not_run():
        facts = facts_of(side)
        found = drift(side, facts, running_files(dumps), library)
        if cluster is not None:
            found = found.beside(object_drift(side, facts, cluster))
        if output is not None:
            _write_rollout(output, planned, found, manner)
    if manner.form == "json":
        rows = {key: value for key, value in asdict(found).items() if key not in ("commands", "switches")}
        put_document(None, manner, drift={"direction": DIRECTION, **rows})
    elif manner.form == "markdown":
        put_lines(map(printable, show.drift_markdown(found)))
    elif found.found or not manner.quiet:
        put_lines(show.drift_lines(found, manner.colored(sys.stdout)))
    return int(bool(found.found))


def _write_rollout(output: str, planned: Given, found: Drift, manner: Manner) -> None:
    """Also reports switches for which there are no commands."""
    from netplan.changes.output import rollout_files
    from netplan.write import refuse_unclaimed, write

    refuse_unclaimed(Path(output), (planned.name, *planned.overlays))
    write(
        Path(output),
        tuple(rollout_files(found.commands)),
        f"commands from the running configuration to {planned}",
    )
    without = [name for name in found.compared if name in found.switches and name not in found.commands]
    if without and not manner.quiet:
        tell(f"no commands for {', '.join(without)}: they come from a config_db.json of SONiC alone\n")


def _ends(inputs: tuple[Given, ...], nos_dir: str | None, manner: Manner) -> Ends | None:
    """None if a side has errors, which are printed."""
    from netplan.changes.compare import ends_of

    sides: list[Side] = []
    for each in inputs:
        side = sound(each, nos_dir, manner)
        if side is None:
            return None
        sides.append(side)
    library = None if nos_dir is None else nos_folders_read(nos_dir).library
    with could_not_run():
        return ends_of(sides[0], sides[1], library)


def _write(output: str, inputs: tuple[Given, ...], ends: Ends, way: Course) -> None:
    from netplan.changes.output import wave_files
    from netplan.write import refuse_unclaimed, write

    with could_not_run(), progress() as stage:
        stage("writing files")
        refuse_unclaimed(Path(output), [name for each in inputs for name in (each.name, *each.overlays)])
        write(Path(output), tuple(wave_files(way, ends)), f"waves of {ends.facts[1].name}")


def sound(each: Given, nos_dir: str | None, manner: Manner) -> Side | None:
    """None if it has errors, which are printed."""
    from netplan.report import failing

    side, result = _side(each, nos_dir)
    if result is not None and (side is None or failing(result.diagnostics, manner.strict)):
        _refuse(each, result, manner)
        return None
    return side


def _side(each: Given, nos_dir: str | None) -> tuple[Side | None, Result | None]:
    """(side to compare, None for an inventory with errors; result of the inventory, if it is one)."""
    from netplan import pipeline
    from netplan.changes import sides
    from netplan.changes.git import is_revision, texts_of

    with could_not_run(), progress() as stage:
        texts = texts_of(each.name) if is_revision(each.name) else None
        rendered = sides.rendered(each.name, texts)
        if rendered is not None:
            if each.overlays:
                raise click.UsageError(f"{OPTION} requires an inventory, {each.name} is rendered")
            return rendered, None
        if texts is None and not any(map(is_revision, each.overlays)):
            options = pipeline.Options(nos_dir=nos_dir, overlays=each.overlays)
            result = pipeline.run([each.name], options, progress=stage)
        else:
            base = sides.inventory(each.name, texts)
            over = [sides.inventory(name) for name in each.overlays]
            result = pipeline.compile_texts(base, nos_dir=nos_dir, overlays=over)
    if not result.artifacts:
        return None, result
    return sides.Side(str(each), {a.path: a.text for a in result.artifacts}, result.document), result


def _refuse(each: Given, result: Result, manner: Manner) -> None:
    if manner.form == "json":
        put_document(result, manner, diff=None)
        return
    tell_findings(result, manner)
    tell_summary(result, manner, "nothing compared")
    tell(f"{each} has errors\n")
