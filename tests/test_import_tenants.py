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


def rail(tenant: str, number: int, resource: str, selector: dict[str, str], name: str = "") -> list[Any]:
    """Its policy and its network. ``name``: of the network, in place of one with that of the tenant."""
    of_tenant, ipam = f"{tenant}-rail-{number}", f'{{"type": "nv-ipam", "poolName": "p{number}"}}'
    policy = {"numVfs": 8, "nodeSelector": selector, "nicSelector": {"pfNames": [CARDS[number][1]]}}
    network = {
        "networkNamespace": tenant,
        "vlan": 100 + number,
        "ipam": ipam,
        "metaPlugins": SBR,
    }
    return [
        operators("SriovNetworkNodePolicy", of_tenant, {**policy, "resourceName": resource}),
        operators("SriovNetwork", name or of_tenant, {**network, "resourceName": resource}),
    ]


def pool(number: int) -> Any:
    spec = {"subnet": f"10.1.{number}.0/24", "gateway": f"10.1.{number}.1", "perNodeBlockSize": 32}
    found = operators("IPPool", f"p{number}", spec, "nv-ipam.nvidia.com/v1alpha1")
    found["metadata"]["namespace"] = "kube-system"  # a stand-alone nv-ipam
    return found


def machine(name: str, labels: dict[str, str]) -> list[Any]:
    state = node_state(name, [interface(pci, netdev, 100, vfs=8) for pci, netdev in CARDS])
    return [node(name, {"kind": "h100", **labels}, 8), state]


def tenants(name: str = "", **prefixes: str) -> Imported:
    """Two nodes for each tenant, selected by the label ``tenant``. ``name``: of the networks of all."""
    objects = [pool(0), pool(1)]
    for number, (tenant, prefix) in enumerate(prefixes.items()):
        for each in (1, 2):
            objects += machine(f"gpu-{2 * number + each}", {"tenant": tenant})
        for n in (0, 1):
            objects += rail(tenant, n, f"{prefix}_{n}", {"tenant": tenant}, name and f"{name}-{n}")
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


def rendered(result: Imported, kind: str) -> list[Any]:
    """The objects of a kind that netplan renders of an import whose questions are answered."""
    compiled = compile_texts({"site.yaml": filled(result.text)})
    assert [each.message for each in compiled.diagnostics if each.severity == 2] == []
    texts = [each.text for each in compiled.artifacts if f"kind: {kind}" in each.text]
    bodies = [body for text in texts for body in yaml.safe_load_all(text)]
    return [body for body in bodies if body["kind"] == kind]


def test_the_policies_that_are_rendered_select_the_nodes_of_their_tenant() -> None:
    found = {
        (body["spec"]["resourceName"], tuple(body["spec"]["nodeSelector"].items()))
        for body in rendered(tenants(**PREFIXES), "SriovNetworkNodePolicy")
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


def test_a_node_that_no_policy_selects_and_no_label_tells_is_a_type_whose_label_is_asked() -> None:
    """A policy of its own would make VFs on it."""
    found = of_nodes([{"tenant": "a"}, {"tenant": "a"}, {}], [{"tenant": "a"}])
    assert {name: kind["node_selector"] for name, kind in found["host_types"].items()} == {
        "a": {"tenant": "a"},
        "type-2": "TODO",
    }
    assert [row["hosts"] for row in found["networks"].values()] == [["a"]]


def test_selections_that_overlap_make_a_type_for_each_that_a_label_tells() -> None:
    both = {"tenant": "a", "second": "yes"}
    labels = [{"tenant": "a", "only": "a"}] * 2 + [both | {"only": "both"}] * 2
    found = of_nodes(labels, [{"tenant": "a"}, {"second": "yes"}])
    assert [kind["node_selector"] for kind in found["host_types"].values()] == [
        {"only": "a"},
        {"second": "yes"},
    ]


def test_the_label_that_selects_today_is_preferred() -> None:
    labels = [{"tenant": name, "another": name} for name in ("a", "a", "b", "b")]
    found = of_nodes(labels, [{"tenant": "a"}, {"tenant": "b"}])
    assert [kind["node_selector"] for kind in found["host_types"].values()] == [
        {"tenant": "a"},
        {"tenant": "b"},
    ]


def test_a_tenant_with_machines_of_two_kinds_is_selected_by_two_labels() -> None:
    found = of_nodes(
        [{"tenant": "a"}] * 2 + [{"tenant": "a", "kind": "a100"}] * 2 + [{"tenant": "b"}] * 2,
        [{"tenant": "a", "kind": "h100"}, {"tenant": "a", "kind": "a100"}, {"tenant": "b"}],
    )
    assert [kind["node_selector"] for kind in found["host_types"].values()] == [
        {"kind": "h100", "tenant": "a"},
        {"kind": "a100"},
        {"tenant": "b"},
    ]


def test_tenants_with_networks_of_one_name_are_networks_apart() -> None:
    """Each in its own namespace, over resources of its own; the name is told where it changes."""
    result = tenants("rail", a="a_rail", b="b_rail")
    assert {
        name: (row["namespaces"], row["hosts"], row["resource_name"])
        for name, row in data(result)["networks"].items()
    } == {"rail": (["a"], ["a"], "a_rail"), "rail-b": (["b"], ["b"], "b_rail")}
    (line,) = [line for line in result.text.splitlines() if "pods of" in line]
    assert "namespaces: [b] # pods of b ask for rail-0 today (x.yaml:" in line
    assert line.endswith("an inventory has one name for it, rail-b, so their annotations change")


@pytest.mark.parametrize("prefixes", [PREFIXES, {**PREFIXES, "c": "c_rail"}])
def test_tenants_on_other_nodes_have_whole_blocks_of_the_pool_they_share(prefixes: dict[str, str]) -> None:
    result = tenants(**prefixes)
    assert [row["block_size"] for row in data(result)["networks"].values()] == [32] * len(prefixes)
    pools = {body["spec"]["perNodeBlockSize"] for body in rendered(result, "IPPool")}
    assert pools == {32}


def test_tenants_share_blocks_where_a_node_has_networks_of_both() -> None:
    """Of a node that is of both tenants the parts add up to the block, whatever those of the others have."""
    labels = [{"a": "yes"}] * 2 + [{"b": "yes"}] * 2 + [{"a": "yes", "b": "yes"}] * 2
    found = of_nodes(labels, [{"a": "yes"}, {"b": "yes"}])
    assert [row["block_size"] for row in found["networks"].values()] == [16, 16]
