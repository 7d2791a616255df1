"""Facts of one line each, at their edge: the way between two switches, and devices that no network names."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.trace.devices import _several as several
from netplan.trace.path import Paths
from netplan.trace.pods import _beyond, _Builder
from tests.unit.some import but, some

PATHS: Any = Paths
BUILDER: Any = _Builder
BEYOND: Any = _beyond
TRUNKS = {
    "a": [("1", ("b", "1")), ("2", ("c", "1"))],
    "b": [("1", ("a", "1")), ("2", ("d", "1"))],
    "c": [("1", ("a", "2")), ("2", ("d", "2"))],
    "d": [("1", ("b", "2")), ("2", ("c", "2")), ("3", ("e", "1"))],
    "e": [("1", ("d", "3"))],
}


@pytest.mark.parametrize(
    ("start", "to", "way"),
    [
        ("a", "a", []),
        ("a", "b", [("a", "1", ("b", "1"))]),
        ("a", "c", [("a", "2", ("c", "1"))]),
        ("a", "d", [("a", "1", ("b", "1")), ("b", "2", ("d", "1"))]),
        ("a", "e", [("a", "1", ("b", "1")), ("b", "2", ("d", "1")), ("d", "3", ("e", "1"))]),
        ("e", "a", [("e", "1", ("d", "3")), ("d", "1", ("b", "2")), ("b", "1", ("a", "1"))]),
    ],
)
def test_the_shortest_way_over_trunks(start: str, to: str, way: Any) -> None:
    fabric = some(trunks=lambda switch, vlan: TRUNKS[switch] if vlan == 7 else [])
    assert PATHS._trunk_way(some(fabric=fabric), start, to, 7) == way


@pytest.mark.parametrize(
    ("back", "expected"),
    [((7, None), True), ((8, None), False), ((7, "p"), False), (None, False)],
)
def test_a_reverse_path_leads_back_where_the_packet_came_from(back: Any, expected: bool) -> None:
    asked: list[Any] = []

    def connected(switch: str, source: Any) -> Any:
        asked.append((switch, source))
        return None if back is None else some(vlan=back[0], port=back[1])

    paths: Any = some(fabric=some(connected=connected))
    router: Any = some(switch="leaf", vlan=7, port=None)
    chosen = some(space=some(decide=lambda dst, src, oif: some(src=f"{dst} {src} {oif}")))
    request: Any = some(src="own", dst="far", oif="net1", sender=chosen)
    assert PATHS._expected(paths, request, router) is expected
    assert PATHS._expected(paths, but(request, src=None), router) is expected
    assert asked == [("leaf", "own"), ("leaf", "far None net1")]


def test_a_packet_without_a_source_has_no_reverse_path() -> None:
    paths: Any = some(fabric=some(connected=lambda *_: some(vlan=7, port=None)))
    request: Any = some(
        src=None, dst="far", oif=None, sender=some(space=some(decide=lambda *_: some(src=None)))
    )
    assert not PATHS._expected(paths, request, some(switch="leaf", vlan=7, port=None))


EFA = "EFA: the cloud carries it, by security groups and placement that stand in no file"


@pytest.mark.parametrize(
    ("resource", "links", "said"),
    [
        ("vpc.amazonaws.com/efa", ("infiniband",), EFA),
        ("a/b", ("ethernet",), "no file says what the devices of a/b are connected to"),
        ("a/b", (), "no file says what the devices of a/b are connected to"),
    ],
)
def test_what_carries_devices_without_a_network(resource: str, links: Any, said: str) -> None:
    site: Any = some(facts=some(links={"gpu": links}))
    assert BEYOND(site, some(type="gpu"), resource) == said


def test_devices_of_infiniband_are_carried_by_its_subnet_manager() -> None:
    site: Any = some(facts=some(links={"gpu": ("ethernet", "infiniband")}))
    assert "subnet manager" in BEYOND(site, some(type="gpu"), "a/b")
    assert "no file" in BEYOND(site, some(type="cpu"), "a/b")


def test_devices_of_a_pod_without_networks() -> None:
    limits = {"nvidia.com/gpu": 8, "rdma/hca": 2, "vpc.amazonaws.com/efa": 1}
    workload = some(limits=limits, verbs_mounted=False)
    builder: Any = some(
        workload=workload,
        site=some(facts=some(links={})),
        host=some(type="gpu"),
        _plain=lambda name, index, beyond: (name, index, beyond == EFA),
    )
    found = list(BUILDER._plain_devices(builder))
    assert found == [("hca0", 0, False), ("hca1", 1, False), ("efa0", 0, True)]
    builder.workload = but(workload, limits={}, verbs_mounted=True)
    assert list(BUILDER._plain_devices(builder)) == [("verbs0", 0, False)]


def offer(name: str, count: int | None, made: int | None = None, shared: bool | None = None) -> Any:
    config = None if shared is None else some(shared=shared)
    hca = some(name=name)
    return some(hca=hca, fit=some(count=count), made=made, producer=some(config=config), at="a.yaml:1")


SEVERAL = (
    "resource r has devices of a, b of gpu-1 (a.yaml:1), a pod asks for {}: "
    "which of them it gets is not stated"
)


@pytest.mark.parametrize(
    ("taken", "asked", "said"),
    [
        ([offer("a", 1)], 1, False),
        ([offer("a", 1), offer("b", 1)], 1, True),
        ([offer("a", 1), offer("b", 1)], 2, False),
        ([offer("a", 4), offer("b", 4)], 8, False),
        ([offer("a", 4), offer("b", 4)], 7, True),
        ([offer("a", None), offer("b", None)], 2, False),
        ([offer("a", None), offer("b", None)], 1, True),
        ([offer("a", None, made=4), offer("b", 1)], 9, True),
        ([offer("a", 1, shared=True), offer("b", 1)], 1, False),
        ([offer("a", 1, shared=False), offer("b", 1, shared=False)], 1, True),
    ],
)
def test_a_resource_of_several_ports(taken: list[Any], asked: int, said: bool) -> None:
    found = list(several("r", taken, some(name="gpu-1"), asked))
    assert found == [SEVERAL.format(asked)] * said
