"""The switches as their configurations describe them: VLANs as broadcast domains, and connected routes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property

from netplan.graph.qos import serves_first
from netplan.graph.subnets import Interface, Shared, shared_subnets
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteCable, SiteQos, SiteSwitch
from netplan.records import dataclass
from netplan.trace.cables import UNDISPUTED, Cables, Place
from netplan.trace.linux import Address, Prefix
from netplan.trace.prefix_table import PrefixTable
from netplan.trace.routed import Routed, as_network, interfaces_of

_WANTED = {
    "port-up": "the admin state of",
    "vlan-up": "the admin state of",
    "routing": "routing on",
    "vlan-routing": "routing between VLANs on",
    "bgp": "BGP on",
    "arp": "the ageing time of neighbours of",
    "arp-ms": "the ageing time of neighbours of",
    "arp6-ms": "the ageing time of IPv6 neighbours of",
    "garp": "learning from gratuitous ARP on",
    "vlan-garp": "learning from gratuitous ARP on",
    "paths": "the number of ECMP paths of",
    "seed": "the ECMP hash seed of",
    "queue-mtu": "the largest packet of",
}
_NO_TEXTS: Mapping[str, str] = {}
NO_QOS = SiteQos()


@dataclass(frozen=True, slots=True)
class Domain:
    """A broadcast domain: a VLAN on the switches that share it, or a routed port with its link."""

    vlan: int | None
    members: frozenset[Place]
    """(switch, "") for a VLAN, (switch, port) for a routed port."""

    def __str__(self) -> str:
        switches = sorted({switch for switch, _ in self.members})
        where = switches[0] if len(switches) == 1 else f"{switches[0]} and {len(switches) - 1} more"
        if self.vlan is not None:
            return f"VLAN {self.vlan} of {where}"
        return f"the link at {' '.join(sorted(self.members)[0])}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the site asks of its switches: traffic classes, neighbour ages, and ``demand``: switch ->
    neighbours it may have. ``switches``: their models and ASICs."""

    qos: SiteQos = NO_QOS
    arp_seconds: int | None = None
    demand: Mapping[str, int] = field(default_factory=dict)
    switches: Mapping[str, SiteSwitch] = field(default_factory=dict)


NOTHING_WANTED = Wanted()


