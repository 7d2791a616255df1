"""``check-live``: logs of a person who logs in: passwords, messages of a login, commands of several lines,
the first line of script(1) and prompts of Windows."""

from __future__ import annotations

import pytest

from netplan.live.seen import NOBODY
from tests.live_leaf import changed
from tests.test_check_live import live
from tests.test_check_live_sessions import reasons

STATUS = "show interfaces status"
DOWN = changed(STATUS, "up ", "down ")
JUMP = "[me@jump ~]$"
UNAME = "Linux {} 6.1.0-29-2-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02) x86_64\n"
BANNER = r"""You are on
  ____   ___  _   _ _  ____
 / ___| / _ \| \ | (_)/ ___|
 \___ \| | | |  \| | | |
  ___) | |_| | |\  | | |___
 |____/ \___/|_| \_|_|\____|

-- Software for Open Networking in the Cloud --

Unauthorized access and/or use are prohibited.
All access and/or use are subject to monitoring.

Help:    https://sonic-net.github.io/SONiC/

Last login: Sun Nov 29 06:00:00 UTC 2026 from 10.1.2.4 on pts/0
"""


def hops(text: str, file: str = "x.log") -> list[str]:
    """Of each wrong value."""
    return [one.claim.hop.name for one in live({file: text}).wrong]


@pytest.mark.parametrize("asks", ["admin@{}'s password: ", "({}) Password:", "(admin@{}) Password: "])
def test_ssh_asks_for_the_password_of_the_machine_itself(asks: str) -> None:
    ssh = f"{JUMP} ssh admin@leaf-1 '{STATUS}'\n"
    again = "Permission denied, please try again.\n"
    assert hops(f"{ssh}{asks.format('leaf-1')}\n{again}{DOWN}{JUMP} \n") == ["leaf-1"]
    other = live({"leaf-1.log": f"{ssh}{asks.format('core-77')}\n{DOWN}{JUMP} \n"})
    assert (other.judged, reasons(other)) == ((), [NOBODY])


@pytest.mark.parametrize("login", [UNAME.format("leaf-1") + BANNER, BANNER, UNAME.format("sonic") + BANNER])
def test_the_message_of_a_login_above_outputs_of_a_file(login: str) -> None:
    """``ssh leaf-1 < commands > leaf-1.txt``, and a session of a switch without a name."""
    for prompt in ("", f"admin@sonic:~$ {STATUS}\n"):
        assert hops(f"{login}{prompt}{DOWN}", "leaf-1.txt") == ["leaf-1"]
    assert hops(f"{login}{DOWN}") == []


@pytest.mark.parametrize("name", ["core-77", "leaf-2"])
def test_the_message_of_another_machine_s_login_ends_what_is_of_the_file_s(name: str) -> None:
    for above in ("", f"{JUMP} ssh admin@leaf-1 '{STATUS}'\n"):
        assert hops(f"{above}{UNAME.format(name)}{BANNER}{DOWN}", "leaf-1.txt") == []
    for below in (BANNER, "Last login: Sun Nov 29 06:00:00 UTC 2026 from 10.1.2.4\n"):
        assert hops(f"admin@leaf-1:~$ date\nx\n{below}{DOWN}", "leaf-1.txt") == []


@pytest.mark.parametrize("end", ["", ' TERM="xterm" TTY="/dev/pts/0" COLUMNS="180" LINES="50"'])
def test_script_says_which_command_it_ran(end: str) -> None:
    head = 'Script started on 2026-11-29 07:22:53+00:00 [COMMAND="{}"' + end + "]\n"
    done = 'Script done on 2026-11-29 07:30:00+00:00 [COMMAND_EXIT_CODE="0"]\n'
    own = head.format(f"ssh leaf-1 '{STATUS}'")
    assert hops(f"{own}{DOWN}\n{done}") == ["leaf-1"]
    for command in (f"ssh core-77 '{STATUS}'", "./all.sh"):
        assert hops(f"{head.format(command)}{DOWN}\n{done}", "leaf-1.txt") == []


@pytest.mark.parametrize("prompt", ["C:\\Users\\me>", "c:\\>", "PS C:\\Users\\me> "])
def test_prompts_of_windows(prompt: str) -> None:
    assert hops(f'{prompt.upper()}ssh admin@leaf-1 "{STATUS}"\n{DOWN}{prompt}\n') == ["leaf-1"]


def test_a_command_of_several_lines() -> None:
    assert hops(f"{JUMP} ssh admin@leaf-1 <<EOF\n> {STATUS}\n> EOF\n{DOWN}{JUMP} \n") == ["leaf-1"]
    assert hops(f"{JUMP} ssh admin@leaf-1 \\\n> {STATUS}\n{DOWN}{JUMP} \n") == ["leaf-1"]
    for behind in (" 2>&1 | tee leaf-1.txt", " > x.txt", " | cat"):
        text = f"{JUMP} ssh admin@leaf-1 <<'EOF'{behind}\n> {STATUS}\n> EOF\n{DOWN}{JUMP} \n"
        assert hops(text) == ["leaf-1"]
    for behind in (" | ssh core-77", " && ssh core-77 show interfaces status", "; ./all.sh"):
        text = f"{JUMP} ssh admin@leaf-1 <<'EOF'{behind}\n> {STATUS}\n> EOF\n{DOWN}{JUMP} \n"
        assert hops(text, "leaf-1.txt") == []
    within = f"> ssh core-77 {STATUS}\n> exit\n"
    text = f"{JUMP} ssh admin@leaf-1 <<'EOF'\n{within}> EOF\n{DOWN}{JUMP} \n"
    assert hops(text, "leaf-1.txt") == []
