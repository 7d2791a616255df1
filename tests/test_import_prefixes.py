"""Prefixes of resources that the nodes show, where policies alone do not say them."""

from __future__ import annotations

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_accepted import Object, policy
from tests.test_import_whole_hcas import OPERATOR, PCI

SRIOV = "sriov-network-operator"


def imported(namespace: str, resource: str, *more: Object) -> Imported:
    """A node with a card whose VFs are ``resource``."""
    own = node("gpu-1", {"a": "b"}, 8)
    own["status"]["capacity"][resource] = "8"
    objects = [node_state("gpu-1", [interface(PCI, "ens1", 100, 8)]), policy()]
    for each in objects:
        each["metadata"]["namespace"] = namespace
    return import_texts({"x.yaml": listed([own, *objects, *more])}, "site")


def told(result: Imported) -> list[str]:
    return [str(each) for each in result.remarks if "prefix of resources" in str(each)]


def test_another_prefix_than_that_of_the_chart_is_taken() -> None:
    result = imported(SRIOV, "nvidia.com/rail")
    assert data(result)["cluster"]["sriov_operator"]["resource_prefix"] == "nvidia.com"


def test_the_prefix_of_the_chart_is_not_stated() -> None:
    for resource in ("openshift.io/rail", "example.com/other"):
        assert "resource_prefix" not in data(imported(SRIOV, resource))["cluster"]["sriov_operator"]


def test_another_prefix_of_the_network_operator_is_told() -> None:
    (line,) = told(imported("nvidia-network-operator", "openshift.io/rail", OPERATOR))
    assert "prefix of resources 'openshift.io': those of the Network Operator have nvidia.com" in line
    assert told(imported("nvidia-network-operator", "nvidia.com/rail", OPERATOR)) == []
    assert told(imported(SRIOV, "openshift.io/rail", OPERATOR)) == []
