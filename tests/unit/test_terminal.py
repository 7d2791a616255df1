"""What a terminal showed in the end: bytes of GNU bash 5 under a pseudo-terminal, TERM=xterm-256color."""

from __future__ import annotations

import pytest

from netplan.reading.terminal import EDITED, as_seen

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
        ("\u2764\ufe0f me$ ssh leaf-12\x08\x1b[1P\x1b[1@3", "\u2764\ufe0f me$ ssh leaf-13"),
        ("e\u0301 me$ ssh leaf-12\r\x1b[16C3", "e\u0301 me$ ssh leaf-13"),
        ("--More--\x08\x08\x08\x08\x08\x08\x08\x08\x1b[K\tfoo", "\tfoo"),
        ("\u4e2d\u6587\r\x1b[4Cx", "\u4e2d\u6587x"),
        ("\x1b]0;me@adm\x07\x1b[01;32mme@adm\x1b[0m$ ls", "me@adm$ ls"),
    ],
)
def test_what_editors_and_pagers_do_in_a_line(bytes_: str, shown: str) -> None:
    assert seen(f"{bytes_}\r\n").rstrip() == shown


def test_an_edited_line_of_several_rows_is_not_known() -> None:
    """The command is longer than 80 columns: up, and to the digit in the first row. A window may be wider
    than the header of script(1) says."""
    up = f"{PROMPT}ssh admin@leaf-2 '{LONG}'\x1b[A" + "\x1b[C" * 17 + "1\r\n"
    back = f"{PROMPT}ssh leaf-1 '{LONG}' | tee x\r" + "\x1b[C" * 20 + "\x08\x1b[1P\x1b[1@2\r\n"
    head = 'Script started on 2026-11-29 08:00:00+00:00 [TERM="xterm" TTY="/dev/pts/0" COLUMNS="80"]\n'
    for text in (up, back):
        assert seen(text) == EDITED
        assert seen(head + text).split("\n")[1] == EDITED


def test_an_editor_s_wrap_tells_the_width() -> None:
    """Typed letter by letter: bash and zsh put a blank and a carriage return behind the last column."""
    typed = f"me@adm:~$ ssh admin@leaf-2 '{LONG}'"
    first, rest = typed[:80], typed[80:]
    assert seen(f"{PROMPT}{first[10:]} \r{rest}\r\n") == typed
    assert seen(f"{PROMPT}{first[10:]} \r\x1b[K{rest[0]}\r{rest}\x1b[?2004l\r\r\n") == typed
    edited = f"{PROMPT}{first[10:]} \r{rest}\x1b[A\r" + "\x1b[C" * 25 + "1\r\n"
    assert seen(edited) == typed.replace("leaf-2", "leaf-1")


@pytest.mark.parametrize(
    "bytes_",
    [
        "me@adm % \x1b[K\x1b[58C11:40:41\x1b[66Dssh leaf-1 'show ip bgp summary'",
        "\x1b7" + " " * 112 + "11:36:30\x1b8me@adm % ssh leaf-1 'show ip bgp summary'",
        " " * 100 + "(main)\rme@adm % ssh leaf-1 'show ip bgp summary'",
        "\x1b[1m\x1b[7m#\x1b[27m\x1b[1m\x1b[0m"
        + " " * 79
        + "\r \r\r\x1b[Jme@adm % ssh leaf-1 'show ip bgp summary'",
        "\x0fme@adm\x0f % ssh leaf-1 'show ip bgp summary'",
    ],
)
def test_what_stands_at_the_right_margin_is_no_word_of_the_command(bytes_: str) -> None:
    assert seen(f"{bytes_}\x1b[?2004l\r\r\n").rstrip() == "me@adm % ssh leaf-1 'show ip bgp summary'"


def test_a_mark_behind_an_output_without_a_line_break_leaves_it() -> None:
    assert seen("}\x1b[7m%\x1b[27m" + " " * 79 + "\r \r\r\x1b[Jme@adm % ls\r\n") == "}me@adm % ls"


