"""``netplan import`` of VLANs and subnets: who tags, ids and ranges that do not count up with the rails."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import cluster_dumps, fabric_dumps
from tests.inventories import text_of
from tests.test_import import data, filled, refused
from tests.test_import_fabric import DETERMINED

SRIOV = "    mode: sriov\n"
RANGE, LISTED = "  vlan_ids: 100-103\n", "  vlan_ids: [110, 120, 135, 140]\n"
SPACE = "  supernets: [172.16.0.0/19]\n  rail_prefixes: [22]\n"
FROM_ONE = "  rail_networks: [172.16.4.0/22, 172.16.8.0/22, 172.16.12.0/22, 172.16.16.0/22]\n"
APART = "  rail_networks: [172.16.1.0/24, 172.17.10.0/23, 10.3.0.0/22, 172.16.20.0/22]\n"
DUAL = (
    '  supernets: [172.16.0.0/19, "fd00:16::/48"]\n  rail_prefixes: [22, 56]\n  prefixes: [24, 64]\n',
    '  rail_networks: [[172.16.4.0/22, "fd00:1::/62"], [172.16.8.0/22, "fd00:2::/62"], '
    '[172.16.12.0/22, "fd00:3::/62"], [172.16.16.0/22, "fd00:4::/62"]]\n  prefixes: [24, 64]\n',
)
SITES = {
    "dual": ((f"{SPACE}  prefixes: [24]\n", DUAL[0]),),
    "dual, from one": ((f"{SPACE}  prefixes: [24]\n", DUAL[1]),),
    "untagged": ((SRIOV, f"{SRIOV}    tagging: port\n"),),
    "listed": ((RANGE, LISTED),),
    "from one": ((SPACE, FROM_ONE),),
    "all": ((SRIOV, f"{SRIOV}    tagging: port\n"), (RANGE, LISTED), (SPACE, APART)),
}


@cache
def files(site: str) -> Mapping[str, str]:
    """What netplan renders of iei-rocev2, changed."""
    text = text_of("iei-rocev2")
    for old, new in SITES[site]:
        assert old in text
        text = text.replace(old, new)
    result = compile_texts({"site.yaml": text})
    assert [d for d in result.diagnostics if d.severity > 0 and d.code != "NP622"] == []  # IPv4 uplinks
    return {a.path: a.text for a in result.artifacts}


@cache
def dumps(site: str) -> Mapping[str, str]:
    return {**cluster_dumps(files(site)), **fabric_dumps(files(site))}


@cache
def imported(site: str) -> Imported:
    return import_texts(dumps(site), "iei-rocev2")


@pytest.mark.parametrize("site", SITES)
def test_switches_pools_and_networks_are_rendered_as_before(site: str) -> None:
    assert (imported(site).conflicts, imported(site).remarks, imported(site).problems) == ((), (), ())
    result = compile_texts({"site.yaml": filled(imported(site).text)})
    assert [d for d in result.diagnostics if d.severity > 0 and d.code != "NP622"] == []  # IPv4 uplinks
    again = {a.path: a.text for a in result.artifacts}
    same = [path for path in files(site) if path.startswith(("kubernetes/3", "kubernetes/4"))]
    same += [path for path in files(site) if path.startswith("switches/") and path.endswith(DETERMINED)]
    assert len(same) > 30
    for path in same:
        assert again[path] == files(site)[path]


def test_what_is_stated() -> None:
    rails, network = data(imported("all"))["rails"], data(imported("all"))["networks"]["rail"]
    assert rails["vlan_ids"] == [110, 120, 135, 140]
    assert rails["rail_networks"] == ["172.16.1.0/24", "172.17.10.0/23", "10.3.0.0/22", "172.16.20.0/22"]
    assert "supernets" not in rails
    assert network["tagging"] == "port"
    assert "tagging" not in data(imported("listed"))["networks"]["rail"]


PLUGIN = "kubernetes_40-device-plugins_device-plugin_sriov-device-plugin.yaml"
NAD = "kubernetes_30-networks_network-attachments_training_rail.yaml"


def contradicted(vlan: int | None, tagging: str) -> Imported:
    """The untagged site; its networks state ``vlan``, and the ports of all leaves ``tagging``."""
    texts = dict(dumps("untagged"))
    if vlan is not None:
        texts[NAD] = texts[NAD].replace('"type": "sriov",', f'"type": "sriov", "vlan": {vlan},')
        assert f'"vlan": {vlan}' in texts[NAD]
    for name in (f"leaf-{number}.json" for number in range(1, 5)):
        assert '"tagging_mode": "untagged"' in texts[name]
        texts[name] = texts[name].replace('"tagging_mode": "untagged"', f'"tagging_mode": "{tagging}"')
    return import_texts(texts, "iei-rocev2")


def told(result: Imported, *parts: str) -> list[str]:
    """The contradictions, of which the first holds the parts; standard error has them, and so has the head of
    the inventory."""
    first, *_ = found = [str(conflict) for conflict in result.conflicts]
    assert [part for part in parts if part not in first] == []
    assert f"# Sources disagree: {first}\n" in result.text
    return found


def tagging_line(result: Imported) -> str:
    return next(line for line in result.text.splitlines() if line.strip().startswith("tagging:"))


@pytest.mark.parametrize("vlan", [None, 0])
def test_vlan_zero_is_untagged(vlan: int | None) -> None:
    line = tagging_line(contradicted(vlan, "untagged"))
    assert line.startswith("    tagging: port # leaf-1 Ethernet0 has VLAN 100 untagged, leaf-1.json:")
    assert f"rail-0-leaf-1 sends untagged, {NAD}:" in line


@pytest.mark.parametrize("vlan", [None, 0])
def test_an_untagged_network_on_a_trunk_is_asked_about(vlan: int | None) -> None:
    result = contradicted(vlan, "tagged")
    told(result, "network rail-0-leaf-1 sends untagged, ", "; leaf-1 Ethernet0 has VLAN 100 tagged and none")
    line = tagging_line(result)
    assert line.startswith("    tagging: TODO # TODO: decide, vf or port; rail-0-leaf-1 sends untagged, ")
    assert "; leaf-1 Ethernet0 has VLAN 100 tagged and none untagged, leaf-1.json:" in line
    number = result.text.splitlines().index(line) + 1
    assert number in refused(result.text)


def test_a_tagged_network_on_access_ports_is_asked_about() -> None:
    result = contradicted(100, "untagged")  # rail 0 is in VLAN 100
    told(
        result, "network rail-0-leaf-1 sends VLAN 100 tagged, ", "; leaf-1 Ethernet0 has it untagged, leaf-1"
    )
    line = tagging_line(result)
    assert "TODO: decide, vf or port; rail-0-leaf-1 sends VLAN 100 tagged, " in line
    assert "; leaf-1 Ethernet0 has it untagged, leaf-1.json:" in line


def test_one_port_unlike_the_others_is_asked_about() -> None:
    texts = dict(dumps("untagged"))
    tables = json.loads(texts["leaf-2.json"])
    tables["VLAN_MEMBER"]["Vlan101|Ethernet8"]["tagging_mode"] = "tagged"
    texts["leaf-2.json"] = json.dumps(tables)
    line = tagging_line(import_texts(texts, "iei-rocev2"))
    assert "TODO: decide, vf or port; rail-1-leaf-2 sends untagged" in line
    assert "leaf-2 Ethernet8 has VLAN 101 tagged and none untagged" in line


def test_a_port_that_two_files_tag_otherwise_is_asked_about() -> None:
    texts = dict(dumps("untagged"))
    tables = json.loads(texts["leaf-1.json"])
    tables["VLAN_MEMBER"] = {"Vlan100|Ethernet0": {"tagging_mode": "tagged"}}
    texts["old/leaf-1.json"] = json.dumps(tables, indent=1)
    line = tagging_line(import_texts(texts, "iei-rocev2"))
    assert line.startswith(
        "    tagging: TODO # TODO: vf or port; decide, sources disagree; leaf-1 Ethernet0 has "
    )
    assert " untagged (leaf-1.json:" in line
    assert " and tagged (old/leaf-1.json:" in line


def test_a_resource_of_all_rails_with_a_vlan_for_each() -> None:
    """Only ports of the network's own rail can contradict its VLAN."""
    texts = dict(dumps("listed"))
    for rail in range(4):
        texts[NAD] = texts[NAD].replace(f"intel.com/rail_{rail}", "intel.com/rail")
        texts[PLUGIN] = texts[PLUGIN].replace(f'"rail_{rail}"', '"rail"')
    result = import_texts(texts, "iei-rocev2")
    assert [str(each) for each in result.conflicts] == []
    assert data(result)["rails"]["vlan_ids"] == [110, 120, 135, 140]
    assert "tagging" not in data(result)["networks"]["rail"]


