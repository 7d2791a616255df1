"""``check-live``: JSON output of EOS, NX-OS, Cumulus and Junos compared with a plan that has all of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from netplan import resources
from netplan.live.judge import Live, judged
from netplan.live.model import OUTPUTS
from netplan.live.read import read_outputs
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.pipeline import run
from tests import live_json

SITE = resources.inventories() / "multi-vendor.yaml"
NOSES = sorted(OUTPUTS.keys() - {"sonic"})
BY_NOS = {"cumulus-nvue": "leaf-2", "arista-eos": "leaf-4", "cisco-nxos": "leaf-5", "juniper-junos": "leaf-6"}


@cache
def plan() -> Plan:
    found = run([str(SITE)], upto="plan").plan
    assert found is not None
    return found


def switch(name: str) -> SwitchPlan:
    return next(one for one in plan().switches if one.name == name)


def outputs(name: str) -> dict[str, str]:
    shown = live_json.of(switch(name), plan()).items()
    return {file: data if isinstance(data, str) else json.dumps(data, indent=1) for file, data in shown}


def live(texts: Mapping[str, str]) -> Live:
    return judged(plan(), read_outputs(texts, plan()))


def told(found: Live) -> list[str]:
    return [f"{w.claim.subject} {w.claim.field}: {w.claim.expected}, {w.found}" for w in found.wrong]


@pytest.mark.parametrize("nos", NOSES)
def test_outputs_of_the_plan_are_ok_in_every_value(nos: str) -> None:
    found = live(outputs(BY_NOS[nos]))
    assert found.wrong == ()
    assert found.not_seen == ()
    assert found.unread == ()
    assert {one.claim.kind for one in found.judged} == OUTPUTS[nos].commands.keys()
    assert {verdict.outcome for verdict in found.verdicts} == {"ok"}


EDITS = [
    ("leaf-2-lldp.json", '-name": "gpu-1', '-name": "gpu-2', "swp1 peer: gpu-1, gpu-2 ens2f0np0"),
    ("leaf-2-ports.json", '"oper-status": "up"', '"oper-status": "down"', "swp1 oper: up, down"),
    ("leaf-2-ports.json", '"admin-status": "up"', '"admin-status": "down"', "swp1 admin: up, down"),
    ("leaf-2-ports.json", '"speed": "100G"', '"speed": "40G"', "swp1 speed: 100G, 40G"),
    ("leaf-2-ports.json", '"mtu": 9100', '"mtu": 9216', "swp1 mtu: 9100, 9216"),
    ("leaf-2-vlans.json", '"vlan": 101', '"vlan": 999',
     "101 swp1 tagging: tagged, no row; 999 swp1 tagging: , tagged"),
    ("leaf-2-bgp.json", '"Established"', '"Connect"', "{peer} session: established, connect"),
    ("leaf-2-roce.json", '"lossless"', '"lossy"', "switch mode: lossless, lossy"),
    ("leaf-2-roce.json", '"ECN"', '"RED"', "switch congestion mode: ECN, RED"),
    ("leaf-2-roce.json", '"pfc-priority": "3"', '"pfc-priority": "4"', "switch PFC priorities: 3, 4"),
    ("leaf-4-ports.json", '"connected"', '"disabled"', "Ethernet1/1 admin: up, down"),
    ("leaf-4-ports.json", '"lineProtocolStatus": "up"', '"lineProtocolStatus": "notPresent"',
     "Ethernet1/1 oper: up, notPresent"),
    ("leaf-4-ports.json", "100000000000", "40000000000", "Ethernet1/1 speed: 100G, 40G"),
    ("leaf-4-ports.json", '"mtu": 9100', '"mtu": 1500', "Ethernet17/1 mtu: 9100, 1500"),
    ("leaf-4-vlans.json", '"Ethernet1/1"', '"Ethernet9/1"',
     "103 Ethernet1/1 member: yes, no row; 103 Ethernet9/1 member: , yes"),
    ("leaf-4-bgp.json", '"Established"', '"Active"', "{peer} session: established, active"),
    ("leaf-5-ports.json", '"state": "up"', '"state": "down"', "Ethernet1/1 oper: up, down"),
    ("leaf-5-ports.json", '"admin_state": "up"', '"admin_state": "down"', "Ethernet1/1 admin: up, down"),
    ("leaf-5-ports.json", "100 Gb/s", "40 Gb/s", "Ethernet1/1 speed: 100G, 40G"),
    ("leaf-5-ports.json", '"eth_mtu": "9100"', '"eth_mtu": "1500"', "Ethernet1/1 mtu: 9100, 1500"),
    ("leaf-5-vlans.json", "Ethernet1/1,Ethernet1/2", "Ethernet1/2-3", "104 Ethernet1/1 member: yes, no row"),
    ("leaf-5-mac.json", '"age": "', '"age": "9', "table age: {mac}, 9{mac}"),
    ("leaf-5-pfc.json", '"oper": "On"', '"oper": "Off"', "Ethernet1/1 oper: on, off"),
    ("leaf-5-queues.json", '"q-shutdown": "0"', '"q-shutdown": "2"', "Ethernet1/1:3 times: 0, 2"),
    ("leaf-5-bgp.json", '"Established"', '"Idle"', "{peer} session: established, idle"),
    ("leaf-6-ports.json", '"up"', '"down"', "et-0/0/1 admin: up, down"),
    ("leaf-6-ports.json", '"100Gbps"', '"40Gbps"', "et-0/0/1 speed: 100G, 40G"),
    ("leaf-6-ports.json", '"9118"', '"1514"', "et-0/0/1 mtu: 9118, 1514"),
    ("leaf-6-vlans.json", '"tagged"', '"untagged"', "105 et-0/0/1 tagging: tagged, untagged"),
    ("leaf-6-vlans.json", '"Active"', '"Inactive"', "105 state: active, inactive"),
    ("leaf-6-vlans.json", "et-0/0/1.0*", "et-0/0/9.0*",
     "105 et-0/0/1 tagging: tagged, no row; 105 et-0/0/9 tagging: , tagged"),
    ("leaf-6-bgp.json", '"Established"', '"Active"', "{peer} session: established, active"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "before", "after", "expected"), EDITS, ids=lambda value: str(value)[:24])
def test_one_value_that_differs_is_found(file: str, before: str, after: str, expected: str) -> None:
    texts = outputs(file[:6])
    changed = texts[file].replace(before, after, 1)
    assert changed != texts[file]
    found = live({**texts, file: changed})
    there = switch(file[:6])
    assert "; ".join(told(found)) == expected.format(
        mac=there.arp.mac_wanted, peer=there.neighbours[0].address
    )
    assert found.wrong[0].at is not None
    assert found.wrong[0].at.file == file


Shape = Callable[[Any], Any]


def native(data: Any) -> Any:
    """Output as of ``| json native``: lists even for one row, numbers as numbers."""
    if isinstance(data, list):
        return [native(one) for one in data]
    if not isinstance(data, dict):
        return int(data) if isinstance(data, str) and data.isdecimal() else data
    return {
        key: [native(value)] if key.startswith("ROW_") and isinstance(value, dict) else native(value)
        for key, value in data.items()
    }


@pytest.mark.parametrize(
    ("file", "shape"),
    [
        *((f"leaf-5-{part}.json", native) for part in ("ports", "vlans", "bgp", "pfc", "queues")),
        ("leaf-2-bgp.json", lambda _: live_json.nvue_neighbours(switch("leaf-2"))),
        ("leaf-2-bgp.json", lambda data: data["ipv4Unicast"]),
        ("leaf-2-vlans.json", lambda data: {port["ifname"]: port["vlans"] for port in data}),
        ("leaf-4-ports.json", lambda data: {"interfaceDescriptions": data["interfaces"]}),
    ],
)
def test_other_forms_of_an_output(file: str, shape: Shape) -> None:
    texts = outputs(file[:6])
    texts[file] = json.dumps(shape(json.loads(texts[file])))
    found = live(texts)
    assert found.wrong == ()
    assert {one.claim.subject for one in found.not_seen} <= {"local"}


def test_a_port_of_nvue_with_its_state_as_an_object_and_an_address_by_family() -> None:
    """The formats before 5.5 and since 5.15."""
    data = live_json.nvue(switch("leaf-2"), plan())["ports.json"]
    for body in data.values():
        body.get("link", {}).pop("oper-status", None)
        body["ipv4"] = body.pop("ip")
    texts = outputs("leaf-2") | {"leaf-2-ports.json": json.dumps(data)}
    assert live(texts).wrong == ()
    assert live(texts).not_seen == ()


def test_what_junos_prints_behind_json_is_no_part_of_it() -> None:
    texts = {file: f"{text}\n\n{{master:0}}\n" for file, text in outputs("leaf-6").items()}
    found = live(texts)
    assert (found.wrong, found.not_seen, found.unread) == ((), (), ())


def test_a_summary_of_one_ip_version_says_nothing_of_the_other() -> None:
    """A neighbour of the other IP version is not reported as missing in the list."""
    planned = {str(n.address) for n in switch("leaf-2").neighbours}
    shown = outputs("leaf-2")["leaf-2-bgp.json"].replace("172.31.0", "2001:db8:")
    found = live({"leaf-2-bgp.json": shown.replace("ipv4Unicast", "ipv6Unicast")})
    assert not {one.claim.subject for one in found.wrong} & planned
    assert planned <= {one.claim.subject for one in found.not_seen}
    of_ipv4 = live({"leaf-2-bgp.json": shown})
    assert {one.claim.subject for one in of_ipv4.wrong if one.found == "no row"} == planned


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("sudo vtysh -c 'show bgp ipv4 unicast summary json'", 2),
        ("sudo vtysh -c 'show bgp ipv6 unicast summary json'", 0),
        ("sudo vtysh -c 'show bgp l2vpn evpn summary json'", 0),
        ("", 0),
    ],
)
def test_a_summary_without_its_address_family_is_of_what_the_command_asks_for(
    command: str, wrong: int
) -> None:
    data = json.loads(outputs("leaf-2")["leaf-2-bgp.json"])["ipv4Unicast"]
    data["peers"].pop("172.31.0.65")
    data["totalPeers"] = len(data["peers"])
    prompt = f"cumulus@leaf-2:~$ {command}\n" if command else ""
    found = live({"leaf-2-bgp.json": prompt + json.dumps(data)})
    assert [one.found for one in found.wrong] == ["no row"] * wrong
    assert command or "without heading and command" in found.unread[0][1]


def test_a_neighbour_that_a_whole_list_does_not_have_is_wrong() -> None:
    for name, key in (("leaf-2", "peers"), ("leaf-4", "peers")):
        texts = outputs(name)
        gone = str(switch(name).neighbours[0].address)
        data = json.loads(texts[f"{name}-bgp.json"])
        holder = next(iter(data.values()))
        del (holder.get("default") or holder)[key][gone]
        found = live({**texts, f"{name}-bgp.json": json.dumps(data)})
        assert {(one.claim.subject, one.found) for one in found.wrong} == {(gone, "no row")}


@pytest.mark.parametrize("nos", NOSES)
def test_broken_outputs_never_stop_it(nos: str) -> None:
    """Values of another shape, or truncated text: a value may be lost or added, but never a traceback."""
    chance = random.Random(14)
    junk: tuple[Any, ...] = (None, 7, "x", [], {}, [7], [[]], {"": {}}, True, {"data": [1]})

    def shaken(data: Any) -> Any:
        if chance.random() < 0.03:
            return chance.choice(junk)
        if isinstance(data, dict):
            return {key: shaken(value) for key, value in data.items()}
        return [shaken(one) for one in data] if isinstance(data, list) else data

    for file, text in outputs(BY_NOS[nos]).items():
        for _ in range(12):
            if file.endswith(".json"):
                live({file: json.dumps(shaken(json.loads(text)))})
            live({file: text[: chance.randrange(len(text))]})


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("x.json", '{"vrfs": {"default": []}}', "name the file after the switch"),
        ("leaf-2.json", '{"a": 1}', "no output that check-live reads"),
        ("leaf-9.json", '{"a": 1}', "huawei-vrp: this output is not read"),
        ("leaf-5.txt", "Ethernet1/1 is up\n", "cisco-nxos: this output is not read"),
    ],
)
def test_what_is_not_read_is_said(file: str, text: str, why: str) -> None:
    found = live({file: text})
    assert found.judged == ()
    assert why in found.unread[0][1]


def test_neighbours_of_which_none_has_a_name_are_told() -> None:
    info = {"systemName": "localhost", "neighborInterfaceInfo": {"interfaceId_v2": "ens1f0"}}
    data = {"lldpNeighbors": {"Ethernet1/1": {"lldpNeighborInfo": [info]}}}
    found = live({"leaf-4.json": json.dumps(data)})
    why = "no LLDP neighbour in it can be compared: none has a name of the plan's"
    assert (found.judged, found.unread) == ((), (("leaf-4.json", why),))
