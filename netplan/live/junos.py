"""What show commands of Junos print with ``| display json``, as readings; neighbours: importing.lldp_switch.
Every element is a list of one object with ``data``.

Shapes: batfish/lab-validation dbe21f0 snapshots/*/show/*: show_interfaces_|_display_json.txt,
show_bgp_neighbor_|_display_json.txt (an address of a logical interface stands beside its network, whose
zeros at the end may be left out: 10/8; address-families of a session, such as evpn); netenglabs/suzieq
584b22ab suzieq/config: interfaces.yml, bgp.yml, and tests/integration/sqcmds/junos-input.
show vlans: a capture of show vlans detail, with the state and the tagging of each member, in suzieq
tests/integration/sqcmds/junos-input/vlan.output (VLAN 1, default, is in every list; ``*`` stands behind a
member that is up); napalm-automation/napalm ee70e634 napalm/junos/utils/junos_views.yml,
junos_vlans_table_switch_l2ng.
Units of lo0 beside lo0.0 are the system's own (JUNOS Cookbook, Dealing with Nonconfigurable Interfaces).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from netplan.diagnostics import Source
from netplan.live.model import DEFAULT_VLAN, Unused, Whole
from netplan.live.objects import (
    Found,
    addresses,
    asn,
    first,
    is_link_local,
    objects,
    of_any_family,
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

_INSTANCE = "master"
_VLANS = "default-switch"
"""The instance of switching whose VLANs the plan states."""
_L2 = "l2ng-l2rtb"
_LOOPBACK = "lo0"
_VLAN = re.compile(r"irb\.([0-9]{1,4})")
Units = Sequence[tuple[str, Sequence[dict[str, Any]]]]
"""Logical interfaces, each with its families."""


def readings(where: str, data: Any, places: Places) -> Found:
    """``data``: the object that a command printed."""
    for shown in _elements(data, "interface-information"):
        for port in _elements(shown, "physical-interface"):
            values = {
                "oper": _leaf(port, "oper-status"),
                "admin": _leaf(port, "admin-status"),
                "speed": speed(_leaf(port, "speed")),
                "mtu": _leaf(port, "mtu"),
            }
            families = [
                (_leaf(unit, "name"), _families(unit)) for unit in _elements(port, "logical-interface")
            ]
            own = [each for name, rows in families if not _VLAN.fullmatch(name) for each in rows]
            values["mode"] = _mode(own)
            yield from stated(where, "interfaces", _leaf(port, "name"), values, first(places, port))
            yield from _addressed(where, _leaf(port, "name"), families, first(places, port))
    for shown in _elements(data, "l2ng-l2ald-vlan-instance-information"):
        yield from _vlans(where, _elements(shown, "l2ng-l2ald-vlan-instance-group"), places)
    for shown in _elements(data, "bgp-information"):
        yield from _bgp(where, shown, places)


def _families(unit: dict[str, Any]) -> list[dict[str, Any]]:
    return _elements(unit, "address-family")


def _mode(families: Iterable[dict[str, Any]]) -> str:
    """By the families of all logical interfaces of a port; empty without a known one."""
    named = {_leaf(each, "address-family-name"): each for each in families}
    if "aenet" in named:
        return f"member of {_leaf(named['aenet'], 'ae-bundle-name')}"
    if named.keys() & {"inet", "inet6"}:
        return "routed"
    return "bridged" if "eth-switch" in named else ""


def _addressed(where: str, port: str, families: Units, place: Source) -> Found:
    """Of VLAN interfaces each, of a port all together."""
    of_port: list[str] = []
    for name, rows in families:
        found = [each for row in rows for each in _addresses(row, name)]
        if _VLAN.fullmatch(name):
            yield from _told(where, name, found, place)
        elif port != _LOOPBACK or name == f"{_LOOPBACK}.0":  # lo0.16384 and others: of the system
            of_port += found
    if _mode(row for _, rows in families for row in rows) == "routed" and port != "irb":
        yield from _told(where, port, of_port, place)


def _told(where: str, name: str, shown: Sequence[str], place: Source) -> Found:
    """Nothing where an address has no known length."""
    if all("/" in each for each in shown):
        yield from of_interface(where, name, _VLAN, addresses(shown), "", place)


def _addresses(family: dict[str, Any], unit: str) -> Iterator[str]:
    """Without link-local ones. Of ``terse`` each has its length."""
    for row in _elements(family, "interface-address"):
        local, network = _leaf(row, "ifa-local"), _leaf(row, "ifa-destination")
        if not local or is_link_local(local):
            continue
        if "/" not in local and unit == f"{_LOOPBACK}.0":
            yield f"{local}/{128 if ':' in local else 32}"
        else:
            yield local if "/" in local else f"{local}{''.join(network.rpartition('/')[1:])}"


def _vlans(where: str, shown: Sequence[dict[str, Any]], places: Places) -> Found:
    """A VLAN of another instance is another VLAN, though it may have the same number."""
    own = [vlan for vlan in shown if _leaf(vlan, f"{_L2}-name") in ("", _VLANS)]
    if other := next((vlan for vlan in shown if vlan not in own), None):
        yield Unused(first(places, other), f"VLANs of instance {_leaf(other, f'{_L2}-name')}")
    for vlan in own:
        tag, place = _leaf(vlan, f"{_L2}-vlan-tag"), first(places, vlan)
        state = {"state": _leaf(vlan, f"{_L2}-instance-state").lower()}
        yield from stated(where, "tagging", tag, state, place)
        for member in _elements(vlan, f"{_L2}-vlan-member"):
            port = _leaf(member, f"{_L2}-vlan-member-interface").rstrip("*").removesuffix(".0")
            tagging = one_of(_leaf(member, f"{_L2}-vlan-member-tagness"), "tagged", "untagged")
            field, found = ("tagging", tagging) if tagging else ("member", "yes")
            yield said(where, "tagging", f"{tag} {port}", field, found, place)
    if DEFAULT_VLAN in (_leaf(vlan, f"{_L2}-vlan-tag") for vlan in own):
        yield Whole(where=where, kind="tagging", at=first(places, own[0]))


def _elements(data: Any, key: str) -> list[dict[str, Any]]:
    return objects(data.get(key)) if isinstance(data, dict) else []


def _leaf(row: dict[str, Any], key: str) -> str:
    return text(next(iter(_elements(row, key)), {}), "data")


def _bgp(where: str, shown: dict[str, Any], places: Places) -> Found:
    """Of the routing instance that all switches have; an address stands with its TCP port behind ``+``."""
    every = _elements(shown, "bgp-peer")
    peers = [peer for peer in every if _leaf(peer, "peer-cfg-rti") in ("", _INSTANCE)]
    if every and not peers:
        yield of_vrf(_leaf(every[0], "peer-cfg-rti"), first(places, shown))
    own = [peer for peer in peers if _is_of_routes(peer)]
    if own:
        yield from of_any_family(_sessions(where, own, first(places, shown), places), first(places, shown))
    elif peers:
        yield Unused(first(places, shown), "BGP sessions of other address families")


def _sessions(where: str, peers: Sequence[dict[str, Any]], place: Source, places: Places) -> Found:
    for peer in peers:
        local = {"AS": asn(_leaf(peer, "local-as")), "router id": _leaf(peer, "local-id")}
        yield from stated(where, "bgp", "local", local, first(places, peer))
        values = {"AS": asn(_leaf(peer, "peer-as")), "session": _leaf(peer, "peer-state").lower()}
        yield from stated(where, "bgp", _address(peer), values, first(places, peer))
    if len(peers) > 1:  # one may be the one that was asked for
        yield from whole_bgp(where, map(_address, peers), place)


def _is_of_routes(peer: dict[str, Any]) -> bool:
    """Not a session of another address family alone, such as EVPN."""
    options = next(iter(_elements(peer, "bgp-option-information")), {})
    families = set(_leaf(options, "address-families").split())
    return not families or bool(families & {"inet-unicast", "inet6-unicast"})


def _address(peer: dict[str, Any]) -> str:
    return _leaf(peer, "peer-address").partition("+")[0].lower()
