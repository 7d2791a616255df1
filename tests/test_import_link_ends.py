"""``netplan import``: ends of one cable in two networks or with two MTUs, and a leaf without a gateway."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.dumped_site import interface, listed, node_state
from tests.test_import import data
from tests.test_import_leaves import PAIRS
from tests.test_import_leaves import site as leaves_of
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


def sizes(*ports: str) -> Imported:
    """With those ports of the spine at 9100, which is the default of SONiC's image."""
    site = with_spines(Bare())
    for port in ports:
        site.leaves["spine-1"]["PORT"][port]["mtu"] = "9100"
    return site.imported()


def test_ends_with_different_mtus_are_a_contradiction() -> None:
    result = sizes(*(f"Ethernet{8 * rail}" for rail in range(4)))
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith("leaf-1 Ethernet128 to spine-1 Ethernet0, mtu: 9216 (leaf-1.json:")
    assert ") or 9100 (spine-1.json:" in conflict
    assert conflict.endswith(" (and 3 more)")
    assert [row["port_mtu"] for row in data(result)["switch_types"].values()] == ["TODO", "TODO"]
    asked = [text for text in result.text.splitlines() if "port_mtu: TODO" in text]
    assert all(
        "decide, sources disagree: leaf-1 Ethernet128 to spine-1 Ethernet0, mtu: " in text for text in asked
    )
    assert [text.rpartition(" ")[2] for text in asked] == ["9216", "9100"]


def test_one_port_with_another_mtu_asks_for_none_of_its_type() -> None:
    result = sizes("Ethernet0")
    assert ", mtu: 9216 (leaf-1.json:" in str(result.conflicts[0])
    assert [row["port_mtu"] for row in data(result)["switch_types"].values()] == [9216]
    assert sizes().conflicts == ()


EOS = "! device: {} (DCS-7060X6-64PE, EOS-4.33.1F)\nhostname {}\ninterface Ethernet1/1\n   mtu 9198\n"
JUNOS = "set version 23.4R2\nset system host-name {}\nset interfaces et-0/0/1 mtu {}\n"


@pytest.mark.parametrize(("mtu", "differs"), [(9216, False), (9198, True)])
def test_an_mtu_that_counts_the_header_is_compared_without_it(mtu: int, differs: bool) -> None:
    """EOS counts the IP packet alone, Junos also Ethernet header and VLAN tag."""
    far = {"interfaceIdType": "interfaceName", "interfaceId": '"et-0/0/1"', "interfaceDescription": ""}
    heard = {"systemCapabilities": {"bridge": True}, "neighborInterfaceInfo": far, "systemName": "spine-1"}
    lldp = {"lldpNeighbors": {"Ethernet1/1": {"lldpNeighborInfo": [heard]}}}
    texts = {"leaf-1.txt": EOS.format("leaf-1", "leaf-1"), "spine-1.txt": JUNOS.format("spine-1", mtu)}
    conflicts = import_texts({**texts, "leaf-1.json": json.dumps(lldp)}).conflicts
    assert [f", mtu: 9198 (leaf-1.txt:4) or {mtu} (spine-1.txt:3)" in str(each) for each in conflicts] == [
        True
    ] * differs


def test_a_leaf_without_a_gateway_beside_others_is_a_contradiction() -> None:
    site = Bare()
    site.leaves["leaf-1"]["VLAN_INTERFACE"] = {}
    (conflict,) = map(str, site.imported().conflicts)
    assert conflict.startswith("rail 0: leaf-1 has VLAN 100 (leaf-1.json:")
    assert ") and no address in it, leaf-2 VLAN 101 has 172.16.1.1/24 (leaf-2.json:" in conflict


def test_a_leaf_without_a_gateway_in_a_vlan_that_others_have_too_is_a_contradiction() -> None:
    """Of rail 1 both leaves have a network in one VLAN, of rail 0 the second alone."""
    tables = {name: json.loads(text) for name, text in leaves_of(PAIRS).texts.items() if ".db." in name}
    del tables["leaf-1.db.json"]["VLAN_INTERFACE"]["Vlan100|10.1.0.1/24"]
    texts = {
        **leaves_of(PAIRS).texts,
        **{name: json.dumps(table, indent=1) for name, table in tables.items()},
    }
    (conflict,) = [str(each) for each in import_texts(texts, "site").conflicts if "no address" in str(each)]
    assert conflict.startswith("rail 0: leaf-1 has VLAN 100 (leaf-1.db.json:")
    assert ") and no address in it, leaf-2 VLAN 100 has 10.1.1.1/24 (leaf-2.db.json:" in conflict


def test_a_vlan_with_one_gateway_for_all_leaves_is_none() -> None:
    tables = {name: json.loads(text) for name, text in leaves_of(PAIRS).texts.items() if ".db." in name}
    del tables["leaf-1.db.json"]["VLAN_INTERFACE"]
    texts = {
        **leaves_of(PAIRS).texts,
        **{name: json.dumps(table, indent=1) for name, table in tables.items()},
    }
    assert not [each for each in import_texts(texts, "site").conflicts if "no address" in str(each)]


def test_leaves_without_any_gateway_are_no_contradiction() -> None:
    """Another router has them."""
    site = Bare()
    for tables in site.leaves.values():
        tables["VLAN_INTERFACE"] = {}
    result = site.imported()
    assert (result.conflicts, data(result)["rails"]["supernets"]) == ((), "TODO")


CARD = "0c:42:a1:00:00:01"


def heard_behind(*ends: tuple[str, str]) -> Imported:
    """MAC address and interface of what a leaf hears of one host on one port."""
    rows = [
        {
            "neighborInterfaceInfo": {
                "interfaceIdType": "macAddress",
                "interfaceId_v2": mac,
                "interfaceId": mac,
                "interfaceDescription": name,
            },
            "systemCapabilities": {"bridge": False},
            "systemName": "gpu-1",
        }
        for mac, name in ends
    ]
    lldp = {"lldpNeighbors": {"Ethernet1/1": {"lldpNeighborInfo": rows}}}
    state = node_state("gpu-1", [{**interface("0000:18:00.0", "ens1f0np0", 400), "mac": CARD}])
    leaf = {"leaf-1.txt": EOS.format("leaf-1", "leaf-1"), "leaf-1.json": json.dumps(lldp)}
    return import_texts({"x.yaml": listed([state]), **leaf}, "site")


VFS = [(f"02:00:00:00:00:0{number}", f"ens1f0v{number}") for number in range(2)]


def test_vfs_of_a_host_behind_the_port_of_its_card_are_no_contradiction() -> None:
    """As where lldpd runs on a host whose VFs no pod has."""
    result = heard_behind(VFS[0], (CARD, "ens1f0np0"), VFS[1])
    assert result.conflicts == ()
    assert [link["switch"] for link in data(result)["links"]] == ["leaf-1"]
    (line,) = [each.text for each in result.remarks if "too" in each.text]
    assert line.startswith("leaf-1 Ethernet1/1 has gpu-1 ens1f0v0 or 02:00:00:00:00:00 too (and 1 more")


def test_vfs_of_a_host_alone_are_no_contradiction() -> None:
    result = heard_behind(*VFS)
    assert result.conflicts == ()
    assert "links" not in data(result)
