"""Resources of cards that no network in the dumps asks for, as netplan advertises devices for networks alone,
and networks whose resource no card has."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from netplan.importing.cards import Card
from netplan.importing.facts import Of, Remark, Said, Site, not_taken, place
from netplan.importing.machines_page import shares_of
from netplan.importing.masters import WHOLE_HCA
from netplan.importing.networks import NetworkRow
from netplan.importing.text import Entry, todo
from netplan.model.values import natural

_WHY = "no network in the dumps asks for it, so netplan would not advertise it"
_KEPT = "; a network with mode: device-only keeps it"


def asked_resources(site: Site) -> frozenset[str]:
    """What networks ask for, whatever else dumps say of them."""
    found: set[str] = set()
    for of in site.every("network"):
        said, conflict = site.said("network", of, "resource"), site.conflict("network", of, "resource")
        stated = (said,) if conflict is None else (conflict.one, conflict.other)
        found |= {str(each.value) for each in stated if each is not None}
    return frozenset(found)


def unasked(site: Site, cards: Iterable[Card], masters: Container[str]) -> frozenset[Of]:
    """Cards whose resources no network asks for, and that no network is on. A shared one stays for pods."""
    asked, shares = asked_resources(site), shares_of(site)
    return frozenset(
        card.of
        for card in cards
        if card.resources
        and not (card.virtual or card.text("netdev") in masters)
        and asked.isdisjoint(card.resources)
        and (card.number("vfs") or shares.keys().isdisjoint(card.resources))
    )


def lost_resources(
    site: Site, rows: Iterable[NetworkRow], cards: Iterable[Card], bonds: Iterable[Of]
) -> Iterator[Remark]:
    """``bonds``: resources that are told elsewhere. The SR-IOV operator advertises VFs alone, so that a
    network keeps no physical function beside its policies."""
    kept = {*asked_resources(site), *(name for row in rows for name in row.resources)}
    kept |= {*_told_elsewhere(site), *(of[0] for of in bonds)}
    physical = [card for card in cards if not card.virtual]
    lost = {name: card for card in reversed(physical) for name in card.resources if name not in kept}
    policies = site.said("cluster", (), "sriov_operator") is not None
    for name in sorted(lost, key=natural):
        why = _WHY if policies and not lost[name].number("vfs") else f"{_WHY}{_KEPT}"
        why = f"{_WHY}; another network is on the whole HCA" if WHOLE_HCA in lost[name].fields else why
        yield not_taken(_said(site, name, lost[name]).at, "resource", name, why)


def _told_elsewhere(site: Site) -> Iterator[str]:
    """Shared ones, and those of Spectrum-X."""
    yield from shares_of(site)
    yield from (of[0] for of in site.every("resource") if site.said("resource", of, "told") is not None)


def _said(site: Site, name: str, card: Card) -> Said:
    """Where a policy or device plugin states it, else the state of the card's node."""
    stated = (site.fields("resource", of) for of in site.every("resource") if of[0] == name)
    said = (each for fields in stated for each in fields.values())
    return next(said, None) or card.fields[f"resource/{name}"]


def without_cards(row: NetworkRow, cards: Iterable[Card]) -> Mapping[str, Entry]:
    """The question of a network whose resource no card has, where cards have others: the inventory would take
    every HCA that fits its mode."""
    there, said = {name for card in cards for name in card.resources}, row.first.fields.get("resource")
    if said is None or not there or not there.isdisjoint(row.resources):
        return {}
    where = f"no card in the dumps has resource {', '.join(row.resources)} ({place(said.at)})"
    return {"hcas": todo("the HCAs that carry it, or remove the network here", where)}
