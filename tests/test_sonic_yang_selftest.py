"""The yanglint wrapper itself: a small leaf that SONiC accepts, and one mistake at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from tests.sonic_yang import ConfigDb, base_config, merged, to_yang, yanglint

pytestmark = pytest.mark.yang

PORTS = ("Ethernet0", "Ethernet4")

LEAF: ConfigDb = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "bgp_asn": "4200000101"}},
    "PORT": {port: {"mtu": "9216", "fec": "rs", "admin_status": "up"} for port in PORTS},
    "VLAN": {"Vlan100": {"vlanid": "100"}},
    "VLAN_MEMBER": {"Vlan100|Ethernet0": {"tagging_mode": "tagged"}},
    "VLAN_INTERFACE": {"Vlan100": {"grat_arp": "enabled"}, "Vlan100|172.16.0.1/24": {}},
    "INTERFACE": {"Ethernet4": {}, "Ethernet4|172.31.0.0/31": {}},
    "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|172.31.255.1/32": {}},
    "NEIGH": {"Vlan100|172.16.0.10": {"neigh": "02:00:00:00:00:10", "family": "IPv4"}},
    "DSCP_TO_TC_MAP": {"ROCE": {"26": "3", "48": "6", "0": "0"}},
    "TC_TO_QUEUE_MAP": {"ROCE": {"0": "0", "3": "3", "6": "6"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {"0": "0", "3": "3", "6": "0"}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"ROCE": {"3": "3"}},
    "PORT_QOS_MAP": {
        "global": {"dscp_to_tc_map": "ROCE"},
        "Ethernet0": {"tc_to_queue_map": "ROCE", "pfc_enable": "3", "pfcwd_sw_enable": "3"},
    },
    "WRED_PROFILE": {
        "ROCE": {
            "wred_green_enable": "true",
            "ecn": "ecn_all",
            "green_min_threshold": "100000",
            "green_max_threshold": "1500000",
            "green_drop_probability": "100",
        }
    },
    "SCHEDULER": {"roce": {"type": "DWRR", "weight": "50"}, "cnp": {"type": "STRICT"}},
    "QUEUE": {
        "Ethernet0|3": {"scheduler": "roce", "wred_profile": "ROCE"},
        "Ethernet0|6": {"scheduler": "cnp"},
    },
    "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "4580864"}},
    "BUFFER_PROFILE": {"lossless": {"pool": "ingress_lossless_pool", "size": "19456", "dynamic_th": "0"}},
    "BUFFER_PG": {"Ethernet0|3": {"profile": "lossless"}},
    "BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "lossless"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet4": "40m"}},
    "PFC_WD": {
        "GLOBAL": {"POLL_INTERVAL": "200"},
        "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
    },
    "SWITCH_HASH": {"GLOBAL": {"ecmp_hash": ["SRC_IP", "DST_IP", "L4_SRC_PORT", "L4_DST_PORT"]}},
    "BGP_NEIGHBOR": {"172.31.0.1": {"asn": "4200000001", "name": "spine-1", "local_addr": "172.31.0.0"}},
    "LLDP": {"GLOBAL": {"enabled": "true"}},
}


def _row(table: str, key: str, **fields: object) -> Callable[[ConfigDb], None]:
    return lambda config: config.setdefault(table, {}).setdefault(key, {}).update(fields)


BAD: dict[str, tuple[Callable[[ConfigDb], object], str]] = {
    "dangling wred_profile": (
        _row("QUEUE", "Ethernet0|3", wred_profile="NOPE"),
        'Invalid leafref value "NOPE"',
    ),
    "routed port in a VLAN": (_row("INTERFACE", "Ethernet0"), "Port is a router interface"),
    "poll interval above detection time": (
        _row("PFC_WD", "GLOBAL", POLL_INTERVAL="300"),
        "detection_time must be greater than or equal to POLL_INTERVAL",
    ),
    "WRED max below min": (
        _row("WRED_PROFILE", "ROCE", green_max_threshold="99999"),
        "Green max threshold must be greater than or equal to min threshold",
    ),
    "port MTU": (_row("PORT", "Ethernet0", mtu="9300"), 'value "9300" is out of the allowed range'),
    "MTU not a number": (_row("PORT", "Ethernet0", mtu="jumbo"), 'uint16 value "jumbo"'),
    "DSCP 64": (_row("DSCP_TO_TC_MAP", "ROCE", **{"64": "0"}), "Invalid DSCP"),
    "vlanid is not the name's": (
        _row("VLAN", "Vlan100", vlanid="101"),
        "vlanid must correspond to the VLAN name",
    ),
    "address without its bare row": (
        lambda config: config["INTERFACE"].pop("Ethernet4"),
        "INTERFACE_IPPREFIX_LIST[name='Ethernet4'][ip-prefix='172.31.0.0/31']/name",
    ),
    "cable without its unit": (_row("CABLE_LENGTH", "AZURE", Ethernet0="40"), "Invalid cable length"),
    "weight 0": (_row("SCHEDULER", "roce", weight="0"), "out of the allowed range"),
    "unknown port": (
        _row("BUFFER_PG", "Ethernet8|3", profile="lossless"),
        'Invalid leafref value "Ethernet8"',
    ),
    "unknown field": (_row("VLAN", "Vlan100", vlan_id="100"), 'Node "vlan_id" not found'),
    "unknown field of a container": (_row("LLDP", "GLOBAL", on="true"), 'Node "on" not found'),
    "boolean misspelt": (_row("WRED_PROFILE", "ROCE", wred_green_enable="yes"), 'boolean value "yes"'),
    "unknown table": (_row("VLANS", "Vlan100"), "VLANS: no such table"),
    "number where config_db has strings": (
        _row("PORT", "Ethernet0", mtu=9216),
        "PORT|Ethernet0.mtu: 9216 is not a string; config_db knows no other type",
    ),
}


def test_a_small_leaf_is_accepted():
    assert yanglint(LEAF) == []


@pytest.mark.parametrize(("change", "expected"), BAD.values(), ids=BAD.keys())
def test_one_mistake_is_found(change: Callable[[ConfigDb], object], expected: str):
    config = copy.deepcopy(LEAF)
    change(config)
    (error,) = yanglint(config)
    assert expected in error


def test_neighbours_of_frrcfgd_are_left_out():
    config = copy.deepcopy(LEAF)
    config["BGP_NEIGHBOR"]["default|10.0.0.1"] = {"asn": "1"}
    config["BGP_NEIGHBOR_AF"] = {"default|10.0.0.1|ipv4_unicast": {"route_map_in": ["ALL"]}}
    assert yanglint(config) == []


def test_ports_of_the_box_can_be_named():
    config: ConfigDb = {"VLAN": LEAF["VLAN"], "VLAN_MEMBER": LEAF["VLAN_MEMBER"]}
    assert yanglint(config, ports=["Ethernet0"], speed=400_000) == []


def test_base_config_gives_each_port_its_own_lanes():
    assert base_config(["Ethernet0", "Ethernet4"], 400_000)["PORT"] == {
        "Ethernet0": {"lanes": "0,1,2,3", "speed": "400000"},
        "Ethernet4": {"lanes": "4,5,6,7", "speed": "400000"},
    }


def test_merging_keeps_fields_of_both_and_prefers_the_rendered():
    base: ConfigDb = {"PORT": {"Ethernet0": {"lanes": "0", "mtu": "9100"}}}
    over: ConfigDb = {"PORT": {"Ethernet0": {"mtu": "9216"}}, "VLAN": {"Vlan2": {}}}
    assert merged(base, over) == {
        "PORT": {"Ethernet0": {"lanes": "0", "mtu": "9216"}},
        "VLAN": {"Vlan2": {}},
    }


def test_translation_of_types_keys_and_maps():
    data, errors = to_yang(
        {
            "TC_TO_QUEUE_MAP": {"ROCE": {"3": "3"}},
            "WRED_PROFILE": {"ROCE": {"wred_green_enable": "true", "green_min_threshold": "1"}},
            "VLAN": {"Vlan100": {"vlanid": "100"}},
            "VLAN_INTERFACE": {"Vlan100": {}, "Vlan100|10.0.0.1/24": {}},
            "BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "a,b"}},
        }
    )
    assert errors == []
    assert data == {
        "sonic-tc-queue-map:sonic-tc-queue-map": {
            "TC_TO_QUEUE_MAP": {
                "TC_TO_QUEUE_MAP_LIST": [{"name": "ROCE", "TC_TO_QUEUE_MAP": [{"tc": 3, "qindex": "3"}]}]
            }
        },
        "sonic-wred-profile:sonic-wred-profile": {
            "WRED_PROFILE": {
                "WRED_PROFILE_LIST": [{"name": "ROCE", "wred_green_enable": True, "green_min_threshold": "1"}]
            }
        },
        "sonic-vlan:sonic-vlan": {
            "VLAN": {"VLAN_LIST": [{"name": "Vlan100", "vlanid": 100}]},
            "VLAN_INTERFACE": {
                "VLAN_INTERFACE_LIST": [{"name": "Vlan100"}],
                "VLAN_INTERFACE_IPPREFIX_LIST": [{"name": "Vlan100", "ip-prefix": "10.0.0.1/24"}],
            },
        },
        "sonic-buffer-port-ingress-profile-list:sonic-buffer-port-ingress-profile-list": {
            "BUFFER_PORT_INGRESS_PROFILE_LIST": {
                "BUFFER_PORT_INGRESS_PROFILE_LIST_LIST": [{"port": "Ethernet0", "profile_list": ["a", "b"]}]
            }
        },
    }
