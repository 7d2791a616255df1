"""Links between the given switches: from DEVICE_NEIGHBOR, else from the subnets of routed ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from netplan.graph.config_db.chains import Chain, chain_by_port
from netplan.graph.config_db.hardware import DEFAULT_MTU
from netplan.model.document import SourceMap
from netplan.model.values import parse_network
from netplan.reading.config_db.switch import DbSwitch, Spot, listed, once
from netplan.records import dataclass

_PAIR_HOST_BITS = 2
"""Host bits of a point-to-point subnet: /31 and /30, /127 and /126."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link. A value is None if its file does not state it."""

    switch: DbSwitch
    port: str

    def __str__(self) -> str:
        return f"{self.switch.name} {self.port}"

    @property
    def chain(self) -> Chain | None:
        return chain_by_port(self.switch).get(self.port)

    @property
    def pfc(self) -> tuple[int, ...] | None:
        """PFC priorities. A part that states none for this port leaves them to the switch."""
        chain = self.chain
        if self.switch.whole:
            return chain.pfc if chain else ()
        return (
            chain.pfc
            if chain and "pfc_enable" in self.switch.rows("PORT_QOS_MAP")[chain.row].fields
            else None
        )

    @property
    def mtu(self) -> int | None:
        """MTU of the port channel if the port is a member; the port's default in a whole configuration."""
        lag = self.switch.lag_of.get(self.port)
        stated = self.switch.number("PORTCHANNEL", lag, "mtu") if lag else None
        stated = stated or self.switch.number("PORT", self.port, "mtu")
        return stated or (DEFAULT_MTU if self.switch.whole else None)

    @property
    def up(self) -> bool | None:
        """From admin_status; in a whole configuration a port without one is down (portmgr.h of swss)."""
        status = self.switch.text("PORT", self.port, "admin_status")
        if status is None and self.switch.whole and self.switch.row("PORT", self.port):
            return False
        return None if status is None else status == "up"

    @property
    def speed(self) -> int | None:
        return self.switch.number("PORT", self.port, "speed")

    @property
    def fec(self) -> str | None:
        text = self.switch.text("PORT", self.port, "fec")
        return None if text == "auto" else text

    @property
    def autoneg(self) -> str | None:
        """On or off; 1 or 0 in files before version 3.0.1."""
        text = self.switch.text("PORT", self.port, "autoneg")
        return {"1": "on", "0": "off"}.get(text, text) if text else None

    def spot(self, table: str, name: str) -> Spot:
        """Where a field of the port stands; else the port's row in this table, else its row in PORT."""
        if self.switch.row(table, self.port):
            return self.switch.spot(table, self.port, name)
        return self.switch.spot("PORT", self.port)

    def where(self, table: str, name: str) -> str:
        return self.switch.where(self.spot(table, name))


@dataclass(frozen=True, slots=True)
class Link:
    """Two ends, sorted by switch name."""

    a: End
    b: End


@dataclass(frozen=True, slots=True)
class NeighbourClaim:
    """A row of DEVICE_NEIGHBOR: the peer that a port claims; ``there``: the peer's end, if given; ``alike``:
    whether the peer's own ports are named so."""

    end: End
    row: str
    name: str
    port: str
    there: End | None
    known: bool
    alike: bool = True

    @property
    def spot(self) -> Spot:
        return self.end.switch.spot("DEVICE_NEIGHBOR", self.row)

    @property
    def key(self) -> tuple[str, str]:
        return self.end.switch.name, self.row

    def meets(self, other: NeighbourClaim) -> bool:
        """Whether this row points to the port of the other."""
        if self.there is not None:
            return self.there == other.end
        return (self.name, self.port) == (other.end.switch.name, other.end.port)


