"""Names of resources in the dumps are kept: pods that run ask for them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml

from netplan.importing.cards import Card
from netplan.importing.rails import with_rails
from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled, refused
from tests.test_import_fabric import dumps

NAMES = {
    "rail_[0-3]": [f"rail_{rail}" for rail in range(4)],
    "rdma_rail[1-4]": [f"rdma_rail{rail}" for rail in range(1, 5)],
    "roce[0-6/2]_dev": [f"roce{2 * rail}_dev" for rail in range(4)],
}
"""Range -> the name of each rail."""


def renamed(names: list[str]) -> dict[str, str]:
    """The dumps of a cluster whose device plugin has these names, by rail."""

    def own(found: re.Match[str]) -> str:
        return names[int(found[1])]

    return {file: re.sub(r"\brail_([0-3])\b", own, text) for file, text in dumps().items()}


@pytest.mark.parametrize("span", NAMES)
def test_names_stay(span: str) -> None:
    result = import_texts(renamed(NAMES[span]), "site")
    stated = "rail" if span == "rail_[0-3]" else span
    assert data(result)["networks"]["rail"]["resource_name"] == stated
    compiled = compile_texts({"site.yaml": filled(result.text)})
    assert [d for d in compiled.diagnostics if d.severity > 0] == []
    text = "\n".join(a.text for a in compiled.artifacts if a.path.startswith("kubernetes/"))
    assert compiled.plan is not None
    made = {resource.name for resource in compiled.plan.kubernetes.resources if resource.rails[0] is not None}
    assert set(NAMES[span]) <= made
    assert all(f"/{name}" in text for name in NAMES[span])


def test_names_that_no_range_has_are_all_stated() -> None:
    names = ["blue", "green", "red", "white"]
    result = import_texts(renamed(names), "site")
    line = next(line for line in result.text.splitlines() if "resource_name: TODO" in line)
    assert re.search(r"blue of rail 0, green of rail 1, red of rail 2, white of rail 3 \(\S+:\d+\)$", line)


def of_three_rails(kept: str) -> dict[str, str]:
    """The dumps without the network of rail 3, or with it in the namespace ``kept``."""
    texts = renamed(NAMES["rdma_rail[1-4]"])
    file = next(name for name, text in texts.items() if "name: rail-3-leaf-4" in text)
    objects = [
        item for item in yaml.safe_load_all(texts[file]) if kept or "-3-" not in item["metadata"]["name"]
    ]
    for item in objects:
        if "-3-" in item["metadata"]["name"]:
            item["metadata"]["namespace"] = kept
    return {**texts, file: yaml.safe_dump_all(objects)}


@pytest.mark.parametrize("kept", ["", "other"])
def test_no_network_of_a_rail_is_invented(kept: str) -> None:
    result = import_texts(of_three_rails(kept), "site")
    compiled = compile_texts({"site.yaml": filled(result.text)})
    assert [d for d in compiled.diagnostics if d.severity > 0] == []
    assert compiled.plan is not None
    own = {
        (a.namespaces, a.rail, a.resource.name)
        for a in compiled.plan.kubernetes.attachments
        if a.resource is not None and a.resource.name.startswith("rdma_rail")
    }
    expected = {(("training",), rail, f"rdma_rail{rail + 1}") for rail in range(3)}
    assert own == expected | ({((kept,), 3, "rdma_rail4")} if kept else set())


def test_networks_of_one_resource_are_on_the_rails_of_their_vlans() -> None:
    result = import_texts(renamed(["rdma_vf"] * 4), "site")
    found = data(result)
    rail = found["networks"]["rail"]
    assert (rail["for_each"], rail["resource"], rail["resource_name"]) == ("rails", "shared", "rdma_vf")
    assert found["rails"]["vlan_ids"] == "100-103"
    assert not {"vlans", "subnets"} & found.keys()


def beside(*vlans: int) -> dict[str, str]:
    """The dumps with networks on no rail, each with a pool of its own."""
    objects: list[dict[str, Any]] = []
    for number, vlan in enumerate(vlans):
        ipam = {"type": "nv-ipam", "poolName": f"own-{number}"}
        plugins = [{"type": "sriov", "vlan": vlan, "ipam": ipam}]
        name = {"name": f"own{number}-x", "namespace": "training"}
        config = json.dumps({"cniVersion": "1.0.0", "name": name["name"], "plugins": plugins})
        objects += [
            {
                "apiVersion": "k8s.cni.cncf.io/v1",
                "kind": "NetworkAttachmentDefinition",
                "metadata": {
                    **name,
                    "annotations": {"k8s.v1.cni.cncf.io/resourceName": f"x.io/own_{number}"},
                },
                "spec": {"config": config},
            },
            {
                "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
                "kind": "IPPool",
                "metadata": {"name": f"own-{number}", "namespace": "nvidia-network-operator"},
                "spec": {"subnet": f"10.99.{number}.0/24", "perNodeBlockSize": 8},
            },
        ]
    return {**dumps(), "own.yaml": listed(objects)}


def test_two_networks_of_one_vlan_share_it() -> None:
    found = data(import_texts(beside(700, 700), "site"))
    (name,) = found["vlans"]
    assert found["vlans"][name] == {"id": 700}
    assert [subnet["vlan"] for subnet in found["subnets"].values()] == [name, name]


def test_a_network_in_another_vlan_on_vfs_of_a_rail_is_none_of_the_rail() -> None:
    """Storage over the VFs of rail 0: rails keep their VLANs, subnets and names. Two networks on
    VFs of one resource are asked for a range of VFs each."""
    texts = {name: text.replace("x.io/own_0", "nvidia.com/rail_0") for name, text in beside(50).items()}
    result = import_texts(texts, "site")
    found, usual = data(result), data(import_texts(dumps(), "site"))
    assert found["rails"] == usual["rails"]
    assert found["networks"]["rail"] == {**usual["networks"]["rail"], "vf_range": "TODO"}
    (name,) = found["vlans"]
    assert found["vlans"][name] == {"id": 50}
    assert found["subnets"][name]["cidr"] == "10.99.0.0/24"
    own = found["networks"][name]
    assert (own["hcas"], own["resource_name"], own["vf_range"]) == (["roce0"], "TODO", "TODO")
    assert "for_each" not in own
    line = next(line for line in result.text.splitlines() if "resource_name: TODO" in line)
    assert re.search(r"a name of its own.*; network rail has resource rail_0 too \(\S+:\d+\)$", line)


def test_a_network_beside_the_rails_in_a_vlan_of_a_rail_cannot_be_expressed() -> None:
    text = import_texts(beside(101), "site").text
    (line,) = (line for line in text.splitlines() if "an inventory cannot express this" in line)
    assert re.search(r"vlan: TODO # .*VLAN 101 of .*own.yaml:\d+\), is that of rail 1 \(\S+:\d+\)", line)
    assert text.splitlines().index(line) + 1 in refused(text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("resource_name: rail", "resource_name: 'rail[0-2]'", "rail[0-2] has 3 names for 4 rails"),
        ("resource_name: rail", "resource_name: 'rail[3-0]'", "runs from 3 to 0"),
        (
            "resource_name: rail",
            "resource: shared\n    resource_name: 'rail[0-3]'",
            "rail[0-3] has a name for each rail, and the network has one resource",
        ),
    ],
)
def test_a_range_that_does_not_fit_is_refused(old: str, new: str, told: str) -> None:
    text = filled(import_texts(dumps(), "site").text)
    line = next(
        line for line in text.splitlines() if line.strip().startswith(f"{old} ") or line.strip() == old
    )
    found = compile_texts({"site.yaml": text.replace(line, f"    {new}")})
    assert any(d.code == "NP102" and told in d.message for d in found.diagnostics), found.diagnostics[:3]


def cards(node: str, *resources: str) -> list[Card]:
    return [
        Card(node, f"0000:{n + 16:02x}:00.0", "connectx-7", {}, (name,)) for n, name in enumerate(resources)
    ]


def test_hosts_with_fewer_cards_have_the_rails_of_the_resources_they_share() -> None:
    """Four cards on every other rail; the order of their resources alone would be rails 0 to 3."""
    large, small = cards("h100", *(f"rail{n}" for n in range(8))), cards("l40", "rail0", "rail2", "rail6")
    other = cards("a2", "gpu_1", "gpu_2")
    found = with_rails([*large, *small, *other], {})
    rails = {node: [card.rail for card in found if card.node == node] for node in ("h100", "l40", "a2")}
    assert rails == {"h100": [*range(8)], "l40": [0, 2, 6], "a2": [0, 1]}
    halves = with_rails([*cards("a", "rail0", "rail1"), *cards("b", "rail1", "rail10", "rail2")], {})
    assert [card.rail for card in halves] == [0, 1, 1, 3, 2]


GROUPS = """
networkOperator: {selectedRelease: "26.4"}
nvIpam: {poolName: pool, startingSubnet: 192.168.0.0, mask: 22}
sriov: {resourceName: own, networkName: net, numVfs: 4}
macvlan: {networkName: net}
rdmaShared: {resourceName: own}
profile: {fabric: ethernet, deployment: DEPLOYMENT, multirail: true}
clusterConfig:
- identifier: large
  linkType: Ethernet
  workerNodes: [l-1, l-2]
  pfs:
  - {deviceID: a2dc, pciAddress: "0000:19:00.0", networkInterface: ens1, traffic: east-west, rail: 0}
  - {deviceID: a2dc, pciAddress: "0000:2a:00.0", networkInterface: ens2, traffic: east-west, rail: 1}
