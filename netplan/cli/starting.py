"""The command that writes a first inventory: ``init``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netplan.cli.asking import Questions, asking
from netplan.cli.terminal import put, put_lines, tell
from netplan.printable import clipped, printable

if TYPE_CHECKING:
    from netplan.presets.answer import PresetAnswer
    from netplan.presets.ask import Ask
    from netplan.presets.systems import Systems

_FOR_EDITORS = (
    "$schema=../schemas/inventory.schema.json\n",
    "$schema=inventory.schema.json\n# `netplan schema > inventory.schema.json` writes it, for editors.\n",
)
"""(old, new): shipped inventories refer to the schema by its path in the repository, which a copy lacks."""
_DEFAULT = "minimal"


def _shipped() -> dict[str, Path]:
    """The shipped inventories, by name."""
    from netplan import resources

    return {path.stem: path for path in sorted(resources.inventories().glob("*.yaml"))}


def _complete_shipped(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in _shipped() if name.startswith(incomplete)]


@click.command(
    short_help="Write a commented starter inventory.",
    epilog="""\b
Examples:
  netplan init                          print it
  netplan init site.yaml                write it; an existing file is never overwritten
  netplan init --from NAME site.yaml    start from one of the inventories that come with netplan
  netplan init --list-presets           systems with a preset, and those without one yet
  netplan init --preset dgx-h100 --hosts 128 --leaf sn5600 site.yaml
  netplan init --preset hgx-h100 --hosts 128 --rails 8 --leaf sn5600 --spine sn5600 \\
    --oversubscription 1 --nos sonic --netdev 'ens[1-8]np0' site.yaml
  netplan init --preset mi300x-thor2 --hosts 32 --leaf 7060x6 --nos arista-eos --netdev 'ens[1-8]np0'
  netplan init --preset aws-p5 --hosts 16 site.yaml
""",
)
@click.option(
    "--from",
    "name",
    metavar="NAME",
    default=_DEFAULT,
    shell_complete=_complete_shipped,
    help="Inventory to start from. [minimal]",
)
@asking
@click.argument("file", default="-")
def init(asked: Questions, name: str, file: str) -> int:
    """Write a commented starter inventory to FILE, or to standard output.

    With --preset, write one for a known system: its HCAs from the catalog and, with switches, a dimensioned
    leaf-spine fabric with every cable, VLAN ID and address range. Assumptions are printed and listed at the
    top of the file; a fabric that does not fit is rejected, with the number of ports needed and available.
    There are no prompts: every choice is an option.
    """
    if asked.listed:
        put_lines(_listed(asked, file))
        return 0
    if not asked.preset:
        return _from_shipped(asked, name, file)
    if asked.started:
        raise click.UsageError("--from and --preset exclude each other")
    answer = _answered(asked)
    from netplan.presets.page import assumptions, inventory_text

    for line in assumptions(answer):
        tell(f"assumed: {printable(line)}\n")
    _write(inventory_text(answer), file)
    return 0


def _from_shipped(asked: Questions, name: str, file: str) -> int:
    if asked.given or asked.catalog:
        first = f"--{asked.given[0].replace('_', '-')}" if asked.given else "--catalog"
        raise click.UsageError(f"{first} requires --preset")
    shipped = _shipped()
    if name not in shipped:
        close = difflib.get_close_matches(name, shipped, n=1)
        near = f"did you mean {close[0]}?" if close else f"there are {', '.join(shipped) or 'none'}"
        raise click.ClickException(f"no inventory {printable(name)} comes with netplan; {near}")
    _write(shipped[name].read_text(encoding="utf-8").replace(*_FOR_EDITORS, 1), file)
    return 0


def _write(text: str, file: str) -> None:
    if file == "-":
        put(text)
        return
    try:
        with Path(file).open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError as error:
        raise click.ClickException(f"{printable(file)} exists; it was not overwritten") from error
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise click.ClickException(f"{printable(file)} cannot be written: {reason}") from error
    put(f"wrote {printable(file)}\n")


def _systems(asked: Questions) -> Systems:
    """The built-in systems, overlaid with the site's file."""
    from netplan.presets.systems import extended, known

    if asked.catalog is None:
        return known()
    try:
        text = Path(asked.catalog).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is not UTF-8"
        raise click.ClickException(f"{printable(asked.catalog)} cannot be read: {reason}") from error
    systems, problems = extended(asked.catalog, text)
    if problems:
        told = "; ".join(printable(problem) for problem in problems)
        raise click.ClickException(clipped(f"{printable(asked.catalog)}: {told}"))
    return systems


def _listed(asked: Questions, file: str) -> list[str]:
    from netplan.presets.listing import preset_lines

    others = {"--preset": asked.preset, "--from": asked.started, "FILE": file != "-"}
    idle = [option for option, given in others.items() if given]
    idle += [f"--{key.replace('_', '-')}" for key in asked.given]
    if idle:
        raise click.UsageError(f"--list-presets prints a list and nothing else: leave {idle[0]} out")
    return [printable(line) for line in preset_lines(_systems(asked))]


def _answered(asked: Questions) -> PresetAnswer:
    from netplan.presets.answer import PresetAnswer, answer
    from netplan.presets.idle import idle_by_design, idle_by_fabric

    systems = _systems(asked)
    if asked.values["hosts"] is None:
        raise click.UsageError("--preset needs --hosts, the number of hosts")
    ask = _ask(asked)
    if system := systems.hosts.get(ask.preset):
        _refuse_idle(idle_by_fabric(asked.given, ask, system))
    found = answer(ask, systems)
    if isinstance(found, PresetAnswer):
        _refuse_idle(idle_by_design(asked.given, found))
        return found
    raise click.ClickException("; ".join(clipped(printable(f"{m.problem}; {m.hint}")) for m in found))


def _refuse_idle(found: Iterable[str]) -> None:
    if told := "; ".join(printable(text) for text in found):
        raise click.UsageError(told)


def _ask(asked: Questions) -> Ask:
    from netplan.presets.ask import Ask

    values = {key: value for key, value in asked.values.items() if value is not None}
    values["uplink_gbps"] = int(values.get("uplink_gbps", 0))
    return Ask(preset=asked.preset, **values)
