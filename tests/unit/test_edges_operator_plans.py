"""Edge cases, one fact per case: settings of the operators, and what a DRA claim selects, by direct calls."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.operator_releases import StatedImage
from netplan.plan import claims, operators, prerequisites
from netplan.plan.release_fit import NIC_LABEL
from tests.unit.some import but, owned_by, some

OPERATOR: Any = some(
    release=(26, 4), namespace="n", repository="r", version="v", images={}, ofed_version=None,
    multus=False, admission_webhooks=False, releases=some(lacks=lambda *_: None),
)  # fmt: skip
OWNERS = owned_by(vfs="host", device_plugin="manual", nic_qos="host")
CARE = some(driver_upgrade="manual", drain=True, max_unavailable=2)
CLUSTER: Any = some(
    network_operator=OPERATOR, sriov_operator=None, owners=OWNERS, distribution="kubeadm", nfd="cluster",
    maintenance=CARE, gpu_operator=None,
)  # fmt: skip
NIC_OPERATOR, SRIOV = "nic-configuration-operator", "sriov-network-operator"


def planned(*plugins: str, pools: Any = (), **cluster: Any) -> Any:
    fabric: Any = some(cluster=but(CLUSTER, **cluster))
    resources: Any = tuple(some(plugin=name) for name in plugins)
    return operators.plan_network_operator(fabric, resources, pools, ())


@pytest.mark.parametrize(
    ("plugins", "given", "components"),
    [
        ((), {}, ()),
        (("sriov", "rdma-shared"), {}, ()),
        (("sriov",), {"owners": but(OWNERS, device_plugin="nic-cluster-policy")}, ("sriovDevicePlugin",)),
        (
            ("rdma-shared",),
            {"owners": but(OWNERS, device_plugin="nic-cluster-policy")},
            ("rdmaSharedDevicePlugin",),
        ),
        ((), {"network_operator": but(OPERATOR, ofed_version="doca")}, ("ofedDriver",)),
        ((), {"pools": (1,)}, ("nvIpam",)),
        (
            (),
            {"network_operator": but(OPERATOR, multus=True)},
            ("secondaryNetwork.multus", "secondaryNetwork.cniPlugins"),
        ),
        ((), {"owners": but(OWNERS, nic_qos=NIC_OPERATOR)}, ("nicConfigurationOperator",)),
    ],
)
def test_components_of_the_policy(
    plugins: tuple[str, ...], given: dict[str, Any], components: tuple[str, ...]
) -> None:
    found = planned(*plugins, **given)
    assert found.components == components
    assert found.policy is bool(components)


@pytest.mark.parametrize(
    ("owners", "stated", "bundled"),
    [
        ({}, None, False),
        ({"vfs": SRIOV}, None, True),
        ({"device_plugin": SRIOV}, None, True),
        ({"vfs": SRIOV, "device_plugin": SRIOV}, some(), False),
    ],
)
@pytest.mark.parametrize("nic_qos", ["host", NIC_OPERATOR])
def test_the_chart_brings_the_sriov_operator_unless_it_is_stated(
    owners: dict[str, str], stated: Any, bundled: bool, nic_qos: str
) -> None:
    found = planned(owners=but(OWNERS, nic_qos=nic_qos, **owners), sriov_operator=stated)
    both = bundled and nic_qos == NIC_OPERATOR
    assert (found.sriov_operator, found.waits_for_nics) == (bundled, both)
    assert found.resource_prefix == ("nvidia.com" if bundled else None)
    assert found.disable_plugins == (("mellanox",) if both else ())
    assert found.maintenance_operator is (nic_qos == NIC_OPERATOR)


@pytest.mark.parametrize("drain", [True, False])
def test_settings_that_follow_from_one_key_each(drain: bool) -> None:
    found = planned(nfd="network-operator", maintenance=but(CARE, drain=drain), distribution="k3s")
    assert (found.nfd, found.disable_drain) == (True, not drain)
    assert found.cni_bin_directory == "/var/lib/rancher/k3s/data/cni"
    assert found.cni_network_directory == "/var/lib/rancher/k3s/agent/etc/cni/net.d"
    plain = planned()
    assert (plain.nfd, plain.cni_bin_directory, plain.cni_network_directory) == (False, None, None)
    assert planned(network_operator=None) is None


@pytest.mark.parametrize(
    ("ofed", "upgrade", "stated", "at_once"),
    [
        (None, "automatic", 2, None),
        ("doca", "manual", 2, None),
        ("doca", "automatic", 2, 2),
        ("doca", "automatic", "25%", 1),
        ("doca", "automatic", None, 1),
    ],
)
def test_the_driver_is_upgraded_on_so_many_nodes_at_once(
    ofed: str | None, upgrade: str, stated: Any, at_once: int | None
) -> None:
    """An absolute number, counted over the whole cluster; a percentage has no meaning there."""
    care = but(CARE, driver_upgrade=upgrade, max_unavailable=stated)
    found = planned(network_operator=but(OPERATOR, ofed_version=ofed), maintenance=care).driver_upgrade
    assert (found and found.at_once) == at_once


MULTUS = "secondaryNetwork.multus"
OWN = {MULTUS: StatedImage(repository="own", version="1")}


@pytest.mark.parametrize(
    ("lacks", "images", "multus"),
    [
        (None, {}, StatedImage()),
        ("a span", {}, StatedImage(repository="r", version="v")),
        (None, OWN, OWN[MULTUS]),
        ("a span", {MULTUS: StatedImage(version="1")}, StatedImage(repository="r", version="1")),
        ("a span", {MULTUS: StatedImage(repository="own")}, StatedImage(repository="own", version="v")),
    ],
)
def test_images_before_there_was_a_global_one(lacks: str | None, images: Any, multus: StatedImage) -> None:
    operator = but(OPERATOR, multus=True, releases=some(lacks=lambda *_: lacks), images=images)
    found = planned(network_operator=but(operator, ofed_version="doca"))
    assert found.global_image is (lacks is None)
    assert found.images[MULTUS] == multus
    assert found.images["ofedDriver"].version == "doca"


GPU = some(namespace="g", driver_rdma=True, gdrcopy=False)


@pytest.mark.parametrize(
    ("operator", "by_host"), [(None, True), (OPERATOR, True), (but(OPERATOR, ofed_version="doca"), False)]
)
def test_the_gpu_driver_waits_for_the_container_of_the_nic_driver(operator: Any, by_host: bool) -> None:
    fabric: Any = some(cluster=but(CLUSTER, gpu_operator=GPU, network_operator=operator))
    found = operators.plan_gpu_operator(fabric)
    assert found is not None
    assert (found.use_host_mofed, found.nfd, found.containerd_socket) == (by_host, False, None)
    k3s: Any = some(cluster=but(fabric.cluster, distribution="k3s", nfd="gpu-operator"))
    other = operators.plan_gpu_operator(k3s)
    assert other is not None
    assert (other.nfd, other.containerd_socket) == (True, "/run/k3s/containerd/containerd.sock")
    without: Any = some(cluster=CLUSTER)
    assert operators.plan_gpu_operator(without) is None


@pytest.mark.parametrize(
    ("plugins", "instances"),
    [
        ((), None),
        (("sriov",), None),
        (("efa",), ("p4d.24xlarge", "p5.48xlarge")),
        (("sriov", "efa"), ("p4d.24xlarge", "p5.48xlarge")),
    ],
)
def test_instance_types_with_efa(plugins: tuple[str, ...], instances: tuple[str, ...] | None) -> None:
    kinds = [("a", "p5.48xlarge"), ("b", "p4d.24xlarge"), ("c", None), ("d", "g5.xlarge")]
    fabric: Any = some(host_types=[some(name=name, instance_type=kind) for name, kind in kinds])
    resources: Any = tuple(some(plugin=name, per_node={"a": 1, "b": 1, "c": 1}) for name in plugins)
    found = operators.plan_efa(fabric, resources)
    assert (found and found.instance_types) == instances


@pytest.mark.parametrize(
    ("types", "names", "addresses", "found"),
    [
        ({"gpu": "r0 r1"}, {}, {}, ("ifName", ("r0",), ())),
        ({"gpu": "r0 r1", "big": "b0 b1"}, {}, {}, ("ifName", ("b0", "r0"), ())),
        ({"gpu": "r0 r1", "big": "r1 r0"}, {}, {}, ("ifName", (), ("r0", "r1"))),
        ({"gpu": "r0 r1", "big": "r1 r0"}, {}, {"r0": "p0"}, ("ifName", (), ("r0", "r1"))),
        ({"gpu": "- r1"}, {}, {}, ("ifName", (), ("",))),
        ({"gpu": "- r1"}, {}, {"-": "p0"}, ("pciAddress", ("p0",), ())),
        ({"gpu": "- r1"}, {}, {"-": "p0", "r1": "p0"}, ("ifName", (), ("",))),
        ({"gpu": "- r1"}, {}, {"-": "p0", "r1": "p1"}, ("pciAddress", ("p0",), ())),
        ({"gpu": "r0 r1"}, {"r0": "own"}, {}, ("ifName", ("own", "r0"), ())),
        ({"gpu": "r0 r1"}, {"r0": "r1"}, {}, ("ifName", (), ("r1",))),
        ({"gpu": "r0 r1", "other": "r1 r0"}, {}, {}, ("ifName", ("r0",), ())),
    ],
)
def test_a_claim_selects_the_rail_by_name_else_by_address(
    monkeypatch: pytest.MonkeyPatch, types: dict[str, str], names: Any, addresses: Any, found: Any
) -> None:
    """``-``: no interface name. ``other`` is no type of the workload."""

    def hcas(text: str) -> list[Any]:
        return [
            some(name=f"h-{word}", rail=rail, netdev=None if word == "-" else word)
            for rail, word in enumerate(text.split())
        ]

    kinds = {name: some(name=name, hcas=hcas(text)) for name, text in types.items()}
    carried = [
        some(
            host_type=kind,
            hcas=kind.hcas,
            on=lambda rail, kind=kind: [h for h in kind.hcas if h.rail == rail],
        )
        for kind in kinds.values()
    ]
    monkeypatch.setattr(claims, "carriers", lambda *_: carried)
    monkeypatch.setattr(
        claims,
        "pci_addresses",
        lambda _, kind, hca: tuple(filter(None, [addresses.get(hca.name.removeprefix("h-"))])),
    )
    own = {f"h-{old}": some(netdev=new) for old, new in names.items()}
    hosts = [some(type=kinds["gpu"], hcas=own), some(type=some(name="x"), hcas={"h-r0": some(netdev="r1")})]
    hosts.append(some(type=kinds["gpu"], hcas={"h-r0": some(netdev=None)}))
    fabric: Any = some(hosts=hosts)
    workload: Any = some(host_types=[kind for name, kind in kinds.items() if name != "other"])
    nic: Any = some(attachment=some(network=None, rail=0))
    assert claims._selection(fabric, workload, nic) == found


@pytest.mark.parametrize(
    ("distribution", "drain", "nic_qos", "release", "found"),
    [
        ("kubeadm", True, "host", None, ""),
        ("kubeadm", False, "host", (26, 4), ""),
        ("k3s", True, "host", None, "cniBinPath"),
        ("kubeadm", True, NIC_OPERATOR, None, "disablePlugins"),
        ("kubeadm", True, NIC_OPERATOR, (25, 1), "disablePlugins"),
        ("kubeadm", True, NIC_OPERATOR, NIC_LABEL, "disablePlugins Selector"),
    ],
)
def test_values_of_the_chart_of_the_sriov_operator(
    distribution: str, drain: bool, nic_qos: str, release: Any, found: str
) -> None:
    nearest = some(nearest=lambda stated: some(release=stated))
    cluster = but(
        CLUSTER,
        sriov_operator=some(resource_prefix="x.y"),
        distribution=distribution,
        maintenance=but(CARE, drain=drain),
        owners=but(OWNERS, nic_qos=nic_qos),
        network_operator=release and but(OPERATOR, release=release, releases=nearest),
    )
    text = prerequisites._sriov_values(cluster)
    assert "`operator.resourcePrefix: x.y`, `sriovOperatorConfig.deploy: true`" in text
    assert f"`sriovOperatorConfig.disableDrain: {'false' if drain else 'true'}`" in text
    assert ("cniBinPath: /var/lib/rancher/k3s/data/cni`" in text) is ("cniBinPath" in found)
    assert ("disablePlugins: [mellanox]`" in text) is ("disablePlugins" in found)
    assert ("configDaemonNodeSelector" in text) is ("Selector" in found)
