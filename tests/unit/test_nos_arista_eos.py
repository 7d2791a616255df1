"""Arista EOS: the files of a leaf and a spine, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.eos_site import PF, eos_site, lines_of


@pytest.fixture(scope="module")
def leaf() -> dict[str, str]:
    return eos_site().files("leaf-1")


def test_which_files_there_are(leaf: dict[str, str]) -> None:
    assert list(leaf) == ["interfaces.txt", "roce.txt", "arp.txt", "README.md"]
    assert list(eos_site().files("spine-1")) == ["interfaces.txt", "roce.txt", "README.md"]
    assert list(eos_site(fabric__qos=None).files("spine-1")) == ["interfaces.txt", "README.md"]


BEST_EFFORT = " ".join(str(dscp) for dscp in range(64) if dscp not in (26, 48))
THRESHOLDS = "minimum-threshold 100000 bytes maximum-threshold 1500000 bytes"
ROCE = f"""\
! leaf-1, site test: RoCE; lines for configuration mode
! Every code point is mapped, whatever the switch was shipped with.
qos map dscp {BEST_EFFORT} to traffic-class 0
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
qos map traffic-class 0 to tx-queue 0
qos map traffic-class 3 to tx-queue 3
qos map traffic-class 6 to tx-queue 6
! A marking queue may drop packets without ECT. confirm on the switch: qos random-detect ecn allow non-ect
!
priority-flow-control pause watchdog default timeout 0.2
priority-flow-control pause watchdog default recovery-time 2
priority-flow-control pause watchdog default polling-interval 0.1
priority-flow-control pause watchdog action drop
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control pause watchdog
   !
   uc-tx-queue 0
      no priority
      bandwidth percent 50
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 50
      random-detect ecn {THRESHOLDS} max-mark-probability 100
   !
   uc-tx-queue 6
      priority strict
!
interface Ethernet1/1
   no dcbx mode
   service-profile ROCE
!
interface Ethernet2/1
   no dcbx mode
   service-profile ROCE
