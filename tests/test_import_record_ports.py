"""``netplan import`` of ports, LAGs, breakout cables and prefixes of record, with and without ``--into``."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cables, cluster_dumps
from tests.test_import import FILES, data
from tests.test_import_into import SITE, into, said
from tests.test_import_record import NetBox, Object, recorded

UPLINK = next(
    row["port"] for row in cables(FILES) if (row["switch"], row["peer_kind"]) == ("leaf-1", "switch")
)


def planned() -> NetBox:
    """A record that is as the site: hosts of Ethernet64 and on run no networks of pods."""
    box = recorded()
    for row in cables(FILES):
        if row["peer_kind"] == "host" and int(row["port"].removeprefix("Ethernet")) > 60:
            own = port(box, row["switch"], row["port"])
            (own["untagged_vlan"],), own["tagged_vlans"] = own["tagged_vlans"], []
    return box


def port(box: NetBox, device: str, name: str) -> Object:
    return box.known["dcim/interfaces", device, name]


def of(box: NetBox) -> dict[str, str]:
    return {**cluster_dumps(FILES), **box.pages()}


def imported(box: NetBox) -> Imported:
    return import_texts(of(box), "site")


def differs(box: NetBox) -> list[str]:
    """Without the places."""
    return [
        row.partition(" (dcim-")[0].partition(" (ipam-")[0] for row in said(into(SITE, of(box)), "differs")
    ]


def interface(box: NetBox, device: str, name: str, kind: str) -> Object:
    owner = box.brief(box.known["dcim/devices", device], "name")
    return box.new("dcim/interfaces", device, name, name=name, device=owner, type={"value": kind})


def address(box: NetBox, device: str, name: str, text: str) -> None:
    held = box.brief(port(box, device, name), "name")
    held["device"] = box.brief(box.known["dcim/devices", device], "name")
    box.new("ipam/ip-addresses", device, name, address=text, assigned_object=held)


def test_a_record_as_planned_is_no_difference() -> None:
    found = into(SITE, of(planned()))
    assert (said(found, "differs"), said(found, "gone")) == ([], [])


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("speed", 40_000_000, "speed_gbps: 100 (planned) or 40"),
        ("mtu", 1500, "MTU: 9216 (planned) or 1500"),
        ("tagged_vlans", [], ""),
        ("enabled", False, "admin_status: up (planned) or down"),
    ],
)
def test_a_port_of_record_that_is_not_as_planned(field: str, value: object, told: str) -> None:
    box = planned()
    port(box, "leaf-1", "Ethernet4")[field] = value
    assert differs(box) == ([f"leaf-1 Ethernet4: {told}"] if told else [])


@pytest.mark.parametrize(
    ("untagged", "tagged", "told"),
    [
        (100, (), "100 untagged"),
        (None, (101,), "101 tagged"),
        (101, (100,), "101 untagged, 100 tagged"),
        (None, (100,), ""),
    ],
)
def test_vlans_of_a_port_of_record(untagged: int | None, tagged: tuple[int, ...], told: str) -> None:
    box = planned()
    vlan = {vid: box.brief(box.known["ipam/vlans", str(vid)], "vid", "name") for vid in (100, 101)}
    for name in ("Ethernet4", "Ethernet8"):
        own = port(box, "leaf-1", name)
        own["untagged_vlan"] = vlan[untagged] if untagged else None
        own["tagged_vlans"] = [vlan[vid] for vid in tagged]
    rows = [row for row in differs(box) if "VLANs" in row]
    start = "leaf-1 Ethernet[4-8/4]: VLANs: 100 tagged (planned) or "
    assert rows == ([f"{start}{told}"] if told else [])


def test_addresses_of_record_that_are_not_as_planned() -> None:
    box = planned()
    interface(box, "leaf-1", "Vlan100", "virtual")
    address(box, "leaf-1", "Vlan100", "172.16.0.254/24")
    address(box, "leaf-1", UPLINK, "172.31.9.0/31")
    found = differs(box)
    assert "leaf-1 VLAN 100: address: 172.16.0.1/24 (planned) or 172.16.0.254/24" in found
    assert [row for row in found if row.startswith(f"leaf-1 {UPLINK}: address: 172.31.")] == [
        next(row for row in found if row.endswith(" (planned) or 172.31.9.0/31"))
    ]


def test_a_gateway_of_record_as_planned_is_no_difference() -> None:
    box = planned()
    interface(box, "leaf-1", "Vlan100", "virtual")
    address(box, "leaf-1", "Vlan100", "172.16.0.1/24")
    assert differs(box) == []


def test_a_cable_that_netbox_has_no_more_is_not_shown() -> None:
    box = planned()
    number = port(box, "leaf-1", "Ethernet0").pop("cable")["id"]
    box.models["dcim/cables"] = [each for each in box.models["dcim/cables"] if each["id"] != number]
    for each in box.models["dcim/interfaces"]:
        if each.get("cable", {}).get("id") == number:
            del each["cable"]
    (gone,) = said(into(SITE, of(box)), "gone")
    assert gone.startswith("cable of leaf-1 Ethernet0: no row of the record has it (site.yaml:")


def lag(box: NetBox, device: str, name: str, *members: str) -> None:
    bundle = box.brief(interface(box, device, name, "lag"), "name")
    for member in members:
        port(box, device, member)["lag"] = bundle


def test_lags_of_switches_are_told_with_their_ports() -> None:
    box = recorded()
    lag(box, "leaf-1", "bond1", "Ethernet0")
    lag(box, "leaf-1", "bond9", "Ethernet64", "Ethernet68")
    lag(box, "leaf-2", "bond1", "Ethernet0")
    (remark,) = imported(box).remarks
    own = "leaf-1 bond1 of Ethernet0, bond9 of Ethernet64, Ethernet68"
    assert remark.text == f"{own}: VLANs and addresses of the LAG are not taken (and 1 more)"


def names_of(box: NetBox, host: str) -> list[str]:
    return [key[2] for key in box.known if key[:2] == ("dcim/interfaces", host)]


def test_bonds_of_hosts_are_told_as_those_of_ip_link() -> None:
    box = recorded()
    first, second, *_ = names_of(box, "gpu-001")
    lag(box, "gpu-001", "bond0", first, second)
    remarks = [each.text for each in imported(box).remarks]
    assert [
        each.startswith(f"bond0 of {first}, {second} on gpu-001: an inventory has no bond")
        for each in remarks
    ]


def test_an_mtu_of_record_that_the_card_does_not_have_is_a_contradiction() -> None:
    box = recorded()
    port(box, "gpu-001", names_of(box, "gpu-001")[0])["mtu"] = 1500
    (conflict,) = imported(box).conflicts
    assert "mtu: " in str(conflict)
    assert "or 1500 (dcim-interfaces.json:" in str(conflict)


@pytest.mark.parametrize(
    ("platform", "why"),
    [
        ("", "netplan leaves such a port as it is, links can only enable it"),
        ("Arista EOS", "netplan leaves such a port as it is, links can only enable it"),
        (
            "Cisco NX-OS",
            "the first render enables it, as every port with a link: remove the link to keep it down",
        ),
    ],
)
def test_cabled_ports_that_are_disabled_are_told_once(platform: str, why: str) -> None:
    box = recorded()
    if platform:
        box.known["dcim/devices", "leaf-1"]["platform"] = {
            "id": 9,
            "name": platform,
            "slug": platform.lower(),
        }
    for name in ("Ethernet0", "Ethernet4"):
        port(box, "leaf-1", name)["enabled"] = False
    (remark,) = [each for each in imported(box).remarks if "disabled" in each.text]
    assert remark.text == f"leaf-1 Ethernet0 is disabled: {why} (and 1 more)"


def test_ports_that_carry_all_vlans_are_told_once() -> None:
    box = recorded()
    for name in ("Ethernet0", "Ethernet4"):
        port(box, "leaf-1", name).update({"tagged_vlans": [], "mode": {"value": "tagged-all"}})
    told = [each.text for each in imported(box).remarks if "tagged-all" in each.text]
    why = "all VLANs (tagged-all) are not taken, as the record does not list them"
    assert told == [f"leaf-1 Ethernet0: {why} (and 1 more)"]


def prefixed(*prefixes: str) -> Imported:
    """With a gateway 10.1.0.1/24 on leaf-1 in VLAN 100, and prefixes of that VLAN."""
    box = recorded()
    interface(box, "leaf-1", "Vlan100", "virtual")
    address(box, "leaf-1", "Vlan100", "10.1.0.1/24")
    vlan = box.brief(box.known["ipam/vlans", "100"], "vid", "name")
    for text in prefixes:
        box.new("ipam/prefixes", text, prefix=text, vlan=vlan)
    return imported(box)


def test_a_prefix_that_is_not_that_of_the_gateway_is_a_contradiction() -> None:
    (conflict,) = [str(each) for each in prefixed("10.1.0.0/23").conflicts if "prefix" in str(each)]
    assert conflict.startswith("VLAN 100 has prefix 10.1.0.0/23 (ipam-prefixes.json:")
    assert ", its interface on leaf-1 10.1.0.1/24 (ipam-ip-addresses.json:" in conflict


def test_a_prefix_without_an_interface_beside_others_is_told() -> None:
    result = prefixed("10.1.0.0/24", "10.7.0.0/24")
    assert [str(each) for each in result.conflicts if "prefix" in str(each)] == []
    (remark,) = [each.text for each in result.remarks if "prefix" in each.text]
    why = "no VLAN interface in the dumps is in it, and others of its VLAN are"
    assert remark == f"prefix of VLAN 100 '10.7.0.0/24': {why}"


def shared(box: NetBox, panel: bool) -> tuple[str, str]:
    """A cable from leaf-1 Ethernet0 to the hosts of Ethernet0 and Ethernet4, which are returned."""
    by_port: dict[str, tuple[Object, Object]] = {}
    for cable in box.models["dcim/cables"]:
        ends = [cable[f"{side}_terminations"][0]["object"] for side in "ab"]
        for own, far in (ends, ends[::-1]):
            if own["device"]["name"] == "leaf-1" and own["name"] in ("Ethernet0", "Ethernet4"):
                by_port[own["name"]] = (cable, far)
    (cable, one), (other, two) = by_port["Ethernet0"], by_port["Ethernet4"]
    box.models["dcim/cables"].remove(other)
    for side in "ab":
        if cable[f"{side}_terminations"][0]["object"]["device"]["name"] != "leaf-1":
            ends = [
                {"object_type": "dcim.interface", "object_id": far["id"], "object": far} for far in (one, two)
            ]
            cable[f"{side}_terminations"] = ends
        else:
            cable[f"{side}_terminations"][0]["object_type"] = "dcim.interface"
    for key in ("cable", "connected_endpoints"):
        port(box, "leaf-1", "Ethernet4").pop(key, None)
    near = box.brief(port(box, "leaf-1", "Ethernet0"), "name") | {
        "device": port(box, "leaf-1", "Ethernet0")["device"]
    }
    for far in (one, two):
        own = port(box, far["device"]["name"], far["name"])
        own["cable"] = box.brief(cable)
        own |= {"connected_endpoints": [near], "connected_endpoints_type": "dcim.interface"} if panel else {}
    if panel:
        port(box, "leaf-1", "Ethernet0")["connected_endpoints"] = [one, two]
    return one["device"]["name"], two["device"]["name"]


@pytest.mark.parametrize("panel", [False, True])
def test_a_breakout_cable_of_record_asks_for_the_parts_of_the_port(panel: bool) -> None:
    box = recorded(panel=panel)
    hosts = shared(box, panel)
    result = imported(box)
    assert hosts == ("gpu-001", "gpu-002")
    (row,) = [row for row in data(result)["links"] if row.get("ports") == "TODO"]
    assert (row["hosts"], row["switch"]) == ("gpu-[001-002]", "leaf-1")
    line = next(line for line in result.text.splitlines() if "ports: TODO" in line)
    assert "TODO: ports; parts of Ethernet0, whose record has several ends, dcim-" in line
    assert (result.conflicts, data(result)["rails"]["vlan_ids"]) == ((), "100-103")


def test_hosts_on_parts_of_a_port_are_no_missing_cables() -> None:
    box = recorded()
    shared(box, panel=False)
    rows = said(into(SITE, of(box)), "gone")
    assert [row for row in rows if "Ethernet0" in row] == []


def test_a_breakout_cable_between_switches_is_told() -> None:
    box = recorded()
    spines = [port(box, name, "Ethernet0") for name in ("spine-1", "spine-2")]
    own = port(box, "leaf-1", "Ethernet64")
    own |= {"connected_endpoints": spines, "connected_endpoints_type": "dcim.interface"}
    result = imported(box)
    (remark,) = [each.text for each in result.remarks if "several ends" in each.text]
    assert remark.startswith(
        "leaf-1 Ethernet64: a cable with several ends, spine-1 Ethernet0, spine-2 Ethernet0: "
    )


def test_any_list_of_far_ends_is_no_crash() -> None:
    odds: list[Any] = [[None, 1], [{}, {}], [{"device": []}], "x", [[]]]
    for odd in odds:
        box = recorded()
        port(box, "leaf-1", "Ethernet0")["connected_endpoints"] = odd
        box.models["dcim/cables"][0]["a_terminations"] = odd
        assert imported(box).hosts == 20
