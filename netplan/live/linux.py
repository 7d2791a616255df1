"""What the kernel and FRR of a switch print, whose NOS is Linux: SONiC and Cumulus.

Shapes: FRR's show bgp summary json, and with one family: sonic-net/sonic-mgmt tests/bgp,
test_bgp_gr_suppress_fib.py; ipspace/netlab 771eeee6 netsim/validate/bgp/frr.py; FRR up to 5 has Default for
the VRF: FRRouting/frr issue 2567; peerState (OK, Policy, NoNeg): FRRouting/frr fbfc8222 bgpd/bgp_vty.c,
bgp_show_summary. bridge -j vlan show of iproute2: vyos/vyos-1x python/vyos/configdict.py,
and the topotests of FRR (vlanEnd); an object by port before iproute2 4.19 (iproute2/iproute2 d82a49ce to
0f362674, bridge/vlan.c; read by ifupdown2, bridge_port_vids_get_all_json). The lines of sysctl:
sysctl(8) of procps; their names: Linux Documentation/networking/ip-sysctl.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from netplan.diagnostics import Source
from netplan.live.model import Reading, Whole, ip_version
from netplan.live.objects import (
    UNICAST,
    Found,
    asn,
    first,
    mapping,
    objects,
    of_any_family,
    of_vrf,
    said,
    stated,
    text,
    whole_list,
)
from netplan.model.document import Places
from netplan.model.values import LAST_VLAN
from netplan.reading.tables import Line

_SYSCTL = re.compile(
    r"\s*(net\.ipv[46]\.neigh\.default\.(?:base_reachable_time_ms|gc_thresh[123])) = ([0-9]{1,12})\s*"
)
_FRONT = re.compile(r"swp[0-9]")
_PORT = re.compile(r"(?:swp|Ethernet|PortChannel)[0-9]")
_FAMILIES = {"ipv4Unicast": 4, "ipv6Unicast": 6}
"""Key of an address family -> IP version."""
_NO_PORT = "no port of the bridge is in it: keep the prompt, which says whether it was asked for all"
Ports = Sequence[tuple[str, Sequence[dict[str, Any]]]]
_UNTAGGED, _PVID = "Egress Untagged", "PVID"


def sysctls(where: str, lines: Sequence[Line]) -> Iterator[Reading]:
    for line in lines:
        if found := _SYSCTL.fullmatch(line.text):
            yield said(where, "sysctl", found[1], "value", found[2], line.at)


def readings(where: str, data: Any, places: Places, family: str = "") -> Found:
    """``data``: the object or list that a command printed. ``family``: the one that it asked for, which is
    not in the output."""
    if ports := _ports(data):
        at = (
            first(places, objects(data)[0]) if isinstance(data, list) else places.source_of(data, ports[0][0])
        )
        yield from _bridge(where, ports, at, places)
        return
    yield from _summary(where, mapping(data), family, places)
    vrfs = {name: body for name, body in mapping(data).items() if _is_summary(body) and name not in _FAMILIES}
    for name, body in vrfs.items():
        if name.lower() == "default":
            yield from _summary(where, body, family, places)
        else:
            yield of_vrf(name, places.source_of(data, name))


def _is_summary(body: Any) -> bool:
    """Of a VRF: the sessions, or their families."""
    return "routerId" in mapping(body) or any("routerId" in mapping(body, family) for family in mapping(body))


def _summary(where: str, data: dict[str, Any], family: str, places: Places) -> Found:
    yield from _bgp(where, data, UNICAST.get(family.lower(), 0), places)
    for key, version in _FAMILIES.items():
        yield from _bgp(where, mapping(data, key), version, places)


def _bgp(where: str, family: dict[str, Any], version: int, places: Places) -> Found:
    """``version``: of IP; 0 if the output does not say it."""
    peers = mapping(family, "peers")
    if "routerId" not in family:
        return
    if text(family, "vrfName").lower() not in ("", "default") or text(family, "vrfId") not in ("", "0"):
        vrf = text(family, "vrfName") or f"vrf-id {text(family, 'vrfId')}"
        yield of_vrf(vrf, places.source_of(family, "routerId"))
        return
    values = {"router id": text(family, "routerId"), "AS": asn(text(family, "as"))}
    yield from stated(where, "bgp", "local", values, places.source_of(family, "routerId"))
    sessions = _sessions(where, family, peers, version, places)
    if version or not peers:
        yield from sessions
    else:
        yield from of_any_family(sessions, places.source_of(family, "peers"))


def _sessions(
    where: str, family: dict[str, Any], peers: dict[str, Any], version: int, places: Places
) -> Found:
    for address, body in peers.items():
        values = {"AS": asn(text(body, "remoteAs")), "session": _session(address, body, version)}
        yield from stated(where, "bgp", address.lower(), values, places.source_of(peers, address))
    if text(family, "totalPeers") in ("", str(len(peers))):
        yield from whole_list(where, peers, places.source_of(family, "peers"), version)


def _session(address: str, body: Any, version: int) -> str:
    """Of one that is up without the routes of its list, what it says of these; nothing in a list of the other
    IP version, or of none."""
    state, routes = text(body, "state").lower(), text(body, "peerState")
    if state != "established" or routes in ("", "OK"):
        return state
    return routes if version == ip_version(address) else ""


def _ports(data: Any) -> Ports:
    """Name and VLANs of each port of a bridge; none of other data."""
    if isinstance(data, list):
        shown = [(text(port, "ifname"), port.get("vlans")) for port in objects(data)]
        return [(name, objects(rows)) for name, rows in shown if name and isinstance(rows, list)]
    by_name = [(name, objects(rows)) for name, rows in mapping(data).items() if isinstance(rows, list)]
    own = len(by_name) == len(mapping(data)) and all("vlan" in row for _, rows in by_name for row in rows)
    return by_name if own else []


def _bridge(where: str, ports: Ports, at: Source, places: Places) -> Found:
    for name, rows in ports:
        for row in rows:
            tagging = _tagging(row.get("flags"))
            for vlan in _span(row):
                yield said(where, "tagging", f"{vlan} {name}", "tagging", tagging, first(places, row))
    front = {bool(_FRONT.match(name)) for name, _ in ports}
    if len(front) > 1:  # the bridge, and all of its ports
        yield Whole(where=where, kind="tagging", at=at)
    elif not any(_PORT.match(name) for name, _ in ports):
        yield Whole(where=where, kind="tagging", at=at, doubt=_NO_PORT)


def _tagging(flags: Any) -> str:
    """An untagged VLAN is the PVID too: frames without a tag go into it."""
    untagged, pvid = (isinstance(flags, list) and each in flags for each in (_UNTAGGED, _PVID))
    if untagged == pvid:
        return "untagged" if untagged else "tagged"
    return "untagged without PVID" if untagged else "tagged with PVID"


def _span(row: dict[str, Any]) -> range:
    start, end = text(row, "vlan"), text(row, "vlanEnd") or text(row, "vlan")
    if not (start.isdecimal() and end.isdecimal()):
        return range(0)
    return range(int(start), min(int(end), LAST_VLAN) + 1)
