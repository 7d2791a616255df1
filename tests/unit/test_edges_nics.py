"""Edge cases, one fact per case: which NIC a pod gets, and what the NIC does with its traffic."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.graph.qos import Proof
from netplan.model.nic_text import NicEts, NicPort
from netplan.model.site import SiteHca
from netplan.trace.chains.compare import _classes as compared_classes
from netplan.trace.devices import device_of, plugin_unknown, settings_faults
from netplan.trace.model import ReadNicQos
from netplan.trace.nic_end import _nic_answer as nic_answer
from netplan.trace.nic_end import _nic_cnp as nic_cnp
from netplan.trace.pod_nics import _pod_mtu as pod_mtu
from netplan.trace.pod_nics import _tag as tag
from netplan.trace.pods import _covers as covers
from netplan.trace.pods_per_node import pods_on
from netplan.trace.selecting import Fit, SelectablePort, catalog_has, fit
from tests.unit.edges import things
from tests.unit.test_edges_pods_trace import workload
from tests.unit.test_trace_addresses import PLUGIN, host, network, site

HCA = SiteHca(name="roce0", rail=0, pci="0000:19:00.0", netdev="ens1", model="connectx-7", link="ethernet")


@pytest.mark.parametrize(
    ("given", "vfs", "policy", "found"),
    [
        ({"pfNames": ["ens1"]}, 8, True, Fit(count=8)),
        ({"pfNames": ["ens2"]}, 8, True, Fit("pfNames")),
        ({"pfNames": ["ens1#0-3"]}, 8, True, Fit(count=4)),
        ({"pfNames": ["ens1#0-3,5"]}, 8, False, Fit(count=5)),
        ({"pfNames": ["ens1#0-3,2-5"]}, 8, False, Fit(count=6)),
        ({"pfNames": ["ens1#7"]}, 8, False, Fit(count=1)),
        ({"pfNames": ["ens1#8"]}, 8, False, Fit("pfNames", count=0)),
        ({"pfNames": ["ens1#4-9"]}, 8, False, Fit(count=4)),
        ({"pfNames": ["ens1#4-9"]}, None, False, Fit(count=6)),
        ({"pfNames": ["ens1#x"]}, 8, False, Fit("pfNames", count=0)),
        ({"rootDevices": ["0000:19:00.0#1-2"]}, 8, False, Fit(count=2)),
        ({"rootDevices": ["0000:1A:00.0"]}, 8, False, Fit("rootDevices")),
        ({"pciAddresses": ["0000:19:00.0"]}, None, False, Fit(count=1)),
        ({"pciAddresses": ["0000:19:00.0"]}, 0, False, Fit(count=1)),
        ({"pciAddresses": ["0000:19:00.0"]}, 8, False, Fit("pciAddresses")),
        ({"vendor": "15b3"}, None, True, Fit()),
        ({"vendors": ["8086"]}, None, False, Fit("vendors")),
        ({"deviceID": "1021"}, 8, True, Fit(count=8)),
        ({"deviceID": "101e"}, 8, True, Fit("deviceID")),
        ({"devices": ["101e"]}, 8, False, Fit(count=8)),
        ({"devices": ["1021"]}, 8, False, Fit("devices")),
        ({"devices": ["1021"]}, 0, False, Fit(count=1)),
        ({"devices": ["101e"]}, 0, False, Fit("devices")),
        ({"devices": ["1021"]}, None, False, Fit()),
        ({"devices": ["101e"]}, None, False, Fit()),
        ({"linkTypes": ["ether"]}, None, False, Fit()),
        ({"linkTypes": ["infiniband"]}, None, False, Fit("linkTypes")),
        ({"drivers": ["mlx5_core"]}, None, False, Fit()),
        ({"drivers": ["ice"]}, None, False, Fit("drivers")),
        ({"isRdma": True, "vendors": [], "acpiIndexes": ["1"]}, None, False, Fit("", ("acpiIndexes",))),
    ],
)
def test_a_selector_takes_a_port(given: dict[str, Any], vfs: int | None, policy: bool, found: Fit) -> None:
    assert fit(SelectablePort(HCA, vfs, policy), given) == found


@pytest.mark.parametrize("key", ["pfNames", "rootDevices", "vendors", "devices", "linkTypes", "drivers"])
def test_what_no_file_says_of_a_port_is_unknown(key: str) -> None:
    bare = SiteHca(name="roce0", rail=0, pci=None, netdev=None)
    assert fit(SelectablePort(bare, None), {key: ["x"]}) == Fit("", (key,))


def test_the_catalog_says_what_a_card_has() -> None:
    assert [catalog_has(HCA, key) for key in ("vendor", "devices", "pfNames", "x")] == [
        "15b3",
        "1021, 101e",
        "",
        "",
    ]
    assert catalog_has(replace(HCA, model="none"), "vendor") == ""


def of_first(cluster: Any, texts: Any, found: Any, here: Any, master: str | None = None) -> Any:
    """The device of a pod's first attachment, which asks for one."""
    return device_of(cluster, texts, found, here, master=master, nth=0, asked=1)


