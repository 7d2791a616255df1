"""Addresses that a pod may get by each IPAM's own documentation, on hand-written files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.graph.kubernetes.gather import cluster_of
from netplan.model.artifact import Artifact
from netplan.model.site import SiteFacts, SiteHca, SiteHost, SiteQos
from netplan.trace import TracedSite
from netplan.trace.addresses import Turn, Turns, addresses
from netplan.trace.back_ends import attach
from netplan.trace.devices import device_of
from netplan.trace.linux import Namespace
from netplan.verify.read import read

NETWORK = """\
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {{name: rail, namespace: apps, annotations: {{k8s.v1.cni.cncf.io/resourceName: nvidia.com/rail}}}}
spec: {{config: '{config}'}}
"""
POOL = """\
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: {kind}
metadata: {{name: pool, namespace: apps}}
spec: {spec}
"""
PLUGIN = """\
apiVersion: v1
kind: ConfigMap
metadata: {{name: sriovdp-config, namespace: kube-system}}
data: {{config.json: '{config}'}}
"""


def host(number: int, *pci: str) -> SiteHost:
    hcas = tuple(
        SiteHca(name=f"hca-{n}", rail=None, pci=address, netdev=None) for n, address in enumerate(pci)
    )
    return SiteHost(name=f"node-{number}", type="gpu", number=number, labels={}, hcas=hcas)


def site(*texts: str) -> TracedSite:
    artifacts = [
        Artifact(f"kubernetes/{number}.yaml", text, "kubernetes") for number, text in enumerate(texts)
    ]
    facts = SiteFacts(
        name="site", fabric_type="roce", cross_rail="routed", qos=SiteQos(), hosts=(), links={}, switches={},
        cables=(), workloads=(),
    )  # fmt: skip
    made = TracedSite(artifacts, facts=facts)
    vars(made)["cluster"] = cluster_of(read(artifacts).tree, {}, whole=True)  # netplan's schemas left out
    return made


def network(ipam: dict[str, Any]) -> str:
    config = {"cniVersion": "1.0.0", "name": "rail", "type": "host-device", "ipam": ipam}
    return NETWORK.format(config=json.dumps(config))


def given(texts: list[str], number: int, slot: int) -> list[tuple[str, str]]:
    """(address and length, gateway)"""
    here = site(*texts)
    (found,) = here.cluster.networks
    owned, _, faults = addresses(here, found, host(number), Turn(slot, 2))
    assert faults == []
    return [(f"{own.ip}/{own.prefix.prefixlen}", str(own.gateway)) for own in owned]


NV_IPAM = {"type": "nv-ipam", "poolName": "pool", "poolType": "cidrpool"}


@pytest.mark.parametrize(
    ("number", "slot", "expected"),
    [
        (0, 0, ("10.0.0.0/31", "10.0.0.1")),
        (1, 0, ("10.0.0.2/31", "10.0.0.3")),
        (5, 0, ("10.0.0.10/31", "10.0.0.11")),
    ],
)
def test_a_cidr_pool_gives_every_node_the_next_prefix(number: int, slot: int, expected: tuple[str, str]):
    """Mellanox/nvidia-k8s-ipam README.md, CIDRPool: a prefix of perNodeNetworkPrefix for each node; the
    gateway is the address number gatewayIndex of the node's prefix."""
    pool = "{cidr: 10.0.0.0/24, perNodeNetworkPrefix: 31, gatewayIndex: 1}"
    assert given([network(NV_IPAM), POOL.format(kind="CIDRPool", spec=pool)], number, slot) == [expected]


@pytest.mark.parametrize(("number", "slot", "expected"), [(0, 0, 2), (0, 1, 3), (1, 0, 4), (2, 1, 7)])
def test_host_local_gives_two_pods_of_each_host_addresses_of_their_own(number: int, slot: int, expected: int):
    """The first address is the gateway (containernetworking/plugins, host-local, range.go)."""
    ipam = {"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24"}]]}
    assert given([network(ipam)], number, slot) == [(f"10.0.0.{expected}/24", "10.0.0.1")]


