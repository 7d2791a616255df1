"""Edge cases, one fact per case: addresses of pods that move, numbers past the end of a range, headroom that
a buffer model does not have, and what a ClusterQueue covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model.codes import Problems
from netplan.model.routes import ROUTINGS
from netplan.model.workloads import AddressStability
from netplan.plan.addresses import _link_pairs as link_pairs
from netplan.plan.addresses import _loopbacks as loopbacks
from netplan.plan.buffers import port_headroom
from netplan.plan.kueue import _amounts as amounts
from netplan.plan.pod_needs import _coverage as coverage
from netplan.plan.pod_stability import plan_stability
from tests.switch_site import profiles
from tests.unit.some import but, some

MOVED = some(announced_by="sriov", moves=True)
NETWORK = some(
    name="rail",
    per_rail=True,
    by_routing=ROUTINGS["none"],
    by_ipam=some(reuse="the pool gives it to the next pod"),
    by_mode=some(announced_by="sriov", moves=False),
)
OWN_CARD = "the link of one host and rail has its own addresses, by the host's id, and one card"
IN_PLACE = "the card of a host keeps the address it has there, whichever pod claims it"
REUSED = "the pool gives it to the next pod"


@pytest.mark.parametrize(
    ("network", "prefixes", "ipam", "row"),
    [
        ({}, (), some(), (True, REUSED, "sriov")),
        ({"by_mode": some(announced_by=None, moves=False)}, (), some(), (True, REUSED, None)),
        ({}, (), None, (False, IN_PLACE, None)),
        ({"by_mode": MOVED}, (31,), some(), (False, OWN_CARD, None)),
        ({"by_mode": MOVED}, (31,), None, (False, IN_PLACE, None)),
        ({}, (31,), some(), (True, REUSED, "sriov")),
        ({"by_mode": MOVED}, (), some(), (True, REUSED, "sriov")),
        ({"by_mode": MOVED, "per_rail": False}, (31,), some(), (True, REUSED, "sriov")),
        ({"by_mode": MOVED, "by_routing": ROUTINGS["script"]}, (), some(), (True, REUSED, "rail-routes.sh")),
        ({"by_routing": ROUTINGS["script"]}, (), some(), (True, REUSED, "sriov")),
    ],
)
def test_an_address_stays_with_its_card_or_moves(
    network: dict[str, Any], prefixes: tuple[int, ...], ipam: Any, row: tuple[bool, str, str | None]
) -> None:
    attachment = some(
        network=but(NETWORK, **network), segment=some(host_prefixes=prefixes), ipam=ipam, addressed=True
    )
    nic, fabric = some(attachment=attachment), some(type="roce", arp=some(timeout_seconds=90))
    moves, why, announced = row
    wanted = AddressStability(network="rail", moves=moves, why=why, announced_by=announced, arp_age=90)
    assert plan_stability(fabric, (nic, nic)) == (wanted,)
    (left,) = plan_stability(but(fabric, arp=None), (nic,))
    assert left == replace(wanted, arp_age=None)
    assert plan_stability(but(fabric, type="infiniband"), (nic,)) == ()
    assert plan_stability(fabric, (some(attachment=but(attachment, segment=None)),)) == ()
    assert plan_stability(fabric, (some(attachment=but(attachment, addressed=False)),)) == ()


@pytest.mark.parametrize(
    ("number", "gateway", "pairs", "said"),
    [
        (1, "first", ["10.0.0.0/31 10.0.0.1/31"], None),
        (2, "first", ["10.0.0.2/31 10.0.0.3/31"], None),
        (4, "last", ["10.0.0.6/31 10.0.0.7/31"], None),
        (5, "first", [], ("NP203", "link number 4 of a is past the end of 10.0.0.0/29, which has 4")),
        (0, "first", [], ("NP105", "host a has no id, and its link networks are numbered by it")),
    ],
)
def test_a_link_has_the_network_of_its_number(
    number: int, gateway: str, pairs: list[str], said: tuple[str, str] | None
) -> None:
    problems = Problems()
    link: Any = some(host=some(name="a", id=number, at=("hosts", "a")))
    rails: Any = some(prefixes=(31,), ranges_key="supernets", gateway=gateway, first_subnet=0)
    found = link_pairs(link, rails, (IPNetwork("10.0.0.0/29"),), problems)
    assert [f"{switch} {host}" for switch, host in found] == pairs
    assert [(each.code, each.message) for each in problems.found] == ([said] if said else [])


@pytest.mark.parametrize(
    ("number", "address"), [(0, "10.0.0.0"), (1, "10.0.0.1"), (3, "10.0.0.3"), (4, None)]
)
def test_a_loopback_has_the_number_of_its_switch(number: int, address: str | None) -> None:
    problems = Problems()
    switches = [some(name="leaf-1", id=number), some(name="leaf-2", id=2)]
    underlay = some(loopbacks=IPNetwork("10.0.0.0/30"), at=("underlay",))
    fabric: Any = some(underlay=underlay, switches=switches)
    found = loopbacks(fabric, problems)
    own = {} if address is None else {"leaf-1": IPAddress(address)}
    assert found == {**own, "leaf-2": IPAddress("10.0.0.2")}
    text = f"loopback of leaf-1 with id {number} is past the end of 10.0.0.0/30"
    assert [each.message for each in problems.found] == ([] if address else [text])
    assert loopbacks(but(fabric, underlay=None), problems) == {}


SONIC = profiles()["sonic"]


def kind(model: str, asic: str, buffers: str = "traditional") -> Any:
    return some(buffer_model=buffers, model=some(name=model, asic=asic), port_mtu=9216)


@pytest.mark.parametrize(
    ("given", "speed", "metres", "problem"),
    [
        (kind("sn5600", "spectrum-4"), 400, 5, ""),
        (kind("sn5600", "spectrum-4"), 401, 5, "has no row at 401 Gb/s, only at "),
        (kind("sn5600", "spectrum-4"), 400, 10**6, "a cable of 1000000 m is longer than every row of "),
        (kind("odd", "spectrum-4"), 400, 5, "has no lossless table for model odd"),
        (kind("sn5600", "spectrum-4", "odd"), 400, 5, "has no odd buffer model"),
        (kind("sn5600", "odd", "dynamic"), 400, 5, "does not work on odd"),
        (kind("odd", "odd", "dynamic"), 400, 5, "does not work on odd"),
    ],
)
def test_why_a_port_has_no_headroom(given: Any, speed: int, metres: int, problem: str) -> None:
    found = port_headroom(given, SONIC, speed, metres)
    assert problem in found.missing
    assert (found.headroom is None) is bool(problem)


@pytest.mark.parametrize(
    ("longest", "metres", "problem"),
    [
        (0, 10**6, ""),
        (100, 100, ""),
        (100, 101, "X sizes headroom for cables of up to 100 m, this one has 101 m"),
    ],
)
def test_a_nos_that_sizes_headroom_itself_has_a_longest_cable(
    longest: int, metres: int, problem: str
) -> None:
    nos: Any = some(buffer_models=(), limits=some(cable_max_m=longest), name="X")
    found = port_headroom(kind("odd", "odd"), nos, 400, metres)
    assert (found.headroom, found.missing) == (None, problem)


def workload(limits: dict[str, int], *devices: tuple[str, bool]) -> Any:
    return some(
        limits=tuple(limits.items()), devices=[some(resource=name, claimed=by) for name, by in devices]
    )


@pytest.mark.parametrize(
    ("workloads", "rails", "others"),
    [
        ([workload({"nvidia.com/gpu": 8})], [], ["nvidia.com/gpu"]),
        ([workload({"nvidia.com/gpu": 8}, ("rdma/rail", True))], [], ["nvidia.com/gpu"]),
        (
            [workload({"nvidia.com/gpu": 8, "rdma/rail": 1}, ("rdma/rail", False))],
            ["rdma/rail"],
            ["nvidia.com/gpu"],
        ),
        (
            [
                workload({"nvidia.com/gpu": 8, "rdma/b": 1}, ("rdma/b", False)),
                workload({"amd.com/gpu": 8, "rdma/a": 1}, ("rdma/a", False)),
            ],
            ["rdma/a", "rdma/b"],
            ["amd.com/gpu", "nvidia.com/gpu"],
        ),
    ],
)
def test_a_cluster_queue_covers_gpus_and_rails(
    workloads: list[Any], rails: list[str], others: list[str]
) -> None:
    text = coverage(workloads)
    assert text.startswith("the ClusterQueue covers ")
    covered = text.partition(", GPUs and rails")[0]
    assert all(name in covered for name in (*others, *rails))
    assert [covered.index(name) for name in (*others, *rails)] == sorted(
        covered.index(name) for name in (*others, *rails)
    )
    assert ("excludeResourcePrefixes" in text) is bool(rails)
    assert not rails or f"[{', '.join(rails)}]" in text


GPU_TYPE = some(name="gpu", gpus=8, gpu_resource="nvidia.com/gpu")
RAIL = some(resource="rdma/rail", claimed=False, per_node={"gpu": 4})


def kueue_job(*devices: Any, pods: int = 1, **asked: int) -> Any:
    plain: dict[str, Any] = {"cpus": None, "memory_mib": None, "hugepages_2mi_mib": None}
    return some(
        devices=devices, workload=some(host_types=(GPU_TYPE,), pods_per_node=pods, **{**plain, **asked})
    )


@pytest.mark.parametrize(
    ("jobs", "more"),
    [
        ([], {}),
        ([kueue_job(RAIL)], {"rdma/rail": 12}),
        ([kueue_job(but(RAIL, claimed=True))], {}),
        ([kueue_job(RAIL, but(RAIL, claimed=True, resource="rdma/other"))], {"rdma/rail": 12}),
        ([kueue_job(but(RAIL, per_node={}))], {"rdma/rail": 0}),
        ([kueue_job(cpus=16)], {"cpu": 48}),
        ([kueue_job(cpus=16, pods=2)], {"cpu": 96}),
        ([kueue_job(cpus=16), kueue_job(cpus=8, pods=4), kueue_job()], {"cpu": 96}),
        ([kueue_job(memory_mib=100, hugepages_2mi_mib=0)], {"memory": 300, "hugepages-2Mi": 0}),
    ],
)
def test_amounts_of_all_nodes_of_a_type(jobs: list[Any], more: dict[str, int]) -> None:
    """110 pods on a node, the kubelet's default; claimed devices count toward no quota."""
    hosts = [some(type=GPU_TYPE, count=1), some(type=GPU_TYPE, count=2), some(type=some(name="x"), count=9)]
    found = amounts(some(hosts=hosts), GPU_TYPE, tuple(jobs))
    assert found == {"pods": 330, "nvidia.com/gpu": 24, **more}
    assert "nvidia.com/gpu" not in amounts(some(hosts=hosts), but(GPU_TYPE, gpus=0), ())
