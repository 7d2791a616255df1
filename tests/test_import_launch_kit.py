"""k8s-launch-kit's ``cluster-config.yaml``: which subnet a PF has, and which addresses its pool keeps from
pods."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.test_import import data

HEAD = """networkOperator: {selectedRelease: "26.7", namespace: nvidia-network-operator}
nvIpam: NVIPAM
sriov: {ethernetMtu: 9000, numVfs: 8, resourceName: res, networkName: net}
macvlan: {networkName: mac}
rdmaShared: {resourceName: shared, hcaMax: 63}
profile: {fabric: ethernet, deployment: sriov, multirail: true}
clusterConfig:
- identifier: dgx
  linkType: Ethernet
  workerNodes: [gpu-1, gpu-2]
  pfs:
"""
POOLS = "{poolName: pool, perNodeBlockSize: 16, startingSubnet: 10.0.0.0, mask: 24, offset: 1RESERVED}"
BETWEEN = ("east-west", "north-south", "east-west", "east-west")


def config(nv_ipam: str, *edits: tuple[str, str], traffic: tuple[str, ...] = BETWEEN) -> Imported:
    text, rails = HEAD.replace("NVIPAM", nv_ipam), 0
    for number, word in enumerate(traffic):
        rail = f", rail: {rails}" if word == "east-west" else ""
        rails += word == "east-west"
        pci = f'deviceID: a2dc, pciAddress: "0000:{16 + number:02x}:00.0", networkInterface: ens{number}'
        text += f"  - {{{pci}, traffic: {word}{rail}}}\n"
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return import_texts({"cluster-config.yaml": text}, "site")


def rails(nv_ipam: str, *edits: tuple[str, str], traffic: tuple[str, ...] = BETWEEN) -> Any:
    return data(config(nv_ipam, *edits, traffic=traffic))["rails"]


def told(result: Imported) -> list[str]:
    """Without the names of networks, to which the kit appends the group."""
    return [str(remark) for remark in result.remarks if "name of a network" not in str(remark)]


def listed(*rows: dict[str, Any]) -> str:
    pools = {"poolName": "pool", "perNodeBlockSize": 16, "subnets": [*rows]}
    return yaml.safe_dump(pools, default_flow_style=True, width=10_000).strip()


def row(number: int, *spans: tuple[int, int], gateway: int = 254) -> dict[str, Any]:
    own = f"10.4{number}.0"
    spared = [{"startIP": f"{own}.{first}", "endIP": f"{own}.{last}"} for first, last in spans]
    return {"subnet": f"{own}.0/24", "gateway": f"{own}.{gateway}", "exclusions": spared}


def test_subnets_are_those_of_the_east_west_pfs() -> None:
    """A PF for storage between two rails takes no subnet, of either kind."""
    assert rails(POOLS.replace("RESERVED", ""))["supernets"] == ["10.0.0.0/22"]
    assert rails(POOLS.replace("RESERVED", ""))["rail_prefixes"] == [24]
    found = rails(listed(row(0), row(1), row(4)))
    assert found["rail_networks"] == ["10.40.0.0/24", "10.41.0.0/24", "10.44.0.0/24"]


def test_a_pf_of_no_known_traffic_has_no_network() -> None:
    result = config(POOLS.replace("RESERVED", ""), traffic=("east-west", "both", "east-west"))
    assert data(result)["rails"]["supernets"] == ["10.0.0.0/23"]
    assert [one for one in told(result) if "traffic 'both' of a PF is neither east-west" in one]


def test_reserved_addresses_of_every_subnet() -> None:
    """Without the gateway, and without the network and broadcast addresses, which no pool assigns."""
    found = rails(POOLS.replace("RESERVED", ", reserveFirstIPs: 10, reserveLastIPs: 6"))
    spans = [f"10.0.{n}.{span.format(n)}" for n in range(3) for span in ("2-10.0.{}.9", "250-10.0.{}.254")]
    assert found["reserved"] == spans


def test_exclusions_of_single_subnets() -> None:
    stated = listed(row(0, (1, 10)), row(1, (3, 3)), row(2, gateway=5))
    assert rails(stated)["reserved"] == ["10.40.0.1-10.40.0.10", "10.41.0.3"]
    both = stated.replace("poolName", "reserveFirstIPs: 6, poolName")
    found = rails(both)["reserved"]
    assert found == ["10.40.0.1-10.40.0.10", "10.41.0.1-10.41.0.5", "10.42.0.1-10.42.0.4"]


def test_what_launch_kit_cannot_reserve_is_told() -> None:
    for stated in (", reserveFirstIPs: 200, reserveLastIPs: 56", ", reserveLastIPs: 256"):
        result = config(POOLS.replace("RESERVED", stated))
        assert "reserved" not in data(result)["rails"]
        assert [one for one in told(result) if "cannot reserve 256 addresses of 10.0.0.0/24" in one]


def test_subnets_that_no_pool_can_have_are_told() -> None:
    few = told(config(listed(row(0), row(1))))
    assert [one for one in few if "pool pool-rail-2-dgx has none of the 2 subnets" in one]
    skewed = told(config(POOLS.replace("RESERVED", "").replace("10.0.0.0", "10.0.0.16")))
    assert [one for one in skewed if "subnet 1 of /24 cannot begin there" in one]
    sizeless = told(config(POOLS.replace("RESERVED", "").replace("perNodeBlockSize: 16, ", "")))
    assert len([one for one in sizeless if "no perNodeBlockSize: 50 is taken" in one]) == 1


def test_subnets_of_several_groups_are_told() -> None:
    second = "- identifier: b\n  workerNodes: [b-1]\n  pfs: []\n- identifier: dgx\n"
    result = config(POOLS.replace("RESERVED", ""), ("- identifier: dgx\n", second))
    assert [one for one in told(result) if "subnets of 2 groups, not taken: give the IPPools" in one]


def test_routing_and_arp_of_the_profile() -> None:
    """Source-based routing chains sbr; without the key, or by destination, nothing is known of the routes."""
    for word, value in (("source-based", "sbr"), ("destination-based", "TODO")):
        edit = ("multirail: true", f"multirail: true, routing: {word}, ignoreARP: true")
        result = config(POOLS.replace("RESERVED", ""), edit)
        assert data(result)["networks"]["net-rail"]["routing"] == value
        assert [one for one in told(result) if "profile.ignoreARP" in one and "sets the sysctls" in one]


SHARED = ("deployment: sriov", "deployment: rdma_shared")


def line_of_key(result: Imported, key: str) -> str:
    (line,) = [line.strip() for line in result.text.splitlines() if line.strip().startswith(f"{key}:")]
    return line


def test_more_pods_on_an_hca_than_a_block_has_addresses() -> None:
    """The defaults of release 26.7: blocks of 10, 63 pods."""
    result = config(POOLS.replace("RESERVED", "").replace("16", "10"), SHARED)
    line = line_of_key(result, "share_max")
    assert line.startswith("share_max: TODO # TODO: pods that may share an HCA, at most 9; block_size 10 (")
    assert "leaves 9 addresses" in line
    assert "today 63 (cluster-config.yaml:5) may share it" in line
    wide = config(POOLS.replace("RESERVED", "").replace("16", "64"), SHARED)
    assert data(wide)["networks"]["mac-rail"]["share_max"] == 63


def test_more_vfs_than_a_block_has_addresses() -> None:
    """The size is right, and what it lacks is told; a block that is excluded as a whole is no node's."""
    result = config(POOLS.replace("RESERVED", ", reserveFirstIPs: 10"))
    line = line_of_key(result, "block_size")
    assert line.startswith("block_size: 16 # block_size 16 (cluster-config.yaml:2) leaves 7 addresses")
    assert "8 VFs of a PF" in line
    whole = config(POOLS.replace("RESERVED", ", reserveFirstIPs: 17"))
    assert line_of_key(whole, "block_size") == "block_size: 16 # cluster-config.yaml:2"


