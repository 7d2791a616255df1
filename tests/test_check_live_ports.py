"""``check-live``, ports, queues and profiles of SONiC that state something other or more than the plan, or no
value: outputs of leaf-1 with one difference."""

from __future__ import annotations

import re

import pytest

from netplan.live.report import live_lines
from netplan.live.unread import UNREAD
from tests.live_leaf import PROMPT, changed, count, session, shown, told, with_cell
from tests.test_check_live import live

STATS = "pfcwd show stats -e"


@pytest.mark.parametrize(
    ("queue", "status", "wrong"),
    [
        ("Ethernet0:3", "stormed", ["Ethernet0:3 status: operational, stormed"]),
        ("Ethernet0:4", "stormed", ["Ethernet0:4 status: operational, stormed"]),
        ("Ethernet200:3", "stormed", ["Ethernet200:3 status: operational, stormed"]),
        ("Ethernet0:4", "N/A", []),
        ("Ethernet0:4", "operational", []),
    ],
)
def test_a_storm_on_any_queue_is_wrong(queue: str, status: str, wrong: list[str]) -> None:
    assert told(session(STATS, with_cell(STATS, queue, "STATUS", status))) == wrong


@pytest.mark.parametrize("queue", ["Ethernet0:3", "Ethernet0:4", "Ethernet200:3"])
def test_a_storm_that_is_over_is_wrong(queue: str) -> None:
    text = with_cell(STATS, queue, "STORM DETECTED/RESTORED", "7/7")
    assert told(session(STATS, text)) == [f"{queue} detected: 0, 7"]
    alone = [line for line in text.split("\n") if "operational" not in line or "7/7" in line]
    assert told(session("pfcwd show stats", "\n".join(alone))) == [f"{queue} detected: 0, 7"]


def test_a_queue_without_a_status_is_not_seen() -> None:
    found = session(STATS, with_cell(STATS, "Ethernet0:3", "STATUS", "N/A"))
    assert (count(found, "ok"), told(found)) == (27 + 28, [])


@pytest.mark.parametrize("colour", ["green", "yellow", "red"])
def test_wred_of_every_colour_counts(colour: str) -> None:
    text = changed("ecnconfig -l", f"(wred_{colour}_enable +)true", r"\1false")
    text = re.sub(f"({colour}_max_threshold +)1500000", r"\g<1>1000000", text)
    text = re.sub(f"({colour}_drop_probability +)100", r"\g<1>5", text)
    assert told(session("ecnconfig -l", text)) == [
        f"ROCE_Q3 wred_{colour}_enable: true, false",
        f"ROCE_Q3 {colour}_max_threshold: 1500000, 1000000",
        f"ROCE_Q3 {colour}_drop_probability: 100, 5",
    ]


def test_a_wred_setting_that_a_profile_does_not_have() -> None:
    text = changed("ecnconfig -l", "wred_green_enable .*\n", "")
    assert told(session("ecnconfig -l", text)) == ["ROCE_Q3 wred_green_enable: true, no row"]


BUFFERS = """Pool: ingress_lossless_pool
----  -------
mode  dynamic
type  ingress
----  -------

Profile: pg_lossless_100000_5m_profile
----------  ---------------------
dynamic_th  0
pool        ingress_lossless_pool
size        19456
xon         19456
----------  ---------------------

"""


@pytest.mark.parametrize("command", ["mmuconfig -l", "show mmu"])
@pytest.mark.parametrize("prompts", [True, False])
def test_profiles_of_buffers_are_none_of_wred(command: str, prompts: bool) -> None:
    """sonic-net/sonic-utilities 691b1bbc tests/mmuconfig_input/mmuconfig_test_vectors.py."""
    right, wrong = shown("ecnconfig -l"), changed("ecnconfig -l", "ROCE_Q3", "AZURE_LOSSLESS")
    buffers = f"{PROMPT} {command}\n{BUFFERS}" if prompts else BUFFERS
    of_wred = f"{PROMPT} ecnconfig -l\n" if prompts else ""
    for text, differ in ((right, 0), (wrong, 13)):
        for parts in ((buffers, of_wred, text), (of_wred, text, buffers)):
            found = live({"leaf-1.txt": "".join((*parts, f"{PROMPT}\n"))})
            assert (len(found.wrong), count(found, "ok")) == (differ, 13 - differ)
            told = (("leaf-1.txt", UNREAD),) if prompts and command == "mmuconfig -l" else ()
            assert tuple((name, why.partition(": ")[2]) for name, why in found.unread) == told
    alone = live({"leaf-1.txt": f"{buffers}{PROMPT}\n"})
    assert alone.judged == ()


def test_profiles_that_are_cut_off_say_nothing_of_what_is_not_there() -> None:
    text = "\n".join(shown("ecnconfig -l").split("\n")[:4]) + "\n"
    for cut in (text, f"{text}Profile: ROCE_Q4\n", f"{text}\n"):
        found = session("ecnconfig -l", cut)
        assert (count(found, "ok"), told(found)) == (2, [])
        assert found.unread == (("x.txt", "line 2: ecnconfig -l: cut off; what is not there is not seen"),)


WATCHDOG = "pfcwd show config"


def test_a_switch_without_a_watchdog_shows_an_empty_list() -> None:
    empty = "\n".join(shown(WATCHDOG).split("\n")[1:3]) + "\n"
    for found in (session(WATCHDOG, empty), live({"leaf-1.txt": empty})):
        assert {w.found for w in found.wrong} == {"no row"}
        assert {w.claim.subject for w in found.wrong} >= {"polling", "Ethernet0", "Ethernet108"}


