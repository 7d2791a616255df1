"""``netplan import``: PFC, ECN, strict queues, shares and a watchdog that only some switches run."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import_eos_classes import classes
from tests.test_import_weights import EVEN, imported, switch

Tables = dict[str, Any]


def without(tables: Tables, *names: str) -> Tables:
    return {name: rows for name, rows in tables.items() if name not in names}


def told(result: Imported) -> list[str]:
    return [str(each) for each in result.conflicts if " not" in str(each)]


def marking(name: str) -> Tables:
    """A switch that marks in the queue of class 3, and serves class 6 first."""
    found = switch(name, EVEN)
    limits = {"green_min_threshold": "150000", "green_max_threshold": "1500000"}
    found["WRED_PROFILE"] = {"W": {"ecn": "ecn_all", **limits, "green_drop_probability": "10"}}
    found["QUEUE"]["Ethernet0|3"]["wred_profile"] = "W"
    found["DSCP_TO_TC_MAP"]["A"]["48"] = "6"
    found["SCHEDULER"]["first"] = {"type": "STRICT"}
    found["QUEUE"]["Ethernet0|6"] = {"scheduler": "first"}
    return found


@pytest.mark.parametrize(
    ("name", "key", "what"),
    [
        ("pfc", "lossless", "PFC of class 3"),
        ("ecn", "ecn", "ECN of class 3"),
        ("strict", "scheduling", "a strict queue of class 6"),
    ],
)
def test_what_only_one_switch_runs_is_asked_with_both(name: str, key: str, what: str) -> None:
    other = marking("spine-1")
    if name == "pfc":
        del other["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"]
    elif name == "ecn":
        del other["QUEUE"]["Ethernet0|3"]["wred_profile"]
    else:
        del other["QUEUE"]["Ethernet0|6"]
    result = imported(marking("leaf-1"), marking("leaf-2"), other)
    (line,) = told(result)
    assert line.startswith("leaf-[1-2] (leaf-1.json:")
    assert f" have {what}, spine-1 (spine-1.json:" in line
    assert classes(result)["cnp" if name == "strict" else "roce"][key] == "TODO"
    assert line in result.text


def test_switches_that_run_the_same_are_asked_nothing() -> None:
    result = imported(marking("leaf-1"), marking("spine-1"))
    assert (told(result), result.conflicts) == ([], ())
    found = classes(result)
    assert found["roce"] == found["roce"] | {"lossless": True, "bandwidth_percent": 50}
    assert (found["roce"]["ecn"]["kmin_bytes"], found["cnp"]["scheduling"]) == (150000, "strict")


def test_a_switch_without_classes_is_one_line() -> None:
    bare = without(marking("spine-1"), "PORT_QOS_MAP", "QUEUE", "SCHEDULER", "WRED_PROFILE", "DSCP_TO_TC_MAP")
    watched = {"Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "200"}}
    result = imported({**marking("leaf-1"), "PFC_WD": watched}, bare)
    (line,) = told(result)
    assert "PFC of class 3" in line
    assert "ECN of class 3" in line
    assert "a PFC watchdog" in line
    assert "  pfc_watchdog: TODO" in result.text


def test_switches_without_a_configuration_are_not_counted() -> None:
    """They run what no dump shows."""
    result = imported(
        {**marking("leaf-1"), "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "spine-1", "port": "p"}}}
    )
    assert told(result) == []


EOS = """! Command: show running-config
! device: {name} (DCS-7060CX-32S, EOS-4.33.1F)
hostname {name}
qos map dscp 26 to traffic-class 3
qos profile roce
   qos trust dscp
   priority-flow-control on
{pfc}
interface Ethernet1/1
   service-profile roce
"""


def test_running_configurations() -> None:
    pfc = "   priority-flow-control priority 3 no-drop"
    texts = {f"{name}.cfg": EOS.format(name=name, pfc=own) for name, own in (("leaf-1", pfc), ("leaf-2", ""))}
    (line,) = told(import_texts(texts, "site"))
    assert line.startswith("leaf-1 (leaf-1.cfg:10) has PFC of class 3, leaf-2 (leaf-2.cfg:1) not")
