"""Pools of different networks that give out the same addresses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node_state

SUBNETS = {"IPPool": "subnet", "CIDRPool": "cidr"}


def pool(name: str, subnet: str, kind: str = "IPPool", **spec: Any) -> dict[str, Any]:
    group = {"apiVersion": "nv-ipam.nvidia.com/v1alpha1", "kind": kind}
    return {**group, "metadata": {"name": name, "namespace": "x"}, "spec": {SUBNETS[kind]: subnet, **spec}}


def network(name: str, ipam: dict[str, Any], **spec: Any) -> dict[str, Any]:
    group = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetwork"}
    own = {"networkNamespace": "a", "resourceName": name, "ipam": json.dumps(ipam), **spec}
    return {**group, "metadata": {"name": name, "namespace": "x"}, "spec": own}


def policy(number: int) -> dict[str, Any]:
    group = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    spec = {"resourceName": f"r{number}", "numVfs": 4, "nicSelector": {"pfNames": [f"ens{number}"]}}
    return {**group, "metadata": {"name": f"p{number}"}, "spec": spec}


def site(*objects: dict[str, Any]) -> Imported:
    cards = [interface(f"0000:{18 + n}:00.0", f"ens{n}", 100, 4) for n in range(4)]
    return import_texts({"x.yaml": listed([node_state("gpu-1", cards), *map(policy, range(4)), *objects])})


def overlaps(result: Imported) -> list[str]:
    return [str(each) for each in result.conflicts if "overlaps" in str(each)]


def of_pools(*pools: dict[str, Any]) -> list[dict[str, Any]]:
    names = [each["metadata"]["name"] for each in pools]
    return [
        *pools,
        *(network(f"r{n}", {"type": "nv-ipam", "poolName": name}) for n, name in enumerate(names)),
    ]


def line_of(objects: list[dict[str, Any]], part: str) -> int:
    cards = [interface(f"0000:{18 + n}:00.0", f"ens{n}", 100, 4) for n in range(4)]
    text = listed([node_state("gpu-1", cards), *map(policy, range(4)), *objects])
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("kind", SUBNETS)
def test_pools_of_two_rails(kind: str) -> None:
    """One line for each pool that others are in, with both places and ranges."""
    extra = {"perNodeNetworkPrefix": 30} if kind == "CIDRPool" else {}
    subnets = ("10.50.0.0/23", "10.50.1.0/24", "10.50.2.0/24", "10.50.2.128/25")
    objects = of_pools(*(pool(f"p{n}", subnet, kind, **extra) for n, subnet in enumerate(subnets)))
    lines = [line_of(objects, f": {subnet}") for subnet in subnets]
    assert overlaps(site(*objects)) == [
        f"pool p{n + 1} of network r{n + 1}, {subnets[n + 1]} (x.yaml:{lines[n + 1]}) overlaps "
        f"pool p{n} of network r{n}, {subnets[n]} (x.yaml:{lines[n]}): pods of both may get one address"
        for n in (0, 2)
    ]


def test_several_pools_in_one() -> None:
    (told,) = overlaps(
        site(*of_pools(pool("a", "10.0.0.0/16"), *(pool(f"b{n}", f"10.0.{n}.0/24") for n in (1, 2))))
    )
    assert told.startswith("pool b1 of network r1, 10.0.1.0/24 (x.yaml:")
    assert told.endswith("pods of both may get one address (and 1 more)")


PARTS: tuple[tuple[dict[str, Any], dict[str, Any], bool], ...] = (
    ({"exclusions": [{"startIP": "10.0.0.1", "endIP": "10.0.0.99"}]}, {}, True),
    (
        {"exclusions": [{"startIP": "10.0.0.128", "endIP": "10.0.0.254"}]},
        {"exclusions": [{"startIP": "10.0.0.2", "endIP": "10.0.0.127"}], "gateway": "10.0.0.1"},
        False,
    ),
)


@pytest.mark.parametrize(("one", "other", "shared"), PARTS)
def test_what_pools_exclude_does_not_overlap(
    one: dict[str, Any], other: dict[str, Any], shared: bool
) -> None:
    objects = of_pools(pool("a", "10.0.0.0/24", **one), pool("b", "10.0.0.0/24", **other))
    assert bool(overlaps(site(*objects))) is shared


def test_a_pool_that_no_network_uses_is_told_as_such() -> None:
    result = site(*of_pools(pool("a", "10.0.0.0/16")), pool("b", "10.0.1.0/24"))
    assert overlaps(result) == []
    assert any(
        "pool b '10.0.1.0/24': no network in the dumps uses it" in str(each) for each in result.remarks
    )


RANGES = (
    ("10.0.0.0/24", "10.0.0.0/25", True),
    ("10.0.0.10-10.0.0.99/24", "10.0.0.100-10.0.0.199/24", False),
    ("10.0.0.10-10.0.0.99/24", "10.0.0.99-10.0.0.199/24", True),
    ("10.0.0.0/24", "10.0.0.0/24", True),
)


@pytest.mark.parametrize(("one", "other", "shared"), RANGES)
def test_ranges_of_whereabouts_on_two_rails(one: str, other: str, shared: bool) -> None:
    ranges = (network(f"r{n}", {"type": "whereabouts", "range": text}) for n, text in enumerate((one, other)))
    told = overlaps(site(*ranges))
    assert len(told) == shared
    assert all(re.startswith("network a/r1, 10.0.0.0/2") for re in told)


@pytest.mark.parametrize("vlan", [100, 200])
def test_one_range_of_one_rail_in_two_namespaces(vlan: int) -> None:
    """Whereabouts keeps allocations by range: the networks share them. In another VLAN they cannot."""
    ipam = {"type": "whereabouts", "range": "10.0.0.0/24"}
    other = network("r0", ipam, networkNamespace="b", vlan=vlan)
    other["metadata"]["name"] = "other"
    assert len(overlaps(site(network("r0", ipam, vlan=100), other))) == (vlan == 200)
