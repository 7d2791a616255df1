"""``check-live``: machines of no plan, as programs that connect to them and prompts of any form name them."""

from __future__ import annotations

import pytest

from netplan.live.seen import NOBODY
from tests.live_host_site import live as of_hosts
from tests.live_host_site import told as told_of_hosts
from tests.live_leaf import changed, count, shown
from tests.test_check_live import live as of_leaf
from tests.test_check_live_json import live, outputs
from tests.test_check_live_sessions import ADDR, HOST, OPER, WRONG, reasons

STATUS = "show interfaces status"
PORTS = outputs("leaf-4")["leaf-4-ports.json"]
DOWN = PORTS.replace('"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"', 1)
SAID = [
    "* {} ** changed : False ****************\nvvvv netmiko_send_command ** changed : False vvvv INFO",
    "ok: [{}] =>",
    "spawn ssh admin@{}",
    "Trying 10.0.0.77...\nConnected to {}.\nEscape character is '^]'.",
    "[{}] out:",
    "Connecting to {} ...",
    "Host: {}",
    "Output from {}:",
    "{}",
    "{}\n-------",
    "{}:",
    "{}.example.com:",
    "{} (10.0.0.77)",
]
"""nornir, Ansible, expect, telnet, Fabric, and scripts with netmiko or paramiko."""


@pytest.mark.parametrize("said", SAID, ids=[said.partition("\n")[0] for said in SAID])
def test_what_is_said_of_another_machine_ends_what_is_of_the_file_s(said: str) -> None:
    text = f"{shown(STATUS)}{said.format('core-77')}\n{changed(STATUS, 'up ', 'down ')}"
    found = of_leaf({"leaf-1.txt": text})
    assert (found.wrong, count(found, "ok") > 100) == ((), True)
    json = live({"leaf-4.txt": f"{PORTS}\n{said.format('core-77')}\n{DOWN}\n"})
    assert (json.wrong, len(json.unread)) == ((), 1)


@pytest.mark.parametrize(
    "title",
    [
        *("{}", "{}:", "[{}]", "{}.example.com:", "Host: {}", "switch {}:", "-------\n{}\n-------"),
        *("ok: [{}] =>", "{} | SUCCESS | rc=0 >>", "[1] 10:00:00 [SUCCESS] {}", "{} (1)", "* {}"),
        *("* {} ** changed : False ****", "Device: {} (10.0.0.7)", "== {} (2001:db8::7) =="),
    ],
)
def test_titles_that_name_a_planned_machine(title: str) -> None:
    for above in ("", "what is this\n"):
        found = live({"session.log": f"{above}{title.format('leaf-4')}\n{DOWN}\n"})
        assert [one.claim.field for one in found.wrong] == ["oper"]


@pytest.mark.parametrize(
    "line",
    [
        *("core-77 and leaf-4", "spawn ssh leaf-4", "leaf-4 (10.0.0.7) to core-77"),
        *(
            "ssh leaf-4 is the next step",
            "ssh leaf-4 failed: core-77 answers",
            "sudo ssh admin@leaf-4 at 10:00",
        ),
    ],
)
def test_a_line_in_another_form_names_nobody(line: str) -> None:
    for file in ("session.log", "leaf-4.txt"):
        assert live({file: f"{line}\n{DOWN}\n"}).judged == ()


