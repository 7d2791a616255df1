"""``netplan import`` of clusters with Spiderpool: SpiderMultusConfig, the NADs that Spiderpool makes of them,
SpiderIPPool (spidernet-io/spiderpool a7fbd3b2 pkg/multuscniconfig/multusconfig_informer.go)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cluster_dumps, fabric_dumps, interface, listed, node, node_state
from tests.test_import import data, filled
from tests.test_import_eos_classes import comment, told
from tests.test_import_round import FILLED_IN, again, text_of_16

API = "spiderpool.spidernet.io/v2beta1"
Objects = list[dict[str, Any]]


def pool(rail: int, **spec: Any) -> dict[str, Any]:
    stated = {
        "ipVersion": 4,
        "subnet": f"172.16.{8 * rail}.0/24",
        "ips": [f"172.16.{8 * rail}.2-172.16.{8 * rail}.254"],
        "gateway": f"172.16.{8 * rail}.1",
    }
    return {
        "apiVersion": API,
        "kind": "SpiderIPPool",
        "metadata": {"name": f"p{rail}"},
        "spec": {**stated, **spec},
    }


def config(rail: int, main: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """SpiderMultusConfig of VFs. ``main``: of the section of its plugin."""
    own = {
        "resourceName": f"nvidia.com/rail_{rail}",
        "vlanID": 100 + rail,
        "rdmaIsolation": True,
        "ippools": {"ipv4": [f"p{rail}"]},
        **(main or {}),
    }
    return {
        "apiVersion": API,
        "kind": "SpiderMultusConfig",
        "metadata": {"name": f"rail-{rail}", "namespace": "training"},
        "spec": {"cniType": "sriov", "sriov": own, **spec},
    }


def made(rail: int, *, owned: bool = True, coordinator: bool = True) -> dict[str, Any]:
    """The NetworkAttachmentDefinition that Spiderpool makes."""
    ipam = {"type": "spiderpool", "default_ipv4_ippool": [f"p{rail}"]}
    chain = [{"type": "sriov", "vlan": 100 + rail, "ipam": ipam}, {"type": "rdma"}]
    chain += [{"type": "coordinator", "mode": "overlay", "tunePodRoutes": True}] if coordinator else []
    owner = {"apiVersion": API, "kind": "SpiderMultusConfig", "name": f"rail-{rail}", "controller": True}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {
            "name": f"rail-{rail}",
            "namespace": "training",
            "annotations": {"k8s.v1.cni.cncf.io/resourceName": f"nvidia.com/rail_{rail}"},
            **({"ownerReferences": [owner]} if owned else {}),
        },
        "spec": {"config": json.dumps({"cniVersion": "0.3.1", "name": f"rail-{rail}", "plugins": chain})},
    }


@cache
def nodes() -> tuple[dict[str, Any], ...]:
    """A host whose two cards have a policy each."""
    cards = [interface(f"0000:{bus}:00.0", f"ens{n}np0", 100, vfs=4) for n, bus in enumerate(("18", "3b"))]
    policies = [
        {
            "apiVersion": "sriovnetwork.openshift.io/v1",
            "kind": "SriovNetworkNodePolicy",
            "metadata": {"name": f"rail-{n}", "namespace": "nvidia-network-operator"},
            "spec": {
                "isRdma": True,
                "nicSelector": {"rootDevices": [card["pciAddress"]]},
                "numVfs": 4,
                "resourceName": f"rail_{n}",
                "nodeSelector": {"gpu": "h100"},
            },
        }
        for n, card in enumerate(cards)
    ]
    return (node("gpu-1", {"gpu": "h100"}, 8), node_state("gpu-1", cards), *policies)


def imported(*objects: dict[str, Any]) -> Imported:
    return import_texts({"dump.yaml": listed([*nodes(), *objects])}, "site")


def network(result: Imported) -> Any:
    (found,) = data(result)["networks"].values()
    return found


POOLS = (pool(0), pool(1))
FORMS: dict[str, Objects] = {
    "configs": [config(0), config(1)],
    "configs and their NADs": [config(0), config(1), made(0), made(1)],
    "NADs alone": [made(0), made(1)],
    "NADs without owner": [made(0, owned=False), made(1, owned=False)],
    "configs of release 0.9": [config(n, {"rdmaIsolation": None, "enableRdma": True}) for n in range(2)],
}


@pytest.mark.parametrize("form", FORMS)
def test_networks_pools_and_routing(form: str) -> None:
    """Whichever of the objects is in the dumps; what a rollout adds is told, and one question is new: the
    release."""
    result = imported(*POOLS, *FORMS[form])
    told = [each.text for each in result.remarks if "netplan adds the tuning plugin" not in each.text]
    assert (result.conflicts, told) == ((), [])
    found = data(result)
    assert network(result) == {
        "for_each": "rails",
        "mode": "sriov",
        "ipam": "spiderpool",
        "namespaces": ["training"],
        "resource_name": "rail",
        "routing": "spiderpool",
    }
    assert found["cluster"]["spiderpool"] == {"release": "TODO"}
    assert found["cluster"]["owners"]["nads"] == "netplan"
    assert found["rails"]["vlan_ids"] == "100-101"
    assert found["rails"]["supernets"] == ["172.16.0.0/20"]
    assert found["rails"]["gateway"] == "first"
    assert found["cluster"]["rdma_mode"] == "exclusive"


def test_what_a_pool_does_not_give_out_is_reserved() -> None:
    kept = pool(0, ips=["172.16.0.10-172.16.0.200", "172.16.0.210"], excludeIPs=["172.16.0.50"])
    result = imported(kept, POOLS[1], *FORMS["configs"])
    assert data(result)["rails"]["reserved"] == [
        "172.16.0.2-172.16.0.9",
        "172.16.0.50",
        "172.16.0.201-172.16.0.209",
        "172.16.0.211-172.16.0.254",
    ]


def test_addresses_in_use_are_reserved() -> None:
    """No other pool gives them out. A pool of netplan keeps its name and its allocations."""
    used = {"172.16.0.20": {"pod": "training/a-0", "podUid": "u"}, "172.16.0.21": {"pod": "training/a-1"}}
    one = {**pool(0), "status": {"allocatedIPs": json.dumps(used)}}
    result = imported(one, POOLS[1], *FORMS["configs"])
    assert data(result)["rails"]["reserved"] == ["172.16.0.20-172.16.0.21"]
    ours = {**one, "metadata": {"name": "p0", "labels": {"app.kubernetes.io/managed-by": "netplan"}}}
    assert "reserved" not in data(imported(ours, POOLS[1], *FORMS["configs"]))["rails"]
    assert told(
        imported({**one, "status": {"allocatedIPs": "{"}}), "SpiderIPPool status.allocatedIPs '{': not JSON"
    )


def test_a_site_with_spiderpool_is_rendered_again() -> None:
    """Pools and SpiderMultusConfigs of netplan are those that it reads, to the byte."""
    text = text_of_16().replace("cluster:\n", 'cluster:\n  spiderpool: {release: "1.0"}\n', 1)
    text = text.replace("    ipam: nv-ipam\n", "    ipam: spiderpool\n", 1)
    text = text.replace("    routing: sbr\n", "    routing: spiderpool\n", 1)
    text = text.replace("  gateway: first\n", "  gateway: first\n  reserved: [172.16.0.40-172.16.0.60]\n", 1)
    files = again(text)
    paths = [path for path in files if "/spiderpool/" in path]
    assert len(paths) == 5
    result = import_texts({**cluster_dumps(files), **fabric_dumps(files)}, "iei-rocev2")
    made_again = again(filled(result.text, {**FILLED_IN, "release": '"1.0"'}))
    assert [path for path in paths if made_again.get(path) != files[path]] == []


def test_the_release_is_that_of_its_pods() -> None:
    pods = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "spiderpool-controller-1", "namespace": "kube-system"},
        "spec": {"containers": [{"image": "ghcr.io/spidernet-io/spiderpool/spiderpool-controller:v1.0.2"}]},
    }
    assert data(imported(*POOLS, *FORMS["configs"], pods))["cluster"]["spiderpool"] == {"release": "1.0"}


def test_without_the_coordinator_routing_is_asked_for() -> None:
    """The answer is that of NP649, which refuses any other routing of such a network."""
    for objects in (
        [config(n, enableCoordinator=False) for n in range(2)],
        [made(n, coordinator=False) for n in range(2)],
    ):
        result = imported(*POOLS, *objects)
        assert network(result)["routing"] == "TODO"
        asked = comment(result, "routing: TODO")
        assert asked.endswith("spiderpool, or another ipam and routing; no coordinator is in the networks")


def test_shared_interfaces() -> None:
    """macvlan on an interface of a card; a VLAN interface on it and a bond are told."""
    main = {"master": ["ens0np0"], "rdmaResourceName": "nvidia.com/rail_0", "ippools": {"ipv4": ["p0"]}}
    one = {**config(0), "spec": {"cniType": "macvlan", "macvlan": main}}
    result = imported(POOLS[0], one)
    assert {key: network(result)[key] for key in ("mode", "ipam")} == {
        "mode": "macvlan",
        "ipam": "spiderpool",
    }
    assert told(result, "SpiderMultusConfig") == []
    beside = {**main, "vlanID": 300, "master": ["ens0np0", "ens1np0"]}
    other = imported(POOLS[0], {**config(0), "spec": {"cniType": "macvlan", "macvlan": beside}})
    assert told(other, "macvlan.vlanID '300': netplan's macvlan network has no VLAN interface of its own")
    assert told(other, 'macvlan.master \'["ens0np0", "ens1np0"]\': netplan\'s network is on one interface')


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        (
            [config(0, {"maxTxRateMbps": 1000})],
            "sriov.maxTxRateMbps '1000': netplan's SpiderMultusConfig has no rates",
        ),
        (
            [config(0, {"ippools": {"ipv4": ["p0", "p9"]}})],
            'sriov.ippools.ipv4 \'["p0", "p9"]\': an inventory has one range',
        ),
        (
            [config(0, {"ippools": {"ipv4": ["p0"], "ipv6": ["p6"]}})],
            "sriov.ippools.ipv6 '[\"p6\"]': a network of Spiderpool has IPv4 addresses alone (NP649)",
        ),
        ([config(0, coordinator={"mode": "underlay"})], 'spec.coordinator \'{"mode": "underlay"}\''),
        ([pool(9)], "pool p9 '172.16.72.0/24': no network in the dumps uses it"),
        (
            [config(0), pool(0, default=True)],
            "SpiderIPPool spec.default 'true': no pool of netplan is a default",
        ),
        ([config(0), pool(0, nodeName=["gpu-1"])], "SpiderIPPool spec.nodeName"),
        (
            [config(0), pool(0, ips=["172.16.0.7-x"])],
            "SpiderIPPool spec.ips '172.16.0.7-x': not an address or a range",
        ),
        (
            [
                {
                    "apiVersion": API,
                    "kind": "SpiderReservedIP",
                    "metadata": {"name": "r"},
                    "spec": {"ips": ["10.0.0.1"]},
                }
            ],
            "SpiderReservedIP r: netplan does not read this kind",
        ),
    ],
)
def test_what_is_not_taken_is_told(objects: Objects, said: str) -> None:
    assert told(imported(*POOLS, *objects), said)


def test_a_network_that_netplan_does_not_read_is_no_missing_one() -> None:
    other = {**config(0), "spec": {"cniType": "ovs", "ovs": {"bridge": "br1"}}}
    result = imported(POOLS[0], other)
    assert told(result, "SpiderMultusConfig training/rail-0: cniType ovs, left out")
    assert comment(result, "nads: TODO").endswith("no network that netplan reads is in the dumps")


def test_endpoints_of_pods_are_not_told() -> None:
    """Spiderpool keeps one for each pod."""
    endpoint = {
        "apiVersion": API,
        "kind": "SpiderEndpoint",
        "metadata": {"name": "pod-1", "namespace": "training"},
    }
    assert imported(*POOLS, *FORMS["configs"], endpoint).remarks == ()


def test_a_config_may_name_its_network() -> None:
    """multus.spidernet.io/cr-name: the NAD of that name is not read a second time."""
    named = [config(0), config(1)]
    nads = [made(0), made(1)]
    for number, (one, nad) in enumerate(zip(named, nads, strict=True)):
        one["metadata"]["annotations"] = {"multus.spidernet.io/cr-name": f"gpu-net-{number}"}
        nad["metadata"]["name"] = f"gpu-net-{number}"
    result = imported(*POOLS, *named, *nads)
    assert list(data(result)["networks"]) == ["gpu-net"]
    assert yaml.safe_load(result.text)["networks"]["gpu-net"]["routing"] == "spiderpool"
