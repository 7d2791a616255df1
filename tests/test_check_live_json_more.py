"""``check-live``: JSON of switches that states more than the plan, or a part of a list."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from netplan.live.judge import Live
from tests.live_json import table
from tests.test_check_live_json import live, outputs, switch, told

Change = Callable[[Any], None]


def with_change(file: str, change: Change, command: str = "") -> Live:
    """``command``: behind the prompt of the switch, none without one."""
    data = json.loads(outputs(file[:6])[file])
    change(data)
    prompt = f"admin@{file[:6]}:~$ {command}\n" if command else ""
    return live({file: prompt + json.dumps(data)})


def eos_port(data: Any, **values: str) -> None:
    data["interfaces"]["Ethernet1/1"].update(values)


def nxos_port(data: Any, **values: str) -> None:
    data["TABLE_interface"]["ROW_interface"][0].update(values)


def nxos_vlan(data: Any, number: int, **values: Any) -> None:
    data["TABLE_vlanbrief"]["ROW_vlanbrief"][number].update(values)


def nxos_queue(data: Any, **values: Any) -> None:
    data["TABLE_module"]["ROW_module"]["TABLE_queuing_interface"]["ROW_queuing_interface"][0].update(values)


def nxos_group(data: Any, group: str, times: str) -> None:
    """One more group, whose watchdog has shut it down so often."""
    ports = data["TABLE_module"]["ROW_module"]["TABLE_queuing_interface"]["ROW_queuing_interface"]
    entry = table("qosgrp_stats_entry", [{"q-shutdown": times}], native=True)
    ports[0]["TABLE_qosgrp_stats"]["ROW_qosgrp_stats"].append({"eq-qosgrp": group, **entry})


LOOPBACK = "172.31.255.5"
"""Of leaf-5, a planned switch."""
PEER = {"peerState": "Established", "peerAsn": "65001"}
MORE: list[tuple[str, Change, str]] = [
    ("leaf-4-vlans.json", lambda d: d["vlans"]["1"]["interfaces"].update({"Ethernet1/1": {}}),
     "1 Ethernet1/1 member: , yes"),
    ("leaf-4-vlans.json", lambda d: d["vlans"]["103"]["interfaces"].update({"Port-Channel7": {}, "Cpu": {}}),
     "103 Port-Channel7 member: , yes"),
    ("leaf-4-vlans.json", lambda d: d["vlans"]["103"].update(status="suspended"),
     "103 state: active, suspended"),
    ("leaf-4-ports.json",
     lambda d: eos_port(d, forwardingModel="dataLink", interfaceMembership="Member of Po7"),
     "Ethernet1/1 mode: bridged, Member of Po7"),
    ("leaf-4-ports.json", lambda d: eos_port(d, forwardingModel="routed", mtu="9100"),
     "Ethernet1/1 mode: bridged, routed"),
    ("leaf-4-bgp.json", lambda d: d["vrfs"]["default"]["peers"].update({LOOPBACK: PEER}),
     f"{LOOPBACK} session: , established"),
    ("leaf-4-bgp.json", lambda d: d["vrfs"]["default"]["peers"].update({"10.9.9.9": PEER}), ""),
    ("leaf-4-bgp.json", lambda d: d["vrfs"].update(RED={"peers": {LOOPBACK: PEER}}), ""),
    ("leaf-5-vlans.json", lambda d: nxos_vlan(d, 1, **{"vlanshowplist-ifidx": "Ethernet1/1,Ethernet1/30"}),
     "1 Ethernet1/1 member: , yes"),
    ("leaf-5-vlans.json",
     lambda d: nxos_vlan(d, 0, **{"vlanshowplist-ifidx": "Ethernet1/1-4,Ethernet1/600-601"}),
     "104 Ethernet1/600 member: , yes; 104 Ethernet1/601 member: , yes"),
    ("leaf-5-vlans.json", lambda d: nxos_vlan(d, 0, **{"vlanshowbr-shutstate": "shutdown"}),
     "104 state: active, shutdown"),
    ("leaf-5-ports.json", lambda d: nxos_port(d, eth_bundle="Po7"), "Ethernet1/1 mode: trunk, Po7"),
    ("leaf-5-ports.json", lambda d: nxos_port(d, eth_mode="access"), "Ethernet1/1 mode: trunk, access"),
    ("leaf-5-queues.json",
     lambda d: nxos_queue(d, if_name_str="Ethernet1/1 Interface PFC watchdog: [Disabled]"),
     "Ethernet1/1 watchdog: enabled, disabled"),
    ("leaf-5-queues.json", lambda d: nxos_group(d, "4 [Active]", "2"), "Ethernet1/1:4 times: 0, 2"),
    ("leaf-5-queues.json", lambda d: nxos_group(d, "4 [Active]", "0"), ""),
    ("leaf-2-vlans.json", lambda d: d[1]["vlans"].append({"vlan": 200}), "200 swp1 tagging: , tagged"),
    ("leaf-2-vlans.json", lambda d: d[0]["vlans"].append({"vlan": 101}), ""),
    ("leaf-2-vlans.json", lambda d: d.append({"ifname": "lo"}), ""),
    ("leaf-2-vlans.json", lambda d: d[1]["vlans"].append({"vlan": "x"}), ""),
    ("leaf-2-vlans.json", lambda d: d[1]["vlans"][0].update(flags=["PVID"]),
     "101 swp1 tagging: tagged, tagged with PVID"),
    ("leaf-2-vlans.json", lambda d: d[1]["vlans"][0].update(flags=["Egress Untagged"]),
     "101 swp1 tagging: tagged, untagged without PVID"),
    ("leaf-2-vlans.json", lambda d: d.append({"ifname": "bond7", "vlans": [{"vlan": 101}]}),
     "101 bond7 tagging: , tagged"),
    ("leaf-2-ports.json", lambda d: d["swp1"]["ip"]["address"].update({"10.1.1.1/24": {}}),
     "swp1 addresses: , 10.1.1.1/24"),
    ("leaf-2-ports.json", lambda d: d["swp17"]["ip"].update(address={"10.1.1.1/31": {}}),
     "swp17 addresses: {addresses}, 10.1.1.1/31"),
    ("leaf-2-ports.json", lambda d: d["vlan101"]["link"].update({"oper-status": "down"}),
     "101 oper: up, down"),
    ("leaf-2-roce.json", lambda d: d["pfc"].update({"tx-enabled": "disabled"}),
     "switch PFC tx: enabled, disabled"),
    ("leaf-2-roce.json", lambda d: d["trust"].update({"trust-mode": "pcp"}), "switch trust: dscp,pcp, pcp"),
    ("leaf-2-roce.json", lambda d: d["trust"].update({"trust-mode": "both"}), ""),
    ("leaf-2-roce.json", lambda d: d["pfc"].update({"pfc-priority": "3,x"}), ""),
    ("leaf-2-roce.json", lambda d: d["congestion-control"].update({"enabled-tc": "0"}),
     "traffic class 3 ECN: on, off"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "change", "wrong"), MORE, ids=[f"{n}-{one[0]}" for n, one in enumerate(MORE)]
)
def test_what_is_more_than_planned(file: str, change: Change, wrong: str) -> None:
    addresses = " ".join(str(a) for p in switch("leaf-2").ports if p.name == "swp17" for a in p.addresses)
    assert "; ".join(told(with_change(file, change))) == wrong.format(addresses=addresses)


def without_a_member(data: Any) -> None:
    if isinstance(data, list):
        data.pop()
    elif "vlans" in data:
        del data["vlans"]["103"]["interfaces"]["Ethernet2/1"]
    else:
        nxos_vlan(data, 0, **{"vlanshowplist-ifidx": "Ethernet1/1"})


def without_the_sign_of_all(data: Any) -> None:
    """VLAN 1, or the bridge itself."""
    without_a_member(data)
    if isinstance(data, list):
        del data[0]
    elif "vlans" in data:
        del data["vlans"]["1"]
    else:
        del data["TABLE_vlanbrief"]["ROW_vlanbrief"][1]


LISTS = [
    ("leaf-4-vlans.json", "show vlan | json", "show vlan 103 | json"),
    ("leaf-5-vlans.json", "show vlan | json", "show vlan id 104 | json"),
    ("leaf-2-vlans.json", "bridge -j vlan show", "bridge -j vlan show dev swp1"),
]


@pytest.mark.parametrize(("file", "all_of_it", "part"), LISTS)
def test_of_a_part_of_a_list_nothing_is_missing(file: str, all_of_it: str, part: str) -> None:
    assert {w.found for w in with_change(file, without_a_member, all_of_it).wrong} == {"no row"}
    assert told(with_change(file, without_a_member, part)) == []
    assert told(with_change(file, without_the_sign_of_all)) == []


@pytest.mark.parametrize("left", [1, 2])
def test_one_neighbour_of_junos_may_be_the_one_that_was_asked_for(left: int) -> None:
    def few(data: Any) -> None:
        del data["bgp-information"][0]["bgp-peer"][left:]

    missing = [str(n.address) for n in switch("leaf-6").neighbours][left:] if left > 1 else []
    found = with_change("leaf-6-bgp.json", few)
    assert [one.claim.subject for one in found.wrong if one.claim.field == "session"] == missing


@pytest.mark.parametrize(("vrf", "ok"), [("RED", False), ("default", True)])
def test_neighbours_of_nvue_belong_to_the_vrf_in_the_command(vrf: str, ok: bool) -> None:
    peers = {
        str(n.address): {"remote-as": n.remote_as, "state": "established"}
        for n in switch("leaf-2").neighbours
    }
    command = f"nv show vrf {vrf} router bgp neighbor -o json"
    found = live({"leaf-2-bgp.json": f"admin@leaf-2:~$ {command}\n{json.dumps(peers)}"})
    assert bool(found.judged) == ok
    assert told(found) == []
    assert found.unread == (
        () if ok else (("leaf-2-bgp.json", "BGP summary of RED, not of the default VRF"),)
    )


@pytest.mark.parametrize("name", ["leaf-2", "leaf-4", "leaf-5", "leaf-6"])
def test_as_numbers_in_asdot_are_the_same_numbers(name: str) -> None:
    file = f"{name}-bgp.json"
    text, numbers = outputs(name)[file], {switch(name).asn, *(n.remote_as for n in switch(name).neighbours)}
    for number in numbers:
        text = text.replace(f'"{number}"', str(number)).replace(
            str(number), f'"{number >> 16}.{number & 65535}"'
        )
    found = live({file: text})
    assert told(found) == []
    assert sum(one.outcome == "ok" for one in found.judged) == 2 + 2 * len(switch(name).neighbours)


def test_a_list_of_no_sessions_of_nxos_is_one_of_all() -> None:
    def none(data: Any) -> None:
        unicast = data["TABLE_vrf"]["ROW_vrf"]["TABLE_af"]["ROW_af"][0]["TABLE_saf"]["ROW_saf"]
        unicast.update({"configuredpeers": 0, **table("neighbor", [], native=True)})

    assert {w.found for w in with_change("leaf-5-bgp.json", none).wrong} == {"no row"}


@pytest.mark.parametrize("name", ["leaf-2", "leaf-4", "leaf-5", "leaf-6"])
def test_json_that_is_cut_off_says_nothing(name: str) -> None:
    for file, text in outputs(name).items():
        for part in range(1, 12) if file.endswith(".json") else ():
            found = live({file: text[: len(text) * part // 12]})
            assert found.judged == ()
            assert [each for each, _ in found.unread] == [file]
            assert ": not JSON: " in found.unread[0][1]


def test_a_port_that_is_there_twice_is_told() -> None:
    text = outputs("leaf-4")["leaf-4-ports.json"].replace('"Ethernet2/1": {', '"Ethernet1/1": {', 1)
    assert live({"leaf-4-ports.json": text}).unread == (
        ("leaf-4-ports.json", "line 11: a key appears twice, the last counts"),
    )


def of_red(data: Any) -> None:
    if "vrfs" in data:
        data["vrfs"]["RED"] = data["vrfs"].pop("default")
    elif "TABLE_vrf" in data:
        data["TABLE_vrf"]["ROW_vrf"]["vrf-name-out"] = "RED"
    elif "ipv4Unicast" in data:
        data["ipv4Unicast"].update(vrfName="RED", vrfId=7)
    else:
        for peer in data["bgp-information"][0]["bgp-peer"]:
            peer["peer-cfg-rti"] = [{"data": "RED"}]


@pytest.mark.parametrize("name", ["leaf-2", "leaf-4", "leaf-5", "leaf-6"])
def test_sessions_of_another_vrf_are_none_of_the_plan(name: str) -> None:
    found = with_change(f"{name}-bgp.json", of_red)
    assert found.judged == ()
    ((_, why),) = found.unread
    assert why.endswith(": BGP summary of RED, not of the default VRF")


def test_broken_json_of_a_host_is_told() -> None:
    found = live({"gpu-1/ip.json": '[{"ifindex": 1, "ifname": "ens1f0np0", "mtu": 9000'})
    why = "line 1: not JSON: the end of the file where a comma or } belongs"
    assert found.unread == (("gpu-1/ip.json", why),)


@pytest.mark.parametrize("name", ["leaf-2", "leaf-4", "leaf-5", "leaf-6"])
def test_what_a_file_would_show_is_not_seen_without_it(name: str) -> None:
    """As many values as are ok with the file alone, but those that are compared only where they are shown."""
    texts = outputs(name)
    for file in texts:
        alone = live({file: texts[file]})
        rest = live({each: text for each, text in texts.items() if each != file})
        ok = {
            (one.claim.kind, one.claim.subject, one.claim.field)
            for one in alone.judged
            if one.outcome == "ok"
        }
        missed = {(one.claim.kind, one.claim.subject, one.claim.field) for one in rest.not_seen}
        assert missed <= ok
        assert {field for _, _, field in ok - missed} <= IF_SHOWN


IF_SHOWN = {"state", "oper", "watchdog", "trust", "PFC rx", "PFC tx", "cable length", "ECN", "VRF"}


EMPTY = [
    ("leaf-4", "show bgp summary | json", '{"vrfs": {}}'),
    ("leaf-4", "", '{"vrfs": {}, "warnings": ["BGP inactive"]}'),
    ("leaf-2", "nv show vrf default router bgp neighbor -o json", "{}"),
]


@pytest.mark.parametrize(("name", "command", "text"), EMPTY)
def test_an_answer_without_any_session_is_one_of_none(name: str, command: str, text: str) -> None:
    prompt = f"admin@{name}:~$ "
    found = live({f"{name}-bgp.txt": f"{prompt}{command}\n{text}\n{prompt}\n" if command else text})
    assert {(one.claim.kind, one.found) for one in found.wrong} == {("bgp", "no row")}


@pytest.mark.parametrize(
    "command", ["", "show vrf | json", "show bgp summary vrf RED | json", "show bgp neighbors 10.0.0.1"]
)
def test_an_empty_answer_to_another_question_says_nothing(command: str) -> None:
    text = '{"vrfs": {}}'
    found = live({"leaf-4-x.txt": f"leaf-4# {command}\n{text}\nleaf-4#\n" if command else text})
    assert found.judged == ()