def test_a_watchdog_on_no_port_may_show_its_interval() -> None:
    """SONiC 201811 and 201911 (pfcwd/main.py, config)."""
    empty = "\n".join(shown(WATCHDOG).split("\n")[:3]) + "\n"
    found = session(WATCHDOG, empty)
    assert {w.found for w in found.wrong} == {"no row"}
    assert {w.claim.subject for w in found.wrong} >= {"Ethernet0", "Ethernet108"}
    alone = live({"leaf-1.txt": empty})
    assert (alone.wrong, [why.partition(": ")[2] for _, why in alone.unread]) == (
        (),
        ["pfcwd show config: no row, and nothing below it: perhaps cut off"],
    )


def test_a_switch_without_a_storm_shows_no_queue_unless_it_is_asked_for_all() -> None:
    empty = "\n".join(shown("pfcwd show stats -e").split("\n")[:2]) + "\n"
    found = live({"leaf-1.txt": f"{PROMPT} pfcwd show stats -e\n{empty}{PROMPT} \n"})
    why = "no queue was in a storm that a watchdog saw; pfcwd show stats -e shows every queue"
    assert (found.judged, found.unread) == ((), (("leaf-1.txt", f"line 2: {why}"),))
    whole = live({"leaf-1.txt": f"{PROMPT} pfcwd show stats -e\n{shown('pfcwd show stats -e')}{PROMPT} \n"})
    assert (whole.wrong, whole.unread, count(whole, "ok") > 0) == ((), (), True)


def test_rows_that_a_list_lacks_are_one_line() -> None:
    empty = "\n".join(shown(WATCHDOG).split("\n")[1:3]) + "\n"
    storm = with_cell("pfcwd show stats -e", "Ethernet0:3", "STATUS", "stormed")
    found = live(
        {"leaf-1.txt": f"{PROMPT} pfcwd show stats -e\n{storm}{PROMPT} {WATCHDOG}\n{empty}{PROMPT}\n"}
    )
    lines = [line for line in live_lines(found, quiet=True) if line]
    assert len(found.wrong) > 80
    assert len(lines) == 2
    assert "Ethernet0:3, status: expected operational, found stormed" in lines[0] + lines[1]
    assert any("leaf leaf-1, pfcwd show config: no row of " in line for line in lines)


def test_a_profile_that_lacks_two_settings_names_them() -> None:
    text = changed("ecnconfig -l", "wred_green_enable .*\n", "")
    found = session("ecnconfig -l", re.sub("wred_red_enable .*\n", "", text))
    (line,) = live_lines(found, quiet=True)
    assert line.endswith("ecnconfig -l: no row of ROCE_Q3 (wred_green_enable, wred_red_enable)")


def test_a_port_without_a_watchdog_is_not_in_the_list() -> None:
    text = changed(WATCHDOG, r"(?m)^ *Ethernet4 .*\n", "")
    wrong = [f"Ethernet4 {what}, no row" for what in ("action: drop", "detection: 200", "restoration: 2000")]
    assert told(session(WATCHDOG, text)) == wrong
    assert told(live({"leaf-1.txt": text + shown("pfcwd show stats -e")})) == wrong
    assert told(live({"leaf-1.txt": text})) == [], "rows below may be cut off"
    assert told(session(f"{WATCHDOG} Ethernet0", text)) == [], "of one port"
    assert told(session(f"sudo {WATCHDOG} -d all", text)) == wrong


def test_a_polling_interval_that_is_not_set_is_wrong() -> None:
    text = changed(WATCHDOG, "Changed polling.*\n", "")
    assert told(session(WATCHDOG, text)) == ["polling interval: 200, no row"]


@pytest.mark.parametrize(
    ("status", "wrong"), [("enable", ["BIG_RED_SWITCH status: disable, enable"]), ("disable", [])]
)
def test_the_big_red_switch_drops_what_the_plan_keeps(status: str, wrong: list[str]) -> None:
    text = changed(WATCHDOG, "ms\n", f"ms\nBIG_RED_SWITCH status is {status}\n")
    assert told(session(WATCHDOG, text)) == wrong


STATUS = "show interfaces status"


@pytest.mark.parametrize(
    ("port", "mode", "wrong"),
    [
        ("Ethernet0", "PortChannel1", "Ethernet0 mode: trunk, PortChannel1"),
        ("Ethernet0", "access", "Ethernet0 mode: trunk, access"),
        ("Ethernet4", "routed", "Ethernet4 mode: trunk, routed"),
        ("Ethernet80", "trunk", "Ethernet80 mode: routed, trunk"),
        ("Ethernet64", "routed", "Ethernet64 mode: trunk, routed"),
        ("Ethernet64", "access", ""),
        ("Ethernet0", "N/A", ""),
    ],
)
def test_the_mode_of_a_port_counts(port: str, mode: str, wrong: str) -> None:
    found = session(STATUS, with_cell(STATUS, port, "Vlan", mode))
    assert told(found) == ([wrong] if wrong else [])
    assert count(found, "not seen") == count(session(STATUS, shown(STATUS)), "not seen") + (mode == "N/A")


@pytest.mark.parametrize(("asymmetric", "wrong"), [("on", ["Ethernet0 asym pfc: off, on"]), ("N/A", [])])
def test_asymmetric_pfc_takes_pause_frames_of_all_priorities(asymmetric: str, wrong: list[str]) -> None:
    assert told(session(STATUS, with_cell(STATUS, "Ethernet0", "Asym PFC", asymmetric))) == wrong


@pytest.mark.parametrize(("speed", "wrong"), [("100000M", []), ("40000M", ["Ethernet0 speed: 100G, 40G"])])
def test_a_speed_counts_in_any_unit(speed: str, wrong: list[str]) -> None:
    assert told(session(STATUS, with_cell(STATUS, "Ethernet0", "Speed", speed))) == wrong
