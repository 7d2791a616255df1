"""What a terminal showed in the end: bytes of GNU bash 5 under a pseudo-terminal, TERM=xterm-256color."""

from __future__ import annotations

import pytest

from netplan.reading.terminal import EDITED, as_seen

HEAD = 'Script started on 2026-11-29 08:00:00+00:00 [TERM="xterm" TTY="/dev/pts/0" COLUMNS="{}" LINES="24"]\n'
PROMPT = "\x1b[?2004hme@adm:~$ "
OTHER = f"{PROMPT}ssh leaf-1 'show interfaces status'\r" + "\x1b[C" * 20 + "\x08\x1b[1P\x1b[1@2\r\n"
LONG = "show interfaces status; show vlan brief; show ip interfaces"


def seen(text: str) -> str:
    return as_seen(text).rstrip("\n")


def test_an_edited_command_of_the_history() -> None:
    assert seen(OTHER) == "me@adm:~$ ssh leaf-2 'show interfaces status'"
    assert (
        seen(f"{PROMPT}ssh leaf-1 'show vlan'\r" + "\x1b[C" * 19 + "2\r\n")
        == "me@adm:~$ ssh leaf-2 'show vlan'"
    )


@pytest.mark.parametrize(
    ("bytes_", "shown"),
    [
        ("show ip bgp summaryy\x08\x1b[K", "show ip bgp summary"),
        ("show ip bgp | grep x\x1b[9D\x1b[K", "show ip bgp"),
        ("shw vlan\x1b[6D\x1b[1@o", "show vlan"),
        ("shw vlan\x1b[6D\x1b[4ho\x1b[4l", "show vlan"),
        ("showw vlan\x1b[6D\x1b[P", "show vlan"),
        ("shoX vlan\x1b[4Gw", "show vlan"),
        ("show xxx\x1b[4D\x1b[4X", "show"),
        ("junk\x1b[2K\rshow vlan", "show vlan"),
        ("\x1b[7m--More--\x1b[m\r\x1b[K  },", "  },"),
        ("--More--\x08\x08\x08\x08\x08\x08\x08\x08        \x08\x08\x08\x08\x08\x08\x08\x08  },", "  },"),
        ("\x1b[1m%\x1b[m" + " " * 79 + "\r \rme@adm % ls\x1b[K", "me@adm % ls"),
        ("\x1b[H\x1b[2Jadmin@leaf-1:~$ ls", "admin@leaf-1:~$ ls"),
        ("\u4e2d\u6587\r\x1b[4Cx", "\u4e2d\u6587x"),
        ("\x1b]0;me@adm\x07\x1b[01;32mme@adm\x1b[0m$ ls", "me@adm$ ls"),
    ],
)
def test_what_editors_and_pagers_do_in_a_line(bytes_: str, shown: str) -> None:
    assert seen(f"{bytes_}\r\n").rstrip() == shown


def test_a_line_of_several_rows_needs_the_width_of_the_terminal() -> None:
    """The command is longer than 80 columns: up, and to the digit in the first row."""
    text = f"{PROMPT}ssh admin@leaf-2 '{LONG}'\x1b[A" + "\x1b[C" * 17 + "1\r\n"
    assert seen(HEAD.format(80) + text).split("\n")[1] == f"me@adm:~$ ssh admin@leaf-1 '{LONG}'"
    assert seen(text) == EDITED


def test_a_return_in_the_second_row_is_to_its_begin() -> None:
    before = (
        f"me@adm:~$ ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -4 x admin@leaf-2 {LONG}"
    )
    at = before.index("leaf-2") + len("leaf-") - 80
    text = f"{before[:150]}\r\x1b[{at}C1\r\n"
    assert seen(HEAD.format(80) + text).split("\n")[1] == before[:150].replace("leaf-2", "leaf-1")
    assert seen(text) == EDITED


@pytest.mark.parametrize("bytes_", ["x\x1b[5;10Hy", "x\x1b[2Ay", "x\x1b7y\x1b8z", "x\x1b[1;5ry"])
def test_any_other_movement_makes_the_line_unknown(bytes_: str) -> None:
    assert seen(f"{bytes_}\r\n") == EDITED


def test_lines_keep_their_numbers_and_are_bounded() -> None:
    text = "a\r\n\x1b[9999Cb\r\n" + "\x1b[9999C" * 50 + "c\r\n"
    rows = as_seen(text).split("\n")
    assert (len(rows), rows[0], len(rows[1])) == (4, "a", 10_000)
    assert len(rows[2]) <= 100_001
