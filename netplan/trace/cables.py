"""The cables of a site: what is at the far end of a port, and where files or the two ends differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from netplan.model.site import PATH, SiteCable
from netplan.model.values import natural

Place = tuple[str, str]
"""(switch, port)"""
UNDISPUTED: Mapping[Place, str] = {}


class Cables:
    """``peers``: by the port at the near end. ``switches``: those that have files. ``disputed``: port -> how
    two files differ about its cable."""

    def __init__(
        self, switches: Collection[str], cables: Iterable[SiteCable], disputed: Mapping[Place, str]
    ) -> None:
        self._switches = switches
        self.disputed = disputed
        self.peers: dict[Place, SiteCable] = {(cable.switch, cable.port): cable for cable in cables}

    def peer(self, switch: str, port: str) -> Place | None:
        """The switch port at the other end of a cable, if both ends agree on it."""
        cable = self.peers.get((switch, port))
        if cable is None or cable.peer_kind != "switch" or cable.peer not in self._switches:
            return None
        back = self.peers.get((cable.peer, cable.peer_port))
        agreed = back is not None and (back.peer, back.peer_port) == (switch, port)
        return (cable.peer, cable.peer_port) if agreed else None

    def length_m(self, switch: str, port: str) -> int:
        """Length of the cable at a port in m, 0 if unknown."""
        cable = self.peers.get((switch, port))
        return cable.cable_m if cable is not None else 0

    def speed_gbps(self, switch: str, port: str) -> int:
        cable = self.peers.get((switch, port))
        return cable.speed_gbps if cable is not None else 0

    def dispute(self, cable: SiteCable) -> str:
        """How two files, or the two ends, differ about a cable; empty if they agree."""
        for place in ((cable.switch, cable.port), (cable.peer, cable.peer_port)):
            if place in self.disputed:
                return self.disputed[place]
        back = self.peers.get((cable.peer, cable.peer_port))
        said = f"{PATH} has {cable.switch} {cable.port} on {cable.peer} {cable.peer_port}"
        if back is None or (back.peer, back.peer_port) != (cable.switch, cable.port):
            other = f"on {back.peer} {back.peer_port}" if back is not None else "without a cable"
            return f"{said}, but {cable.peer} {cable.peer_port} {other}"
        ends = (cable.speed_gbps, cable.cable_m), (back.speed_gbps, back.cable_m)
        if ends[0] != ends[1]:
            one, other = (f"{speed} Gb/s and {metres} m" for speed, metres in ends)
            return f"{said} with {one}, and back with {other}"
        return ""

    @cached_property
    def between(self) -> Mapping[str, tuple[SiteCable, ...]]:
        """Switch -> its cables to other switches that have files, from its own table."""
        found: dict[str, list[SiteCable]] = defaultdict(list)
        for (switch, _), cable in self.peers.items():
            if cable.peer_kind == "switch" and switch in self._switches and cable.peer in self._switches:
                found[switch].append(cable)
        return {name: tuple(sorted(each, key=lambda c: natural(c.port))) for name, each in found.items()}

    @cached_property
    def links(self) -> Mapping[str, tuple[tuple[str, Place], ...]]:
        """Switch -> (own port, far end) of its cables to switches, ports in natural order."""
        found: dict[str, list[tuple[str, Place]]] = defaultdict(list)
        between = (place for place, cable in self.peers.items() if cable.peer_kind == "switch")
        for switch, port in sorted(between, key=lambda place: (place[0], natural(place[1]))):
            far = self.peer(switch, port)
            if far is not None and switch in self._switches:
                found[switch].append((port, far))
        return {switch: tuple(ends) for switch, ends in found.items()}
