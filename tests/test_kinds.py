"""Every mode, owner and Kubernetes kind once: rendered objects, and that the upstream schemas accept them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.pipeline import compile_texts
from tests.crd import validate_object
from tests.factories import merged
from tests.inventories import outputs
from tests.overlay import CHECKS

pytestmark = pytest.mark.crd


def rendered(base: str, over: dict[str, Any]) -> dict[str, str]:
    """The tree of a checks' base inventory with an overlay; no errors, and every object must be accepted."""
    path = CHECKS / ("base.yaml" if base == "base" else f"bases/{base}.yaml")
    data = merged(load_texts({"base.yaml": path.read_text()}).data, over)
    result = compile_texts({"case.yaml": json.dumps(data)})
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []
    tree = outputs(result)
    refused = [(o["kind"], e) for o in objects(tree) for e in validate_object(o)]
    assert refused == []
    return tree


def objects(tree: dict[str, str]) -> list[dict[str, Any]]:
    """Every object below kubernetes/."""
    return [
        o
        for path, text in sorted(tree.items())
        if path.startswith("kubernetes/") and path.endswith(".yaml")
        if not path.endswith(("values.yaml", "kustomization.yaml"))
        for o in yaml.safe_load_all(text)
    ]


def of_kind(tree: dict[str, str], kind: str) -> list[dict[str, Any]]:
    return [o for o in objects(tree) if o["kind"] == kind]


def chain(nad: dict[str, Any]) -> list[str]:
    return [plugin["type"] for plugin in json.loads(nad["spec"]["config"])["plugins"]]


def test_sriov_network_carries_the_chain_as_a_fragment():
    tree = rendered("operator", {})
    first, second = of_kind(tree, "SriovNetwork")
    assert (first["metadata"]["name"], second["metadata"]["name"]) == ("rail-0", "rail-1")
    assert (first["spec"]["resourceName"], first["spec"]["vlan"]) == ("rail_0", 100)
    plugins = json.loads(f"[{first['spec']['metaPlugins']}]")
    assert [p["type"] for p in plugins] == ["tuning", "sbr"]
    assert json.loads(first["spec"]["ipam"])["poolName"] == "rail0"
    assert of_kind(tree, "NetworkAttachmentDefinition") == []


def test_nic_template_states_both_ends_of_the_qos():
    (template,) = of_kind(rendered("operator", {}), "NicConfigurationTemplate")
    body = template["spec"]["template"]
    assert body["roceOptimized"]["qos"] == {
        "trust": "dscp",
        "pfc": "0,0,0,1,0,0,0,0",
        "tos": 106,
        "ecn": {"enabled": True, "priority": 3},
    }
    assert {"name": "CNP_DSCP_P1", "value": "48"} in body["rawNvConfig"]
    policy, *_ = of_kind(rendered("operator", {}), "SriovNetworkNodePolicy")
    assert body["numVfs"] >= policy["spec"]["numVfs"]


def test_sriov_ib_network():
    over = {"cluster": {"owners": {"nads": "operator"}}, "networks": {"ib": {"pkey": None}}}
    (network,) = of_kind(rendered("infiniband", over), "SriovIBNetwork")
    assert network["spec"]["resourceName"] == "ib"
    assert network["metadata"]["namespace"] == "sriov-network-operator"
    assert network["spec"]["networkNamespace"] == "training"


def test_ib_nad_isolates_in_exclusive_mode():
    over = {"cluster": {"rdma_mode": "exclusive"}}
    (nad,) = of_kind(rendered("infiniband", over), "NetworkAttachmentDefinition")
    plugin = json.loads(nad["spec"]["config"])["plugins"][0]
    assert (plugin["type"], plugin["pkey"], plugin["rdmaIsolation"]) == ("ib-sriov", "0x0012", True)
    (pool,) = of_kind(rendered("infiniband", over), "SriovNetworkPoolConfig")
    assert pool["spec"]["rdmaMode"] == "exclusive"


def shared_hca(link: str, network: dict[str, Any], nads: str) -> dict[str, Any]:
    """One shared port and one network on it, in a cluster with the Network Operator."""
    return {
        "cluster": {
            "owners": {"vfs": "none", "device_plugin": "nic-cluster-policy", "nads": nads, "nic_qos": "host"},
            "network_operator": {
                "release": "26.4",
                "repository": "nvcr.io/nvidia/mellanox",
                "version": "network-operator-v26.4.0",
            },
        },
        "rails": None,
        "subnets": {"shared": {"cidr": "172.20.0.0/24"}},
        "host_types": {
            "gpu": {
                "hcas": {
                    "roce0": {"rail": None, "use": "pf", "vfs": None, "link": link, "model": "connectx-7"},
                    "roce1": None,
                }
            }
        },
        "networks": {"rail": None, "lan": {"subnet": "shared", "namespaces": ["training"], **network}},
        "workloads": {"train": {"networks": ["lan"]}},
        "links": [],
        "underlay": None,
        "switches": {},
    }


