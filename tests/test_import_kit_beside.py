"""A launch kit beside objects of the cluster: what both state is compared, what the kit leaves open not."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_accepted import Object, made, policy
from tests.test_import_operator_namespaces import KIT

PCI = "0000:19:00.0"


def imported(*objects: Object, kit: str = "") -> Imported:
    """``kit``: in place of ``mask: 24`` in its pools."""
    text = KIT.format(operator='selectedRelease: "26.4"', enable="true")
    texts = {"cluster-config.yaml": text.replace("mask: 24", kit) if kit else text}
    return import_texts({"x.yaml": listed([*objects]), **texts} if objects else texts, "site")


def pool(block: int) -> Object:
    spec = {"subnet": "192.168.2.0/24", "gateway": "192.168.2.1", "perNodeBlockSize": block}
    return made("nv-ipam.nvidia.com/v1alpha1", "IPPool", "pool-rail-0", **spec)


def told(result: Imported) -> list[str]:
    return [str(each) for each in result.remarks if "perNodeBlockSize" in str(each)]


def test_a_block_size_that_the_kit_leaves_open_contradicts_nothing() -> None:
    result = imported(pool(16))
    assert [str(each) for each in result.conflicts if "block_size" in str(each)] == []
    assert told(result) == []
    assert data(result)["networks"]["net-rail"]["block_size"] == 16


def test_without_the_pool_the_size_of_the_kit_is_taken_and_told() -> None:
    result = imported()
    assert data(result)["networks"]["net-rail"]["block_size"] == 50
    assert len(told(result)) == 1


def test_a_block_size_that_the_kit_states_is_compared() -> None:
    result = imported(pool(16), kit="mask: 24, perNodeBlockSize: 32")
    (conflict,) = [str(each) for each in result.conflicts if "block_size" in str(each)]
    assert "block_size: 16 (x.yaml:" in conflict
    assert ") or 32 (cluster-config.yaml:" in conflict


def of_cluster(vfs: int, *, state: bool) -> list[Object]:
    card = interface(PCI, "ens1", 400, vfs, device="1021")
    own = node_state("w1", [card])
    own["metadata"]["namespace"] = "nvidia-network-operator"
    if state:
        own["spec"] = {"interfaces": [{"pciAddress": PCI, "numVfs": vfs}]}
    return [node("w1", {"a": "b"}, 8), own, policy(resourceName="res_rail_0", numVfs=vfs)]


@pytest.mark.parametrize("state", [True, False])
@pytest.mark.parametrize(("vfs", "count"), [(8, 0), (16, 1)])
def test_vfs_of_the_kit_are_held_against_those_of_the_cluster(vfs: int, count: int, state: bool) -> None:
    found = [str(each) for each in imported(*of_cluster(vfs, state=state)).conflicts if "numVfs" in str(each)]
    assert len(found) == count
    assert all(each.startswith(f"card w1 {PCI}, numVfs: 16 (x.yaml:") for each in found)
    assert all(") or 8 (cluster-config.yaml:5)" in each for each in found)
