"""Rules that compare the ports of a switch: one unlike the others of its kind, and the ECMP hash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from netplan.diagnostics import Severity
from netplan.model.values import natural, parse_address
from netplan.reading.config_db.switch import DbSwitch, Spot, having, once, ports_of, with_others
from netplan.records import dataclass
from netplan.rules.config_db.neighbours import routed_ports
from netplan.rules.config_db.queue_buffers import lossy_queues
from netplan.rules.config_db.registry import RowFinding, rule

Kind = tuple[str, str, bool, bool]
"""Role, speed, whether in a port channel, whether with a BGP session: an uplink is no host port."""


def _used(switch: DbSwitch) -> dict[Kind, list[str]]:
    """Ports that are up and carry traffic; only in a whole configuration."""
    carrying = {port for key in switch.rows("VLAN_MEMBER") for port in [key.partition("|")[2]]}
    carrying |= {port for key in switch.rows("INTERFACE") for port in ports_of(key)} | switch.lag_of.keys()
    found: dict[Kind, list[str]] = {}
    spoken = _with_sessions(switch) if switch.whole else frozenset[str]()
    for port in switch.ports if switch.whole else ():
        lag = switch.lag_of.get(port, "")
        if (port in carrying or lag in carrying) and switch.text("PORT", port, "admin_status") == "up":
            role, speed = (
                "bridged" if _bridged(switch, port) else "routed",
                switch.text("PORT", port, "speed"),
            )
            kind = role, speed or "", bool(lag), bool({port, lag} & spoken)
            found.setdefault(kind, []).append(port)
    return found


_PAIR = 4
"""Addresses of a point-to-point subnet."""


def _with_sessions(switch: DbSwitch) -> frozenset[str]:
    """Interfaces with a BGP neighbour at the other end."""
    stated = (parse_address(key.rpartition("|")[2]) for key in switch.rows("BGP_NEIGHBOR"))
    peers = {int(address) for address in stated if address is not None}
    links = ((name, net) for name, net in routed_ports(switch) if net.size <= _PAIR)
    return frozenset(name for name, net in links if peers & {*range(net.first, net.last + 1)})


def _bridged(switch: DbSwitch, port: str) -> bool:
    members = _vlan_members(switch)
    return port in members or switch.lag_of.get(port, "") in members


@once
def _vlan_members(switch: DbSwitch) -> frozenset[str]:
    return frozenset(key.partition("|")[2] for key in switch.rows("VLAN_MEMBER"))


def _used_ports(switch: DbSwitch) -> int:
    return sum(map(len, _used(switch).values())) or len(_mapped(switch))


@dataclass(frozen=True, slots=True)
class Trait:
    """What ports of a kind have in common: a row, or one of its fields, with ``unstated`` as default."""

    table: str
    field: str = ""
    unstated: str = ""

    def value(self, switch: DbSwitch, port: str) -> str | None:
        """None for a field of a missing row: the missing row is reported once, by itself."""
        row = switch.row(self.table, port)
        if not self.field:
            return _A_ROW if row else _NO_ROW
        return (switch.text(self.table, port, self.field) or self.unstated) if row else None

    def told(self, switch: DbSwitch) -> set[str]:
        """Ports with a PFC priority of which NP857 or NP883 tells."""
        return {port for port, _ in lossy_queues(switch)} if self.field == "pfc_enable" else set()

    def said(self, value: str, usual: str) -> tuple[str, str]:
        if not self.field:
            return f"{value} in {self.table}", "one"
        return f"{self.field} {value}", f"{self.field} {usual}"

    def spot(self, switch: DbSwitch, port: str) -> Spot:
        return switch.spot(self.table, port, self.field) if self.field else switch.spot("PORT", port)


_A_ROW, _NO_ROW = "a row", "no row"
_TRAITS = (
    Trait("PORT_QOS_MAP"),
    Trait("PORT_QOS_MAP", "pfc_enable", "none"),
    Trait("PORT", "mtu", "9100"),
)

_KIND_LEAST = 4
"""Fewer ports of a kind than this have no meaningful majority."""
_PART_LEAST = 8


@rule(
    "NP894",
    "port unlike its peers",
    on=DbSwitch,
    counts=_used_ports,
    severity=Severity.WARNING,
)
def unlike(switch: DbSwitch) -> Iterator[RowFinding]:
    """Among at least four ports with the same speed and role (bridged or routed, in a port channel or not,
    with a BGP neighbour or not) that are up and in use, more than three quarters have a QoS row, the same PFC
    priorities or the same MTU, and a few do not. If the file does not show what ports carry, one port of
    eight or more has different PFC priorities from all others. Ports of one cage (`index`) have different
    speeds per lane. On a switch with routed uplinks, one port of eight or more that are in a single VLAN is
    tagged there, the others are not, or it is the only untagged one.

    **Why.** A port added later without its QoS row carries RDMA without protection, and a single port
    with MTU 9100 among 9216 loses only large writes: both pass every small test. Where the ASIC cannot
    clock the lanes of a cage differently, orchagent ends in addPortBulk at every boot.

    **Fix.** Configure the port like the others; ignore this warning if the difference is intended.

    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/portmgr.h (MTU 9100 where none is stated), issue 3981
    (speeds of one cage).
    """
    yield from _odd_part(switch)
    yield from _odd_lanes(switch)
    yield from _odd_tagging(switch)
    for (role, speed, *_), ports in _used(switch).items():
        if len(ports) < _KIND_LEAST:
            continue
        kind = f"{role} ports of speed {speed}"
        for trait in _TRAITS:
            yield from _odd(switch, ports, kind, trait)


_CARRYING = ("VLAN_MEMBER", "INTERFACE", "PORTCHANNEL_MEMBER")


def _mapped(switch: DbSwitch) -> list[str]:
    """Ports with a QoS row in a file that does not say what its ports carry, such as qos.json."""
    if any(switch.has(table) for table in _CARRYING):
        return []
    rows = {key: ports_of(key) for key in switch.keys("PORT_QOS_MAP") if key != "global"}
    return [port for key, ports in rows.items() for port in ports if port == key]


def _odd_part(switch: DbSwitch) -> Iterator[RowFinding]:
    """A single port unlike all others; if several differ, they may have another role."""
    enabled = {port: switch.text("PORT_QOS_MAP", port, "pfc_enable") or "" for port in _mapped(switch)}
    counts = Counter(enabled.values())
    if len(enabled) < _PART_LEAST or len(counts) != 2 or min(counts.values()) > 1:
        return
    (usual, number), (value, _) = counts.most_common(2)
    port = next(port for port, text in enabled.items() if text == value)
    message = f"{port} has pfc_enable {value or 'none'}, the {number} other ports have {usual or 'none'}"
    yield RowFinding(switch.spot("PORT_QOS_MAP", port, "pfc_enable"), message, "configure it like the others")


def _odd(switch: DbSwitch, ports: list[str], kind: str, trait: Trait) -> Iterator[RowFinding]:
    found = {port: trait.value(switch, port) for port in ports}
    values = {port: value for port, value in found.items() if value is not None}
    counts = Counter(values.values())
    if not counts:
        return
    usual, number = counts.most_common()[0]
    if 4 * number <= 3 * len(values) or usual == _NO_ROW:
        return
    for value in sorted(counts.keys() - {usual}):
        few = [port for port in ports if values.get(port) == value and port not in trait.told(switch)]
        if not few:
            continue
        what, usually = trait.said(value, usual)
        message = f"{having(few)} {what}, {number} other {kind} have {usually}"
        yield RowFinding(trait.spot(switch, few[0]), message, "configure it like the others")


_OF_ONE_CLOCK = {1_000, 10_000, 25_000}
"""Lane speeds in Mb/s that some ASICs take side by side in one cage, and others do not."""


def _are_odd(rates: Collection[int]) -> bool:
    return all(rates) and not _OF_ONE_CLOCK.issuperset(rates)


def _odd_lanes(switch: DbSwitch) -> Iterator[RowFinding]:
    """Ports of one cage whose lanes run at different speeds, one finding for all cages with the same two."""
    same: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for first, odd in _odd_cages(switch):
        same.setdefault((_lane_speed(switch, odd), _lane_speed(switch, first)), []).append((first, odd))
    for (rate, usual), ((first, odd), *more) in same.items():
        index, where = switch.text("PORT", first, "index"), switch.where(switch.spot("PORT", first, "speed"))
        message = (
            f"{odd} has {rate:,} Mb/s on each lane, {first} of the same cage (index {index}) "
            f"{usual:,} at {where}{with_others(len(more), 'cage has both', 'cages have both')}"
        )
        hint = "give the ports of a cage one speed per lane"
        yield RowFinding(switch.spot("PORT", odd, "speed"), message, hint)


def _odd_cages(switch: DbSwitch) -> Iterator[tuple[str, str]]:
    """First port of a cage and one unlike it; NP862 reports ports that share a lane."""
    cages: dict[str, list[str]] = {}
    for port in switch.keys("PORT") if switch.whole else ():
        cages.setdefault(switch.text("PORT", port, "index") or "", []).append(port)
    for index, ports in cages.items():
        if not index or not 1 < len(ports) <= _LANES:
            continue
        lanes = [lane for port in ports for lane in _lanes(switch, port)]
        rates = {port: _lane_speed(switch, port) for port in ports}
        odd = next((port for port in ports if rates[port] != rates[ports[0]]), "")
        if odd and _are_odd(rates.values()) and len(set(lanes)) == len(lanes):
            yield ports[0], odd


def _odd_tagging(switch: DbSwitch) -> Iterator[RowFinding]:
    """A single host port whose tagging differs; without routed uplinks it may be the trunk."""
    if not (switch.whole and any("|" in key for table in _UPLINKS for key in switch.rows(table))):
        return
    for (vlan, _), modes in _single_vlan_ports(switch).items():
        counts = Counter(modes.values()).most_common()
        if len(modes) < _PART_LEAST or [number for _, number in counts[1:]] != [1]:
            continue
        (usual, number), (odd, _) = counts
        port = next(port for port, mode in modes.items() if mode == odd)
        message = f"{port} is {odd} in {vlan}, the {number} other ports of its speed are {usual}"
        at = switch.spot("VLAN_MEMBER", f"{vlan}|{port}", "tagging_mode")
        yield RowFinding(at, message, "configure it like the others")


def _single_vlan_ports(switch: DbSwitch) -> dict[tuple[str, str], dict[str, str]]:
    """(VLAN, speed) -> ports that are in no other VLAN, with their tagging mode."""
    vlans: dict[str, list[str]] = {}
    for key in switch.keys("VLAN_MEMBER"):
        vlan, _, port = key.partition("|")
        vlans.setdefault(port, []).append(vlan)
    found: dict[tuple[str, str], dict[str, str]] = {}
    for port in sorted(vlans.keys() & switch.rows("PORT").keys(), key=natural):
        mode = switch.text("VLAN_MEMBER", f"{vlans[port][0]}|{port}", "tagging_mode")
        if len(vlans[port]) == 1 and mode:
            kind = vlans[port][0], switch.text("PORT", port, "speed") or ""
            found.setdefault(kind, {})[port] = mode
    return found


_UPLINKS = ("INTERFACE", "PORTCHANNEL_INTERFACE")
_LANES = 8
"""Lanes of a cage: more ports than that with one index are of no cage."""


def _lanes(switch: DbSwitch, port: str) -> list[str]:
    return (switch.text("PORT", port, "lanes") or "").split(",")


def _lane_speed(switch: DbSwitch, port: str) -> int:
    return (switch.number("PORT", port, "speed") or 0) // len(_lanes(switch, port))


_HASHED = ("SRC_IP", "DST_IP", "L4_SRC_PORT")


def _hashes(switch: DbSwitch) -> int:
    return int(bool(switch.text("SWITCH_HASH", "GLOBAL", "ecmp_hash")))


@rule(
    "NP895",
    "ECMP hash that cannot tell RoCE flows apart",
    on=DbSwitch,
    counts=_hashes,
    severity=Severity.WARNING,
)
def hashes(switch: DbSwitch) -> Iterator[RowFinding]:
    """`ecmp_hash` is stated, without an address or without the UDP source port.

    **Why.** All RoCEv2 packets have UDP destination port 4791; queue pairs between the same two hosts
    differ only in their UDP source port. Without it in the hash they share one uplink.

    **Fix.** Hash over SRC_IP, DST_IP, IP_PROTOCOL, L4_SRC_PORT and L4_DST_PORT.

    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-hash.yang
    (fields); InfiniBand Architecture Annex A17 (RoCEv2: UDP source port as entropy).
    """
    fields = [part.strip() for part in (switch.text("SWITCH_HASH", "GLOBAL", "ecmp_hash") or "").split(",")]
    lacking = [name for name in _HASHED if name not in fields]
    if lacking:
        message = f"ecmp_hash has {', '.join(fields)}, but not {', '.join(lacking)}"
        yield RowFinding(
            switch.spot("SWITCH_HASH", "GLOBAL", "ecmp_hash"), message, f"add {', '.join(lacking)}"
        )
