"""Resources of cards that no network in the dumps asks for: netplan advertises devices for networks alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Of, Remark, Site, not_taken
from netplan.importing.machines_page import shares_of
from netplan.importing.networks import NetworkRow

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
    """``bonds``: resources that are told elsewhere, as are shared ones and those of Spectrum-X. The SR-IOV
    operator advertises VFs alone, so that a network keeps no physical function beside its policies."""
    resources = site.every("resource")
    told = {*shares_of(site), *(of[0] for of in bonds)}
    told |= {of[0] for of in resources if site.said("resource", of, "told") is not None}
    kept = {*asked_resources(site), *told, *(name for row in rows for name in row.resources)}
    lost: dict[str, Card] = {}
    for card in cards:
        for name in card.resources if not card.virtual else ():
            if name not in kept:
                lost.setdefault(name, card)
    stated = {of[0]: said for of in resources for said in [*site.fields("resource", of).values()][:1]}
    policies = site.said("cluster", (), "sriov_operator") is not None
    for name, card in lost.items():
        said = stated.get(name) or card.fields[f"resource/{name}"]
        why = _WHY if policies and not card.number("vfs") else f"{_WHY}{_KEPT}"
        yield not_taken(said.at, "resource", name, why)
