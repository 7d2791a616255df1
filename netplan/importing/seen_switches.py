"""Switches that no dump is of: what neighbours say of themselves, and which of them are hosts that forward.

That a neighbour forwards proves little: so does a host with ``ip_forward``, such as a node of Kubernetes. Its
port tells more: a switch names its own, a host sends the name of its interface or a MAC address
(lldpd/lldpd 0a6f3866 src/client/lldpcli.8.in, portidsubtype: by default the MAC address is the port ID and
the name the description)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from netplan.importing.cabling import is_management
from netplan.importing.facts import Fact, Of, Site, by_short_name
from netplan.importing.lldp import MAC, Heard, Neighbour

_OF_SWITCH = re.compile(r"(?:Ethernet|Eth|etp|swp)[0-9].*|.*/.*")
"""Ports as NOSes call them, also by alias: SONiC Ethernet0 and etp1, EOS Ethernet1/1, NX-OS Eth1/1, NVUE
swp1s0, Junos et-0/0/1, OS10 ethernet1/1/1. No interface of Linux has a slash."""
_OF_HOST = re.compile(
    r"(?:en|ib)(?:P[0-9]+)?(?:[abcdiopsuvr][0-9]|x[0-9a-f]{12}).*|(?:eth|ib|em|p|bond|mlx5_)[0-9]+(?:p[0-9]+)?"
)
"""Interfaces of Linux: systemd.net-naming-scheme(7), names of the kernel and biosdevname, ports of a DPU."""


@dataclass(frozen=True, slots=True)
class _Hosts:
    """What shows a neighbour without a dump to be a host. ``ports``: names and MAC addresses of cards;
    ``forward``: whether a known one says that it forwards."""

    ports: Set[str]
    forward: bool

    def has(self, one: Neighbour, by_switch: bool) -> bool:
        """``by_switch``: heard by one, which has hosts as neighbours."""
        if any(_OF_SWITCH.fullmatch(name) for name in one.names):
            return False  # beside a description, which may be the host's interface
        if any(name in self.ports or _OF_HOST.fullmatch(name) for name in one.names):
            return True
        return by_switch and self.forward and all(MAC.fullmatch(name) for name in one.names)


def _hosts(heard: Iterable[Heard], site: Site, nodes: Set[str]) -> _Hosts:
    fields = (site.text("card", of, field) for of in site.every("card") for field in ("netdev", "mac"))
    told = (each for one in heard for each in one.neighbours if each.switching)
    return _Hosts({*fields} - {""}, any(_called(each) & nodes for each in told))


def seen_switches(heard: Iterable[Heard], site: Site, names: Iterable[str]) -> Iterator[Fact]:
    """Switches known only from neighbours. ``names``: other names of nodes."""
    heard = list(heard)
    nodes, switches = ({of[0] for of in site.every(kind)} for kind in ("node", "switch"))
    nodes |= {*names}
    own = nodes | switches | by_short_name(nodes | switches).keys()
    hosted, hosts = _host_vlans(heard, site, nodes), _hosts(heard, site, nodes)
    for one in heard:
        if one.table and one.neighbours and len(one.speaker) == 1 and one.speaker[0] not in switches:
            yield Fact("switch", one.speaker, "seen", True, one.neighbours[0].at)  # named by the prompt
        by_switch = one.table or not switches.isdisjoint(one.speaker)
        for neighbour in _in_band(one, switches):
            system = neighbour.system
            known = _called(neighbour) & own or hosts.has(neighbour, by_switch)
            if neighbour.switching and system and not known and not _at_edge(site, one, neighbour, hosted):
                yield Fact("switch", (system,), "seen", True, neighbour.at)


def _called(neighbour: Neighbour) -> set[str]:
    return {neighbour.system, neighbour.system.partition(".")[0]}


def _host_vlans(heard: Iterable[Heard], site: Site, nodes: Set[str]) -> dict[str, set[int]]:
    """Switch -> the VLANs of its ports that it hears nodes on."""
    found: dict[str, set[int]] = {}
    for one in heard:
        for neighbour in one.neighbours:
            for name in one.speaker if _called(neighbour) & nodes else ():
                found.setdefault(name, set()).update(_vlans(site, (name, neighbour.port)))
    return found


def _vlans(site: Site, of: Of) -> set[int]:
    access = site.number("port", of, "access")
    return {*map(int, site.listed("port", of, "tagged")), *([] if access is None else [access])}


def _at_edge(site: Site, one: Heard, neighbour: Neighbour, hosted: Mapping[str, Set[int]]) -> bool:
    """A port in VLANs: what forwards behind it is no part of the fabric, such as a switch for BMCs. A trunk
    with all the VLANs that hosts have on this switch leads to the fabric."""
    for name in one.speaker:
        of = (name, neighbour.port)
        own, vlans = _vlans(site, of), hosted.get(name, set())
        if own and not (site.listed("port", of, "tagged") and vlans and vlans <= own):
            return True
    return False


def _in_band(one: Heard, switches: Set[str]) -> Iterable[Neighbour]:
    """Without neighbours on the management port of a switch."""
    if not one.table and switches.isdisjoint(one.speaker):
        return one.neighbours
    return (neighbour for neighbour in one.neighbours if not is_management(neighbour.port))
