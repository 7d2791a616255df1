"""``check-live``: outputs of other releases, without or with other headings, and whole sessions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests import test_check_live_json as mixed
from tests.cli_runs import netplan
from tests.live_leaf import PROMPT, changed, count, session, shown, told
from tests.test_check_live import SITE, live

BGP = "show ip bgp summary"
HEAD = "IPv4 Unicast Summary:"
PLANNED = ("172.31.0.1", "172.31.0.3")


def summary(family: str, states: dict[str, str]) -> str:
    """As FRR prints one list, without a heading if ``family`` is empty."""
    row = "{:<15} 4 4200000001    2164    2162        0    0    0 01:46:36 {:>12}"
    rows = [row.format(address, state) for address, state in states.items()]
    return "\n".join(
        [
            "",
            *([family] if family else []),
            "BGP router identifier 172.31.255.1, local AS number 4200000100 vrf-id 0",
            "BGP table version 0",
            "",
            "Neighbor        V         AS MsgRcvd MsgSent   TblVer  InQ OutQ  Up/Down State/PfxRcd",
            *rows,
            "",
            f"Total number of neighbors {len(rows)}",
            "",
        ]
    )


@pytest.mark.parametrize("command", ["show bgp summary", "show bgp su", ""])
@pytest.mark.parametrize("state", ["3", "NoNeg", "Idle"])
@pytest.mark.parametrize(
    "family", ["L2VPN EVPN Summary", "IPv4 VPN Summary", "L2VPN EVPN Summary (VRF default)"]
)
def test_a_list_of_another_address_family_is_none_of_the_planned_sessions(
    family: str, state: str, command: str
) -> None:
    text = shown(BGP) + summary(f"{family}:", dict.fromkeys(PLANNED, state))
    found = session(command, text) if command else live({"leaf-1.txt": text})
    assert (count(found, "ok"), told(found)) == (18, [])
    name = family.partition(" Summary")[0]
    assert [why.partition(": ")[2] for _, why in found.unread] == [
        f"BGP summary of {name}, not of IPv4 or IPv6 routes"
    ]


def test_each_list_is_of_the_sessions_of_its_ip_version() -> None:
    """Sessions of the other one may be in it."""
    six = summary("IPv6 Unicast Summary (VRF default):", {PLANNED[0]: "NoNeg", "2001:db8::1": "3"})
    four = changed(BGP, HEAD, "IPv4 Unicast Summary (VRF default):")
    for text in (four + six, six + four):
        found = session("show bgp summary", text)
        assert (count(found, "ok"), told(found), found.unread) == (18, [], ())
    found = session("show bgp summary", six.replace("NoNeg", " Idle") + four)
    assert told(found) == [f"{PLANNED[0]} session: established, Idle"]


@pytest.mark.parametrize("state", ["NoNeg", "(Policy)"])
def test_a_session_without_the_routes_of_its_own_ip_version_is_wrong(state: str) -> None:
    found = session(BGP, changed(BGP, r"(172\.31\.0\.1 .*)12 ", rf"\1{state} "))
    assert told(found) == [f"{PLANNED[0]} session: established, {state}"]


@pytest.mark.parametrize("sent", ["(Policy) (Policy) N/A", "5 (Policy) N/A", "5 (Policy) spine-1"])
def test_a_session_without_a_policy_in_either_direction_is_wrong(sent: str) -> None:
    """FRR has one blank between both columns."""
    found = session(BGP, changed(BGP, r"(172\.31\.0\.1 .*)12 .*", rf"\g<1>{sent}"))
    assert told(found) == [f"{PLANNED[0]} session: established, (Policy)"]


def test_a_row_that_is_missing_is_told_beside_a_list_of_evpn() -> None:
    less = re.sub(r"(?m)^ *172\.31\.0\.3 .*\n", "", shown(BGP)).replace("neighbors 8", "neighbors 7")
    text = less + summary("L2VPN EVPN Summary:", dict.fromkeys(PLANNED, "3"))
    assert set(told(session("show bgp summary", text))) == {
        f"{PLANNED[1]} AS: 4200000001, no row",
        f"{PLANNED[1]} session: established, no row",
    }


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("show ip bgp summary", 12),
        ("show bgp ipv4 unicast summary", 12),
        ("sudo vtysh -c 'show ip bgp summary'", 12),
        ("show ipv6 bgp summary", 0),
        ("show bgp ipv6 unicast summary", 0),
        ("vtysh -c 'show ip bgp summary' -c 'show bgp ipv6 summary'", 0),
    ],
)
def test_a_list_without_heading_is_of_what_the_command_asks_for(command: str, wrong: int) -> None:
    """Six sessions are not in it."""
    found = session(command, summary("", dict.fromkeys(PLANNED, "3")))
    assert {one.found for one in found.wrong} == ({"no row"} if wrong else set())
    assert len(found.wrong) == wrong


EVPN = "show bgp l2vpn evpn summary"


@pytest.mark.parametrize(
    ("command", "ok"),
    [
        (f"show ip bgp summary; {EVPN}", 18),
        (f"show vlan brief; vtysh -c 'show bgp summary' -c '{EVPN}'", 18),
        (EVPN, 0),
        (f"sudo vtysh -c '{EVPN}'", 0),
    ],
)
def test_a_summary_of_evpn_leaves_other_commands_behind_the_same_prompt(command: str, ok: int) -> None:
    found = session(command, shown(BGP) + summary("", {PLANNED[0]: "NoNeg"}))
    assert (count(found, "ok"), told(found), len(found.unread)) == (ok, [], 1)


def test_a_list_without_heading_and_command_lacks_nothing() -> None:
    """It may be of EVPN."""
    for state, ok in (("3", 6), ("NoNeg", 4)):
        found = live({"leaf-1.txt": summary("", dict.fromkeys(PLANNED, state)) + f"{PROMPT}\n"})
        assert (count(found, "ok"), told(found)) == (ok, [])
        assert found.unread[0][1].endswith(
            "BGP summary without heading and command: what is not there is not seen"
        )
    down = live({"leaf-1.txt": summary("", {PLANNED[0]: "Active"}) + f"{PROMPT}\n"})
    assert told(down) == [f"{PLANNED[0]} session: established, Active"]


@pytest.mark.parametrize("option", ["-n asic0", "--namespace asic1", "-nasic0", "-d frontend"])
@pytest.mark.parametrize("command", [BGP, "pfcwd show config", "show pfcwd config", "show vlan brief"])
def test_what_one_asic_shows_is_no_list_of_all(command: str, option: str) -> None:
    text = shown({"show pfcwd config": "pfcwd show config"}.get(command, command))
    less = re.sub(r"(?m)^.*(?: 172\.31\.0\.1|Ethernet4) .*\n", "", text).replace("neighbors 8", "neighbors 7")
    assert "no row" in {one.found for one in session(command, less).wrong}
    found = session(f"{command} {option}", less)
    assert (told(found), count(found, "ok") > 0) == ([], True)


def vlans(*kept: int) -> str:
    """The grid with these columns alone."""
    rows = (re.split("([|+])", line) for line in shown("show vlan brief").split("\n"))
    cut = (["".join(row[2 * n + 1 : 2 * n + 3]) for n in kept] + row[-2:-1] for row in rows)
    return "\n".join(map("".join, cut))


def test_vlans_without_the_column_of_the_tagging() -> None:
    """SONiC before October 2018: members are seen, how they are in the VLAN is not."""
    found = session("show vlan brief", vlans(0, 1, 2))
    assert told(found) == []
    seen = {one.claim.field for one in found.judged if one.outcome == "ok" and one.claim.kind == "tagging"}
    assert seen == {"member"}
    assert "100 Ethernet4" in {one.claim.subject for one in found.not_seen}
    assert count(found, "ok") == 21
    assert told(session("show vlan brief", vlans(0, 1, 2).replace("Ethernet4 ", "Ethernet80"))) == [
        "100 Ethernet4 tagging: tagged, no row",
        "100 Ethernet80 member: none, yes",
    ]


@pytest.mark.parametrize(("kept", "ok"), [((0, 2), 20), ((0, 1), 1), ((0,), 0)])
def test_vlans_without_other_columns(kept: tuple[int, ...], ok: int) -> None:
    found = session("show vlan brief", vlans(*kept))
    assert (count(found, "ok"), told(found)) == (ok, [])


BANNER = "--- JUNOS 22.4R1.10 Kernel 64-bit  JNPR-12.1-20230120\n"
PAGER = "set cli screen-length 0"


@pytest.mark.parametrize("role", ["", "{master:0}\n", "{primary:node0}\n", "{backup:1}[edit]\n"])
@pytest.mark.parametrize("banner", ["", BANNER, "\n"])
@pytest.mark.parametrize("commands", [1, 2, 3])
def test_a_session_of_junos_with_the_routing_engine_above_each_prompt(
    role: str, banner: str, commands: int
) -> None:
    """As if each output were in a file of its own."""
    files = mixed.outputs("leaf-6")
    ports, sessions = files["leaf-6-ports.json"], files["leaf-6-bgp.json"].replace("Established", "Idle", 1)
    outputs = {
        PAGER: "Screen length set to 0",
        "show interfaces | display json": ports,
        "show bgp neighbor | display json": sessions,
    }
    parts = [f"{role}admin@leaf-6> {command}\n{text}\n" for command, text in outputs.items()]
    found = mixed.live({"session.txt": f"{banner}{''.join(parts[-commands:])}{role}admin@leaf-6> "})
    alone = mixed.live(
        {"leaf-6-bgp.json": sessions, **({"leaf-6-ports.json": ports} if commands > 1 else {})}
    )
    assert [one.found for one in found.wrong] == ["idle"]
    assert [(one.claim, one.outcome) for one in found.judged] == [(o.claim, o.outcome) for o in alone.judged]


@pytest.mark.parametrize(("vrf", "wrong"), [("Default", 1), ("default", 1), ("Vrf1", 0)])
def test_the_default_vrf_in_any_case(vrf: str, wrong: int) -> None:
    """FRR up to 5 writes it with a capital."""
    peers = {PLANNED[0]: {"remoteAs": 4200000001, "state": "Active"}}
    of_vrf = {"routerId": "172.31.255.1", "as": 4200000100, "vrfId": 0, "vrfName": vrf, "totalPeers": 9}
    found = live({"leaf-1.json": json.dumps({"ipv4Unicast": {**of_vrf, "peers": peers}})})
    assert len(found.wrong) == wrong
    text = changed(BGP, " vrf-id 0", f" VRF {vrf} vrf-id 0").replace("12  ", "Idle", 1)
    assert len(session("show bgp summary", text).wrong) == wrong


@pytest.mark.parametrize("code", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", ["leaf-1.log", "leaf-1", "leaf-1.out", "leaf-1.TXT", "leaf-1/session.cap"])
def test_every_text_of_a_folder_is_read_whatever_its_name(name: str, code: str, tmp_path: Path) -> None:
    folder = tmp_path / "outputs"
    (folder / name).parent.mkdir(parents=True)
    (folder / "leaf-1-old.txt").write_text(shown(BGP))
    (folder / name).write_bytes(changed(BGP, r"(172\.31\.0\.1 .*)12 ", r"\1Idle").encode(code))
    (folder / "photo.png").write_bytes(b"PNG\0\0")
    (folder / "leaf-1.conf").write_text("net.ipv4.neigh.default.gc_thresh1 = 1\n")
    status, out, _ = netplan("check-live", str(SITE), str(folder))
    assert status == 1
    assert f"{folder / name}:9: leaf leaf-1, 172.31.0.1, session: expected established, found Idle" in out
    assert f"not read: {folder}: 2 files of no known kind not read: leaf-1.conf, photo.png" in out


@pytest.mark.parametrize(("beside", "ok"), [(True, True), (False, False)])
def test_a_vlan_id_of_nxos_with_swapped_bytes_counts_by_the_id_beside_it(beside: bool, ok: bool) -> None:
    plain = json.loads(mixed.outputs("leaf-5")["leaf-5-vlans.json"])
    swapped = json.loads(mixed.outputs("leaf-5")["leaf-5-vlans.json"])
    for row in swapped["TABLE_vlanbrief"]["ROW_vlanbrief"]:
        vlan = int(row["vlanshowbr-vlanid"])
        row["vlanshowbr-vlanid"] = int.from_bytes(vlan.to_bytes(4, "little"), "big")
        row |= {"vlanshowbr-vlanid-utf": vlan} if beside else {}
    found = mixed.live({"leaf-5-vlans.json": json.dumps(swapped)})
    right = count(mixed.live({"leaf-5-vlans.json": json.dumps(plain)}), "ok")
    assert (told(found), count(found, "ok")) == ([], right if ok else 0)
    assert len(found.unread) == (0 if ok else 1)