@pytest.mark.parametrize(
    "line",
    [
        *("Total entries displayed:  28", "Last cached time was 2025-11-28", "BGP table version 6465"),
        *("[sudo] password for admin:", "Fri Nov 28 10:00:00 UTC 2025", "10:00:00", "^C", "--More--"),
        'Script started on 2025-11-28 10:00:00+00:00 [TERM="xterm-256color" TTY="/dev/pts/0" COLUMNS="120"]',
        "%LINK-3-UPDOWN: Interface Ethernet1, changed state to up",
        "Nov 28 10:00:00: %LINK-3-UPDOWN: Interface Ethernet1, changed state to up",
        "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)",
        "Pseudo-terminal will not be allocated because stdin is not a terminal.",
        "Warning: Permanently added 'leaf-1' (ED25519) to the list of known hosts.",
        "Warning: Permanently added 'leaf-1,10.0.0.4' (ED25519) to the list of known hosts.",
        "sudo: unable to resolve host leaf-1: Name or service not known",
        "The authenticity of host 'leaf-1 (10.0.0.1)' can't be established.",
        "ED25519 key fingerprint is SHA256:3dqq7f/jDEeGxYQnF2zHbpzEtjjY49.",
        "ED25519 key fingerprint is: SHA256:3dqq7f/jDEeGxYQnF2zHbpzEtjjY49",
        "This key is not known by any other names.",
        "Are you sure you want to continue connecting (yes/no/[fingerprint])? yes",
        "** WARNING: connection is not using a post-quantum key exchange algorithm.",
        '** This session may be vulnerable to "store now, decrypt later" attacks.',
        "** The server may need to be upgraded. See https://openssh.com/pq.html",
        'Warning: would violate PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
        *("User Access Verification", "Debian GNU/Linux 12 \\n \\l"),
        *("Script started on Sun Nov 29 08:00:00 2026", "Script done on Sun Nov  9 08:00:00 2026"),
    ],
)
def test_lines_that_cannot_name_a_machine_say_nothing_of_it(line: str) -> None:
    found = of_leaf({"leaf-1.txt": f"{line}\n{changed(STATUS, 'up ', 'down ')}"})
    assert len(found.wrong) == 1


@pytest.mark.parametrize(
    "line",
    [
        *("Ethernet4", "10.0.0.77", "Debian GNU/Linux 12 leaf-1 ttyS0"),
        "Warning: Permanently added 'core-77' (ED25519) to the list of known hosts.",
        "The authenticity of host 'core-77 (10.0.0.77)' can't be established.",
        "    ~/.ssh/known_hosts:1: core-77",
        "Last login: Fri Nov 28 09:58:01 2025 from jump1.example.com",
        "Welcome to Ubuntu 22.04.5 LTS (GNU/Linux 5.15.0-91-generic x86_64)",
        'Script started on 2025-11-28 10:00:00+00:00 [COMMAND="ssh core-77" TERM="xterm"]',
    ],
)
def test_lines_that_may_name_a_machine_or_tell_of_a_login_end_what_is_of_the_file_s(line: str) -> None:
    found = of_leaf({"leaf-1.txt": f"{line}\n{changed(STATUS, 'up ', 'down ')}"})
    assert (found.judged, reasons(found)) == ((), [NOBODY])


OF_HOSTS = [
    *("┌──(root㉿{})-[~]\n└─# ", "╭─root@{} ~\n╰─# ", "{} in ~\n❯ ", "{} [10:00] ~ # ", "root@{}~#"),  # noqa: RUF001
    *("{}:~ root# ", "{} $ ", "{}|~$ ", "[2025-11-28T10:00:01Z] root@{}:~# ", "!1234 root@{}:~# "),
    *("{} (10.0.0.9) # ", "  root@{} # "),
]


@pytest.mark.parametrize("prompt", OF_HOSTS)
@pytest.mark.parametrize(
    "command", ["ip -d -j addr", "/sbin/ip -d -j addr", "sudo ip -details -json addr show"]
)
def test_below_a_prompt_of_another_host_in_any_form_nothing_is_of_the_file_s(
    prompt: str, command: str
) -> None:
    for name in ("gpu-999", "border"):
        other = f"{prompt.format(name)}{command}\n{WRONG}\n{prompt.format(name)}\n"
        for above in (f"{HOST} {command}\n{ADDR}\n", ""):
            found = of_hosts({"gpu-001.txt": f"{above}{other}"})
            assert (found.wrong, len(found.unread)) == ((), 1)


@pytest.mark.parametrize("prompt", ["{} [10:00] ~ # ", "{}|~$ ", "{} in ~\n\u276f "])
def test_a_prompt_in_a_form_that_is_not_known_names_nobody(prompt: str) -> None:
    text = f"{prompt.format('gpu-001')}ip -d -j addr\n{WRONG}\n{prompt.format('gpu-001')}\n"
    assert of_hosts({"x.log": text}).judged == ()


ELSEWHERE = [
    "ssh gpu-999",
    "srun -w gpu-999",
    "pdsh -w gpu-999",
    "kubectl debug node/gpu-999 -- chroot /host",
]


@pytest.mark.parametrize("runs", ELSEWHERE)
@pytest.mark.parametrize("prompt", ["ops@b:~$ ", "$ ", "➜  ~ ", ""])
def test_a_command_that_runs_elsewhere_needs_no_prompt(prompt: str, runs: str) -> None:
    text = f"{HOST} ip -d -j addr\n{ADDR}\n{prompt}{runs} ip -d -j addr\n{WRONG}\n"
    found = of_hosts({"gpu-001.txt": text})
    assert (found.wrong, len(found.unread)) == ((), 1)


