"""config_db files as other tools write them: two leaves and a spine of 32 ports at 100 Gb/s.

Built from the shapes and limits of SONiC's models, with everything a switch has besides QoS: features,
syslog, NTP, management, CRM. Nothing here comes from netplan's renderers.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any

ConfigDb = dict[str, dict[str, Any]]

PORTS = 32
HOSTS = 16
UPLINKS = 8
LOSSLESS = ("3", "4")
ASN = {"leaf-1": "4200000101", "leaf-2": "4200000102", "spine-1": "4200000001"}
NUMBER = {"leaf-1": 1, "leaf-2": 2, "spine-1": 9}
DSCP = {"3": "3", "26": "3", "4": "4", "46": "5", "48": "6"}
FEATURES = (
    "bgp",
    "database",
    "dhcp_relay",
    "lldp",
    "pmon",
    "radv",
    "snmp",
    "swss",
    "syncd",
    "teamd",
    "telemetry",
)
COUNTERS = ("BUFFER_POOL_WATERMARK", "PFCWD", "PG_DROP", "PG_WATERMARK", "PORT", "QUEUE", "RIF")


def corpus(ports: int = PORTS, hosts: int = HOSTS, uplinks: int = UPLINKS) -> dict[str, ConfigDb]:
    """File name -> config_db, for the whole fabric. ``hosts`` and ``uplinks`` are per leaf."""
    return {f"{name}.json": _switch(name, ports, hosts, uplinks) for name in ASN}


def small() -> dict[str, ConfigDb]:
    """The same fabric with eight ports per switch: five to hosts, two between each leaf and the spine."""
    return corpus(8, 5, 2)


def texts(files: dict[str, ConfigDb]) -> dict[str, str]:
    """As ``config save`` writes them: sorted, four spaces."""
    return {name: json.dumps(data, indent=4, sort_keys=True) + "\n" for name, data in files.items()}


def merged(base: Any, over: Any) -> Any:
    """A JSON merge patch (RFC 7386): null deletes."""
    if not isinstance(over, dict):
        return copy.deepcopy(over)
    out = dict(base) if isinstance(base, dict) else {}
    for key, value in over.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = merged(out.get(key), value)
    return out


def line_of(text: str, *path: str) -> int:
    """The line of a key in a text of ``texts``, found by indentation without a JSON reader."""
    lines, at = text.split("\n"), 0
    for depth, key in enumerate(path, 1):
        start = " " * 4 * depth + json.dumps(key) + ":"
        at = next(number for number in range(at, len(lines)) if lines[number].startswith(start))
    return at + 1


def _switch(name: str, ports: int, hosts: int, uplinks: int) -> ConfigDb:
    names = [f"Ethernet{4 * number}" for number in range(ports)]
    spine = name.startswith("spine")
    bridged = [] if spine else names[:hosts]
    routed = names[: 2 * uplinks] if spine else names[hosts : hosts + uplinks]
    used = [*bridged, *routed]
    return {
        **_box(name),
        **_fabric(name, names, bridged, routed, hosts, uplinks),
        **_qos(names, used),
        **_buffers(used, bridged),
    }


def _box(name: str) -> ConfigDb:
    number = NUMBER[name]
    return {
        "AUTO_TECHSUPPORT": {"GLOBAL": {"state": "enabled", "rate_limit_interval": "180"}},
        "CRM": {"Config": {"polling_interval": "300", "ipv4_neighbor_high_threshold": "85"}},
        "DEVICE_METADATA": {
            "localhost": {
                "bgp_asn": ASN[name],
                "bgp_router_id": f"10.255.0.{number}",
                "buffer_model": "traditional",
                "default_bgp_status": "up",
                "docker_routing_config_mode": "separated",
                "hostname": name,
                "hwsku": "ACS-MSN2700",
                "mac": f"02:00:00:00:01:{number:02x}",
                "platform": "x86_64-mlnx_msn2700-r0",
                "timezone": "UTC",
                "type": "SpineRouter" if name.startswith("spine") else "LeafRouter",
            }
        },
        "FEATURE": {one: {"auto_restart": "enabled", "state": "enabled"} for one in FEATURES},
        "FLEX_COUNTER_TABLE": {one: {"FLEX_COUNTER_STATUS": "enable"} for one in COUNTERS},
        "KDUMP": {"config": {"enabled": "false", "num_dumps": "3"}},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, f"Loopback0|10.255.0.{number}/32": {}},
        "MGMT_INTERFACE": {f"eth0|192.0.2.{number}/24": {"gwaddr": "192.0.2.254"}},
        "MGMT_PORT": {"eth0": {"admin_status": "up", "alias": "eth0"}},
        "NTP_SERVER": {"192.0.2.200": {}},
        "SNMP": {"LOCATION": {"Location": "hall 3, row B"}},
        "SYSLOG_SERVER": {"192.0.2.201": {}},
        "VERSIONS": {"DATABASE": {"VERSION": "version_202411_01"}},
    }


def _fabric(
    name: str, names: list[str], bridged: list[str], routed: list[str], hosts: int, uplinks: int
) -> ConfigDb:
    number = NUMBER[name]
    tables: ConfigDb = {
        "BGP_NEIGHBOR": {},
        "DEVICE_NEIGHBOR": {},
        "INTERFACE": {},
        "PORT": {port: _port(index, port in bridged or port in routed) for index, port in enumerate(names)},
        "SWITCH_HASH": {
            "GLOBAL": {"ecmp_hash": ["DST_IP", "SRC_IP", "IP_PROTOCOL", "L4_DST_PORT", "L4_SRC_PORT"]}
        },
    }
    if bridged:
        tables["VLAN"] = {"Vlan100": {"vlanid": "100", "mtu": "9216"}}
        tables["VLAN_MEMBER"] = {f"Vlan100|{port}": {"tagging_mode": "untagged"} for port in bridged}
        tables["VLAN_INTERFACE"] = {"Vlan100": {"grat_arp": "enabled"}, f"Vlan100|10.{number}.0.1/24": {}}
        for index, port in enumerate(bridged):
            tables["DEVICE_NEIGHBOR"][port] = {"name": f"gpu-{number}{index:02}", "port": "roce0"}
    for index, port in enumerate(routed):
        leaf, link = divmod(index, uplinks) if name == "spine-1" else (number - 1, index)
        other = f"leaf-{leaf + 1}" if name == "spine-1" else "spine-1"
        far = hosts + link if name == "spine-1" else leaf * uplinks + link
        low = f"10.128.{leaf}.{2 * link}"
        high = f"10.128.{leaf}.{2 * link + 1}"
        mine, theirs = (low, high) if name == "spine-1" else (high, low)
        tables["INTERFACE"] |= {port: {}, f"{port}|{mine}/31": {}}
        tables["DEVICE_NEIGHBOR"][port] = {"name": other, "port": f"Ethernet{4 * far}"}
        tables["BGP_NEIGHBOR"][theirs] = {"asn": ASN[other], "local_addr": mine, "name": other}
    return tables


def _port(index: int, used: bool) -> dict[str, str]:
    return {
        "admin_status": "up" if used else "down",
        "alias": f"etp{index + 1}",
        "fec": "rs",
        "index": str(index + 1),
        "lanes": ",".join(str(4 * index + lane) for lane in range(4)),
        "mtu": "9216",
        "speed": "100000",
    }


def _numbered(values: Iterable[int], **other: str) -> dict[str, str]:
    return {str(value): other.get(f"_{value}", str(value)) for value in values}


def _qos(names: list[str], used: list[str]) -> ConfigDb:
    enabled = ",".join(LOSSLESS)
    queues = {str(queue): {"scheduler": "scheduler.0"} for queue in range(7)}
    for queue in LOSSLESS:
        queues[queue] = {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"}
    queues["6"] = {"scheduler": "scheduler.2"}
    wred: dict[str, str] = {"ecn": "ecn_all"}
    for colour in ("green", "yellow", "red"):
        wred |= {
            f"wred_{colour}_enable": "true",
            f"{colour}_min_threshold": "1048576",
            f"{colour}_max_threshold": "2097152",
            f"{colour}_drop_probability": "5",
        }
    return {
        "DSCP_TO_TC_MAP": {"AZURE": {str(dscp): DSCP.get(str(dscp), "1") for dscp in range(64)}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": _numbered(range(8))},
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"AZURE": {one: one for one in LOSSLESS}},
        "PFC_WD": {
            "GLOBAL": {"POLL_INTERVAL": "200"},
            **{port: {"action": "drop", "detection_time": "200", "restoration_time": "200"} for port in used},
        },
        "PORT_QOS_MAP": {
            port: {
                "dscp_to_tc_map": "AZURE",
                "pfc_enable": enabled,
                "pfc_to_pg_map": "AZURE",
                "pfc_to_queue_map": "AZURE",
                "pfcwd_sw_enable": enabled,
                "tc_to_pg_map": "AZURE",
                "tc_to_queue_map": "AZURE",
            }
            for port in used
        },
        "QUEUE": {f"{port}|{queue}": row for port in used for queue, row in queues.items()},
        "SCHEDULER": {
            "scheduler.0": {"type": "DWRR", "weight": "14"},
            "scheduler.1": {"type": "DWRR", "weight": "15"},
            "scheduler.2": {"type": "STRICT"},
        },
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": _numbered(range(8), _1="0", _2="0", _5="0", _6="0")},
        "TC_TO_QUEUE_MAP": {"AZURE": _numbered(range(8))},
        "WRED_PROFILE": {"AZURE_LOSSLESS": wred},
    }


def _buffers(used: list[str], bridged: list[str]) -> ConfigDb:
    """A leaf's file was saved after buffermgrd had created the lossless rows, the spine's before."""
    length = {port: "5m" if port in bridged else "40m" for port in used}
    lossless = {"5m": ("50176", "30720"), "40m": ("58368", "38912")}
    made = {
        f"pg_lossless_100000_{metres}_profile": {
            "dynamic_th": "0", "pool": "ingress_lossless_pool", "size": size, "xoff": xoff, "xon": "19456"
        }
        for metres, (size, xoff) in lossless.items()
    }  # fmt: skip
    return {
        "BUFFER_PG": {
            **{f"{port}|0": {"profile": "ingress_lossy_profile"} for port in used},
            **{
                f"{port}|3-4": {"profile": f"pg_lossless_100000_{length[port]}_profile"}
                for port in (used if bridged else ())
            },
        },
        "BUFFER_POOL": {
            "egress_lossless_pool": {"mode": "dynamic", "size": "13945824", "type": "egress"},
            "egress_lossy_pool": {"mode": "dynamic", "size": "4580864", "type": "egress"},
            "ingress_lossless_pool": {"mode": "dynamic", "size": "4580864", "type": "ingress"},
            "ingress_lossy_pool": {"mode": "dynamic", "size": "4580864", "type": "ingress"},
        },
        "BUFFER_PORT_EGRESS_PROFILE_LIST": {
            port: {"profile_list": "egress_lossless_profile,egress_lossy_profile"} for port in used
        },
        "BUFFER_PORT_INGRESS_PROFILE_LIST": {
            port: {"profile_list": "ingress_lossless_profile,ingress_lossy_profile"} for port in used
        },
        "BUFFER_PROFILE": {
            "egress_lossless_profile": {"dynamic_th": "7", "pool": "egress_lossless_pool", "size": "0"},
            "egress_lossy_profile": {"dynamic_th": "3", "pool": "egress_lossy_pool", "size": "9216"},
            "ingress_lossless_profile": {"dynamic_th": "7", "pool": "ingress_lossless_pool", "size": "0"},
            "ingress_lossy_profile": {"dynamic_th": "3", "pool": "ingress_lossy_pool", "size": "0"},
            "q_lossy_profile": {"dynamic_th": "3", "pool": "egress_lossy_pool", "size": "0"},
            **made,
        },
        "BUFFER_QUEUE": {
            **{f"{port}|0-2": {"profile": "q_lossy_profile"} for port in used},
            **{f"{port}|3-4": {"profile": "egress_lossless_profile"} for port in used},
            **{f"{port}|5-6": {"profile": "q_lossy_profile"} for port in used},
        },
        "CABLE_LENGTH": {"AZURE": length},
    }


def unlinked(name: str = "leaf-3", number: int = 3) -> ConfigDb:
    """A leaf of the small fabric without neighbour or uplink, with an identity of its own."""
    leaf = small()["leaf-2.json"]
    identity = {
        "hostname": name,
        "mac": f"02:00:00:00:01:{number:02x}",
        "bgp_router_id": f"10.255.0.{number}",
        "bgp_asn": f"42000001{number:02}",
    }
    leaf["DEVICE_METADATA"]["localhost"] |= identity
    leaf["LOOPBACK_INTERFACE"] = {"Loopback0": {}, f"Loopback0|10.255.0.{number}/32": {}}
    return leaf | {"INTERFACE": {}, "DEVICE_NEIGHBOR": {}, "BGP_NEIGHBOR": {}}
