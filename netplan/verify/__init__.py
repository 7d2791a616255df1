"""Parses the rendered artifacts again and checks them against each other; takes nothing from the plan.

Paths first (NP903), then the text (NP901), the schemas (NP902), then the rules between objects, which are
those for anybody's files. Checking stops after a step with problems, so that no consequence is reported as
a cause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.records import dataclass
from netplan.verify.files import path_problems
from netplan.verify.read import read
from netplan.verify.rules import DERIVED, gathered, run_rules, text_problems
from netplan.verify.schemas import schema_problems
from netplan.verify.sizes import size_problems

__all__ = ["DERIVED", "Verified", "verify"]


@dataclass(frozen=True, slots=True)
class Verified:
    """``checked``: code -> number of subjects checked; a code that is missing was not reached."""

    diagnostics: tuple[Diagnostic, ...] = ()
    checked: dict[str, int] = field(default_factory=dict)


def verify(artifacts: Sequence[Artifact]) -> Verified:
    """Everything wrong with the artifacts of one run. Documents of the same form are parsed once
    (`verify.forms`); if anything but an oversized object (NP694) is found, each file is parsed again by
    itself, for exact places."""
    quick = _verified(artifacts, each=False)
    placed = any(found.code != "NP694" for found in quick.diagnostics)
    return _verified(artifacts, each=True) if placed else quick


def _verified(artifacts: Sequence[Artifact], each: bool) -> Verified:
    found, checked = path_problems(artifacts), {"NP903": len(artifacts)}
    if found:
        return Verified(tuple(found), checked)
    files = read(artifacts, each)
    checked["NP901"] = files.parsed
    if files.problems:
        return Verified(files.problems, checked)
    cluster = gathered(files)
    found = text_problems(files, cluster)
    if found:
        return Verified(tuple(found), checked)
    found, checked["NP902"] = schema_problems(files)
    if found:
        return Verified(tuple(found), checked)
    large, checked["NP694"] = size_problems(files)
    found, counts = run_rules(files, cluster)
    return Verified((*large, *found), checked | counts)
