"""What is a note in files of others, because nothing says that what it compares is applied together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.diagnostics import Severity
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import findings
from tests.unit.test_edges_objects_networks import rail
from tests.unit.test_edges_rules import named, vf_policy

OLD_KEY = "kubernetes.v1.cni.cncf.io/networks"
BOTH = {"kustomization.yaml": [{"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization",
                                "resources": ["a.yaml", "b.yaml"]}]}  # fmt: skip


def levels(code: str, given: Any) -> list[Severity]:
    return [each.severity for each in findings(code, given)]


@pytest.mark.parametrize(
    ("code", "other"),
    [
        ("NP786", named(vf_policy(resourceName="two"), "two")),
        ("NP787", named(vf_policy(needVhostNet=True), "two")),
    ],
)
def test_policies_in_files_that_nothing_joins_may_be_steps(code: str, other: dict[str, Any]) -> None:
    apart = {"a.yaml": [vf_policy()], "b.yaml": [other]}
    assert levels(code, apart) == [Severity.INFO]
    assert levels(code, {"a.yaml": [vf_policy(), other]}) == [Severity.WARNING]
    assert levels(code, {**apart, **BOTH}) == [Severity.WARNING]


def test_the_key_of_multus_v2_is_old_where_no_pod_has_the_new_one() -> None:
    old = pod("")
    old["metadata"]["annotations"] = {OLD_KEY: "rail"}
    assert levels("NP747", [old]) == [Severity.INFO]
    assert levels("NP747", [old, named(pod("rail"), "new")]) == [Severity.WARNING]


def static(name: str, *addresses: str) -> dict[str, Any]:
    rows = [{"address": each} for each in addresses]
    return rail({"type": "macvlan", "master": "eth1"}, name=name, type="static", addresses=rows)


@pytest.mark.parametrize(
    ("first", "second", "addresses", "level"),
    [
        ("upf1", "upf2", ("192.168.1.3/24", "192.168.2.3/24"), Severity.INFO),
        ("upf1", "upf2", ("192.168.1.3/24",), Severity.WARNING),
        ("upf", "amf", ("192.168.1.3/24", "192.168.2.3/24"), Severity.WARNING),
    ],
)
def test_numbered_pods_may_be_behind_a_balancer(
    first: str, second: str, addresses: tuple[str, ...], level: Severity
) -> None:
    given = [static(f"lb-{name}", *addresses) for name in (first, second)]
    given += [named(pod(f"lb-{name}"), name) for name in (first, second)]
    assert levels("NP684", given) == [level]


def asking(
    name: str, kind: str = "Pod", *, mac: str = "", networks: tuple[str, ...] = ("n4",)
) -> dict[str, Any]:
    """A workload that asks for the same address on each of some networks."""
    more = {"mac": mac} if mac else {}
    rows = [{"name": each, "ips": ["10.0.0.9/24"], **more} for each in networks]
    template = pod("")
    template["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"] = json.dumps(rows)
    if kind == "Pod":
        return named(template, name)
    own = {"metadata": {"annotations": template["metadata"]["annotations"]}, "spec": template["spec"]}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": template["metadata"]["namespace"]},
        "spec": {"template": own},
    }


MAC = "20:04:0f:f1:88:01"


@pytest.mark.parametrize(
    ("first", "second", "level"),
    [
        (asking("upf1", "Deployment"), asking("upf2", "Deployment"), Severity.WARNING),
        (asking("dpdk", "Deployment", mac=MAC), asking("testpmd", "Deployment", mac=MAC), Severity.INFO),
        (asking("upf1", "Deployment", mac=MAC), asking("upf2", "Deployment"), Severity.WARNING),
        (asking("try1"), asking("try2", networks=("n3", "n4", "n6")), Severity.INFO),
        (asking("try1", networks=("n2", "n4")), asking("try2", networks=("n3", "n4")), Severity.WARNING),
        (asking("try1"), asking("try2", "Deployment"), Severity.WARNING),
    ],
)
def test_a_pod_of_another_file_may_stand_in_for_one_with_its_addresses(
    first: dict[str, Any], second: dict[str, Any], level: Severity
) -> None:
    """By its MAC address too, or as a bare pod with all addresses of the other; not where both are built."""
    apart = {"a.yaml": [first], "b.yaml": [second]}
    assert levels("NP684", apart) == [level]
    assert levels("NP684", {**apart, **BOTH}) == [Severity.WARNING]
    assert levels("NP684", [first, second]) == [Severity.WARNING]


@pytest.mark.parametrize(
    ("kind", "spec", "network", "level"),
    [
        ("Deployment", {"replicas": 3}, True, Severity.WARNING),
        ("Deployment", {"replicas": 3}, False, Severity.INFO),
        ("DaemonSet", {}, True, Severity.INFO),
    ],
)
def test_replicas_on_a_network_elsewhere_and_pods_of_a_daemonset_are_not_counted(
    kind: str, spec: dict[str, Any], network: bool, level: Severity
) -> None:
    one = asking("dns", kind)
    one["spec"].update(spec)
    given = [one, *([static("n4", "10.0.0.1/24")] if network else [])]
    assert levels("NP684", given) == [level]


def machine(*, networks: list[dict[str, Any]], annotation: str) -> dict[str, Any]:
    annotations = {"k8s.v1.cni.cncf.io/networks": annotation}
    template = {"metadata": {"annotations": annotations}, "spec": {"domain": {}, "networks": networks}}
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "router", "namespace": "apps"},
        "spec": {"template": template},
    }


@pytest.mark.parametrize(
    ("networks", "broken", "replaced"),
    [
        ([], [Severity.ERROR], []),
        ([{"name": "default", "pod": {}}], [Severity.ERROR], []),
        ([{"name": "lan", "multus": {"networkName": "apps/lan"}}], [Severity.INFO], [Severity.INFO]),
    ],
)
def test_kubevirt_replaces_the_annotation_of_a_machine_that_has_networks_of_multus(
    networks: list[dict[str, Any]], broken: list[Severity], replaced: list[Severity]
) -> None:
    given = [machine(networks=networks, annotation='[{"name": "lan"')]
    assert levels("NP762", given) == broken
    assert levels("NP747", given) == replaced


def of_ovn(namespace: str, vlan: int) -> dict[str, Any]:
    own = {"type": "ovn-k8s-cni-overlay", "topology": "localnet", "netAttachDefName": f"{namespace}/db"}
    config = {"cniVersion": "1.0.0", "name": "data-net", "vlanID": vlan, **own}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "db", "namespace": namespace},
        "spec": {"config": json.dumps(config)},
    }


def test_nads_of_one_network_of_ovn_in_files_that_nothing_joins_may_be_steps() -> None:
    one, other = of_ovn("data", 5), of_ovn("adapter", 6)
    assert levels("NP770", {"a.yaml": [one], "b.yaml": [other]}) == [Severity.INFO]
    assert levels("NP770", {"a.yaml": [one], "b.yaml": [other], **BOTH}) == [Severity.ERROR]
    assert levels("NP770", [one, of_ovn("adapter", 5)]) == []


def pool(name: str) -> dict[str, Any]:
    spec = {"subnet": "172.16.0.0/24", "perNodeBlockSize": 8, "gateway": "172.16.0.1"}
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": name, "namespace": "nvidia-network-operator"},
        "spec": spec,
    }


def on_pool(name: str, pool_name: str) -> dict[str, Any]:
    return rail({"type": "macvlan", "master": "eth1"}, name=name, type="nv-ipam", poolName=pool_name)


@pytest.mark.parametrize(
    ("missing", "other", "level"),
    [
        ("default", {"b/objects.yaml": [pool("blue"), on_pool("second", "blue")]}, Severity.INFO),
        ("bleu", {"b/objects.yaml": [pool("blue"), on_pool("second", "blue")]}, Severity.WARNING),
        ("default", {"b/objects.yaml": [pool("blue")]}, Severity.WARNING),
        ("default", {"a/pool.yaml": [pool("blue"), on_pool("second", "blue")]}, Severity.WARNING),
    ],
)
def test_pools_of_other_folders_may_be_of_other_setups(
    missing: str, other: dict[str, Any], level: Severity
) -> None:
    assert levels("NP759", {"a/objects.yaml": [on_pool("first", missing)], **other}) == [level]