@pytest.mark.parametrize(
    ("ipam", "expected"),
    [
        ({"type": "nv-ipam", "poolName": "pool"}, ["10.0.0.4", "10.0.0.5"]),
        ({"type": "whereabouts", "range": "10.0.0.0/24"}, ["10.0.0.3", "10.0.0.4"]),
        ({"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24"}]]}, ["10.0.0.3", "10.0.0.3"]),
    ],
)
def test_two_interfaces_of_the_second_pod_of_a_node_get_addresses_of_one_range(
    ipam: dict[str, Any], expected: list[str]
) -> None:
    """host-local keeps a list for each network, so both get the same one."""
    pool = POOL.format(kind="IPPool", spec="{subnet: 10.0.0.0/24, gateway: 10.0.0.1, perNodeBlockSize: 8}")
    other = network(ipam).replace("name: rail", "name: other", 1)
    here = site(network(ipam), other, pool)
    networks = sorted(here.cluster.networks, key=lambda each: each.name, reverse=True)
    turns = Turns(networks, 1)
    assigned = [addresses(here, each, host(0), turns.next(each))[0] for each in networks]
    assert [str(owned[0].ip) for owned in assigned] == expected


@pytest.mark.parametrize(
    ("number", "slot", "expected"), [(0, 0, 10), (0, 1, 11), (1, 0, 12), (1, 1, 13), (2, 1, 11)]
)
def test_spiderpool_gives_two_pods_of_each_host_addresses_of_its_range(number: int, slot: int, expected: int):
    """Spiderpool assigns any free address of the range; the example counts up and wraps around."""
    ipam = {"type": "spiderpool", "default_ipv4_ippool": ["pool"]}
    pool = """\
apiVersion: spiderpool.spidernet.io/v2beta1
kind: SpiderIPPool
metadata: {name: pool}
spec: {subnet: 10.0.0.0/24, ips: ["10.0.0.10-10.0.0.13"], gateway: 10.0.0.1}
"""
    assert given([network(ipam), pool], number, slot) == [(f"10.0.0.{expected}/24", "10.0.0.1")]


@pytest.mark.parametrize(
    ("pci", "nth", "chosen"),
    [
        (["0000:1a:00.0"], 1, 0),
        (["0000:2a:00.0", "0000:1a:00.0"], 0, 1),
        (["0000:2a:00.0", "0000:1a:00.0"], 1, 0),
        (["0000:2a:00.0", "0000:1a:00.0"], 2, None),
    ],
)
def test_devices_of_one_resource(pci: list[str], nth: int, chosen: int | None):
    """Assigned in PCI address order. One address may be several devices: VFs of a PF."""
    entry = {"resourceName": "rail", "resourcePrefix": "nvidia.com", "selectors": {"pciAddresses": pci}}
    here = site(network({}), PLUGIN.format(config=json.dumps({"resourceList": [entry]})))
    (found,) = here.cluster.networks
    device = device_of(here.cluster, {}, found, host(0, *pci), master=None, nth=nth, asked=len(pci))
    assert (device.hca and device.hca.name) == (None if chosen is None else f"hca-{chosen}")
    missing = f"resource nvidia.com/rail selects no HCA number {nth + 1} of node-0"
    assert device.wrong == ("" if chosen is not None else missing)


def test_the_last_of_two_tuning_plugins_sets_a_value() -> None:
    """Chained plugins run in order (CNI specification 1.1.0, section 3)."""
    space = Namespace()
    key = "net.ipv4.conf.IFNAME.rp_filter"
    chain: tuple[dict[str, Any], ...] = ({"type": "sriov"},)
    chain += tuple({"type": "tuning", "sysctl": {key: value}} for value in ("2", "1"))
    attach(space, "rail0", (), [], chain)
    assert space.rp_filter["rail0"] == 1
