"""What a NOS cannot serve as stated does not reach its files or pages."""

from __future__ import annotations

from netplan.nos import load_nos
from netplan.plan import make_plan
from tests.factories import fabric_from
from tests.overlay import CHECKS

NXOS = """
fabric: {qos: {classes: {roce: {priority: 5, scheduling: strict, bandwidth_percent: null}}}}
catalog:
  switches: {box: {asic: cloud-scale, ports: 32, speeds_gbps: [100], host_table: 16384, source: x.example/box}}
switch_types: {sn2700: {nos: cisco-nxos, model: box, nos_version: "10.5"}}
"""


def _queues(nos_name: str, overlay: str) -> dict[int, int]:
    """Queue -> number of ECN settings, on the first leaf."""
    fabric = fabric_from((CHECKS / "base.yaml").read_text(), overlay)
    nos, problems = load_nos({nos_name: ("switch_types", "sn2700", "nos")})
    assert not problems
    plan, _ = make_plan(fabric, nos)
    return {queue.number: len(queue.ecn) for queue in plan.switches[0].qos.queues}


def test_a_strict_queue_of_nxos_has_no_ecn() -> None:
    assert _queues("cisco-nxos", NXOS) == {0: 0, 5: 0, 6: 0, 7: 0}


def test_a_weighted_queue_of_nxos_has_ecn() -> None:
    assert _queues("cisco-nxos", NXOS.replace("scheduling: strict, ", "scheduling: dwrr, "))[5] == 1


def test_a_strict_queue_of_sonic_has_ecn() -> None:
    strict = "fabric: {qos: {classes: {roce: {scheduling: strict, bandwidth_percent: null}}}}"
    assert _queues("sonic", strict)[3] == 1
