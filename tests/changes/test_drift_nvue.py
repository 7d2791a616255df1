"""What a Cumulus switch runs in other words than netplan writes is read as what it means; what undoes
netplan's settings is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import yaml

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift, drift
from netplan.changes.ran import Ran
from netplan.changes.switches import files_of
from netplan.load import InputError
from netplan.nos import shipped
from tests.test_diff import running, vendors

LEAF = "leaf-2"
Tree = dict[str, Any]
BGP = "vrf.default.router.bgp"


def tree() -> Tree:
    """What the switch runs with netplan's files."""
    found: Tree = yaml.safe_load(running("cumulus-nvue", files_of(vendors(), LEAF)))[0]["set"]
    return found


def commands(at: Any, path: tuple[str, ...] = ("nv", "set")) -> list[str]:
    """``nv config show -o commands``"""
    if not isinstance(at, dict) or not at:
        return [" ".join(path if at == {} else (*path, str(at)))]
    return [line for key, value in at.items() for line in commands(value, (*path, str(key)))]


FORMS: Mapping[str, Callable[[Tree], str]] = {
    "yaml": lambda found: yaml.safe_dump([{"header": {"model": "MSN3700"}}, {"set": found}], sort_keys=False),
    "json": lambda found: json.dumps([{"header": {"model": "MSN3700"}}, {"set": found}], indent=1),
    "tree": lambda found: yaml.safe_dump({"header": {"model": "MSN3700"}, **found}, sort_keys=False),
    "commands": lambda found: "\n".join(commands(found)),
}


def told(found: Tree, form: str = "yaml") -> Drift:
    text = FORMS[form](found)
    return drift(vendors(), facts_of(vendors()), {LEAF: Ran(LEAF, text)}, shipped())


def said(found: Tree, form: str = "yaml") -> list[str]:
    return [one.change for one in told(found, form).found]


def at(found: Tree, path: str) -> Any:
    for key in path.split("."):
        found = found[key]
    return found


def put(found: Tree, path: str, value: object) -> None:
    *above, last = path.split("/") if "/" in path else path.split(".")
    for key in above:
        found = found.setdefault(key, {})
    found[last] = value


def folded(found: Tree) -> None:
    ports = found["interface"]
    first = ports["swp1"]
    for number in range(1, 5):
        del ports[f"swp{number}"]
    ports["swp1-2,swp3-4"] = first


def vrf_numbers(found: Tree) -> None:
    at(found, BGP)["autonomous-system"] = found["router"]["bgp"].pop("autonomous-system")
    at(found, BGP)["router-id"] = found["router"]["bgp"].pop("router-id")


def grouped(found: Tree, number: object = 4200000001, **more: object) -> None:
    at(found, BGP)["peer-group"] = {"spines": {"remote-as": number, **more}}
    for neighbour in at(found, BGP)["neighbor"].values():
        del neighbour["remote-as"]
        neighbour["peer-group"] = "spines"


SAME: Mapping[str, Callable[[Tree], None]] = {
    "netplan's own settings": lambda found: None,
    "ports with equal settings under one name": folded,
    "AS number and router ID of the VRF": vrf_numbers,
    "an AS number of a peer group": grouped,
    "pause frames sent and received": lambda found: at(found, "qos.pfc.default-global").update(
        {"tx": "enable", "rx": "enable"}
    ),
    "a port that is whole": lambda found: at(found, "interface.swp1.link").update({"breakout": {"1x": {}}}),
    "a profile that no port has": lambda found: found["qos"]["pfc"].update(
        {"P": {"switch-priority": {"4": {}}}}
    ),
    "a profile of an unplanned port": lambda found: found["interface"].update(
        {"swp60": {"qos": {"pfc": {"profile": "P"}}}}
    ),
    "the address family that is on as shipped": lambda found: at(found, BGP)["neighbor"][
        "172.31.0.65"
    ].update({"address-family": {"ipv4-unicast": {"enable": "on"}}}),
    "more equal paths than as shipped": lambda found: at(found, BGP)["address-family"]["ipv4-unicast"].update(
        {"multipaths": {"ebgp": 128}}
    ),
    "a bond of unplanned ports": lambda found: found["interface"].update(
        {"bond1": {"bond": {"member": {"swp60": {}}}}}
    ),
    "a RoCE profile without its mode": lambda found: found["qos"]["roce"].pop("mode"),
}