def test_an_interface_by_its_master_or_by_no_resource() -> None:
    here = replace(host(0), hcas=(HCA,))
    cluster = things({"kubernetes/0.yaml": network({})})
    (found,) = cluster.networks
    assert of_first(cluster, {}, found, here, master="ens1").hca == HCA
    assert of_first(cluster, {}, found, here, master="ens1.100").hca == HCA
    wrong = of_first(cluster, {}, found, here, master="eth7")
    assert (wrong.hca, wrong.wrong) == (None, "node-0 has no interface eth7")
    bare = replace(here, hcas=(replace(HCA, netdev=None),))
    assert of_first(cluster, {}, found, bare, master="eth7").wrong == ""
    without = network({}).replace("k8s.v1.cni.cncf.io/resourceName", "other")
    cluster = things({"kubernetes/0.yaml": without})
    assert of_first(cluster, {}, cluster.networks[0], here).hca is None


POLICY = {
    "apiVersion": "sriovnetwork.openshift.io/v1",
    "kind": "SriovNetworkNodePolicy",
    "metadata": {"name": "p", "namespace": "sriov"},
    "spec": {"resourceName": "rail", "numVfs": 8, "isRdma": True, "nicSelector": {"pfNames": ["ens1"]}},
}


def offered(texts: dict[str, str] | None = None, **change: Any) -> Any:
    """The device of a pod by a policy, and the host."""
    spec: Any = POLICY["spec"]
    cluster = things({"kubernetes/0.yaml": yaml.safe_dump({**POLICY, "spec": {**spec, **change}})})
    (rail,) = things({"kubernetes/0.yaml": network({})}).networks
    here = replace(host(0), hcas=(HCA,))
    return of_first(cluster, texts or {}, replace(rail, resource=f"{cluster.prefix}/rail"), here), here


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({}, ""),
        ({"linkType": "eth"}, ""),
        (
            {"linkType": "ib"},
            "linkType ib of SriovNetworkNodePolicy sriov/p (kubernetes/0.yaml:8) is not ethernet",
        ),
    ],
)
def test_a_policy_leaves_a_port_of_another_link_without_devices(spec: dict[str, Any], said: str) -> None:
    device, _ = offered(**spec)
    assert (device.wrong == "") is (said == ""), device.wrong
    assert device.hca == HCA
    assert said.partition(" (")[0] in device.wrong


@pytest.mark.parametrize(
    ("spec", "verbs", "said"),
    [
        ({}, False, []),
        ({"isRdma": False}, False, [True]),
        ({"isRdma": False}, True, []),
        ({"deviceType": "netdevice", "eSwitchMode": "legacy"}, False, []),
        ({"deviceType": "vfio-pci"}, False, [False]),
        ({"eSwitchMode": "switchdev"}, False, [False]),
        ({"vdpaType": "virtio"}, False, [False]),
        ({"bridge": {"ovs": {}}}, False, [False]),
        ({"bridge": {}}, False, []),
        ({"externallyManaged": True}, False, [False]),
        ({"externallyManaged": False}, False, []),
    ],
)
def test_settings_of_a_policy(spec: dict[str, Any], verbs: bool, said: list[bool]) -> None:
    device, here = offered(**spec)
    assert device.offer is not None
    assert [refutes for refutes, _ in settings_faults(device.offer, here, verbs)] == said


