"""What each command says of a tree: sentences, so that what an edit adds can be told from what was there."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.config_db import judge_texts
from netplan.diagnostics import Diagnostic, Severity
from netplan.model.artifact import Artifact
from netplan.rendered import check_texts
from netplan.trace import Site, Tabulator, TraceError

Texts = Mapping[str, str]
_CONFIG_DB = (".json",)


def trace(texts: Texts) -> set[str]:
    """Of every rail to every rail: verdicts that decide, faults and notes."""
    try:
        site = Site([Artifact(path=p, text=t, kind=p.partition("/")[0]) for p, t in texts.items()])
        tabulator = Tabulator(site)
        found = set()
        for workload in site.workloads.values():
            matrix = tabulator.matrix(workload)
            found.add(f"{workload.name}: {matrix.verdict.name} {matrix.missing}")
            for cell in matrix.cells:
                if cell.decides and cell.meant:
                    found |= {fault.text for fault in cell.faults} | set(cell.notes)
        return found
    except TraceError as error:
        return {str(error)}


def rendered(texts: Texts) -> set[str]:
    objects = {
        p: t for p, t in texts.items() if p.startswith(("kubernetes/", "pods/")) and p.endswith(".yaml")
    }
    return _said(check_texts(objects).diagnostics)


def config_db(texts: Texts) -> set[str]:
    files = {p: t for p, t in texts.items() if p.startswith("switches/") and p.endswith(_CONFIG_DB)}
    return _said(judge_texts(files).diagnostics)


def _said(found: tuple[Diagnostic, ...]) -> set[str]:
    return {f"{d.code} {d.message}" for d in found if d.severity >= Severity.WARNING}


JUDGES = {"trace": trace, "rendered": rendered, "config-db": config_db}
