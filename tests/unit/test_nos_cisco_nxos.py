"""NX-OS configuration: three policies with one index, exact lines, comments for what is unconfirmed."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.switch_ports import PortVlans
from tests.nos_site import ECN, ROUTED_HOSTS, STRETCHED, TWO_LOSSLESS, commands, context, nos_site, with_vlans
from tests.switch_site import Site

NQ, OUT = "class type network-qos c-8q-", "class type queuing c-out-8q-"
IPV6 = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}
NO_STRICT: dict[str, Any] = {
    "fabric__qos__classes": {
        "roce": {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 60, "ecn": ECN}
    }
}
VARIANTS: dict[str, dict[str, Any]] = {
    "one lossless": {},
    "two lossless": TWO_LOSSLESS,
    "no strict": NO_STRICT,
    "pcp": {"fabric__qos__trust": "pcp"},
    "routed hosts": ROUTED_HOSTS,
    "stretched": STRETCHED,
    "ipv6": IPV6,
    "mac age": {"fabric__arp": {"timeout_seconds": 60, "mac_timeout_seconds": 300}},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
}
WITH_QOS = [name for name in VARIANTS if name != "no QoS"]
OPENERS = (
    "class",
    "policy-map",
    "interface ",
    "router bgp ",
    "address-family ",
    "neighbor ",
    "vlan ",
    "system qos",
)
"""First words of the lines that open a context."""


def nxos(**changes: Any) -> Site:
    return nos_site("cisco-nxos", "Ethernet1/", "cloud-scale", **changes)


def roce(**changes: Any) -> str:
    return nxos(**changes).files("leaf-1")["roce.txt"]


def numbers(lines: list[str], start: str) -> set[str]:
    """The rest of the lines that begin with ``start``."""
    return {line.removeprefix(start) for line in lines if line.startswith(start)}


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_line_is_in_a_context_that_is_open(variant: str, switch: str) -> None:
    files = nxos(**VARIANTS[variant]).files(switch)
    for text in (text for name, text in files.items() if name != "README.md"):
        opened: list[str] = []
        for line in (line for line in text.splitlines() if not line.lstrip().startswith("!")):
            depth, odd = divmod(len(line) - len(line.lstrip()), 2)
            assert (odd, depth <= len(opened), line.rstrip()) == (0, True, line)
            assert all(above.startswith(OPENERS) for above in opened[:depth])
            opened = [*opened[:depth], line.lstrip()]


@pytest.mark.parametrize("variant", WITH_QOS)
def test_the_three_policies_carry_one_index(variant: str) -> None:
    text = roce(**VARIANTS[variant])
    classified = numbers(context(text, "policy-map type qos NETPLAN-CLASSIFY"), "set qos-group ")
    network = context(text, "policy-map type network-qos NETPLAN-NETWORK")
    out = {number: context(text, f"{OUT}q{number}") for number in "1234567"}
    used = {number for number, lines in out.items() if lines != ["bandwidth remaining percent 0"]}
    assert numbers(network, f"{NQ}nq") == {"-default", *classified}
    assert used == classified | ({"7"} if "6" in classified else set())


@pytest.mark.parametrize("variant", WITH_QOS)
def test_a_lossless_class_pauses_its_own_cos(variant: str) -> None:
    text = roce(**VARIANTS[variant])
    lossless = "34" if variant == "two lossless" else "3"
    network = context(text, "policy-map type network-qos NETPLAN-NETWORK")
    assert numbers(network, "pause pfc-cos ") == set(lossless)
    assert [context(text, f"{NQ}nq{number}") for number in lossless] == [
        ["mtu 9216", f"pause pfc-cos {number}"] for number in lossless
    ]


@pytest.mark.parametrize("variant", WITH_QOS)
def test_weights_are_100(variant: str) -> None:
    queuing = context(roce(**VARIANTS[variant]), "policy-map type queuing NETPLAN-OUT")
    weights = [line.split()[-1] for line in queuing if line.startswith("bandwidth remaining percent ")]
    assert sum(map(int, weights)) == 100


ROCE = """\
class-map type qos match-any NETPLAN-ROCE
  match dscp 26
class-map type qos match-any NETPLAN-CNP
  match dscp 48
policy-map type qos NETPLAN-CLASSIFY
  class NETPLAN-ROCE
    set qos-group 3
  class NETPLAN-CNP
    set qos-group 6
policy-map type network-qos NETPLAN-NETWORK
  class type network-qos c-8q-nq-default
    mtu 9216
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
  class type network-qos c-8q-nq6
    mtu 9216
