"""What show commands of Cisco NX-OS print with ``| json`` and ``| json native``, as readings; neighbours:
importing.lldp_switch. A table of one row is an object with ``json`` and a list with ``json native``.

Shapes: Cisco Nexus 9000 Series NX-OS Command Reference (Show Commands), Release 9.3(x): the keys of each;
with outputs or their readers: show interface: napalm-automation/napalm ee70e634 test/nxos/mocked_data,
ansible-collections/cisco.nxos 154aa540 plugins/module_utils/network/nxos/facts/legacy/base.py (eth_bundle of
a LAG's member: napalm, test/nxos_ssh, test_get_interfaces_counters/Nexus3548); show bgp all summary and
show vlan: napalm, the same, netenglabs/suzieq 584b22ab tests/integration/sqcmds/nxos-input;
vlanshowbr-vlanid-utf: cisco.nxos 0269d218, the same file, parse_structured_vlans; vlanshowbr-vlanid with its
bytes swapped beside it: a capture in Network to Code's course slides; show mac address-table aging-time:
developer.cisco.com, NX-API CLI reference 9.3(x); show interface priority-flow-control: pbrusio/SASP_DCAI
b6adfcc7 sasp/infrastructure/scripts/switch_metrics_nxapi.py, Enizaksoy/rdma-ai-cluster 9c815ae9
nexus_prometheus_exporter.py (values of oper: not seen, compared without case); show queuing pfc-queue
detail: paregupt/nexus_traffic_monitor 9ed4c95d telegraf/nexus_traffic_monitor_high_frequency.py (text
behind the port's name and the group's number).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Source
from netplan.live.model import DEFAULT_VLAN, Unused, Whole
from netplan.live.objects import (
    Found,
    asn,
    first,
    mapping,
    objects,
    of_interface,
    of_vrf,
    one_of,
    said,
    speed,
    stated,
    text,
    whole_bgp,
)
from netplan.model.document import Places
from netplan.model.values import LAST_VLAN, whole

_PORT = re.compile(r"(Eth(?:ernet)?)([0-9]{1,4}(?:/[0-9]{1,4}){1,2})\b")
_RANGE = re.compile(r"(Ethernet(?:[0-9]{1,4}/){1,2})([0-9]{1,4})-([0-9]{1,4})")
_WATCHED = re.compile(r"watchdog: *\[([A-Za-z]{1,20})\]")
_SHORT = re.compile(r"^Eth(?=[0-9])")
_VLAN = re.compile(r"Vlan([0-9]{1,4})")
_GROUP = re.compile(r"[0-9]")
_MOST_PORTS = 1024
_IPV = {"1": 4, "2": 6}
_UNICAST = "1"


def readings(where: str, data: Any, places: Places) -> Found:
    """``data``: the object that a command printed."""
    yield from _interfaces(where, data, places)
    yield from _vlans(where, data, places)
    vrfs = {text(vrf, "vrf-name-out"): vrf for vrf in _rows(data, "vrf")}
    if "default" in vrfs:
        yield from _bgp(where, vrfs["default"], places)
    elif vrfs:
        yield of_vrf(", ".join(vrfs), first(places, next(iter(vrfs.values()))))
    if text(data, "age").isdecimal():
        yield said(where, "mac", "table", "age", text(data, "age"), places.source_of(data, "age"))
    for module in _rows(data, "module"):
        yield from _pfc(where, module, places)
        yield from _shutdowns(where, module, places)


def _rows(data: Any, name: str) -> Iterator[dict[str, Any]]:
    for table in objects(mapping(data).get(f"TABLE_{name}")):
        yield from objects(table.get(f"ROW_{name}"))


def _port(shown: str) -> str:
    """Eth1/1 and what stands behind a name: Ethernet1/1."""
    found = _PORT.match(shown)
    return f"Ethernet{found[2]}" if found is not None else ""


def _interface(shown: str) -> str:
    """As the plan has a port; sub-interfaces and others by their own names."""
    return _port(shown) if _PORT.fullmatch(shown) else shown


def _interfaces(where: str, data: Any, places: Places) -> Found:
    for row in _rows(data, "interface"):
        port = _interface(text(row, "interface"))
        yield from _addresses(where, port, row, first(places, row))
        if port:
            values = {
                "oper": one_of(text(row, "state"), "up", "down"),  # other words: show interface status
                "admin": one_of(text(row, "admin_state"), "up", "down"),
                "speed": speed(text(row, "eth_speed")),
                "mtu": text(row, "eth_mtu"),
                "mode": text(row, "eth_bundle") or text(row, "eth_mode"),
            }
            yield from stated(where, "interfaces", port, values, first(places, row))


def _addresses(where: str, name: str, row: dict[str, Any], place: Source) -> Found:
    """IPv4 addresses. A row has the keys of its kind of interface (napalm, test_get_interfaces_ip)."""
    of_vlan = "svi_line_proto" in row
    kind = "svi" if of_vlan else "eth"
    address, length = text(row, f"{kind}_ip_addr"), text(row, f"{kind}_ip_mask")
    if of_vlan or address or text(row, "eth_mode") == "routed":
        shown = f"{address}/{length}" if address else ""
        yield from of_interface(where, name, _VLAN, shown, text(row, "svi_line_proto"), place)


def _vlans(where: str, data: Any, places: Places) -> Found:
    rows = [*_rows(data, "vlanbrief"), *_rows(data, "vlanbriefxbrief")]
    ids = [text(row, "vlanshowbr-vlanid-utf") or text(row, "vlanshowbr-vlanid") for row in rows]
    if other := next((row for row, vlan in zip(rows, ids, strict=True) if not _is_vlan(vlan)), None):
        yield Unused(first(places, other), f"no VLAN from 1 to {LAST_VLAN}: this list is not used")
        return
    for row, vlan in zip(rows, ids, strict=True):
        ports = row.get("vlanshowplist-ifidx")
        shut = text(row, "vlanshowbr-shutstate") == "shutdown"
        state = {"state": "shutdown" if shut else text(row, "vlanshowbr-vlanstate")}
        yield from stated(where, "member", vlan, state, first(places, row))
        for part in ports if isinstance(ports, list) else [ports]:
            for port in _expanded(part) if isinstance(part, str) else ():
                yield said(where, "member", f"{vlan} {port}", "member", "yes", first(places, row))
    if DEFAULT_VLAN in ids:
        yield Whole(where=where, kind="member", at=first(places, rows[0]))


def _is_vlan(shown: str) -> bool:
    return 0 < (whole(shown, 4) or 0) <= LAST_VLAN


def _expanded(ports: str) -> Iterator[str]:
    """Of ``Ethernet1/3,Ethernet1/6-10`` or ``Eth1/3, Eth1/6-10``."""
    for each in (_SHORT.sub("Ethernet", part.strip()) for part in ports.split(",")):
        span = _RANGE.fullmatch(each)
        if span is None:
            yield each
        elif int(span[3]) - int(span[2]) < _MOST_PORTS:
            yield from (f"{span[1]}{number}" for number in range(int(span[2]), int(span[3]) + 1))


def _bgp(where: str, vrf: dict[str, Any], places: Places) -> Found:
    values = {"router id": text(vrf, "vrf-router-id"), "AS": asn(text(vrf, "vrf-local-as"))}
    yield from stated(where, "bgp", "local", values, first(places, vrf))
    for family in _rows(vrf, "af"):
        for unicast in _rows(family, "saf"):
            if text(unicast, "safi") == _UNICAST and text(family, "af-id") in _IPV:
                yield from _family(where, unicast, _IPV[text(family, "af-id")], places)


def _family(where: str, unicast: dict[str, Any], version: int, places: Places) -> Found:
    rows = list(_rows(unicast, "neighbor"))
    for row in rows:
        values = {"AS": asn(text(row, "neighboras")), "session": text(row, "state").lower()}
        yield from stated(where, "bgp", text(row, "neighborid").lower(), values, first(places, row))
    if text(unicast, "configuredpeers") == str(len(rows)):
        peers = (text(row, "neighborid") for row in rows)
        yield from whole_bgp(where, peers, first(places, unicast), version)


def _pfc(where: str, module: dict[str, Any], places: Places) -> Found:
    for row in _rows(module, "pfc_interface"):
        state = text(row, "oper").lower().partition(" ")[0]
        if port := _port(text(row, "if_name_str")):
            yield from stated(where, "pfc mode", port, {"oper": state}, first(places, row))


def _shutdowns(where: str, module: dict[str, Any], places: Places) -> Found:
    """How often the watchdog has shut a queue down since the counters were cleared."""
    for row in _rows(module, "queuing_interface"):
        port, watched = _port(text(row, "if_name_str")), _WATCHED.search(text(row, "if_name_str"))
        if port and watched is not None:
            yield said(where, "shutdown", port, "watchdog", watched[1].lower(), first(places, row))
        for group in _rows(row, "qosgrp_stats"):
            number = _GROUP.search(text(group, "eq-qosgrp"))
            for entry in _rows(group, "qosgrp_stats_entry"):
                times = text(entry, "q-shutdown")
                if port and number is not None and times.isdecimal():
                    yield said(where, "shutdown", f"{port}:{number[0]}", "times", times, first(places, entry))
