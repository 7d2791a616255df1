"""Networks of pods that no object states: EFA, PVRDMA, the functions of a resource in virtual machines, and
HCAs that the RDMA-shared device plugin shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Remark, Said, Site, not_taken, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow, inventory_name
from netplan.importing.text import Entry, block, told
from netplan.model.inventory_text import flow_list

Named = tuple[str, dict[str, Entry]]


def machine_networks(
    rows: Sequence[NetworkRow],
    kinds: Sequence[HostKind],
    cards: Sequence[Card],
    prefixes: Mapping[str, str],
    shares: Mapping[str, Said],
) -> list[str]:
    """Each network once, with its host types if not all have it. ``prefixes``: of all resources;
    ``shares``: of the shared ones."""
    taken = {name for row in rows for name in row.resources}
    wanted: dict[str, dict[str, Entry]] = {}
    holders: dict[str, set[str]] = {}
    for card in cards:
        found = _of_fabric(card, cards) if card.fabric else _of_resources(card, taken, prefixes, shares)
        for name, entries in found:
            wanted.setdefault(name, entries)
            holders.setdefault(name, set()).add(card.node)
    lines: list[str] = []
    for name, entries in wanted.items():
        own = [kind.name for kind in kinds if holders[name] & set(kind.nodes)]
        if len(own) < len(kinds):
            entries["hosts"] = Entry(flow_list(own))
        if "share_max" in entries and (some := _sharing(str(entries["resource_name"].value), kinds)):
            entries["hcas"] = Entry(flow_list(some), "those that the device plugin selects")
        lines += block(1, name, entries)
    return lines


def _of_fabric(card: Card, cards: Iterable[Card]) -> Iterator[Named]:
    """The only mode for it."""
    at = place(next(iter(card.fields.values())).at)
    if card.fabric == "efa":
        yield card.fabric, {"mode": Entry("device-only", at)}
        return
    entries = {"mode": Entry("host-path", f"the only PVRDMA model, {at}")}
    if host_network(cards) is not None:
        entries["subnet"] = Entry(card.fabric, "section subnets")
    yield card.fabric, entries


def _of_resources(
    card: Card, taken: set[str], prefixes: Mapping[str, str], shares: Mapping[str, Said]
) -> Iterator[Named]:
    for name in card.resources:
        if name in taken or not (card.virtual or (name in shares and not card.number("vfs"))):
            continue
        entries = {"mode": Entry("device-only", "no network asks for it"), "resource_name": Entry(name)}
        if prefix := prefixes.get(name):
            entries["resource_prefix"] = Entry(prefix, "of the device plugin")
        if name in shares:
            entries["share_max"] = told(shares[name])
        yield inventory_name(name), entries


def _sharing(resource: str, kinds: Iterable[HostKind]) -> list[str]:
    """HCAs with the resource, where not all have it."""
    named = [each for kind in kinds for each in kind.named]
    own = dict.fromkeys(n for n, card in named if resource in card.resources and not card.number("vfs"))
    return list(own) if any(name not in own for name, _ in named) else []


def shares_of(site: Site) -> dict[str, Said]:
    """Resource of the RDMA-shared device plugin -> its units on a node."""
    named = ((of[0], site.said("resource", of, "share_max")) for of in site.every("resource"))
    return {name: said for name, said in named if said is not None}


def lost_shares(site: Site, rows: Iterable[NetworkRow], cards: Iterable[Card]) -> Iterator[Remark]:
    """Shared resources of cards with VFs: an inventory shares whole HCAs."""
    shares = shares_of(site)
    taken = {name for row in rows for name in row.resources}
    parted = {name for card in cards if card.number("vfs") for name in card.resources}
    for name in shares:
        if name in parted - taken:
            why = "it shares an HCA that has VFs; netplan shares whole HCAs only and would remove it"
            yield not_taken(shares[name].at, "resource", name, why)


def host_network(cards: Iterable[Card]) -> tuple[IPNetwork, Said] | None:
    """The network that the PVRDMA devices have addresses of; None where it is not one."""
    found: dict[IPNetwork, Said] = {}
    for card in cards:
        if (said := card.fields.get("address")) is not None:
            found.setdefault(IPNetwork(str(said.value)).cidr, said)
    return next(iter(found.items())) if len(found) == 1 else None
