"""NP668: what is proved about the hosts of a job, and what is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import yaml

from netplan.checks.job_paths import apart
from netplan.diagnostics import Diagnostic
from netplan.load import load_texts
from netplan.pipeline import Result, compile_texts
from tests.factories import merged
from tests.overlay import CHECKS, case_texts


def result(case: str, over: str = "") -> Result:
    data = load_texts(case_texts(CHECKS / case)).data or {}
    return compile_texts({"case.yaml": yaml.safe_dump(merged(data, yaml.safe_load(over) or {}))}, upto="plan")


def found(case: str, over: str = "") -> list[Diagnostic]:
    return [d for d in result(case, over).diagnostics if d.code == "NP668"]


def ends(zones: dict[str, Iterable[str]]) -> Any:
    """Zones of each host's cables; the cables themselves do not matter."""
    return {host: {zone: f"{host} {zone}" for zone in names} for host, names in zones.items()}


@pytest.mark.parametrize(
    "zones",
    [
        {"a": "x", "b": "x"},
        {"a": "x"},
        {},
        {"a": ["x", "y"], "b": "x", "c": ["y", "x"]},
        {"a": "x", "b": [""]},
        {"a": "x", "b": ["y", ""]},
    ],
)
def test_not_apart(zones: dict[str, Iterable[str]]):
    assert apart(ends(zones)) is None


@pytest.mark.parametrize(
    ("zones", "pair"),
    [
        ({"a": "x", "b": "y"}, ("a x", "b y")),
        ({"b": ["y"], "a": ["x", "z"]}, ("a x", "b y")),
        ({"a": "x", "b": [""], "c": "y"}, ("a x", "c y")),
        ({"h10": "x", "h9": "y"}, ("h9 y", "h10 x")),
    ],
)
def test_apart(zones: dict[str, Iterable[str]], pair: Any):
    assert apart(ends(zones)) == pair


def test_a_job_of_one_pod_needs_no_path():
    assert found("NP668/bad-islands.yaml")
    outcome = result("NP668/bad-islands.yaml", "workloads: {train: {nodes: 1}}")
    assert outcome.checked["NP668"] == 0
    assert "NP668" not in {d.code for d in outcome.diagnostics}


def test_a_second_network_that_joins_the_hosts():
    """NCCL may connect over it, so it is not proved that the job hangs."""
    second = """
    host_types:
      gpu: {hcas: {roce1: {model: connectx-5, pci: "0000:3b:00.0", netdev: e2, speed_gbps: 100, use: pf}}}
    networks: {more: {mode: host-device, hcas: [roce1], namespaces: [training]}}
    workloads: {train: {networks: [data, more]}}
    links:
      - {hosts: gpu-1, hca: roce0, switch: leaf-1, ports: Ethernet0, cable_m: 5}
      - {hosts: gpu-2, hca: roce0, switch: leaf-2, ports: Ethernet0, cable_m: 5}
      - {hosts: "gpu-[1-2]", hca: roce1, switch: leaf-1, ports: "Ethernet[4-8/4]", cable_m: 5}
      - {switches: leaf-1, ports: Ethernet64, to: spine-1, to_ports: Ethernet0, cable_m: 40}
    """
    assert not found("NP668/bad-islands.yaml", second)
    apart = second.replace('"gpu-[1-2]", hca: roce1', "gpu-1, hca: roce1").replace(
        '"Ethernet[4-8/4]"', "Ethernet4"
    )
    lost = apart.replace(
        "- {switches",
        "- {hosts: gpu-2, hca: roce1, switch: leaf-2, ports: Ethernet4, cable_m: 5}\n      - {switches",
    )
    assert [d.path for d in found("NP668/bad-islands.yaml", lost)] == [("workloads", "train", "hosts")]


def test_one_finding_for_all_rails_and_workloads():
    more = (
        "workloads: {more: {namespace: training, hosts: [gpu], networks: [rail], image: example.com/train}}"
    )
    assert len(found("NP668/bad-unrouted.yaml", more)) == 1
    assert len(found("NP668/bad-no-links.yaml", more)) == 2, (
        "hosts of each workload are at a key of their own"
    )


@pytest.mark.parametrize("case", ["bad-family", "bad-no-links", "bad-no-underlay", "bad-unrouted"])
def test_nothing_else_reports_the_same(case: str):
    reach = {"NP215", "NP306", "NP315", "NP601", "NP609", "NP620", "NP621", "NP622", "NP625"}
    assert not {d.code for d in result(f"NP668/{case}.yaml").diagnostics} & reach


def test_segment_leaf_is_left_to_leaf_groups():
    """Attachments are those of one leaf group; only NP601 reports it."""
    links = """
    rails: {gateway: none}
    fabric: {cross_rail: aligned}
    networks: {rail: {routing: none}}
    links:
      - {hosts: gpu-1, hca: "roce[0-1]", switch: leaf-1, ports: "Ethernet[0-4/4]", cable_m: 5}
      - {hosts: gpu-2, hca: "roce[0-1]", switch: leaf-2, ports: "Ethernet[0-4/4]", cable_m: 5}
      - {switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "Ethernet[0-4/4]", cable_m: 40}
    """
    data = load_texts({"base.yaml": (CHECKS / "base.yaml").read_text()}).data or {}
    text = yaml.safe_dump(merged(data, yaml.safe_load(links)))
    errors = [d.code for d in compile_texts({"case.yaml": text}, upto="plan").diagnostics]
    assert "NP601" in errors
    assert "NP668" not in errors


def test_the_hint_of_missing_links_leads_out():
    """The hint names cross_rail: aligned only if it helps."""
    split = """
    rails: {segment: host, vlan_ids: null, prefixes: [29]}
    links:
      - {hosts: gpu-1, hca: "roce[0-1]", switch: leaf-1, ports: "Ethernet[0-4/4]", cable_m: 5}
      - {hosts: gpu-2, hca: "roce[0-1]", switch: leaf-2, ports: "Ethernet[0-4/4]", cable_m: 5}
      - {switches: leaf-1, ports: Ethernet64, to: spine-1, to_ports: Ethernet0, cable_m: 40}
    """
    hints = {
        over: [d.hint for d in result("NP620/bad-one-uplink.yaml", over).diagnostics if d.code == "NP620"]
        for over in ("", split)
    }
    assert hints[""] == ["add the switch links, or set fabric.cross_rail: aligned"]
    assert hints[split] == ["add the switch links"]
