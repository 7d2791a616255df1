"""``check-live``: sessions of hosts: whose an output is, by prompt, title, command and file name; several
outputs in one file; transcripts of hosts, pods and switches together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.live.judge import Live
from netplan.live.seen import NOBODY
from tests import live_hosts
from tests import test_check_live_json as mixed
from tests import test_check_live_pods as pods
from tests.live_host_site import CARDS, live, told
from tests.live_leaf import PROMPT, changed, shown
from tests.test_check_live import live as of_leaf
from tests.test_check_live_several import LESS

DOWN = [live_hosts.Card(pci=CARDS[0].pci, netdev="ens1f0", rdma="mlx5_0", mac=CARDS[0].mac, up=False)]
ADDR = json.dumps(live_hosts.ip_addr(CARDS))
WRONG = json.dumps(live_hosts.ip_addr(DOWN))
LINK = json.dumps(live_hosts.ip_link(DOWN), indent=1)
OPER = "0000:18:00.0 oper: up, down"
HOST = "root@gpu-001:~#"
STRANGER = "of a machine that is no host of the inventory, by prompt, title or ssh"
NAMESPACE = "of another network namespace, not that of the host"
REMOTE = "behind a command that shows another machine, or a pod"
FILE = "the content of a file, not what runs"


def after(command: str, text: str = WRONG, prompt: str = HOST) -> str:
    return f"{prompt} {command}\n{text}\n{prompt} \n"


def hosts(found: Live) -> set[str]:
    return {one.claim.hop.name for one in found.judged if one.claim.hop.kind == "host"}


def reasons(found: Live) -> list[str]:
    return [why.rpartition(": ")[2] if why.startswith("line ") else why for _, why in found.unread]


@pytest.mark.parametrize("prompt", [HOST, "[root@gpu-001 ~]#", "gpu-001#", "root@GPU-001.example.com:/root#"])
@pytest.mark.parametrize("file", ["all.txt", "gpu-002.txt"])
def test_the_prompt_says_whose_an_output_of_a_host_is(prompt: str, file: str) -> None:
    found = live({file: after("ip -d -j addr", prompt=prompt)})
    assert (hosts(found), OPER in told(found)) == ({"gpu-001"}, True)


@pytest.mark.parametrize(
    ("command", "host"),
    [
        ("sudo -u root /sbin/ip -d -j addr show | jq .", "gpu-001"),
        ("timeout 5 ip -details -json a", "gpu-001"),
        ("LC_ALL=C ip -d -j addr 2>/dev/null", "gpu-001"),
        ("date; ip -d -j addr", "gpu-001"),
        ("nsenter -t 1 -m -u -n -i ip -d -j addr", "gpu-001"),
        ("sudo nsenter --target 1 --net -- ip -d -j addr", "gpu-001"),
        ("sh -c 'ip -d -j addr'", "gpu-001"),
        ("ssh gpu-002 ip -d -j addr", "gpu-002"),
        ("ip vrf exec mgmt ip -d -j addr", "gpu-001"),
        ("ip vrf exec mgmt ssh gpu-002 ip -d -j addr", "gpu-002"),
        ("echo ip -d -j addr | ssh gpu-002", "gpu-002"),
        ("sleep 1 | ssh gpu-002 ip -d -j addr", "gpu-002"),
        ("sshpass -p x ssh -p 22 root@gpu-002.example.com 'sudo ip -d -j addr; date'", "gpu-002"),
    ],
)
def test_the_command_says_which_host_printed_it(command: str, host: str) -> None:
    assert hosts(live({"gpu-001.txt": after(command)})) == {host}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("ssh gpu-999 ip -d -j addr", STRANGER),
        ("ip netns exec cni-1 ip -d -j addr", NAMESPACE),
        ("ip vrf exec mgmt ip netns exec cni-1 ip -d -j addr", NAMESPACE),
        ("echo ip -d -j addr | ssh gpu-999", STRANGER),
        ("ip -n cni-1 -d -j addr", NAMESPACE),
        ("ip -d -j -netns cni-1 addr", NAMESPACE),
        ("ssh gpu-001 sudo nsenter -t 4711 -n ip -d -j addr", NAMESPACE),
        ("nsenter --net=/run/netns/x ip -d -j addr", NAMESPACE),
        ("kubectl exec training-0 -- ip -d -j addr", REMOTE),
        ("srun -w gpu-002 ip -d -j addr", REMOTE),
        ("docker exec x ip -d -j addr", "docker"),
        ("for h in gpu-001; do ssh $h ip -d -j addr; done", "for"),
        ("ssh gpu-002 ip -d -j link; ip -d -j addr", "of several machines, behind one command"),
        ("cat /root/addr.before.json", FILE),
        ("ssh gpu-002 jq . addr.json", FILE),
        ("bash -c 'cat addr.json", FILE),
    ],
)
@pytest.mark.parametrize("several", [False, True])
def test_what_may_be_of_another_machine_or_time_is_not_seen(command: str, why: str, several: bool) -> None:
    before = f"{HOST} uname -r\n5.15.0-91-generic\n" if several else ""
    found = live({"gpu-001.txt": before + after(command)})
    assert found.judged == ()
    assert reasons(found) == [why if why not in ("docker", "for") else reasons(found)[0]]
    assert found.unread[0][1].endswith(why)


@pytest.mark.parametrize("prompt", ["root@bastion:~#", "root@training-0:/workspace#", "root@a1b2c3d4e5f6:/#"])
def test_below_the_prompt_of_another_machine_the_file_s_name_says_nothing(prompt: str) -> None:
    found = live({"gpu-001.txt": after("ip -d -j addr", prompt=prompt)})
    assert (found.judged, reasons(found)) == ((), [STRANGER if "training-0" in prompt else NOBODY])


@pytest.mark.parametrize("command", ["lldpctl -f json0", "sudo lldpcli -f json0 show neighbors"])
def test_neighbours_that_a_host_hears_are_of_the_one_in_prompt_and_command(command: str) -> None:
    text = json.dumps({"lldp": [{"interface": [{"name": "ens1f0"}]}]})
    for before, host in (("", {"gpu-001"}), ("ssh gpu-002 ", {"gpu-002"}), ("ssh gpu-999 ", set())):
        found = live({"gpu-001.txt": after(f"{before}{command}", text)})
        assert hosts(found) == host, before
        assert reasons(found) == ([] if host else [STRANGER])


def test_outputs_of_a_session_are_read_with_their_lines() -> None:
    text = f"{HOST} uname -r\n5.15.0-91-generic\n{HOST} ip -d -j link\n{LINK}\n{after('ip -d -j addr', ADDR)}"
    found = live({"x.txt": text})
    assert told(found) == [OPER]
    (at,) = (one.at for one in found.wrong)
    assert at is not None
    assert (at.file, "operstate" in text.split("\n")[at.line - 1]) == ("x.txt", True)


def test_outputs_without_a_prompt_between_them_are_each_read() -> None:
    """``ssh gpu-001 'lspci ...; ip -d -j link; sh -s' < collect.sh > gpu-001.txt``"""
    lspci, sysfs = live_hosts.lspci(CARDS), live_hosts.sysfs(CARDS)
    for parts in ((LINK, ADDR), (ADDR, LINK), (lspci, LINK, sysfs), (sysfs, lspci, LINK)):
        found = live({"gpu-001.txt": "\n".join([*parts, ""])})
        assert (told(found), found.unread) == ([OPER], ()), parts


def test_a_list_of_functions_through_a_filter_lacks_none() -> None:
    rows = live_hosts.sysfs(CARDS).split("\n")[:3]
    found = live({"x.txt": after("sudo sh collect.sh | head -3", "\n".join(rows))})
    assert told(found) == []
    whole = live({"x.txt": after("sudo sh collect.sh", "\n".join(rows))})
    assert told(whole) == [f"{card.pci} device: 15b3:1017, no function" for card in CARDS[2:]]


def test_what_ssh_says_before_an_output_is_no_title() -> None:
    said = "Warning: Permanently added 'gpu-001' (ED25519) to the list of known hosts."
    assert OPER in told(live({"gpu-001.txt": f"{said}\n{WRONG}\n"}))


@pytest.mark.parametrize("name", ["gpu999-addr", "training-1-addr"])
@pytest.mark.parametrize("rows", [live_hosts.ip_addr(CARDS), live_hosts.rdma_link(CARDS)])
def test_outputs_of_no_host_are_told_without_pci_addresses_too(name: str, rows: list[dict[str, Any]]) -> None:
    plain = [{key: row[key] for key in row if key != "parentdev"} for row in rows]
    found = live({f"{name}.json": json.dumps(plain), "gpu-001.json": ADDR})
    assert found.unread == ((name, "no host of the inventory has this name"),)


def test_a_host_in_a_transcript_of_switches_and_pods_is_read() -> None:
    status = changed("show interfaces status", "up ", "down ")
    text = (
        f"{PROMPT} show interfaces status\n{status}"
        f"{after('ip -d -j addr')}"
        f"me@bastion:~$ kubectl exec -i training-0 -- sh -s < check-rails.sh\n{pods.OK}me@bastion:~$ exit\n"
    )
    for file in ("x.txt", "leaf-1.txt", "gpu-001.txt", "training.txt"):
        found = live({file: text})
        assert {one.claim.hop.name for one in found.wrong} == {"leaf-1", "gpu-001"}
        assert [one.outcome for one in found.judged if one.claim.kind == "rails"] == ["ok"] * 4
        assert found.unread == ()


@pytest.mark.parametrize("prompt", ["leaf-44#", "admin@leaf-44>", "admin@leaf-33:~$"])
def test_json_below_the_prompt_of_a_switch_that_is_not_planned_is_told(prompt: str) -> None:
    peers = mixed.outputs("leaf-4")["leaf-4-bgp.json"].replace("Established", "Active")
    foreign = f"{prompt} show bgp summary | json\n{peers}\n{prompt} exit\n"
    alone = mixed.live({"leaf-4.txt": foreign})
    assert (alone.judged, [why.rpartition(": ")[2] for _, why in alone.unread]) == (
        (),
        [NOBODY],
    )
    own = f"leaf-4# show vlan | json\n{mixed.outputs('leaf-4')['leaf-4-vlans.json']}\nleaf-4# exit\n"
    both = mixed.live({"leaf-4.txt": own + foreign})
    assert (both.wrong, len(both.unread)) == ((), 1)


@pytest.mark.parametrize(
    ("prompt", "known"), [("localhost#", True), ("admin@leaf-4-re0>", True), ("host#", False)]
)
def test_a_prompt_without_a_name_of_its_own_leaves_it_to_the_file_s(prompt: str, known: bool) -> None:
    text = f"{prompt} show vlan | json\n{mixed.outputs('leaf-4')['leaf-4-vlans.json']}\n{prompt} \n"
    assert bool(mixed.live({"leaf-4.txt": text}).judged) == known


@pytest.mark.parametrize(
    "command",
    [
        "docker exec -it bgp0 vtysh -c 'show ip bgp summary'",
        "vtysh -n 0 -c 'show ip bgp summary'",
        "sudo sonic-netns-exec asic0 vtysh -c 'show ip bgp summary'",
    ],
)
def test_sessions_of_one_asic_are_a_part(command: str) -> None:
    text = LESS["show ip bgp summary"](shown("show ip bgp summary"))
    found = of_leaf({"leaf-1.txt": f"{PROMPT} {command}\n{text}{PROMPT}\n"})
    assert found.wrong == ()


def test_another_namespace_of_a_switch_is_not_its_own() -> None:
    line = "net.ipv4.neigh.default.gc_thresh1 = 1\n"
    command = "sysctl net.ipv4.neigh.default"
    for before, wrong in (("", 1), ("sudo ip netns exec x ", 0), ("sudo ip netns exec asic0 ", 1)):
        found = of_leaf({"leaf-1.txt": f"{PROMPT} {before}{command}\n{line}{PROMPT}\n"})
        assert len(found.wrong) == wrong, before


PROMPTS = ["(base) root@gpu-001:~# ", "gpu-001:~ # ", "[gpu-001 ~]# ", "leaf-99# ", "bash-5.1$ ", "> "]


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize(
    "end",
    [
        f"{PROMPT} exit\n",
        f"{PROMPT} exit\nlogout\nConnection to leaf-1 closed.\n",
        "client_loop: send disconnect: Broken pipe\n",
    ],
)
def test_what_stands_below_the_end_of_a_session_is_not_of_its_switch(end: str, prompt: str) -> None:
    command = "sysctl net.ipv4.neigh.default"
    right = f"{PROMPT} show interfaces status\n{shown('show interfaces status')}"
    line = "net.ipv4.neigh.default.gc_thresh1 = 1\n"
    found = of_leaf({"leaf-1.txt": f"{right}{end}{prompt}{command}\n{line}{prompt}\n"})
    assert found.wrong == ()
    assert {one.claim.hop.name for one in found.judged} == {"leaf-1"}


def test_a_list_before_a_lost_connection_lacks_nothing() -> None:
    rows = LESS["pfcwd show config"](shown("pfcwd show config"))
    for end, wrong in (("Connection to leaf-1 closed.\n", False), (f"{PROMPT} exit\n", True)):
        found = of_leaf({"leaf-1.txt": f"{PROMPT} pfcwd show config\n{rows}{end}"})
        assert bool(found.wrong) == wrong


@pytest.mark.parametrize("name", ["GPU-001.json", "GPU-001/ip-addr.json", "GPU-001.tar/GPU-001/ip-addr.json"])
def test_names_of_files_and_folders_count_in_any_case(name: str) -> None:
    assert (hosts(live({name: WRONG})), OPER in told(live({name: WRONG}))) == ({"gpu-001"}, True)
    assert of_leaf({"LEAF-1.txt": shown("show interfaces status")}).judged


@pytest.mark.parametrize("name", ["rdma-link", "devlink-port"])
def test_an_empty_list_of_a_host_is_no_riddle(name: str) -> None:
    """Pods have its RDMA devices."""
    empty = {"rdma-link": "[]\n", "devlink-port": "{}\n"}[name]
    assert live({f"gpu-001/{name}.json": empty, "gpu-001/ip-addr.json": ADDR}).unread == ()


@pytest.mark.parametrize("name", ["gpu-001-ibstat.txt", "gpu-001/mlnx_qos.txt"])
def test_other_outputs_of_a_host_get_no_advice_for_switches(name: str) -> None:
    ((_, why),) = live({name: "CA 'mlx5_0'\n\tState: Active\n"}).unread
    assert why == "no output of host gpu-001 that check-live reads; docs/check-live.md lists them"


def test_json_of_a_session_that_is_not_known_is_told_with_its_line() -> None:
    vlans = mixed.outputs("leaf-4")["leaf-4-vlans.json"]
    text = f'leaf-4# show vlan | json\n{vlans}\nleaf-4# show foo | json\n{{"foo": 1}}\nleaf-4# \n'
    ((_, why),) = mixed.live({"leaf-4.txt": text}).unread
    line = text.split("\n").index('{"foo": 1}') + 1
    assert why == f"line {line}: no output that check-live reads; docs/check-live.md lists them"


def test_the_last_line_of_a_pager_below_json_is_left_out() -> None:
    text = f"{mixed.outputs('leaf-2')['leaf-2-ports.json']}\n(END)\n"
    assert mixed.live({"leaf-2.json": text}).unread == ()
