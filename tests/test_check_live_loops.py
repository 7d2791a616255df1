"""``check-live``: loops over commands at a switch, groups of commands, and commands that show no network."""

from __future__ import annotations

import pytest

from netplan.live.loops import written_out
from netplan.live.shells import machine_of
from tests.live_leaf import changed, shown
from tests.test_check_live import live

KNOWN = frozenset({"leaf-1", "leaf-2", "gpu-001"})
STATUS, VLANS = "show interfaces status", "show vlan brief"
LOOP = f"for c in '{STATUS}' \"{VLANS}\"; do {{}}; done"


@pytest.mark.parametrize(
    "command",
    [
        *(LOOP.format(body) for body in ("$c", 'echo "== $c =="; $c', "echo; sudo ${c} 2>&1", "$c; sleep 1")),
        *(f"{LOOP.format('$c')}{end}" for end in (" | tee /tmp/x.txt", " 2>&1 | tee -a x", "; date")),
        *(f"({STATUS}; {VLANS}) 2>&1 | tee /tmp/x.txt", f"{{ {STATUS}; {VLANS}; }} | tee x", f"({STATUS})"),
        *(f"docker ps; {STATUS}", f"ls /tmp; {STATUS}", f"df -h; free -m; {STATUS}", f"which show; {STATUS}"),
    ],
)
def test_all_of_it_is_of_the_switch(command: str) -> None:
    assert machine_of(written_out(command), "leaf-1", KNOWN) == "leaf-1"
    text = f"== {STATUS} ==\n{shown(STATUS)}== {VLANS} ==\n{shown(VLANS)}"
    found = live({"x.log": f"admin@leaf-1:~$ {command}\n{text}admin@leaf-1:~$ \n"})
    assert {one.claim.hop.name for one in found.judged if one.found} == {"leaf-1"}
    assert {one.claim.output for one in found.judged if one.found} == {STATUS, VLANS}


@pytest.mark.parametrize(
    "command",
    [
        *(
            LOOP.format(body)
            for body in ("ssh leaf-2 $c", "ssh core-7 $c; $c", "l2 $c", "$c | cat leaf2", "$d")
        ),
        *(LOOP.format(body) for body in ('eval "$c"', "$c; $($c)", 'echo "; done x"; ssh leaf-2 $c', "$cx")),
        *(
            LOOP.format(body)
            for body in ("for d in 1; do $c; done", "x=$c; $x", "bash x.sh $c", "telnet leaf-2")
        ),
        *(
            f"{LOOP.format('$c')} | ssh leaf-2",
            f"{LOOP.format('$c')}; ssh leaf-2 {STATUS}",
            "for c in a; do $c; done",
        ),
        *("for c in 'ssh leaf-2 show x'; do $c; done", f"for c in '{STATUS}' './l2'; do $c; done"),
        *(
            "for c in *; do $c; done",
            "for c in '$x'; do $c; done",
            "for c in 'show x; ssh leaf-2'; do $c; done",
        ),
        *(
            f"({STATUS}; ssh leaf-2 {STATUS}) | tee x",
            f"{{ l2 {STATUS}; }} | tee x",
            f"({STATUS}) | cat leaf2",
        ),
        *(
            f"docker -H ssh://leaf-2 ps; docker run x; {STATUS}",
            f"ls $(ssh leaf-2 {STATUS})",
            "read x < leaf2",
        ),
        *(f"docker exec x {STATUS}", f"{{ {STATUS}; }} < leaf2", f"{STATUS}; }} ssh leaf-2 {STATUS}"),
    ],
)
def test_any_other_is_of_nobody_or_the_one_that_it_names(command: str) -> None:
    assert machine_of(written_out(command), "leaf-1", KNOWN) != "leaf-1"


def test_a_list_in_a_group_or_loop_shows_all_of_it() -> None:
    text, summary = changed(VLANS, r"(?m)^\|.* Ethernet72 .*\n", ""), "show ip bgp summary"
    for command in (f"({VLANS}) 2>&1 | tee x", f"{{ {VLANS}; }} | tee x", f"for c in '{VLANS}'; do $c; done"):
        found = live({"x.log": f"admin@leaf-1:~$ {command}\n{text}admin@leaf-1:~$ \n"})
        assert {one.claim.subject for one in found.wrong} == {"100 Ethernet72"}
    given = f"admin@leaf-1:~$ ({summary}) 2>&1 | tee x\n{shown(summary)}admin@leaf-1:~$ \n"
    assert live({"x.log": given}).unread == ()


def test_long_lines_take_no_time() -> None:
    for part in ("for a in 'x' ", "for a in 'x'; do ", "; done "):
        assert written_out(part * 20_000) == part * 20_000
