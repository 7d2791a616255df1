"""``check-live``: lines above an output that name the machine which printed it, or another one."""

from __future__ import annotations

import pytest

from tests.live_host_site import live
from tests.live_leaf import PROMPT, changed, shown
from tests.test_check_live import live as of_leaf
from tests.test_check_live_sessions import ADDR, STRANGER, WRONG, hosts, reasons

STATUS = "show interfaces status"
NO_SWITCH = "below a prompt or title of no planned switch"


@pytest.mark.parametrize(
    "title",
    ["== {}", "=== {} ===", "----- host {} -----", "{}:", "[{}]", "{} | CHANGED | rc=0 >>", "{}"],
)
def test_a_title_says_whose_the_output_below_it_is(title: str) -> None:
    parts = {"gpu-001": ADDR, "gpu-002": WRONG, "gpu-999": WRONG}
    text = "".join(f"{title.format(name)}\n{shown}\n" for name, shown in parts.items())
    found = live({"gpu-003.txt": text})
    assert hosts(found) <= {"gpu-001", "gpu-002"}
    assert {one.claim.hop.name for one in found.wrong if one.claim.field == "oper"} == {"gpu-002"}


@pytest.mark.parametrize("title", ["== gpu-999", "gpu-999:", "gpu-999"])
def test_a_title_that_names_nothing_known_is_not_the_file_s_host(title: str) -> None:
    found = live({"gpu-001.txt": f"{title}\n{WRONG}\n"})
    assert (found.judged, reasons(found)) == ((), [STRANGER])


@pytest.mark.parametrize(
    "title",
    [
        *("== {}", "=== Device: {} ===", "##### {}", "<<< {} >>>", "{} | SUCCESS | rc=0 >>"),
        *("==> {}.txt <==", "==> old/{}-bgp.txt <==", "{}:", "[{}]", "{}"),
    ],
)
def test_below_a_title_of_another_machine_the_name_of_a_file_says_nothing_of_text(title: str) -> None:
    down = changed("show interfaces status", "up ", "down ")
    alone = of_leaf({"leaf-1.txt": f"{title.format('border-9')}\n{down}"})
    assert (alone.judged, reasons(alone)) == ((), [NO_SWITCH])
    assert of_leaf({"leaf-1.txt": f"{title.format('leaf-1')}\n{down}"}).wrong != ()
    beside = of_leaf(
        {"leaf-1.txt": f"{PROMPT} date\n{PROMPT} \n== leaf-1\n{shown(STATUS)}== border-9\n{down}"}
    )
    assert (beside.wrong, reasons(beside)) == ((), [NO_SWITCH])


@pytest.mark.parametrize(
    "title",
    [
        *(
            "== show interfaces status",
            "== BGP IPv4 ==",
            "*** Ethernet0 ***",
            "=== 2026-11-28 ===",
            "## Step 1",
        ),
        *("--- 10.0.0.1 ping statistics ---", "Ethernet0:", "===== ipv4", "-- vlan100", "Warning:"),
    ],
)
def test_a_heading_that_is_no_machine_leaves_a_text_to_the_file_s_switch(title: str) -> None:
    down = changed("show interfaces status", "up ", "down ")
    found = of_leaf({"leaf-1.txt": f"{title}\n{down}"})
    assert (len(found.wrong), found.unread) == (1, ())


def test_a_heading_below_a_prompt_is_what_a_command_printed() -> None:
    text = f"{PROMPT} show techsupport\n== border-9\n{changed(STATUS, 'up ', 'down ')}{PROMPT}\n"
    assert len(of_leaf({"leaf-1.txt": text}).wrong) == 1
