"""What ``nv show ... -o json`` of Cumulus Linux prints, as readings; neighbours: importing.lldp_switch; what
its kernel and FRR print: linux.

Shapes: CumulusNetworks/docs 9fdbe121 static/cumulus-linux-53/api/openapi.json (schemas of what is shown:
/interface, with link.state, link.speed, link.mtu and ip.address; /vrf/{vrf-id}/router/bgp/neighbor, with
remote-as and state), NVUE reference, Show Commands; bond.[member]: cumulus-linux-5*, Bonding; ip.vrf, since
5.15 vrf: cumulus-linux-515, New and Changed NVUE Commands, IP Interface; david-pili/napalm-cumulus cf00485
napalm_cumulus/cumulus.py (link.admin-status, link.oper-status, link.speed, link.mtu; ip.address). nv show qos
roce: its table in CumulusNetworks/docs, RDMA over Converged Ethernet - RoCE; as JSON no output was found, but
one script that takes congestion-control.congestion-mode from it: a value of another shape says nothing, and
fields beside mode, PFC priorities and congestion mode are not missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.live.model import Kind, Unused
from netplan.live.objects import (
    Found,
    addresses,
    asn,
    is_link_local,
    mapping,
    of_any_family,
    one_of,
    said,
    speed,
    stated,
    text,
    whole_bgp,
)
from netplan.model.document import Places

_SVI = re.compile(r"vlan([1-9][0-9]{0,3})")
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}")
_ADDRESSED = (("ip",), ("ipv4",), ("ipv6",), ("ip", "vrr"), ("ipv4", "vrr"), ("ipv6", "vrr"))
"""Where addresses stand: since 5.15 by family; those of VRR (``ip.vrr.address`` in the same
schemas; by family: unconfirmed), which another switch may have too."""
_STORED = "no port has oper-status, mac or stats: it may be a stored configuration"
_OF_NOW = frozenset({"oper-status", "admin-status", "mac", "stats", "ifindex"})
"""Of a port or its link; unconfirmed: in no configuration."""
_LOOPBACK = "127.0.0.1/8", "::1/128"


def readings(where: str, data: Any, places: Places) -> Found:
    """``data``: the object that a command printed."""
    shown = mapping(data)
    yield from _roce(where, shown, places)
    stored = _is_stored(shown)
    if stored:
        yield Unused(places.source_of(shown, next(iter(shown))), _STORED)
    by_address = {name: body for name, body in shown.items() if _ADDRESS.fullmatch(name)}
    peers = {name: body for name, body in by_address.items() if "remote-as" in mapping(body)}
    if peers:
        place = places.source_of(shown, next(iter(peers)))
        yield from of_any_family(_sessions(where, shown, peers, places), place)
    for name, body in () if stored else shown.items():
        if name not in peers:
            yield from _interface(where, shown, name, body, places)


def _sessions(where: str, shown: dict[str, Any], peers: dict[str, Any], places: Places) -> Found:
    for name, body in peers.items():
        values = {"AS": _number(text(body, "remote-as")), "session": text(body, "state").lower()}
        yield from stated(where, "bgp", name.lower(), values, places.source_of(shown, name))
    yield from whole_bgp(where, peers, places.source_of(shown, next(iter(peers))))


def _is_stored(shown: dict[str, Any]) -> bool:
    """Whether there are ports, and none of them has what only a running one does."""
    ports = [body for body in shown.values() if mapping(body, "link")]
    return bool(ports) and not any(_OF_NOW & {*mapping(port, "link"), *port} for port in ports)


def _number(shown: str) -> str:
    """Of an AS; external and internal say none."""
    number = asn(shown)
    return number if number.isdecimal() else ""


def _interface(where: str, shown: dict[str, Any], name: str, body: Any, places: Places) -> Found:
    link, svi, place = mapping(body, "link"), _SVI.fullmatch(name), places.source_of(shown, name)
    kind: Kind = "interfaces" if svi is None else "svi"
    subject = name if svi is None else svi[1]
    vrf = text(mapping(body, "ip"), "vrf") or text(body, "vrf")  # since 5.15 the latter
    has_list = any(isinstance(mapping(body, *keys).get("address"), dict) for keys in _ADDRESSED)
    if has_list and vrf in ("", "default"):  # another VRF has subnets of its own
        yield said(where, kind, subject, "addresses", addresses(_addresses(body)), place)
    yield from stated(where, kind, subject, {"VRF": vrf}, place)
    for member in mapping(body, "bond", "member"):
        yield said(where, "interfaces", member, "bond", name, place)
    if svi is not None:
        values = {"oper": one_of(text(link, "oper-status") or _state(link), "up", "down")}
        yield from stated(where, "svi", svi[1], values, place)
    elif link:
        values = {
            "oper": text(link, "oper-status") or _state(link),
            "admin": text(link, "admin-status"),
            "speed": speed(text(link, "speed")),
            "mtu": text(link, "mtu"),
        }
        yield from stated(where, "interfaces", name, values, place)


def _state(link: dict[str, Any]) -> str:
    """``{"up": {}}``, or the word alone."""
    states = list(mapping(link, "state"))
    return states[0] if len(states) == 1 else text(link, "state")


def _addresses(body: Any) -> Iterator[str]:
    """Those that somebody gave it."""
    for keys in _ADDRESSED:
        for address in mapping(body, *keys, "address"):
            if not is_link_local(address) and address not in _LOOPBACK:
                yield address


def _roce(where: str, shown: dict[str, Any], places: Places) -> Found:
    marking, pfc = mapping(shown, "congestion-control"), mapping(shown, "pfc")
    if not (marking or pfc):
        return
    trusted = text(mapping(shown, "trust"), "trust-mode").split(",")
    by_key = {
        "mode": {"mode": text(shown, "mode")},
        "pfc": {
            "PFC priorities": _listed(pfc.get("pfc-priority")),
            "PFC rx": one_of(text(pfc, "rx-enabled"), "enabled", "disabled"),
            "PFC tx": one_of(text(pfc, "tx-enabled"), "enabled", "disabled"),
            "cable length": _number(text(pfc, "cable-length")),
        },
        "congestion-control": {"congestion mode": text(marking, "congestion-mode")},
        "trust": {"trust": one_of(",".join(sorted(trusted)), "pcp", "dscp", "dscp,pcp")},
    }
    for key, values in by_key.items():
        yield from stated(where, "roce", "switch", values, places.source_of(shown, key))
    if classes := _listed(marking.get("enabled-tc")):
        place = places.source_of(shown, "congestion-control")
        for number in map(str, range(8)):
            values = {"ECN": "on" if number in classes.split(",") else "off"}
            yield from stated(where, "roce", f"traffic class {number}", values, place)


def _listed(value: Any) -> str:
    """``3``, ``3,4``, a list or the keys of an object, in order."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, dict)) else ()
    numbers = [str(part).strip() for part in parts]
    return ",".join(sorted(numbers)) if all(number.isdecimal() for number in numbers) else ""