def test_a_row_of_an_output_that_begins_with_blanks_is_kept() -> None:
    """Line ends of a terminal within a terminal: CR CR LF."""
    row = " " * 30 + "Ethernet0"
    assert seen(f"{row}\r\r\n") == row
    assert seen(f"x %{' ' * 30}\r\r\n").rstrip() == "x %"


def test_characters_without_width() -> None:
    prompt = "me@adm:~/cafe\u0301$ "
    text = f"{prompt}ssh gpu-010 'ip'\r" + "\x1b[C" * 26 + "\x08\x1b[1P\x1b[1@1\r\n"
    assert seen(text) == f"{prompt}ssh gpu-011 'ip'"


def test_blanks_of_windows_are_kept() -> None:
    """ConPTY prints a run of blanks as a movement."""
    assert seen("Ethernet0\x1b[5Cup\x1b[3Cdown\r\n") == "Ethernet0     up   down"


def test_a_pasted_block_is_one_command() -> None:
    one, two = "ssh leaf-1 'show vlan'", "ssh leaf-2 'show vlan'"
    inverse = f"{PROMPT}\x1b[7m{one}\x1b[27m\r\n\r\x1b[7m{two}\x1b[27m"
    text = f"{inverse}\x1b[A\r\x1b[10C{one}\r\n\r{two}\r\n\x1b[?2004l\rout\r\n"
    rows = as_seen(text).split("\n")
    assert (rows[0], rows[3], len(rows)) == (f"me@adm:~$ {one}; {two}", "out", 5)
    edited = text.replace(f"\r\n\r{two}\r\n\x1b", f"\x08\x1b[1P\x1b[1@3\r\n\r{two}\r\n\x1b")
    assert as_seen(edited).split("\n")[0] == EDITED
    wrapped = text.replace(f"\x1b[7m{two}", f"\x1b[7m{two[:9]} \r{two[9:]}")
    assert as_seen(wrapped).split("\n")[0] == f"me@adm:~$ {one}; {two}"


def test_a_command_that_was_pasted_with_its_line_break() -> None:
    one = "show interfaces status"
    text = f"{PROMPT}\x1b[7m{one}\x1b[27m\r\n\r\x1b[A\x1b[16C{one}\r\n\r\x1b[A\r\n\x1b[?2004l\rout\r\n"
    assert as_seen(text).split("\n")[0] == f"me@adm:~$ {one}"


@pytest.mark.parametrize("bytes_", ["x\x1b[5;10Hy", "x\x1b[1;20Hy", "x\x1b[2Ay", "x\x1b8z", "x\x1b[1;5ry"])
def test_any_other_movement_makes_the_line_unknown(bytes_: str) -> None:
    assert seen(f"{bytes_}\r\n") == EDITED


def test_lines_keep_their_numbers_and_are_bounded() -> None:
    text = "a\r\n\x1b[9999Cb\r\n" + "\x1b[9999C" * 50 + "c\r\n"
    rows = as_seen(text).split("\n")
    assert (len(rows), rows[0], len(rows[1])) == (4, "a", 10_000)
    assert len(rows[2]) <= 100_001


@pytest.mark.parametrize(
    "bytes_",
    [
        *("me$ ssh leaf-1\x1b[1;30H2", "me$ ssh leaf-1\x1b[2;1H2", "me$ ssh\tleaf-1\x082", "a\tb\r\x1b[9C2"),
        "\u2764\ufe0f me$ ssh leaf-12\r\x1b[16C3",
        *("x\r\x1b[9999C\x1b[9999Cy", "\u6f22" * 45 + "\r\x1b[3C2"),
    ],
)
def test_a_line_that_is_not_known(bytes_: str) -> None:
    assert seen(f"{bytes_}\r\n") == EDITED


@pytest.mark.parametrize(
    "given",
    [
        *("x" * 500_000 + "\r" * 500_000, "x" * 500_000 + "\r\x1b[4h" + "y" * 500_000, "\x1b]0;" * 200_000),
        *("x" * 500_000 + "\r" + "\x1b[P" * 100_000, "x" * 9_000 + "\r" + "\x1b[9999X" * 100_000),
    ],
)
def test_long_lines_take_no_time(given: str) -> None:
    assert seen(f"{given}\n{given}\n")
