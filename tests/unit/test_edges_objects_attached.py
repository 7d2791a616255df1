"""Edge cases, one fact per case: findings about what a network gives to the pods that attach it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import said
from tests.unit.test_edges_objects_networks import (
    DEFAULT,
    EVERYWHERE,
    LOCAL,
    MACVLAN,
    MOVED,
    NV,
    OF_RAIL,
    SBR,
    by_driver,
    deployed,
    injector,
    mode,
    operated,
    rail,
    taking,
)
from tests.unit.test_edges_rules import named, pool, vf_policy


def installing(script: str) -> dict[str, Any]:
    """What a pod runs that installs a plugin."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"run.sh": script}}


TWO_RAILS = [
    vf_policy(),
    {**vf_policy(resourceName="two"), "metadata": {"name": "two", "namespace": "apps"}},
    operated(resourceName="rail", networkNamespace="apps"),
    operated(name="two", resourceName="two", networkNamespace="apps"),
]


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP675", [rail({"type": "srov"})], ["spec.config.plugins.0.type: there is no plugin srov"]),
        ("NP675", [rail({"type": "SRIOV"})], ["spec.config.plugins.0.type: there is no plugin SRIOV"]),
        ("NP675", [rail({"type": "sirov"})], ["spec.config.plugins.0.type: there is no plugin sirov"]),
        ("NP675", [rail({"type": "srov"}), installing("cp /srov /opt/cni/bin")], []),
        (
            "NP675",
            [rail({"type": "srov"}), installing("cp /srov-2 /opt/cni/bin")],
            ["spec.config.plugins.0.type: there is no plugin srov"],
        ),
        ("NP675", [rail({"type": "macvlan-x"})], []),
        ("NP675", [rail({"type": "custom"})], []),
        ("NP675", [rail({"type": "macvla$N"})], []),
        (
            "NP675",
            [rail({"type": "sriov"}, {"type": "tunning"})],
            ["spec.config.plugins.1.type: there is no plugin tunning"],
        ),
        (
            "NP675",
            [rail(MACVLAN, type="nvipam")],
            ["spec.config.plugins.0.ipam.type: there is no plugin nvipam"],
        ),
        ("NP675", [rail({"type": 7})], []),
        (
            "NP676",
            [rail({"type": "sriov", "vlanQoS": 5})],
            ["spec.config.plugins.0.vlanQoS: vlanQoS is 5, but there is no vlan"],
        ),
        (
            "NP676",
            [rail({"type": "sriov", "vlanQoS": 5, "vlan": 0})],
            ["spec.config.plugins.0.vlanQoS: vlanQoS is 5, but there is no vlan"],
        ),
        ("NP676", [rail({"type": "sriov", "vlanQoS": 5, "vlan": 7})], []),
        ("NP676", [rail({"type": "sriov", "vlanQoS": 0, "vlanProto": "802.1q"})], []),
        (
            "NP676",
            [rail({"type": "sriov", "vlanQoS": 3, "vlanProto": "802.1ad"})],
            [
                "spec.config.plugins.0.vlanProto: vlanProto is 802.1ad, but there is no vlan",
                "spec.config.plugins.0.vlanQoS: vlanQoS is 3, but there is no vlan",
            ],
        ),
        ("NP676", [rail({"type": "macvlan", "vlanQoS": 5})], []),
        ("NP676", [rail({"type": "tuning"}, {"type": "sriov", "vlanQoS": 5})], []),
        (
            "NP798",
            [rail()],
            ["metadata.annotations: sriov needs a device, but no annotation names its resource"],
        ),
        ("NP798", [OF_RAIL], []),
        ("NP798", [rail({"type": "sriov", "deviceID": "0000:18:00.2"})], []),
        ("NP798", [rail({"type": "host-device", "device": "eth3"})], []),
        (
            "NP798",
            [rail({"type": "host-device", "pciBusID": ""})],
            ["metadata.annotations: host-device needs a device, but no annotation names its resource"],
        ),
        ("NP798", [rail(MACVLAN)], []),
        ("NP798", [rail({"type": "tuning"}, {"type": "sriov"})], []),
        ("NP798", [operated(resourceName="x")], []),
        ("NP798", [rail(), by_driver("ResourceClaimTemplate")], []),
        (
            "NP798",
            [rail(name="two"), by_driver("DeviceClass")],
            ["metadata.annotations: sriov needs a device, but no annotation names its resource"],
        ),
    ],
)
def test_a_plugin_has_what_it_needs(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP772",
            [DEFAULT, pod("rail")],
            [
                (
                    "spec.config.plugins.0.ipam.routes.0: its addresses come with a default route, "
                    "0.0.0.0/0, and nothing moves it"
                )
            ],
        ),
        ("NP691", [DEFAULT, pod("rail")], []),
        ("NP772", [DEFAULT, pod("other")], []),
        *(
            (
                "NP772",
                [
                    DEFAULT,
                    pod("rail", containers=[{"name": "a", "image": "b", "command": ["sh", "-c", text]}]),
                ],
                [],
            )
            for text in (
                "ip r del default dev eth0 && sleep 9",
                "ip -4 route replace default via 10.0.0.1",
                "ip route change default dev net1",
            )
        ),
        (
            "NP772",
            [DEFAULT, pod("rail", containers=[{"name": "a", "image": "b", "command": ["ip", "route"]}])],
            [
                (
                    "spec.config.plugins.0.ipam.routes.0: its addresses come with a default route, "
                    "0.0.0.0/0, and nothing moves it"
                )
            ],
        ),
        ("NP772", [rail({"type": "userspace"}, type="whereabouts", **EVERYWHERE), pod("rail")], []),
        ("NP772", [rail({"type": "cilium-cni"}, type="whereabouts", **EVERYWHERE), pod("rail")], []),
        (
            "NP691",
            [DEFAULT, pod("other")],
            [
                (
                    "spec.config.plugins.0.ipam.routes.0: its addresses come with a default route, "
                    "0.0.0.0/0, and nothing moves it"
                )
            ],
        ),
        ("NP772", [rail(MACVLAN, SBR, type="whereabouts", **EVERYWHERE), pod("rail")], []),
        (
            "NP772",
            [rail(MACVLAN, {"type": "sbr", "table": 100}, type="whereabouts", **EVERYWHERE), pod("rail")],
            [
                (
                    "spec.config.plugins.0.ipam.routes.0: its addresses come with a default route, "
                    "0.0.0.0/0, and nothing moves it"
                )
            ],
        ),
        (
            "NP772",
            [rail(MACVLAN, type="whereabouts", routes=[{"dst": "10.0.0.0/8"}, {"dst": "::/0"}]), pod("rail")],
            [
                (
                    "spec.config.plugins.0.ipam.routes.1: its addresses come with a default route, ::/0, "
                    "and nothing moves it"
                )
            ],
        ),
        (
            "NP772",
            [rail(MACVLAN, type="whereabouts", routes=[{"dst": "0.0.0.0/0", "table": 7}]), pod("rail")],
            [],
        ),
        (
            "NP772",
            {"a/a.yaml": [DEFAULT], "b/b.yaml": [rail(MACVLAN, type="whereabouts"), pod("rail")]},
            [],
        ),
        ("NP772", [DEFAULT, pod("rail", dnsPolicy="None")], []),
        ("NP772", [DEFAULT, pod("rail"), named(pod("rail", dnsPolicy="None"), "dns")], []),
        ("NP772", [DEFAULT, rail(MACVLAN, name="plain", type="whereabouts"), pod("rail")], []),
        ("NP772", [DEFAULT, pod(MOVED)], []),
        (
            "NP691",
            [DEFAULT, pod(MOVED)],
            [
                (
                    "spec.config.plugins.0.ipam.routes.0: its addresses come with a default route, "
                    "0.0.0.0/0, and nothing moves it"
                )
            ],
        ),
        (
            "NP772",
            [rail(MACVLAN, **NV), named(pool(defaultGateway=True), "p"), pod("rail")],
            [
                (
                    "spec.config.plugins.0.ipam.poolName: IPPool apps/p sets defaultGateway, and nothing "
                    "moves the route"
                )
            ],
        ),
        (
            "NP772",
            [
                rail(MACVLAN, **NV),
                named(pool(routes=[{"dst": "10.0.0.0/8"}, {"dst": "0.0.0.0/0"}]), "p"),
                pod("rail"),
            ],
            [
                (
                    "spec.config.plugins.0.ipam.poolName: IPPool apps/p has a route to 0.0.0.0/0, and "
                    "nothing moves the route"
                )
            ],
        ),
        (
            "NP772",
            [
                rail(MACVLAN, **NV),
                named(pool(defaultGateway=False, routes=[{"dst": "10.0.0.0/8"}]), "p"),
                pod("rail"),
            ],
            [],
        ),
        (
            "NP772",
            [
                DEFAULT,
                rail(MACVLAN, name="two"),
                pod('[{"name": "rail"}, {"name": "two", "default-route": ["10.0.0.1"]}]'),
            ],
            [],
        ),
        (
            "NP691",
            [
                DEFAULT,
                rail(
                    MACVLAN,
                    {"type": "sbr", "table": 7},
                    {"type": "sbr"},
                    name="two",
                    type="whereabouts",
                    **EVERYWHERE,
                ),
            ],
            [
                (
                    "spec.config.plugins.0.ipam.routes.0: its addresses come with a default route, "
                    "0.0.0.0/0, and nothing moves it"
                )
            ],
        ),
    ],
)
def test_a_default_route_is_moved_by_sbr(code: str, given: Any, told: list[str]) -> None:
    """Where a pod attaches the network it is a warning, else a note."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP776",
            [LOCAL, deployed("rail", 2)],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Deployment apps/d at a.yaml:11:1 "
                    "runs 2 or more pods on it"
                )
            ],
        ),
        ("NP776", [LOCAL, deployed("rail", 1)], []),
        ("NP776", [LOCAL, deployed("rail", None)], []),
        ("NP776", [LOCAL, deployed("other", 2)], []),
        ("NP776", [LOCAL, deployed("rail", 2, nodeName="x")], []),
        (
            "NP776",
            [rail({"type": "bridge"}, type="host-local", subnet="10.0.0.0/24"), deployed("rail", 2)],
            [],
        ),
        ("NP776", [rail({"type": "ptp"}, type="host-local", subnet="10.0.0.0/24"), deployed("rail", 2)], []),
        ("NP776", [rail(MACVLAN, type="whereabouts", range="10.0.0.0/24"), deployed("rail", 2)], []),
        (
            "NP776",
            [LOCAL, deployed("rail", 2), named(deployed("rail", 3), "e")],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Deployment apps/d at a.yaml:11:1 "
                    "runs 2 or more pods on it"
                )
            ],
        ),
        (
            "NP776",
            [LOCAL, deployed("rail", 1), named(deployed("rail", 3), "e")],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Deployment apps/e at a.yaml:32:1 "
                    "runs 3 or more pods on it"
                )
            ],
        ),
        (
            "NP776",
            [
                rail(
                    {**MACVLAN, "ipam": {"type": "static"}},
                    {"type": "tuning", "ipam": {"type": "host-local", "subnet": "10.0.0.0/24"}},
                ),
                deployed("rail", 2),
            ],
            [
                (
                    "spec.config.plugins.1.ipam.type: host-local, and Deployment apps/d at a.yaml:12:1 "
                    "runs 2 or more pods on it"
                )
            ],
        ),
    ],
)
def test_host_local_serves_the_pods_of_one_node(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP795",
            [mode("exclusive"), vf_policy(isRdma=True), operated()],
            ["spec.metaPlugins: its nodes are in RDMA mode exclusive, but rdma is not in the chain"],
        ),
        ("NP795", [mode("shared"), vf_policy(isRdma=True), operated()], []),
        ("NP795", [mode("exclusive"), vf_policy(), operated()], []),
        ("NP795", [mode("exclusive"), vf_policy(isRdma=True), operated(metaPlugins='{"type": "rdma"}')], []),
        (
            "NP795",
            [mode("exclusive"), vf_policy(isRdma=True), OF_RAIL],
            ["spec.config: its nodes are in RDMA mode exclusive, but rdma is not in the chain"],
        ),
        ("NP795", [mode("exclusive"), vf_policy(isRdma=True), rail(of="openshift.io/other")], []),
        ("NP795", [mode("exclusive"), mode("shared", "y"), vf_policy(isRdma=True), operated()], []),
        ("NP795", [vf_policy(isRdma=True), operated()], []),
    ],
)
def test_in_exclusive_mode_the_chain_moves_the_rdma_device(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP763",
            [vf_policy(), OF_RAIL, taking("rail,rail", 1)],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 2 attachments need "
                    "openshift.io/rail, but its containers request 1"
                )
            ],
        ),
        ("NP763", [vf_policy(), OF_RAIL, taking("rail,rail", 2)], []),
        ("NP763", [rail({"type": "own"}, of="intel.com/rail"), taking("rail,rail", 2, "intel.com/rail")], []),
        (
            "NP763",
            [rail({"type": "own"}, of="intel.com/rail"), taking("rail,rail", 1, "intel.com/rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 2 attachments need "
                    "intel.com/rail, but its containers request 1"
                )
            ],
        ),
        ("NP763", [rail({"type": "own"}, of="intel.com/rail"), pod("rail,rail")], []),
        ("NP763", [rail({"type": "macvlan"}, of="rdma/hca"), taking("rail,rail", 1, "rdma/hca")], []),
        (
            "NP763",
            [*TWO_RAILS, taking("rail,two", 1, "nvidia.com/rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs "
                    "nvidia.com/two, but its containers request 0"
                )
            ],
        ),
        ("NP763", [*TWO_RAILS, taking("rail,two", 1, "openshift.io/rail")], []),
        ("NP763", [*TWO_RAILS, taking("rail,two", 1, "nvidia.com/rail"), injector(True)], []),
        ("NP763", [*TWO_RAILS, pod("rail,two")], []),
        ("NP763", [vf_policy(), OF_RAIL, pod("rail")], []),
        (
            "NP763",
            [rail(of="nvidia.com/rail"), pod("rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs "
                    "nvidia.com/rail, but its containers request 0"
                )
            ],
        ),
        ("NP763", [rail(of="nvidia.com/rail"), pod("rail"), injector(True)], []),
        (
            "NP763",
            [OF_RAIL, pod("rail"), injector(False)],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs "
                    "openshift.io/rail, but its containers request 0"
                )
            ],
        ),
        ("NP763", [rail(MACVLAN, of="openshift.io/rail"), taking("rail,rail", 1)], []),
        (
            "NP763",
            [rail({"type": "custom"}, of="a.com/rail"), taking("rail,rail", 1, "b.com/rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 2 attachments need a.com/rail, "
                    "but its containers request 0"
                )
            ],
        ),
        ("NP763", [OF_RAIL, taking("rail,gone", 0)], []),
        (
            "NP763",
            [OF_RAIL, taking("rail,rail", 1, resourceClaims=[{"name": "c", "resourceClaimName": "x"}])],
            [],
        ),
        (
            "NP769",
            [vf_policy(), OF_RAIL, taking("rail", 2)],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 2 of "
                    "openshift.io/rail, but 1 is attached"
                )
            ],
        ),
        ("NP769", [vf_policy(), OF_RAIL, taking("rail,rail", 2)], []),
        ("NP769", [vf_policy(deviceType="vfio-pci"), OF_RAIL, taking("rail", 2)], []),
        ("NP769", [vf_policy(), OF_RAIL, taking("rail", 2, limits={"hugepages-1Gi": "4Gi"})], []),
        (
            "NP769",
            [vf_policy(isRdma=True), OF_RAIL, taking("rail", 2, limits={"hugepages-1Gi": "4Gi"})],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 2 of "
                    "openshift.io/rail, but 1 is attached"
                )
            ],
        ),
        (
            "NP769",
            [vf_policy(), OF_RAIL, taking("rail", 2, limits={"hugepages-1Gi": "4Gi", "nvidia.com/gpu": 1})],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 2 of "
                    "openshift.io/rail, but 1 is attached"
                )
            ],
        ),
        (
            "NP769",
            [
                vf_policy(),
                OF_RAIL,
                rail(of="openshift.io/two", name="two"),
                taking("two", 1, limits={"openshift.io/two": 1}),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 1 of "
                    "openshift.io/rail, but 0 are attached"
                )
            ],
        ),
        ("NP769", [vf_policy(), OF_RAIL, rail(MACVLAN, name="two"), taking("two", 1)], []),
    ],
)
def test_as_many_devices_as_attachments(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
