"""Edge cases, one fact per case: findings about what operators, device plugins and charts read."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from tests.unit.test_edges_objects import MAP, Objects, said, shared
from tests.unit.test_edges_objects_networks import mode
from tests.unit.test_edges_rules import named, nic_template, pool, pool_config, thing, vf_policy

MULTUS_RESOURCE = "k8s.v1.cni.cncf.io/resourceName"
A, B = {"matchLabels": {"a": "1"}}, {"matchLabels": {"a": "2"}}


def values(*bodies: dict[str, Any]) -> list[str]:
    """``file place: message`` of NP792 and NP793 for values of charts in a directory each."""
    texts = {f"{name}/values.yaml": yaml.safe_dump(body) for name, body in zip("abc", bodies, strict=False)}
    texts["x.yaml"] = yaml.safe_dump(named(MAP, "x"))  # values alone are no object
    found = [d for d in rendered_texts(texts).diagnostics if d.code in ("NP792", "NP793")]
    return [f"{str(d.source)[0]} {'.'.join(map(str, d.path))}: {d.message.partition(': ')[2]}" for d in found]


def configured(*entries: dict[str, Any], shared: bool = False, **more: Any) -> dict[str, Any]:
    """Configuration of a device plugin."""
    config = {"configList" if shared else "resourceList": [*entries]}
    return {**named(MAP, "devices"), "data": {"config.json": json.dumps(config)}, **more}


def entry(name: str = "rail", selectors: Any = None, **more: Any) -> dict[str, Any]:
    return {"resourceName": name, "selectors": selectors or {"pfNames": ["ens1"]}, **more}


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("other", ["rail", 7, None, ["rail"]])
def test_a_resource_that_is_no_object_is_left_out(shared: bool, other: Any) -> None:
    wanting = {MULTUS_RESOURCE: "nvidia.com/rail"}
    given = {**named(MAP, "devices"), **configured(other, entry(), shared=shared)}
    nad = thing("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", config="{}")
    nad["metadata"]["annotations"] = wanting
    assert said("NP756", [given, nad]) == said("NP756", [configured(entry(), shared=shared), nad])


def filtered(name: str = "drv", nodes: Any = None, **filters: Any) -> dict[str, Any]:
    """A policy of the SR-IOV DRA driver."""
    spec: dict[str, Any] = {"configs": [{"resourceFilters": [filters]}]}
    spec |= {"nodeSelector": nodes} if nodes else {}
    return thing("sriovnetwork.k8snetworkplumbingwg.io/v1alpha1", "SriovResourcePolicy", name, **spec)


def term(*expressions: Any, **more: Any) -> dict[str, Any]:
    return {"nodeSelectorTerms": [{"matchExpressions": [*expressions], **more}]}


def label(key: str, *found: str, operator: str = "In") -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": [*found]}


def of_nodes(**labels: str) -> dict[str, Any]:
    """The RDMA shared device plugin on nodes with these labels."""
    return thing("mellanox.com/v1alpha1", "NicNodePolicy", nodeSelector=labels, **PLUGIN)


NICS = "configuration.net.nvidia.com/v1alpha1"


def firmware(wanted: str, name: str = "a") -> dict[str, Any]:
    part = {"nicFirmwareSourceRef": wanted, "updatePolicy": "Update"}
    return thing(NICS, "NicFirmwareTemplate", name, nicSelector={"nicType": "1023"}, template=part)


def source(name: str) -> dict[str, Any]:
    return thing(NICS, "NicFirmwareSource", name, binUrlSources=["https://example.com/fw.zip"])


def without_gateway(**spec: Any) -> dict[str, Any]:
    given = pool(**spec)
    del given["spec"]["gateway"]
    return given


PLUGIN: dict[str, Any] = {
    "rdmaSharedDevicePlugin": {"config": '{"configList": [{"resourceName": "x", "rdmaHcaMax": 9}]}'}
}
KEPT_AWAY = thing(
    "mellanox.com/v1alpha1", "NicClusterPolicy", "nic-cluster-policy", nodeAffinity={"x": 1}, **PLUGIN
)
ON_A = {**mode("exclusive"), "spec": {"rdmaMode": "exclusive", "nodeSelector": A}}
LOW = {"startIP": "10.0.0.0", "endIP": "10.0.0.99"}
HIGH = {"startIP": "10.0.0.100", "endIP": "10.0.0.255"}
FIRST_TWO = {"startIP": "10.0.0.0", "endIP": "10.0.0.1"}
FIRST = {"startIP": "10.0.0.0", "endIP": "10.0.0.0"}


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP789", [thing("mellanox.com/v1alpha1", "NicClusterPolicy", "nic-cluster-policy")], []),
        (
            "NP789",
            [thing("mellanox.com/v1alpha1", "NicClusterPolicy", "other")],
            ["metadata.name: only nic-cluster-policy is read, this one is named other"],
        ),
        (
            "NP789",
            [thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig", "other")],
            ["metadata.name: only default is read, this one is named other"],
        ),
        ("NP789", [thing("mellanox.com/v1alpha1", "NicClusterPolicy", "x-${N}")], []),
        ("NP789", [thing("mellanox.com/v1alpha1", "NicClusterPolicy", "of-2020", devicePlugin={})], []),
        ("NP790", [pool_config(maxUnavailable="1000%")], ["spec.maxUnavailable: maxUnavailable is 1000%"]),
        ("NP790", [pool_config(maxUnavailable="0100%")], ["spec.maxUnavailable: maxUnavailable is 0100%"]),
        ("NP790", [pool_config(maxUnavailable="${N}")], []),
        (
            "NP790",
            [pool_config(ovsHardwareOffloadConfig={"name": "x"}, nodeSelector=A, maxUnavailable=1)],
            [
                "spec.nodeSelector: nodeSelector cannot be combined with ovsHardwareOffloadConfig.name",
                "spec.maxUnavailable: maxUnavailable cannot be combined with ovsHardwareOffloadConfig.name",
            ],
        ),
        (
            "NP790",
            [
                pool_config(nodeSelector=A),
                named(pool_config(nodeSelector=A), "y"),
                named(pool_config(nodeSelector=B), "z"),
            ],
            ["spec.nodeSelector: it selects the nodes of SriovNetworkPoolConfig apps/x at a.yaml:1:1"],
        ),
        ("NP790", [pool_config(nodeSelector=A), pool_config(nodeSelector=A)], []),
        (
            "NP791",
            [mode("exclusive"), shared()],
            [
                (
                    "data.config.json: the RDMA-shared plugin runs there, but SriovNetworkPoolConfig "
                    "apps/x sets rdmaMode exclusive"
                )
            ],
        ),
        ("NP791", [mode("shared"), shared()], []),
        ("NP791", [mode("exclusive"), configured(entry())], []),
        (
            "NP791",
            [ON_A, shared()],
            [
                (
                    "data.config.json: the RDMA-shared plugin runs there, but SriovNetworkPoolConfig "
                    "apps/x sets rdmaMode exclusive"
                )
            ],
        ),
        (
            "NP791",
            [ON_A, of_nodes(a="1")],
            [
                (
                    "spec.rdmaSharedDevicePlugin.config: the RDMA-shared plugin runs there, but "
                    "SriovNetworkPoolConfig apps/x sets rdmaMode exclusive"
                )
            ],
        ),
        ("NP791", [ON_A, of_nodes(a="2")], []),
        (
            "NP791",
            [ON_A, of_nodes(a="1", b="2")],
            [
                (
                    "spec.rdmaSharedDevicePlugin.config: the RDMA-shared plugin runs there, but "
                    "SriovNetworkPoolConfig apps/x sets rdmaMode exclusive"
                )
            ],
        ),
        (
            "NP791",
            [mode("exclusive"), of_nodes(a="2")],
            [
                (
                    "spec.rdmaSharedDevicePlugin.config: the RDMA-shared plugin runs there, but "
                    "SriovNetworkPoolConfig apps/x sets rdmaMode exclusive"
                )
            ],
        ),
        ("NP791", [ON_A, KEPT_AWAY], []),
        (
            "NP791",
            [mode("exclusive"), KEPT_AWAY],
            [
                (
                    "spec.rdmaSharedDevicePlugin.config: the RDMA-shared plugin runs there, but "
                    "SriovNetworkPoolConfig apps/x sets rdmaMode exclusive"
                )
            ],
        ),
        (
            "NP794",
            [nic_template(numVfs=4), vf_policy(nicSelector={"deviceID": "1021"})],
            [
                (
                    "spec.template.numVfs: the firmware is set to 4 VFs, but SriovNetworkNodePolicy "
                    "apps/x at a.yaml:22:3 wants 8"
                )
            ],
        ),
        ("NP794", [nic_template(numVfs=8), vf_policy(nicSelector={"deviceID": "1021"})], []),
        (
            "NP794",
            [nic_template(), named(nic_template(), "y"), named(nic_template(), "z")],
            [
                (
                    "spec.nicSelector: it is for the same NICs as NicConfigurationTemplate apps/x at "
                    "a.yaml:1:1"
                ),
                (
                    "spec.nicSelector: it is for the same NICs as NicConfigurationTemplate apps/x at "
                    "a.yaml:1:1"
                ),
                (
                    "spec.nicSelector: it is for the same NICs as NicConfigurationTemplate apps/y at "
                    "a.yaml:15:1"
                ),
            ],
        ),
        ("NP794", [firmware("spectrum-x"), source("spectrum-x")], []),
        ("NP794", [firmware("spectrum-x")], []),
        ("NP794", [firmware("spectrum-x"), source("other")], []),
        (
            "NP794",
            [firmware("spectrum"), source("spectrum-x")],
            ["spec.template.nicFirmwareSourceRef: NicFirmwareSource spectrum is not in the directory"],
        ),
        (
            "NP794",
            [firmware("spectrum"), source("spectrum-x"), source("spectrum-y")],
            ["spec.template.nicFirmwareSourceRef: NicFirmwareSource spectrum is not in the directory"],
        ),
        ("NP794", [firmware("${name}"), source("spectrum-x")], []),
        ("NP794", [firmware("fw-22-44"), firmware("fw-22-45", "b"), source("fw-22-44")], []),
        (
            "NP794",
            [firmware("fw-22-45"), source("fw-22-44")],
            ["spec.template.nicFirmwareSourceRef: NicFirmwareSource fw-22-45 is not in the directory"],
        ),
        ("NP794", [nic_template(), nic_template()], []),
        ("NP794", [nic_template(linkType="Infiniband", roceOptimized={"enabled": False})], []),
        (
            "NP794",
            [
                nic_template(),
                {**named(nic_template(), "y"), "spec": {**nic_template()["spec"], "nodeSelector": {}}},
            ],
            [("spec.nicSelector: it is for the same NICs as NicConfigurationTemplate apps/x at a.yaml:1:1")],
        ),
        (
            "NP794",
            [
                nic_template(),
                {
                    **named(nic_template(), "y"),
                    "spec": {**nic_template()["spec"], "nodeSelector": {"a": "b"}},
                },
            ],
            [],
        ),
    ],
)
def test_what_operators_read(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP788", [configured(entry(), entry("two", {"pfNames": ["ens2"]}))], []),
        (
            "NP788",
            [
                configured(
                    entry(), entry(selectors={"pfNames": ["ens2"]}), entry(selectors={"pfNames": ["ens3"]})
                )
            ],
            [
                "data.config.json.resourceList.1.resourceName: resource rail appears 3 times",
                "data.config.json.resourceList.2.resourceName: resource rail appears 3 times",
            ],
        ),
        (
            "NP788",
            [configured(entry(), entry("two"))],
            [
                (
                    "data.config.json.resourceList.1.selectors: two selects the same devices as rail, "
                    "which comes first and takes them all"
                )
            ],
        ),
        (
            "NP788",
            [configured(entry(), entry(resourcePrefix="b.com"))],
            [
                (
                    "data.config.json.resourceList.1.selectors: b.com/rail selects the same devices as "
                    "rail, which comes first and takes them all"
                )
            ],
        ),
        (
            "NP788",
            [
                configured(
                    entry(selectors=[{"pfNames": ["ens1"]}, {"pfNames": ["ens2"]}]),
                    entry("two", [{"pfNames": ["ens3"]}, {"pfNames": ["ens2"]}]),
                )
            ],
            [
                (
                    "data.config.json.resourceList.1.selectors.1: two selects the same devices as rail, "
                    "which comes first and takes them all"
                )
            ],
        ),
        ("NP788", [configured(entry(), entry("two"), shared=True)], []),
        (
            "NP788",
            [configured(entry(), entry(), shared=True)],
            ["data.config.json.configList.1.resourceName: resource rail appears 2 times"],
        ),
        (
            "NP788",
            [configured(entry(selectors={"drivers": ["mlx5_ib"]}))],
            [
                (
                    "data.config.json.resourceList.0.selectors.drivers: "
                    "data.config.json.resourceList[0].selectors.drivers is mlx5_ib, which is not a PCI "
                    "driver"
                )
            ],
        ),
        ("NP788", [configured(entry(selectors={"drivers": ["mlx5_ib", "mlx5_core"]}))], []),
        ("NP788", [configured(entry(selectors={"drivers": ["mlx5_ib"]}), shared=True)], []),
        (
            "NP788",
            [
                configured(
                    entry(selectors={"pfNames": ["ens1#0-3", "ENS1#4", "ens2"], "rootDevices": ["a", "a#1"]})
                )
            ],
            [
                (
                    "data.config.json.resourceList.0.selectors.pfNames.1: ENS1#4 is ignored: only the "
                    "first element of ens1 counts, ens1#0-3"
                ),
                (
                    "data.config.json.resourceList.0.selectors.rootDevices.1: a#1 is ignored: only the "
                    "first element of a counts, a"
                ),
            ],
        ),
        ("NP788", [configured(entry(selectors={"pfNames": ["ens1", "ens1"]}), shared=True)], []),
        ("NP788", [configured({"selectors": {"pfNames": ["a"]}}, {"selectors": {"pfNames": ["b"]}})], []),
        (
            "NP788",
            [
                configured(
                    entry(selectors={"vendors": ["15b3"], "pfNames": ["a"]}),
                    entry("two", {"pfNames": ["a"], "vendors": ["15b3"]}),
                )
            ],
            [
                (
                    "data.config.json.resourceList.1.selectors: two selects the same devices as rail, "
                    "which comes first and takes them all"
                )
            ],
        ),
        ("NP788", [configured(entry(selectors=[{}]), entry("two", [{}]))], []),
        ("NP788", [configured({"rdmaHcaMax": 9}, {"rdmaHcaMax": 9}, shared=True)], []),
    ],
)
def test_entries_of_a_device_plugin_have_devices_of_their_own(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("bodies", "told"),
    [
        (
            [
                {"nfd": {"enabled": True}, "driver": {}},
                {"nfd": {"enabled": True}, "sriovNetworkOperator": {}},
            ],
            ["a nfd.enabled: nfd.enabled is true here and at b/values.yaml:2:3"],
        ),
        (
            [
                {"nfd": {"enabled": True}, "driver": {}},
                {"nfd": {"enabled": False}, "sriovNetworkOperator": {}},
            ],
            [],
        ),
        (
            [
                {"nfd": {"enabled": False}, "driver": {}},
                {"nfd": {"enabled": True}, "sriovNetworkOperator": {}},
            ],
            [],
        ),
        ([{"nfd": {"enabled": True}, "driver": {}}, {"nfd": {"enabled": True}, "other": {}}], []),
        ([{"nfd": {"enabled": True}, "driver": {}, "sriovNetworkOperator": {}}], []),
        ([{"nfd": {"enabled": True}}, {"nfd": {"enabled": True}, "sriovNetworkOperator": {}}], []),
        ([{"deployCR": False}], ["a deployCR: charts from 24.10 on ignore deployCR"]),
        (
            [{"ofedDriver": {"deploy": False}, "nvIpam": {"deploy": True}, "ibKubernetes": {}}],
            ["a ofedDriver: charts from 24.10 on ignore ofedDriver, nvIpam"],
        ),
        ([{"nvIpam": {"deploy": True}}], []),
    ],
)
def test_values_of_charts(bodies: Objects, told: list[str]) -> None:
    """One chart deploys Node Feature Discovery; the chart of today ignores values of an older one."""
    assert values(*bodies) == told
