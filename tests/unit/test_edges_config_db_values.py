"""Edge cases, one fact per case: values in a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_config_db import PORTS, azure, every, said_of
from tests.unit.test_edges_config_db_rows import local, port, version

HOSTS = PORTS[:5]


def put(table: str, key: str, **fields: str | None) -> dict[str, Any]:
    return {table: {key: fields}}


def hashed(*fields: str) -> dict[str, Any]:
    return {"SWITCH_HASH": {"GLOBAL": {"ecmp_hash": [*fields]}}}


def bound(name: str, *ports: str) -> dict[str, Any]:
    return {"PORT_QOS_MAP": every(*(ports or PORTS), dscp_to_tc_map=name)}


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP876", {}, []),
        (
            "NP876",
            port(mtu="67"),
            [
                (
                    "PORT.Ethernet0.mtu: mtu of PORT Ethernet0 is 67, but the model takes a number from "
                    "68 to 9216"
                )
            ],
        ),
        ("NP876", port(mtu="68"), []),
        (
            "NP876",
            port(mtu="9217"),
            [
                (
                    "PORT.Ethernet0.mtu: mtu of PORT Ethernet0 is 9217, but the model takes a number "
                    "from 68 to 9216"
                )
            ],
        ),
        (
            "NP876",
            port(mtu="-68"),
            [
                (
                    "PORT.Ethernet0.mtu: mtu of PORT Ethernet0 is -68, but the model takes a number from "
                    "68 to 9216"
                )
            ],
        ),
        (
            "NP876",
            port(speed="0"),
            [
                (
                    "PORT.Ethernet0.speed: speed of PORT Ethernet0 is 0, but the model takes a number "
                    "from 1 to 1600000"
                )
            ],
        ),
        (
            "NP876",
            port(speed="1600001"),
            [
                (
                    "PORT.Ethernet0.speed: speed of PORT Ethernet0 is 1600001, but the model takes a "
                    "number from 1 to 1600000"
                )
            ],
        ),
        (
            "NP876",
            port(subport="9"),
            [
                (
                    "PORT.Ethernet0.subport: subport of PORT Ethernet0 is 9, but the model takes a "
                    "number from 0 to 8"
                )
            ],
        ),
        ("NP876", port(subport="8", autoneg="on", fec="fc", pfc_asym="off"), []),
        (
            "NP876",
            port(autoneg="1"),
            [("PORT.Ethernet0.autoneg: autoneg of PORT Ethernet0 is 1, but the model takes one of on, off")],
        ),
        ("NP876", port(autoneg="1") | version("version_3_0_0"), []),
        (
            "NP876",
            port(autoneg="1") | version("version_3_0_1"),
            [("PORT.Ethernet0.autoneg: autoneg of PORT Ethernet0 is 1, but the model takes one of on, off")],
        ),
        ("NP876", port(autoneg="1") | version(None), []),
        (
            "NP876",
            port(autoneg="2") | version(None),
            [("PORT.Ethernet0.autoneg: autoneg of PORT Ethernet0 is 2, but the model takes one of on, off")],
        ),
        (
            "NP876",
            port(fec=""),
            [
                (
                    "PORT.Ethernet0.fec: fec of PORT Ethernet0 is empty, but the model takes one of rs, "
                    "fc, none, auto"
                )
            ],
        ),
        ("NP876", port(fec="None"), []),
        ("NP876", put("BUFFER_PROFILE", "q_lossy_profile", dynamic_th="-8"), []),
        (
            "NP876",
            put("BUFFER_PROFILE", "q_lossy_profile", dynamic_th="-9"),
            [
                (
                    "BUFFER_PROFILE.q_lossy_profile.dynamic_th: dynamic_th of BUFFER_PROFILE "
                    "q_lossy_profile is -9, but the model takes a number from -8 to 7"
                )
            ],
        ),
        (
            "NP876",
            put("BUFFER_PROFILE", "q_lossy_profile", dynamic_th="8"),
            [
                (
                    "BUFFER_PROFILE.q_lossy_profile.dynamic_th: dynamic_th of BUFFER_PROFILE "
                    "q_lossy_profile is 8, but the model takes a number from -8 to 7"
                )
            ],
        ),
        ("NP876", put("BUFFER_PROFILE", "q_lossy_profile", size="18446744073709551615"), []),
        (
            "NP876",
            put("BUFFER_PROFILE", "q_lossy_profile", size="18446744073709551616"),
            [
                (
                    "BUFFER_PROFILE.q_lossy_profile.size: size of BUFFER_PROFILE q_lossy_profile is "
                    "18446744073709551616, but the model takes a number of bytes"
                )
            ],
        ),
        (
            "NP876",
            put("SCHEDULER", "scheduler.0", weight="0"),
            [
                (
                    "SCHEDULER.scheduler.0.weight: weight of SCHEDULER scheduler.0 is 0, but the model "
                    "takes a number from 1 to 100"
                )
            ],
        ),
        (
            "NP876",
            put("SCHEDULER", "scheduler.0", weight="101"),
            [
                (
                    "SCHEDULER.scheduler.0.weight: weight of SCHEDULER scheduler.0 is 101, but the model "
                    "takes a number from 1 to 100"
                )
            ],
        ),
        ("NP876", put("SCHEDULER", "scheduler.0", weight="100", type="WRR"), []),
        (
            "NP876",
            put("WRED_PROFILE", "AZURE_LOSSLESS", green_drop_probability="101"),
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS.green_drop_probability: green_drop_probability of "
                    "WRED_PROFILE AZURE_LOSSLESS is 101, but the model takes a number from 0 to 100"
                )
            ],
        ),
        (
            "NP876",
            put("PFC_WD", "GLOBAL", POLL_INTERVAL="99"),
            [
                (
                    "PFC_WD.GLOBAL.POLL_INTERVAL: POLL_INTERVAL of PFC_WD GLOBAL is 99, but the model "
                    "takes a number from 100 to 1000"
                )
            ],
        ),
        (
            "NP876",
            put("PFC_WD", "Ethernet0", detection_time="5001", restoration_time="60001"),
            [
                (
                    "PFC_WD.Ethernet0.detection_time: detection_time of PFC_WD Ethernet0 is 5001, but "
                    "the model takes a number from 100 to 5000"
                ),
                (
                    "PFC_WD.Ethernet0.restoration_time: restoration_time of PFC_WD Ethernet0 is 60001, "
                    "but the model takes a number from 100 to 60000"
                ),
            ],
        ),
        (
            "NP876",
            put("PORTCHANNEL", "PortChannel1", mtu="0", min_links="1025"),
            [
                (
                    "PORTCHANNEL.PortChannel1.min_links: min_links of PORTCHANNEL PortChannel1 is 1025, "
                    "but the model takes a number from 1 to 1024"
                ),
                (
                    "PORTCHANNEL.PortChannel1.mtu: mtu of PORTCHANNEL PortChannel1 is 0, but the model "
                    "takes a number from 1 to 9216"
                ),
            ],
        ),
        (
            "NP876",
            put("VLAN", "Vlan1", vlanid="1"),
            [
                "VLAN.Vlan1.vlanid: vlanid of VLAN Vlan1 is 1, but the model takes a number from 2 to 4094",
                "VLAN.Vlan1: key Vlan1 of VLAN does not have the form Vlan2 to Vlan4095",
            ],
        ),
        (
            "NP876",
            put("VLAN", "Vlan4095", vlanid="4095"),
            [
                (
                    "VLAN.Vlan4095.vlanid: vlanid of VLAN Vlan4095 is 4095, but the model takes a number "
                    "from 2 to 4094"
                )
            ],
        ),
        (
            "NP876",
            put("BGP_NEIGHBOR", "10.128.0.0", asn="0"),
            [
                (
                    "BGP_NEIGHBOR.10.128.0.0.asn: asn of BGP_NEIGHBOR 10.128.0.0 is 0, but the model "
                    "takes a number from 1 to 4294967295"
                )
            ],
        ),
        (
            "NP876",
            put("BGP_NEIGHBOR", "10.128.0.0", asn="4294967296"),
            [
                (
                    "BGP_NEIGHBOR.10.128.0.0.asn: asn of BGP_NEIGHBOR 10.128.0.0 is 4294967296, but the "
                    "model takes a number from 1 to 4294967295"
                )
            ],
        ),
        (
            "NP876",
            put("BGP_NEIGHBOR", "10.128.0.0", admin_status="true"),
            [
                (
                    "BGP_NEIGHBOR.10.128.0.0.admin_status: admin_status of BGP_NEIGHBOR 10.128.0.0 is "
                    "true, but the model takes one of up, down"
                )
            ],
        ),
        (
            "NP876",
            put("BGP_NEIGHBOR", "10.128.0.0", admin_status="true") | local(frr_mgmt_framework_config="true"),
            [],
        ),
        (
            "NP876",
            put("VLAN", "Vlan100", admin_status="true") | local(frr_mgmt_framework_config="true"),
            [
                (
                    "VLAN.Vlan100.admin_status: admin_status of VLAN Vlan100 is true, but the model "
                    "takes one of up, down"
                )
            ],
        ),
        (
            "NP876",
            put("BGP_NEIGHBOR", "10.128.0.0", admin_status="yes") | local(frr_mgmt_framework_config="true"),
            [
                (
                    "BGP_NEIGHBOR.10.128.0.0.admin_status: admin_status of BGP_NEIGHBOR 10.128.0.0 is "
                    "yes, but the model takes one of up, down"
                )
            ],
        ),
        (
            "NP876",
            azure("DSCP_TO_TC_MAP", _64="1", _5="16"),
            [
                (
                    "DSCP_TO_TC_MAP.AZURE.64: DSCP_TO_TC_MAP AZURE has an entry for 64, but the model "
                    "takes a DSCP from 0 to 63"
                ),
                (
                    "DSCP_TO_TC_MAP.AZURE.5: DSCP_TO_TC_MAP AZURE has 16 for 5, but the model takes a "
                    "number from 0 to 15"
                ),
            ],
        ),
        (
            "NP876",
            azure("TC_TO_QUEUE_MAP", _16="1", _5="10"),
            [
                (
                    "TC_TO_QUEUE_MAP.AZURE.16: TC_TO_QUEUE_MAP AZURE has an entry for 16, but the model "
                    "takes a number from 0 to 15"
                ),
                (
                    "TC_TO_QUEUE_MAP.AZURE.5: TC_TO_QUEUE_MAP AZURE has 10 for 5, but the model takes a "
                    "number from 0 to 9"
                ),
            ],
        ),
        (
            "NP876",
            azure("TC_TO_PRIORITY_GROUP_MAP", _3="8"),
            [
                (
                    "TC_TO_PRIORITY_GROUP_MAP.AZURE.3: TC_TO_PRIORITY_GROUP_MAP AZURE has 8 for 3, but "
                    "the model takes a number from 0 to 7"
                )
            ],
        ),
        (
            "NP876",
            azure("MAP_PFC_PRIORITY_TO_QUEUE", _8="1", _7="9"),
            [
                (
                    "MAP_PFC_PRIORITY_TO_QUEUE.AZURE.8: MAP_PFC_PRIORITY_TO_QUEUE AZURE has an entry for "
                    "8, but the model takes a number from 0 to 7"
                ),
                (
                    "MAP_PFC_PRIORITY_TO_QUEUE.AZURE.7: MAP_PFC_PRIORITY_TO_QUEUE AZURE has 9 for 7, but "
                    "the model takes a number from 0 to 7"
                ),
            ],
        ),
        (
            "NP876",
            azure("CABLE_LENGTH", Ethernet0="40"),
            [
                (
                    "CABLE_LENGTH.AZURE.Ethernet0: CABLE_LENGTH AZURE has 40 for Ethernet0, but the "
                    'model takes metres such as "40m"'
                )
            ],
        ),
        (
            "NP876",
            put("BUFFER_PG", "Ethernet0", profile="ingress_lossy_profile"),
            ["BUFFER_PG.Ethernet0: key Ethernet0 of BUFFER_PG does not have the form PORT|3 or PORT|3-4"],
        ),
        (
            "NP876",
            put("BUFFER_PG", "Ethernet0|8", profile="ingress_lossy_profile"),
            [
                (
                    "BUFFER_PG.Ethernet0|8: key Ethernet0|8 of BUFFER_PG does not have the form PORT|3 "
                    "or PORT|3-4"
                )
            ],
        ),
        (
            "NP876",
            put("BUFFER_QUEUE", "Ethernet0|16", profile="q_lossy_profile"),
            [
                (
                    "BUFFER_QUEUE.Ethernet0|16: key Ethernet0|16 of BUFFER_QUEUE does not have the form "
                    "PORT|3 or PORT|3-4"
                )
            ],
        ),
        (
            "NP876",
            put("QUEUE", "Ethernet0", scheduler="scheduler.0"),
            ["QUEUE.Ethernet0: key Ethernet0 of QUEUE does not have the form PORT|3 or PORT|3-4"],
        ),
        (
            "NP876",
            hashed("SRC_IP", "TTL"),
            [
                (
                    "SWITCH_HASH.GLOBAL.ecmp_hash: ecmp_hash of SWITCH_HASH GLOBAL is SRC_IP,TTL, but "
                    "the model takes hash fields such as SRC_IP, L4_SRC_PORT"
                )
            ],
        ),
        (
            "NP876",
            put("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", default_dynamic_th="9"),
            [
                (
                    "DEFAULT_LOSSLESS_BUFFER_PARAMETER.AZURE.default_dynamic_th: default_dynamic_th of "
                    "DEFAULT_LOSSLESS_BUFFER_PARAMETER AZURE is 9, but the model takes a number from -8 "
                    "to 7"
                )
            ],
        ),
    ],
)
def test_values_that_the_models_take(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said
