"""The commands that draw: ``report``, one page of HTML, and ``graph``, the topology for documents."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from netplan.cli.bound import Given
from netplan.cli.counting import nos_folders, overlays
from netplan.cli.running import compiled, has_failed, tell_findings, tell_summary, why_refused
from netplan.cli.terminal import Manner, progress, put
from netplan.printable import printable

if TYPE_CHECKING:
    from netplan.changes.sides import Side
    from netplan.pipeline import Result

GRAPHS = ("svg", "dot", "mermaid", "drawio")
DETAILS = ("pods", "switches", "hosts")
_STANDARD_OUTPUT = "-"
_HEAD = 4096
"""Size of the head of a page, in bytes, in which its generator is named."""


def _telling(command: Callable[..., int]) -> Callable[..., int]:
    """Add ``manner`` to commands whose output is a drawing: their findings are text."""

    @click.option("--strict", is_flag=True, help="Treat warnings as errors.")
    @click.option("--quiet", "-q", is_flag=True, help="Print only findings that make the run fail.")
    @functools.wraps(command)
    def with_manner(strict: bool, quiet: bool, **arguments: Any) -> int:
        return command(manner=Manner("text", strict, quiet, "auto"), **arguments)

    return with_manner


@click.command(
    short_help="Write a page to review the site in a browser.",
    epilog="""\b
Examples:
  netplan report site.yaml -o site.html
  netplan report site.yaml --base main:site.yaml -o change.html    what a branch changes, and in which order
  netplan report site.yaml --base build/site -o change.html        compared with what is rendered now
  netplan report base.yaml --overlay prod.yaml -o prod.html

\b
Exit status: 0 written, 1 the inventory has errors and nothing is written, 2 could not run.
""",
)
@click.argument("inventory")
@click.option("--output", "-o", metavar="FILE", required=True, help="The page, or - for standard output.")
@click.option(
    "--base",
    metavar="OLD",
    help="Mark what differs from OLD: an inventory, a rendered directory, or REV:path in git.",
)
@nos_folders
@overlays
@_telling
def report(
    inventory: str,
    output: str,
    base: str | None,
    nos_dir: str | None,
    overlays: tuple[str, ...],
    manner: Manner,
) -> int:
    """Write one HTML page that shows the site: topology, the lossless chain hop by hop, buffers, capacity,
    subnets, which rails reach each other and how, findings, and manual steps.

    The page is self-contained and needs no server: mail it, or attach it to a change. With --base, changes
    are marked, and their effects and waves come first, as in `netplan diff`. An --overlay applies to
    INVENTORY, and to OLD if that is an inventory.
    """
    result = _sound_result(inventory, nos_dir, overlays, manner)
    if result is None:
        return 1
    old = None
    if base is not None:
        old = _base(base, nos_dir, overlays, manner)
        if old is None:
            return 2
    text = _page(result, old)
    _put(text, output, "netplan report")
    if output != _STANDARD_OUTPUT:
        tell_summary(result, manner, f"wrote {printable(output)}, {len(text.encode()) // 1024:,} KiB")
    return 0


@click.command(
    short_help="Draw the topology for a document.",
    epilog="""\b
Examples:
  netplan graph site.yaml > site.svg
  netplan graph site.yaml --format mermaid            a block for a Markdown page
  netplan graph site.yaml --format dot | dot -Tpdf    for Graphviz
  netplan graph site.yaml --format drawio -o site.drawio
  netplan graph site.yaml --detail hosts              a node for each host

\b
Exit status: 0 drawn, 1 the inventory has errors, 2 could not run.
""",
)
@click.argument("inventory")
@click.option("--format", "form", type=click.Choice(GRAPHS), default="svg", help="File format. [svg]")
@click.option(
    "--detail",
    type=click.Choice(DETAILS),
    help="Draw a node per pod, per switch, or also per host. [switches; pods above 64 leaves]",
)
@click.option("--output", "-o", metavar="FILE", default="-", help="The file. [standard output]")
@nos_folders
@overlays
@_telling
def graph(
    inventory: str,
    form: str,
    detail: str | None,
    output: str,
    nos_dir: str | None,
    overlays: tuple[str, ...],
    manner: Manner,
) -> int:
    """Draw the topology: spines, leaves, the hosts behind them, and the cables.

    Cables between two nodes are one line with their number and speed. A pod is a group of leaves with the
    hosts cabled to them.
    """
    from netplan.page.graphs import draw

    result = _sound_result(inventory, nos_dir, overlays, manner)
    if result is None or result.plan is None:
        return 1
    _put(draw(result.plan, form, detail), output, None)
    if output != _STANDARD_OUTPUT:
        tell_summary(result, manner, f"wrote {printable(output)}")
    return 0


def _sound_result(
    inventory: str, nos_dir: str | None, overlays: tuple[str, ...], manner: Manner
) -> Result | None:
    """Result for the inventory; None if it has errors, which are printed."""
    result = compiled([inventory], "verify", nos_dir=nos_dir, overlays=overlays)
    if has_failed(result, manner) or result.plan is None:
        tell_findings(result, manner)
        tell_summary(result, manner, why_refused(result, manner) or "nothing written")
        return None
    return result


def _base(base: str, nos_dir: str | None, overlays: tuple[str, ...], manner: Manner) -> Side | None:
    from netplan.changes.sides import rendered
    from netplan.cli.diff import sound
    from netplan.cli.running import could_not_run

    with could_not_run():
        whole = rendered(base) is not None
    return sound(Given(base, () if whole else overlays), nos_dir, manner)


def _page(result: Result, old: Side | None) -> str:
    from netplan.cli.running import could_not_run
    from netplan.page.content import content
    from netplan.page.html import page

    with could_not_run(), progress() as stage:
        stage("tracing and drawing")
        return page(content(result, old))


def _put(text: str, output: str, maker: str | None) -> None:
    """Write all or nothing. ``maker``: text that the head of an existing file must contain for it to be
    overwritten."""
    if output == _STANDARD_OUTPUT:
        put(text)
        return
    path = Path(output)
    try:
        if maker is not None and path.is_file() and not _made_by(path, maker):
            raise click.ClickException(
                f"{printable(output)} exists and is not a page of {maker}; it was not overwritten"
            )
        _replace(path, text)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise click.ClickException(f"{printable(output)} cannot be written: {reason}") from error


def _made_by(path: Path, maker: str) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or f'content="{maker}"'.encode() in head


def _replace(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # a pipe, or /dev/stdout
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(_mode())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode() -> int:
    """Mode of a new file under the user's umask."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
