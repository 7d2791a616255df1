"""Switches of the front end, such as the ToR that every host hears on its other ports: no part of the
fabric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Remark, Site
from netplan.importing.switches import PLATFORM, model_of
from netplan.model.ranges import gathered
from netplan.model.values import natural

_OTHERS = frozenset({"seen", "recorded", "device_type", PLATFORM})
"""Fields of switches that come from other sources than their own dumps."""
_WHY = (
    "only front-end cards have cables to it and no dump is of it, so it is left out as no part of the "
    "fabric; if it is one, add its configuration"
)


def front_ends(site: Site, cards: Iterable[Card], cables: Sequence[Cable]) -> frozenset[str]:
    """Where other cards are on rails or for pods. One that has a cable to another kind of switch is none."""
    used = used_cards(cards)
    hosted = [cable for cable in cables if cable.kind == CARD]
    fabric = {cable.switch for cable in hosted if not used.isdisjoint(cards_at(cable))}
    fabric |= {of[0] for of in site.every("switch") if is_known(site, of)}
    found = {cable.switch for cable in hosted} - fabric if used else set[str]()
    return frozenset(_without_links(found, [cable for cable in cables if cable.kind == SWITCH]))


def used_cards(cards: Iterable[Card]) -> frozenset[Of]:
    """Those on rails or for pods."""
    return frozenset(card.of for card in cards if card.rail is not None or card.for_pods)


def is_known(site: Site, of: Of) -> bool:
    """By a dump of it, or by a record that has a model of the catalog: those are of fabrics."""
    own = site.fields("switch", of).keys() - _OTHERS
    return bool(own or model_of(site.text("switch", of, "device_type"), ""))


def _without_links(found: set[str], between: Iterable[Cable]) -> set[str]:
    """Those that no cable connects with other switches than these."""
    pairs = [{cable.switch, cable.far[0]} for cable in between]
    while linked := {name for pair in pairs if not pair <= found for name in pair & found}:
        found = found - linked
    return found


def cards_at(cable: Cable) -> Iterator[Of]:
    """Those that it may end on."""
    yield cable.far
    doubt = cable.doubt
    for said in (doubt.one, doubt.other) if doubt is not None else ():
        if isinstance(said.value, tuple):
            yield said.value[1:]
    if doubt is not None:
        yield doubt.of


def front_end_remarks(cables: Iterable[Cable]) -> Iterator[Remark]:
    """One for each switch. ``cables``: theirs, which are left out."""
    by_switch: dict[str, list[Cable]] = {}
    for cable in cables:
        if cable.kind == CARD:
            by_switch.setdefault(cable.switch, []).append(cable)
    for name, own in by_switch.items():
        hosts = gathered(sorted({cable.far[0] for cable in own}, key=natural))
        yield Remark(own[0].said.at, f"switch {name} of {hosts}: {_WHY}")
