"""``check-live``: saved outputs of a deployed network compared with the plan."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from netplan import resources
from netplan.live.judge import Live, judged
from netplan.live.read import read_outputs
from netplan.live.report import live_data, live_lines
from netplan.model.plan import Plan
from netplan.pipeline import run
from tests import live_outputs
from tests.cli_runs import netplan

SITE = resources.inventories() / "iei-rocev2.yaml"


@cache
def plan() -> Plan:
    found = run([str(SITE)], upto="plan").plan
    assert found is not None
    return found


@cache
def outputs() -> dict[str, str]:
    """Outputs of every switch and of one pod per workload, as planned."""
    texts = {f"out/{switch.name}.txt": live_outputs.transcript(switch, plan()) for switch in plan().switches}
    return texts | {f"out/{w.name}-0.txt": live_outputs.pod(plan(), w.name) for w in plan().workloads}


def live(texts: dict[str, str]) -> Live:
    return judged(plan(), read_outputs(texts, plan()))


def test_outputs_of_the_plan_are_ok_in_every_value() -> None:
    found = live(outputs())
    assert found.wrong == ()
    assert found.not_seen == ()
    assert found.unread == ()
    assert {hop.kind for hop in found.unseen} == {"host"}
    assert len(found.judged) > 2_000
    assert {verdict.outcome for verdict in found.verdicts} == {"ok"}
    assert {(v.rail, v.hop.name) for v in found.verdicts if v.hop.kind == "leaf"} == {
        (n, f"leaf-{n + 1}") for n in range(4)
    }


EDITS = [
    ("leaf-1", r"(?m)^( *Ethernet0 .*trunk  )  up", r"\1down", "Ethernet0 oper: up, down"),
    ("leaf-1", r"(?m)^( *Ethernet4 .*) 100G  ", r"\1  40G  ", "Ethernet4 speed: 100G, 40G"),
    ("leaf-2", r"(?m)^(Ethernet0 +)gpu-001", r"\1gpu-002", "Ethernet0 peer: gpu-001, gpu-002 ens2f0"),
    (
        "leaf-1",
        r"(?m)^(Ethernet80 .*)spine-1",
        r"\1spine-2",
        "Ethernet80 peer: spine-1 Ethernet0, spine-2 Ethernet0",
    ),
    ("leaf-1", r"172\.16\.0\.1/24", "172.16.0.2/24", "100 addresses: 172.16.0.1/24, 172.16.0.2/24"),
    (
        "leaf-3",
        r"\| Ethernet8  \| tagged  ",
        "| Ethernet8  | untagged",
        "102 Ethernet8 tagging: tagged, untagged",
    ),
    (
        "leaf-1",
        r"(172\.31\.0\.3 .*00:39:32 +)12",
        r"\1Idle (Admin)",
        "172.31.0.3 session: established, Idle (Admin)",
    ),
    ("spine-1", r"local AS number \d+", "local AS number 65000", "local AS: 4200000001, 65000"),
    ("leaf-4", r"interval to 200ms", "interval to 400ms", "polling interval: 200, 400"),
    ("leaf-1", r"(?m)^( *Ethernet0 +) drop ", r"\1alert ", "Ethernet0 action: drop, alert"),
    ("leaf-1", r"(Ethernet0:3 +)operational", r"\1    stormed", "Ethernet0:3 status: operational, stormed"),
    ("leaf-1", r"(?m)^( *Ethernet0 +)0( +0 +0 +1,203)", r"\g<1>9\2", "Ethernet0 Rx PFC0: 0, 9"),
    (
        "leaf-1",
        r"green_max_threshold      1500000",
        "green_max_threshold      1048576",
        "ROCE_Q3 green_max_threshold: 1500000, 1048576",
    ),
]


@pytest.mark.parametrize(("switch", "pattern", "by", "told"), EDITS, ids=lambda value: str(value)[:24])
def test_one_value_that_differs_is_found_with_its_line(switch: str, pattern: str, by: str, told: str) -> None:
    name = f"out/{switch}.txt"
    before = outputs()[name]
    after = re.sub(pattern, by, before, count=1)
    assert after != before
    wrong = live({**outputs(), name: after}).wrong
    assert [f"{w.claim.subject} {w.claim.field}: {w.claim.expected}, {w.found}" for w in wrong] == [told]
    assert wrong[0].at is not None
    lines = zip(before.split("\n"), after.split("\n"), strict=True)
    assert wrong[0].at.line == next(n for n, (old, new) in enumerate(lines, 1) if old != new)


def test_outputs_with_nothing_between_them_are_all_read() -> None:
    """``ssh leaf-1 'a; b'`` prints no prompt, and tabulate no blank line."""
    texts = {
        name: "\n".join(line for line in text.split("\n") if line.strip() and "$ " not in line)
        for name, text in outputs().items()
    }
    assert live(texts).not_seen == ()
    for switch, pattern, by, _ in EDITS:
        name = f"out/{switch}.txt"
        texts[name] = re.sub(pattern, by, texts[name], count=1)
    wrong = live(texts).wrong
    told = {f"{w.claim.subject} {w.claim.field}: {w.claim.expected}, {w.found}" for w in wrong}
    assert told == {told for *_, told in EDITS}


def test_what_a_list_of_all_leaves_out_is_wrong_and_what_a_table_leaves_out_is_not_seen() -> None:
    name = "out/leaf-1.txt"
    rows = outputs()[name].split("\n")
    gone = [line for line in rows if "172.31.0.5" not in line and not line.lstrip().startswith("Ethernet8 ")]
    text = "\n".join(gone).replace("Total number of neighbors 8", "Total number of neighbors 7")
    found = live({**outputs(), name: text})
    assert {(w.claim.subject, w.claim.kind, w.found) for w in found.wrong} == {
        ("172.31.0.5", "bgp", "no row"),
        ("Ethernet8", "watchdog", "no row"),
    }
    assert {(one.claim.subject, one.claim.kind) for one in found.not_seen} == {
        ("Ethernet8", kind) for kind in ("lldp", "interfaces", "pfc")
    }
    cut = text.replace("Total number of neighbors 7", "Total number of neighbors 8")
    assert {one.claim.subject for one in live({name: cut}).not_seen} >= {"172.31.0.5"}


def test_values_that_a_switch_does_not_have_are_not_seen() -> None:
    name = "out/leaf-1.txt"
    text = re.sub(r"(?m)^( *Ethernet0 .*?)  0( +0 +0 +1,203)", r"\1N/A\2", outputs()[name])
    text = re.sub(r"(?m)^( *Ethernet4 .*) 100G  ", r"\1  N/A  ", text)
    found = live({**outputs(), name: text})
    assert found.wrong == ()
    assert [f"{one.claim.subject} {one.claim.field}" for one in found.not_seen] == [
        "Ethernet0 Rx PFC0",
        "Ethernet0 Tx PFC0",
        "Ethernet4 speed",
    ]


def test_problems_of_a_pod_are_on_their_rail() -> None:
    text = (
        "check-rails: 172.16.4.1 from 172.16.0.7 does not leave on rail0: via 10.0.0.1 dev eth0\n"
        "check-rails: gateway 172.16.10.1 does not answer on rail2: the card of another rail\n"
        "check-rails: the pod's IPv4 default route is on rail rail3\n"
    )
    found = live({"out/training-7.txt": text})
    assert [(v.rail, v.outcome) for v in found.verdicts] == [
        (0, "wrong"), (1, "not seen"), (2, "wrong"), (3, "wrong"),
    ]  # fmt: skip
    assert {w.claim.hop.name for w in found.wrong} == {"training"}
    nameless = live({"out/pod.txt": text})
    assert nameless.judged == ()
    assert "name the file after the workload" in nameless.unread[0][1]


def test_a_good_pod_does_not_hide_a_bad_one() -> None:
    texts = {
        "training-0.txt": "check-rails: ok, rail0\n",
        "training-1.txt": "check-rails: rail0 has no IPv4 address\n",
    }
    for order in (texts, dict(reversed(texts.items()))):
        assert [w.found for w in live(order).wrong] == ["rail0 has no IPv4 address"]


def test_neighbours_of_lldpctl_go_with_any_nos() -> None:
    chassis = {"name": "spine-2", "id": {"type": "mac", "value": "00:00:00:00:00:01"}}
    port = {"id": {"type": "ifname", "value": "Ethernet0"}, "descr": "x"}
    text = json.dumps(
        {"lldp": [{"interface": [{"name": "Ethernet80", "chassis": [chassis], "port": [port]}]}]}
    )
    found = live({"leaf-1.lldp.json": text})
    assert [(w.claim.subject, w.found) for w in found.wrong] == [("Ethernet80", "spine-2 Ethernet0")]


def test_neighbours_as_nvue_shows_them() -> None:
    """Read by the same reader as for import, whatever the NOS of the switch."""
    far = {"spine-2": {"chassis": {"system-name": "spine-2"}, "port": {"name": "Ethernet0"}}}
    text = json.dumps({"Ethernet80": {"type": "swp", "lldp": {"neighbor": far}}})
    found = live({"leaf-1.json": text})
    assert [(w.claim.subject, w.found) for w in found.wrong] == [("Ethernet80", "spine-2 Ethernet0")]


def found_at(file: str, port: str, system: str, names: tuple[str, str]) -> str:
    """Verdict on one row of leaf-1's LLDP table, with ``file`` as inventory."""
    found = run([file], upto="plan").plan
    assert found is not None
    head = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    text = live_outputs.table(head, [(port, system, names[0], "BR", names[1])], right=False)
    judgement = judged(found, read_outputs({"leaf-1.txt": f"{text}---\n", "leaf-1-x.txt": SEEN}, found))
    return next(
        f"{one.outcome} {one.found}".strip()
        for one in judgement.judged
        if (one.claim.kind, one.claim.subject) == ("lldp", port)
    )


