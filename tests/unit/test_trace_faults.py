"""Faults planted into rendered files: each is found, and named by its hop and file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from netplan.model.artifact import Artifact
from netplan.reading.switches import read_switch
from netplan.trace import Matrix, Site, Tabulator, Verdict, trace_lines, walks_between
from tests.inventories import compiled

Edit = Callable[[str], str]

PLUGIN = "kubernetes/40-device-plugins/device-plugin/sriov-device-plugin.yaml"
NAD = "kubernetes/30-networks/network-attachments/training/rail.yaml"
NIC = "hosts/nf5468m5/rdma-nic-qos.sh"
PORTS, QOS = "switches/{}/interfaces.json", "switches/{}/roce.json"
CARD = '"rootDevices": [\n              '
SCRIPT = "pods/large-model/rail-routes.sh"


@cache
def rendered(inventory: str) -> tuple[Artifact, ...]:
    result = compiled(inventory)
    assert result.artifacts
    return result.artifacts


def site(inventory: str, edits: Mapping[str, Edit]) -> Site:
    paths = {artifact.path for artifact in rendered(inventory)}
    assert edits.keys() <= paths
    artifacts = []
    for artifact in rendered(inventory):
        if artifact.path in edits:
            changed = edits[artifact.path](artifact.text)
            assert changed != artifact.text, "the fault was not planted"
            artifact = replace(artifact, text=changed)
        artifacts.append(artifact)
    return Site(artifacts, read_switch)


def matrix(inventory: str, workload: str, edits: Mapping[str, Edit]) -> Matrix:
    broken = site(inventory, edits)
    return Tabulator(broken).matrix(broken.workloads[workload])


def texts(found: Matrix) -> list[str]:
    """What made it fail, the first of each kind of message."""
    return list(dict.fromkeys(fault.text for cell in found.cells if cell.fails for fault in cell.faults))


def swap(old: str, new: str, count: int = -1) -> Edit:
    return lambda text: text.replace(old, new, count)


def without(pattern: str) -> Edit:
    """Without the lines that match."""
    return lambda text: "".join(
        line for line in text.splitlines(keepends=True) if not re.search(pattern, line)
    )


def in_json(change: Callable[[Any], None]) -> Edit:
    def edit(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data, indent=2) + "\n"

    return edit


def drop(table: str, *keys: str) -> Edit:
    def change(data: Any) -> None:
        for key in keys:
            del data[table][key]

    return in_json(change)


def put(table: str, key: str, field: str, value: str) -> Edit:
    return in_json(lambda data: data[table][key].__setitem__(field, value))


@dataclass(frozen=True)
class Planted:
    edits: Mapping[str, Edit]
    says: str
    verdict: Verdict
    workload: str = "training"


def tc_byte(byte: str) -> Edit:
    return lambda text: re.sub(r"(name: NCCL_IB_TC\n +value: )\S+", rf'\g<1>"{byte}"', text)


def without_pfc(text: str) -> str:
    return re.sub(r', "pfc_enable": "3"', "", text)


SWITCHES = ("leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1", "spine-2")
SEVEN = "leaf-1 reaches 172.16.5.0/24 over 7 of 8 cables, 700 of 800 Gb/s: "
QUEUE_36 = 'BUFFER_QUEUE/Ethernet36|3", "value": {{"profile": "{}'
LEAF_QOS, PATCH = QOS.format("leaf-1"), "switches/leaf-1/buffers.patch.json"
LEAF, SPINE = PORTS.format("leaf-1"), PORTS.format("spine-1")
PLANTED: Mapping[str, Planted] = {
    "vlan deleted": Planted(
        {LEAF: drop("VLAN", "Vlan100")}, f"leaf-1 has no VLAN 100 ({LEAF})", Verdict.LOST
    ),
    "port out of the vlan": Planted(
        {LEAF: drop("VLAN_MEMBER", "Vlan100|Ethernet36")},
        f"leaf-1 Ethernet36 does not carry VLAN 100 ({LEAF})",
        Verdict.LOST,
    ),
    "untagged instead of tagged": Planted(
        {LEAF: put("VLAN_MEMBER", "Vlan100|Ethernet0", "tagging_mode", "untagged")},
        f"leaf-1 Ethernet0 does not carry VLAN 100 ({LEAF})",
        Verdict.LOST,
    ),
    "physical function without its vlan": Planted(
        {LEAF: drop("VLAN_MEMBER", "Vlan100|Ethernet64")},
        f"leaf-1 Ethernet64 takes no untagged frames ({LEAF})",
        Verdict.LOST,
        "large-model",
    ),
    "svi without address": Planted(
        {LEAF: drop("VLAN_INTERFACE", "Vlan100|172.16.0.1/24")},
        f"nobody answers for 172.16.0.1 in VLAN 100 of leaf-1: no switch has that address there ({LEAF})",
        Verdict.LOST,
    ),
    "vlan interface of another subnet": Planted(
        {PORTS.format("leaf-2"): swap("172.16.5.1/24", "172.16.6.1/24")},
        "leaf-1 has no route to 172.16.5.",
        Verdict.LOST,
    ),
    "no bgp neighbours on a leaf": Planted(
        {PORTS.format("leaf-2"): in_json(lambda data: data.pop("BGP_NEIGHBOR"))},
        "leaf-1 has no route to 172.16.5.0/24: leaf-2 has no BGP neighbour 172.31.0.65, spine-1 "
        f"({PORTS.format('leaf-2')})",
        Verdict.LOST,
    ),
    "wrong as on a leaf": Planted(
        {PORTS.format("leaf-2"): swap("4200000101", "4200000199")},
        f"spine-1 expects AS 4200000101 of leaf-2, which is AS 4200000199 ({SPINE})",
        Verdict.LOST,
    ),
    "same as on two leaves": Planted(
        {
            PORTS.format("leaf-2"): swap("4200000101", "4200000100"),
            SPINE: swap("4200000101", "4200000100"),
            PORTS.format("spine-2"): swap("4200000101", "4200000100"),
        },
        "leaf-1 has no route to 172.16.5.0/24",
        Verdict.LOST,
    ),
    "one session of eight": Planted(
        {LEAF: drop("BGP_NEIGHBOR", "172.31.0.5")},
        f"{SEVEN}Ethernet88 to spine-1 is not used: "
        f"leaf-1 has no BGP neighbour 172.31.0.5, spine-1 ({LEAF})",
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
        "switches/leaf-1/cabling.csv has leaf-1 Ethernet88 on spine-1 Ethernet8, "
        "switches/spine-1/cabling.csv has that on leaf-1 Ethernet89",
        Verdict.NARROW,
    ),
    "mtu of one port": Planted(
        {LEAF: put("PORT", "Ethernet20", "mtu", "1500")},
        f"leaf-1 Ethernet20 takes IP packets of up to 1500 bytes, the pod sends up to 9000 ({LEAF})",
        Verdict.TOO_BIG,
    ),
    "mtu of a spine's port": Planted(
        {SPINE: put("PORT", "Ethernet32", "mtu", "4200")},
        f"spine-1 Ethernet32 takes IP packets of up to 4200 bytes, the pod sends up to 9000 ({SPINE})",
        Verdict.TOO_BIG,
    ),
    "mtu of the physical function": Planted(
        {"hosts/nf5468m5/10-roce1.link": swap("MTUBytes=9000", "MTUBytes=1500")},
        f"gpu-001 roce1 takes IP packets of up to 1500 bytes, the pod sends up to 9000 ({NAD})",
        Verdict.TOO_BIG,
    ),
    "pfc off on one port": Planted(
        {QOS.format("leaf-3"): in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet24"].pop("pfc_enable"))},
        f"leaf-3 Ethernet24 states no PFC ({QOS.format('leaf-3')})",
        Verdict.LOSSY,
    ),
    "pfc of another priority on a spine": Planted(
        {QOS.format("spine-2"): put("PORT_QOS_MAP", "Ethernet16", "pfc_enable", "4")},
        f"DSCP 26 lands in queue 3 of spine-2 Ethernet16, which has PFC for 4 only ({QOS.format('spine-2')})",
        Verdict.LOSSY,
    ),
    "dscp in another queue": Planted(
        {QOS.format("leaf-1"): in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].__setitem__("26", "0"))},
        f"DSCP 26 lands in queue 0 of leaf-1 Ethernet0, which has PFC for 3 only ({QOS.format('leaf-1')})",
        Verdict.LOSSY,
    ),
    "pfc off on the nics": Planted(
        {"hosts/nf5468m5/rdma-nic-qos.sh": swap("--pfc 0,0,0,1,0,0,0,0", "--pfc 0,0,0,0,0,0,0,0")},
        "DSCP 26 gets priority 3 on gpu-001 roce0, which has PFC off (hosts/nf5468m5/rdma-nic-qos.sh)",
        Verdict.LOSSY,
    ),
    "nic maps the dscp to another priority": Planted(
        {"hosts/nf5468m5/rdma-nic-qos.sh": swap("--dscp2prio set,26,3", "--dscp2prio set,26,0")},
        "DSCP 26 gets priority 0 on gpu-001 roce0, which has PFC off (hosts/nf5468m5/rdma-nic-qos.sh)",
        Verdict.LOSSY,
    ),
    "port shut down": Planted(
        {LEAF: put("PORT", "Ethernet36", "admin_status", "down")},
        f"leaf-1 Ethernet36 is shut down ({LEAF})",
        Verdict.LOST,
    ),
    "uplink shut down": Planted(
        {SPINE: put("PORT", "Ethernet16", "admin_status", "down")},
        "leaf-2 reaches 172.16.0.0/24 over 7 of 8 cables, 700 of 800 Gb/s: "
        "Ethernet80 to spine-1 is not used: "
        f"spine-1 Ethernet16 is shut down ({SPINE})",
        Verdict.NARROW,
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
        f"the headroom of leaf-1 Ethernet80 is for 5 m, its cable has 40 m ({LEAF})",
        Verdict.LOSSY,
    ),
    "watchdog that only reports": Planted(
        {LEAF_QOS: put("PFC_WD", "Ethernet36", "action", "alert")},
        f"the PFC watchdog of leaf-1 Ethernet36 ends no storm ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "pfc off everywhere": Planted(
        {QOS.format(name): without_pfc for name in SWITCHES},
        f"leaf-1 Ethernet0 states no PFC ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "nic that trusts the vlan tag": Planted(
        {"hosts/nf5468m5/rdma-nic-qos.sh": swap("--trust=dscp", "--trust=pcp")},
        "gpu-001 roce0 trusts pcp, not dscp (hosts/nf5468m5/rdma-nic-qos.sh)",
        Verdict.LOSSY,
    ),
    "nic that forces another traffic class": Planted(
        {NIC: swap('apply ens2f0 "5" "106"', 'apply ens2f0 "5" "0"')},
        "gpu-001 roce1 sends traffic class 0, DSCP 0, whatever a pod asks for: its traffic is to have DSCP 26",
        Verdict.LOSSY,
    ),
    "nic with headroom for a shorter cable": Planted(
        {NIC: swap('apply ens2f0 "5" "106"', 'apply ens2f0 "1" "106"')},
        f"the headroom of gpu-001 roce1 is for 1 m, its cable has 5 m ({NIC})",
        Verdict.LOSSY,
    ),
    "cnp in the data queue": Planted(
        {LEAF_QOS: in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].__setitem__("48", "3"))},
        f"CNPs, DSCP 48, land in queue 3 of leaf-1 Ethernet0, which PFC stops ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "cnp with best effort": Planted(
        {LEAF_QOS: in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].__setitem__("48", "0"))},
        "CNPs, DSCP 48, land in queue 0 of leaf-1 Ethernet0, which is not served first as elsewhere "
        f"({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "cnp queue that waits its turn": Planted(
        {LEAF_QOS: put("SCHEDULER", "ROCE_Q6", "type", "DWRR")},
        "CNPs, DSCP 48, land in queue 6 of leaf-1 Ethernet0, which is not served first as elsewhere",
        Verdict.LOSSY,
    ),
    "cnp of no queue": Planted(
        {LEAF_QOS: in_json(lambda data: data["DSCP_TO_TC_MAP"]["ROCE"].pop("48"))},
        f"leaf-1 Ethernet0 states no queue for DSCP 48 ({LEAF_QOS})",
        Verdict.LOSSY,
    ),
    "nic that sends cnps in the data priority": Planted(
        {NIC: swap("--dscp2prio set,48,6", "--dscp2prio set,48,3")},
        f"CNPs, DSCP 48 ({NIC}), get priority 3 on gpu-001 roce0, which PFC stops",
        Verdict.LOSSY,
    ),
    "traffic class byte of no class": Planted(
        {"pods/training/pod.yaml": tc_byte("0")},
        "NCCL_IB_TC 0 of training is DSCP 0: the lossless classes of the site have DSCP "
        "26 (pods/training/pod.yaml)",
        Verdict.LOSSY,
    ),
    "traffic class byte of the cnp": Planted(
        {"pods/training/pod.yaml": tc_byte("192")},
        "NCCL_IB_TC 192 of training is DSCP 48",
        Verdict.LOSSY,
    ),
    "nad with another vlan": Planted(
        {NAD: swap('"vlan": 101', '"vlan": 111')},
        f"leaf-2 has no VLAN 111 ({PORTS.format('leaf-2')})",
        Verdict.LOST,
    ),
    "gateway gone from the pool": Planted(
        {"kubernetes/30-networks/ipam/rail0-leaf-1.yaml": without(r"gateway:|routes:|- dst:")},
        f"no rule for source 172.16.0.0/24: the packet leaves on eth0 ({NAD})",
        Verdict.LOST,
    ),
    "pool for other nodes": Planted(
        {"kubernetes/30-networks/ipam/rail2-leaf-3.yaml": swap("- nf5468m5\n", "- others\n")},
        "IPPool rail2-leaf-3 has no addresses for gpu-001: its labels do not match",
        Verdict.LOST,
    ),
    "sbr gone from the chain": Planted(
        {NAD: swap('        },\n        {\n          "type": "sbr"\n        }', "        }")},
        f"training@gpu-001: no rule for source 172.16.0.0/24: the packet leaves on rail3 ({NAD})",
        Verdict.WRONG_RAIL,
    ),
    "rule gone from the script": Planted(
        {SCRIPT: without("rule add pref")},
        "no rule for source 172.16.0.0/24: the packet leaves on",
        Verdict.LOST,
        "large-model",
    ),
    "one rail gone from the script": Planted(
        {SCRIPT: without("install 4 rail2 ")},
        "no rule for source 172.16.10.0/24: the packet leaves on rail",
        Verdict.WRONG_RAIL,
        "large-model",
    ),
    "route gone from the script": Planted(
        {SCRIPT: swap(" 172.16.4.0/22 172.16.5.0/24 172.16.8.0/22", " 172.16.8.0/22", 1)},
        "172.16.5.",
        Verdict.LOST,
        "large-model",
    ),
    "script that nothing runs": Planted(
        {"pods/large-model/pod.yaml": swap("- name: rail-routes\n", "- name: other\n")},
        "no rule for source 172.16.0.0/24: the packet leaves on",
        Verdict.WRONG_RAIL,
        "large-model",
    ),
    "json of a leaf that does not parse": Planted(
        {LEAF: swap('"VLAN"', "VLAN")},
        f"leaf-1 has a file that cannot be read: {LEAF}: no JSON: Expecting property name",
        Verdict.LOST,
    ),
    "qos json of a leaf that does not parse": Planted(
        {QOS.format("leaf-2"): lambda text: text.rstrip()[:-1]},
        f"leaf-2 has a file that cannot be read: {QOS.format('leaf-2')}: no JSON: Expecting",
        Verdict.LOST,
    ),
    "qos json of a spine that does not parse": Planted(
        {QOS.format("spine-1"): lambda text: text.rstrip()[:-1]},
        f"spine-1 has a file that cannot be read: {QOS.format('spine-1')}: no JSON: Expecting",
        Verdict.LOST,
    ),
    "json of both spines does not parse": Planted(
        {PORTS.format(f"spine-{n}"): lambda text: text.rstrip()[:-1] for n in (1, 2)},
        f"spine-1 has a file that cannot be read: {SPINE}: no JSON: Expecting",
        Verdict.LOST,
    ),
    "resource of another card": Planted(
        {PLUGIN: swap(f'{CARD}"0000:3b', f'{CARD}"0000:ff')},
        f"resource intel.com/rail_1 selects no HCA number 1 of gpu-001 ({NAD})",
        Verdict.LOST,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_named(name: str) -> None:
    planted = PLANTED[name]
    found = matrix("iei-rocev2", planted.workload, planted.edits)
    assert found.verdict is planted.verdict, texts(found)
    assert any(planted.says in text for text in texts(found)), texts(found)


@pytest.mark.parametrize("workload", ["training", "large-model"])
def test_nothing_is_found_where_nothing_was_planted(workload: str) -> None:
    found = matrix("iei-rocev2", workload, {})
    assert found.verdict is Verdict.DELIVERED
    assert texts(found) == []
    assert found.walks == (72 if workload == "training" else 36)


@dataclass(frozen=True)
class Unstated:
    edits: Mapping[str, Edit]
    says: str


UNSTATED: Mapping[str, Unstated] = {
    "admin state": Unstated(
        {LEAF: in_json(lambda data: data["PORT"]["Ethernet36"].pop("admin_status"))},
        f"the admin state of leaf-1 Ethernet36 is not stated: admin_status up in PORT "
        f"Ethernet36 in {LEAF} would",
    ),
    "group": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("tc_to_pg_map"))},
        "the priority group of DSCP 26 of leaf-1 Ethernet36 is not stated: tc_to_pg_map "
        "in PORT_QOS_MAP Ethernet36",
    ),
    "queue of a pfc frame": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("pfc_to_queue_map"))},
        "which queue a received PFC frame stops of leaf-1 Ethernet36 is not stated: pfc_to_queue_map",
    ),
    "group of a pfc frame": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("pfc_to_pg_map"))},
        "the priority group of PFC priority 3 of leaf-1 Ethernet36 is not stated: pfc_to_pg_map",
    ),
    "buffer of the group": Unstated(
        {LEAF_QOS: drop("DEVICE_METADATA", "localhost")},
        "a lossless buffer of priority group 3 of leaf-1 Ethernet0 is not stated: "
        "buffer_model in DEVICE_METADATA",
    ),
    "buffer of the queue": Unstated(
        {PATCH: without(r"BUFFER_QUEUE/Ethernet36\|3\"")},
        f"a lossless buffer of queue 3 of leaf-1 Ethernet36 is not stated: BUFFER_QUEUE "
        f"Ethernet36 with a lossless "
        f"profile in {PATCH} would",
    ),
    "cable of the headroom": Unstated(
        {LEAF: in_json(lambda data: data["CABLE_LENGTH"]["AZURE"].pop("Ethernet36"))},
        "the cable length that its headroom is for of leaf-1 Ethernet36 is not stated: "
        "CABLE_LENGTH AZURE Ethernet36",
    ),
    "ecn": Unstated(
        {LEAF_QOS: in_json(lambda data: data["QUEUE"]["Ethernet36|3"].pop("wred_profile"))},
        "ECN of queue 3 of leaf-1 Ethernet36 is not stated: wred_profile in QUEUE Ethernet36",
    ),
    "watchdog": Unstated(
        {LEAF_QOS: drop("PFC_WD", "Ethernet36")},
        "a PFC watchdog for priority 3 of leaf-1 Ethernet36 is not stated: "
        "detection_time in PFC_WD Ethernet36",
    ),
    "watchdog of the priority": Unstated(
        {LEAF_QOS: in_json(lambda data: data["PORT_QOS_MAP"]["Ethernet36"].pop("pfcwd_sw_enable"))},
        "a PFC watchdog for priority 3 of leaf-1 Ethernet36 is not stated",
    ),
    "ecn of the nic": Unstated(
        {NIC: without("roce_rp/enable/3")},
        f"ECN of priority 3 of gpu-001 roce0 is not stated: roce_np and roce_rp enable in {NIC} would",
    ),
    "cnps in two files": Unstated(
        {NIC: lambda text: re.sub(r"write 48 (\S+/cnp_dscp)", r"write 46 \1", text)},
        f"the CNPs of gpu-001 roce0 have DSCP 46 ({NIC}) and 48 (hosts/nf5468m5/firmware-commands.txt)",
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
        "the traffic class of training is not stated: NCCL_IB_TC or UCX_IB_TRAFFIC_CLASS "
        "in pods/training/pod.yaml",
    ),
}


@pytest.mark.parametrize("name", UNSTATED)
def test_what_no_line_states_is_not_proved(name: str) -> None:
    """And where it would stand is named."""
    planted = UNSTATED[name]
    found = matrix("iei-rocev2", "training", planted.edits)
    assert found.verdict is Verdict.UNPROVED, texts(found)
    assert any(planted.says in note for note in notes(found)), notes(found)


def declared(workload: str) -> dict[str, Edit]:
    """Unbound sockets, said by routes.yaml alone: rendering would have refused some."""
    return {f"pods/{workload}/routes.yaml": swap("interfaces:\n", "unbound_traffic: true\ninterfaces:\n", 1)}


def test_unbound_sockets_decide_where_the_workload_declares_them() -> None:
    shown = matrix("iei-rocev2", "training", {})
    found = matrix("iei-rocev2", "training", declared("training"))
    assert shown.verdict is Verdict.DELIVERED
    assert found.verdict is Verdict.WRONG_RAIL
    assert {cell.flow.name for cell in found.cells if cell.fails} == {"unbound"}
    assert any("in table main: the packet leaves on eth0" in text for text in texts(found)), texts(found)


def test_declared_unbound_sockets_are_delivered_by_the_script() -> None:
    found = matrix("iei-rocev2", "large-model", declared("large-model"))
    decisive = [cell for cell in found.cells if cell.flow.name == "unbound" and cell.decides and cell.meant]
    assert decisive
    assert found.verdict is Verdict.DELIVERED, texts(found)


def test_declared_unbound_sockets_decide_a_single_walk_too() -> None:
    ends = ("training@gpu-001/rail0", "training@gpu-002/rail0")
    for edits, verdict in (({}, Verdict.DELIVERED), (declared("training"), Verdict.WRONG_RAIL)):
        walks = walks_between(site("iei-rocev2", edits), *ends)
        assert walks.verdict is verdict
        assert any(", shown only" in line for line in trace_lines(walks, False)) is not bool(edits)


def notes(found: Matrix) -> set[str]:
    return {note for cell in found.cells for note in cell.notes}


def test_what_a_switch_says_twice_is_not_proved_on_the_walks_over_it() -> None:
    path = QOS.format("leaf-3")
    data = json.loads(next(a.text for a in rendered("iei-rocev2") if a.path == path))
    profile = next(iter(data["WRED_PROFILE"]))
    port = next(iter(data["QUEUE"]))

    def other(data: Any) -> None:
        data["WRED_PROFILE"]["OTHER"] = {**data["WRED_PROFILE"][profile], "green_max_threshold": "999"}
        data["QUEUE"][port]["wred_profile"] = "OTHER"

    found = matrix("iei-rocev2", "training", {path: in_json(other)})
    wanted = f"leaf-3: ports differ in ECN thresholds: {port.split('|')[0]} from the others ({path})"
    assert wanted in notes(found)
    assert found.verdict is Verdict.UNPROVED
    for cell in found.cells:
        if cell.meant and wanted in cell.notes:
            assert "rail2" in (cell.start, cell.end), cell
    assert notes(matrix("iei-rocev2", "training", {})) == set()


VENDORS = {
    "leaf-1": ("interfaces.txt", r"^vlan 100$|switchport trunk allowed-vlan"),
    "leaf-2": ("interfaces.yaml", None),
    "leaf-4": ("interfaces.txt", r"^vlan 103$"),
    "leaf-5": ("interfaces.txt", r"^vlan 104$"),
    "leaf-8": ("interfaces.txt", r"^vlan 107$"),
}


@pytest.mark.parametrize("switch", [name for name, (_, pattern) in VENDORS.items() if pattern])
def test_a_vlan_deleted_from_any_vendors_text(switch: str) -> None:
    file, pattern = VENDORS[switch]
    path = f"switches/{switch}/{file}"
    found = matrix("multi-vendor", "training", {path: without(pattern or "")})
    vlan = 99 + int(switch.rpartition("-")[2])
    assert found.verdict is Verdict.LOST
    assert any(switch in text and f"VLAN {vlan}" in text and path in text for text in texts(found)), texts(
        found
    )


def test_routed_links() -> None:
    """A prefix that the leaf no longer has, and one node that its pool forgot."""
    pool = "kubernetes/30-networks/ipam/rail1.yaml"
    gone = matrix("l3-to-host", "training", {pool: without_node("gpu-05")})
    assert gone.verdict is Verdict.LOST
    assert f"CIDRPool rail1 has no prefix for gpu-05 ({pool})" in texts(gone)


def without_node(node: str) -> Edit:
    return lambda text: re.sub(rf"  - nodeName: {node}\n    prefix: .*\n    gateway: .*\n", "", text)
