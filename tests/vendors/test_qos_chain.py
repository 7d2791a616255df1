"""The QoS chain of a port of each NOS: proved as rendered, and not proved once a line is changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import pytest

from netplan.graph.qos import PriorityAnswer, Proof, chain_of
from netplan.nos import available
from netplan.reading.switches import read_switch
from tests.vendors.test_agreement import SWITCHES, mixed
from tests.vendors.test_readback import percent
from tests.vendors.test_readback_faults import leaf

Edits = Mapping[str, tuple[str, str, str]]
FILE = "roce.txt"
"""File of the edits. An edit: (pattern with the text to replace in ( ), new text, fact no longer proved)."""

OPEN: Mapping[str, set[str]] = {
    "onyx": {"watchdog"},
    "dell-os10": {"watchdog"},
    "h3c-comware": {"watchdog"},
}
"""NOS -> facts that its rendered text does not prove: commands to confirm, or that the NOS lacks."""

EDITS: Mapping[str, Edits] = {
    "arista-eos": {
        "trust": (r"(   qos trust dscp\n)", "", "trust"),
        "profile": (r"interface Ethernet1/1\n(?: .*\n)*?(   service-profile ROCE\n)", "", "trust"),
        "class": (r"(qos map dscp 26 to .*\n)", "", "dscp"),
        "other class": (r"qos map dscp 26 to traffic-class (3)", "0", "pfc"),
        "queue": (r"(qos map traffic-class 3 to .*\n)", "", "dscp"),
        "pfc": (r"(   priority-flow-control on\n)", "", "pfc"),
        "no-drop": (r"(   priority-flow-control priority 3 no-drop\n)", "", "pfc"),
        "priority": (r"priority-flow-control priority (3) no-drop", "4", "pfc"),
        "ecn": (r"(      random-detect ecn min.*\n)", "", "ecn"),
        "watchdog": (r"(   priority-flow-control pause watchdog\n)", "", "watchdog"),
        "watchdog timeout": (r"(\S+ pause watchdog default timeout .*\n)", "", "watchdog"),
    },
    "cisco-nxos": {
        "policy": (r"interface Ethernet1/1\n(?: .*\n)*?(.* type qos input .*\n)", "", "trust"),
        "class": (r"match dscp (26)", "27", "pfc"),
        "group": (r"    (set qos-group 3)\n", "set qos-group 4", "pfc"),
        "pfc": (r"interface Ethernet1/1\n(?: .*\n)*?(  priority-flow-control mode on\n)", "", "pfc"),
        "pause": (r"(    pause pfc-cos 3\n)", "", "pfc"),
        "pause replaced": (r"    pause pfc-cos 3(\n)", "\n    pause pfc-cos 4\n", "pfc"),
        "bound": (r"(  service-policy type network-qos .*\n)", "", "pfc"),
        "ecn": (r"random-detect .* weight 0( ecn)\n", "", "ecn"),
        "ecn bound": (r"(  service-policy type queuing output .*\n)", "", "ecn"),
        "watchdog": (r"\n(priority-flow-control watch-dog-interval on\n)", "", "watchdog"),
        "watched port": (r"mode on\n(  priority-flow-control watch-dog-interval on\n)", "", "watchdog"),
    },
    "cumulus-nvue": {
        "trust": (r"(nv set qos mapping default-global trust .*\n)", "", "trust"),
        "class": (r"dscp 26 switch-priority (3)", "0", "pfc"),
        "no class": (r"(nv set qos mapping default-global dscp 26 .*\n)", "", "dscp"),
        "queue": (r"(nv set qos egress-queue-mapping \S+ switch-priority 3 .*\n)", "", "dscp"),
        "pfc": (r"(nv set qos pfc default-global .*\n)", "", "pfc"),
        "priority": (r"nv set qos pfc default-global switch-priority (3)", "0", "pfc"),
        "roce": (r"(nv set qos roce (?:enable on|state enabled)\n)", "", "buffer"),
        "mode": (r"nv set qos roce mode (lossless)", "lossy", "buffer"),
        "headroom": (r"(nv set qos roce cable-length .*\n)", "", "headroom"),
        "short headroom": (r"nv set qos roce cable-length (\d+)", "1", "headroom"),
        "ecn": (r"traffic-class 3 ecn (enable)", "disable", "ecn"),
        "no ecn": (r"(nv set .* traffic-class 3 max-threshold .*\n)", "", "ecn"),
        "watchdog": (r"(nv set interface swp1 qos pfc-watchdog .*\n)", "", "watchdog"),
    },
    "dell-os10": {
        "trust": (r"( trust-map dscp netplan\n)", "", "trust"),
        "class": (r" qos-group (3) dscp 26\n", "6", "pfc"),
        "queue": (r"( queue 3 qos-group 3\n)", "", "dscp"),
        "map": (r"interface ethernet1/1/1\n(?: .*\n)*?( qos-map traffic-class netplan\n)", "", "dscp"),
        "pfc": (r"interface ethernet1/1/1\n(?: .*\n)*?( priority-flow-control mode on\n)", "", "pfc"),
        "pause": (r"(  pause\n)", "", "pfc"),
        "priority": (r"pfc-cos (3)", "4", "pfc"),
        "ecn": (r"( random-detect ecn\n)", "", "ecn"),
    },
    "h3c-comware": {
        "trust": (r"interface HundredGigE1/0/1\n(?: .*\n)*?( qos trust dscp\n)", "", "trust"),
        "class": (r" import 26 export (3)", "0", "pfc"),
        "queue": (r"qos map-table dot1p-lp\n(?: .*\n)*?( import 3 export 3\n)", "", "dscp"),
        "pfc": (r"interface HundredGigE1/0/1\n(?: .*\n)*?( priority-flow-control enable\n)", "", "pfc"),
        "no-drop": (r" priority-flow-control no-drop dot1p (3)", "4", "pfc"),
    },
    "huawei-vrp": {
        "trust": (r"interface 100GE1/0/1\n(?: .*\n)*?( trust dscp\n)", "", "trust"),
        "domain": (r"interface 100GE1/0/1\n(?: .*\n)*?( trust upstream netplan\n)", "", "dscp"),
        "class": (r" ip-dscp-inbound 26 phb (af3) green", "be", "pfc"),
        "pfc": (r"interface 100GE1/0/1\n(?: .*\n)*?( dcb pfc enable mode manual\n)", "", "pfc"),
        "priority": (r"(?m)^ priority (3)$", "4", "pfc"),
        "ecn": (r"interface 100GE1/0/1\n(?: .*\n)*?( qos queue 3 ecn\n)", "", "ecn"),
    },
    "juniper-junos": {
        "classifier": (r"(set \S+ interfaces et-0/0/1 unit 0 classifiers dscp netplan\n)", "", "trust"),
        "class": (r"classifiers dscp netplan forwarding-class (netplan-3) ", "best-effort", "pfc"),
        "queue": (r"class netplan-3 queue-num (3)", "2", "pfc"),
        "lossless": (r"class netplan-3 queue-num 3( no-loss pfc-priority 3)", "", "pfc"),
        "bound": (r"(set \S+ interfaces et-0/0/1 cong.*\n)", "", "pfc"),
        "input": (r"(set \S+ cong\S+ netplan-5m input dscp .*\n)", "", "pfc"),
        "output": (r"(set \S+ cong\S+ netplan-5m output .*\n)", "", "pfc-queue"),
        "other output": (r"netplan-5m output .* flow-control-queue (3)", "4", "pfc"),
        "headroom": (r"(set \S+ cong\S+ netplan-5m input cable-length .*\n)", "", "headroom"),
        "mru": (r"netplan-5m input dscp \S+ \S+ pfc( mru .*)", "", "headroom-mtu"),
        "smaller mru": (r"netplan-5m input dscp \S+ \S+ pfc mru (.*)", "1500", "headroom"),
        "ecn": (r"(set \S+ schedulers netplan-3 explicit-congestion-notification\n)", "", "ecn"),
        "map": (r"(set \S+ interfaces et-0/0/1 scheduler-map .*\n)", "", "ecn"),
        "watchdog": (r"(set \S+ cong\S+ netplan-5m pfc-watchdog detection .*\n)", "", "watchdog"),
    },
    "onyx": {
        "profile": (r"(roce lossless\n)", "", "trust"),
        "lossy": (r"roce (lossless)", "lossy", "pfc"),
        "ecn": (r"(interface ethernet 1/1 traffic-class 3 congestion-control .*\n)", "", "ecn"),
    },
}  # fmt: skip


@cache
def port(nos: str) -> str:
    return mixed().switch(SWITCHES[nos]).rdma_ports[0].name


def files_of(nos: str) -> Mapping[str, str]:
    """Files of a switch; for Junos with a queue size, without which percentages cannot be stated."""
    return percent() if nos == "juniper-junos" else leaf(nos)


def answer(nos: str, files: Mapping[str, str]) -> PriorityAnswer:
    return chain_of(read_switch("x", nos, files), port(nos), "switches/x/").lossless(26, 5)


def test_every_nos_is_here() -> None:
    """Except SONiC, tested along a walk in ``tests/unit/test_trace_faults.py``."""
    assert EDITS.keys() | {"sonic"} >= set(available()) - {"acme"}  # docs/nos-folder.md


@pytest.mark.parametrize("nos", EDITS)
def test_as_rendered_only_what_is_no_line_is_open(nos: str) -> None:
    found = answer(nos, files_of(nos))
    assert found.proof is not Proof.REFUTED, found.doubts
    assert {doubt.fact for doubt in found.doubts} == OPEN.get(nos, set()), found.doubts
    assert found.priority == 3


@pytest.mark.parametrize(("nos", "what"), [(nos, what) for nos, edits in EDITS.items() for what in edits])
def test_a_line_that_is_another_is_seen(nos: str, what: str) -> None:
    pattern, new, fact = EDITS[nos][what]
    text = files_of(nos)[FILE]
    found = re.search(pattern, text)
    assert found, pattern
    changed = text[: found.start(1)] + new + text[found.end(1) :]
    after = answer(nos, {**files_of(nos), FILE: changed})
    assert fact in {doubt.fact for doubt in after.doubts} - OPEN.get(nos, set()), after.doubts


@pytest.mark.parametrize(
    ("nos", "file", "more"),
    [
        ("arista-eos", "arp.txt", "interface Ethernet1/1\n   switchport trunk allowed vlan remove 100\n"),
        ("cisco-nxos", "arp.txt", "interface Ethernet1/1\n  switchport trunk allowed vlan remove 100\n"),
        (
            "juniper-junos",
            "interfaces.txt",
            "set protocols bgp group netplan neighbor 172.31.0.1 export DENY\n",
        ),
        ("juniper-junos", "interfaces.txt", "set protocols bgp group netplan neighbor 172.31.0.1 shutdown\n"),
    ],
)
def test_a_line_that_takes_something_back_is_told(nos: str, file: str, more: str) -> None:
    given = files_of(nos)
    texts = (given, {**given, file: given[file] + more})
    before, after = (
        len(read.problems) + len(read.unread) for read in (read_switch("x", nos, f) for f in texts)
    )
    assert after > before
