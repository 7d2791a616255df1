"""Edge cases, one fact per case: the networks, resources and pods that an object yields."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.gather import cluster_of
from netplan.reading.kubernetes.files import Found
from netplan.reading.kubernetes.load import load_texts
from netplan.reading.kubernetes.objects import Thing
from netplan.rendered import gathered

SRIOV = "sriovnetwork.openshift.io/v1"
NV = "mellanox.com/v1alpha1"
SPIDER = "spiderpool.spidernet.io/v2beta1"
NAD = "k8s.cni.cncf.io/v1"
ANNOTATION = "k8s.v1.cni.cncf.io/resourceName"


def things(texts: dict[str, str]) -> ObjectGraph:
    return gathered(Found(texts, (), ()), "")[0]


def of(kind: str, version: str, spec: str, meta: str = "") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: n, namespace: own{meta}}}\nspec: {spec}\n"


def nad(config: str, resource: str = "nvidia.com/a") -> str:
    return of(
        "NetworkAttachmentDefinition",
        NAD,
        f"{{config: '{config}'}}",
        f", annotations: {{{ANNOTATION}: '{resource}'}}",
    )


def spider(kind: str, section: str, more: str = "") -> str:
    return of("SpiderMultusConfig", SPIDER, f"{{cniType: {kind}, {kind}: {section}{more}}}")


OWN_IPAM = """{resourceName: a, ipam: '{"type": "x"}', metaPlugins: '{"type":"rdma"}'}"""
RDMA, OFF = "rdmaResourceName: a/b", "enableCoordinator: false"
POOL = '"ipam": {"type": "nv-ipam", "poolName": "p"}'
ON = 'enableCoordinator: true, chainCNIJsonData: [\'{"type": "sbr"}\']'


@pytest.mark.parametrize(
    ("text", "namespace", "resource", "types", "ipams"),
    [
        (nad(f'{{"type": "sriov", {POOL}}}'), "own", "nvidia.com/a", "sriov", [("spec", "config", "ipam")]),
        (
            nad(f'{{"plugins": [{{"type": "sriov"}}, 7, {{"type": "sbr", {POOL}}}]}}'),
            "own",
            "nvidia.com/a",
            "sriov sbr",
            [("spec", "config", "plugins", 2, "ipam")],
        ),
        (nad("{}"), "own", "nvidia.com/a", "", []),
        (nad('{"type": "sriov"}', "{{ x }}"), "own", None, "sriov", []),
        (nad('{"type": "bridge"}', "bridge.network.kubevirt.io/br0"), "own", None, "bridge", []),
        (of("SriovNetwork", SRIOV, "{resourceName: a}"), "own", "*/a", "sriov", []),
        (of("SriovNetwork", SRIOV, "{resourceName: a, networkNamespace: to}"), "to", "*/a", "sriov", []),
        (of("SriovNetwork", SRIOV, "{networkNamespace: '{{ x }}'}"), None, None, "sriov", []),
        (of("SriovNetwork", SRIOV, "{resourceName: '', networkNamespace: 7}"), "own", None, "sriov", []),
        (of("SriovNetwork", SRIOV, "{resourceName: '{{ x }}'}"), "own", None, "sriov", []),
        (of("SriovIBNetwork", SRIOV, "{resourceName: a}"), "own", "*/a", "ib-sriov", []),
        (
            of("OVSNetwork", SRIOV, OWN_IPAM),
            "own",
            "*/a",
            "ovs rdma",
            [("spec", "ipam")],
        ),
        (of("HostDeviceNetwork", NV, "{resourceName: a}"), "default", "nvidia.com/a", "host-device", []),
        (
            of("HostDeviceNetwork", NV, "{resourceName: nvidia.com/a}"),
            "default",
            "nvidia.com/a",
            "host-device",
            [],
        ),
        (of("MacvlanNetwork", NV, "{networkNamespace: to}"), "to", None, "macvlan", []),
        (of("IPoIBNetwork", NV, "{}"), "default", None, "ipoib", []),
        (spider("sriov", "{resourceName: a/b}"), "own", "a/b", "sriov coordinator", ["main"]),
        (spider("sriov", "{resourceName: '{{ x }}'}"), "own", None, "sriov coordinator", ["main"]),
        (spider("sriov", "{rdmaIsolation: true}"), "own", None, "sriov rdma coordinator", ["main"]),
        (spider("sriov", "{rdmaIsolation: 'true'}"), "own", None, "sriov coordinator", ["main"]),
        (
            spider("ib-sriov", "{}", f", {OFF}, ibsriov: {{{RDMA}}}"),
            "own",
            "a/b",
            "ib-sriov",
            [("spec", "ibsriov", "ipam")],
        ),
        (spider("custom", "{}", f", {OFF}, customCNI: '{{}}'"), "own", None, "", []),
        (spider("macvlan", f"{{enableRdma: 1, {RDMA}}}"), "own", "a/b", "macvlan coordinator", ["main"]),
        (spider("macvlan", "{}", f", {ON}"), "own", None, "macvlan coordinator sbr", ["main"]),
        (of("UserDefinedNetwork", "k8s.ovn.org/v1", "{}"), "own", None, "", []),
        (of("ClusterUserDefinedNetwork", "k8s.ovn.org/v1", "{}"), None, None, "", []),
    ],
)  # fmt: skip
def test_the_network_of_an_object(
    text: str, namespace: str | None, resource: str | None, types: str, ipams: list[Any]
) -> None:
    (network,) = things({"a.yaml": text}).networks
    assert (network.namespace, network.name, network.resource) == (namespace, "n", resource)
    assert network.types == types.split()
    paths = [path for path, _ in network.ipams]
    assert paths == ([("spec", network.types[0], "ipam")] if ipams == ["main"] else ipams)


def test_what_spiderpool_writes_of_an_interface() -> None:
    section = "{vlanID: 100, master: [ens1, ens2], ippools: {ipv4: [a, b], ipv6: c}}"
    (network,) = things({"a.yaml": spider("macvlan", section)}).networks
    ipam = {"type": "spiderpool", "default_ipv4_ippool": ["a", "b"], "default_ipv6_ippool": []}
    main = {"type": "macvlan", "ipam": ipam, "vlan": 100, "master": "ens1"}
    assert network.plugins[0] == (("spec", "macvlan"), main)
    assert network.plugins[1] == (("spec", "coordinator"), {"type": "coordinator"})
    assert network.resource_at == ("spec", "macvlan", "rdmaResourceName")
    (bare,) = things({"a.yaml": of("SpiderMultusConfig", SPIDER, "{}")}).networks
    assert (bare.types, bare.resource) == (["None", "coordinator"], None)


def test_the_own_fields_of_a_kind_are_those_of_its_plugin() -> None:
    spec = (
        """{vlan: 7, capabilities: '{"mac": true}', ipam: '{"type": "x"}', metaPlugins: '{"type":"sbr"}'}"""
    )
    (network,) = things({"a.yaml": of("SriovNetwork", SRIOV, spec)}).networks
    assert network.plugins == (
        (("spec",), {"vlan": 7, "type": "sriov"}),
        (("spec", "metaPlugins", 0), {"type": "sbr"}),
    )


RAILS = of(
    "SpectrumXRailPoolConfig", "spectrumx.nvidia.com/v1alpha2", "{railTopology: [{name: a}, {name: b}]}"
)


def test_each_rail_of_spectrum_x_is_a_network_and_a_resource() -> None:
    cluster = things({"a.yaml": RAILS})
    found = [(n.namespace, n.name, n.resource, n.resource_at, n.types) for n in cluster.networks]
    at = ("spec", "railTopology")
    assert found == [("own", "a", "*/a", at, []), ("own", "b", "*/b", at, [])]
    assert list(cluster.made) == ["*/a", "*/b"]


def policy(name: str) -> str:
    return of("SriovNetworkNodePolicy", SRIOV, f"{{resourceName: {name}}}")


ATTRIBUTES = of(
    "DeviceAttributes",
    "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1",
    "{attributes: {k8s.cni.cncf.io/resourceName: {string: a/b}}}",
)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (policy("a"), ["*/a"]),
        (policy("'{{ x }}'"), []),
        (policy("7"), []),
        (ATTRIBUTES, ["a/b"]),
        (ATTRIBUTES.replace("a/b", "7"), []),
        (ATTRIBUTES.replace("DeviceAttributes", "Other"), []),
    ],
)
def test_resources_that_an_object_makes(text: str, made: list[str]) -> None:
    assert list(things({"a.yaml": text}).made) == made


@pytest.mark.parametrize(
    ("values", "prefix"),
    [
        ("operator: {resourcePrefix: a.com}", "a.com"),
        ("sriov-network-operator: {operator: {resourcePrefix: a.com}}", "a.com"),
        (
            "operator: {resourcePrefix: a.com}\nsriov-network-operator: {operator: {resourcePrefix: b.com}}",
            "*",
        ),
        ("operator: {resourcePrefix: 7}", "*"),
        ("operator: {resourcePrefix: '{{ x }}'}", "*"),
        ("operator: {}", "*"),
    ],
)
def test_the_prefix_is_that_of_the_chart(values: str, prefix: str) -> None:
    cluster = things({"a.yaml": policy("a"), "values.yaml": values})
    assert (cluster.prefix, list(cluster.made)) == (prefix, [f"{prefix}/a"])


POD = "{containers: [{name: c}]}"
SPEC = f"{{spec: {POD}}}"
TEMPLATE = f"template: {SPEC}"
OWNED = ", ownerReferences: [{kind: Job, name: j}]"


@pytest.mark.parametrize(
    ("text", "pods"),
    [
        (of("Pod", "v1", POD), [((), None)]),
        (of("Pod", "v1", "{containers: []}"), []),
        (of("Pod", "v1", "{containers: [7]}"), []),
        (of("Pod", "v1", "{containers: [7, {name: c}]}"), [((), None)]),
        (of("Pod", "v1", POD, OWNED), []),
        (of("Deployment", "apps/v1", f"{{replicas: 3, {TEMPLATE}}}", OWNED), [(("spec", "template"), 3)]),
        (of("Job", "batch/v1", f"{{parallelism: 3, {TEMPLATE}}}"), [(("spec", "template"), 3)]),
        (of("Job", "batch/v1", f"{{parallelism: true, {TEMPLATE}}}"), [(("spec", "template"), None)]),
        (of("Job", "batch/v1", f"{{{TEMPLATE}}}", OWNED), []),
        (of("DaemonSet", "apps/v1", f"{{{TEMPLATE}}}"), [(("spec", "template"), 2)]),
        (of("ConfigMap", "v1", POD), []),
        (of("Set", "x.io/v1", f"{{jobs: [7, {{replicas: 4, spec: {POD}}}]}}"), [(("spec", "jobs", 1), None)]),
        (
            of("Set", "x.io/v1", f"{{replicas: 5, jobs: [{{replicas: 4, t: {SPEC}}}, {{t: {SPEC}}}]}}"),
            [(("spec", "jobs", 0, "t"), 4), (("spec", "jobs", 1, "t"), 5)],
        ),
        (of("Set", "x.io/v1", f"{{metadata: {{spec: {POD}}}, status: {{spec: {POD}}}}}"), []),
    ],
)  # fmt: skip
def test_pods_of_an_object(text: str, pods: list[Any]) -> None:
    assert [(pod.path, pod.replicas) for pod in things({"a.yaml": text}).pods] == pods


def test_what_a_function_adds_to_pods_is_a_pod_of_a_whole_tree_alone() -> None:
    text = (
        "apiVersion: x.io/v1\nkind: PodRails\nmetadata: {name: n}\ncontainer: {name: c}\n"
        "template: {metadata: {labels: {a: b}}, spec: {hostname: h}}\n"
    )
    tree = load_texts({"a.yaml": text})
    (pod,) = cluster_of(tree, {}, whole=True).pods
    spec = {"hostname": "h", "containers": [{"name": "c"}]}
    assert (pod.path, pod.template, pod.replicas) == (
        ("template",),
        {"metadata": {"labels": {"a": "b"}}, "spec": spec},
        None,
    )
    assert cluster_of(tree, {}).pods == ()


def template(
    *requests: str, namespace: str = "own", kind: str = "ResourceClaimTemplate", version: str = ""
) -> str:
    devices = f"{{spec: {{devices: {{requests: [{', '.join(requests)}]}}}}}}"
    text = of(kind, version or "resource.k8s.io/v1", devices)
    return text.replace("name: n,", "name: t,").replace("namespace: own", f"namespace: {namespace}")


def named(name: str, count: str = "") -> str:
    selector = f"""{{cel: {{expression: 'device.attributes["x"].resourceName == "{name}"'}}}}"""
    return f"{{name: r, exactly: {{selectors: [{selector}]{count}}}}}"


GPU = "{name: g, deviceClassName: gpu.nvidia.com}"
CLAIM = "{name: c, resourceClaimTemplateName: t}"


@pytest.mark.parametrize(
    ("claims", "text", "claimed"),
    [
        (CLAIM, template(named("a/b")), {"a/b": 1}),
        (CLAIM, template(named("a/b", ", count: 3"), named("a/c"), GPU), {"a/b": 3, "a/c": 1}),
        (f"{CLAIM}, {CLAIM}", template(named("a/b", ", count: 3")), {"a/b": 6}),
        (CLAIM, template(named("a/b", ", count: '3'")), None),
        (CLAIM, template("{name: r, deviceClassName: dra.net}"), None),
        (CLAIM, template(GPU), {}),
        (CLAIM, template(GPU.replace("gpu.", "vfio.gpu.")), {}),
        (CLAIM, template(named("a/b"), namespace="other"), None),
        (CLAIM, template(named("a/b"), kind="ResourceClaim"), None),
        (CLAIM, template(named("a/b"), version="x/v1"), None),
        (f"{CLAIM}, 7, {CLAIM}", template(named("a/b")), None),
        ("{name: c, resourceClaimName: t}", template(named("a/b")), None),
        (f"{{name: c, resourceClaimName: t}}, {CLAIM}", template(named("a/b")), None),
        (f"7, {CLAIM}", template(named("a/b")), None),
        ("", template(named("a/b")), {}),
    ],
)  # fmt: skip
def test_devices_that_a_pod_claims(claims: str, text: str, claimed: dict[str, int] | None) -> None:
    pod = of("Pod", "v1", f"{{containers: [{{name: c}}], resourceClaims: [{claims}]}}")
    (found,) = things({"a.yaml": f"{pod}---\n{text}"}).pods
    assert found.claimed == claimed


@pytest.mark.parametrize(
    ("one", "other", "beside"),
    [("a", "a", True), ("a", "b", False), (None, "b", True), ("a", None, True), (None, None, True)],
)
def test_objects_that_may_be_in_one_namespace(one: str | None, other: str | None, beside: bool) -> None:
    def thing(namespace: str | None) -> Thing:
        where = f", namespace: {namespace}" if namespace else ""
        cluster: ObjectGraph = things(
            {"a.yaml": f"apiVersion: v1\nkind: Pod\nmetadata: {{name: n{where}}}\n"}
        )
        return cluster.tree.things[0]

    assert thing(one).may_be_beside(thing(other)) is beside


VALUES = "rdmaSharedDevicePlugin: {resources: [{name: rdma_a}]}\n"


@pytest.mark.parametrize(
    ("beside", "made", "loose"), [({}, True, False), ({"Chart.yaml": "name: c\n"}, False, True)]
)
def test_the_defaults_of_a_chart_may_be_replaced(beside: dict[str, str], made: bool, loose: bool) -> None:
    found = things({"values.yaml": VALUES, "a.yaml": of("SriovNetwork", SRIOV, "{}"), **beside})
    assert ("rdma/rdma_a" in found.made, "rdma_a" in found.tree.loose) == (made, loose)


def test_the_first_release_of_the_network_operator_names_its_plugin_otherwise() -> None:
    config = '{"configList": [{"resourceName": "hca", "rdmaHcaMax": 10}]}'
    policy = of("NicClusterPolicy", "mellanox.com/v1alpha1", f"{{devicePlugin: {{config: '{config}'}}}}")
    assert [*things({"a.yaml": policy}).made] == ["rdma/hca"]
