"""What the files of a switch say, in the types of ``netplan.model.readback``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from netplan.model.readback import (
    ReadNeighbour,
    ReadPort,
    ReadQos,
    ReadSwitch,
    ReadVlanInterface,
)
from netplan.model.site import SiteSwitch
from netplan.model.values import FRAME_BYTES, InterfaceAddress
from netplan.nos import NosLibrary, shipped
from netplan.reading.switches.contradictions import (
    above,
    contradictions,
    nameless,
    network_of,
    refused_mtus,
    same_level,
    two_roles,
    unbridged,
    unconnected,
)
from netplan.reading.switches.facts import EVERYWHERE, QOS
from netplan.reading.switches.files import ByPort, Facts, read_files
from netplan.reading.switches.places import line_of, line_where, places_of
from netplan.reading.switches.queues import qos_of
from netplan.reading.switches.rules import rules_of
from netplan.reading.switches.units import Units, entries_kept, lengths_of, pools_of, steps_of, units_of
from netplan.report import few

_NO_FACTS: Facts = {}
_NONE: frozenset[Any] = frozenset()
_ENABLING = ("routing", "vlan-routing", "bgp")
T = TypeVar("T", bound=Hashable)


def read_switch(
    name: str,
    nos: str,
    files: Mapping[str, str],
    library: NosLibrary | None = None,
    *,
    asic: str = "",
    model: str = "",
    queue_bytes: int = 0,
) -> ReadSwitch:
    """``files``: file name -> text, as below ``switches/<name>/``. ``library``: None for the one that
    ships.

    ``asic`` and ``queue_bytes`` (queue memory that percentages refer to) give the unit of ECN thresholds
    on some NOSes. ``model``: of the switch; the NOS may know its buffers.

    Never raises, whatever the files contain: what cannot be read is in ``problems``.
    """
    rules = rules_of(nos, library or shipped())
    if rules is None:
        found = _Found(_NO_FACTS, {}, Units(0.0, 0, 1), [f"the text of NOS {nos} cannot be read"])
        return found.switch(name, nos, {}, frozenset())
    known = rules.nos.models.get(model)
    stated = read_files(rules, files, known.stock_buffers if known is not None else None)
    place = partial(places_of, rules, files)
    problems = [*stated.problems, *contradictions(stated.facts, rules.files, place)]
    problems += unconnected(stated.facts, rules.files)
    problems += [*unbridged(stated.facts, rules.files), *refused_mtus(stated.facts, rules.files)]
    for doubt in (two_roles, nameless, same_level):
        problems += doubt(stated.facts, rules.files)
    found = _Found(stated.facts, stated.ports, units_of(rules, asic, queue_bytes), problems)
    return replace(
        found.switch(name, nos, rules.files, stated.comments),
        unparsed=stated.unparsed,
        unread=stated.unread,
        refused=tuple(above(stated.facts, rules.files, rules.nos.limits.mtu_max)),
        states=frozenset(rules.facts),
        told=frozenset(fact for fact, ports in stated.ports.items() if ports),
        line=partial(line_of, rules),
        where=partial(line_where, rules),
        implied=rules.implied,
        stands=rules.stands,
        steps=steps_of(rules, asic, queue_bytes),
        lengths=lengths_of(known, stated.facts),
        pools=pools_of(known, stated.facts),
        entries=entries_kept(rules, stated.facts, "entries", 2),
        collected=entries_kept(rules, stated.facts, "collected", 1),
        lacking=frozenset(fact for fact in _ENABLING if fact in rules.facts and not stated.facts[fact]),
    )


def read_site_switch(
    switch: SiteSwitch, files: Mapping[str, str], library: NosLibrary | None = None
) -> ReadSwitch:
    """Reads a switch that ``site.json`` names."""
    return read_switch(
        switch.name,
        switch.nos,
        files,
        library,
        asic=switch.asic,
        model=switch.model,
        queue_bytes=switch.queue_bytes,
    )


class _Found:
    """The facts of one switch; contradictions between them go to ``problems``."""

    def __init__(self, facts: Facts, by_port: ByPort, units: Units, problems: list[str]) -> None:
        self.facts = facts
        self.by_port = by_port
        self.units = units
        self.problems = problems

    def rows(self, fact: str) -> Sequence[Any]:
        return self.facts.get(fact, ())

    def switch(self, name: str, nos: str, files: Mapping[str, str], comments: frozenset[str]) -> ReadSwitch:
        trust: dict[str, str] = dict(self.rows("trust"))
        strict = {port: frozenset(queues) for port, queues in self.sets("strict").items()}
        ecn = self.thresholds()
        as_rows = {port: tuple(sorted(queues.items())) for port, queues in ecn.items()}
        return ReadSwitch(
            name=name,
            nos=nos,
            ports=self.ports(trust, ecn),
            vlans=frozenset(vlan for (vlan,) in self.rows("vlan")),
            vlan_interfaces=self.vlan_interfaces(),
            loopbacks=tuple(dict.fromkeys(address for (address,) in self.rows("loopback"))),
            asn=next((asn for (asn,) in reversed(self.rows("asn"))), None),
            neighbours=self.neighbours(),
            networks=frozenset(network_of(address) for (address,) in self.rows("network")),
            redistributed=frozenset(version for (version,) in self.rows("redistributed")),
            trust=self.common("what they trust", trust, None),
            queues=self.queues(),
            ecn=dict(self.common("ECN thresholds", as_rows, ())),
            strict=self.common("strict queues", strict, frozenset()),
            rejects=tuple(dict.fromkeys(self.rows("rejects"))),
            shut_neighbours=tuple(dict.fromkeys(ip for (ip,) in self.rows("neighbour-down"))),
            unread_neighbours=frozenset(ip for (ip,) in self.rows("neighbour-unread")),
            router_id=next((ip for (ip,) in self.rows("router-id")), None),
            paths=max((paths for (paths,) in self.rows("paths")), default=None),
            seed=next((str(seed) for (seed,) in self.rows("seed")), None),
            marking=frozenset(queue for _, queue, _, _ in self.rows("ecn")),
            arp_seconds=self.arp_seconds(),
            arp6_seconds=max((-(-age // 1000) for (age,) in self.rows("arp6-ms")), default=None),
            comments=comments,
            files=dict(files),
            problems=tuple(dict.fromkeys(self.problems)),
        )

    def common(self, what: str, by_port: Mapping[str, T], nothing: Any) -> Any:
        """The value stated for the whole switch, else the most common one of the ports that state any."""
        if EVERYWHERE in by_port or not by_port:
            return by_port.get(EVERYWHERE, nothing)
        counted = Counter(by_port.values()).most_common()
        if len(counted) > 1:
            odd = [port for port, value in by_port.items() if value != counted[0][0]]
            self.problems.append(f"ports differ in {what}: {few(odd, 3)} from the others")
        return counted[0][0]

    def sets(self, fact: str) -> dict[Any, set[Any]]:
        """First column -> values of the second."""
        found: dict[Any, set[Any]] = {}
        for key, value in self.rows(fact):
            if key in found:
                found[key].add(value)
            else:
                found[key] = {value}
        return found

    def addresses(self, fact: str) -> dict[Any, tuple[InterfaceAddress, ...]]:
        found: dict[Any, tuple[InterfaceAddress, ...]] = {}
        for key, value in self.rows(fact):
            found[key] = (*found.get(key, ()), value)
        return found

    def mtus(self, kind: str) -> dict[Any, int]:
        """Largest IP packet in bytes: the smaller of the link MTU and the IP MTU."""
        found = {key: mtu - self.units.below_ip for key, mtu in self.rows(f"{kind}-mtu")}
        packets = [*self.rows(f"{kind}-ip-mtu")]
        packets += [(key, frame - FRAME_BYTES) for key, frame in self.rows(f"{kind}-frame")]
        for key, mtu in packets:
            found[key] = min(mtu, found.get(key, mtu))
        return found

    def trunks(self) -> dict[Any, set[Any]]:
        """Port -> VLANs; all existing ones where the NOS trunks all VLANs unless listed."""
        found = self.sets("trunk")
        every = {vlan for (vlan,) in self.rows("vlan")}
        found |= {port: set(every) for (port,) in self.rows("trunk-all")}
        if "trunk-listed" in self.facts:
            listed = found.keys() | {port for (port,) in self.rows("trunk-listed")}
            found |= {port: set(every) for (port,) in self.rows("trunking") if port not in listed}
        return found

    def ports(
        self, trust: Mapping[str, str], ecn: Mapping[str, Mapping[int, tuple[int, int]]]
    ) -> dict[str, ReadPort]:
        routed = {port for (port,) in self.rows("routed")}
        unused = routed | {port for (port,) in self.rows("trunking")}
        trunks = {port: vlans for port, vlans in self.trunks().items() if port not in routed}
        pfc = self.sets("pfc")
        natives = {p: v for p, v in self.rows("native") if v in trunks.get(p, ())}
        untagged: dict[str, int] = {**natives, **{p: v for p, v in self.rows("untagged") if p not in unused}}
        addresses, mtus = self.addresses("port-address"), self.mtus("port")
        lossless = {port: frozenset(priorities) for port, priorities in pfc.items()}
        headroom, states = self.headroom(), self.states("port")
        speeds, fecs, negotiating = (dict(self.rows(f"port-{name}")) for name in ("speed", "fec", "autoneg"))
        same: dict[frozenset[int], frozenset[int]] = {}  # ports of one kind share one set
        tagged: dict[str, frozenset[int]] = {}
        for port, vlans in trunks.items():
            vlans.discard(untagged.get(port))
            tagged[port] = same.setdefault(frozenset(vlans), frozenset(vlans))
        names = dict.fromkeys(port for (port,) in self.rows("port"))
        for stated in (mtus, tagged, untagged, addresses, lossless, trust, ecn):
            names |= dict.fromkeys(stated)
        names.pop(EVERYWHERE, None)
        none: frozenset[int] = frozenset()
        return {
            port: ReadPort(
                name=port,
                tagged=tagged.get(port, none),
                untagged=untagged.get(port),
                addresses=addresses.get(port, ()),
                ip_mtu=mtus.get(port),
                pfc=lossless.get(port, lossless.get(EVERYWHERE)),
                trust=trust.get(port, trust.get(EVERYWHERE)),
                ecn=ecn.get(port, ecn.get(EVERYWHERE, {})),
                up=states.get(port, states[EVERYWHERE]),
                headroom_m=headroom.get(port, headroom.get(EVERYWHERE)),
                gbps=speeds.get(port),
                fec=fecs.get(port, ""),
                autoneg=negotiating.get(port, ""),
                qos=self.qos(port),
            )
            for port in names
        }

    def states(self, kind: str) -> dict[Any, bool | None]:
        """Port or VLAN -> whether it is enabled; EVERYWHERE has the default without a line."""
        found: dict[Any, bool | None] = {EVERYWHERE: None if f"{kind}-up" in self.facts else True}
        found |= {name: True for (name,) in self.rows(f"{kind}-up")}
        return found | {name: False for (name,) in self.rows(f"{kind}-down")}

    def headroom(self) -> dict[Any, int]:
        """Cable length in metres; the shortest if several are stated."""
        found: dict[Any, int] = {}
        for port, metres in self.rows("headroom"):
            found[port] = min(metres, found.get(port, metres))
        return found

    def qos(self, port: str) -> ReadQos:
        """What is stated for the whole switch, combined with what is stated for the port."""
        rows = (self.by_port.get(fact, {}) for fact in QOS)
        stated = tuple((each.get(port, _NONE), each.get(EVERYWHERE, _NONE)) for each in rows)
        return qos_of(stated, self.units.below_ip)

    def vlan_interfaces(self) -> dict[int, ReadVlanInterface]:
        addresses, mtus, up = self.addresses("vlan-address"), self.mtus("vlan"), self.states("vlan")
        learning = {vlan for (vlan,) in self.rows("vlan-garp")}
        learning |= set(addresses) if self.rows("garp") else set()
        aged = {vlan for (vlan,) in self.rows("vlan-arp")}
        return {
            vlan: ReadVlanInterface(
                vlan=vlan,
                addresses=addresses[vlan],
                ip_mtu=mtus.get(vlan),
                up=up.get(vlan, up[EVERYWHERE]),
                garp=vlan in learning,
                aged=vlan in aged,
            )
            for vlan in addresses
        }

    def neighbours(self) -> tuple[ReadNeighbour, ...]:
        found: dict[Any, int | None] = {ip: None for (ip,) in self.rows("neighbour-any-as")}
        found |= dict(self.rows("neighbour"))
        shut = {ip for (ip,) in self.rows("neighbour-down")}
        local: dict[Any, Any] = dict(self.rows("neighbour-local"))
        return tuple(ReadNeighbour(ip, asn, local.get(ip)) for ip, asn in found.items() if ip not in shut)

    def queues(self) -> dict[int, int]:
        """Queues over all ports."""
        found: dict[int, int] = {}
        for stated in dict.fromkeys(self.by_port.get("dscp", {}).values()):
            for dscp, queue in sorted(stated):
                if found.setdefault(dscp, queue) != queue:
                    self.problems.append(f"DSCP {dscp} is in queue {found[dscp]} and in queue {queue}")
        for rest in self.by_port.get("dscp-rest", {}).values():
            for (queue,) in rest:
                found = dict.fromkeys(range(64), queue) | found
        return dict(sorted(found.items()))

    def thresholds(self) -> dict[str, dict[int, tuple[int, int]]]:
        """Port -> queue -> bytes; empty if the size of the NOS's unit is not known."""
        found: dict[str, dict[int, tuple[int, int]]] = {}
        size = self.units.ecn
        for port, queue, low, high in self.rows("ecn") if size else ():
            found.setdefault(port, {})[queue] = (round(low * size), round(high * size))
        return found

    def arp_seconds(self) -> int | None:
        """The longest age, if several are stated."""
        ages = {age * self.units.age for (age,) in self.rows("arp")}
        ages |= {-(-age // 1000) for (age,) in self.rows("arp-ms")}
        if len(ages) > 1:
            self.problems.append(f"ages of neighbours differ: {', '.join(map(str, sorted(ages)))} s")
        return max(ages, default=None)