@pytest.mark.parametrize("prompt", ["$ ", "➜  ~ ", "# "])
def test_a_prompt_without_a_name_leaves_an_output_to_the_file_s_host(prompt: str) -> None:
    assert OPER in told_of_hosts(of_hosts({"gpu-001.txt": f"{prompt}ip -d -j addr\n{WRONG}\n"}))


OF_SWITCHES = [
    "{}.23:15:01#",
    "{}(s1)(config)#",
    "  {}#",
    "{}%RED# ",
    "root@{}:RE:0% ",
    "┌──(a㉿{})-[~]\n└─$ ",
]


@pytest.mark.parametrize("prompt", OF_SWITCHES)
def test_prompts_of_switches_of_any_form(prompt: str) -> None:
    command = "show interfaces | json"
    for name in ("core-77", "border"):
        text = f"leaf-4#{command}\n{PORTS}\n{prompt.format(name)}{command}\n{DOWN}\n"
        found = live({"leaf-4.log": text})
        assert (found.wrong, reasons(found)) == ((), [NOBODY])


NOT_KNOWN = [
    "<<core-77>> session opened by ops",
    "core-77 \U0001f525 intf",
    "=> now on core-77 (row 3)",
    "Welcome to core-77, property of example.com",
    *(
        "border",
        "border:",
        "[border]",
        "Host: border",
        "ok: [border] =>",
        "# border",
        "--- switch border ---",
    ),
    *("* border ** changed : False ****", "border (10.0.0.9)", "Checking border ...", "border.example.com:"),
]


@pytest.mark.parametrize("line", NOT_KNOWN)
def test_a_line_that_nobody_knows_and_may_name_a_machine_ends_what_is_of_the_file_s(line: str) -> None:
    why = NOBODY
    for above in (shown(STATUS), f"== leaf-1\n{shown(STATUS)}"):
        found = of_leaf({"leaf-1.txt": f"{above}{line}\n{changed(STATUS, 'up ', 'down ')}"})
        assert (found.wrong, [why in said for _, said in found.unread]) == ((), [True])
    json = live({"leaf-4.txt": f"{PORTS}\n{line}\n{DOWN}\n"})
    assert (json.wrong, [why in said for _, said in json.unread]) == ((), [True])
    host = of_hosts({"gpu-001.txt": f"{ADDR}\n{line}\n{WRONG}\n"})
    assert (host.wrong, [why in said for _, said in host.unread]) == ((), [True])


MOTD = """Linux {} 6.1.0-29-2-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02) x86_64
You are on
-- Software for Open Networking in the Cloud --
Unauthorized access and/or use are prohibited.
Help:    https://sonic-net.github.io/SONiC/
Last login: Fri Nov 28 09:58:01 2025 from 10.0.0.5
"""
"""files/image_config/platform of sonic-net/sonic-buildimage, and Debian's uname."""


def test_what_a_switch_says_at_login_names_it() -> None:
    down = changed(STATUS, "up ", "down ")
    motd = MOTD.format("leaf-1")
    without = of_leaf({"leaf-1.txt": f"{MOTD.format('core-77')}{down}"})
    assert (without.judged, reasons(without)) == ((), [NOBODY])
    assert len(of_leaf({"leaf-1.txt": f"{motd}{down}"}).wrong) == 1
    own = of_leaf({"leaf-1.txt": f"{motd}admin@leaf-1:~$ {STATUS}\n{down}"})
    assert (len(own.wrong), own.unread) == (1, ())
    other = of_leaf({"leaf-1.txt": f"{shown(STATUS)}{MOTD.format('leaf-2')}{shown(STATUS)}"})
    assert {one.claim.hop.name for one in other.judged if one.outcome == "ok"} == {"leaf-1"}


def test_what_stands_below_the_end_of_a_session_is_told() -> None:
    prompt = "admin@leaf-1:~$"
    text = f"{prompt} {STATUS}\n{shown(STATUS)}{prompt} exit\nlogout\n"
    found = of_leaf({"x.log": text + changed(STATUS, "up ", "down ")})
    assert (found.wrong, reasons(found)) == ((), [NOBODY])
