"""Edge cases, one fact per case: what must be installed, what is installed in vain, and what pods claim."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.model.claims import DRANET, SRIOV_DRIVER
from netplan.model.routes import ROUTINGS
from netplan.plan import claims, prerequisites
from tests.unit.some import but, owned_by, some

OWNERS = owned_by(device_plugin="manual", nic_qos="host")
CLUSTER: Any = some(
    distribution="kubeadm", present=(), nfd="cluster", network_operator=None, sriov_operator=None,
    cni_plugins=some(multus=None, plugins=None), spiderpool=None, primary_network=some(cni="calico"),
    owners=OWNERS, maintenance=some(drain=True),
)  # fmt: skip
KUBERNETES: Any = some(
    attachments=(), pools=(), network_operator=None, dra=None, sriov_plugin_owner=None,
    shared_plugin_owner=None,
)  # fmt: skip
NETWORK = some(mode="sriov", ipam="none", by_mode=some(program="sriov-cni"), by_ipam=some(program=None))
NAD: Any = some(
    network=NETWORK, owner_kind="NetworkAttachmentDefinition", ipam=None, sysctls=(), tuning_mtu=None,
    sbr=False, pkey=None, rdma=None,
)  # fmt: skip
CLAIMED = but(NAD, owner_kind="ResourceClaimTemplate", network=but(NETWORK, by_mode=some(program=None)))
REFERENCE = "cni-plugins"


def site(*attachments: Any, cluster: Any = CLUSTER, charts: Any = (), **kubernetes: Any) -> Any:
    return prerequisites._Site(
        fabric=some(cluster=cluster),
        kubernetes=but(KUBERNETES, attachments=attachments, **kubernetes),
        charts=charts,
    )


def programs(found: Any) -> list[str | None]:
    return [each.program for each in found]


MACVLAN = but(NETWORK, mode="macvlan", by_mode=some(program=REFERENCE))
STATIC = but(NETWORK, ipam="static", by_ipam=some(program=REFERENCE))


@pytest.mark.parametrize(
    ("nads", "names"),
    [
        ([], []),
        ([NAD], []),
        ([but(NAD, network=MACVLAN)], ["macvlan"]),
        ([but(NAD, sysctls=(1,))], ["tuning"]),
        ([but(NAD, tuning_mtu=9000)], ["tuning"]),
        ([but(NAD, sbr=True)], ["sbr"]),
        ([but(NAD, ipam=some())], []),
        ([but(NAD, network=STATIC)], []),
        ([but(NAD, network=STATIC, ipam=some())], ["static"]),
        ([but(NAD, sbr=True), but(NAD, network=MACVLAN, sbr=True)], ["macvlan", "sbr"]),
    ],
)
def test_reference_plugins_in_the_chains(nads: list[Any], names: list[str]) -> None:
    assert prerequisites._reference_plugins(nads) == names


@pytest.mark.parametrize(
    ("attachments", "found"),
    [
        ([], []),
        ([CLAIMED], []),
        ([NAD], ["multus", None, "sriov-cni"]),
        ([but(NAD, sbr=True)], ["multus", None, REFERENCE, "sriov-cni"]),
        (
            [but(NAD, network=but(NETWORK, by_mode=some(program="ib-sriov-cni")))],
            ["multus", None, "ib-sriov-cni"],
        ),
        ([NAD, but(NAD, pkey=1)], ["multus", None, "sriov-cni", "ib-kubernetes"]),
        ([NAD, but(NAD, rdma="chain")], ["multus", None, "sriov-cni", "rdma-cni"]),
        ([but(NAD, rdma="other")], ["multus", None, "sriov-cni"]),
        ([but(CLAIMED, rdma="chain")], []),
        ([but(CLAIMED, sbr=True)], []),
    ],
)
def test_programs_for_attachments(attachments: list[Any], found: list[str | None]) -> None:
    assert programs(prerequisites._for_attachments(site(*attachments))) == found


@pytest.mark.parametrize(
    ("distribution", "setting"),
    [
        ("kubeadm", ""),
        ("k3s", "CNI plugins in /var/lib/rancher/k3s/data/cni, configuration in /var/lib/rancher/k3s/agent"),
        ("openshift", "OpenShift includes it; do not install it again"),
    ],
)
def test_settings_of_multus(distribution: str, setting: str) -> None:
    cluster = but(CLUSTER, distribution=distribution, cni_plugins=some(multus=(4, 1), plugins=None))
    multus = prerequisites._multus(cluster)
    assert multus.name == "Multus 4.1"
    assert multus.settings.startswith(setting)
    assert bool(multus.settings) is bool(setting)
    assert prerequisites._multus(CLUSTER).name == "Multus"
    assert bool(prerequisites._openshift(cluster)) is (distribution == "openshift")


@pytest.mark.parametrize(
    ("ipams", "pools", "stated", "found"),
    [
        ([], (), None, []),
        ([None], (), None, []),
        (["nv-ipam"], (1,), None, [("nv-ipam", "nvidia-k8s-ipam")]),
        (["whereabouts"], (), None, [("whereabouts", "whereabouts")]),
        (["spiderpool"], (), None, [("spiderpool", "Spiderpool with its coordinator and controller")]),
        (
            ["spiderpool"],
            (),
            some(release=(1, 0)),
            [("spiderpool", "Spiderpool 1.0 with its coordinator and controller")],
        ),
    ],
)
def test_programs_for_addresses(ipams: list[Any], pools: Any, stated: Any, found: list[Any]) -> None:
    nads = [but(NAD, ipam=kind and some(type=kind)) for kind in ipams]
    given = site(*nads, cluster=but(CLUSTER, spiderpool=stated), pools=pools)
    assert [(each.program, each.name) for each in prerequisites._for_addresses(given)] == found


@pytest.mark.parametrize(
    ("kubernetes", "found"),
    [
        ({}, []),
        ({"sriov_plugin_owner": "manual"}, ["sriov-device-plugin"]),
        ({"sriov_plugin_owner": "nic-cluster-policy"}, []),
        ({"shared_plugin_owner": "manual"}, ["rdma-shared-device-plugin"]),
        ({"shared_plugin_owner": "nic-cluster-policy"}, []),
        ({"dra": some(driver="dra.net")}, ["dranet"]),
        ({"dra": some(driver=claims.SRIOV_CLASS)}, ["dra-driver-sriov"]),
    ],
)
def test_programs_for_devices(kubernetes: dict[str, Any], found: list[str]) -> None:
    assert programs(prerequisites._for_devices(site(**kubernetes))) == found
    stated = but(CLUSTER, sriov_operator=some(resource_prefix="x.y"))
    (first, *rest) = programs(prerequisites._for_devices(site(cluster=stated, **kubernetes)))
    assert (first, rest) == ("sriov-network-operator", found)


@pytest.mark.parametrize(
    ("needs", "found"),
    [
        ([()], []),
        ([("nfd",), ()], [("nfd", "before a: ")]),
        ([("nfd", "cert-manager"), ("nfd",)], [("nfd", "before a and b: "), ("cert-manager", "before a: ")]),
    ],
)
def test_charts_that_wait_for_another(needs: list[Any], found: list[Any]) -> None:
    charts = [some(chart="ab"[number], needs=each) for number, each in enumerate(needs)]
    steps = list(prerequisites._for_charts(site(charts=charts)))
    assert programs(steps) == [program for program, _ in found]
    assert all(step.why.startswith(start) for step, (_, start) in zip(steps, found, strict=True))


BUNDLE = some(components=(), sriov_operator=True)
BY_SRIOV = {"sriov-cni", "ib-sriov-cni", "rdma-cni"}


@pytest.mark.parametrize(
    ("cluster", "kubernetes", "found"),
    [
        ({}, {}, set()),
        ({"nfd": "gpu-operator"}, {}, {"nfd"}),
        ({"sriov_operator": some()}, {}, BY_SRIOV),
        ({}, {"network_operator": BUNDLE}, {"sriov-network-operator", *BY_SRIOV}),
        ({}, {"network_operator": but(BUNDLE, sriov_operator=False)}, set()),
        ({}, {"sriov_plugin_owner": "manual"}, set()),
        ({}, {"sriov_plugin_owner": "nic-cluster-policy"}, {"sriov-device-plugin"}),
        *(
            ({}, {"network_operator": some(components=(name,), sriov_operator=False)}, {program})
            for name, program in {
                "secondaryNetwork.multus": "multus",
                "secondaryNetwork.cniPlugins": "cni-plugins",
                "nvIpam": "nv-ipam",
                "rdmaSharedDevicePlugin": "rdma-shared-device-plugin",
            }.items()
        ),
    ],
)
def test_what_another_program_brings(cluster: Any, kubernetes: Any, found: set[str]) -> None:
    assert prerequisites._brought(but(CLUSTER, **cluster), but(KUBERNETES, **kubernetes)).keys() == found


@pytest.mark.parametrize(
    ("present", "distribution", "multus", "hints"),
    [
        ((), "kubeadm", True, []),
        ((), "openshift", False, []),
        ((), "openshift", None, []),
        ((), "openshift", True, ["set multus: false"]),
        (("needed",), "kubeadm", True, []),
        (
            ("brought", "needed", "idle"),
            "openshift",
            True,
            [
                "set multus: false",
                "remove brought from present, or what deploys it a second time",
                "remove idle from present",
            ],
        ),
    ],
)
def test_what_is_installed_in_vain(present: Any, distribution: str, multus: Any, hints: list[str]) -> None:
    operator = None if multus is None else some(multus=multus)
    cluster = but(CLUSTER, present=present, distribution=distribution, network_operator=operator)
    found = prerequisites._surplus(cluster, {"needed", "brought"}, {"brought": "it is there"})
    assert [each.hint for each in found] == hints


SUBNET: Any = some(network=IPNetwork("10.0.0.0/24"))
SEGMENT = some(subnets=(SUBNET,))
RAIL = some(segment=SEGMENT, rail=2, network=some(by_routing=ROUTINGS["claim"]))


@pytest.mark.parametrize(
    ("kind", "attachment", "mtu", "arp", "table"),
    [
        ("roce", {}, 9000, True, 702),
        ("infiniband", {}, None, False, 702),
        ("roce", {"rail": None}, 9000, False, None),
        ("roce", {"segment": None}, 9000, True, None),
        ("roce", {"network": some(by_routing=ROUTINGS["none"])}, 9000, True, None),
    ],
)
def test_the_interface_of_a_claim(
    monkeypatch: pytest.MonkeyPatch, kind: str, attachment: Any, mtu: Any, arp: bool, table: Any
) -> None:
    monkeypatch.setattr(claims, "table_routes", lambda *_: ["a route"])
    fabric: Any = some(type=kind, mtu=9000)
    nic: Any = some(attachment=but(RAIL, **attachment), interface="net1")
    found = claims._config(fabric, some(), nic)
    assert (found.mtu, found.arp, found.table) == (mtu, arp, table)
    assert (found.routes, found.sources) == ((("a route",), (SUBNET.network,)) if table else ((), ()))


OURS = some(name="rail_0", plugin=SRIOV_DRIVER)


@pytest.mark.parametrize(
    ("owner", "resources", "requests"),
    [
        (SRIOV_DRIVER, [OURS, OURS, but(OURS, name="x")], [("rail-0", 2), ("x", 1)]),
        (SRIOV_DRIVER, [None, but(OURS, plugin="sriov")], None),
        (SRIOV_DRIVER, [None, OURS], [("rail-0", 1)]),
        (DRANET, [None, but(OURS, plugin="sriov")], None),
        ("manual", [OURS], None),
    ],
)
def test_requests_of_a_claim(owner: str, resources: list[Any], requests: Any) -> None:
    fabric: Any = some(cluster=some(owners=owned_by(device_plugin=owner)))
    nics: Any = tuple(some(attachment=some(resource=each), interface="net1") for each in resources)
    work: Any = some(name="w", namespace="n")
    found = claims.plan_claim(fabric, some(), work, nics)
    assert (found and [(each.name, each.count) for each in found.requests]) == requests
    assert found is None or found.driver == claims.SRIOV_CLASS


@pytest.mark.parametrize(
    ("owner", "plugins", "driver", "names"),
    [
        (DRANET, [DRANET], claims.DRANET_DRIVER, ()),
        (DRANET, ["sriov"], None, ()),
        ("manual", ["manual"], None, ()),
        (SRIOV_DRIVER, [SRIOV_DRIVER, "sriov"], claims.SRIOV_CLASS, ("r0",)),
        (SRIOV_DRIVER, [SRIOV_DRIVER] * 2, claims.SRIOV_CLASS, ("r0", "r1")),
    ],
)
def test_what_a_driver_of_dra_advertises(
    owner: str, plugins: list[str], driver: str | None, names: tuple[str, ...]
) -> None:
    selector = some(
        host_type="gpu", vendors=(), devices=(), pf_names=("ens1#0-3",), root_devices=("0000:18:00.0#0-3",),
        pci_addresses=(),
    )  # fmt: skip
    resources: Any = tuple(
        some(name=f"r{number}", plugin=plugin, selectors=(selector,)) for number, plugin in enumerate(plugins)
    )
    kind = some(name="gpu", node_selector=(("a", "b"),))
    fabric: Any = some(cluster=some(owners=owned_by(device_plugin=owner)), host_types=(kind,))
    found = claims.plan_dra(fabric, resources)
    assert (found and found.driver) == driver
    assert (found.resources if found else ()) == names
    assert len(found.policies if found else ()) == bool(names)
    for policy in found.policies if found else ():
        assert (policy.host_type, policy.node_selector) == ("gpu", kind.node_selector)
        assert [each.resource for each in policy.filters] == list(names)
        assert {each.pf_names + each.pf_pci_addresses for each in policy.filters} == {
            ("ens1", "0000:18:00.0")
        }
