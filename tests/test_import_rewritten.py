"""Values of a config_db that no key of an inventory has: each that a render would replace is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.inventories import compiled, outputs
from tests.test_import import data
from tests.test_import_accepted import SRIOV, made, policy

Tables = dict[str, Any]


def leaf(name: str = "leaf-1", **tables: Any) -> Tables:
    local = {"hostname": name, "hwsku": "ACS-MSN2700"}
    return {
        "DEVICE_METADATA": {"localhost": local | tables.pop("local", {})},
        "PORT": {f"Ethernet{n}": {"lanes": f"{n}", "speed": "100000", "mtu": "9216"} for n in (0, 4)},
        **tables,
    }


def imported(*switches: Tables, objects: list[Any] | None = None) -> Imported:
    texts = {f"{each['DEVICE_METADATA']['localhost']['hostname']}.json": each for each in switches}
    found = {name: json.dumps(each, indent=1) for name, each in texts.items()}
    return import_texts({**found, **({"x.yaml": listed(objects)} if objects else {})}, "site")


def told(**tables: Any) -> list[str]:
    result = imported(leaf(**tables))
    lines = result.texts["leaf-1.json"].splitlines()
    for remark in result.remarks:
        assert lines[remark.at.line - 1].strip(), remark
    return [remark.text for remark in result.remarks]


DYNAMIC = {"buffer_model": "dynamic"}
QUEUE = {"Ethernet0|3": {"scheduler": "s", "wred_profile": "w"}}
WRED = {"ecn": "ecn_all", "green_min_threshold": "100000", "green_max_threshold": "200000"}


@pytest.mark.parametrize(
    ("table", "row", "key", "said"),
    [
        ("PFC_WD", {"action": "alert"}, "Ethernet0", "PFC_WD action 'alert': netplan writes drop"),
        ("PFC_WD", {"action": "drop"}, "Ethernet0", ""),
        ("BGP_NEIGHBOR", {"asn": "1", "admin_status": "down"}, "10.0.0.1",
         "BGP_NEIGHBOR admin_status 'down': netplan writes up"),
        ("BGP_NEIGHBOR", {"asn": "1", "admin_status": "false"}, "default|10.0.0.1",
         "BGP_NEIGHBOR admin_status 'false': netplan writes up"),
        ("BGP_NEIGHBOR", {"asn": "1", "admin_status": "true"}, "default|10.0.0.1", ""),
        ("VLAN_INTERFACE", {"grat_arp": "disabled"}, "Vlan9", "grat_arp 'disabled': netplan writes enabled"),
        ("LLDP", {"enabled": "false"}, "GLOBAL", "LLDP enabled 'false': netplan writes true"),
        ("VLAN", {"vlanid": "9", "mtu": "1500"}, "Vlan9",
         "VLAN mtu '1500': netplan writes the MTU of the ports"),
        ("VLAN", {"vlanid": "9", "mtu": "9216"}, "Vlan9", ""),
        ("MAP_PFC_PRIORITY_TO_QUEUE", {"3": "4"}, "AZURE", "PRIORITY_TO_QUEUE 3 '4': netplan writes 3"),
        ("MAP_PFC_PRIORITY_TO_QUEUE", {"3": "3"}, "AZURE", ""),
        ("TC_TO_QUEUE_MAP", {"0": "1"}, "AZURE", "TC_TO_QUEUE_MAP 0 '1': netplan writes 0"),
        ("TC_TO_QUEUE_MAP", {"0": "0", "1": "0", "3": "3"}, "AZURE", ""),
        ("TC_TO_PRIORITY_GROUP_MAP", {"3": "4"}, "AZURE", "TC_TO_PRIORITY_GROUP_MAP 3 '4': netplan writes 3"),
        ("TC_TO_PRIORITY_GROUP_MAP", {"3": "3", "4": "0"}, "AZURE", ""),
        ("BUFFER_QUEUE", {"profile": "q"}, "Ethernet0|4-7", "BUFFER_QUEUE '4-7': buffers.patch.json is for"),
        ("BUFFER_QUEUE", {"profile": "q"}, "Ethernet0|3-4", ""),
        ("BUFFER_QUEUE", {"profile": "q"}, "Ethernet0|3", ""),
        ("BUFFER_PG", {"profile": "mine"}, "Ethernet0|3", "BUFFER_PG profile 'mine': netplan leaves"),
        ("BUFFER_PG", {"profile": "pg_lossless_100000_5m_profile"}, "Ethernet0|3-4", ""),
        ("BUFFER_PG", {"profile": "[BUFFER_PROFILE|ingress_lossy_profile]"}, "Ethernet0|0", ""),
        ("BGP_NEIGHBOR", {"asn": "1", "holdtime": "10"}, "10.0.0.1",
         "BGP_NEIGHBOR holdtime '10': the inventory has no key for it"),
        ("BGP_NEIGHBOR", {"asn": "1", "keepalive": "60", "holdtime": "180"}, "10.0.0.1", ""),
        ("BGP_GLOBALS", {"keepalive": "3"}, "default", "BGP_GLOBALS keepalive '3': the inventory has no key"),
        ("BGP_PEER_GROUP", {"holdtime": "9"}, "default|A", "BGP_PEER_GROUP holdtime '9': the inventory"),
        ("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", {"3": "4"}, "A", "GROUP_MAP 3 '4': netplan writes 3"),
        ("BGP_PEER_RANGE", {"ip_range": "10.0.0.0/24"}, "HOSTS", "leaf-1: BGP_PEER_RANGE HOSTS: "),
    ],
)  # fmt: skip
def test_a_value_that_netplan_replaces_is_told(table: str, row: Any, key: str, said: str) -> None:
    found = told(**{table: {key: row}})
    assert [said in text for text in found] == [True] * bool(said)


@pytest.mark.parametrize(("local", "count"), [(DYNAMIC, 2), ({"buffer_model": "traditional"}, 0), ({}, 0)])
def test_buffers_of_the_dynamic_model_are_told(local: dict[str, str], count: int) -> None:
    tables: dict[str, Any] = {
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"default_dynamic_th": "-3"}},
        "LOSSLESS_TRAFFIC_PATTERN": {"AZURE": {"mtu": "4096", "small_packet_percentage": "100"}},
    }
    found = told(local=local, **tables)
    assert len(found) == count
    if count:
        assert found == [
            "DEFAULT_LOSSLESS_BUFFER_PARAMETER default_dynamic_th '-3': netplan writes 0",
            "LOSSLESS_TRAFFIC_PATTERN mtu '4096': netplan writes 1024",
        ]


@pytest.mark.parametrize(("local", "stated"), [(DYNAMIC, 100), ({"buffer_model": "traditional"}, None)])
def test_small_packets_are_kept_where_the_switch_counts_with_them(
    local: dict[str, str], stated: int | None
) -> None:
    pattern = {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}}
    found = data(imported(leaf(local=local, LOSSLESS_TRAFFIC_PATTERN=pattern)))["switch_types"]["msn2700"]
    assert found.get("small_packet_percentage") == stated


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"ecn": "ecn_green"}, ["WRED_PROFILE ecn 'ecn_green': netplan writes ecn_all"]),
        ({"ecn": "ecn_none"}, []),
        ({"wred_red_enable": "false"}, ["WRED_PROFILE wred_red_enable 'false': netplan writes true"]),
        ({"red_max_threshold": "300000"}, ["WRED_PROFILE red_max_threshold '300000': netplan writes 200000"]),
        ({"yellow_min_threshold": "100000"}, []),
    ],
)
def test_marking_of_a_queue_in_other_ways_is_told(more: dict[str, str], said: list[str]) -> None:
    profile = {"w": {**WRED, **more}}
    maps = {"DSCP_TO_TC_MAP": {"m": {"26": "3"}}, "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "m"}}}
    assert told(QUEUE=QUEUE, WRED_PROFILE=profile, **maps) == said
    assert told(WRED_PROFILE=profile) == []  # no queue uses it


def test_a_scheduler_of_another_kind_is_told() -> None:
    row = {"type": "WRR", "weight": "60", "pir": "1000"}
    assert told(QUEUE=QUEUE, SCHEDULER={"s": row, "unused": row}) == [
        "SCHEDULER type 'WRR': netplan writes DWRR",
        "SCHEDULER pir '1000': netplan's SCHEDULER rows have none",
    ]


@pytest.mark.parametrize(
    ("local", "told_of"), [("10.0.0.0", False), ("10.9.0.1", True), ("10.7.0.1", False), ("fc00::a", False)]
)
def test_a_session_from_another_address_than_that_of_a_port(local: str, told_of: bool) -> None:
    row = {"asn": "1", "local_addr": local}
    interfaces: dict[str, Any] = {"Ethernet0|10.0.0.0/31": {}, "Ethernet0|FC00::A/127": {}}
    vlans: dict[str, Any] = {"Vlan9|10.7.0.1/24": {}}
    found = told(BGP_NEIGHBOR={"10.0.0.1": row}, INTERFACE=interfaces, VLAN_INTERFACE=vlans)
    why = "netplan writes the address of the port to the neighbour"
    assert (f"BGP_NEIGHBOR local_addr {local!r}: {why}" in found) == told_of


def router_ids(*ids: str, loopbacks: bool = False) -> dict[str, Any]:
    switches = []
    for number, text in enumerate(ids, 1):
        row: dict[str, Any] = {f"Loopback0|10.9.0.{number}/32": {}}
        own: dict[str, Any] = {"LOOPBACK_INTERFACE": row} if loopbacks else {}
        switches.append(leaf(f"leaf-{number}", local={"bgp_router_id": text}, **own))
    found: dict[str, Any] = data(imported(*switches))["switches"]
    return {name: row.get("router_id") for name, row in found.items()}


def test_router_ids_that_are_no_loopbacks_are_kept() -> None:
    assert router_ids("10.255.0.1", "10.255.0.2") == {"leaf-[1-2]": "10.255.0.1"}
    assert router_ids("10.255.0.1", "10.255.0.9", "10.255.0.3") == {
        "leaf-1": "10.255.0.1",
        "leaf-2": "10.255.0.9",
        "leaf-3": "10.255.0.3",
    }
    assert router_ids("10.9.0.1", "10.9.0.2", loopbacks=True) == {"leaf-[1-2]": None}


def test_ports_that_classify_by_pcp_are_no_ports_that_classify_by_dscp() -> None:
    tables: dict[str, Any] = {
        "DOT1P_TO_TC_MAP": {"AZURE": {"3": "3", "6": "6", "0": "0"}},
        "PORT_QOS_MAP": {"Ethernet0": {"dot1p_to_tc_map": "AZURE", "pfc_enable": "3"}},
        "QUEUE": {"Ethernet0|6": {"scheduler": "strict"}},
        "SCHEDULER": {"strict": {"type": "STRICT"}},
    }
    found = data(imported(leaf(**tables)))["fabric"]["qos"]
    assert found["trust"] == "pcp"
    assert {name: row["priority"] for name, row in found["classes"].items()} == {"roce": 3, "cnp": 6}
    tables["DOT1P_TO_TC_MAP"] = {"AZURE": {"4": "3", "6": "6"}}
    result = imported(leaf(**tables))
    assert data(result)["fabric"]["qos"]["classes"]["roce"]["priority"] == "TODO"
    assert "its PCP is 4 (leaf-1.json:" in result.text


def test_ports_that_classify_otherwise_than_those_of_another_switch_are_asked() -> None:
    maps: dict[str, Any] = {"DSCP_TO_TC_MAP": {"A": {"26": "3"}}, "DOT1P_TO_TC_MAP": {"A": {"3": "3"}}}
    rows = [{"Ethernet0": {field: "A", "pfc_enable": "3"}} for field in ("dscp_to_tc_map", "dot1p_to_tc_map")]
    switches = [leaf(f"leaf-{n}", PORT_QOS_MAP=row, **maps) for n, row in enumerate(rows, 1)]
    result = imported(*switches)
    assert data(result)["fabric"]["qos"]["trust"] == "TODO"
    assert "sources disagree: dscp (leaf-1.json:" in result.text


def test_vlans_of_no_rail_are_told_once() -> None:
    network = made(SRIOV, "SriovNetwork", "a", networkNamespace="a", resourceName="rail", vlan=100)
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100, 8)])
    tables: dict[str, Any] = {
        "VLAN_INTERFACE": {"Vlan100|10.1.0.1/24": {}, "Vlan300|10.3.0.1/24": {}},
        "VLAN_MEMBER": {f"Vlan{n}|Ethernet0": {"tagging_mode": "tagged"} for n in (100, 301, 303)},
    }
    objects = [node("gpu-1", {"a": "b"}, 8), state, policy(), network]
    found = [each.text for each in imported(leaf(**tables), objects=objects).remarks if "VLAN" in each.text]
    assert found == [
        "VLAN 300-301,303 of the switches: it is of no rail and no network; vlans and subnets can have it"
    ]
    (alone,) = told(**tables)  # the rails are not known
    assert alone.startswith("VLAN 100,300-301,303 of the switches (interfaces leaf-1 10.1.0.1/24, ")


def cabled(speed: str = "100000", mtu: str = "9216") -> Imported:
    """A leaf and a spine with a cable; of the leaf's port the speed and the MTU."""
    near, far = leaf(), leaf("spine-1")
    near["PORT"]["Ethernet4"] |= {"speed": speed, "mtu": mtu}
    near["DEVICE_NEIGHBOR"] = {"Ethernet4": {"name": "spine-1", "port": "Ethernet0"}}
    far["DEVICE_NEIGHBOR"] = {"Ethernet0": {"name": "leaf-1", "port": "Ethernet4"}}
    return imported(near, far)


