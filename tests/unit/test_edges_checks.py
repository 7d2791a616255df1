"""Edge cases, one fact per case: checks of an inventory, by direct calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from netaddr import IPNetwork

from netplan.checks.effect import _of_rails as without_effect
from netplan.checks.neighbours import arp_age_out_of_range
from netplan.checks.objects import resource_name_unfit
from netplan.checks.operators import _own_images as own_images
from netplan.checks.pod_tables import shared_table as one_table
from netplan.checks.port_vlans import _clash as clash
from netplan.checks.port_vlans import _sends as sends
from netplan.checks.reach import cannot_carry
from netplan.checks.spiderpool import _why_not as why_not_spiderpool
from netplan.checks.switch import pool_too_small
from netplan.model.claims import DRANET
from netplan.model.operator_releases import Image
from netplan.plan.delivery import _groups as groups
from netplan.plan.host_system import on_devices
from netplan.rules.kubernetes.lacks import _missing_devices as missing_devices
from tests.factories import of_rails
from tests.unit.edges import things
from tests.unit.some import some
from tests.unit.test_edges_chains import nad, pod

V4, V6 = IPNetwork("10.0.0.0/8"), IPNetwork("fd00::/32")


@pytest.mark.parametrize(
    ("change", "keys"),
    [
        ({}, set()),
        ({"external": True}, set()),
        ({"external": True, "segment": "host"}, {"gateway_owner"}),
        ({"external": True, "gateway": "none"}, {"gateway_owner"}),
        ({"numbering": "position"}, set()),
        ({"numbering": "position", "segment": "stretched"}, {"numbering"}),
        ({"vlan_ids": (100,)}, set()),
        ({"vlan_ids": (100,), "segment": "host"}, {"vlan_ids"}),
        ({"segment": "host", "gateway": "last", "prefixes": (31,)}, {"gateway"}),
        ({"segment": "host", "gateway": "last", "prefixes": (30,)}, set()),
        ({"segment": "host", "gateway": "last", "prefixes": (32,)}, {"gateway"}),
        ({"segment": "host", "gateway": "first", "prefixes": (31,)}, set()),
        ({"segment": "host", "gateway": "last", **of_rails(V6), "prefixes": (127,)}, {"gateway"}),
        ({"segment": "host", "gateway": "last", **of_rails(V6), "prefixes": (126,)}, set()),
        ({"segment": "host", "gateway": "last", **of_rails(V4, V6), "prefixes": (31, 126)}, set()),
        ({"segment": "host", "gateway": "last", **of_rails(V4, V6), "prefixes": (31, 127)}, {"gateway"}),
    ],
)
def test_what_has_no_effect_on_rails(change: dict[str, Any], keys: set[str]) -> None:
    plain = {"external": False, "segment": "leaf", "gateway": "first", "numbering": "index", "vlan_ids": ()}
    rails: Any = SimpleNamespace(**{**plain, **of_rails(V4), "prefixes": (24,), "at": ("rails",), **change})
    assert {each.at[-1] for each in without_effect(rails)} == keys


@pytest.mark.parametrize(
    ("age", "unit", "seconds", "found"),
    [
        (60, "s", 60, 0),
        (59, "s", 59, 1),
        (300, "s", 300, 0),
        (301, "s", 301, 1),
        (90, "min", 5400, 0),
        (90, "min", 5401, 1),
        (61, "s", 61, 0),
    ],
)
def test_an_age_of_neighbours_is_in_its_range(age: int, unit: str, seconds: int, found: int) -> None:
    arp = SimpleNamespace(enabled=True, age=age, unit=unit, seconds=seconds)
    limits = SimpleNamespace(arp_min=60, arp_max=300)
    switch = SimpleNamespace(arp=arp, limits=limits, nos="junos", name="leaf-1")
    plan: Any = SimpleNamespace(switches=[switch])
    assert len(list(arp_age_out_of_range(plan))) == found
    limits.arp_max = 0
    assert len(list(arp_age_out_of_range(plan))) == (age < 60 or (unit == "min" and seconds % 60 > 0))


def use(vlan: int | None, tagged: bool, network: str = "blue") -> Any:
    return SimpleNamespace(network=network, segment=SimpleNamespace(name="s", vlan=vlan), tagged=tagged)


@pytest.mark.parametrize(
    ("one", "other", "clashes"),
    [
        ((100, True), (100, True), False),
        ((100, True), (100, False), True),
        ((100, True), (101, True), False),
        ((100, True), (101, False), False),
        ((100, False), (101, False), True),
        ((None, False), (None, False), False),
        ((None, False), (None, True), False),
        ((None, False), (100, False), True),
    ],
)
def test_a_port_has_one_untagged_vlan(one: tuple[Any, bool], other: tuple[Any, bool], clashes: bool) -> None:
    assert clash(use(*one), use(*other)) is clashes
    assert clash(use(*other), use(*one)) is clashes


def test_who_sends_what() -> None:
    assert sends(use(300, True)) == "network blue sends VLAN 300 tagged"
    assert sends(use(300, False, "")) == "the host itself sends VLAN 300 untagged"
    assert sends(use(None, False)) == "network blue sends s untagged"


RAILS: dict[str, Any] = {"segment": "leaf", "gateway": "first", **of_rails(V4)}
NETWORK: dict[str, Any] = {
    "ipam": "spiderpool",
    "routing": "spiderpool",
    "mode": "sriov",
    "by_mode": SimpleNamespace(spiderpool=True),
    "per_rail": True,
}


@pytest.mark.parametrize(
    ("network", "rails", "keys"),
    [
        ({}, {}, []),
        ({"ipam": "x"}, {}, ["ipam"]),
        ({"routing": "x"}, {}, ["routing"]),
        ({"by_mode": SimpleNamespace(spiderpool=False)}, {}, ["mode"]),
        ({"per_rail": False}, {"segment": "host"}, ["for_each"]),
        ({}, None, ["for_each"]),
        ({}, {"segment": "host", "gateway": "none"}, ["routing"]),
        ({}, {"gateway": "none"}, ["routing"]),
        ({}, {**of_rails(V4, V6)}, ["ipam"]),
    ],
)
def test_what_spiderpool_needs(
    network: dict[str, Any], rails: dict[str, Any] | None, keys: list[str]
) -> None:
    given: Any = SimpleNamespace(**{**NETWORK, **network})
    fabric: Any = SimpleNamespace(rails=None if rails is None else SimpleNamespace(**{**RAILS, **rails}))
    assert [key for key, _ in why_not_spiderpool(fabric, given)] == keys


def linked(*pairs: tuple[str, str], underlay: Any = None) -> Any:
    ends = [(SimpleNamespace(name=a), SimpleNamespace(name=b)) for a, b in pairs]
    links = [SimpleNamespace(lower=a, upper=b) for a, b in ends]
    switches = [SimpleNamespace(name=name) for name in ("a", "b", "s")]
    return SimpleNamespace(switch_links=links, underlay=underlay, switches=switches)


@pytest.mark.parametrize(
    ("pairs", "underlay", "carried"),
    [
        ([("a", "s"), ("b", "s")], None, True),
        ([("a", "b")], None, True),
        ([("a", "b"), ("a", "b")], None, False),
        ([("a", "s"), ("b", "s"), ("a", "b")], None, False),
        ([("a", "s")], None, False),
        ([("a", "s"), ("b", "s")], "x", False),
    ],
)
def test_trunks_carry_a_vlan_without_a_loop(
    pairs: list[tuple[str, str]], underlay: Any, carried: bool
) -> None:
    assert (cannot_carry(linked(*pairs, underlay=underlay), ["a", "b"]) == "") is carried


def test_groups_of_ansible_have_names_of_their_own() -> None:
    assert groups(["gpu-a", "gpu.a", "GPU_A", "b"]) == {
        "gpu-a": "netplan_gpu_a",
        "gpu.a": "netplan_gpu_a_",
        "GPU_A": "netplan_gpu_a__",
        "b": "netplan_b",
    }


@pytest.mark.parametrize(
    ("for_pods", "netdev", "versions", "names", "names6"),
    [
        (True, "ens1", (4,), ("ens1",), ()),
        (True, "ens1", (4, 6), ("ens1",), ("ens1",)),
        (False, "ens1", (4,), None, None),
        (True, None, (4,), None, None),
        (True, "ens1", None, None, None),
    ],
)
def test_settings_of_devices_that_pods_use(
    for_pods: bool, netdev: str | None, versions: tuple[int, ...] | None, names: Any, names6: Any
) -> None:
    port: Any = SimpleNamespace(hca=SimpleNamespace(name="roce0", netdev=netdev, for_pods=for_pods))
    addressed = {} if versions is None else {"roce0": frozenset(versions)}
    found = on_devices(None, [port], addressed)
    assert (found and found.addressed, found and found.addressed6) == (names, names6)


@pytest.mark.parametrize(
    ("resource", "asked", "complete", "annotated", "lacking"),
    [
        (None, 0, True, True, ["0 of 2 nvidia.com/rail"]),
        (None, 1, True, True, ["1 of 2 nvidia.com/rail"]),
        (None, 2, True, True, []),
        ("nvidia.com/rail", 1, True, True, []),
        ("nvidia.com/rail", 1, False, True, ["1 of 2 nvidia.com/rail"]),
        ("nvidia.com/rail", 1, True, False, ["1 of 2 nvidia.com/rail"]),
        ("nvidia.com/other", 1, True, True, ["1 of 2 nvidia.com/rail"]),
    ],
)
def test_devices_that_a_pod_lacks(
    resource: str | None, asked: int, complete: bool, annotated: bool, lacking: list[str]
) -> None:
    limits = {"resources": {"limits": {"nvidia.com/rail": asked}}} if asked else {}
    asking = pod([{"name": "main", **limits}], "rail" if annotated else None)
    text = yaml.safe_dump_all([asking, nad(resource=resource)])
    cluster = things({"kubernetes/0.yaml": text})
    need: Any = SimpleNamespace(networks=(("a", "rail"),), devices=(("nvidia.com/rail", 2),))
    assert missing_devices(cluster, cluster.pods[0], need, complete) == lacking


@pytest.mark.parametrize(
    ("tables", "found"),
    [((700, 701), 0), ((700, 700), 1), ((None, None), 0), ((700, 700, 700), 1), ((None, 700), 0)],
)
def test_interfaces_of_a_pod_have_tables_of_their_own(tables: tuple[int | None, ...], found: int) -> None:
    routes = [
        SimpleNamespace(interface=f"net{n}", rail=0, table=t, version=4, source=None, tabled=True)
        for n, t in enumerate(tables)
    ]
    job = SimpleNamespace(routes=routes, name="job", workload=SimpleNamespace(at=("workloads", "job")))
    plan: Any = SimpleNamespace(workloads=[job])
    assert len(list(one_table(plan))) == found


@pytest.mark.parametrize(("reserved", "found"), [(100, 0), (101, 1)])
def test_headroom_may_fill_the_buffer(reserved: int, found: int) -> None:
    buffers = some(total=200, room=100, pool=0, reserved=reserved)
    switch = some(buffers=buffers, sku="x", name="leaf-1", at=("switches", "leaf-1"))
    assert len(list(pool_too_small(some(switches=[switch])))) == found


def test_a_release_names_the_images_that_it_has() -> None:
    release: Any = some(images={"nvIpam": Image(version="v1", repository="example.com")})
    assert own_images(["nvIpam", "other"], release) == "; the release has v1 in example.com"
    assert own_images(["other"], release) == ""


def test_resources_after_one_of_dra_are_judged_too() -> None:
    """An attribute of DRA has no prefix."""
    resources = [
        some(network="first", name="rail_0", prefix="a_b", plugin="sriov"),
        some(network="second", name="rail_1", prefix="", plugin=DRANET),
        some(network="third", name="rail_2", prefix="c_d", plugin="sriov"),
    ]
    found = resource_name_unfit(some(kubernetes=some(resources=resources)))
    assert [each.at for each in found] == [("networks", "third"), ("networks", "first")]
