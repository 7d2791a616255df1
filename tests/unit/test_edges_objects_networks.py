"""Edge cases, one fact per case: findings about networks, their devices and the policies that make them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import MAP, advised, said
from tests.unit.test_edges_rules import nad, named, thing, vf_policy

RESOURCE = "k8s.v1.cni.cncf.io/resourceName"
Objects = list[dict[str, Any]]


def rail(*plugins: dict[str, Any], name: str = "rail", of: str = "", **ipam: Any) -> dict[str, Any]:
    """A NAD of a resource; ``ipam`` belongs to the first plugin."""
    first, *rest = plugins or ({"type": "sriov"},)
    given = named(nad({**first, **({"ipam": ipam} if ipam else {})}, *rest), name)
    given["metadata"]["annotations"] = {RESOURCE: of} if of else {}
    return given


def operated(kind: str = "SriovNetwork", name: str = "rail", **spec: Any) -> dict[str, Any]:
    own = {"resourceName": "rail", "networkNamespace": "apps", **spec}
    return thing("sriovnetwork.openshift.io/v1", kind, name, **own)


def taking(networks: str, many: int = 1, resource: str = "openshift.io/rail", **more: Any) -> dict[str, Any]:
    limits = {resource: many, **more.pop("limits", {})}
    own = {"name": "a", "image": "b", "resources": {"limits": limits}}
    return pod(networks, containers=[own], **more)


def deployed(networks: str, replicas: Any, **spec: Any) -> dict[str, Any]:
    given = pod(networks, **spec)
    meta = {"labels": {"a": "b"}, "annotations": given["metadata"]["annotations"]}
    inner = {"metadata": meta, "spec": given["spec"]}
    own: dict[str, Any] = {"selector": {"matchLabels": {"a": "b"}}, "template": inner}
    own |= {} if replicas is None else {"replicas": replicas}
    named_so = {"name": "d", "namespace": "apps"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": named_so, "spec": own}


MACVLAN = {"type": "macvlan", "master": "eth7"}
SBR = {"type": "sbr"}
EVERYWHERE: dict[str, Any] = {"routes": [{"dst": "0.0.0.0/0"}]}
NV: dict[str, Any] = {"type": "nv-ipam", "poolName": "p"}


def mode(rdma: str, name: str = "x") -> dict[str, Any]:
    return thing("sriovnetwork.openshift.io/v1", "SriovNetworkPoolConfig", name, rdmaMode=rdma)


def injector(on: bool) -> dict[str, Any]:
    return thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig", "default", enableInjector=on)


def by_driver(kind: str) -> dict[str, Any]:
    """The SR-IOV DRA driver runs the network rail for a claim or class."""
    config = {"config": [{"opaque": {"parameters": {"netAttachDefName": "rail"}}}]}
    meta = {"name": "t", "namespace": "apps"}
    spec = config if kind == "DeviceClass" else {"spec": {"devices": config}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": meta, "spec": spec}


def nic(vendor: str, device: str) -> dict[str, Any]:
    return vf_policy(nicSelector={**({"vendor": vendor} if vendor else {}), "deviceID": device})


RANGE: dict[str, Any] = {"type": "whereabouts", "range": "10.0.0.0/24"}
OTHER_RANGE: dict[str, Any] = {**RANGE, "type": "host-local"}
LOCAL = rail(MACVLAN, type="host-local", subnet="10.0.0.0/24")
OF_RAIL = rail(of="openshift.io/rail")
WITH_RDMA = rail({"type": "sriov"}, {"type": "rdma"}, of="openshift.io/rail")
DEFAULT = rail(MACVLAN, type="whereabouts", **EVERYWHERE)
MOVED = '[{"name": "rail", "default-route": ["10.0.0.1"]}]'
OWN_IDS = {**named(MAP, "supported-nic-ids"), "data": {"Mine": "15b3 9999 999a"}}


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP669",
            [
                vf_policy(),
                rail(of="a.com/rail"),
                rail(of="a.com/rail", name="two"),
                rail(of="b.com/rail", name="three"),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/resourceName: b.com/rail has a different "
                    "prefix from a.com/rail, which other objects use"
                )
            ],
        ),
        (
            "NP669",
            [vf_policy(), taking("", resource="a.com/rail"), rail(of="b.com/rail")],
            [
                (
                    "spec.containers.0.resources.limits.a.com/rail: a.com/rail has a different prefix "
                    "from b.com/rail, which NetworkAttachmentDefinition apps/rail uses"
                )
            ],
        ),
        (
            "NP669",
            [
                vf_policy(),
                named(vf_policy(resourceName="rail2"), "y"),
                rail(of="b.com/rail"),
                rail(of="a.com/rail2", name="two"),
                taking("", resource="a.com/rail"),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/resourceName: b.com/rail has a different prefix "
                    "from a.com/rail, which Pod apps/train uses"
                )
            ],
        ),
        (
            "NP669",
            [
                vf_policy(),
                named(vf_policy(resourceName="rail2"), "y"),
                taking("", resource="a.com/rail"),
                rail(of="b.com/rail2"),
            ],
            [
                (
                    "spec.containers.0.resources.limits.a.com/rail: a.com/rail has a different prefix "
                    "from b.com/rail2, which NetworkAttachmentDefinition apps/rail uses"
                )
            ],
        ),
        ("NP669", [vf_policy(), taking("", resource="b.com/rail")], []),
        ("NP669", [vf_policy(), rail(of="a.com/other"), rail(of="b.com/other", name="two")], []),
        (
            "NP670",
            [rail({"type": "sriov", "vlan": 5}, **NV), rail({"type": "sriov", "vlan": 6}, name="two", **NV)],
            [
                (
                    "spec.config.plugins.0.vlan: it uses addresses of pool ippool p in VLAN 6, but "
                    "apps/rail does so in VLAN 5"
                )
            ],
        ),
        (
            "NP670",
            [
                rail({**MACVLAN, "master": "bond0.5"}, **NV),
                rail({**MACVLAN, "master": "bond0.6"}, name="two", **NV),
            ],
            [
                (
                    "spec.config.plugins.0.master: it uses addresses of pool ippool p in VLAN 6, but "
                    "apps/rail does so in VLAN 5"
                )
            ],
        ),
        (
            "NP670",
            [
                rail({**MACVLAN, "master": "bond0.5"}, **NV),
                rail({"type": "sriov", "vlan": 5}, name="two", **NV),
            ],
            [],
        ),
        (
            "NP670",
            [
                rail({**MACVLAN, "master": "bond0.5"}, **NV),
                rail({**MACVLAN, "master": "bond0"}, name="two", **NV),
            ],
            [],
        ),
        (
            "NP670",
            [
                rail({"type": "sriov", "vlan": 5}, **NV),
                rail({"type": "sriov", "vlan": 5}, name="two", **NV),
                rail({"type": "sriov", "vlan": 6}, name="three", **NV),
                rail({"type": "sriov", "vlan": 7}, name="four", **NV),
            ],
            [
                (
                    "spec.config.plugins.0.vlan: it uses addresses of pool ippool p in VLAN 6, but "
                    "apps/rail does so in VLAN 5"
                )
            ],
        ),
        (
            "NP670",
            [rail({"type": "sriov", "vlan": 5}, **NV), rail({"type": "sriov", "vlan": 0}, name="two", **NV)],
            [],
        ),
        (
            "NP670",
            [
                rail({"type": "sriov", "vlan": 5}, **NV),
                rail({"type": "sriov", "vlan": "6"}, name="two", **NV),
            ],
            [],
        ),
        (
            "NP670",
            [
                rail({"type": "sriov", "vlan": 5}, **RANGE),
                rail({"type": "sriov", "vlan": 6}, name="two", **RANGE),
            ],
            [
                (
                    "spec.config.plugins.0.vlan: it uses addresses of range 10.0.0.0/24 in VLAN 6, but "
                    "apps/rail does so in VLAN 5"
                )
            ],
        ),
        (
            "NP670",
            [
                rail({"type": "sriov", "vlan": 5}, **RANGE),
                rail({"type": "sriov", "vlan": 6}, name="two", type="whereabouts", range="10.0.1.0/24"),
            ],
            [],
        ),
        (
            "NP670",
            [
                rail({"type": "sriov", "vlan": 5}, **OTHER_RANGE),
                rail({"type": "sriov", "vlan": 6}, name="two", **OTHER_RANGE),
            ],
            [],
        ),
        (
            "NP671",
            [vf_policy(), WITH_RDMA],
            ["spec.isRdma: isRdma is not set, but the chain of apps/rail has RDMA"],
        ),
        (
            "NP671",
            [vf_policy(isRdma=False), WITH_RDMA],
            ["spec.isRdma: isRdma is false, but the chain of apps/rail has RDMA"],
        ),
        ("NP671", [vf_policy(isRdma=True), WITH_RDMA], []),
        ("NP671", [vf_policy(), rail({"type": "sriov"}, of="openshift.io/rail")], []),
        (
            "NP671",
            [vf_policy(), rail({"type": "ib-sriov", "rdmaIsolation": True}, of="openshift.io/rail")],
            ["spec.isRdma: isRdma is not set, but the chain of apps/rail has RDMA"],
        ),
        (
            "NP671",
            [vf_policy(), rail({"type": "ib-sriov", "rdmaIsolation": False}, of="openshift.io/rail")],
            [],
        ),
        ("NP671", [vf_policy(isRdma="${X}"), WITH_RDMA], []),
        ("NP671", [vf_policy(), named(vf_policy(isRdma=True), "other"), WITH_RDMA], []),
        (
            "NP671",
            [vf_policy(), named(vf_policy(), "other"), WITH_RDMA],
            [
                "spec.isRdma: isRdma is not set, but the chain of apps/rail has RDMA",
                "spec.isRdma: isRdma is not set, but the chain of apps/rail has RDMA",
            ],
        ),
        ("NP671", [vf_policy(), rail({"type": "sriov"}, {"type": "rdma"}, of="openshift.io/other")], []),
        (
            "NP672",
            [vf_policy(linkType="ib"), OF_RAIL],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/resourceName: sriov needs linkType eth, but "
                    "its VFs are InfiniBand: SriovNetworkNodePolicy apps/x at a.yaml:15:3"
                )
            ],
        ),
        (
            "NP672",
            [vf_policy(linkType="IB"), operated()],
            [
                (
                    "spec.resourceName: sriov needs linkType eth, but its VFs are InfiniBand: "
                    "SriovNetworkNodePolicy apps/x at a.yaml:15:3"
                )
            ],
        ),
        ("NP672", [vf_policy(linkType="eth"), operated()], []),
        (
            "NP672",
            [vf_policy(linkType="eth"), operated("SriovIBNetwork")],
            [
                (
                    "spec.resourceName: ib-sriov needs linkType ib, but its VFs are Ethernet: "
                    "SriovNetworkNodePolicy apps/x at a.yaml:15:3"
                )
            ],
        ),
        ("NP672", [vf_policy(linkType="ib"), operated("SriovIBNetwork")], []),
        ("NP672", [vf_policy(), operated("SriovIBNetwork")], []),
        ("NP672", [vf_policy(linkType="ib"), named(vf_policy(linkType="eth"), "other"), operated()], []),
        (
            "NP672",
            [vf_policy(linkType="ib"), named(vf_policy(linkType="ib"), "other"), operated()],
            [
                (
                    "spec.resourceName: sriov needs linkType eth, but its VFs are InfiniBand: "
                    "SriovNetworkNodePolicy apps/x at a.yaml:15:3"
                )
            ],
        ),
        ("NP672", [vf_policy(linkType="ib"), rail(MACVLAN, of="openshift.io/rail")], []),
    ],
)
def test_networks_and_the_policies_that_make_their_devices(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP673", [nic("15b3", "1021")], []),
        (
            "NP673",
            [nic("15b3", "101E")],
            ["spec.nicSelector.deviceID: deviceID 101e is that of virtual functions"],
        ),
        ("NP673", [nic("", "1021")], []),
        (
            "NP673",
            [nic("8086", "1021")],
            ["spec.nicSelector.deviceID: deviceID 1021 is of vendor 15b3, not of 8086"],
        ),
        (
            "NP673",
            [nic("15b3", "1592")],
            ["spec.nicSelector.deviceID: deviceID 1592 is of vendor 8086, not of 15b3"],
        ),
        (
            "NP673",
            [nic("15b3", "9999")],
            ["spec.nicSelector.deviceID: deviceID 9999 is not a known ID of an NVIDIA NIC"],
        ),
        ("NP673", [nic("8086", "9999")], []),
        ("NP673", [nic("", "9999")], []),
        (
            "NP673",
            [nic("8086", "1889")],
            ["spec.nicSelector.deviceID: deviceID 1889 is that of virtual functions"],
        ),
        ("NP673", [nic("15b3", "${ID}")], []),
        ("NP673", [nic("15b3", "9999"), OWN_IDS], []),
        (
            "NP673",
            [nic("15b3", "9998"), OWN_IDS],
            ["spec.nicSelector.deviceID: deviceID 9998 is not a known ID of an NVIDIA NIC"],
        ),
        ("NP674", [vf_policy(mtu=9978)], []),
        ("NP674", [vf_policy(mtu=9979)], ["spec.mtu: MTU 9979 is above 9978"]),
        ("NP674", [vf_policy(mtu=9979, nicSelector={"vendor": "1af4"})], []),
        ("NP674", [vf_policy(mtu="9979")], []),
        ("NP674", [vf_policy(mtu=9979), vf_policy(mtu=9978)], ["spec.mtu: MTU 9979 is above 9978"]),
    ],
)
def test_the_nic_of_a_policy(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP771",
            [rail(MACVLAN, SBR, {"type": "coordinator"})],
            ["spec.config.plugins.2: coordinator comes after sbr"],
        ),
        (
            "NP771",
            [rail(MACVLAN, SBR, {"type": "route-override"})],
            ["spec.config.plugins.2: route-override comes after sbr"],
        ),
        ("NP771", [rail(MACVLAN, {"type": "coordinator"}, SBR)], []),
        ("NP771", [rail(MACVLAN, SBR, {"type": "rdma"}, {"type": "tuning"})], []),
        ("NP771", [rail(SBR, {"type": "coordinator"})], []),
        (
            "NP770",
            [rail(SBR, {"type": "coordinator"})],
            ["spec.config.plugins.0: the chain begins with sbr, which needs an existing interface"],
        ),
        (
            "NP770",
            [rail({"type": "firewall"})],
            ["spec.config.plugins.0: the chain begins with firewall, which needs an existing interface"],
        ),
        ("NP770", [rail({}, type="whereabouts")], []),
        ("NP770", [rail({"mtu": 9000}, type="whereabouts")], ["spec.config.plugins.0: a plugin has no type"]),
        (
            "NP770",
            [rail({}, type="whereabouts"), pod("rail")],
            ["spec.config.plugins.0: a plugin has no type"],
        ),
        (
            "NP770",
            [rail(MACVLAN, {"type": "rdma"}, {"type": "rdma"}, {"type": "rdma"})],
            ["spec.config.plugins.2: rdma is chained twice", "spec.config.plugins.3: rdma is chained twice"],
        ),
        ("NP770", [rail(MACVLAN, {"type": "portmap"}, {"type": "portmap"})], []),
        (
            "NP770",
            [rail(MACVLAN, {"type": ""}, {})],
            ["spec.config.plugins.1: a plugin has no type", "spec.config.plugins.2: a plugin has no type"],
        ),
        (
            "NP774",
            [rail(MACVLAN, {"type": "sbr", "gateways": ["10.0.0.1"], "addSourceHints": True})],
            [
                (
                    "spec.config.plugins.1.addSourceHints: sbr has addSourceHints on its main branch "
                    "only, in no release up to 1.9.1"
                ),
                (
                    "spec.config.plugins.1.gateways: sbr has gateways on its main branch only, in no "
                    "release up to 1.9.1"
                ),
            ],
        ),
        ("NP774", [rail(MACVLAN, {"type": "tuning", "gateways": ["10.0.0.1"]})], []),
        (
            "NP774",
            [thing("mellanox.com/v1alpha1", "MacvlanNetwork", master="eth7", metaPlugins='{"type": "rdma"}')],
            ["spec.metaPlugins: MacvlanNetwork has metaPlugins after release 26.7 only"],
        ),
        (
            "NP774",
            [thing("mellanox.com/v1alpha1", "IPoIBNetwork", master="ib7", metaPlugins='{"type": "sbr"}')],
            ["spec.metaPlugins: IPoIBNetwork has metaPlugins in no release up to 26.7"],
        ),
        ("NP774", [thing("mellanox.com/v1alpha1", "MacvlanNetwork", master="eth7")], []),
        ("NP774", [operated(metaPlugins='{"type": "rdma"}')], []),
        (
            "NP775",
            [rail({"type": "macvlan", "master": "ib0"})],
            ["spec.config.plugins.0.master: the master of macvlan is ib0, an IPoIB interface"],
        ),
        (
            "NP775",
            [rail({"type": "ipvlan", "master": "ibs1f0.8001"})],
            ["spec.config.plugins.0.master: the master of ipvlan is ibs1f0.8001, an IPoIB interface"],
        ),
        ("NP775", [rail({"type": "ipoib", "master": "ib0"})], []),
        ("NP775", [rail({"type": "macvlan", "master": "ibm0"})], []),
        ("NP775", [rail({"type": "macvlan", "master": "eth7"}, {"type": "macvlan", "master": "ib0"})], []),
        ("NP771", [rail(MACVLAN, {"type": "coordinator"}, {"type": "route-override"})], []),
        ("NP771", [rail(MACVLAN, SBR, SBR)], []),
    ],
)
def test_the_chain_of_a_network(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


def test_a_wrong_device_id_is_answered_with_at_most_14_of_its_vendor() -> None:
    (text,) = advised("NP673", [nic("8086", "1889")])
    assert text.partition("one of ")[2].count(",") == 13
