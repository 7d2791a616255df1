"""``check-live``: prompts of switches, hosts and shells, known or not: each ends what stands above it."""

from __future__ import annotations

import json

import pytest

from netplan.live.report import live_lines
from netplan.live.seen import NOBODY
from tests import live_hosts
from tests import test_check_live_pods as pods
from tests.live_host_site import CARDS
from tests.live_host_site import live as of_hosts
from tests.live_host_site import told as told_of_hosts
from tests.test_check_live_json import live, outputs
from tests.test_check_live_sessions import ADDR, HOST, OPER, WRONG, after, hosts, reasons

MODES = [
    "",
    "(config)",
    "(config-if-Et1/1)",
    "(config-if-Et17/1-20/1)",
    "(config-vlan-100,200)",
    "(vrf:MGMT)",
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("command", ["show interfaces | json", "show interfaces|json", "sh int | json"])
def test_a_prompt_in_configuration_mode_names_the_switch(mode: str, command: str) -> None:
    text = PORTS
    wrong = text.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    own, other = f"leaf-4{mode}#", f"core-77{mode}#"
    assert len(live({"x.log": f"{own}{command}\n{wrong}\n{own}\n"}).wrong) == 1
    both = live({"leaf-4.log": f"{own}{command}\n{text}\n{other}{command}\n{wrong}\n{other}exit\n"})
    assert (both.wrong, reasons(both)) == ((), [NOBODY])


@pytest.mark.parametrize(
    "prompt",
    [
        *(
            "core-77#{}",
            "core-77# {}",
            "core-77>{}",
            "admin@core-77> {}",
            "CORE77#{}",
            "core(config-vlan-7)#{}",
        ),
        *(
            "<core-77>{}",
            "[admin@core-77] > {}",
            "RP/0/RSP0/CPU0:core-77#{}",
            "A:core-77# {}",
            "core-77 # {}",
        ),
        *("core-77[09:12:56]#{}", "Nov 28 10:00:00 core-77# {}", "core-77 (global) # {}", "core-77-re0> {}"),
    ],
)
@pytest.mark.parametrize(
    "command", ["sh int | json", "do show interfaces | json", "bash ip -j link", "intf | json"]
)
def test_below_another_prompt_whatever_the_command_is_called(prompt: str, command: str) -> None:
    text = PORTS
    wrong = text.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    for above in (f"leaf-4#show interfaces | json\n{text}\n", ""):
        found = live({"leaf-4.log": f"{above}{prompt.format(command)}\n{wrong}\n{prompt.format('')}\n"})
        assert (found.wrong, len(found.unread)) == ((), 1)


PORTS = outputs("leaf-4")["leaf-4-ports.json"]
SHELLS = [
    "(base) root@{}:~#",
    "(venv) [root@{} ~]#",
    "{}:~ #",
    "[10:00] root@{}:~#",
    "10:00:01 root@{}:~#",
    "root@{} ~ %",
    "{}%",
    "{}$",
    "{}#",
    "[{} ~]#",
    "root@{}:~#",
]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("command", ["ip -d -j addr", "/sbin/ip -d -j addr", "sudo ip -d -j addr"])
def test_below_the_prompt_of_another_host_nothing_is_of_the_one_above(shell: str, command: str) -> None:
    other = after(command, prompt=shell.format("gpu-999"))
    for above in (after("ip -d -j addr", ADDR), ""):
        found = of_hosts({"gpu-001.txt": above + other})
        assert (hosts(found), found.wrong) == ({"gpu-001"} if above else set(), ())
        assert reasons(found) == [NOBODY]
    assert hosts(of_hosts({"x.txt": after(command, prompt=shell.format("gpu-001"))})) == {"gpu-001"}


@pytest.mark.parametrize(
    "prompt",
    [
        *(
            "leaf-4#",
            "leaf-4 # ",
            "leaf-4[09:12:56]#",
            "leaf-4(config)#",
            "leaf-4 (config)#",
            "Leaf-4.example.com>",
        ),
        *("(base) leaf-4# ", "Fri Nov 28 10:00:00 leaf-4# ", "[leaf-4]# ", "RP/0/RP0/CPU0:leaf-4#"),
    ],
)
def test_prompts_that_name_a_switch(prompt: str) -> None:
    wrong = PORTS.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    assert len(live({"x.log": f"{prompt}show interfaces | json\n{wrong}\n{prompt}\n"}).wrong) == 1


BASTION = [
    "ops@b:~$ ",
    "(base) ops@b:~$ ",
    "\u279c  ~ ",
    "\u276f ",
    "ops@b ~ % ",
    "[10:00] ops@b:~$ ",
    "$ ",
    "# ",
]


@pytest.mark.parametrize("prompt", BASTION)
def test_a_prompt_without_a_name_is_known_by_the_command_behind_it(prompt: str) -> None:
    text = (
        f"{prompt}ssh gpu-001 ip -d -j addr\n{ADDR}\n{prompt}ssh gpu-999 ip -d -j addr\n{WRONG}\n{prompt}\n"
    )
    found = of_hosts({"gpu-001.txt": text})
    assert (hosts(found), found.wrong, reasons(found)) == ({"gpu-001"}, (), [NOBODY])


@pytest.mark.parametrize("prompt", BASTION)
@pytest.mark.parametrize(
    "command", ["kubectl exec -i -n x {} --", "oc -n x exec {} --", "k exec -i {} -c train --"]
)
def test_the_pod_in_a_command_behind_any_prompt(prompt: str, command: str) -> None:
    """As training.log of two workloads."""
    run = prompt + command + " sh -s < check-rails.sh\n"
    text = f"{run.format('training-0')}{pods.OK}{run.format('large-model-0')}error: x\n{prompt}\n"
    found = pods.live({"training.log": text})
    assert pods.outcomes(found) == {"training": ["ok"] * 4, "large-model": ["not seen"] * 4}


def test_a_program_that_prints_comments_below_a_bare_prompt() -> None:
    rows = live_hosts.sysfs(CARDS)
    found = of_hosts({"x.txt": f"# ssh gpu-001 sudo sh -s < collect.sh\n{rows}# \n"})
    assert (hosts(found), found.wrong, found.unread) == ({"gpu-001"}, (), ())
    assert {one.claim.field for one in found.judged if one.outcome == "ok"} >= {"device", "netdev"}


@pytest.mark.parametrize("mode", ["", "(config)"])
def test_a_prompt_behind_json_without_a_line_break(mode: str) -> None:
    text = json.dumps(json.loads(outputs("leaf-4")["leaf-4-ports.json"]), indent=1)
    for shown in (text, json.dumps(json.loads(text))):
        wrong = shown.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
        for above in ("leaf-4#show interfaces | json\n", ""):
            found = live({"leaf-4.txt": f"{above}{wrong}leaf-4{mode}#"})
            assert (len(found.wrong), found.unread) == (1, ())
    assert hosts(of_hosts({"x.txt": f"{HOST} ip -d -j addr\n{ADDR}[root@gpu-001 ~]# "})) == {"gpu-001"}


@pytest.mark.parametrize(
    "command",
    [
        "kubectl debug node/gpu-001 -it --image=busybox -- chroot /host ip -d -j addr",
        "oc debug node/gpu-001 -- chroot /host ip -d -j addr",
        "kubectl debug nodes/gpu-001 --profile=sysadmin --image=x -- nsenter -t 1 -n ip -d -j addr",
    ],
)
def test_a_pod_to_debug_a_node_has_the_network_of_the_host(command: str) -> None:
    assert OPER in told_of_hosts(of_hosts({"x.txt": f"ops@b:~$ {command}\n{WRONG}\nops@b:~$\n"}))
    other = command.replace("gpu-001", "gpu-999")
    assert of_hosts({"gpu-001.txt": f"ops@b:~$ {other}\n{WRONG}\nops@b:~$\n"}).judged == ()


@pytest.mark.parametrize(
    "line",
    [
        "I1128 10:00:00.123456  123 request.go:665] Waited for 1.1s due to client-side throttling",
        "W1128 10:00:00.123456  123 gcp.go:119] WARNING: x",
        "E1128 10:00:00.123456  123 memcache.go:287] couldn't get resource list for metrics.k8s.io/v1beta1",
        "If you don't see a command prompt, try pressing enter.",
    ],
)
def test_what_kubectl_says_above_a_check_that_ran(line: str) -> None:
    found = pods.live({"training-0.txt": f"{line}\n{pods.OK}"})
    assert (pods.outcomes(found), found.unread) == ({"training": ["ok"] * 4}, ())


def test_pods_between_the_rules_of_dshbak() -> None:
    rule = "-" * 16
    text = "".join(f"{rule}\n{pod}\n{rule}\n{pods.OK}" for pod in ("training-0", "training-1"))
    found = pods.live({"all.txt": text})
    assert (pods.outcomes(found), found.unread) == ({"training": ["ok"] * 4}, ())


@pytest.mark.parametrize(
    ("above", "wrong"),
    [
        ("=== show interfaces | json", 1),
        ("Uptime: 3 days, 4 hours, this switch alone.", 1),
        ("Free memory: 123 kB", 1),
        ("Free memory of core: 123 kB", 0),
        ("Uptime of core-77: 3 days", 0),
        ("Now on beta", 0),
    ],
)
def test_above_json_only_a_heading_or_sentence_leaves_it_to_the_file_s_switch(above: str, wrong: int) -> None:
    down = PORTS.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    found = live({"leaf-4.txt": f"{above}\n{down}\n"})
    assert (len(found.wrong), reasons(found)) == (wrong, [] if wrong else [NOBODY])


@pytest.mark.parametrize("command", ["python3 -m json.tool before.json", "python -m json.tool < before.json"])
def test_json_that_python_shows_is_the_content_of_a_file(command: str) -> None:
    text = outputs("leaf-4")["leaf-4-ports.json"]
    found = live({"leaf-4.txt": f"admin@leaf-4:~$ {command}\n{text}\nadmin@leaf-4:~$\n"})
    assert (found.judged, reasons(found)) == ((), ["the content of a file, not what runs"])


def test_what_stands_below_several_commands_of_another_machine_is_told_once() -> None:
    vlans = outputs("leaf-4")["leaf-4-vlans.json"]
    text = "".join(f"core-77#show {each}\n{PORTS}\n" for each in ("clock", "version", "users"))
    own = f"leaf-4#show vlan | json\n{vlans}\n"
    found = live({"x.log": f"{own}{text}leaf-4#show interfaces | json\n{PORTS}\nleaf-4#\n"})
    (told,) = [line for line in live_lines(found, quiet=False) if line.startswith("not read")]
    line = vlans.count("\n") + 3
    assert told == f"not read: x.log: line {line}: core-77#show clock: {NOBODY}"
    assert {one.claim.kind for one in found.judged if one.outcome == "ok"} == {"interfaces", "svi", "member"}


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("https://leaf-4/command-api", True),
        ("https://admin:x@leaf-4.example.com:443/command-api", True),
        ("http://localhost:8080/command-api", True),
        ("https://core-77/command-api", False),
    ],
)
def test_the_machine_in_the_address_that_curl_asks(url: str, wrong: bool) -> None:
    text = PORTS.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    found = live({"leaf-4.txt": f"admin@leaf-4:~$ curl -sk -d @q.json {url}\n{text}\nadmin@leaf-4:~$\n"})
    assert bool(found.wrong) is wrong
    assert bool(found.unread) is not wrong


