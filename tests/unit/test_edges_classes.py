"""Edge cases, one fact per case: the traffic class of a pod, and how its NICs map it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netplan.model.nic_text import NicPort
from netplan.model.site import SiteClass
from netplan.trace.classes import sent
from netplan.trace.model import ReadNicQos, SentClass, Verdict
from tests.unit.test_edges_pods_trace import env

ROCE = SiteClass(name="roce", dscp=26, priority=3, lossless=True, ecn=True)
STORAGE = SiteClass(name="storage", dscp=34, priority=4, lossless=True, ecn=False)
OTHER = SiteClass(name="other", dscp=8, priority=1, lossless=False, ecn=False)
BOTH = {"NCCL_IB_TC": "106", "UCX_IB_TRAFFIC_CLASS": "106"}


def nic(byte: int | None = None, trust: str | None = "dscp", **priorities: int) -> Any:
    qos = ReadNicQos(
        file="f",
        judged=True,
        trust=trust,
        priorities={int(name[1:]): priority for name, priority in priorities.items()},
        pfc=frozenset(),
        port=NicPort(traffic_class=byte) if byte is not None else NicPort(),
    )
    return SimpleNamespace(qos=qos)


NONE: Any = SimpleNamespace(qos=None)
UNREAD: Any = SimpleNamespace(qos=SimpleNamespace(judged=False, port=NicPort()))
RIGHT = nic(d26=3, d34=4, d8=1)


def told(values: dict[str, str], *nics: Any) -> SentClass:
    return sent([ROCE, STORAGE, OTHER], env(**values), nics)


@pytest.mark.parametrize(
    ("values", "dscp", "priority"),
    [
        (BOTH, 26, 3),
        ({**BOTH, "NCCL_IB_TC": "136"}, 34, 4),
        ({"UCX_IB_TRAFFIC_CLASS": "106", "NCCL_IB_TC": "105"}, 26, 3),
        ({**BOTH, "NVSHMEM_IB_TRAFFIC_CLASS": "106"}, 26, 3),
    ],
)
def test_the_first_that_is_stated_is_sent_with(values: dict[str, str], dscp: int, priority: int) -> None:
    found = told(values, RIGHT)
    assert (found.dscp, found.lossless, found.faults, found.notes, found.priority) == (
        dscp,
        True,
        (),
        (),
        priority,
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({**BOTH, "NCCL_IB_TC": "107"}, "NCCL_IB_TC 107 of job (pods/job/pod.yaml:"),
        ({**BOTH, "NCCL_IB_TC": "104"}, "NCCL_IB_TC 104 of job (pods/job/pod.yaml:"),
        ({**BOTH, "UCX_IB_TRAFFIC_CLASS": "107"}, "UCX_IB_TRAFFIC_CLASS 107 of job"),
        ({**BOTH, "NCCL_IB_TC": "139"}, None),
        ({**BOTH, "NCCL_IB_TC": "32"}, "NCCL_IB_TC 32 of job is DSCP 8"),
        ({**BOTH, "UCX_IB_TRAFFIC_CLASS": "110"}, "UCX_IB_TRAFFIC_CLASS 110 of job is DSCP 27"),
        ({**BOTH, "NVSHMEM_IB_TRAFFIC_CLASS": "0"}, "NVSHMEM_IB_TRAFFIC_CLASS 0 of job is DSCP 0"),
        ({"UCX_IB_TRAFFIC_CLASS": "106"}, "NCCL_IB_TC of job is not stated; its default is DSCP 0"),
        ({"NCCL_IB_TC": "106"}, None),
        ({**BOTH, "NCCL_IB_FIFO_TC": "33"}, None),
        ({**BOTH, "NCCL_IB_FIFO_TC": "36"}, "NCCL_IB_FIFO_TC 36 of job matches no class"),
        ({**BOTH, "NCCL_IB_FIFO_TC": "x"}, "NCCL_IB_FIFO_TC x of job matches no class"),
        ({**BOTH, "NCCL_IB_FIFO_TC": "1000000000"}, "NCCL_IB_FIFO_TC 1000000000 of job matches no class"),
        ({"NVSHMEM_IB_TRAFFIC_CLASS": "106"}, "the traffic class of job is not stated; NCCL_IB_TC or UCX_IB"),
        ({}, "the traffic class of job is not stated"),
        ({"NCCL_IB_TC": "x"}, "the traffic class of job is not stated"),
    ],
)
def test_what_is_wrong_with_a_traffic_class(values: dict[str, str], said: str | None) -> None:
    found = told(values, RIGHT)
    texts = [*(each.text for each in found.faults), *found.notes]
    assert len(texts) == (said is not None), texts
    assert all(text.startswith(str(said)) for text in texts), texts


def test_a_byte_that_marks_every_packet_is_a_fault_and_one_that_marks_none_is_open() -> None:
    found = told({"NCCL_IB_TC": "107", "UCX_IB_TRAFFIC_CLASS": "104"}, RIGHT)
    assert [each.text.rpartition(";")[2] for each in found.faults] == [" 106 does not"]
    assert [text.rpartition(";")[2] for text in found.notes] == [" 106 would prove it"]


def test_a_class_that_is_not_lossless_names_those_that_are() -> None:
    (fault,) = told({**BOTH, "NCCL_IB_TC": "32"}).faults
    assert fault.verdict is Verdict.LOSSY
    assert fault.text.endswith("the lossless classes of the site have DSCP 26, 34 (site.json)")
    two = told({"NCCL_IB_TC": "32", "UCX_IB_TRAFFIC_CLASS": "36"})
    assert (two.dscp, two.lossless, len(two.faults)) == (8, False, 2)


@pytest.mark.parametrize(
    ("nics", "notes"),
    [
        ((), 1),
        ((NONE,), 1),
        ((UNREAD,), 1),
        ((nic(106, d26=3, d34=4, d8=1),), 0),
        ((nic(0, d26=3, d34=4, d8=1),), 0),
        ((nic(106, d26=3, d34=4, d8=1), RIGHT), 1),
        ((nic(106, d26=3, d34=4, d8=1), NONE), 1),
    ],
)
def test_nics_that_set_the_byte_need_no_variable(nics: tuple[Any, ...], notes: int) -> None:
    assert len(told({"UCX_IB_TRAFFIC_CLASS": "106"}, *nics).notes) == notes


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (nic(d26=3, d34=4), ["DSCP 8 is priority 0 on NICs (f), class other has 1 (site.json)"]),
        (nic(d26=4, d34=4, d8=1), ["DSCP 26 is priority 4 on NICs (f), class roce has 3 (site.json)"]),
        (nic(trust="pcp", d26=4), []),
        (nic(trust=None), []),
        (UNREAD, []),
        (NONE, []),
    ],
)
def test_nics_have_classes_in_the_priorities_of_the_site(given: Any, said: list[str]) -> None:
    assert list(told(BOTH, given).notes) == said
    assert list(told(BOTH, RIGHT, given).notes) == said


def test_without_a_lossless_class_the_byte_is_told() -> None:
    assert sent([OTHER], env(UCX_IB_TRAFFIC_CLASS="32"), []).dscp == 8
    assert sent([OTHER], env(), []).dscp is None
    assert not sent([OTHER], env(), []).lossless
    assert not told({}).lossless
    pausing = SimpleNamespace(qos=SimpleNamespace(judged=False, pfc=frozenset({3}), file="f"))
    quiet = SimpleNamespace(qos=SimpleNamespace(judged=True, pfc=frozenset(), file="f"))
    loud = SimpleNamespace(qos=SimpleNamespace(judged=True, pfc=frozenset({3}), file="g"))
    assert len(sent([OTHER], env(), [quiet, loud, loud]).notes) == 1  # type: ignore[list-item]
    assert sent([OTHER], env(), [pausing, NONE]).notes == ()  # type: ignore[list-item]
