"""``check-live``: the machine that a file or folder is named after."""

from __future__ import annotations

import pytest

from netplan.live.names import named

KNOWN = ("leaf-1", "leaf-10", "leaf-4", "spine-1")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "leaf-1",
            "leaf-1.txt",
            "LEAF-1-bgp.txt",
            "leaf-1_2026-11-29.log",
            "leaf-1 (1).txt",
            "leaf-1/bgp.txt",
            *("leaf-1/ipv6.txt", "leaf-1/vlan100.txt", "leaf-1.core1.example.net.txt", "leaf-1/gpu0.txt"),
        ),
        *("20261129-leaf-1.txt", "2026-11-29_101500_leaf-1.log", "2026-11-29T10:15:00Z-leaf-1.log"),
        *("show_vlan_brief_leaf-1.txt", "show vlan brief leaf-1.txt", "show-interfaces-status-leaf-1.txt"),
        *("show_vlan_leaf-1.json", "nv_show_interface_leaf-1.json", "show_interfaces_json_leaf-1.json"),
        *("leaf-1(1).json", "leaf-1(12)-ports.json", "Copy of leaf-1.json", "Copy of leaf-1 (2).json"),
        *("lldp_leaf-1.json", "interfaces-leaf-1.json", "bgp_neighbors_leaf-1.json", "putty-leaf-1.log"),
        "sonic_dump_leaf-1_20261129_070000/dump/interface.status",
    ],
)
def test_a_name_that_says_whose_the_outputs_are(name: str) -> None:
    assert named(name, KNOWN) == "leaf-1"


@pytest.mark.parametrize(
    "name",
    [
        *("leaf-4-to-core-77.txt", "leaf-4_from_core.txt", "leaf-4 via jump-1.log", "leaf-4/to-core-77.txt"),
        *(
            "leaf-4-leaf-1.txt",
            "leaf-4-leaf-99.txt",
            "leaf-4/leaf-4-to-core-77.txt",
            "20261129-leaf-4-spine-9.txt",
        ),
        *("leaf-4/core-77.txt", "leaf-4_spine9.txt", "leaf-4/tor12/bgp.txt", "leaf-4 sw1.log"),
        *("neighbor_leaf-4.json", "neighbors-leaf-4.json", "diff_leaf-4.txt", "compare leaf-4.txt"),
        *("leaf-4(core-77).json", "leaf-4(1)core.json", "leaf-4(a).json", "copy of core-77 of leaf-4.json"),
        *(
            "Copy of leaf-4 to core-77.json",
            "leaf-4(1)-leaf-1.json",
            "putty-jump-leaf-4.log",
            "leaf-4(1234).json",
        ),
        *("core-77-leaf-4.txt", "to-leaf-4.txt", "xleaf-4.txt", "leaf-44.txt", "show_me_leaf-4.txt"),
    ],
)
def test_a_name_that_may_be_about_another_machine(name: str) -> None:
    assert named(name, KNOWN) == ""
