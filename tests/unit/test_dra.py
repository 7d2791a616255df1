"""DRA clusters: classes, claims and policies, the devices of pods, and the mistakes that verify finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.checks import dra
from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.model.artifact import Artifact
from netplan.model.modes import MODES
from netplan.pipeline import Result, compile_texts
from netplan.verify import verify
from tests import kustomize
from tests.crd import validate_object
from tests.factories import merged
from tests.inventories import compiled, outputs
from tests.overlay import CHECKS
from tests.unit.some import some

CLAIM = "kubernetes/50-workloads/dra/claims/training/train.yaml"
POD = "pods/train/pod.yaml"

DRANET = """
cluster: {kubernetes_version: "1.34", owners: {device_plugin: dranet, vfs: none}}
host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
hosts:
  gpu-[1-2]: null
  gpu-1: {type: gpu, id: 1, hcas: {roce0: {address: 172.16.0.11/24}, roce1: {address: 172.16.5.11/24}}}
  gpu-2:
    type: gpu
    id: 2
    hcas: {roce0: {address: 172.16.0.12/24, netdev: odd0}, roce1: {address: 172.16.5.12/24}}
networks: {rail: {mode: host-device, ipam: none, routing: claim}}
workloads: {train: {jobs: [mpijob, indexed-job]}}
"""
SRIOV = 'cluster: {kubernetes_version: "1.34", owners: {device_plugin: dra-driver-sriov}}\n'


def result_of(over: str) -> Result:
    base = load_texts({"base.yaml": (CHECKS / "base.yaml").read_text()}).data
    result = compile_texts({"case.yaml": json.dumps(merged(base, load_texts({"over.yaml": over}).data))})
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return result


def objects(result: Result, path: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(outputs(result)[path]))


@pytest.mark.crd
@pytest.mark.parametrize("over", [DRANET, SRIOV], ids=["dranet", "sriov"])
def test_every_object_is_one_the_api_takes(over: str) -> None:
    result = result_of(over)
    checked = [
        (o["kind"], validate_object(o))
        for path in outputs(result)
        if path.startswith(("kubernetes/", "pods/")) and path.endswith(".yaml")
        if not path.endswith(("values.yaml", "kustomization.yaml"))
        if not path.startswith(("pods/train/rails", "pods/train/k", "pods/train/r"))
        for o in objects(result, path)
    ]
    assert {kind for kind, _ in checked} >= {"ResourceClaimTemplate", "Pod"}
    assert [(kind, wrong) for kind, wrong in checked if wrong] == []


def test_dranet_gets_a_request_and_a_configuration_for_each_rail() -> None:
    (template,) = objects(result_of(DRANET), CLAIM)
    devices = template["spec"]["spec"]["devices"]
    first, second = (r["exactly"] for r in devices["requests"])
    attribute = 'device.attributes["dra.net"]'
    assert first["selectors"][0]["cel"]["expression"] == (
        f'"ifName" in {attribute} && {attribute}.ifName in ["ens1f0", "odd0"]'
    )
    assert second["selectors"][0]["cel"]["expression"].endswith('in ["ens2f0"]')
    config = devices["config"][1]
    assert (config["requests"], config["opaque"]["driver"]) == (["rail1"], "dra.net")
    assert config["opaque"]["parameters"] == {
        "interface": {"name": "rail1", "mtu": 9000, "arpIgnore": 1, "arpAnnounce": 2},
        "routes": [
            {"destination": "172.16.5.0/24", "scope": 253, "table": 701},
            {"destination": "172.16.0.0/22", "gateway": "172.16.5.1", "table": 701},
            {"destination": "172.16.0.0/24", "gateway": "172.16.5.1", "table": 701},
            {"destination": "172.16.4.0/22", "gateway": "172.16.5.1", "table": 701},
            {"destination": "0.0.0.0/0", "gateway": "172.16.5.1", "table": 701},
            {"destination": "172.16.4.0/22", "gateway": "172.16.5.1"},
        ],
        "rules": [{"priority": 701, "source": "172.16.5.0/24", "table": 701}],
    }


def test_dranet_gets_no_routes_where_the_claim_does_not_route() -> None:
    result = result_of(DRANET.replace("routing: claim", "routing: none"))
    (template,) = objects(result, CLAIM)
    configs = [c["opaque"]["parameters"] for c in template["spec"]["spec"]["devices"]["config"]]
    assert [sorted(config) for config in configs] == [["interface"], ["interface"]]


def test_the_claim_and_routes_yaml_say_the_same() -> None:
    result = result_of(DRANET)
    (template,) = objects(result, CLAIM)
    planned = yaml.safe_load(outputs(result)["pods/train/routes.yaml"])["interfaces"]
    configs = [c["opaque"]["parameters"] for c in template["spec"]["spec"]["devices"]["config"]]
    for entry, config in zip(planned, configs, strict=True):
        table = [(r["to"], r.get("via")) for r in entry["routes"]]
        main = [(r["to"], r.get("via")) for r in entry["main"] if "via" in r]
        said = [
            (r["destination"].replace("0.0.0.0/0", "default"), r.get("gateway")) for r in config["routes"]
        ]
        assert said == table + main
        rule = {
            "priority": entry["rule"]["priority"],
            "source": entry["rule"]["from"],
            "table": entry["table"],
        }
        assert config["rules"] == [rule]
        assert "gratuitous_arp" not in entry  # an address that stays with its HCA needs none


def test_dranet_needs_neither_multus_nor_a_device_plugin() -> None:
    tree = outputs(result_of(DRANET))
    assert [
        p
        for p in tree
        if p.startswith(
            ("kubernetes/30-networks/network-attachments", "kubernetes/40-device-plugins/device-plugin")
        )
    ] == []
    (pod,) = (yaml.safe_load(tree[POD]),)
    assert "annotations" not in pod["metadata"]
    assert pod["spec"]["resourceClaims"] == [{"name": "rdma", "resourceClaimTemplateName": "train"}]
    resources = pod["spec"]["containers"][0]["resources"]
    assert resources == {"limits": {"nvidia.com/gpu": "8"}, "claims": [{"name": "rdma"}]}
    assert "verified: none" in tree["pods/train/README.md"].replace("\n", " ")
    assert "verified: none" in tree["kubernetes/README.md"].replace("\n", " ")


def test_the_sriov_driver_publishes_the_name_that_the_nad_has() -> None:
    result = result_of(SRIOV)
    found = objects(result, "kubernetes/40-device-plugins/dra/sriov-resource-policies.yaml")
    named = [o["spec"]["attributes"] for o in found if o["kind"] == "DeviceAttributes"]
    nads = objects(result, "kubernetes/30-networks/network-attachments/training/rail.yaml")
    assert [a["k8s.cni.cncf.io/resourceName"]["string"] for a in named] == [
        n["metadata"]["annotations"]["k8s.v1.cni.cncf.io/resourceName"] for n in nads
    ]
    labels = [o["metadata"]["labels"].items() for o in found if o["kind"] == "DeviceAttributes"]
    (policy,) = (o for o in found if o["kind"] == "SriovResourcePolicy")
    wanted = [c["deviceAttributesSelector"]["matchLabels"].items() for c in policy["spec"]["configs"]]
    assert [[has >= want for has in labels] for want in wanted] == [[True, False], [False, True]]
    pod = yaml.safe_load(outputs(result)[POD])
    assert pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].count("@") == 2
    assert pod["spec"]["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu": "8"}
    assert not any(p.startswith("kubernetes/40-device-plugins/device-plugin") for p in outputs(result))


@pytest.mark.kustomize
@pytest.mark.parametrize("over", [DRANET, SRIOV], ids=["dranet", "sriov"])
def test_patches_add_the_claim_to_a_job_of_others(tmp_path: Path, over: str) -> None:
    own = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "own"}}
    gpus = {"limits": {"nvidia.com/gpu": 8}}
    container = {"name": "main", "image": "example.com/own:1", "resources": gpus}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    (tmp_path / "own.yaml").write_text(json.dumps({**own, "spec": {"template": template}}))
    (tmp_path / "kustomization.yaml").write_text("resources: [own.yaml]\ncomponents: [train]\n")
    for path, text in outputs(result_of(over)).items():
        if path.startswith("pods/train/"):
            file = tmp_path / path.removeprefix("pods/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    (patched,) = kustomize.build(tmp_path)
    spec = patched["spec"]["template"]["spec"]
    assert spec["resourceClaims"] == [{"name": "rdma", "resourceClaimTemplateName": "train"}]
    assert spec["containers"][0]["resources"]["claims"] == [{"name": "rdma"}]


@pytest.mark.kustomize
@pytest.mark.parametrize("over", [DRANET, SRIOV], ids=["dranet", "sriov"])
def test_the_cluster_part_builds(tmp_path: Path, over: str) -> None:
    for path, text in outputs(result_of(over)).items():
        if path.startswith("kubernetes/"):
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    kinds = [o["kind"] for o in kustomize.build(tmp_path / "kubernetes")]
    assert "ResourceClaimTemplate" in kinds


def broken(over: str, path: str, old: str, new: str) -> list[tuple[str, str]]:
    """(code, message) of verify's findings after one text is changed."""
    artifacts = []
    for a in result_of(over).artifacts:
        if a.path == path:
            assert old in a.text
            a = Artifact(path=a.path, text=a.text.replace(old, new), kind=a.kind, entities=a.entities)
        artifacts.append(a)
    return [(d.code, d.message) for d in verify(tuple(artifacts)).diagnostics]


