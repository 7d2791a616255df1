"""``check-live``: a prompt without a name of its own is of the file's switch as long as nothing above it may
be of another one."""

from __future__ import annotations

import pytest

from netplan.live.seen import NAMELESS
from tests import test_check_live_json as mixed
from tests.live_leaf import PROMPT, changed, count, shown
from tests.test_check_live import live
from tests.test_check_live_sessions import reasons

STATUS = "show interfaces status"
DOWN = changed(STATUS, "up ", "down ")
SONIC = "admin@sonic:~$"
BELOW = f"{SONIC} {STATUS}\n{DOWN}{SONIC} \n"

CLOSES = [
    *("ops@b:~$ ssh core-77", "ssh core-77", "ssh core-77 show version", "== core-77", "core-77", "core-77#"),
    *(f"{PROMPT} exit", f"{PROMPT} show clock", "ops@b:~$ ", "== leaf-2", "== training-0", f"{SONIC} exit"),
    *(f"{SONIC} ssh 10.0.0.77", f"{SONIC} sudo telnet 10.0.0.77", f"{SONIC} cu -l /dev/ttyS1"),
    *(f"{SONIC} screen /dev/ttyUSB0 115200", f"{SONIC} date\n\u276f telnet x", f"{SONIC} date\n\u276f exit"),
    *(f"{SONIC} show vlan brief\nerror 7", f"{SONIC} sudo pfcwd show config\ncore-77"),
    *("Connection to core-77 closed.", "Welcome to core-77"),
]  # fmt: skip


@pytest.mark.parametrize("above", CLOSES)
def test_below_what_may_be_of_another_machine_such_a_prompt_is_of_no_switch(above: str) -> None:
    for own in ("", shown(STATUS), f"{SONIC} {STATUS}\n{shown(STATUS)}"):
        found = live({"leaf-1.txt": f"{own}{above}\n{BELOW}"})
        assert (found.wrong, count(found, "ok") > 0) == ((), bool(own))
        assert NAMELESS in reasons(found)


@pytest.mark.parametrize(
    "above",
    [
        *("", "Fri Nov 28 10:00:00 UTC 2025\n", f"{SONIC} show runningconfiguration all\ncore-77\n== x\n"),
        *(f"{SONIC} ssh 10.0.0.77 show version\nSONiC 7\n", f"{SONIC} {STATUS}\n{shown(STATUS)}"),
        *("root@sonic:/home/admin# ls\nx\n", f"{SONIC} sudo -i\n", f"{SONIC} screen -r\n"),
    ],
)
def test_below_anything_else_it_is_of_the_file_s(above: str) -> None:
    found = live({"leaf-1.txt": f"{above}{BELOW}"})
    assert (len(found.wrong), found.unread) == (1, ())


@pytest.mark.parametrize("prompt", ["localhost#", "switch#", "root@localhost>"])
def test_so_it_is_with_json(prompt: str) -> None:
    ports = mixed.outputs("leaf-4")["leaf-4-ports.json"]
    down = ports.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    below = f"{prompt} show interfaces | json\n{down}\n{prompt} \n"
    assert len(mixed.live({"leaf-4.txt": below}).wrong) == 1
    for above in ("== core-77", f"{prompt} telnet 10.0.0.77", f"{prompt} show vlan | json\n{{}}\ncore-77:"):
        found = mixed.live({"leaf-4.txt": f"{above}\n{below}"})
        assert (found.wrong, any(why.endswith(NAMELESS) for _, why in found.unread)) == ((), True)


def test_a_planned_machine_that_such_a_prompt_asks_is_known_all_the_same() -> None:
    found = live({"leaf-2.txt": f"core-77\n{SONIC} ssh leaf-1 {STATUS}\n{DOWN}{SONIC} \n"})
    assert [one.claim.hop.name for one in found.wrong] == ["leaf-1"]
