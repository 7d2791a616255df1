"""Turns neighbours into cables: the two ends each neighbour names, compared with what the other end says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from netplan.diagnostics import Source
from netplan.importing.cards import Card
from netplan.importing.facts import Conflict, Fact, Kind, Of, Remark, Said, Site, by_short_name
from netplan.importing.lldp import Heard, Neighbour
from netplan.model.values import natural

CARD, SWITCH = "card", "switch"
CONFIRMED = "confirmed"
"""Field of a port: that the switch itself hears the card."""
_PRESENT = frozenset({"speed", "there"})
"""Fields of ports that a switch lists itself; other ports are known only from a neighbour or a VLAN."""
_ALSO = "hears several interfaces of a host on one port: only the one that is a card counts"
_MANAGEMENT = re.compile(
    r"eth0|mgmt0|mgmt1/1/1|ma1|management[01](?:/1)?|(?:me|em|fxp)[01]|vme|re[01]:mgmt-[01]|"
    r"m-gigabitethernet0/0/0|meth0/0/0",
    re.IGNORECASE,
)
"""Out-of-band ports: SONiC eth0 (sonic-net/sonic-utilities scripts/lldpshow, sample output), EOS Management0,
1 (aristanetworks/avd, eos_cli_config_gen, management-interfaces.md), Junos fxp0, me0, em0, vme and re0:mgmt-0
(Juniper, Interfaces User Guide, Management Ethernet Interfaces, table 1). Without a source that was read:
Cumulus eth0, NX-OS mgmt0, EOS ma1, OS10 mgmt1/1/1, Comware M-GigabitEthernet0/0/0, VRP MEth0/0/0; a cable
there is left out. A host may have an HCA with such a name."""


@dataclass(frozen=True, slots=True)
class Cable:
    """``far``: (node, PCI address) of a card, or (switch, port). ``doubt``: what contradicts the cable;
    ``shared``: the far end is on a part of the port that no source names."""

    switch: str
    port: str
    kind: str
    far: Of
    said: Said
    doubt: Conflict | None = None
    shared: bool = False


class Ends:
    """Looks up ports and cards by the names that neighbours use."""

    def __init__(
        self, site: Site, cards: Iterable[Card], names: Mapping[str, str], heard: Iterable[Heard] = ()
    ) -> None:
        """``names``: other names of nodes. ``heard``: whose tables name ports of the switches themselves."""
        self._site = site
        self.nodes = {**names, **by_short_name(of[0] for of in site.every("node"))}
        self.switches = by_short_name(of[0] for of in site.every("switch"))
        self._cards: dict[tuple[str, str], Card] = {}
        self._macs: dict[str, list[Card]] = {}
        for card in cards:
            self._cards[card.node, card.text("netdev")] = card
            self._cards[card.node, card.pci] = card
            self._macs.setdefault(card.text("mac"), []).append(card)
        self._aliases = {
            (of[0], site.text("port", of, "alias")): of[1] for of in site.every("port") if len(of) == 2
        }
        self._sonic = {of[0] for of in site.every("switch") if site.text("switch", of, "nos") == "sonic"}
        self._ports = {of for of in site.every("port") if is_listed(site, of)}
        self._listed = {of[0] for of in self._ports}
        self._own = {
            (self.switches[name], neighbour.port)
            for one in heard
            for name in one.speaker
            if name in self.switches
            for neighbour in one.neighbours
        }

    def far(self, switch: str, neighbour: Neighbour) -> list[str]:
        """The switch port that a neighbour names. The ID of SONiC's is the alias, which may be the name of
        another port (sonic-net/sonic-buildimage 086b03bd: 13 of 453 port_config.ini; lldpmgrd, ``lldp
        portidsubtype local``); a description that is the name of another one contradicts it."""
        names = neighbour.names
        alias = (switch, names[-1]) if names and not neighbour.named and switch in self._sonic else None
        own = self._aliases.get(alias, "") if alias is not None else ""
        if own:
            other = [name for name in names[:-1] if name != own and (switch, name) in self._ports]
            return [own, *other]
        found = self.port(switch, names)
        return [found] if found else []

    def port(self, switch: str, names: Iterable[str]) -> str:
        """The switch port with one of the names: by name, else by alias; on a switch without a port list the
        one that its own neighbours are on, else the last of the names, the port's ID."""
        last = ""
        for name in names:
            if (switch, name) in self._ports:
                return name
            if (switch, name) in self._aliases:
                return self._aliases[switch, name]
            last = name if (switch, last) not in self._own else last
        return "" if switch in self._listed else last

    def called(self, of: Of, neighbour: Neighbour) -> Iterator[Fact]:
        """The other names of a port, for a switch without a port list."""
        for name in neighbour.names if of[0] not in self._listed else ():
            if name != of[1]:
                yield Fact("port", of, f"called/{name}", name, neighbour.at)

    def cards(self, node: str, names: Iterable[str]) -> list[Card]:
        """Those that the names mean, on the node or by MAC address on any: one, unless they contradict each
        other."""
        seen = ((self._cards.get((node, name)), self._by_mac(name)) for name in names)
        found = (card for pair in seen for card in pair if card is not None)
        return list({card.of: card for card in found}.values())

    def unknown(self, switch: str) -> str:
        """For ``Remark.alike``: where no card is known, one neighbour of a switch stands for all."""
        return "" if self._cards else f"neighbour of {switch}"

    def _by_mac(self, text: str) -> Card | None:
        found = self._macs.get(text.lower(), []) if text.count(":") == 5 else []
        return found[0] if len(found) == 1 else None


