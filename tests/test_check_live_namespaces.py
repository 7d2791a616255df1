"""``check-live``: shells in another network namespace of a host, whose prompt is that of the host."""

from __future__ import annotations

import pytest

from tests.live_host_site import live, told
from tests.test_check_live_sessions import ADDR, HOST, OPER, WRONG, after, hosts

INSIDE = f"{HOST} ip -d -j addr\n{WRONG}\n"
SHELLS = [
    "ip netns exec cni-1 bash",
    "ip netns exec cni-1 su - ops",
    "ip netns exec cni-1 sudo -i",
    "ip -all netns exec bash",
    "ip net e cni-1 bash",
    "sudo nsenter -t 4711 -n -- /bin/sh -l",
    "nsenter -t 4711 -n",
    "sudo -E nsenter --target 4711 --net",
    "nsenter --net=/var/run/netns/cni-1",
    "nsenter -at 4711",
    "nsenter -n -t $(crictl inspect -o go-template --template {{.info.pid}} $(crictl ps -q | head -1))",
    "nsenter -t `pgrep sleep` -n",
    "cd /tmp && nsenter -t 4711 -n zsh",
    "unshare -n sh",
    "unshare --net",
]


@pytest.mark.parametrize("command", SHELLS)
def test_a_shell_in_another_namespace_is_not_the_host_until_its_end(command: str) -> None:
    inside = f"{HOST} {command}\n{INSIDE}"
    assert live({"gpu-001.txt": inside}).judged == ()
    for end in (f"{HOST} exit\nexit\n", f"{HOST} exit\nlogout\n", f"{HOST} logout\n"):
        after_it = live({"gpu-001.txt": f"{inside}{end}{after('ip -d -j addr', ADDR)}"})
        assert (hosts(after_it), told(after_it)) == ({"gpu-001"}, []), end


@pytest.mark.parametrize(
    "within", ["su - ops", "bash", "sudo -i", "nsenter -t 4712 -n", "ssh gpu-001", "tmux"]
)
def test_the_end_of_a_shell_within_it_is_not_its_end(within: str) -> None:
    text = f"{HOST} nsenter -t 4711 -n\n{HOST} {within}\n{HOST} exit\nlogout\n"
    assert live({"gpu-001.txt": f"{text}{INSIDE}{HOST}\n"}).judged == ()
    found = live({"gpu-001.txt": f"{text}{INSIDE}{HOST} exit\n{after('ip -d -j addr')}"})
    assert OPER in told(found)


@pytest.mark.parametrize(
    "command",
    [
        "nsenter -t 1 -n bash",
        "nsenter -at 1",
        "ip netns list",
        "nsenter -t 4711 -n ip route",
        "nsenter -t $(pgrep sleep) -n ip route",
        "ip netns exec cni-1 sh -c 'ip route'",
        "ip netns exec cni-1 bash script.sh",
        "nsenter -t 4711 -n su ops -c id",
        "su - ops",
        "sudo -i",
        "bash",
    ],
)
def test_a_shell_in_the_namespaces_of_the_host_or_none_is_the_host(command: str) -> None:
    text = f"{HOST} {command}\n{after('ip -d -j addr')}"
    assert OPER in told(live({"x.txt": text}))


def test_a_shell_that_ssh_opens_is_in_the_other_machine_s_namespace() -> None:
    text = f"root@gpu-002:~# ssh -t gpu-001 sudo nsenter -t 4711 -n\n{INSIDE}{HOST} exit\n"
    assert live({"x.txt": text}).judged == ()
    there = f"{text}root@gpu-002:~# ip -d -j addr\n{ADDR}\nroot@gpu-002:~#\n"
    assert hosts(live({"x.txt": there})) == {"gpu-002"}
