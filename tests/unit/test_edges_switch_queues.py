"""Edge cases, one fact per case: queues and maps of a switch, as its NOS has them."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.qos_classes import Ecn
from netplan.plan.switch_qos import NO_QOS, fits_roce_profile, plan_switch_qos
from tests.unit.some import but, some

ECN = Ecn(kmin_bytes=1500, kmax_bytes=6001, probability_percent=10)
RDMA = some(name="rdma", dscp=26, priority=3, ecn=ECN, ecn_rule=None)
CNP = some(name="cnp", dscp=48, priority=6, ecn=None, ecn_rule=None)
MAP = tuple(3 if dscp == 26 else 6 if dscp == 48 else 0 for dscp in range(64))
QOS = some(
    classes=(RDMA, CNP),
    pfc=(3,),
    strict=(6,),
    weights={0: 40, 3: 60, 6: 0},
    trust="dscp",
    dscp_to_priority=MAP,
)
NOS = some(
    units=some(ecn="bytes"),
    asics={"x": some(cell_bytes=100, queue_bytes=50_000)},
    dscp_map="any",
    bounds=some(strict_queues=None),
)
KIND = some(model=some(asic="x"), queue_bytes=0)


def planned(qos: Any = QOS, nos: Any = NOS, kind: Any = KIND, gbps: int = 400) -> Any:
    return plan_switch_qos(qos, nos, kind, gbps)


def test_queue_0_is_there_for_all_that_no_class_takes() -> None:
    found = planned()
    assert [(q.number, q.classes, q.strict, q.lossless, q.weight) for q in found.queues] == [
        (0, "best effort", False, False, 40),
        (3, "rdma", False, True, 60),
        (6, "cnp", True, False, 0),
    ]
    assert [len(queue.dscps) for queue in found.queues] == [62, 1, 1]
    assert [queue.pcps for queue in found.queues] == [(0, 1, 2, 4, 5, 7), (3,), (6,)]
    assert found.dscp_to_tc == MAP
    assert found.pcp_to_tc == (0, 0, 0, 3, 0, 0, 6, 0)
    assert found.tc_to_queue == found.pfc_to_queue == (0, 1, 2, 3, 4, 5, 6, 7)
    assert found.tc_to_pg == (0, 0, 0, 3, 0, 0, 0, 0)
    assert found.class_dscps == (("rdma", 26, 3), ("cnp", 48, 6))
    assert (found.pfc, found.enabled, found.ecn_known, found.dscp_trust) == ((3,), True, True, True)


def test_a_class_of_priority_0_shares_its_queue_with_the_rest() -> None:
    found = planned(but(QOS, classes=(but(RDMA, priority=0),), pfc=(0,)))
    assert [(queue.number, queue.classes) for queue in found.queues] == [(0, "rdma, best effort")]


def test_a_switch_without_qos_has_none() -> None:
    assert planned(None) is NO_QOS
    assert planned(but(QOS, trust="pcp")).dscp_trust is False


@pytest.mark.parametrize(
    ("weights", "weight"), [({0: 0, 3: 100, 6: 0}, 1), ({0: 1, 3: 99, 6: 0}, 1), ({0: 2, 3: 98, 6: 0}, 2)]
)
def test_a_queue_has_a_weight_of_at_least_one_percent(weights: dict[int, int], weight: int) -> None:
    assert planned(but(QOS, weights=weights)).queues[0].weight == weight


def test_a_nos_without_a_map_takes_the_priority_of_dscp_by_eight() -> None:
    found = planned(nos=but(NOS, dscp_map="eighths"))
    assert found.dscp_to_tc == tuple({3: 3, 6: 6}.get(dscp // 8, 0) for dscp in range(64))
    assert found.queues[1].dscps == tuple(range(24, 32))


@pytest.mark.parametrize(
    ("unit", "stated", "found", "known", "queue_bytes"),
    [
        ("bytes", 0, (1500, 6001, 1500, 6001), True, 0),
        ("kilobytes", 0, (1, 7, 1000, 7000), True, 0),
        ("cells", 0, (15, 61, 1500, 6100), True, 0),
        ("percent", 0, (3, 13, 1500, 6500), True, 50_000),
        ("percent", 100_000, (1, 7, 1000, 7000), True, 100_000),
    ],
)
def test_thresholds_are_in_the_unit_of_the_nos(
    unit: str, stated: int, found: tuple[int, ...], known: bool, queue_bytes: int
) -> None:
    """Kmin is rounded down, Kmax up."""
    plan = planned(nos=but(NOS, units=some(ecn=unit)), kind=but(KIND, queue_bytes=stated))
    (ecn,) = plan.queues[1].ecn
    assert (ecn.kmin, ecn.kmax, ecn.kmin_bytes, ecn.kmax_bytes) == found
    assert (ecn.stated, ecn.probability) == ((1500, 6001), 10)
    assert (plan.ecn_known, plan.queue_bytes) == (known, queue_bytes)
    assert [queue.ecn for queue in plan.queues if queue.number != 3] == [(), ()]


@pytest.mark.parametrize("unit", ["cells", "percent"])
def test_thresholds_of_an_asic_that_is_not_known_stay_in_bytes(unit: str) -> None:
    plan = planned(nos=but(NOS, units=some(ecn=unit), asics={}))
    assert (plan.ecn_known, plan.queue_bytes) == (False, 0)
    assert plan.queues[1].ecn[0].kmin == 1500


@pytest.mark.parametrize(
    ("rule", "marked"), [(None, True), (some(marks=True), True), (some(marks=False), False)]
)
def test_a_strict_queue_marks_where_the_nos_can(rule: Any, marked: bool) -> None:
    qos = but(QOS, classes=(RDMA, but(CNP, ecn=ECN)))
    found = planned(qos, but(NOS, bounds=some(strict_queues=rule)))
    assert [bool(queue.ecn) for queue in found.queues] == [False, True, marked]


@pytest.mark.parametrize(
    ("rule", "gbps", "kmin"), [("hpcc", 400, 1_600_000), ("hpcc", 0, None), (None, 400, None)]
)
def test_a_named_rule_takes_the_speed_of_the_slowest_port(
    rule: str | None, gbps: int, kmin: int | None
) -> None:
    """alibaba-edu/High-Precision-Congestion-Control simulation/mix/config.txt: 400 kB at 100 Gb/s."""
    found = planned(but(QOS, classes=(but(RDMA, ecn=None, ecn_rule=rule),)), gbps=gbps)
    assert [ecn.kmin for ecn in found.queues[1].ecn] == ([kmin] if kmin else [])


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"pfc": ()}, True),
        ({"strict": ()}, True),
        ({"classes": (RDMA,)}, True),
        ({"classes": (but(RDMA, dscp=24), CNP)}, True),
        ({"classes": (but(RDMA, dscp=31), CNP)}, True),
        ({"classes": (but(RDMA, dscp=32), CNP)}, False),
        ({"classes": (RDMA, but(CNP, dscp=26))}, False),
        ({"pfc": (3, 4)}, False),
        ({"pfc": (4,)}, False),
        ({"strict": (5,)}, False),
        ({"strict": (3, 6)}, False),
        ({"classes": (RDMA, CNP, some(dscp=32, priority=4))}, False),
    ],
)
def test_the_roce_profile_of_a_vendor(change: dict[str, Any], fits: bool) -> None:
    """Priority 3 lossless, 6 strict, each with its eight code points."""
    assert fits_roce_profile(but(QOS, **change)) is fits