@pytest.mark.parametrize(("made", "wrong"), [(8, False), (7, True)])
def test_vfs_of_a_policy_that_others_make(made: int, wrong: bool) -> None:
    texts = {"hosts/gpu/10-roce0.link": f"[Link]\nSR-IOVVirtualFunctions={made}\n"}
    device, _ = offered(texts, externallyManaged=True)
    assert ("has 7 VFs" in device.wrong) is wrong


@pytest.mark.parametrize(
    ("name", "space", "known"),
    [
        ("sriovdp-config", "kube-system", True),
        ("other", "kube-system", False),
        ("sriovdp-config", "apps", False),
    ],
)
def test_a_config_map_is_the_one_that_the_plugin_reads_or_mounted(name: str, space: str, known: bool) -> None:
    selectors = {"pciAddresses": ["0000:19:00.0"]}
    entry = {"resourceName": "rail", "resourcePrefix": "nvidia.com", "selectors": selectors}
    text = PLUGIN.format(config=json.dumps({"resourceList": [entry]}))
    text = text.replace("sriovdp-config", name).replace("kube-system", space)
    here = site(network({}), text)
    (found,) = here.cluster.networks
    device = of_first(here.cluster, {}, found, replace(host(0), hcas=(HCA,)))
    assert device.offer is not None
    assert (plugin_unknown(device.offer, here.cluster) == "") is known
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "plugin", "namespace": space},
        "spec": {"containers": [{"name": "a"}], "volumes": [{"name": "v", "configMap": {"name": name}}]},
    }
    mounted = site(network({}), text, yaml.safe_dump(pod))
    assert plugin_unknown(device.offer, mounted.cluster) == ""


# The NIC's end of the cable


QOS = ReadNicQos(
    file="f",
    judged=True,
    trust="dscp",
    priorities={26: 3, 48: 6},
    pfc=frozenset({3}),
    marks=frozenset({3}),
    ets=NicEts(classes=(0, 1, 2, 3, 4, 5, 6, 7), strict=frozenset({6}), shares=(50, 0, 0, 50, 0, 0, 0, 0)),
    cnps={48: "g"},
)


def ets(**change: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "classes": tuple(range(8)),
        "strict": frozenset({6}),
        "shares": (50, 0, 0, 50, 0, 0, 0, 0),
    }
    return {"ets": NicEts(**{**plain, **change})}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"judged": False}, [(Proof.OPEN, "pfc")]),
        ({"trust": "pcp"}, [(Proof.REFUTED, "trust")]),
        ({"trust": None}, [(Proof.REFUTED, "trust")]),
        ({"pfc": frozenset({4})}, [(Proof.REFUTED, "pfc")]),
        ({"priorities": {}}, [(Proof.REFUTED, "pfc")]),
        ({"marks": frozenset({4})}, [(Proof.OPEN, "ecn")]),
        ({"marks": None}, []),
        ({"odd": ("x",)}, [(Proof.OPEN, "pfc")]),
        ({"port": NicPort(cable_m=40)}, []),
        ({"port": NicPort(cable_m=39)}, [(Proof.REFUTED, "headroom")]),
        ({"port": NicPort(traffic_class=106)}, []),
        ({"port": NicPort(traffic_class=105)}, []),
        ({"port": NicPort(traffic_class=104)}, [(Proof.OPEN, "ecn")]),
        ({"port": NicPort(traffic_class=107)}, [(Proof.REFUTED, "ecn")]),
        ({"port": NicPort(traffic_class=102)}, [(Proof.REFUTED, "dscp")]),
        (ets(classes=(0, 1, 2, 0, 4, 5, 6, 7)), [(Proof.OPEN, "pfc")]),
        (ets(shares=(50, 0, 0, 49, 0, 0, 0, 0)), [(Proof.OPEN, "pfc")]),
        (ets(shares=(50, 0, 0, 50, 0, 0, 9, 0)), []),
        (ets(shares=(100, 0, 0, 0, 0, 0, 0, 0)), [(Proof.OPEN, "pfc")]),
        (ets(shares=(100, 0, 0, 0, 0, 0, 0, 0), strict=frozenset({3})), []),
        ({"ets": None}, []),
    ],
)
def test_a_nic_keeps_a_dscp_lossless(change: dict[str, Any], found: list[tuple[Proof, str]]) -> None:
    answer = nic_answer("node-0 roce0", replace(QOS, **change), 26, 40)
    assert [(each.proof, each.fact) for each in answer.doubts] == found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"judged": False, "cnps": {26: "g"}}, []),
        ({"cnps": {}}, []),
        ({"cnps": {26: "g"}}, [Proof.REFUTED]),
        ({"cnps": {48: "g", 50: "h"}}, [Proof.OPEN]),
        ({"cnp_priority": 6}, []),
        ({"cnp_priority": 5}, [Proof.OPEN]),
        ({"cnps": {50: "g"}, "cnp_priority": 0}, []),
    ],
)
def test_a_nic_sends_its_cnps_past_pfc(change: dict[str, Any], found: list[Proof]) -> None:
    doubts = nic_cnp("node-0 roce0", replace(QOS, **change))
    assert [each.proof for each in doubts] == found
    assert nic_cnp("node-0 roce0", None) == ()


