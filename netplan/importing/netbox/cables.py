"""Recorded cables.

The far end of an interface is ``connected_endpoints`` (NetBox) or ``connected_endpoint`` (Nautobot), which
follow patch panels; without them the ends of the cable. A cable counts once its status is Connected, and a
path once every cable of it is: ``connected_endpoints_reachable``, in Nautobot
``connected_endpoint_reachable`` (netbox-community/netbox 653a5ea netbox/dcim/api/serializers_/base.py;
nautobot/nautobot 47325c5 nautobot/dcim/api/serializers.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import ceil
from typing import Any

from netplan.diagnostics import Source
from netplan.importing.cable_lengths import ROUNDED
from netplan.importing.facts import Fact, Remark
from netplan.importing.netbox.objects import Object, Record, choice
from netplan.importing.netbox.shared import Shared
from netplan.model.folding import folded
from netplan.model.values import natural
from netplan.report import few

IDLE = frozenset({"planned", "decommissioning"})
"""Statuses of a cable other than Connected (netbox/dcim/choices.py, LinkStatusChoices;
nautobot/dcim/choices.py, CableStatusChoices). One that a site made itself is taken for connected, unless its
path is not reachable."""
_METRES: Mapping[str, float] = {"m": 1, "cm": 0.01, "km": 1000, "ft": 0.3048, "in": 0.0254}
_MOST_CABLE = 100_000
_SHOWN = 6
"""Ranges of ports in one remark."""
_NOT_REACHABLE = "whose path is not connected"
End = tuple[str, str]
Rows = dict[End, tuple[str, Source]]


def cables(record: Record, switches: Iterable[str], devices: Iterable[str]) -> Iterator[Fact | Remark]:
    """``devices``: switches and hosts."""
    own, every = frozenset(switches), frozenset(devices)
    shared = Shared(record, own, IDLE)
    yield from _Cables(record, own, every, frozenset(shared.ports)).found()
    yield from shared.found(every - own)


class _Cables:
    def __init__(
        self, record: Record, switches: frozenset[str], devices: frozenset[str], shared: frozenset[End]
    ) -> None:
        """``shared``: ports with several far ends."""
        self._record, self._switches, self._devices = record, switches, devices
        self._shared = shared
        self._seen: set[End] = set()
        self._idle: Rows = {}
        self._measured: dict[int, int] = {}

    def found(self) -> Iterator[Fact | Remark]:
        record = self._record
        for cable in record.every("dcim/cables"):
            if status := _idle(record, cable):
                self._leave([record.end(end) for end in _ends(cable)], f"with status {status}", cable)
        for interface in record.every("dcim/interfaces"):
            yield from self._of_interface(interface)
        for cable in record.every("dcim/cables"):
            ends = [record.end(end) for end in _ends(cable)]
            if len(ends) == 2 and not _idle(record, cable):
                for own, other in (ends, ends[::-1]):
                    yield from self._cable(own, other, cable) if own not in self._seen else ()
                    yield from self._length(own, cable, cable)
        yield from self._left()

    def _of_interface(self, interface: Object) -> Iterator[Fact]:
        own, cable = self._record.end(interface), self._record.other(interface.get("cable"))
        if own in self._idle or not all(own):
            return
        if status := _idle(self._record, cable):  # of a cable that the reference describes
            self._leave([own], f"with status {status}", interface)
            return
        far = _far(interface)
        if False in (interface.get(f"connected_endpoint{s}_reachable") for s in ("s", "")):
            self._seen.add(own)
            if far:
                self._leave([own, self._record.end(far[0])], _NOT_REACHABLE, interface)
            return
        if far:
            self._seen.add(own)
            yield from self._cable(own, self._record.end(far[0]), interface)
        yield from self._length(own, cable, interface)

    def _cable(self, own: End, far: End, thing: Object) -> Iterator[Fact]:
        """The cable as the switch at one end would report it."""
        known = all(own) and all(far) and self._shared.isdisjoint((own, far))
        if known and own[0] in self._switches and far[0] in self._devices:
            yield Fact("port", own, "record/netbox", (*far, ""), self._record.at(thing))

    def _length(self, own: End, cable: Object, thing: Object) -> Iterator[Fact]:
        if id(cable) not in self._measured:
            metres = self._measured[id(cable)] = metres_of(cable)
            if not metres and str(cable.get("length") or "0").strip("0."):
                self._record.refuse(cable, "length", cable["length"], "not a length in m, cm, km, ft or in")
            elif metres and metres != _length(cable):
                written = f"{cable['length']} {choice(cable.get('length_unit'))}"
                self._record.refuse(cable, "length", written, ROUNDED)
        metres = self._measured[id(cable)]
        if metres and own[1] and own[0] in self._switches:
            yield Fact("port", own, "cable_m", metres, self._record.at(thing, "cable"))

    def _leave(self, ends: Iterable[End], why: str, thing: Object) -> None:
        """Both ends: the cable of an end that is left out is not looked at again."""
        for end in ends:
            self._idle.setdefault(end, (why, self._record.at(thing, "status")))

    def _left(self) -> Iterator[Remark]:
        """Cables of switches that are not taken, one remark for those of a switch."""
        groups: dict[tuple[str, str], list[tuple[str, Source]]] = {}
        for (switch, port), (why, at) in self._idle.items():
            if switch in self._switches:
                groups.setdefault((switch, why), []).append((port, at))
        for (switch, why), rows in groups.items():
            names = sorted((port for port, _ in rows), key=natural)
            ports = few([run.texts[0] for run in folded(("", (name,)) for name in names)], _SHOWN)
            noun = "cable" if len(rows) == 1 else f"{len(rows)} cables"
            what = f"{switch} {ports}: {noun} {why}, not taken; import again once connected"
            yield Remark(rows[0][1], what)


def _idle(record: Record, cable: Object) -> str:
    """The status of a cable that is not connected; empty for others."""
    status = record.status(cable)
    return status if status in IDLE else ""


def _far(interface: Object) -> list[Any]:
    """A single far end. A cable to several is a breakout."""
    found = interface.get("connected_endpoints") or interface.get("connected_endpoint")
    kind = interface.get("connected_endpoints_type") or interface.get("connected_endpoint_type")
    ends = found if isinstance(found, list) else [found]
    return ends if len(ends) == 1 and isinstance(ends[0], dict) and kind in ("dcim.interface", None) else []


def _ends(cable: Object) -> list[Any]:
    """Both terminations; none if one is not an interface, or there are several."""
    found: list[Any] = []
    for side in "ab":
        several, single = cable.get(f"{side}_terminations"), cable.get(f"termination_{side}")
        if isinstance(several, list) and len(several) == 1 and isinstance(several[0], dict):
            if several[0].get("object_type") == "dcim.interface":
                found.append(several[0].get("object"))
        elif isinstance(single, dict) and cable.get(f"termination_{side}_type") == "dcim.interface":
            found.append(single)
    return found


def metres_of(cable: Object) -> int:
    """Length in m, rounded up, so that headroom is not too small; 0 if unknown."""
    length = _length(cable)
    return max(1, ceil(length)) if 0 < length < _MOST_CABLE else 0


def _length(cable: Object) -> float:
    """In m, to the millimetre; 0 if unknown."""
    text, unit = str(cable.get("length") or ""), choice(cable.get("length_unit"))
    try:
        return round(float(text) * _METRES.get(unit, 0), 3) if len(text) < 16 else 0
    except ValueError:
        return 0
