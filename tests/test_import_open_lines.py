"""``netplan import`` of running configurations with lines of PFC, ECN, scheduling and trust in forms that no
rule reads: the keys that they may decide are open."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, line_of, refused
from tests.test_import_eos_classes import classes, comment
from tests.test_import_lossless import EOS, JUNOS, NXOS, edited
from tests.test_import_other_classes import commands
from tests.test_import_text import running

PAUSE, RESUME = "    pause pfc-cos 3\n", "pause-threshold 300 resume-threshold 100"
CLASS = "set class-of-service forwarding-classes class netplan-3"
GROUP = "set groups A class-of-service forwarding-classes class netplan-3 no-loss"


def open_keys(result: Imported) -> dict[str, list[str]]:
    """Class -> its keys that are TODO."""
    return {
        name: [key for key, value in each.items() if value == "TODO"]
        for name, each in classes(result).items()
    }


@pytest.mark.parametrize(
    ("switch", "old", "new", "key"),
    [
        (NXOS, PAUSE, "    pause no-drop\n", "lossless"),
        (
            NXOS,
            PAUSE,
            f"    pause buffer-size 1000 {RESUME} pfc-cos 3\n",
            "lossless",
        ),
        (EOS, "priority-flow-control priority 3 no-drop", "priority-flow-control priority 3", "lossless"),
        (EOS, "      priority strict", "      priority strict shared", "scheduling"),
        (JUNOS, f"{CLASS} queue-num 3 no-loss pfc-priority 3", f"{CLASS} queue-num 3\n{GROUP}", "lossless"),
    ],
)
def test_a_line_in_another_form_leaves_its_key_open(switch: str, old: str, new: str, key: str) -> None:
    usual, result = edited(switch), edited(switch, (old, new))
    found = open_keys(result)
    assert [name for name, keys in found.items() if key in keys] != []
    assert key not in open_keys(usual).get("roce", []) + open_keys(usual).get("cnp", [])
    assert line_of(result.text, f"{key}: TODO") in refused(result.text)
    last = new.strip().splitlines()[-1]
    assert f"no value follows from {last} (leaf.txt:" in result.text or "PFC of Junos goes by" in result.text


def test_ecn_in_another_form_leaves_ecn_of_its_queue_open() -> None:
    """Nexus 9000 NX-OS 10.4 QoS guide: thresholds that the switch works out (burst-optimized)."""
    text = running(NXOS)
    line = next(each for each in text.splitlines() if each.endswith(" ecn"))
    result = edited(NXOS, (line, "    random-detect threshold burst-optimized ecn"))
    assert open_keys(result) == {"roce": ["ecn"], "cnp": []}
    assert "random-detect threshold burst-optimized ecn (leaf.txt:" in comment(result, "ecn: TODO")


def test_profiles_of_nvue_under_another_name() -> None:
    qos = "nv set qos"
    result = commands(
        f"{qos} mapping default-global trust l3",
        f"{qos} mapping default-global dscp 26 switch-priority 3",
        f"{qos} mapping default-global dscp 48 switch-priority 6",
        f"{qos} egress-queue-mapping default-global switch-priority 3 traffic-class 3",
        f"{qos} egress-queue-mapping default-global switch-priority 6 traffic-class 6",
        f"{qos} pfc roce switch-priority 3",
        f"{qos} congestion-control roce traffic-class 3 ecn enable",
        f"{qos} egress-scheduler roce traffic-class 6 mode strict",
    )
    assert open_keys(result) == {"roce": ["lossless", "ecn"], "cnp": ["scheduling"]}


def test_a_line_that_names_no_class_leaves_all_others_open() -> None:
    text = running(EOS)
    line = "interface Ethernet1/1\n   priority-flow-control strange\n"
    result = import_texts({"leaf.txt": text + line})
    assert open_keys(result) == {"roce": [], "cnp": ["lossless"]}


def test_without_any_class_the_section_names_the_line() -> None:
    text = "set version 23.4R1\nset system host-name leaf-1\nset interfaces et-0/0/0 mtu 9216\n"
    group = "set groups A class-of-service forwarding-classes class X queue-num 3 no-loss\n"
    result = import_texts({"leaf-1.txt": text + group})
    assert data(result)["fabric"]["qos"] == "TODO"
    assert "no-loss (leaf-1.txt:4)" in comment(result, "qos: TODO")


@pytest.mark.parametrize("switch", [NXOS, EOS, JUNOS])
def test_what_netplan_writes_leaves_nothing_open(switch: str) -> None:
    keys = {key for each in open_keys(edited(switch)).values() for key in each}
    assert keys & {"lossless", "scheduling"} == set()
