"""The files of a switch, validated with SONiC's own YANG models."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from netplan.render.switches import laid_out, render_sources, render_switches
from tests.nos_site import nos_site
from tests.sonic_yang import merged, yanglint
from tests.switch_site import Site, inventory, site
from tests.unit.test_switch_plan import onyx_site
from tests.vendors.sites import PORTS

ROUTED = {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None}
FRRCFGD = {"switch_types__leaf__frr_mode": "frrcfgd"}
SPLIT = {"switch_types__leaf__frr_mode": "split"}
IPV6_UPLINKS = {
    "rails__supernets": ["fd00::/48"],
    "rails__prefixes": [64],
    "underlay__uplinks": "fd01::/112",
    "underlay__loopbacks": "fd02::/64",
}
VARIANTS: dict[str, dict[str, Any]] = {
    "frrcfgd": FRRCFGD,
    "frrcfgd, routed hosts": {**ROUTED, **FRRCFGD},
    "frrcfgd, ipv6": {**IPV6_UPLINKS, **FRRCFGD},
    "split": SPLIT,
    "split, routed hosts": {**ROUTED, **SPLIT},
    "ipv6 uplinks": IPV6_UPLINKS,
    "traditional": {},
    "dynamic": {"switch_types__leaf__buffer_model": "dynamic"},
    "routed hosts": ROUTED,
    "pcp": {"fabric__qos__trust": "pcp"},
    "ipv6": {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]},
    "broadcom": {"switch_types__leaf__model": "s5232f"},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
}


def tables(planned: Site, switch: str) -> dict[str, Any]:
    files = planned.files(switch)
    return merged(json.loads(files["interfaces.json"]), json.loads(files["roce.json"]))


@pytest.mark.yang
@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_sonics_models_accept_the_files(variant: str, switch: str) -> None:
    planned = site(**VARIANTS[variant])
    assert yanglint(tables(planned, switch)) == []


@pytest.mark.yang
def test_sonics_models_refuse_a_routed_port_in_a_vlan() -> None:
    data = tables(site(), "leaf-1")
    data["VLAN_MEMBER"]["Vlan100|Ethernet64"] = {"tagging_mode": "tagged"}
    assert yanglint(data) != []


def test_every_class_meets_its_queue_and_buffer() -> None:
    data = tables(site(), "leaf-1")
    traffic_class = data["DSCP_TO_TC_MAP"]["ROCE"]["26"]
    queue = data["TC_TO_QUEUE_MAP"]["ROCE"][traffic_class]
    group = data["TC_TO_PRIORITY_GROUP_MAP"]["ROCE"][traffic_class]
    row = data["QUEUE"][f"Ethernet0|{queue}"]
    assert (traffic_class, queue, group) == ("3", "3", "3")
    assert data["SCHEDULER"][row["scheduler"]] == {"type": "DWRR", "weight": "50"}
    assert data["WRED_PROFILE"][row["wred_profile"]]["green_max_threshold"] == "1500000"
    assert data["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] == "3"
    assert data["MAP_PFC_PRIORITY_TO_QUEUE"]["ROCE"]["3"] == "3"


def test_all_code_points_are_mapped() -> None:
    mapped = json.loads(site().files("leaf-1")["roce.json"])["DSCP_TO_TC_MAP"]["ROCE"]
    assert list(mapped) == [str(dscp) for dscp in range(64)]


def test_cnp_queue_is_strict() -> None:
    data = tables(site(), "leaf-1")
    assert data["SCHEDULER"][data["QUEUE"]["Ethernet0|6"]["scheduler"]] == {"type": "STRICT"}


def test_traditional_model_leaves_profiles_to_the_switch() -> None:
    data = tables(site(), "leaf-1")
    assert {"BUFFER_PG", "BUFFER_PROFILE", "BUFFER_POOL"} & data.keys() == set()
    assert (data["CABLE_LENGTH"]["AZURE"]["Ethernet0"], data["CABLE_LENGTH"]["AZURE"]["Ethernet64"]) == (
        "5m",
        "40m",
    )


def test_dynamic_model_asks_for_computed_profiles() -> None:
    data = tables(site(switch_types__leaf__buffer_model="dynamic"), "leaf-1")
    assert data["BUFFER_PG"]["Ethernet0|3"] == {"profile": "NULL"}
    assert data["DEVICE_METADATA"]["localhost"]["buffer_model"] == "dynamic"


@pytest.mark.parametrize(("stated", "written"), [(None, "50"), (100, "100"), (0, "0")])
def test_the_share_of_small_packets_reaches_the_switch(stated: int | None, written: str) -> None:
    leaf = {"nos": "sonic", "model": "sn5600", "buffer_model": "dynamic", "port_mtu": 9216}
    if stated is not None:
        leaf["small_packet_percentage"] = stated
    data = tables(site(switch_types__leaf=leaf), "leaf-1")
    assert data["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"]["small_packet_percentage"] == written


def test_a_list_is_laid_out_by_entry() -> None:
    assert laid_out('[{"op": "remove", "path": "/A/b"}, {"op": "add"},]') == (
        '[\n  {"op": "remove", "path": "/A/b"},\n  {"op": "add"}\n]\n'
    )


def test_broadcom_has_no_pfc_to_priority_group_map() -> None:
    data = tables(site(switch_types__leaf__model="s5232f"), "leaf-1")
    assert "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP" not in data
    assert "pfc_to_pg_map" not in data["PORT_QOS_MAP"]["Ethernet0"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_sonic_values_are_strings_and_the_box_keeps_its_own(variant: str) -> None:
    data = tables(site(**VARIANTS[variant]), "leaf-1")
    values = [value for rows in data.values() for row in rows.values() for value in row.values()]
    values = [one for value in values for one in (value if isinstance(value, list) else [value])]
    fields = {field for rows in data.values() for row in rows.values() for field in row}
    assert {type(value) for value in values} == {str}
    assert fields & {"lanes", "hwsku", "platform", "mac"} == set()


def test_gateway_takes_gratuitous_arp() -> None:
    rows = tables(site(), "leaf-1")["VLAN_INTERFACE"]
    assert rows == {"Vlan100": {"grat_arp": "enabled"}, "Vlan100|172.16.0.1/24": {}}


def test_arp_conf() -> None:
    lines = site().files("leaf-1")["arp.conf"].splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "net.ipv4.neigh.default.base_reachable_time_ms = 60000",
        "net.ipv4.neigh.default.gc_thresh1 = 1024",
        "net.ipv4.neigh.default.gc_thresh2 = 2048",
        "net.ipv4.neigh.default.gc_thresh3 = 4096",
    ]
    assert "not when it expires" in lines[1]


def test_which_files_there_are() -> None:
    planned = site()
    first = ["interfaces.json", "buffers.patch.json", "roce.json"]
    assert list(planned.files("leaf-1")) == [*first, "arp.conf", "README.md"]
    assert list(planned.files("spine-1")) == [*first, "README.md"]
    assert list(site(fabric__qos=None).files("spine-1")) == ["interfaces.json", "README.md"]


def test_readme_shows_the_arithmetic() -> None:
    text = site().files("leaf-1")["README.md"]
    assert "| XOFF headroom at 100 Gb/s over 5 m | 30,720 bytes | enough if the peer stops within 67" in text
    assert "overrun it | row of the SKU's lossless table" in text
    assert "- `pg_lossless_100000_40m_profile`" in text


def parsed_by_frr(text: str, folder: Path) -> tuple[int, str]:
    (folder / "frr.conf").write_text(text)
    vtysh = shutil.which("vtysh") or "vtysh"
    command = [vtysh, "-C", "-f", str(folder / "frr.conf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.frr
def test_frr_takes_the_host_links(tmp_path: Path) -> None:
    text = site(**ROUTED).files("leaf-1")["host-links.conf"]
    assert "  network 172.16.0.0/31" in text
    assert parsed_by_frr(text, tmp_path) == (0, "")


@pytest.mark.frr
@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", ["split", "split, routed hosts", "split, ipv6"])
def test_frr_takes_its_own_configuration(variant: str, switch: str, tmp_path: Path) -> None:
    text = site(**{**VARIANTS, "split, ipv6": {**IPV6_UPLINKS, **SPLIT}}[variant]).files(switch)["bgp.conf"]
    assert parsed_by_frr(text, tmp_path) == (0, "")


SEEN = (
    "- `show interfaces status`: ",
    "- `show interfaces fec status`: ",
    "- `show lldp table`: ",
    "- `show vlan brief`: VLAN 100 ",
    "- `show ip bgp summary`: router identifier 172.31.255.1, local AS 4200000100, 8 neighbours",
    "- `show pfc counters`: Rx and Tx of PFC3 ",
    "- `show priority-group persistent-watermark headroom`: PG3 ",
    "- `show queue watermark unicast`: UC3 ",
    "- `pfcwd show config`: polling interval 200 ms; drop, 200, 2000 ",
    "- `pfcwd show stats -e`: ",
    "- `mmuconfig -l`: `pg_lossless_100000_5m_profile`, `pg_lossless_100000_40m_profile` ",
    "- `ecnconfig -l`: ROCE_Q3 has green_min_threshold 100000, green_max_threshold 1500000, ",
)
"""Commands of sonic-utilities with the output that this leaf must show."""


@pytest.mark.parametrize("line", SEEN)
def test_the_page_says_what_each_command_must_show(line: str) -> None:
    page = site().files("leaf-1")["README.md"]
    assert line in page[page.index("## Verify on the switch") : page.index("## Roll back")]


def test_ipv6_sessions_have_a_command_of_their_own() -> None:
    page = site(**IPV6_UPLINKS).files("leaf-1")["README.md"]
    assert "- `show ipv6 bgp summary`: router identifier 0.0.0.1, local AS 4200000100, 8 neighbours" in page
    assert "show ip bgp summary" not in page


def test_the_way_back_is_a_checkpoint() -> None:
    page = site().files("leaf-1")["README.md"]
    assert page.index("`sudo config checkpoint before-netplan`") < page.index("- `interfaces.json`: ")
    assert (
        "`sudo config rollback before-netplan`, first with `--dry-run`" in page[page.index("## Roll back") :]
    )


def test_the_switch_has_the_map_of_its_ports() -> None:
    rows = tables(site(), "leaf-1")["PORT_QOS_MAP"]
    assert rows["global"] == {"dscp_to_tc_map": rows["Ethernet0"]["dscp_to_tc_map"]}
    assert "global" not in tables(site(fabric__qos__trust="pcp"), "leaf-1")["PORT_QOS_MAP"]


def test_nothing_rendered_switches_the_owner_of_frr() -> None:
    for variant in VARIANTS.values():
        local = tables(site(**variant), "leaf-1")["DEVICE_METADATA"]["localhost"]
        assert local.keys() <= {"bgp_asn", "bgp_router_id", "bgp_adv_lo_prefix_as_128", "buffer_model"}


def test_frrcfgd_has_all_of_bgp_in_its_own_tables() -> None:
    data = tables(site(**{**ROUTED, **FRRCFGD}), "leaf-1")
    assert data["BGP_GLOBALS"]["default"]["local_asn"] == "4200000100"
    networks = list(data["BGP_GLOBALS_AF_NETWORK"])
    assert networks[:2] == ["default|ipv4_unicast|172.31.255.1/32", "default|ipv4_unicast|172.16.0.0/31"]
    assert data["BGP_NEIGHBOR"]["default|172.31.0.1"]["asn"] == "4200000001"
    assert data["BGP_NEIGHBOR_AF"]["default|172.31.0.1|ipv4_unicast"] == {
        "route_map_in": ["ALL"],
        "route_map_out": ["ALL"],
    }
    assert "bgp_asn" not in data["DEVICE_METADATA"]["localhost"], "bgpcfgd's"


@pytest.mark.parametrize(("release", "active"), [("", "up"), ("202505", "up"), ("202411", "true")])
def test_an_ipv6_session_of_frrcfgd_is_activated(release: str, active: str) -> None:
    stated = {"switch_types__leaf__nos_version": release} if release else {}
    planned = site(**IPV6_UPLINKS, **FRRCFGD, **stated)
    rows = tables(planned, "leaf-1")["BGP_NEIGHBOR_AF"]
    assert {row["admin_status"] for row in rows.values()} == {active}
    assert all(key.endswith("|ipv6_unicast") for key in rows)


def test_an_ipv6_loopback_is_announced_as_itself() -> None:
    local = tables(site(**IPV6_UPLINKS), "leaf-1")["DEVICE_METADATA"]["localhost"]
    assert local["bgp_adv_lo_prefix_as_128"] == "true", "else bgpd.main.conf.j2 announces its /64"
    assert "bgp_adv_lo_prefix_as_128" not in tables(site(), "leaf-1")["DEVICE_METADATA"]["localhost"]


def test_bgp_stands_in_one_place() -> None:
    files = site(**{**ROUTED, **SPLIT}).files("leaf-1")
    assert "host-links.conf" not in files
    assert "BGP" not in files["interfaces.json"]
    assert "  network 172.16.0.0/31" in files["bgp.conf"]
    assert "bgp.conf" not in site(**{**ROUTED, **FRRCFGD}).files("leaf-1")


def test_artifacts_name_their_switch() -> None:
    planned = site()
    first = next(render_switches(planned.switches, planned.nos, "test"))
    assert (first.path, first.kind, first.entities) == (
        "switches/leaf-1/interfaces.json",
        "switches",
        ("switches.leaf-1",),
    )


def test_same_input_same_bytes() -> None:
    one, two = site(), site()
    assert list(render_switches(one.switches, one.nos, "x")) == list(
        render_switches(two.switches, two.nos, "x")
    )


def test_json_with_a_key_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"keys twice: \['a'\]"):
        laid_out('{"T": {"a": {}, "a": {},},}')


def test_json_layout() -> None:
    assert laid_out('{"T": {"a": {"x": "1",},},"E": {},}') == '{\n  "T": {\n    "a": {"x": "1"}\n  }\n}\n'


ONYX_ROCE = """\
## leaf-1, site test: RoCE; lines for configuration mode
## The profile sets trust L3, DSCP 24-31 to priority 3, DSCP 48-55 to priority 6, both traffic pools.
lldp
roce lossless
interface ethernet 1/1 traffic-class 0 dcb ets wrr 50
interface ethernet 1/1 traffic-class 3 dcb ets wrr 50
interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 100 maximum-absolute 1500
interface ethernet 1/1 traffic-class 6 dcb ets strict
"""


def test_onyx_roce() -> None:
    assert onyx_site().files("leaf-1")["roce.txt"].startswith(ONYX_ROCE)


def test_onyx_interfaces() -> None:
    lines = onyx_site().files("leaf-1")["interfaces.txt"].splitlines()
    assert lines[1:9] == [
        "ip routing vrf default",
        "vlan 100",
        "exit",
        "vlan 100 name rail0-leaf-1",
        "interface ethernet 1/1 mtu 9216 force",
        "interface ethernet 1/1 switchport mode trunk",
        "interface ethernet 1/1 switchport trunk allowed-vlan add 100",
        "interface ethernet 1/2 mtu 9216 force",
    ]
    assert lines[-3:] == [
        "router bgp 4200000100 vrf default neighbor 172.31.0.15 remote-as 4200000001",
        "router bgp 4200000100 vrf default network 172.31.255.1 /32",
        "router bgp 4200000100 vrf default network 172.16.0.0 /24",
    ]


def test_onyx_arp_age_is_a_comment_only() -> None:
    lines = onyx_site().files("leaf-1")["arp.txt"].splitlines()
    assert "## confirm on the switch: interface vlan 100 ip arp timeout 60" in lines
    assert [line for line in lines if not line.startswith("##")] == []


def test_onyx_readme_says_what_is_not_configured() -> None:
    text = onyx_site().files("leaf-1")["README.md"]
    assert "- **PFC watchdog**: no PFC watchdog command is confirmed on Onyx" in text
    assert "- **ARP ageing time**: `ip arp timeout <seconds>`" in text


@pytest.mark.parametrize("nos", sorted(PORTS))
def test_a_host_more_changes_two_lines_of_the_page(nos: str) -> None:
    """The row with its ports and the row with the sums."""
    port, asic = PORTS[nos]
    pages = []
    for last in (15, 16):
        hosts = {"hosts": f"gpu-[001-0{last}]", "hca": "roce0", "switch": "leaf-1", "cable_m": 5}
        up = {"switches": "leaf-1", "ports": f"{port}[17-20]", "to": "spine-1", "cable_m": 40}
        links = [hosts | {"ports": f"{port}[1-{last}]"}, up | {"to_ports": f"{port}[1-4]"}]
        pages.append(nos_site(nos, port, asic, links=links).files("leaf-1")["README.md"].splitlines())
    changed = [(a, b) for a, b in zip(*pages, strict=True) if a != b]
    assert len(changed) == 2
    assert max(len(line) for line in pages[0] if line.startswith("|")) < 500


def test_the_sources_of_a_nos_stand_once_for_the_site() -> None:
    planned = onyx_site()
    (artifact,) = render_sources(planned.switches, planned.nos, planned.fabric.site)
    assert artifact.path == "switches/README.md"
    assert all(f"- {source}\n" in artifact.text for source in planned.nos["onyx"].sources)
    assert not any(source in planned.files("leaf-1")["README.md"] for source in planned.nos["onyx"].sources)


def test_the_page_begins_with_what_is_to_do_and_ends_with_its_sources() -> None:
    page = onyx_site().files("leaf-1")["README.md"]
    assert [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")] == [
        "To do by hand",
        "What applying disrupts",
        "QoS",
        "Numbers",
        "BGP",
        "VLANs",
        "Ports",
        "Apply",
        "Verify on the switch",
        "Roll back",
        "Sources",
    ]


def test_the_page_has_the_code_points_and_the_probability_that_the_switch_has() -> None:
    """Onyx classifies eight code points at once and has no marking probability."""
    page = onyx_site().files("leaf-1")["README.md"]
    assert "| roce | 26, and all of 24-31 | 3 | yes | weight 50 | 100,000 to 1,500,000 bytes |" in page
    assert "- marking probability: " in page
    page = site().files("leaf-1")["README.md"]
    assert "| roce | 26 | 3 | yes | weight 50 | 100,000 to 1,500,000 bytes, 100 % |" in page


def test_cable_lengths_are_loaded_before_what_makes_buffermgrd_use_them() -> None:
    """Up to 202505, buffermgrd applies a new length only when pfc_enable or the port changes next."""
    files = site().files("leaf-1")
    assert "CABLE_LENGTH" in json.loads(files["interfaces.json"])
    assert "CABLE_LENGTH" not in json.loads(files["roce.json"])
    again = "`sudo config interface shutdown` and `startup` each port with PFC once"
    assert again not in files["README.md"]
    both = {"second": {"dscp": 34, "priority": 4, "lossless": True, "bandwidth_percent": 20}}
    stock = site(fabric__qos__classes=inventory()["fabric"]["qos"]["classes"] | both).files("leaf-1")
    assert "buffers.patch.json" not in stock
    assert again in stock["README.md"]
