"""Junos configuration as ``set`` lines: exact for one of each kind, comments for what no source confirms."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.switch_ports import PortVlans
from tests.nos_site import ECN, ROUTED_HOSTS, STRETCHED, TWO_LOSSLESS, commands, nos_site, with_vlans
from tests.switch_site import Site

NOS = "juniper-junos"
COS = "set class-of-service "
PROFILE = f"{COS}congestion-notification-profile netplan-5m "
VARIANTS: dict[str, dict[str, Any]] = {
    "one lossless": {},
    "two lossless": TWO_LOSSLESS,
    "routed hosts": ROUTED_HOSTS,
    "stretched": STRETCHED,
    "pcp": {"fabric__qos__trust": "pcp"},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
}


def junos(**changes: Any) -> Site:
    return nos_site(NOS, "et-0/0/", "tomahawk5", **changes)


def lines(planned: Site, file: str, switch: str = "leaf-1") -> list[str]:
    return commands(planned.files(switch)[file], "#")


def of(found: list[str], name: str) -> list[str]:
    return [line for line in found if f" {name} " in f"{line} "]


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_line_is_a_set_of_its_own(variant: str, switch: str) -> None:
    files = junos(**VARIANTS[variant]).files(switch)
    found = [line for name, text in files.items() if name != "README.md" for line in text.splitlines()]
    assert [line for line in found if not line.startswith(("set ", "# "))] == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_name_used_is_defined(variant: str) -> None:
    files = junos(**VARIANTS[variant]).files("leaf-1")
    words = [line.split() for line in commands(files.get("roce.txt", ""), "#")]
    defined = {
        "scheduler": {w[3] for w in words if w[2] == "schedulers"},
        "scheduler-map": {w[3] for w in words if w[2] == "scheduler-maps"},
        "congestion-notification-profile": {w[3] for w in words if w[2] == "congestion-notification-profile"},
        "forwarding-class": {w[4] for w in words if w[2] == "forwarding-classes"}
        | {"best-effort", "network-control"},
    }
    used = [
        (key, w[w.index(key) + 1])
        for w in words
        for key in defined
        if key in w[3:] and w[2] in ("interfaces", "scheduler-maps", "classifiers")
    ]
    assert [(key, name) for key, name in used if name not in defined[key]] == []


def test_classes_and_classification() -> None:
    found = lines(junos(**TWO_LOSSLESS), "roce.txt")
    assert [line.removeprefix(COS) for line in found if "forwarding-classes" in line] == [
        "forwarding-classes class netplan-3 queue-num 3 no-loss pfc-priority 3",
        "forwarding-classes class netplan-4 queue-num 4 no-loss pfc-priority 4",
        "forwarding-classes class netplan-6 queue-num 6",
    ]
    classifier = [
        line.removeprefix(f"{COS}classifiers dscp netplan ") for line in found if "code-points" in line
    ]
    assert classifier[1:] == [
        "forwarding-class netplan-3 loss-priority low code-points [ 011010 ]",
        "forwarding-class netplan-4 loss-priority low code-points [ 100010 ]",
        "forwarding-class netplan-6 loss-priority low code-points [ 110000 ]",
    ]
    assert len(classifier[0].split("[")[1].split()) - 1 == 64 - 3


def test_the_tag_decides_where_it_is_trusted() -> None:
    found = lines(junos(fabric__qos__trust="pcp"), "roce.txt")
    assert [line for line in found if " dscp " in line] == []
    classifier = [line.removeprefix(f"{COS}classifiers ieee-802.1 netplan ") for line in found if "[" in line]
    assert classifier == [
        "forwarding-class best-effort loss-priority low code-points [ 000 001 010 100 101 111 ]",
        "forwarding-class netplan-3 loss-priority low code-points [ 011 ]",
        "forwarding-class netplan-6 loss-priority low code-points [ 110 ]",
    ]
    assert f"{PROFILE}input ieee-802.1 code-point 011 pfc mru 9216" in found
    assert of(found, "et-0/0/1")[0] == f"{COS}interfaces et-0/0/1 unit 0 classifiers ieee-802.1 netplan"


def test_pfc_of_a_host_port() -> None:
    found = lines(junos(), "roce.txt")
    assert [line.removeprefix(PROFILE) for line in found if line.startswith(PROFILE)] == [
        "input cable-length 5",
        "input dscp code-point 011010 pfc mru 9216",
        "output ieee-802.1 code-point 011 flow-control-queue 3",
        "pfc-watchdog poll-interval 200",
        "pfc-watchdog detection 1",
        "pfc-watchdog recovery 2000",
        "pfc-watchdog watchdog-action drop",
    ]
    assert of(found, "et-0/0/1") == [
        f"{COS}interfaces et-0/0/1 unit 0 classifiers dscp netplan",
        f"{COS}interfaces et-0/0/1 scheduler-map netplan",
        f"{COS}interfaces et-0/0/1 congestion-notification-profile netplan-5m",
        "set protocols dcbx interface et-0/0/1 priority-flow-control no-auto-negotiation",
    ]
    assert f"{COS}interfaces et-0/0/17 congestion-notification-profile netplan-40m" in found


def test_without_watchdog() -> None:
    assert "pfc-watchdog" not in junos(fabric__qos__pfc_watchdog=None).files("leaf-1")["roce.txt"]


def test_scheduling() -> None:
    found = lines(junos(), "roce.txt")
    assert [line.removeprefix(COS) for line in found if " schedule" in line and "interfaces" not in line] == [
        "schedulers netplan-0 transmit-rate percent 50",
        "scheduler-maps netplan forwarding-class best-effort scheduler netplan-0",
        "schedulers netplan-3 transmit-rate percent 50",
        "scheduler-maps netplan forwarding-class netplan-3 scheduler netplan-3",
        "schedulers netplan-6 priority strict-high",
        "scheduler-maps netplan forwarding-class netplan-6 scheduler netplan-6",
        "schedulers netplan-control priority strict-high",
        "scheduler-maps netplan forwarding-class network-control scheduler netplan-control",
    ]


def test_ecn_without_a_queue_size_is_a_comment() -> None:
    planned = junos()
    text = planned.files("leaf-1")["roce.txt"]
    assert "# confirm on the switch: ECN of queue 3 from 100000 to 1500000 bytes at 100 %" in text
    assert [
        line for line in lines(planned, "roce.txt") if "drop-profile" in line or "explicit-" in line
    ] == []
    assert [(g.feature, g.needed) for g in planned.switch("leaf-1").unconfirmed][-1] == ("ecn", True)


def test_ecn_in_percent_of_a_stated_queue() -> None:
    planned = junos(switch_types__leaf__queue_bytes=2_000_000)
    assert "# ECN in percent of a queue of 2000000 bytes\n" in planned.files("leaf-1")["roce.txt"]
    assert "ecn" not in {gap.feature for gap in planned.switch("leaf-1").unconfirmed}
    found = lines(planned, "roce.txt")
    assert [line.removeprefix(COS) for line in found if "drop-profile" in line or "explicit-" in line] == [
        "drop-profiles netplan-3 interpolate fill-level [ 5 75 ] drop-probability [ 0 100 ]",
        "schedulers netplan-3 drop-profile-map loss-priority any protocol any drop-profile netplan-3",
        "schedulers netplan-3 explicit-congestion-notification",
    ]


SEVENTH = {"fabric__qos__classes__cnp": {"dscp": 56, "priority": 7, "scheduling": "strict"}}


def test_network_control_shares_the_scheduler_of_a_class_in_its_queue() -> None:
    found = lines(junos(**SEVENTH), "roce.txt")
    assert of(found, "netplan-control") == []
    assert f"{COS}scheduler-maps netplan forwarding-class network-control scheduler netplan-7" in found
    assert f"{COS}schedulers netplan-7 priority strict-high" in found


def test_network_control_has_a_scheduler_without_a_strict_class() -> None:
    classes = {"roce": {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 50, "ecn": ECN}}
    found = lines(junos(fabric__qos__classes=classes), "roce.txt")
    assert [line.removeprefix(COS) for line in found if "strict-high" in line] == [
        "schedulers netplan-control priority strict-high"
    ]


def test_gateway_and_trunk() -> None:
    found = lines(junos(), "interfaces.txt")
    assert found[:10] == [
        "set vlans v100 vlan-id 100",
        'set vlans v100 description "rail0-leaf-1"',
        "set vlans v100 l3-interface irb.100",
        "set interfaces irb mtu 9216",
        "set interfaces irb unit 100 family inet mtu 9198",
        "set interfaces irb unit 100 family inet address 172.16.0.1/24",
        "set interfaces et-0/0/1 mtu 9216",
        "set interfaces et-0/0/1 unit 0 family ethernet-switching interface-mode trunk",
        "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v100",
        "set protocols lldp interface et-0/0/1",
    ]


def test_tagged_and_untagged() -> None:
    both = with_vlans(junos(), PortVlans((101,), 100))
    assert of(lines(both, "interfaces.txt"), "et-0/0/1")[1:-1] == [
        "set interfaces et-0/0/1 unit 0 family ethernet-switching interface-mode trunk",
        "set interfaces et-0/0/1 native-vlan-id 100",
        "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v100",
        "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v101",
    ]


def test_untagged() -> None:
    access = with_vlans(junos(), PortVlans((), 100))
    assert of(lines(access, "interfaces.txt"), "et-0/0/1")[1:-1] == [
        "set interfaces et-0/0/1 unit 0 family ethernet-switching interface-mode access",
        "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v100",
    ]


def test_uplink_counts_the_header_in_its_mtu() -> None:
    assert of(lines(junos(), "interfaces.txt"), "et-0/0/17")[:3] == [
        "set interfaces et-0/0/17 mtu 9216",
        "set interfaces et-0/0/17 unit 0 family inet mtu 9198",
        "set interfaces et-0/0/17 unit 0 family inet address 172.31.0.0/31",
    ]


def test_routed_host_link_is_announced() -> None:
    found = lines(junos(**ROUTED_HOSTS), "interfaces.txt")
    assert "set interfaces et-0/0/1 unit 0 family inet address 172.16.0.0/31" in found
    announced = "set policy-options policy-statement netplan-announce term own from route-filter "
    assert f"{announced}172.16.0.0/31 exact" in found


def test_bgp_of_a_spine() -> None:
    found = lines(junos(), "interfaces.txt", "spine-1")
    start = found.index("set routing-options router-id 172.31.255.101")
    policy = "policy-options policy-statement netplan-announce term own"
    assert found[start - 1] == "set interfaces lo0 unit 0 family inet address 172.31.255.101/32"
    assert [line.removeprefix("set ") for line in found[start + 1 : start + 12]] == [
        "routing-options autonomous-system 4200000001",
        f"{policy} from protocol direct",
        f"{policy} from route-filter 172.31.255.101/32 exact",
        f"{policy} then accept",
        "protocols bgp group netplan export netplan-announce",
        "policy-options policy-statement netplan-ecmp then load-balance per-packet",
        "routing-options forwarding-table export netplan-ecmp",
        "protocols bgp group netplan type external",
        "protocols bgp group netplan multipath multiple-as",
        "protocols bgp group netplan neighbor 172.31.0.0 peer-as 4200000100",
        "protocols bgp group netplan neighbor 172.31.0.2 peer-as 4200000100",
    ]


def test_without_underlay_there_is_no_bgp() -> None:
    text = junos(**STRETCHED).files("leaf-1")["interfaces.txt"]
    assert ("bgp" in text, "routing-options" in text) == (False, False)
    assert "set interfaces et-0/0/17 unit 0 family ethernet-switching vlan members v103\n" in text


def test_arp_age_in_minutes() -> None:
    assert lines(junos(fabric__arp={"timeout_seconds": 180}), "arp.txt") == [
        "set system arp aging-timer 3",
        "set interfaces irb gratuitous-arp-reply",
    ]
    assert lines(junos(**STRETCHED), "arp.txt") == ["set system arp aging-timer 1"]


def test_mac_age_in_seconds_of_the_whole_switch() -> None:
    planned = junos(fabric__arp={"timeout_seconds": 60, "mac_timeout_seconds": 1800})
    wanted = "set protocols l2-learning global-mac-table-aging-time 1800"
    assert lines(planned, "arp.txt")[-1] == wanted
    assert planned.switch("leaf-1").arp.mac_seconds == 1800
    assert junos().switch("leaf-1").arp.mac_seconds == 300


DUAL: dict[str, Any] = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}


def test_ipv6_of_vlans_and_its_term_of_the_policy() -> None:
    text = junos(**DUAL).files("leaf-1")["interfaces.txt"]
    policy = "set policy-options policy-statement netplan-announce term own-ipv6"
    for line in (
        "set interfaces irb unit 100 family inet6 mtu 9198",
        "set interfaces irb unit 100 family inet6 address fd00::1/64",
        f"{policy} from family inet6",
        f"{policy} from route-filter fd00::/64 exact",
        f"{policy} then accept",
    ):
        assert text.splitlines().count(line) == 1, line
    assert (
        "# confirm on the switch: set protocols bgp group netplan neighbor 172.31.0.1 family inet6 unicast"
        in text
    )


def test_ipv6_sessions_carry_ipv6_prefixes() -> None:
    text = junos(**DUAL, underlay__uplinks="fd01::/112").files("leaf-1")["interfaces.txt"]
    assert "set interfaces et-0/0/17 unit 0 family inet6 address fd01::/127\n" in text
    assert "\nset protocols bgp group netplan neighbor fd01::1 family inet6 unicast\n" in text
    assert (
        "# confirm on the switch: set protocols bgp group netplan neighbor fd01::1 family inet unicast"
        in text
    )


def test_without_qos_there_is_no_roce_file() -> None:
    assert list(junos(fabric__qos=None).files("leaf-1")) == ["interfaces.txt", "arp.txt", "README.md"]


def test_only_ecn_without_a_queue_size_is_to_be_done_by_hand() -> None:
    leaf = junos().switch("leaf-1")
    assert leaf.missing == ()
    assert [(g.feature, g.needed) for g in leaf.unconfirmed] == [("hash_seed", False), ("ecn", True)]
