"""Clusters with Spiderpool: its objects, pods, results of trace, and mistakes that verify finds."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from ipaddress import ip_address
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.model.artifact import Artifact
from netplan.pipeline import Result, compile_texts
from netplan.trace.pods import build_pod
from netplan.trace.site import TracedSite
from netplan.verify import verify
from tests.factories import merged
from tests.inventories import outputs
from tests.overlay import CHECKS

STAGE = "kubernetes/30-networks"
POOLS = "kubernetes/30-networks/spiderpool/pools"
CONFIGS = "kubernetes/30-networks/spiderpool/networks/training/rail.yaml"
POD = "pods/train/pod.yaml"

SPIDER = """
cluster: {spiderpool: {release: "1.0"}, rdma_mode: exclusive}
networks: {rail: {ipam: spiderpool, routing: spiderpool}}
"""
MACVLAN = """
cluster: {spiderpool: {release: "1.1"}}
host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
networks: {rail: {mode: macvlan, ipam: spiderpool, routing: spiderpool}}
"""


@cache
def site(*over: str) -> Result:
    data: Any = yaml.safe_load((CHECKS / "base.yaml").read_text(encoding="utf-8"))
    for text in over:
        data = merged(data, load_texts({"over": text}).data or {})
    return compile_texts({"site.yaml": yaml.safe_dump(data, sort_keys=False)})


def objects(text: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(text))


def errors(result: Result) -> list[str]:
    return [f"{d.code} {d.message}" for d in result.diagnostics if d.severity is Severity.ERROR]


def test_spiderpool_owns_the_nads_and_netplan_writes_none() -> None:
    result = site(SPIDER)
    files = outputs(result)
    assert errors(result) == []
    assert not [path for path in files if "network-attachments" in path]
    assert "NetworkAttachmentDefinition" not in "".join(files.values())
    listed = yaml.safe_load(files[f"{STAGE}/kustomization.yaml"])["resources"]
    assert {CONFIGS.removeprefix(f"{STAGE}/"), "spiderpool/pools/rail0-leaf-1.yaml"} <= set(listed)


def test_a_config_for_each_rail_with_its_own_resource_vlan_and_pool() -> None:
    first, second = objects(outputs(site(SPIDER))[CONFIGS])
    assert first["spec"]["sriov"] == {
        "resourceName": "intel.com/rail_0",
        "vlanID": 100,
        "rdmaIsolation": True,
        "ippools": {"ipv4": ["rail0-leaf-1"]},
    }
    assert second["spec"]["sriov"]["ippools"] == {"ipv4": ["rail1-leaf-2"]}
    assert first["spec"]["coordinator"] == {
        "mode": "overlay",
        "tunePodRoutes": True,
        "podDefaultRouteNIC": "eth0",
        "podRPFilter": 0,
    }
    (tuning,) = map(json.loads, first["spec"]["chainCNIJsonData"])
    assert tuning["mtu"] == 9000
    assert tuning["sysctl"]["net.ipv4.conf.IFNAME.arp_ignore"] == "1"


def test_macvlan_names_its_master_and_leaves_the_mtu_to_tuning() -> None:
    result = site(MACVLAN)
    assert errors(result) == []
    first, _ = objects(outputs(result)[CONFIGS])
    assert first["spec"]["cniType"] == "macvlan"
    assert set(first["spec"]["macvlan"]) == {"master", "rdmaResourceName", "ippools"}
    assert len(first["spec"]["macvlan"]["master"]) == 1
    assert json.loads(first["spec"]["chainCNIJsonData"][0])["mtu"] == 9000


def test_a_pool_hands_out_neither_its_gateway_nor_what_a_host_has() -> None:
    taken = (
        "hosts: {'gpu-[1-2]': null, gpu-1: {type: gpu, id: 1, hcas: {roce0: {address: 172.16.0.100/24}}}, "
    )
    taken += "gpu-2: {type: gpu, id: 2}}"
    taken += "\nnetworks: {rail: {tagging: port}}"
    (pool,) = objects(outputs(site(SPIDER, taken))[f"{POOLS}/rail0-leaf-1.yaml"])
    assert pool["spec"]["gateway"] == "172.16.0.1"
    assert pool["spec"]["ips"] == ["172.16.0.2-172.16.0.99", "172.16.0.101-172.16.0.254"]
    assert "routes" not in pool["spec"]
    assert pool["spec"]["nodeAffinity"] == {"matchLabels": {"example.com/host-type": "gpu"}}
    ends = [ip_address(part) for span in pool["spec"]["ips"] for part in span.split("-")]
    assert ends == sorted(ends)


def test_pods_name_the_pool_of_each_interface() -> None:
    (pod,) = objects(outputs(site(SPIDER))[POD])
    named = json.loads(pod["metadata"]["annotations"]["ipam.spidernet.io/ippools"])
    assert named == [
        {"interface": "rail0", "ipv4": ["rail0-leaf-1"]},
        {"interface": "rail1", "ipv4": ["rail1-leaf-2"]},
    ]


def test_routes_yaml_names_no_table_and_says_what_the_default_leads_to() -> None:
    files = outputs(site(SPIDER))
    entries = yaml.safe_load(files["pods/train/routes.yaml"])["interfaces"]
    for entry in entries:
        assert entry["back_end"] == "spiderpool"
        assert "table" not in entry
        assert [r["to"] for r in entry["routes"]] == [entry["main"][0]["to"], "default"]
        assert {"172.16.0.0/22", "172.16.4.0/22"} <= set(entry["by_default"])
    assert "check 4 rail0 172.16.0.1 172.16.4.1" in files["pods/train/check-rails.sh"]


def test_trace_does_not_judge_such_pods_and_says_so() -> None:
    found = TracedSite(site(SPIDER).artifacts)
    pod = build_pod(found, found.workloads["train"], found.hosts["gpu-1"])
    assert pod.problems == ()
    assert {nic.beyond for nic in pod.nics.values()} == {
        "Spiderpool's coordinator routes the pod: what it sets up there is not judged"
    }
    assert len([note for note in pod.notes if "plugin coordinator" in note]) == len(pod.nics)
    assert pod.intended == {(a, b) for a in pod.nics for b in pod.nics}


def test_the_overview_names_the_release() -> None:
    assert "Spiderpool 1.0 with its coordinator" in outputs(site(SPIDER))["kubernetes/README.md"]


def edited(path: str, old: str, new: str) -> list[str]:
    """Findings of verify after one text in one file is replaced."""
    artifacts = list(site(SPIDER).artifacts)
    (at,) = (i for i, a in enumerate(artifacts) if a.path == path)
    assert old in artifacts[at].text
    artifacts[at] = replace(artifacts[at], text=artifacts[at].text.replace(old, new, 1))
    return said(artifacts)


def said(artifacts: list[Artifact]) -> list[str]:
    return [f"{d.code} {d.message}" for d in verify(artifacts).diagnostics]


def test_what_is_written_passes() -> None:
    assert said(list(site(SPIDER).artifacts)) == []


POOL_0 = f"{POOLS}/rail0-leaf-1.yaml"


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (CONFIGS, "rail0-leaf-1", "rail9", "NP913"),
        (CONFIGS, "intel.com/rail_0", "intel.com/rail_7", "NP911"),
        (CONFIGS, "name: rail-0-leaf-1", "name: rail-0", "NP912"),
        (CONFIGS, "enableCoordinator: true", "enableCoordinator: false", "NP916"),
        (CONFIGS, '"type":"tuning"', '"type":"sbr"', "NP902"),
        (CONFIGS, "tunePodRoutes: true", "tuneRoutes: true", "NP902"),
        (CONFIGS, "cniType: sriov", "cniType: macvlan", "NP902"),
        (CONFIGS, '{"type":"tuning"', '{"type":"tuning" ', "NP902"),
        (CONFIGS, '"mtu":9000', '"mtu":', "NP901"),
        (POOL_0, "gateway: 172.16.0.1", "gateway: 172.16.9.1", "NP913"),
        (POOL_0, "172.16.0.2-", "172.16.0.1-", "NP913"),
        (POOL_0, "172.16.0.254", "172.16.1.254", "NP913"),
        (POOL_0, "ipVersion: 4", "ipVersion: 6", "NP913"),
        (POOL_0, "  gateway: 172.16.0.1\n", "", "NP916"),
    ],
)
def test_a_fault_in_the_objects_is_found(path: str, old: str, new: str, expected: str) -> None:
    assert expected in {line.partition(" ")[0] for line in edited(path, old, new)}
