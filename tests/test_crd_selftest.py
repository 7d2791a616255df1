"""The CRD reader itself: one valid object of each kind, and the ways in which it can be invalid."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from netplan.reading.kubernetes.crds import close
from tests.crd import skipped_rules, validate_object
from tests.crd_objects import GOOD, Object, an_object

pytestmark = pytest.mark.crd

Change = Callable[[Object], None]


def _set(path: str, value: object) -> Change:
    """Set ``a.b.0.c`` of an object."""

    def change(obj: Object) -> None:
        *parents, last = path.split(".")
        at: Any = obj
        for part in parents:
            at = at[int(part) if part.isdecimal() else part]
        at[last] = value

    return change


def _drop(path: str) -> Change:
    def change(obj: Object) -> None:
        *parents, last = path.split(".")
        at = obj
        for part in parents:
            at = at[part]
        del at[last]

    return change


WORKER = "spec.mpiReplicaSpecs.Worker.template.spec"

BAD: list[tuple[str, str, Change, str]] = [
    ("nad", "unknown field", _set("spec.configuration", "{}"), "$.spec: Additional properties"),
    ("nad", "config is an object", _set("spec.config", {}), "$.spec.config: {} is not of type 'string'"),
    ("nad", "config is not JSON", _set("spec.config", "{,}"), "$.spec.config: not JSON"),
    (
        "nad",
        "config repeats a key",
        _set("spec.config", '{"a":1,"a":2}'),
        "$.spec.config: not JSON: duplicate",
    ),
    ("nad", "no namespace", _drop("metadata.namespace"), "$.metadata.namespace: missing"),
    ("nad", "other metadata", _set("metadata.uid", "1"), "$.metadata: Additional properties"),
    (
        "nad",
        "label value with a slash",
        _set("metadata.labels.a", "b/c"),
        "$.metadata.labels.a: 'b/c' does not",
    ),
    (
        "nad",
        "annotation is a number",
        _set("metadata.annotations", {"a": 1}),
        "$.metadata.annotations.a: 1 is",
    ),
    ("nad", "upper-case name", _set("metadata.name", "Rail0"), "$.metadata.name: 'Rail0' does not match"),
    ("nad", "name ends in a newline", _set("metadata.name", "rail0\n"), "$.metadata.name: 'rail0\\n' does"),
    ("nad", "version not served", _set("apiVersion", "k8s.cni.cncf.io/v2"), "$: no schema for apiVersion"),
    ("nad", "unknown kind", _set("kind", "NetAttachDef"), "$: no schema for apiVersion"),
    ("node-policy", "wrong type", _set("spec.numVfs", "8"), "$.spec.numVfs: '8' is not of type 'integer'"),
    (
        "node-policy",
        "wrong enum",
        _set("spec.linkType", "Ethernet"),
        "$.spec.linkType: 'Ethernet' is not one",
    ),
    ("node-policy", "above maximum", _set("spec.priority", 100), "$.spec.priority: 100 is greater than"),
    ("node-policy", "missing required", _drop("spec.resourceName"), "$.spec: 'resourceName' is a required"),
    ("node-policy", "nested unknown", _set("spec.nicSelector.pfName", "a"), "$.spec.nicSelector: Additional"),
    ("node-policy", "status", _set("status", {}), "$: Additional properties are not allowed ('status'"),
    (
        "nic-cluster-policy",
        "namespace",
        _set("metadata.namespace", "a"),
        "$.metadata.namespace: NicClusterPolicy",
    ),
    ("nic-cluster-policy", "unknown field", _set("spec.nvipam", {}), "$.spec: Additional properties"),
    (
        "nic-cluster-policy",
        "missing required",
        _set("spec.nvIpam", {}),
        "$.spec.nvIpam: 'image' is a required",
    ),
    (
        "ip-pool",
        "missing required",
        _drop("spec.perNodeBlockSize"),
        "$.spec: 'perNodeBlockSize' is a required",
    ),
    ("ip-pool", "wrong type", _set("spec.subnet", 1), "$.spec.subnet: 1 is not of type 'string'"),
    ("ip-pool", "field of CIDRPool", _set("spec.cidr", "10.0.0.0/8"), "$.spec: Additional properties"),
    (
        "cidr-pool",
        "not an int32",
        _set("spec.perNodeNetworkPrefix", 2**31),
        "$.spec.perNodeNetworkPrefix: 2147",
    ),
    (
        "cidr-pool",
        "negative",
        _set("spec.perNodeExclusions.0.endIndex", -1),
        "$.spec.perNodeExclusions[0].endI",
    ),
    ("cidr-pool", "missing required", _drop("spec.cidr"), "$.spec: 'cidr' is a required property"),
    ("cidr-pool", "wrong group", _set("apiVersion", "whereabouts.cni.cncf.io/v1alpha1"), "$: no schema for"),
    ("nic-template", "wrong enum", _set("spec.template.linkType", "eth"), "$.spec.template.linkType: 'eth'"),
    (
        "nic-template",
        "pattern",
        _set("spec.nicSelector.pciAddresses", ["18:00.0"]),
        "$.spec.nicSelector.pciAd",
    ),
    ("nic-template", "missing required", _drop("spec.template.numVfs"), "$.spec.template: 'numVfs' is a"),
    (
        "nic-template",
        "unknown",
        _set("spec.template.roceOptimized.dscp", 26),
        "$.spec.template.roceOptimized: A",
    ),
    (
        "mpi-job",
        "wrong enum",
        _set("spec.mpiImplementation", "openmpi"),
        "$.spec.mpiImplementation: 'openmpi'",
    ),
    ("mpi-job", "missing required", _drop(f"{WORKER}.containers"), f"$.{WORKER}: 'containers' is a required"),
    (
        "mpi-job",
        "deep unknown",
        _set(f"{WORKER}.containers.0.env", [{"nam": "A"}]),
        f"$.{WORKER}.containers[0].e",
    ),
    (
        "mpi-job",
        "quantity",
        _set(f"{WORKER}.containers.0.resources.limits", {"memory": "64 GiB"}),
        f"$.{WORKER}.containers[0].resources.limits.memory: '64 GiB' does not match",
    ),
    ("mpi-job", "no namespace", _drop("metadata.namespace"), "$.metadata.namespace: missing, MPIJob"),
    (
        "host-device-network",
        "namespace",
        _set("metadata.namespace", "a"),
        "$.metadata.namespace: HostDeviceNet",
    ),
    ("host-device-network", "ipam not JSON", _set("spec.ipam", "nv-ipam"), "$.spec.ipam: not JSON"),
    ("host-device-network", "ipam a list", _set("spec.ipam", "[1]"), "$.spec.ipam: not a JSON object"),
    (
        "host-device-network",
        "wrong type",
        _set("spec.resourceName", ["a"]),
        "$.spec.resourceName: ['a'] is not",
    ),
    ("host-device-network", "unknown field", _set("spec.mtu", 9000), "$.spec: Additional properties"),
    ("pod", "unknown field", _set("spec.hostIpc", True), "$.spec: Additional properties"),
    (
        "job",
        "restart policy",
        _set("spec.template.spec.restartPolicy", "Always"),
        "$.spec.template.spec.restart",
    ),
    (
        "job",
        "no restart policy",
        _drop("spec.template.spec.restartPolicy"),
        "$.spec.template.spec: 'restartPolicy'",
    ),
    ("stateful-set", "no selector", _drop("spec.selector"), "$.spec: 'selector' is a required property"),
    (
        "service",
        "port out of range",
        _set("spec.ports.0.port", 65536),
        "$.spec.ports[0].port: 65536 is greater",
    ),
    ("config-map", "value is a number", _set("data.a", 1), "$.data.a: 1 is not of type 'string'"),
    (
        "namespace",
        "namespaced",
        _set("metadata.namespace", "a"),
        "$.metadata.namespace: Namespace is cluster",
    ),
    ("kustomization", "unknown field", _set("patchesJson6902", []), "$: Additional properties"),
]


@pytest.mark.parametrize("obj", GOOD.values(), ids=GOOD.keys())
def test_good(obj: Object):
    assert validate_object(obj) == []


@pytest.mark.parametrize(
    ("base", "change", "expected"), [pytest.param(b, c, e, id=f"{b}: {n}") for b, n, c, e in BAD]
)
def test_bad(base: str, change: Change, expected: str):
    obj = copy.deepcopy(GOOD[base])
    change(obj)
    errors = validate_object(obj)
    assert [error for error in errors if error.startswith(expected)], errors


def test_meta_plugins_is_a_list_of_plugins_without_brackets():
    network = an_object("sriovnetwork.openshift.io/v1", "SriovNetwork", {"resourceName": "rail0"})
    network["spec"] |= {"networkNamespace": "training", "metaPlugins": '{"type": "rdma"}, {"type": "tuning"}'}
    assert validate_object(network) == []


def test_bundle_of_nvidia_differs_from_upstream():
    """devlinkParams exists only in the fork shipped with NVIDIA's chart (crds/SOURCES.md)."""
    policy = copy.deepcopy(GOOD["node-policy"])
    policy["spec"]["devlinkParams"] = {"params": []}
    assert validate_object(policy, bundle="nvidia") == []
    assert validate_object(policy) == [
        "$.spec: Additional properties are not allowed ('devlinkParams' was unexpected)"
    ]


