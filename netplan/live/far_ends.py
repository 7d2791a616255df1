"""The far end of a port as LLDP shows it, in the plan's words, so that equal ends compare equal.

lldpd of a Linux host sends the interface's MAC address as the port's ID and its name as the description
(lldpd/lldpd da2ab0b src/daemon/interfaces.c, interfaces_helper_port_name_desc). The lldpmgrd of a SONiC
switch sends the port's alias and, in place of its name, a description in free text
(sonic-net/sonic-buildimage 086b03b dockers/docker-lldp/lldpmgrd). lldpad describes a port
as ``Interface   6 as eth4`` (a published parser of lldptool's output with this capture in its test data).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from netplan.importing.facts import by_short_name
from netplan.importing.lldp import MAC, Neighbour
from netplan.live.model import OTHERS, OUTPUTS
from netplan.model.hardware import Host
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort

_DESCRIBED = re.compile(r"Interface +[0-9]+ as (\S{1,64})")
_UNNAMED = frozenset({"localhost", "localhost.localdomain"})
"""What a system is called before somebody gives it a name: hostname(5) of systemd."""
Ends = Iterator[tuple[str, str]]
"""(field, what is found of it)"""


class Cards:
    """What the inventory states of the cards of hosts that LLDP can tell: interface name and MAC address."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self._hosts = {host.name: host for host in hosts if host.named}
        self._of_mac = {
            own.mac.lower(): (host.name, name)
            for host in self._hosts.values()
            for name, own in host.hcas.items()
            if own.mac
        }

    def mac(self, host: str, hca: str) -> str:
        own = self._hosts[host].hcas.get(hca) if host in self._hosts else None
        return (own.mac or "").lower() if own is not None else ""

    def of_mac(self, names: Sequence[str]) -> tuple[str, str] | None:
        """(host, HCA) with one of these MAC addresses."""
        return next((self._of_mac[name] for name in names if name in self._of_mac), None)

    def netdevs(self, host: str) -> dict[str, str]:
        """Interface name -> HCA."""
        found: dict[str, str] = {}
        known = self._hosts.get(host)
        for hca in known.type.hcas if known is not None else ():
            own = known.hcas.get(hca.name) if known is not None else None
            if netdev := (own.netdev if own is not None else None) or hca.netdev:
                found[netdev] = hca.name
        return found

    def known(self, host: str, hca: str) -> bool:
        """Whether LLDP can tell this card from the other ones of its host."""
        return bool(self.mac(host, hca)) or hca in self.netdevs(host).values()


