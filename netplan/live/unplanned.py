"""What outputs state of a switch beyond its plan: one more port, VLAN or session, a storm, a setting that
undoes a planned one. What is no concern of the plan, such as the VLANs of other ports, is not wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.live.cards import cable_claim
from netplan.live.claims import rails_of, switch_hop
from netplan.live.host_addresses import FIELD
from netplan.live.model import COMMANDS, OTHERS, OUTPUTS, Expected, Judged, Kind, LiveHop, Reading
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.model.values import parse_network
from netplan.records import dataclass

_OF_SYSTEM = re.compile(r"(?:em|fxp|bme|vme|pfe|pfh|jsrv)[-0-9.]")
"""Interfaces of Junos with addresses of the system's own network, such as 10.0.0.4/8 (JUNOS Cookbook, Dealing
with Nonconfigurable Interfaces: fxp1; the other names: unconfirmed)."""
Key = tuple[str, str, str, str]
_SWITCHED = re.compile(
    r"(?:(?:Ethernet|PortChannel|Port-Channel|port-channel|swp|bond|ae)[0-9]|(?:et|xe|ge)-[0-9])\S{0,20}"
)
"""Front ports and LAGs: bridges, VXLAN and the CPU are in lists of members too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Every:
    """What planned switches have: addresses without their lengths, and the networks of ports and VLANs."""

    addresses: frozenset[str]
    networks: frozenset[IPNetwork]


def unplanned(plan: Plan, readings: Sequence[Reading], claimed: Iterable[Key]) -> Iterator[Judged]:
    """``claimed``: keys that a claim of the plan covers."""
    switches = {switch.name: switch for switch in plan.switches}
    planned = frozenset(claimed)
    known, every = set(planned), _every(plan.switches)
    cabled = {(one.where, one.found) for one in readings if one.kind == "lldp" and _key(one) in planned}
    hosts = {host.name: host for host in plan.fabric.hosts if host.named}
    for one in readings:
        key = _key(one)
        if key in known:
            continue
        if one.kind == "lldp" and one.where in hosts:
            known.add(key)
            if (one.where, one.found) in cabled:  # a VF or representor of the card at this port
                continue
            claim = cable_claim(hosts[one.where], None, one.subject, "")
            yield Judged(claim=claim, outcome="wrong", found=one.found, at=one.at)
            continue
        if one.field == FIELD:
            known.add(key)
            yield Judged(claim=_on_host(one), outcome="wrong", found=one.found, at=one.at)
            continue
        switch = switches.get(one.where)
        if switch is None:
            continue
        expected = _expected(switch, one, every)
        if expected is not None:
            known.add(key)
            yield Judged(claim=_claim(switch, one, expected), outcome="wrong", found=one.found, at=one.at)


def _on_host(one: Reading) -> Expected:
    return Expected(
        hop=LiveHop(kind="host", name=one.where),
        rails=(),
        kind=one.kind,
        subject=one.subject,
        field=one.field,
        expected="",
        output=COMMANDS[one.kind],
    )


def _key(one: Reading) -> Key:
    return one.where, one.kind, one.subject, one.field


def _expected(switch: SwitchPlan, one: Reading, every: _Every) -> str | None:
    """What the plan expects in place of a reading without a claim, empty if nothing; None if that is not its
    concern."""
    if one.kind == "bgp":
        return _session(switch, one, every)
    if one.field == "addresses" and (_is_elsewhere(switch, one, every) or _is_inside(one, every)):
        return ""
    wrong = _WRONG.get(one.kind)
    return wrong(switch, one) if wrong is not None else None


def _claim(switch: SwitchPlan, one: Reading, expected: str) -> Expected:
    port = re.split("[ :]", one.subject)[-1 if " " in one.subject else 0]
    rails = {each.name: each.rail for each in switch.ports}
    rail = rails.get(port)
    return Expected(
        hop=switch_hop(switch),
        rails=rails_of(switch) if rail is None else (rail,),
        kind=one.kind,
        subject=one.subject,
        field=one.field,
        expected=expected,
        output=OUTPUTS.get(switch.nos, OTHERS).commands[one.kind],
    )


