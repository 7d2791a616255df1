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
_WHY = "a bond is no PCI function, no device plugin finds its ports by this name"
LAG_DEVICE = "mlx5_bond_"
"""Begin of the name of a bond's RDMA device (torvalds/linux drivers/infiniband/hw/mlx5/main.c,
mlx5_ib_stage_ib_reg_init)."""


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


def bond_of(card: Card) -> Said | None:
    """The bond that the card is a port of; that of a device such as mlx5_bond_0 has no other name."""
    device = card.fields.get("rdma_device")
    lag = device if device is not None and str(device.value).startswith(LAG_DEVICE) else None
    return card.fields.get("bond", lag)


def ports_of_bonds(site: Site, cards: Sequence[Card]) -> frozenset[Of]:
    """Cards in bonds that no resource takes. Where a resource takes a bond and no dump has its ports, they
    may be any of a node that no other resource takes."""
    taken = {card.node for card in cards if card.resources}
    known = {card.node for card in cards if bond_of(card) is not None}
    ports = {card.of for card in cards if bond_of(card) is not None}
    for of, _, _ in bonds_of(site, cards):
        labels = dict(site.prefixed("resource", of, "label/"))
        for card in cards:
            if card.node not in known | taken and has_labels(site, card.node, labels):
                ports.add(card.of)
    return frozenset(ports - {card.of for card in cards if card.resources})


def bond_remarks(site: Site, cards: Sequence[Card]) -> Iterator[Remark]:
    """Each resource that is chosen by a bond, and each bond, with its ports."""
    for of, said, names in bonds_of(site, cards):
        known = any(card.text("bond") in names for card in cards)
        where = "" if known else "; no dump says which ports it has"
        yield not_taken(said.at, f"resource {of[0]} interface", ", ".join(names), f"{_WHY}{where}")
    ports: dict[tuple[str, str], list[Card]] = {}
    for card in cards:
        if (bond := bond_of(card)) is not None:
            ports.setdefault((card.node, str(bond.value)), []).append(card)
    alike: dict[tuple[str, ...], list[Card]] = {}
    for (_, name), own in ports.items():
        alike.setdefault((name, *(card.text("netdev") or card.pci for card in own)), []).append(own[0])
    for (name, *own_ports), firsts in alike.items():
        said = bond_of(firsts[0]) or next(iter(firsts[0].fields.values()))
        nodes = gathered(dict.fromkeys(card.node for card in firsts))
        rails = "" if any(card.rail is not None for card in firsts) else ", its ports are on no rail"
        what = f"{name} of {gathered(own_ports)} on {nodes}: an inventory has no bond{rails}"
        yield Remark(said.at, what, alike=f"bond{rails}")


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