@pytest.mark.parametrize(
    ("over", "path", "old", "new", "code", "words"),
    [
        (
            DRANET,
            POD,
            "Name: train\n",
            "Name: trains\n",
            "NP737",
            "ResourceClaimTemplate trains is not in the directory",
        ),
        (
            DRANET,
            POD,
            "      - name: rdma\n",
            "      - name: dra\n",
            "NP737",
            "claim dra is not in resourceClaims of the pod: rdma",
        ),
        (DRANET, CLAIM, "dranet-rdma", "dranet", "NP737", "device class dranet is not in the directory"),
        (
            SRIOV,
            CLAIM,
            '== "rail_1"',
            '== "rail_0"',
            "NP912",
            "its containers request 2 of rail_0, but 1 is attached",
        ),
        (DRANET, CLAIM, "arpIgnore", "arp_ignore", "NP902", "arp_ignore"),
        (DRANET, CLAIM, "driver: dra.net", "driver: other", "NP902", "dra.net"),
    ],
    ids=["template", "container", "class", "device", "unknown key", "driver"],
)
def test_verify_reads_claims_back(over: str, path: str, old: str, new: str, code: str, words: str) -> None:
    found = broken(over, path, old, new)
    assert code in {c for c, _ in found}
    assert any(words in message for _, message in found)


