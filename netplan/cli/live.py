"""The command that compares saved outputs of a deployed network with the plan: ``check-live``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from netplan.cli.counting import nos_folders, overlays
from netplan.cli.documents import put_document
from netplan.cli.running import compiled, could_not_run, has_failed, tell_findings, tell_summary
from netplan.cli.terminal import PLAIN_FORMATS, Manner, put_lines, reporting


@click.command(
    "check-live",
    short_help="Compare saved outputs of a deployed network with the plan.",
    epilog="""\b
Examples:
  netplan check-live site.yaml outputs/              a folder of saved outputs
  ssh leaf-1 'show interfaces status; show lldp table; show ip bgp summary' > outputs/leaf-1.txt
  kubectl exec -i -n training POD -- sh -s < build/pods/training/check-rails.sh > outputs/training-0.txt 2>&1
  netplan check-live site.yaml outputs/leaf-1.txt outputs/training-0.txt
  netplan check-live --format json site.yaml outputs/ > live.json
  netplan check-live --strict site.yaml outputs/     also fails if something was not seen

\b
Exit status: 0 nothing is wrong, 1 something is wrong or, with --strict, not seen, 2 files cannot be read, or
none of them is a known output.
""",
)
@click.argument("inventory")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@nos_folders
@overlays
@reporting(PLAIN_FORMATS)
def check_live(
    inventory: str,
    files: tuple[str, ...],
    nos_dir: str | None,
    overlays: tuple[str, ...],
    manner: Manner,
) -> int:
    """Compare saved outputs of a deployed network with the plan: one verdict for each rail at each hop.

    FILE is a saved output, a folder of them, or a tar written by collect.sh: output of check-rails.sh in a
    pod, of collect.sh on a host, of SONiC show commands (interfaces status, lldp table, vlan brief, ip bgp
    summary, pfc counters; pfcwd show config and stats; ecnconfig -l), of those of Cumulus, NX-OS, Arista EOS
    and Junos as JSON, each in its own file, and LLDP of any switch as JSON: docs/check-live.md lists them. A
    file's type is detected from its content; its device, from the prompt before the command or from the file
    name. Only files are read: no pod, host or switch is contacted.

    ok: a file confirms the plan. wrong: a file contradicts it; both values are shown with file and line. not
    seen: no file shows it; the output that would is named.
    """
    result = compiled([inventory], "plan", nos_dir=nos_dir, overlays=overlays)
    if has_failed(result, manner) or result.plan is None:
        if not put_document(result, manner, live=None):
            tell_findings(result, manner)
            tell_summary(result, manner, "nothing compared")
        return 1
    from netplan.importing.sources import sources
    from netplan.live.judge import judged
    from netplan.live.names import is_output
    from netplan.live.read import read_outputs
    from netplan.live.report import live_data, live_lines
    from netplan.load import InputError

    with could_not_run():
        found = sources(files, lambda name, _: is_output(name))
        broken = [*_of_folders(files, found.broken)]
        if len(broken) < len(found.broken):
            raise InputError(next(each for each in found.broken if not [*_of_folders(files, [each])]))
    read = read_outputs(found.texts, result.plan)
    read.unread += [*broken, *_skipped(files, found.skipped)]
    live = judged(result.plan, read)
    if not live.judged:
        raise click.ClickException(_nothing(live.unread))
    if not put_document(result, manner, live=live_data(live)):
        put_lines(live_lines(live, manner.quiet, manner.strict))
    return int(bool(live.wrong) or (manner.strict and bool(live.not_seen or live.unseen)))


def _of_folders(files: Sequence[str], sentences: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(folder, which file of it cannot be read): such a file of a folder leaves the others."""
    for each in sentences:
        if folder := next((file for file in files if each.startswith(f"{file.rstrip('/')}/")), ""):
            yield folder, each.removeprefix(f"{folder.rstrip('/')}/")


def _skipped(files: Sequence[str], sentences: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(folder, what of it was not read)"""
    for each in sentences:
        folder = next((file for file in files if each.startswith(f"{file}: ")), "")
        yield folder, each.removeprefix(f"{folder}: ")


def _nothing(unread: tuple[tuple[str, str], ...]) -> str:
    from netplan.printable import clipped, printable

    if not unread:
        return "nothing in these files is about the inventory"
    name, why = unread[0]
    return clipped(printable(f"{name}: {why}"))
