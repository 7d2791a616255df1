"""``check-live``: of a command that was taken from the history of a shell, the one that the shell printed."""

from __future__ import annotations

import pytest

from netplan.live.history import is_run
from tests.live_leaf import changed
from tests.test_check_live import live

STATUS = "show interfaces status"
DOWN = changed(STATUS, "up ", "down ")


@pytest.mark.parametrize(
    ("typed", "ran"),
    [
        *(("!!", STATUS), ("sudo !!", f"sudo {STATUS}"), ("!sh", STATUS), ("!-2", STATUS), ("!17", STATUS)),
        *(("^statu^status", STATUS), ("^statu^status^", STATUS), ("!?status?", STATUS)),
        *(
            ("show interfaces !$", STATUS),
            ("!!:0 interfaces !:2", STATUS),
            ("!! | tee x", f"{STATUS} | tee x"),
        ),
        *(("timeout 5 !sh 2>&1 | tee x!", f"timeout 5 {STATUS} 2>&1 | tee x!"), ("!sh:p", STATUS)),
    ],
)
def test_the_line_below_is_the_command(typed: str, ran: str) -> None:
    for prompt in ("admin@leaf-1:~$", "[10:00] admin@leaf-1:~$", "root@leaf-1:/#"):
        found = live({"x.log": f"{prompt} {typed}\n{ran}\n{DOWN}{prompt} \n"})
        assert {one.claim.hop.name for one in found.wrong} == {"leaf-1"}


@pytest.mark.parametrize("ran", ["ssh leaf-2 '{}'", "timeout 9 ssh a@leaf-2 {}"])
@pytest.mark.parametrize("typed", ["!!", "!-3", "^leaf-1^leaf-2"])
def test_it_may_be_about_another_machine(typed: str, ran: str) -> None:
    for name in ("leaf-1.log", "x.log"):
        given = f"admin@leaf-1:~$ {typed}\n{ran.format(STATUS)}\n{DOWN}admin@leaf-1:~$ \n"
        assert {one.claim.hop.name for one in live({name: given}).judged} == {"leaf-2"}


@pytest.mark.parametrize(
    ("typed", "below"),
    [
        *(
            ("!!", f"l2 {STATUS}"),
            ("!l2", f"l2 {STATUS}"),
            ("cat !$", "cat /tmp/leaf-2.txt"),
            ("!!", "./leaf2"),
        ),
        *(("l2 'a!b'", STATUS), ("l2 !", STATUS), ("!sh", ""), ("!l2", STATUS), ("l2 !! x", STATUS)),
        *(
            ("^1^2", f"l2 {STATUS}"),
            ("!!", "bash: !!: event not found"),
            ("sudo !!", STATUS),
            ("!!", "leaf-9"),
        ),
        *(("!! | cat leaf2", f"{STATUS} | cat leaf2"), ("! l2", STATUS), ("l2 a^1^status", STATUS)),
    ],
)
def test_any_other_line_says_nothing_of_the_machine(typed: str, below: str) -> None:
    for name in ("leaf-1.log", "x.log"):
        above = f"{below}\n" if below else ""
        given = f"admin@leaf-1:~$ {typed}\n{above}{DOWN}admin@leaf-1:~$ \n"
        assert live({name: given}).judged == ()


def test_a_shell_that_lets_the_command_be_edited_shows_a_prompt_again() -> None:
    given = f"admin@leaf-1:~$ !!\nadmin@leaf-1:~$ {STATUS}\n{DOWN}admin@leaf-1:~$ \n"
    assert live({"x.log": given}).wrong


def test_long_lines_are_no_commands() -> None:
    assert not is_run("a" * 1000, "a" * 100_000)
    assert live({"x.log": f"{'#a' * 100_000}!!\n{STATUS}\n"}).judged == ()
