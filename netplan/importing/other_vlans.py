"""VLANs and MTUs of switches that an import leaves out: the next render does not have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.beside_rails import vlans_beside
from netplan.importing.cabling import SWITCH, Cable, is_listed
from netplan.importing.cards import Card
from netplan.importing.facts import Remark, Said, Site, Value
from netplan.importing.switches import SwitchRow
from netplan.importing.unlike_mtus import SHIPPED_MTU
from netplan.importing.vlans import vlans_of
from netplan.model.ranges import compressed, gathered
from netplan.model.values import natural
from netplan.report import few

_SHOWN = 4


def other_vlans(site: Site, cards: Sequence[Card], routed: bool = False) -> Iterator[Remark]:
    """VLANs that no rail and no network has, those of front-end cards too. Where ports of rails have none,
    the page asks for theirs. ``routed``: the links of the rails have networks, and the rails no VLAN."""
    vlans = vlans_of(site, cards)
    used = [card for card in cards if card.rail is not None or card.for_pods]
    if not used and not site.every("network"):
        yield from _of_switches_alone(site)
        return
    known = _known(site, (vlans[card.of] for card in used if card.of in vlans))
    found = _stated(site, (vlans[card.of] for card in cards if card.of in vlans))
    known.update(vlans_beside(site, cards))
    left = sorted(found.keys() - known)
    if left and (routed or any(known) or not _ports_of_rails(site, used)):
        what = f"VLAN {compressed(left)} of the switches"
        why = "it is of no rail and no network; vlans and subnets can have it"
        yield Remark(found[left[0]].at, f"{what}: {why}")


def _ports_of_rails(site: Site, cards: Iterable[Card]) -> bool:
    return any(card.rail is not None and site.listed("card", card.of, "port") for card in cards)


def _known(site: Site, of_ports: Iterable[Said]) -> set[object]:
    found: set[object] = {said.value for said in of_ports}
    found.update(site.number("network", of, "vlan") or 0 for of in site.every("network"))
    return found


def _of_switches_alone(site: Site) -> Iterator[Remark]:
    """Their dumps do not say what a VLAN is for."""
    found = _stated(site, _access(site))
    if found:
        what = f"VLAN {compressed(sorted(found))} of the switches{_addresses(site)}"
        why = "the dumps have no rail and no network, so no key of the inventory has it"
        yield Remark(found[min(found)].at, f"{what}: {why}")


def _access(site: Site) -> Iterator[Said]:
    for of in site.every("port"):
        if (said := site.said("port", of, "access")) is not None:
            yield said


def _addresses(site: Site) -> str:
    """Of the interfaces of VLANs: `` (interfaces leaf-1 10.0.0.1/24)``, empty without any."""
    shown = [
        f"{of[0]} {said.value}"
        for of in site.every("svi")
        for _, said in site.prefixed("svi", of, "address/")
    ]
    return f" (interfaces {few(shown, _SHOWN)})" if shown else ""


def _stated(site: Site, behind: Iterable[Said]) -> dict[int, Said]:
    """VLANs with an interface, tagged on a port, or of the port of a card (``behind``), each with its first
    place."""
    found: dict[int, Said] = {}
    for of in site.every("svi"):
        addresses = [said for _, said in site.prefixed("svi", of, "address/")]
        if of[1].isdecimal() and addresses:
            found.setdefault(int(of[1]), addresses[0])
    for of in site.every("port"):
        said = site.said("port", of, "tagged")
        for number in filter(str.isdecimal, site.listed("port", of, "tagged")):
            if said is not None:
                found.setdefault(int(number), said)
    for said in behind:
        if isinstance(said.value, int):
            found.setdefault(said.value, said)
    return found


def other_port_mtus(site: Site, rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> Iterator[Remark]:
    """Cabled ports with another MTU than that of the switch type, or without one: netplan writes it to
    all."""
    own = _by_mtu(site, cables)
    for row in (row for row in rows if row.mtu is not None):
        shipped = SHIPPED_MTU.get(site.text("switch", (row.name,), "nos"))
        for value, ports in own.get(row.name, {}).items():
            if row.mtu == (shipped if value is None else value):
                continue
            why = f"port_mtu is {row.mtu}, for all ports of the switch"
            stated = "no MTU stated on" if value is None else f"MTU {value} of"
            what = f"{stated} {row.name} {gathered(port for port, _ in ports)}: {why}"
            yield Remark(ports[0][1].at, what, alike=f"{stated}: {why}")


def _by_mtu(
    site: Site, cables: Iterable[Cable]
) -> Mapping[str, Mapping[Value | None, Sequence[tuple[str, Said]]]]:
    """Switch -> MTU, None if none is stated -> cabled ports that its configuration lists, with places."""
    ends = {of for c in cables for of in ((c.switch, c.port), *([c.far] if c.kind == SWITCH else []))}
    found: dict[str, dict[Value | None, list[tuple[str, Said]]]] = {}
    for of in sorted(ends, key=lambda of: tuple(map(natural, of))):
        said = site.said("port", of, "mtu")
        if said is not None or is_listed(site, of):
            at = said or next(iter(site.fields("port", of).values()))
            value = said.value if said is not None else None
            found.setdefault(of[0], {}).setdefault(value, []).append((of[1], at))
    return found