@pytest.mark.parametrize("form", [*FORMS])
@pytest.mark.parametrize("what", [*SAME])
def test_as_planned_in_other_words(what: str, form: str) -> None:
    found = tree()
    SAME[what](found)
    assert said(found, form) == []


UNTOLD_VLAN = "interface swp1 bridge domain br_default: vlan 101"
OTHER: Mapping[str, tuple[str, object, list[str]]] = {
    "another AS number of the VRF": (f"{BGP}.autonomous-system", 65001, ["AS number 65001 -> 4200000101"]),
    "another router ID of the VRF": (
        f"{BGP}.router-id", "10.9.9.9", ["vrf default router bgp router-id: 10.9.9.9 -> 172.31.255.2"],
    ),
    "a port with all VLANs": (
        "interface.swp1.bridge.domain.br_default.vlan", {"all": {}},
        ["not planned: interface swp1 bridge domain br_default: vlan all", f"missing: {UNTOLD_VLAN}"],
    ),
    "no pause frames": ("qos.pfc.default-global.tx", "disable",
                        ["not planned: qos pfc default-global tx: disable"]),
    "pause frames that are ignored": (
        "qos.pfc.default-global.rx", "disable", ["not planned: qos pfc default-global rx: disable"],
    ),
    "a PFC profile of a port": (
        "interface.swp1.qos.pfc", {"profile": "P"}, ["not planned: interface swp1 qos pfc profile: P"],
    ),
    "a scheduler of a routed port": (
        "interface.swp17.qos", {"egress-scheduler": {"profile": "P"}},
        ["not planned: interface swp17 qos egress-scheduler profile: P",
         "PFC watchdog none, detection 200 ms -> 0-7, detection 200 ms on swp17"],
    ),
    "link pause": (
        "interface.swp1.qos.link-pause", {"profile": "P"},
        ["not planned: interface swp1 qos link-pause profile: P"],
    ),
    "remarking": (
        "qos.remark.default-global.rewrite", "l3", ["not planned: qos remark default-global rewrite: l3"],
    ),
    "another VRF": ("interface.swp17.ip.vrf", "RED", ["not planned: interface swp17 ip vrf: RED"]),
    "a port in parts": (
        "interface.swp1.link.breakout", {"4x": {}}, ["not planned: interface swp1: link breakout 4x"],
    ),
    "a port in parts, with lanes": (
        "interface.swp1.link.breakout", {"4x": {"lanes-per-port": 2}},
        ["not planned: interface swp1 link breakout 4x lanes-per-port: 2"],
    ),
    "a bond": (
        "interface.bond1.bond.member", {"swp1-2": {}},
        ["not planned: interface bond1 bond member swp1", "not planned: interface bond1 bond member swp2"],
    ),
    "one path": (
        f"{BGP}.address-family.ipv4-unicast.multipaths.ebgp", 1,
        ["not planned: vrf default router bgp address-family ipv4-unicast multipaths ebgp: 1"],
    ),
    "no LLDP": ("system.lldp.state", "disabled", ["not planned: system lldp state: disabled"]),
    "a VLAN interface with another VLAN": (
        "interface.vlan101.vlan", 102, ["interface vlan101 vlan: 102 -> 101"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", [*OTHER])
def test_what_differs_is_told(what: str) -> None:
    path, value, expected = OTHER[what]
    found = tree()
    put(found, path, value)
    assert sorted(said(found)) == sorted(expected)


def test_a_port_without_vlans_has_those_of_the_bridge() -> None:
    found = tree()
    del at(found, "interface.swp1.bridge.domain.br_default")["vlan"]
    assert said(found) == [f"missing: {UNTOLD_VLAN}"]
    put(found, "bridge.domain.br_default.vlan", {"101": {}, "102": {}})
    assert "VLANs of ports, not planned: 102 on swp1" in said(found)


@pytest.mark.parametrize("form", [*FORMS])
def test_an_as_number_of_a_group_that_is_any(form: str) -> None:
    found = tree()
    grouped(found, "external")
    assert said(found, form) == ["AS of BGP neighbour 172.31.0.[65-71/2] not stated -> 4200000001"]


@pytest.mark.parametrize("form", ["yaml", "json", "tree"])
def test_settings_of_a_group_are_those_of_its_neighbours(form: str) -> None:
    found = tree()
    grouped(found, timers={"hold": 9})
    (one,) = told(found, form).found
    assert one.change == "not planned: vrf default router bgp neighbor 172.31.0.[65-71/2] timers hold: 9"
    lines = FORMS[form](found).splitlines()
    assert lines[int(one.place.rpartition(":")[2]) - 1].strip().replace('"', "") == "hold: 9"


@pytest.mark.parametrize("form", [*FORMS])
def test_qos_roce_alone_stands_for_its_classes(form: str) -> None:
    found = tree()
    found["qos"] = {"roce": {"enable": "on", "mode": "lossless"}}
    drifted, ecn = told(found, form), "queue 3 150,000 to 1,500,000 bytes"
    kinds = [one.change.partition(":")[0].partition(" 24")[0] for one in drifted.found]
    assert kinds == [
        "cable length of the headroom not stated -> 40 m on all 8 ports",
        "queues of DSCP",
        "priority groups of DSCP 8",
        f"ECN {ecn}, 100 % -> {ecn}, 20 % on all 8 ports",
        "PFC watchdog 0-7 -> 0-7, detection 200 ms on all 8 ports",
        "missing",
    ]
    (_, note) = drifted.notes
    assert "does not show, as missing or as default: " in note
    assert "qos mapping default-global trust: both" in note
    last = len(FORMS[form](found).splitlines())
    places = [one.place.rpartition(":")[2] for one in drifted.found if ":" in one.place]
    assert all(int(place) <= last for place in places)


@pytest.mark.parametrize(
    "roce", [{"enable": "off"}, {"state": "disabled"}, {"enable": "on", "mode": "lossy"}]
)
def test_qos_roce_of_another_kind_stands_for_nothing(roce: Tree) -> None:
    found = tree()
    found["qos"] = {"roce": roce}
    assert "PFC none -> 3 on all 8 ports" in said(found)


@pytest.mark.parametrize("line", ["nv set", "nv set ", "nv"])
def test_a_line_that_is_cut_off_is_named(line: str) -> None:
    lines = [*commands(tree()), line]
    with pytest.raises(InputError, match=f"^leaf-2:{len(lines)}: the line is cut off$"):
        drift(vendors(), facts_of(vendors()), {LEAF: Ran(LEAF, "\n".join(lines))}, shipped())


def test_a_line_beside_qos_roce_changes_its_own_setting_alone() -> None:
    found = tree()
    own = {"3": {"switch-priority": 3}, "26": {"switch-priority": 3}, "48": {"switch-priority": 6}}
    weights = {"0": {"bw-percent": 10}, "3": {"bw-percent": 90}}
    found["qos"] |= {
        "roce": {"cable-length": 40, "enable": "on", "mode": "lossless"},
        "mapping": {"default-global": {"dscp": own}},
        "egress-scheduler": {"default-global": {"traffic-class": weights}},
    }
    changes = said(found, "commands")
    assert [each for each in changes if each.startswith("queues of DSCP 3: 3 -> 0, 24: 3 -> 0")]
    assert [each for each in changes if "90" in each and "50" in each]
    assert not [each for each in changes if each.startswith("strict")]


def test_neighbour_ages_are_in_no_dump() -> None:
    (note,) = told(tree(), "commands").notes
    assert note.startswith("leaf-2: arp.conf, interfaces.yaml, roce.yaml not compared")


@pytest.mark.parametrize("form", ["yaml", "commands"])
def test_the_line_of_an_address_that_is_replaced(form: str) -> None:
    found = tree()
    put(found, "interface/vlan101/ip/address", {"172.16.33.2/24": {}})
    (one,) = told(found, form).found
    assert one.change == "address replaced: 172.16.33.2/24 -> 172.16.33.1/24 VLAN 101"
    assert "172.16.33.2/24" in FORMS[form](found).splitlines()[int(one.place.rpartition(":")[2]) - 1]
