"""The command that writes an inventory of an existing site: ``import``."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.counting import nos_folders, overlays
from netplan.cli.running import could_not_run
from netplan.cli.terminal import on_terminal, put, tell
from netplan.printable import clipped, printable

if TYPE_CHECKING:
    from netplan.importing.run import Imported

STANDARD_OUTPUT = "<stdout>"


def _one(given: tuple[str, ...]) -> str | None:
    """Not the last one of several without a word."""
    if len(given) > 1:
        raise click.UsageError("--into is given twice; put the files of the inventory into one folder")
    return next(iter(given), None)


@click.command(
    "import",
    short_help="Write an inventory of an existing cluster.",
    epilog="""\b
Examples:
  kubectl get nodes,nicdevices,sriovnetworknodestates,sriovnetworknodepolicies,nicclusterpolicies,\\
sriovnetworks,hostdevicenetworks,macvlannetworks,net-attach-def,\\
ippools.nv-ipam.nvidia.com,cidrpools,configmaps,pods -A -o yaml > dump.yaml
  netplan import dump.yaml -o site.yaml     then: netplan validate site.yaml
  netplan import dump.yaml leaf-1.json leaf-1.txt gpu-001.lldp.json     config_db, LLDP of switch and host
  netplan import dumps/ --site prod         a folder of dumps; the inventory goes to standard output
  netplan import --collect-script > collect.sh
  ssh gpu-001 sudo sh -s < collect.sh > gpu-001.tar     a host without Kubernetes
  netplan import gpu-*.tar leaf-1.json --site prod
  netplan import dumps/ --into site.yaml                 what changed since, what runs and is not planned
  netplan import dumps/ --into site.yaml -o new.yaml     what is new, as a file beside site.yaml