def test_macvlan_network_and_the_shared_plugin_in_the_policy():
    over = shared_hca("ethernet", {"mode": "macvlan", "ipam": "whereabouts", "hcas": ["roce0"]}, "operator")
    tree = rendered("base", over)
    (network,) = of_kind(tree, "MacvlanNetwork")
    assert network["spec"] == {
        "networkNamespace": "training",
        "master": "ens1f0",
        "mode": "bridge",
        "mtu": 9000,
        "ipam": '{"type":"whereabouts","range":"172.20.0.0/24"}',
    }
    (policy,) = of_kind(tree, "NicClusterPolicy")
    config = json.loads(policy["spec"]["rdmaSharedDevicePlugin"]["config"])
    assert config["configList"][0]["resourceName"] == "lan"
    assert config["configList"][0]["selectors"]["ifNames"] == ["ens1f0"]


def test_ipoib_network_and_its_plugin():
    over = shared_hca("infiniband", {"mode": "ipoib", "ipam": "nv-ipam", "hcas": ["roce0"]}, "operator")
    over["fabric"] = {"type": "infiniband", "qos": None, "mtu": 2044}
    tree = rendered("base", over)
    (network,) = of_kind(tree, "IPoIBNetwork")
    assert network["spec"]["master"] == "ens1f0"
    (policy,) = of_kind(tree, "NicClusterPolicy")
    assert {"nvIpam", "rdmaSharedDevicePlugin", "secondaryNetwork"} <= policy["spec"].keys()
    assert policy["spec"]["secondaryNetwork"]["ipoib"]["image"] == "ipoib-cni"


def test_host_device_network_outside_of_rails():
    over = shared_hca("ethernet", {"mode": "host-device", "ipam": "nv-ipam", "hcas": ["roce0"]}, "operator")
    tree = rendered("base", over)
    (network,) = of_kind(tree, "HostDeviceNetwork")
    assert network["spec"]["resourceName"] == "lan"
    config = json.loads(of_kind(tree, "NicClusterPolicy")[0]["spec"]["sriovDevicePlugin"]["config"])
    assert config["resourceList"][0]["resourcePrefix"] == "nvidia.com"
    assert config["resourceList"][0]["selectors"]["pciAddresses"] == ["0000:18:00.0"]


def test_before_26_4_every_component_names_its_image():
    over = shared_hca("ethernet", {"mode": "macvlan", "ipam": "nv-ipam", "hcas": ["roce0"]}, "netplan")
    over["cluster"]["network_operator"] |= {"release": "25.10", "version": "network-operator-v25.10.0"}
    (policy,) = of_kind(rendered("base", over), "NicClusterPolicy")
    assert "global" not in policy["spec"]
    assert policy["spec"]["nvIpam"] == {
        "image": "nvidia-k8s-ipam",
        "repository": "nvcr.io/nvidia/mellanox",
        "version": "network-operator-v25.10.0",
    }


@pytest.mark.parametrize(
    ("mode", "ipam", "expected"),
    [
        ("macvlan", "whereabouts", ["macvlan"]),
        ("ipvlan", "nv-ipam", ["ipvlan"]),
        ("host-device", "nv-ipam", ["host-device", "tuning"]),
        ("macvlan", "static", ["macvlan"]),
    ],
)
def test_chain_by_mode(mode, ipam, expected):
    over = shared_hca("ethernet", {"mode": mode, "ipam": ipam, "hcas": ["roce0"]}, "netplan")
    over["workloads"]["train"]["nodes"] = 1
    (nad,) = of_kind(rendered("base", over), "NetworkAttachmentDefinition")
    assert chain(nad) == expected
    assert json.loads(nad["spec"]["config"])["plugins"][0]["ipam"]["type"] == ipam


def test_host_local_on_one_node_keeps_its_leases_on_tmpfs():
    over = shared_hca("ethernet", {"mode": "macvlan", "ipam": "host-local", "hcas": ["roce0"]}, "netplan")
    over |= {"hosts": {"gpu-[1-2]": None, "gpu-1": {"type": "gpu"}}}
    over["subnets"]["shared"] |= {
        "gateway": "172.20.0.1",
        "gateway_owner": "external",
        "exclude": ["172.20.0.10-172.20.0.19"],
    }
    over["workloads"]["train"]["nodes"] = 1
    (nad,) = of_kind(rendered("base", over), "NetworkAttachmentDefinition")
    ipam = json.loads(nad["spec"]["config"])["plugins"][0]["ipam"]
    assert ipam["dataDir"] == "/run/cni/ipam-shared"
    assert [(r["rangeStart"], r["rangeEnd"]) for r in ipam["ranges"][0]] == [
        ("172.20.0.2", "172.20.0.9"),
        ("172.20.0.20", "172.20.0.254"),
    ]


def test_routed_host_links_have_a_cidr_pool():
    over = {
        "rails": {"segment": "host", "vlan_ids": None, "rail_prefixes": [22], "prefixes": [31]},
        "host_types": {"gpu": {"hcas": {"roce0": {"vfs": 1}, "roce1": {"vfs": 1}}}},
        "switch_types": {"sn2700": {"frr_mode": "frrcfgd"}},
    }
    pool, _ = of_kind(rendered("base", over), "CIDRPool")
    assert pool["spec"]["perNodeNetworkPrefix"] == 31
    assert pool["spec"]["gatewayIndex"] == 0
    assert pool["spec"]["staticAllocations"] == [
        {"nodeName": "gpu-1", "prefix": "172.16.0.0/31", "gateway": "172.16.0.0"},
        {"nodeName": "gpu-2", "prefix": "172.16.0.2/31", "gateway": "172.16.0.2"},
    ]
