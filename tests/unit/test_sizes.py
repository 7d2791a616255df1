"""Objects that etcd or the API server would reject for their size."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.diagnostics import Diagnostic, Severity
from netplan.model.artifact import Artifact
from netplan.verify.read import read
from netplan.verify.sizes import CONFIG_MAP_BYTES, ETCD_BYTES, size_problems


def found(body: dict[str, Any]) -> list[Diagnostic]:
    path = "kubernetes/30-networks/ipam/rail0.yaml"
    return size_problems(read([Artifact(path, json.dumps(body), "ipam", ("networks.rail",))]))[0]


def of_kind(kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "rail0"}, **fields}


def compact(body: dict[str, Any]) -> int:
    return len(json.dumps(body, separators=(",", ":")))


@pytest.mark.parametrize("over", [0, 1])
def test_an_object_that_etcd_does_not_take(over: int) -> None:
    """Size as JSON without blanks, as the API server stores custom resources."""
    frame = compact(of_kind("CIDRPool", spec={"nodes": ""}))
    body = of_kind("CIDRPool", spec={"nodes": "x" * (ETCD_BYTES - frame + over)})
    assert compact(body) == ETCD_BYTES + over
    problems = found(body)
    assert len(problems) == over
    for problem in problems:
        assert (problem.code, problem.severity) == ("NP694", Severity.WARNING)
        assert problem.path == ("networks", "rail")
        assert f"CIDRPool rail0 has {ETCD_BYTES + 1:,} bytes, etcd takes {ETCD_BYTES:,}" in problem.message


@pytest.mark.parametrize(("size", "problems"), [(CONFIG_MAP_BYTES, 0), (CONFIG_MAP_BYTES + 1, 1)])
def test_a_config_map_of_too_much(size: int, problems: int) -> None:
    assert len(found(of_kind("ConfigMap", data={"a": "x" * (size - 8), "b": "é" * 4}))) == problems
