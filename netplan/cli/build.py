"""The commands that run the whole pipeline: ``validate`` and ``render``."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.counting import Counting, counting
from netplan.cli.documents import put_document
from netplan.cli.parts import chosen_shard, sharding
from netplan.cli.recall import Recall, no_cache
from netplan.cli.running import (
    checked_rendered,
    config_db_checked,
    could_not_run,
    has_failed,
    tell_findings,
    tell_summary,
    verified,
    why_refused,
)
from netplan.cli.staged import staging
from netplan.cli.stream import STDOUT, put_objects
from netplan.cli.terminal import FORMATS, PLAIN_FORMATS, Manner, progress, put_lines, reporting, tell
from netplan.diagnostics import Diagnostic
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.pipeline import Result
    from netplan.write import Changes


@click.command(
    short_help="Check an inventory.",
    epilog="""\b
Examples:
  netplan validate inventories/minimal.yaml
  netplan validate --strict site/            a directory of YAML files
  netplan validate site.yaml fabric/         several files or directories as one inventory
  netplan validate base.yaml --overlay prod.yaml    values of prod.yaml add or replace, null removes
  netplan validate --fabric fabric/ train.yaml infer.yaml    two clusters and the fabric they share
  generate-inventory | netplan validate -    standard input
  netplan validate --format json site/ > report.json
  netplan validate --ignore NP8,NP404 --as-of 2027-01-31 site/
  netplan validate site.yaml --nos-dir nos/    NOS folders of the site, such as nos/my-nos/nos.yaml
  netplan validate --config-db leaf-1.json spine-1.json    files of SONiC switches
  netplan validate --rendered gitops/ --crds crds/         objects written by others
  kubectl kustomize jobs/ | netplan validate site.yaml --rendered -    do the pods have the rails of the site?
""",
)
@click.argument("inventory", nargs=-1)
@click.option(
    "--config-db",
    is_flag=True,
    help="INVENTORY is a list of config_db.json files of SONiC switches, or folders of them, from any "
    "source.",
)
@click.option(
    "--rendered",
    metavar="DIR",
    help="Check Kubernetes YAML from any source, - for standard input; with INVENTORY, also whether "
    "pods have its rails.",
)
@click.option(
    "--crds", metavar="DIR", help="With --rendered: the cluster's CRDs; fields missing from them are errors."
)
@counting
@reporting(FORMATS)
def validate(
    inventory: tuple[str, ...],
    config_db: bool,
    rendered: str | None,
    crds: str | None,
    counted: Counting,
    manner: Manner,
) -> int:
    """Check an inventory: run everything that render runs, without writing files.

    With --rendered, check a directory of Kubernetes YAML and JSON from any source: fields, values, and
    whether objects agree; with INVENTORY too, whether pods that request the GPUs of a workload have its
    rails. With --config-db, check files of SONiC switches: the QoS chain, headroom, and both ends of every
    link. To check whether rendered files match the inventory, use `render --check`.
    """
    _one_kind(inventory, config_db, rendered, crds)
    for option, given in counted.of_inventory():
        if given and (config_db or not inventory):
            raise click.UsageError(f"{option} requires an inventory")
    if rendered is not None and counted.fabric:
        raise click.UsageError("--fabric cannot be used with --rendered: name the files of one cluster")
    if rendered is not None:
        result = checked_rendered(rendered, crds, inventory, counted)
    elif config_db:
        result = config_db_checked(inventory, counted)
    else:
        result = verified(inventory, counted)
    if not put_document(result, manner):
        tell_findings(result, manner)
        tell_summary(result, manner)
    return int(has_failed(result, manner))


def _one_kind(inventory: tuple[str, ...], config_db: bool, rendered: str | None, crds: str | None) -> None:
    """Reject combined kinds of input: a report covers only one."""
    if rendered is None and crds is not None:
        raise click.UsageError("--crds requires --rendered")
    if rendered is not None and config_db:
        raise click.UsageError("--rendered and --config-db need separate runs")
    if rendered == "-" and "-" in inventory:
        raise click.UsageError("standard input is the inventory or the objects: name a file for one of them")
    if rendered is None and not inventory:
        raise click.UsageError("Missing argument 'INVENTORY...'.")


def _known_kinds(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Loads the list of kinds only if one is given: ``--help`` must not load the pipeline."""
    if given:
        from netplan.pipeline import KINDS

        for kind in given:
            if kind not in KINDS:
                raise click.BadParameter(f"{kind} is not one of {', '.join(KINDS)}", ctx, param)
    return tuple(sorted(set(given)))


