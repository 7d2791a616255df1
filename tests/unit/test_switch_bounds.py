"""Settings beyond a NOS's limits are not rendered: SONiC with invented bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.checks import run_checks
from netplan.model.bounds import StrictQueues
from netplan.model.plan import Plan
from netplan.nos import available, load_nos
from netplan.plan import make_plan
from netplan.plan.physical_ports import physical_ports
from tests.factories import fabric_from
from tests.overlay import CHECKS
from tests.vendors.grammar import NOSES, facts

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


LAST = {"sonic": ("Ethernet124", "Ethernet128")} | {nos: facts(nos).last for nos in NOSES}
"""NOS -> (last port of a switch with 32 ports, the next name)."""


@pytest.mark.parametrize("name", available())
@pytest.mark.parametrize("lanes", [0, 4])
def test_position_of_a_port(name: str, lanes: int) -> None:
    fabric = fabric_from((CHECKS / "base.yaml").read_text())
    plan, _ = make_plan(fabric, load_nos({"sonic": ("switch_types", "sn2700", "nos")})[0])
    nos = load_nos({name: ("switch_types", "sn2700", "nos")})[0][name]
    kind = replace(fabric.switches[0].type, model=replace(fabric.switches[0].type.model, lanes=lanes))
    ports = [replace(plan.switches[0].ports[0], name=port) for port in LAST[name]]
    by_lane = "(?P<lane>" in nos.port_numbers.name
    expected = [0, 0] if by_lane and not lanes else [32, 33]
    assert [port.position for port in physical_ports(kind, nos, ports)] == expected


def test_a_port_of_a_line_card_has_no_position() -> None:
    nos = load_nos({"cisco-nxos": ("switch_types", "sn2700", "nos")})[0]["cisco-nxos"]
    fabric = fabric_from((CHECKS / "base.yaml").read_text())
    plan, _ = make_plan(fabric, load_nos({"sonic": ("switch_types", "sn2700", "nos")})[0])
    port = replace(plan.switches[0].ports[0], name="Ethernet2/1")
    assert physical_ports(fabric.switches[0].type, nos, [port])[0].position == 0
