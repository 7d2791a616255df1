"""Read the rendered artifacts back, as text, and hold them against each other; nothing comes from the plan.

Paths first (NP903), then the text (NP901), the schemas (NP902) and the rules between objects (NP91x). A step
with problems is the last one, so that no consequence is reported as a cause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.verify.cluster import cluster_of
from netplan.verify.files import path_problems
from netplan.verify.read import read
from netplan.verify.rules import DERIVED, run_rules
from netplan.verify.schemas import schema_problems

__all__ = ["DERIVED", "Verified", "verify"]


@dataclass(frozen=True, slots=True)
class Verified:
    """``checked``: code -> number of subjects looked at; a code that is missing was not reached."""

    diagnostics: tuple[Diagnostic, ...] = ()
    checked: dict[str, int] = field(default_factory=dict)


def verify(artifacts: Sequence[Artifact]) -> Verified:
    """Everything wrong with the artifacts of one run."""
    found, checked = path_problems(artifacts), {"NP903": len(artifacts)}
    if found:
        return Verified(tuple(found), checked)
    tree, found, checked["NP901"] = read(artifacts)
    if found:
        return Verified(tuple(found), checked)
    found, checked["NP902"] = schema_problems(tree)
    if found:
        return Verified(tuple(found), checked)
    found, counts = run_rules(cluster_of(tree))
    return Verified(tuple(found), checked | counts)
