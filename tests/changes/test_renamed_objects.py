"""``netplan diff SITE --cluster DUMP``: objects that run under other names than the planned ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.changes.compare import facts_of
from netplan.changes.drift_objects import object_drift
from netplan.changes.objects import LEFT_OUT
from netplan.changes.sides import Side
from tests.changes.pairs import edited

Body = dict[str, Any]
OPERATOR, HOSTS = ("dgx1-multirail", {"nads: netplan": "nads: operator"}), ("iei-rocev2", dict[str, str]())
"""Networks and VFs by operators, and networks with pools."""


def side_of(site: tuple[str, dict[str, str]]) -> Side:
    return edited(*site)


def renamed(site: tuple[str, dict[str, str]]) -> list[Body]:
    """Rendered objects under names of their own, as somebody else made them."""
    texts = side_of(site).texts
    files = [t for path, t in texts.items() if path.startswith("kubernetes/") and path.endswith(".yaml")]
    found = [body for text in files for body in yaml.safe_load_all(text) if body]
    objects = [body for body in found if body.get("kind") not in LEFT_OUT and "apiVersion" in body]
    for body in objects:
        if body["kind"] in (
            "NetworkAttachmentDefinition",
            "SriovNetwork",
            "IPPool",
            "SriovNetworkNodePolicy",
        ):
            body["metadata"] = {**body["metadata"], "name": f"my-{body['metadata']['name']}", "labels": {}}
        if body["kind"] == "NetworkAttachmentDefinition":
            config = body["spec"]["config"].replace('"poolName": "', '"poolName": "my-')
            body["spec"]["config"] = config.replace('"name": "', '"name": "my-')
    return objects


def of(objects: list[Body], kind: str) -> Body:
    found: Body = next(body["spec"] for body in objects if body["kind"] == kind)
    return found


def rows(tmp_path: Path, site: tuple[str, dict[str, str]], objects: list[Body]) -> list[str]:
    """What is said of fields."""
    dump = tmp_path / "dump.yaml"
    dump.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": objects}, sort_keys=False))
    side = side_of(site)
    found = object_drift(side, facts_of(side), str(dump)).found
    lines = dump.read_text().splitlines()
    for each in found:
        if ", in planned " in each.change:
            at = int(each.place.rpartition(":")[2])
            assert each.target.split()[0] in "\n".join(lines[:at])
    return [f"{each.target}: {each.change}" for each in found if ", in planned " in each.change]


@pytest.mark.parametrize("site", [OPERATOR, HOSTS])
def test_names_alone_are_no_difference_of_fields(tmp_path: Path, site: tuple[str, dict[str, str]]) -> None:
    assert rows(tmp_path, site, renamed(site)) == []


def test_what_a_pool_has_and_the_planned_one_has_not_is_told_and_the_reverse(tmp_path: Path) -> None:
    objects = renamed(HOSTS)
    pool = of(objects, "IPPool")
    del pool["routes"]
    pool |= {"perNodeBlockSize": 4, "exclusions": [{"startIP": "172.16.0.9", "endIP": "172.16.0.9"}]}
    name = "IPPool kube-system/my-rail0-leaf-1: spec."
    assert [row.partition(" -> ")[0].removeprefix(name) for row in rows(tmp_path, HOSTS, objects)] == [
        "perNodeBlockSize 4",
        "routes nothing",
        'exclusions [{"startIP": "172.16.0.9", "endIP": "172.16.0...',
    ]
    assert rows(tmp_path, HOSTS, objects)[0].endswith("4 -> 9, in planned kube-system/rail0-leaf-1")


def test_plugins_that_networks_lack_are_told_in_one_row(tmp_path: Path) -> None:
    """Spaces in a JSON text are no difference."""
    objects = renamed(OPERATOR)
    for body in (body for body in objects if body["kind"] == "SriovNetwork"):
        body["spec"]["metaPlugins"] = '{"type": "rdma"},  {"type": "sbr"}'
    assert rows(tmp_path, OPERATOR, objects) == [
        "SriovNetwork nvidia-network-operator/my-rdma-[0-3]: spec.metaPlugins.tuning nothing -> "
        '{"type": "tuning", "sysctl": {"net.ipv4.conf...., in planned nvidia-network-operator/rdma-[0-3]',
        "SriovNetwork nvidia-network-operator/my-rdma-[0-3]: spec.metaPlugins.sbr "
        '{"type": "sbr"} -> nothing, in planned nvidia-network-operator/rdma-[0-3]',
    ]


def test_a_network_of_the_host_is_compared_by_plugin(tmp_path: Path) -> None:
    objects = renamed(HOSTS)
    nad = of(objects, "NetworkAttachmentDefinition")
    config = json.loads(nad["config"])
    (tuning,) = (plugin for plugin in config["plugins"] if plugin["type"] == "tuning")
    tuning["mtu"] = 4200
    nad["config"] = json.dumps(config)
    (row,) = rows(tmp_path, HOSTS, objects)
    assert row == (
        "NetworkAttachmentDefinition training/my-card-0-leaf-1: spec.config.plugins.2.mtu 4200 -> 9000, "
        "in planned training/card-0-leaf-1"
    )


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("priority", 10, "priority 10 -> nothing"),
        ("numVfs", 4, "numVfs 4 -> 1"),
        ("mtu", 1500, "mtu 1500 -> 9000"),
        ("linkType", "ETH", ""),
        ("resourceName", "other", "resourceName other -> sriov_rdma_0"),
    ],
)
def test_a_policy_over_the_same_vfs(tmp_path: Path, key: str, value: object, told: str) -> None:
    objects = renamed(OPERATOR)
    of(objects, "SriovNetworkNodePolicy")[key] = value
    name = "SriovNetworkNodePolicy nvidia-network-operator/my-rdma-dgx1-roce0"
    of_planned = "in planned nvidia-network-operator/rdma-dgx1-roce0"
    assert rows(tmp_path, OPERATOR, objects) == ([f"{name}: spec.{told}, {of_planned}"] if told else [])


def test_an_object_beside_the_planned_one_is_not_compared_with_it(tmp_path: Path) -> None:
    """Both run: the planned one with the one of its name."""
    objects = renamed(HOSTS)
    pool = next(body for body in objects if body["kind"] == "IPPool")
    own = {**pool, "metadata": {**pool["metadata"], "name": "rail0-leaf-1"}}
    pool["spec"] = {**pool["spec"], "perNodeBlockSize": 4}
    assert [row for row in rows(tmp_path, HOSTS, [*objects, own]) if row.startswith("IPPool")] == []


@pytest.mark.parametrize(("resource", "told"), [("sriov_rdma_0", True), ("", False)])
def test_networks_without_addresses_are_known_by_resource_and_namespace(
    tmp_path: Path, resource: str, told: bool
) -> None:
    site = (OPERATOR[0], {**OPERATOR[1], "ipam: whereabouts": "ipam: none"})
    objects = renamed(site)
    own = of(objects, "SriovNetwork")
    own |= {"trust": "on", "resourceName": resource}
    found = [row for row in rows(tmp_path, site, objects) if "spec.trust on -> nothing" in row]
    assert bool(found) == told