"""


def test_roce(leaf: dict[str, str]) -> None:
    assert leaf["roce.txt"].startswith(ROCE)


def test_a_spine_has_the_same_qos(leaf: dict[str, str]) -> None:
    def policy(text: str) -> str:
        return text.split("\n", 1)[1].split("interface", 1)[0]

    assert policy(eos_site().files("spine-1")["roce.txt"]) == policy(leaf["roce.txt"])


def test_the_profile_is_on_every_port_of_the_fabric() -> None:
    planned = eos_site()
    attached = [
        s for s, line in lines_of(planned.files("leaf-1")["roce.txt"]) if line == "service-profile ROCE"
    ]
    assert sorted(attached) == sorted(f"interface {p.name}" for p in planned.switch("leaf-1").ports)


def test_dcbx_is_off_on_lossless_ports_only() -> None:
    """With DCBX, a peer could change PFC."""
    planned = eos_site()
    off = [s for s, line in lines_of(planned.files("leaf-1")["roce.txt"]) if line == "no dcbx mode"]
    assert sorted(off) == sorted(f"interface {p.name}" for p in planned.switch("leaf-1").lossless_ports)
    lossy = {"roce": {"dscp": 26, "priority": 3, "bandwidth_percent": 50}}
    assert "dcbx" not in eos_site(fabric__qos__classes=lossy).files("leaf-1")["roce.txt"]


def test_ipv6_alone_leaves_nothing_to_confirm() -> None:
    only: dict[str, Any] = {
        "rails__supernets": ["fd00::/48"],
        "rails__prefixes": [64],
        "underlay__uplinks": "fd01::/112",
    }
    planned = eos_site(**only, underlay__loopbacks="fd02::/64")
    assert [gap.feature for gap in planned.switch("leaf-1").unconfirmed] == ["hash_seed"]


def test_two_lossless_classes() -> None:
    second = {"dscp": 34, "priority": 4, "lossless": True, "bandwidth_percent": 20}
    lines = lines_of(eos_site(fabric__qos__classes__storage=second).files("leaf-1")["roce.txt"])
    assert ("qos profile ROCE", "priority-flow-control priority 3 no-drop") in lines
    assert ("qos profile ROCE", "priority-flow-control priority 4 no-drop") in lines
    assert ("qos profile ROCE / uc-tx-queue 4", "bandwidth percent 20") in lines
    assert ("", "qos map dscp 34 to traffic-class 4") in lines


def test_pcp_trust() -> None:
    lines = lines_of(eos_site(fabric__qos__trust="pcp").files("leaf-1")["roce.txt"])
    assert ("qos profile ROCE", "qos trust cos") in lines
    assert {line for _, line in lines if line.startswith(("qos map cos", "qos map dscp"))} == {
        "qos map cos 0 1 2 4 5 7 to traffic-class 0",
        "qos map cos 3 to traffic-class 3",
        "qos map cos 6 to traffic-class 6",
    }


def test_without_a_watchdog() -> None:
    planned = eos_site(fabric__qos__pfc_watchdog=None)
    assert "watchdog" not in planned.files("leaf-1")["roce.txt"]
    assert [gap.feature for gap in planned.switch("leaf-1").unconfirmed] == ["hash_seed"]


def test_watchdog_times_are_in_steps_of_a_hundredth_of_a_second() -> None:
    times = {"poll_ms": 101, "detection_ms": 255, "restoration_ms": 1500}
    text = eos_site(fabric__qos__pfc_watchdog=times).files("leaf-1")["roce.txt"]
    assert "default timeout 0.26\n" in text
    assert "default recovery-time 1.5\n" in text
    assert "default polling-interval 0.11\n" in text


def test_jericho_has_plain_queues() -> None:
    jericho = {
        "asic": "jericho2",
        "ports": 48,
        "speeds_gbps": [100, 400],
        "host_table": 65536,
        "source": "test",
    }
    text = eos_site(models={"7800r3": jericho}, model="7800r3").files("leaf-1")["roce.txt"]
    assert "   tx-queue 3\n" in text
    assert "uc-tx-queue" not in text


def test_a_trunk_carries_just_its_vlans(leaf: dict[str, str]) -> None:
    port = [line for section, line in lines_of(leaf["interfaces.txt"]) if section == "interface Ethernet1/1"]
    assert port == [
        "description gpu-001 roce0",
        "mtu 9214",
        "switchport",
        "switchport trunk allowed vlan 100",
        "switchport mode trunk",
    ]


@pytest.mark.parametrize(
    ("tagged", "expected"),
    [
        (False, ["switchport", "switchport access vlan 100", "switchport mode access"]),
        (
            True,
            [
                "switchport",
                "switchport trunk native vlan 100",
                "switchport trunk allowed vlan 100,200",
                "switchport mode trunk",
            ],
        ),
    ],
)
def test_untagged_vlans(tagged: bool, expected: list[str]) -> None:
    vlans = {("leaf-1", "Ethernet1/1"): ((200,) if tagged else (), 100)}
    lines = lines_of(eos_site(port_vlans=vlans).files("leaf-1")["interfaces.txt"])
    assert [line for section, line in lines if section == "interface Ethernet1/1"][2:] == expected


def test_vlan_and_its_interface(leaf: dict[str, str]) -> None:
    lines = lines_of(leaf["interfaces.txt"])
    assert ("vlan 100", "name rail0-leaf-1") in lines
    assert [line for section, line in lines if section == "interface Vlan100"] == [
        "mtu 9214",
        "ip address 172.16.0.1/24",
    ]


def test_an_uplink_is_routed(leaf: dict[str, str]) -> None:
    lines = lines_of(leaf["interfaces.txt"])
    assert [line for section, line in lines if section == "interface Ethernet17/1"] == [
        "description spine-1 Ethernet1/1",
        "mtu 9214",
        "no switchport",
        "ip address 172.31.0.0/31",
    ]


BGP = """\
router bgp 4200000100
   router-id 172.31.255.1
   maximum-paths 2 ecmp 2
   neighbor 172.31.0.1 remote-as 4200000001
   neighbor 172.31.0.1 description spine-1
   neighbor 172.31.0.3 remote-as 4200000001
   neighbor 172.31.0.3 description spine-2
   !
   address-family ipv4
      neighbor 172.31.0.1 activate
      neighbor 172.31.0.3 activate
      network 172.31.255.1/32
      network 172.16.0.0/24
"""


def test_loopback_and_bgp(leaf: dict[str, str]) -> None:
    seed = "! confirm on the switch: ECMP hash seed 10, which differs from that of the other tier\n"
    loopback = "interface Loopback0\n   ip address 172.31.255.1/32\n"
    assert leaf["interfaces.txt"].endswith(f"{loopback}{seed}!\n{BGP}")


def test_routed_host_links_are_announced() -> None:
    routed: dict[str, Any] = {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None}
    lines = lines_of(eos_site(**routed).files("leaf-1")["interfaces.txt"])
    assert ("interface Ethernet1/1", "no switchport") in lines
    assert ("interface Ethernet1/1", "ip address 172.16.0.0/31") in lines
    assert ("router bgp 4200000100 / address-family ipv4", "network 172.16.0.0/31") in lines
    assert [line for _, line in lines if line.startswith("vlan")] == []


DUAL: dict[str, Any] = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}


def test_ipv6_is_announced_but_its_activation_over_ipv4_is_a_comment() -> None:
    planned = eos_site(**DUAL)
    text = planned.files("leaf-1")["interfaces.txt"]
    assert text.endswith("""\
   address-family ipv6
      ! confirm on the switch: neighbor 172.31.0.1 activate
      ! confirm on the switch: neighbor 172.31.0.3 activate
      network fd00::/64