def test_bundle_falls_back_to_upstream():
    assert validate_object(GOOD["mpi-job"], bundle="nvidia") == []


def test_skipped_rules_are_counted():
    counts = {kind: len(rules) for (_, kind), rules in skipped_rules().items()}
    assert counts["CIDRPool"] == 1
    assert counts["NicConfigurationTemplate"] == 11
    assert "SriovNetworkNodePolicy" not in counts


def test_skipped_rule_says_where():
    (rule,) = skipped_rules()["nv-ipam.nvidia.com/v1alpha1", "CIDRPool"]
    assert rule == "$.spec.perNodeExclusions[*]: self.endIndex >= self.startIndex"


def test_preserved_unknown_fields_stay_open():
    schema = {"type": "object", "properties": {}, "x-kubernetes-preserve-unknown-fields": True}
    assert close(schema) == {"type": "object", "properties": {}}


def test_nullable_takes_null():
    assert close({"type": "string", "nullable": True}) == {"type": ["string", "null"]}


def test_int_or_string_takes_both():
    assert close({"x-kubernetes-int-or-string": True}) == {"anyOf": [{"type": "integer"}, {"type": "string"}]}


def test_unknown_kind_is_an_error():
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "b"}}
    assert validate_object(secret) == ["$: no schema for apiVersion 'v1', kind 'Secret'"]