\b
Exit status: 0 written, 1 written, but files were broken or disagree, or validate refuses what they say,
2 nothing to import, or dumps of two clusters. With --into: 0 nothing to change, 1 something differs or is
new, 2 as without, or an inventory with errors.
""",
)
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@click.option("--output", "-o", metavar="FILE", default="-", help="Write it to FILE, which must not exist.")
@click.option(
    "--collect-script",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, param, given: _put_script(ctx) if given else None,
    help="Print collect.sh, which collects such files on a host: it only reads, and writes one tar.",
)
@click.option("--site", metavar="NAME", default="", help="Name of the site.")
@click.option(
    "--into",
    metavar="INVENTORY",
    multiple=True,
    callback=lambda _context, _option, given: _one(given),
    help="Compare the dumps with INVENTORY: print what is new, what differs, what they do not show, and "
    "where the site runs something else than it renders. With -o: write what is new.",
)
@nos_folders
@overlays
@click.option("--quiet", "-q", is_flag=True, help="Print only findings that make the run fail.")
def import_(
    inputs: tuple[str, ...],
    output: str,
    site: str,
    into: str | None,
    nos_dir: str | None,
    overlays: tuple[str, ...],
    quiet: bool,
) -> int:
    """Write a commented inventory from dumps of a cluster, its hosts and its switches.

    FILE is output of kubectl get -o yaml or -o json, a cluster-config.yaml of k8s-launch-kit, a
    config_db.json of SONiC, its show lldp table, the running configuration of another NOS (nv config show,
    show running-config, show configuration | display set), LLDP neighbours of NVUE, EOS, NX-OS and Junos as
    JSON, output of lldpctl on a host or switch, a tar written by collect.sh, output of host tools (lshw
    -json, ip -d -j link, rdma -j link, devlink -j port, mlxconfig -j, lspci -D -nn -vmm, nvidia-smi topo -m),
    JSON of NetBox or Nautobot, a CSV with the columns of cabling.csv, a folder of such files, or - for
    standard input. A file's type is detected from its content; LLDP and host files must be named after their
    host or switch. All files are combined. Only files are read: no cluster or switch is contacted.

    A comment after each value names its file and line. A value that no file states is TODO, with what to fill
    in and where to find it; validate reports each one. Where two places disagree, neither value is used and
    both are reported.

    With --into, only the file of -o is written: an inventory file with what is new, to validate together with
    INVENTORY. Differences are printed with both places, for you to decide. Switch configurations and objects
    in the dumps are compared with what INVENTORY renders, as by netplan diff --running and --cluster.
    """
    if into is None and (overlays or nos_dir is not None):
        raise click.UsageError("--overlay and --nos-dir require --into")
    from netplan.importing.run import import_texts
    from netplan.importing.sources import sources

    if output != "-" and Path(output).exists():
        raise _exists(output)
    with could_not_run():
        read = sources(inputs)
        imported = import_texts(read.texts, site, read.broken, read.skipped)

    def again(kept: Collection[str]) -> Imported:
        return import_texts(read.texts, site, read.broken, read.skipped, kept)

    if imported.empty:
        raise click.ClickException(_nothing(imported, inputs))
    if imported.clusters:
        raise click.ClickException(clipped(printable(imported.clusters)))
    if into is not None:
        from netplan.cli.joining import Against, joined

        status, imported = joined(imported, Against(into, overlays, nos_dir, again), output, quiet)
        return max(status, _told(imported, inputs, quiet))
    write_new(imported.text, output)
    status = max(_told(imported, inputs, quiet), _refused(imported.text, output))
    if not quiet:
        _counted(imported, output)
    return status


def _put_script(ctx: click.Context) -> None:
    from netplan import importing

    put((Path(importing.__file__).parent / "collect.sh").read_text(encoding="utf-8"))
    ctx.exit()


def _nothing(imported: Imported, inputs: tuple[str, ...]) -> str:
    """Why there is no inventory, for a message."""
    if imported.broken:
        return clipped(printable(imported.broken[0]))
    if imported.problems:
        problem = imported.problems[0]
        return clipped(f"{problem.source}: {printable(problem.message)}; {printable(problem.hint)}")
    if imported.remarks:
        return clipped(f"nothing to import: {printable(str(imported.remarks[0]))}")
    names = printable(", ".join(inputs[:3]))
    wanted = "objects of kubectl get -o yaml, config_db.json files, or neighbours of LLDP as JSON"
    return f"nothing to import in {names}; give {wanted}"


def write_new(text: str, output: str) -> None:
    """Write to a file that must not exist, or to standard output."""
    if output == "-":
        put(text)
        return
    try:
        with Path(output).open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError as error:
        raise _exists(output) from error
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise click.ClickException(f"{printable(output)} cannot be written: {reason}") from error


def _exists(output: str) -> click.ClickException:
    return click.ClickException(f"{printable(output)} exists; it was not overwritten")


def _told(imported: Imported, inputs: Collection[str], quiet: bool) -> int:
    """Report broken, contradicting and unread files; returns 1 if any is broken or contradicting, or no
    inventory has it all."""
    from netplan.report import failing, finding_text

    failed = bool(
        imported.broken
        or imported.folded.beyond
        or imported.conflicts
        or failing(imported.problems, strict=False)
    )
    for each in imported.broken:
        tell(clipped(printable(f"not read: {each}")) + "\n")
    for problem in imported.problems:
        tell(finding_text(problem, imported.sources.line, on_terminal(sys.stderr)))
    if imported.folded.beyond:
        tell(clipped(printable(f"two fabrics: {imported.folded.beyond}")) + "\n")
    for conflict in imported.conflicts:
        tell(clipped(printable(f"sources disagree: {conflict}")) + "\n")
    if quiet:
        return int(failed)
    for note in imported.notes:
        tell(clipped(printable(f"note: {note}")) + "\n")
    for remark in imported.remarks:
        tell(clipped(printable(f"not taken: {remark}")) + "\n")
    for line in _without_use(imported.unread, inputs):
        tell(printable(line) + "\n")
    return int(failed)


_LISTED = 10
"""Files of folders with nothing to import that are listed one by one; a Git repository has hundreds."""


def _without_use(unread: Sequence[str], inputs: Collection[str]) -> Iterator[str]:
    from netplan.report import few

    of_folders = [name for name in unread if name not in inputs]
    many = len(of_folders) > _LISTED
    for name in unread:
        if name in inputs or not many:
            yield f"{name}: nothing to import"
    if many:
        yield f"nothing to import in {len(of_folders):,} files: {few(of_folders, 3)}"


def _refused(text: str, output: str) -> int:
    """Report what ``validate`` refuses of the values that the dumps state; returns 1 if there is any."""
    from netplan.importing.text import TODO
    from netplan.load import InputError
    from netplan.pipeline import compile_texts
    from netplan.report import failing, finding_text

    name = STANDARD_OUTPUT if output == "-" else output
    lines = text.split("\n")
    try:
        found = failing(compile_texts({name: text}, upto="plan").diagnostics, strict=False)
    except InputError as error:
        tell(clipped(printable(f"validate refuses the inventory: {error}")) + "\n")
        return 1
    # validate names a TODO by itself, once it is asked
    refused = [each for each in found if each.source and TODO not in lines[each.source.line - 1]]
    if refused:
        tell("validate refuses what the dumps say: an inventory cannot have it, or the site is wrong there\n")
    for each in refused:
        tell(finding_text(each, lambda at: lines[at.line - 1], on_terminal(sys.stderr)))
    return int(bool(refused))


def _counted(imported: Imported, output: str) -> None:
    from netplan.report import count

    where = "" if output == "-" else f"wrote {printable(output)}: "
    left = f"{count(imported.todos, 'TODO')} to fill in"
    left += "; netplan validate names each" if imported.todos else ""
    tell(f"{where}{count(imported.hosts, 'host')} in {count(imported.host_types, 'host type')}, {left}\n")