class FarEnds:
    def __init__(self, plan: Plan) -> None:
        self._ports = {switch.name: {port.name: port for port in switch.ports} for switch in plan.switches}
        self._cards = Cards(plan.fabric.hosts)
        self._hosts = by_short_name(host.name for host in plan.fabric.hosts if host.named)
        self._leaves = {(link.host.name, link.hca.name): link for link in plan.fabric.host_links}
        self._called = _called(plan)
        self._ends = frozenset(port.peer for switch in plan.switches for port in switch.ports)
        self._described = {
            switch.name.lower(): OUTPUTS.get(switch.nos, OTHERS).described for switch in plan.switches
        }
        self._names = {name.lower(): name for name in (end.partition(" ")[0] for end in self._ends)}

    def of(self, switch: str, port: str, system: str, names: Sequence[str]) -> Ends:
        """``names``: of the far port. Nothing of an end that cannot be told: it has no name, or one that fits
        two, or it is the right switch without the name of a port. Of a port that is not planned, what is
        planned on another one."""
        planned = self._ports[switch].get(port)
        system = "" if system.lower() in _UNNAMED else system
        plain = tuple(map(_plain, names))
        if planned is None:
            alike = _form(port) in map(_form, self._ports[switch])  # no alias of a planned port
            yield from (("peer", end) for end in list(self._elsewhere(system, plain))[:alike])
        elif planned.kind == "host":
            yield from self._card(planned, system, plain)
        elif system and (found := self._port(planned.peer, system, plain)):
            yield "peer", found

    def names(self, one: Neighbour) -> tuple[str, ...]:
        """Of the far port, best first: where a NOS sends the name as the description, that one, as the port's
        ID is an alias and may have the form of another port's name."""
        meant = _meant(self._called, one.system) if one.description else []
        form = self._described.get(meant[0], "") if len(meant) == 1 else ""
        if not form:
            return one.names
        return (one.description,) if re.fullmatch(form, one.description) else (one.description, *one.names)

    def host(self, speakers: Sequence[str]) -> str:
        """The host that one of these names is of, with its domain or without; empty if none is."""
        return next((self._hosts[each] for each in speakers if each in self._hosts), "")

    def of_host(self, host: str, netdev: str, system: str, names: Sequence[str]) -> Ends:
        """The switch and port at the end of a card's cable, as the host hears them; of a card without a cable
        in the plan, a port that is planned for another card, host or switch."""
        link = self._leaves.get((host, self._cards.netdevs(host).get(netdev, "")))
        if link is None and system:
            yield from (("peer", end) for end in self._taken(host, system, names))
        planned = f"{link.switch.name} {link.port}" if link is not None and system else ""
        if planned and (found := self._port(planned, system, tuple(map(_plain, names)))):
            yield "peer", found

    def _taken(self, host: str, system: str, names: Sequence[str]) -> Iterator[str]:
        """Ports with these names that the plan has for something else than a card of this host without a
        cable, such as one of the front end."""
        meant = _meant(self._called, system)
        name = next((each for each in self._ports if [each.lower()] == meant), "")
        for port in (self._ports[name][each] for each in names if name and each in self._ports[name]):
            peer, _, hca = port.peer.partition(" ")
            if peer and (peer != host or (host, hca) in self._leaves):
                yield f"{name} {port.name}"

    def _elsewhere(self, system: str, names: Sequence[str]) -> Iterator[str]:
        """Planned ends that a neighbour is."""
        by_mac = self._cards.of_mac(names)
        meant = _meant(self._called, system) if system else []
        name = self._names.get(meant[0], "") if len(meant) == 1 else ""
        known = self._cards.netdevs(name)
        told = [" ".join(by_mac)] if by_mac is not None else []
        told += [f"{name} {known.get(each, each)}" for each in names]
        yield from (end for end in told if end in self._ends)

    def _card(self, planned: SwitchPort, system: str, names: Sequence[str]) -> Ends:
        """The host by its name, or by a MAC address of the inventory; the card by MAC address and interface
        name: of two that differ, the one that is not planned counts."""
        host, _, hca = planned.peer.partition(" ")
        by_mac = self._cards.of_mac(names)
        if not system:
            if by_mac is not None:
                yield "peer", by_mac[0]
                yield "card", by_mac[1] if by_mac[0] == host else " ".join(by_mac)
            return
        meant = _meant(self._called, system)
        if host.lower() not in meant:
            yield "peer", _other(meant, system, names)
        elif len(meant) == 1:
            yield "peer", host
            told = list(self._told(host, hca, by_mac, names))
            yield from (("card", next((one for one in told if one != hca), hca)) for _ in told[:1])

    def _told(
        self, host: str, hca: str, by_mac: tuple[str, str] | None, names: Sequence[str]
    ) -> Iterator[str]:
        """Cards that the names of a port are about; a MAC address that the inventory does not know is one
        where it states another."""
        if by_mac is not None:
            yield by_mac[1] if by_mac[0] == host else " ".join(by_mac)
        elif self._cards.mac(host, hca):
            yield from (name for name in names if MAC.fullmatch(name))
        known = self._cards.netdevs(host)
        yield from (known[name] for name in names if name in known)

    def _port(self, planned: str, system: str, names: Sequence[str]) -> str:
        name, _, port = planned.partition(" ")
        meant = _meant(self._called, system)
        if name.lower() not in meant:
            return _other(meant, system, names)
        if len(meant) > 1:
            return ""
        if port in names:
            return planned
        other = next((each for each in names if _form(each) == _form(port)), "")
        return f"{name} {other}" if other else ""


def _plain(name: str) -> str:
    """A MAC address in lower case with colons; the interface in the description of lldpad."""
    if described := _DESCRIBED.fullmatch(name):
        return described[1]
    if not MAC.fullmatch(name):
        return name
    return ":".join(re.findall("[0-9a-f]{2}", name.lower().replace(".", "")))


def _other(meant: Sequence[str], system: str, names: Sequence[str]) -> str:
    shown = meant[0] if len(meant) == 1 else system.removesuffix(".")
    return f"{shown} {names[0] if names else '?'}"


def _called(plan: Plan) -> dict[str, list[str]]:
    """First DNS label in lower case -> names of hosts and switches that begin with it."""
    names = {host.name for host in plan.fabric.hosts} | {switch.name for switch in plan.switches}
    names |= {port.peer.partition(" ")[0] for switch in plan.switches for port in switch.ports}
    found: dict[str, list[str]] = {}
    for name in sorted({name.lower() for name in names}):
        found.setdefault(name.partition(".")[0], []).append(name)
    return found


def _meant(called: Mapping[str, Sequence[str]], system: str) -> list[str]:
    """Names in the inventory that a reported system name may mean. Case is ignored; an agent may send the
    name with its domain, and so may the inventory have it: if only one has it, the part before the first dot
    decides."""
    own = system.lower().rstrip(".")
    near = called.get(own.partition(".")[0], ())
    if own in near:
        return [own]
    return [each for each in near if own.startswith(f"{each}.") or each.startswith(f"{own}.")]


def _form(port: str) -> str:
    """What port names of one kind share: an alias or a description has another form."""
    return re.sub(r"[0-9]+", "0", port)
