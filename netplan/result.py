"""What a run found and made, whatever it was about."""

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
    """What a run found and made.

    ``fabric`` and ``plan`` are there where what they are made from has no errors.
    ``diagnostics``: sorted by place, each with its source where known. ``checked``: subjects each check
    looked at, by code; ``not_applicable``: checks without subjects. ``accepted``: findings that the inventory
    accepts, ``left_out``: those outside the selection. ``skipped``: sentences about what was not done.
    ``library``: the NOSes there are.
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
    """The order of findings: by source, then by code."""
    source = (d.source.file, d.source.line, d.source.column) if d.source else ("", 0, 0)
    return (*source, d.code, d.message)
