"""OpenShift's network objects: ranges and CNI plugin are taken, networks that its operator makes are told.

Shapes: openshift/cluster-network-operator 2a6a57fe vendor/github.com/openshift/api, types_network.go.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import ODD, data, spots, with_odd

Object = dict[str, Any]
RAW = json.dumps({"cniVersion": "0.3.1", "name": "m", "type": "macvlan", "master": "ens1"})
RANGES: Object = {
    "clusterNetwork": [{"cidr": "10.128.0.0/14", "hostPrefix": 23}],
    "serviceNetwork": ["172.30.0.0/16"],
}


def operated(**spec: Any) -> Object:
    usual = {**RANGES, "defaultNetwork": {"type": "OVNKubernetes"}}
    return of_kind("operator.openshift.io/v1", "Network", "cluster", spec={**usual, **spec})


def configured(**parts: Any) -> Object:
    spec = {**RANGES, "networkType": "OVNKubernetes"}
    return of_kind("config.openshift.io/v1", "Network", "cluster", **{"spec": spec, "status": spec, **parts})


def of_kind(version: str, kind: str, name: str, **more: Any) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **more}


def imported(*objects: Object) -> Imported:
    labels = {"node.openshift.io/os_id": "rhcos"}
    own = [node("gpu-1", labels, 8), node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])]
    return import_texts({"x.yaml": listed([*own, *objects])}, "site")


def told(result: Imported, part: str) -> list[str]:
    return [str(each) for each in result.remarks if part in str(each)]


@pytest.mark.parametrize("network", [operated(), configured()], ids=["operator", "config"])
def test_plugin_and_ranges_are_those_of_the_network(network: Object) -> None:
    result = imported(network)
    found = data(result)["cluster"]
    assert found["distribution"] == "openshift"
    assert found["primary_network"] == {
        "cni": "ovn-kubernetes",
        "pod_cidr": "10.128.0.0/14",
        "service_cidr": "172.30.0.0/16",
    }
    assert told(result, "Network ") == []


def test_networks_that_disagree_are_both_named() -> None:
    other = {**RANGES, "serviceNetwork": ["172.31.0.0/16"]}
    (conflict,) = imported(operated(), configured(spec=other, status={})).conflicts
    assert str(conflict).startswith("the cluster, service_cidr: 172.30.0.0/16 (x.yaml:")


def test_ranges_of_the_second_address_family_are_told() -> None:
    ranges = [*RANGES["clusterNetwork"], {"cidr": "fd01::/48", "hostPrefix": 64}]
    result = imported(operated(clusterNetwork=ranges, serviceNetwork=["172.30.0.0/16", "fd02::/112"]))
    assert len(told(result, "the inventory has one range of each; the first is taken")) == 2


def test_another_plugin_is_told_and_asked_for() -> None:
    result = imported(operated(defaultNetwork={"type": "OpenShiftSDN"}))
    (line,) = told(result, "OpenShiftSDN")
    assert (
        "Network spec.defaultNetwork.type 'OpenShiftSDN': a network that the inventory has no word for"
        in line
    )
    assert data(result)["cluster"]["primary_network"]["cni"] == "TODO"


def test_without_the_object_the_questions_name_it() -> None:
    text = imported().text
    for key in ("networkType", "clusterNetwork", "serviceNetwork"):
        assert f"{key} of oc get network.config cluster -o yaml" in text


def attachment(*owners: str) -> Object:
    found = of_kind("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", "macvlan-x", spec={"config": RAW})
    found["metadata"] |= {
        "namespace": "default",
        "ownerReferences": [{"kind": kind, "name": "a"} for kind in owners],
    }
    return found


ADDITIONAL = operated(additionalNetworks=[{"name": "macvlan-x", "type": "Raw", "rawCNIConfig": RAW}])


@pytest.mark.parametrize(
    "objects", [[ADDITIONAL], [ADDITIONAL, attachment("Network")]], ids=["alone", "beside"]
)
def test_a_network_that_the_operator_makes_is_told_once(objects: list[Object]) -> None:
    result = imported(*objects)
    (line,) = told(result, "macvlan-x")
    assert (
        "Network spec.additionalNetworks 'default/macvlan-x': the Cluster Network Operator makes it" in line
    )
    assert "networks" not in data(result)


@pytest.mark.parametrize("owner", ["Network", "SriovNetwork", "HostDeviceNetwork"])
def test_an_attachment_whose_owner_no_dump_has_is_told(owner: str) -> None:
    (line,) = told(imported(attachment(owner)), "macvlan-x")
    assert line.endswith(f"default/macvlan-x: an operator made it for {owner} that no dump has; left out")


CHAIN = {"type": "sriov", "vlan": 7, "vlanQoS": 0, "trust": "on", "ipam": {"type": "static"}}


@pytest.mark.parametrize("by", ["annotation", "reference"])
def test_an_attachment_of_a_network_object_that_no_dump_has_is_taken_in_its_place(by: str) -> None:
    """It states the same: kubectl was asked for the attachments and not for the operator's objects."""
    found = attachment("SriovNetwork") if by == "reference" else attachment()
    found["metadata"]["annotations"] = {"k8s.v1.cni.cncf.io/resourceName": "nvidia.com/rail_0"}
    if by == "annotation":
        reference = "SriovNetwork.sriovnetwork.openshift.io/operators/macvlan-x"
        found["metadata"]["annotations"]["sriovnetwork.openshift.io/owner-ref"] = reference
    found["spec"]["config"] = json.dumps({"plugins": [CHAIN, {"type": "rdma"}]})
    result = imported(found)
    network = data(result)["networks"]["macvlan-x"]
    assert (network["mode"], network["ipam"], network["resource_name"]) == ("sriov", "static", "rail_0")
    assert "vlan_qos" not in network
    assert data(result)["cluster"]["owners"]["nads"] == "operator"
    (line,) = told(result, "macvlan-x:")
    why = "an operator made it for a SriovNetwork that no dump has; it is taken in its place, add these"
    assert f"default/macvlan-x: {why}" in line


def test_what_sets_up_hosts_is_told_once_for_each_kind() -> None:
    policies = [
        of_kind("nmstate.io/v1", "NodeNetworkConfigurationPolicy", name, spec={"desiredState": {}})
        for name in ("mtu", "dns")
    ]
    machine = of_kind("machineconfiguration.openshift.io/v1", "MachineConfig", "99-rdma", spec={})
    result = imported(*policies, machine)
    (policy,) = told(result, "NodeNetworkConfigurationPolicy")
    assert policy.endswith("NodeNetworkConfigurationPolicy mtu: netplan does not read this kind (and 1 more)")
    assert len(told(result, "MachineConfig 99-rdma")) == 1


def test_any_value_anywhere_is_no_crash() -> None:
    for whole in (ADDITIONAL, configured(), attachment("Network")):
        for path in spots(whole):
            for odd in ODD:
                imported(with_odd(whole, path, odd))