@pytest.mark.parametrize(
    ("one", "other", "proof"),
    [
        (None, None, Proof.OPEN),
        (106, None, Proof.OPEN),
        (None, 106, Proof.OPEN),
        (106, 106, Proof.PROVED),
        (106, 105, Proof.OPEN),
    ],
)
def test_traffic_classes_of_two_pods(one: int | None, other: int | None, proof: Proof) -> None:
    pods: list[Any] = [SimpleNamespace(traffic_class=byte) for byte in (one, other)]
    (found,) = compared_classes(*pods)
    assert found.proof is proof
    assert ("DSCP 26" in found.said) is (None not in (one, other))


# What pods have of their networks


def nad(*chain: dict[str, Any], **spec: Any) -> Any:
    return SimpleNamespace(
        chain=chain, types=[each["type"] for each in chain], thing=SimpleNamespace(spec=spec)
    )


@pytest.mark.parametrize(
    ("chain", "spec", "vlan"),
    [
        ({"type": "sriov", "vlan": 100}, {}, 100),
        ({"type": "sriov"}, {"vlan": 100}, 100),
        ({"type": "sriov", "vlan": 0}, {}, None),
        ({"type": "macvlan", "vlan": 100}, {}, None),
        ({"type": "macvlan", "master": "ens1.100"}, {}, 100),
        ({"type": "macvlan"}, {"master": "ens1.100"}, 100),
        ({"type": "macvlan", "master": "ens1"}, {}, None),
        ({"type": "macvlan", "master": "100"}, {}, None),
    ],
)
def test_the_tag_of_a_network(chain: dict[str, Any], spec: dict[str, Any], vlan: int | None) -> None:
    assert tag(nad(chain, **spec)) == vlan


def test_the_mtu_of_a_pod_is_what_is_set_last() -> None:
    tuned = [{"type": "tuning", "mtu": mtu} for mtu in (2000, 3000)]
    port: Any = SimpleNamespace(value=9000)
    assert pod_mtu(nad({"type": "macvlan", "mtu": 4000}, *tuned, mtu=5000), port) == 3000
    assert pod_mtu(nad({"type": "macvlan", "mtu": 4000}, {"type": "tuning"}, mtu=5000), port) == 4000
    assert pod_mtu(nad({"type": "macvlan"}, mtu=5000), port) == 5000
    assert pod_mtu(nad({"type": "macvlan"}), port) == 9000
    assert pod_mtu(nad({"type": "macvlan"}), None) is None


@pytest.mark.parametrize(
    ("wide", "narrow", "covered"),
    [
        ("10.0.0.0/16", "10.0.1.0/24", True),
        ("10.0.1.0/24", "10.0.1.0/24", True),
        ("10.0.1.0/25", "10.0.1.0/24", False),
        ("10.1.0.0/16", "10.0.1.0/24", False),
        ("::/0", "10.0.1.0/24", False),
    ],
)
def test_a_prefix_covers_another(wide: str, narrow: str, covered: bool) -> None:
    assert covers(ip_network(wide), ip_network(narrow)) is covered


@pytest.mark.parametrize(("gpus", "asked", "pods"), [(8, 8, 1), (8, 4, 2), (8, 3, 2), (0, 4, 1), (8, 0, 1)])
def test_pods_of_a_host_are_as_many_as_its_gpus_are_for(gpus: int, asked: int, pods: int) -> None:
    limits = {"resources": {"limits": {"nvidia.com/gpu": asked, "nvidia.com/rail": 3}}} if asked else {}
    assert pods_on(workload(limits), replace(host(0), gpus=gpus)) == pods
