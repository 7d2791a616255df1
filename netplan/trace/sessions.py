"""BGP sessions between switches, and why a configured neighbour or a cable has none.

A session is up when each side names the other's address over a cable that joins them, with the right remote
AS.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from netaddr import IPAddress, IPNetwork

from netplan.model.readback import ReadNeighbour
from netplan.model.site import SiteCable
from netplan.records import dataclass
from netplan.trace.cables import Place
from netplan.trace.fabric import ReadFabric
from netplan.trace.linux import Address
from netplan.trace.routed import Routed, as_address


@dataclass(frozen=True, slots=True)
class TracedSession:
    """A BGP session that both sides configure, seen from one side. ``out``, ``into``: ports of the link."""

    neighbour: str
    out: str
    into: str


class Sessions:
    """Those of a fabric, found on demand and cached."""

    def __init__(self, fabric: ReadFabric) -> None:
        self._fabric = fabric

    @cached_property
    def _found(self) -> tuple[dict[str, tuple[TracedSession, ...]], dict[str, tuple[str, ...]]]:
        sessions: dict[str, tuple[TracedSession, ...]] = {}
        refused: dict[str, tuple[str, ...]] = {}
        for name in sorted(self._fabric.switches):
            results = [self._session(name, a, n) for a, n in self._by_address[name].items()]
            sessions[name] = tuple(r for r in results if isinstance(r, TracedSession))
            refused[name] = tuple(r for r in results if isinstance(r, str))
        return sessions, refused

    def of(self, switch: str) -> tuple[TracedSession, ...]:
        return self._found[0].get(switch, ())

    @cached_property
    def silent(self) -> Mapping[Place, str]:
        """Cables between switches, one of them with BGP, that have neither VLANs nor a session -> why not."""
        spoken = {(name, s.out) for name in self._fabric.switches for s in self.of(name)}
        return {
            (name, cable.port): self._silence(cable)
            for name, cables in self._fabric.cables.between.items()
            for cable in cables
            if (name, cable.port) not in spoken and (self.speaks(name) or self.speaks(cable.peer))
            if not self._bridged(name, cable.port) and not self._bridged(cable.peer, cable.peer_port)
        }

    def speaks(self, switch: str) -> bool:
        """Whether its files state an AS number or a neighbour."""
        read = self._fabric.switches[switch]
        return read.asn is not None or bool(read.neighbours)

    def _bridged(self, switch: str, port: str) -> bool:
        state = self._fabric.switches[switch].ports.get(port)
        return state is not None and bool(state.tagged or state.untagged is not None)

    def _silence(self, cable: SiteCable) -> str:
        if text := self._fabric.cables.dispute(cable):
            return text
        for name, port, far, far_port in (
            (cable.switch, cable.port, cable.peer, cable.peer_port),
            (cable.peer, cable.peer_port, cable.switch, cable.port),
        ):
            state = self._fabric.switches[name].ports.get(port)
            if state is None or not state.addresses:
                return f"{name} {port} has no address ({self._fabric.file(name, 'ports')})"
            near = [as_address(a.ip) for a in state.addresses]
            for address, neighbour in self._by_address[name].items():
                here = self._local(name, address)
                if here is not None and here.port == port:
                    found = self._session(name, address, neighbour)
                    if isinstance(found, str):
                        return found
            other = self._fabric.switches[far].ports.get(far_port)
            if not any(address in near for address in self._by_address[far]):
                return self._absent(far, near, name)
            if other is not None and other.addresses:
                return self._absent(name, [as_address(a.ip) for a in other.addresses], far)
        return "no reason found"

    def refused(self, switch: str) -> tuple[str, ...]:
        """Why configured neighbours of a switch have no session, each with the file."""
        return self._found[1].get(switch, ())

    @cached_property
    def _by_address(self) -> Mapping[str, Mapping[Address, ReadNeighbour]]:
        return {
            name: {as_address(n.address): n for n in switch.neighbours}
            for name, switch in self._fabric.switches.items()
        }

    def _session(self, name: str, address: Address, neighbour: ReadNeighbour) -> TracedSession | str:
        here = self._local(name, address)
        if text := self._without_local(name, neighbour):
            return text
        if here is None or here.port is None:
            return (
                f"{name} has no routed port towards its BGP neighbour {address} ({self._at(name, address)})"
            )
        return self._met(name, address, neighbour, here)

    def _without_local(self, name: str, neighbour: ReadNeighbour) -> str:
        """That a switch has no interface with the address it is to speak from; empty where it has."""
        if neighbour.local is None or any(neighbour.local == each.ip for each in self.own[name]):
            return ""
        text = f"{name} has no interface with {neighbour.local}, its own address towards {neighbour.address}"
        return f"{text} ({self._at(name, neighbour.address)})"

    def _met(
        self, name: str, address: Address, neighbour: ReadNeighbour, here: Routed
    ) -> TracedSession | str:
        """The session as the other end of the cable confirms it, or why it does not."""
        far = self._fabric.cables.peer(name, here.port or "")
        owners = self._fabric.owners.get(address, ())
        there = next((i for i in owners if (i.switch, i.port) == far), None)
        twice = [f"{i.switch} {i.name}" for i in owners]
        if len(twice) > 1:
            text = f"{address}, {name}'s BGP neighbour, is on {' and on '.join(twice)}"
            return f"{text} ({self._at(name, address)})"
        for side in (here, there):
            if side is not None and side.up is False:
                place = self._fabric.at_port(side.switch, side.port or "", "port-down")
                return f"{side.switch} {side.name} is shut down ({place})"
        if there is None:
            place = self._at(name, address)
            if far is None:
                return (
                    f"{name} {here.port} has no cable, and {name} a BGP neighbour {address} on it ({place})"
                )
            return f"{far[0]} {far[1]} does not have {name}'s BGP neighbour {address} ({place})"
        return self._agreed(neighbour, here, there)

    @cached_property
    def own(self) -> Mapping[str, frozenset[IPNetwork]]:
        """Switch -> its addresses with their prefixes."""
        return {
            name: frozenset(
                IPNetwork((int(each.ip), each.prefixlen), version=each.ip.version)
                for addresses in (
                    switch.loopbacks,
                    *(port.addresses for port in switch.ports.values()),
                    *(svi.addresses for svi in switch.vlan_interfaces.values()),
                )
                for each in addresses
            )
            for name, switch in self._fabric.switches.items()
        }

    @cached_property
    def twins(self) -> Mapping[str, str]:
        """Switch -> which other switch has the same BGP identifier."""
        found: dict[IPAddress, list[str]] = defaultdict(list)
        for name, switch in self._fabric.switches.items():
            if switch.router_id is not None:
                found[switch.router_id].append(name)
        return {
            name: f"router ID {router_id} of {name} is also that of {other} ({self._file(name)})"
            for router_id, names in found.items()
            for name, other in zip(names, [*names[1:], names[0]], strict=True)
            if name != other
        }

    def _local(self, name: str, address: Address) -> Routed | None:
        near = self._fabric.connected(name, address)
        return near if near is not None and near.ip != address else None

    def _agreed(self, neighbour: ReadNeighbour, here: Routed, there: Routed) -> TracedSession | str:
        one, other = self._fabric.switches[here.switch], self._fabric.switches[there.switch]
        back = self._by_address[there.switch].get(here.ip)
        if back is None:
            return self._absent(there.switch, [here.ip], here.switch)
        if text := self._without_local(there.switch, back):
            return text
        for side, asked, asn in ((here.switch, neighbour, other.asn), (there.switch, back, one.asn)):
            if asn is None or (asked.remote_as is not None and asked.remote_as != asn):
                who = there.switch if side == here.switch else here.switch
                known = f"is AS {asn}" if asn is not None else "states no AS number"
                text = f"{side} expects AS {asked.remote_as} of {who}, which {known}"
                return f"{text} ({self._at(side, asked.address)})"
        if one.asn == other.asn:
            place = self._fabric.at(here.switch, "bgp", "asn", "asn", one.asn)
            return f"{here.switch} and {there.switch} are both AS {one.asn} ({place})"
        return TracedSession(there.switch, here.port or "", there.port or "")

    def _absent(self, switch: str, addresses: list[Address], whose: str) -> str:
        """Says that no address of another switch is a BGP neighbour."""
        unread = {as_address(ip) for ip in self._fabric.switches[switch].unread_neighbours}
        for address in addresses:
            if address in unread:
                where = self._fabric.at(switch, "bgp", "neighbour-unread", "ip", address)
                text = (
                    f"{switch} has BGP neighbour {address}, {whose}, in a form that the daemon that "
                    "manages its BGP"
                )
                return f"{text} passes over ({where})"
        listed = ", ".join(map(str, addresses))
        return f"{switch} has no BGP neighbour {listed}, {whose} ({self._file(switch)})"

    def _at(self, switch: str, neighbour: object) -> str:
        """Where the configuration of a switch states a neighbour."""
        return self._fabric.at(switch, "bgp", "neighbour", "ip", neighbour)

    def _file(self, switch: str) -> str:
        return self._fabric.file(switch, "bgp")