! Priority queues have to be the highest and next to each other: one that no class uses only closes the gap.
policy-map type queuing NETPLAN-OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q6
    priority level 2
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    random-detect minimum-threshold 100000 bytes maximum-threshold 1500000 bytes \
drop-probability 100 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
  class type queuing c-out-8q-q5
    bandwidth remaining percent 0
  class type queuing c-out-8q-q4
    bandwidth remaining percent 0
  class type queuing c-out-8q-q2
    bandwidth remaining percent 0
  class type queuing c-out-8q-q1
    bandwidth remaining percent 0
system qos
  service-policy type network-qos NETPLAN-NETWORK
  service-policy type queuing output NETPLAN-OUT
! The multipliers count polls of 100 ms.
priority-flow-control watch-dog-interval on
priority-flow-control watch-dog shutdown-multiplier 2
priority-flow-control auto-restore multiplier 20
interface Ethernet1/1
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input NETPLAN-CLASSIFY
interface Ethernet1/2
"""


def test_roce() -> None:
    assert ROCE in roce()


def test_without_a_strict_class_no_queue_is_strict() -> None:
    assert "riority level" not in roce(**NO_STRICT)
    assert "Priority queues" not in roce(**NO_STRICT)


def test_two_lossless_classes() -> None:
    text = roce(**TWO_LOSSLESS)
    assert context(text, "class NETPLAN-STORE") == ["set qos-group 4"]
    assert context(text, f"{OUT}q4")[0] == "bandwidth remaining percent 20"


def test_pcp_trust() -> None:
    text = roce(fabric__qos__trust="pcp")
    assert context(text, "class-map type qos match-any NETPLAN-ROCE") == ["match cos 3"]
    assert "dscp" not in text


def test_watchdog_multipliers_count_polls_of_100_ms() -> None:
    """NX-OS keeps its own polling interval, whatever the inventory states."""
    times = {"poll_ms": 400, "detection_ms": 450, "restoration_ms": 1000}
    found = commands(roce(fabric__qos__pfc_watchdog=times), "!")
    assert [line for line in found if line.endswith(("r 5", "r 10", "interval 100", "interval 400"))] == [
        "priority-flow-control watch-dog shutdown-multiplier 5",
        "priority-flow-control auto-restore multiplier 10",
    ]


def test_no_watchdog() -> None:
    text = roce(fabric__qos__pfc_watchdog=None)
    assert "watch-dog" not in text
    assert context(text, "interface Ethernet1/1") == [
        "priority-flow-control mode on",
        "service-policy type qos input NETPLAN-CLASSIFY",
    ]


def test_mtu_stands_in_both_places() -> None:
    files = nxos(switch_types__leaf__port_mtu=9100).files("leaf-1")
    assert "mtu 9100" in context(files["interfaces.txt"], "interface Ethernet1/1")
    assert context(files["roce.txt"], f"{NQ}nq-default") == ["mtu 9100"]
    assert "9216" not in files["interfaces.txt"] + files["roce.txt"]


@pytest.mark.parametrize(
    ("vlans", "expected"),
    [
        (PortVlans((100,), None), ["switchport mode trunk", "switchport trunk allowed vlan 100"]),
        (
            PortVlans((100, 200), 300),
            [
                "switchport mode trunk",
                "switchport trunk native vlan 300",
                "switchport trunk allowed vlan 100,200,300",
            ],
        ),
        (PortVlans((), 100), ["switchport mode access", "switchport access vlan 100"]),
    ],
)
def test_vlans_of_a_port(vlans: PortVlans, expected: list[str]) -> None:
    text = with_vlans(nxos(), vlans).files("leaf-1")["interfaces.txt"]
    assert context(text, "interface Ethernet1/1") == [
        "description gpu-001 roce0",
        "switchport",
        *expected,
        "mtu 9216",
        "no shutdown",
    ]


def test_uplink() -> None:
    text = nxos().files("leaf-1")["interfaces.txt"]
    assert context(text, "interface Ethernet1/17") == [
        "description spine-1 Ethernet1/1",
        "no switchport",
        "mtu 9216",
        "ip address 172.31.0.0/31",
        "no shutdown",
    ]


def test_vlan_gateway_and_loopback() -> None:
    text = nxos().files("leaf-1")["interfaces.txt"]
    assert context(text, "vlan 100") == ["name rail0-leaf-1"]
    assert context(text, "interface Vlan100") == ["mtu 9216", "ip address 172.16.0.1/24", "no shutdown"]
    assert context(text, "interface loopback0") == ["ip address 172.31.255.1/32"]


def test_bgp() -> None:
    text = nxos().files("leaf-1")["interfaces.txt"]
    assert context(text, "router bgp 4200000100")[:8] == [
        "router-id 172.31.255.1",
        "address-family ipv4 unicast",
        "network 172.31.255.1/32",
        "network 172.16.0.0/24",
        "maximum-paths 64",
        "neighbor 172.31.0.1 remote-as 4200000001",
        "description spine-1",
        "address-family ipv4 unicast",
    ]


@pytest.mark.parametrize(
    ("changes", "switch", "features"),
    [
        ({}, "leaf-1", ["lldp", "interface-vlan", "bgp"]),
        ({}, "spine-1", ["lldp", "bgp"]),
        (ROUTED_HOSTS, "leaf-1", ["lldp", "bgp"]),
        (STRETCHED, "leaf-1", ["lldp"]),
    ],
)
def test_features_that_are_needed(changes: dict[str, Any], switch: str, features: list[str]) -> None:
    found = commands(nxos(**changes).files(switch)["interfaces.txt"], "!")
    assert [line for line in found if line.startswith("feature")] == [f"feature {name}" for name in features]


def test_routed_hosts() -> None:
    files = nxos(**ROUTED_HOSTS).files("leaf-1")
    assert "ip address 172.16.0.0/31" in context(files["interfaces.txt"], "interface Ethernet1/1")
    assert "network 172.16.0.0/31" in context(files["interfaces.txt"], "address-family ipv4 unicast")
    assert context(files["arp.txt"], "interface Ethernet1/1") == ["ip arp timeout 60"]


def test_ipv6_over_an_ipv4_session_is_a_comment_only() -> None:
    bgp = context(nxos(**IPV6).files("leaf-1")["interfaces.txt"], "router bgp 4200000100")
    assert bgp.count("address-family ipv6 unicast") == 1
    assert "! confirm on the switch, under neighbor 172.31.0.1: address-family ipv6 unicast" in bgp


def test_arp() -> None:
    text = nxos().files("leaf-1")["arp.txt"]
    assert context(text, "interface Vlan100") == ["ip arp timeout 60", "ip arp gratuitous update"]
    assert context(text, "interface Ethernet1/17") == ["ip arp timeout 60"]


def test_mac_age() -> None:
    planned = nxos(**VARIANTS["mac age"])
    assert commands(planned.files("leaf-1")["arp.txt"], "!")[0] == "mac address-table aging-time 300"
    assert planned.switch("leaf-1").arp.mac_seconds == 300
    assert nxos().switch("leaf-1").arp.mac_seconds == 1800  # the default


def test_bridged_ports_have_the_jumbo_mtu_of_the_system() -> None:
    """A layer 2 port accepts only the default MTU or this one."""
    text = nxos(switch_types__leaf__port_mtu=9100).files("leaf-1")["interfaces.txt"]
    lines = commands(text, "!")
    assert lines.count("system jumbomtu 9100") == 1
    assert lines.index("system jumbomtu 9100") < lines.index("interface Ethernet1/1")


@pytest.mark.parametrize(
    ("changes", "switch"),
    [({}, "spine-1"), (ROUTED_HOSTS, "leaf-1"), ({"switch_types__leaf__port_mtu": 1500}, "leaf-1")],
)
def test_without_jumbo_frames_on_bridged_ports_the_system_mtu_stays(
    changes: dict[str, Any], switch: str
) -> None:
    assert "jumbomtu" not in nxos(**changes).files(switch)["interfaces.txt"]


def test_which_files_there_are() -> None:
    assert list(nxos().files("leaf-1")) == ["interfaces.txt", "roce.txt", "arp.txt", "README.md"]
    assert list(nxos().files("spine-1")) == ["interfaces.txt", "roce.txt", "README.md"]
    assert list(nxos(fabric__qos=None).files("spine-1")) == ["interfaces.txt", "README.md"]


def test_readme_says_what_is_not_configured() -> None:
    text = nxos().files("leaf-1")["README.md"]
    assert "- headroom by cable length: NX-OS sizes the headroom of cables up to 100 m itself;" in text
    assert "- PFC watchdog: polls every 100 ms, as shipped" in text
    assert "PFC watchdog: poll 100 ms, detection 200 ms, restoration 2,000 ms." in text
