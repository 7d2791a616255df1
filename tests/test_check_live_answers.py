"""``check-live``: answers that are a part, of something else, damaged, or within those of another program."""

from __future__ import annotations

import json
import re

import pytest

from tests.live_host_site import live as of_hosts
from tests.live_host_site import told as told_of_hosts
from tests.live_json import element
from tests.live_leaf import PROMPT, count, session, shown, told
from tests.test_check_live import live as of_leaf
from tests.test_check_live_json import live, outputs, switch
from tests.test_check_live_pods import live as of_pods
from tests.test_check_live_sessions import OPER, WRONG, reasons

EOS = outputs("leaf-4")["leaf-4-bgp.json"]
DOWN = EOS.replace("Established", "Active", 1)


def other_family() -> str:
    """The first two sessions, without a word of their routes."""
    data = json.loads(EOS)
    peers = data["vrfs"]["default"]["peers"]
    first = {address: {**peer} for address, peer in list(peers.items())[:2]}
    for peer in first.values():
        del peer["ipv4Unicast"]
    data["vrfs"]["default"]["peers"] = first
    return json.dumps(data)


OTHERS = [
    "rt-membership",
    "flow-spec ipv4",
    "evpn",
    "ipv6 unicast",
    "ipv4 labeled-unicast",
    "sr-te",
    "vpn-ipv4",
]


@pytest.mark.parametrize("family", OTHERS)
def test_a_summary_of_another_address_family_lacks_no_planned_session(family: str) -> None:
    first, second = (f"leaf-4#show bgp {each}summary | json" for each in ("", f"{family} "))
    text = f"{first}\n{EOS}\n{second}\n{other_family()}\nleaf-4#\n"
    found = live({"leaf-4.txt": text})
    assert (found.wrong, count(found, "ok")) == ((), 10)


def test_a_list_without_families_lacks_nothing_beside_one_with_them() -> None:
    found = live({"leaf-4-bgp.json": EOS, "leaf-4-overlay.json": other_family()})
    assert (found.wrong, count(found, "ok")) == ((), 10)


@pytest.mark.parametrize("command", ["show ipv6 bgp summary | json", "show bgp ipv6 unicast summary | json"])
def test_no_session_of_ipv6_says_nothing_of_those_of_ipv4(command: str) -> None:
    data = json.loads(EOS)
    data["vrfs"]["default"]["peers"] = {}
    found = live({"leaf-4.txt": f"leaf-4#{command}\n{json.dumps(data)}\nleaf-4#\n"})
    assert found.wrong == ()


JUNOS = [
    "neighbor logical-system LS1",
    "nei gr SPINE1",
    "neighbor group SPINE1",
    "summary group X",
    "neighbor orf",
]


@pytest.mark.parametrize("asked", JUNOS)
def test_a_part_of_the_sessions_of_junos_lacks_nothing(asked: str) -> None:
    every = outputs("leaf-6")["leaf-6-bgp.json"]
    data = json.loads(every)
    data["bgp-information"][0]["bgp-peer"] = data["bgp-information"][0]["bgp-peer"][:2]
    first, second = (f"ops@leaf-6> show bgp {each} | display json" for each in ("neighbor", asked))
    text = f"{first}\n{every}\n{second}\n{json.dumps(data)}\nops@leaf-6>\n"
    found = live({"leaf-6.txt": text})
    assert (found.wrong, count(found, "ok")) == ((), 10)


@pytest.mark.parametrize("options", ["--filter=state=idle -o json", "-o json --filter remote-as=65001"])
def test_a_filter_of_nvue_shows_a_part(options: str) -> None:
    command, prompt = "nv show vrf default router bgp neighbor", "cumulus@leaf-2:~$"
    assert live({"x.txt": f"{prompt} {command} {options}\n{{}}\n{prompt}\n"}).wrong == ()
    assert live({"x.txt": f"{prompt} {command} -o json\n{{}}\n{prompt}\n"}).wrong != ()


@pytest.mark.parametrize("routes", ["Policy", "NoNeg"])
def test_a_session_of_frr_that_is_up_without_routes(routes: str) -> None:
    address = str(switch("leaf-2").neighbours[0].address)
    data = json.loads(outputs("leaf-2")["leaf-2-bgp.json"])
    data["ipv4Unicast"]["peers"][address]["peerState"] = routes
    found = live({"leaf-2-bgp.json": json.dumps(data)})
    assert [(one.claim.subject, one.found) for one in found.wrong] == [(address, routes)]
    data["ipv4Unicast"]["peers"][address]["peerState"] = "OK"
    assert live({"leaf-2-bgp.json": json.dumps(data)}).wrong == ()