@pytest.mark.parametrize(
    "command",
    [
        *(
            "./show.sh core-77",
            "python3 get.py core-77",
            "slogin core-77",
            "plink core-77",
            "nc core-77 5000",
        ),
        "bash sudo ip netns exec ns-MGMT ssh admin@10.1.1.9 'show interfaces | json'",
        "run bash sudo ip netns exec management ssh admin@10.1.1.9 'show interface | json'",
        "echo show interfaces | ssh 10.1.1.9",
        *(
            "minicom -D /dev/ttyS1",
            "ssh -o HostName=core-77 leaf-4 show x",
            "ssh -q -oHostName=core-77 leaf-4 show x",
        ),
    ],
)
def test_below_what_may_show_another_machine_nothing_is_of_the_switch(command: str) -> None:
    down = PORTS.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
    found = live({"leaf-4.txt": f"admin@leaf-4:~$ {command}\n{down}\nadmin@leaf-4:~$ \n"})
    assert (found.judged, len(found.unread)) == ((), 1)
    for own in ("bash sudo show interfaces", "/usr/bin/show interfaces", "ssh -o User=x leaf-4 show x"):
        assert live({"x.log": f"admin@leaf-4:~$ {own}\n{down}\nadmin@leaf-4:~$ \n"}).wrong != ()


