"""``check-live``: at a switch only commands of known forms show that switch."""

from __future__ import annotations

import pytest

from netplan.live.shells import host_of, machine_of
from tests.live_leaf import changed
from tests.test_check_live import live

KNOWN = frozenset({"leaf-1", "leaf-2", "gpu-001", "gpu-002"})
STATUS = "show interfaces status"


@pytest.mark.parametrize(
    "command",
    [
        *("show interfaces status | grep up", "sh int status", "show vlan | no-more | json", "conf t"),
        *("sudo vtysh -c 'show bgp summary json'", "docker exec -it bgp vtysh -c 'show ip bgp summary'"),
        *("watch -n 1 show pfc counters", "watch 'show pfc counters'", "ip vrf exec mgmt show vlan brief"),
        *("FastCli -p 15 -c 'show vlan | json'", 'cli -c "show interfaces | display json"'),
        *("run show bgp neighbor | display json", "run bash sudo lldpctl -f json", "bash sudo lldpctl"),
        *(
            'start shell command "lldpctl -f json"',
            "bash -lc 'show vlan brief'",
            "sonic-netns-exec asic0 ip l",
        ),
        *('echo "$(hostname)"; show vlan brief; echo $?', "show vlan brief 2>&1 | tee /tmp/x"),
        *(
            "while true; do show pfc counters; sleep 1; done",
            "ssh leaf-1 -t 'show vlan brief'",
            "show | compare",
        ),
        *(
            "show x | grep -A 3 -iE 'up|down'",
            "show x | grep -e a -e b",
            "show x | egrep ignore-case next 3 up",
        ),
        *(
            "show x | sed -n '/Eth/,/^$/p'",
            "show x | sed 's/ *$//; s|/|-|g' | sort -k2,2n -t .",
            "show x | sed 1,3d",
        ),
        *("show x | sed -n 1,20p", "show x | sed -e '/up/!d' -e p", "show x | awk '/up|down/ {print $1}'"),
        *(
            "show x | awk -F : -v a=1 '{print $a}'",
            "show x | cut -d' ' -f 1- | column -t -s ,",
            "show x | cat -",
        ),
        *("show x | jq -r --arg a b '.x' | tr -d x | tee -a /tmp/x.txt y", "show x | python3 -m json.tool"),
        *(
            "show x | head lines 20 | wc lines",
            "show x | find ge-0/0/0 | inc up down | last 5",
            "show x | head -20",
        ),
        *(
            "show x | base64 -w 0",
            "show x | grep --color=auto -- -x",
            "edit protocols bgp",
            "show x | less -S",
        ),
        *("show x 2>&1 | grep up 2>/dev/null", "show x | sed p 2> /dev/null | tee x >/dev/null"),
        *("terminal length 0 ; show vlan | json", "sysctl net.ipv4.neigh.default", "bridge -j vlan show"),
    ],
)
def test_known_forms_show_the_switch_itself(command: str) -> None:
    assert machine_of(command, "leaf-1", KNOWN) == "leaf-1"


