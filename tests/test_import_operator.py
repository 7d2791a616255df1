"""What runs, what is configured and what networks need of the RDMA mode; images of the Network Operator's
components; labels with an empty value."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.inventories import compiled, outputs, text_of
from tests.test_import import OPERATED, data, filled, line_of, operated, refused, todo_lines

STATE = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodeState
metadata: {{name: {name}, namespace: operators}}
spec:
  system: {{rdmaMode: "{wanted}"}}
status:
  system: {{rdmaMode: "{running}"}}
  interfaces:
  - {{pciAddress: "0000:18:00.0", deviceID: "1021", vendor: 15b3, name: ens1, linkType: ETH}}
---
"""
POLICY = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail-0, namespace: operators}
spec: {resourceName: rail_0, numVfs: 8, nicSelector: {vendor: "15b3"}, isRdma: true}
---
"""
NETWORK = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {name: rail-0, namespace: operators}
spec:
  networkNamespace: a
  resourceName: rail_0
"""
RDMA = """  metaPlugins: '{"type": "rdma"}'\n"""
SHARED = """apiVersion: v1
kind: ConfigMap
metadata: {name: shared, namespace: kube-system}
data:
  config.json: |
    {"configList": [{"resourceName": "hca", "rdmaHcaMax": 63, "selectors": {"ifNames": ["ens1"]}}]}
---
"""
POOL_CONFIG = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkPoolConfig
metadata: {name: gpus, namespace: operators}
spec: {rdmaMode: exclusive, maxUnavailable: 25%}
---
"""


TEMPLATE = """---
apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {name: a, namespace: nvidia-network-operator}
spec: {nicSelector: {nicType: "1017"}, template: {numVfs: 8, linkType: Ethernet}}
"""


def state(running: str, wanted: str = "", name: str = "gpu-1") -> str:
    return STATE.format(name=name, running=running, wanted=wanted)


def said(*parts: str) -> tuple[str, list[str]]:
    """Value of ``rdma_mode`` with its comment, and what disagrees, without the subject."""
    result = import_texts({"x.yaml": "".join(parts)}, "site")
    (line,) = [text.strip() for text in result.text.splitlines() if text.startswith("  rdma_mode:")]
    return line, [str(conflict).removeprefix("the cluster, rdma_mode: ") for conflict in result.conflicts]


def test_what_runs_is_the_mode() -> None:
    assert said(state("exclusive", "exclusive")) == ("rdma_mode: exclusive # x.yaml:7", [])
    assert said(state("", "shared")) == ("rdma_mode: shared # x.yaml:5", [])
    assert said(POOL_CONFIG + state("")) == ("rdma_mode: exclusive # x.yaml:4", [])
    assert said(state(""))[0].startswith("rdma_mode: TODO")


def test_what_is_wanted_and_does_not_run() -> None:
    line, told = said(state("shared", "exclusive"))
    (one,) = told
    assert one == "shared, running on the nodes (x.yaml:7) or exclusive, configured for the nodes (x.yaml:5)"
    assert line == f"rdma_mode: TODO # TODO: decide, sources disagree: {one}"


def test_two_nodes_that_run_different_modes_are_asked_about() -> None:
    line, told = said(state("shared"), state("exclusive", name="gpu-2"))
    assert line.startswith("rdma_mode: TODO # TODO: decide, sources disagree: shared, running on the nodes")
    assert told == ["shared, running on the nodes (x.yaml:7) or exclusive, running on the nodes (x.yaml:17)"]


def test_a_network_that_needs_the_other_mode() -> None:
    line, told = said(state("shared"), NETWORK + RDMA)
    (one,) = told
    assert line == f"rdma_mode: TODO # TODO: decide, sources disagree: {one}"
    assert one.endswith("or exclusive, needed by a network or device plugin (x.yaml:17)")
    assert said(state("exclusive"), NETWORK + RDMA)[1] == []
    assert said(NETWORK + RDMA)[0] == "rdma_mode: exclusive # x.yaml:7"


def test_the_shared_device_plugin_needs_shared_mode() -> None:
    assert said(state("exclusive"), SHARED)[1][0].count("x.yaml:") == 2
    assert said(state("shared"), SHARED)[1] == []
    line, told = said(SHARED, NETWORK + RDMA)
    assert line.startswith("rdma_mode: TODO")
    assert len(told) == 1


def test_exclusive_mode_and_a_network_without_the_plugin() -> None:
    """Its pods would have no RDMA device; of VFs without RDMA that is no matter."""
    found = said(state("exclusive"), POLICY, NETWORK)[1]
    assert found == [
        "exclusive, in which pods of a network without the rdma plugin have no RDMA device (x.yaml:7) or "
        "network a/rail-0 (x.yaml:17)"
    ]
    assert said(state("exclusive"), POLICY.replace("isRdma: true", "isRdma: false"), NETWORK)[1] == []
    assert said(state("exclusive"), POLICY, NETWORK + RDMA)[1] == []
    assert said(state("shared"), POLICY, NETWORK)[1] == []


POOLED = """  ipam: '{"type": "nv-ipam", "poolName": "a"}'\n"""


def policy(*beside: str, **spec: Any) -> Imported:
    """A policy and a network; ``beside``: other objects."""
    body = {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "spec": spec}
    own = listed([{**body, "metadata": {"name": "nic-cluster-policy"}}])
    return import_texts({"x.yaml": "---\n".join((own, *(beside or (NETWORK + POOLED,))))}, "site")


def image(name: str, repository: str = "reg.example/a", version: str = "network-operator-v26.4.1") -> Any:
    return {"image": name, "repository": repository, "version": version}


def operator(result: Imported) -> Any:
    return data(result)["cluster"]["network_operator"]


def test_images_of_all_components_stand_once() -> None:
    multus = {"multus": image("multus-cni"), "cniPlugins": image("plugins")}
    result = policy(nvIpam=image("nvidia-k8s-ipam"), secondaryNetwork=multus)
    assert operator(result) == {
        "release": "26.4",
        "repository": "reg.example/a",
        "version": "network-operator-v26.4.1",
        "multus": True,
    }
    assert result.remarks == ()


def test_images_that_differ_are_kept_by_component() -> None:
    """Before 25.7 each component has a tag of its own; the driver always has."""
    result = policy(
        nvIpam=image("nvidia-k8s-ipam", version="v0.3.7"),
        secondaryNetwork={"multus": image("multus-cni", "reg.example/b", "v4.1.0")},
        ofedDriver=image("doca-driver", version="25.04-0.6.1.0-2"),
    )
    assert operator(result)["release"] == "25.4"
    assert operator(result)["ofed_version"] == "25.04-0.6.1.0-2"
    assert operator(result)["images"] == {
        "ofedDriver": {"repository": "reg.example/a"},
        "nvIpam": {"repository": "reg.example/a", "version": "v0.3.7"},
        "secondaryNetwork.multus": {"repository": "reg.example/b", "version": "v4.1.0"},
    }


def test_the_tag_of_one_component_is_not_that_of_all() -> None:
    result = policy(nvIpam=image("nvidia-k8s-ipam", version="v0.3.7"))
    assert operator(result)["images"] == {"nvIpam": {"version": "v0.3.7"}}
    assert "version" not in operator(result)


def test_global_images_and_one_of_its_own() -> None:
    shared = {"repository": "reg.example/a", "version": "network-operator-v26.4.1"}
    plain = {"image": "nvidia-k8s-ipam"}
    result = policy(**{"global": shared}, nvIpam=plain, sriovDevicePlugin=image("x", version="t1"))
    assert operator(result)["images"] == {"sriovDevicePlugin": {"version": "t1"}}
    assert [remark.text for remark in result.remarks] == [
        "NicClusterPolicy spec.sriovDevicePlugin.image 'x': netplan writes sriov-network-device-plugin"
    ]


def test_a_driver_has_the_global_version_or_is_asked_about() -> None:
    """Without ``ofed_version`` netplan would remove the driver container (ApplyGlobalConfig in
    Mellanox/network-operator b06827e pkg/state/state_ofed.go)."""
    tag = "doca3.4.0-26.04-0.8.6.0-0"
    plain = {"image": "doca-driver", "repository": "reg.example/a"}
    assert operator(policy(**{"global": {"version": tag}}, ofedDriver=plain))["ofed_version"] == tag
    result = policy(ofedDriver=plain)
    assert operator(result)["ofed_version"] == "TODO: version"
    assert "# TODO: version of the driver; the policy has none (x.yaml:6)" in result.text
    assert set(todo_lines(result.text)) <= refused(result.text)


def test_a_component_without_image_is_asked_about() -> None:
    """As NP704 refuses what the operator would stop at."""
    result = policy(nvIpam={"image": "nvidia-k8s-ipam", "version": "network-operator-v26.4.1"})
    assert operator(result)["repository"] == "TODO: repository"
    assert "# TODO: repository of the operator's images; the policy has none for nvIpam" in result.text
    assert set(todo_lines(result.text)) <= refused(result.text)


def test_a_rendered_policy_comes_back() -> None:
    """Release, images, driver and its upgrades of kitchen-sink, which has images of its own."""
    files = {k: v for k, v in outputs(compiled("kitchen-sink")).items() if k.startswith("kubernetes/")}
    found = data(import_texts({k: v for k, v in files.items() if k.endswith(".yaml")}, "x"))["cluster"]
    stated = yaml.safe_load(text_of("kitchen-sink"))["cluster"]
    kept = stated["network_operator"] | {"namespace": "nvidia-network-operator"}
    assert kept["images"]["secondaryNetwork.multus"].pop("repository") == kept["repository"]
    kept.pop("admission_webhooks", None)  # a value of the chart, which no object shows
    assert found["network_operator"] == kept
    assert found["maintenance"] == {"drain": True} | stated["maintenance"]


def test_what_a_policy_has_beside_is_told() -> None:
    result = policy(
        nvIpam={**image("nvidia-k8s-ipam"), "imagePullSecrets": ["key"], "enableWebhook": True},
        docaTelemetryService=image("doca_telemetry"),
        tolerations=[{"key": "gpu", "operator": "Exists"}],
    )
    shown = [remark.text.partition(" '")[0] for remark in result.remarks]
    assert shown == [
        f"NicClusterPolicy spec.{name}"
        for name in ("nvIpam.imagePullSecrets", "nvIpam.enableWebhook", "docaTelemetryService", "tolerations")
    ]
    assert all("would remove it" in remark.text for remark in result.remarks)
    line = line_of(listed([{"docaTelemetryService": 1}]), "docaTelemetryService")
    assert line < next(remark.at.line for remark in result.remarks if "Telemetry" in remark.text)


def removed(*beside: str, **spec: Any) -> dict[str, str]:
    """Component -> what is said of it."""
    found = (remark.text.split(": ", 1) for remark in policy(*beside, **spec).remarks)
    named = {what.removeprefix("NicClusterPolicy spec."): why for what, why in found}
    return {name: why for name, why in named.items() if "'" not in name}


def plugin(name: str, key: str = "resourceList", selector: str = "pfNames") -> Any:
    entry = {"resourceName": "hca", "rdmaHcaMax": 63, "selectors": {selector: ["ens1"]}}
    return {**image(name), "config": json.dumps({key: [entry]})}


NO_NETWORK = "no network in the dumps asks for its resources, netplan's NicClusterPolicy would remove it"


def test_components_that_nothing_in_the_dumps_uses_are_told() -> None:
    macvlan = NETWORK.replace("sriovnetwork.openshift.io/v1", "mellanox.com/v1alpha1")
    macvlan = macvlan.replace("SriovNetwork", "MacvlanNetwork").replace(
        "resourceName: rail_0", "master: ens1"
    )
    ipoib = macvlan.replace("MacvlanNetwork", "IPoIBNetwork")
    parts = {"ipoib": image("ipoib-cni"), "multus": image("multus-cni"), "cniPlugins": image("plugins")}
    secondary = {"secondaryNetwork": parts}
    assert removed(NETWORK, **secondary, nvIpam=image("nvidia-k8s-ipam")) == {
        "nvIpam": "no network in the dumps has ipam: nv-ipam, netplan's NicClusterPolicy would remove it",
        "secondaryNetwork.ipoib": "no network in the dumps has mode: ipoib, "
        "netplan's NicClusterPolicy would remove it",
    }
    assert removed(ipoib + POOLED, **secondary, nvIpam=image("nvidia-k8s-ipam")) == {}
    whole, shared = plugin("sriov-network-device-plugin"), plugin("k8s-rdma-shared-dev-plugin", "configList")
    both = {"sriovDevicePlugin": whole, "rdmaSharedDevicePlugin": shared}
    assert removed(NETWORK, **both) == {"rdmaSharedDevicePlugin": NO_NETWORK}
    assert str(policy(NETWORK, **both).remarks[0]).startswith("x.yaml:11: NicClusterPolicy spec.rdmaShared")
    assert removed(macvlan, **both) == {"sriovDevicePlugin": NO_NETWORK}


def test_a_device_plugin_beside_that_of_the_sriov_operator_is_told() -> None:
    own = plugin("sriov-network-device-plugin")
    (why,) = removed(NETWORK + "---\n" + POLICY, sriovDevicePlugin=own).values()
    owner = "device_plugin is sriov-network-operator (its policies, x.yaml:27)"
    assert why == f"{owner}, netplan's NicClusterPolicy would remove it"


def test_multus_and_the_plugins_are_one_key() -> None:
    own = image("plugins")
    assert removed(secondaryNetwork={"cniPlugins": own}) == {
        "secondaryNetwork.cniPlugins": "network_operator.multus is for both, "
        "and Multus is not in the policy; netplan's NicClusterPolicy would remove it"
    }
    assert removed(secondaryNetwork={"multus": own}) == {
        "secondaryNetwork.multus": "netplan deploys cniPlugins beside it"
    }


def test_the_nic_configuration_operator_without_a_template_is_asked_about() -> None:
    """Templates may be missing in the dumps, and ``host`` would remove the operator."""
    parts = {"operator": image("a"), "configurationDaemon": image("b")}
    result = policy(nicConfigurationOperator=parts)
    (line,) = [each.strip() for each in result.text.splitlines() if "nic_qos:" in each]
    assert line == (
        "nic_qos: TODO # TODO: nic-configuration-operator, or host: netplan's NicClusterPolicy then removes "
        "the operator; nicConfigurationOperator is in the policy (x.yaml:7), but no template in the dumps; "
        "kubectl get nicconfigurationtemplates -A"
    )
    templated = policy(NETWORK + TEMPLATE, nicConfigurationOperator=parts)
    assert data(templated)["cluster"]["owners"]["nic_qos"] == "nic-configuration-operator"


@pytest.mark.parametrize(
    ("spec", "told"),
    [("", True), ("maxUnavailable: 25%", False), ("ovsHardwareOffloadConfig: {name: a}", False)],
)
def test_a_pool_of_nodes_without_a_limit_is_told(spec: str, told: bool) -> None:
    """The operator drains all of its nodes in parallel; netplan writes a limit."""
    text = POOL_CONFIG.replace("maxUnavailable: 25%", spec or "nodeSelector: {}")
    remarks = import_texts({"x.yaml": text}, "site").remarks
    found = [str(remark) for remark in remarks if "maxUnavailable is not set" in str(remark)]
    assert [each.partition(": SriovNetworkPoolConfig")[0] for each in found] == ["x.yaml:4"] * told


def test_what_an_environment_holds_is_in_no_message() -> None:
    proxy = [{"name": "HTTPS_PROXY", "value": "https://me:hunter2@proxy.example"}]
    result = policy(ofedDriver={**image("doca-driver"), "env": proxy})
    (remark,) = result.remarks
    assert "spec.ofedDriver.env 'HTTPS_PROXY'" in remark.text
    assert "hunter2" not in result.text + remark.text
    (other,) = policy(ibKubernetes={"env": proxy}).remarks
    assert 'spec.ibKubernetes \'{"env": "..."}\'' in other.text


def labelled(**labels: str) -> Imported:
    """A GPU node with the labels, and a node of the control plane; keys with _ for a slash."""
    named = {key.replace("__", "/").replace("_", "-"): value for key, value in labels.items()}
    states = [node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])]
    control = node("control-1", {"node-role.kubernetes.io/control-plane": ""}, 0)
    return import_texts({"x.yaml": listed([node("gpu-1", named, 8), control, *states])}, "site")


@pytest.mark.parametrize(
    ("labels", "name", "selector"),
    [
        ({"node-role.kubernetes.io__gpu": ""}, "gpu", {"node-role.kubernetes.io/gpu": ""}),
        ({"example.com__rdma": ""}, "rdma", {"example.com/rdma": ""}),
        (
            {"node-role.kubernetes.io__gpu": "", "example.com__kind": "h200"},
            "h200",
            {"example.com/kind": "h200"},
        ),
        (
            {"node-role.kubernetes.io__gpu": "", "nvidia.com__gpu.product": "H200"},
            "gpu",
            {"node-role.kubernetes.io/gpu": ""},
        ),
        ({"node-role.kubernetes.io__control-plane": ""}, "type-1", "TODO"),
        ({"kubernetes.io__os": ""}, "type-1", "TODO"),
    ],
)
def test_a_label_without_a_value_is_one(labels: dict[str, str], name: str, selector: Any) -> None:
    """The order: labels that people made, roles of nodes, labels of feature discovery."""
    found = data(labelled(**labels))["host_types"]
    assert {kind: row["node_selector"] for kind, row in found.items()} == {name: selector}


def test_a_selector_with_an_empty_value_takes_the_nodes_that_have_the_label() -> None:
    wanted = POLICY.replace("numVfs: 8", 'numVfs: 8, nodeSelector: {node-role.kubernetes.io/gpu: ""}')
    nodes = [node("gpu-1", {"node-role.kubernetes.io/gpu": ""}, 8), node("gpu-2", {}, 8)]
    states = [node_state(f"gpu-{n}", [interface("0000:18:00.0", "ens1", 100)]) for n in (1, 2)]
    found = data(import_texts({"x.yaml": wanted + listed([*nodes, *states])}, "site"))["host_types"]
    assert [{**row["hcas"]["roce0"]}.get("vfs") for row in found.values()] == [8, None]


def test_a_policy_by_vendor_alone_takes_every_card() -> None:
    found = data(import_texts({"x.yaml": POLICY + state("shared")}, "site"))["host_types"]
    assert found["type-1"]["hcas"]["roce0"]["vfs"] == 8


def test_vfs_that_something_else_makes() -> None:
    managed = POLICY.replace("numVfs: 8", "numVfs: 8, externallyManaged: true")
    owners = data(import_texts({"x.yaml": managed + state("shared")}, "site"))["cluster"]["owners"]
    assert (owners["vfs"], owners["device_plugin"]) == ("host", "sriov-network-operator")


def test_an_imported_policy_is_rendered_with_its_images() -> None:
    """Nothing is asked about them, and NP704 has nothing to say."""
    own = "repository: reg.example/a, version: network-operator-v26.4.1"
    text = OPERATED.replace("version: network-operator-v26.4.1", own).replace("Size: 8", "Size: 16")
    text = text.replace("image: doca-driver,", "image: doca-driver, repository: reg.example/a,")
    text = text.replace("networkNamespace: training", "networkNamespace: a")
    alike = text.replace("vlan: 100,", """vlan: 100, metaPlugins: '{"type": "sbr"}',""") + TEMPLATE
    found = compile_texts({"site.yaml": filled(operated(alike).text)})
    assert [d.message for d in found.diagnostics if d.severity == 2] == []
    path = "kubernetes/20-operator/network-operator/nic-cluster-policy.yaml"
    (made,) = [yaml.safe_load(each.text) for each in found.artifacts if each.path == path]
    assert made["spec"]["global"] == {"repository": "reg.example/a", "version": "network-operator-v26.4.1"}
    assert made["spec"]["ofedDriver"] == {"image": "doca-driver", "version": "doca3.4.0-26.04-0.8.6.0-0"}


def test_a_component_that_something_else_deploys_is_asked_about() -> None:
    """netplan would deploy it with the policy: NP704 wants its image."""
    asked = "the policy has none for ofedDriver, nvIpam, nicConfigurationOperator.operator, nicConf"
    assert f"# TODO: repository of the operator's images; {asked}" in operated(OPERATED + TEMPLATE).text


OPERATOR_CONFIG = """---
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovOperatorConfig
metadata: {name: default, namespace: operators}
spec: {featureGates: {dynamicResourceAllocation: true}}
"""


def test_who_advertises_devices_where_the_operator_has_a_gate_for_it() -> None:
    """The gate is a wish that released operators ignore; slices of devices show who does."""

    def plugin(*parts: str) -> str:
        result = import_texts({"x.yaml": "".join((POLICY, state("exclusive"), *parts))}, "site")
        (line,) = [each.strip() for each in result.text.splitlines() if "    device_plugin:" in each]
        return line

    def devices(driver: str) -> str:
        head = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\n"
        return f"{head}spec: {{driver: {driver}, nodeName: gpu-1}}\n"

    sriov = devices("sriovnetwork.k8snetworkplumbingwg.io")
    assert plugin().startswith("device_plugin: sriov-network-operator #")
    assert plugin(OPERATOR_CONFIG.replace("true", "false")) == plugin()
    asked = plugin(OPERATOR_CONFIG)
    assert asked.startswith("device_plugin: TODO # TODO: dra-driver-sriov if it runs, else sriov-network-")
    assert plugin(OPERATOR_CONFIG, sriov).startswith("device_plugin: dra-driver-sriov # x.yaml:")
    assert plugin(devices("gpu.nvidia.com")) == plugin()
    both = plugin(sriov, devices("dra.net"))
    assert "sources disagree: dra-driver-sriov (x.yaml:" in both
