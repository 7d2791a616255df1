"""The command that follows packets through rendered files: ``trace``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.counting import fabric_files, nos_folders, overlays
from netplan.cli.documents import put_document
from netplan.cli.running import compiled, has_failed, nos_folders_read, tell_findings, tell_summary
from netplan.cli.terminal import PLAIN_FORMATS, Manner, put_lines, reporting
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.pipeline import Result
    from netplan.trace import TracedSite, Verdict


@click.command(
    short_help="Follow a packet between two pods.",
    options_metavar="[OPTIONS]",
    epilog="""\b
Examples:
  netplan trace site.yaml training@gpu-001/rail0 training@gpu-016/rail2
  netplan trace site.yaml --matrix                       every rail to every rail of each workload
  netplan trace site.yaml --matrix --workload training
  netplan trace --rendered build/site --matrix           the files of a directory, edited or not
  netplan trace site.yaml --rendered build/site training@gpu-001/0 training@gpu-002/0
  netplan trace --rendered build/site --matrix --nos-dir nos/    NOS folders of the site
  netplan trace --rendered gitops/                       any files: what each pod attaches
  netplan trace --rendered gitops/ train/worker-0 mpijob/nccl    two of its pods side by side
  kubectl get net-attach-def,sriovnetworknodepolicies,pods -A -o yaml | netplan trace --rendered - --matrix

\b
Verdicts: proved: the files carry the packet, lossless if its class is; refuted, with hop and file; not
proved, with the missing statement and where it belongs. Exit status: 0 nothing is refuted, 1 something is
refuted or, with --strict, not proved, 2 an end does not exist, files cannot be read, or no pod in them
has an attachment.
""",
)
@click.argument("arguments", nargs=-1, metavar="[INVENTORY] [FROM TO]")
@click.option("--rendered", metavar="DIR|-", help="Trace the files in DIR instead of rendering.")
@click.option("--matrix", is_flag=True, help="Trace every rail to every rail, with hosts grouped by class.")
@click.option("--workload", metavar="NAME", help="With --matrix: only this workload.")
@nos_folders
@overlays
@fabric_files
@reporting(PLAIN_FORMATS)
def trace(
    arguments: tuple[str, ...],
    rendered: str | None,
    matrix: bool,
    workload: str | None,
    nos_dir: str | None,
    overlays: tuple[str, ...],
    fabric: tuple[str, ...],
    manner: Manner,
) -> int:
    """Follow a packet from one pod interface to another and back, through the rendered files.

    FROM and TO are WORKLOAD@HOST/RAIL, where RAIL is the interface's name or the rail's number. Each hop is
    shown with its MTU, queue and PFC, each failure with its hop and file. The verdict covers flows bound to a
    device, as those of RoCE, and flows bound to a source address; flows of unbound sockets are shown, and
    count only if the workload has unbound_traffic.

    With INVENTORY and --rendered, cabling and hosts come from the inventory, everything else from DIR.

    If DIR has no site.json of netplan (files written by others, a cluster dump, - for standard input), hosts
    and switches are unknown. Each interface of each pod is then followed as far as the files go: attachment,
    network, resource and its provider, device, VLAN, MTU, addresses, routes; each step is proved, not proved
    or refuted separately. FROM and TO are NAMESPACE/NAME or KIND/NAME: one is shown, two are compared,
    without them every pod is shown; --matrix prints a table.
    """
    if rendered is not None and _foreign(rendered, arguments, matrix):
        if any((workload is not None, nos_dir is not None, overlays, fabric)):
            what = "--workload, --nos-dir, --overlay and --fabric require an inventory or a directory netplan"
            raise click.UsageError(f"{what} rendered, and {printable(rendered)} has no site.json of netplan")
        with _could_not_trace():
            return _chains(rendered, arguments, matrix, manner)
    inventory, ends = _split(arguments, rendered, matrix)
    if workload is not None and not matrix:
        raise click.UsageError("--workload requires --matrix")
    result = _compiled(inventory, fabric, nos_dir, overlays)
    folders = nos_folders_read(nos_dir) if result is None and nos_dir is not None else result
    if folders is not None and (has_failed(folders, manner) or (result and result.fabric is None)):
        return _refused(folders, manner)
    with _could_not_trace():
        site = _site(result, rendered, folders)
        if matrix:
            return _matrix(site, result, workload, manner)
        return _trace(site, result, ends, manner)


def _foreign(rendered: str, arguments: tuple[str, ...], matrix: bool) -> bool:
    """Whether neither the files nor an inventory say which hosts, cables and switches exist."""
    from netplan.trace import is_rendered

    alone = len(arguments) <= (0 if matrix else 2)
    return alone and not is_rendered(Path(rendered))


def _compiled(
    inventory: str | None, fabric: tuple[str, ...], nos_dir: str | None, overlays: tuple[str, ...]
) -> Result | None:
    """Result for the inventory, or None without one."""
    if inventory is not None:
        return compiled([inventory, *fabric], "verify", nos_dir=nos_dir, overlays=overlays)
    if overlays or fabric:
        raise click.UsageError(f"--{'overlay' if overlays else 'fabric'} requires an inventory")
    return None


def _split(
    arguments: tuple[str, ...], rendered: str | None, matrix: bool
) -> tuple[str | None, tuple[str, str]]:
    """(inventory or None, both ends)."""
    count = len(arguments) - (0 if matrix else 2)
    wanted = "" if matrix else " FROM TO"
    if count not in (0, 1):
        raise click.UsageError(f"expected [INVENTORY]{wanted or ' --matrix'}, or --matrix without ends")
    if count == 0 and rendered is None:
        raise click.UsageError("an INVENTORY or --rendered DIR is needed")
    ends = ("", "") if matrix else (arguments[-2], arguments[-1])
    return (arguments[0] if count else None), ends


@contextmanager
def _could_not_trace() -> Iterator[None]:
    from netplan.trace import TraceError

    try:
        yield
    except TraceError as error:
        raise click.ClickException(printable(str(error))) from error


def _site(result: Result | None, rendered: str | None, folders: Result | None) -> TracedSite:
    """The site to trace. ``folders``: result with the site's own NOSes, if any."""
    from netplan.model.site import PATH
    from netplan.reading.site import read_site
    from netplan.trace import TracedSite, beside, load_tree

    library = None if folders is None else folders.library
    if result is not None and rendered is None:
        return TracedSite(result.artifacts, library)
    folder = Path(rendered or "")
    facts = None
    if result is not None:
        facts = read_site(next(a.text for a in result.artifacts if a.path == PATH))
    return TracedSite(load_tree(folder), library, facts, beside(folder))


