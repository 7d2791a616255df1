"""The folder that k8s-launch-kit generates beside its ``cluster-config.yaml``: groups whose cards have no
names, and names that a template gives them."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data

CONFIG = """networkOperator: {selectedRelease: "26.7", namespace: nvidia-network-operator}
nvIpam: {poolName: pool, perNodeBlockSize: 16, startingSubnet: 10.0.0.0, mask: 24, offset: 1}
sriov: {ethernetMtu: 9000, numVfs: 8, resourceName: res, networkName: net}
macvlan: {networkName: mac}
rdmaShared: {resourceName: shared, hcaMax: 12}
profile: {fabric: ethernet, deployment: sriov, multirail: true}
clusterConfig:
"""
GROUPS = {"a": ("0000:19:00.0", "0000:2a:00.0"), "b": ("0000:2a:00.0", "0000:19:00.0")}
TEMPLATE = """apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicInterfaceNameTemplate
metadata: {name: names-GROUP, namespace: nvidia-network-operator}
spec:
  nodeSelector: {example.com/group: GROUP}
  netDevicePrefix: eth_r%rail_id%
  rdmaDevicePrefix: rdma_r%rail_id%
  pfsPerNic: 1
  railPciAddresses: RAILS
"""
POLICY = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail-RAIL, namespace: nvidia-network-operator}
spec:
  nodeSelector: {nvidia.kubernetes-launch-kit.gpu: NVIDIA-H200}
  nicSelector: {pfNames: [eth_rRAIL]}
  resourceName: res_rail_RAIL
  linkType: ETH
  isRdma: true
  numVfs: 4
"""


def config(*edits: tuple[str, str], name: str = '""') -> str:
    """Two models of server with one type of GPU, whose cards are at each other's addresses."""
    text = CONFIG
    for group, addresses in GROUPS.items():
        text += f"- identifier: {group}\n  gpuType: NVIDIA-H200\n  linkType: Ethernet\n"
        text += (
            f"  workerNodes: [{group}-1, {group}-2]\n  nodeSelector: {{example.com/group: {group}}}\n  pfs:\n"
        )
        for rail, pci in enumerate(addresses):
            text += f'  - {{deviceID: a2dc, pciAddress: "{pci}", networkInterface: {name}, '
            text += f"traffic: east-west, rail: {rail}}}\n"
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


def templates() -> dict[str, str]:
    found = {}
    for group, addresses in GROUPS.items():
        rails = ", ".join(f'["{pci}"]' for pci in addresses)
        found[f"names-{group}.yaml"] = TEMPLATE.replace("GROUP", group).replace("RAILS", f"[{rails}]")
    return found


def both(*files: dict[str, str], name: str = '""') -> Imported:
    texts = {"cluster-config.yaml": config(name=name)}
    for each in files:
        texts |= each
    return import_texts(texts, "site")


def cards(result: Imported) -> dict[tuple[str, ...], tuple[int | None, str, int | None, tuple[str, ...]]]:
    return {
        card.of: (card.rail, card.text("netdev"), card.number("vfs"), card.resources)
        for card in result.folded.cards
    }


@pytest.mark.parametrize("spectrum", [False, True])
def test_cards_without_names_are_selected_by_their_address(spectrum: bool) -> None:
    edit = (("multirail: true", "multirail: true, spectrumX: {enable: true}"),) if spectrum else ()
    found = cards(import_texts({"cluster-config.yaml": config(*edit)}, "site"))
    names, vfs = (("rail0", "rail1"), 1) if spectrum else (("res_rail_0", "res_rail_1"), 8)
    for group, addresses in GROUPS.items():
        for rail, pci in enumerate(addresses):
            assert found[(f"{group}-1", pci)] == (rail, "", vfs, (names[rail],))


def test_policies_of_merged_groups_select_by_the_names_of_templates() -> None:
    policies = {f"policy-{rail}.yaml": POLICY.replace("RAIL", str(rail)) for rail in range(2)}
    text = config(("resourceName: res,", 'resourceName: "",'))
    result = import_texts({"cluster-config.yaml": text} | templates() | policies, "site")
    found = cards(result)
    assert len(found) == 8
    for group, addresses in GROUPS.items():
        for rail, pci in enumerate(addresses):
            assert found[(f"{group}-2", pci)] == (rail, f"eth_r{rail}", 4, (f"res_rail_{rail}",))


def test_a_macvlan_network_is_on_the_ports_that_templates_name() -> None:
    nads = {
        f"net-{rail}.yaml": f"""apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {{name: mac-rail-{rail}-nvidia-h200}}
spec: {{networkNamespace: default, master: eth_r{rail}, mode: bridge, mtu: 0, ipam: ""}}
"""
        for rail in range(2)
    }
    texts = {"cluster-config.yaml": config(("deployment: sriov", "deployment: rdma_shared"))}
    found = data(import_texts(texts | nads | templates(), "site"))
    ((name, network),) = found["networks"].items()
    assert (name, network["for_each"], network["mode"]) == ("mac-rail", "rails", "macvlan")
    assert found["host_types"]["a"]["hcas"]["roce0"]["netdev"] == "eth_r0"


