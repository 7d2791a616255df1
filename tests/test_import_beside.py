"""Networks over the devices of a rail that are none of the rails: a storage network in a VLAN of its own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled

PORTS = {"0000:18:00.0": "ens1", "0000:3b:00.0": "ens2", "0000:86:00.0": "ens3"}
SYSTEM = "nvidia-network-operator"


def of_operator(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    """``nv-ipam`` without the Network Operator has its pools in kube-system."""
    if kind == "IPPool":
        api, namespace = "nv-ipam.nvidia.com/v1alpha1", "kube-system"
    else:
        api, namespace = "sriovnetwork.openshift.io/v1", SYSTEM
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def policy(name: str, pci: str, span: str = "") -> dict[str, Any]:
    port = f"{PORTS[pci]}{span}"
    nics = {"vendor": "15b3", "rootDevices": [pci], "pfNames": [port]}
    spec = {"resourceName": name, "numVfs": 8, "isRdma": True, "nicSelector": nics}
    return of_operator("SriovNetworkNodePolicy", name.replace("_", "-"), spec)


def network(name: str, resource: str, vlan: int, ipam: dict[str, Any]) -> dict[str, Any]:
    meta = '{"type": "sbr"}' if ipam["type"] == "nv-ipam" else ""
    spec = {"networkNamespace": "ml", "resourceName": resource, "vlan": vlan, "ipam": json.dumps(ipam)}
    return of_operator("SriovNetwork", name, spec | ({"metaPlugins": meta} if meta else {}))


def pool(rail: int) -> dict[str, Any]:
    spec = {"subnet": f"10.9.{rail}.0/24", "gateway": f"10.9.{rail}.1", "perNodeBlockSize": 8}
    return of_operator("IPPool", f"rail-{rail}", spec)


def cluster(rails: int = 3, span: str = "") -> list[dict[str, Any]]:
    """Two hosts, and a network, pool and policy for each rail. ``span``: of the VFs that the rails have."""
    objects = []
    ports = list(PORTS.items())[:rails]
    for name in ("gpu-1", "gpu-2"):
        states = [interface(pci, port, 100, 8) for pci, port in ports]
        objects += [node(name, {"pool": "gpu"}, 8), node_state(name, states)]
    for rail, (pci, _) in enumerate(ports):
        objects += [policy(f"rail_{rail}", pci, span), pool(rail)]
        ipam = {"type": "nv-ipam", "poolName": f"rail-{rail}"}
        objects.append(network(f"rail-{rail}", f"rail_{rail}", 100 + rail, ipam))
    return objects


STORE: dict[str, Any] = {"type": "whereabouts", "range": "172.31.0.0/24", "exclude": ["172.31.0.0/28"]}


def imported(*more: dict[str, Any], rails: int = 3, span: str = "") -> Imported:
    return import_texts({"dump.yaml": listed([*cluster(rails, span), *more])}, "site")


def errors(text: str) -> list[str]:
    return [
        f"{d.code} {d.message}" for d in compile_texts({"site.yaml": text}).diagnostics if d.severity == 2
    ]


def check_rails(found: Any) -> None:
    assert found["rails"]["vlan_ids"] == "100-102"
    assert found["rails"]["supernets"] == ["10.9.0.0/22"]
    assert "reserved" not in found["rails"]
    assert found["networks"]["rail"]["for_each"] == "rails"
    assert found["vlans"] == {"storage": {"id": 50}}
    subnet = {"cidr": "172.31.0.0/24", "vlan": "storage", "exclude": ["172.31.0.0-172.31.0.15"]}
    assert found["subnets"] == {"storage": subnet}
    storage = found["networks"]["storage"]
    assert (storage["subnet"], storage["hcas"]) == ("storage", ["roce0"])
    assert "for_each" not in storage


def test_a_network_in_another_vlan_than_the_rail_has_a_subnet_of_its_own() -> None:
    own = policy("store", "0000:18:00.0", "#6-7"), network("storage", "store", 50, STORE)
    result = imported(*own, span="#0-5")
    assert result.conflicts == ()
    check_rails(data(result))
    assert data(result)["networks"]["storage"]["vf_range"] == "6-7"
    assert errors(filled(result.text)) == []


def test_networks_that_share_a_resource_are_asked_about() -> None:
    result = imported(network("storage", "rail_0", 50, STORE))
    found = data(result)
    check_rails(found)
    rail, storage = found["networks"]["rail"], found["networks"]["storage"]
    assert (rail["vf_range"], rail["resource_name"]) == ("TODO", "rail")
    assert (storage["vf_range"], storage["resource_name"]) == ("TODO", "TODO")
    text = result.text.replace("resource_name: TODO", "resource_name: storage #")
    for span in ("0-5", "6-7"):
        text = text.replace("vf_range: TODO", f"vf_range: {span}", 1)
    assert re.search(r"network rail has resource rail_0 too \(dump.yaml:\d+\)", text)
    assert errors(filled(text)) == []


def test_the_vlan_of_a_network_without_a_subnet_is_told() -> None:
    bare = network("storage", "rail_0", 50, STORE)
    bare["spec"].pop("ipam")
    result = imported(bare)
    assert data(result)["rails"]["vlan_ids"] == "100-102"
    (told,) = (remark.text for remark in result.remarks if "VLAN" in remark.text)
    assert told.startswith("VLAN of network storage '50': an inventory has the VLAN of a subnet, ")


def test_a_network_of_the_rails_own_vlan_is_none_beside_them() -> None:
    """A second subnet of rail 0: today's pods have both, and an inventory has one."""
    more = network("more", "rail_0", 100, {"type": "nv-ipam", "poolName": "more"})
    spec = {"subnet": "10.77.0.0/24", "gateway": "10.77.0.1", "perNodeBlockSize": 8}
    found = data(imported(more, of_operator("IPPool", "more", spec)))
    assert found["rails"]["supernets"] == "TODO"
    assert "subnets" not in found


