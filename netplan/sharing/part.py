"""A part of the files of one inventory: what one of several machines renders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from netplan import nos, pipeline, verify
from netplan.diagnostics import Diagnostic, Severity
from netplan.model.acceptance import EVERYTHING, Selection
from netplan.model.plan import Plan
from netplan.model.shard import Shard
from netplan.render import render
from netplan.result import Result, place


def run_part(inputs: Sequence[str], shard: Shard, **options: Any) -> Result:
    """As ``pipeline.run`` with these options; the artifacts are those of the part. Objects and pods refer
    to each other, so each part verifies them as a whole. Raises load.InputError."""
    result = pipeline.run(inputs, upto="plan", **options)
    if result.plan is None or _errors((*result.diagnostics, *result.left_out)):
        undone = "artifacts were not rendered: the inventory has errors"
        return replace(result, skipped=(*result.skipped, undone))
    if (progress := options.get("progress")) is not None:
        progress(f"rendering part {shard}")
    return _rendered(result, result.plan, shard, options.get("selection", EVERYTHING))


def _rendered(result: Result, plan: Plan, shard: Shard, selection: Selection) -> Result:
    kinds = [switch.type for switch in plan.fabric.switches]
    profiles, problems = nos.load_nos({kind.nos: kind.at for kind in kinds}, result.library)
    artifacts = render(plan, profiles, problems, shard)
    verified = verify.verify(artifacts)
    kept = [d for d in verified.diagnostics if selection.keeps(d.code, d.severity)]
    found = [*result.diagnostics, *problems, *kept]
    sound = not _errors(found)
    checked = dict(sorted((dict(result.checked) | verified.checked).items()))
    return replace(
        result,
        diagnostics=tuple(sorted(found, key=place)),
        left_out=(*result.left_out, *(d for d in verified.diagnostics if d not in kept)),
        artifacts=tuple(a for a in artifacts if sound and shard.has(a.path)),
        checked=checked,
        not_applicable=tuple(code for code, count in checked.items() if not count),
    )


def _errors(found: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in found)
