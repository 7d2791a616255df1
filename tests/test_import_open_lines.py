"""``netplan import`` of running configurations with lines of PFC, ECN, scheduling and trust in forms that no
rule reads: the keys that they may decide are open."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, line_of, refused
from tests.test_import_eos_classes import classes, comment
from tests.test_import_lossless import EOS, JUNOS, NXOS, edited
from tests.test_import_other_classes import commands, nvue
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


def tree(**qos: object) -> Imported:
    """The same as a tree of NVUE, with a port that has the profile."""
    own = {
        "mapping": {
            "default-global": {
                "trust": "l3",
                "dscp": {"26": {"switch-priority": 3}, "48": {"switch-priority": 6}},
            }
        },
        "pfc": {"default-global": {"switch-priority": {"3": {}}}},
        "egress-scheduler": {"default-global": {"traffic-class": {"6": {"mode": "strict"}}}},
    }
    return nvue({**own, **qos})


def test_a_switch_priority_of_nvue_has_the_traffic_class_of_its_number() -> None:
    """CumulusNetworks/docs 05e49539, Quality of Service: the map as shipped, which no configuration shows."""
    found = classes(tree())
    assert found["roce"] | {"bandwidth_percent": 0} == {
        "dscp": 26,
        "priority": 3,
        "lossless": True,
        "bandwidth_percent": 0,
    }
    assert found["cnp"] == {"dscp": 48, "priority": 6, "scheduling": "strict"}


def test_thresholds_of_nvue_without_ecn_enable() -> None:
    marks = {"default-global": {"traffic-class": {"3": {"min-threshold": 150000, "max-threshold": 1500000}}}}
    result = tree(**{"congestion-control": marks})
    assert open_keys(result)["roce"] == ["ecn"]
    off = {"default-global": {"traffic-class": {"3": {"ecn": "disable", "min-threshold": 150000}}}}
    assert open_keys(tree(**{"congestion-control": off}))["roce"] == []


def test_a_profile_of_a_tree_has_its_line() -> None:
    result = tree(pfc={"roce": {"switch-priority": {"3": {}}}})
    assert open_keys(result)["roce"] == ["lossless"]
    lines = next(iter(result.texts.values())).splitlines()
    at = int(comment(result, "lossless: TODO").rpartition(":")[2].rstrip(")"))
    assert lines[at - 1].strip() == "'3': {}"
    assert lines[at - 3].strip() == "roce:"


def test_a_map_of_dscp_under_another_name_leaves_the_dscp_open() -> None:
    result = tree(mapping={"roce": {"dscp": {"26": {"switch-priority": 3}}}})
    assert {name: keys for name, keys in open_keys(result).items() if "dscp" in keys} != {}
    assert "nv set qos mapping roce dscp 26 switch-priority 3 (leaf-1.txt:" in result.text
