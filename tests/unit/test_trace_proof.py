"""Proofs that one line refutes or leaves open: SONiC's QoS chain, NICs, classes, BGP over every cable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import pytest

from netplan.trace import Tabulator, Verdict
from tests.unit.test_trace_faults import (
    LEAF,
    NIC,
    PORTS,
    QOS,
    SPINE,
    Edit,
    Planted,
    drop,
    in_json,
    matrix,
    notes,
    put,
    site,
    swap,
    texts,
    without,
)


def tc_byte(byte: str) -> Edit:
    return lambda text: re.sub(r"(name: NCCL_IB_TC\n +value: )\S+", rf'\g<1>"{byte}"', text)


def without_pfc(text: str) -> str:
    return re.sub(r', "pfc_enable": "3"', "", text)


MTU_36, STORM_36 = '"Ethernet36": {{"mtu": "{}"', '"Ethernet36": {{"action": "{}"'
SWITCHES = ("leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1", "spine-2")
SEVEN = "leaf-1 reaches 172.16.5.0/24 over 7 of 8 cables, 700 of 800 Gb/s: "
QUEUE_36 = 'BUFFER_QUEUE/Ethernet36|3", "value": {{"profile": "{}'
LEAF_QOS, PATCH = QOS.format("leaf-1"), "switches/leaf-1/buffers.patch.json"


PLANTED: Mapping[str, Planted] = {
    "one session of eight": Planted(
        {LEAF: drop("BGP_NEIGHBOR", "172.31.0.5")},
        f"{SEVEN}Ethernet88 to spine-1 is not used: leaf-1 has no BGP neighbour 172.31.0.5, spine-1 ({LEAF})",
        Verdict.NARROW,
    ),
    "one session of eight, the other side": Planted(
        {SPINE: drop("BGP_NEIGHBOR", "172.31.0.4")},
        f"Ethernet88 to spine-1 is not used: spine-1 has no BGP neighbour 172.31.0.4, leaf-1 ({SPINE})",
        Verdict.NARROW,
    ),
    "uplink without address": Planted(
        {LEAF: drop("INTERFACE", "Ethernet88|172.31.0.4/31")},
        f"Ethernet88 to spine-1 is not used: leaf-1 Ethernet88 has no address ({LEAF})",
        Verdict.NARROW,
    ),
    "address twice": Planted(
        {PORTS.format("leaf-2"): swap("172.31.0.66/31", "172.31.0.4/31")},
        "172.31.0.4, spine-1's BGP neighbour, is on leaf-1 Ethernet88 and on leaf-2 Ethernet84",
        Verdict.NARROW,
    ),
    "as of one neighbour": Planted(
        {LEAF: put("BGP_NEIGHBOR", "172.31.0.5", "asn", "4200000009")},
        f"leaf-1 expects AS 4200000009 of spine-1, which is AS 4200000001 ({LEAF})",
        Verdict.NARROW,
    ),
    "a spine without sessions to a leaf": Planted(
        {PORTS.format("spine-2"): without(r'"172\.31\.0\.\d+": .*"leaf-2"')},
        "leaf-1 reaches 172.16.5.0/24 over 4 of 8 cables, 400 of 800 Gb/s: "
        "Ethernet96 to spine-2 is not used: "
        "spine-2 has no BGP neighbour 172.31.0.72, leaf-2",
        Verdict.NARROW,
    ),
    "cabling tables that disagree": Planted(
        {"switches/spine-1/cabling.csv": swap("switch,leaf-1,Ethernet88,", "switch,leaf-1,Ethernet89,")},
        "switches/spine-1/cabling.csv:4 has leaf-1 Ethernet89, 100 Gb/s, 40 m at spine-1 Ethernet8, site",
        Verdict.LOST,
    ),
    "group of another number": Planted(
        {LEAF_QOS: in_json(lambda data: data["TC_TO_PRIORITY_GROUP_MAP"]["ROCE"].__setitem__("3", "0"))},
        f"DSCP 26 waits in priority group 0 of leaf-1 Ethernet0, which sends no PFC: its "
        f"queue stops for 3 ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "received pfc stops another queue": Planted(
        {LEAF_QOS: in_json(lambda data: data["MAP_PFC_PRIORITY_TO_QUEUE"]["ROCE"].__setitem__("3", "4"))},
        f"DSCP 26 lands in queue 3 of leaf-1 Ethernet0, which no PFC frame for 3 stops ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "pfc of a group of another number": Planted(
        {LEAF_QOS: in_json(lambda d: d["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"]["ROCE"].__setitem__("3", "4"))},
        "DSCP 26 waits in priority group 3 of leaf-1 Ethernet0, which sends no PFC: its queue stops for 3",
        Verdict.LOSSY,
    ),
    "no map of one port": Planted(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("tc_to_queue_map"))},
        f"leaf-1 Ethernet36 states no queue for DSCP 26 ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "ecn that never marks": Planted(
        {LEAF_QOS: put("WRED_PROFILE", "ROCE_Q3", "ecn", "ecn_none")},
        f"ECN of queue 3 of leaf-1 Ethernet0 never marks ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "lossy buffer of the queue": Planted(
        {PATCH: swap(QUEUE_36.format("egress_lossless"), QUEUE_36.format("lossy"))},
        f"queue 3 of leaf-1 Ethernet36 has a lossy buffer ({PATCH})",
        Verdict.LOSSY,
    ),
    "headroom for a shorter cable": Planted(
        {LEAF: in_json(lambda data: data["CABLE_LENGTH"]["AZURE"].__setitem__("Ethernet80", "5m"))},
        f"the headroom of leaf-1 Ethernet80 is for 5 m, its cable is 40 m long ({LEAF})",
        Verdict.LOSSY,
    ),
    "watchdog that only reports": Planted(
        {LEAF_QOS: put("PFC_WD", "Ethernet36", "action", "alert")},
        f"the PFC watchdog of leaf-1 Ethernet36 does not end a storm ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "pfc off everywhere": Planted(
        {QOS.format(name): without_pfc for name in SWITCHES},
        f"leaf-1 Ethernet0 states no PFC ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "nic that trusts the vlan tag": Planted(
        {"hosts/nf5468m5/rdma-nic-qos.sh": swap("--trust=dscp", "--trust=pcp")},
        "gpu-001 roce0 trusts pcp, not dscp (hosts/nf5468m5/rdma-nic-qos.sh:42)",
        Verdict.LOSSY,
    ),
    "nic that forces another traffic class": Planted(
        {NIC: swap('apply ens2f0 "5" "106"', 'apply ens2f0 "5" "0"')},
        "gpu-001 roce1 sends traffic class 0, DSCP 0, whatever a pod asks for: its traffic is to have DSCP",
        Verdict.LOSSY,
    ),
    "nic with headroom for a shorter cable": Planted(
        {NIC: swap('apply ens2f0 "5" "106"', 'apply ens2f0 "1" "106"')},
        f"the headroom of gpu-001 roce1 is for 1 m, its cable is 5 m long ({NIC}:129)",
        Verdict.LOSSY,
    ),
    "cnp in the data queue": Planted(
        {LEAF_QOS: in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].__setitem__("48", "3"))},
        f"CNPs, DSCP 48, land in queue 3 of leaf-1 Ethernet0, which PFC stops ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "cnp with best effort": Planted(
        {LEAF_QOS: in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].__setitem__("48", "0"))},
        "CNPs, DSCP 48, land in queue 0 of leaf-1 Ethernet0, which is not strict, unlike on other switches "
        f"({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "cnp queue that waits its turn": Planted(
        {LEAF_QOS: put("SCHEDULER", "ROCE_Q6", "type", "DWRR")},
        "CNPs, DSCP 48, land in queue 6 of leaf-1 Ethernet0, which is not strict, unlike on other switches",
        Verdict.LOSSY,
    ),
    "cnp of no queue": Planted(
        {LEAF_QOS: in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].pop("48"))},
        f"leaf-1 Ethernet0 states no queue for DSCP 48 ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "nic that sends cnps in the data priority": Planted(
        {NIC: swap("--dscp2prio set,48,6", "--dscp2prio set,48,3")},
        f"CNPs, DSCP 48 ({NIC}:115), get priority 3 on gpu-001 roce0, which PFC stops",
        Verdict.LOSSY,
    ),
    "traffic class byte of no class": Planted(
        {"pods/training/pod.yaml": tc_byte("0")},
        "NCCL_IB_TC 0 of training is DSCP 0 (pods/training/pod.yaml:19): the lossless classes of the site "
        "have DSCP 26 (site.json)",
        Verdict.LOSSY,
    ),
    "traffic class byte of the cnp": Planted(
        {"pods/training/pod.yaml": tc_byte("192")},
        "NCCL_IB_TC 192 of training is DSCP 48",
        Verdict.LOSSY,
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_named(name: str) -> None:
    planted = PLANTED[name]
    found = matrix("iei-rocev2", planted.workload, planted.edits)
    assert found.verdict is planted.verdict, texts(found)
    assert any(planted.says in text for text in texts(found)), texts(found)


@dataclass(frozen=True)
class Unstated:
    edits: Mapping[str, Edit]
    says: str


UNSTATED: Mapping[str, Unstated] = {
    "admin state": Unstated(
        {LEAF: in_json(lambda data: data["PORT"]["Ethernet36"].pop("admin_status"))},
        f"the admin state of leaf-1 Ethernet36 is not stated; admin_status up in PORT "
        f"Ethernet36 would prove it ({LEAF})",
    ),
    "group": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("tc_to_pg_map"))},
        "the priority group of DSCP 26 of leaf-1 Ethernet36 is not stated; tc_to_pg_map "
        "in PORT_QOS_MAP Ethernet36",
    ),
    "queue of a pfc frame": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("pfc_to_queue_map"))},
        "which queue a received PFC frame stops of leaf-1 Ethernet36 is not stated; pfc_to_queue_map",
    ),
    "group of a pfc frame": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("pfc_to_pg_map"))},
        "the priority group of PFC priority 3 of leaf-1 Ethernet36 is not stated; pfc_to_pg_map",
    ),
    "buffer of the group": Unstated(
        {LEAF_QOS: drop("DEVICE_METADATA", "localhost")},
        "a lossless buffer of priority group 3 of leaf-1 Ethernet0 is not stated; "
        "buffer_model in DEVICE_METADATA",
    ),
    "buffer of the queue": Unstated(
        {PATCH: without(r"BUFFER_QUEUE/Ethernet36\|3\"")},
        f"a lossless buffer of queue 3 of leaf-1 Ethernet36 is not stated; BUFFER_QUEUE "
        f"Ethernet36 with a lossless "
        f"profile would prove it ({PATCH})",
    ),
    "cable of the headroom": Unstated(
        {LEAF: in_json(lambda data: data["CABLE_LENGTH"]["AZURE"].pop("Ethernet36"))},
        "the cable length that its headroom is for of leaf-1 Ethernet36 is not stated; "
        "CABLE_LENGTH AZURE Ethernet36",
    ),
    "ecn": Unstated(
        {LEAF_QOS: in_json(lambda data: data["QUEUE"]["Ethernet36|3"].pop("wred_profile"))},
        "ECN of queue 3 of leaf-1 Ethernet36 is not stated; wred_profile in QUEUE Ethernet36",
    ),
    "watchdog": Unstated(
        {LEAF_QOS: drop("PFC_WD", "Ethernet36")},
        "a PFC watchdog for priority 3 of leaf-1 Ethernet36 is not stated; "
        "detection_time in PFC_WD Ethernet36",
    ),
    "watchdog of the priority": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("pfcwd_sw_enable"))},
        "a PFC watchdog for priority 3 of leaf-1 Ethernet36 is not stated",
    ),
    "ecn of the nic": Unstated(
        {NIC: without("roce_rp/enable/3")},
        "ECN of priority 3 of gpu-001 roce0 is not stated; roce_np and roce_rp enable would prove it "
        f"({NIC})",
    ),
    "cnps in two files": Unstated(
        {NIC: lambda text: re.sub(r"write 48 (\S+/cnp_dscp)", r"write 46 \1", text)},
        f"the CNPs of gpu-001 roce0 have DSCP 46 ({NIC}:115) and 48 (hosts/nf5468m5/firmware-commands.txt",
    ),
    "pfc in two files": Unstated(
        {PATCH: swap('Ethernet36/pfc_enable", "value": "3"', 'Ethernet36/pfc_enable", "value": "4"')},
        f"PFC of leaf-1 Ethernet36 is for 3 ({LEAF_QOS}) and for 4 ({PATCH})",
    ),
    "traffic class of the pod": Unstated(
        {
            "pods/training/pod.yaml": lambda text: re.sub(
                r" +- name: (NCCL_IB_TC|UCX_IB_TRAFFIC_CLASS)\n +value: .*\n", "", text
            )
        },
        "the traffic class of training is not stated; NCCL_IB_TC or UCX_IB_TRAFFIC_CLASS would prove it "
        "(pods/training/pod.yaml)",
    ),
}


@pytest.mark.parametrize("name", UNSTATED)
def test_what_no_line_states_is_not_proved(name: str) -> None:
    """The message names the place where the line belongs."""
    planted = UNSTATED[name]
    found = matrix("iei-rocev2", "training", planted.edits)
    assert found.verdict is Verdict.UNPROVED, texts(found)
    assert any(planted.says in note for note in notes(found)), notes(found)


LINES: Mapping[str, tuple[str, str, str, str]] = {
    "ip routing": (
        "leaf-4/interfaces.txt",
        r"(ip routing\n)",
        "",
        "routing on leaf-4 is not stated; ip routing would",
    ),
    "routing of onyx": (
        "leaf-1/interfaces.txt",
        r"(ip routing vrf default\n)",
        "",
        "routing on leaf-1 is not stated",
    ),
    "protocol bgp": (
        "leaf-1/interfaces.txt",
        r"(protocol bgp\n)",
        "",
        "BGP on leaf-1 is not stated; protocol bgp would",
    ),
    "feature bgp": (
        "leaf-5/interfaces.txt",
        r"(feature bgp\n)",
        "",
        "BGP on leaf-5 is not stated; feature bgp would",
    ),
    "feature interface-vlan": (
        "leaf-5/interfaces.txt",
        r"(feature interface-vlan\n)",
        "",
        "routing between VLANs on leaf-5 is not stated; feature interface-vlan would",
    ),
    "bgp of nvue": (
        "leaf-2/interfaces.txt",
        r"(nv set vrf default router bgp enable on\n)",
        "",
        "BGP on leaf-2 is not stated; router bgp of the switch, of vrf default and of its address family",
    ),
    "no shutdown": (
        "leaf-5/interfaces.txt",
        r"interface Ethernet1/1\n(?: .*\n)*?(  no shutdown\n)",
        "",
        "the admin state of leaf-5 Ethernet1/1 is not stated; no shutdown under interface Ethernet1/1 would",
    ),
    "no shutdown of a vlan": (
        "leaf-5/interfaces.txt",
        r"interface Vlan104\n(?: .*\n)*?(  no shutdown\n)",
        "",
        "the admin state of leaf-5 VLAN 104 is not stated; no shutdown under interface Vlan104 would",
    ),
    "no shutdown of os10": (
        "leaf-7/interfaces.txt",
        r"interface ethernet1/1/1\n( no shutdown\n)",
        "",
        "the admin state of leaf-7 ethernet1/1/1 is not stated",
    ),
    "equal paths": (
        "leaf-6/interfaces.txt",
        r"(set protocols bgp group netplan multipath multiple-as\n)",
        "",
        "the number of ECMP paths of leaf-6 is not stated; multipath of the BGP group",
    ),
    "balance": (
        "leaf-8/interfaces.txt",
        r"(  balance 4\n)",
        "",
        "the number of ECMP paths of leaf-8 is not stated",
    ),
    "shut": (
        "leaf-4/interfaces.txt",
        r"interface Ethernet1/1\n()",
        "   shutdown\n",
        "leaf-4 Ethernet1/1 is shut down",
    ),
    "disabled": (
        "leaf-6/interfaces.txt",
        r"()set protocols lldp interface et-0/0/1\n",
        "set interfaces et-0/0/1 disable\n",
        "leaf-6 et-0/0/1 is shut down",
    ),
    "vlan shut": (
        "leaf-4/interfaces.txt",
        r"interface Vlan103\n()",
        "   shutdown\n",
        "leaf-4 Vlan103 is shut down",
    ),
    "fewer equal paths": (
        "leaf-4/interfaces.txt",
        r"maximum-paths (4) ecmp 4",
        "2",
        "leaf-4 uses at most 2 of 4 equal paths to",
    ),
    "neighbour not enabled": (
        "leaf-8/interfaces.txt",
        r"(  peer 172.31.1.193 enable\n)",
        "",
        "300 of 400 Gb/s: HundredGigE1/0/17 to spine-1 is not used: leaf-8 has no BGP neighbour",
    ),
    "neighbour of no family": (
        "leaf-5/interfaces.txt",
        r"neighbor 172.31.1.1 remote-as \d+\n    description .*\n(    address-family ipv4 unicast\n)",
        "",
        "Ethernet1/17 to spine-1 is not used: leaf-5 has no BGP neighbour 172.31.1.1",
    ),
    "neighbour shut": (
        "leaf-7/interfaces.txt",
        r" neighbor 172.31.1.129\n(?:  .*\n)*?(  no shutdown\n)",
        "",
        "ethernet1/1/17 to spine-1 is not used: leaf-7 has no BGP neighbour 172.31.1.129",
    ),
}


@cache
def as_rendered() -> frozenset[str]:
    """What is not proved in the multi-vendor fabric as rendered."""
    return frozenset(notes(matrix("multi-vendor", "training", {})))


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_another_nos_is_missed(name: str) -> None:
    path, pattern, new, says = LINES[name]

    def edit(text: str) -> str:
        found = re.search(pattern, text)
        assert found, pattern
        return text[: found.start(1)] + new + text[found.end(1) :]

    found = matrix("multi-vendor", "training", {f"switches/{path}": edit})
    said = notes(found) | set(texts(found))
    assert any(says in text for text in said), sorted(said)
    assert not any(says in text for text in as_rendered())


@pytest.mark.parametrize(
    ("inventory", "path", "old", "new", "says", "line"),
    [
        ("iei-rocev2", LEAF, MTU_36.format(9216), MTU_36.format(1500), "Ethernet36 takes", '"1500"'),
        ("iei-rocev2", LEAF_QOS, STORM_36.format("drop"), STORM_36.format("alert"), "end a storm", "alert"),
        (
            "iei-rocev2",
            SPINE,
            '"Ethernet16": "40m"',
            '"Ethernet16": "5m"',
            "headroom of spine-1 Ethernet16",
            '"Ethernet16": "5m"',
        ),
        (
            "multi-vendor",
            "switches/leaf-6/roce.txt",
            "netplan-40m output ieee-802.1 code-point 011 flow-control-queue 3",
            "netplan-40m output ieee-802.1 code-point 011 flow-control-queue 4",
            "in queue 3 of leaf-6 et-0/0/17",
            "interfaces et-0/0/17 congestion-notification-profile",
        ),
    ],
)  # fmt: skip
def test_the_line_is_named(inventory: str, path: str, old: str, new: str, says: str, line: str) -> None:
    broken = site(inventory, {path: swap(old, new)})
    found = Tabulator(broken).matrix(broken.workloads["training"])
    told = {fault.text for cell in found.cells if cell.fails for fault in cell.faults if says in fault.text}
    assert told
    for text in told:
        place = re.search(rf"\({re.escape(path)}:(\d+)\)", text)
        assert place, text
        assert line in broken.texts[path].split("\n")[int(place[1]) - 1]