NONE = [
    ("leaf-1", "show ip bgp summary", "Error response from daemon: container 3fa0c1 is not running"),
    ("leaf-1", "show ip bgp summary", "No IPv4 neighbor is configured"),
    ("leaf-1", "sudo vtysh -c 'show bgp summary json'", '{"warning":"Default BGP instance not found"}'),
]


@pytest.mark.parametrize(("name", "command", "answer"), NONE, ids=[answer for *_, answer in NONE])
def test_more_answers_that_say_that_no_session_is_there(name: str, command: str, answer: str) -> None:
    found = of_leaf({"x.txt": f"admin@{name}:~$ {command}\n{answer}\nadmin@{name}:~$\n"})
    assert {one.found for one in found.wrong} == {"no row"}


def test_junos_and_eos_without_a_session() -> None:
    none = {"bgp-information": [{"attributes": {"xmlns": "http://xml.juniper.net"}}]}
    junos = live(
        {"x.txt": f"ops@leaf-6> show bgp neighbor | display json\n{json.dumps(none)}\nops@leaf-6>\n"}
    )
    eos = live({"x.txt": 'leaf-4#show bgp summary | json\n{"errors": ["BGP inactive"]}\nleaf-4#\n'})
    assert {one.found for one in (*junos.wrong, *eos.wrong)} == {"no row"}
    peer = {"bgp-information": [{"bgp-peer": [element(peer_address="10.0.0.1+179", peer_state="Idle")]}]}
    assert live({"leaf-6.json": json.dumps(peer)}).wrong == ()


DAMAGED = [
    (r" Ethernet64 ", "Ethernet64 "),
    (r"(Ethernet64 .*) up  QSFP", r"\1 u  QSFP"),
    (r"(Ethernet64 .*)100G", r"\g<1>10G"),
]


@pytest.mark.parametrize(("before", "after"), DAMAGED)
def test_a_row_that_is_not_in_its_columns_is_not_used(before: str, after: str) -> None:
    """As a serial console that loses a character leaves it."""
    text, times = re.subn(before, after, shown("show interfaces status"), count=1)
    assert times == 1
    found = session("show interfaces status", text)
    assert told(found) == []
    assert reasons(found) == ["a row that is not in its columns, which is not used"]


def test_a_list_with_a_damaged_row_lacks_nothing() -> None:
    text = shown("pfcwd show config")
    row = next(line for line in text.split("\n") if "Ethernet4 " in line)
    assert (
        told(
            session(
                "pfcwd show config", text.replace(row, row.replace("  ", " ", 1).replace(" drop", "xdrop"))
            )
        )
        == []
    )


ANSIBLE = [
    "{} | SUCCESS => ",
    "{} | CHANGED => ",
    "ok: [{}] => ",
    "changed: [{}] =>",
    "ok: [{} -> localhost] => ",
    "ok: [{}] => (item=show bgp summary | json) => ",
]


@pytest.mark.parametrize("title", ANSIBLE)
def test_json_behind_a_title_of_ansible_is_read(title: str) -> None:
    data = json.loads(EOS)
    next(iter(data["vrfs"]["default"]["peers"].values()))["peerState"] = "Active"
    answer = json.dumps({"changed": False, "stdout": [data]}, indent=4)
    for above in ("", f"{EOS}\n"):
        found = live({"leaf-4.txt": f"{above}{title.format('leaf-4')}{answer}\n"})
        assert [one.found for one in found.wrong] == ["active"]
    other = live({"leaf-4.txt": f"{EOS}\n{title.format('border')}{answer}\n"})
    assert (other.wrong, len(other.unread)) == ((), 1)


@pytest.mark.parametrize("key", ["out.stdout", "out.stdout[0]", "msg", "out"])
def test_a_variable_that_debug_of_ansible_shows_is_read(key: str) -> None:
    data = json.loads(EOS)
    next(iter(data["vrfs"]["default"]["peers"].values()))["peerState"] = "Active"
    value = {"changed": False, "stdout": [data]} if key == "out" else [data]
    found = live({"leaf-4.txt": f"ok: [leaf-4] => {json.dumps({key: value}, indent=4)}\n"})
    assert ([one.found for one in found.wrong], found.unread) == (["active"], ())


