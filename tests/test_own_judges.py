"""What netplan renders passes its own judges: ``validate --rendered``, ``validate --config-db`` and ``trace``
refute nothing of what is rendered from the good case of a check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from netplan import config_db
from netplan.diagnostics import Severity
from netplan.load import InputError
from netplan.others import rendered_texts
from netplan.pipeline import Result
from netplan.trace import Tabulator, TracedSite, workloads_named
from netplan.trace.model import TraceError
from tests.overlay import case_texts, compiled, inventory_cases

_CONFIG_DB = re.compile(r"switches/[^/]+/(?!.*patch)[^/]*\.json")
GOOD = inventory_cases("*/good*.yaml")


def objections(result: Result) -> Iterator[str]:
    texts = {each.path: each.text for each in result.artifacts}
    try:
        found = [*rendered_texts(texts).diagnostics]
    except InputError:  # no Kubernetes object at all
        found = []
    found += config_db.judge_texts({p: t for p, t in texts.items() if _CONFIG_DB.fullmatch(p)}).diagnostics
    yield from (f"{each.code} {each.message}" for each in found if each.severity is Severity.ERROR)
    yield from traced(result)


def traced(result: Result) -> Iterator[str]:
    site = TracedSite(result.artifacts, result.library)
    tabulator = Tabulator(site)
    try:
        names = workloads_named(site, None)
    except TraceError:  # no workload
        return
    for name in names:
        matrix = tabulator.matrix(name)
        if matrix.verdict.fails:
            yield from {f"trace {fault.text}" for cell in matrix.cells if cell.fails for fault in cell.faults}


@pytest.mark.sample(12)
@pytest.mark.parametrize("case", GOOD, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_what_a_good_case_renders_is_refuted_by_nothing(case: Path) -> None:
    result = compiled(case_texts(case), case)
    assert result.artifacts
    found = [*objections(result)]
    assert not found, found[:3]
