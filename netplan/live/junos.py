"""What show commands of Junos print with ``| display json``, as readings; neighbours: importing.lldp_switch.
Every element is a list of one object with ``data``.

Shapes: batfish/lab-validation dbe21f0 snapshots/*/show/*: show_interfaces_|_display_json.txt,
show_bgp_neighbor_|_display_json.txt; netenglabs/suzieq 584b22ab suzieq/config: interfaces.yml, bgp.yml, and
tests/integration/sqcmds/junos-input.
"""

from __future__ import annotations

from typing import Any

from netplan.live.objects import Found, asn, first, objects, of_vrf, speed, stated, text, whole_bgp
from netplan.model.document import Places

_INSTANCE = "master"


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
            yield from stated(where, "interfaces", _leaf(port, "name"), values, first(places, port))
    for shown in _elements(data, "bgp-information"):
        yield from _bgp(where, shown, places)


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
    for peer in peers:
        place = first(places, peer)
        local = {"AS": asn(_leaf(peer, "local-as")), "router id": _leaf(peer, "local-id")}
        yield from stated(where, "bgp", "local", local, place)
        values = {"AS": asn(_leaf(peer, "peer-as")), "session": _leaf(peer, "peer-state").lower()}
        yield from stated(where, "bgp", _address(peer), values, place)
    if len(peers) > 1:  # one may be the one that was asked for
        yield from whole_bgp(where, map(_address, peers), first(places, shown))


def _address(peer: dict[str, Any]) -> str:
    return _leaf(peer, "peer-address").partition("+")[0].lower()
