"""Ports in the VLAN of a rail behind which no dump shows anything, and routed uplinks in one: netplan writes
VLANs to the ports of hosts alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from netplan.importing.cabling import CARD, SWITCH, Cable, is_listed, is_management
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Remark, Said, Site
from netplan.importing.uncabled import uncabled
from netplan.importing.vlans import vlans_of
from netplan.model.folding import folded
from netplan.model.values import natural
from netplan.report import few

_SHOWN = 4
_NO_END = "no dump has the other end, and an inventory has the VLANs of its links alone"
_ROUTED = "an uplink with addresses, whose VLANs an inventory does not have"


def lone_vlans(site: Site, cards: Iterable[Card], cables: Iterable[Cable]) -> Iterator[Remark]:
    """Of switches with hosts whose configuration was read; one line for each switch and VLAN, which are
    alike."""
    on_rails, every = [card for card in cards if card.rail is not None], list(cables)
    rails = _vlans_of_rails(site, on_rails, every)
    ends: set[Of] = {(cable.switch, cable.port) for cable in every if cable.kind == CARD}
    up = set(_uplinks(every))
    found: dict[tuple[str, object, str], list[tuple[str, Said]]] = {}
    for of in _ports(site, {of[0] for of in ends}):
        why = _why(site, of, ends, up)
        for vlan, said in _vlans(site, of) if why else ():
            if vlan in rails:
                found.setdefault((of[0], vlan, why), []).append((of[1], said))
    for (switch, vlan, why), rows in found.items():
        names = sorted((port for port, _ in rows), key=natural)
        ports = few([run.texts[0] for run in folded(("", (name,)) for name in names)], _SHOWN)
        yield Remark(rows[0][1].at, f"VLAN {vlan} of {switch} {ports}: {why}", alike=why)


def _vlans_of_rails(site: Site, cards: Iterable[Card], cables: Iterable[Cable]) -> set[object]:
    """Of rails whose cables are all known: where some are not, those are asked for."""
    own = list(cards)
    missing = uncabled(own, cables)
    asked = {card.rail for card in missing.cards} if missing is not None else set()
    vlans = vlans_of(site, own)
    return {vlans[card.of].value for card in own if card.of in vlans and card.rail not in asked}


def _uplinks(cables: Iterable[Cable]) -> Iterator[Of]:
    for cable in cables:
        if cable.kind == SWITCH:
            yield (cable.switch, cable.port)
            yield cable.far


def _ports(site: Site, switches: Iterable[str]) -> Iterator[Of]:
    read = {switch for switch in switches if site.said("switch", (switch,), "nos") is not None}
    for of in site.every("port"):
        if len(of) == 2 and of[0] in read and not is_management(of[1]) and is_listed(site, of):
            yield of


def _why(site: Site, of: Of, ends: Container[Of], up: Container[Of]) -> str:
    """Empty for a port whose VLANs are taken, that carries nothing, or whose neighbour is told."""
    if of in up:
        return _ROUTED if any(True for _ in site.prefixed("port", of, "address/")) else ""
    told = site.said("port", of, "hears") is not None or site.conflict("port", of, "peer") is not None
    return "" if of in ends or told or not _is_up(site, of) else _NO_END


def _is_up(site: Site, of: Of) -> bool:
    """SONiC's ports are down unless they are set up."""
    state = site.text("port", of, "admin_status")
    return state == "up" or (not state and site.text("switch", of[:1], "nos") != "sonic")


def _vlans(site: Site, of: Of) -> Iterator[tuple[object, Said]]:
    access, tagged = site.said("port", of, "access"), site.said("port", of, "tagged")
    if access is not None:
        yield access.value, access
    for number in site.listed("port", of, "tagged"):
        if tagged is not None and number.isdecimal():
            yield int(number), tagged
