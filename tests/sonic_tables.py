"""How each config_db table that netplan may write lies in SONiC's YANG models.

Read from the models of sonic-net/sonic-buildimage 086b03bd (src/sonic-yang-models): module, lists and their
keys, and the leaves that RFC 7951 JSON does not write as strings (integers up to 32 bits, booleans; 64-bit
integers are strings there too). Leaves not named here are strings, or unknown, which yanglint then says.
"""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    """``lists``: list name -> YANG keys, distinguished by their number; ``pairs``: a map's inner list, key,
    value."""

    module: str
    lists: dict[str, tuple[str, ...]]
    numbers: tuple[str, ...] = ()
    booleans: tuple[str, ...] = ()
    comma_lists: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    pairs: tuple[str, str, str] | None = None


def _map(module: str, table: str, key: str, value: str, *numbers: str) -> Table:
    return Table(module, {f"{table}_LIST": ("name",)}, numbers=numbers, pairs=(table, key, value))


TABLES = {
    "BGP_GLOBALS": Table(
        "sonic-bgp-global",
        {"BGP_GLOBALS_LIST": ("vrf_name",)},
        numbers=("local_asn",),
        booleans=("log_nbr_state_changes", "load_balance_mp_relax", "default_ipv4_unicast"),
    ),
    "BGP_GLOBALS_AF": Table(
        "sonic-bgp-global", {"BGP_GLOBALS_AF_LIST": ("vrf_name", "afi_safi")}, numbers=("max_ebgp_paths",)
    ),
    "BGP_GLOBALS_AF_NETWORK": Table(
        "sonic-bgp-global", {"BGP_GLOBALS_AF_NETWORK_LIST": ("vrf_name", "afi_safi", "ip_prefix")}
    ),
    # BGP_NEIGHBOR_LIST (vrf, neighbor) is left out: it makes yanglint 2.1.30 loop forever.
    "BGP_NEIGHBOR": Table(
        "sonic-bgp-neighbor",
        {"BGP_NEIGHBOR_TEMPLATE_LIST": ("neighbor",)},
        numbers=("asn", "holdtime", "keepalive", "nhopself", "rrclient"),
    ),
    "BUFFER_PG": Table("sonic-buffer-pg", {"BUFFER_PG_LIST": ("port", "pg_num")}),
    "BUFFER_POOL": Table("sonic-buffer-pool", {"BUFFER_POOL_LIST": ("name",)}, numbers=("percentage",)),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": Table(
        "sonic-buffer-port-egress-profile-list",
        {"BUFFER_PORT_EGRESS_PROFILE_LIST_LIST": ("port",)},
        comma_lists=("profile_list",),
    ),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": Table(
        "sonic-buffer-port-ingress-profile-list",
        {"BUFFER_PORT_INGRESS_PROFILE_LIST_LIST": ("port",)},
        comma_lists=("profile_list",),
    ),
    "BUFFER_PROFILE": Table(
        "sonic-buffer-profile", {"BUFFER_PROFILE_LIST": ("name",)}, numbers=("dynamic_th",)
    ),
    "BUFFER_QUEUE": Table("sonic-buffer-queue", {"BUFFER_QUEUE_LIST": ("port", "qindex")}),
    "CABLE_LENGTH": _map("sonic-cable-length", "CABLE_LENGTH", "port", "length"),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": Table(
        "sonic-default-lossless-buffer-parameter",
        {"DEFAULT_LOSSLESS_BUFFER_PARAMETER_LIST": ("name",)},
        numbers=("default_dynamic_th", "over_subscribe_ratio"),
    ),
    "DEVICE_METADATA": Table(
        "sonic-device_metadata",
        {},
        numbers=("bgp_asn", "deployment_id"),
        booleans=("frr_mgmt_framework_config", "bgp_adv_lo_prefix_as_128"),
        containers=("localhost",),
    ),
    "DEVICE_NEIGHBOR": Table("sonic-device_neighbor", {"DEVICE_NEIGHBOR_LIST": ("peer_name",)}),
    "DOT1P_TO_TC_MAP": _map("sonic-dot1p-tc-map", "DOT1P_TO_TC_MAP", "dot1p", "tc", "tc"),
    "DSCP_TO_TC_MAP": _map("sonic-dscp-tc-map", "DSCP_TO_TC_MAP", "dscp", "tc", "tc"),
    "INTERFACE": Table(
        "sonic-interface",
        {"INTERFACE_LIST": ("name",), "INTERFACE_IPPREFIX_LIST": ("name", "ip-prefix")},
        numbers=("nat_zone",),
    ),
    "LLDP": Table(
        "sonic-lldp",
        {},
        numbers=("hello_time", "multiplier"),
        booleans=("supp_mgmt_address_tlv", "supp_system_capabilities_tlv", "enabled"),
        containers=("GLOBAL",),
    ),
    "LLDP_PORT": Table("sonic-lldp", {"LLDP_PORT_LIST": ("ifname",)}, booleans=("enabled",)),
    "LOOPBACK_INTERFACE": Table(
        "sonic-loopback-interface",
        {"LOOPBACK_INTERFACE_LIST": ("name",), "LOOPBACK_INTERFACE_IPPREFIX_LIST": ("name", "ip-prefix")},
        numbers=("nat_zone",),
    ),
    "LOSSLESS_TRAFFIC_PATTERN": Table(
        "sonic-lossless-traffic-pattern",
        {"LOSSLESS_TRAFFIC_PATTERN_LIST": ("name",)},
        numbers=("mtu", "small_packet_percentage"),
    ),
    "MAP_PFC_PRIORITY_TO_QUEUE": _map(
        "sonic-pfc-priority-queue-map", "MAP_PFC_PRIORITY_TO_QUEUE", "pfc_priority", "qindex"
    ),
    "NEIGH": Table("sonic-neigh", {"NEIGH_LIST": ("port", "neighbor")}),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": _map(
        "sonic-pfc-priority-priority-group-map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "pfc_priority", "pg"
    ),
    "PFC_WD": Table(
        "sonic-pfcwd",
        {"PFC_WD_LIST": ("ifname",)},
        numbers=("detection_time", "restoration_time", "POLL_INTERVAL"),
    ),
    "PORT": Table(
        "sonic-port",
        {"PORT_LIST": ("name",)},
        numbers=("speed", "dhcp_rate_limit", "mtu", "subport", "index", "laser_freq"),
        booleans=("mux_cable", "fast_linkup"),
        comma_lists=("adv_speeds", "adv_interface_types"),
    ),
    "PORTCHANNEL": Table("sonic-portchannel", {"PORTCHANNEL_LIST": ("name",)}, numbers=("min_links", "mtu")),
    "PORTCHANNEL_INTERFACE": Table(
        "sonic-portchannel",
        {
            "PORTCHANNEL_INTERFACE_LIST": ("name",),
            "PORTCHANNEL_INTERFACE_IPPREFIX_LIST": ("name", "ip_prefix"),
        },
        numbers=("nat_zone",),
    ),
    "PORTCHANNEL_MEMBER": Table("sonic-portchannel", {"PORTCHANNEL_MEMBER_LIST": ("name", "port")}),
    "PORT_QOS_MAP": Table("sonic-port-qos-map", {"PORT_QOS_MAP_LIST": ("ifname",)}),
    "QUEUE": Table("sonic-queue", {"QUEUE_LIST": ("ifname", "qindex")}),
    "ROUTE_MAP": Table("sonic-route-map", {"ROUTE_MAP_LIST": ("name", "stmt_name")}, numbers=("stmt_name",)),
    "ROUTE_MAP_SET": Table("sonic-route-map", {"ROUTE_MAP_SET_LIST": ("name",)}),
    "SAG": Table("sonic-static-anycast-gateway", {"SAG_LIST": ("name",)}),
    "SCHEDULER": Table(
        "sonic-scheduler", {"SCHEDULER_LIST": ("name",)}, numbers=("weight", "priority", "cbs", "pbs")
    ),
    "SWITCH_HASH": Table("sonic-hash", {}, containers=("GLOBAL",)),
    "TC_TO_DSCP_MAP": _map("sonic-tc-dscp-map", "TC_TO_DSCP_MAP", "tc", "dscp", "tc"),
    "TC_TO_PRIORITY_GROUP_MAP": _map(
        "sonic-tc-priority-group-map", "TC_TO_PRIORITY_GROUP_MAP", "tc", "pg", "tc"
    ),
    "TC_TO_QUEUE_MAP": _map("sonic-tc-queue-map", "TC_TO_QUEUE_MAP", "tc", "qindex", "tc"),
    "VLAN": Table("sonic-vlan", {"VLAN_LIST": ("name",)}, numbers=("vlanid", "mtu")),
    "VLAN_INTERFACE": Table(
        "sonic-vlan",
        {"VLAN_INTERFACE_LIST": ("name",), "VLAN_INTERFACE_IPPREFIX_LIST": ("name", "ip-prefix")},
        numbers=("nat_zone",),
        booleans=("secondary",),
    ),
    "VLAN_MEMBER": Table("sonic-vlan", {"VLAN_MEMBER_LIST": ("name", "port")}),
    "WRED_PROFILE": Table(
        "sonic-wred-profile",
        {"WRED_PROFILE_LIST": ("name",)},
        booleans=("wred_green_enable", "wred_yellow_enable", "wred_red_enable"),
    ),
}
