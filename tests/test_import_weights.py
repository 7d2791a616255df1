"""``netplan import``: the share of a class where switches state weights, and its queue."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import_eos_classes import classes

EVEN = {"0": 50, "3": 50}


def switch(name: str, weights: dict[str, int], queue: str = "3") -> dict[str, Any]:
    """Class 3 is lossless; ``weights``: by queue."""
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": "ACS-MSN4700"}},
        "PORT": {"Ethernet0": {"lanes": "0", "speed": "100000", "mtu": "9216"}},
        "DSCP_TO_TC_MAP": {"A": {str(dscp): "3" if dscp == 26 else "0" for dscp in range(64)}},
        "TC_TO_QUEUE_MAP": {"A": {"0": "0", "3": queue}},
        "PORT_QOS_MAP": {
            "Ethernet0": {"dscp_to_tc_map": "A", "tc_to_queue_map": "A", "pfc_enable": "3"},
        },
        "SCHEDULER": {f"s{weight}": {"type": "DWRR", "weight": str(weight)} for weight in weights.values()},
        "QUEUE": {f"Ethernet0|{queue}": {"scheduler": f"s{weight}"} for queue, weight in weights.items()},
    }


def imported(*switches: dict[str, Any]) -> Imported:
    named = {f"{one['DEVICE_METADATA']['localhost']['hostname']}.json": one for one in switches}
    return import_texts({name: json.dumps(one, indent=1) for name, one in named.items()})


def test_the_share_is_that_of_each_switch() -> None:
    found = imported(switch("leaf-1", EVEN), switch("leaf-2", EVEN))
    assert classes(found)["roce"]["bandwidth_percent"] == 50
    assert "# weight 50 of 100, leaf-1.json:" in found.text


def test_a_switch_with_another_weight_beside_the_class_serves_it_otherwise() -> None:
    found = imported(switch("leaf-1", EVEN), switch("leaf-2", {"0": 10, "3": 50}))
    assert classes(found)["roce"]["bandwidth_percent"] == "TODO"
    assert any("sum of weights: 100 (leaf-1.json:" in str(each) for each in found.conflicts)


def test_weights_of_queues_without_packets_do_not_count() -> None:
    """As ``config qos reload`` of SONiC gives them to every queue (sonic-net/sonic-buildimage 0791705b
    files/build_templates/qos_config.j2)."""
    stock = dict.fromkeys("012", 14) | dict.fromkeys("34", 15) | dict.fromkeys("56", 14)
    found = imported(switch("leaf-1", stock), switch("leaf-2", {"0": 14, "3": 15}))
    assert classes(found)["roce"]["bandwidth_percent"] == 52
    assert "# weight 15 of 29, leaf-1.json:" in found.text
    assert not found.conflicts
    assert "weights of queues without packets '1 (14), 2 (14), 4 (15), 5 (14), 6 (14)'" in found.text


def test_a_strict_queue_has_no_weight_among_the_others() -> None:
    one = switch("leaf-1", {**EVEN, "6": 20})
    one["DSCP_TO_TC_MAP"]["A"]["48"] = "6"
    one["SCHEDULER"]["s20"]["type"] = "STRICT"
    assert classes(imported(one))["roce"]["bandwidth_percent"] == 50


@pytest.mark.parametrize(
    ("weights", "code_points", "why"),
    [
        ({"3": 15, "0": 14, "4": 15}, {"48": "5"}, "weight 15, queue 3 is also that of class 5"),
        ({"3": 15}, {}, "weight 15, queue 0 has no weight"),
        ({"3": 15, "0": 14}, {"26": "0"}, "weight 15, no code point leads to it"),
    ],
)
def test_a_share_that_no_weight_says_is_asked(
    weights: dict[str, int], code_points: dict[str, str], why: str
) -> None:
    one = switch("leaf-1", weights)
    one["DSCP_TO_TC_MAP"]["A"] |= code_points
    one["TC_TO_QUEUE_MAP"]["A"]["5"] = "3"
    found = imported(one)
    assert classes(found)["roce"]["bandwidth_percent"] == "TODO"
    assert why in found.text


def test_a_class_in_two_queues_is_asked() -> None:
    found = imported(switch("leaf-1", EVEN), switch("spine-1", {"0": 50, "5": 50}, queue="5"))
    assert classes(found)["roce"]["priority"] == "TODO"
    assert "sources disagree: 3 (leaf-1.json:" in found.text
