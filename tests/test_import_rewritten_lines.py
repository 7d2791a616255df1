"""Lines of running configurations that no key of an inventory has: each that a render would replace, or that
no inventory states, is told."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
import yaml

from netplan.importing.rewritten import patterns_of
from netplan.importing.rewritten_rows import NO_KEY, ROWS
from netplan.importing.run import import_texts
from netplan.nos import shipped
from netplan.reading.switches.rules import lines_like, rules_of
from tests.dumped_site import nvue
from tests.inventories import compiled, outputs

SITE = "multi-vendor"
LEAVES = {"cumulus-nvue": "leaf-2", "arista-eos": "leaf-4", "cisco-nxos": "leaf-5", "juniper-junos": "leaf-6"}
HEADS = {
    "arista-eos": "! Command: show running-config\nhostname leaf-4\n",
    "cisco-nxos": "!Command: show running-config\nversion 10.4(3)\nhostname leaf-5\n",
    "juniper-junos": "set version 23.4R2\nset system host-name leaf-6\n",
}
NVUE, EOS, NXOS, JUNOS = LEAVES
PFC = "      pfc:\n        default-global:\n"


COUNT = re.compile(r" \(and [0-9]+ more\)$")
ONCE = {"policy-map type queuing NETPLAN-OUT": 1, "set class-of-service scheduler-maps": 1}
TIMERS = "BGP keepalive and hold time '3 9': the inventory has no key for it"
PORTS = "netplan writes the MTU of the ports"
SEEDS = "netplan writes 10 on leaves and 20 on spines"


FOLLOWS = re.compile(
    "best effort in class 1: |weights of queues without packets |leaf-6: queue 6 is strict, but "
)
"""What follows for the classes, where the queue of class 0 or the class of a code point is another."""


@cache
def running(nos: str) -> str:
    """What a switch with netplan's files shows."""
    tree = outputs(compiled(SITE))
    if nos == NVUE:
        return nvue(tree, LEAVES[nos], "MSN3700")
    parts = [tree[f"switches/{LEAVES[nos]}/{part}.txt"] for part in ("interfaces", "roce", "arp")]
    lines = "".join(parts).splitlines(keepends=True)
    return HEADS[nos] + "".join(line for line in lines if line.strip()[0] not in "!#")


def told(text: str) -> list[str]:
    """Without the VLANs, which a switch alone does not say the use of."""
    remarks = import_texts({"leaf.cfg": text}, "site").remarks
    return [each.text for each in remarks if "the dumps have no rail and no network" not in each.text]


@pytest.mark.parametrize("nos", [*LEAVES])
def test_nothing_is_told_of_a_switch_with_netplans_files(nos: str) -> None:
    assert told(running(nos)) == []


