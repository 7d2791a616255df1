"""Ports of which two sources cannot both be right: a card at another speed than its switch port or
the hosts like it, a port at another speed than the other end of its cable, a VLAN tagged in one file and
untagged in the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place


def port_clashes(site: Site, cards: Iterable[Card], cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """The first of each kind, with the number of the others."""
    yield from first_faults((*_speeds(site, cards), *_ends(site, cables), *_tags(site)))


def _speeds(site: Site, cards: Iterable[Card]) -> Iterator[tuple[tuple[object, ...], str]]:
    """Only of cards that state a speed themselves: a port without link states none."""
    for card in cards:
        own, usual = site.said("card", card.of, "speed_gbps"), card.fields.get("speed_gbps")
        if own is None or not isinstance(own.value, int):
            continue
        port = site.listed("card", card.of, "port")
        there = site.said("port", port, "speed") if port else None
        others = []
        if there is not None and own.value * 1000 != there.value:
            others.append(f"{' '.join(port)}, its port, is set to {_gbps(there)} Gbit/s ({place(there.at)})")
        if usual is not None and usual.value != own.value:
            others.append(f"hosts like it run at {usual.value} Gbit/s ({place(usual.at)})")
        if others:
            name = f"{card.node} {card.text('netdev') or card.pci}"
            key = ("speed", own.value, *(said.value for said in (there, usual) if said is not None))
            yield key, "; ".join((f"{name} runs at {own.value} Gbit/s ({place(own.at)})", *others))


def speeds_of(site: Site, cable: Cable) -> tuple[Said, Said] | None:
    """Those of the two ports of a cable between switches, where they are set to different ones."""
    near = site.said("port", (cable.switch, cable.port), "speed")
    far = site.said("port", cable.far, "speed") if cable.kind == SWITCH else None
    return (near, far) if near is not None and far is not None and near.value != far.value else None


def has_unsure_speed(site: Site, cable: Cable) -> bool:
    """Whether sources disagree about a port of a cable, its two ports, or its port and the card."""
    ports = [(cable.switch, cable.port), *([cable.far] if cable.kind == SWITCH else [])]
    if any(site.conflict("port", of, "speed") for of in ports):
        return True
    if cable.kind == SWITCH:
        return speeds_of(site, cable) is not None
    own, there = site.said("card", cable.far, "speed_gbps"), site.said("port", ports[0], "speed")
    return own is not None and there is not None and own.value != _number(there)


def _ends(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[tuple[object, ...], str]]:
    seen: set[frozenset[Of]] = set()
    for cable in cables:
        ends = frozenset({(cable.switch, cable.port), cable.far})
        if ends not in seen and (found := speeds_of(site, cable)) is not None:
            seen.add(ends)
            near, far = found
            one = f"{cable.switch} {cable.port} is set to {_gbps(near)} Gbit/s ({place(near.at)})"
            other = f"{' '.join(cable.far)}, the other end, to {_gbps(far)} Gbit/s ({place(far.at)})"
            yield ("ends", near.value, far.value), f"{one}; {other}"


def _number(said: Said) -> float:
    return said.value / 1000 if isinstance(said.value, int) else 0


def _gbps(said: Said) -> str:
    return f"{said.value / 1000:g}" if isinstance(said.value, int) else str(said.value)


def _tags(site: Site) -> Iterator[tuple[tuple[object, ...], str]]:
    """In two files: in one, the native VLAN of a trunk may be listed among the others."""
    for of in site.every("port"):
        if (text := tagged_otherwise(site, of)) is not None:
            access, tagged = (site.fields("port", of)[name].at.file for name in ("access", "tagged"))
            yield ("tag", of[0], access, tagged), text


def tagged_otherwise(site: Site, of: Of) -> str | None:
    access, tagged = site.said("port", of, "access"), site.said("port", of, "tagged")
    if access is None or tagged is None or access.at.file == tagged.at.file:
        return None
    if str(access.value) not in site.listed("port", of, "tagged"):
        return None
    here = f"{' '.join(of)} has VLAN {access.value} untagged ({place(access.at)})"
    return f"{here} and tagged ({place(tagged.at)})"
