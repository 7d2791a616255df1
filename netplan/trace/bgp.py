"""What the switches learn from each other by BGP, as their configurations announce it.

All sessions are eBGP. An announcement carries the announcing switch's AS at the front of its
path, and a switch rejects a path with its own AS (RFC 4271 9.1.2). The shortest paths win, all of them
together (ECMP).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from netaddr import IPNetwork

from netplan.trace.fabric import ReadFabric
from netplan.trace.linux import Address, Prefix
from netplan.trace.prefix_table import PrefixTable
from netplan.trace.routed import as_prefix
from netplan.trace.sessions import Sessions, TracedSession


@dataclass(slots=True)
class Learned:
    """How far a prefix has spread. ``paths``: switch -> AS path of its best route, its own AS first; an
    origin has only its own. ``edge``: switches that have not advertised to all neighbours yet; ``told``:
    paths that were advertised to single switches ahead of that, on request."""

    paths: dict[str, tuple[int, ...]]
    edge: list[str]
    told: dict[str, tuple[int, ...]] = field(default_factory=dict)


class Bgp:
    """Routes of a fabric, computed on demand and cached."""

    def __init__(self, fabric: ReadFabric) -> None:
        self._fabric = fabric
        self.sessions = Sessions(fabric)
        self._learned: dict[frozenset[str], Learned] = {}
        self._routes: dict[tuple[str, frozenset[str]], tuple[TracedSession, ...]] = {}

    @cached_property
    def _origins(self) -> PrefixTable[tuple[Prefix, frozenset[str]]]:
        """Each prefix with the switches that announce it."""
        found: dict[Prefix, set[str]] = defaultdict(set)
        for name, switch in self._fabric.switches.items():
            for network in switch.networks - self.unowned(name) if switch.asn is not None else ():
                found[as_prefix(network)].add(name)
        return PrefixTable((prefix, (prefix, frozenset(names))) for prefix, names in found.items())

    def unowned(self, switch: str) -> frozenset[IPNetwork]:
        """Networks the switch is told to announce without having a route to them: BGP leaves them out (FRR
        doc/user/bgp.rst, bgp network import-check)."""
        read = self._fabric.switches[switch]
        return read.networks - {each.cidr for each in self.sessions.own[switch]}

    def kept_back(self, switch: str) -> str:
        """Why a switch does not re-advertise learned routes; empty if it does."""
        terms = self._fabric.switches[switch].rejects
        if not terms:
            return ""
        policy, term = terms[0]
        where = self._fabric.at(switch, "bgp", "rejects", "term", term)
        return f"{switch} announces nothing that it learned: term {term} of {policy} rejects it ({where})"

    def announced(self, address: Address) -> Iterator[tuple[Prefix, frozenset[str]]]:
        """Prefixes that hold the address, the longest first, with who announces them."""
        return self._origins.holding(address)

    def route(self, switch: str, address: Address) -> tuple[Prefix, tuple[TracedSession, ...]] | None:
        """The best BGP route of a switch: its prefix and the sessions of all equal-cost next hops."""
        for prefix, origins in self.announced(address):
            if switch in origins:
                continue
            sessions = self._next_hops(switch, origins)
            if sessions:
                return prefix, sessions
        return None

    def _next_hops(self, switch: str, origins: frozenset[str]) -> tuple[TracedSession, ...]:
        key = (switch, origins)
        if key not in self._routes:
            learned = self._learn(origins, switch)
            mine = learned.paths.get(switch) or learned.told.get(switch, ())
            near, paths = self._numbered[switch], learned.paths
            known = (name for name in min(near, paths, key=len) if name in near and name in paths)
            nearer = (n for n in known if len(paths[n]) == len(mine) - 1 and mine[0] not in paths[n])
            chosen = sorted(number for name in nearer for number in near[name])
            sessions = self.sessions.of(switch)
            self._routes[key] = tuple(sessions[number] for number in chosen)
        return self._routes[key]

    @cached_property
    def _numbered(self) -> Mapping[str, Mapping[str, list[int]]]:
        """Switch -> neighbour -> indexes of their sessions among the switch's sessions."""
        found: dict[str, dict[str, list[int]]] = {}
        for name in self._fabric.switches:
            numbers = found[name] = {}
            for number, session in enumerate(self.sessions.of(name)):
                numbers.setdefault(session.neighbour, []).append(number)
        return found

    def _learn(self, origins: frozenset[str], switch: str) -> Learned:
        """Spread a prefix from its origins until it reaches a switch; every nearer switch has it by then."""
        if origins not in self._learned:
            paths: dict[str, tuple[int, ...]] = {
                name: (self._fabric.switches[name].asn or 0,) for name in origins
            }
            self._learned[origins] = Learned(paths, sorted(origins))
        learned = self._learned[origins]
        while learned.edge and switch not in learned.paths and not self._told(switch, learned):
            offers: dict[str, tuple[int, ...]] = {}
            for name in learned.edge:
                self._offer(name, learned.paths, offers)
            learned.paths |= offers
            learned.edge = sorted(offers)
        return learned

    def _told(self, switch: str, learned: Learned) -> bool:
        """Whether the edge advertises to one switch, so that the others need not be asked."""
        if switch not in learned.told:
            asn = self._fabric.switches[switch].asn or 0
            edge = (name for name in learned.edge if switch in self._neighbours[name])
            offers = (
                learned.paths[name]
                for name in edge
                if len(learned.paths[name]) == 1 or not self.kept_back(name)
            )
            first = next((path for path in offers if asn not in path), None)
            if first is None:
                return False
            learned.told[switch] = (asn, *first)
        return True

    def _offer(
        self, name: str, paths: Mapping[str, tuple[int, ...]], offers: dict[str, tuple[int, ...]]
    ) -> None:
        """What a switch advertises to its neighbours. The first offer stays: later ones are no shorter."""
        if self.kept_back(name) and len(paths[name]) > 1:
            return
        for neighbour, asn in self._neighbours[name].items():
            if neighbour not in paths and neighbour not in offers and asn not in paths[name]:
                offers[neighbour] = (asn, *paths[name])

    @cached_property
    def _neighbours(self) -> Mapping[str, Mapping[str, int]]:
        """Switch -> its BGP neighbours with their AS numbers."""
        switches = self._fabric.switches
        return {
            name: {s.neighbour: switches[s.neighbour].asn or 0 for s in self.sessions.of(name)}
            for name in switches
        }
