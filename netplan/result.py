"""The result of a run of any command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.model.document import Document
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan
from netplan.nos import NosLibrary, shipped
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found and produced.

    ``fabric`` and ``plan`` are set only if their inputs have no errors. ``diagnostics``: sorted by place,
    with sources if known. ``checked``: code -> number of subjects examined. ``not_applicable``: codes of
    checks without subjects. ``accepted``: findings that the inventory accepts. ``left_out``: findings outside
    the selection. ``skipped``: sentences about what was not done. ``library``: the available NOSes.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    document: Document | None = None
    fabric: Fabric | None = None
    plan: Plan | None = None
    artifacts: tuple[Artifact, ...] = ()
    checked: Mapping[str, int] = field(default_factory=dict)
    not_applicable: tuple[str, ...] = ()
    accepted: tuple[Diagnostic, ...] = ()
    left_out: tuple[Diagnostic, ...] = ()
    skipped: tuple[str, ...] = ()
    library: NosLibrary = field(default_factory=shipped)


def place(d: Diagnostic) -> tuple[str, int, int, str, str]:
    """Sort key of findings: source, then code, then message."""
    source = (d.source.file, d.source.line, d.source.column) if d.source else ("", 0, 0)
    return (*source, d.code, d.message)