class ReadFabric:
    """All switches of one site. ``disputed``: ports whose cable differs between two files, and how.

    ``texts``: path -> content, to find the line of a fault.
    ``strict_reverse_path``: routers drop packets that arrive from an unexpected side.
    """

    def __init__(
        self,
        switches: Mapping[str, ReadSwitch],
        cables: Iterable[SiteCable],
        disputed: Mapping[Place, str] = UNDISPUTED,
        texts: Mapping[str, str] = _NO_TEXTS,
        strict_reverse_path: bool = False,
        wanted: Wanted = NOTHING_WANTED,
    ) -> None:
        self.wanted = wanted
        self.switches = switches
        self.strict_reverse_path = strict_reverse_path
        self._texts = texts
        self.cables = Cables(switches, cables, disputed)
        self.interfaces = {name: tuple(interfaces_of(switch)) for name, switch in switches.items()}
        self._first: dict[int, bool] = {}
        self._shared: dict[str, tuple[Shared, ...]] = {}
        self._domains: dict[tuple[str, int], Domain] = {}

    def line(self, switch: str, file: str, fact: str, port: str, number: int | None = None) -> int | None:
        """The line in a file of a switch that states a fact of a port, or of its queue ``number``."""
        text = self._texts.get(f"switches/{switch}/{file}")
        return None if text is None else self.switches[switch].line(text, fact, port, number)

    def texts_of(self, switch: str) -> Mapping[str, str]:
        """Path -> content of the files of a switch."""
        folder = f"switches/{switch}/"
        return {path: text for path, text in self._texts.items() if path.startswith(folder)}

    def served_first(self, dscp: int) -> bool:
        """Whether some port of the fabric puts a DSCP into a strict queue."""
        if dscp not in self._first:
            self._first[dscp] = any(serves_first(switch, dscp) for switch in self.switches.values())
        return self._first[dscp]

    def file(self, switch: str, kind: str) -> str:
        """The file of a switch that configures one kind of thing: ports, vlans, qos, bgp, arp."""
        name = self.switches[switch].files.get(kind, "")
        if not name:
            return f"no file in switches/{switch}"
        return name if "/" in name else f"switches/{switch}/{name}"

    def at(self, switch: str, kind: str, fact: str, column: str, value: object) -> str:
        """The file of a switch, with the line where a fact has a value in a column, if there is one."""
        file = self.file(switch, kind)
        text = self._texts.get(file)
        line = None if text is None else self.switches[switch].where(text, fact, column, str(value))
        return f"{file}:{line}" if line else file

    def at_bgp(self, switch: str) -> str:
        """The file with a switch's BGP, with the line of its AS number."""
        file = self.file(switch, "bgp")
        line = self.line(switch, file.rpartition("/")[2], "asn", "")
        return f"{file}:{line}" if line else file

    def at_port(self, switch: str, port: str, *facts: str) -> str:
        """The file of a switch, with the line of the first of the facts that is stated about a port."""
        file = self.file(switch, "ports")
        name = file.rpartition("/")[2]
        line = next(filter(None, (self.line(switch, name, fact, port) for fact in facts)), None)
        return f"{file}:{line}" if line else file

    def at_vlan(self, switch: str, vlan: int | None, *facts: str) -> str:
        """The same of the interface of a VLAN; of a routed port the file."""
        file = self.file(switch, "vlans")
        found = (self.at(switch, "vlans", fact, "vlan", vlan) for fact in facts if vlan is not None)
        return next((place for place in found if place != file), file)

    def shared(self, switch: str) -> tuple[Shared, ...]:
        """Pairs of interfaces of a switch in the same subnet."""
        if switch not in self._shared:
            self._shared[switch] = shared_subnets(self.switches[switch])
        return self._shared[switch]

    def at_interface(self, switch: str, interface: Interface) -> str:
        if interface.vlan is None:
            return self.at_port(switch, interface.port, "port-address")
        return self.at(switch, "vlans", "vlan-address", "vlan", interface.vlan)

    def unstated(self, switch: str, fact: str, place: str = "") -> str:
        """Says that nothing states a fact about a switch, its port or its VLAN, and where it would stand."""
        named = f"VLAN {place}" if place.isdecimal() else place
        where = f"{switch} {named}" if place else switch
        stand = self.switches[switch].stands.get(fact)
        if stand is None:
            return f"{_WANTED[fact]} {where} is not stated (switches/{switch})"
        line = stand.line.replace("<port>", place).replace("<vlan>", place)
        return (
            f"{_WANTED[fact]} {where} is not stated; {line} would prove it (switches/{switch}/{stand.file})"
        )

    def unparsed(self, switch: str) -> str:
        """Why the switch rejects a whole file; empty if it can read all of them."""
        read = self.switches.get(switch)
        return f"switches/{switch}/{read.unparsed[0]}" if read is not None and read.unparsed else ""

    def accept(self, switch: str, port: str, tag: int | None) -> Domain | str:
        """The broadcast domain that a frame from the cable enters, or why the port drops it."""
        read = self.switches.get(switch)
        if read is None:
            return f"{switch} has no files in switches/{switch}"
        if broken := self.unparsed(switch):
            return f"{switch} has a file that cannot be read: {broken}"
        state = read.ports.get(port)
        if state is None:
            return f"{switch} does not configure {port} ({self.file(switch, 'ports')})"
        if tag is None and state.addresses:
            return Domain(None, frozenset({(switch, port)}))
        vlan = state.untagged if tag is None else tag
        if vlan is None:
            place = self.at_port(switch, port, "trunk", "port")
            return f"{switch} {port} takes no untagged frames ({place})"
        if vlan not in read.vlans:
            place = self.at_port(switch, port, "trunk", "untagged", "port")
            return f"{switch} has no VLAN {vlan} for {port} ({place})"
        if not self.carries(switch, port, vlan, tag is not None):
            place = self.at_port(switch, port, "trunk", "untagged", "port")
            return f"{switch} {port} does not carry VLAN {vlan} ({place})"
        return self.domain(switch, vlan)

    def carries(self, switch: str, port: str, vlan: int, tagged: bool) -> bool:
        state = self.switches[switch].ports.get(port)
        if state is None or vlan not in self.switches[switch].vlans:
            return False
        return vlan in state.tagged if tagged else state.untagged == vlan

    def domain(self, switch: str, vlan: int) -> Domain:
        """What a broadcast in a VLAN of a switch reaches, over trunks that carry the VLAN on both sides."""
        known = self._domains.get((switch, vlan))
        if known is None:
            seen = {switch}
            todo = [switch]
            while todo:
                here = todo.pop()
                for far in (place[0] for _, place in self.trunks(here, vlan)):
                    if far not in seen:
                        seen.add(far)
                        todo.append(far)
            known = Domain(vlan, frozenset((name, "") for name in seen))
            self._domains |= {(name, vlan): known for name in seen}
        return known

    def trunks(self, switch: str, vlan: int) -> Iterator[tuple[str, Place]]:
        """(own port, far end) of the inter-switch cables that carry a VLAN."""
        for port, (far, far_port) in self.cables.links.get(switch, ()):
            for tagged in (True, False):
                if self.carries(switch, port, vlan, tagged) and self.carries(far, far_port, vlan, tagged):
                    yield port, (far, far_port)

    def routers(self, domain: Domain) -> Iterator[Routed]:
        """Routed interfaces of switches in a broadcast domain."""
        for switch, port in sorted(domain.members):
            for interface in self.interfaces.get(switch, ()):
                wanted = interface.vlan == domain.vlan if domain.vlan is not None else interface.port == port
                if wanted:
                    yield interface

    def connected(self, switch: str, address: Address) -> Routed | None:
        """The interface of a switch with the longest prefix that holds the address."""
        return next(self._connected[switch].holding(address), None)

    def kept(self, switch: str, address: Address) -> Prefix | None:
        """The longest loopback prefix that holds the address: the switch consumes such packets."""
        return next(self._loopbacks[switch].holding(address), None)

    @cached_property
    def _loopbacks(self) -> Mapping[str, PrefixTable[Prefix]]:
        prefixes = {
            name: [as_network(a.ip.version, int(a.ip), a.prefixlen) for a in switch.loopbacks]
            for name, switch in self.switches.items()
        }
        return {name: PrefixTable((p, p) for p in each) for name, each in prefixes.items()}

    @cached_property
    def _connected(self) -> Mapping[str, PrefixTable[Routed]]:
        return {name: PrefixTable((i.prefix, i) for i in each) for name, each in self.interfaces.items()}

    def domain_of(self, interface: Routed) -> Domain:
        if interface.vlan is not None:
            return self.domain(interface.switch, interface.vlan)
        return Domain(None, frozenset({(interface.switch, interface.port or "")}))

    @cached_property
    def owners(self) -> Mapping[Address, tuple[Routed, ...]]:
        found: dict[Address, list[Routed]] = defaultdict(list)
        for interfaces in self.interfaces.values():
            for interface in interfaces:
                found[interface.ip].append(interface)
        return {address: tuple(those) for address, those in found.items()}
