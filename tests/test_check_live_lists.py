"""``check-live``: a list misses nothing but behind a command of which each word is known."""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.live.lists import PART
from netplan.live.seen import NOBODY
from tests.live_leaf import COMMANDS, count, session, shown, told
from tests.test_check_live_json import live, outputs
from tests.test_check_live_json_more import with_change as changed
from tests.test_check_live_json_more import without_a_member

BGP, VLAN, WATCHDOG, ADDRESSES = (
    "show ip bgp summary",
    "show vlan brief",
    "pfcwd show config",
    "show ip interfaces",
)
MISSING = {
    BGP: r"(?m)^ 172\.31\.0\.1 .*\n",
    VLAN: r"(?m)^.*Ethernet4 .*\n",
    WATCHDOG: r"(?m)^ *Ethernet4 .*\n",
    ADDRESSES: r"(?m)^Vlan100 .*\n",
}


def less(command: str) -> str:
    text, times = re.subn(MISSING[command], "", shown(command), count=1)
    assert times
    return text.replace("neighbors 8", "neighbors 7")


@pytest.mark.parametrize("command", MISSING)
@pytest.mark.parametrize(
    ("form", "is_part"),
    [
        ("{}", False),
        ("sudo {}", False),
        ("ssh admin@leaf-1 '{}'", False),
        ("show lldp table; {}", False),
        ("{} 2>&1 | tee all.txt", False),
        ("watch {}", True),
        ("timeout 1 {}", True),
        ("{} --newer", True),
        ("{} x", True),
        ("{} | sort -u", True),
        ("my-{}.sh", True),
    ],
)
def test_a_list_behind_a_word_that_nobody_knows_misses_nothing(
    command: str, form: str, is_part: bool
) -> None:
    found = session(form.format(command), less(command))
    assert (told(found) == []) is is_part
    assert any(why.endswith(PART) for _, why in found.unread) in {is_part, False}


NVUE = "nv show vrf default router bgp neighbor"


@pytest.mark.parametrize(
    ("command", "lists"),
    [
        (f"{NVUE} -o json", True),
        (f"{NVUE} --output json", True),
        (f"{NVUE} --operational -o json", True),
        (f"{NVUE} --filter=state=idle -o json", False),
        (f"{NVUE} --filter 'remote-as=4200000001' -o json", False),
        (f"{NVUE} -o json --filter state=idle", False),
        (f"{NVUE} --view=brief -o json", False),
        ("nv show --filter=state=idle vrf default router bgp neighbor -o json", False),
        (f"{NVUE} -o json | jq 'with_entries(select(.value.state!=\"established\"))'", False),
        (f"watch -n 5 {NVUE} -o json", False),
    ],
)
def test_a_filter_of_nvue_shows_a_part_of_the_sessions(command: str, lists: bool) -> None:
    prompt = "cumulus@leaf-2:mgmt:~$"
    full = outputs("leaf-2")["leaf-2-bgp.json"]
    text = f"{prompt} sudo vtysh -c 'show bgp summary json'\n{full}\n{prompt} {command}\n{{}}\n{prompt}\n"
    found = live({"leaf-2.txt": text})
    assert {one.found for one in found.wrong} == ({"no row"} if lists else set())
    assert lists or found.unread


def without_a_member_of_junos(data: Any) -> None:
    data["l2ng-l2ald-vlan-instance-information"][0]["l2ng-l2ald-vlan-instance-group"][0].pop(
        "l2ng-l2rtb-vlan-member"
    )


@pytest.mark.parametrize(
    ("file", "command", "lists"),
    [
        ("leaf-4-vlans.json", "show vlan brief | json", True),
        ("leaf-4-vlans.json", "sh vlan | json | no-more", True),
        ("leaf-4-vlans.json", "show vlan configured-ports | json", False),
        ("leaf-4-vlans.json", "show vlan trunk group A | json", False),
        ("leaf-5-vlans.json", "show vlan name v104 | json", False),
        ("leaf-6-vlans.json", "run show vlans detail | display json | no-more", True),
        ("leaf-6-vlans.json", "show vlans logical-system LS1 | display json", False),
        ("leaf-2-vlans.json", "sudo bridge -j -p vlan", True),
        ("leaf-2-vlans.json", "bridge -j vlan show vid 101", False),
        ("leaf-2-vlans.json", "bridge -j vlan show type mst", False),
    ],
)
def test_vlans_behind_a_word_that_nobody_knows_miss_nothing(file: str, command: str, lists: bool) -> None:
    change = without_a_member_of_junos if "leaf-6" in file else without_a_member
    assert bool(changed(file, change, command).wrong) is lists


def test_a_part_of_a_list_counts_for_what_is_in_it() -> None:
    found = session(f"{VLAN} -x", shown(VLAN).replace(" tagged ", " untagged ", 1))
    assert len(told(found)) == 1
    assert count(found, "ok") > 1


@pytest.mark.parametrize(
    "command", ["show interfaces logical-system LS1", "show bgp neighbor logical-system LS1"]
)
def test_another_logical_system_of_junos_is_another_router(command: str) -> None:
    file = "leaf-6-ports.json" if "interfaces" in command else "leaf-6-bgp.json"
    text = outputs("leaf-6")[file].replace('"up"', '"down"').replace("stablished", "dle")
    found = live({"leaf-6.txt": f"ops@leaf-6> {command} | display json\n{text}\nops@leaf-6> \n"})
    assert (found.wrong, len(found.unread)) == ((), 1)


def test_of_several_commands_behind_one_prompt_the_one_without_output_is_named() -> None:
    several = f"show interfaces status; {VLAN}; show lldp table"
    why = "line 1: nothing of show interfaces status is in it"
    assert session(several, shown(VLAN)).unread[0][1] == why
    refused = session(several, f"Root privileges are required\n{shown(VLAN)}")
    assert (told(refused), [why for _, why in refused.unread]) == (
        [],
        [f"line 2: Root privileges are required: {NOBODY}"],
    )
    assert session(several, shown("show interfaces status") + shown(VLAN)).unread == ()


@pytest.mark.parametrize("first", COMMANDS)
def test_outputs_with_nothing_between_them_are_read_each(first: str) -> None:
    for second in COMMANDS:
        found = session(f"{first}; {second}", shown(first) + shown(second))
        assert (told(found), found.unread) == ([], ())


BRIDGE = [
    '[{"ifname": "br_default", "vlans": [{"vlan": 101}]}]',
    '[{"ifname": "vxlan48", "vlans": [{"vlan": 101}]}, {"ifname": "br_default", "vlans": [{"vlan": 101}]}]',
]


@pytest.mark.parametrize("text", BRIDGE)
def test_a_bridge_without_ports_has_no_planned_member(text: str) -> None:
    prompt = "cumulus@leaf-2:mgmt:~$"
    for command, wrong in (("bridge -j vlan show", True), ("bridge -j vlan show dev br_default", False)):
        found = live({"leaf-2.txt": f"{prompt} {command}\n{text}\n{prompt} \n"})
        assert {one.found for one in found.wrong} == ({"no row"} if wrong else set()), command
    alone = live({"leaf-2.json": text})
    assert (alone.wrong, len(alone.unread)) == ((), 1)
