"""Edge cases, one fact per case: names of rows in a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_config_db import said_of
from tests.unit.test_edges_config_db_rows import LAG, version
from tests.unit.test_edges_config_db_values import bound, put


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP874", {}, []),
        (
            "NP874",
            bound("GONE"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: dscp_to_tc_map of PORT_QOS_MAP Ethernet0, "
                    "Ethernet4, Ethernet8 and 4 more is GONE, but DSCP_TO_TC_MAP has no such row"
                )
            ],
        ),
        (
            "NP874",
            bound("GONE", "Ethernet0"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: dscp_to_tc_map of PORT_QOS_MAP Ethernet0 is "
                    "GONE, but DSCP_TO_TC_MAP has no such row"
                )
            ],
        ),
        (
            "NP874",
            bound("[DSCP_TO_TC_MAP|AZURE]"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: dscp_to_tc_map of PORT_QOS_MAP Ethernet0 is "
                    "[DSCP_TO_TC_MAP|AZURE], in the bracketed form of images before 202111, and 6 more "
                    "references are"
                )
            ],
        ),
        (
            "NP874",
            bound("[DSCP_TO_TC_MAP|AZURE]", "Ethernet0", "Ethernet4"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: dscp_to_tc_map of PORT_QOS_MAP Ethernet0 is "
                    "[DSCP_TO_TC_MAP|AZURE], in the bracketed form of images before 202111, and 1 more "
                    "reference is"
                )
            ],
        ),
        ("NP874", bound("[DSCP_TO_TC_MAP|AZURE]", "Ethernet0") | version("version_3_0_2"), []),
        (
            "NP874",
            bound("[DSCP_TO_TC_MAP|AZURE]", "Ethernet0") | version("version_3_0_3"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: dscp_to_tc_map of PORT_QOS_MAP Ethernet0 is "
                    "[DSCP_TO_TC_MAP|AZURE], in the bracketed form of images before 202111"
                )
            ],
        ),
        (
            "NP874",
            bound("[DSCP_TO_TC_MAP|AZURE]", "Ethernet0") | version(None),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: dscp_to_tc_map of PORT_QOS_MAP Ethernet0 is "
                    "[DSCP_TO_TC_MAP|AZURE], in the bracketed form of images before 202111"
                )
            ],
        ),
        ("NP874", put("BUFFER_PG", "Ethernet0|3-4", profile="NULL"), []),
        (
            "NP874",
            put("BUFFER_QUEUE", "Ethernet0|3-4", profile="NULL"),
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3-4.profile: profile of BUFFER_QUEUE Ethernet0|3-4 is NULL, "
                    "but BUFFER_PROFILE has no such row"
                )
            ],
        ),
        (
            "NP874",
            put(
                "BUFFER_PORT_INGRESS_PROFILE_LIST",
                "Ethernet0",
                profile_list="ingress_lossless_profile, gone,gone2",
            ),
            [
                (
                    "BUFFER_PORT_INGRESS_PROFILE_LIST.Ethernet0.profile_list: profile_list of "
                    "BUFFER_PORT_INGRESS_PROFILE_LIST Ethernet0 is gone, but BUFFER_PROFILE has no such "
                    "row"
                ),
                (
                    "BUFFER_PORT_INGRESS_PROFILE_LIST.Ethernet0.profile_list: profile_list of "
                    "BUFFER_PORT_INGRESS_PROFILE_LIST Ethernet0 is gone2, but BUFFER_PROFILE has no such "
                    "row"
                ),
            ],
        ),
        (
            "NP874",
            put("QUEUE", "Ethernet99|3", scheduler="scheduler.0"),
            ["QUEUE.Ethernet99|3: key Ethernet99|3 of QUEUE names Ethernet99, but PORT has no such row"],
        ),
        (
            "NP874",
            {
                "QUEUE": {
                    "Ethernet99|3": {"scheduler": "scheduler.0"},
                    "Ethernet99|4": {"scheduler": "scheduler.0"},
                }
            },
            [
                (
                    "QUEUE.Ethernet99|3: 2 keys, the first Ethernet99|3, of QUEUE name Ethernet99, but "
                    "PORT has no such row"
                )
            ],
        ),
        ("NP874", put("QUEUE", "CPU|3", scheduler="scheduler.0"), []),
        ("NP874", put("QUEUE", "leaf-9|Asic0|Ethernet99|3", scheduler="scheduler.0"), []),
        ("NP874", put("PORT_QOS_MAP", "global", dscp_to_tc_map="AZURE"), []),
        (
            "NP874",
            put("VLAN_MEMBER", "Vlan200|Ethernet0", tagging_mode="tagged"),
            [
                (
                    "VLAN_MEMBER.Vlan200|Ethernet0: key Vlan200|Ethernet0 of VLAN_MEMBER names Vlan200, "
                    "but VLAN has no such row"
                )
            ],
        ),
        (
            "NP874",
            put("VLAN_MEMBER", "Vlan100|PortChannel9", tagging_mode="tagged"),
            [
                (
                    "VLAN_MEMBER.Vlan100|PortChannel9: key Vlan100|PortChannel9 of VLAN_MEMBER names "
                    "PortChannel9, but PORT or PORTCHANNEL has no such row"
                )
            ],
        ),
        ("NP874", put("VLAN_MEMBER", "Vlan100|PortChannel1", tagging_mode="tagged") | LAG, []),
        (
            "NP874",
            put("BUFFER_PG", "Ethernet0,Ethernet4|5", profile="ingress_lossy_profile"),
            [
                (
                    "BUFFER_PG.Ethernet0,Ethernet4|5: key Ethernet0,Ethernet4|5 of BUFFER_PG names "
                    "several ports, the form of old images"
                )
            ],
        ),
        (
            "NP874",
            put("BUFFER_PG", "Ethernet0,Ethernet4|5", profile="ingress_lossy_profile")
            | version("version_3_0_2"),
            [],
        ),
        (
            "NP874",
            put("BUFFER_PG", "Ethernet0,Ethernet99|5", profile="ingress_lossy_profile")
            | version("version_3_0_2"),
            [
                (
                    "BUFFER_PG.Ethernet0,Ethernet99|5: key Ethernet0,Ethernet99|5 of BUFFER_PG names "
                    "several ports, the form of old images"
                )
            ],
        ),
        (
            "NP874",
            {"CABLE_LENGTH": {"AZURE": {"Ethernet99": "5m"}}},
            [
                (
                    "CABLE_LENGTH.AZURE.Ethernet99: CABLE_LENGTH AZURE has a length for Ethernet99, but "
                    "PORT has no such row"
                )
            ],
        ),
        (
            "NP874",
            {"SCHEDULER": None},
            [
                (
                    "QUEUE.Ethernet0|0.scheduler: scheduler of QUEUE Ethernet0|0, Ethernet0|1, "
                    "Ethernet0|2 and 25 more is scheduler.0, but SCHEDULER has no such row"
                ),
                (
                    "QUEUE.Ethernet0|3.scheduler: scheduler of QUEUE Ethernet0|3, Ethernet0|4, "
                    "Ethernet4|3 and 11 more is scheduler.1, but SCHEDULER has no such row"
                ),
                (
                    "QUEUE.Ethernet0|6.scheduler: scheduler of QUEUE Ethernet0|6, Ethernet4|6, "
                    "Ethernet8|6 and 4 more is scheduler.2, but SCHEDULER has no such row"
                ),
            ],
        ),
    ],
)
def test_what_a_row_names_is_there(code: str, change: dict[str, Any], said: list[str]) -> None:
    """A part of a config_db does not tell what else the switch has."""
    assert said_of(code, change) == said