@pytest.mark.parametrize(
    "command",
    [
        *('printf "%s" "$(ssh leaf-2 x)"', 'echo "$(</tmp/x)"', "echo `ssh leaf-2 x`", "cat <(ssh leaf-2 x)"),
        *("ssh leaf-1 'echo \"$(ssh leaf-2 show x)\"'", "l2 show interfaces status", "cut -c1-9 /tmp/leaf-2"),
        *("rexec all -c 'show x'", "$SSH a@10.1.2.3 'show x'", "sudo python3 show_leaf2.py", ". ./leaf-2"),
        *(
            "./show.sh",
            "sh show.sh leaf-2",
            "bash -s < x.sh",
            "bash <<< 'ssh leaf-2'",
            "echo ssh leaf-2 | sh",
        ),
        *("ssh leaf-1 -o HostName=10.1.2.3 'show x'", "ssh -o 'HostName 10.1.2.3' leaf-1 'show x'"),
        *("ssh6 a@2001:db8::9", "attach fex 101", "source show.py core-77", "run bash python3 x.py 10.1.1.9"),
        *(
            "curl --url=https://10.1.1.9/x",
            'curl "https://$PEER/x"',
            "curl 10.1.1.9:8765/x",
            "run bash curl x",
        ),
        *(
            "curl https://localhost/a -x 10.1.1.9",
            'start shell command "cat /tmp/core-77.json"',
            "docker run x",
        ),
        *(
            "show version | sed -n p leaf2",
            "show x | awk 1 leaf2",
            "show x | jq . leaf2",
            "echo | grep '' leaf2",
        ),
        *(
            "show x | cat leaf2",
            "show x | column leaf2",
            "show x | column -t leaf2",
            "edit leaf2",
            "show x | tac l",
        ),
        *(
            "show x | grep -e '' leaf2",
            "show x | sed -e p leaf2",
            "show x | sed 'r leaf2'",
            "show x | sed -f x",
        ),
        *("show x | sed '1e cat leaf2'", "show x | sed 's/a/ssh leaf-2 x/e'", "show x | sed '$!N;r leaf2'"),
        *("show x | awk '{print | \"ssh leaf-2\"}'", "show x | awk 'BEGIN{while(getline < \"leaf2\")print}'"),
        *(
            "show x | awk -f leaf2",
            "show x | grep -r Eth",
            "show x | grep --regexp=Eth leaf2",
            "show x | jq -f l",
        ),
        *(
            "show x | head -n 5 leaf2",
            "show x | tail -5 leaf2",
            "show x | sort -k 2 leaf2",
            "show x | jq -n -f l",
        ),
        *(
            "show x | cut -d ' ' -f 1- leaf2",
            "show x | tee >(cat leaf2)",
            "show x | tar xOf leaf2",
            "show x | yq l",
        ),
        *("show x | find /tmp -exec cat {} +", "echo ,p | red leaf2", "show x | jq --slurpfile a b '$a'"),
        *(
            "show x | wc --files0-from=l",
            "show x | sort --files0-from=l",
            "show x | less leaf2",
            "show x | nl leaf2",
        ),
        *("show vlan | x.py", "show vlan | cat /tmp/leaf-2", "watch './show.sh'", "show vlan; l2 show vlan"),
    ],
)
def test_any_other_command_shows_nobody(command: str) -> None:
    assert machine_of(command, "leaf-1", KNOWN) != "leaf-1"


@pytest.mark.parametrize(
    "command",
    [
        "bash x.sh gpu-002",
        "bash ./x.sh",
        "bash -s < x.sh",
        'echo "$(ssh gpu-002 ip l)"',
        "echo ssh gpu-002|sh",
        *("echo | jq . gpu2", "ip -j link | cat gpu2"),
    ],
)
def test_a_shell_of_a_host_with_a_script_shows_nobody(command: str) -> None:
    assert host_of(command, "gpu-001", KNOWN).why
    assert machine_of(command, "gpu-001", KNOWN) == ""


@pytest.mark.parametrize("command", ["sh collect.sh", "sudo sh -s < collect.sh", "ip -j link | jq ."])
def test_what_collects_outputs_of_a_host(command: str) -> None:
    assert host_of(command, "gpu-001", KNOWN).why == ""


def test_why_nothing_below_an_unknown_command_is_read() -> None:
    prompt, down = "admin@leaf-1:~$", changed(STATUS, "up ", "down ")
    found = live({"leaf-1.txt": f"{prompt} l2 {STATUS}\n{down}{prompt} \n"})
    assert found.judged == ()
    assert [why for _, why in found.unread] == [
        "line 2: behind a command that may show another machine, or a file"
    ]
    assert live({"leaf-1.txt": f"{prompt} l2 {STATUS}\n{down}{prompt} {STATUS}\n{down}{prompt} \n"}).wrong


@pytest.mark.parametrize(
    "command", ["x" * 1_000_000, "show x | sed '" + "p;" * 500_000 + "'", "\\" * 1_000_000]
)
def test_a_command_that_nobody_types_shows_nobody(command: str) -> None:
    assert machine_of(command, "leaf-1", KNOWN) == ""
    assert host_of(command, "gpu-001", KNOWN).why
