"""``check-live``: outputs that are ok, with one value of them changed. Every change is told, but those of
what the plan does not state: each with its reason here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from netplan import resources
from netplan.live.judge import judged
from netplan.live.model import OUTPUTS
from netplan.live.read import read_outputs
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.pipeline import run
from tests import live_json, live_outputs

SONIC, MIXED = "iei-rocev2", "multi-vendor"
LEAVES = {"cumulus-nvue": "leaf-2", "arista-eos": "leaf-4", "cisco-nxos": "leaf-5", "juniper-junos": "leaf-6"}


@cache
def plan(name: str) -> Plan:
    found = run([str(resources.inventories() / f"{name}.yaml")], upto="plan").plan
    assert found is not None
    return found


def switch(site: str, name: str) -> SwitchPlan:
    return next(one for one in plan(site).switches if one.name == name)


def told(site: str, file: str, text: str) -> tuple[int, int]:
    """Values that are ok and wrong."""
    found = judged(plan(site), read_outputs({file: text}, plan(site)))
    return sum(one.outcome == "ok" for one in found.judged), len(found.wrong)


def other(value: str) -> str:
    """A value of the same length."""
    if value.isdigit():
        return value[:-1] + str((int(value[-1]) + 1) % 10)
    return "x" * len(value) if value != "x" * len(value) else "y" * len(value)


UNPLANNED: Mapping[str, Mapping[str, str]] = {
    "show interfaces status": {
        "lanes": "of the hardware",
        "fec": "the inventory states none",
        "alias": "no one's choice",
        "type": "the inventory states no optic",
    },
    "show lldp table": {
        "remoteportid": "the MAC address of a card of which the inventory states none",
        "capability codes: (r) router, (b) bridge, (o) other": "a legend",
        "capability": "of the far end",
        "remoteportdescr": "of a switch, the port's ID tells the port too",
        "total entries displayed: 0": "the list is none of all",
    },
    "show vlan brief": {
        "proxy arp": "nothing is planned of it",
        "static anycast gateway": "nothing is planned of it",
    },
    "show ip interfaces": {
        "interface": "Loopback0 and lo are not compared",
        "ipv4 address/mask": "of Loopback0 and lo",
        "admin/oper": "of a port; show interfaces status has it",
        "bgp neighbor": "of the configuration of its session",
        "neighbor ip": "of the configuration of its session",
    },
    "show ipv6 interfaces": {
        "interface": "IPv6 is not planned here",
        "ipv6 address/mask": "link-local, or of the loopback interface",
        "admin/oper": "of a port; show interfaces status has it",
        "bgp neighbor": "of the configuration of its session",
        "neighbor ip": "of the configuration of its session",
    },
    "show ip bgp summary": {
        "bgp table version 0": "a counter",
        "rib entries 0, using 0 kib of memory": "a counter",
        "msgrcvd": "a counter",
        "msgsent": "a counter",
        "tblver": "a counter",
        "inq": "a counter",
        "outq": "a counter",
        "up/down": "a duration",
        "state/pfxrcd": "any number of prefixes is established",
        "neighborname": "of the switch's own configuration",
        "total number of neighbors 0": "the list is then none of all",
    },
    "pfcwd show config": {"history": "nothing is planned of it"},
    "pfcwd show stats -e": {
        "storm detected/restored": "restored: not detected",
        "tx ok/drop": "a counter",
        "rx ok/drop": "a counter",
    },
    "show pfc counters": {"pfc3": "the priority with PFC counts under load"},
    "ecnconfig -l": {},
    "sysctl net.ipv4.neigh.default net.ipv6.neigh.default": {
        "net.ipv0.neigh.default.gc_stale_time = 0": "not of arp.conf",
        "net.ipv0.neigh.default.base_reachable_time_ms = 0": "IPv6 is not planned here",
        "net.ipv0.neigh.default.gc_thresh0 = 0": "IPv6 is not planned here",
    },
}
"""Command of SONiC -> column, or line with digits as 0 -> why a change is not told."""


def changes(text: str) -> Iterator[tuple[str, str]]:
    """(place, changed text): each word and number of the first line of every kind."""
    lines, seen = text.split("\n"), set[str]()
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        kind = re.sub(r"[0-9]+", "0", " ".join(line.lower().split()))
        if kind in seen or re.fullmatch(r"[ +=|-]*", line) or re.fullmatch(r"[ -]*--[ -]*|\+=[+=]*", below):
            continue
        seen.add(kind)
        for value in re.finditer(r"[A-Za-z]+|[0-9]+", line):
            changed = line[: value.start()] + other(value[0]) + line[value.end() :]
            yield (
                column(lines[:number], value.start()) or kind,
                "\n".join([*lines[:number], changed, *lines[number + 1 :]]),
            )


def column(above: list[str], offset: int) -> str:
    """Heading of the column at an offset, if the line is in a table or a grid."""
    for number in range(len(above) - 1, 0, -1):
        line = above[number]
        if not line.strip() or re.fullmatch(r"-+", line):
            return ""
        if re.fullmatch(r" *-+(?: +-+)+ *|\+=[+=]*", line):
            spans = [part.span() for part in re.finditer(r"-+|=+", line)]
            head = [above[number - 1][start : None if end == len(line) else end] for start, end in spans]
            at = max(n for n, (start, _) in enumerate(spans) if n == 0 or start <= offset)
            return " ".join(head[at].lower().split())
    return ""


@pytest.mark.parametrize("command", UNPLANNED)
def test_every_value_of_sonic_counts(command: str) -> None:
    silent = set()
    for name in ("leaf-1", "spine-1"):
        prompt = f"admin@{name}:~$ "
        text = live_outputs.shown(switch(SONIC, name), plan(SONIC))[command]
        good, none = told(SONIC, "x.txt", f"{prompt}{command}\n{text}{prompt}\n")
        assert none == 0
        for place, changed in changes(text):
            ok, wrong = told(SONIC, "x.txt", f"{prompt}{command}\n{changed}{prompt}\n")
            silent |= {place} if ok >= good and not wrong else set()
    assert silent == UNPLANNED[command].keys()


_QUEUE = "TABLE_module.TABLE_queuing_interface.0.TABLE_qosgrp_stats.0.TABLE_qosgrp_stats_entry.0"
_UNIT = "interface-information.0.physical-interface.0.logical-interface.0"
_VIRTUAL = "of no address"
_LOOPBACK = "of a loopback, its address counts"
_LO = "ports.json interfaces.Loopback0"
_JUNOS_LLDP = "lldp-neighbors-information.0.lldp-neighbor-information.0"
_ANOTHER = "the first label tells the system"
_LEGEND = "no value of the switch"
_JUNOS_VLANS = "vlans.json l2ng-l2ald-vlan-instance-information"
_JUNOS_VLAN = f"{_JUNOS_VLANS}.0.l2ng-l2ald-vlan-instance-group.0"
_JUNOS_MEMBER = f"{_JUNOS_VLAN}.l2ng-l2rtb-vlan-member.0.l2ng-l2rtb-vlan-member"
HARMLESS: Mapping[str, Mapping[str, str]] = {
    "cumulus-nvue": {
        "lldp.json PORT.lldp.neighbor.NAME as a key": "the system's name stands below it too",
        "lldp.json PORT.lldp.neighbor.NAME.chassis.system-name": _ANOTHER,
        "ports.json PORT.type": _LEGEND,
        "ports.json NAME.type": _LEGEND,
        "ports.json lo.type": _LEGEND,
        "vlans.json 0.ifname": "the bridge itself",
        "vlans.json 0.vlans.0.vlan": "of the bridge itself",
        "vlans.json 0.vlans.0.flags.0": "of the bridge itself",
        "bgp.json ipv4Unicast.peerCount": "of dynamic neighbours too",
        "bgp.json ipv4Unicast.peers.ADDRESS.pfxRcd": "any number of prefixes is established",
        "roce.json congestion-control.enabled-tc": "class 0, which the profile has beside the planned ones",
        "roce.json congestion-control.min-threshold": "the ASIC rounds it",
    },
    "arista-eos": {
        "lldp.json lldpNeighbors.PORT.lldpNeighborInfo.0.systemName": _ANOTHER,
        "lldp.json lldpNeighbors.PORT.lldpNeighborInfo.0.neighborInterfaceInfo.interfaceIdType": _LEGEND,
        "lldp.json lldpNeighbors.PORT.lldpNeighborInfo.0.neighborInterfaceInfo.interfaceId": "v2 counts",
        "ports.json interfaces.PORT.name": "the key counts",
        "ports.json interfaces.PORT.mtu": "of a switched port that of the hardware",
        "ports.json interfaces.PORT.interfaceAddress.0.virtualIp.maskLen": _VIRTUAL,
        "ports.json interfaces.Vlan103.interfaceAddress.0.virtualIp.maskLen": _VIRTUAL,
        "ports.json interfaces.Vlan103.name": "the key counts",
        "ports.json interfaces.Vlan103.mtu": "of the VLAN interface, which follows the system",
        "ports.json interfaces.Vlan103.interfaceStatus": "lineProtocolStatus counts",
        "ports.json interfaces.Vlan103.forwardingModel": "has an address",
        f"{_LO}.name": _LOOPBACK,
        f"{_LO}.forwardingModel": _LOOPBACK,
        f"{_LO}.lineProtocolStatus": _LOOPBACK,
        f"{_LO}.interfaceAddress.0.virtualIp.maskLen": _VIRTUAL,
        "vlans.json sourceDetail": _LEGEND,
        "vlans.json vlans.103.interfaces.PORT.privatePromoted": _LEGEND,
        "vlans.json vlans.1.status": "not planned",
        "bgp.json vrfs.default.vrf": "the key counts",
    },
    "cisco-nxos": {
        "lldp.json neigh_hdr": _LEGEND,
        "lldp.json TABLE_nbor.0.chassis_id": _ANOTHER,
        "ports.json TABLE_interface.0.eth_bw": "as configured; eth_speed counts",
        "ports.json TABLE_interface.0.svi_admin_state": "svi_line_proto counts",
        "vlans.json TABLE_mtuinfo.vlanshowinfo-vlanid": "of another table",
        "bgp.json TABLE_vrf.TABLE_af.0.af-id": "the addresses tell the IP version too",
        "bgp.json TABLE_vrf.TABLE_af.0.TABLE_saf.af-name": _LEGEND,
        "bgp.json TABLE_vrf.TABLE_af.0.TABLE_saf.configuredpeers": "the list is then none of all",
        "mac.json age_str": _LEGEND,
        "pfc.json TABLE_module.TABLE_pfc_interface.0.admin": "oper counts",
        "pfc.json TABLE_module.TABLE_pfc_interface.0.rx-stats": "a counter",
        "queues.json TABLE_module.TABLE_queuing_interface.0.if_name_str": "words around port and state",
        f"queues.json {_QUEUE.rpartition('.TABLE')[0]}.eq-qosgrp": "behind the number",
        f"queues.json {_QUEUE}.q-stat-type": _LEGEND,
        f"queues.json {_QUEUE}.q-restored": "a counter",
    },
    "juniper-junos": {
        "lldp.json lldp-neighbors-information.0.attributes.xmlns": _LEGEND,
        f"lldp.json {_JUNOS_LLDP}.lldp-remote-port-id-subtype.0.data": "of a name in any case",
        f"lldp.json {_JUNOS_LLDP}.lldp-remote-system-name.0.data": _ANOTHER,
        "ports.json interface-information.0.attributes.xmlns": _LEGEND,
        f"ports.json {_UNIT}.name.0.data": "of a port, what it is below counts",
        f"ports.json {_UNIT}.address-family.0.interface-address.0.ifa-destination.0.data": "its length",
        "bgp.json bgp-information.0.attributes.xmlns": _LEGEND,
        f"{_JUNOS_VLANS}.0.attributes.xmlns": _LEGEND,
        f"{_JUNOS_VLAN}.l2ng-l2rtb-vlan-name.0.data": _LEGEND,
        f"{_JUNOS_MEMBER}-interface-mode.0.data": "tagness counts",
        f"{_JUNOS_MEMBER}-tagness.0.data": "no word of it: not seen",
        "bgp.json bgp-information.0.bgp-peer.0.peer-address.0.data": "the TCP port behind the address",
    },
}
"""NOS -> file and path of a value -> why a change is not told."""

_NAMES = (
    (re.compile(r"(?:swp|Ethernet|et-)[0-9/]+"), "PORT"),
    (re.compile(r"[0-9]+(?:\.[0-9]+){3}"), "ADDRESS"),
    (re.compile(r".*\.example\.com|vlan[0-9]+"), "NAME"),
)


def values(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any, Any]]:
    """(path, container, key) of each value, and of each key that is a name."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        step = next((name for form, name in _NAMES if form.fullmatch(str(key))), str(key))
        here = path if str(key).startswith("ROW_") else (*path, step if isinstance(key, str) else "0")
        if step.isupper() and isinstance(key, str):
            yield f"{'.'.join(here)} as a key", data, key
        if isinstance(value, (str, int)):
            yield ".".join(here), data, key
        yield from values(value, here)