def _known(names: dict[str, str], text: str) -> str:
    return names.get(text) or names.get(text.partition(".")[0], "")


def cable_facts(heard: Iterable[Heard], ends: Ends) -> Iterator[Fact | Remark]:
    for one in heard:
        node = next((ends.nodes[name] for name in one.speaker if name in ends.nodes), "")
        switch = next((ends.switches[name] for name in one.speaker if name in ends.switches), "")
        if one.neighbours and not (node or switch):
            what = "the file does not say whose neighbours these are; "
            what += "name it after a host or switch of the dumps"
            what += "" if ends.nodes else ", which have no host: add the cluster's nodes or collect.sh's tars"
            yield Remark(one.neighbours[0].at, what)
            continue
        if one.neighbours:
            kind: Kind = "switch" if switch else "node"
            yield Fact(kind, (switch or node,), "heard", True, one.neighbours[0].at)
        yield from _of_switches(switch, one, ends) if switch else _of_nodes(node, one, ends)


def _of_nodes(node: str, one: Heard, ends: Ends) -> Iterator[Fact | Remark]:
    for neighbour in one.neighbours:
        yield from _of_node(node, neighbour, ends)


def _of_switches(switch: str, one: Heard, ends: Ends) -> Iterator[Fact | Remark]:
    left = _behind(one, ends)
    for neighbour in one.neighbours:
        if neighbour in left:
            yield Remark(neighbour.at, f"{switch} {neighbour.port} has {left[neighbour]} too", _ALSO)
        else:
            yield from _of_switch(switch, neighbour, ends)


def _behind(one: Heard, ends: Ends) -> Mapping[Neighbour, str]:
    """Other interfaces of a host behind one port, such as VFs that no pod has, each with its name: beside
    those that are cards, or beside the first where none is."""
    groups: dict[tuple[str, str], list[Neighbour]] = {}
    for neighbour in one.neighbours:
        if node := _known(ends.nodes, neighbour.system):
            groups.setdefault((node, neighbour.port), []).append(neighbour)
    left: dict[Neighbour, str] = {}
    for (node, _), own in groups.items():
        cards = [each for each in own if ends.cards(node, each.names)] or own[:1]
        left |= {each: heard_name((node, *each.names)) for each in own if each not in cards}
    return left


def record_facts(site: Site, ends: Ends) -> Iterator[Fact | Remark]:
    """Cables from DEVICE_NEIGHBOR, NetBox or a table."""
    for of in site.every("port"):
        for _, said in site.prefixed("port", of, "record"):
            if isinstance(said.value, tuple):
                names = tuple(filter(None, said.value[1:]))
                recorded = Neighbour(of[1], said.value[0], names, False, said.at, named=True, recorded=True)
                yield from _of_switch(of[0], recorded, ends)


def _of_node(node: str, neighbour: Neighbour, ends: Ends) -> Iterator[Fact | Remark]:
    cards, switch = ends.cards(node, (neighbour.port,)), _known(ends.switches, neighbour.system)
    if cards and not neighbour.system:
        yield _nameless(f"{node} {neighbour.port}", neighbour)
    if not cards or not switch:
        return  # a front-end port, or another kind of neighbour
    ports = ends.far(switch, neighbour)
    for port in ports:
        yield from _cabled(switch, port, cards[0], neighbour.at)
        yield from ends.called((switch, port), neighbour)
    if not ports:
        yield Remark(neighbour.at, f"{switch} has no port {' or '.join(neighbour.names) or 'without a name'}")


