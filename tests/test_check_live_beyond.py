"""``check-live``: outputs that state more, or something else, than what the plan has: other interfaces,
address families, VRFs, revisions and prompts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.live.commands import why_no_state
from netplan.live.shells import machine_of
from tests import test_check_live_json as mixed
from tests.live_leaf import PROMPT, session, shown
from tests.test_check_live import live

KNOWN = frozenset({"leaf-1", "leaf-2"})
INTERFACES = "show ip interfaces"


@pytest.mark.parametrize(
    ("command", "switch"),
    [
        ("ssh -J leaf-1 leaf-2 show vlan brief", "leaf-2"),
        ("/usr/bin/ssh leaf-2 show vlan brief", "leaf-2"),
        ("sshpass -p pw -v ssh -o A=b -p 22 admin@leaf-2 show", "leaf-2"),
        ("ssh -qp 22 leaf-2 show", "leaf-2"),
        ("ssh -p22 leaf-2 show", "leaf-2"),
        ("ssh leaf-1 ssh leaf-2 show", "leaf-2"),
        ("ssh ssh://admin@leaf-2:22 show", "leaf-2"),
        ("ssh 10.0.0.2 show", ""),
        ("for h in leaf-2; do ssh $h show; done", ""),
        ("telnet leaf-2", ""),
        ("show vlan brief | ssh leaf-2 cat", ""),
        ("sudo ip vrf exec mgmt show vlan brief", "leaf-1"),
        ("sudo ip vrf exec mgmt ssh admin@leaf-2 'show vlan brief; show version'", "leaf-2"),
        ("ssh -t leaf-1 sudo ip vrf exec mgmt ssh leaf-2 show vlan brief", "leaf-2"),
        ("cgexec -g l3mdev:mgmt ssh leaf-2 show vlan brief", "leaf-2"),
        ("watch 'ssh leaf-2 show vlan brief'", "leaf-2"),
        ("bash -lc 'ssh leaf-2 show vlan brief; show version'", ""),
        ("docker exec x ssh 10.0.0.2 show vlan brief", ""),
        ("echo leaf-2 | xargs -I{} ssh {} show vlan brief", ""),
        ("echo show vlan brief | ssh -T admin@leaf-2", "leaf-2"),
        ("yes | sshpass -p x ssh leaf-2 show vlan brief", "leaf-2"),
        ("echo show vlan brief | ssh 10.0.0.2", ""),
        ("show line console", "leaf-1"),
        ("show running-config | include ssh", "leaf-1"),
        ("echo password | sudo -S show vlan brief", "leaf-1"),
        ("ssh", ""),
    ],
)
def test_whose_output_a_command_prints(command: str, switch: str) -> None:
    assert machine_of(command, "leaf-1", KNOWN) == switch


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/bin/cat x.json", "the content of a file, not what runs"),
        ("sudo -n cat x", "the content of a file, not what runs"),
        ("ssh leaf-1 zcat x", "the content of a file, not what runs"),
        ("gunzip -c /tmp/leaf-2.gz", "the content of a file, not what runs"),
        ("sort /tmp/x", "the content of a file, not what runs"),
        ("cat<x", "the content of a file, not what runs"),
        ("echo; sed -n 1,50p x", "the content of a file, not what runs"),
        ("show file bootflash:x", "the content of a file, not what runs"),
        ("show interfaces status | head -5", ""),
        ("nv show interface -o json --rev startup", "of a stored configuration, not what runs"),
        ("nv show interface --rev=applied -o json", "of a stored configuration, not what runs"),
        ("nv show interface -o json --applied", "of a stored configuration, not what runs"),
        ("nv show interface --rev operational -o json", ""),
        ("nv config show -o json", "of a stored configuration, not what runs"),
        ("show bgp l2vpn evpn summary", "BGP summary of another address family"),
        ("show bgp summary", ""),
        ("show bgp view RED summary json", ""),
    ],
)
def test_what_is_no_state_of_the_switch(command: str, why: str) -> None:
    assert why_no_state(command) == why


def test_json_of_a_file_behind_a_prompt_is_not_what_runs() -> None:
    text = mixed.outputs("leaf-2")["leaf-2-ports.json"]
    found = mixed.live({"leaf-2-ports.json": f"cumulus@leaf-2:~$ cat /tmp/before.json\n{text}"})
    assert found.judged == ()
    assert found.unread == (("leaf-2-ports.json", "line 2: the content of a file, not what runs"),)


@pytest.mark.parametrize(
    "prompt", ["leaf-2# ", "leaf-2:~$ ", "[admin@leaf-2 ~]$ ", "(venv) admin@leaf-2:~$ "]
)
def test_another_prompt_of_a_planned_switch_ends_what_is_above(prompt: str) -> None:
    text = shown("show interfaces status").replace("  up  ", "down  ")
    both = f"{PROMPT} show vlan brief\n{shown('show vlan brief')}{prompt}show interfaces status\n{text}"
    found = live({"leaf-1.txt": both})
    assert {one.claim.hop.name for one in found.wrong} == {"leaf-2"}


def beside(text: str, *rows: str) -> str:
    return text.rstrip("\n") + "\n" + "\n".join(rows) + "\n"


def row(name: str, master: str, address: str) -> str:
    """As wide as the columns of the output."""
    head, rule = shown(INTERFACES).split("\n")[:2]
    widths = [len(part) for part in rule.split("  ")]
    assert head.startswith("Interface")
    cells = (name, master, address, "up/up", "N/A", "N/A")
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)).rstrip()


@pytest.mark.parametrize(
    ("name", "master", "address", "told"),
    [
        ("Vlan300", "", "172.16.0.9/24", True),  # of a rail of this switch
        ("Vlan300", "", "172.16.5.9/24", True),  # of a rail of another leaf
        ("Vlan300", "VrfTEN", "172.16.0.9/24", False),
        ("eth0", "mgmt", "172.16.0.9/24", False),
        ("lo-m", "mgmt", "127.0.0.1/16", False),
        ("Vlan300", "", "10.9.9.1/24", False),
    ],
)
def test_an_interface_beyond_the_plan(name: str, master: str, address: str, told: bool) -> None:
    text = beside(shown(INTERFACES), row(name, master, address))
    found = live({"leaf-1.txt": f"{PROMPT} {INTERFACES}\n{text}{PROMPT}\n"})
    assert [(one.claim.subject, one.found) for one in found.wrong] == [(name, address)][: int(told)]


def test_the_loopback_is_compared() -> None:
    text = shown(INTERFACES).replace("172.31.255.1/32", "172.31.99.1/32 ")
    found = live({"leaf-1.txt": f"{PROMPT} {INTERFACES}\n{text}{PROMPT}\n"})
    assert [(one.claim.subject, one.found) for one in found.wrong] == [("Loopback0", "172.31.99.1/32")]


def test_an_uplink_that_is_down_in_one_of_two_outputs_is_wrong() -> None:
    lines = [
        line.replace("up/up  ", "up/down") if line.startswith("Ethernet80 ") else line
        for line in shown(INTERFACES).split("\n")
    ]
    found = session(INTERFACES, "\n".join(lines))
    assert [(one.claim.subject, one.claim.field, one.found) for one in found.wrong] == [
        ("Ethernet80", "oper", "down")
    ]


def edited(file: str, change: Any) -> Any:
    """What is wrong and not seen after a change of one output."""
    texts = mixed.outputs(file.rpartition("-")[0])
    data = json.loads(texts[file])
    change(data)
    found = mixed.live(texts | {file: json.dumps(data)})
    return (
        [f"{one.claim.subject} {one.claim.field}: {one.found}" for one in found.wrong],
        sorted({f"{one.claim.subject} {one.claim.field}" for one in found.not_seen}),
    )


PORT = "Ethernet17/1"
NO_PRIMARY = {"interfaceAddress": [{"primaryIp": None}]}
NONE, OWN = {"address": "0.0.0.0", "maskLen": 0}, {"address": "172.16.99.1", "maskLen": 24}
VIRTUAL = {"forwardingModel": "routed", "interfaceAddress": [{"primaryIp": NONE, "virtualIp": OWN}]}
SUB_INTERFACE = {"interface": "Ethernet1/17.100", "state": "down", "admin_state": "down", "eth_mtu": "1500"}
MGMT = {"interface": "mgmt0", "eth_ip_addr": "172.31.255.6", "eth_ip_mask": 32}


def eos(data: Any) -> Any:
    return data["interfaces"][PORT]


def rows(data: Any) -> Any:
    return data["TABLE_interface"]["ROW_interface"]


@pytest.mark.parametrize(
    ("file", "change", "wrong", "unseen"),
    [
        ("leaf-4-ports.json", lambda d: eos(d).pop("interfaceAddress"), [], [f"{PORT} addresses"]),
        ("leaf-4-ports.json", lambda d: eos(d).update(NO_PRIMARY), [], [f"{PORT} addresses"]),
        (
            "leaf-4-ports.json",
            lambda d: d["interfaces"].update(Vlan77=VIRTUAL),
            ["77 addresses: 172.16.99.1/24"],
            [],
        ),
        ("leaf-5-ports.json", lambda d: rows(d).append(SUB_INTERFACE), [], []),
        ("leaf-5-ports.json", lambda d: rows(d).append(MGMT), ["mgmt0 addresses: 172.31.255.6/32"], []),
        ("leaf-2-bgp.json", lambda d: d.update(ipv6Unicast={**d["ipv4Unicast"], "peers": {}}), [], []),
        (
            "leaf-2-ports.json",
            lambda d: d["vlan101"]["ip"].update(vrr={"address": {"172.16.99.1/24": {}}}),
            ["101 addresses: 172.16.33.1/24 172.16.99.1/24"],
            [],
        ),
        (
            "leaf-2-ports.json",
            lambda d: d["lo"]["ip"].update(address={"10.0.0.1/32": {}}),
            ["lo addresses: 10.0.0.1/32"],
            [],
        ),
    ],
)
def test_json_of_more_than_the_plan_has(file: str, change: Any, wrong: list[str], unseen: list[str]) -> None:
    assert edited(file, change) == (wrong, unseen)


def test_a_list_of_another_address_family_hides_no_session_and_misses_none() -> None:
    texts = mixed.outputs("leaf-4")
    none = {"vrfs": {"default": {"routerId": "172.31.255.4", "asn": "4200000103", "peers": {}}}}
    found = mixed.live(texts | {"leaf-4-v6.json": json.dumps(none)})
    assert found.not_seen == ()
    assert "no row" not in {one.found for one in found.wrong}


def test_a_map_of_addresses_without_an_as_is_no_list_of_neighbours() -> None:
    other = {"172.16.33.7": {"lladdr": "02:00:00:00:00:01"}, "172.16.33.8": {"lladdr": "02:00:00:00:00:02"}}
    found = mixed.live(mixed.outputs("leaf-2") | {"leaf-2-neighbor.json": json.dumps(other)})
    assert (found.wrong, found.not_seen) == ((), ())


def test_an_interrupt_before_the_prompt_ends_no_list() -> None:
    lines = shown("pfcwd show config").split("\n")[:6]
    text = "\n".join(lines)
    found = live({"leaf-1.txt": f"{PROMPT} pfcwd show config\n{text}\n^C{PROMPT}\n"})
    assert found.wrong == ()


@pytest.mark.parametrize(
    "noise",
    [
        "^CTraceback (most recent call last):",
        "Message from syslogd@leaf-1 at Nov 28 14:00:00 ...",
        "--More--  10",
    ],
)
def test_an_output_with_noise_in_it_is_no_list_of_all(noise: str) -> None:
    lines = shown("pfcwd show config").split("\n")
    text = "\n".join([*lines[:6], noise, *lines[8:]])
    found = live({"leaf-1.txt": f"{PROMPT} pfcwd show config\n{text}{PROMPT}\n"})
    assert found.wrong == ()
    assert found.not_seen
