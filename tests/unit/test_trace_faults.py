"""Faults planted into rendered files: each is found and reported with hop and file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from netplan.model.artifact import Artifact
from netplan.trace import Matrix, Tabulator, TracedSite, Verdict, trace_lines, walks_between
from tests.inventories import compiled

Edit = Callable[[str], str]

PLUGIN = "kubernetes/40-device-plugins/device-plugin/sriov-device-plugin.yaml"
NAD = "kubernetes/30-networks/network-attachments/training/rail.yaml"
NIC = "hosts/nf5468m5/rdma-nic-qos.sh"
PORTS, QOS = "switches/{}/interfaces.json", "switches/{}/roce.json"
CARD = '"rootDevices": [\n              '
SCRIPT = "pods/large-model/pod.yaml"


@cache
def rendered(inventory: str) -> tuple[Artifact, ...]:
    result = compiled(inventory)
    assert result.artifacts
    return result.artifacts


def site(inventory: str, edits: Mapping[str, Edit]) -> TracedSite:
    paths = {artifact.path for artifact in rendered(inventory)}
    assert edits.keys() <= paths
    artifacts = []
    for artifact in rendered(inventory):
        if artifact.path in edits:
            changed = edits[artifact.path](artifact.text)
            assert changed != artifact.text, "the fault was not planted"
            artifact = replace(artifact, text=changed)
        artifacts.append(artifact)
    return TracedSite(artifacts)


def matrix(inventory: str, workload: str, edits: Mapping[str, Edit]) -> Matrix:
    broken = site(inventory, edits)
    return Tabulator(broken).matrix(broken.workloads[workload])


def unnumbered(text: str) -> str:
    """The text without line numbers."""
    return re.sub(r"(\.(?:json|txt)):\d+\)", r"\1)", text)


def texts(found: Matrix) -> list[str]:
    """Reasons for failure, the first of each kind, without line numbers."""
    said = (fault.text for cell in found.cells if cell.fails for fault in cell.faults)
    return list(dict.fromkeys(map(unnumbered, said)))


def swap(old: str, new: str, count: int = -1) -> Edit:
    return lambda text: text.replace(old, new, count)


def without(pattern: str) -> Edit:
    """An edit that removes the matching lines."""
    return lambda text: "".join(
        line for line in text.splitlines(keepends=True) if not re.search(pattern, line)
    )


def init_container_away(text: str) -> str:
    return re.sub(r"(?s)  initContainers:\n.*?(?=  containers:\n)", "", text)


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


LEAF, SPINE = PORTS.format("leaf-1"), PORTS.format("spine-1")
PLANTED: Mapping[str, Planted] = {
    "vlan deleted": Planted(
        {LEAF: drop("VLAN", "Vlan100")}, f"leaf-1 has no VLAN 100 for Ethernet0 ({LEAF})", Verdict.LOST
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
    "mtu of one port": Planted(
        {LEAF: put("PORT", "Ethernet20", "mtu", "1500")},
        f"leaf-1 Ethernet20 takes IP packets of up to 1,500 bytes, the pod sends up to 9,000 ({LEAF})",
        Verdict.TOO_BIG,
    ),
    "mtu of a spine's port": Planted(
        {SPINE: put("PORT", "Ethernet32", "mtu", "4200")},
        f"spine-1 Ethernet32 takes IP packets of up to 4,200 bytes, the pod sends up to 9,000 ({SPINE})",
        Verdict.TOO_BIG,
    ),
    "mtu of the physical function": Planted(
        {"hosts/nf5468m5/10-roce1.link": swap("MTUBytes=9000", "MTUBytes=1500")},
        "gpu-001 roce1 takes IP packets of up to 1,500 bytes, the pod sends up to 9,000 "
        "(hosts/nf5468m5/10-roce1.link:8)",
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
        "DSCP 26 gets priority 3 on gpu-001 roce0, which has PFC off (hosts/nf5468m5/rdma-nic-qos.sh:44)",
        Verdict.LOSSY,
    ),
    "nic maps the dscp to another priority": Planted(
        {"hosts/nf5468m5/rdma-nic-qos.sh": swap("--dscp2prio set,26,3", "--dscp2prio set,26,0")},
        "DSCP 26 gets priority 0 on gpu-001 roce0, which has PFC off (hosts/nf5468m5/rdma-nic-qos.sh:44)",
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
    "nad with another vlan": Planted(
        {NAD: swap('"vlan": 101', '"vlan": 111')},
        f"leaf-2 has no VLAN 111 for Ethernet0 ({PORTS.format('leaf-2')})",
        Verdict.LOST,
    ),
    "gateway gone from the pool": Planted(
        {"kubernetes/30-networks/ipam/rail0-leaf-1.yaml": without(r"gateway:|routes:|- dst:")},
        f"no rule for source 172.16.0.0/24: the packet leaves on eth0 ({NAD}:2)",
        Verdict.LOST,
    ),
    "pool for other nodes": Planted(
        {"kubernetes/30-networks/ipam/rail2-leaf-3.yaml": swap("- nf5468m5\n", "- others\n")},
        "IPPool rail2-leaf-3 has no addresses for gpu-001: its labels do not match",
        Verdict.LOST,
    ),
    "sbr gone from the chain": Planted(
        {NAD: swap('        },\n        {\n          "type": "sbr"\n        }', "        }")},
        f"training@gpu-001: no rule for source 172.16.0.0/24: the packet leaves on rail3 ({NAD}:2)",
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
        {"pods/large-model/pod.yaml": init_container_away},
        "no rule for source 172.16.0.0/24: the packet leaves on",
        Verdict.WRONG_RAIL,
        "large-model",
    ),
    "json of a leaf that does not parse": Planted(
        {LEAF: swap('"VLAN"', "VLAN")},
        f"leaf-1 has a file that cannot be read: {LEAF}: not JSON: Expecting property name",
        Verdict.LOST,
    ),
    "json of a leaf that is a list": Planted(
        {LEAF: lambda _: "[]"},
        f"leaf-1 has a file that cannot be read: {LEAF}: not a JSON object",
        Verdict.LOST,
    ),
    "qos json of a leaf that does not parse": Planted(
        {QOS.format("leaf-2"): lambda text: text.rstrip()[:-1]},
        f"leaf-2 has a file that cannot be read: {QOS.format('leaf-2')}: not JSON: Expecting",
        Verdict.LOST,
    ),
    "qos json of a spine that does not parse": Planted(
        {QOS.format("spine-1"): lambda text: text.rstrip()[:-1]},
        f"spine-1 has a file that cannot be read: {QOS.format('spine-1')}: not JSON: Expecting",
        Verdict.LOST,
    ),
    "json of both spines does not parse": Planted(
        {PORTS.format(f"spine-{n}"): lambda text: text.rstrip()[:-1] for n in (1, 2)},
        f"spine-1 has a file that cannot be read: {SPINE}: not JSON: Expecting",
        Verdict.LOST,
    ),
    "resource of another card": Planted(
        {PLUGIN: swap(f'{CARD}"0000:3b', f'{CARD}"0000:ff')},
        "resource intel.com/rail_1 selects no HCA number 1 of gpu-001: rootDevices 0000:ff:00.0 fits no "
        f"device of its HCAs that the other keys leave ({PLUGIN}:",
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


def declared(workload: str) -> dict[str, Edit]:
    """Edit that declares unbound sockets only in routes.yaml: rendering would reject some of them."""
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
    return {unnumbered(note) for cell in found.cells for note in cell.notes}


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
    """A prefix missing on the leaf, and a node missing in its pool."""
    pool = "kubernetes/30-networks/ipam/rail1.yaml"
    gone = matrix("l3-to-host", "training", {pool: without_node("gpu-05")})
    assert gone.verdict is Verdict.LOST
    assert f"CIDRPool rail1 has no prefix for gpu-05 ({pool})" in texts(gone)


def without_node(node: str) -> Edit:
    return lambda text: re.sub(rf"  - nodeName: {node}\n    prefix: .*\n    gateway: .*\n", "", text)