@pytest.mark.parametrize("before", ["10:00:00 ", "<code>", "x = "])
def test_text_that_no_reader_knows_is_told_beside_a_good_output(before: str) -> None:
    found = live({"leaf-4.txt": f"{EOS}\n{before}{EOS}\n"})
    assert (found.wrong, count(found, "ok"), len(found.unread)) == ((), 10, 1)


def test_a_byte_order_mark_between_two_files_is_no_part_of_them() -> None:
    wrong = EOS.replace("Established", "Active", 1)
    assert len(live({"leaf-4.txt": f"{EOS}\n\ufeff{wrong}\n"}).wrong) == 1


EMPTY = ["Root privileges are required for this operation\n", "Traceback (most recent call last):\n  x\n", ""]


@pytest.mark.parametrize("answer", EMPTY)
@pytest.mark.parametrize(
    "command", ["ecnconfig -l", "pfcwd show config", "show pfc counters", "show lldp table"]
)
def test_a_command_without_its_output_is_told(command: str, answer: str) -> None:
    text = f"{PROMPT} show vlan brief\n{shown('show vlan brief')}{PROMPT} {command}\n{answer}{PROMPT}\n"
    found = of_leaf({"x.txt": text})
    assert (told(found), [command in why for _, why in found.unread]) == ([], [True])


PODS = ["Pod: {}", "pod {}:", "* {}", "= {} ="]


@pytest.mark.parametrize("title", PODS)
def test_a_title_that_names_a_pod_begins_what_it_printed(title: str) -> None:
    good, bad = "check-rails: ok, rail0 rail1 rail2 rail3", "check-rails: rail1 has no IPv4 address"
    text = f"{title.format('training-0')}\n{good}\n{title.format('large-model-0')}\n{bad}\n"
    found = of_pods({"training.log": f"{text}command terminated with exit code 1\n"})
    assert {one.claim.hop.name for one in found.wrong} == {"large-model"}
    assert {one.claim.hop.name for one in found.judged if one.outcome == "ok"} == {"training"}


def test_what_pdsh_says_of_a_host_that_is_off_is_no_harm() -> None:
    lines = "\n".join(f"gpu-001: {line}" for line in WRONG.split("\n"))
    text = f"{lines}\npdsh@b: gpu-002: ssh exited with exit code 255\n"
    assert OPER in told_of_hosts(of_hosts({"all.txt": text}))


CHARACTERS = {
    "show interfaces status": ["  up     up  ", "trunk", "100G"],
    "show ip bgp summary": ["172.31.0.1 ", "172.31.0.3 ", "4200000001"],
    "pfcwd show config": ["Ethernet4 ", "drop", "2000"],
    "show ip interfaces": ["Ethernet80", "172.31.0.0/31", "up/up"],
    "show vlan brief": ["Ethernet4 ", "tagged"],
    "ecnconfig -l": ["true", "ecn_all"],
}


@pytest.mark.parametrize(("command", "value"), [(c, value) for c in CHARACTERS for value in CHARACTERS[c]])
def test_a_character_that_is_lost_or_another_one_makes_nothing_wrong(command: str, value: str) -> None:
    text = shown(command)
    at = text.index(value) + len(value) - len(value.lstrip())
    lost = f"{text[:at]}{text[at + 1 :]}"
    for damaged in (lost, f"{text[:at]}?{text[at + 1 :]}"):
        found = session(command, damaged)
        assert (told(found), count(found, "ok") > 0, bool(found.unread)) == ([], True, True)


@pytest.mark.parametrize(
    "title", ["[leaf-4 -> core-77]", "[leaf-4 -> core-77(10.0.0.77)]", "[leaf-4] => (item=core-77)"]
)
def test_an_answer_that_another_machine_gave_is_of_none(title: str) -> None:
    answer = json.dumps({"stdout": [json.loads(DOWN)]}, indent=4)
    for text in (f"ok: {title} => {answer}\n", f"ok: {title} => {json.dumps(json.loads(answer))}\n"):
        assert live({"leaf-4.txt": text}).judged == ()


def test_an_answer_that_holds_the_name_of_another_machine_is_of_none() -> None:
    for name, wrong in (
        ("core-77", False),
        ("leaf-4", True),
        ("LEAF-4.example.com", True),
        ("localhost", True),
    ):
        answers = {"jsonrpc": "2.0", "id": "1", "result": [{"hostname": name}, json.loads(DOWN)]}
        found = live({"leaf-4.json": json.dumps(answers)})
        assert (bool(found.wrong), bool(found.judged)) == (wrong, wrong), name
