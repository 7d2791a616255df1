"""``check-live``: below a line that nobody knows an output counts for no machine, whatever its words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from netplan.live.judge import Live
from tests import live_hosts
from tests.live_host_site import CARDS
from tests.live_host_site import live as of_hosts
from tests.live_leaf import COMMANDS, shown
from tests.test_check_live import live as of_leaf
from tests.test_check_live_json import BY_NOS, outputs
from tests.test_check_live_json import live as of_json
from tests.test_check_live_pods import OK
from tests.test_check_live_pods import live as of_pods

LETTERS = st.characters(categories=("L", "N"), max_codepoint=0x2FFF)
"""Of any script."""
NAMES = st.one_of(
    st.from_regex(r"[a-z]{2,9}(?:[-_.]?[0-9]{1,3}){0,2}", fullmatch=True),
    st.from_regex(r"[A-Z]{1,4}[0-9]{0,3}(?:-[A-Za-z0-9]{1,6}){0,3}", fullmatch=True),
    st.from_regex(r"10(?:\.[0-9]{1,2}){3}", fullmatch=True),
    st.text(LETTERS, min_size=1, max_size=9),
)
SAID = [
    *(
        "is",
        "on",
        "from",
        "of",
        "via",
        "the",
        "Host:",
        "node",
        "pod",
        "show",
        "interfaces",
        "status",
        "|",
        "json",
    ),
    *(
        "up",
        "down",
        "Ethernet4",
        "100G",
        "9216",
        "Connected",
        "to",
        "Trying",
        "ok",
        "changed",
        "SUCCESS",
        "=>",
    ),
    *(">>>", "...", "(10.0.0.77)", "[1]", "10:00:00", "#", "##", "==", "--", "*", "~", "%", "@"),
]
WORDS = st.one_of(
    NAMES,
    st.sampled_from(SAID),
)
PLANNED = st.sampled_from(["leaf-1", "leaf-2", "leaf-4", "gpu-001", "training-0", "large-model-0"])
FRAMES = st.sampled_from(
    [
        *(
            "{}",
            "{}",
            "{}",
            "  {}",
            "{}:",
            "[{}]",
            "== {} ==",
            "==> {} <==",
            "# {}",
            "*** {}",
            "--- {} ---",
            "<{}>",
        ),
        *(
            "{}#",
            "{}# show version",
            "{}> ",
            "{}$ ls",
            "root@{}:~",
            "root@{}:~# ",
            "ops@{}> exit",
            "+ {}",
            "({})",
            '"{}"',
            "{}, ",
            "{} | x",
            "\t{}",
        ),
        *(
            "| {} |",
            "ok: [{}] =>",
            "{} | SUCCESS => ",
            "[1] 10:00:00 [SUCCESS] {}",
            "┌──({})",
            "\u276f {}",
            "Profile: {}",
        ),
    ]
)


@st.composite
def lines(draw: st.DrawFn, planned: bool = False) -> str:
    """With the name of another machine, be it beside that of a planned one."""
    words = [draw(NAMES), *draw(st.lists(WORDS, max_size=5)), *([draw(PLANNED)] if planned else [])]
    mixed = draw(st.permutations(words))
    between = draw(st.sampled_from([" ", " ", "  ", " - ", "; ", ", "]))
    return draw(FRAMES).format(between.join(mixed))


def random(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


Reader = Callable[[dict[str, str]], Live]


@cache
def plain_files() -> Sequence[tuple[str, Sequence[str], Reader]]:
    """(file, outputs without prompts, its reader) of switches with each NOS, of a host and of a pod."""
    of_nos = [
        (
            f"{name}.txt",
            [f"{text}\n" for file, text in outputs(name).items() if file.endswith(".json")],
            of_json,
        )
        for name in BY_NOS.values()
    ]
    host = [f"{text}\n" for text in live_hosts.files("gpu-001", CARDS).values()]
    return [
        *of_nos,
        ("leaf-1.txt", [shown(command) for command in COMMANDS], of_leaf),
        ("gpu-001.txt", host, of_hosts),
        ("training-0.txt", [OK, "check-rails: rail2 has no IPv4 address\n"], of_pods),
    ]


def facts(found: Live) -> set[tuple[str, ...]]:
    """What is ok or wrong."""
    return {
        (one.outcome, one.claim.hop.name, one.claim.kind, one.claim.subject, one.claim.field, one.found)
        for one in found.judged
        if one.outcome != "not seen"
    }


_NUMBERED = re.compile(r"[^\W\d_][-_.]?[0-9]")
_PLANNED = re.compile(r"leaf-[124]|gpu-001|training-0|large-model-0")
"""Above the first output words alone, and the name of the file's device, may stand in a banner."""


