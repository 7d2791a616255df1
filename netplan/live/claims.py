"""What the plan says about things that saved outputs can show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from netplan.live.cards import host_claims
from netplan.live.far_ends import Cards
from netplan.live.model import COMMANDS, OTHERS, OUTPUTS, Expected, Kind, LiveHop, Outputs, PortMode
from netplan.model.hardware import Host
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switch_qos import QueueEcn
from netplan.model.switching import SwitchArp, SwitchPlan
from netplan.model.values import InterfaceAddress
from netplan.model.workloads import WorkloadPlan
from netplan.records import dataclass

_IP_VERSIONS: Mapping[Kind, int] = {"ipv4": 4, "ipv6": 6}
_OF_VLANS: tuple[Kind, ...] = ("member", "tagging")


def all_hops(plan: Plan) -> tuple[tuple[LiveHop, tuple[int, ...]], ...]:
    """Every pod, host and switch that can be seen, with its rails."""
    found = [(_pod_hop(each), _rails(route.rail for route in each.routed)) for each in plan.workloads]
    for host in plan.fabric.hosts:
        if host.named:
            found.append((_host_hop(host), _rails(hca.rail for hca in host.type.hcas)))
    for switch in plan.switches:
        found.append((switch_hop(switch), rails_of(switch)))
    return tuple((hop, rails) for hop, rails in found if rails or hop.kind != "pod")


def claims_of(plan: Plan, seen: frozenset[str], heard: Collection[str]) -> Iterator[Expected]:
    """Claims about hops with a file, by name; for a large fabric all claims would be millions. ``heard``:
    hosts with a file of LLDP neighbours."""
    for workload in plan.workloads:
        if _pod_hop(workload).name in seen:
            yield from _pod(workload)
    yield from host_claims(plan, seen, heard)
    cards = Cards(plan.fabric.hosts)
    for switch in plan.switches:
        if switch.name in seen:
            yield from _switch(switch, cards)


def _rails(numbers: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(sorted({number for number in numbers if number is not None}))


def _pod_hop(workload: WorkloadPlan) -> LiveHop:
    return LiveHop(kind="pod", name=workload.name)


def _host_hop(host: Host) -> LiveHop:
    return LiveHop(kind="host", name=host.name)


def switch_hop(switch: SwitchPlan) -> LiveHop:
    return LiveHop(kind=switch.role or "leaf", name=switch.name)


def rails_of(switch: SwitchPlan) -> tuple[int, ...]:
    return _rails(port.rail for port in switch.ports)


def _pod(workload: WorkloadPlan) -> Iterator[Expected]:
    hop = _pod_hop(workload)
    for interface, rail in dict.fromkeys((route.interface, route.rail) for route in workload.routed):
        yield Expected(
            hop=hop,
            rails=_one(rail),
            kind="rails",
            subject=interface,
            field="routes",
            expected="ok",
            output=COMMANDS["rails"],
        )


def _one(rail: int | None) -> tuple[int, ...]:
    return () if rail is None else (rail,)


def _switch(switch: SwitchPlan, cards: Cards) -> Iterator[Expected]:
    """Claims that the readable outputs of its NOS would show."""
    outputs = OUTPUTS.get(switch.nos, OTHERS)
    commands = outputs.commands
    rails = rails_of(switch)
    hop = switch_hop(switch)
    for port in switch.ports:
        own = rails if port.rail is None else (port.rail,)
        for fact in (*_far_end(port, cards), *_port(port, switch, outputs)):
            if fact.kind in commands:
                yield fact.claim(hop, own, commands[fact.kind])
    sessions = _shows_sessions(switch, outputs)
    for fact in _whole_switch(switch, outputs):
        if fact.kind in commands:
            shown_by = sessions.get(fact.subject, "") if fact.kind == "bgp" else ""
            yield fact.claim(hop, rails, shown_by or commands[fact.kind])


def _shows_sessions(switch: SwitchPlan, outputs: Outputs) -> Mapping[str, str]:
    """Neighbour -> command; of a switch with sessions over IPv6 alone, that command shows its own AS too."""
    versions = {str(each.address): each.address.version for each in switch.neighbours}
    versions["local"] = min(versions.values(), default=4)
    return {subject: outputs.bgp6 for subject, version in versions.items() if version == 6}


@dataclass(frozen=True, slots=True)
class _Fact:
    kind: Kind
    subject: str
    field: str
    expected: str
    also: tuple[str, ...] = ()
    if_shown: bool = False

    def claim(self, hop: LiveHop, rails: tuple[int, ...], output: str) -> Expected:
        return Expected(
            hop=hop,
            rails=rails,
            kind=self.kind,
            subject=self.subject,
            field=self.field,
            expected=self.expected,
            output=output,
            also=self.also,
            if_shown=self.if_shown,
        )


def _far_end(port: SwitchPort, cards: Cards) -> Iterator[_Fact]:
    """Of a host, the card too where the inventory states what tells it from the others."""
    if port.kind != "host":
        yield _Fact("lldp", port.name, "peer", port.peer)
        return
    host, _, hca = port.peer.partition(" ")
    yield _Fact("lldp", port.name, "peer", host)
    if cards.known(host, hca):
        yield _Fact("lldp", port.name, "card", hca)


def _port(port: SwitchPort, switch: SwitchPlan, outputs: Outputs) -> Iterator[_Fact]:
    yield from (_Fact("interfaces", port.name, field, value) for field, value in _status(port, outputs))
    mode = mode_of(port)
    if mode is not None and mode in outputs.modes:
        usual, *also = outputs.modes[mode]
        yield _Fact("interfaces", port.name, "mode", usual, tuple(also))
    if mode is not None:
        yield _Fact("interfaces", port.name, "VRF", "default", if_shown=True)
        yield _Fact("interfaces", port.name, "bond", "", if_shown=True)
        yield from _by_version(outputs, port.name, port.addresses)
    if port.settings.fec:
        yield from _fec(port.name, port.settings.fec)
    if not port.pfc:
        return
    for number in range(8):
        if number not in port.pfc:
            yield from (_Fact("pfc", port.name, f"{way} PFC{number}", "0") for way in ("Rx", "Tx"))
    yield _Fact("pfc mode", port.name, "oper", "on")
    yield _Fact("interfaces", port.name, "asym pfc", "off", if_shown=True)
    if switch.watchdog.enabled:
        yield _Fact("shutdown", port.name, "watchdog", "enabled", if_shown=True)
        times = {"detection": switch.watchdog.detection, "restoration": switch.watchdog.restoration}
        for field, value in {"action": "drop", **times}.items():
            yield _Fact("watchdog", port.name, field, value)
        for queue in port.pfc:
            yield _Fact("storm", f"{port.name}:{queue}", "status", "operational")
            yield _Fact("storm", f"{port.name}:{queue}", "detected", "0", if_shown=True)
            yield _Fact("shutdown", f"{port.name}:{queue}", "times", "0")


def _fec(port: str, stated: str) -> Iterator[_Fact]:
    yield _Fact("fec", port, "admin", stated)
    if stated != "auto":
        yield _Fact("fec", port, "oper", stated, if_shown=True)


def _status(port: SwitchPort, outputs: Outputs) -> Iterator[tuple[str, str]]:
    yield from (("oper", "up"), ("admin", "up"), ("speed", f"{port.speed_gbps}G"))
    if outputs.bridged_mtu or port.routed:
        yield "mtu", str(port.mtu)
    if outputs.fec and port.settings.fec:
        yield "fec", port.settings.fec
    if port.routed and (addresses := _shown(outputs, port.addresses)):
        yield "addresses", addresses


def _shown(outputs: Outputs, addresses: Iterable[InterfaceAddress]) -> str:
    """Those of the families that the outputs show."""
    versions = {"none": (), "ipv4": (4,), "all": (4, 6)}[outputs.addresses]
    return _joined(addresses, versions)


def _joined(addresses: Iterable[InterfaceAddress], versions: Collection[int]) -> str:
    return " ".join(sorted(str(each) for each in addresses if each.ip.version in versions))


def _by_version(outputs: Outputs, interface: str, addresses: Collection[InterfaceAddress]) -> Iterator[_Fact]:
    """Where the addresses of each IP version are an output of their own."""
    for kind, version in _IP_VERSIONS.items():
        if kind not in outputs.commands:
            continue
        shown = _joined(addresses, (version,))
        yield _Fact(kind, interface, "addresses", shown, if_shown=not shown)
        yield _Fact(kind, interface, "master", "", if_shown=True)
        yield _Fact(kind, interface, "oper", "up", if_shown=True)


def mode_of(port: SwitchPort) -> PortMode | None:
    """None of a port without addresses and VLANs."""
    if port.routed:
        return "routed"
    return "tagged" if port.tagged else "untagged" if port.untagged else None


def _whole_switch(switch: SwitchPlan, outputs: Outputs) -> Iterator[_Fact]:
    for neighbour in switch.neighbours:
        yield _Fact("bgp", str(neighbour.address), "AS", str(neighbour.remote_as))
        yield _Fact("bgp", str(neighbour.address), "session", "established")
    if switch.asn:
        yield _Fact("bgp", "local", "AS", str(switch.asn))
        yield _Fact("bgp", "local", "router id", switch.router_id)
    if shown := _shown(outputs, switch.loopbacks):
        yield _Fact("interfaces", outputs.loopback, "addresses", shown)
    if switch.loopbacks:
        yield from _by_version(outputs, outputs.loopback, switch.loopbacks)
    for vlan in switch.vlans:
        addresses = " ".join(sorted(map(str, vlan.addresses)))
        yield _Fact("vlan", str(vlan.id), "addresses", addresses)
        for kind in _OF_VLANS:
            yield _Fact(kind, str(vlan.id), "state", "active", if_shown=True)
        if shown := _shown(outputs, vlan.addresses):
            yield _Fact("svi", str(vlan.id), "addresses", shown)
            yield _Fact("svi", str(vlan.id), "oper", "up", if_shown=True)
            yield _Fact("svi", str(vlan.id), "VRF", "default", if_shown=True)
        yield from _by_version(outputs, f"Vlan{vlan.id}", vlan.addresses)
        for member in vlan.members:
            subject = f"{vlan.id} {member.port}"
            yield _Fact("tagging", subject, "tagging", "tagged" if member.tagged else "untagged")
            yield _Fact("tagging", subject, "member", "yes", if_shown=True)
            yield _Fact("member", subject, "member", "yes")
    yield from _ageing(switch.arp)
    yield from _qos(switch)


def _ageing(arp: SwitchArp) -> Iterator[_Fact]:
    if not arp.enabled:
        return
    if arp.mac_wanted:
        yield _Fact("mac", "table", "age", str(arp.mac_wanted))
    limits = {f"gc_thresh{number}": value for number, value in enumerate(arp.gc_thresh, 1)}
    for family in ("ipv4", "ipv6") if arp.ipv6 else ("ipv4",):
        for name, value in {"base_reachable_time_ms": arp.reachable_ms, **limits}.items():
            yield _Fact("sysctl", f"net.{family}.neigh.default.{name}", "value", str(value))


def _qos(switch: SwitchPlan) -> Iterator[_Fact]:
    yield from _roce(switch)
    for queue in switch.qos.queues:
        for ecn in queue.ecn:
            for field, setting in _wred(ecn):
                yield _Fact("ecn", f"ROCE_Q{queue.number}", field, setting)
    if switch.watchdog.enabled:
        yield _Fact("watchdog", "polling", "interval", switch.watchdog.poll)
        yield _Fact("watchdog", "BIG_RED_SWITCH", "status", "disable", if_shown=True)


def _roce(switch: SwitchPlan) -> Iterator[_Fact]:
    qos = switch.qos
    if qos.enabled:
        yield _Fact("roce", "switch", "mode", "lossless" if qos.pfc else "lossy")
        trust, *also = ("dscp,pcp", "dscp") if qos.dscp_trust else ("pcp",)
        yield _Fact("roce", "switch", "trust", trust, tuple(also), if_shown=True)
    if qos.pfc:
        yield _Fact("roce", "switch", "PFC priorities", ",".join(map(str, sorted(qos.pfc))))
        length = str(switch.longest_lossless_m)
        for field, value in {"PFC rx": "enabled", "PFC tx": "enabled", "cable length": length}.items():
            yield _Fact("roce", "switch", field, value, if_shown=True)
    if qos.marking:
        yield _Fact("roce", "switch", "congestion mode", "ECN")
    for queue in qos.marking:
        yield _Fact("roce", f"traffic class {queue.number}", "ECN", "on", if_shown=True)


def _wred(ecn: QueueEcn) -> Iterator[tuple[str, str]]:
    """A row of WRED_PROFILE: the same for the three colours, as none is re-marked."""
    yield "ecn", "ecn_all"
    for colour in ("green", "yellow", "red"):
        yield f"wred_{colour}_enable", "true"
        yield f"{colour}_min_threshold", str(ecn.kmin)
        yield f"{colour}_max_threshold", str(ecn.kmax)
        yield f"{colour}_drop_probability", str(ecn.probability)