def test_rails_in_one_vlan_are_asked_about() -> None:
    texts = {name: text.replace("Vlan101", "Vlan100") for name, text in dumps("untagged").items()}
    line = next(x for x in import_texts(texts, "x").text.splitlines() if x.startswith("  vlan_ids:"))
    assert (
        "an inventory cannot express this: rails that share a VLAN; state a VLAN of its own for each" in line
    )
    assert "; seen rail 0: 100, rail 1: 100, rail 2: 102" in line


def test_a_vlan_that_the_ports_do_not_carry_is_told_with_both_places() -> None:
    texts = {name: text.replace("Vlan135", "Vlan130") for name, text in dumps("listed").items()}
    result = import_texts(texts, "x")
    (conflict,) = told(
        result, f"sends VLAN 135 tagged, {NAD}:", "has VLAN 130 tagged and none untagged, leaf-3.json"
    )
    assert conflict.startswith("network rail-2-leaf-3 sends")
    line = next(x for x in result.text.splitlines() if x.startswith("  vlan_ids:"))
    assert "seen rail 0: 110, rail 1: 120, rail 2: 135 (" in line
    assert f"135 ({NAD}:" in line
    assert ") or 130 (leaf-3.json:" in line


def test_networks_that_contradict_each_other_are_not_called_untagged() -> None:
    other = dumps("listed")[NAD].replace('"vlan": 110', '"vlan": 210')
    assert other != dumps("listed")[NAD]
    result = import_texts({**dumps("listed"), "other.yaml": other}, "x")
    assert "tagging" not in data(result)["networks"]["rail"]
    line = next(x for x in result.text.splitlines() if x.startswith("  vlan_ids:"))
    assert "TODO: decide, sources disagree" in line


