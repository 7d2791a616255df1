"""``netplan import``: the limit of the RDMA-shared device plugin beside ranges with fewer addresses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled
from tests.test_import_accepted import Object, made
from tests.test_import_whole_hcas import ANSWERS, line

PCI = "0000:18:00.0"


def macvlan(ipam: str, subnet: str, namespace: str = "a", exclude: tuple[str, ...] = ()) -> Object:
    own: dict[str, Any] = {"range": subnet, **({"exclude": [*exclude]} if exclude else {})}
    if ipam == "host-local":
        own = {"ranges": [[{"subnet": subnet}]]}
    spec = {"master": "ens1", "networkNamespace": namespace, "ipam": json.dumps({"type": ipam, **own})}
    return made("mellanox.com/v1alpha1", "MacvlanNetwork", "mv", **spec)


def plugin(most: int) -> Object:
    config = {"resourceName": "rdma", "rdmaHcaMax": most, "selectors": {"ifNames": ["ens1"]}}
    shared = {"config": json.dumps({"configList": [config]}), "image": "k8s-rdma-shared-dev-plugin"}
    shared |= {"repository": "nvcr.io/nvidia/mellanox", "version": "network-operator-v26.4.1"}
    return made(
        "mellanox.com/v1alpha1", "NicClusterPolicy", "nic-cluster-policy", rdmaSharedDevicePlugin=shared
    )


def imported(
    *networks: Object, most: int = 63, nodes: int = 4, texts: Mapping[str, str] | None = None
) -> Imported:
    found: list[Object] = []
    for number in range(1, nodes + 1):
        state = node_state(f"gpu-{number}", [interface(PCI, "ens1", 100)])
        state["status"]["system"] = {"rdmaMode": "shared"}
        found += [node(f"gpu-{number}", {"a": "b"}, 8), state]
    return import_texts({"x.yaml": listed([*found, plugin(most), *networks]), **(texts or {})}, "site")


def asked(result: Imported) -> str:
    return line(result, "share_max").strip()


def test_more_pods_than_a_range_has_addresses_are_asked_with_both_numbers() -> None:
    found = asked(imported(macvlan("whereabouts", "10.1.0.0/24", exclude=("10.1.0.0/28",))))
    assert found.startswith("share_max: TODO # TODO: pods that may share an HCA, at most 59, or 63 once ")
    assert "; 10.1.0.0/24 has 239 addresses for the pods of 4 nodes (x.yaml:" in found
    assert "), today 63 (x.yaml:" in found


def test_a_range_of_two_namespaces_is_one() -> None:
    other = macvlan("whereabouts", "10.1.0.0/25", namespace="b")
    other["metadata"]["name"] = "other"
    found = asked(imported(macvlan("whereabouts", "10.1.0.0/25"), other))
    assert "10.1.0.0/25 has 126 addresses for the pods of 4 nodes (x.yaml:" in found


def leaf(number: int, *hosts: int) -> str:
    """With the first half of 10.1.0.0/24 on leaf-1, and the other on leaf-2."""
    ports = {f"Ethernet{8 * host}": host for host in hosts}
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{number}", "hwsku": "ACS-MSN4700"}},
        "PORT": {port: {"speed": "100000", "mtu": "9216"} for port in ports},
        "DEVICE_NEIGHBOR": {port: {"name": f"gpu-{host}", "port": "ens1"} for port, host in ports.items()},
        "VLAN": {"Vlan100": {"vlanid": "100"}},
        "VLAN_MEMBER": {f"Vlan100|{port}": {"tagging_mode": "untagged"} for port in ports},
        "VLAN_INTERFACE": {"Vlan100": {}, f"Vlan100|10.1.0.{128 * number - 127}/25": {}},
    }
    return json.dumps(tables)


def test_nodes_of_a_leaf_share_the_range_of_its_subnet() -> None:
    """Three hosts on leaf-1, one on leaf-2."""
    ranges = [macvlan("whereabouts", f"10.1.0.{first}/25") for first in (0, 128)]
    ranges[1]["metadata"]["name"] = "mv-2"
    leaves = {"leaf-1.json": leaf(1, 1, 2, 3), "leaf-2.json": leaf(2, 4)}
    found = asked(imported(*ranges, texts=leaves))
    assert "at most 42, or 63 once workloads" in found
    assert "10.1.0.0/25 has 126 addresses for the pods of 3 nodes (x.yaml:" in found


@pytest.mark.parametrize(
    ("ipam", "subnet", "most", "nodes"),
    [
        ("whereabouts", "10.1.0.0/23", 63, 4),
        ("whereabouts", "10.1.0.0/24", 63, 3),
        ("whereabouts", "10.1.0.0/24", 8, 4),
        ("host-local", "10.1.0.0/25", 63, 4),
    ],
)
def test_a_range_with_enough_addresses_keeps_the_limit(ipam: str, subnet: str, most: int, nodes: int) -> None:
    assert asked(imported(macvlan(ipam, subnet), most=most, nodes=nodes)).startswith(f"share_max: {most} #")


def test_a_node_of_host_local_has_the_whole_range() -> None:
    found = asked(imported(macvlan("host-local", "10.1.0.0/27")))
    assert "at most 30, or 63 once" in found
    assert "10.1.0.0/27 has 30 addresses for the pods of a node (x.yaml:" in found


POD = """
workloads:
  job: {namespace: a, hosts: [b], networks: [mv], nodes: 4, gpus: 8, pods_per_node: 1}
"""


@pytest.mark.parametrize(
    ("most", "more", "refused"), [("59", "", []), ("60", "", ["NP217"]), ("63", POD, [])]
)
def test_both_ways_out_that_the_question_names(most: str, more: str, refused: list[str]) -> None:
    result = imported(macvlan("whereabouts", "10.1.0.0/24", exclude=("10.1.0.0/28",)))
    own = filled(result.text, ANSWERS | {"share_max": most, "release": '"26.4"'})
    found = compile_texts({"site.yaml": own + more}).diagnostics
    assert [d.code for d in found if d.severity > 1] == refused
    assert data(result)["networks"]["mv"]["ipam"] == "whereabouts"
