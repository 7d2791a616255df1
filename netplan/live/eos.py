"""Output of Arista EOS show commands with ``| json``, as readings; neighbours: importing.lldp_switch.

Shapes: aristanetworks/anta 68667e0e, tests/units/anta_tests: test_interfaces.py (show interfaces, show
interfaces description), routing/test_bgp.py (show bgp summary, with a family in each peer, which
must be negotiated: VerifyBGPPeersHealth; of one family, as show bgp evpn summary, without), test_vlan.py;
batfish/lab-validation dbe21f0 snapshots/*/show/*/show_interfaces_|_json.txt and napalm-automation/napalm
ee70e634 test/eos/mocked_data: test_get_interfaces, test_get_vlans. A switched port shows the MTU of the
hardware, not its own (anta, VerifyL3MTU: forwardingModel routed). IPv4 addresses: lab-validation,
cv_demo_base_panos leaf01; of IPv6: napalm, test_get_interfaces/issue68_iface_no_physical_addr.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from netplan.diagnostics import Source
from netplan.live.model import DEFAULT_VLAN, Whole, ip_version
from netplan.live.objects import (
    Found,
    addresses,
    asn,
    mapping,
    objects,
    of_any_family,
    of_interface,
    of_vrf,
    said,
    stated,
    text,
    whole_bgp,
)
from netplan.model.document import Places

_ADMIN = {
    **dict.fromkeys(("disabled", "adminDown"), "down"),
    **dict.fromkeys(("connected", "notconnect", "notconnected", "errdisabled", "up", "down"), "up"),
}
"""interfaceStatus -> whether the port is enabled; of any other word it says nothing."""
_UP = frozenset({"up", "connected"})
_BPS = 10**9
_NO_FAMILY = (
    "BGP summary of an address family that neither it nor a command names: what is not there is not seen"
)
_VLAN = re.compile(r"Vlan([0-9]{1,4})")


def readings(where: str, data: Any, places: Places) -> Found:
    """``data``: the object that a command printed."""
    for key in ("interfaceDescriptions", "interfaces"):
        yield from _interfaces(where, mapping(data, key), places)
    yield from _vlans(where, mapping(data, "vlans"), places)
    yield from _bgp(where, mapping(data, "vrfs"), places)


def _interfaces(where: str, ports: dict[str, Any], places: Places) -> Found:
    for port, body in ports.items():
        forwarding = text(body, "forwardingModel")
        status, line = text(body, "interfaceStatus"), text(body, "lineProtocolStatus")
        values = {
            "oper": "up" if line in _UP else line,
            "admin": _ADMIN.get(status, ""),
            "speed": _speed(text(body, "bandwidth")),
            "mtu": text(body, "mtu") if forwarding == "routed" else "",
            "mode": text(body, "interfaceMembership") or forwarding,
        }
        place = places.source_of(ports, port)
        yield from stated(where, "interfaces", port, values, place)
        rows = mapping(body).get("interfaceAddress")
        whole = isinstance(rows, list) and all(mapping(row, "primaryIp") for row in rows)
        if whole and (forwarding == "routed" or rows):
            yield from of_interface(where, port, _VLAN, addresses(_addresses(body)), values["oper"], place)


def _addresses(body: dict[str, Any]) -> Iterator[str]:
    """Those of ``ip address virtual`` too, which stand in place of the primary one or beside it."""
    for row in objects(body.get("interfaceAddress")):
        lists = ("secondaryIpsOrderedList", "virtualSecondaryIpsOrderedList")
        more = (each for key in lists for each in objects(row.get(key)))
        for own in (mapping(row, "primaryIp"), mapping(row, "virtualIp"), *more):
            if text(own, "address") not in ("", "0.0.0.0"):
                yield f"{text(own, 'address')}/{text(own, 'maskLen')}"
    for own in objects(mapping(body, "interfaceAddressIp6").get("globalUnicastIp6s")):
        yield f"{text(own, 'address')}/{text(own, 'subnet').rpartition('/')[2]}"


def _speed(bandwidth: str) -> str:
    """Bits per second; a port without a link may have none."""
    whole = bandwidth.isdecimal() and int(bandwidth) and int(bandwidth) % _BPS == 0
    return f"{int(bandwidth) // _BPS}G" if whole else ""


def _vlans(where: str, vlans: dict[str, Any], places: Places) -> Found:
    for vlan, body in vlans.items():
        state = {"state": text(body, "status")}
        yield from stated(where, "member", vlan, state, places.source_of(vlans, vlan))
        for port in mapping(body, "interfaces"):
            yield said(where, "member", f"{vlan} {port}", "member", "yes", places.source_of(vlans, vlan))
    if DEFAULT_VLAN in vlans:
        yield Whole(where=where, kind="member", at=places.source_of(vlans, next(iter(vlans))))


def _bgp(where: str, vrfs: dict[str, Any], places: Places) -> Found:
    if vrfs and "default" not in vrfs:
        yield of_vrf(", ".join(vrfs), places.source_of(vrfs, next(iter(vrfs))))
    default = mapping(vrfs, "default")
    for key, field in (("routerId", "router id"), ("asn", "AS")):
        if value := asn(text(default, key)):
            yield said(where, "bgp", "local", field, value, places.source_of(default, key))
    peers, place = mapping(default, "peers"), places.source_of(default, "peers")
    if "peers" in default and not peers:
        yield from _doubted(whole for version in (4, 6) for whole in whole_bgp(where, (), place, version))
    own = {peer: body for peer, body in peers.items() if _is_of_routes(body)}
    if any(map(_has_family, peers.values())):
        yield from _sessions(where, peers, own, place, places)
    elif own:
        yield from of_any_family(_doubted(_sessions(where, peers, own, place, places)), place)


def _doubted(found: Found) -> Found:
    """A list without families is of IPv4, IPv6 or EVPN, which only the command says."""
    yield from (replace(one, doubt=_NO_FAMILY) if isinstance(one, Whole) else one for one in found)


def _sessions(where: str, peers: dict[str, Any], own: dict[str, Any], place: Source, places: Places) -> Found:
    for address, body in own.items():
        number = text(body, "peerAsn") or text(body, "asn")
        values = {"AS": asn(number), "session": _state(address, body)}
        yield from stated(where, "bgp", address.lower(), values, places.source_of(peers, address))
    yield from whole_bgp(where, own, place, ip_version(next(iter(peers))))


def _state(address: str, body: Any) -> str:
    """Of one that is up without the routes of its own IP version, what it says of these."""
    shown = text(body, "peerState").lower()
    routes = text(mapping(body, f"ipv{ip_version(address)}Unicast"), "afiSafiState")
    return routes if shown == "established" and routes not in ("", "negotiated") else shown


def _has_family(body: Any) -> bool:
    return any("afiSafiState" in mapping(each) for each in mapping(body).values())


def _is_of_routes(body: Any) -> bool:
    """Not a session of another address family alone, such as EVPN."""
    return not _has_family(body) or any(mapping(body, family) for family in ("ipv4Unicast", "ipv6Unicast"))
