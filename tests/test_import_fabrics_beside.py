"""``netplan import``: a fabric of its own beside that of the rails, such as one of the front end."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from netplan.importing.cards import Card
from netplan.importing.fabrics_beside import cards_on_rails
from netplan.importing.run import Imported, import_texts
from tests.bare_site import BUSES, Bare
from tests.test_import import data
from tests.test_import_front_ends import TABLE, heard
from tests.test_import_rail_switches import fabric
from tests.test_import_tiers import link

FRONT = ("fe-leaf-1", "fe-leaf-2", "fe-spine-1")


def stated(site: Bare, name: str, asn: int, loopback: str = "") -> None:
    site.leaves[name]["DEVICE_METADATA"]["localhost"]["bgp_asn"] = str(asn)
    if loopback:
        site.leaves[name]["LOOPBACK_INTERFACE"] = {f"Loopback0|{loopback}/32": {}}


def with_front_end(site: Bare) -> Bare:
    """Two leaves and a spine with AS numbers and loopbacks; no card of the dumps is on them."""
    for number in (1, 2):
        link(site, f"fe-leaf-{number}", "Ethernet128", "fe-spine-1", f"Ethernet{8 * number}")
        stated(site, f"fe-leaf-{number}", 65200 + number, f"10.255.10.{number}")
    stated(site, "fe-spine-1", 65199, "10.255.10.101")
    return site


def with_cards(site: Bare) -> dict[str, str]:
    """Texts in which each host has a slower card too, on fe-leaf-1 in a VLAN of its own."""
    tables = site.leaves["fe-leaf-1"]
    for host in range(1, site.hosts + 1):
        port = f"Ethernet{8 * host - 8}"
        tables["PORT"][port] = {"speed": "25000", "mtu": "9216", "admin_status": "up"}
        tables.setdefault("DEVICE_NEIGHBOR", {})[port] = {"name": f"gpu-{host}", "port": "eno1"}
        tables.setdefault("VLAN_MEMBER", {})[f"Vlan10|{port}"] = {"tagging_mode": "untagged"}
    tables["VLAN"] = {"Vlan10": {"vlanid": "10"}}
    tables["VLAN_INTERFACE"] = {"Vlan10": {}, "Vlan10|192.0.2.1/24": {}}
    texts = site.texts()
    for host in range(1, site.hosts + 1):
        texts[f"gpu-{host}.sysfs.txt"] += (
            "pci=0000:b1:00.0 vendor=0x15b3 device=0x101f numa=0 vfs=0 net=eno1 "
            f"mac=b8:ce:f6:01:00:{host:02x} mtu=1500 type=1 speed=25000 ib=mlx5_9 link_layer=Ethernet\n"
        )
    heard_there = {"lldp": {"interface": [heard("eno1", "fe-leaf-1", "Ethernet0")]}}
    return {**texts, "gpu-1.lldp.json": json.dumps(heard_there)}


def beside(result: Imported) -> list[str]:
    return [each.text for each in result.remarks if "as a fabric of their own" in each.text]


def names(result: Imported) -> set[str]:
    return {row.name for row in result.folded.switches}


@pytest.mark.parametrize("cards", [False, True])
def test_it_changes_nothing_of_the_underlay_and_is_told_once(cards: bool) -> None:
    site = with_front_end(fabric())
    result = import_texts(with_cards(site) if cards else site.texts(), "site")
    found, alone = data(result), data(fabric().imported())
    assert [found[key] for key in ("underlay", "switches", "links", "fabric")] == [
        alone[key] for key in ("underlay", "switches", "links", "fabric")
    ]
    assert found["underlay"]["leaf_asn"] == "65101+"
    (told,) = beside(result)
    assert told.startswith("fe-leaf-[1-2], fe-spine-1: no card on a rail has a cable there, ")
    assert result.beside == {*FRONT}
    assert not [each for each in result.remarks if "fe-" in each.text and each.text != told]
    assert (result.conflicts, result.unread) == ((), ())
    own = result.site
    assert not [of for of in own.every("card") if "fe-leaf-1" in own.listed("card", of, "port")]


NETWORK = {
    "apiVersion": "k8s.cni.cncf.io/v1",
    "kind": "NetworkAttachmentDefinition",
    "metadata": {"name": "public", "namespace": "default"},
    "spec": {
        "config": json.dumps(
            {
                "cniVersion": "0.3.1",
                "name": "public",
                "type": "macvlan",
                "master": "eno1",
                "ipam": {"type": "whereabouts", "range": "192.0.2.0/24", "gateway": "192.0.2.1"},
            }
        )
    },
}


def policy(name: str, interface: str) -> dict[str, object]:
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodePolicy",
        "metadata": {"name": name, "namespace": "operator"},
        "spec": {"resourceName": name, "numVfs": 4, "nicSelector": {"pfNames": [interface]}},
    }


def with_pods(site: Bare) -> dict[str, str]:
    """Texts in which pods get the slower cards too, by a network of their own."""
    rails = [policy(f"rail{rail}", f"ens{BUSES[rail]}np0") for rail in range(site.rails)]
    objects = {"apiVersion": "v1", "kind": "List", "items": [*rails, NETWORK]}
    return {**with_cards(site), "objects.json": json.dumps(objects)}


def test_cards_for_pods_on_no_rail_make_it_no_fabric_of_the_rails() -> None:
    result = import_texts(with_pods(with_front_end(fabric())), "site")
    found, alone = data(result), data(fabric().imported())
    assert any(card.for_pods for card in result.folded.cards if card.rail is None)
    assert [found[key] for key in ("underlay", "switches", "fabric")] == [
        alone[key] for key in ("underlay", "switches", "fabric")
    ]
    assert len(beside(result)) == 1
    assert result.beside == {*FRONT}
    assert result.conflicts == ()
    (public,) = (row for row in result.folded.rows if not row.rails)
    assert public.name in found["networks"]


def test_cards_for_pods_of_nodes_without_rails_may_be_on_one() -> None:
    on_rail = Card("gpu-1", "0000:18:00.0", "connectx-7", {}, rail=0)
    storage = Card("gpu-1", "0000:b1:00.0", "connectx-6-dx", {}, for_pods=True)
    front_end = Card("gpu-2", "0000:18:00.0", "connectx-7", {})
    alone = Card("gpu-2", "0000:b1:00.0", "connectx-6-dx", {}, for_pods=True)
    assert [*cards_on_rails([on_rail, storage, front_end, alone])] == [on_rail, alone]


def test_a_vlan_interface_joins_where_no_port_states_its_vlan() -> None:
    site = with_front_end(fabric())
    for rail in range(1, 5):
        del site.leaves[f"leaf-{rail}"]["VLAN_MEMBER"]
    assert import_texts(with_cards(site), "site").beside == {*FRONT}
    with_a_gateway_of_rails(site)
    assert {*FRONT} <= names(import_texts(with_cards(site), "site"))


def test_a_switch_of_cards_for_pods_stays_where_it_may_be_a_leaf_without_uplinks() -> None:
    site = with_front_end(fabric())
    beside_leaves_without_spines(site)
    assert {*FRONT} <= names(import_texts(with_pods(site), "site"))


def with_management(site: Bare, length: int) -> Bare:
    """A VLAN interface on each switch."""
    for number, tables in enumerate(site.leaves.values(), 1):
        tables.setdefault("VLAN", {})["Vlan4000"] = {"vlanid": "4000"}
        interfaces = tables.setdefault("VLAN_INTERFACE", {})
        interfaces |= {"Vlan4000": {}, f"Vlan4000|198.51.100.{number}/{length}": {}}
    return site


def test_a_vlan_of_management_joins_no_fabrics() -> None:
    result = import_texts(with_cards(with_management(with_front_end(fabric()), 24)), "site")
    assert result.beside == {*FRONT}
    assert data(result)["underlay"] == data(fabric().imported())["underlay"]


def test_a_vlan_of_two_addresses_joins_them() -> None:
    """It is a link, such as one to a border leaf."""
    result = import_texts(with_cards(with_management(with_front_end(fabric()), 30)), "site")
    assert {*FRONT} <= names(result)


def test_a_lone_tor_with_an_as_number_is_left_out_too() -> None:
    site = fabric()
    link(site, "tor-1", "Ethernet0", "nas-1", "e0a")
    site.leaves.pop("nas-1")
    stated(site, "tor-1", 64999)
    result = site.imported()
    assert result.beside == {"tor-1"}
    assert data(result)["underlay"] == data(fabric().imported())["underlay"]


def test_a_tor_without_a_part_in_the_underlay_stays() -> None:
    site = fabric()
    link(site, "tor-1", "Ethernet0", "nas-1", "e0a")
    site.leaves.pop("nas-1")
    result = site.imported()
    assert "tor-1" in names(result)
    assert beside(result) == []


def to_spine(site: Bare) -> None:
    link(site, "fe-spine-1", "Ethernet248", "spine-1", "Ethernet248")


def through_a_core(site: Bare) -> None:
    link(site, "spine-1", "Ethernet248", "core-1", "Ethernet0")
    link(site, "fe-spine-1", "Ethernet248", "core-1", "Ethernet8")


def in_a_vlan_of_rails(site: Bare) -> None:
    """A leaf for hosts to come, whose cables no dump has."""
    tables = site.leaves["fe-leaf-1"]
    tables["PORT"]["Ethernet0"] = {"speed": "400000", "mtu": "9216"}
    tables["VLAN"] = {"Vlan100": {"vlanid": "100"}}
    tables["VLAN_MEMBER"] = {"Vlan100|Ethernet0": {"tagging_mode": "untagged"}}


def with_an_interface_in_a_vlan_of_rails(site: Bare) -> None:
    site.leaves["fe-spine-1"]["VLAN_INTERFACE"] = {"Vlan100": {}, "Vlan100|192.0.2.1/24": {}}


def with_a_gateway_of_rails(site: Bare) -> None:
    site.leaves["fe-spine-1"]["VLAN_INTERFACE"] = {"Vlan9": {}, "Vlan9|172.16.0.254/24": {}}


def by_a_session(site: Bare) -> None:
    """Over several hops: a leaf has it as its neighbour."""
    site.leaves["leaf-1"]["BGP_NEIGHBOR"] = {"10.255.10.101": {"asn": "65199", "name": "x"}}


def with_a_session_of_its_own(site: Bare) -> None:
    site.leaves["fe-spine-1"]["BGP_NEIGHBOR"] = {"10.255.0.1": {"asn": "65101", "name": "x"}}


def behind_an_open_port(site: Bare) -> None:
    """A session without addresses, on a port of which no dump has the other end."""
    site.leaves["leaf-1"]["PORT"]["Ethernet240"] = {"speed": "400000", "mtu": "9216"}
    site.leaves["leaf-1"]["BGP_NEIGHBOR"] = {"Ethernet240": {"asn": "external"}}


def beside_a_card_without_a_cable(site: Bare) -> None:
    """Its leaf may be any of those without cards."""
    site.leaves.pop("leaf-4")
    site.leaves["spine-1"]["PORT"].pop("Ethernet24")


def beside_leaves_without_spines(site: Bare) -> None:
    for number in range(1, 5):
        site.leaves[f"leaf-{number}"]["DEVICE_NEIGHBOR"].pop("Ethernet128")


DEPENDING: dict[str, Callable[[Bare], None]] = {
    each.__name__: each
    for each in (
        to_spine,
        through_a_core,
        in_a_vlan_of_rails,
        with_an_interface_in_a_vlan_of_rails,
        with_a_gateway_of_rails,
        by_a_session,
        with_a_session_of_its_own,
        behind_an_open_port,
        beside_a_card_without_a_cable,
        beside_leaves_without_spines,
    )
}


@pytest.mark.parametrize("case", DEPENDING)
def test_switches_that_a_rail_may_depend_on_stay(case: str) -> None:
    site = with_front_end(fabric())
    DEPENDING[case](site)
    result = site.imported()
    assert (beside(result), result.beside) == ([], frozenset())
    assert {*FRONT} <= names(result)


def test_a_switch_of_a_card_for_pods_stays() -> None:
    site = with_front_end(fabric())
    tables = site.leaves["fe-leaf-1"]
    tables["PORT"]["Ethernet0"] = {"speed": "400000", "mtu": "9216"}
    tables["DEVICE_NEIGHBOR"]["Ethernet0"] = site.leaves["leaf-1"]["DEVICE_NEIGHBOR"].pop("Ethernet0")
    assert {*FRONT} <= names(site.imported())


def test_a_switch_that_may_have_a_card_of_a_rail_stays() -> None:
    """It hears a card of the front end where its record has one of a rail."""
    site = with_front_end(fabric())
    texts = with_cards(site)
    site.leaves["leaf-1"]["DEVICE_NEIGHBOR"].pop("Ethernet0")
    site.leaves["fe-leaf-1"]["DEVICE_NEIGHBOR"]["Ethernet0"]["port"] = "ens18np0"
    texts |= {f"{name}.json": site.texts()[f"{name}.json"] for name in ("leaf-1", "fe-leaf-1")}
    own = TABLE.format("gpu-1 ").replace("Ethernet9 ", "Ethernet0 ", 1).replace("Ethernet9", "eno1     ")
    result = import_texts({**texts, "fe-leaf-1.txt": own}, "site")
    assert [each.field for each in result.site.about("port", ("fe-leaf-1", "Ethernet0"))] == ["peer"]
    assert {*FRONT} <= names(result)


def test_those_that_an_inventory_has_stay() -> None:
    texts = with_front_end(fabric()).texts()
    result = import_texts(texts, "site", kept={"fe-leaf-2", "leaf-1"})
    assert {*FRONT} <= names(result)
    assert beside(result) == []
    assert not {*FRONT} & names(import_texts(texts, "site", kept={"leaf-1"}))
