"""Edge cases, one fact per case: attachments, the resources behind them, and what pods request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model.hardware import ZONE_LABEL
from netplan.model.routes import ROUTINGS
from netplan.model.workloads import DeviceRequest
from netplan.plan import attachments, devices, workloads
from netplan.plan.spiderpool import POOLS_ANNOTATION
from tests.unit.some import but, owned_by, some

SEGMENT = some(name="rail0-leaf-1", rail=0, leaf="leaf-1", vlan=100, host_prefixes=(), subnets=(), routes=())
NETWORK = some(
    name="blue",
    per_rail=True,
    mode="sriov",
    by_routing=ROUTINGS["none"],
    ipam="whereabouts",
    shared=False,
    tagging="vf",
    pkey=None,
    membership="full",
    resource="per-rail",
    resource_name=None,
    resource_prefix=None,
    pods_per_hca=3,
    vf_range=None,
    subnet=None,
    hcas=(),
    host_types=(),
    takes="vf",
    block_size=None,
    by_mode=some(
        tags=True, mtu="tuning", rdma="chain", link="ethernet", operator_kind="SriovNetwork", attached=True
    ),
    by_ipam=some(addresses=True, pools=False, hands_out="range"),
)
OWNERS = owned_by(device_plugin="manual", nads="netplan", vfs="host")
CLUSTER = some(owners=OWNERS, rdma_mode="exclusive", sriov_operator=None, network_operator=None)
FABRIC = some(cluster=CLUSTER, mtu=9000, type="roce", hosts=(), subnets=(), rails=None, workloads=())


def owned(**owners: str) -> Any:
    return but(FABRIC, cluster=but(CLUSTER, owners=but(OWNERS, **owners)))


@pytest.mark.parametrize(
    ("segment", "name"),
    [
        (None, "blue"),
        (but(SEGMENT, rail=None), "blue"),
        (SEGMENT, "blue-0-leaf-1"),
        (but(SEGMENT, leaf=None, rail=3), "blue-3"),
    ],
)
def test_the_name_of_an_attachment(segment: Any, name: str) -> None:
    assert attachments.attachment_name(NETWORK, segment) == name


@pytest.mark.parametrize(
    ("owners", "network", "kind"),
    [
        ({}, {}, "NetworkAttachmentDefinition"),
        ({"nads": "operator"}, {}, "SriovNetwork"),
        ({"nads": "operator"}, {"by_mode": some(operator_kind=None)}, "NetworkAttachmentDefinition"),
        ({}, {"ipam": "spiderpool"}, "SpiderMultusConfig"),
        ({"device_plugin": "dranet"}, {}, "ResourceClaimTemplate"),
        ({"device_plugin": "dranet"}, {"shared": True}, "NetworkAttachmentDefinition"),
    ],
)
def test_who_makes_an_attachment(owners: Any, network: Any, kind: str) -> None:
    assert attachments._owner_kind(owned(**owners), but(NETWORK, **network)) == kind


@pytest.mark.parametrize(
    ("by", "kind", "vfs", "mtus"),
    [
        ("plugin", "NetworkAttachmentDefinition", "host", (9000, None)),
        ("plugin", "SpiderMultusConfig", "host", (None, 9000)),
        ("tuning", "NetworkAttachmentDefinition", "host", (None, 9000)),
        ("tuning", "HostDeviceNetwork", "host", (None, None)),
        ("policy", "NetworkAttachmentDefinition", "host", (None, 9000)),
        ("policy", "SriovNetwork", "sriov-network-operator", (None, None)),
        ("none", "NetworkAttachmentDefinition", "host", (None, None)),
    ],
)
def test_who_sets_the_mtu_of_a_pod(by: str, kind: str, vfs: str, mtus: Any) -> None:
    network = but(NETWORK, by_mode=some(mtu=by))
    assert attachments._mtus(owned(vfs=vfs), network, kind) == mtus


@pytest.mark.parametrize(
    ("network", "segment", "vlan"),
    [
        ({}, SEGMENT, 100),
        ({}, None, None),
        ({"tagging": "switch"}, SEGMENT, None),
        ({"by_mode": some(tags=False)}, SEGMENT, None),
        ({}, but(SEGMENT, vlan=None), None),
    ],
)
def test_what_a_vf_tags_with(network: Any, segment: Any, vlan: int | None) -> None:
    assert attachments._vlan(but(NETWORK, **network), segment) == vlan


@pytest.mark.parametrize(
    ("mode", "shared", "how"),
    [("exclusive", False, "chain"), ("exclusive", True, "none"), ("shared", False, "none")],
)
def test_how_a_device_moves_into_a_pod(mode: str, shared: bool, how: str) -> None:
    fabric = but(FABRIC, cluster=but(CLUSTER, rdma_mode=mode))
    assert attachments._rdma(fabric, but(NETWORK, shared=shared)) == how


def subnets(*texts: str, gateway: bool = False) -> tuple[Any, ...]:
    nets = [IPNetwork(text) for text in texts]
    return tuple(
        some(network=n, gateway=IPAddress(n.first + 1, n.version) if gateway else None) for n in nets
    )


@pytest.mark.parametrize(
    ("network", "texts", "count", "last"),
    [
        ({}, (), 6, "net.ipv4.conf.IFNAME.rp_filter"),
        ({}, ("10.0.0.0/24",), 6, "net.ipv4.conf.IFNAME.rp_filter"),
        ({}, ("10.0.0.0/24", "fd00::/64"), 7, "net.ipv6.conf.IFNAME.accept_ra"),
        ({"per_rail": False}, ("fd00::/64",), 0, ""),
        ({"by_mode": some(link="infiniband")}, ("fd00::/64",), 0, ""),
    ],
)
def test_sysctls_of_a_pod(network: Any, texts: Any, count: int, last: str) -> None:
    found = attachments._sysctls(but(NETWORK, **network), but(SEGMENT, subnets=subnets(*texts)))
    assert isinstance(found, tuple)
    assert len(found) == count
    assert not last or found[-1][0] == last
    assert len(attachments._sysctls(NETWORK, None)) == 6


def test_keys_namespaces_and_masters() -> None:
    assert attachments._pkey(but(NETWORK, pkey=5)) == 5
    assert attachments._pkey(but(NETWORK, pkey=5, membership="limited")) is None
    stated = but(CLUSTER, network_operator=some(namespace="nvidia"))
    assert attachments.operator_namespace(FABRIC) == "default"
    assert attachments.operator_namespace(but(FABRIC, cluster=stated)) == "nvidia"
    both = but(stated, sriov_operator=some(namespace="sriov"))
    assert attachments.operator_namespace(but(FABRIC, cluster=both)) == "sriov"
    ports = (some(rail=0, netdev=None), some(rail=1, netdev="ens1"), some(rail=0, netdev="ens2"))
    carried = (devices.Carrier(some(name="gpu"), ports),)
    shared = but(NETWORK, shared=True)
    assert attachments._master(NETWORK, 0, carried) is None
    assert attachments._master(shared, 0, carried) == "ens2"
    assert attachments._master(shared, 1, carried) == "ens1"
    assert attachments._master(shared, 2, carried) is None
    assert attachments._master(shared, None, carried) == "ens1"


def test_the_resource_of_an_attachment() -> None:
    every = (
        some(network="x", rails=(0,)),
        some(network="blue", rails=(0,)),
        some(network="blue", rails=(1, 2)),
    )
    for rail, place in ((0, 1), (1, 2), (2, 2), (None, 1)):
        assert attachments._resource(every, NETWORK, rail) is every[place]
    assert attachments._resource(every, NETWORK, 3) is None


def test_a_segment_is_used_on_leaves_that_have_hosts_of_the_types() -> None:
    groups = {
        (0, "leaf-1"): [some(hosts=[some(type=some(name="cpu"))]), some(hosts=[some(type=some(name="gpu"))])]
    }
    addresses = some(groups_at=groups)
    assert attachments._on_leaf(addresses, 0, "leaf-1", {"gpu"})
    assert not attachments._on_leaf(addresses, 0, "leaf-1", {"other"})
    assert not attachments._on_leaf(addresses, 1, "leaf-1", {"gpu"})


@pytest.mark.parametrize(
    ("port", "vf_range", "count"),
    [
        ({}, None, 8),
        ({}, (2, 5), 4),
        ({}, (0, 0), 1),
        ({"virtual": True}, None, 1),
        ({"use": "pf"}, (2, 5), 1),
    ],
)
def test_devices_of_an_hca(port: Any, vf_range: Any, count: int) -> None:
    hca = some(**{"use": "vf", "virtual": False, "vfs": 8, **port})
    assert devices.devices(but(NETWORK, vf_range=vf_range), hca) == count


@pytest.mark.parametrize(
    ("kind", "shared", "owner", "plugin"),
    [
        ("roce", False, "manual", "sriov"),
        ("roce", True, "manual", "rdma-shared"),
        ("roce", True, "dranet", "rdma-shared"),
        ("roce", False, "dranet", "dranet"),
        ("efa", True, "dranet", "efa"),
        ("efa", False, "manual", "efa"),
    ],
)
def test_the_plugin_of_a_network(kind: str, shared: bool, owner: str, plugin: str) -> None:
    fabric = but(owned(device_plugin=owner), type=kind)
    assert devices._plugin(fabric, but(NETWORK, shared=shared)) == plugin


@pytest.mark.parametrize(
    ("plugin", "owner", "operator", "stated", "prefix"),
    [
        ("sriov", "manual", None, None, "intel.com"),
        ("sriov", "manual", None, "x.com", "x.com"),
        ("sriov", "nic-cluster-policy", None, None, "nvidia.com"),
        ("sriov", "sriov-network-operator", None, "x.com", "nvidia.com"),
        ("sriov", "sriov-network-operator", "openshift.io", "x.com", "openshift.io"),
        ("rdma-shared", "sriov-network-operator", None, None, "rdma"),
        ("rdma-shared", "nic-cluster-policy", None, "x.com", "x.com"),
        ("dranet", "dranet", None, "x.com", ""),
    ],
)
def test_the_prefix_of_a_resource(plugin: str, owner: str, operator: Any, stated: Any, prefix: str) -> None:
    given = owned(device_plugin=owner)
    given.cluster.sriov_operator = some(resource_prefix=operator) if operator else None
    assert devices._prefix(given, but(NETWORK, resource_prefix=stated), plugin) == prefix


@pytest.mark.parametrize(
    ("change", "plugin", "name"),
    [
        ({}, "sriov", ("intel.com", "blue_4")),
        ({"name": "blue-net"}, "sriov", ("intel.com", "blue_net_4")),
        ({"resource_name": "own"}, "sriov", ("intel.com", "own_4")),
        ({"resource_name": "own[1-8]"}, "sriov", ("intel.com", "own5")),
        ({"resource": "shared"}, "sriov", ("intel.com", "blue")),
        ({"per_rail": False}, "sriov", ("intel.com", "blue")),
        ({}, "efa", ("vpc.amazonaws.com", "efa")),
    ],
)
def test_the_name_of_a_resource(change: Any, plugin: str, name: Any) -> None:
    assert devices._full_name(FABRIC, but(NETWORK, **change), plugin, (4,)) == name


def test_units_of_a_resource_on_a_node() -> None:
    ports = [some(use="vf", virtual=False, vfs=4, for_pods=pods) for pods in (True, True, False)]
    carrier = devices.Carrier(some(name="gpu", hcas=ports), tuple(ports[:2]))
    assert devices._per_node(NETWORK, "sriov", carrier) == 8
    assert devices._per_node(NETWORK, "rdma-shared", carrier) == 3
    assert devices._per_node(NETWORK, "efa", devices.Carrier(some(hcas=ports), ())) == 2


def test_pci_addresses_of_an_hca_on_all_hosts_of_its_type() -> None:
    gpu, cpu = some(name="gpu"), some(name="cpu")
    hosts = [some(type=gpu, hcas={"a": some(pci="3b")}), some(type=gpu, hcas={"b": some(pci="x")})]
    hosts += [some(type=cpu, hcas={"a": some(pci="y")}), some(type=gpu, hcas={"a": some(pci=None)})]
    fabric = but(FABRIC, hosts=hosts)
    assert devices.pci_addresses(fabric, gpu, some(name="a", pci="99")) == ("3b", "99")
    assert devices.pci_addresses(fabric, gpu, some(name="a", pci=None)) == ("3b",)
    both = (some(name="a", pci="99"), some(name="b", pci="18"))
    assert devices._pcis(fabric, devices.Carrier(gpu, both)) == ("3b", "99", "18", "x")
    assert devices._pcis(fabric, devices.Carrier(gpu, (*both, some(name="c", pci=None)))) == ()


ASKED = DeviceRequest(
    resource="a", network="n", count=2, hcas=1, attached=False, claimed=False, per_node={}, share_max=None
)


def test_two_networks_on_one_resource() -> None:
    other = replace(ASKED, count=3, hcas=4)
    assert workloads._joined(ASKED, other) == replace(ASKED, count=5, hcas=5)
    attached = replace(ASKED, attached=True)
    assert workloads._joined(attached, other) is attached


@pytest.mark.parametrize(
    ("plugin", "stated", "attached", "expected"),
    [
        ("sriov", {}, 0, (2, 2, False, False)),
        ("sriov", {}, 1, (1, 1, True, False)),
        ("sriov", {"blue": 5}, 0, (5, 5, False, False)),
        ("rdma-shared", {"blue": 5}, 0, (1, 4, False, False)),
        ("rdma-shared", {}, 2, (2, 4, True, False)),
        ("dranet", {}, 1, (1, 1, True, True)),
    ],
)
def test_what_a_pod_asks_for(plugin: str, stated: Any, attached: int, expected: Any) -> None:
    hcas, per_node = {"gpu": 4, "big": 2, "other": 1}, {"gpu": 8, "big": 9, "other": 1}
    resource = some(network="blue", plugin=plugin, hcas=hcas, per_node=per_node, full_name="r", share_max=7)
    job = some(host_types=[some(name="gpu"), some(name="big")], devices=stated)
    found = workloads._request(job, resource, attached)
    assert (found.count, found.hcas, found.attached, found.claimed) == expected
    assert (found.per_node, found.share_max) == ({"gpu": 8, "big": 9}, 7)
    nowhere = workloads._request(but(job, host_types=[]), resource, 0)
    assert (nowhere.count, nowhere.hcas) == ((1 if plugin == "rdma-shared" else stated.get("blue", 1)),) * 2


GPUS = some(gpu_resource="nvidia.com/gpu")


@pytest.mark.parametrize(
    ("change", "limits"),
    [
        ({}, {"nvidia.com/gpu": "8", "a": "2"}),
        ({"gpus": 0}, {"a": "2"}),
        ({"gpu_type": None}, {"a": "2"}),
        ({"hugepages_2mi_mib": 512}, {"nvidia.com/gpu": "8", "a": "2", "hugepages-2Mi": "512Mi"}),
        ({"cpus": 4, "gpus": 0}, {"a": "2", "cpu": "4"}),
        ({"memory_mib": 64, "gpus": 0}, {"a": "2", "memory": "64Mi"}),
    ],
)
def test_limits_of_a_pod(change: Any, limits: dict[str, str]) -> None:
    plain = {"gpu_type": GPUS, "gpus": 8, "hugepages_2mi_mib": None, "cpus": None, "memory_mib": None}
    found = workloads._limits(
        some(**{**plain, **change}), (ASKED, replace(ASKED, resource="b", claimed=True))
    )
    assert found == tuple(limits.items())


def test_annotations_of_a_pod(monkeypatch: Any) -> None:
    nics = [some(reference=name, attachment=some(owner_kind=kind)) for name, kind in (
        ("a", "SriovNetwork"), ("b", "ResourceClaimTemplate"), ("c", "SriovNetwork"))]  # fmt: skip
    job, told = some(annotations=(("x", "y"),)), ""
    monkeypatch.setattr(workloads, "pools_annotation", lambda nics: told)
    networks = (workloads.NETWORKS_ANNOTATION, "a,c")
    assert workloads._annotations(job, tuple(nics)) == (networks, ("x", "y"))
    assert workloads._annotations(job, (nics[1],)) == (("x", "y"),)
    told = "pools"
    named = (POOLS_ANNOTATION, "pools")
    assert workloads._annotations(job, tuple(nics)) == (networks, named, ("x", "y"))


def test_volumes_and_zones() -> None:
    plain, mounted = some(takes="vf"), some(takes="mount")
    names = [v.name for v in workloads._volumes(some(shm_mib=64, networks=[plain, plain]))]
    assert names == ["rdma-shm"]
    names = [v.name for v in workloads._volumes(some(shm_mib=64, networks=[plain, mounted]))]
    assert names == ["rdma-shm", "rdma-verbs"]
    zone = ZONE_LABEL
    assert workloads._zone([("a", ((zone, "x"),)), ("b", ((zone, "x"), ("o", "p")))]) == "x"
    assert workloads._zone([("a", ((zone, "x"),)), ("b", ((zone, "y"),))]) is None
    assert workloads._zone([("a", ((zone, "x"),)), ("b", ())]) is None


@pytest.mark.parametrize(
    ("rail", "name", "taken", "interface"),
    [
        (0, "blue", set(), "rail0"),
        (0, "blue", {"rail0"}, "blue0"),
        (0, "blue", {"rail0", "blue0"}, "net4"),
        (None, "blue", {"rail0"}, "blue"),
        (None, "b" * 15, set(), "b" * 15),
        (None, "b" * 16, set(), "net4"),
        (1, "b" * 15, {"rail1"}, "net4"),
    ],
)
def test_the_name_of_an_interface(rail: int | None, name: str, taken: set[str], interface: str) -> None:
    given: Any = some(rail=rail, network=some(name=name))
    assert workloads._interface(given, 4, taken) == interface