@random(100)
@given(line=st.one_of(lines(), lines(planned=True)), data=st.data())
def test_below_any_line_that_nobody_knows_an_output_counts_for_nobody(line: str, data: st.DataObject) -> None:
    files = plain_files()
    file, texts, live = files[data.draw(st.integers(0, len(files) - 1))]
    above = ["", *texts][data.draw(st.integers(0, len(texts)))]
    below = texts[data.draw(st.integers(0, len(texts) - 1))]
    assume(above or (_NUMBERED.search(line) and not _PLANNED.search(line)))
    found = facts(live({file: f"{above}{line}\n{below}"}))
    assert found <= facts(live({file: above}))


@cache
def sessions() -> Sequence[tuple[str, Reader]]:
    leaf = "".join(f"admin@leaf-1:~$ {command}\n{shown(command)}" for command in COMMANDS)
    eos = outputs("leaf-4")
    named = {"ports": "show interfaces | json", "vlans": "show vlan | json", "bgp": "show bgp summary | json"}
    json_ = "".join(f"leaf-4#{command}\n{eos[f'leaf-4-{key}.json']}\n" for key, command in named.items())
    rows = {"ip -d -j link": live_hosts.ip_link(CARDS), "ip -d -j addr": live_hosts.ip_addr(CARDS)}
    host = "".join(f"root@gpu-001:~# {command}\n{json.dumps(text)}\n" for command, text in rows.items())
    pods = "".join(
        f"me@b:~$ kubectl exec -i -n x {pod} -- sh -s < check-rails.sh\n{OK}"
        for pod in ("training-0", "training-1")
    )
    return [
        (f"{leaf}admin@leaf-1:~$ \n", of_leaf),
        (f"{json_}leaf-4#\n", of_json),
        (f"{host}root@gpu-001:~# \n", of_hosts),
        (f"{pods}me@b:~$ \n", of_pods),
    ]


@random(100)
@given(line=lines(), data=st.data())
def test_no_line_anywhere_in_a_good_session_makes_a_fact_wrong(line: str, data: st.DataObject) -> None:
    text, live = sessions()[data.draw(st.integers(0, 3))]
    rows = text.split("\n")
    at = data.draw(st.integers(0, len(rows) - 1))
    found = live({"x.log": "\n".join([*rows[:at], line, *rows[at:]])})
    assert found.wrong == ()


def test_good_sessions_and_files_are_ok_without_such_a_line() -> None:
    for text, live in sessions():
        found = live({"x.log": text})
        assert (found.wrong, bool(facts(found))) == ((), True)
    for file, texts, live in plain_files():
        assert set().union(*(facts(live({file: text})) for text in texts)) != set(), file


def test_the_prompt_of_another_machine_amid_a_list_ends_nothing() -> None:
    rows = shown("pfcwd show config").split("\n")
    for prompt in ("root@core-77:~# ", "root@core-77:~# exit", "== leaf-2", "gpu-001:"):
        text = "\n".join(["admin@leaf-1:~$ pfcwd show config", *rows[:9], prompt, *rows[9:]])
        found = of_leaf({"x.log": f"{text}admin@leaf-1:~$ \n"})
        assert (found.wrong, bool(facts(found))) == ((), True)


def test_between_two_prompts_of_a_device_anything_may_stand() -> None:
    rows = "".join(f"interface Ethernet{n}\n  core-{n}\n" for n in range(500))
    prompt, command = "admin@leaf-1:~$", COMMANDS[1]
    above = f"Welcome to core-77\n{prompt} show runningconfiguration all\n{rows}"
    found = of_leaf({"x.log": f"{above}{prompt} {command}\n{shown(command)}{prompt} \n"})
    assert (found.wrong, found.unread, bool(facts(found))) == ((), (), True)


@pytest.mark.parametrize(
    ("file", "own"),
    [
        *(("leaf-1-bgp-2.txt", True), ("leaf-1/LEAF-1.txt", True), ("leaf-2/leaf-1.txt", True)),
        *(("leaf-1-leaf-2.txt", False), ("leaf-1-to-spine-2.txt", False), ("leaf-1/leaf-99.txt", False)),
        *(("leaf-1/a/old_leaf-4.json", False), ("LEAF-1_Leaf-2.txt", False)),
    ],
)
def test_the_name_of_a_file_names_one_switch_or_none(file: str, own: bool) -> None:
    found = of_leaf({file: shown("show interfaces status")})
    assert (bool(facts(found)), bool(found.unread)) == (own, not own)


def test_below_the_end_of_a_session_a_check_is_of_no_pod() -> None:
    prompt = "root@training-0:/#"
    wrong = "check-rails: rail2 has no IPv4 address\n"
    found = of_pods({"training-0.txt": f"{prompt} sh check-rails.sh\n{OK}{prompt} exit\n{wrong}"})
    assert (found.wrong, len(found.unread)) == ((), 1)
    assert of_pods({"training.txt": f"[pod/core-0/x] {wrong}"}).wrong == ()
