"""The commands that show something: ``show``, ``explain`` and ``schema``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from netplan.cli.counting import fabric_files, nos_folders, overlays
from netplan.cli.documents import put_document
from netplan.cli.running import compiled, has_failed, tell_findings, tell_summary
from netplan.cli.terminal import PLAIN_FORMATS, Manner, put, put_lines, reporting
from netplan.printable import printable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from netplan.pipeline import Result
    from netplan.show import Item, OriginOf

MODELS = "models"


@click.command(
    short_help="Show resolved values with their origin.",
    epilog="""\b
Examples:
  netplan show site.yaml                       the whole resolved inventory
  netplan show site.yaml hosts.gpu-007
  netplan show site.yaml fabric.qos.classes
  netplan show site.yaml plan                  everything that was decided
  netplan show --format json site.yaml rails
  netplan show base.yaml fabric --overlay prod.yaml    each value with the file that has it
  netplan show train.yaml --fabric fabric/    a cluster with the files of its fabric
  netplan show site.yaml plan.switches --nos-dir nos/    NOS folders of the site, such as nos/my-nos/nos.yaml
""",
)
@click.argument("inventory")
@click.argument("path", default="")
@nos_folders
@overlays
@fabric_files
@reporting(PLAIN_FORMATS)
def show(
    inventory: str,
    path: str,
    nos_dir: str | None,
    overlays: tuple[str, ...],
    fabric: tuple[str, ...],
    manner: Manner,
) -> int:
    """Show the resolved inventory or, below PATH "plan", the plan: each value with its origin.

    The origin is FILE:LINE, "default" (of the schema), "computed" (from other values) or "not set".
    """
    from netplan.show import PLAN

    in_plan = path.split(".")[0].split("[")[0] == PLAN
    upto = "plan" if in_plan else "resolve"
    result = compiled([inventory, *fabric], upto, nos_dir=nos_dir, overlays=overlays)
    shown = _found(result, path, in_plan)
    if manner.form == "json":
        put_document(result, manner, shown=_as_json(path, shown))
    else:
        tell_findings(result, manner)
        if shown:
            from netplan.show import text_lines

            put_lines(text_lines(*shown))
        if result.diagnostics or not shown:
            tell_summary(result, manner, *([] if shown else ["nothing shown"]))
    return int(shown is None or has_failed(result, manner))


def _found(result: Result, path: str, in_plan: bool) -> tuple[Item, OriginOf] | None:
    """The item at a path, or None if errors prevented its stage."""
    from netplan.show import PLAN, UnknownPathError, find, inventory_tree, origin_in

    if result.fabric is None or result.document is None or (in_plan and result.plan is None):
        return None
    tree: dict[str, Any] = {PLAN: result.plan} if in_plan else inventory_tree(result.fabric)
    try:
        return find(tree, path), origin_in(result.document)
    except UnknownPathError as error:
        raise click.ClickException(printable(str(error))) from error


def _as_json(path: str, shown: tuple[Item, OriginOf] | None) -> dict[str, Any] | None:
    from netplan.show import as_data, origins

    return {"path": path, "value": as_data(shown[0]), "origins": origins(*shown)} if shown else None


def _complete_code(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes with their titles, which zsh and fish show."""
    from click.shell_completion import CompletionItem

    from netplan.explain import entries

    found = [CompletionItem(e.code, help=e.title) for e in entries().values()]
    found.append(CompletionItem(MODELS, help="the built-in HCA and switch models"))
    return [item for item in found if item.value.lower().startswith(incomplete.lower())]


@click.command(
    short_help="Explain codes of a report.",
    epilog="""\b
Examples:
  netplan explain            all codes with their titles
  netplan explain NP203
  netplan explain NP5        all codes that begin with NP5
  netplan explain models     the built-in HCA and switch models
""",
)
@click.argument("code", default="", shell_complete=_complete_code)
def explain(code: str) -> int:
    """Explain a CODE of a report: what it means, why it matters, how to fix it, the source.

    A prefix such as NP5 lists the codes that begin with it, with severity and title; without CODE, all codes
    are listed.
    """
    from netplan.explain import UnknownCodeError, entry_text, find, list_lines, model_lines

    if code == MODELS:
        put_lines(model_lines())
        return 0
    try:
        found = find(code)
    except UnknownCodeError as error:
        raise click.ClickException(printable(str(error))) from error
    if [entry.code for entry in found] == [code.upper()]:
        put(entry_text(found[0]))
    else:
        put_lines(list_lines(found))
    return 0


@click.command(
    short_help="Print the JSON Schema of the inventory.",
    epilog="""\b
Examples:
  netplan schema > inventory.schema.json
  # yaml-language-server: $schema=inventory.schema.json     first line of an inventory, for editors
""",
)
def schema() -> int:
    """Print the JSON Schema of the inventory, for editors and other programs."""
    from netplan.model.inventory_schema import schema_text

    put(schema_text())
    return 0
