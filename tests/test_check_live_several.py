"""``check-live``: several outputs of one thing, outputs through other machines and terminals, and outputs
that have a row without its value."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from netplan.live.judge import Live
from netplan.live.report import live_lines
from tests import test_check_live_json as mixed
from tests.live_leaf import PROMPT, changed, session, shown, told
from tests.test_check_live import live

BGP, WATCHDOG, VLANS = "show ip bgp summary", "pfcwd show config", "show vlan brief"
LESS = {
    BGP: lambda text: re.sub(r"(?m)^ *172\.31\.0\.1 .*\n", "", text).replace("neighbors 8", "neighbors 7"),
    WATCHDOG: lambda text: re.sub(r"(?m)^ *Ethernet0 .*\n", "", text),
    VLANS: lambda text: re.sub(r"Ethernet4 ", "Ethernet5 ", text, count=1),
}


def part(command: str, text: str) -> str:
    return f"{PROMPT} {command}\n{text}"


@pytest.mark.parametrize("command", LESS)
@pytest.mark.parametrize("order", ["good first", "bad first", "one file"])
def test_a_list_without_a_row_counts_beside_one_that_has_it(command: str, order: str) -> None:
    good, bad = part(command, shown(command)), part(command, LESS[command](shown(command)))
    assert good != bad
    texts = [good, bad] if order == "good first" else [bad, good]
    if order == "one file":
        found = live({"leaf-1.txt": f"{good}{bad}{PROMPT}\n"})
    else:
        found = live({f"leaf-1-{n}.txt": f"{text}{PROMPT}\n" for n, text in enumerate(texts)})
    assert "no row" in {one.found for one in found.wrong}


def without(data: Any, key: str) -> Any:
    """The first value with this key is gone."""
    text = json.dumps(data)
    cut, times = re.subn(rf'"{key}": (?:"[^"]*"|[0-9]+)(?:, )?', "", text, count=1)
    assert times == 1
    return json.loads(cut.replace(", }", "}"))


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("leaf-2-bgp.json", "remoteAs"),
        ("leaf-4-bgp.json", "peerState"),
        ("leaf-5-bgp.json", "neighboras"),
        ("leaf-6-bgp.json", "data"),
    ],
)
def test_a_session_without_its_value_is_in_the_list(file: str, key: str) -> None:
    data = json.loads(mixed.outputs(file[:6])[file])
    if key == "data":
        data["bgp-information"][0]["bgp-peer"][0]["peer-as"] = []
    else:
        data = without(data, key)
    found = mixed.live({file: json.dumps(data)})
    assert found.wrong == ()
    assert len(found.not_seen) > len(mixed.live({file: mixed.outputs(file[:6])[file]}).not_seen)


def test_eos_without_any_session_lists_none() -> None:
    data = json.loads(mixed.outputs("leaf-4")["leaf-4-bgp.json"])
    data["vrfs"]["default"]["peers"] = {}
    assert {one.found for one in mixed.live({"leaf-4-bgp.json": json.dumps(data)}).wrong} == {"no row"}


def test_short_names_of_ports_in_a_list_of_nxos() -> None:
    text = (
        mixed.outputs("leaf-5")["leaf-5-vlans.json"].replace("Ethernet1/", "Eth1/").replace(",Eth", ", Eth")
    )
    assert mixed.live({"leaf-5-vlans.json": text}).wrong == ()


@pytest.mark.parametrize("command", ["ssh leaf-2", "ssh -q admin@leaf-2.example.com", "sudo ssh LEAF-2"])
def test_what_another_switch_prints_over_ssh_is_of_that_one(command: str) -> None:
    """Ports are down there."""
    text = changed("show interfaces status", "up ", "down ")
    found = live({"leaf-1.txt": f"{PROMPT} {command} show interfaces status\n{text}{PROMPT}\n"})
    assert {one.claim.hop.name for one in found.wrong} == {"leaf-2"}
    assert {one.claim.hop.name for one in found.judged} == {"leaf-2"}


def test_a_machine_that_is_not_planned_is_none_of_the_switches() -> None:
    text = shown("show interfaces status")
    found = live({"leaf-1.txt": f"{PROMPT} ssh border-9 show interfaces status\n{text}{PROMPT}\n"})
    assert found.judged == ()


def frr(state: str) -> str:
    peers = {"172.31.0.1": {"remoteAs": 4200000001, "state": state}}
    of_default = {"routerId": "172.31.255.1", "as": 4200000100, "vrfName": "default", "totalPeers": 9}
    return json.dumps({"ipv4Unicast": {**of_default, "peers": peers}}, indent=1)


def test_json_between_other_commands_is_read_with_its_lines() -> None:
    command = "sudo vtysh -c 'show bgp summary json'"
    ports = part("show interfaces status", shown("show interfaces status"))
    found = live({"leaf-1.txt": f"{ports}{part(command, frr('Active'))}\n{PROMPT}\n"})
    (wrong,) = found.wrong
    assert (wrong.claim.subject, wrong.found) == ("172.31.0.1", "active")
    assert wrong.at is not None
    assert wrong.at.line > ports.count("\n")


def pages(text: str, mark: str) -> str:
    """Through a pager, whose mark is overwritten."""
    lines = text.split("\n")
    return "\n".join(f"{mark}{line}" if number % 9 == 8 else line for number, line in enumerate(lines))


ERASED = "\b" * 8 + " " * 8 + "\b" * 8


@pytest.mark.parametrize(
    "mark", [f"\x1b[7m--More--\x1b[27m{ERASED}", f"--More--{ERASED}", "--More-- \r         \r"]
)
@pytest.mark.parametrize("command", [VLANS, WATCHDOG, "ecnconfig -l"])
def test_the_mark_of_a_pager_is_gone_where_it_was_overwritten(command: str, mark: str) -> None:
    plain, paged = session(command, shown(command)), session(command, pages(shown(command), mark))
    assert told(paged) == []
    assert len(paged.judged) == len(plain.judged)
    assert [one.outcome for one in paged.judged] == [one.outcome for one in plain.judged]


def test_colours_of_a_prompt_do_not_hide_its_name() -> None:
    prompt = "\x1b[01;32madmin@leaf-1\x1b[00m:\x1b[01;34m~\x1b[00m$"
    found = live({"x.txt": f"{prompt} {WATCHDOG}\n{shown(WATCHDOG)}{prompt}\n"})
    assert found.judged
    assert told(found) == []


def text_of(found: Live, **manner: bool) -> str:
    return "\n".join(live_lines(found, **manner))


def test_quiet_shows_what_is_not_seen_where_that_fails() -> None:
    found = live({"leaf-1.txt": part(WATCHDOG, shown(WATCHDOG))})
    assert text_of(found, quiet=True) == ""
    assert "not seen: leaf-1: show vlan brief" in text_of(found, quiet=True, strict=True)
