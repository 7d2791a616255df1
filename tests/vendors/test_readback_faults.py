"""An edit of a rendered file changes only that value in what is read back."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.model.readback import ReadSwitch
from netplan.nos import available
from netplan.reading import switches
from tests.switch_site import site
from tests.vendors.test_agreement import SWITCHES, mixed

Files = Mapping[str, str]
Faults = dict[str, tuple[str, str, str, set[str]]]
"""Name of an edit -> (file, pattern of the old text, new text, fields that change)."""


def command(port: str, mtu: str, vlan: str, trunk: str, bgp: str, **more: Any) -> Faults:
    """Faults for every NOS with a CLI: patterns of the lines, with the text to replace in ( )."""
    faults: Faults = {
        "port mtu": ("interfaces.txt", mtu, "1500", {f"ports.{port}.ip_mtu"}),
        "vlan": ("interfaces.txt", vlan, "", {"vlans"}),
        "port vlan": ("interfaces.txt", trunk, "", {f"ports.{port}.tagged"}),
        "neighbour": ("interfaces.txt", bgp, "", {"neighbours"}),
    }
    return faults | more


def ports_of(nos: str, *fields: str) -> set[str]:
    return {
        f"ports.{port.name}.{field}" for port in mixed().switch(SWITCHES[nos]).rdma_ports for field in fields
    }


FAULTS: Mapping[str, Faults] = {
    "arista-eos": command(
        "Ethernet1/1",
        r"interface Ethernet1/1\n.*\n   mtu (\d+)",
        r"(vlan 200\n   name .*\n)",
        r"interface Ethernet1/1\n(?: .*\n)*?   switchport trunk allowed vlan (100,)200,300",
        r"(   neighbor \S+ remote-as \d+\n)",
        dscp=("roce.txt", r"qos map dscp 26 to traffic-class (3)", "0", {"queues"}),
        queue=("roce.txt", r"qos map traffic-class 3 to tx-queue (3)", "2", {"queues"}),
        pfc=("roce.txt", r"(   priority-flow-control on\n)", "", ports_of("arista-eos", "pfc")),
        profile=(
            "roce.txt",
            r"interface Ethernet1/1\n(?:   no dcbx mode\n)?(   service-profile ROCE\n)",
            "",
            {f"ports.Ethernet1/1.{field}" for field in ("pfc", "trust", "ecn")},
        ),
        ecn=(
            "roce.txt",
            r"minimum-threshold (254000) bytes",
            "1000",
            {"ecn", *ports_of("arista-eos", "ecn")},
        ),
        strict=("roce.txt", r"(      priority strict\n)", "", {"strict"}),
        age=("arp.txt", r"default (120)", "14400", {"arp_seconds"}),
        network=("interfaces.txt", r"(      network 172.31.255.\d+/32\n)", "", {"networks"}),
    ),
    "cisco-nxos": command(
        "Ethernet1/1",
        r"interface Ethernet1/1\n(?: .*\n)*?  mtu (\d+)",
        r"(vlan 200\n  name .*\n)",
        r"interface Ethernet1/1\n(?: .*\n)*?  switchport trunk allowed vlan (100,)200,300",
        r"(  neighbor \S+ remote-as \d+\n)",
        dscp=("roce.txt", r"match dscp (26)", "24", {"queues"}),
        pfc=("roce.txt", r"(    pause pfc-cos 3\n)", "", ports_of("cisco-nxos", "pfc")),
        bound=(
            "roce.txt",
            r"(  service-policy type network-qos .*\n)",
            "",
            ports_of("cisco-nxos", "pfc") | {f"ports.Ethernet1/{n}.headroom_m" for n in range(1, 7)},
        ),
        age=("arp.txt", r"interface \S+\n  (ip arp timeout 120\n)", "", {"vlan_interfaces"}),
    ),
    "cumulus-nvue": command(
        "swp1",
        r"nv set interface swp1 link mtu (\d+)",
        r"nv set bridge domain br_default vlan 100,\d+,(200,)300",
        r"nv set interface swp1 bridge domain br_default vlan (100,)200",
        r"(nv set vrf default router bgp neighbor \S+ remote-as \d+\n)",
        dscp=("roce.txt", r"mapping default-global dscp 26 switch-priority (3)", "0", {"queues"}),
        pfc=("roce.txt", r"(nv set qos pfc default-global .*\n)", "", ports_of("cumulus-nvue", "pfc")),
        age=("arp.conf", r"ipv4\S+base_reachable_time_ms = (120000)\n", "60000", {"arp_seconds"}),
    ),
    "dell-os10": command(
        "ethernet1/1/1",
        r"interface ethernet1/1/1\n(?: .*\n)*? mtu (\d+)",
        r"(interface vlan 200\n description .*\n no shutdown\n exit\n)",
        r"interface ethernet1/1/1\n(?: .*\n)*? switchport trunk allowed vlan (100,)200",
        r" neighbor \S+\n(  remote-as \d+\n)",
        dscp=("roce.txt", r" qos-group (3) dscp 26\n", "6", {"queues"}),
        queue=("roce.txt", r" queue (3) qos-group 3\n", "4", {"queues"}),
        trust=(
            "roce.txt",
            r"( trust-map dscp netplan\n)",
            "",
            {"trust", "queues", *ports_of("dell-os10", "trust")},
        ),
        pfc=("roce.txt", r"(  pause\n)", "", ports_of("dell-os10", "pfc")),
        ecn=("roce.txt", r"( random-detect ecn\n)", "", {"ecn", "marking", *ports_of("dell-os10", "ecn")}),
    ),
    "h3c-comware": command(
        "HundredGigE1/0/1",
        r"interface HundredGigE1/0/1\n(?: .*\n)*? jumboframe enable (\d+)",
        r"(vlan 200\n quit\n)",
        r"interface HundredGigE1/0/1\n(?: .*\n)*?( port trunk permit vlan 100\n)",
        r"( peer \S+ as-number \d+\n)",
        native=(
            "interfaces.txt",
            r"( port trunk permit vlan 300\n)",
            "",
            {"ports.HundredGigE1/0/1.untagged"},
        ),
        pfc=(
            "roce.txt",
            r"interface HundredGigE1/0/1\n(?: .*\n)*?( priority-flow-control enable\n)",
            "",
            {"ports.HundredGigE1/0/1.pfc"},
        ),
        age=("arp.txt", r"second (120)", "60", {"arp_seconds"}),
        dscp=("roce.txt", r" import 26 export (3)", "0", {"queues"}),
        queue=("roce.txt", r"qos map-table dot1p-lp\n(?: .*\n)*? import 3 export (3)", "2", {"queues"}),
        comment=("roce.txt", r"(# confirm on the switch: \S+ deadlock cos .*\n)", "", {"comments"}),
    ),
    "huawei-vrp": command(
        "100GE1/0/1",
        r"interface 100GE1/0/1\n(?: .*\n)*? jumboframe enable (\d+)",
        r"(vlan 200\n description .*\n quit\n)",
        r"interface 100GE1/0/1\n(?: .*\n)*?( port trunk allow-pass vlan 100\n)",
        r"( peer \S+ as-number \d+\n)",
        dscp=("roce.txt", r" ip-dscp-inbound 26 phb (af3) green", "be", {"queues"}),
        pfc=("roce.txt", r"(?m)^ priority (3)$", "4", ports_of("huawei-vrp", "pfc")),
        ecn=("roce.txt", r"low-limit (254000)", "1", {"ecn", *ports_of("huawei-vrp", "ecn")}),
    ),
    "juniper-junos": command(
        "et-0/0/1",
        r"set interfaces et-0/0/1 mtu (\d+)",
        r"(?!)",  # members are listed by VLAN name: below
        r"(set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v100\n)",
        r"(set protocols bgp group netplan neighbor \S+ peer-as \d+\n)",
        named=("interfaces.txt", r"(set vlans v200 vlan-id 200\n)", "", {"vlans", "ports.et-0/0/1.tagged"}),
        dscp=(
            "roce.txt",
            r"classifiers dscp netplan forwarding-class (netplan-3) ",
            "best-effort",
            {"queues", *ports_of("juniper-junos", "pfc")},  # the profile's code point no longer has a class
        ),
        queue=("roce.txt", r"class netplan-3 queue-num (3)", "2", {"queues"}),
        export=("interfaces.txt", r"(set protocols bgp group netplan export .*\n)", "", {"networks"}),
        age=("arp.txt", r"aging-timer (2)", "20", {"arp_seconds"}),
    ),
    "onyx": command(
        "1/1",
        r"interface ethernet 1/1 mtu (\d+)",
        r"(vlan 200\nexit\n)",
        r"(interface ethernet 1/1 switchport \S+ allowed-vlan add 100\n)",
        r"(router bgp \d+ vrf default neighbor \S+ remote-as \d+\n)",
        profile=("roce.txt", r"roce (lossless)", "lossy", ports_of("onyx", "pfc")),
        ecn=("roce.txt", r"minimum-absolute (254) ", "255 ", {"ports.1/1.ecn"}),
    ),
    "sonic": {
        "port mtu": ("interfaces.json", r'"Ethernet0": {"mtu": "(\d+)"', "1500", {"ports.Ethernet0.ip_mtu"}),
        "vlan": ("interfaces.json", r'"(Vlan100)": {"vlanid"', "Vlan999", {"vlans", "vlan_interfaces"}),
        "port vlan": (
            "interfaces.json",
            r'( *"Vlan100\|Ethernet0": .*\n)',
            '"Vlan100|Ethernet0": {"tagging_mode": "untagged"},',
            {"ports.Ethernet0.tagged", "ports.Ethernet0.untagged"},
        ),
        "neighbour": ("interfaces.json", r'( *"172.31.[\d.]+": {"asn".*,\n)', "", {"neighbours"}),
        "dscp": ("roce.json", r'"26": "(3)"', "0", {"queues"}),
        "queue": ("roce.json", r'"TC_TO_QUEUE_MAP": {\n[^}]*"3": "(3)"', "4", {"queues"}),
        "pfc": ("roce.json", r'"pfc_enable": "(3)"', "3,4", {"ports.Ethernet0.pfc"}),
        "ecn": ("roce.json", r'"green_min_threshold": "(\d+)"', "1", {"ecn", "every port"}),
        "strict": ("roce.json", r'"type": "(STRICT)"', "DWRR", {"strict"}),
        "age": ("arp.conf", r"ms = (60000)", "90000", {"arp_seconds"}),
    },
}
CONTRADICTING = {
    ("onyx", "ecn"): "ports differ in ECN thresholds: 1/1 from the others",
    ("juniper-junos", "named"): "interfaces.txt: v200 is used but nothing defines it: set interfaces <port> "
    "unit 0 family ethernet-switching vlan members <name>",
}


@cache
def leaf(nos: str) -> dict[str, str]:
    return mixed().files(SWITCHES[nos]) if nos != "sonic" else site().files("leaf-1")


def read_switch(name: str, nos: str, files: Mapping[str, str], **box: Any) -> ReadSwitch:
    """A switch as ``trace`` reads it, with its data from ``site.json``."""
    kind = (mixed().switch(SWITCHES[nos]) if nos in SWITCHES else site().switch("leaf-1")).type
    stated = {"asic": kind.model.asic, "queue_bytes": kind.queue_bytes}
    return switches.read_switch(name, nos, files, **{**stated, **box})


@cache
def read(nos: str) -> ReadSwitch:
    return read_switch("x", nos, leaf(nos))


def changed(before: ReadSwitch, after: ReadSwitch) -> set[str]:
    found = _fields(before, after) - {"ports"}
    names = before.ports.keys() | after.ports.keys()
    for name in names:
        if name in before.ports and name in after.ports:
            found |= {f"ports.{name}.{field}" for field in _fields(before.ports[name], after.ports[name])}
        else:
            found.add(f"ports.{name}")
    return found


SUMS = {"qos", "told", "line", "where", "unread"}
"""Fields derived from others (tested in test_qos_chain.py), and those that look up lines."""


def _fields(before: Any, after: Any) -> set[str]:
    names = {field.name for field in dataclasses.fields(before)} - SUMS
    return {name for name in names if getattr(before, name) != getattr(after, name)}


def edited(text: str, pattern: str, new: str) -> str:
    found = re.search(pattern, text)
    assert found, pattern
    return text[: found.start(1)] + new + text[found.end(1) :]


CASES = [(nos, what) for nos, faults in FAULTS.items() for what in faults if faults[what][1] != "(?!)"]


def test_every_nos_has_faults() -> None:
    assert set(FAULTS) <= set(available())
    assert min(len(faults) for faults in FAULTS.values()) >= 5


def lines_of(nos: str) -> list[tuple[str, str]]:
    """Every kind of line in the files that are read, once; lines that differ only in numbers are one kind."""
    kinds: dict[tuple[str, str], str] = {}
    for file, text in leaf(nos).items():
        for line in text.splitlines() if file != "README.md" else ():
            kinds.setdefault((file, re.sub(r"[0-9]+", "0", line)), line)
    return [(file, line) for (file, _), line in kinds.items() if line.strip()]


@pytest.mark.parametrize("nos", available())
def test_lines_that_are_gone_are_missed(nos: str) -> None:
    """Each fact that is read depends on a line, also for a NOS added without Python."""
    found: set[str] = set()
    for file, line in lines_of(nos):
        after = read_switch("x", nos, {**leaf(nos), file: leaf(nos)[file].replace(f"{line}\n", "")})
        found |= {field.rsplit(".", 1)[-1] for field in changed(read(nos), after)}
    assert found >= {"ip_mtu", "tagged", "vlans", "vlan_interfaces", "neighbours", "trust", "queues", "pfc"}


@pytest.mark.parametrize(("nos", "what"), CASES)
def test_an_edit_changes_that_value(nos: str, what: str) -> None:
    file, pattern, new, fields = FAULTS[nos][what]
    after = read_switch("x", nos, {**leaf(nos), file: edited(leaf(nos)[file], pattern, new)})
    if "every port" in fields:
        fields = fields - {"every port"} | {f"ports.{p.name}.{what}" for p in read(nos).ports.values()}
    assert changed(read(nos), after) - {"problems"} == fields
    twins = f"{file.replace('.txt', '.yaml')}: it disagrees with {file}, which is used: "
    if nos == "cumulus-nvue" and file.endswith(".txt"):
        assert {problem.startswith(twins) for problem in after.problems} == {True}
    else:
        wanted = CONTRADICTING.get((nos, what), "")
        assert after.problems == ((wanted,) if wanted else ())


def test_cells_are_counted_by_the_asic() -> None:
    after = read_switch("x", "h3c-comware", leaf("h3c-comware"), asic="trident4")
    assert changed(read("h3c-comware"), after) == {"ecn", "steps", *ports_of("h3c-comware", "ecn")}


UNREAD = {(nos, "README.md") for nos in FAULTS} | {("dell-os10", "arp.txt")}
"""Files from which no fact is read: a MAC ageing time is not one."""


def all_files() -> list[tuple[str, str]]:
    """(NOS, file) of all files from which facts are read."""
    return [(nos, file) for nos in FAULTS for file in leaf(nos) if (nos, file) not in UNREAD]


@pytest.mark.parametrize(("nos", "file"), all_files())
def test_line_ends_and_unknown_lines_change_nothing(nos: str, file: str) -> None:
    text = leaf(nos)[file]
    assert read_switch("x", nos, {**leaf(nos), file: text.replace("\n", "\r\n")}) == read(nos)
    assert read_switch("x", nos, {**leaf(nos), file: "\ufeff" + text}) == read(nos)
    if file.endswith(".txt"):
        more = "snmp-server location here\n   and below\n\tand with a tab\n\n"
        after = read_switch("x", nos, {**leaf(nos), file: f"{text}{more}", "mine.txt": "vlan 4000\n"})
        assert dataclasses.replace(after, unread=()) == read(nos)
        said = [what.partition(" is not read: ")[2] for what in after.unread]
        assert said == ["snmp-server location here", "and below", "and with a tab"]


@pytest.mark.parametrize(("nos", "file"), all_files())
def test_a_file_that_is_not_there(nos: str, file: str) -> None:
    files = {name: text for name, text in leaf(nos).items() if name != file}
    after = read_switch("x", nos, files)
    always = file.startswith("interfaces.")
    assert after.problems == ((f"{file}: the file is missing",) if always else ())
    if nos == "cumulus-nvue" and file != "arp.conf":
        assert changed(read(nos), after) - {"problems"} <= {"comments"}, "the twin says the same"
    elif file.endswith(".patch.json"):
        assert not changed(read(nos), after), "rows of buffers only"
        assert read(nos).told - after.told == {"pfc-again", "queue-buffer", "queue-lossy"}
    else:
        assert changed(read(nos), after) - {"problems"}


@pytest.mark.parametrize(("nos", "file"), all_files())
def test_no_edit_raises(nos: str, file: str) -> None:
    """Truncated texts, texts with characters of other lines, invalid numbers and addresses."""
    text, chance = leaf(nos)[file], random.Random(f"{nos}/{file}")
    for _ in range(30):
        at, to = sorted(chance.randrange(len(text)) for _ in range(2))
        for broken in (
            text[:at],
            text[:at] + text[to:],
            text[:at] + text[to : to + 9] + text[at:],
            text[:at] + chance.choice("\0\x1b\u2028\u0663{}[]'\":&*<\t ") + text[at + 1 :],
            re.sub(
                r"(?<=[ |\"])\d+(?![.\d])", chance.choice(["0", "99999", "9" * 5000, "1-4294967295"]), text
            ),
            re.sub(
                r"\d+\.\d+\.\d+\.\d+", chance.choice(["300.1.1.1", "1.2.3", "fe80::1", "1." * 5000]), text
            ),
        ):
            after = read_switch("x", nos, {**leaf(nos), file: broken})
            assert all(len(problem) < 300 and problem.isprintable() for problem in after.problems)


def test_a_value_that_is_none_is_a_problem() -> None:
    text = leaf("arista-eos")["interfaces.txt"].replace("vlan 200\n", "vlan 5000\n")
    after = read_switch("x", "arista-eos", {**leaf("arista-eos"), "interfaces.txt": text})
    assert after.problems == ("interfaces.txt: 'vlan 5000': 5000 is outside 1 to 4094",)
    assert changed(read("arista-eos"), after) == {"vlans", "problems"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "interfaces.json: not JSON: Expecting property name enclosed in double quotes: line 1"),
        ("[]", "interfaces.json: not a JSON object"),
        ("[" * 100_000, "interfaces.json: not JSON: "),
        (
            json.dumps({"VLAN": {"Vlan1000": [], "Vlan9999": {}}, "PORT": 3, "X": None}),
            "interfaces.json: 'Vlan9999'",
        ),
    ],
)
def test_broken_json_leaves_the_other_files(text: str, problem: str) -> None:
    after = read_switch("x", "sonic", {**leaf("sonic"), "interfaces.json": text})
    assert [p.startswith(problem) for p in after.problems] == [True], after.problems
    assert (after.queues, after.arp_seconds) == (read("sonic").queues, 60)
    assert after.vlans == frozenset()


@pytest.mark.parametrize(
    "text", ["- set: [", "- set: {interface: {swp1: {link: {mtu: 1}}}", "a: &a [*a]\n", "a:\n b: 1\n  c: 2\n"]
)
def test_broken_yaml_is_a_problem(text: str) -> None:
    after = read_switch("x", "cumulus-nvue", {"interfaces.yaml": text})
    assert any(p.startswith("interfaces.yaml: not YAML: ") for p in after.problems)


def test_yaml_in_any_style_says_the_same() -> None:
    """Block style is read without a parser; any other style goes through one, with the same result."""
    files = {name: text for name, text in leaf("cumulus-nvue").items() if not name.endswith("s.txt")}
    flow = {
        name: yaml.safe_dump(yaml.safe_load(text), default_flow_style=True)
        if name.endswith(".yaml")
        else text
        for name, text in files.items()
    }
    assert flow["interfaces.yaml"].startswith("[{set: {")
    assert read_switch("x", "cumulus-nvue", flow) == read_switch("x", "cumulus-nvue", files)


def test_both_of_two_files_edited() -> None:
    files = dict(leaf("cumulus-nvue"))
    files["interfaces.txt"] = edited(files["interfaces.txt"], r"swp1 link mtu (\d+)", "1500")
    files["interfaces.yaml"] = edited(files["interfaces.yaml"], r" swp1:\n(?:.*\n)*? +mtu: (\d+)", "1500")
    after = read_switch("x", "cumulus-nvue", files)
    assert (changed(read("cumulus-nvue"), after), after.problems) == ({"ports.swp1.ip_mtu"}, ())


def test_no_nos() -> None:
    assert read_switch("x", "no-such-nos", {}).problems == ("the text of NOS no-such-nos cannot be read",)


def test_every_switch_of_an_empty_folder_can_be_read() -> None:
    for nos in FAULTS:
        after = read_switch("x", nos, {})
        assert (after.ports, after.vlans, after.asn, after.queues) == ({}, frozenset(), None, {})
        assert after.problems


def test_a_code_point_in_two_queues_is_a_problem() -> None:
    text = edited(leaf("dell-os10")["roce.txt"], r" qos-group 3 dscp (26)\n", "26-27")
    after = read_switch("x", "dell-os10", {**leaf("dell-os10"), "roce.txt": text})
    assert after.problems == ("DSCP 27 is in queue 0 and in queue 3",)


def test_many_switches_are_read_in_little_time() -> None:
    """Switches that differ only in their addresses, as leaves of one kind do: 20 to 40 lines per ms."""
    texts = [
        (nos, {file: text.replace("172.31.", f"10.{n}.") for file, text in leaf(nos).items()})
        for n in range(100)
        for nos in FAULTS
    ]
    start = time.process_time()
    found = [read_switch("x", nos, files) for nos, files in texts]
    assert time.process_time() - start < 9
    assert len(found) == 900
    assert {read.problems for read in found} == {()}
    assert len({n.address for read in found for n in read.neighbours}) > 900


def test_lists_without_bound_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netplan.reading.switches.lines.MAX_LISTED", 50_000)
    trunk = "   switchport mode trunk\n   switchport trunk allowed vlan 1-4094\n"
    lines = [f"interface Ethernet{n}\n{trunk}" for n in range(1, 20)]
    read = read_switch("x", "arista-eos", {"interfaces.txt": "".join(lines)})
    assert [problem.startswith("interfaces.txt: lists of more than ") for problem in read.problems] == [True]
    assert len(read.ports["Ethernet1"].tagged) == 4094
    assert len(read.ports) == 13
