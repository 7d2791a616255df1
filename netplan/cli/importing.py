"""The command that writes an inventory of what is there: ``import``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.running import could_not_run
from netplan.cli.terminal import on_terminal, put, tell
from netplan.printable import clipped, printable

if TYPE_CHECKING:
    from netplan.importing.run import Imported


@click.command(
    "import",
    short_help="Write an inventory of what is there.",
    epilog="""\b
Examples:
  kubectl get nodes,nicdevices,sriovnetworknodestates,sriovnetworknodepolicies,nicclusterpolicies,\\
sriovnetworks,hostdevicenetworks,macvlannetworks,net-attach-def,\\
ippools.nv-ipam.nvidia.com,cidrpools,configmaps -A -o yaml > dump.yaml
  netplan import dump.yaml -o site.yaml     then: netplan validate site.yaml
  netplan import dump.yaml leaf-1.json leaf-1.txt gpu-001.lldp.json     config_db, LLDP of switch and host
  netplan import dumps/ --site prod         a folder of dumps; the inventory goes to standard output

\b
Exit status: 0 written, 1 written, but files were broken or disagree, 2 nothing to import.
""",
)
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@click.option("--output", "-o", metavar="FILE", default="-", help="Write it to FILE, which must not exist.")
@click.option("--site", metavar="NAME", default="", help="Name of the site.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what makes the run fail.")
def import_(inputs: tuple[str, ...], output: str, site: str, quiet: bool) -> int:
    """Write a commented inventory of what a cluster and its switches say of themselves.

    FILE is what kubectl get -o yaml or -o json printed, a cluster-config.yaml of k8s-launch-kit, a
    config_db.json of SONiC, its show lldp table, what lldpctl -f json or -f json0 printed on a host or
    switch, a folder of such files, or - for standard input. What a file is follows from what is in it; files
    of neighbours are named after their host or switch. All are joined. Files are read and nothing else: no
    cluster and no switch is asked.

    Each value has the file and line that says it behind it. What no file says is TODO, with what to fill in
    and where to find it, and validate names each one. Where two places disagree neither is taken, and both
    are named.
    """
    from netplan.importing.run import import_texts
    from netplan.importing.sources import read_sources

    with could_not_run():
        texts = read_sources(inputs)
        imported = import_texts(texts, site)
    if imported.empty:
        raise click.ClickException(_nothing(imported, inputs))
    _write(imported.text, output)
    return _told(imported, output, quiet)


def _nothing(imported: Imported, inputs: tuple[str, ...]) -> str:
    """Why there is no inventory."""
    if imported.problems:
        problem = imported.problems[0]
        return clipped(f"{problem.source}: {printable(problem.message)}; {printable(problem.hint)}")
    names = printable(", ".join(inputs[:3]))
    wanted = "objects of kubectl get -o yaml, config_db.json files, or neighbours of lldpctl -f json"
    return f"nothing to import in {names}; give {wanted}"


def _write(text: str, output: str) -> None:
    if output == "-":
        put(text)
        return
    try:
        with Path(output).open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError as error:
        raise click.ClickException(f"{printable(output)} exists; it was not overwritten") from error
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise click.ClickException(f"{printable(output)} cannot be written: {reason}") from error


def _told(imported: Imported, output: str, quiet: bool) -> int:
    from netplan.report import count, failing, finding_text

    failed = bool(imported.conflicts or failing(imported.problems, strict=False))
    for problem in imported.problems:
        tell(finding_text(problem, imported.sources.line, on_terminal(sys.stderr)))
    for conflict in imported.conflicts:
        tell(clipped(printable(f"sources disagree: {conflict}")) + "\n")
    if quiet:
        return int(failed)
    for remark in imported.remarks:
        tell(clipped(printable(f"not taken: {remark}")) + "\n")
    for name in imported.unread:
        tell(printable(f"{name}: nothing of use here\n".rstrip()) + "\n")
    where = "" if output == "-" else f"wrote {printable(output)}: "
    left = f"{count(imported.todos, 'TODO')} to fill in; netplan validate names each"
    tell(f"{where}{count(imported.hosts, 'host')} in {count(imported.host_types, 'host type')}, {left}\n")
    return int(failed)