def test_keys_that_no_inventory_has_are_told() -> None:
    more = (
        "docaDriver: {enable: true, version: doca3.5.0, unloadStorageModules: true, enableNFSRDMA: false}\n"
        "maintenance: {maxUnavailable: 4}\nprofile:"
    )
    edits = (("profile:", more), ("numVfs: 8,", "numVfs: 8, priority: 90,"))
    plain = POOLS.replace("RESERVED", "")
    assert told(config(plain)) == []
    driver, maintenance, priority = told(config(plain, *edits))
    assert "docaDriver.unloadStorageModules 'true': the inventory has no key for it" in driver
    assert "maintenance.maxUnavailable '4': state what is to hold in cluster.maintenance" in maintenance
    assert "sriov.priority '90': policies of netplan do not overlap" in priority


def test_the_map_of_october_2025() -> None:
    """It is no list, and its PFs have neither device ID nor rail; the MTU has another key."""
    text = HEAD.replace("NVIPAM", POOLS.replace("RESERVED", "")).replace("ethernetMtu", "mtu")
    pf = '{pciAddress: "0000:18:00.0", networkInterface: ens1, rdmaDevice: mlx5_0, traffic: east-west}'
    text = text[: text.index("- identifier")] + f"  workerNodes: [gpu-1]\n  pfs:\n  - {pf}\n"
    result = import_texts({"cluster-config.yaml": text}, "site")
    assert [one for one in told(result) if "1 PF without deviceID: only another dump can say" in one]
    assert [one for one in told(result) if "PF ens1 has no rail; its network is left out" in one]
    assert not [one for one in told(result) if "a list is expected" in one]
    single = text.replace("multirail: true", "multirail: false")
    assert data(import_texts({"cluster-config.yaml": single}, "site"))["fabric"]["mtu"] == 9000