def test_planes_of_a_template() -> None:
    """Functions of the NIC whose address is listed, once or for each function."""
    template = TEMPLATE.replace("GROUP", "a").replace("eth_r%rail_id%", "eth_r%rail_id%_p%plane_id%")
    template = template.replace("pfsPerNic: 1", "pfsPerNic: 2")
    rails = '[["0000:19:00.0", "0000:19:00.1", "0000:40:00.0"], ["0000:2a:00.0"]]'
    extra = (
        '  pfs:\n  - {deviceID: a2dc, pciAddress: "0000:40:00.1", networkInterface: "", traffic: east-west}\n'
    )
    texts = {
        "cluster-config.yaml": config(("  pfs:\n", extra)),
        "names.yaml": template.replace("RAILS", rails),
    }
    found = cards(import_texts(texts, "site"))
    named = {of[1]: card[1] for of, card in found.items() if of[0] == "a-1"}
    assert named == {
        "0000:19:00.0": "eth_r0_p0",
        "0000:40:00.1": "eth_r0_p3",
        "0000:2a:00.0": "eth_r1_p0",
    }


def test_a_name_that_a_dump_has_is_kept_and_told() -> None:
    result = both(templates(), name="ens0")
    assert {card[1] for card in cards(result).values()} == {"ens0"}
    told = [str(remark) for remark in result.remarks if "names 0000:" in str(remark)]
    assert told
    assert "not ens0: it does not run yet, or the dump is older; the name of the dump is taken" in told[0]


def test_nodes_that_two_templates_select_keep_their_names() -> None:
    second = {"again.yaml": templates()["names-a.yaml"].replace("names-a", "again")}
    found = cards(both(templates(), second))
    assert found[("a-1", "0000:19:00.0")][1] == ""
    assert found[("b-1", "0000:2a:00.0")][1] == "eth_r0"


def test_a_policy_whose_names_no_card_has_is_told_though_none_is_taken() -> None:
    text = config(("resourceName: res,", 'resourceName: "",'), ("numVfs: 8", "numVfs: 0"))
    result = import_texts({"cluster-config.yaml": text, "policy.yaml": POLICY.replace("RAIL", "0")}, "site")
    assert any("resource 'res_rail_0': it selects no card" in str(remark) for remark in result.remarks)


@pytest.mark.parametrize(
    ("stated", "namespace"), [("", "openshift-sriov-network-operator"), ("sriov-op", "sriov-op")]
)
def test_the_operator_of_vfs_has_a_namespace_of_its_own_on_openshift(stated: str, namespace: str) -> None:
    sriov = "sriov: {" + (f"operatorNamespace: {stated}, " if stated else "")
    texts = {
        "cluster-config.yaml": "flavor: ocp\n" + config(("sriov: {", sriov)),
        "policy.yaml": POLICY.replace("RAIL", "0").replace(
            "namespace: nvidia-network-operator", f"namespace: {namespace}"
        ),
    }
    result = import_texts(texts, "site")
    assert not any("namespace" in str(each) for each in result.conflicts)
    assert data(result)["cluster"]["distribution"] == "openshift"


def test_the_link_type_of_a_group_is_that_of_its_east_west_cards() -> None:
    """Discovery reads it there; beside InfiniBand, north-south cards are mostly Ethernet."""
    front = '  pfs:\n  - {deviceID: a2dc, pciAddress: "0000:5a:00.0", traffic: north-south}\n'
    text = config(
        ("  pfs:\n", front), ("linkType: Ethernet", "linkType: InfiniBand"), ("ethernet", "infiniband")
    )
    result = import_texts({"cluster-config.yaml": text}, "site")
    links = {card.of[1]: card.text("link") for card in result.folded.cards}
    assert links == {"0000:19:00.0": "infiniband", "0000:2a:00.0": "infiniband", "0000:5a:00.0": ""}


def test_plugins_of_an_ipoib_network_are_none_and_told() -> None:
    """The kit writes them for ``routing: source-based``; the CRD has no such field."""
    network = """apiVersion: mellanox.com/v1alpha1
kind: IPoIBNetwork
metadata: {name: ipoib-rail-0}
spec: {networkNamespace: default, master: ib0, ipam: "", metaPlugins: '{"type": "sbr"}'}
"""
    result = import_texts({"network.yaml": network}, "site")
    assert result.site.said("network", ("default", "ipoib-rail-0"), "routing") is None
    (told,) = [str(remark) for remark in result.remarks if "metaPlugins" in str(remark)]
    assert "has no such field up to 26.7 and drops it: no pod has these plugins" in told


def test_networks_of_several_namespaces_are_those_of_the_folder() -> None:
    """Of each network a copy in each namespace, whose name ends with it."""
    text = "networkNamespaces: [train, infer]\n" + config()
    networks = {
        f"{space}.yaml": f"""apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: net-rail-0-nvidia-h200-{space}, namespace: nvidia-network-operator}}
spec: {{networkNamespace: {space}, resourceName: res_rail_0, ipam: ""}}
"""
        for space in ("train", "infer")
    }
    alone = import_texts({"cluster-config.yaml": text}, "site").site.every("network")
    assert sorted(alone) == [
        (space, f"net-rail-{rail}-nvidia-h200-{space}") for space in ("infer", "train") for rail in range(2)
    ]
    assert import_texts({"cluster-config.yaml": text} | networks, "site").site.every("network") == alone