def test_a_name_that_only_the_nad_has_is_noticed() -> None:
    path = "kubernetes/40-device-plugins/dra/sriov-resource-policies.yaml"
    found = broken(SRIOV, path, "string: rail_0", "string: rail_9")
    assert "NP911" in {code for code, _ in found}
    assert "nothing produces /rail_0" in str(found)


def test_the_shipped_site_claims_eight_cards() -> None:
    (template,) = objects(
        compiled("dgx-h100-dra"), "kubernetes/50-workloads/dra/claims/training/training.yaml"
    )
    devices = template["spec"]["spec"]["devices"]
    assert [r["name"] for r in devices["requests"]] == [f"rail{n}" for n in range(8)]
    assert all("routes" not in c["opaque"]["parameters"] for c in devices["config"])  # the script has them
    assert "pods/training/rail-routes.sh" in outputs(compiled("dgx-h100-dra"))


@pytest.mark.parametrize(
    ("network", "claimed"),
    [
        ({}, True),
        ({"per_rail": False}, False),
        ({"mode": "device-only"}, False),
        ({"by_ipam": some(addresses=True)}, False),
        ({"per_rail": False, "mode": "device-only"}, False),
    ],
)
def test_rails_whose_interfaces_a_claim_moves_with_their_addresses(
    network: dict[str, Any], claimed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = some(**{"per_rail": True, "mode": "host-device", "by_ipam": some(addresses=False), **network})
    given.by_mode = MODES[given.mode]
    monkeypatch.setattr(dra, "_by", lambda *_: [given])
    assert dra._claimed_rails(some(type="roce")) == ([given] if claimed else [])
    assert dra._claimed_rails(some(type="infiniband")) == []
