"""Facts of one line each, at their edge: what the rules about anybody's Kubernetes objects say of one object.

A row is what stands in the files, the code, and the values that its only finding names; None: there is none.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from netplan.rules.kubernetes.pools import _ranges as ranges
from netplan.rules.kubernetes.shape import _age as age
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
    (nad(MACVLAN, {"type": "tuning"}, {"type": "tuning"}), "NP770", "tuning"),
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
    (cidr(gatewayIndex=255), "NP778", None),
    (cidr(gatewayIndex=256), "NP778", "gatewayIndex 256 /24"),
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
