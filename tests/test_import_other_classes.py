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


SCHEDULER = "nv set qos egress-scheduler default-global traffic-class"
THRESHOLDS = "nv set qos congestion-control default-global traffic-class"
ECN = {"kmin_bytes": 150000, "kmax_bytes": 1500000, "probability_percent": 100}


def beside_roce(*own: str) -> Imported:
    return commands("nv set qos roce mode lossless", *own)


def test_own_thresholds_beside_the_profile() -> None:
    lines = ("ecn enable", "min-threshold 1000", "max-threshold 2000", "probability 10")
    result = beside_roce(*(f"{THRESHOLDS} 3 {each}" for each in lines))
    ecn = {"kmin_bytes": 1000, "kmax_bytes": 2000, "probability_percent": 10}
    assert classes(result)["roce"]["ecn"] == ecn
    assert classes(result)["roce"]["lossless"] is True
    assert "leaf-1.txt:4" in comment(result, "ecn: {")


def test_an_own_scheduler_beside_the_profile() -> None:
    shares = {"0": 10, "3": 90}
    modes = [f"{SCHEDULER} {number} mode dwrr" for number in shares]
    weights = [f"{SCHEDULER} {number} bw-percent {share}" for number, share in shares.items()]
    strict = f"{SCHEDULER} 6 mode strict"
    for own in ([*modes, *weights, strict], [*weights, strict]):  # the profile has the modes too
        found = classes(beside_roce(*own))
        assert found["roce"]["bandwidth_percent"] == 90
        assert found["tc6"]["scheduling"] == "strict"
        assert found["roce"]["ecn"] == ECN


def test_an_own_map_of_dscp_beside_the_profile() -> None:
    dscp = "nv set qos mapping default-global dscp"
    found = classes(beside_roce(f"{dscp} 26 switch-priority 3", f"{dscp} 48 switch-priority 6"))
    assert found["roce"] == {
        "dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 50, "ecn": ECN
    }  # fmt: skip
    assert found["cnp"] == {"dscp": 48, "priority": 6, "scheduling": "strict"}


@pytest.mark.parametrize(
    ("own", "name", "key"),
    [
        ("nv set qos mapping default-global dscp 26 switch-priority 3", "tc6", "dscp"),
        ("nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3", "tc6", "dscp"),
        (f"{SCHEDULER} 3 bw-percent 90", "tc6", "scheduling"),
        (f"{SCHEDULER} 3 bw-percent 90", "roce", "bandwidth_percent"),
        (f"{THRESHOLDS} 0 ecn enable", "roce", "ecn"),
    ],
)
def test_what_own_lines_leave_open_of_the_profile_is_asked(own: str, name: str, key: str) -> None:
    assert classes(beside_roce(own))[name][key] == "TODO"


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
