"""``netplan import``: roles of switches, a third tier, an underlay of loopbacks alone, tagging of ports."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.importing.run import Imported
from netplan.model.inventory_schema import schema_at
from tests.bare_site import Bare
from tests.test_import import data, refused, todo_lines


def link(site: Bare, switch: str, port: str, far: str, far_port: str) -> None:
    """A cable that the lower switch states; switches are added as they are named."""
    for name, own in ((switch, port), (far, far_port)):
        tables = site.leaves.setdefault(
            name, {"DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": "ACS-MSN4700"}}, "PORT": {}}
        )
        tables["PORT"][own] = {"speed": "400000", "mtu": "9216"}
    site.leaves[switch].setdefault("DEVICE_NEIGHBOR", {})[port] = {"name": far, "port": far_port}


def with_spines(site: Bare) -> Bare:
    for rail in range(site.rails):
        link(site, f"leaf-{rail + 1}", "Ethernet128", "spine-1", f"Ethernet{8 * rail}")
    return site


def line(result: Imported, part: str) -> str:
    return next(text for text in result.text.splitlines() if part in text)


OPEN = "TODO: leaf, if hosts are to be on it or it leads out of the fabric; else"


def with_border(loopback: int, network: int | None) -> Imported:
    """Four leaves that count up from 1, and a switch without a host. ``network``: number of the first address
    of its uplink, None if it has none."""
    site = with_spines(Bare())
    link(site, "border-1", "Ethernet128", "spine-1", "Ethernet192")
    step = schema_at("underlay", "uplinks_per_leaf")["default"]
    numbers = {f"leaf-{n}": n for n in range(1, site.rails + 1)}
    own = {name: 2 * step * (number - 1) for name, number in numbers.items()}
    for name, first in {**own, "border-1": network}.items():
        if first is not None:
            site.leaves[name]["INTERFACE"] = {f"Ethernet128|10.254.{first // 256}.{first % 256}/31": {}}
        number = numbers.get(name, loopback)
        site.leaves[name]["LOOPBACK_INTERFACE"] = {f"Loopback0|10.255.{number // 256}.{number % 256}/32": {}}
    site.leaves["spine-1"]["LOOPBACK_INTERFACE"] = {"Loopback0|10.255.0.101/32": {}}
    site.leaves["border-1"]["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "65500"
    return site.imported()


STEP = 2 * schema_at("underlay", "uplinks_per_leaf")["default"]


def test_the_range_of_the_uplinks_holds_those_of_a_border_leaf() -> None:
    """It has no host and counts up with the leaves; its role is asked, with the AS number that it keeps."""
    result = with_border(9, 8 * STEP)
    assert "role: TODO" in line(result, "border-1: ")
    assert "; border-1 runs AS 65500 (border-1.json:" in line(result, "border-1: ")
    assert IPNetwork(data(result)["underlay"]["uplinks"]).size >= STEP * 9


@pytest.mark.parametrize(
    ("loopback", "network", "seen"),
    [
        (41, 4 * STEP, "border-1 with id 41 Ethernet128 10.254.1.0/31 (border-1.json:"),
        (300, 4 * STEP, "border-1 with id 300 Ethernet128 10.254.1.0/31 (border-1.json:"),
        (41, None, "border-1 with id 41 Ethernet128 without an address"),
    ],
)
def test_uplinks_of_a_border_leaf_outside_the_series_are_asked(
    loopback: int, network: int | None, seen: str
) -> None:
    """A leaf with its id has no network in the range of the others."""
    result = with_border(loopback, network)
    found = line(result, "  uplinks: TODO")
    assert "uplinks of border-1 that do not count up with its id beside those of the leaves" in found
    assert "state 10.254.0.0/24, and remove border-1 and its links here, or 10.254.0.0/" in found
    assert seen in found
    assert set(todo_lines(result.text)) == refused(result.text)


def test_a_third_tier_is_named_with_what_to_remove() -> None:
    site = with_spines(Bare())
    for number in (1, 2):
        link(site, "spine-1", f"Ethernet{120 + 8 * number}", f"super-{number}", "Ethernet0")
    result = site.imported()
    found = line(result, "super-[1-2]: ")
    where = "a third tier above the spines (spine-1 Ethernet128 to super-1 Ethernet0, spine-1.json:"
    assert f"role: TODO}} # {OPEN} an inventory cannot express this: {where}" in found
    assert "remove that tier and its links here" in found
    assert set(todo_lines(result.text)) == refused(result.text)


def half_heard(ports: dict[str, Any]) -> Imported:
    """Of eight hosts on two leaves for each rail, the second half has no neighbour."""
    site = Bare(hosts=8)
    for rail in range(4):
        leaf, name = site.leaves[f"leaf-{rail + 1}"], f"leaf-{rail + 5}"
        second = site.leaf(name, site.vlans[rail], rail + 4)
        for tables, hosts in ((leaf, range(4, 8)), (second, range(4))):
            for host in hosts:
                port = f"Ethernet{8 * host}"
                del tables["DEVICE_NEIGHBOR"][port], tables["PORT"][port]
                del tables["VLAN_MEMBER"][f"Vlan{site.vlans[rail]}|{port}"]
        second |= {"DEVICE_NEIGHBOR": {}, **ports}
        site.leaves[name] = second
    for rail in range(8):
        link(site, f"leaf-{rail + 1}", "Ethernet128", "spine-1", f"Ethernet{8 * rail}")
    return site.imported()


def test_a_switch_with_ports_in_the_vlans_of_hosts_is_a_leaf() -> None:
    """Its subnets are those of the rail in that VLAN."""
    result = half_heard({})
    seen = "no cable of a host in the dumps; Ethernet32 is in VLAN 100, as ports of hosts are, leaf-5.json:"
    assert f"role: leaf}} # {seen}" in line(result, "leaf-[5-8]: ")
    assert "172.16.0.0/24, rail 0 leaf-5: 172.16.4.0/24" in line(result, "  supernets: ")


def test_a_switch_below_spines_with_no_port_in_a_vlan_of_hosts_is_asked_for() -> None:
    found = line(half_heard({"VLAN_MEMBER": {}}), "leaf-[5-8]: ")
    assert f"role: TODO}} # {OPEN} an inventory cannot express" in found


@pytest.mark.parametrize(("interface", "role"), [(True, "role: leaf}"), (False, "role: TODO}")])
def test_a_switch_below_spines_with_the_interface_of_a_ports_vlan_is_a_leaf(
    interface: bool, role: str
) -> None:
    """Leaves of another cluster, whose hosts no dump shows, in VLANs of their own."""
    svi: dict[str, Any] = {"Vlan201": {}, "Vlan201|10.20.0.254/24": {}} if interface else {}
    own = {
        "VLAN": {"Vlan201": {"vlanid": "201"}},
        "VLAN_MEMBER": {"Vlan201|Ethernet0": {"tagging_mode": "untagged"}},
        "VLAN_INTERFACE": svi,
    }
    result = half_heard(own)
    assert role in line(result, "leaf-[5-8]: ")
    told = [str(each) for each in result.remarks if "leaf-5: 1 port in VLANs" in str(each)]
    assert len(told) == int(interface)
    assert all("interfaces VLAN 201 10.20.0.254/24: no host on it is in the dumps" in each for each in told)


def test_ports_between_switches_make_no_leaf() -> None:
    site = with_spines(Bare())
    link(site, "spine-1", "Ethernet128", "super-1", "Ethernet0")
    for name, port in (("spine-1", "Ethernet128"), ("super-1", "Ethernet0")):
        site.leaves[name]["VLAN_MEMBER"] = {f"Vlan100|{port}": {"tagging_mode": "tagged"}}
        site.leaves[name]["VLAN"] = {"Vlan100": {"vlanid": "100"}}
    assert "role: TODO" in line(site.imported(), "super-1: ")


def test_a_switch_without_any_cable_is_asked_for() -> None:
    """One card of a rail has no cable, so it may be on any of them."""
    site = with_spines(Bare())
    site.without_neighbours(1, 0)
    link(site, "other-1", "Ethernet0", "other-2", "Ethernet0")
    alone = {"localhost": {"hostname": "alone-1"}}
    site.leaves["alone-1"] = {"DEVICE_METADATA": alone, "PORT": {"Ethernet0": {}}}
    result = site.imported()
    assert line(result, "alone-1: {").endswith("leaf or spine; no cable in the dumps shows which")
    why = "its cables in the dumps lead to no host and no leaf, such as other-1 Ethernet0 to other-2"
    assert f"leaf or spine; {why}" in line(result, "other-[1-2]: {")


def test_loopbacks_of_linked_switches_are_in_the_underlay() -> None:
    site = with_spines(Bare())
    for number, name in enumerate(("leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1"), 1):
        site.leaves[name]["LOOPBACK_INTERFACE"] = {f"Loopback0|172.31.255.{number}/32": {}}
    found = data(site.imported())["underlay"]
    assert (found["loopbacks"], found["leaf_asn"], found["uplinks"]) == ("172.31.255.0/29", "TODO", "TODO")
    assert "underlay" not in data(with_spines(Bare()).imported())


def uplinks(first: int) -> tuple[Any, str]:
    """Uplinks of the leaves with /31 networks, of which the leaf has the address number ``first``."""
    site = with_spines(Bare())
    for rail in range(4):
        own: dict[str, Any] = {f"Ethernet128|172.31.0.{2 * rail + first}/31": {}}
        site.leaves[f"leaf-{rail + 1}"]["INTERFACE"] = own
        far: dict[str, Any] = {f"Ethernet{8 * rail}|172.31.0.{2 * rail + 1 - first}/31": {}}
        site.leaves["spine-1"].setdefault("INTERFACE", {}).update(far)
    result = site.imported()
    return data(result)["underlay"]["uplinks"], line(result, "  uplinks: ")


def test_leaves_on_the_even_address_of_uplinks_have_their_range() -> None:
    assert uplinks(0)[0] == "172.31.0.0/29"


def test_leaves_on_the_odd_address_of_uplinks_are_told() -> None:
    value, found = uplinks(1)
    assert value == "TODO"
    what = "the leaf has the odd address on leaf-1 Ethernet128 and 3 more, netplan gives it the even one"
    change = "state a range, and a rollout exchanges the addresses of both ends, or remove underlay"
    assert f"an inventory cannot express this: {what}; {change}" in found
    assert "leaf-1 Ethernet128 172.31.0.1/31 (leaf-1.json:" in found


def tagged(site: Bare, *members: tuple[int, int]) -> Bare:
    """``members``: rails and hosts whose ports tag."""
    for rail, host in members:
        own = site.leaves[f"leaf-{rail + 1}"]["VLAN_MEMBER"]
        own[f"Vlan{100 + rail}|Ethernet{8 * (host - 1)}"] = {"tagging_mode": "tagged"}
    return site


def test_ports_of_a_rail_that_tag_where_others_do_not_are_a_contradiction() -> None:
    result = tagged(Bare(), (0, 2), (0, 3), (1, 4)).imported()
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith("rail 0: leaf-1 Ethernet8 has VLAN 100 tagged (leaf-1.json:")
    assert ", leaf-1 Ethernet0 has VLAN 100 untagged (leaf-1.json:" in conflict
    assert conflict.endswith("(and 2 more)")


def test_ports_that_all_tag_are_told_where_no_network_does() -> None:
    every = [(rail, host) for rail in range(4) for host in range(1, 5)]
    site = tagged(Bare(), *every)
    result = site.imported()
    why = "no network in the dumps tags it, and without one netplan writes it untagged (and 15 more)"
    assert (result.conflicts, [r.text for r in result.remarks]) == (
        (),
        [f"leaf-1 Ethernet0 has VLAN 100 tagged: {why}"],
    )


@pytest.mark.parametrize("host", [1, 4])
def test_a_site_whose_ports_are_alike_gives_no_line(host: int) -> None:
    result = Bare(hosts=host).imported()
    assert (result.conflicts, result.remarks) == ((), ())
