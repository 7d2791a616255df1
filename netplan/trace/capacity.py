"""Whether BGP uses every path the cables offer, and how much bandwidth is lost where it does not."""

from __future__ import annotations

from netplan.trace.bgp import Bgp
from netplan.trace.fabric import ReadFabric
from netplan.trace.linux import Address, Prefix
from netplan.trace.model import Fault, Verdict
from netplan.trace.sessions import TracedSession

Judged = tuple[tuple[Fault, ...], tuple[str, ...]]


class Capacity:
    """Capacity of one fabric. Looks at cables only where some of them carry no session."""

    def __init__(self, fabric: ReadFabric, bgp: Bgp) -> None:
        self._fabric, self._bgp = fabric, bgp
        self._distances: dict[frozenset[str], dict[str, int]] = {}

    def of(
        self, switch: str, prefix: Prefix, address: Address, sessions: tuple[TracedSession, ...]
    ) -> Judged:
        """Judges a switch that reaches a prefix over equal-cost sessions."""
        faults, notes = self._used(switch, prefix, len(sessions))
        if self._bgp.sessions.silent:
            faults += self._missing(switch, prefix, address, sessions)
        lacking = [
            self._fabric.unstated(name, "bgp")
            for name in dict.fromkeys((switch, *(session.neighbour for session in sessions)))
            if "bgp" in self._fabric.switches[name].lacking
        ]
        routing = [
            self._fabric.unstated(name, "routing")
            for name in (switch,)
            if "routing" in self._fabric.switches[name].lacking
        ]
        kept = [self._bgp.kept_back(name) for name in (switch, *(s.neighbour for s in sessions))]
        notes = (*notes, *self._hashed(switch, sessions))
        twin = [self._bgp.sessions.twins[switch]] if switch in self._bgp.sessions.twins else []
        return faults, (*notes, *lacking, *routing, *filter(None, dict.fromkeys(kept)), *twin)

    def _used(self, switch: str, prefix: Prefix, equal: int) -> Judged:
        """Multipath has to be configured for BGP to use more than one path."""
        read = self._fabric.switches[switch]
        if equal < 2 or "paths" not in read.states:
            return (), ()
        if read.paths is None:
            return (), (self._fabric.unstated(switch, "paths"),)
        if read.paths >= equal:
            return (), ()
        file = self._fabric.file(switch, "bgp")
        text = f"{switch} uses at most {read.paths} of {equal} equal paths to {prefix} ({file})"
        return (Fault(Verdict.NARROW, text),), ()

    def _hashed(self, switch: str, sessions: tuple[TracedSession, ...]) -> tuple[str, ...]:
        """Hash polarization: the next switch hashes with the same seed, sends on one path everything the
        first sent it, and leaves the other paths empty."""
        read = self._fabric.switches[switch]
        if len(sessions) < 2 or "seed" not in read.states:
            return ()
        if read.seed is None:
            return (self._fabric.unstated(switch, "seed"),)
        where = self._fabric.at(switch, "bgp", "seed", "seed", read.seed)
        alike = (s.neighbour for s in sessions if self._fabric.switches[s.neighbour].seed == read.seed)
        said = f"hash flows to equal paths with the same seed, {read.seed} ({where})"
        return tuple(f"{switch} and {name} {said}" for name in dict.fromkeys(alike))

    def _missing(
        self, switch: str, prefix: Prefix, address: Address, sessions: tuple[TracedSession, ...]
    ) -> tuple[Fault, ...]:
        """Unused cables to switches that are nearer to the destination, counted in cables."""
        origins = next(
            (names for known, names in self._bgp.announced(address) if known == prefix), frozenset()
        )
        distance = self._distance(origins)
        nearer = [
            cable
            for cable in self._fabric.cables.between.get(switch, ())
            if distance.get(cable.peer, 0) == distance.get(switch, 0) - 1
        ]
        used = {session.out for session in sessions}
        idle = [cable for cable in nearer if cable.port not in used]
        if not idle:
            return ()
        whole = sum(cable.speed_gbps for cable in nearer)
        left = whole - sum(cable.speed_gbps for cable in idle)
        first = idle[0]
        why = self._bgp.sessions.silent.get((switch, first.port)) or self._beyond(first.peer)
        said = f"{switch} reaches {prefix} over {len(nearer) - len(idle)} of {len(nearer)} cables"
        text = f"{said}, {left} of {whole} Gb/s: {first.port} to {first.peer} is not used: {why}"
        return (Fault(Verdict.NARROW, text),)

    def _beyond(self, switch: str) -> str:
        """Why a neighbour has no route: its first cable without a session."""
        found = (why for (name, _), why in sorted(self._bgp.sessions.silent.items()) if name == switch)
        return next(found, f"{switch} does not have the route ({self._fabric.file(switch, 'bgp')})")

    def _distance(self, origins: frozenset[str]) -> dict[str, int]:
        """Switch -> number of cables to the nearest origin."""
        if origins not in self._distances:
            found = dict.fromkeys(origins, 0)
            edge = sorted(origins)
            while edge:
                following = []
                for name in edge:
                    for cable in self._fabric.cables.between.get(name, ()):
                        if cable.peer not in found:
                            found[cable.peer] = found[name] + 1
                            following.append(cable.peer)
                edge = following
            self._distances[origins] = found
        return self._distances[origins]
