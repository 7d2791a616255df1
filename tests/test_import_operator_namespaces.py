"""Namespaces of the Network Operator and of the SR-IOV operator, as objects and launch kits state them."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled
from tests.test_import_accepted import Object, policy
from tests.test_import_into import into, said
from tests.test_import_whole_hcas import ANSWERS, OPERATOR, PCI


def imported(of_policies: str, of_pools: str = "", operator: tuple[Object, ...] = (OPERATOR,)) -> Imported:
    """A cluster whose policies, and pools if any, are in these namespaces; ``operator``: the policy of the
    Network Operator."""
    state = node_state("gpu-1", [interface(PCI, "ens1", 100, 8)])
    own: list[Object] = [policy(), state]
    for each in own:
        each["metadata"]["namespace"] = of_policies
    objects = [node("gpu-1", {"a": "b"}, 8), *operator, *own]
    if of_pools:
        spec: dict[str, Any] = {"subnet": "172.16.0.0/24", "perNodeBlockSize": 8}
        meta = {"name": "p", "namespace": of_pools}
        objects.append(
            {"apiVersion": "nv-ipam.nvidia.com/v1alpha1", "kind": "IPPool", "metadata": meta, "spec": spec}
        )
    return import_texts({"x.yaml": listed(objects)}, "site")


NETWORK, SRIOV = "nvidia-network-operator", "openshift-sriov-network-operator"


@pytest.mark.parametrize(
    ("of_policies", "of_pools", "network", "sriov"),
    [
        (NETWORK, NETWORK, NETWORK, None),
        ("netop", "netop", "netop", None),
        (SRIOV, NETWORK, NETWORK, SRIOV),
        ("sriov", "netop", "netop", "sriov"),
        (NETWORK, "", None, None),
        (SRIOV, "", None, SRIOV),
        ("netop", "", "netop", None),
    ],
)
def test_namespaces(of_policies: str, of_pools: str, network: str | None, sriov: str | None) -> None:
    found = data(imported(of_policies, of_pools))["cluster"]
    assert found["network_operator"].get("namespace") == network
    assert found.get("sriov_operator", {}).get("namespace") == sriov


@pytest.mark.parametrize(
    ("of_policies", "of_pools", "network", "sriov"),
    [
        (NETWORK, NETWORK, NETWORK, None),
        (SRIOV, NETWORK, NETWORK, SRIOV),
        ("netop", "netop", "netop", None),
        (SRIOV, "kube-system", None, SRIOV),
        (SRIOV, "", None, SRIOV),
    ],
)
def test_pools_show_the_network_operator_where_no_dump_has_its_policy(
    of_policies: str, of_pools: str, network: str | None, sriov: str | None
) -> None:
    """A stand-alone nv-ipam reads the pools of kube-system alone."""
    found = data(imported(of_policies, of_pools, ()))["cluster"]
    assert found.get("network_operator", {}).get("namespace") == network
    assert found.get("network_operator", {"release": "TODO"})["release"] == "TODO"
    assert found.get("sriov_operator", {}).get("namespace") == sriov


def test_where_only_policies_show_the_namespace_the_other_answer_is_told() -> None:
    (line,) = [line for line in imported("netop").text.splitlines() if "namespace: netop" in line]
    assert "state sriov_operator if the SR-IOV operator there is stand-alone" in line


KIT = """networkOperator: {{{operator}}}
docaDriver: {{enable: {enable}, version: doca3.4.1-26.04-1.1.0.0-1}}
profile: {{fabric: ethernet, deployment: sriov, multirail: true}}
nvIpam: {{poolName: pool, startingSubnet: 192.168.2.0, mask: 24, offset: 1}}
sriov: {{numVfs: 8, resourceName: res, networkName: net}}
clusterConfig:
- workerNodes: [w1]
  linkType: Ethernet
  pfs:
  - {{pciAddress: "0000:19:00.0", networkInterface: ens1, deviceID: "1021", traffic: east-west, rail: 0}}
"""


def kit(operator: str, enable: str = "true") -> Imported:
    return import_texts({"cluster-config.yaml": KIT.format(operator=operator, enable=enable)}, "site")


def test_the_namespace_of_a_launch_kit_is_that_of_both_operators() -> None:
    found = data(kit("componentVersion: network-operator-v26.4.1, namespace: netop"))["cluster"]
    assert found["network_operator"]["namespace"] == "netop"
    assert "sriov_operator" not in found


@pytest.mark.parametrize(
    "operator",
    [
        'selectedRelease: "26.4"',
        "selectedRelease: v26.4.1, version: v26.4.0",
        "componentVersion: network-operator-v26.4.1",
        "version: v26.4.1",
        "version: 26.4.1",
        "version: v26.4.1, componentVersion: network-operator-v26.4.0",
    ],
)
def test_each_version_of_a_launch_kit_states_the_release(operator: str) -> None:
    result = kit(operator)
    assert data(result)["cluster"]["network_operator"]["release"] == "26.4"
    assert result.conflicts == ()


def test_versions_of_two_releases_are_both_named() -> None:
    result = kit("version: v26.7.0, componentVersion: network-operator-v26.4.1")
    (conflict,) = result.conflicts
    assert str(conflict).startswith("the cluster, release: 26.4 (cluster-config.yaml:1) or 26.7 (cluster-")
    assert data(result)["cluster"]["network_operator"]["release"] == "TODO"


def test_a_launch_kit_without_release_keeps_images_and_driver() -> None:
    found = data(kit("repository: registry.example.com/m"))["cluster"]["network_operator"]
    assert found["repository"] == "registry.example.com/m"
    assert found["release"] == "TODO"
    assert found["ofed_version"].startswith("doca3.4.1")


RELEASED = "componentVersion: network-operator-v26.4.1, repository: nvcr.io/nvidia/mellanox"


def finished() -> str:
    """The inventory of a launch kit, without open questions."""
    answers = {
        **ANSWERS,
        "distribution": "kubernetes",
        "nic_qos": "nic-configuration-operator",
        "mtu": "9000",
        "gateway": "none",
        "node_selector": "{a: b}",
    }
    return filled(kit(RELEASED).text.replace("speed_gbps: TODO,", "speed_gbps: 400,"), answers)


def test_a_driver_that_is_switched_off_is_a_difference() -> None:
    texts = {"cluster-config.yaml": KIT.format(operator=RELEASED, enable="false")}
    rows = [row for row in said(into(finished(), texts), "differs") if "ofed" in row]
    assert len(rows) == 1
    assert rows[0].startswith("cluster.network_operator.ofed_version: doca3.4.1-26.04-1.1.0.0-1 (site.yaml:")
    assert rows[0].endswith("or no driver (cluster-config.yaml:2)")


def test_exclusions_of_all_pools_are_told_with_their_key() -> None:
    text = KIT.format(operator='selectedRelease: "26.4"', enable="true")
    spans = "offset: 1, exclusions: [{startIP: 10.9.0.1, endIP: 10.9.0.9}]"
    result = import_texts({"cluster-config.yaml": text.replace("offset: 1", spans)}, "site")
    (line,) = [str(each) for each in result.remarks if "exclusions" in str(each)]
    assert line.endswith("state in rails.reserved what of them is in the subnets of the rails")