- identifier: small
  linkType: Ethernet
  workerNodes: [s-1, s-2]
  pfs:
  - {deviceID: a2dc, pciAddress: "0000:09:00.0", networkInterface: ens1, traffic: east-west, rail: 0}
  - {deviceID: a2dc, pciAddress: "0000:35:00.0", networkInterface: ens2, traffic: north-south}
"""


@pytest.mark.parametrize("deployment", ["sriov", "rdma_shared"])
def test_a_group_of_a_launch_kit_takes_no_card_of_another(deployment: str) -> None:
    """``ens2`` is rail 1 in one group, and the front end in the other one."""
    result = import_texts({"cluster-config.yaml": GROUPS.replace("DEPLOYMENT", deployment)}, "site")
    (network,) = data(result)["networks"].values()
    assert network["for_each"] == "rails"
    assert "hcas" not in network
    cards = {card.of: card for card in result.folded.cards}
    assert cards["l-1", "0000:2a:00.0"].resources == ("own_rail_1",)
    front_end = cards["s-1", "0000:35:00.0"]
    assert (front_end.resources, front_end.number("vfs"), front_end.rail) == ((), None, None)


def by_state(stated: str, labels: dict[str, str], policy_name: str = "p") -> list[str]:
    """Contradictions of a node whose state has a resource for ens1, and a policy that gives it ``vf_a``."""
    state = node_state(
        "gpu-1", [interface("0000:18:00.0", "ens1", 100), interface("0000:29:00.0", "ens2", 100)]
    )
    group = {"resourceName": stated, "policyName": policy_name, "isRdma": True, "vfRange": "0-3"}
    state["spec"] = {"interfaces": [{"pciAddress": "0000:18:00.0", "numVfs": 4, "vfGroups": [group]}]}
    spec = {"resourceName": "vf_a", "numVfs": 4, "nicSelector": {"pfNames": ["ens1"]}, "nodeSelector": labels}
    kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    policy = {**kind, "metadata": {"name": "p"}, "spec": spec}
    result = import_texts({"x.yaml": listed([node("gpu-1", {"pool": "a"}, 8), state, policy])})
    (kind_of,) = data(result)["host_types"].values()
    assert [*kind_of["hcas"]] == ["roce0", "front-end1"]
    return [str(each) for each in result.conflicts]


def test_a_policy_that_the_state_of_the_node_contradicts() -> None:
    """What the operator made of its policies is kept: two resources would be two rails of two host types."""
    (told,) = by_state("vf_b", {"pool": "a"})
    assert told.startswith("card gpu-1 0000:18:00.0 has resource vf_b by its node's state (x.yaml:")
    assert ", a policy gives it vf_a (x.yaml:" in told
    assert by_state("vf_a", {"pool": "a"}) == []


def test_a_state_whose_policy_is_gone_or_selects_other_nodes() -> None:
    """What netplan would keep is what the operator takes away."""
    (told,) = by_state("vf_b", {"pool": "b"}, "old")
    where = (
        r"card gpu-1 0000:18:00.0 has resource vf_b of policy {} by its node's state \(x.yaml:\d+\), which "
    )
    assert re.fullmatch(where.format("old") + "is not among the policies of the dumps", told)
    (told,) = by_state("vf_a", {"pool": "b"})
    assert re.fullmatch(where.format("p").replace("_b", "_a") + r"selects other nodes \(x.yaml:\d+\)", told)


def test_a_network_whose_resource_no_card_has_is_asked_for_its_hcas() -> None:
    """Without them the inventory would take every VF for it."""
    texts = {name: text.replace("x.io/own_0", "nvidia.com/none") for name, text in beside(50).items()}
    result = import_texts(texts, "site")
    (line,) = [each for each in result.text.splitlines() if "hcas: TODO" in each]
    assert re.search(
        r"TODO: the HCAs that carry it.*; no card in the dumps has resource none \(own.yaml:\d+\)$", line
    )
    assert result.text.splitlines().index(line) + 1 in refused(result.text)


def test_a_pool_that_a_network_draws_on_and_no_dump_has_is_told() -> None:
    texts = beside(700)
    texts["own.yaml"] = re.sub(r"(poolName\W+)own-0", r"\1gone", texts["own.yaml"])
    told = [str(remark) for remark in import_texts(texts, "site").remarks]
    what = "pool of network training/own0-x 'gone': it is in no dump: its subnet is not known"
    assert any(each.startswith("own.yaml:") and each.endswith(what) for each in told), told


def of_two_dates(state: bool, counts: tuple[int, int]) -> Imported:
    """A policy, and with ``state`` what the operator made of it, as two dumps have them."""
    texts = {}
    for name, count in zip(("old", "new"), counts, strict=True):
        own = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])
        group = {"resourceName": "vf_a", "policyName": "p", "vfRange": "0-3"}
        planned = {"pciAddress": "0000:18:00.0", "numVfs": count, "vfGroups": [group]}
        own["spec"] = {"interfaces": [planned] if state else []}
        kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
        spec = {"resourceName": "vf_a", "numVfs": count, "nicSelector": {"pfNames": ["ens1"]}}
        texts[f"{name}.yaml"] = listed([own, {**kind, "metadata": {"name": "p"}, "spec": spec}])
    return import_texts(texts, "site")


@pytest.mark.parametrize("state", [True, False])
def test_vfs_that_two_dumps_have_otherwise(state: bool) -> None:
    (line,) = [line for line in of_two_dates(state, (16, 8)).text.splitlines() if "vfs: TODO" in line]
    assert "TODO: decide, sources disagree: 16 (old.yaml:" in line
    assert "or 8 (new.yaml:" in line
    (kind,) = data(of_two_dates(state, (8, 8)))["host_types"].values()
    assert kind["hcas"]["roce0"]["vfs"] == 8