@pytest.mark.parametrize("site", ["listed", "untagged"])
def test_a_native_vlan_that_all_ports_share_is_none_of_a_rail(site: str) -> None:
    """PXE in VLAN 10, untagged on every port that has VLANs tagged, beside the tagged VLAN of the rail."""
    texts = dict(dumps("listed"))
    for name in (f"leaf-{number}.json" for number in range(1, 5)):
        tables = json.loads(texts[name])
        members = tables["VLAN_MEMBER"].items()
        ports = {key.partition("|")[2] for key, row in members if row["tagging_mode"] == "tagged"}
        tables["VLAN"]["Vlan10"] = {"vlanid": "10"}
        tables["VLAN_INTERFACE"] |= {"Vlan10": {}, "Vlan10|10.9.0.1/24": {}}
        tables["VLAN_MEMBER"] |= {f"Vlan10|{port}": {"tagging_mode": "untagged"} for port in sorted(ports)}
        texts[name] = json.dumps(tables)
    if site == "untagged":  # no network says which VLAN is the rail's
        texts = {name: text for name, text in texts.items() if "30-networks_network" not in name}
    found = data(import_texts(texts, "x"))
    assert found["rails"]["vlan_ids"] == [110, 120, 135, 140]
    assert found["rails"]["supernets"] == ["172.16.0.0/20"]
    assert all("tagging" not in each for each in found.get("networks", {}).values())


POOL = """\
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: storage, namespace: nvidia-network-operator}
spec: {subnet: 10.9.0.0/24, gateway: 10.9.0.1, perNodeBlockSize: 4}
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata:
  name: storage
  namespace: training
  annotations: {k8s.v1.cni.cncf.io/resourceName: intel.com/roce}
spec:
  config: '{"type": "sriov", "ipam": {"type": "nv-ipam", "poolName": "storage"}}'
"""


def test_a_network_beside_the_rails_is_in_the_vlan_of_its_ports() -> None:
    """One resource of the cards of all rails, so that its pods are in one VLAN on every port."""
    texts = {name: text for name, text in dumps("untagged").items() if "30-networks" not in name}
    for number in range(1, 5):
        texts[f"leaf-{number}.json"] = texts[f"leaf-{number}.json"].replace(f"Vlan{99 + number}", "Vlan700")
    for rail in range(4):
        texts[PLUGIN] = texts[PLUGIN].replace(f'"roce_{rail}"', '"roce"').replace(f'"rail_{rail}"', '"roce"')
    texts["storage.yaml"] = POOL
    found = data(import_texts(texts, "iei-rocev2"))
    assert found["vlans"] == {"storage": {"id": 700}}
    assert found["subnets"]["storage"]["vlan"] == "storage"
    assert found["networks"]["storage"]["tagging"] == "port"


def vlan_line(texts: Mapping[str, str]) -> str:
    result = import_texts(texts, "iei-rocev2")
    assert data(result)["rails"]["vlan_ids"] == "TODO"
    return next(line for line in result.text.splitlines() if line.startswith("  vlan_ids:"))


def test_the_values_that_contradict_each_other_are_at_the_ids() -> None:
    """Another configuration of each leaf has other VLANs."""
    texts = dict(dumps("untagged"))
    for name in [name for name in texts if name.startswith("leaf-") and name.endswith(".json")]:
        tables = json.loads(texts[name])
        members = {key.replace("Vlan10", "Vlan20"): row for key, row in tables["VLAN_MEMBER"].items()}
        assert members.keys() != tables["VLAN_MEMBER"].keys()
        texts[f"old/{name}"] = json.dumps({**tables, "VLAN_MEMBER": members}, indent=1)
    line = vlan_line(texts)
    assert "rail 0: leaf-1 Ethernet" in line
    assert " 100 (leaf-1.json:" in line
    assert ") or 200 (old/leaf-1.json:" in line
    assert "rail 3: leaf-" in line


def test_a_leaf_without_a_dump_is_named_at_the_ids() -> None:
    texts = {name: text for name, text in dumps("untagged").items() if name != "leaf-2.json"}
    line = vlan_line(texts)
    assert "no dump of the configuration of leaf-2" in line
    assert "rail 0: 100" in line
