"""``netplan import``: ends of one cable in two networks, and leaves of which one has no gateway."""

from __future__ import annotations

import pytest

from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_tiers import with_spines


def ends(leaf: str, spine: str) -> list[str]:
    """Contradictions, with these addresses at the ends of the first uplink; empty for none. The range of the
    uplinks is asked for if there are any."""
    site = with_spines(Bare(rails=2))
    own = [(leaf, spine), ("172.31.0.2/31", "172.31.0.3/31")]
    for rail, (near, far) in enumerate(own):
        site.leaves[f"leaf-{rail + 1}"]["INTERFACE"] = {f"Ethernet128|{near}": {}} if near else {}
        if far:
            site.leaves["spine-1"].setdefault("INTERFACE", {})[f"Ethernet{8 * rail}|{far}"] = {}
    result = site.imported()
    assert (data(result)["underlay"]["uplinks"] == "TODO") == bool(result.conflicts)
    return [*map(str, result.conflicts)]


def test_ends_of_one_network_are_no_contradiction() -> None:
    assert ends("172.31.0.0/31", "172.31.0.1/31") == []


@pytest.mark.parametrize("far", ["172.31.77.1/31", "172.31.0.1/30"])
def test_ends_in_two_networks_are_a_contradiction(far: str) -> None:
    (conflict,) = ends("172.31.0.0/31", far)
    assert conflict.startswith("leaf-1 Ethernet128 has 172.31.0.0/31 (leaf-1.json:")
    assert f", spine-1 Ethernet0 has {far} (spine-1.json:" in conflict
    assert conflict.endswith("), the other end")


def test_an_end_without_an_address_is_a_contradiction() -> None:
    (conflict,) = ends("172.31.0.0/31", "")
    assert conflict.startswith("leaf-1 Ethernet128 has 172.31.0.0/31 (leaf-1.json:")
    assert ", spine-1 Ethernet0, the other end, has no address (spine-1.json:" in conflict


def test_a_leaf_without_a_gateway_beside_others_is_a_contradiction() -> None:
    site = Bare()
    site.leaves["leaf-1"]["VLAN_INTERFACE"] = {}
    (conflict,) = map(str, site.imported().conflicts)
    assert conflict.startswith("rail 0: leaf-1 has VLAN 100 (leaf-1.json:")
    assert ") and no address in it, leaf-2 VLAN 101 has 172.16.1.1/24 (leaf-2.json:" in conflict


def test_leaves_without_any_gateway_are_no_contradiction() -> None:
    """Another router has them."""
    site = Bare()
    for tables in site.leaves.values():
        tables["VLAN_INTERFACE"] = {}
    result = site.imported()
    assert (result.conflicts, data(result)["rails"]["supernets"]) == ((), "TODO")