@dataclass
class DbTopology:
    """All switches of a run, and the links between them."""

    switches: Sequence[DbSwitch]
    sources: SourceMap
    notes: list[str] = field(default_factory=list)

    @cached_property
    def by_name(self) -> Mapping[str, DbSwitch]:
        return {switch.name: switch for switch in self.switches}

    @cached_property
    def states(self) -> Mapping[tuple[str, str], Sequence[DbSwitch]]:
        """Configurations that share a hostname (and, of a switch with several ASICs, the ASIC)."""
        alike: dict[tuple[str, str], list[DbSwitch]] = {}
        for switch in self.switches:
            asic = str(switch.local.get("asic_name", "")) or switch.files[0].namespace
            if switch.hostname:
                alike.setdefault((switch.hostname, asic), []).append(switch)
        return {key: switches for key, switches in alike.items() if len(switches) > 1}

    @cached_property
    def namesakes(self) -> Mapping[tuple[str, str], Sequence[DbSwitch]]:
        """Those that are whole."""
        whole = {key: [one for one in found if one.whole] for key, found in self.states.items()}
        return {key: switches for key, switches in whole.items() if len(switches) > 1}

    @cached_property
    def claims(self) -> list[NeighbourClaim]:
        """Without those of and about a name that several configurations have."""
        names = {name for name, _ in self.namesakes}
        found = (claim for switch in self.switches for claim in self._claims(switch))
        return [claim for claim in found if not names & {claim.name, claim.end.switch.hostname}]

    def _claims(self, switch: DbSwitch) -> Iterator[NeighbourClaim]:
        for key in switch.keys("DEVICE_NEIGHBOR"):
            name = switch.text("DEVICE_NEIGHBOR", key, "name")
            port = switch.text("DEVICE_NEIGHBOR", key, "port")
            local = _port_of(switch, switch.text("DEVICE_NEIGHBOR", key, "local_port") or key)
            if not name or not port or not local:  # NP874
                continue
            end = End(switch, local)
            peer = self.by_name.get(name)
            there = _port_of(peer, port) if peer else None
            alike = peer is not None and _style(port) in _styles(peer)
            yield NeighbourClaim(
                end, key, name, port, End(peer, there) if peer and there else None, peer is not None, alike
            )

    @cached_property
    def _claimed(self) -> Mapping[tuple[str, str], NeighbourClaim]:
        return {(claim.end.switch.name, claim.end.port): claim for claim in self.claims}

    def answer(self, claim: NeighbourClaim) -> NeighbourClaim | None:
        """The peer's own DEVICE_NEIGHBOR row for this link, if there is one."""
        there = claim.there
        return self._claimed.get((there.switch.name, there.port)) if there else None

    @cached_property
    def links(self) -> list[Link]:
        """Each link once, if both ports are given and their rows do not contradict each other."""
        found: dict[tuple[str, str, str, str], Link] = {}
        for claim in self.claims:
            back = self.answer(claim)
            if claim.there and (back is None or back.meets(claim)):
                self._add(found, claim.end, claim.there)
        for ends in self._subnets():
            if len(ends) == 2 and ends[0].switch is not ends[1].switch:
                self._add(found, *ends)
        return [found[key] for key in sorted(found)]

    @staticmethod
    def _add(found: dict[tuple[str, str, str, str], Link], one: End, other: End) -> None:
        a, b = sorted((one, other), key=lambda end: (end.switch.name, end.port))
        found.setdefault((a.switch.name, a.port, b.switch.name, b.port), Link(a, b))

    def _subnets(self) -> Iterator[list[End]]:
        """Ports outside any VRF, grouped by their common point-to-point subnet; not those with one address
        (NP875)."""
        ends: dict[str, dict[str, list[End]]] = {}
        for switch in self.switches:
            for key in switch.keys("INTERFACE"):
                port, _, prefix = key.partition("|")
                network = parse_network(prefix) if prefix else None
                if network is None or switch.text("INTERFACE", port, "vrf_name"):
                    continue
                size = 32 if network.version == 4 else 128
                if 0 < size - network.prefixlen <= _PAIR_HOST_BITS:
                    own = ends.setdefault(str(network.cidr), {}).setdefault(str(network.ip), [])
                    own.append(End(switch, port))
        for addresses in ends.values():
            if len(addresses) > 1:
                yield [end for own in addresses.values() for end in own]

    def uncompared(self) -> Iterator[str]:
        """Sentences that say which links could not be compared, and why."""
        if self.namesakes:
            names = listed([name for name, _ in self.namesakes])
            yield f"DEVICE_NEIGHBOR of and about {names} not compared: several switches have that hostname"
        absent = [claim for claim in self.claims if not claim.known]
        if absent:
            names = listed(list(dict.fromkeys(claim.name for claim in absent)))
            count = "1 link leads" if len(absent) == 1 else f"{len(absent):,} links lead"
            yield f"{count} to switches or hosts not given ({names}), not compared"
        silent = [link for link in self.links if link.a.pfc is None or link.b.pfc is None]
        if silent:
            count = "1 link" if len(silent) == 1 else f"{len(silent):,} links"
            yield f"PFC of {count} not compared: one end's files do not state it"
        if len(self.switches) > 1 and not self.links:
            yield "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31"


def _port_of(switch: DbSwitch, name: str) -> str | None:
    """The port with this name or alias; on a switch whose ports are not listed, any name is taken."""
    if name in switch.rows("PORT"):
        return name
    return _aliases(switch).get(name) or (None if switch.whole else name)


@once
def _aliases(switch: DbSwitch) -> Mapping[str, str]:
    named = ((row.fields.get("alias"), port) for port, row in switch.rows("PORT").items())
    return {alias: port for alias, port in named if isinstance(alias, str) and alias}


@once
def _styles(switch: DbSwitch) -> frozenset[tuple[str, bool]]:
    """Those of the switch's names and aliases of ports."""
    return frozenset(map(_style, (*switch.rows("PORT"), *_aliases(switch))))


def _style(port: str) -> tuple[str, bool]:
    """How a port is named: ``Ethernet0``, ``Eth1/1``, ``etp1a``, ``swp1``."""
    return re.split("[0-9]", port, maxsplit=1)[0].lower(), "/" in port
