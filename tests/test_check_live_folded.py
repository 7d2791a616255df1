"""``check-live``: tables that a terminal broke at its width, copied from its screen."""

from __future__ import annotations

import json

import pytest

from tests import test_check_live_json as mixed
from tests.live_leaf import COMMANDS, PROMPT, changed, count, session, shown, told
from tests.test_check_live import live

WIDE = [each for each in COMMANDS if max(map(len, shown(each).split("\n"))) > 80]


def folded(text: str, width: int, trimmed: bool) -> str:
    """``trimmed``: without blanks at the ends of lines, as the screen is copied."""
    parts = [line[at : at + width] for line in text.split("\n") for at in range(0, max(len(line), 1), width)]
    return "\n".join(each.rstrip() if trimmed else each for each in parts)


def test_tables_wider_than_a_usual_terminal() -> None:
    assert {"show interfaces status", "show ip bgp summary", "show vlan brief"} <= {*WIDE}


@pytest.mark.parametrize("command", WIDE)
@pytest.mark.parametrize("trimmed", [True, False])
def test_a_table_broken_at_the_width_of_the_terminal_is_as_a_whole_one(command: str, trimmed: bool) -> None:
    whole, broken = (session(command, text) for text in (shown(command), folded(shown(command), 80, trimmed)))
    assert (told(broken), broken.unread) == ([], ())
    assert count(broken, "ok") == count(whole, "ok") > 0


@pytest.mark.parametrize("trimmed", [True, False])
def test_a_wrong_value_in_a_broken_table_is_found_at_its_row(trimmed: bool) -> None:
    text = changed("show ip bgp summary", r"172\.31\.0\.3 (.*?) {6}12 ", r"172.31.0.3 \1  Active ")
    found = session("show ip bgp summary", folded(text, 80, trimmed))
    assert told(found) == ["172.31.0.3 session: established, Active"]
    lines = folded(text, 80, trimmed).split("\n")
    assert found.wrong[0].at is not None
    assert found.wrong[0].at.line == 2 + next(n for n, line in enumerate(lines) if "172.31.0.3 " in line)


def test_rows_that_are_broken_in_another_way_are_told() -> None:
    lines = folded(shown("show interfaces status"), 80, True).split("\n")
    found = live({"x.txt": f"{PROMPT} show interfaces status\n" + "\n".join([*lines[:9], *lines[10:]])})
    assert (told(found), count(found, "ok")) == ([], 0)
    why = "a table whose rows are broken at the width of a terminal, which is not used"
    assert why in "; ".join(reason for _, reason in found.unread)


def test_a_rule_below_an_empty_table_is_no_broken_one() -> None:
    text = "\n".join(shown("show lldp table").split("\n")[:3])
    below = f"{'-' * 50}\nTotal entries displayed:  0\n{PROMPT} show ip bgp summary\n"
    found = session("show lldp table", f"{text}\n{below}{shown('show ip bgp summary')}")
    why = "line 2: nothing of show lldp table is in it: Capability codes: (R) Router, (B) Bridge, (O) Other"
    assert (told(found), found.unread) == ([], (("x.txt", why),))


@pytest.mark.parametrize("prompt", ["leaf-5# ", "x@y:~$ ssh leaf-5 'show interface | json'"])
@pytest.mark.parametrize("width", [80, 132])
def test_json_of_one_line_that_is_broken_at_the_width(width: int, prompt: str) -> None:
    shown = json.dumps(json.loads(mixed.outputs("leaf-5")["leaf-5-ports.json"]))
    command = "show interface | json" if prompt.startswith("leaf") else ""
    right = f"{prompt}{command}\n{{}}\n{prompt[:7]}\n"
    for text in (shown, shown[:-1] + " " * (-len(shown) % width) + shown[-1]):  # its last line is a whole one
        whole = mixed.live({"x.log": right.format(shown)})
        found = mixed.live({"x.log": right.format(folded(text, width, trimmed=width == 80))})
        assert (found.wrong, count(found, "ok")) == ((), count(whole, "ok"))
        assert count(found, "ok") > 0
    down = folded(shown.replace('"state": "up"', '"state": "down"', 1), width, trimmed=False)
    (wrong,) = mixed.live({"leaf-5.json": f"{down}\n"}).wrong
    assert wrong.claim.field == "oper"


@pytest.mark.parametrize("trimmed", [True, False])
@pytest.mark.parametrize("width", [90, 100, 106, 120])
def test_a_table_that_is_as_wide_as_the_terminal_is_whole(width: int, trimmed: bool) -> None:
    text = "".join(f"{PROMPT} {each}\n{shown(each)}" for each in COMMANDS) + f"{PROMPT} \n"
    whole, broken = (live({"x.txt": each}) for each in (text, folded(text, width, trimmed)))
    assert (told(broken), broken.unread) == ([], ())
    assert count(broken, "ok") == count(whole, "ok")


def test_many_rules_are_no_table() -> None:
    for rule in ("-" * 100, "+" + "-" * 90):
        assert live({"x.txt": f"{PROMPT} show version\n" + f"{rule}\n" * 2_000}).judged == ()
