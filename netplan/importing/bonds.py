"""Bonds of hosts: an inventory has none, and a device plugin finds no device by the name of one.

Both plugins compare names with those of the interfaces below a PCI function:
Mellanox/k8s-rdma-shared-dev-plugin 0e47ba17 pkg/resources/pci_net_device.go (NewPciNetDevice),
k8snetworkplumbingwg/sriov-network-device-plugin 000db154 pkg/utils/utils.go (GetPfName). Names:
torvalds/linux drivers/net/bonding/bond_main.c (bond_create) has ``bond%d``; ``team0`` is what ``ip link add
type team`` gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.cards import Card, has_labels
from netplan.importing.facts import Of, Remark, Said, Site, not_taken, place
from netplan.importing.networks import NetworkRow
from netplan.importing.text import INEXPRESSIBLE, Entry, todo
from netplan.model.ranges import gathered

_USUAL = re.compile(r"(?:bond|team)[0-9][A-Za-z0-9_.-]*")
_WHY = "a bond is no PCI function: no device plugin finds its ports by this name; an inventory has no bond"


def bonds_of(site: Site, cards: Iterable[Card]) -> list[tuple[Of, Said, tuple[str, ...]]]:
    """Resources that are chosen by the name of a bond: the resource, where it says so, the names."""
    cards = [*cards]
    stated = {card.text("bond") for card in cards}
    own = {card.text("netdev") for card in cards}
    found = []
    for of in site.every("resource"):
        names = site.listed("resource", of, "netdevs")
        bonds = tuple(name for name in names if name in stated or _USUAL.fullmatch(name))
        said = site.said("resource", of, "netdevs")
        if said is not None and (bonds := tuple(name for name in bonds if name not in own)):
            found.append((of, said, bonds))
    return found


def ports_of_bonds(site: Site, cards: Sequence[Card]) -> frozenset[Of]:
    """Cards that no resource takes and that are in a bond that one takes: the ports that ``ip link`` names,
    on a node without them all cards, if no other resource takes any."""
    taken = {card.node for card in cards if card.resources}
    bonded = {(card.node, card.text("bond")) for card in cards if card.text("bond")}
    known = {node for node, _ in bonded}
    ports: set[Of] = set()
    for of, _, names in bonds_of(site, cards):
        labels = dict(site.prefixed("resource", of, "label/"))
        for card in cards:
            whole = card.node not in known and card.node not in taken
            if (card.text("bond") in names or whole) and has_labels(site, card.node, labels):
                ports.add(card.of)
    return frozenset(ports - {card.of for card in cards if card.resources})


def bond_remarks(site: Site, cards: Sequence[Card]) -> Iterator[Remark]:
    """Each resource of a bond, with the ports of the bond."""
    for of, said, names in bonds_of(site, cards):
        ports = [card for card in cards if card.text("bond") in names]
        where = "no dump says which ports it has"
        if ports:
            own = gathered(dict.fromkeys(card.text("netdev") or card.pci for card in ports))
            nodes = gathered(dict.fromkeys(card.node for card in ports))
            where = f"its ports, {own} of {nodes} ({place(ports[0].fields['bond'].at)}), are on no rail"
        yield not_taken(said.at, f"resource {of[0]} interface", ", ".join(names), f"{_WHY}; {where}")


def strange_masters(site: Site, cards: Sequence[Card]) -> Iterator[Remark]:
    """Interfaces that networks are put on and no card has, such as bonds and VLAN interfaces."""
    names = _netdevs(site) if cards else set()
    for of in site.every("network"):
        said = site.said("network", of, "master")
        if said is not None and names and said.value not in names:
            why = (
                "no card in the dumps has this name; an inventory has no bond and no VLAN interface of a host"
            )
            yield not_taken(said.at, f"network {of[1]} master", said.value, why)


def on_strange_master(site: Site, row: NetworkRow) -> Mapping[str, Entry]:
    """The question of a network on such an interface: the HCAs of the hosts do not carry it."""
    names, master = _netdevs(site), row.first.fields.get("master")
    if master is None or not names or master.value in names:
        return {}
    what = (
        f"{INEXPRESSIBLE}: {row.name} is on {master.value}, which is no card; remove it here, keep its object"
    )
    return {"hcas": todo(what, place(master.at))}


def _netdevs(site: Site) -> set[object]:
    return {said.value for of in site.every("card") if (said := site.said("card", of, "netdev"))}
