"""``check-live``, lists of SONiC that state something other or more than the plan, are about something else,
or are cut off: sessions, neighbours and VLANs of leaf-1 with one difference."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from netplan.live.seen import NAMELESS
from tests import live_outputs
from tests.live_leaf import COMMANDS, PROMPT, changed, count, session, shown, told
from tests.test_check_live import live

BGP = "show ip bgp summary"
OF_VRFS = [
    (f"{PROMPT} show ip bgp vrf Vrf1 summary\n", " vrf-id 81", "line 4: BGP summary of vrf-id 81"),
    ("", " vrf-id 81", "line 3: BGP summary of vrf-id 81"),
    (f"{PROMPT} show ip bgp vrf Vrf2 summary\n", "", "line 4: BGP summary of Vrf2"),
    (f"{PROMPT} show bgp vrf Vrf1 summary\n", " VRF Vrf1 vrf-id 81", "line 4: BGP summary of Vrf1"),
    ("", " VIEW x vrf-id 0", "line 3: BGP summary of x"),
    ("", " vrf-id -1", "line 3: BGP summary of vrf-id -1"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "vrf", "why"), OF_VRFS, ids=[why for *_, why in OF_VRFS])
def test_sessions_of_another_vrf_are_none_of_the_plan(command: str, vrf: str, why: str) -> None:
    found = live({"leaf-1.txt": command + changed(BGP, " vrf-id 0", vrf)})
    assert found.judged == ()
    assert found.unread == (("leaf-1.txt", f"{why}, not of the default VRF"),)


@pytest.mark.parametrize("vrf", [" VRF default vrf-id 0", ""])
def test_sessions_of_the_default_vrf_as_vtysh_and_old_images_show_them(vrf: str) -> None:
    found = session(BGP, changed(BGP, " vrf-id 0", vrf))
    assert (count(found, "ok"), told(found), found.unread) == (18, [], ())


def test_sessions_without_the_line_that_names_their_vrf() -> None:
    rows = shown(BGP).partition("memory\n\n")[2]
    assert live({"leaf-1.txt": rows}).unread[0][1].endswith("BGP summary without the line that names its VRF")
    assert count(session(BGP, rows), "ok") == 16, "the command is of the default VRF"


def test_of_all_vrfs_those_of_the_default_one_count() -> None:
    other = changed(BGP, " vrf-id 0", " vrf-id 81").replace("00:39:32", "never").replace("  12  ", "  Idle  ")
    found = session("show ip bgp vrf all summary", other + shown(BGP))
    assert (count(found, "ok"), told(found)) == (18, [])


def test_a_summary_without_a_session_is_a_list_of_none() -> None:
    head, _, rows = shown(BGP).partition("memory\n\n")
    heading = "\n".join(rows.split("\n")[:2])
    found = session(BGP, f"{head}memory\n\n{heading}\n\nTotal number of neighbors 0\n")
    assert {w.found for w in found.wrong} == {"no row"}
    assert len({w.claim.subject for w in found.wrong}) == 8


@pytest.mark.parametrize("heading", ["IPv6 Unicast Summary:", ""])
def test_a_summary_of_ipv6_is_no_list_of_ipv4(heading: str) -> None:
    text = re.sub(r"172\.31\.0\.([0-9]+)", r"2001:db8::\1", changed(BGP, "IPv4 Unicast Summary:", heading))
    assert told(session("show ipv6 bgp summary", text)) == []


def test_frr_json_of_another_vrf_is_none_of_the_plan() -> None:
    peers = {"172.31.0.1": {"remoteAs": 4200000001, "state": "Established"}}
    of_vrf = {"routerId": "172.31.255.1", "as": 4200000100, "vrfId": 81, "vrfName": "Vrf1", "peers": peers}
    assert live({"leaf-1.json": json.dumps({"ipv4Unicast": of_vrf})}).judged == ()
    default = of_vrf | {"vrfId": 0, "vrfName": "default", "totalPeers": 1}
    found = live({"leaf-1.json": json.dumps({"ipv4Unicast": default})})
    assert count(found, "ok") == 4
    assert {w.found for w in found.wrong} == {"no row"}
    some = live({"leaf-1.json": json.dumps({"ipv4Unicast": default | {"totalPeers": 8}})})
    assert (count(some, "ok"), told(some)) == (4, []), "the peers of show bgp summary failed json"


def test_as_numbers_in_asdot_are_the_same_numbers() -> None:
    text = shown(BGP).replace("4200000100", "64086.60004").replace("4200000001", "64086.59905")
    found = session(BGP, text)
    assert (count(found, "ok"), told(found)) == (18, [])
    assert told(session(BGP, text.replace("number 64086.60004", "number 64086.60005"))) == [
        "local AS: 4200000100, 4200000101"
    ]


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("172.31.255.2", ["172.31.255.2 session: none, established"]),  # the loopback of leaf-2
        ("10.9.9.9", []),  # a router beyond the fabric
    ],
)
def test_a_session_with_a_planned_switch_that_is_not_planned(address: str, wrong: list[str]) -> None:
    rows = [f" {row}" if re.match(" *(?:172|Neigh|--)", row) else row for row in shown(BGP).split("\n")]
    at = next(n for n, row in enumerate(rows) if row.lstrip().startswith("172.31.0.1 "))
    more = rows[at].replace("  172.31.0.1 ", f"{address:>12} ")
    text = "\n".join([*rows[: at + 1], more, *rows[at + 1 :]]).replace("neighbors 8", "neighbors 9")
    assert told(session(BGP, text)) == wrong


CARDS = [
    ("Ethernet0", "gpu-001", "02:00:00:00:00:01", "ens1f0", []),
    ("Ethernet0", "gpu-001", "ens1f0", "ens1f0", []),
    ("Ethernet0", "gpu-001", "02:00:00:00:00:01", "ens2f0", ["Ethernet0 card: roce0, roce1"]),
    ("Ethernet0", "gpu-001", "ens3f0", "ens1f0", ["Ethernet0 card: roce0, roce2"]),
    ("Ethernet0", "gpu-001", "b8:59:9f:00:00:07", "ens1f0", ["Ethernet0 card: roce0, gpu-007 roce0"]),
    ("Ethernet0", "", "B8:59:9F:00:00:07", "", [
        "Ethernet0 peer: gpu-001, gpu-007", "Ethernet0 card: roce0, gpu-007 roce0",
    ]),
    ("Ethernet24", "gpu-007", "b8:59:9f:00:00:07", "bond0", []),
    ("Ethernet24", "gpu-007", "b8:59:9f:00:00:08", "ens1f0", ["Ethernet24 card: roce0, b8:59:9f:00:00:08"]),
    ("Ethernet24", "gpu-007", "b859.9f00.0007", "ens2f0", ["Ethernet24 card: roce0, roce1"]),
    ("Ethernet24", "", "b8:59:9f:00:00:07", "", []),
    ("Ethernet24", "gpu-008", "b8:59:9f:00:00:08", "ens1f0", ["Ethernet24 peer: gpu-007, gpu-008 ens1f0"]),
]  # fmt: skip


@pytest.mark.parametrize(("port", "system", "ident", "description", "wrong"), CARDS)
def test_the_card_behind_a_port_counts(
    port: str, system: str, ident: str, description: str, wrong: list[str]
) -> None:
    head = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    text = live_outputs.table(
        head, [(port, system, ident, "", description), ("Ethernet9", "", "", "", "")], right=False
    )
    found = session("show lldp table", text)
    assert told(found) == wrong
    assert wrong or count(found, "ok") == 2


@pytest.mark.parametrize(
    ("system", "names", "ok"),
    [
        ("gpu-001", ("02:00:00:00:00:01", "bond0"), 1),
        ("", ("02:00:00:00:00:01", "ens1f0"), 0),
        ("localhost", ("02:00:00:00:00:01", "ens1f0"), 0),
        ("localhost.localdomain", ("02:00:00:00:00:01", "ens2f0"), 0),
    ],
)
def test_a_name_that_tells_no_card_leaves_it_not_seen(system: str, names: tuple[str, str], ok: int) -> None:
    head = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    rows = [
        ("Ethernet0", system, names[0], "", names[1]),
        ("Ethernet80", "spine-1", "Ethernet0", "BR", "Ethernet0"),
    ]
    found = session("show lldp table", live_outputs.table(head, rows, right=False))
    assert (count(found, "ok"), told(found)) == (ok + 1, [])


@pytest.mark.parametrize(("netdev", "wrong"), [("ens1f0", []), ("ens2f0", ["Ethernet0 card: roce0, roce1"])])
def test_the_interface_in_the_description_of_lldpad_counts(netdev: str, wrong: list[str]) -> None:
    head = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    rows = [
        ("Ethernet0", "gpu-001", "02:00:00:00:00:01", "", f"Interface   6 as {netdev}"),
        ("Ethernet80", "spine-1", "Ethernet0", "BR", "Ethernet0"),
    ]
    assert told(session("show lldp table", live_outputs.table(head, rows, right=False))) == wrong


@pytest.mark.parametrize(
    ("port", "system", "name", "wrong"),
    [
        ("Ethernet120", "gpu-003", "ens1f0", ["Ethernet120 peer: none, gpu-003 roce0"]),
        ("Ethernet120", "", "b8:59:9f:00:00:07", ["Ethernet120 peer: none, gpu-007 roce0"]),
        ("Ethernet120", "SPINE-1.example.com", "Ethernet0", ["Ethernet120 peer: none, spine-1 Ethernet0"]),
        ("Ethernet120", "spine-1", "Ethernet124", []),
        ("Ethernet120", "gpu-003", "eno1", []),
        ("Ethernet120", "storage-1", "ens1f0", []),
        ("eth0", "gpu-003", "ens1f0", []),
    ],
)
def test_a_planned_end_on_a_port_that_is_not_planned(
    port: str, system: str, name: str, wrong: list[str]
) -> None:
    head = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    rows = [(port, system, name, "", name), ("Ethernet80", "spine-1", "Ethernet0", "BR", "Ethernet0")]
    assert told(session("show lldp table", live_outputs.table(head, rows, right=False))) == wrong


VLANS = "show vlan brief"


def member(vlan: str, port: str, tagging: str, address: str = "") -> str:
    """A row of the grid, as wide as its others."""
    widths = [len(part) - 2 for part in shown(VLANS).split("\n")[0].strip("+").split("+")]
    return live_outputs.row_of((vlan, address, port, tagging, "", ""), widths) + "\n"


def with_vlan(*rows: str) -> str:
    """The grid with one more VLAN."""
    rule = shown(VLANS).split("\n")[0]
    return shown(VLANS) + "".join(rows) + rule + "\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            lambda: with_vlan(member("200", "Ethernet4", "untagged")),
            ["200 Ethernet4 tagging: none, untagged"],
        ),
        (lambda: with_vlan(member("200", "Ethernet80", "tagged")), ["200 Ethernet80 tagging: none, tagged"]),
        (lambda: with_vlan(member("200", "Ethernet120", "tagged")), []),
        (lambda: with_vlan(member("200", "", "", "10.1.1.1/24")), []),
        (lambda: with_vlan(member("200", "", "", "172.16.0.2/26")), ["200 addresses: none, 172.16.0.2/26"]),
        (
            lambda: changed(VLANS, r"(?m)^(?=\|[^\n]*Ethernet4 )", member("", "Ethernet120", "tagged")),
            ["100 Ethernet120 tagging: none, tagged"],
        ),
        (
            lambda: changed(VLANS, r"(?m)^(?=\|[^\n]*Ethernet4 )", member("", "PortChannel1", "tagged")),
            ["100 PortChannel1 tagging: none, tagged"],
        ),
        (
            lambda: changed(VLANS, r"(?m)^(?=\|[^\n]*Ethernet4 )", member("", "Ethernet80", "tagged")),
            ["100 Ethernet80 tagging: none, tagged"],
        ),
    ],
)  # fmt: skip
def test_a_member_or_a_vlan_more_is_wrong_where_it_touches_the_plan(
    text: Callable[[], str], wrong: list[str]
) -> None:
    assert told(session(VLANS, text())) == wrong


def test_a_vlan_without_its_members_is_wrong_in_each() -> None:
    text = re.sub(r"(?m)^\|.*Ethernet(?:4|8) .*\n", "", shown(VLANS))
    assert told(session(VLANS, text)) == [
        "100 Ethernet4 tagging: tagged, no row",
        "100 Ethernet8 tagging: tagged, no row",
    ]


@pytest.mark.parametrize("lines", [10, 4, 3])
def test_vlans_that_are_cut_off_say_nothing_of_what_is_not_there(lines: int) -> None:
    found = session(VLANS, "\n".join(shown(VLANS).split("\n")[:lines]) + "\n")
    assert (count(found, "ok"), told(found)) == (lines - 3, [])
    assert found.unread[0][1] == "line 3: show vlan brief: cut off; what is not there is not seen"


def test_vlans_with_a_page_break_or_a_cut_row_are_no_list_of_all() -> None:
    rows = shown(VLANS).split("\n")
    for text in ([*rows[:8], "--More--", *rows[8:]], [*rows[:8], rows[8][:30], *rows[9:]]):
        found = session(VLANS, "\n".join(text))
        assert told(found) == []
        assert count(found, "not seen") > 0


@pytest.mark.parametrize("command", ["show vlan brief | grep -v Ethernet4", "show vlan brief | head -20"])
@pytest.mark.parametrize("prompt", [PROMPT, "admin@sonic:~$"])
def test_a_list_through_a_filter_is_no_list_of_all(prompt: str, command: str) -> None:
    text = re.sub(r"(?m)^\|.*Ethernet4 .*\n", "", shown(VLANS))
    found = live({"leaf-1.txt": f"{prompt} {command}\n{text}{prompt}\n"})
    assert (told(found), count(found, "ok")) == ([], 20)


def by_alias(text: str) -> str:
    """As with SONIC_CLI_IFACE_MODE=alias, in columns of the same width."""
    return re.sub(
        r"Ethernet([0-9]+)(:[0-9])?\b",
        lambda m: f"etp{int(m[1]) // 4 + 1}{m[2] or ''}".ljust(len(m[0])),
        text,
    )


@pytest.mark.parametrize(
    ("command", "ok"),
    [
        (VLANS, 1),
        ("show interfaces status", 0),
        ("show lldp table", 0),
        ("pfcwd show config", 1),
        ("pfcwd show stats -e", 0),
        ("show pfc counters", 0),
    ],
)
def test_ports_by_their_aliases_are_not_seen(command: str, ok: int) -> None:
    found = session(command, by_alias(shown(command)) + "Changed polling interval to 200ms\n")
    assert told(found) == []
    assert count(found, "ok") == ok + (command != "pfcwd show config")
    assert found.unread[0][1].endswith(
        f"{command}: ports by their aliases; save it without SONIC_CLI_IFACE_MODE=alias"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_cut_off_anywhere_is_never_wrong(command: str) -> None:
    """At the end of every line, and within the last line."""
    lines = shown(command).split("\n")
    for number in range(len(lines)):
        text = "\n".join(lines[:number])
        assert told(live({"leaf-1.txt": f"{text}\n"})) == []
        for width in (3, len(lines[number]) // 2, len(lines[number]) - 1):
            cut = live({"leaf-1.txt": f"{text}\n{lines[number][:width]}"})
            assert told(cut) == []


@pytest.mark.parametrize(("less", "ok"), [(1, 21), (2, 20), (60, 20), (150, 19)])
def test_a_grid_whose_last_line_no_line_break_ends(less: int, ok: int) -> None:
    """The last rule is known by the others; one that is cut off closes nothing. A VLAN more may follow it."""
    found = live({"leaf-1.txt": shown(VLANS)[:-less]})
    assert (count(found, "ok"), told(found)) == (ok, [])
    reasons = [why.partition(": ")[2] for _, why in found.unread]
    cut = ["show vlan brief: cut off; what is not there is not seen"]
    unused = ["a last line without its end, which is not used"]
    assert reasons == cut + (unused if ok < 21 else [])


SIGNS = ("^C", "Aborted!", "client_loop: send disconnect: Broken pipe", "Connection to leaf-1 closed.")


@pytest.mark.parametrize("command", [VLANS, "ecnconfig -l", "pfcwd show config"])
@pytest.mark.parametrize("sign", SIGNS)
def test_a_list_that_was_broken_off_is_none_of_all(command: str, sign: str) -> None:
    """Between two VLANs or profiles stands what stands below the last one."""
    text = re.sub(r"(?m)^.*Ethernet20 .*\n", "", shown(command)).replace("ROCE_Q3", "ROCE_Q4")
    for end in (sign, f"{sign}\n{PROMPT}"):
        found = live({"leaf-1.txt": f"{PROMPT} {command}\n{text}{end}\n"})
        assert "no row" not in {w.found for w in found.wrong}
    whole = live({"leaf-1.txt": f"{PROMPT} {command}\n{text}{PROMPT}\n"})
    assert "no row" in {w.found for w in whole.wrong}


@pytest.mark.parametrize("end", ["Total number of neighbors 8", f"{PROMPT}", ""])
def test_a_last_line_that_no_line_break_ends(end: str) -> None:
    """A total, a prompt or a row as long as the rule is whole; a shorter row may be cut off."""
    text = shown(BGP).partition("\n\nTotal")[0] + (f"\n\n{end}" if end else "")
    found = live({"leaf-1.txt": text})
    assert (count(found, "ok"), found.unread) == (18, ())
    short = live({"leaf-1.txt": text[:-1]}) if not end else found
    assert [why for _, why in short.unread] == (
        [] if end else ["line 16: a last line without its end, which is not used"]
    )


@pytest.mark.parametrize("name", ["leaf-1", "LEAF-1", "leaf-1.dc.example.com"])
def test_a_prompt_names_its_switch_in_any_case_and_with_a_domain(name: str) -> None:
    found = live({"x.txt": f"admin@{name}:~$ {BGP}\n{shown(BGP)}"})
    assert (count(found, "ok"), told(found)) == (18, [])


@pytest.mark.parametrize(("first", "ok"), [("admin@sonic:~$", 18), ("admin@leaf-2:~$", 0), (PROMPT, 0)])
def test_a_prompt_that_is_not_planned(first: str, ok: int) -> None:
    """By the file's name; behind a planned prompt, it is of another device."""
    found = live({"leaf-1.txt": f"{first} date\nadmin@sonic:~$ {BGP}\n{shown(BGP)}"})
    assert count(found, "ok") == ok
    assert found.unread == (() if ok else (("leaf-1.txt", f"line 3: {NAMELESS}"),))


@pytest.mark.parametrize(
    "command", [BGP, "vtysh -c 'show bgp summary json'", "show bgp vrf RED summary", "date"]
)
@pytest.mark.parametrize("text", ["% BGP instance not found", "{}", "{\n}", ""])
def test_a_switch_on_which_bgp_does_not_run_has_no_session(command: str, text: str) -> None:
    found = live({"leaf-1.txt": f"{PROMPT} {command}\n{text}\n{PROMPT} date\nSat Nov 28\n{PROMPT}\n"})
    asked = command not in ("date", "show bgp vrf RED summary")
    assert {one.found for one in found.wrong} == ({"no row"} if text and asked else set())
    assert bool(found.unread) == (not (text and asked))