def test_of_networks_on_as_many_rails_none_is_beside_the_others() -> None:
    result = imported(network("storage", "rail_0", 50, STORE), rails=1)
    line = next(line for line in result.text.splitlines() if "vlan_ids:" in line)
    assert re.search(r"TODO # .* rail 0: 100 \(dump.yaml:\d+\) or 50 \(dump.yaml:\d+\)$", line)


def shared_rails() -> list[dict[str, Any]]:
    """Two hosts whose HCAs pods share: a MacvlanNetwork and a resource for each rail."""
    objects = []
    for name in ("gpu-1", "gpu-2"):
        states = [interface(pci, port, 100) for pci, port in PORTS.items()]
        objects += [node(name, {"pool": "gpu"}, 8), node_state(name, states)]
    rows = [
        {"resourceName": f"hca_{rail}", "rdmaHcaMax": 8, "selectors": {"ifNames": [port]}}
        for rail, port in enumerate(PORTS.values())
    ]
    plugin = {"image": "x", "repository": "r", "version": "v", "config": json.dumps({"configList": rows})}
    meta = {"name": "nic-cluster-policy"}
    policy = {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "metadata": meta}
    objects.append(policy | {"spec": {"rdmaSharedDevicePlugin": plugin}})
    for rail, port in enumerate(PORTS.values()):
        ipam = json.dumps({"type": "whereabouts", "range": f"10.8.{rail}.0/24", "gateway": f"10.8.{rail}.1"})
        spec = {"networkNamespace": "ml", "master": port, "mode": "bridge", "ipam": ipam}
        own = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork"}
        objects.append(own | {"metadata": {"name": f"mv-{rail}"}, "spec": spec})
    return objects


def bare_ipvlan() -> dict[str, Any]:
    """Over the HCA of rail 0, with an address of another subnet and no resource of its own."""
    ipam = {"type": "static", "addresses": [{"address": "10.9.0.10/24", "gateway": "10.9.0.1"}]}
    config = {"cniVersion": "1.0.0", "name": "store", "type": "ipvlan", "master": "ens1", "ipam": ipam}
    meta = {"name": "store", "namespace": "ml"}
    own = {"apiVersion": "k8s.cni.cncf.io/v1", "kind": "NetworkAttachmentDefinition", "metadata": meta}
    return own | {"spec": {"config": json.dumps(config)}}


def test_a_network_of_another_kind_and_subnet_is_none_of_the_rail() -> None:
    result = import_texts({"dump.yaml": listed([*shared_rails(), bare_ipvlan()])}, "site")
    found = data(result)
    assert found["rails"]["supernets"] == ["10.8.0.0/22"]
    assert found["networks"]["mv"]["resource_name"] == "hca"
    store = found["networks"]["store"]
    assert (store["subnet"], store["hcas"], store["resource_name"]) == ("store", ["roce0"], "TODO")
    assert "for_each" not in store
    subnet = found["subnets"]["store"]
    assert (subnet["cidr"], subnet["gateway"]) == ("10.9.0.0/24", "10.9.0.1")
    line = next(line for line in result.text.splitlines() if "a name of its own" in line)
    assert "hca_0" in line
    assert "hca_0" in source(result, line)
    (told,) = (remark.text for remark in result.remarks if "10.9.0.10/24" in remark.text)
    assert "its subnet is taken" in told


def source(result: Imported, line: str) -> str:
    """The line of the dump that a comment names."""
    found = re.search(r"\(dump.yaml:(\d+)\)", line)
    assert found is not None
    return result.texts["dump.yaml"].splitlines()[int(found[1]) - 1]


def of_team(name: str, rail: int, edit: dict[str, Any] | None = None) -> dict[str, Any]:
    """The network of a rail once more, in another namespace."""
    made = network(name, f"rail_{rail}", 100 + rail, {"type": "nv-ipam", "poolName": f"rail-{rail}"})
    return made | {"spec": made["spec"] | {"networkNamespace": "team"} | (edit or {})}