def test_a_gateway_in_the_middle_of_a_subnet() -> None:
    result = config(listed(*(row(number, gateway=100) for number in range(3))))
    (line,) = [line.strip() for line in result.text.splitlines() if line.strip().startswith("gateway:")]
    assert line.startswith(
        "gateway: TODO # TODO: an inventory cannot express this: a gateway that is neither"
    )


@pytest.mark.parametrize(("deployment", "name"), [("sriov", "net"), ("rdma_shared", "mac")])
def test_groups_of_one_gpu_type_have_one_set_of_networks(deployment: str, name: str) -> None:
    """Two models of server with equally many rails; the second one has its cards at other places."""
    other = (
        "- identifier: b\n  gpuType: NVIDIA H200\n  linkType: Ethernet\n  workerNodes: [b-1, b-2]\n  pfs:\n"
    )
    for rail in range(3):
        where = f'pciAddress: "0000:{64 + rail:02x}:00.0", networkInterface: enp{rail}'
        other += f"  - {{deviceID: a2dc, {where}, traffic: east-west, rail: {rail}}}\n"
    merge = ("- identifier: dgx\n", f"{other}- identifier: dgx\n  gpuType: NVIDIA H200\n")
    result = config(POOLS.replace("RESERVED", ""), ("deployment: sriov", f"deployment: {deployment}"), merge)
    found = data(result)
    assert found["rails"]["supernets"] == ["10.0.0.0/22"]
    ((key, network),) = found["networks"].items()
    assert (key, network["for_each"]) == (f"{name}-rail", "rails")
    assert f"of 3 networks: {name}-rail-0-nvidia-h200, " in result.text
    assert {card.resources for card in result.folded.cards if card.rail == 1} in (
        {("res_rail_1",)},
        {("shared_rail_1",)},
    )
    assert len([card for card in result.folded.cards if card.rail is not None]) == 12
    assert "hosts" not in network


@pytest.mark.parametrize(("deployment", "carriers"), [("sriov", 4), ("rdma_shared", 3)])
def test_one_network_of_all_pfs_is_on_no_rail(deployment: str, carriers: int) -> None:
    """The policy of VFs takes all PFs of the vendor; the RDMA-shared resource the east-west ones."""
    result = config(
        POOLS.replace("RESERVED", ""),
        ("deployment: sriov", f"deployment: {deployment}"),
        ("multirail: true", "multirail: false"),
    )
    found = data(result)
    assert "rails" not in found
    (kind,) = found["host_types"].values()
    uses = [hca["use"] for hca in kind["hcas"].values()]
    assert len([use for use in uses if use != "front-end"]) == carriers
    ((name, network),) = found["networks"].items()
    assert "hcas" not in network
    assert found["subnets"][name]["cidr"] == "10.0.0.0/24"
    assert line_of_key(result, "routing") == "routing: none # no sbr in the chain"
    (why,) = [one for one in told(result) if "multirail is false" in one]
    assert ("vendor 15b3" in why) is (deployment == "sriov")


@pytest.mark.parametrize(("release", "taken"), [("25.10", True), ("26.1", False), ("26.7", False)])
def test_nodes_out_of_service_at_once(release: str, taken: bool) -> None:
    """From 26.1 on, it is a limit of the Maintenance Operator."""
    edits = (('"26.7"', f'"{release}"'), ("profile:", "maintenance: {maxUnavailable: 4}\nprofile:"))
    result = config(POOLS.replace("RESERVED", ""), *edits)
    assert data(result)["cluster"].get("maintenance", {}).get("max_unavailable") == (4 if taken else None)
    assert any("maintenance.maxUnavailable" in one for one in told(result)) is not taken
