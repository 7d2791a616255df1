"""NP685, one fact per case: objects of operators in a namespace where none of them runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import said
from tests.unit.test_edges_rules import named, nic_template, pool, vf_policy

READ = "the operator reads its own namespace only"


def at(namespace: str | None, thing: dict[str, Any], name: str = "x") -> dict[str, Any]:
    placed = named(thing, name)
    placed["metadata"] = {"name": name, **({"namespace": namespace} if namespace else {})}
    return placed


def attached(namespace: str, networks: str = "rail") -> dict[str, Any]:
    given = pod(networks)
    given["metadata"] = {**given["metadata"], "namespace": namespace}
    return given


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([at("default", pool())], [f"it is in namespace default; {READ}"]),
        (
            [at("default", vf_policy()), at("default", vf_policy(), "y")],
            [f"it (and 1 more object) is in namespace default; {READ}"],
        ),
        (
            [at("default", pool()), at("default", vf_policy())],
            [f"it is in namespace default; {READ}"] * 2,
        ),
        ([at(None, pool())], []),
        ([at("${space}", pool()), attached("${space}")], []),
        ([at("apps", pool())], []),
        ([at("apps", pool()), attached("other")], []),
        ([at("apps", pool()), attached("apps", "")], []),
        ([at("my-operators", pool()), attached("my-operators")], []),
        ([at("kube-system", pool()), attached("kube-system")], []),
        ([at("default", pool()), at("nvidia-network-operator", nic_template())], []),
        ([at("default", pool()), at("kube-system", pool(), "y")], []),
    ],
)
def test_objects_beside_pods(given: list[dict[str, Any]], told: list[str]) -> None:
    found = [each.removeprefix("metadata.namespace: ") for each in said("NP685", given)]
    assert found == told


def test_the_pod_is_named() -> None:
    (found,) = said("NP685", [at("apps", pool()), attached("apps")])
    assert " in namespace apps, where Pod apps/" in found
