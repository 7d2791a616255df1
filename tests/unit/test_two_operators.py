"""Two renderings of the same networks in one directory, each in the namespace of an operator of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.test_about_networks import told

POLICY = "sriovnetwork.openshift.io/v1", "SriovNetworkNodePolicy"
NETWORK = "sriovnetwork.openshift.io/v1", "SriovNetwork"
POOL = "nv-ipam.nvidia.com/v1alpha1", "IPPool"


def objects(namespace: str) -> str:
    """A policy, its network and the pool of the network."""

    def of(kind: tuple[str, str], name: str, **spec: Any) -> dict[str, Any]:
        metadata = {"name": name, "namespace": namespace}
        return {"apiVersion": kind[0], "kind": kind[1], "metadata": metadata, "spec": spec}

    ipam = json.dumps({"type": "nv-ipam", "poolName": namespace})
    rows = [
        of(
            POLICY,
            "p",
            resourceName="r",
            numVfs=1,
            nodeSelector={"a": "b"},
            nicSelector={"pfNames": ["eth1"]},
        ),
        of(NETWORK, "n", resourceName="r", networkNamespace="default", ipam=ipam),
        of(POOL, namespace, subnet="10.0.0.0/24", perNodeBlockSize=8, gateway="10.0.0.1"),
    ]
    return yaml.safe_dump_all(rows)


def loud(folder: Path, *spaces: str, **more: str) -> set[str]:
    given = {f"{name}_yaml": objects(space) for name, space in zip("ab", spaces, strict=True)}
    found = told(folder, **given, **more)
    return {code for code, severity in found if severity != "info"}


NAMED = "network-operator", "nvidia-network-operator"


def test_objects_of_two_operators_are_two_setups(tmp_path: Path) -> None:
    """Each operator reads one namespace: of two renderings one is applied."""
    assert loud(tmp_path, *NAMED).isdisjoint({"NP755", "NP761", "NP779"})


def test_a_network_outside_the_namespace_of_its_operator_generates_no_second_nad(tmp_path: Path) -> None:
    said = loud(tmp_path, "tenants", "nvidia-network-operator")
    assert "NP755" in said
    assert "NP761" not in said


def test_what_a_kustomization_joins_is_one_setup(tmp_path: Path) -> None:
    joined = loud(tmp_path, *NAMED, kustomization_yaml="resources: [a.yaml, b.yaml]\n")
    assert "NP761" in joined


@pytest.mark.parametrize("space", ["network-operator", "x"])
def test_pools_of_one_namespace_overlap(space: str, tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(objects(space).replace(f"name: {space}", "name: other"))
    found = told(tmp_path, a_yaml=objects(space))
    assert ("NP779", "warning") in found
