"""``netplan import``: VLANs, sessions and addresses of leaves that no cable or no other leaf has."""

from __future__ import annotations

from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_tiers import with_spines


def test_a_port_in_the_vlan_of_a_rail_without_a_cable_is_told() -> None:
    """Only where it is set up: SONiC's ports are down otherwise."""
    site = Bare()
    for number, state in ((200, "up"), (208, "up"), (216, "down"), (224, "")):
        port = f"Ethernet{number}"
        own = {"speed": "400000", **({"admin_status": state} if state else {})}
        site.leaves["leaf-1"]["PORT"][port] = own
        site.leaves["leaf-1"]["VLAN_MEMBER"][f"Vlan100|{port}"] = {"tagging_mode": "untagged"}
    (remark,) = site.imported().remarks
    why = "no dump has the other end, and an inventory has the VLANs of its links alone"
    assert remark.text == f"VLAN 100 of leaf-1 Ethernet[200-208/8]: {why}"
    assert "Vlan100|Ethernet200" in site.texts()["leaf-1.json"].splitlines()[remark.at.line - 1]


def sessions(expected: str, *, back: bool = True) -> list[str]:
    """``expected``: AS number of the spine, for leaf-1; ``back``: the spine has the session too."""
    site = with_spines(Bare(rails=2))
    spine = site.leaves["spine-1"]
    spine["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "65000"
    for rail in range(2):
        leaf = site.leaves[f"leaf-{rail + 1}"]
        leaf["DEVICE_METADATA"]["localhost"]["bgp_asn"] = str(65101 + rail)
        leaf["INTERFACE"] = {f"Ethernet128|172.31.0.{2 * rail}/31": {}}
        leaf["BGP_NEIGHBOR"] = {f"172.31.0.{2 * rail + 1}": {"asn": expected if rail == 0 else "65000"}}
        spine.setdefault("INTERFACE", {})[f"Ethernet{8 * rail}|172.31.0.{2 * rail + 1}/31"] = {}
        if back or rail:
            spine.setdefault("BGP_NEIGHBOR", {})[f"172.31.0.{2 * rail}"] = {"asn": str(65101 + rail)}
    return [str(each) for each in site.imported().conflicts]


def test_sessions_that_agree_are_no_contradiction() -> None:
    assert sessions("65000") == []


def test_another_as_number_than_the_other_end_has_is_a_contradiction() -> None:
    (conflict,) = sessions("65001")
    assert conflict.startswith("leaf-1 expects AS 65001 of spine-1 Ethernet0 (leaf-1.json:")
    assert ", spine-1 has AS 65000 (spine-1.json:" in conflict


def test_a_session_that_one_end_alone_has_is_a_contradiction() -> None:
    (conflict,) = sessions("65000", back=False)
    assert conflict.startswith("leaf-1 has a BGP session with spine-1 Ethernet0 (leaf-1.json:")
    assert conflict.endswith("), spine-1 has none")


def test_a_family_that_one_leaf_alone_has_is_told_and_no_range_of_the_rails() -> None:
    site, both = Bare(), Bare()
    site.leaves["leaf-1"]["VLAN_INTERFACE"]["Vlan100|fd00:100::1/64"] = {}
    result = site.imported()
    assert data(result)["rails"]["supernets"] == ["172.16.0.0/22"]
    (remark,) = result.remarks
    assert remark.text.startswith("subnet of leaf-1 'fd00:100::/64': the other leaves have no subnet of this")
    for rail in range(4):
        both.leaves[f"leaf-{rail + 1}"]["VLAN_INTERFACE"][f"Vlan{100 + rail}|fd00:10{rail}::1/64"] = {}
    assert (both.imported().remarks, len(data(both.imported())["rails"]["prefixes"])) == ((), 2)


def test_sub_interfaces_and_borrowed_addresses_are_told() -> None:
    site = Bare()
    site.leaves["leaf-1"]["VLAN_SUB_INTERFACE"] = {"Ethernet0.10": {}, "Ethernet0.10|10.3.3.1/24": {}}
    site.leaves["leaf-1"]["INTERFACE"] = {"Ethernet8": {"unnumbered": "Loopback0"}}
    assert [each.text for each in site.imported().remarks] == [
        "leaf-1: VLAN_SUB_INTERFACE Ethernet0.10 (and 1 more of it): the inventory has no key for it",
        "leaf-1: INTERFACE Ethernet8 unnumbered Loopback0: the inventory has no key for it",
    ]
