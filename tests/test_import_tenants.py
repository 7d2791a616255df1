"""Equal nodes that labels part: the policies of each tenant give its nodes resources of their own."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled

CARDS = (("0000:18:00.0", "ens1"), ("0000:3b:00.0", "ens2"))
SBR = '{"type": "sbr"}'
PREFIXES = {"a": "a_rail", "b": "b_rail"}


def operators(kind: str, name: str, spec: dict[str, Any], api: str = "sriovnetwork.openshift.io/v1") -> Any:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "no"}, "spec": spec}


def rail(tenant: str, number: int, resource: str, selector: dict[str, str]) -> list[Any]:
    name, ipam = f"{tenant}-rail-{number}", f'{{"type": "nv-ipam", "poolName": "p{number}"}}'
    policy = {"numVfs": 8, "nodeSelector": selector, "nicSelector": {"pfNames": [CARDS[number][1]]}}
    network = {
        "networkNamespace": tenant,
        "vlan": 100 + number,
        "ipam": ipam,
        "metaPlugins": SBR,
    }
    return [
        operators("SriovNetworkNodePolicy", name, {**policy, "resourceName": resource}),
        operators("SriovNetwork", name, {**network, "resourceName": resource}),
    ]


def pool(number: int) -> Any:
    spec = {"subnet": f"10.1.{number}.0/24", "gateway": f"10.1.{number}.1", "perNodeBlockSize": 32}
    return operators("IPPool", f"p{number}", spec, "nv-ipam.nvidia.com/v1alpha1")


def machine(name: str, labels: dict[str, str]) -> list[Any]:
    state = node_state(name, [interface(pci, netdev, 100, vfs=8) for pci, netdev in CARDS])
    return [node(name, {"kind": "h100", **labels}, 8), state]


def tenants(**prefixes: str) -> Imported:
    """Two nodes for each tenant, selected by the label ``tenant``."""
    objects = [pool(0), pool(1)]
    for number, (tenant, prefix) in enumerate(prefixes.items()):
        for each in (1, 2):
            objects += machine(f"gpu-{2 * number + each}", {"tenant": tenant})
        for n in (0, 1):
            objects += rail(tenant, n, f"{prefix}_{n}", {"tenant": tenant})
    return import_texts({"x.yaml": listed(objects)}, "site")


@pytest.mark.parametrize("prefixes", [PREFIXES, {**PREFIXES, "c": "c_rail"}])
def test_nodes_of_each_tenant_are_a_type(prefixes: dict[str, str]) -> None:
    found = data(tenants(**prefixes))
    assert {name: kind["node_selector"] for name, kind in found["host_types"].items()} == {
        tenant: {"tenant": tenant} for tenant in prefixes
    }
    assert found["hosts"] == {
        f"gpu-[{2 * n + 1}-{2 * n + 2}]": {"type": tenant} for n, tenant in enumerate(prefixes)
    }
    assert {row["resource_name"]: row["hosts"] for row in found["networks"].values()} == {
        prefix: [tenant] for tenant, prefix in prefixes.items()
    }


def test_the_policies_that_are_rendered_select_the_nodes_of_their_tenant() -> None:
    result = compile_texts({"site.yaml": filled(tenants(**PREFIXES).text)})
    assert [each.message for each in result.diagnostics if each.severity == 2] == []
    texts = [each.text for each in result.artifacts if "kind: SriovNetworkNodePolicy" in each.text]
    policies = [body for text in texts for body in yaml.safe_load_all(text)]
    found = {
        (body["spec"]["resourceName"], tuple(body["spec"]["nodeSelector"].items()))
        for body in policies
        if body["kind"] == "SriovNetworkNodePolicy"
    }
    assert found == {
        (f"{tenant}_rail_{number}", (("tenant", tenant),)) for tenant in PREFIXES for number in (0, 1)
    }


def test_tenants_with_the_same_resources_are_one_type() -> None:
    found = data(tenants(a="rail", b="rail"))
    assert list(found["host_types"]) == ["h100"]
    assert found["hosts"] == {"gpu-[1-4]": {"type": "h100"}}


def of_nodes(labels: list[dict[str, str]], selectors: list[dict[str, str]]) -> Any:
    """A node for each of ``labels``, and policies with resources of their own for each of ``selectors``."""
    objects = [pool(0), pool(1)]
    for number, own in enumerate(labels, 1):
        objects += machine(f"gpu-{number}", {**own, "kubernetes.io/hostname": f"gpu-{number}"})
    for number, selector in enumerate(selectors):
        for n in (0, 1):
            objects += rail(f"t{number}", n, f"r{number}_{n}", selector)
    return data(import_texts({"x.yaml": listed(objects)}, "site"))


def test_a_label_that_no_policy_selects_by_parts_nothing() -> None:
    found = of_nodes([{"tenant": "a"}] * 2 + [{"tenant": "b"}] * 2, [{"kind": "h100"}])
    assert list(found["host_types"]) == ["h100"]


def test_policies_of_single_nodes_part_nothing() -> None:
    selectors = [{"kubernetes.io/hostname": f"gpu-{number}"} for number in (1, 2, 3)]
    assert list(of_nodes([{}, {}, {}], selectors)["host_types"]) == ["h100"]
    named = [{"slot": f"s{number}"} for number in (1, 2, 3)]
    assert list(of_nodes(named, named)["host_types"]) == ["h100"]


def test_nodes_without_a_label_of_their_own_stay_in_one_type() -> None:
    """The policies select two of three nodes, and nothing tells the third from them."""
    found = of_nodes([{"tenant": "a"}, {"tenant": "a"}, {}], [{"tenant": "a"}])
    assert list(found["host_types"]) == ["h100"]


def test_selections_that_overlap_make_a_type_for_each_that_a_label_tells() -> None:
    both = {"tenant": "a", "second": "yes"}
    labels = [{"tenant": "a", "only": "a"}] * 2 + [both | {"only": "both"}] * 2
    found = of_nodes(labels, [{"tenant": "a"}, {"second": "yes"}])
    assert [kind["node_selector"] for kind in found["host_types"].values()] == [
        {"only": "a"},
        {"only": "both"},
    ]
