"""Edge cases, one fact per case: two pods compared by their files, and templates that create pods."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.graph.kubernetes.argo import argo_pods
from netplan.graph.kubernetes.asking import gpu_pods
from netplan.graph.qos import Proof
from netplan.reading.switches.facts import EVERYWHERE
from netplan.reading.switches.switch import _Found
from netplan.rules.kubernetes.plugin_configs import plugin_config
from netplan.rules.kubernetes.routers import _gateway_of as gateway_of
from netplan.trace.chains.compare import Compared, Comparison, Pair, compared
from netplan.trace.chains.compare import _mtus as mtus
from netplan.trace.chains.compare import _networks as networks
from netplan.trace.chains.model import Meets
from netplan.trace.installed import switched_off
from tests.unit.some import some
from tests.unit.test_edges_gather import of, things


def chain(interface: str, network: str = "") -> Any:
    return some(interface=interface, meets=Meets(network=network, vlan=None, subnets=(), mtu=None))


def pod(*chains: Any, traffic_class: int | None = None, proof: Proof = Proof.PROVED) -> Any:
    return some(name="pod", chains=chains, traffic_class=traffic_class, proof=proof)


@pytest.mark.parametrize(
    ("start", "end", "pairs"),
    [
        (
            [chain("net1"), chain("net2")],
            [chain("net2"), chain("net1")],
            [("net1", "net1"), ("net2", "net2")],
        ),
        ([chain("a", "n"), chain("b", "m")], [chain("x", "m"), chain("y", "n")], [("a", "y"), ("b", "x")]),
        ([chain("net1", "n")], [chain("x", "n"), chain("net1", "m")], [("net1", "net1")]),
        ([chain("a"), chain("b")], [chain("x"), chain("y")], [("a", "x"), ("b", "y")]),
        ([chain("a"), chain("b")], [chain("x")], [("a", "x"), ("b", None)]),
        ([chain("a", "n")], [chain("x"), chain("y", "n")], [("a", "y")]),
    ],
)
def test_interfaces_of_two_pods_are_paired(start: Any, end: Any, pairs: Any) -> None:
    found = compared(pod(*start), pod(*end)).pairs
    assert [(each.start, each.end) for each in found] == pairs
    for each in found:
        alone = [Compared("interface", "pod has no interface left for it", Proof.OPEN)]
        assert (list(each.rows) == alone) is (each.end is None)


@pytest.mark.parametrize(
    ("a", "b", "said", "proof"),
    [
        ("a", "a", "the same, a", Proof.PROVED),
        ("a", "b", "a and b", Proof.PROVED),
        ("a", "", "not in the files", Proof.OPEN),
        ("", "b", "not in the files", Proof.OPEN),
    ],
)
def test_networks_of_two_interfaces(a: str, b: str, said: str, proof: Proof) -> None:
    both = [Meets(network=each, vlan=None, subnets=(), mtu=None) for each in (a, b)]
    assert networks(*both) == Compared("network", said, proof)


@pytest.mark.parametrize(
    ("a", "b", "said", "proof"),
    [
        (9000, 9000, "the same, 9000", Proof.PROVED),
        (9000, None, "not stated for both", Proof.OPEN),
        (None, 1500, "not stated for both", Proof.OPEN),
        (
            9000,
            1500,
            "9000 and 1500: packets above 1,500 bytes are lost on the way to the smaller MTU",
            Proof.REFUTED,
        ),
    ],
)
def test_mtus_of_two_interfaces(a: int | None, b: int | None, said: str, proof: Proof) -> None:
    both = [Meets(network="a", vlan=None, subnets=(), mtu=each) for each in (a, b)]
    assert mtus(*both) == Compared("mtu", said, proof)


@pytest.mark.parametrize(
    ("a", "b", "said", "proof"),
    [
        (None, None, "no environment sets it: the value RDMA uses is on the nodes", Proof.OPEN),
        (104, None, "only one of the two sets it", Proof.OPEN),
        (104, 104, "the same, 104 (DSCP 26)", Proof.PROVED),
        (
            104,
            192,
            "104 (DSCP 26) and 192 (DSCP 48): switches may keep only one of them lossless",
            Proof.OPEN,
        ),
    ],
)
def test_traffic_classes_of_two_pods(a: int | None, b: int | None, said: str, proof: Proof) -> None:
    found = compared(pod(traffic_class=a), pod(traffic_class=b))
    assert found.rows == (Compared("traffic class", said, proof),)


@pytest.mark.parametrize(
    ("rows", "pairs", "pods", "proof"),
    [
        ([Proof.PROVED], [Proof.PROVED], (Proof.PROVED, Proof.PROVED), Proof.PROVED),
        ([Proof.OPEN], [Proof.PROVED], (Proof.PROVED, Proof.PROVED), Proof.OPEN),
        ([Proof.PROVED], [Proof.OPEN, Proof.REFUTED], (Proof.PROVED, Proof.PROVED), Proof.REFUTED),
        ([Proof.PROVED], [Proof.PROVED], (Proof.OPEN, Proof.PROVED), Proof.OPEN),
        ([Proof.PROVED], [Proof.PROVED], (Proof.PROVED, Proof.REFUTED), Proof.REFUTED),
        ([], [], (Proof.PROVED, Proof.PROVED), Proof.OPEN),
    ],
)
def test_a_comparison_is_as_good_as_its_worst_part(
    rows: list[Proof], pairs: list[Proof], pods: Any, proof: Proof
) -> None:
    own = tuple(Compared("class", "", each) for each in rows)
    both = tuple(Pair(start="a", end="b", rows=(Compared("mtu", "", each),)) for each in pairs)
    start, end = (pod(proof=each) for each in pods)
    assert Comparison(start=start, end=end, pairs=both, rows=own).proof is proof


WORKFLOW = "argoproj.io/v1alpha1"


def workflow(template: str, more: str = "", kind: str = "Workflow") -> list[Any]:
    spec = f"{{templates: [7, {template}]{more}}}"
    text = of(kind, WORKFLOW, f"{{workflowSpec: {spec}}}" if kind == "CronWorkflow" else spec)
    return list(argo_pods(things({"a.yaml": text})))


@pytest.mark.parametrize("kind", ["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"])
def test_a_template_of_argo_is_a_pod(kind: str) -> None:
    (found,) = workflow("{container: {name: a}}", kind=kind)
    above = ("spec", "workflowSpec") if kind == "CronWorkflow" else ("spec",)
    assert (found.path, found.replicas) == ((*above, "templates", 1), None)


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("{script: {name: a}, sidecars: [{name: b}, 7]}", ["a", "b"]),
        ("{containerSet: {containers: [{name: a}, {name: b}]}}", ["a", "b"]),
        ("{container: {name: a}, podSpecPatch: 'containers: [{name: b}, 7]'}", ["a", "b"]),
        ("{container: {name: a}, podSpecPatch: ' '}", ["a"]),
        ("{container: {name: a}, podSpecPatch: '{{x}}: [{name: b}]'}", ["a"]),
        ("{container: {name: a}, podSpecPatch: '[7]'}", ["a"]),
    ],
)
def test_containers_of_a_template_of_argo(template: str, names: list[str]) -> None:
    (found,) = workflow(template)
    assert [each["name"] for each in found.template["spec"]["containers"]] == names


def test_what_a_template_of_argo_takes_from_its_workflow() -> None:
    shared = (
        ", nodeSelector: {a: shared}, volumes: [{name: shared}], hostNetwork: true"
        ", podMetadata: {annotations: {a: shared, b: shared}}, podSpecPatch: 'priority: 1'"
    )
    own = (
        "{container: {name: a}, initContainers: [{name: i}], nodeSelector: {a: own}"
        ', metadata: {annotations: {a: own}}, podSpecPatch: \'{"priority": 2, "initContainers": []}\'}'
    )
    (found,) = workflow(own, shared)
    assert found.template["metadata"]["annotations"] == {"a": "own", "b": "shared"}
    assert found.template["spec"] == {
        "containers": [{"name": "a"}],
        "initContainers": [{"name": "i"}],
        "nodeSelector": {"a": "own"},
        "affinity": None,
        "hostNetwork": True,
        "volumes": [{"name": "shared"}],
        "priority": 2,
    }


def test_what_a_template_of_argo_creates() -> None:
    text = "spec: {replicas: 2, template: {spec: {containers: [{name: a}]}}}"
    (found,) = workflow(f"{{resource: {{manifest: '{text}'}}}}")
    assert found.path == ("spec", "templates", 1, "resource", "manifest", "spec", "template")
    assert found.replicas == 2
    assert workflow("{resource: {manifest: ' '}}") == workflow("{steps: []}") == []


def test_devices_that_a_pod_asks_for() -> None:
    limits = "{cpu: 4, memory: 1Gi, hugepages-2Mi: 1Gi, nvidia.com/gpu: 8, a/b: 1}"
    init = "initContainers: [{name: i, resources: {requests: {a/c: 1}}}]"
    (found,) = things(
        {"a.yaml": of("Pod", "v1", f"{{containers: [{{name: c, resources: {{limits: {limits}}}}}], {init}}}")}
    ).pods
    assert found.resources() == {"nvidia.com/gpu", "a/b", "a/c"}


def test_a_pod_that_claims_gpus_asks_for_them() -> None:
    claim = "{spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu.nvidia.com}}]}}}"
    text = of(
        "Pod", "v1", "{containers: [{name: c}], resourceClaims: [{name: x, resourceClaimTemplateName: n}]}"
    )
    cluster = things({"a.yaml": f"{text}---\n{of('ResourceClaimTemplate', 'resource.k8s.io/v1', claim)}"})
    (found,) = gpu_pods(cluster)
    assert (found.gpus, found.at) == ({"gpu.nvidia.com": ""}, ("spec", "resourceClaims", 0))
    assert (str(found), found.whole, found.vendors) == ("gpu.nvidia.com", 0, {"nvidia.com"})


MLX5_IB = {"drivers": ["mlx5_ib"], "pfNames": ["ens1"]}
TWICE = {"pfNames": ["ens1#0-3", "ENS1#4", "ens2"]}
ONE, OTHER = {"pfNames": ["ens1"]}, {"pfNames": ["ens2"]}


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (MLX5_IB, {}, ["data.config.json.resourceList[0].selectors.drivers is mlx5_ib, which is no"]),
        ([7, MLX5_IB], {}, ["data.config.json.resourceList[0].selectors[1].drivers is mlx5_ib, whic"]),
        (TWICE, {}, ["ENS1#4 is ignored: only the first element of ens1 counts, ens1#0-3"]),
        (ONE, [ONE], ["b selects the same devices as a, which comes first and takes them all"]),
        (
            [MLX5_IB, OTHER],
            [{}, OTHER],
            ["data.config.json.resourceList[0].selectors[0].drivers", "b selects"],
        ),
        ({}, {}, []),
        (ONE, OTHER, []),
        (
            MLX5_IB | {"drivers": []},
            {"drivers": [], "pfNames": ["ens1"]},
            ["b selects the same devices as a"],
        ),
    ],
)
def test_selectors_of_a_device_plugin(first: Any, second: Any, said: list[str]) -> None:
    entries = [{"resourceName": name, "selectors": s} for name, s in (("a", first), ("b", second))]
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "n"}}
    data = {"config.json": json.dumps({"resourceList": entries})}
    cluster = things({"a.json": json.dumps({**body, "data": data})})
    found = [each.message for each in plugin_config(cluster, cluster.configs[0])]
    assert [message[: len(start)] for message, start in zip(found, said, strict=True)] == said


@pytest.mark.parametrize(
    ("spec", "whole", "has"),
    [
        ("{gateway: 10.0.0.1}", True, True),
        ("{gatewayIndex: 1}", True, True),
        ("{staticAllocations: [7, {nodeName: a, gateway: 10.0.0.1}]}", False, True),
        ("{staticAllocations: [7, {nodeName: a, gateway: 10.0.0.1}]}", True, False),
        ("{staticAllocations: [{nodeName: a}]}", False, False),
    ],
)
def test_a_pool_with_a_gateway(spec: str, whole: bool, has: bool) -> None:
    cluster = things({"a.yaml": of("CIDRPool", "nv-ipam.nvidia.com/v1alpha1", spec)})
    assert gateway_of(cluster.tree.things[0], whole) is has


@pytest.mark.parametrize(
    ("by_port", "value", "said"),
    [
        ({}, "none", []),
        ({EVERYWHERE: "x", "a": "y"}, "x", []),
        ({"a": "x", "b": "x"}, "x", []),
        ({"a": "x", "b": "x", "c": "y"}, "x", ["ports differ in trust: c from the others"]),
        (
            {"a": "x", **dict.fromkeys("bcdef", "y"), "g": "z", "h": "x"},
            "y",
            ["ports differ in trust: a, g, h from the others"],
        ),
        (
            {**dict.fromkeys("abcd", "x"), **dict.fromkeys("efghi", "y")},
            "y",
            ["ports differ in trust: a, b, c and 1 more from the others"],
        ),
    ],
)
def test_a_value_that_most_ports_have(by_port: dict[str, str], value: str, said: list[str]) -> None:
    found: Any = some(problems=[])
    assert _Found.common(found, "trust", by_port, "none") == value
    assert found.problems == said


POLICY = of("SriovNetworkNodePolicy", "sriovnetwork.openshift.io/v1", "{resourceName: a}")
HERE = POLICY.replace("namespace: own", "namespace: nvidia-network-operator")


@pytest.mark.parametrize(
    ("policy", "file", "values", "told"),
    [
        (HERE, "network-operator/values.yaml", "sriovNetworkOperator: {enabled: false}", True),
        (HERE, "network-operator/values.yaml", "nfd: {enabled: true}", True),
        (HERE, "network-operator/values.yaml", "sriovNetworkOperator: {enabled: true}", False),
        (HERE, "other/values.yaml", "sriovNetworkOperator: {enabled: false}", False),
        (POLICY, "network-operator/values.yaml", "sriovNetworkOperator: {enabled: false}", False),
    ],
)
def test_a_policy_waits_for_the_operator(policy: str, file: str, values: str, told: bool) -> None:
    found = [fault.text for fault in switched_off(things({"a.yaml": policy, file: values}))]
    end = "no file installs the operator that reads SriovNetworkNodePolicy nvidia-network-operator/n"
    assert [text.partition(": ")[2] for text in found] == [end] * told
    assert all(text.startswith(f"sriovNetworkOperator.enabled is not true ({file}:1)") for text in found)