SEEN = "Changed polling interval to 200ms\n"
"""Output that makes leaf-1 a covered switch even if nothing follows from its neighbours."""


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("gpu-001.dc1", "ok gpu-001.dc1"),
        ("GPU-001.DC1.example.com", "ok gpu-001.dc1"),
        ("gpu-001.dc3", "wrong gpu-001.dc3 ens1"),
        ("gpu-001.dc2", "wrong gpu-001.dc2 ens1"),
        ("gpu-001", "not seen"),
        ("gpu-005", "wrong gpu-005.dc1 ens1"),
    ],
)
def test_names_of_hosts_with_and_without_their_domain(tmp_path: Path, system: str, told: str) -> None:
    """Both gpu-001.dc1 and gpu-001.dc2 are hosts."""
    file = tmp_path / "site.yaml"
    text = SITE.read_text().replace("gpu-[001-016]", "gpu-[001-016].dc1").replace("gpu-007", "gpu-007.dc1")
    text = text.replace("gpu-[101-104]: {", "gpu-[001-004].dc2: {id: 101, ")
    file.write_text(text.replace("gpu-[101-104]", "gpu-[001-004].dc2"))
    assert found_at(str(file), "Ethernet0", system, ("b8:59:9f:00:00:07", "ens1")) == told


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("etp1", "Ethernet0"), "ok spine-1 Ethernet0"),
        (("etp1", "leaf-1 uplink 1"), "not seen"),
        (("Ethernet1/1", "to leaf-1:Ethernet80"), "not seen"),
        (("b8:59:9f:00:00:07", ""), "not seen"),
        (("etp2", "Ethernet4"), "wrong spine-1 Ethernet4"),
    ],
)
def test_a_port_of_a_switch_is_judged_by_its_name_only(names: tuple[str, str], told: str) -> None:
    assert found_at(str(SITE), "Ethernet80", "SPINE-1.example.com", names) == told


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.txt", live_outputs.table(("Interface", "Oper"), [("Ethernet0", "up")]), "keep the prompt"),
        ("leaf-1.txt", "hello\n", "no output that check-live reads"),
        (
            "nobody/sysfs.txt",
            live_outputs.host([live_outputs.card("0000:18:00.0", "1017", "e0", 100)]),
            "no host",
        ),
    ],
)
def test_what_is_not_read_is_said(name: str, text: str, why: str) -> None:
    found = live({name: text})
    assert found.judged == ()
    assert why in found.unread[0][1]


