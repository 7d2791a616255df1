"""NP769, NP762, NP695 and NP794: devices without an attachment, on the host's network, or on other nodes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import said
from tests.unit.test_edges_objects_networks import operated, taking
from tests.unit.test_edges_rules import nic_template, vf_policy

NET = operated(resourceName="rail", networkNamespace="apps")
ALONE = ["its containers request 1 of nvidia.com/rail, but 0 are attached"]


def holding(networks: str = "", **spec: Any) -> dict[str, Any]:
    given = taking(networks, 1, "nvidia.com/rail", **spec)
    if not networks:
        given["metadata"] = {key: value for key, value in given["metadata"].items() if key != "annotations"}
    return given


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([vf_policy(), NET, holding()], ALONE),
        ([vf_policy(), NET, holding("rail")], []),
        ([vf_policy(), holding()], []),
        ([NET, holding()], []),
        ([vf_policy(), NET, holding(hostNetwork=True)], []),
        ([vf_policy(deviceType="vfio-pci"), NET, holding()], []),
        ([vf_policy(linkType="ib"), NET, holding()], []),
        ([vf_policy(linkType="ETH", deviceType="netdevice"), NET, holding()], ALONE),
        ([vf_policy(), operated(resourceName="rail", networkNamespace="other"), holding()], []),
    ],
)
def test_a_vf_without_an_attachment_has_no_interface_in_the_pod(given: Any, told: list[str]) -> None:
    assert [each.rpartition(": ")[2] for each in said("NP769", given)] == told


def test_a_pod_with_another_default_network_is_attached_by_it() -> None:
    given = holding()
    given["metadata"]["annotations"] = {"v1.multus-cni.io/default-network": "apps/rail"}
    assert said("NP769", [vf_policy(), NET, given]) == []


@pytest.mark.parametrize(("host", "networks", "told"), [(True, "rail", 1), (False, "rail", 0), (True, "", 0)])
def test_nothing_is_attached_to_a_pod_on_the_network_of_its_host(
    host: bool, networks: str, told: int
) -> None:
    found = said("NP762", [NET, pod(networks, hostNetwork=host)])
    assert len(found) == told
    assert all(
        each.endswith("the pod has hostNetwork: Multus attaches none of its networks") for each in found
    )


def on_nodes(**labels: str) -> dict[str, Any]:
    return holding("rail", nodeSelector=labels)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([vf_policy(nodeSelector={"a": "1"}), on_nodes(a="1")], 0),
        ([vf_policy(nodeSelector={"a": "1"}), on_nodes(a="2")], 1),
        ([vf_policy(nodeSelector={"a": "1"}), on_nodes(b="2")], 0),
        ([vf_policy(nodeSelector={"a": "1"}), on_nodes(a="${a}")], 0),
        ([vf_policy(nodeSelector={"a": "1"}), vf_policy(nodeSelector={"a": "2"}), on_nodes(a="2")], 0),
        ([vf_policy(nodeSelector={"a": "1"}), vf_policy(nodeSelector={"a": "3"}), on_nodes(a="2")], 1),
        ([on_nodes(a="2")], 0),
    ],
)
def test_a_pod_selects_nodes_that_have_its_devices(given: Any, told: int) -> None:
    assert len(said("NP695", given)) == told


def of_card(*addresses: str, vfs: int = 16, **more: Any) -> dict[str, Any]:
    return vf_policy(numVfs=vfs, nicSelector={"rootDevices": [*addresses], **more})


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (of_card("0000:1a:00.0"), 1),
        (of_card("0000:1A:00.0#0-7"), 1),
        (of_card("0000:1b:00.0"), 0),
        (of_card("0000:1a:00.0", vfs=8), 0),
        (of_card("0000:1a:00.0", deviceID="1021"), 1),
        (of_card("0000:1a:00.0", deviceID="101d"), 0),
    ],
)
def test_the_firmware_of_a_card_has_the_vfs_of_its_policy(policy: dict[str, Any], told: int) -> None:
    assert len(said("NP794", [nic_template(numVfs=8), policy])) == told