def test_networks_that_differ_in_name_and_namespace_alone_are_one() -> None:
    result = imported(*(of_team(f"team-rail-{rail}", rail) for rail in range(3)))
    (found,) = data(result)["networks"].values()
    assert (found["namespaces"], found["resource_name"]) == (["ml", "team"], "rail")
    assert "vf_range" not in found
    (line,) = [line for line in result.text.splitlines() if "namespaces: [ml, team]" in line]
    assert re.search(r"pods of team ask for team-rail-0 today \(dump.yaml:\d+\)", line)
    assert "a second namespace" in result.text  # who writes the NADs is asked


def test_networks_of_two_namespaces_that_differ_stay_two() -> None:
    """In their settings, in their rails, or both in one namespace."""
    for more in (
        [of_team(f"team-rail-{rail}", rail, {"trust": "on"}) for rail in range(3)],
        [of_team(f"team-rail-{rail}", rail) for rail in range(2)],
        [of_team(f"more-rail-{rail}", rail, {"networkNamespace": "ml"}) for rail in range(3)],
    ):
        found = data(imported(*more))["networks"]
        assert [network["namespaces"] for network in found.values()] != [["ml", "team"]]
        assert len(found) == 2


def test_one_network_of_one_resource_in_two_namespaces() -> None:
    """As k8s-launch-kit names them: with the namespace, where there are several."""
    twice = (
        of_operator("SriovNetwork", f"x-{space}", SINGLE | {"networkNamespace": space}) for space in "ab"
    )
    only = [one for one in cluster(rails=1) if one["kind"] != "SriovNetwork"]
    found = data(import_texts({"dump.yaml": listed([*only, *twice])}, "site"))["networks"]
    assert [one["namespaces"] for one in found.values()] == [["a", "b"]]


SINGLE = {"resourceName": "rail_0", "ipam": '{"type": "nv-ipam", "poolName": "rail-0"}'}


@pytest.mark.parametrize(("subnet", "on_rail"), [("10.10.0.0/16", False), ("10.8.0.0/16", True)])
def test_the_one_network_of_one_card_of_several(subnet: str, on_rail: bool) -> None:
    """Where the subnets of four rails could not begin with it, the other rails have none: it is on no rail,
    and ``supernets`` may go."""
    cards = [interface(f"0000:{18 + n}:00.0", f"ens{n}", 100) for n in range(4)]
    rows = [
        {"resourceName": f"hca_{n}", "rdmaHcaMax": 9, "selectors": {"ifNames": [f"ens{n}"]}} for n in range(4)
    ]
    config: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "p"}}
    config["data"] = {"config.json": json.dumps({"configList": rows})}
    ipam = json.dumps({"type": "whereabouts", "range": subnet})
    spec = {"networkNamespace": "ml", "master": "ens0", "ipam": ipam}
    kind = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork", "metadata": {"name": "rail-0"}}
    own = [node("gpu-1", {"pool": "a"}, 8), node_state("gpu-1", cards), config, {**kind, "spec": spec}]
    result = import_texts({"x.yaml": listed(own)}, "site")
    found = data(result)
    (network,) = (each for each in found["networks"].values() if each["mode"] == "macvlan")
    assert ("for_each" in network, network["hcas"]) == (on_rail, ["roce0"])
    if on_rail:
        assert found["rails"]["supernets"] == ["10.8.0.0/14"]
    else:
        assert found["subnets"]["rail-0"]["cidr"] == subnet
        assert (
            "TODO: address space of the rails, or remove the key, as no network is on the rails"
            in result.text
        )


def test_of_two_networks_on_all_rails_the_untagged_one_is_of_the_rails() -> None:
    """VFs of each PF in two resources: training untagged, inference in VLANs of its own."""
    more = []
    for rail, pci in enumerate(PORTS):
        more += [policy(f"infer_{rail}", pci, "#6-7")]
        ipam = {**STORE, "range": f"172.31.{rail}.0/24", "exclude": []}
        more.append(network(f"infer-{rail}", f"infer_{rail}", 301 + rail, ipam))
    own = [*cluster(span="#0-5"), *more]
    for each in own:
        if each["kind"] == "SriovNetwork" and each["metadata"]["name"].startswith("rail-"):
            each["spec"]["vlan"] = 0
    found = data(import_texts({"dump.yaml": listed(own)}, "site"))
    assert found["networks"]["rail"]["for_each"] == "rails"
    assert found["rails"]["supernets"] == ["10.9.0.0/22"]
    assert "vlan_ids" not in found["rails"]
    assert {each["id"] for each in found["vlans"].values()} == {301, 302, 303}
    assert not any("for_each" in each for name, each in found["networks"].items() if name != "rail")
