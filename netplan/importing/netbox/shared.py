"""Breakout cables of record: one port of a switch, several ends at the other side.

``connected_endpoints`` and the terminations of a cable are lists since NetBox 3.3 (netbox-community/netbox
653a5ea netbox/dcim/api/serializers_/base.py, cables.py). Their order does not say which end is on which part
of the port.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Any

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark
from netplan.importing.netbox.objects import Object, Record
from netplan.importing.shared_ports import SHARED
from netplan.report import few

End = tuple[str, str]
_INTERFACE = "dcim.interface"
_SHOWN = 4
_WHY = "which end is on which part of the port is not recorded; state these in links"


class Shared:
    """``ports``: port of a switch -> its far ends, with the place. ``idle``: statuses of cables that are not
    connected."""

    def __init__(self, record: Record, switches: Container[str], idle: Container[str]) -> None:
        self._record, self._idle = record, idle
        self.ports: dict[End, tuple[tuple[End, ...], Source]] = {}
        for interface in record.every("dcim/interfaces"):
            cable = record.other(interface.get("cable"))
            connected = interface.get("connected_endpoints_reachable") is not False
            if connected and record.status(cable) not in idle and _all_interfaces(interface):
                self._add(record.end(interface), interface["connected_endpoints"], interface, switches)
        for cable in record.every("dcim/cables"):
            sides = [_terminations(cable, side) for side in "ab"] if record.status(cable) not in idle else []
            for own, far in (sides, sides[::-1]) if sides else ():
                for one in own:
                    self._add(record.end(one), far, cable, switches)

    def _add(self, own: End, far: list[Any], thing: Object, switches: Container[str]) -> None:
        ends = tuple(self._record.end(each) for each in far)
        if len(ends) > 1 and all(own) and own[0] in switches and all(map(all, ends)):
            self.ports.setdefault(own, (ends, self._record.at(thing)))

    def found(self, hosts: Container[str]) -> Iterator[Fact | Remark]:
        """Facts of the ports whose far ends are all hosts, each on no other port; the others are told."""
        times = Counter(end for ends, _ in self.ports.values() for end in ends)
        for own, (ends, at) in self.ports.items():
            if all(end[0] in hosts and times[end] == 1 for end in ends):
                for end in ends:
                    yield Fact("port", own, f"{SHARED}{' '.join(end)}", end, at)
            else:
                shown = few([" ".join(end) for end in ends], _SHOWN)
                what = f"{' '.join(own)}: a cable with several ends, {shown}"
                yield Remark(at, f"{what}: {_WHY}", alike=f"several ends: {_WHY}")


def _all_interfaces(interface: Mapping[str, Any]) -> bool:
    ends = interface.get("connected_endpoints")
    kind = interface.get("connected_endpoints_type")
    return (
        isinstance(ends, list) and all(isinstance(end, dict) for end in ends) and kind in (_INTERFACE, None)
    )


def _terminations(cable: Object, side: str) -> list[Any]:
    """Empty if one is no interface."""
    ends = cable.get(f"{side}_terminations")
    found = [end for end in ends if isinstance(end, dict)] if isinstance(ends, list) else []
    return (
        [end.get("object") for end in found] if all(e.get("object_type") == _INTERFACE for e in found) else []
    )