OSC = [
    "\x1b]133;C\x07",
    "\x1b]633;A\x1b\\",
    "\x1b]2;ip\x07\x1b]1;ip\x07",
    "\x1b]0;my work\x07",
    "\x07",
    "\x1b(B",
]


@pytest.mark.parametrize("mark", OSC, ids=map(repr, OSC))
def test_titles_and_marks_of_a_terminal_are_no_part_of_a_line(mark: str) -> None:
    command = "ip -d -j addr"
    for text in (
        f"{HOST} {command}\n{mark}{WRONG}\n{HOST} \n",
        f"{mark}{HOST} {mark}{command}\n{WRONG}\n{mark}{HOST} \n",
    ):
        assert OPER in told_of_hosts(of_hosts({"x.log": text}))


def test_below_the_prompt_of_a_logical_system_nothing_is_of_the_switch() -> None:
    command, down = "show interfaces | json", PORTS.replace('"up"', '"down"')
    text = f"admin@leaf-4> {command}\n{PORTS}\nadmin@leaf-4:LS1> {command}\n{down}\nadmin@leaf-4> \n"
    found = live({"leaf-4.txt": text})
    assert (found.wrong, reasons(found)) == ((), [NOBODY])
    assert live({"x.log": f"admin@leaf-4:~> {command}\n{down}\n"}).wrong != ()
