"""Edge cases, one fact per case: source-based routing of networks, fields and namespaces of objects."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.test_edges_asked import spider
from tests.unit.test_edges_objects import MAP, said
from tests.unit.test_edges_objects_networks import MACVLAN, NV, SBR, operated, rail
from tests.unit.test_edges_objects_operators import without_gateway
from tests.unit.test_edges_objects_pods import of_own
from tests.unit.test_edges_rules import cidr, nad, named, pool, pool_config, thing, vf_policy

COORDINATOR = {"type": "coordinator"}
STATIC = [{"nodeName": "a", "prefix": "10.0.1.0/24", "gateway": "10.0.1.1"}]


def spidered(*chained: dict[str, Any], **spec: Any) -> dict[str, Any]:
    own = {"cniType": "macvlan", "macvlan": {"master": ["eth7"], "ippools": {"ipv4": ["p"]}}, **spec}
    own |= {"chainCNIJsonData": [json.dumps(each) for each in chained]} if chained else {}
    return thing("spiderpool.spidernet.io/v2beta1", "SpiderMultusConfig", "rail", **own)


def without(given: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {**given, "spec": {key: value for key, value in given["spec"].items() if key not in keys}}


def placed(given: dict[str, Any], namespace: str, name: str = "y") -> dict[str, Any]:
    return {**given, "metadata": {"name": name, "namespace": namespace}}


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP773", [rail(MACVLAN, SBR, **NV), named(pool(), "p")], []),
        (
            "NP773",
            [rail(MACVLAN, SBR, **NV), named(without_gateway(), "p")],
            [
                (
                    "spec.config.plugins.0.ipam.poolName: sbr is chained, but IPPool apps/p at "
                    "a.yaml:16:1 has no gateway"
                )
            ],
        ),
        ("NP773", [rail(MACVLAN, **NV), named(without_gateway(), "p")], []),
        ("NP773", [rail(MACVLAN, SBR, **NV)], []),
        (
            "NP773",
            [rail(MACVLAN, SBR, type="nv-ipam", poolName="p", poolType="cidrpool"), named(cidr(), "p")],
            [],
        ),
        (
            "NP773",
            [
                rail(MACVLAN, SBR, type="nv-ipam", poolName="p", poolType="cidrpool"),
                named(without(cidr(), "gatewayIndex"), "p"),
            ],
            [
                (
                    "spec.config.plugins.0.ipam.poolName: sbr is chained, but CIDRPool apps/p at "
                    "a.yaml:17:1 has no gateway"
                )
            ],
        ),
        (
            "NP773",
            [
                rail(MACVLAN, SBR, type="nv-ipam", poolName="p", poolType="cidrpool"),
                named(without(cidr(staticAllocations=STATIC), "gatewayIndex"), "p"),
            ],
            [],
        ),
        (
            "NP773",
            [rail(MACVLAN, SBR, type="whereabouts", range="10.0.0.0/24")],
            ["spec.config.plugins.0.ipam.type: sbr is chained, but whereabouts states no gateway"],
        ),
        ("NP773", [rail(MACVLAN, SBR, type="whereabouts", range="10.0.0.0/24", gateway="10.0.0.1")], []),
        (
            "NP773",
            [
                rail(
                    MACVLAN,
                    SBR,
                    type="whereabouts",
                    range="10.0.0.0/24",
                    routes=[{"dst": "10.0.0.0/8", "gw": "10.0.0.1"}],
                )
            ],
            [],
        ),
        (
            "NP773",
            [rail(MACVLAN, SBR, type="whereabouts", range="10.0.0.0/24", routes=[{"dst": "10.0.0.0/8"}])],
            ["spec.config.plugins.0.ipam.type: sbr is chained, but whereabouts states no gateway"],
        ),
        (
            "NP773",
            [rail(MACVLAN, SBR, type="static", addresses=[{"address": "10.0.0.2/24"}])],
            ["spec.config.plugins.0.ipam.type: sbr is chained, but static states no gateway"],
        ),
        (
            "NP773",
            [
                rail(
                    MACVLAN, SBR, type="static", addresses=[{"address": "10.0.0.2/24", "gateway": "10.0.0.1"}]
                )
            ],
            [],
        ),
        ("NP773", [rail(MACVLAN, SBR, type="static")], []),
        ("NP773", [rail(MACVLAN, SBR, type="host-local", subnet="10.0.0.0/24")], []),
        ("NP773", [rail(MACVLAN, SBR)], []),
        (
            "NP773",
            [spidered(), named(spider(routes=[{"dst": "10.0.0.0/8", "gw": "10.0.0.1"}]), "p")],
            [
                (
                    "spec.macvlan.ipam.poolName: coordinator is chained, but SpiderIPPool p at "
                    "a.yaml:19:1 has no gateway"
                )
            ],
        ),
        ("NP773", [spidered(), named(spider(), "p")], []),
        ("NP773", [spidered(), named(spider(gateway="10.0.0.1"), "p")], []),
        ("NP773", [spidered(enableCoordinator=False), named(spider(), "p")], []),
        ("NP749", [spidered(), named(spider(gateway="10.0.0.1"), "p")], []),
        (
            "NP749",
            [spidered(SBR), named(spider(gateway="10.0.0.1"), "p")],
            ["spec.chainCNIJsonData.0: it chains both sbr and coordinator"],
        ),
        ("NP749", [spidered(SBR, enableCoordinator=False), named(spider(gateway="10.0.0.1"), "p")], []),
        ("NP749", [spidered(enableCoordinator=False), named(spider(gateway="10.0.0.1"), "p")], []),
        ("NP749", [rail(MACVLAN, SBR, COORDINATOR, type="nv-ipam")], []),
    ],
)
def test_a_router_has_a_gateway(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP755",
            [placed(vf_policy(), "x"), placed(vf_policy(), "x", "b"), placed(vf_policy(), "z", "c")],
            [
                (
                    "metadata.namespace: it is in namespace z, SriovNetworkNodePolicy x/y is in x: only "
                    "one of them is read"
                )
            ],
        ),
        (
            "NP755",
            [placed(vf_policy(), "x"), placed(pool_config(), "x", "b"), placed(vf_policy(), "z", "c")],
            [
                (
                    "metadata.namespace: it is in namespace z, SriovNetworkNodePolicy x/y is in x: only "
                    "one of them is read"
                )
            ],
        ),
        (
            "NP755",
            [placed(vf_policy(), "x"), placed(vf_policy(), "${NS}", "b"), placed(vf_policy(), "x", "c")],
            [],
        ),
        (
            "NP755",
            [
                placed(thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig"), "home", "default"),
                placed(vf_policy(), "x"),
                placed(vf_policy(), "x", "b"),
            ],
            [
                (
                    "metadata.namespace: it is in namespace x, SriovOperatorConfig home/default is in "
                    "home: only one of them is read"
                ),
                (
                    "metadata.namespace: it is in namespace x, SriovOperatorConfig home/default is in "
                    "home: only one of them is read"
                ),
            ],
        ),
        (
            "NP755",
            [
                placed(thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig"), "home", "other"),
                placed(vf_policy(), "x"),
                placed(vf_policy(), "x", "b"),
            ],
            [],
        ),
        (
            "NP755",
            [
                placed(thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig"), "home", "default"),
                placed(operated(), "x"),
                placed(operated(networkNamespace=""), "x", "b"),
            ],
            [
                (
                    "spec.networkNamespace: networkNamespace apps is set in namespace x, the operator's "
                    "is home (SriovOperatorConfig home/default)"
                )
            ],
        ),
        (
            "NP755",
            [
                placed(thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig"), "home", "default"),
                placed(operated(), "home"),
            ],
            [],
        ),
        (
            "NP755",
            [
                placed(thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig"), "a", "default"),
                placed(thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig"), "b", "default"),
                placed(vf_policy(), "x"),
                placed(vf_policy(), "x", "b"),
                placed(vf_policy(), "z", "c"),
            ],
            [],
        ),
        (
            "NP755",
            [
                placed(vf_policy(), "sriov-network-operator"),
                placed(vf_policy(), "x", "b"),
                placed(vf_policy(), "x", "c"),
            ],
            [
                (
                    "metadata.namespace: it is in namespace x, SriovNetworkNodePolicy "
                    "sriov-network-operator/y is in sriov-network-operator: only one of them is read"
                ),
                (
                    "metadata.namespace: it is in namespace x, SriovNetworkNodePolicy "
                    "sriov-network-operator/y is in sriov-network-operator: only one of them is read"
                ),
            ],
        ),
        (
            "NP755",
            [
                placed(vf_policy(), "nvidia-network-operator"),
                placed(vf_policy(), "sriov-network-operator", "b"),
                placed(vf_policy(), "x", "c"),
                placed(vf_policy(), "x", "d"),
                placed(vf_policy(), "x", "e"),
            ],
            [
                (
                    "metadata.namespace: it is in namespace nvidia-network-operator, "
                    "SriovNetworkNodePolicy x/c is in x: only one of them is read"
                ),
                (
                    "metadata.namespace: it is in namespace sriov-network-operator, "
                    "SriovNetworkNodePolicy x/c is in x: only one of them is read"
                ),
            ],
        ),
        (
            "NP755",
            [placed(pool(), "x"), placed(pool(), "x", "b"), placed(pool(), "z", "c")],
            ["metadata.namespace: it is in namespace z, IPPool x/y is in x: only one of them is read"],
        ),
        (
            "NP755",
            [placed(thing("mellanox.com/v1alpha1", "NicClusterPolicy"), "x", "nic-cluster-policy")],
            [],
        ),
        (
            "NP755",
            [placed(nad(MACVLAN), "x"), placed(nad(MACVLAN), "x", "b"), placed(nad(MACVLAN), "z", "c")],
            [],
        ),
    ],
)
def test_objects_are_where_their_operator_reads_them(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP750", [vf_policy(resourcename="x")], ["spec.resourcename: there is no field spec.resourcename"]),
        ("NP750", [vf_policy(utterlyOther="x")], []),
        ("NP751", [vf_policy(utterlyOther="x")], ["spec.utterlyOther: there is no field spec.utterlyOther"]),
        ("NP751", [vf_policy(resourcename="x")], []),
        ("NP751", [vf_policy(metrics={}, linkType="eth")], ["spec.metrics: there is no field spec.metrics"]),
        ("NP752", [vf_policy(numVfs="8")], ['spec.numVfs: spec.numVfs is "8", not a whole number']),
        ("NP752", [without(vf_policy(), "numVfs")], ["spec.numVfs: numVfs is required and missing"]),
        (
            "NP752",
            [{**named(MAP, "m"), "data": {"a": 1, "b": True, "c": "x", "d": None}}],
            ["data.a: data.a is 1, not text", "data.b: data.b is true, not text"],
        ),
        (
            "NP752",
            [{**named(MAP, "m", labels={"a": 7}, annotations={"b": False})}],
            [
                "metadata.labels.a: metadata.labels.a is 7, not text",
                "metadata.annotations.b: metadata.annotations.b is false, not text",
            ],
        ),
        ("NP752", [{**named(MAP, "m"), "kind": "Secret", "data": {"a": 1}}], []),
        ("NP752", [{**named(MAP, "m"), "data": {"a": 1.5}}], ["data.a: data.a is 1.5, not text"]),
        (
            "NP750",
            [rail({"type": "macvlan", "mastr": "eth7"})],
            ["spec.config.plugins.0.mastr: there is no field spec.config.plugins[0].mastr"],
        ),
        ("NP751", [rail({"type": "macvlan", "utterlyOther": 1})], []),
    ],
)
def test_fields_and_texts_of_objects(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP749",
            [spidered(enableCoordinator=False), named(spider(gateway="10.0.0.1"), "p")],
            [
                (
                    "it has no coordinator, so the pool's gateway is a default route in table main; "
                    "enable the coordinator"
                )
            ],
        ),
        ("NP749", [spidered(enableCoordinator=False), named(spider(), "p")], []),
        (
            "NP773",
            [
                rail(MACVLAN, SBR, type="nv-ipam", poolName="p", poolType="cidrpool"),
                named(without(cidr(staticAllocations=STATIC), "gatewayIndex"), "p"),
            ],
            [
                (
                    "sbr is chained, but CIDRPool apps/p at kubernetes/a.yaml:17:1 has no gateway; add "
                    "gatewayIndex to the pool"
                )
            ],
        ),
        (
            "NP773",
            [rail(MACVLAN, SBR, type="host-local", ranges=[[{"subnet": "10.0.0.0/24"}]])],
            ['sbr is chained, but host-local states no gateway; add "gateway"'],
        ),
    ],
)
def test_netplan_s_own_networks_route_by_source(code: str, given: Any, told: list[str]) -> None:
    assert of_own(code, given) == told
