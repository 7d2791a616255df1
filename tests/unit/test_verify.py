"""Mistakes that ``verify`` finds: each case is one mutation of a correct tree."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import netplan
from netplan.diagnostics import Severity
from netplan.model.artifact import Artifact
from netplan.reading.kubernetes.json_texts import check_json
from netplan.rules.kubernetes.pool_names import _pools_of
from netplan.verify import DERIVED, verify
from tests.inventories import REFERENCES, compiled
from tests.unit.rendered_tree import (
    CLUSTER,
    EXTRA,
    JOB,
    KUSTOMIZATION,
    NETWORKS,
    PLUGIN,
    POD,
    POLICIES,
    POOL_0,
    POOL_1,
    RAILS,
    RESOURCE,
    STAGE,
    STORAGE,
    VALUES,
    WHOLE,
    Change,
    an_object,
    both,
    nothing,
    put,
    verified,
)

EARLY = "kubernetes/20-operator/ipam/rail-0.yaml"


def drop(path: str) -> Change:
    return lambda tree: tree.pop(path)


def test_nothing_wrong():
    verdict = verified(nothing)
    assert verdict.diagnostics == ()
    assert verdict.checked == {
        "NP312": 3,
        "NP417": 0,
        "NP529": 2,
        "NP901": 18,
        "NP902": 18,
        "NP694": 18,
        "NP903": 18,
        "NP737": 0,
        "NP911": 11,
        "NP912": 3,
        "NP913": 3,
        "NP914": 2,
        "NP915": 1,
        "NP916": 5,
        "NP917": 14,
        "NP918": 1,
        "NP919": 6,
        "NP920": 10,
    }


def test_no_artifacts():
    verdict = verify([])
    assert verdict.diagnostics == ()
    assert set(verdict.checked.values()) == {0}


@pytest.mark.parametrize("name", REFERENCES)
def test_references_are_verified(name):
    assert verify(compiled(name).artifacts).diagnostics == ()


def other_pod_line(text: str) -> Change:
    return put(POD, "metadata", "annotations", NETWORKS, value=text)


PRODUCED = (
    "nvidia.com/extra, nvidia.com/rail_0, nvidia.com/rail_1, nvidia.com/spare, nvidia.com/whole, rdma/storage"
)
POD_LIMITS = ("spec", "containers", 0, "resources", "limits")
DEFINITION = "NetworkAttachmentDefinition training"
POLICY = "SriovNetworkNodePolicy operator/rail-0"
RAIL_0 = f"{RAILS}: {DEFINITION}/rail-0"
JSON_RAIL_0 = json.dumps([{"name": "rail-0", "interface": "rail0"}])

BROKEN = [
    pytest.param(
        put(RAILS, "metadata", "annotations", RESOURCE, value="intel.com/rail_0"),
        "NP911",
        f"{RAIL_0}: nothing produces intel.com/rail_0; {POLICY} produces nvidia.com/rail_0",
        id="prefix of a NAD",
    ),
    pytest.param(
        put(EXTRA, "spec", "resourceName", value="extras"),
        "NP911",
        f"{EXTRA}: SriovNetwork operator/extra: nothing produces nvidia.com/extras; "
        "SriovNetworkNodePolicy operator/extra produces nvidia.com/extra",
        id="resource of an operator's network",
    ),
    pytest.param(
        put(WHOLE, "spec", "resourceName", value="others"),
        "NP911",
        f"{WHOLE}: HostDeviceNetwork whole: nothing in the directory produces nvidia.com/others "
        f"(produced: {PRODUCED})",
        id="resource of a host device network",
    ),
    pytest.param(
        put(POD, *POD_LIMITS, "nvidia.com/others", value="1"),
        "NP911",
        f"{POD}: Pod training/train: nothing in the directory produces nvidia.com/others (produced: "
        f"{PRODUCED})",
        id="resource of a pod",
    ),
    pytest.param(
        other_pod_line("training/rail-0@rail0,training/rail-1@rail1,training/storages@storage0"),
        "NP912",
        f"{POD}: Pod training/train: network training/storages is not in the directory",
        id="NAD that does not exist",
    ),
    pytest.param(
        other_pod_line("rail-0@rail0,rail-1@rail1,default/storage@storage0"),
        "NP912",
        f"{POD}: Pod training/train: network default/storage is not in the directory",
        id="NAD in another namespace",
    ),
    pytest.param(
        other_pod_line("rail-0@rail0,rail-1@rail0,storage"),
        "NP912",
        f"{POD}: Pod training/train: interface rail0 is of rail-1 and of rail-0",
        id="interface twice",
    ),
    pytest.param(
        other_pod_line("rail-0@an-interface-name,rail-1,storage"),
        "NP912",
        f"{POD}: Pod training/train: 'an-interface-name' is not an interface name: 1 to 15 characters "
        "without /, : and spaces",
        id="interface name of 17 characters",
    ),
    pytest.param(
        other_pod_line("rail-0,storage"),
        "NP912",
        f"{POD}: Pod training/train: its containers request 1 of nvidia.com/rail_1, but 0 are attached",
        id="device without attachment",
    ),
    pytest.param(
        other_pod_line("rail-0,rail-0,rail-1,storage"),
        "NP912",
        f"{POD}: Pod training/train: 2 attachments need nvidia.com/rail_0, but its containers request 1",
        id="attachment without device",
    ),
    pytest.param(
        put(
            JOB,
            *(
                "spec",
                "mpiReplicaSpecs",
                "Worker",
                "template",
                "spec",
                "containers",
                0,
                "resources",
                "limits",
            ),
            "nvidia.com/rail_0",
            value=None,
        ),
        "NP912",
        f"{JOB}: MPIJob training/train-nccl-test: 1 attachment needs nvidia.com/rail_0, "
        "but its containers request 0",
        id="worker without device",
    ),
    pytest.param(
        lambda tree: tree[STAGE][0]["resources"].remove("ipam/rail-0.yaml"),
        "NP915",
        f"{STAGE}: $.resources does not list {POOL_0}",
        id="file not listed",
    ),
    pytest.param(
        lambda tree: tree[STAGE][0]["resources"].append("ipam/rail-9.yaml"),
        "NP915",
        f"{STAGE}: $.resources lists kubernetes/30-networks/ipam/rail-9.yaml, which contains no object",
        id="nothing there listed",
    ),
    pytest.param(
        drop(STAGE),
        "NP915",
        f"{RAILS}: there is no {STAGE} to list it",
        id="no kustomization in a stage",
    ),
    pytest.param(
        drop(KUSTOMIZATION),
        "NP915",
        f"{RAILS}: there is no {KUSTOMIZATION} to list its stage",
        id="no kustomization over the stages",
    ),
    pytest.param(
        lambda tree: tree[KUSTOMIZATION][0]["resources"].reverse(),
        "NP915",
        f"{KUSTOMIZATION}: $.resources is 40-device-plugins, 30-networks, 20-operator; "
        "the stages are 20-operator, 30-networks, 40-device-plugins",
        id="stages in another order",
    ),
    pytest.param(
        both(
            lambda tree: tree.update({EARLY: tree.pop(POOL_0)}),
            lambda tree: tree[STAGE][0]["resources"].remove("ipam/rail-0.yaml"),
            lambda tree: tree["kubernetes/20-operator/kustomization.yaml"][0]["resources"].append(
                EARLY.removeprefix("kubernetes/20-operator/")
            ),
        ),
        "NP915",
        f"{EARLY}: IPPool operator/rail-0 belongs to stage 30-networks",
        id="pool before its CRD",
    ),
    pytest.param(
        lambda tree: tree[POLICIES].append(tree[POLICIES][0]),
        "NP917",
        f"{POLICIES}: {POLICY}: it is also at {POLICIES}:4:3",
        id="object twice",
    ),
    pytest.param(
        both(
            put(EXTRA, "metadata", "name", value="storage"),
            lambda tree: tree[POD][0]["metadata"]["annotations"].clear(),
            lambda tree: tree[JOB][0]["spec"]["mpiReplicaSpecs"]["Worker"]["template"].pop("metadata"),
        ),
        "NP917",
        f"{EXTRA}: SriovNetwork operator/storage: it generates NAD training/storage, "
        f"which also exists as {DEFINITION}/storage at {STORAGE}:1:1",
        id="generated NAD and written one",
    ),
]


@pytest.mark.parametrize(("change", "code", "message"), BROKEN)
def test_a_tree_that_contradicts_itself(change, code, message):
    assert [(d.code, d.message) for d in verified(change).diagnostics] == [(code, message)]


def edit_plugin(edit):
    def change(tree):
        data = tree[PLUGIN][0]["data"]
        parsed = json.loads(data["config.json"])
        edit(parsed["resourceList"])
        data["config.json"] = json.dumps(parsed)

    return change


PLUGIN_AT = f"{PLUGIN}: ConfigMap kube-system/sriovdp-config"
SAME = "nvidia.com/spare selects the same devices as nvidia.com/whole, which comes first and takes them all"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        pytest.param(
            lambda entries: entries[1].update(selectors=entries[0]["selectors"]),
            f"{PLUGIN_AT}: {SAME}",
            id="same selectors",
        ),
        pytest.param(
            lambda entries: entries[1].update(selectors=[entries[1]["selectors"], entries[0]["selectors"]]),
            f"{PLUGIN_AT}: {SAME}",
            id="one of several selectors",
        ),
        pytest.param(
            lambda entries: entries[1].update(resourceName="whole"),
            f"{PLUGIN_AT}: resource nvidia.com/whole appears 2 times",
            id="same name",
        ),
    ],
)
def test_resources_of_one_plugin(edit, message):
    assert [(d.code, d.message) for d in verified(edit_plugin(edit)).diagnostics] == [("NP914", message)]


def shared_entries(*names: tuple[str, str]) -> Change:
    selectors = {"ifNames": ["ens9f0"]}
    entries = [
        {"resourceName": name, "resourcePrefix": prefix, "rdmaHcaMax": 63, "selectors": selectors}
        for prefix, name in names
    ]
    return put(CLUSTER, "spec", "rdmaSharedDevicePlugin", "config", value=json.dumps({"configList": entries}))


def test_shared_resources_need_names_apart_whatever_their_prefix():
    found = verified(shared_entries(("rdma", "storage"), ("example.com", "storage"))).diagnostics
    assert [d.code for d in found] == ["NP914"]
    assert found[0].message.endswith("resource storage appears 2 times")


WITHOUT_NADS = (
    lambda tree: tree[POD][0]["metadata"]["annotations"].clear(),
    lambda tree: tree[JOB][0]["spec"]["mpiReplicaSpecs"]["Worker"]["template"].pop("metadata"),
)

LEGAL = [
    pytest.param(shared_entries(("rdma", "storage"), ("rdma", "second")), id="shared devices may overlap"),
    pytest.param(
        edit_plugin(lambda entries: entries[1].update(resourceName="whole", resourcePrefix="example.com")),
        id="one name under two prefixes",
    ),
    pytest.param(other_pod_line(" rail-0 , rail-1,storage "), id="pod's own namespace, no interfaces"),
    pytest.param(
        both(
            other_pod_line(JSON_RAIL_0),
            put(POD, *POD_LIMITS, "nvidia.com/rail_1", value=None),
            put(POD, *POD_LIMITS, "rdma/storage", value=None),
        ),
        id="annotation as JSON",
    ),
    pytest.param(
        both(
            other_pod_line("rail-0,rail-0,rail-1,storage"),
            put(POD, *POD_LIMITS, "nvidia.com/rail_0", value="2"),
        ),
        id="two devices, two attachments",
    ),
    pytest.param(other_pod_line("rail-0@fifteen-letters,rail-1,storage"), id="interface of 15 characters"),
    pytest.param(put(POD, *POD_LIMITS, "nvidia.com/spare", value="3"), id="resource without network"),
    pytest.param(put(POD, *POD_LIMITS, "vpc.amazonaws.com/efa", value="4"), id="EFA"),
    pytest.param(
        lambda tree: tree[STORAGE].append(
            {**tree[STORAGE][0], "metadata": {"name": "storage", "namespace": "other"}}
        ),
        id="one name in two namespaces",
    ),
    pytest.param(
        lambda tree: tree[POOL_0].append(
            an_object(
                "nv-ipam.nvidia.com/v1alpha1", "CIDRPool", "rail-0", "operator", tree[POOL_1][0]["spec"]
            )
        ),
        id="one name, two kinds",
    ),
]


@pytest.mark.parametrize("change", LEGAL)
def test_a_legal_neighbour(change):
    assert verified(change).diagnostics == ()


def test_prefix_of_an_operator_that_is_not_installed_here():
    """Its setting is not in the tree: its names must agree with each other, in NAD and pod."""
    assert verified(drop(VALUES)).diagnostics == ()
    wrong = both(drop(VALUES), put(EXTRA, "spec", "resourceName", value="extras"))
    assert [d.code for d in verified(wrong).diagnostics] == ["NP911"]


def test_a_diagnostic_leads_to_the_inventory():
    found = verified(put(RAILS, "metadata", "annotations", RESOURCE, value="intel.com/rail_0")).diagnostics
    assert found[0].path == ("networks", "rail")
    assert found[0].severity is Severity.ERROR
    assert found[0].hint == "this is a bug in netplan: report it with the inventory"


def test_an_artifact_of_no_entity_leads_nowhere():
    assert verified(drop(KUSTOMIZATION)).diagnostics[0].path == ("networks", "rail")
    assert verified(put(POOL_1, "spec", "gatewayIndex", value=2)).diagnostics[0].path == ()


@pytest.mark.parametrize("code", sorted(DERIVED))
def test_derived_codes_explain_themselves(code):
    paragraphs = DERIVED[code].explanation
    assert [word for word in ("**Why.**", "**Fix.**", "**Source.**") if word not in paragraphs] == []


def test_derived_codes():
    assert sorted(DERIVED) == ["NP312", "NP417", "NP529", "NP737", *(f"NP{n}" for n in range(911, 921))]


def test_nothing_of_the_plan_is_read():
    """Readers, graph and rules share no code with planner and renderers."""
    root = Path(netplan.__file__).parent
    folders = ["verify", *(f"{wing}/kubernetes" for wing in ("reading", "graph", "rules"))]
    lines = [line for f in folders for p in (root / f).glob("*.py") for line in p.read_text().splitlines()]
    found = {line.split()[1].split(".")[1] for line in lines if line.startswith("from netplan.")}
    assert not found & {"plan", "render", "resolve", "checks", "pipeline", "nos"}


def test_files_of_several_switches_with_one_text_are_read_once(monkeypatch):
    """Correct files with one text are read once; each file with a wrong text is reported."""
    asked = []

    def counted(text: str) -> None:
        asked.append(text)
        check_json(text)

    monkeypatch.setattr(import_module("netplan.verify.read"), "check_json", counted)
    good = [Artifact(f"switches/leaf-{n}/roce.json", '{"a": 1}\n', "switches") for n in (1, 2, 3)]
    bad = [Artifact(f"switches/leaf-{n}/roce.json", '{"a": 1\n', "switches") for n in (4, 5)]
    assert verify(good).diagnostics == ()
    assert asked == [good[0].text]
    assert [d.code for d in verify([*good, *bad]).diagnostics] == ["NP901", "NP901"]


def test_pools_are_gathered_once_for_all_networks(monkeypatch):
    """Per network, the cost would grow with the square of the leaves: every leaf has pools and networks."""
    asked = []

    def counted(*arguments: Any) -> object:
        asked.append(arguments)
        return _pools_of(*arguments)

    monkeypatch.setattr("netplan.rules.kubernetes.pool_names._pools_of", counted)
    assert verified(nothing).checked["NP913"] == 3
    assert len(asked) == 1
