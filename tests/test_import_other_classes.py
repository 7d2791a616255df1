"""``netplan import`` of classes as sites write them on NVUE (CumulusNetworks/docs 05e49539,
RDMA-over-Converged-Ethernet-RoCE.md) and NX-OS (Nexus 9000 QoS guide 10.5)."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.test_import import data
from tests.test_import_eos_classes import classes, comment, told
from tests.test_import_text import HEADS, running

ROCE = {"mode": "lossless", "state": "enabled"}


def nvue(qos: dict[str, Any], form: str = "yaml") -> Imported:
    parts = [
        {"header": {"model": "MSN4700", "nvue-api-version": "nvue_v1"}},
        {
            "set": {
                "interface": {"swp1": {"link": {"mtu": 9216}}},
                "qos": qos,
                "system": {"hostname": "leaf-1"},
            }
        },
    ]
    text = yaml.safe_dump(parts, sort_keys=False) if form == "yaml" else json.dumps(parts, indent=2)
    return import_texts({"leaf-1.txt": text})


def commands(*lines: str) -> Imported:
    head = "nv set system hostname leaf-1\nnv set interface swp1 link mtu 9216\n"
    return import_texts({"leaf-1.txt": head + "\n".join(lines) + "\n"})


@pytest.mark.parametrize(
    "result",
    [
        nvue({"roce": ROCE}),
        nvue({"roce": {"enable": "on"}}),
        nvue({"roce": ROCE}, "json"),
        commands("nv set qos roce"),
        commands("nv set qos roce enable on", "nv set qos roce mode lossless"),
    ],
)
def test_the_roce_profile_of_nvue(result: Imported) -> None:
    ecn = {"kmin_bytes": 150000, "kmax_bytes": 1500000, "probability_percent": 100}
    roce = {"dscp": "TODO", "priority": 3, "lossless": True, "bandwidth_percent": 50, "ecn": ecn}
    assert classes(result) == {"roce": roce, "tc6": {"dscp": "TODO", "priority": 6, "scheduling": "strict"}}
    assert "24, 25, 26, 27, 28, 29, 30, 31 (leaf-1.txt:" in result.text


@pytest.mark.parametrize("roce", [{"state": "disabled"}, {"enable": "off"}])
def test_a_profile_that_is_off(roce: dict[str, str]) -> None:
    assert data(nvue({"roce": roce}))["fabric"]["qos"] == "TODO"


@pytest.mark.parametrize("mode", ["lossy", "lossless-single-ipool"])
def test_a_mode_that_is_not_taken_is_told(mode: str) -> None:
    result = nvue({"roce": {"mode": mode, "state": "enabled"}})
    assert data(result)["fabric"]["qos"] == "TODO"
    (line,) = told(result, "qos roce mode")
    assert (
        line
        == f"leaf-1.txt:10: qos roce mode {mode}: the classes of this mode are not taken; state fabric.qos"
    )


QUEUE = "egress-scheduler default-global traffic-class"
MARKS = "congestion-control default-global traffic-class"
POINTS = "mapping default-global dscp"
PROFILE_ECN = {"kmin_bytes": 150000, "kmax_bytes": 1500000, "probability_percent": 100}


def text_of(name: str, *lines: str) -> str:
    head = (
        f"nv set system hostname {name}",
        "nv set interface swp1 link mtu 9216",
        "nv set qos roce mode lossless",
    )
    return "\n".join((*head, *(f"nv set qos {line}" for line in lines), ""))


def roce(*lines: str) -> Imported:
    """The profile, and lines of qos beside it."""
    return import_texts({"leaf-1.txt": text_of("leaf-1", *lines)})


def pair(*lines: str) -> Imported:
    """A leaf with such lines and a spine with the profile alone."""
    return import_texts({"leaf-1.txt": text_of("leaf-1", *lines), "spine-1.txt": text_of("spine-1")})


def test_a_scheduler_beside_the_roce_profile() -> None:
    own = (
        f"{QUEUE} 0 mode dwrr",
        f"{QUEUE} 0 bw-percent 10",
        f"{QUEUE} 3 bw-percent 90",
        f"{QUEUE} 6 mode strict",
    )
    result = roce(*own)
    assert classes(result)["roce"]["bandwidth_percent"] == 90
    assert classes(result)["roce"]["ecn"] == PROFILE_ECN
    assert classes(result)["tc6"]["scheduling"] == "strict"
    assert comment(result, "bandwidth_percent: 90").strip() == "weight 90 of 100, leaf-1.txt:6"
    assert comment(result, "ecn: {").strip() == "leaf-1.txt:3"
    assert classes(
        roce(f"{QUEUE} 0,3,6 mode dwrr", f"{QUEUE} 0,6 bw-percent 20", f"{QUEUE} 3 bw-percent 60")
    )["tc6"] == {
        "dscp": "TODO",
        "priority": 6,
        "bandwidth_percent": 20,
    }


def test_weights_that_cannot_hold_beside_those_of_the_profile() -> None:
    result = roce(f"{QUEUE} 3 bw-percent 80")
    assert classes(result)["roce"]["bandwidth_percent"] == "TODO"
    assert "add up to 130 of 100 (leaf-1.txt:4)" in comment(result, "bandwidth_percent: TODO")


@pytest.mark.parametrize(
    ("lines", "ecn"),
    [
        (("3 min-threshold 1000", "3 max-threshold 2000", "3 probability 10"), (1000, 2000, 10)),
        (("3 ecn enable", "0,3 min-threshold 1000", "0,3 max-threshold 2000"), (1000, 2000, 100)),
        (("3 min-threshold 1000",), (1000, 1500000, 100)),
        (("0 ecn enable", "0 min-threshold 1000", "0 max-threshold 2000"), (150000, 1500000, 100)),
    ],
)
def test_thresholds_beside_the_roce_profile(lines: tuple[str, ...], ecn: tuple[int, ...]) -> None:
    result = roce(*(f"{MARKS} {line}" for line in lines))
    assert classes(result)["roce"]["ecn"] == dict(zip(PROFILE_ECN, ecn, strict=True))
    assert classes(result)["roce"]["lossless"] is True
    assert classes(result)["roce"]["bandwidth_percent"] == 50


def test_ecn_of_best_effort_is_told() -> None:
    marks = ("ecn enable", "min-threshold 1000", "max-threshold 2000")
    assert told(roce(*(f"{MARKS} 0 {each}" for each in marks)), "ECN of queue 0, 1,000 to 2,000 bytes")
    assert not told(roce(), "ECN of queue")


def test_ecn_that_a_line_switches_off() -> None:
    assert "ecn" not in classes(roce(f"{MARKS} 3 ecn disable"))["roce"]
    asked = comment(pair(f"{MARKS} 3 ecn disable"), "ecn: TODO")
    assert "spine-1 (spine-1.txt:3) has ECN of class 3, leaf-1 (leaf-1.txt:1) not" in asked


def test_code_points_beside_the_roce_profile() -> None:
    result = roce(f"{POINTS} 26 switch-priority 3", f"{POINTS} 48 switch-priority 6")
    assert classes(result)["roce"]["dscp"] == 26
    assert classes(result)["cnp"] == {"dscp": 48, "priority": 6, "scheduling": "strict"}
    assert told(result, "DSCP 24, 25, 27, 28, 29, 30, 31, in class 3")
    assert classes(roce(f"{POINTS} 26 switch-priority 3"))["tc6"]["dscp"] == "TODO"


def test_code_points_that_change_the_map_of_the_roce_profile() -> None:
    asked = "dscp: TODO # TODO: the one DSCP of class 3; 24, 25,"
    assert f"{asked} 26, 27, 28, 29, 30, 31, 40 (leaf-1.txt:4)" in roce(f"{POINTS} 40 switch-priority 3").text
    assert f"{asked} 27, 28, 29, 30, 31 (leaf-1.txt:3)" in roce(f"{POINTS} 26 switch-priority 5").text


def test_pfc_of_a_priority_that_the_profile_has_in_queue_0() -> None:
    result = roce("pfc default-global switch-priority 3,4")
    assert {name for name, each in classes(result).items() if each.get("lossless")} == {"roce"}
    assert classes(result).keys() == {"roce", "tc6"}
    assert told(result, "PFC priority 4 in queue 0, beside priorities without PFC")


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_own_settings_in_a_tree_beside_the_roce_profile(form: str) -> None:
    weights = {"0": {"bw-percent": 10}, "3": {"mode": "dwrr", "bw-percent": 90}}
    qos = {
        "roce": ROCE,
        "egress-scheduler": {"default-global": {"traffic-class": weights}},
        "mapping": {"default-global": {"dscp": {"26": {"switch-priority": 3}}}},
        "congestion-control": {"default-global": {"traffic-class": {"3": {"min-threshold": 5000}}}},
    }
    assert classes(nvue(qos, form))["roce"] == {
        "dscp": 26,
        "priority": 3,
        "lossless": True,
        "bandwidth_percent": 90,
        "ecn": PROFILE_ECN | {"kmin_bytes": 5000},
    }


def test_switches_of_which_some_have_lines_beside_the_roce_profile() -> None:
    weighted = pair(f"{QUEUE} 0 bw-percent 10", f"{QUEUE} 3 bw-percent 90")
    assert comment(weighted, "bandwidth_percent: TODO").endswith("90 (leaf-1.txt:5) or 50 (spine-1.txt:3)")
    assert {"traffic class 3, weight"} <= {str(each).partition(":")[0] for each in weighted.conflicts}
    served = pair(f"{QUEUE} 0,6 mode dwrr", f"{QUEUE} 0,6 bw-percent 25")
    assert "spine-1 (spine-1.txt:3) has a strict queue of class 6" in comment(served, "scheduling: TODO")
    assert classes(pair(f"{MARKS} 3 min-threshold 1000"))["roce"]["ecn"] == "TODO"
    assert classes(pair(f"{POINTS} 26 switch-priority 3"))["roce"]["dscp"] == 26
    assert classes(pair(f"{POINTS} 40 switch-priority 3"))["roce"]["dscp"] == "TODO"


def nxos(*edits: tuple[str, str]) -> Imported:
    text = running("leaf-5")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return import_texts({"leaf-5.txt": text})


def test_a_class_map_of_one_match() -> None:
    assert HEADS["leaf-5"] in running("leaf-5")
    wanted = classes(nxos())
    assert {each["dscp"] for each in wanted.values()} != {"TODO"}
    assert classes(nxos(("type qos match-any ", "type qos match-all "))) == wanted
    assert classes(nxos(("type qos match-any ", "type qos "))) == wanted


def test_a_class_map_of_several_matches_is_told() -> None:
    result = nxos(
        ("type qos match-any ", "type qos match-all "), ("  match dscp ", "  match cos 3\n  match dscp ")
    )
    assert told(result, "a class of several matches that all have to fit is not taken")


def test_thresholds_of_nxos_in_other_units() -> None:
    own = nxos()
    (ecn,) = (each["ecn"] for each in classes(own).values() if "ecn" in each)
    low, high = ecn["kmin_bytes"], ecn["kmax_bytes"]
    stated = f"minimum-threshold {low} bytes maximum-threshold {high} bytes"
    assert low % 1000 == high % 1000 == 0
    kilo = f"minimum-threshold {low // 1000} kbytes maximum-threshold {high // 1000} kbytes"
    assert classes(nxos((stated, kilo))) == classes(own)
    assert "kbytes taken as 1,000 bytes each, not confirmed" in comment(nxos((stated, kilo)), "ecn: {")
    packets = nxos((stated, stated.replace("bytes", "packets")))
    assert f"{low} to {high} packets (leaf-5.txt:" in comment(packets, "ecn: TODO")


def test_a_strict_queue_below_a_weighted_one_is_told() -> None:
    lines = (
        "policy-map type queuing q",
        "  class type queuing c-out-8q-q6",
        "    priority level 1",
        "system qos",
    )
    result = import_texts({"leaf-5.txt": HEADS["leaf-5"] + "\n".join((*lines, "interface Ethernet1/1", ""))})
    (line,) = told(result, "queue 6 'priority level 1'")
    assert line.endswith("takes strict queues from queue 7 downwards, so its class is asked for scheduling")
    assert not told(nxos(), "priority level")


def test_the_class_of_a_strict_queue_below_a_weighted_one_is_asked() -> None:
    result = nxos(("  class type queuing c-out-8q-q7\n    priority level 1\n", ""))
    assert classes(result)["cnp"]["scheduling"] == "TODO"
    assert "priority level 2 (leaf-5.txt:" in comment(result, "scheduling: TODO")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (f"{HEADS['leaf-5']}interface Ethernet1/1\n  mtu 9216\n", "show version"),
        ("nv set system hostname leaf-1\nnv set interface swp1 link mtu 9216\n", "nv show platform"),
    ],
)
def test_the_command_that_prints_the_model(text: str, command: str) -> None:
    assert comment(import_texts({"leaf.txt": text}), "model: TODO").endswith(f"; {command}")