def test_broken_outputs_never_stop_it() -> None:
    """Truncated, joined or with foreign characters: a value may be lost or added, but never a traceback."""
    chance = random.Random(14)
    whole = outputs()["out/leaf-1.txt"]
    for _ in range(60):
        lines = whole.split("\n")
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(lines))
            cut = chance.randrange(len(lines[at]) + 1)
            junk = chance.choice(
                ["", "\t", "|", "----  ---", "\x1b[31m", "\u202e", "9" * 40, "Profile: x", "\x00"]
            )
            lines[at] = lines[at][:cut] + junk + lines[at][cut:][chance.choice([0, 3, 900]) :]
        found = live({"out/leaf-1.txt": "\n".join(lines)})
        assert all(line.isprintable() for line in live_lines(found, quiet=False))
        json.dumps(live_data(found))


@pytest.mark.parametrize(
    "text", ["{", '{"lldp": ', "[" * 5_000, "\x00", "check-rails: ", "+-+\n| VLAN ID |\n| |\n", "a: &a [*a]"]
)
def test_hostile_files_are_input_like_any_other(tmp_path: Path, text: str) -> None:
    (tmp_path / "leaf-1.json").write_text(text)
    status, _, err = netplan("check-live", str(SITE), str(tmp_path))
    assert status in (1, 2)
    assert "Traceback" not in err


