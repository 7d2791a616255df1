"""``check-live``: lines above an output that name the machine which printed it, or another one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from netplan.live.headings import repeats_command
from netplan.live.seen import NOBODY
from tests.live_host_site import live, told
from tests.live_leaf import PROMPT, changed, count, shown
from tests.test_check_live import live as of_leaf
from tests.test_check_live_sessions import ADDR, LINK, OPER, WRONG, hosts, reasons

STATUS = "show interfaces status"
PAGE = Path(__file__).resolve().parent.parent / "docs/check-live.md"


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
    assert (found.judged, reasons(found)) == ((), [NOBODY])


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
    assert (alone.judged, reasons(alone)) == ((), [NOBODY])
    assert of_leaf({"leaf-1.txt": f"{title.format('leaf-1')}\n{down}"}).wrong != ()
    beside = of_leaf(
        {"leaf-1.txt": f"{PROMPT} date\n{PROMPT} \n== leaf-1\n{shown(STATUS)}== border-9\n{down}"}
    )
    assert (beside.wrong, reasons(beside)) == ((), [NOBODY])


HEADINGS = [
    *("== BGP IPv4 ==", "*** Ethernet0 ***", "=== 2026-11-28 ===", "## Step 1", "## v202311", "eno1:"),
    *("[mlx5_0]", "--- 10.0.0.1 ping statistics ---", "Ethernet0:", "===== ipv4", "-- vlan100", "Warning:"),
]


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("above", ["", f"{PROMPT} show techsupport\n"])
def test_below_a_heading_that_nobody_knows_a_text_is_of_no_switch(heading: str, above: str) -> None:
    """A machine may have any name."""
    down = changed("show interfaces status", "up ", "down ")
    found = of_leaf({"leaf-1.txt": f"{above}{heading}\n{down}{PROMPT}\n"})
    assert (found.judged, [why for _, why in found.unread]) == (
        (),
        [f"line {1 + bool(above)}: {heading}: {NOBODY}"],
    )


@pytest.mark.parametrize("heading", ["== {}", "# {}", "----- {} -----", "{}:", "$ {}", "-- {} --"])
def test_a_heading_that_repeats_a_command_leaves_a_text_to_the_file_s_switch(heading: str) -> None:
    down = changed(STATUS, "up ", "down ")
    found = of_leaf({"leaf-1.txt": f"{heading.format(STATUS)}\n{down}"})
    assert (len(found.wrong), found.unread) == (1, ())


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Command: {}",
            "Output of {}:",
            "{} output:",
            "!Command: {}",
            "! {}",
            "Executing: {}",
            "Running: {}",
        ),
        *("cmd: {}", "+ {}", "[{}]", '"{}"', "## `{}`", "1. {}", "// {}", "sudo {}", "{} | no-more"),
        *(
            "2025-11-28 10:00:00 {}",
            "[10:00:00] {}",
            "Fri 28 Nov 2025 10:00:00 AM UTC",
            "Fri Nov 28 10:00:00 AM UTC 2025",
        ),
        *("2025-11-28T10:00:00+00:00", "2025-11-28 10:00:00.123456+00:00", "Fri Nov 28 10:00:00 +03 2025"),
    ],
)
def test_a_heading_of_a_command_or_a_date_alone_names_no_other_machine(heading: str) -> None:
    down = changed(STATUS, "up ", "down ")
    found = of_leaf({"leaf-1.txt": f"{heading.format(STATUS)}\n{down}"})
    assert (len(found.wrong), found.unread) == (1, ())
    other = of_leaf({"leaf-1.txt": f"{heading.format(STATUS)} core-77\n{down}"})
    assert other.judged == ()


def test_every_command_of_the_page_may_be_such_a_heading() -> None:
    page = PAGE.read_text()
    rows = page.partition("## What is read")[2].partition("\n\nWhat is more")[0].split("\n")
    commands = [each for row in rows for each in re.findall("`([^`]+)`", row.split(" | ")[0])]
    own = [each for each in commands if " " in each and each[0] != "-"]
    assert len(own) > 30
    assert [each for each in own if not repeats_command(f"== {each.replace(chr(92), '')}")] == []


@pytest.mark.parametrize("heading", ["=== {}: {} ===", "{}: {}", "{} {}", "#### {} - {}", "## {}: `{}`"])
def test_a_heading_of_a_device_and_a_command_is_a_title(heading: str) -> None:
    down = changed(STATUS, "up ", "down ")
    for file in ("leaf-1.txt", "x.log", "leaf-2.txt"):
        found = of_leaf({file: f"core-77\n{heading.format('leaf-1', STATUS)}\n{down}"})
        assert [one.claim.hop.name for one in found.wrong] == ["leaf-1"]
    assert of_leaf({"leaf-1.txt": f"{heading.format('core-77', STATUS)}\n{down}"}).judged == ()
    assert of_leaf({"leaf-1.txt": f"core-77\n{heading.format('leaf-1', 'is down')}\n{down}"}).judged == ()


@pytest.mark.parametrize(
    ("title", "unknown"),
    [
        ("----------------\n{}\n----------------", "gpu-999"),
        ("----------------\n{}\n----------------", "gpu-[998-999]"),
        ("---------------\n{} (1)\n---------------", "gpu-999"),
        ("---------------\n{} (2)\n---------------", "gpu-[998-999]"),
        ("=====================\n{}\n=====================", "gpu-999"),
        ("[1] 10:00:00 [SUCCESS] {}", "gpu-999"),
        ("[1] 10:00:00 [FAILURE] {} Exited with error code 1", "gpu-999"),
    ],
)
def test_titles_of_programs_that_ask_many_machines(title: str, unknown: str) -> None:
    """dshbak, clush -b and pssh -i."""
    right, wrong = f"{title.format('gpu-001')}\n{ADDR}\n", f"{title.format(unknown)}\n{WRONG}\n"
    for text in (right + wrong, wrong + right):
        found = live({"gpu-003.txt": text})
        assert (hosts(found), found.wrong, reasons(found)) == ({"gpu-001"}, (), [NOBODY])
    down = changed(STATUS, "up ", "down ")
    text = f"{title.format('leaf-1')}\n{shown(STATUS)}{title.format(unknown)}\n{down}"
    for name in ("all.txt", "leaf-1.txt"):
        of_text = of_leaf({name: text})
        assert (of_text.wrong, reasons(of_text)) == ((), [NOBODY])
        assert count(of_text, "ok") > 0


@pytest.mark.parametrize("before", ["{}: ", "{}:\t", "{}\t"])
def test_lines_that_begin_with_the_machine(before: str) -> None:
    """pdsh, clush and parallel --tag, whose lines may be mixed."""
    texts = {"leaf-1": shown(STATUS), "border-9": changed(STATUS, "up ", "down ")}
    parts = {name: [before.format(name) + line for line in texts[name].split("\n")[:-1]] for name in texts}
    mixed = [line for pair in zip(*parts.values(), strict=True) for line in pair]
    found = of_leaf({"leaf-1.txt": "\n".join([*mixed, ""])})
    assert (found.wrong, reasons(found)) == ((), [NOBODY])
    assert count(found, "ok") == count(of_leaf({"leaf-1.txt": shown(STATUS)}), "ok")
    swapped = (
        "\n".join([*mixed, ""]).replace("border-9", "x").replace("leaf-1", "border-9").replace("x", "leaf-1")
    )
    assert len(of_leaf({"all.txt": swapped}).wrong) == 1


@pytest.mark.parametrize(
    "time",
    ["[2026-11-28 10:00:00.123] ", "2026-11-28T10:00:00Z ", "10:00:00 ", "Nov 28 10:00:00 ", "[10:00:00] "],
)
def test_the_time_before_each_line_is_no_part_of_it(time: str) -> None:
    text = f"{PROMPT} {STATUS}\n{changed(STATUS, 'up ', 'down ')}{PROMPT}"
    timed = "\n".join(time + line for line in text.split("\n"))
    found = of_leaf({"x.txt": f"Script started on 2026-11-28\n{timed}\n"})
    assert (len(found.wrong), found.unread) == (1, ())
    assert OPER in told(live({"gpu-001.txt": "\n".join(time + line for line in LINK.split("\n")) + "\n"}))


@pytest.mark.parametrize(
    "heading", ["----- ip -d -j addr -----", "=== show interfaces | json", "## sudo ip addr"]
)
def test_a_heading_that_repeats_the_command_leaves_json_to_the_file_s_host(heading: str) -> None:
    assert OPER in told(live({"gpu-001.txt": f"{heading}\n{WRONG}\n"}))
    other = live({"gpu-001.txt": f"{heading} on gpu-999\n{WRONG}\n"})
    assert other.judged == ()


LOOPS = [
    "for h in gpu-001 gpu-999; do echo == $h; ssh $h ip -d -j addr; done",
    *(
        "./collect-all.sh",
        "ansible gpu -m shell -a 'ip -d -j addr'",
        "pdsh -w gpu-00[1-2] ip -d -j addr | dshbak",
    ),
    *("ssh gpu-999 ip -d -j addr", "./x.sh gpu-999"),
]


@pytest.mark.parametrize("command", LOOPS)
@pytest.mark.parametrize(
    "title", ["== {}", "{} | CHANGED | rc=0 >>", "----\n{}\n----", "[1] 10:00:00 [SUCCESS] {}"]
)
def test_a_title_is_nearer_than_the_command_above_it(command: str, title: str) -> None:
    text = f"{title.format('gpu-001')}\n{WRONG}\n{title.format('gpu-999')}\n{WRONG}\n"
    found = live({"x.log": f"ops@b:~$ {command}\n{text}ops@b:~$ \n"})
    assert {one.claim.hop.name for one in found.wrong if one.claim.field == "oper"} == {"gpu-001"}


@pytest.mark.parametrize(
    "command",
    [
        "cat all.log",
        "for p in a b; do echo == gpu-001; kubectl exec $p -- ip -d -j addr; done",
        "for h in gpu-001; do echo == $h; ssh $h sudo ip netns exec x ip -d -j addr; done",
    ],
)
def test_a_title_makes_no_network_of_a_file_or_of_a_namespace(command: str) -> None:
    found = live({"x.log": f"ops@b:~$ {command}\n== gpu-001\n{WRONG}\nops@b:~$ \n"})
    assert (found.judged, len(found.unread)) == ((), 1)


def test_a_loop_over_switches_asks_for_no_vrf_of_their_names() -> None:
    command, down = "show ip bgp summary", changed("show ip bgp summary", "[0-9]+( +spine)", "Active\\1")
    loop = f"for s in leaf-1 core-77; do echo == $s; ssh $s '{command}'; done"
    found = of_leaf({"x.log": f"ops@b:~$ {loop}\n== leaf-1\n{down}== core-77\n{down}ops@b:~$ \n"})
    assert [(one.claim.hop.name, one.claim.field) for one in found.wrong] == [("leaf-1", "session")]


DEBUG = [
    "Creating debugging pod node-debugger-{}-5tqz7 with container debugger on node {}.",
    *("Starting pod/{}-debug-abc12 ...", "Starting pod/{}-debug ..."),
]


@pytest.mark.parametrize("line", DEBUG)
def test_what_kubectl_debug_says_of_its_node(line: str) -> None:
    prompt = "ops@b:~$ kubectl debug node/gpu-001 -it --image=x -- chroot /host ip -d -j addr"
    more = "If you don't see a command prompt, try pressing enter.\n"
    for name, told_of in (("gpu-001", True), ("gpu-999", False)):
        found = live({"x.log": f"{prompt}\n{line.replace('{}', name)}\n{more}{WRONG}\nops@b:~$ \n"})
        assert (OPER in told(found)) == told_of


def test_a_title_behind_one_hash() -> None:
    found = live({"all.txt": f"# gpu-001\n{ADDR}\n# gpu-002\n{WRONG}\n"})
    assert (hosts(found), {one.claim.hop.name for one in found.wrong}) >= (
        {"gpu-001", "gpu-002"},
        {"gpu-002"},
    )