def test_two_speeds_of_one_cable_are_a_question() -> None:
    result = cabled(speed="40000")
    (conflict,) = [str(each) for each in result.conflicts]
    assert "leaf-1 Ethernet4 is set to 40 Gbit/s (leaf-1.json:" in conflict
    assert "spine-1 Ethernet0" in conflict
    assert "to 100 Gbit/s (spine-1.json:" in conflict
    assert [row["speed_gbps"] for row in data(result)["links"]] == ["TODO"]
    assert cabled().conflicts == ()


def test_cabled_ports_with_another_mtu_are_told() -> None:
    assert [each.text for each in cabled(mtu="1500").remarks] == [
        "MTU 1500 of leaf-1 Ethernet4: port_mtu is 9216, for all ports of the switch"
    ]
    other = leaf()
    other["PORT"]["Ethernet4"]["mtu"] = "1500"  # without a cable it is none of netplan's
    assert imported(other).remarks == cabled().remarks == ()


def test_what_netplan_wrote_itself_is_no_news() -> None:
    """Nothing of a switch that runs as rendered is told."""
    tree = outputs(compiled("iei-rocev2"))
    tables: dict[str, Any] = {}
    for file in ("interfaces.json", "roce.json"):
        for table, rows in json.loads(tree[f"switches/leaf-1/{file}"]).items():
            for key, row in rows.items():
                tables.setdefault(table, {}).setdefault(key, {}).update(row)
    tables["DEVICE_METADATA"]["localhost"] |= {"hostname": "leaf-1", "hwsku": "ACS-MSN2700"}
    found = import_texts({"leaf-1.json": json.dumps(tables)}, "site").remarks
    assert [remark.text for remark in found if "netplan writes" in remark.text] == []


@pytest.mark.parametrize(
    ("local", "mode"),
    [
        ({"docker_routing_config_mode": "split"}, "split"),
        ({"docker_routing_config_mode": "split-unified"}, "split"),
        ({"frr_mgmt_framework_config": "true"}, "frrcfgd"),
        ({"frr_mgmt_framework_config": "true", "docker_routing_config_mode": "unified"}, "frrcfgd"),
        ({"docker_routing_config_mode": "separated"}, None),  # the image's default
        ({"docker_routing_config_mode": "other"}, None),
        ({}, None),
    ],
)
def test_who_owns_the_configuration_of_frr(local: dict[str, str], mode: str | None) -> None:
    assert data(imported(leaf(local=local)))["switch_types"]["msn2700"].get("frr_mode") == mode
