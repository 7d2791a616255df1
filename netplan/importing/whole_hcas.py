"""Networks on whole HCAs (macvlan, ipvlan, IPoIB, host-device) over ports that have VFs. In an inventory the
HCAs of a network are whole, or have VFs (NP710)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from netplan.importing.cards import Card
from netplan.importing.facts import Site, place
from netplan.importing.lost_resources import asked_resources
from netplan.importing.masters import WHOLE_HCA
from netplan.importing.networks import NetworkRow, first_conflict
from netplan.importing.text import INEXPRESSIBLE, Entry, todo
from netplan.model.modes import mode_of


def without_idle_vfs(site: Site, cards: Iterable[Card]) -> list[Card]:
    """The cards, those that networks are on as a whole without VFs that no network asks for."""
    masters, asked = _masters(site), asked_resources(site)
    return [
        _whole(card)
        if card.text("netdev") in masters and card.number("vfs") and asked.isdisjoint(card.resources)
        else card
        for card in cards
    ]


def _masters(site: Site) -> frozenset[str]:
    """Interfaces that networks without a resource are on."""
    found = set[str]()
    for of in site.every("network"):
        mode = mode_of(site.text("network", of, "mode"))
        if mode is not None and mode.takes == "hca" and site.said("network", of, "resource") is None:
            found.add(site.text("network", of, "master"))
    return frozenset(found - {""})


def _whole(card: Card) -> Card:
    fields = {name: said for name, said in card.fields.items() if name not in ("vfs", "planned_vfs")}
    return replace(card, fields={**fields, WHOLE_HCA: card.fields["vfs"]})


def idle_vfs(card: Card) -> list[str]:
    """For a comment."""
    said = card.fields.get(WHOLE_HCA)
    return [f"no network asks for its {said.value} VFs ({place(said.at)})"] if said is not None else []


def over_vfs(
    site: Site, row: NetworkRow, rows: Iterable[NetworkRow], cards: Sequence[Card]
) -> Mapping[str, Entry]:
    """The question of a network on whole HCAs whose VFs other networks have, unless dumps disagree which HCAs
    it is on."""
    if first_conflict(site, [row], "mode", "master", "resource") is not None:
        return {}
    mode = mode_of(row.first.text("mode"))
    card = next((card for card in cards if card.number("vfs") and carries(row, card)), None)
    if mode is None or mode.takes not in ("hca", "function") or card is None or card.virtual:
        return {}
    has = next((o.name for o in rows if o is not row and {*o.resources} & {*card.resources}), "")
    own = f"which network {has} has" if has else f"of resource {', '.join(card.resources)}"
    vfs = f"{card.text('netdev') or card.pci} has {card.number('vfs')} VFs, {own}"
    what = f"{INEXPRESSIBLE}: mode {row.first.text('mode')} takes whole HCAs, and {vfs}"
    way_out = "remove the network here, keep its object"
    return {"hcas": todo(f"{what} ({place(card.fields['vfs'].at)})", way_out)}


def carries(row: NetworkRow, card: Card) -> bool:
    if row.resources:
        return not {*row.resources}.isdisjoint(card.resources)
    return any(card.text("netdev") == part.text("master") for part in row.parts if part.text("master"))