@pytest.mark.parametrize(
    ("nos", "old", "new", "said"),
    [
        (
            NVUE,
            "type: vlan-aware",
            "type: traditional",
            "type of br_default 'traditional': netplan writes vlan-aware",
        ),
        (NVUE, "vlan: 101", "vlan: 102", "vlan of its interface '102': netplan writes 101"),
        (NVUE, "dcbx-pfc-tlv: 'on'", "dcbx-pfc-tlv: 'off'", "lldp dcbx-pfc-tlv 'off': netplan writes on"),
        (NVUE, "hash-seed: 10", "hash-seed: 77", f"hash-seed '77': {SEEDS}"),
        (NVUE, "trust: both", "trust: l3", "qos mapping trust 'l3': netplan writes both"),
        (NVUE, PFC, f"{PFC}          tx: disable\n", f"qos pfc tx 'disable': {NO_KEY}"),
        (NVUE, PFC, f"{PFC}          rx: disable\n", f"qos pfc rx 'disable': {NO_KEY}"),
        (NVUE, PFC, f"{PFC}          tx: enable\n          rx: enable\n", ""),
        (NVUE, PFC, f"{PFC}          port-buffer: 25 MB\n", f"buffer of qos pfc '25 MB': {NO_KEY}"),
        (NVUE, PFC, f"{PFC}          cable-length: 100\n", f"qos pfc cable-length '100': {NO_KEY}"),
        (
            NVUE,
            "      pfc:\n",
            "      remark:\n        default-global:\n          rewrite: l3\n      pfc:\n",
            f"qos remark 'l3': {NO_KEY}",
        ),
        (
            NVUE,
            "      pfc:\n",
            "      egress-shaper:\n        default-global:\n          port-max-rate: 1000\n      pfc:\n",
            f"qos egress-shaper '1000': {NO_KEY}",
        ),
        (
            NVUE,
            "        qos:\n          pfc-watchdog:",
            "        qos:\n          pfc:\n            profile: P\n          pfc-watchdog:",
            "qos profile of ports 'P': classes are those of the profile default-global",
        ),
        (
            NVUE,
            "'0':\n              traffic-class: 0",
            "'0':\n              traffic-class: 1",
            "traffic-class of switch-priority 0 '1': netplan writes 0",
        ),
        (EOS, "   no dcbx mode\n", "   dcbx mode ieee\n", "dcbx mode 'ieee': netplan writes no dcbx mode"),
        (EOS, "lldp run", "no lldp run", "no lldp run: netplan writes lldp run"),
        (
            EOS,
            "traffic-class 0 to tx-queue 0",
            "traffic-class 0 to tx-queue 1",
            "tx-queue of traffic-class 0 '1': netplan writes 0",
        ),
        (EOS, "   router-id", "   timers bgp 3 9\n   router-id", TIMERS),
        (EOS, "   router-id", "   neighbor 172.31.0.192 timers 3 9\n   router-id", TIMERS),
        (EOS, "   router-id", "   timers bgp 60 180\n   router-id", ""),
        (
            EOS,
            "   arp gratuitous accept\n",
            "",
            "leaf-4: VLAN 103 does not learn from gratuitous ARP; with fabric.arp netplan writes "
            "arp gratuitous accept under interface Vlan103",
        ),
        (NXOS, "system jumbomtu 9100", "system jumbomtu 9216", f"system jumbomtu '9216': {PORTS}"),
        (
            NXOS,
            "nq-default\n    mtu 9100",
            "nq-default\n    mtu 1500",
            f"mtu of a network-qos class '1500': {PORTS}",
        ),
        (
            NXOS,
            "c-8q-nq3\n    mtu 9100",
            "c-8q-nq3\n    mtu 2240",
            f"mtu of a network-qos class '2240': {PORTS}",
        ),
        (
            NXOS,
            "policy-map type queuing NETPLAN-OUT",
            "policy-map type network-qos UNUSED\n"
            "  class type network-qos c-8q-nq3\n    mtu 2240\npolicy-map type queuing NETPLAN-OUT",
            "",
        ),
        (
            NXOS,
            "q6\n    priority level 2",
            "q6\n    priority level 1",
            "priority level of queue 6 '1': netplan writes 2",
        ),
        (
            NXOS,
            " weight 0 ecn",
            " weight 0",
            "random-detect minimum-threshold '150000': without ecn it drops packets; "
            "netplan writes ecn or nothing",
        ),
        (
            NXOS,
            "    bandwidth remaining percent 50\n    random",
            "    bandwidth remaining percent 50\n    shape min 1 gbps max 10 gbps\n    random",
            "shape of a queue 'min 1 gbps max 10 gbps': the inventory has no key for it",
        ),
        (
            NXOS,
            "    bandwidth remaining percent 50\n    random",
            "    bandwidth remaining percent 50\n    queue-limit dynamic 3\n    random",
            "queue-limit of a queue 'dynamic 3': the inventory has no key for it",
        ),
        (
            EOS,
            "   uc-tx-queue 3\n",
            "   uc-tx-queue 3\n      bandwidth guaranteed percent 10\n",
            "bandwidth guaranteed 'percent 10': the inventory has no key for it",
        ),
        (NXOS, "maximum-paths 64", "maximum-paths 8", "maximum-paths '8': netplan writes 64"),
        (NXOS, "universal-id 10", "universal-id 7", f"universal-id '7': {SEEDS}"),
        (
            NXOS,
            "ip arp gratuitous update",
            "no ip arp gratuitous update",
            "no ip arp gratuitous update: netplan writes ip arp gratuitous update",
        ),
        (NXOS, "  router-id", "  timers bgp 3 9\n  router-id", TIMERS),
        (NXOS, "    description spine-1\n", "    timers 3 9\n", TIMERS),
        (NXOS, "  router-id", "  template peer SPINES\n    timers 3 9\n  router-id", TIMERS),
        (JUNOS, "pfc mru 9118", "pfc mru 2000", f"pfc mru '2000': {PORTS}"),
        (JUNOS, "flow-control-queue 3", "flow-control-queue 4", "flow-control-queue '4': netplan writes 3"),
        (
            JUNOS,
            "watchdog-action drop",
            "watchdog-action forward",
            "watchdog-action 'forward': netplan's watchdog drops the packets of a stuck queue",
        ),
        (
            JUNOS,
            "transmit-rate percent 50",
            "transmit-rate percent 50 exact",
            "transmit-rate exact '50': netplan's schedulers have no exact rate",
        ),
        (
            JUNOS,
            "netplan-0 transmit-rate percent 50",
            "netplan-0 transmit-rate 40g",
            "transmit-rate '40g': netplan writes percent; state bandwidth_percent of the class",
        ),
        (
            JUNOS,
            "netplan-6 priority strict-high",
            "netplan-6 priority high",
            "priority of a scheduler 'high': netplan writes strict-high or none",
        ),
        (
            JUNOS,
            "loss-priority any",
            "loss-priority high",
            "loss-priority of a drop profile 'high': netplan writes any",
        ),
        (
            JUNOS,
            "netplan-6 loss-priority low",
            "netplan-6 loss-priority high",
            "loss-priority of a classifier 'high': netplan writes low",
        ),
        (
            JUNOS,
            "set protocols bgp group netplan type",
            "set protocols bgp group netplan local-as 65001\nset protocols bgp group netplan type",
            "local-as of BGP '65001': the inventory has no key for it",
        ),
        (
            JUNOS,
            "set protocols bgp group netplan type",
            "set protocols bgp group netplan hold-time 9\nset protocols bgp group netplan type",
            "hold-time of BGP '9': the inventory has no key for it",
        ),
        (
            JUNOS,
            "set class-of-service scheduler-maps",
            "set class-of-service schedulers netplan-3 buffer-size percent 4\n"
            "set class-of-service scheduler-maps",
            "buffer-size of a scheduler '4': netplan's schedulers have none",
        ),
        (
            JUNOS,
            "set interfaces irb gratuitous-arp-reply\n",
            "",
            "leaf-6: VLAN 105 does not learn from gratuitous ARP; with fabric.arp netplan writes "
            "set interfaces irb gratuitous-arp-reply",
        ),
    ],
)
def test_a_line_that_netplan_replaces_is_told(nos: str, old: str, new: str, said: str) -> None:
    text = running(nos)
    assert old in text
    found = [COUNT.sub("", each) for each in told(text.replace(old, new, ONCE.get(old, -1)))]
    assert [each for each in found if not FOLLOWS.match(each)] == ([said] if said else [])


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (("neighbor", "172.31.0.65"), "hold '9'"),
        (("peer-group", "SPINES"), "hold '9'"),
        ((), "hold '9'"),
    ],
)
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_bgp_timers_of_nvue(path: tuple[str, ...], said: str, form: str) -> None:
    parts = yaml.safe_load(running(NVUE))
    at = parts[1]["set"]["vrf"]["default"]["router"]["bgp"]
    for key in path:
        at = at.setdefault(key, {})
    at["timers"] = {"keepalive": 60, "hold": 9}
    text = yaml.safe_dump(parts, sort_keys=False) if form == "yaml" else json.dumps(parts, indent=1)
    assert told(text) == [f"BGP timers {said}: the inventory has no key for it"]


def test_the_router_id_of_onyx() -> None:
    text = (
        '##\n## Running database "initial"\n## Hostname: leaf-1\n##\n'
        "   interface loopback 0 ip address 10.9.0.1/32 primary\n   router bgp 65001 vrf default\n"
        "   router bgp 65001 vrf default router-id {} force\n"
    )
    why = "netplan writes the loopback, or router_id of the switch"
    said = f"router-id '10.9.9.9': {why}"
    assert said not in told(text.format("10.9.0.1"))
    assert said in told(text.format("10.9.9.9"))


@pytest.mark.parametrize("nos", [*ROWS])
def test_the_patterns_of_a_nos_can_be_used(nos: str) -> None:
    rules = rules_of(nos, shipped())
    assert rules is not None
    assert lines_like(rules, patterns_of(ROWS[nos])).edges