def _refused(result: Result, manner: Manner) -> int:
    if manner.form == "json":
        put_document(result, manner, trace=None)
    else:
        tell_findings(result, manner)
        tell_summary(result, manner, "nothing traced")
    return 1


def _fails(verdict: Verdict, manner: Manner) -> bool:
    return verdict.fails or (manner.strict and verdict > 0)


def _trace(site: TracedSite, result: Result | None, ends: tuple[str, str], manner: Manner) -> int:
    from netplan.trace import trace_data, trace_lines, walks_between

    walks = walks_between(site, *ends)
    failed = _fails(walks.verdict, manner)
    if manner.form == "json":
        put_document(result, manner, trace={**trace_data(walks), **_edited(site)})
    elif failed or not manner.quiet:
        put_lines(trace_lines(walks, manner.colored(sys.stdout)))
        put_lines(_edited_lines(site))
    return int(failed)


def _edited(site: TracedSite) -> dict[str, list[str]]:
    return {"edited": list(site.edited)} if site.edited else {}


def _edited_lines(site: TracedSite) -> list[str]:
    """Note about files that differ from the manifest: their current content is traced."""
    if not site.edited:
        return []
    more = f" and {len(site.edited) - _SHOWN} more" if len(site.edited) > _SHOWN else ""
    shown = ", ".join(printable(path) for path in site.edited[:_SHOWN])
    return [
        "",
        f"changed since netplan wrote them (manifest.json), and traced as they are now: {shown}{more}",
    ]


_SHOWN = 12
"""Limit of files listed by name; JSON has all."""


def _matrix(site: TracedSite, result: Result | None, only: str | None, manner: Manner) -> int:
    from netplan.trace import Tabulator, Verdict, matrix_data, matrix_lines, workloads_named

    tabulator = Tabulator(site)
    found = [tabulator.matrix(workload) for workload in workloads_named(site, only)]
    failing = [each for each in found if _fails(each.verdict, manner)]
    if manner.form == "json":
        worst = max(each.verdict for each in found)
        data = {
            "delivered": worst is Verdict.DELIVERED,
            "proof": worst.proof,
            "workloads": [matrix_data(each) for each in found],
            **_edited(site),
        }
        put_document(result, manner, matrix=data)
    else:
        for index, each in enumerate(failing if manner.quiet else found):
            put_lines([""] if index else [])
            put_lines(matrix_lines(each, manner.colored(sys.stdout)))
        if failing or not manner.quiet:
            put_lines(_edited_lines(site))
    return int(bool(failing))


def _chains(rendered: str, ends: tuple[str, ...], matrix: bool, manner: Manner) -> int:
    """Trace files without site.json: the attachments of all pods, of one, or of two side by side."""
    from netplan.graph.qos import Proof
    from netplan.trace import chains

    found = chains.read_chains(rendered)
    pods = [chains.chain_at(found, end) for end in ends] or list(found.pods)
    both = chains.compared(*pods) if len(ends) == 2 else None
    worst = max(pod.proof for pod in pods) if both is None else both.proof
    failed = worst is Proof.REFUTED or manner.strict
    if manner.form == "json":
        put_document(None, manner, chains=chains.chains_data(found, pods, both))
    elif failed or not manner.quiet:
        color = manner.colored(sys.stdout)
        put_lines(chains.lines_of(found, pods, both, matrix=matrix, color=color))
    return int(failed)
