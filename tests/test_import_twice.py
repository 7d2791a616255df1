"""``netplan import``: an address that two things have is told with both places."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data
from tests.test_import_host_addresses import HOSTS, ON_RAILS, texts
from tests.test_import_leaves import PAIRS
from tests.test_import_leaves import site as leaves_of
from tests.test_import_rewritten import leaf


def leaves(*loopbacks: str) -> Imported:
    found = {}
    for number, loopback in enumerate(loopbacks, 1):
        name = f"leaf-{number}"
        tables = leaf(name, LOOPBACK_INTERFACE={f"Loopback0|{loopback}/32": {}})
        found[f"{name}.json"] = json.dumps(tables, indent=1)
    return import_texts(found, "site")


def test_two_switches_with_one_loopback() -> None:
    (told,) = map(str, leaves("10.0.0.1", "10.0.0.1", "10.0.0.3").conflicts)
    assert told.startswith("loopback 10.0.0.1 is that of leaf-1 (leaf-1.json:")
    assert " and of leaf-2 (leaf-2.json:" in told


def test_the_ids_of_such_switches_are_not_those_of_loopbacks() -> None:
    result = leaves("10.0.0.5", "10.0.0.5", "10.0.0.7")
    assert [*data(result)["switches"]] == ["leaf-[1-3]"]
    assert "not one of each" in result.text
    assert leaves("10.0.0.1", "10.0.0.2", "10.0.0.3").conflicts == ()


def hosts(changed: dict[str, str], *switches: dict[str, Any]) -> Imported:
    """``changed``: address of a host on rail 0, in place of its own."""
    found = texts(*ON_RAILS)
    for name, address in changed.items():
        file = f"{name}/ip-addr.json"
        own = f"172.16.0.{10 + HOSTS.index(name)}"
        found[file] = found[file].replace(own, address)
    return import_texts({**found, **{f"l{n}.json": json.dumps(each) for n, each in enumerate(switches)}}, "x")


def test_two_hosts_with_one_address() -> None:
    (told,) = map(str, hosts({"gpu-2": "172.16.0.10"}).conflicts)
    assert told == (
        "address 172.16.0.10 is that of gpu-1 ens1 (gpu-1/ip-addr.json:1)"
        " and of gpu-2 ens1 (gpu-2/ip-addr.json:1)"
    )


def test_two_hosts_with_one_address_in_networks_of_two_lengths() -> None:
    found = texts(*ON_RAILS)
    rows = json.loads(found["gpu-2/ip-addr.json"])
    rows[0]["addr_info"][0] |= {"local": "172.16.0.10", "prefixlen": 25}
    result = import_texts({**found, "gpu-2/ip-addr.json": json.dumps(rows)}, "x")
    assert [str(each).split(" (")[0] for each in result.conflicts] == [
        "address 172.16.0.10 is that of gpu-1 ens1"
    ]


@pytest.mark.parametrize(("address", "told"), [("172.16.0.1", True), ("172.16.0.10", False)])
def test_a_host_with_the_gateway_of_a_pool(address: str, told: bool) -> None:
    """No switch in the dumps has the gateway."""
    spec = {"subnet": "172.16.0.0/24", "gateway": "172.16.0.1", "perNodeBlockSize": 8}
    pool = {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": "rail-0", "namespace": "n"},
        "spec": spec,
    }
    found = texts(*ON_RAILS)
    found["gpu-1/ip-addr.json"] = found["gpu-1/ip-addr.json"].replace("172.16.0.10", address)
    result = import_texts({**found, "pool.json": json.dumps(pool)}, "x")
    assert [str(each).split(" (")[0] for each in result.conflicts] == (
        ["address 172.16.0.1 is that of the gateway of pool rail-0"] if told else []
    )


@pytest.mark.parametrize("length", [24, 28])
@pytest.mark.parametrize(("address", "told"), [("172.16.0.1", True), ("172.16.0.12", False)])
def test_a_host_with_the_address_of_a_vlan_interface(address: str, told: bool, length: int) -> None:
    switch = leaf("leaf-1", VLAN_INTERFACE={f"Vlan100|172.16.0.1/{length}": {}})
    found = [str(each) for each in hosts({"gpu-2": address}, switch).conflicts]
    assert [each.split(" (")[0] for each in found] == (
        ["address 172.16.0.1 is that of leaf-1 VLAN 100"] if told else []
    )


def routers(*stated: str) -> Imported:
    """Leaves with loopbacks 10.0.0.1 and so on, and these router IDs, if any."""
    found = {}
    for number, own in enumerate(stated, 1):
        tables = leaf(f"leaf-{number}", LOOPBACK_INTERFACE={f"Loopback0|10.0.0.{number}/32": {}})
        if own:
            tables["DEVICE_METADATA"]["localhost"]["bgp_router_id"] = own
        found[f"leaf-{number}.json"] = json.dumps(tables, indent=1)
    return import_texts(found, "site")


@pytest.mark.parametrize(
    ("stated", "owners"),
    [
        (("", "10.0.0.1"), "leaf-1 (leaf-1.json: and of leaf-2"),
        (("10.0.0.2", ""), "leaf-2 (leaf-2.json: and of leaf-1"),
        (("10.9.9.9", "10.9.9.9"), "leaf-1 (leaf-1.json: and of leaf-2"),
        (("10.9.9.9", "10.9.9.8"), ""),
        (("10.0.0.1", "10.0.0.2"), ""),
    ],
)
def test_two_switches_with_one_router_id(stated: tuple[str, ...], owners: str) -> None:
    result = routers(*stated)
    shared = [re.sub(r":[0-9]+\)?", ":", str(each)) for each in result.conflicts]
    asked = [line for line in result.text.splitlines() if "router_id: TODO" in line]
    assert (len(shared), len(asked)) == ((1, 1) if owners else (0, 0))
    for told in shared:
        assert told.startswith("router ID 10.")
        assert owners in told


def test_a_pod_with_the_gateway_of_a_pool_is_not_reserved() -> None:
    status = [{"name": "t/n", "interface": "net1", "ips": ["10.1.0.1"]}]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "p",
            "namespace": "t",
            "annotations": {"k8s.v1.cni.cncf.io/network-status": json.dumps(status)},
        },
    }
    result = import_texts({**leaves_of(PAIRS).texts, "pod.json": json.dumps(pod)}, "site")
    (told,) = map(str, result.conflicts)
    assert told.startswith("address 10.1.0.1 is that of leaf-1 VLAN 100 (leaf-1.db.json:")
    assert told.endswith(" and of pod t/p (pod.json:1)")
    assert "reserved" not in data(result)["rails"]


@pytest.mark.parametrize(("copied", "told"), [(1, 1), (4, 0)])
def test_one_address_on_vlan_interfaces_of_two_switches(copied: int, told: int) -> None:
    """Where most are so, they are anycast gateways."""
    found = {}
    for name in ("leaf-1", "leaf-2"):
        addresses = [f"10.{n}.{0 if name == 'leaf-1' or n <= copied else 1}.1/24" for n in range(1, 5)]
        rows: dict[str, Any] = {f"Vlan{n}|{address}": {} for n, address in enumerate(addresses, 100)}
        found[f"{name}.json"] = json.dumps(leaf(name, VLAN_INTERFACE=rows), indent=1)
    conflicts = [str(each) for each in import_texts(found, "site").conflicts if "VLAN" in str(each)]
    assert len(conflicts) == told
    for each in conflicts:
        assert each.startswith("address 10.1.0.1/24 is that of leaf-1 VLAN 100 (leaf-1.json:")
