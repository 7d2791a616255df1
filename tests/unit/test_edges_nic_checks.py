"""Edge cases, one fact per case: checks of NIC QoS, of switch queues and of Kueue, at both sides of their
conditions."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import kueue, nic_qos, queues
from tests.unit.some import but, owned_by, said, some

OPERATOR = "nic-configuration-operator"
QOS: Any = some(trust="dscp", classes=(), nic_pfc_stall_ms=None)
MLX5 = some(
    name="mlx5", script="s", operator=True, unwritten="none", adaptive_routing=True, mlxconfig=True,
    stall_ms=(80, 8000), trust=("dscp", "pcp"),
)  # fmt: skip


def fabric(**facts: Any) -> Any:
    owner = facts.pop("owner", "host")
    cluster = some(owners=owned_by(nic_qos=owner), network_operator=facts.pop("operator", None))
    plain: dict[str, Any] = {"type": "roce", "qos": QOS, "adaptive_routing": False}
    return some(cluster=cluster, **{**plain, **facts})


def one_class(dscp: int, priority: int, lossless: bool = True) -> Any:
    return some(name="c", dscp=dscp, priority=priority, lossless=lossless, at=("fabric", "qos", "c"))


@pytest.mark.parametrize(
    ("found", "more"),
    [
        ((one_class(24, 3), one_class(31, 3)), {}),
        ((one_class(32, 3),), {}),
        ((one_class(23, 3),), {}),
        ((one_class(32, 3, False),), {}),
        ((one_class(32, 3),), {"owner": "host"}),
        ((one_class(32, 3),), {"type": "infiniband"}),
        ((one_class(32, 3),), {"trust": "pcp"}),
    ],
)
def test_the_operator_leaves_the_map_of_a_nic(found: tuple[Any, ...], more: dict[str, Any]) -> None:
    """Of DSCP to priority: DSCP / 8."""
    given = dict(more)
    qos = but(QOS, classes=found, trust=given.pop("trust", "dscp"))
    subject = fabric(**{"owner": OPERATOR, "qos": qos, **given})
    wrong = not more and any(c.lossless and c.dscp // 8 != c.priority for c in found)
    assert nic_qos._by_operator(subject) == (0 if more else len(found))
    texts = [(each.message, each.hint) for each in nic_qos.operators_priority(subject)]
    assert len(texts) == wrong
    if texts:
        ((message, hint),) = texts
        assert message.endswith(f"but NICs map that DSCP to priority {found[0].dscp // 8}")
        assert hint == "use a dscp from 24 to 31, or set cluster.owners.nic_qos: host"
    assert not list(nic_qos.operators_priority(but(subject, qos=None)))


def nics(monkeypatch: pytest.MonkeyPatch, *found: tuple[str, Any, str | None]) -> None:
    """NICs by name, with their driver and what keeps netplan from setting their QoS."""
    gaps = {name: gap for name, _, gap in found}
    kind = some(name="gpu")
    hcas = [
        some(name=name, at=("hcas", name), model=some(name="M", driver=driver, out_of_order=name[0] != "o"))
        for name, driver, _ in found
    ]
    monkeypatch.setattr(nic_qos, "_nics", lambda _: [(kind, hca) for hca in hcas])
    monkeypatch.setattr(nic_qos, "qos_gap", lambda _, __, hca: gaps[hca.name])


PLAIN = but(MLX5, adaptive_routing=False, stall_ms=None, mlxconfig=False, name="plain")


@pytest.mark.parametrize(
    ("given", "start"),
    [
        ({}, ["gpu a is a M, no script enables", "gpu e is a M, no script enables"]),
        ({"adaptive_routing": False}, []),
        ({"type": "infiniband"}, []),
        ({"qos": None}, ["fabric.adaptive_routing is true, but without fabric.qos"]),
        ({"owner": OPERATOR}, [f"fabric.adaptive_routing is true, nic_qos is {OPERATOR}"]),
    ],
)
def test_nics_on_which_nothing_enables_adaptive_routing(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], start: list[str]
) -> None:
    """Not those whose QoS nothing sets at all (NP540), nor those that keep the order in any case."""
    nics(
        monkeypatch, ("ordered", PLAIN, None), ("a", PLAIN, None), ("b", PLAIN, "gap"), ("c", MLX5, None),
        ("d", None, None), ("e", PLAIN, None),
    )  # fmt: skip
    texts = said(nic_qos.nic_keeps_order(fabric(**{"adaptive_routing": True, **given})))
    assert len(texts) == len(start)
    assert all(text.startswith(each) for text, each in zip(texts, start, strict=True))


@pytest.mark.parametrize(
    ("wanted", "owner", "found"),
    [
        (None, "host", []),
        (79, "host", ["a", "nic_pfc_stall_ms is 79, mlx5 takes 80 to 8000"]),
        (80, "host", ["a", "e"]),
        (8000, "host", ["a", "e"]),
        (8001, "host", ["a", "nic_pfc_stall_ms is 8001, mlx5 takes 80 to 8000"]),
        (100, OPERATOR, [f"nic_pfc_stall_ms is 100, nic_qos is {OPERATOR}, which does not set it"]),
    ],
)
def test_a_time_that_a_driver_does_not_take(
    monkeypatch: pytest.MonkeyPatch, wanted: int | None, owner: str, found: list[str]
) -> None:
    nics(
        monkeypatch, ("b", PLAIN, "gap"), ("d", None, None), ("a", PLAIN, None), ("c", MLX5, None),
        ("e", PLAIN, None),
    )  # fmt: skip
    text = "nic_pfc_stall_ms is {}, the driver of gpu {} (plain) does not support it"
    subject = fabric(qos=but(QOS, nic_pfc_stall_ms=wanted), owner=owner)
    whole = [text.format(wanted, each) if len(each) == 1 else each for each in found]
    assert said(nic_qos.stall_unset(subject)) == whole
    assert not list(nic_qos.stall_unset(but(subject, qos=None)))
    nics(monkeypatch)
    assert not list(nic_qos.stall_unset(subject))


@pytest.mark.parametrize(
    ("version", "owner", "names", "found"),
    [
        ("doca", "host", "abc", "driver container doca reloads the driver of gpu c after boot"),
        (None, "host", "abc", None),
        ("doca", OPERATOR, "abc", None),
        ("doca", "host", "ab", None),
        ("doca", "host", "d", None),
        ("doca", "host", "e", None),
    ],
)
def test_a_driver_container_reloads_drivers_with_mlxconfig(
    monkeypatch: pytest.MonkeyPatch, version: str | None, owner: str, names: str, found: str | None
) -> None:
    every = {
        "a": (PLAIN, None),
        "b": (MLX5, "gap"),
        "c": (MLX5, None),
        "d": (None, None),
        "e": (PLAIN, "gap"),
    }
    nics(monkeypatch, *((name, *every[name]) for name in names))
    subject = fabric(owner=owner, operator=some(ofed_version=version))
    texts = said(nic_qos.discarded_by_container(subject))
    assert texts == ([f"nic_qos is host, but the {found}"] if found else [])
    assert not list(nic_qos.discarded_by_container(fabric(owner=owner)))


def box(name: str, asic: str = "x", **bounds: Any) -> Any:
    plain: dict[str, Any] = {"strict_queues": None, "lossy_priorities": None}
    kind = some(model=some(asic=asic))
    return some(name=name, nos="N", type=kind, qos=some(queues=(1,)), bounds=some(**{**plain, **bounds}))


def strict(priority: int, name: str = "s", ecn: Any = None, rule: Any = None) -> Any:
    marked = ecn is not None or rule is not None
    return some(
        name=name, scheduling="strict", priority=priority, ecn=ecn, ecn_rule=rule, marked=marked,
        lossless=False, at=("c",),
    )  # fmt: skip


def plan(switches: list[Any], *classes: Any) -> Any:
    return some(switches=switches, fabric=some(qos=some(classes=classes)))


HIGHEST, ANYWHERE = some(highest=True, marks=True), some(highest=False, marks=False)
WEIGHTED = but(strict(4, "w"), scheduling="dwrr")


@pytest.mark.parametrize(
    ("switches", "classes", "found"),
    [
        ([HIGHEST], [strict(5), WEIGHTED], []),
        ([HIGHEST], [strict(4), WEIGHTED], []),
        ([HIGHEST], [strict(3), WEIGHTED], ["s3 w4 b0"]),
        ([HIGHEST], [strict(3), but(WEIGHTED, priority=2)], []),
        ([HIGHEST], [strict(3), but(WEIGHTED, priority=2), WEIGHTED], ["s3 w4 b0"]),
        ([HIGHEST], [strict(3)], []),
        ([HIGHEST], [strict(3), strict(6, "t"), but(WEIGHTED, priority=2)], []),
        ([ANYWHERE], [strict(3), WEIGHTED], []),
        ([None], [strict(3), WEIGHTED], []),
        ([None, ANYWHERE, HIGHEST], [strict(3), WEIGHTED], ["s3 w4 b2"]),
    ],
)
def test_strict_queues_are_the_highest(switches: list[Any], classes: list[Any], found: list[str]) -> None:
    boxes = [box(f"b{number}", str(number), strict_queues=rule) for number, rule in enumerate(switches)]
    whole = [
        f"strict class s has priority {each[1]}, weighted class w has {each[4]}; strict queues must be the "
        f"highest on {each[6:]} (N)"
        for each in found
    ]
    assert said(queues.strict_below_weighted(plan(boxes, *classes))) == whole


@pytest.mark.parametrize(
    ("rule", "given", "key"),
    [
        (ANYWHERE, strict(3, ecn=1), "ecn"),
        (ANYWHERE, strict(3, rule=1), "ecn_rule"),
        (ANYWHERE, strict(3, ecn=1, rule=1), "ecn"),
        (ANYWHERE, strict(3), None),
        (ANYWHERE, but(strict(3, ecn=1), scheduling="dwrr"), None),
        (HIGHEST, strict(3, ecn=1), None),
        (None, strict(3, ecn=1), None),
    ],
)
def test_strict_queues_that_do_not_mark(rule: Any, given: Any, key: str | None) -> None:
    text = f"class s is strict and has {key}, but strict queues do not mark on b (N)"
    found = queues.strict_without_ecn(plan([box("b", strict_queues=rule)], given))
    assert said(found) == ([text] if key else [])


@pytest.mark.parametrize(
    ("numbers", "priority", "lossless", "found"),
    [((7,), 7, True, 1), ((7,), 6, True, 0), ((7,), 7, False, 0), ((6, 7), 6, True, 1), (None, 7, True, 0)],
)
def test_a_priority_that_cannot_be_lossless(
    numbers: tuple[int, ...] | None, priority: int, lossless: bool, found: int
) -> None:
    rule = numbers and some(numbers=numbers, why="control")
    given = but(strict(priority), lossless=lossless)
    texts = said(queues.lossy_priority(plan([box("b", lossy_priorities=rule)], given)))
    whole = f"lossless class s has priority {priority}, which cannot be lossless on b (N): control"
    assert texts == [whole] * found


def test_a_kind_of_switch_counts_once() -> None:
    boxes = [
        box("a", strict_queues=HIGHEST), box("b", strict_queues=HIGHEST), box("c", "y", lossy_priorities=1),
        box("e", "v", lossy_priorities=1),
        but(box("d", "z", strict_queues=HIGHEST), qos=some(queues=())),
    ]  # fmt: skip
    subject = plan(boxes)
    assert (queues._strict_count(subject), queues._lossy_count(subject)) == (1, 2)


@pytest.mark.parametrize(
    ("stated", "at", "text"),
    [
        (None, ("cluster", "gang_scheduler"), "release not stated"),
        (some(release=None), ("cluster", "kueue"), "release not stated"),
        (some(release=(0, 13)), ("cluster", "kueue", "release"), "release 0.13"),
    ],
)
@pytest.mark.parametrize(("covered", "told"), [(16, 0), (17, 1)])
def test_resources_of_a_quota(stated: Any, at: Any, text: str, covered: int, told: int) -> None:
    cluster = some(kueue=stated)
    subject: Any = some(kueue=some(covered=range(covered), limit=16), fabric=some(cluster=cluster))
    found = list(kueue.too_many_covered(subject))
    assert [(each.at, each.message) for each in found] == [
        (at, f"the quota covers {covered} resources, Kueue takes 16 ({text})")
    ] * told
    assert kueue._kueue(subject) == 1
    without: Any = but(subject, kueue=None)
    assert (list(kueue.too_many_covered(without)), kueue._kueue(without)) == ([], 0)


@pytest.mark.parametrize(
    ("scheduler", "release", "kinds", "found"),
    [
        ("kueue", None, ["mpijob"], []),
        ("kueue", None, ["statefulset", "mpijob", "leaderworkerset"], ["0 is a StatefulSet", "2 is a Lead"]),
        (
            "kueue",
            (0, 15),
            ["statefulset"],
            ["0 is a StatefulSet, which Kueue manages by default only from 0.16"],
        ),
        ("kueue", (0, 16), ["statefulset"], []),
        ("kueue", (0, 16), ["volcano-job", "mpijob"], ["0 is a Volcano Job, which Kueue does not manage"]),
        ("kueue", None, ["volcano-job", "statefulset"], ["0 is a Volcano Job", "1 is a StatefulSet"]),
        ("volcano", None, ["volcano-job", "statefulset"], []),
        (None, None, ["statefulset"], []),
    ],
)
def test_kinds_of_jobs_that_kueue_manages(
    scheduler: str | None, release: Any, kinds: list[str], found: list[str]
) -> None:
    jobs = [some(name=str(number), kind=kind) for number, kind in enumerate(kinds)]
    cluster = some(gang_scheduler=scheduler, kueue=release and some(release=release))
    work = some(jobs=jobs, workload=some(at=("workloads", "w")))
    subject: Any = some(fabric=some(cluster=cluster), workloads=[work])
    texts = said(kueue.integration_off(subject))
    assert len(texts) == len(found)
    assert all(text.startswith(each) for text, each in zip(texts, found, strict=True))
    assert kueue._queued(subject) == (len(jobs) if scheduler == "kueue" else 0)
