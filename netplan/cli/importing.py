"""The command that writes an inventory of what is there: ``import``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.counting import nos_folders, overlays
from netplan.cli.running import could_not_run
from netplan.cli.terminal import on_terminal, put, tell
from netplan.printable import clipped, printable

if TYPE_CHECKING:
    from netplan.importing.run import Imported

NOT_JOINED = 2


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
  netplan import dumps/ --into site.yaml                 what changed since, and what netplan would change
  netplan import dumps/ --into site.yaml -o new.yaml     what is new, as a file beside site.yaml

\b
Exit status: 0 written, 1 written, but files were broken or disagree, 2 nothing to import.
With --into: 0 nothing to change, 1 something differs or is new, 2 nothing to import, or an inventory with
errors.
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
    help="Print collect.sh, which gathers on a host what FILE may be: it reads only and writes one tar.",
)
@click.option("--site", metavar="NAME", default="", help="Name of the site.")
@click.option(
    "--into",
    metavar="INVENTORY",
    help="Hold the dumps against INVENTORY: print what is new, what differs, what they do not show, and what "
    "its files would change on the site. With -o: write what is new.",
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
    """Write a commented inventory of what a cluster and its switches say of themselves.

    FILE is what kubectl get -o yaml or -o json printed, a cluster-config.yaml of k8s-launch-kit, a
    config_db.json of SONiC, its show lldp table, the running configuration of another NOS (nv config show,
    show running-config, show configuration | display set), LLDP as JSON of NVUE, EOS, NX-OS and Junos, what
    lldpctl printed on a host or switch, a tar of collect.sh or what programs of a host printed (lshw -json,
    ip -d -j link, rdma -j link, devlink -j port, mlxconfig -j, lspci -D -nn -vmm, nvidia-smi topo -m), JSON
    of NetBox or Nautobot, a CSV with the columns of cabling.csv, a folder of such files, or - for standard
    input. What a file is follows from what is in it; files of neighbours and of hosts are named after their
    host or switch. All are joined. Files are read and nothing else: no cluster and no switch is asked.

    Each value has the file and line that says it behind it. What no file says is TODO, with what to fill in
    and where to find it, and validate names each one. Where two places disagree neither is taken, and both
    are named.

    With --into nothing is written but the file of -o, an inventory file with what is new: validate reads it
    beside INVENTORY. What differs is printed with both places, for a person to decide. Configurations of
    switches and objects among the dumps are compared with what INVENTORY renders, as netplan diff --running
    and --cluster do.
    """
    if into is None and (overlays or nos_dir is not None):
        raise click.UsageError("--overlay and --nos-dir go with --into")
    from netplan.importing.run import import_texts
    from netplan.importing.sources import read_sources

    if output != "-" and Path(output).exists():
        raise _exists(output)
    with could_not_run():
        texts = read_sources(inputs)
        imported = import_texts(texts, site)
    if imported.empty:
        raise click.ClickException(_nothing(imported, inputs))
    if into is not None:
        from netplan.cli.joining import Against, joined

        status = joined(imported, texts, Against(into, overlays, nos_dir), output, quiet)
        return max(status, _told(imported, quiet)) if status < NOT_JOINED else status
    write_new(imported.text, output)
    status = _told(imported, quiet)
    if not quiet:
        _counted(imported, output)
    return status


def _put_script(ctx: click.Context) -> None:
    from netplan import importing

    put((Path(importing.__file__).parent / "collect.sh").read_text(encoding="utf-8"))
    ctx.exit()


def _nothing(imported: Imported, inputs: tuple[str, ...]) -> str:
    """Why there is no inventory."""
    if imported.problems:
        problem = imported.problems[0]
        return clipped(f"{problem.source}: {printable(problem.message)}; {printable(problem.hint)}")
    if imported.remarks:
        return clipped(f"nothing to import: {printable(str(imported.remarks[0]))}")
    names = printable(", ".join(inputs[:3]))
    wanted = "objects of kubectl get -o yaml, config_db.json files, or neighbours of LLDP as JSON"
    return f"nothing to import in {names}; give {wanted}"


def write_new(text: str, output: str) -> None:
    """To a file that is not there, or to standard output."""
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


def _told(imported: Imported, quiet: bool) -> int:
    """What was broken, what disagrees, what was not read; 1 where the first two are anything."""
    from netplan.report import failing, finding_text

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
    return int(failed)


def _counted(imported: Imported, output: str) -> None:
    from netplan.report import count

    where = "" if output == "-" else f"wrote {printable(output)}: "
    left = f"{count(imported.todos, 'TODO')} to fill in; netplan validate names each"
    tell(f"{where}{count(imported.hosts, 'host')} in {count(imported.host_types, 'host type')}, {left}\n")