def is_management(port: str) -> bool:
    return _MANAGEMENT.fullmatch(port) is not None


def _of_switch(switch: str, neighbour: Neighbour, ends: Ends) -> Iterator[Fact | Remark]:
    port = "" if is_management(neighbour.port) else ends.port(switch, (neighbour.port,))
    node, other = _known(ends.nodes, neighbour.system), _known(ends.switches, neighbour.system)
    if not port:
        return  # its own management port
    if other and any(map(is_management, neighbour.names)):
        return  # the management port of the other side
    if other:
        ports = ends.far(other, neighbour)
        for far in ports:
            yield Fact("port", (switch, port), "peer", (SWITCH, other, far), neighbour.at)
            yield Fact("port", (other, far), "peer", (SWITCH, switch, port), neighbour.at)
            yield from ends.called((other, far), neighbour)
        if not ports:
            called = " or ".join(neighbour.names) or "without a name"
            yield Remark(neighbour.at, f"{other} has no port {called}, which {switch} has on {port}")
        return
    cards = ends.cards(node, neighbour.names)
    if cards:
        yield from _of_cards((switch, port), node, cards, neighbour)
    elif neighbour.system:
        what = heard_name(heard := (neighbour.system, *neighbour.names))
        yield Fact("port", (switch, port), "hears", heard, neighbour.at)
        why = f"{switch} {port} has {what}, which is neither a card nor a switch in the dumps"
        alike = ends.unknown(switch) or (f"neighbour {neighbour.system}" if neighbour.switching else "")
        yield Remark(neighbour.at, why, alike=alike, value=f"{switch} {port}")
    else:
        yield _nameless(f"{switch} {port}", neighbour)


def _nameless(of: str, neighbour: Neighbour) -> Remark:
    what = "a neighbour that sends no system name: not taken"
    return Remark(neighbour.at, f"{of} has {what}", alike=what, value=of)


def heard_name(heard: tuple[str, ...]) -> str:
    """``heard``: system and names of its port, the value of ``hears``."""
    return f"{heard[0]} {' or '.join(dict.fromkeys(heard[1:]))}".strip()


def _of_cards(port: tuple[str, str], node: str, cards: list[Card], neighbour: Neighbour) -> Iterator[Fact]:
    """``node``: by the system name, empty if the dumps have no such node. Names that match several cards
    are reported as two statements about the port."""
    far = [card.of for card in cards]
    if node and all(card.node != node for card in cards):
        far.append((node, neighbour.names[0]))
    if len(far) > 1:
        yield from (Fact("port", port, "peer", (CARD, *of), neighbour.at) for of in far)
        return
    yield from _cabled(*port, cards[0], neighbour.at)
    if not neighbour.recorded:
        yield Fact("port", port, CONFIRMED, True, neighbour.at)
    if not node and neighbour.system:  # the node has another name where its objects are from
        own = (cards[0].node,)
        yield Fact("node", own, "name", own[0], cards[0].fields["mac"].at)
        yield Fact("node", own, "name", neighbour.system, neighbour.at)


def _cabled(switch: str, port: str, card: Card, at: Source) -> Iterator[Fact]:
    yield Fact("port", (switch, port), "peer", (CARD, *card.of), at)
    yield Fact("card", card.of, "port", (switch, port), at)


def is_listed(site: Site, of: Of) -> bool:
    """Whether the switch lists the port itself; other ports are known by the names neighbours use."""
    listed = _PRESENT & site.fields("port", of).keys()
    return bool(listed) or any(site.conflict("port", of, name) for name in _PRESENT)


def cables_of(site: Site) -> list[Cable]:
    """Each cable once, from its lower side; if the ends disagree, with the doubt."""
    found = []
    for of in site.every("port"):
        doubt = site.conflict("port", of, "peer")
        said = doubt.one if doubt else site.said("port", of, "peer")
        if said is None or not isinstance(said.value, tuple):
            continue
        kind, far = said.value[0], said.value[1:]
        if kind == CARD:
            doubt = doubt or site.conflict("card", far, "port")
        elif doubt is None:
            doubt = site.conflict("port", far, "peer")
        found.append(Cable(of[0], of[1], kind, far, said, doubt))
    return sorted(found, key=lambda cable: (natural(cable.switch), natural(cable.port)))
