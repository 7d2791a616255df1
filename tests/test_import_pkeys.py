"""P_Keys of InfiniBand networks are taken as ib-kubernetes reads them (Mellanox/ib-kubernetes
pkg/utils/utils.go, ParsePKey), or asked for, and compared with an inventory."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled, refused, todo_lines
from tests.test_import_into import into, said

CARDS = (("0000:18:00.0", "ibp24s0"), ("0000:40:00.0", "ibp64s0"))
ANSWERS = {
    "cni": "calico",
    "pod_cidr": "10.244.0.0/16",
    "service_cidr": "10.96.0.0/12",
    "vfs": "manual",
    "device_plugin": "manual",
    "supernets": "[172.16.0.0/22]\n  prefixes: [24]",
    "nic_qos": "host",
    "node_selector": '{example.com/host: "true"}',
    "release": '"26.4"',
    "mtu": "2044",
    "routing": "none",
    "rdma_mode": "exclusive",
    "block_size": "16",
}


def attachment(rail: int, pkey: Any) -> dict[str, Any]:
    plugin = {"type": "ib-sriov", "pkey": pkey, "rdmaIsolation": True}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {
            "name": f"ib-{rail}",
            "namespace": "default",
            "annotations": {"k8s.v1.cni.cncf.io/resourceName": f"nvidia.com/ib_{rail}"},
        },
        "spec": {"config": json.dumps({"cniVersion": "0.3.1", "name": f"ib-{rail}", **plugin})},
    }


def dumps(pkey: Any) -> dict[str, str]:
    objects = []
    for name in ("ib-1", "ib-2"):
        cards = [interface(pci, netdev, 400, 8, device="1021") for pci, netdev in CARDS]
        for rail, card in enumerate(cards):
            card |= {"linkType": "IB", "mtu": 2044, "Vfs": []}
            card["vfGroups"] = [{"resourceName": f"ib_{rail}", "vfRange": "0-7"}]
        state = node_state(name, cards)
        state["spec"] = {"interfaces": [{**card, "numVfs": 8} for card in cards]}
        objects += [node(name, {"example.com/host": "true"}, 8), state]
    return {"x.yaml": listed([*objects, attachment(0, pkey), attachment(1, pkey)])}


def imported(pkey: Any) -> Imported:
    return import_texts(dumps(pkey), "site")


@pytest.mark.parametrize("written", ["0x0010", "0x10", "0X10", "0x00000010"])
def test_a_partition_is_written_with_four_digits(written: str) -> None:
    assert data(imported(written))["networks"]["ib"]["pkey"] == "0x0010"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("16", "'16' does not begin with 0x, which ib-kubernetes refuses"),
        (16, "'16' does not begin with 0x"),
        ("0x8010", "has the bit of the membership, which ib-kubernetes refuses; the partition is 0x0010"),
        ("0x7fff", "'0x7fff' is the default partition, that of networks without pkey"),
        ("0x0", "'0x0' is no partition"),
        ("0x12345", "'0x12345' is no partition"),
        ("0xzz", "'0xzz' does not begin with 0x"),
    ],
)
def test_what_is_no_partition_is_asked_for(written: Any, why: str) -> None:
    result = imported(written)
    (line,) = [line for line in result.text.splitlines() if "pkey: TODO" in line]
    assert why in line
    assert line.endswith("x.yaml:" + line.rpartition(":")[2])
    assert {*todo_lines(result.text)} <= refused(result.text)


def finished() -> str:
    return filled(imported("0x0010").text, ANSWERS)


def of_pkeys(text: str, pkey: str) -> list[str]:
    return [row for row in said(into(text, dumps(pkey)), "differs") if "pkey" in row]


@pytest.mark.parametrize("written", ["0x0010", "0X10"])
def test_the_partition_of_the_inventory_matches_that_of_the_dumps(written: str) -> None:
    assert of_pkeys(finished(), written) == []


@pytest.mark.parametrize("written", ["0x0011", "0x8010", "16"])
def test_another_partition_is_a_difference(written: str) -> None:
    (row,) = of_pkeys(finished(), written)
    assert row.startswith("network ib: pkey: 0x0010 (site.yaml:")
    assert f"or {written} (x.yaml:" in row


def test_a_partition_that_the_inventory_lacks_is_a_difference() -> None:
    (row,) = of_pkeys(finished().replace("    pkey: ", "    # "), "0x10")
    assert "pkey: not stated" in row
