"""What the kernel and FRR of a switch print, whose NOS is Linux: SONiC and Cumulus.

Shapes: FRR's show bgp summary json, and with one family: sonic-net/sonic-mgmt tests/bgp,
test_bgp_gr_suppress_fib.py; ipspace/netlab 771eeee6 netsim/validate/bgp/frr.py; FRR up to 5 has Default for
the VRF: FRRouting/frr issue 2567. bridge -j vlan show of iproute2: vyos/vyos-1x python/vyos/configdict.py,
and the topotests of FRR (vlanEnd). The lines of sysctl: sysctl(8) of procps; their names: Linux
Documentation/networking/ip-sysctl.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from netplan.live.model import Reading, Whole
from netplan.live.objects import (
    UNICAST,
    Found,
    asn,
    first,
    mapping,
    objects,
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
_UNTAGGED, _PVID = "Egress Untagged", "PVID"


def sysctls(where: str, lines: Sequence[Line]) -> Iterator[Reading]:
    for line in lines:
        if found := _SYSCTL.fullmatch(line.text):
            yield said(where, "sysctl", found[1], "value", found[2], line.at)


def readings(where: str, data: Any, places: Places, family: str = "") -> Found:
    """``data``: the object or list that a command printed. ``family``: the one that it asked for, which is
    not in the output."""
    if isinstance(data, list):
        yield from _bridge(where, objects(data), places)
        return
    yield from _bgp(where, mapping(data), UNICAST.get(family.lower(), 0), places)
    for key, version in (("ipv4Unicast", 4), ("ipv6Unicast", 6)):
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
    for address, body in peers.items():
        values = {"AS": asn(text(body, "remoteAs")), "session": text(body, "state").lower()}
        yield from stated(where, "bgp", address.lower(), values, places.source_of(peers, address))
    if text(family, "totalPeers") in ("", str(len(peers))):
        yield from whole_list(where, peers, places.source_of(family, "peers"), version)


def _bridge(where: str, ports: list[dict[str, Any]], places: Places) -> Found:
    known = [port for port in ports if text(port, "ifname") and isinstance(port.get("vlans"), list)]
    for port in known:
        for row in objects(port["vlans"]):
            tagging = _tagging(row.get("flags"))
            for vlan in _span(row):
                subject = f"{vlan} {text(port, 'ifname')}"
                yield said(where, "tagging", subject, "tagging", tagging, first(places, row))
    if any(not _FRONT.match(text(port, "ifname")) for port in known):  # the bridge: all of its ports
        yield Whole(where=where, kind="tagging", at=first(places, known[0]))


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
