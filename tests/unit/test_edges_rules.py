"""Edge cases, one fact per case: findings of the rules for foreign Kubernetes objects, one object at a time.

A row is what stands in the files, the code, and the values that its only finding names; None: there is none.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from netplan.rules.kubernetes.pools import _ranges as ranges
from netplan.rules.kubernetes.versions import _age as age
from netplan.rules.kubernetes.whereabouts import range_of

Row = tuple[dict[str, Any], str, str | None]


def nad(*plugins: dict[str, Any]) -> dict[str, Any]:
    config = {"cniVersion": "1.0.0", "name": "rail", "plugins": list(plugins)}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "rail", "namespace": "apps"},
        "spec": {"config": json.dumps(config)},
    }


def thing(api: str, kind: str, name: str = "x", **spec: Any) -> dict[str, Any]:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "apps"}, "spec": spec}


def ranged(**span: Any) -> dict[str, Any]:
    return nad({"type": "macvlan", "master": "eth7", "ipam": {"type": "whereabouts", **span}})


def policy(*names: str, vfs: int = 8) -> dict[str, Any]:
    selector = {"vendor": "15b3", "pfNames": list(names)}
    spec: dict[str, Any] = {
        "resourceName": "rail",
        "numVfs": vfs,
        "nodeSelector": {"a": "b"},
        "nicSelector": selector,
    }
    return thing("sriovnetwork.openshift.io/v1", "SriovNetworkNodePolicy", **spec)


def vf_policy(**spec: Any) -> dict[str, Any]:
    own = {"resourceName": "rail", "numVfs": 8, "nodeSelector": {"a": "b"}}
    plain = {**own, "nicSelector": {"vendor": "15b3", "pfNames": ["ens1"]}}
    return thing("sriovnetwork.openshift.io/v1", "SriovNetworkNodePolicy", **{**plain, **spec})


def pool_config(**spec: Any) -> dict[str, Any]:
    return thing("sriovnetwork.openshift.io/v1", "SriovNetworkPoolConfig", **spec)


def pool(kind: str = "IPPool", **spec: Any) -> dict[str, Any]:
    own: dict[str, Any] = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.1"}
    return thing("nv-ipam.nvidia.com/v1alpha1", kind, **(own if kind == "IPPool" else {}) | spec)


def cidr(**spec: Any) -> dict[str, Any]:
    return pool("CIDRPool", **{"cidr": "10.0.0.0/16", "perNodeNetworkPrefix": 24, "gatewayIndex": 1, **spec})


def excluded(start: str, end: str) -> dict[str, Any]:
    return pool(exclusions=[{"startIP": start, "endIP": end}])


def job(name: str = "j", workers: int = 2, launchers: int = 1) -> dict[str, Any]:
    def role(count: int) -> dict[str, Any]:
        return {"replicas": count, "template": {"spec": {"containers": [{"name": "a", "image": "b"}]}}}

    roles = {"Launcher": role(launchers), "Worker": role(workers)}
    return thing("kubeflow.org/v2beta1", "MPIJob", name, mpiReplicaSpecs=roles)


def nic_template(**part: Any) -> dict[str, Any]:
    selector = {"nicType": "1021", "pciAddresses": ["0000:1a:00.0"]}
    inner = {"numVfs": 8, "linkType": "Ethernet", **part}
    return thing(
        "configuration.net.nvidia.com/v1alpha1",
        "NicConfigurationTemplate",
        nicSelector=selector,
        template=inner,
    )


def spectrum_x(
    kind: str = "1023", mode: str | None = None, planes: int | None = None, enabled: bool = True, **part: Any
) -> dict[str, Any]:
    settings = {"enabled": enabled, "version": "RA2.1", "platformType": "hgx"}
    stated = {"multiplaneMode": mode, "numberOfPlanes": planes}
    settings |= {key: value for key, value in stated.items() if value is not None}
    inner = {"numVfs": 1, "linkType": "Ethernet", "spectrumXOptimized": settings, **part}
    inner = {key: value for key, value in inner.items() if value is not None}
    given = nic_template()
    given["spec"] = {"nicSelector": {"nicType": kind}, "template": inner}
    return given


ON = {"enabled": True, "env": "Baremetal"}
IB = {"type": "ib-sriov", "link_state": "auto"}
MACVLAN = {"type": "macvlan", "master": "eth7"}
ROWS: list[Row] = [
    (
        nad({**IB, "rdmaIsolation": True}, {"type": "rdma"}),
        "NP770",
        "rdmaIsolation rdma",
    ),
    (nad({**IB, "rdmaIsolation": False}, {"type": "rdma"}), "NP770", None),
    (nad({**IB, "rdmaIsolation": True}), "NP770", None),
    (nad(MACVLAN, {"type": "tuning"}, {"type": "tuning"}), "NP770", None),
    (nad(MACVLAN, {"type": "sbr"}, {"type": "sbr"}), "NP770", "sbr"),
    (nad(MACVLAN, {"type": "tuning"}), "NP770", None),
    (nad(MACVLAN, {"mtu": 9000}), "NP770", "type"),
    (ranged(range="10.0.0.0/30"), "NP777", None),
    (ranged(range="10.0.0.0/31"), "NP777", "10.0.0.0/31"),
    (
        ranged(range="10.0.0.0/24", range_start="10.0.1.1"),
        "NP777",
        "10.0.1.1 10.0.0.0/24",
    ),
    (
        ranged(range="10.0.0.0/24", range_end="10.0.1.1"),
        "NP777",
        "10.0.1.1 10.0.0.0/24",
    ),
    (
        ranged(range="10.0.0.0/24", range_start="10.0.0.9", range_end="10.0.0.8"),
        "NP777",
        "10.0.0.8 10.0.0.9",
    ),
    (ranged(range="10.0.0.9-10.0.0.8/24"), "NP777", "10.0.0.8 10.0.0.9"),
    (ranged(range="10.0.0.0/24", range_start="10.0.0.8", range_end="10.0.0.8"), "NP777", None),
    (ranged(range="10.0.0.0/33"), "NP777", "10.0.0.0/33"),
    (policy("ens1#0-7"), "NP783", None),
    (policy("ens1#0-8"), "NP783", "ens1#0-8 numVfs 8 7"),
    (policy("ens1#3-3"), "NP783", None),
    (policy("ens1#4-3"), "NP783", "ens1#4-3"),
    (policy("ens1#3"), "NP783", "ens1#3"),
    (
        policy("ens1#0-3", "ens1#4-7"),
        "NP783",
        "ens1#4-7 ens1#0-3",
    ),
    (policy("ens1#0-3", "ens2#4-7"), "NP783", None),
    (excluded("10.0.0.9", "10.0.0.9"), "NP778", None),
    (excluded("10.0.0.9", "10.0.0.8"), "NP778", "10.0.0.9 10.0.0.8 backwards"),
    (excluded("10.0.0.9", "10.0.1.0"), "NP778", "10.0.0.9 10.0.1.0 10.0.0.0/24"),
    (
        excluded("9.255.255.255", "10.0.0.0"),
        "NP778",
        "9.255.255.255 10.0.0.0/24",
    ),
    (pool(perNodeBlockSize=254), "NP778", None),
    (pool(perNodeBlockSize=255), "NP778", "255 10.0.0.0/24 254"),
    (pool(gateway="10.0.1.0"), "NP778", "10.0.1.0 10.0.0.0/24"),
    (cidr(perNodeNetworkPrefix=16), "NP778", None),
    (cidr(perNodeNetworkPrefix=15), "NP778", "15 10.0.0.0/16"),
    (cidr(perNodeNetworkPrefix=32, gatewayIndex=0), "NP778", None),
    (cidr(gatewayIndex=254), "NP778", None),
    (cidr(gatewayIndex=255), "NP778", "gatewayIndex 255 /24"),
    (cidr(perNodeNetworkPrefix=31, gatewayIndex=1), "NP778", None),
    (cidr(perNodeNetworkPrefix=31, gatewayIndex=2), "NP778", "gatewayIndex 2 /31"),
    (cidr(gatewayIndex=0), "NP778", "gatewayIndex 0 /24"),
    (cidr(perNodeNetworkPrefix=31, gatewayIndex=0), "NP778", None),
    (job(), "NP768", None),
    (job(launchers=2), "NP768", "2"),
    (job(workers=0), "NP768", "Worker"),
    (job(workers=1), "NP768", None),
    (job("j" * 54), "NP768", None),
    (
        job("j" * 55),
        "NP768",
        f"{'j' * 55}-worker-1 64 63",
    ),
    (nic_template(gpuDirectOptimized=ON), "NP794", "gpuDirectOptimized pciPerformanceOptimized"),
    (nic_template(gpuDirectOptimized=ON, pciPerformanceOptimized=ON), "NP794", None),
    (
        nic_template(linkType="Infiniband", roceOptimized={"enabled": True}),
        "NP794",
        "roceOptimized Infiniband",
    ),
    *(
        (spectrum_x(**change), "NP794", said)
        for change, said in (
            ({}, None),
            ({"kind": "1025"}, None),
            ({"kind": "a2dc"}, None),
            ({"kind": "1021"}, "spectrumXOptimized 1021"),
            ({"kind": "1021", "enabled": False}, None),
            ({"linkType": "Infiniband"}, "spectrumXOptimized Infiniband"),
            ({"linkType": None}, None),
            ({"numVfs": 2}, "spectrumXOptimized 2 VFs"),
            ({"numVfs": 2, "enabled": False}, None),
            ({"roceOptimized": {"enabled": True}}, "roceOptimized spectrumXOptimized"),
            ({"roceOptimized": {"enabled": False}}, None),
            ({"mode": "none", "planes": 1}, None),
            ({"mode": "none", "planes": 2}, "multiplaneMode none 2"),
            ({"mode": "swplb", "planes": 2}, None),
            ({"mode": "swplb", "planes": 1}, "multiplaneMode swplb 1"),
            ({"mode": "hwplb", "planes": 4}, None),
            ({"mode": "hwplb", "planes": 4, "kind": "1025"}, None),
            ({"mode": "hwplb", "planes": 4, "kind": "a2dc"}, "multiplaneMode hwplb BlueField-3"),
        )
    ),
    (spectrum_x(kind="1025", linkType=None, networkBay={"conf": "x"}), "NP794", None),
    (spectrum_x(kind="1023", linkType=None, networkBay={"conf": "x"}), "NP794", "networkBay 1023"),
    (spectrum_x(kind="1025", networkBay={"conf": "x"}), "NP794", "linkType networkBay"),
    (vf_policy(numVfs=0), "NP785", "0"),
    (vf_policy(numVfs=1), "NP785", None),
    (vf_policy(numVfs=128), "NP785", None),
    (vf_policy(numVfs=129), "NP785", "129 128"),
    (vf_policy(numVfs=129, nicSelector={"vendor": "8086", "pfNames": ["ens1"]}), "NP785", None),
    (vf_policy(deviceType="vfio-pci", isRdma=True), "NP784", "isRdma vfio-pci"),
    (vf_policy(deviceType="vfio-pci"), "NP784", None),
    (vf_policy(deviceType="netdevice", isRdma=True), "NP784", None),
    (vf_policy(eSwitchMode="switchdev", linkType="ib"), "NP784", "switchdev ib"),
    (vf_policy(eSwitchMode="switchdev", linkType="ETH"), "NP784", None),
    (vf_policy(eSwitchMode="switchdev"), "NP784", None),
    (vf_policy(linkType="ib"), "NP784", None),
    (vf_policy(vdpaType="virtio", eSwitchMode="switchdev"), "NP784", None),
    (vf_policy(vdpaType="virtio"), "NP784", "vdpaType virtio switchdev"),
    (
        vf_policy(vdpaType="virtio", eSwitchMode="switchdev", deviceType="vfio-pci"),
        "NP784",
        "vdpaType netdevice",
    ),
    (vf_policy(bridge={"ovs": {}}, eSwitchMode="switchdev"), "NP784", None),
    (vf_policy(bridge={"ovs": {}}), "NP784", "bridge switchdev"),
    (vf_policy(bridge={"ovs": {}}, eSwitchMode="switchdev", externallyManaged=True), "NP784", "bridge"),
    (vf_policy(nicSelector={}), "NP782", "nicSelector"),
    (vf_policy(nicSelector={"vendor": ""}), "NP782", "nicSelector"),
    (vf_policy(nicSelector={"vendor": "15b3"}), "NP782", None),
    (vf_policy(nicSelector={"netFilter": "x"}), "NP782", None),
    (vf_policy(nicSelector={"netFilter": "x", "vendor": "15b3"}), "NP782", "netFilter vendor"),
    (vf_policy(nicSelector={"netFilter": "x"}, eSwitchMode="switchdev"), "NP782", "netFilter eSwitchMode"),
    (vf_policy(resourceName="rail_0"), "NP781", None),
    (vf_policy(resourceName="x" * 63), "NP781", None),
    (vf_policy(resourceName="x" * 64), "NP781", "x"),
    (vf_policy(resourceName="nvidia.com/rail"), "NP781", "nvidia.com/rail"),
    (pool_config(maxUnavailable=0), "NP790", None),
    (pool_config(maxUnavailable=-1), "NP790", "-1"),
    (pool_config(maxUnavailable="1%"), "NP790", None),
    (pool_config(maxUnavailable="100%"), "NP790", None),
    (pool_config(maxUnavailable="0%"), "NP790", "0%"),
    (pool_config(maxUnavailable="101%"), "NP790", "101%"),
    (pool_config(maxUnavailable="x%"), "NP790", "x%"),
    (pool_config(ovsHardwareOffloadConfig={"name": "x"}), "NP790", None),
    (pool_config(ovsHardwareOffloadConfig={"name": "x"}, maxUnavailable=1), "NP790", "maxUnavailable"),
    (pool_config(ovsHardwareOffloadConfig={"name": ""}, maxUnavailable=1), "NP790", None),
]


@pytest.mark.parametrize(("given", "code", "said"), ROWS)
def test_a_rule_at_its_edge(given: dict[str, Any], code: str, said: str | None) -> None:
    result = rendered_texts({"a.yaml": yaml.safe_dump(given, sort_keys=False)})
    found = [each.message for each in result.diagnostics if each.code == code]
    assert len(found) == (said is not None), found
    assert all(word in message for message in found for word in str(said).split()), found
    assert result.checked[code]


def test_versions_of_an_api_are_ordered_as_kubernetes_orders_them() -> None:
    """kubernetes.io, versions in CustomResourceDefinitions: v10, v2, v1, v1beta2, v1beta1, v1alpha1."""
    names = ["x", "v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1", "v2", "v10"]
    assert sorted(sorted(names), key=age) == names
    assert age("x") == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "span", "low", "high"),
    [
        ("10.0.0.0/24", {}, "10.0.0.1", "10.0.0.254"),
        ("10.0.0.5-10.0.0.9/24", {}, "10.0.0.5", "10.0.0.9"),
        ("10.0.0.0/24", {"range_start": "10.0.0.5"}, "10.0.0.5", "10.0.0.254"),
        ("10.0.0.0/24", {"range_end": "10.0.0.5"}, "10.0.0.1", "10.0.0.5"),
    ],
)
def test_a_range_of_whereabouts(text: str, span: dict[str, str], low: str, high: str) -> None:
    found = range_of(text, span)
    assert (str(found.first), str(found.last)) == (low, high)


@pytest.mark.parametrize(
    ("ipam", "count"),
    [
        ({}, 6),
        ({"range_start": "10.0.0.0", "range_end": "10.0.0.7"}, 6),
        ({"range_start": "10.0.0.2", "range_end": "10.0.0.2"}, 1),
        ({"exclude": ["10.0.0.0/31"]}, 5),
        ({"exclude": ["10.0.0.6/31"]}, 5),
        ({"exclude": ["10.0.0.2/31", "10.0.0.2/32", "fd00::/64"]}, 4),
        ({"exclude": ["10.0.0.0/24"]}, 0),
        ({"exclude": ["10.0.0.2/31"], "range_start": "10.0.0.3"}, 3),
    ],
)
def test_addresses_that_a_range_of_whereabouts_has(ipam: dict[str, Any], count: int) -> None:
    """Never the first and the last of the network."""
    assert list(ranges({"range": "10.0.0.0/29", **ipam})) == [("range 10.0.0.0/29", count)]
    assert list(ranges({"range": "10.0.0.0/31", **ipam})) == []


def found(code: str, *given: dict[str, Any]) -> list[str]:
    result = rendered_texts({"a.yaml": yaml.safe_dump_all(given, sort_keys=False)})
    return [each.message for each in result.diagnostics if each.code == code]


def named(given: dict[str, Any], name: str, **meta: Any) -> dict[str, Any]:
    return {**given, "metadata": {**given["metadata"], "name": name, **meta}}


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (["ens1#0-3"], ["ens1#4-7"], None),
        (["ens1#0-3"], ["ens1#3-7"], "VF 3 to 3 of ens1"),
        (["ens1#3-7"], ["ens1#0-3"], "VF 3 to 3 of ens1"),
        (["ens1#0-7"], ["ens1#2-4"], "VF 2 to 4 of ens1"),
        (["ens1#0-3"], ["ens2#0-3"], None),
        (["ens1"], ["ens1#7-7"], "VF 7 to 7 of ens1"),
        (["ens1"], ["ens2"], None),
        (["ens2", "ens1"], ["ens1"], "VF 0 to 7 of ens1"),
    ],
)
def test_each_vf_belongs_to_one_policy(one: list[str], other: list[str], shared: str | None) -> None:
    pair = [
        named(vf_policy(nicSelector={"pfNames": names}), name) for names, name in ((one, "a"), (other, "b"))
    ]
    said = found("NP786", *pair)
    assert len(said) == (shared is not None)
    assert all(str(shared) in text for text in said)
    ranged = "#" in one[-1] and "#" in other[0]
    assert all(text.endswith(")") is not ranged for text in said)


@pytest.mark.parametrize(
    ("change", "meet"),
    [
        ({}, True),
        ({"nodeSelector": {"a": "c"}}, False),
        ({"nodeSelector": {"a": "b", "c": "d"}}, True),
        ({"nodeSelector": {}}, True),
        ({"nicSelector": {"vendor": "8086", "pfNames": ["ens1"]}}, False),
        ({"nicSelector": {"vendor": "15B3", "pfNames": ["ens1"]}}, True),
        ({"nicSelector": {"pfNames": ["ens1"]}}, True),
        ({"nicSelector": {"deviceID": "1021", "pfNames": ["ens1"]}}, True),
    ],
)
def test_policies_meet_where_labels_and_nics_are_of_both(change: dict[str, Any], meet: bool) -> None:
    one, other = named(vf_policy(), "a"), named(vf_policy(**change), "b")
    assert bool(found("NP786", one, other)) is meet
    assert bool(found("NP786", other, one)) is meet
    assert found("NP786", one, named(other, "b", namespace="elsewhere")) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, None),
        ({"isRdma": True}, "isRdma true false"),
        ({"isRdma": False}, None),
        ({"needVhostNet": True}, "needVhostNet"),
        ({"excludeTopology": True}, "excludeTopology"),
        ({"excludeTopology": True, "nodeSelector": {"a": "c"}}, "excludeTopology"),
        ({"isRdma": True, "nodeSelector": {"a": "c"}}, None),
        ({"isRdma": True, "resourceName": "other"}, None),
        ({"nicSelector": {"vendor": "15b3", "rootDevices": ["0000:19:00.0"]}}, "pfNames rootDevices"),
        ({"nicSelector": {"vendor": "15b3"}}, None),
    ],
)
def test_policies_of_one_resource_agree(change: dict[str, Any], words: str | None) -> None:
    said = found("NP787", named(vf_policy(), "a"), named(vf_policy(**change), "b"))
    assert len(said) == (words is not None), said
    assert all(word in text for text in said for word in str(words).split())


def test_a_node_has_one_pool_and_a_nic_one_template() -> None:
    nodes = {"nodeSelector": {"matchLabels": {"a": "b"}}}
    one, other = named(pool_config(**nodes), "one"), named(pool_config(**nodes), "other")
    assert len(found("NP790", one, other)) == 1
    assert found("NP790", one, named(pool_config(nodeSelector={"matchLabels": {"a": "c"}}), "other")) == []
    assert found("NP790", named(pool_config(), "one"), named(pool_config(), "other")) == []
    first, second = named(nic_template(), "one"), named(nic_template(), "other")
    assert len(found("NP794", first, second)) == 1
    second["spec"] = {**second["spec"], "nodeSelector": {"a": "b"}}
    assert found("NP794", first, second) == []


@pytest.mark.parametrize(
    ("vfs", "device", "root", "nodes", "few"),
    [
        (8, "1021", ["0000:1a:00.0"], {}, False),
        (9, "1021", ["0000:1a:00.0"], {}, True),
        (9, "1021", ["0000:1b:00.0"], {}, False),
        (9, "1023", ["0000:1a:00.0"], {}, False),
        (9, "1021", [], {}, True),
        (9, "1021", ["0000:1a:00.0"], {"a": "b"}, True),
    ],
)
def test_firmware_has_the_vfs_that_a_policy_wants(
    vfs: int, device: str, root: list[str], nodes: dict[str, str], few: bool
) -> None:
    selector = {"deviceID": device, **({"rootDevices": root} if root else {})}
    wanted = vf_policy(numVfs=vfs, nicSelector=selector, nodeSelector=nodes)
    assert len(found("NP794", nic_template(), wanted)) == few
    assert (
        len(
            found(
                "NP794",
                nic_template(),
                vf_policy(numVfs=9, nicSelector={"deviceID": "1021", "pfNames": ["x"]}),
            )
        )
        == 0
    )


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"deployCR": True}, "deployCR"),
        ({"ofedDriver": {"deploy": True}}, None),
        ({"ofedDriver": {"deploy": True}, "nvIpam": {"deploy": True}}, "ofedDriver nvIpam"),
        ({"ofedDriver": {"image": "x"}, "nvIpam": {"deploy": True}}, None),
    ],
)
def test_values_of_an_old_chart(values: dict[str, Any], words: str | None) -> None:
    result = rendered_texts({"values.yaml": yaml.safe_dump(values), "a.yaml": yaml.safe_dump(vf_policy())})
    said = [each.message for each in result.diagnostics if each.code == "NP792"]
    assert len(said) == (words is not None)
    assert all(word in text for text in said for word in str(words).split())