def edits(value: Any) -> list[Any]:
    if isinstance(value, int):
        return [value + 1]
    runs = re.finditer(r"[A-Za-z]+|[0-9]+", value)
    return [value[: run.start()] + other(run[0]) + value[run.end() :] for run in runs] or [f"{value}x"]


def edited(shown: Any) -> Iterator[tuple[str, str]]:
    """(path, changed text) of the first value of each path."""
    seen = set[str]()
    for path, holder, key in list(values(shown)):
        if path in seen:
            continue
        seen.add(path)
        before = dict(holder) if isinstance(holder, dict) else list(holder)
        for new in edits(key if path.endswith(" as a key") else holder[key]):
            if path.endswith(" as a key"):
                renamed = {new if each == key else each: value for each, value in holder.items()}
                holder.clear()
                holder.update(renamed)
            else:
                holder[key] = new
            yield path, json.dumps(shown)
            if isinstance(holder, dict):
                holder.clear()
                holder.update(before)
            else:
                holder[:] = before


@pytest.mark.parametrize("nos", sorted(OUTPUTS.keys() - {"sonic"}))
def test_every_value_of_json_counts(nos: str) -> None:
    leaf, silent = LEAVES[nos], set()
    for file, shown in live_json.of(switch(MIXED, leaf), plan(MIXED)).items():
        if not file.endswith(".json"):
            continue
        good, none = told(MIXED, file, json.dumps(shown))
        assert none == 0
        for path, text in edited(shown):
            ok, wrong = told(MIXED, file, text)
            silent |= {f"{file.removeprefix(leaf)[1:]} {path}"} if ok >= good and not wrong else set()
    assert silent == HARMLESS[nos].keys()
