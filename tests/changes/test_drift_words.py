"""A switch that runs the plan in other words, or with defaults that it does not show, has no drift; what is
switched off or overridden has."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift, drift
from netplan.changes.ran import Ran
from netplan.changes.switches import files_of
from netplan.nos import shipped
from tests.test_diff import running, vendors

Edit = Callable[[str], str]


def runs(name: str, edit: Edit) -> Drift:
    facts = facts_of(vendors())
    text = running(facts.switches[name].nos, files_of(vendors(), name))
    edited = edit(text)
    assert edited != text
    return drift(vendors(), facts, {name: Ran(name, edited)}, shipped())


def sub(old: str, new: str) -> Edit:
    return lambda text: re.sub(old, new, text, flags=re.MULTILINE)


def one_leaf_a_line(text: str) -> str:
    """As ``show configuration | display set`` prints it."""
    lines = []
    for line in text.split("\n"):
        queue = re.fullmatch(r"(set .* class \S+) (queue-num \d)( no-loss)( pfc-priority \d)", line)
        profile = re.fullmatch(
            r"(set .* interpolate) fill-level \[ (.*) \] drop-probability \[ (.*) \]", line
        )
        if queue:
            lines += [f"{queue[1]} {part.strip()}" for part in queue.groups()[1:]]
        elif profile:
            lines += [f"{profile[1]} fill-level {value}" for value in profile[2].split()]
            lines += [f"{profile[1]} drop-probability {value}" for value in profile[3].split()]
        else:
            lines.append(line)
    return "\n".join(lines)


def wildcards(text: str) -> str:
    """Trust and scheduler map of all ports in one line each."""
    kept = re.sub(r"(?m)^set class-of-service interfaces \S+ (unit 0 class|scheduler-map).*\n", "", text)
    return (
        f"{kept}\nset class-of-service interfaces et-* unit * classifiers dscp netplan\n"
        "set class-of-service interfaces et-0/0/* scheduler-map netplan\n"
    )


def neighbours_on_two_lines(text: str) -> str:
    return re.sub(r"(?m)^( +)(neighbor \S+) (remote-as \d+)$", r"\1\2\n\1  \3", text)


GROUPED = sub(r"^set ((?:vlans|interfaces irb) .*)$", r"set groups RAILS \1")


def in_a_group(text: str) -> str:
    """VLANs and their interfaces."""
    return f"{GROUPED(text)}\nset apply-groups RAILS\n"


def in_a_range(text: str) -> str:
    """The MTU of the ports that have the most common one."""
    found = re.findall(r"(?m)^set interfaces (et-\S+) mtu (\d+)$", text)
    value = found[0][1]
    begin = "set interfaces interface-range PORTS"
    members = "".join(f"{begin} member {port}\n" for port, mtu in found if mtu == value)
    kept = re.sub(rf"(?m)^set interfaces et-\S+ mtu {value}\n", "", text)
    return f"{kept}\n{members}{begin} mtu {value}\n"


def in_a_block(text: str) -> str:
    """What two ports of EOS have alike."""
    alike = "   mtu 9100\n   switchport\n   switchport trunk allowed vlan 103\n   switchport mode trunk\n"
    kept = re.sub(rf"(?m)(^interface Ethernet[12]/1\n   description .*\n){alike}", r"\1", text)
    return f"interface Ethernet1/1-2/1\n{alike}!\n{kept}" if kept != text else text


SAME = [
    ("leaf-4", sub(r"max-mark-probability (\d+)$", r"max-mark-probability \1 weight 0")),
    ("leaf-4", sub(r"threshold 150000 bytes (.*) 1500000 bytes", r"threshold 150 kbytes \1 1500 kbytes")),
    ("leaf-4", sub(r"^qos map traffic-class (\d) to tx-queue \1\n", "")),
    ("leaf-4", sub("4200000103", "64086.60007")),
    ("leaf-5", neighbours_on_two_lines),
    ("leaf-5", sub(r"^  match dscp 26$", "  match dscp af31")),
    (
        "leaf-5",
        sub(
            r"^class-map type qos match-any (\S+)\n(  match dscp 48\n)",
            r"class-map type qos match-all \1\n\2",
        ),
    ),
    ("leaf-5", sub(r"^vlan 104$", "vlan 1\nvlan 104")),
    ("leaf-6", one_leaf_a_line),
    ("leaf-6", wildcards),
    ("leaf-6", in_a_group),
    ("leaf-6", in_a_range),
    ("leaf-4", in_a_block),
    ("leaf-6", sub("4200000105", "64086.60009")),
]


@pytest.mark.parametrize(("name", "edit"), SAME)
def test_other_words_are_no_drift(name: str, edit: Edit) -> None:
    found = runs(name, edit)
    assert [row.change for row in found.found] == []


def test_what_a_group_states_otherwise_is_in_its_line() -> None:
    def edit(text: str) -> str:
        return re.sub("(?m)^(set groups RAILS interfaces irb mtu ).*$", r"\g<1>1514", in_a_group(text))

    found = runs("leaf-6", edit)
    text = edit(running("juniper-junos", files_of(vendors(), "leaf-6")))
    line = next(n for n, each in enumerate(text.split("\n"), 1) if " irb mtu " in each)
    assert {row.place for row in found.found} == {f"leaf-6:{line}"}


HIDDEN = [
    ("leaf-4", sub(r"^qos map dscp .* to traffic-class 0\n", ""), "queues of DSCP 0: not stated -> 0"),
    ("leaf-4", sub(r"^lldp run\n", ""), "lldp run"),
    ("leaf-5", sub(r"^  no shutdown\n", ""), "enabled: Ethernet1/"),
]


@pytest.mark.parametrize(("name", "edit", "said"), HIDDEN)
def test_what_may_be_the_default_is_a_note(name: str, edit: Edit, said: str) -> None:
    found = runs(name, edit)
    assert [row.change for row in found.found] == []
    assert [note for note in found.notes if f"as missing or as default: {said}" in note]


def test_names_of_code_points_are_those_of_their_rfcs() -> None:
    """RFC 2474 (class selectors), RFC 2597 (af) and RFC 3246 (ef), in a class of NX-OS."""
    names = {"cs0": 0, "cs7": 56, "af11": 10, "af13": 14, "af22": 20, "af41": 34, "af43": 38, "ef": 46}
    for name, number in names.items():
        told = {row.change for row in runs("leaf-5", sub(r"^  match dscp 26$", f"  match dscp {name}")).found}
        assert told == {
            row.change for row in runs("leaf-5", sub(r"^  match dscp 26$", f"  match dscp {number}")).found
        }


DIFFERS = [
    ("leaf-4", sub(r"^lldp run$", "no lldp run"), "no lldp run -> lldp run"),
    ("leaf-4", sub(r"^   no dcbx mode$", "   dcbx mode ieee"),
     "interface Ethernet[1-4]/1, interface Ethernet[17-20]/1: dcbx mode ieee -> no dcbx mode"),
    ("leaf-5", sub(r"^(  ip address 172.16.132.1\S+)$", r"\1 tag 12345"),
     "interface Vlan104: ip address 172.16.132.1/24 tag 12345 -> ip address 172.16.132.1/24"),
    ("leaf-6", sub(r"multipath multiple-as", "multipath"),
     "not planned: protocols bgp group netplan: multipath"),
    ("leaf-6", lambda text: f"{text}\ndeactivate protocols bgp group netplan neighbor 172.31.1.65\n",
     "BGP neighbour missing: 172.31.1.65"),
    ("leaf-6", lambda text: f"{text}\ndeactivate interfaces et-0/0/2\n",
     "VLANs of ports, missing: 105 on et-0/0/2"),
    ("leaf-6", sub(r"^(set protocols bgp group netplan neighbor 172.31.1.65) peer-as \d+$",
                   r'\g<0>\n\1 hold-time 3\n\1 authentication-key "$9$hidden"'),
     "not planned: protocols bgp group netplan neighbor 172.31.1.65: hold-time 3"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit", "said"), DIFFERS)
def test_what_is_off_or_beside_the_plan_is_told(name: str, edit: Edit, said: str) -> None:
    found = runs(name, edit)
    assert said in [row.change for row in found.found], found


def test_what_is_deactivated_is_counted() -> None:
    found = runs(
        "leaf-6", lambda text: f"{text}\ndeactivate protocols lldp\ndeactivate interfaces et-0/0/2\n"
    )
    assert "leaf-6: 2 deactivate lines in leaf-6: what they switch off counts as missing" in found.notes


def test_a_secret_is_not_shown() -> None:
    *_, edit, _ = DIFFERS[-1]
    found = runs("leaf-6", edit)
    shown = "not planned: protocols bgp group netplan neighbor 172.31.1.65: authentication-key (not shown)"
    assert shown in [row.change for row in found.found]
    assert "hidden" not in repr(found)


def test_another_as_number_does_not_hide_the_rest_of_bgp() -> None:
    edit = sub(
        r"^router bgp \d+\n  router-id \S+$", "router bgp 64601\n  timers bgp 3 9\n  router-id 10.9.9.9"
    )
    rows = {row.change: row.place for row in runs("leaf-5", edit).found}
    assert {
        "AS number 64601 -> 4200000104",
        "router bgp 64601: router-id 10.9.9.9 -> router-id 172.31.255.5",
        "not planned: router bgp 64601: timers bgp 3 9",
    } <= rows.keys()
    assert all(place.partition(":")[2].isdecimal() for place in rows.values())


def test_a_line_in_other_words_with_another_effect_is_told() -> None:
    """Of EOS an address of several switches, of NX-OS PFC that tells the peer by DCBX."""
    found = runs("leaf-4", sub(r"^   ip address (172.16.99.1)", r"   ip address virtual \1"))
    assert [row.change for row in found.found] == [
        "interface Vlan103: ip address virtual 172.16.99.1/24 -> ip address 172.16.99.1/24"
    ]
    found = runs("leaf-5", sub(r"^  priority-flow-control mode on$", r"\g<0> send-tlv"))
    (row,) = found.found
    assert row.change.endswith(": priority-flow-control mode on send-tlv -> priority-flow-control mode on")


HOSTS = [
    ("leaf-2", r"^    system:\n", r"\g<0>      hostname: HOST\n"),
    ("leaf-3", r'"localhost": \{', r'\g<0>"hostname": "HOST",'),
    ("leaf-4", r"\A", "hostname HOST\n"),
    ("leaf-6", r"\A", "set system host-name HOST\n"),
    ("leaf-8", r"\A", "sysname HOST\n"),
]  # fmt: skip


def named(new: str, host: str) -> str:
    return new.replace("HOST", host)


@pytest.mark.parametrize(("name", "old", "new"), HOSTS)
def test_a_file_of_another_switch_is_told_at_its_hostname(name: str, old: str, new: str) -> None:
    found = runs(name, sub(old, named(new, "Leaf-1.example.com")))
    (row,) = found.found
    assert row.change == "hostname Leaf-1.example.com: the file is of leaf-1"
    assert row.place.partition(":")[2].isdecimal()


@pytest.mark.parametrize(("name", "old", "new"), HOSTS)
def test_a_hostname_that_no_switch_has_is_a_note(name: str, old: str, new: str) -> None:
    found = runs(name, sub(old, named(new, "rack-7")))
    assert found.found == ()
    assert f"{name}: {name} states hostname rack-7" in found.notes
    own = runs(name, sub(old, named(new, f"{name}.example.com")))
    assert (own.found, [note for note in own.notes if "hostname" in note]) == ((), [])


def test_a_release_with_other_commands_is_told() -> None:
    """NVUE 5.15 has `state enabled` where the planned files say `enable on`."""
    head = "- header:\n    version: Cumulus Linux {}\n- set:\n"
    (row,) = runs("leaf-2", sub(r"\A- set:\n", head.format("5.15.0"))).found
    said = "release 5.15.0 -> 5.14, for which the planned files are written: state nos_version"
    assert (row.change, row.place) == (said, "leaf-2:2")
    assert runs("leaf-2", sub(r"\A- set:\n", head.format("5.14.1"))).found == ()


def test_an_export_policy_of_a_group_without_neighbours_announces_nothing() -> None:
    edit = sub(r"^(set protocols bgp group )netplan( export \S+)$", r"\1other\2")
    (row,) = runs("leaf-6", edit).found
    lacks = "(it is there, but without set protocols bgp group other neighbor <ip>)"
    assert row.change == f"not announced: 172.16.165.0/24 {lacks}, 172.31.255.6/32 {lacks}"
