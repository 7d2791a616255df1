"""Names of tables and fields, and what is one slip away from them."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

_TABLES = """
    AAA ACL_RULE ACL_TABLE ACL_TABLE_TYPE ALARM ALARM_STATS ASIC_SENSORS AS_PATH_SET AUTO_TECHSUPPORT
    AUTO_TECHSUPPORT_FEATURE BANNER_MESSAGE BGP_AGGREGATE_ADDRESS BGP_ALLOWED_PREFIXES BGP_BBR
    BGP_DEVICE_GLOBAL BGP_GLOBALS BGP_GLOBALS_AF BGP_GLOBALS_AF_AGGREGATE_ADDR BGP_GLOBALS_AF_NETWORK
    BGP_GLOBALS_LISTEN_PREFIX BGP_INTERNAL_NEIGHBOR BGP_MONITORS BGP_NEIGHBOR BGP_NEIGHBOR_AF
    BGP_PEER_GROUP BGP_PEER_GROUP_AF BGP_PEER_RANGE BGP_SENTINELS BGP_VOQ_CHASSIS_NEIGHBOR BMP
    BREAKOUT_CFG BUFFER_PG BUFFER_POOL BUFFER_PORT_EGRESS_PROFILE_LIST BUFFER_PORT_INGRESS_PROFILE_LIST
    BUFFER_PROFILE BUFFER_QUEUE CABLE_LENGTH CHASSIS_MODULE COMMUNITY_SET CONSOLE_PORT CONSOLE_SWITCH
    COPP_GROUP COPP_TRAP CRM DASH_ACL_GROUP DASH_ACL_IN DASH_ACL_OUT DASH_ACL_RULE DASH_APPLIANCE
    DASH_ENI DASH_HA_GLOBAL_CONFIG DASH_QOS DASH_ROUTE_TABLE DASH_ROUTING_TYPE DASH_VNET
    DASH_VNET_MAPPING_TABLE DEBUG_COUNTER DEBUG_COUNTER_DROP_REASON DEBUG_DROP_MONITOR
    DEFAULT_LOSSLESS_BUFFER_PARAMETER DEVICE_METADATA DEVICE_NEIGHBOR DEVICE_NEIGHBOR_METADATA
    DHCPV4_RELAY DHCP_RELAY DHCP_SERVER DHCP_SERVER_IPV4 DHCP_SERVER_IPV4_CUSTOMIZED_OPTIONS
    DHCP_SERVER_IPV4_PORT DHCP_SERVER_IPV4_RANGE DNS_NAMESERVER DNS_OPTIONS DOT1P_TO_TC_MAP DPU DPUS
    DPU_TABLE DSCP_TO_FC_MAP DSCP_TO_TC_MAP DTEL DTEL_EVENT DTEL_INT_SESSION DTEL_QUEUE_REPORT
    DTEL_REPORT_SESSION EVENT EVENT_STATS EVPN_ETHERNET_SEGMENT EVPN_MH_GLOBAL EXP_TO_FC_MAP
    EXTENDED_COMMUNITY_SET FABRIC_MONITOR FABRIC_PORT FDB FEATURE FG_NHG FG_NHG_MEMBER FG_NHG_PREFIX
    FIPS FLEX_COUNTER_TABLE FLOW_COUNTER_ROUTE_PATTERN GEARBOX GNMI GNMI_CLIENT_CERT GRPCCLIENT
    HEARTBEAT HIGH_FREQUENCY_TELEMETRY_GROUP HIGH_FREQUENCY_TELEMETRY_PROFILE
    HOSTAPD_GLOBAL_CONFIG_TABLE INTERFACE KDUMP KUBERNETES_MASTER LDAP LDAP_SERVER LEAK_CONTROL_POLICY
    LEAK_PROFILE LLDP LLDP_PORT LOGGER LOGGING LOOPBACK_INTERFACE LOSSLESS_TRAFFIC_PATTERN
    MACSEC_PROFILE MAC_MOVE_GUARD MAP_PFC_PRIORITY_TO_QUEUE MCLAG_DOMAIN MCLAG_INTERFACE MCLAG_UNIQUE_IP
    MEMORY_STATISTICS MGMT_INTERFACE MGMT_PORT MGMT_VRF_CONFIG MID_PLANE_BRIDGE MIRROR_SESSION
    MPLS_TC_TO_TC_MAP MUX_CABLE MUX_LINKMGR NAT_BINDINGS NAT_GLOBAL NAT_POOL NEIGH NTP NTP_KEY
    NTP_SERVER NVGRE_TUNNEL NVGRE_TUNNEL_MAP PAC_GLOBAL_CONFIG_TABLE PAC_PORT_CONFIG_TABLE
    PASSW_HARDENING PASS_THROUGH_ROUTE_TABLE PBH_HASH PBH_HASH_FIELD PBH_RULE PBH_TABLE PEER_SWITCH
    PFC_PRIORITY_TO_PRIORITY_GROUP_MAP PFC_WD POLICER PORT PORTCHANNEL PORTCHANNEL_INTERFACE
    PORTCHANNEL_MEMBER PORT_QOS_MAP PORT_STORM_CONTROL PREFIX PREFIX_LIST PREFIX_SET QUEUE RADIUS
    RADIUS_SERVER RATES REMOTE_DPU RESTAPI ROUTE_MAP ROUTE_MAP_SET ROUTE_REDISTRIBUTE SAG SCHEDULER
    SEND_TO_INGRESS_PORT SERIAL_CONSOLE SFLOW SFLOW_COLLECTOR SFLOW_SESSION SNMP
    SNMP_AGENT_ADDRESS_CONFIG SNMP_COMMUNITY SNMP_USER SRV6_MY_LOCATORS SRV6_MY_SIDS SSH_SERVER
    STATIC_NAPT STATIC_NAT STATIC_ROUTE STORMOND_CONFIG STP STP_MST STP_MST_INST STP_MST_PORT STP_PORT
    STP_VLAN STP_VLAN_PORT SUBNET_DECAP SUPPRESS_ASIC_SDK_HEALTH_EVENT SUPPRESS_VLAN_NEIGH SWITCH
    SWITCH_FAST_LINKUP SWITCH_HASH SWITCH_TRIMMING SYSLOG_CONFIG SYSLOG_CONFIG_FEATURE SYSLOG_SERVER
    SYSTEM_DEFAULTS SYSTEM_PORT TACPLUS TACPLUS_SERVER TC_TO_DOT1P_MAP TC_TO_DSCP_MAP
    TC_TO_PRIORITY_GROUP_MAP TC_TO_QUEUE_MAP TELEMETRY TELEMETRY_CLIENT TUNNEL TWAMP_SESSION VDPU
    VERSIONS VLAN VLAN_INTERFACE VLAN_MEMBER VLAN_STACKING VLAN_SUB_INTERFACE VLAN_TRANSLATION VNET
    VNET_ROUTE VNET_ROUTE_TUNNEL VOQ_INBAND_INTERFACE VRF VRRP VRRP6 VXLAN_EVPN_NVO VXLAN_TUNNEL
    VXLAN_TUNNEL_MAP WARM_RESTART WATERMARK_TABLE WRED_PROFILE XCVRD_LOG ZTP alpm-parity-error
    asic-sdk-health-event bgp-state chk_crm_threshold cpu-usage dhcp-relay-bind-failure
    dhcp-relay-discard dhcp-relay-disparity disk-usage event-disk event-down-ctr event-kernel event-seu
    event-sshd event-stopped-ctr if-state invalid-freelist mem-threshold-exceeded memory-usage
    notification pfc-storm process-exited-unexpectedly process-not-running select-operation-failure
    syncd-failure watchdog-timeout zebra-no-buff