""")
    assert ("", "ipv6 unicast-routing") in lines_of(text)
    unconfirmed = [gap.feature for gap in planned.switch("leaf-1").unconfirmed]
    assert unconfirmed == ["cross_family", "hash_seed"]


def test_without_an_underlay_there_is_no_routing() -> None:
    planned = eos_site(underlay=None, rails__segment="stretched", rails__gateway="none")
    text = planned.files("leaf-1")["interfaces.txt"]
    assert {"ip routing", "router bgp", "Loopback0"} & set(text.splitlines()) == set()
    assert "   switchport trunk allowed vlan 100,101\n" in text


ARP = """\
! leaf-1, site test: neighbour ageing; lines for configuration mode
arp aging timeout default 60
!
interface Vlan100
   arp gratuitous accept
"""


def test_arp(leaf: dict[str, str]) -> None:
    assert leaf["arp.txt"] == ARP


def test_mac_age_and_ipv6_neighbours() -> None:
    arp = {"timeout_seconds": 60, "mac_timeout_seconds": 900}
    lines = lines_of(eos_site(fabric__arp=arp, **DUAL).files("leaf-1")["arp.txt"])
    assert ("", "mac address-table aging-time 900") in lines
    assert ("interface Vlan100", "ipv6 nd cache expire 60") in lines


def test_no_qos_leaves_ports_without_a_profile() -> None:
    files = eos_site(fabric__qos=None).files("leaf-1")
    assert list(files) == ["interfaces.txt", "arp.txt", "README.md"]
    assert "## QoS" not in files["README.md"]


def test_a_front_end_port_has_no_profile() -> None:
    front = {"roce[0-1]": {**PF, "use": "front-end", "vfs": 0}}
    lines = lines_of(eos_site(host_types__gpu__hcas=front, networks={}).files("leaf-1")["roce.txt"])
    assert ("interface Ethernet1/1", "service-profile ROCE") not in lines
    assert ("interface Ethernet17/1", "service-profile ROCE") in lines


VARIANTS: dict[str, dict[str, Any]] = {"base": {}, "ipv6": DUAL, "no qos": {"fabric__qos": None}}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
def test_the_tree_is_one_that_eos_prints(variant: str, switch: str) -> None:
    """Indented by three blanks per level, one level at a time, and only below a line that opens a mode."""
    files = eos_site(**VARIANTS[variant]).files(switch)
    depth, opened = 0, ""
    for line in "".join(files[name] for name in files if name.endswith(".txt")).splitlines():
        text = line.lstrip(" ")
        if text.startswith("!"):
            continue
        steps, odd = divmod(len(line) - len(text), 3)
        assert odd == 0, line
        assert steps <= depth + 1, line
        assert steps <= depth or opened.startswith(OPENERS), line
        depth, opened = steps, text


OPENERS = ("interface ", "vlan ", "router bgp ", "address-family ", "qos profile ", "uc-tx-queue ")


def test_what_is_missing_and_what_is_a_comment() -> None:
    leaf = eos_site().switch("leaf-1")
    assert [(gap.feature, gap.needed) for gap in leaf.missing] == [("headroom", False)]
    assert [gap.feature for gap in leaf.unconfirmed] == ["hash_seed"]


def test_unconfirmed_commands_are_comments_only(leaf: dict[str, str]) -> None:
    commands = [line for name in leaf if name.endswith(".txt") for _, line in lines_of(leaf[name])]
    unconfirmed = (
        "bandwidth guaranteed",
        "qos random-detect",
        "platform",
        "ip hardware",
        "load-balance",
    )
    assert [line for line in commands if line.startswith(unconfirmed)] == []


def test_readme(leaf: dict[str, str]) -> None:
    text = leaf["README.md"]
    assert "PFC watchdog: poll 100 ms, detection 200 ms, restoration 2,000 ms." in text
    assert "give the queue `bandwidth guaranteed percent 1`" in text
    assert "verified: none" in text
    assert "`interfaces.txt`, `roce.txt`, `arp.txt`." in text
