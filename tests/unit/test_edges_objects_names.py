"""Edge cases, one fact per case: names that foreign objects use of each other, and objects with one name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import nv_pool, pod, spider
from tests.unit.test_edges_objects import MAP, advised, shared
from tests.unit.test_edges_objects_claims import claim, request
from tests.unit.test_edges_objects_networks import MACVLAN, NV, operated, rail, taking
from tests.unit.test_edges_objects_pods import of_own, plugin
from tests.unit.test_edges_objects_routes import spidered
from tests.unit.test_edges_rules import cidr, named, pool, thing, vf_policy

SPAN = {"startIP": "10.0.0.2", "endIP": "10.0.0.3"}
SPACED = {**SPAN, "startIP": "10.0.0.2 "}
STATIC = [{"nodeName": "a", "prefix": "10.0.1.0/24", "gateway": "10.0.1.1"}]


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP757",
            [vf_policy(), rail(of="openshift.io/rial")],
            [
                (
                    "nothing produces openshift.io/rial; SriovNetworkNodePolicy apps/x produces "
                    "openshift.io/rail; write openshift.io/rail, or rename what produces it"
                )
            ],
        ),
        ("NP757", [taking("", resource="vpc.amazonaws.com/efa")], []),
        ("NP757", [taking("", resource="vpc.amazonaws.com/pod-eni")], []),
        (
            "NP757",
            [taking("", resource="vpc.amazonaws.com/EFA")],
            [
                (
                    "nothing produces vpc.amazonaws.com/EFA; the device plugin's name is "
                    "vpc.amazonaws.com/efa; write vpc.amazonaws.com/efa"
                )
            ],
        ),
        (
            "NP756",
            [shared("hca"), taking("", resource="rdma/roce")],
            [
                (
                    "nothing in the directory produces rdma/roce; add its policy or device plugin to the "
                    "directory"
                )
            ],
        ),
        ("NP756", [shared("hca"), taking("", resource="rdma/hca")], []),
        ("NP756", [shared("hca"), taking("", resource="other/roce")], []),
        ("NP756", [shared("hca"), taking("", resource="rdma/hcas")], []),
        ("NP756", [taking("", resource="rdma/roce")], []),
        ("NP757", [vf_policy(), rail(of="openshift.io/rail")], []),
        ("NP757", [vf_policy(), rail(of="openshift.io/storage")], []),
        ("NP757", [plugin("rail", {}), rail(of="intel.com/rail")], []),
        (
            "NP757",
            [plugin("rail", {}), {**taking("", resource="intel.com/rial")}],
            [
                (
                    "nothing produces intel.com/rial; ConfigMap sriovdp-config produces intel.com/rail; "
                    "write intel.com/rail, or rename what produces it"
                )
            ],
        ),
        (
            "NP757",
            [vf_policy(), taking("", resource="openshift.io/rial")],
            [
                (
                    "nothing produces openshift.io/rial; SriovNetworkNodePolicy apps/x produces "
                    "openshift.io/rail; write openshift.io/rail, or rename what produces it"
                )
            ],
        ),
        ("NP757", [vf_policy(), taking("", resource="nvidia.com/gpu")], []),
        ("NP757", [vf_policy(), taking("", resource="amd.com/rial")], []),
        ("NP757", [vf_policy(), taking("", resource="openshift.io/ria$l")], []),
        (
            "NP757",
            [
                vf_policy(resourceName="rail1"),
                rail(of="openshift.io/rail1"),
                rail(of="openshift.io/rail2", name="two"),
            ],
            [],
        ),
        (
            "NP757",
            [
                vf_policy(resourceName="rail1"),
                rail(of="openshift.io/rail1"),
                rail(of="openshift.io/raill", name="two"),
            ],
            [
                (
                    "nothing produces openshift.io/raill; SriovNetworkNodePolicy apps/x produces "
                    "openshift.io/rail1; write openshift.io/rail1, or rename what produces it"
                )
            ],
        ),
        (
            "NP757",
            [
                vf_policy(resourceName="rail1"),
                named(vf_policy(resourceName="rail3"), "y"),
                rail(of="openshift.io/rail1"),
                rail(of="openshift.io/rail2", name="two"),
            ],
            [
                (
                    "nothing produces openshift.io/rail2; SriovNetworkNodePolicy apps/y produces "
                    "openshift.io/rail3; write openshift.io/rail3, or rename what produces it"
                )
            ],
        ),
        (
            "NP756",
            [vf_policy(), rail(of="openshift.io/storage")],
            [
                (
                    "nothing in the directory produces openshift.io/storage; add its policy or device "
                    "plugin to the directory"
                )
            ],
        ),
        ("NP756", [vf_policy(), rail(of="openshift.io/rail")], []),
        ("NP756", [vf_policy(), rail(of="openshift.io/rial")], []),
        ("NP756", [vf_policy(), taking("", resource="openshift.io/storage")], []),
        ("NP756", [vf_policy(), operated(resourceName="storage")], []),
        (
            "NP756",
            [operated(resourceName="storage")],
            [("nothing in the directory produces storage; add its policy or device plugin to the directory")],
        ),
        (
            "NP679",
            [vf_policy(), operated(resourceName="storage")],
            [
                (
                    "no policy in the directory makes storage; they make rail; write one of these, or "
                    "add the policy"
                )
            ],
        ),
        ("NP679", [vf_policy(), operated(resourceName="rial")], []),
        ("NP679", [vf_policy(), rail(of="openshift.io/storage")], []),
        ("NP679", [vf_policy(resourceName=None), operated(resourceName="storage")], []),
        ("NP756", [rail(of="ovs-cni.network.kubevirt.io/br1")], []),
        (
            "NP756",
            [rail(of="ovs-cni.network.kubevirt.org/br1")],
            [
                (
                    "nothing in the directory produces ovs-cni.network.kubevirt.org/br1; add its policy "
                    "or device plugin to the directory"
                )
            ],
        ),
        ("NP756", [rail(of="a.com/ra$l")], []),
        (
            "NP756",
            [
                rail(of="x/rail"),
                thing(
                    "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1",
                    "DeviceAttributes",
                    attributes={"k8s.cni.cncf.io/resourceName": {"string": "x/rail"}},
                ),
            ],
            [],
        ),
        (
            "NP756",
            [
                rail(of="x/rail"),
                thing(
                    "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1",
                    "SriovResourcePolicy",
                    attributes={"k8s.cni.cncf.io/resourceName": {"string": "x/rail"}},
                ),
            ],
            [("nothing in the directory produces x/rail; add its policy or device plugin to the directory")],
        ),
        (
            "NP756",
            [
                rail(of="x/rail"),
                thing(
                    "example.com/v1",
                    "DeviceAttributes",
                    attributes={"k8s.cni.cncf.io/resourceName": {"string": "x/rail"}},
                ),
            ],
            [("nothing in the directory produces x/rail; add its policy or device plugin to the directory")],
        ),
        (
            "NP756",
            [
                rail(of="x/rail"),
                thing(
                    "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1",
                    "DeviceAttributes",
                    attributes={"k8s.cni.cncf.io/resourceName": {"int": 7}},
                ),
            ],
            [("nothing in the directory produces x/rail; add its policy or device plugin to the directory")],
        ),
        (
            "NP756",
            [vf_policy(resourceName=7), rail(of="openshift.io/7")],
            [
                (
                    "nothing in the directory produces openshift.io/7; add its policy or device plugin "
                    "to the directory"
                )
            ],
        ),
        (
            "NP756",
            [vf_policy(resourceName="${X}"), rail(of="openshift.io/X")],
            [
                (
                    "nothing in the directory produces openshift.io/X; add its policy or device plugin "
                    "to the directory"
                )
            ],
        ),
    ],
)
def test_a_resource_has_one_full_name(code: str, given: Any, told: list[str]) -> None:
    assert advised(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP759",
            [rail(MACVLAN, **NV), nv_pool("q"), nv_pool("pp")],
            ["ippool p is not in the directory; did you mean pp?"],
        ),
        (
            "NP759",
            [rail(MACVLAN, type="nv-ipam", poolName="storage"), nv_pool("q"), nv_pool("pp")],
            ["ippool storage is not in the directory; pools here: pp, q"],
        ),
        (
            "NP759",
            [rail(MACVLAN, type="nv-ipam"), nv_pool("q")],
            ["ippool rail is not in the directory; pools here: q"],
        ),
        (
            "NP759",
            [rail(MACVLAN, type="nv-ipam", poolName="storage"), *(nv_pool(f"q{n}") for n in range(9))],
            ["ippool storage is not in the directory; pools here: q0, q1, q2, q3, q4, q5, q6, q7"],
        ),
        ("NP760", [pool(), pool()], []),
        (
            "NP760",
            [pool(), pool(gateway="10.0.0.2")],
            [
                (
                    "it is also at a.yaml:4:3, with other content; remove one, or name the directory of "
                    "one cluster"
                )
            ],
        ),
        (
            "NP760",
            [pool(), pool(gateway="10.0.0.2"), pool(gateway="10.0.0.3")],
            [
                (
                    "it is also at a.yaml:4:3, and 1 more, with other content; remove one, or name the "
                    "directory of one cluster"
                )
            ],
        ),
        ("NP760", [pool(), named(pool(gateway="10.0.0.2"), "y")], []),
        ("NP760", [named(pool(), "x${N}"), named(pool(gateway="10.0.0.2"), "x${N}")], []),
        ("NP760", [pool(exclusions=[SPAN]), pool(exclusions=[SPACED])], []),
        (
            "NP760",
            [pool(exclusions=[SPAN]), pool(exclusions=[])],
            [
                (
                    "it is also at a.yaml:4:3, with other content; remove one, or name the directory of "
                    "one cluster"
                )
            ],
        ),
        (
            "NP761",
            [operated(), rail()],
            [
                (
                    "it generates NAD apps/rail, which also exists as NetworkAttachmentDefinition "
                    "apps/rail at a.yaml:10:1; remove or rename one of the two"
                )
            ],
        ),
        ("NP761", [operated(networkNamespace="other"), rail()], []),
        (
            "NP761",
            [operated(), operated("SriovIBNetwork")],
            [
                (
                    "it generates NAD apps/rail, which also exists as SriovNetwork apps/rail at "
                    "a.yaml:1:1; remove or rename one of the two"
                )
            ],
        ),
        (
            "NP761",
            [operated("SriovIBNetwork"), operated(), operated("OVSNetwork")],
            [
                (
                    "it generates NAD apps/rail, which also exists as SriovIBNetwork apps/rail at "
                    "a.yaml:1:1; remove or rename one of the two"
                ),
                (
                    "it generates NAD apps/rail, which also exists as SriovIBNetwork apps/rail at "
                    "a.yaml:1:1; remove or rename one of the two"
                ),
                (
                    "it generates NAD apps/rail, which also exists as SriovNetwork apps/rail at "
                    "a.yaml:10:1; remove or rename one of the two"
                ),
            ],
        ),
        ("NP761", [operated(), operated()], []),
        (
            "NP759",
            [
                spidered(
                    macvlan={"master": ["eth7"], "ippools": {"ipv4": ["p-$N", "x"], "ipv6": ["y", "q"]}}
                ),
                named(spider(), "q"),
            ],
            [
                "spiderpool x is not in the directory; pools here: q",
                "spiderpool y is not in the directory; pools here: q",
            ],
        ),
        (
            "NP759",
            [rail(MACVLAN, type="nv-ipam", poolName="x,q"), nv_pool("q")],
            ["ippool x is not in the directory; pools here: q"],
        ),
        ("NP759", [rail(MACVLAN, type="nv-ipam", poolName="q", poolType="IPPool"), nv_pool("q")], []),
        (
            "NP757",
            [plugin("rail", {}), taking("", resource="*/rial")],
            [
                (
                    "nothing produces rial; ConfigMap sriovdp-config produces rail; write rail, or "
                    "rename what produces it"
                )
            ],
        ),
    ],
)
def test_a_pool_or_an_object_of_a_name(code: str, given: Any, told: list[str]) -> None:
    assert advised(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP757",
            [vf_policy(), rail(of="openshift.io/storage")],
            [
                (
                    "nothing in the directory produces openshift.io/storage (produced: */rail); write "
                    "one that is produced"
                )
            ],
        ),
        (
            "NP757",
            [vf_policy(resourceName="rail1"), rail(of="*/rail1"), rail(of="*/rail2", name="two")],
            [
                (
                    "nothing produces rail2; SriovNetworkNodePolicy apps/x produces rail1; write rail1, "
                    "or rename what produces it"
                )
            ],
        ),
        (
            "NP760",
            [pool(), pool()],
            ["it is also at kubernetes/a.yaml:4:3; remove one, or name the directory of one cluster"],
        ),
        (
            "NP760",
            [MAP, MAP],
            ["it is also at kubernetes/a.yaml:4:3; remove one, or name the directory of one cluster"],
        ),
        (
            "NP758",
            [rail(), pod("other")],
            ["network apps/other is not in the directory; networks of that namespace: rail"],
        ),
        (
            "NP758",
            [*(rail(name=f"x{number}") for number in range(9)), pod("other")],
            [
                (
                    "network apps/other is not in the directory; networks of that namespace: "
                    "x0, x1, x2, x3, x4, x5, x6, x7"
                )
            ],
        ),
        (
            "NP758",
            [pod("other")],
            ["network apps/other is not in the directory; networks of that namespace: none"],
        ),
        (
            "NP758",
            [named(rail(), "rail1"), pod("rail1"), pod("rail2", name="y")],
            ["network apps/rail2 is not in the directory; did you mean rail1?"],
        ),
        ("NP759", [rail(MACVLAN, **NV)], ["ippool p is not in the directory; pools here: none"]),
        (
            "NP759",
            [rail(MACVLAN, type="nv-ipam", poolName="storage"), nv_pool("q")],
            ["ippool storage is not in the directory; pools here: q"],
        ),
        (
            "NP730",
            [pod("", resourceClaims=[{"name": "c", "resourceClaimName": "u"}])],
            ["ResourceClaim u is not in the directory; there: none"],
        ),
        (
            "NP745",
            [pod("", resourceClaims=[{"name": "c", "resourceClaimName": "u"}])],
            ["claim c is used by no container; name it in resources.claims of a container"],
        ),
        (
            "NP744",
            [claim(request(of="other"))],
            ["device class other is not in the directory; classes here: none"],
        ),
        (
            "NP763",
            [vf_policy(), rail(MACVLAN, of="*/rail"), taking("rail,rail", 1, "*/rail")],
            ["2 attachments need */rail, but its containers request 1; set */rail: '2' in the limits"],
        ),
        (
            "NP769",
            [vf_policy(deviceType="vfio-pci"), rail(of="*/rail"), taking("rail", 2, "*/rail")],
            [
                "its containers request 2 of */rail, but 1 is attached; make the two numbers equal: "
                "without an attachment a device has no interface in the pod"
            ],
        ),
        (
            "NP771",
            [rail(MACVLAN, {"type": "sbr"}, {"type": "tuning"})],
            ["tuning comes after sbr; put sbr last in the chain, tuning before it"],
        ),
        (
            "NP771",
            [rail(MACVLAN, {"type": "tuning"}, {"type": "rdma"})],
            ["rdma comes after tuning; put sbr last in the chain, tuning before it"],
        ),
        ("NP771", [rail(MACVLAN, {"type": "rdma"}, {"type": "tuning"}, {"type": "sbr"})], []),
        (
            "NP772",
            [rail(MACVLAN, {"type": "sbr"}, type="whereabouts", routes=[{"dst": "0.0.0.0/0"}])],
            [
                (
                    "its addresses come with a default route, 0.0.0.0/0, and nothing moves it; write the "
                    "fabric's prefixes"
                )
            ],
        ),
        (
            "NP773",
            [rail(MACVLAN, {"type": "sbr"})],
            ["sbr is chained, but there are no addresses; add an ipam"],
        ),
        (
            "NP773",
            [rail(MACVLAN, {"type": "sbr"}, type="host-local", subnet="10.0.0.0/24")],
            ['sbr is chained, but host-local states no gateway; add "gateway"'],
        ),
        (
            "NP773",
            [
                rail(
                    MACVLAN,
                    {"type": "sbr"},
                    type="host-local",
                    ranges=[[{"subnet": "10.0.0.0/24", "gateway": "10.0.0.1"}]],
                )
            ],
            [],
        ),
        (
            "NP773",
            [
                rail(MACVLAN, {"type": "sbr"}, type="nv-ipam", poolName="p", poolType="cidrpool"),
                named(cidr(staticAllocations=STATIC), "p"),
            ],
            [],
        ),
    ],
)
def test_in_a_tree_of_netplan_everything_is_there(code: str, given: Any, told: list[str]) -> None:
    assert of_own(code, given) == told