"""
TABLES = frozenset(_TABLES.split())
"""Those of SONiC's models (sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models), and of schema.h
(sonic-net/sonic-swss-common 85a39d8, CFG_*)."""

_OF_BROADCOM = """
    CLASSIFIER_TABLE ECMP_LOADSHARE_TABLE_IPV4 ECMP_LOADSHARE_TABLE_IPV6 HARDWARE HOST_FEATURE
    POLICY_BINDING_TABLE POLICY_SECTIONS_TABLE SWITCH_RESOURCE_TABLE
"""
OF_BROADCOM = frozenset(_OF_BROADCOM.split())
"""Tables of Broadcom's Enterprise SONiC alone, which vendors ship too. Its models, daemons and versions are
its own (dumps of 3.5.0 and 4.0.1 in STORDIS/monsoon 926e4280 src/sonic_exporter/test/ressources)."""

_FIELDS = {
    "BGP_NEIGHBOR": """
    admin_status afi_safi allow_as_count allow_as_in allow_as_origin as_override asn auth_password bfd
    bfd_check_ctrl_plane_failure cap_orf capability_dynamic capability_ext_nexthop conn_retry
    default_rmap disable_ebgp_connected_route_check dont_negotiate_capability ebgp_multihop
    ebgp_multihop_ttl enforce_first_as enforce_multihop filter_list_in filter_list_out holdtime
    keepalive local_addr local_as_no_prepend local_as_replace_as local_asn max_prefix_limit
    max_prefix_restart_interval max_prefix_warning_only max_prefix_warning_threshold min_adv_interval
    name neighbor nexthop_self_force nhopself nhself override_capability passive_mode peer_group_name
    peer_port peer_type prefix_list_in prefix_list_out reference remove_private_as_all
    remove_private_as_enabled replace_private_as route_map_in route_map_out route_server_client rrclient
    send_community send_default_route shutdown_message soft_reconfiguration_in solo_peer
    strict_capability_match ttl_security_hops tx_add_paths unchanged_as_path unchanged_med
    unchanged_nexthop unsuppress_map_name vrf_name weight
    """,
    "BUFFER_PG": """
    pg_num port profile
    """,
    "BUFFER_POOL": """
    mode name percentage size type xoff
    """,
    "BUFFER_PROFILE": """
    dynamic_th headroom_type name packet_discard_action pool size static_th xoff xon xon_offset
    """,
    "BUFFER_QUEUE": """
    asic_name hostname port profile qindex
    """,
    "DEVICE_METADATA": """
    anchor_route_source asic_id asic_name bgp_adv_lo_prefix_as_128 bgp_asn bgp_router_id bmc_addr
    bmc_if_addr bmc_if_name bmc_net_mask buffer_model chassis_hostname cloudtype cluster
    create_only_config_db_buffers default_bgp_status default_pfcwd_status deployment_id dhcp_server
    docker_routing_config_mode downstream_subrole dpu_auto_recovery frr_mgmt_framework_config
    has_sonic_dhcpv4_relay hostname hwsku location_type mac max_cores mgmt_type nexthop_group
    orch_northbond_dash_zmq_enabled peer_switch platform rack_mgmt_map region resource_type
    ring_thread_enabled slice_type storage_device sub_role subtype supporting_bulk_counter_groups
    suppress-fib-pending switch_id switch_type synchronous_mode syslog_counter syslog_with_osversion
    t2_group_asns timezone type use_template_render_for_restore yang_config_validation zebra_nexthop
    """,
    "DEVICE_NEIGHBOR": """
    local_port mgmt_addr name peer_name port type
    """,
    "PFC_WD": """
    POLL_INTERVAL action detection_time ifname pfc_stat_history restoration_time
    """,
    "PORT": """
    admin_status adv_interface_types adv_speeds alias asic_port_name autoneg core_id core_port_id
    description dhcp_rate_limit dom_polling fast_linkup fec index interface_type lanes laser_freq
    link_training macsec mode mtu mux_cable name num_voq pfc_asym role speed subport tpid tx_power
    """,
    "PORTCHANNEL": """
    admin_status description fallback fast_rate lacp_key min_links mode mtu name system_mac tpid
    """,
    "PORT_QOS_MAP": """
    dot1p_to_tc_map dscp_to_fc_map dscp_to_tc_map exp_to_fc_map ifname mpls_tc_to_tc_map pfc_enable
    pfc_to_pg_map pfc_to_queue_map pfcwd_sw_enable scheduler tc_to_dot1p_map tc_to_dscp_map tc_to_pg_map
    tc_to_queue_map
    """,
    "QUEUE": """
    asic_name hostname ifname qindex scheduler wred_profile
    """,
    "SCHEDULER": """
    cbs cir meter_type name pbs pir priority type weight
    """,
    "VLAN": """
    admin_status alias description dhcp_servers dhcpv6_servers mac mtu name vlanid
    """,
    "VLAN_MEMBER": """
    name port tagging_mode
    """,
    "WRED_PROFILE": """
    ecn green_drop_probability green_max_threshold green_min_threshold name red_drop_probability
    red_max_threshold red_min_threshold wred_green_enable wred_red_enable wred_yellow_enable
    yellow_drop_probability yellow_max_threshold yellow_min_threshold
    """,
}
FIELDS = {table: frozenset(names.split()) for table, names in _FIELDS.items()}
"""Fields of those tables that rules read: those of the models, and of the attributes that qosorch takes
(sonic-net/sonic-swss e6b0c5b orchagent/qosorch.cpp, qos_to_attr_map)."""
_SHORT = 4
"""Names of this length or less are too much alike."""
_LONG, _END = 8, 3
"""From which length on a name may lack an end, of how many letters: ``local_addr``, ``local_address``."""


MANY = 10_000
"""Names of a file that are compared with known ones: a hostile file has millions, a switch a few."""


def meant(name: str, known: frozenset[str], present: Collection[str]) -> str:
    """The known name that was meant: one letter too many, too few, wrong or in another place, an end of up to
    three letters more or less, or its words in another order. Empty if there is none, or it is present
    too."""
    if name in known or len(name) <= _SHORT:
        return ""
    return next((one for one in _near(name, known) if one not in present), "")


@lru_cache(maxsize=MANY)
def _near(name: str, known: frozenset[str]) -> tuple[str, ...]:
    words = sorted(name.upper().split("_"))
    alike = (one for one in sorted(known) if abs(len(one) - len(name)) <= _END and len(one) > _SHORT)
    return tuple(one for one in alike if _slip(name, one) or words == sorted(one.split("_")))


def _slip(name: str, known: str) -> bool:
    short, long = sorted((name, known), key=len)
    if long.startswith(short) and len(long) - len(short) <= _END and len(short) >= _LONG:
        return "_" not in long[len(short) :]
    start = 0
    while start < min(len(name), len(known)) and name[start] == known[start]:
        start += 1
    a, b = name[start:], known[start:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    if any(character.isdigit() for character in a + b):  # IPv4 and IPv6
        return False
    return (len(a) <= 1 and len(b) <= 1) or (len(a) == len(b) == 2 and a == b[::-1])
