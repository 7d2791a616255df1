"""The NetworkAttachmentDefinition that an operator made, beside its network object: what they say otherwise
is asked with both places. Configurations as the operators write them: Mellanox/network-operator b06827e0
manifests/state-hostdevice-network, -macvlan-network, -ipoib-network;
k8snetworkplumbingwg/sriov-network-operator 249e2001 bindata/manifests/cni-config."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import listed
from tests.test_import import data, refused
from tests.test_import_disagree import asked, hardware, lines_of

RANGE = {
    "type": "whereabouts",
    "range": "10.1.{}.0/24",
    "gateway": "10.1.{}.1",
    "exclude": ["10.1.{}.128/28"],
    "routes": [{"dst": "10.7.0.0/16"}],
}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "SriovNetwork": ("sriov", {"resourceName": "rail_{}", "vlan": 100}),
    "SriovIBNetwork": ("ib-sriov", {"resourceName": "rail_{}"}),
    "HostDeviceNetwork": ("host-device", {"resourceName": "rail_{}"}),
    "MacvlanNetwork": ("macvlan", {"master": "ens<>", "mode": "bridge", "mtu": 9000}),
    "IPoIBNetwork": ("ipoib", {"master": "ens<>"}),
}
REFERENCE = "sriovnetwork.openshift.io/owner-ref"


def of_rail(value: Any, rail: int) -> Any:
    text = json.dumps(value).replace("{}", str(rail))
    return json.loads(text.replace("<>", str(rail + 1)))


def network(kind: str, rail: int) -> dict[str, Any]:
    group = "sriovnetwork.openshift.io/v1" if kind.startswith("Sriov") else "mellanox.com/v1alpha1"
    spec = {
        "networkNamespace": "a",
        "ipam": json.dumps(of_rail(RANGE, rail)),
        **of_rail(KINDS[kind][1], rail),
    }
    meta = {"name": f"rail-{rail}", "namespace": "operator"}
    return {"apiVersion": group, "kind": kind, "metadata": meta, "spec": spec}


def attachment(kind: str, rail: int, ipam: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    plugin, stated = KINDS[kind]
    own = {"cniVersion": "0.3.1", "name": f"rail-{rail}", "type": plugin, **stated, **config}
    own |= {"vlanQoS": 0} if plugin == "sriov" else {}
    own["ipam"] = {key: value for key, value in {**RANGE, **ipam}.items() if value is not None}
    resource = own.pop("resourceName", "")
    notes = {"k8s.v1.cni.cncf.io/resourceName": f"nvidia.com/{resource}"} if resource else {}
    meta = {"name": f"rail-{rail}", "namespace": "a", "annotations": notes}
    return of_rail(
        {
            "apiVersion": "k8s.cni.cncf.io/v1",
            "kind": "NetworkAttachmentDefinition",
            "metadata": meta,
            "spec": {"config": json.dumps(own)},
        },
        rail,
    )


def dumped(kind: str, ipam: dict[str, Any] | None = None, config: dict[str, Any] | None = None) -> Imported:
    of_rails = ((network(kind, n), attachment(kind, n, ipam or {}, config or {})) for n in range(2))
    return import_texts(
        {"a.yaml": listed([*hardware(2), *(each for pair in of_rails for each in pair)])}, "s"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_an_attachment_as_its_operator_makes_it_adds_no_question(kind: str) -> None:
    result = dumped(kind)
    alone = import_texts({"a.yaml": listed([*hardware(2), network(kind, 0), network(kind, 1)])}, "s")
    assert result.conflicts == alone.conflicts
    assert [each.text for each in result.remarks] == [each.text for each in alone.remarks]
    assert data(result)["networks"] == data(alone)["networks"]


IPAM: list[tuple[dict[str, Any], str, str]] = [
    ({"range": "10.9.{}.0/24"}, "supernets", "10.1.0.0/24 (a.yaml:"),
    ({"gateway": "10.1.{}.254"}, "gateway", "10.1.0.1 (a.yaml:"),
    ({"gateway": None}, "gateway", "10.1.0.1 (a.yaml:"),
    ({"exclude": None}, "reserved", "pool a/rail-0, excluded/10.1.0.128-10.1.0.143: true (a.yaml:"),
    (
        {"range_end": "10.1.{}.99"},
        "reserved",
        "pool a/rail-0, excluded/10.1.0.100-10.1.0.254: nothing (a.yaml:",
    ),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ipam", "key", "said"), IPAM)
def test_another_range_in_the_attachment_is_asked(
    kind: str, ipam: dict[str, Any], key: str, said: str
) -> None:
    result = dumped(kind, ipam)
    assert asked(result)[key].startswith(said)
    assert asked(result)[key].count("a.yaml:") == 2
    assert lines_of(result, key) <= refused(result.text)


@pytest.mark.parametrize(
    ("kind", "config", "key", "said"),
    [
        ("SriovNetwork", {"vlan": 77}, "vlan_ids", "100 (a.yaml:"),
        ("SriovNetwork", {"type": "ipvlan"}, "mode", "sriov (a.yaml:"),
        ("HostDeviceNetwork", {"resourceName": "other_{}"}, "resource_name", "rail_0 (a.yaml:"),
        ("MacvlanNetwork", {"mode": "passthru"}, "mode", "bridge (a.yaml:"),
        ("MacvlanNetwork", {"mtu": 1500}, "mtu", "9000 (a.yaml:"),
        ("MacvlanNetwork", {"master": "ens9"}, "hcas", "ens1 (a.yaml:"),
    ],
)
def test_another_setting_in_the_attachment_is_asked(
    kind: str, config: dict[str, Any], key: str, said: str
) -> None:
    assert asked(dumped(kind, None, config))[key].startswith(said)


def test_what_netplan_reads_of_neither_is_told_of_the_attachment_too() -> None:
    told = [each.text for each in dumped("MacvlanNetwork", None, {"linkInContainer": True}).remarks]
    assert any("NetworkAttachmentDefinition spec.config.linkInContainer 'True'" in text for text in told)
    route = dumped("SriovNetwork", {"routes": []}).conflicts
    assert str(route[0]).startswith("pool a/rail-0, route/10.7.0.0/16: true (a.yaml:")


def test_an_attachment_without_a_configuration_is_told() -> None:
    found = attachment("SriovNetwork", 0, {}, {})
    found["spec"] = {}
    result = import_texts({"a.yaml": listed([*hardware(1), network("SriovNetwork", 0), found])}, "s")
    told = [each.text for each in result.remarks]
    assert (
        "NetworkAttachmentDefinition a/rail-0: no configuration in it; pods get no SriovNetwork rail-0"
        in told
    )


def test_an_attachment_in_another_namespace_than_its_object_asks_for_is_asked() -> None:
    """As before a change of networkNamespace that the operator has not followed."""
    objects = hardware(2)
    for rail in range(2):
        made = attachment("SriovNetwork", rail, {}, {})
        made["metadata"]["namespace"] = "old"
        owner = f"SriovNetwork.sriovnetwork.openshift.io/operator/rail-{rail}"
        made["metadata"]["annotations"][REFERENCE] = owner
        objects += [network("SriovNetwork", rail), made]
    result = import_texts({"a.yaml": listed(objects)}, "s")
    assert asked(result)["namespaces"].startswith("a (a.yaml:")
    assert " or old (a.yaml:" in asked(result)["namespaces"]
    assert "# of 2 networks: rail-0, rail-1" in result.text


def test_two_dumps_of_a_pool_that_exclude_other_addresses_are_asked() -> None:
    one, other = hardware(2), [each for each in hardware(2) if each["kind"] == "IPPool"]
    for each in other:
        subnet = each["spec"]["subnet"].removesuffix(".0/24")
        each["spec"]["exclusions"] = [{"startIP": f"{subnet}.9", "endIP": f"{subnet}.20"}]
    nets = [network("SriovNetwork", rail) for rail in range(2)]
    for rail, each in enumerate(nets):
        each["spec"]["ipam"] = json.dumps({"type": "nv-ipam", "poolName": f"p{rail}"})
    result = import_texts({"a.yaml": listed([*one, *nets]), "b.yaml": listed(other)}, "s")
    assert asked(result)["reserved"].startswith("pool p0, excluded/10.1.0.9-10.1.0.20: nothing (a.yaml:")
