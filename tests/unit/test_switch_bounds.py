"""What a NOS cannot serve as stated does not reach its files: SONiC with invented bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.checks import run_checks
from netplan.model.bounds import StrictQueues
from netplan.model.plan import Plan
from netplan.nos import load_nos
from netplan.plan import make_plan
from tests.factories import fabric_from
from tests.overlay import CHECKS

STRICT = "{scheduling: strict, bandwidth_percent: null}"
WEIGHTED = "{}"


def _plan(roce: str, *, marks: bool) -> Plan:
    base = (CHECKS / "base.yaml").read_text()
    fabric = fabric_from(base, f"fabric: {{qos: {{classes: {{roce: {roce}}}}}}}")
    nos, problems = load_nos({"sonic": ("switch_types", "sn2700", "nos")})
    assert not problems
    rule = StrictQueues(highest=False, marks=marks, source="invented")
    bounds = replace(nos["sonic"].bounds, strict_queues=rule)
    plan, _ = make_plan(fabric, {"sonic": replace(nos["sonic"], bounds=bounds)})
    return plan


@pytest.mark.parametrize(
    ("roce", "marks", "settings"), [(STRICT, True, 1), (STRICT, False, 0), (WEIGHTED, False, 1)]
)
def test_queue_has_ecn_where_it_can_mark(roce: str, marks: bool, settings: int) -> None:
    plan = _plan(roce, marks=marks)
    queues = {queue.number: queue for queue in plan.switches[0].qos.queues}
    reported = {diagnostic.code for diagnostic in run_checks(plan).diagnostics}
    assert len(queues[3].ecn) == settings
    assert ("NP425" in reported) is (settings == 0)
