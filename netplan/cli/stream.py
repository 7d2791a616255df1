"""``netplan render -o -``: the Kubernetes objects of a site as one YAML stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from netplan.cli.counting import Counting
from netplan.cli.running import tell_findings, tell_summary, verified, why_refused
from netplan.cli.terminal import FORMATS, Manner, put

if TYPE_CHECKING:
    from netplan.model.shard import Shard

STDOUT = "-"


def put_objects(
    inventory: Sequence[str], counted: Counting, manner: Manner, of_directory: bool, shard: Shard | None
) -> int:
    """Print the objects stage by stage; nothing if the inventory has errors, because applying an incomplete
    stream with pruning would delete what is missing. ``of_directory``: an option was given that needs a
    directory."""
    if of_directory:
        raise click.UsageError("--adopt, --check and --only require a directory, not -o -")
    if counted.fabric:
        raise click.UsageError("-o - prints the objects of one cluster: --fabric requires a directory")
    if manner.form != FORMATS[0]:
        raise click.UsageError("with -o - the objects go to standard output: leave out --format")
    result = verified(inventory, counted, shard)
    refused = why_refused(result, manner) or ("" if result.fabric else "nothing written")
    tell_findings(result, manner)
    if refused:
        tell_summary(result, manner, refused)
        return 1
    from netplan.krm.produced import object_files, other_files

    for artifact in object_files(result.artifacts):
        put(f"---\n{artifact.text}")
    others = other_files(result.artifacts)
    tell_summary(result, manner, *([f"not printed: files of {others}"] if others else []))
    return 0
