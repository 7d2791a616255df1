"""A part of the files of one inventory: what one of several machines renders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from netplan import nos, pipeline, verify
from netplan.diagnostics import Diagnostic, Severity
from netplan.model.shard import Shard
from netplan.render import render
from netplan.result import Result, place


def run_part(inputs: Sequence[str], shard: Shard, **options: Any) -> Result:
    """As ``pipeline.run`` with these options; the artifacts are those of the part. Objects and pods speak
    of each other: in each part they are verified as a whole. Raises load.InputError."""
    result = pipeline.run(inputs, upto="plan", **options)
    errors = any(d.severity is Severity.ERROR for d in (*result.diagnostics, *result.left_out))
    if result.plan is None or errors:
        return replace(
            result, skipped=(*result.skipped, "artifacts were not rendered: the inventory has errors")
        )
    if (progress := options.get("progress")) is not None:
        progress(f"rendering part {shard}")
    kinds = [switch.type for switch in result.plan.fabric.switches]
    profiles, problems = nos.load_nos({kind.nos: kind.at for kind in kinds}, result.library)
    artifacts = render(result.plan, profiles, problems, shard)
    verified = verify.verify(artifacts)
    found: list[Diagnostic] = [*result.diagnostics, *problems, *verified.diagnostics]
    sound = not any(d.severity is Severity.ERROR for d in found)
    checked = dict(sorted((dict(result.checked) | verified.checked).items()))
    return replace(
        result,
        diagnostics=tuple(sorted(found, key=place)),
        artifacts=tuple(a for a in artifacts if sound and shard.has(a.path)),
        checked=checked,
        not_applicable=tuple(code for code, count in checked.items() if not count),
    )