def _complete_kind(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from netplan.pipeline import KINDS

    return [kind for kind in KINDS if kind.startswith(incomplete)]


def _named(ctx: click.Context, param: click.Parameter, given: str) -> str:
    """Rejects an empty name, which an unset variable leaves and which would mean the working directory."""
    if not given:
        raise click.BadParameter("the name of the directory is empty", ctx, param)
    return given


@click.command(
    short_help="Write every artifact, or show what would change.",
    epilog="""\b
Examples:
  netplan render site.yaml -o build/site
  netplan render site.yaml -o build/site --check         what would change, as a diff
  netplan render site.yaml -o build/site --only switches
  netplan render --strict --format json site/ -o build/site
  netplan render base.yaml --overlay prod.yaml -o build/prod
  netplan render --fabric fabric/ train.yaml infer.yaml -o build    clusters/<site>/, and switches/ once
  netplan render site.yaml -o build/site --nos-dir nos/  NOS folders of the site, such as nos/my-nos/nos.yaml
  netplan render site.yaml -o part-2 --shard 2/8         a part; then: netplan render --join part-* -o build
  netplan render site.yaml -o build/site --staged        in a git hook: fails unless the commit has the files
  netplan render site.yaml -o - | kubectl diff -f -      only the Kubernetes objects, as one YAML stream
""",
)
@click.argument("inventory", nargs=-1, required=True)
@click.option(
    "--output",
    "-o",
    metavar="DIR",
    required=True,
    callback=_named,
    help="Output directory, created if missing; - prints the Kubernetes objects of all stages.",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Use DIR even if it contains other files and no manifest.json of netplan; those files are kept.",
)
@click.option(
    "--only",
    metavar="KIND",
    multiple=True,
    callback=_known_kinds,
    shell_complete=_complete_kind,
    help="Only this kind of artifact; repeatable.",
)
@click.option(
    "--check", is_flag=True, help="Write nothing; show what would change, exit 1 if anything would."
)
@staging
@no_cache
@counting
@reporting(FORMATS)
@sharding
def render(
    inventory: tuple[str, ...],
    output: str,
    adopt: bool,
    only: tuple[str, ...],
    check: bool,
    counted: Counting,
    manner: Manner,
) -> int:
    """Write every artifact of an inventory below DIR.

    If there are errors, nothing is written, even if --select or --ignore leave them out: a broken
    configuration must not reach a switch. Files that netplan wrote earlier and no longer renders are removed;
    files that it did not write are never touched.

    Unless DIR has a manifest.json of netplan or --adopt is given, these are rejected: the root of the file
    system, a home directory, the directory of the inventory, and any directory that is not empty. --adopt
    adopts the directory, not its files: a file that netplan did not write stays, and one at the path of an
    artifact is an error unless it has the same content.

    With --fabric, each INVENTORY is a cluster on the fabric of FILE: DIR holds the files of each cluster in
    clusters/<site>/, and one switches/, rendered from the links of all. Conflicting statements are an error.

    With --shard 2/8, eight machines share the work: each host, host type, switch and other file is in one
    part, chosen by its name and the number of parts only. Parts rendered into the same DIR one after another
    give the whole tree, including manifest.json; --join combines parts in separate directories. With --check,
    a part is compared with its files in a whole tree.

    With - as DIR, the Kubernetes objects of all stages go to standard output in the order to apply them, and
    no file is written: for programs that apply objects and keep no tree.

    If inventory and options are the same as in the last run, nothing is compiled: DIR is only compared with
    what was written. The data for this is in $NETPLAN_CACHE_DIR, $XDG_CACHE_HOME/netplan or ~/.cache/netplan,
    not in DIR, and may be deleted.
    """
    from netplan.write import compare, refuse_unclaimed, write

    shard = chosen_shard()
    if output == STDOUT:
        return put_objects(inventory, counted, manner, adopt or check or bool(only), shard)
    directory = Path(output)
    if not adopt:
        with could_not_run():
            refuse_unclaimed(directory, (*inventory, *counted.files))
    recall = Recall() if shard else Recall.of(inventory, output, only, counted, manner)
    if recall.answered(check):
        return 0
    result = verified(inventory, counted, shard)
    refused = why_refused(result, manner)
    if refused or result.fabric is None:
        _report_refusal(result, manner, refused)
        return 1
    with could_not_run(), progress() as stage:
        stage(f"{'comparing' if check else 'writing'} {len(result.artifacts):,} files")
        bring = compare if check else write
        kinds = frozenset(only) or None
        changes = bring(directory, result.artifacts, result.fabric.site, kinds, recall.memory, stage, shard)
    outdated = check and bool(changes.pending)
    if not outdated:
        recall.keep(lambda checked: _report(result, output, changes.settled, checked, only, manner))
    _report(result, output, changes, check, only, manner)
    return int(outdated)


def _report(
    result: Result, output: str, changes: Changes, check: bool, only: tuple[str, ...], manner: Manner
) -> None:
    directory = Path(output)
    lists = {field.name: getattr(changes, field.name) for field in fields(changes)}  # asdict copies each path
    files = {"directory": output, "written": not check, **lists}
    if check and changes.pending and manner.form not in PLAIN_FORMATS:  # those list the files instead
        result = replace(result, diagnostics=(*result.diagnostics, _outdated(directory, changes)))
    if not put_document(result, manner, files=files):
        tell_findings(result, manner)
        if not manner.quiet:
            _put_changes(result, directory, changes, check, manner)
        tell_summary(result, manner, *_not_written(only, check))


def _not_written(only: tuple[str, ...], check: bool) -> list[str]:
    """What was not done, for the summary."""
    if check:
        return ["nothing written"]
    return [f"only {', '.join(only)} written"] if only else []


def _report_refusal(result: Result, manner: Manner, why: str) -> None:
    if put_document(replace(result, skipped=(*result.skipped, why)), manner, files=None):
        return
    tell_findings(result, manner)
    tell_summary(result, manner, why)


def _outdated(directory: Path, changes: Changes) -> Diagnostic:
    from netplan.model.codes import CODES

    lists = {"add": changes.added, "change": changes.changed, "remove": changes.removed}
    numbers = ", ".join(f"{len(paths):,} to {verb}" for verb, paths in lists.items())
    what = f"{directory} is not up to date: {numbers}, such as {changes.pending[0]}"
    return Diagnostic(
        "NP019", CODES["NP019"].severity, (), what, "run netplan render and commit what it writes"
    )


def _put_changes(result: Result, directory: Path, changes: Changes, check: bool, manner: Manner) -> None:
    """Print the result of a render: the counts, and with ``check`` each file with its differences."""
    from netplan.write import unified_diff

    if check:
        by_verb = {"add": changes.added, "change": changes.changed, "remove": changes.removed}
        put_lines(f"would {verb} {printable(path)}" for verb, paths in by_verb.items() for path in paths)
        put_lines(unified_diff(directory, result.artifacts, changes, manner.colored(sys.stdout)))
    for path in changes.edited:
        fate = "would be lost" if check else "are lost"
        tell(f"{printable(str(directory / path))}: edited since netplan wrote it; these edits {fate}\n")
    put_lines([_changes_text(directory, changes, check)])


def _changes_text(directory: Path, changes: Changes, check: bool) -> str:
    words = ("would write", "change", "remove") if check else ("wrote", "changed", "removed")
    numbers = (len(changes.added), len(changes.changed), len(changes.removed))
    parts = [f"{word} {number:,}" for word, number in zip(words, numbers, strict=True)]
    return f"{', '.join(parts)}, unchanged {len(changes.unchanged):,} in {printable(str(directory))}"
