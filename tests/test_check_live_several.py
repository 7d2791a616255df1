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


@pytest.mark.parametrize("command", ["cat", "sudo cat", "less", "head -50"])
def test_the_content_of_a_file_is_not_what_runs(command: str) -> None:
    text = shown("show interfaces status")
    path = f"{command} /var/tmp/interfaces.txt"
    found = live({"leaf-1.txt": f"{PROMPT} {path}\n{text}{PROMPT}\n"})
    assert found.judged == ()
    assert found.unread == (("leaf-1.txt", "line 2: the content of a file, not what runs"),)


def test_the_gateway_of_another_leaf_is_wrong() -> None:
    """On a switch that has no network of its own for it."""
    text = shown(VLANS)
    found = live({"spine-1.txt": f"admin@spine-1:~$ {VLANS}\n{text}admin@spine-1:~$\n"})
    assert {(one.claim.field, one.claim.expected, one.found) for one in found.wrong} >= {
        ("addresses", "", "172.16.0.1/24"),
    }


STATUS = "show interfaces status"


def broken(command: str, length: int, row: int, end: str) -> Live:
    """Stopped within a row, at this column."""
    lines = shown(command).split("\n")
    cut = lines[row][:length]
    assert cut != lines[row].rstrip()
    return session(command, "\n".join([*lines[:row], f"{cut}{end}", ""]))


@pytest.mark.parametrize("end", ["^C", f"^C{PROMPT} "])
@pytest.mark.parametrize("command", [STATUS, WATCHDOG, "pfcwd show stats -e", "show lldp table", VLANS, BGP])
def test_a_row_that_somebody_broke_off_at_any_column_is_never_wrong(command: str, end: str) -> None:
    lines = shown(command).split("\n")
    row = next(n for n, line in enumerate(lines) if "Ethernet4" in line or "172.31.0.1 " in line)
    for length in range(1, len(lines[row].rstrip()) - 1, 3):
        assert told(broken(command, length, row, end)) == [], (command, length)


@pytest.mark.parametrize("command", [STATUS, WATCHDOG, "pfcwd show stats -e"])
def test_a_last_row_without_its_last_columns_is_never_wrong(command: str) -> None:
    """A terminal need not show ``^C``."""
    lines = shown(command).split("\n")
    row = next(n for n, line in enumerate(lines) if "Ethernet4" in line)
    last = lines[next(n for n, line in enumerate(lines) if "  --" in line)].rindex(" ")
    for length in range(lines[row].index("E") + 1, last, 3):
        assert told(broken(command, length, row, "")) == [], (command, length)


def test_a_message_of_the_kernel_amid_a_row_says_nothing_of_the_port() -> None:
    text = changed(
        STATUS, r"(?m)(Ethernet4 .{30}).*$", r"\1[ 1234.567890] mlxsw_spectrum3 0000:01:00.0: link up"
    )
    found = session(STATUS, text)
    assert told(found) == []
    assert "Ethernet4" in {one.claim.subject for one in found.not_seen if one.claim.field == "oper"}