def _member(switch: SwitchPlan, one: Reading) -> str | None:
    """A planned port in another VLAN, or another port in a planned VLAN. Of a front-end or storage port the
    plan states no VLAN, but that it is none of the planned ones."""
    vlan, _, name = one.subject.partition(" ")
    planned = any(str(each.id) == vlan for each in switch.vlans)
    port = next((each for each in switch.ports if each.name == name), None)
    stated = port is not None and (port.routed or port.vlans)
    front = port is not None or _SWITCHED.fullmatch(name)
    return "" if one.field != "state" and (stated or (planned and front)) else None


def _addresses(switch: SwitchPlan, one: Reading) -> str | None:
    """An address of a planned VLAN without one, or in a planned subnet on another VLAN interface."""
    if one.field != "addresses" or not one.found:
        return None
    if any(str(vlan.id) == one.subject for vlan in switch.vlans):
        return ""
    planned = [address.network for vlan in switch.vlans for address in vlan.addresses]
    planned += [address.network for port in switch.ports for address in port.addresses]
    shown = [network.cidr for network in map(parse_network, one.found.split()) if network is not None]
    overlap = any(each in other or other in each for each in shown for other in planned)
    return "" if overlap else None


def _neighbour(switch: SwitchPlan, one: Reading) -> str | None:
    """What is planned on another port: far_ends."""
    return "" if one.field == "peer" else None


def _every(switches: Iterable[SwitchPlan]) -> _Every:
    addresses, networks = set[str](), set[IPNetwork]()
    for switch in switches:
        addresses |= {switch.router_id, *(str(each.ip) for each in switch.loopbacks)}
        for own in (*(port.addresses for port in switch.ports), *(vlan.addresses for vlan in switch.vlans)):
            addresses |= {str(each.ip) for each in own}
            networks |= {each.network for each in own}
    return _Every(addresses=frozenset(addresses), networks=frozenset(networks))


def _is_elsewhere(switch: SwitchPlan, one: Reading, every: _Every) -> bool:
    """An address of another switch, or of another interface of this one that is no loopback."""
    own = {switch.router_id, *(str(each.ip) for each in switch.loopbacks)}
    shown = {each.partition("/")[0] for each in one.found.split()} - own
    return any(each in every.addresses for each in shown)


def _is_inside(one: Reading, every: _Every) -> bool:
    """An address of a planned subnet, whichever switch has it."""
    if _OF_SYSTEM.match(one.subject):
        return False
    shown = [network.ip for network in map(parse_network, one.found.split()) if network is not None]
    return any(address in network for address in shown for network in every.networks)


def _session(switch: SwitchPlan, one: Reading, every: _Every) -> str | None:
    """With a planned switch: others, such as a router beyond the fabric, are none of the plan's."""
    return "" if switch.asn and one.field == "session" and one.subject in every.addresses else None


def _storm(switch: SwitchPlan, one: Reading) -> str | None:
    if one.field == "detected":
        return "0" if one.found != "0" else None
    return "operational" if one.found == "stormed" else None


def _shutdown(switch: SwitchPlan, one: Reading) -> str | None:
    return "0" if one.field == "times" and one.found != "0" else None


def _watchdog(switch: SwitchPlan, one: Reading) -> str | None:
    return "" if one.field == "action" and _without_pfc(switch, one.subject) else None


def _pfc_mode(switch: SwitchPlan, one: Reading) -> str | None:
    return "off" if one.found == "on" and _without_pfc(switch, one.subject) else None


def _without_pfc(switch: SwitchPlan, name: str) -> bool:
    return any(port.name == name and port.rdma and not port.pfc for port in switch.ports)


def _interface(switch: SwitchPlan, one: Reading) -> str | None:
    """An address of a switched port."""
    known = one.field == "addresses" and any(port.name == one.subject and port.vlans for port in switch.ports)
    return "" if known and one.found else None


_WRONG: Mapping[Kind, Callable[[SwitchPlan, Reading], str | None]] = {
    "lldp": _neighbour,
    "tagging": _member,
    "member": _member,
    "vlan": _addresses,
    "svi": _addresses,
    "ipv4": _addresses,
    "ipv6": _addresses,
    "storm": _storm,
    "shutdown": _shutdown,
    "watchdog": _watchdog,
    "pfc mode": _pfc_mode,
    "interfaces": _interface,
}
"""Kind -> as ``_expected``."""
