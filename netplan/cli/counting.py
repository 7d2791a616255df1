"""Options for which findings count and by which data (``--select``, ``--ignore``, ``--as-of``,
``--release-data``, ``--nos-dir``), and for additional files (``--overlay``, ``--fabric``)."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable
from datetime import date, datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from netplan.printable import printable
from netplan.records import dataclass

if TYPE_CHECKING:
    from netplan.model.options import Options


@dataclass(frozen=True, slots=True)
class Counting:
    """``select``, ``ignore``: codes or prefixes of codes; ``as_of``: the date against which acceptances
    expire. ``release_data``: a file with more releases of the Network Operator. ``nos_dir``: NOS folders.
    ``overlays``: files merged over the inventory. ``fabric``: files that several clusters share."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    as_of: date | None
    release_data: str | None
    nos_dir: str | None
    overlays: tuple[str, ...]
    fabric: tuple[str, ...]

    def of_inventory(self) -> list[tuple[str, object]]:
        """Options that need an inventory, as given."""
        names = ("--release-data", "--nos-dir", "--overlay", "--fabric")
        return list(zip(names, (self.release_data, self.nos_dir, self.overlays, self.fabric), strict=True))

    def options(self) -> Options:
        """In the form the pipeline takes."""
        from netplan.model.acceptance import Selection
        from netplan.model.options import Options

        return Options(
            today=self.as_of,
            selection=Selection(self.select, self.ignore),
            operators=self.release_data,
            nos_dir=self.nos_dir,
            overlays=self.overlays,
        )

    @property
    def files(self) -> tuple[str, ...]:
        """Inventory files besides the arguments."""
        return (*self.overlays, *self.fabric)


nos_folders = click.option(
    "--nos-dir",
    metavar="DIR",
    help="NOS folders of the site: DIR/<nos>/ adds a NOS or replaces the built-in one of that name.",
)
"""The option; also for commands that do not filter findings."""


overlays = click.option(
    "--overlay",
    "overlays",
    metavar="FILE",
    multiple=True,
    help="Merge FILE over INVENTORY: maps key by key, null removes, other values replace; repeatable.",
)
"""The option, for every command that reads an inventory."""


fabric_files = click.option(
    "--fabric",
    "fabric",
    metavar="FILE",
    multiple=True,
    help="Files that several clusters share: each INVENTORY with FILE is one cluster; repeatable.",
)
"""The option, for every command that reads an inventory."""


def counting(command: Callable[..., int]) -> Callable[..., int]:
    """Add these options to a command, which receives them as ``counted``."""

    @click.option(
        "--select",
        metavar="CODES",
        multiple=True,
        callback=_codes,
        shell_complete=_complete,
        help="Report and count only these codes or prefixes, such as NP404,NP8; repeatable.",
    )
    @click.option(
        "--ignore",
        metavar="CODES",
        multiple=True,
        callback=_codes,
        shell_complete=_complete,
        help="Ignore these codes or prefixes. Errors of loading, schema, identity and artifacts always "
        "count.",
    )
    @click.option(
        "--as-of",
        metavar="DATE",
        type=click.DateTime(["%Y-%m-%d"]),
        help="Date to check the expiry of accept entries against; without it, none expires.",
    )
    @click.option(
        "--release-data",
        metavar="FILE",
        help="Network Operator releases in addition to those netplan knows (operator-releases.schema.json).",
    )
    @nos_folders
    @overlays
    @fabric_files
    @functools.wraps(command)
    def with_counting(
        select: tuple[str, ...],
        ignore: tuple[str, ...],
        as_of: datetime | None,
        release_data: str | None,
        nos_dir: str | None,
        overlays: tuple[str, ...],
        fabric: tuple[str, ...],
        **arguments: Any,
    ) -> int:
        day = as_of.date() if as_of else None
        counted = Counting(select, ignore, day, release_data, nos_dir, overlays, fabric)
        return command(counted=counted, **arguments)

    return with_counting


def _codes(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Each code or prefix in upper case. Loads the list of codes only if one is given."""
    return tuple(dict.fromkeys(_code(part, ctx, param) for text in given for part in text.split(",")))


def _code(text: str, ctx: click.Context, param: click.Parameter) -> str:
    from netplan.explain import entries
    from netplan.model.acceptance import can_be_set_aside

    wanted, every = text.strip().upper(), entries()
    meant = [entry for code, entry in every.items() if code.startswith(wanted)]
    if len(wanted) < len("NP0"):
        raise click.BadParameter("write a code such as NP404, or NP4 for all that begin with it", ctx, param)
    if not meant:
        near = _nearest(wanted, [*every, *sorted({code[: len("NP0")] for code in every})])
        raise click.BadParameter(f"there is no code {printable(text.strip())}; {near}", ctx, param)
    if param.name == "ignore" and not any(can_be_set_aside(e.code, e.severity) for e in meant):
        raise click.BadParameter(f"{wanted} always counts and cannot be ignored", ctx, param)
    return wanted


def _nearest(wanted: str, known: list[str]) -> str:
    """The code to suggest: codes are very similar, so the one with the longest common prefix."""
    close = difflib.get_close_matches(wanted, known, n=len(known))
    if not close:
        return "write NP404, or NP4 for all that begin with it"

    def likeness(code: str) -> tuple[int, float]:
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(wanted, code, strict=False)))
        return alike, difflib.SequenceMatcher(None, wanted, code).ratio()

    return f"did you mean {max(sorted(close), key=likeness)}?"


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from netplan.explain import entries

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{code}" for code in entries() if code.startswith(last.upper())]
