"""rails.gateway_owner: external: who has the gateways, and the results of trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click.testing
import pytest
import yaml

from netplan.cli import program
from netplan.load import load_texts
from netplan.pipeline import Result, compile_texts
from tests.factories import merged
from tests.overlay import CHECKS, case_texts

CASE = CHECKS / "NP306/good-rails-outside.yaml"
BY_LEAF = """
rails: {segment: leaf}
links:
  - {hosts: "gpu-[1-2]", hca: "roce[0-1]", switch: "leaf-[1-2]", ports: "Ethernet[0-4/4]", cable_m: 5}
"""


def inventory(over: str = "{}") -> str:
    data: dict[str, Any] = load_texts(case_texts(CASE)).data or {}
    return yaml.safe_dump(merged(data, yaml.safe_load(over)))


def result(over: str = "{}") -> Result:
    return compile_texts({"case.yaml": inventory(over)})


def texts(found: Result) -> dict[str, str]:
    return {artifact.path: artifact.text for artifact in found.artifacts}


@pytest.mark.parametrize("over", ["{}", BY_LEAF], ids=["stretched", "leaf"])
def test_no_switch_has_the_gateway_and_pods_route_over_it(over: str):
    found = result(over)
    assert [d.code for d in found.diagnostics] == ["NP624"]
    assert found.plan is not None
    assert not [a for s in found.plan.switches for vlan in s.vlans for a in vlan.addresses]
    routes = yaml.safe_load(texts(found)["pods/train/routes.yaml"])["interfaces"]
    assert {entry["gateway_owner"] for entry in routes} == {"external"}
    assert all(any("via" in route for route in entry["routes"]) for entry in routes)
    assert "gateway_owner: external" in texts(found)["pods/train/README.md"]


def test_by_default_a_leaf_has_it():
    found = result(BY_LEAF.replace("segment: leaf", "segment: leaf, gateway_owner: leaf"))
    assert "gateway_owner" not in texts(found)["pods/train/routes.yaml"]
    assert "gateway_owner" not in texts(found)["pods/train/README.md"]
    assert found.plan is not None
    assert [a for s in found.plan.switches for vlan in s.vlans for a in vlan.addresses]


def netplan(*args: str) -> tuple[int, str]:
    run = click.testing.CliRunner().invoke(program, args)
    return run.exit_code, run.output


def tree(tmp_path: Path, over: str = "{}") -> Path:
    (tmp_path / "case.yaml").write_text(inventory(over))
    code, text = netplan("render", str(tmp_path / "case.yaml"), "-o", str(tmp_path / "out"))
    assert code == 0, text
    return tmp_path / "out"


def traced(folder: Path, end: str) -> tuple[int, str]:
    return netplan("trace", "--rendered", str(folder), "train@gpu-1/rail0", end)


@pytest.mark.parametrize("over", ["{}", BY_LEAF], ids=["stretched", "leaf"])
def test_trace_does_not_refute_what_a_router_outside_carries(over: str, tmp_path: Path):
    code, text = traced(tree(tmp_path, over), "train@gpu-2/rail1")
    assert code == 0
    assert "not proved: gateway 172.16.0.1 is a router outside the inventory (pods/train/routes.yaml)" in text


def test_trace_proves_what_stays_in_a_rail(tmp_path: Path):
    code, text = traced(tree(tmp_path), "train@gpu-2/rail0")
    assert code == 0
    assert "train@gpu-1/rail0 -> train@gpu-2/rail0: not proved: as far as the files show" in text
    assert "refuted" not in text.partition("\nunbound: ")[0]


def test_trace_refutes_a_gateway_that_nobody_claims(tmp_path: Path):
    folder = tree(tmp_path)
    routes = folder / "pods/train/routes.yaml"
    routes.write_text(routes.read_text().replace("gateway_owner: external", "gateway_owner: leaf"))
    code, text = traced(folder, "train@gpu-2/rail1")
    assert code == 1
    assert "nobody answers for 172.16.0.1" in text
