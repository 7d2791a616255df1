"""``netplan import --into``: addresses that pools of each kind give out."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from netplan.importing.run import import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import filled
from tests.test_import_accepted import SRIOV, Object, made, policy
from tests.test_import_into import into, said
from tests.test_import_whole_hcas import ANSWERS, OPERATOR, PCI

SUBNET = "172.16.0.0/24"
ALL = ("172.16.0.10", "172.16.0.200")
SHORTER = ("172.16.0.10", "172.16.0.150")


def whereabouts(first: str, last: str) -> Object:
    return {"type": "whereabouts", "range": SUBNET, "range_start": first, "range_end": last}


def host_local(first: str, last: str) -> Object:
    return {"type": "host-local", "ranges": [[{"subnet": SUBNET, "rangeStart": first, "rangeEnd": last}]]}


def nv_ipam(first: str, last: str) -> Object:
    return {"type": "nv-ipam", "poolName": "p"}


def spiderpool(first: str, last: str) -> Object:
    return {"type": "spiderpool", "default_ipv4_ippool": ["p"]}


IPAMS: dict[str, Callable[[str, str], Object]] = {
    "whereabouts": whereabouts,
    "host-local": host_local,
    "nv-ipam": nv_ipam,
    "spiderpool": spiderpool,
}


def dumps(ipam: str, first: str, last: str) -> dict[str, str]:
    """A network of two nodes with a card each. nv-ipam and Spiderpool have the range in an object."""
    objects: list[Object] = []
    for name in ("gpu-1", "gpu-2"):
        state = node_state(name, [interface(PCI, "ens1", 100, 8)])
        state["metadata"]["namespace"] = "nvidia-network-operator"
        state["status"]["system"] = {"rdmaMode": "exclusive"}
        objects += [node(name, {"a": "b"}, 8), state]
    low, high = (
        f"172.16.0.{int(first.rpartition('.')[2]) - 1}",
        f"172.16.0.{int(last.rpartition('.')[2]) + 1}",
    )
    excluded = [{"startIP": "172.16.0.2", "endIP": low}, {"startIP": high, "endIP": "172.16.0.254"}]
    spec: dict[str, Any] = {"subnet": SUBNET, "perNodeBlockSize": 8, "exclusions": excluded}
    objects.append(made("nv-ipam.nvidia.com/v1alpha1", "IPPool", "p", **spec))
    if ipam == "spiderpool":
        spider = {"ipVersion": 4, "subnet": SUBNET, "ips": [f"{first}-{last}"], "gateway": "172.16.0.1"}
        objects[-1] = made("spiderpool.spidernet.io/v2beta1", "SpiderIPPool", "p", **spider)
    elif ipam != "nv-ipam":
        objects.pop()
    own = json.dumps(IPAMS[ipam](first, last))
    network = made(SRIOV, "SriovNetwork", "vf", networkNamespace="a", resourceName="rail", ipam=own)
    network["spec"]["metaPlugins"] = '{"type": "rdma"}'
    return {"x.yaml": listed([*objects, policy(), OPERATOR, network])}


@cache
def stated(ipam: str) -> str:
    text = import_texts(dumps(ipam, *ALL), "site").text
    if ipam == "spiderpool":  # an operator's object has no routing
        text = text.replace("nads: operator", "nads: netplan")
    routing = "spiderpool" if ipam == "spiderpool" else "none"
    answers = {**ANSWERS, "gateway": "none", "release": '"1.0"', "rdma_mode": "exclusive", "routing": routing}
    return filled(text, answers)


def of_pools(ipam: str, first: str, last: str) -> list[str]:
    rows = said(into(stated(ipam), dumps(ipam, first, last)), "differs")
    return [row for row in rows if "excludes" in row]


@pytest.mark.parametrize("ipam", IPAMS)
def test_the_dumps_of_the_inventory_have_its_ranges(ipam: str) -> None:
    assert of_pools(ipam, *ALL) == []


@pytest.mark.parametrize("ipam", IPAMS)
def test_a_range_that_ends_earlier_is_a_difference(ipam: str) -> None:
    (row,) = of_pools(ipam, *SHORTER)
    assert "excludes 172.16.0.151-172.16.0.254 (x.yaml:" in row
    assert "which the inventory does not reserve (site.yaml:" in row