def test_the_command(tmp_path: Path) -> None:
    for name, text in outputs().items():
        (tmp_path / Path(name).name).write_text(text)
    status, out, err = netplan("check-live", str(SITE), str(tmp_path))
    assert (status, err) == (0, "")
    assert "0     leaf leaf-1" in out
    assert "not seen: host gpu-[001-016], gpu-[101-104]" in out
    assert netplan("check-live", "--strict", "--ignore", "x", str(SITE), str(tmp_path))[0] == 2
    assert netplan("check-live", "--strict", str(SITE), str(tmp_path))[0] == 1
    bad = (tmp_path / "leaf-1.txt").read_text().replace("172.16.0.1/24", "172.16.0.9/24")
    (tmp_path / "leaf-1.txt").write_text(bad)
    status, out, _ = netplan("check-live", "--format", "json", str(SITE), str(tmp_path))
    data: Any = json.loads(out)["live"]
    assert status == 1
    assert [(w["hop"], w["rails"], w["expected"], w["found"]) for w in data["wrong"]] == [
        ("leaf-1", [0], "172.16.0.1/24", "172.16.0.9/24")
    ] * 2, "by show vlan brief and show ip interfaces"
    status, out, _ = netplan("check-live", "-q", str(SITE), str(tmp_path))
    assert status == 1
    assert out.count("\n") == 2


def test_errors_of_the_inventory_and_missing_files(tmp_path: Path) -> None:
    assert netplan("check-live", str(SITE), str(tmp_path / "none"))[0] == 2
    (tmp_path / "x.txt").write_text("hello\n")
    status, _, err = netplan("check-live", str(SITE), str(tmp_path / "x.txt"))
    assert status == 2
    assert "no line names the switch" in err
    broken = tmp_path / "site.yaml"
    broken.write_text(SITE.read_text().replace("spine_asn: 4200000001", "spine_asn: x"))
    status, out, _ = netplan("check-live", "--format", "json", str(broken), str(tmp_path))
    assert status == 1
    assert json.loads(out)["live"] is None
