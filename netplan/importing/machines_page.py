"""Networks of pods in virtual machines that have none of their own: EFA, PVRDMA, and the functions of a
resource."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Said, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow, inventory_name
from netplan.importing.text import Entry, block
from netplan.model.inventory_text import flow_list

Named = tuple[str, dict[str, Entry]]


def machine_networks(
    rows: Sequence[NetworkRow], kinds: Sequence[HostKind], cards: Sequence[Card], prefixes: Mapping[str, str]
) -> list[str]:
    """Each once, with the host types that have it where not all do. ``prefixes``: of the resources."""
    taken = {name for row in rows for name in row.resources}
    wanted: dict[str, dict[str, Entry]] = {}
    holders: dict[str, set[str]] = {}
    for card in cards:
        found = _of_fabric(card, cards) if card.fabric else _of_resources(card, taken, prefixes)
        for name, entries in found:
            wanted.setdefault(name, entries)
            holders.setdefault(name, set()).add(card.node)
    lines: list[str] = []
    for name, entries in wanted.items():
        own = [kind.name for kind in kinds if holders[name] & set(kind.nodes)]
        if len(own) < len(kinds):
            entries["hosts"] = Entry(flow_list(own))
        lines += block(1, name, entries)
    return lines


def _of_fabric(card: Card, cards: Iterable[Card]) -> Iterator[Named]:
    """The one mode that there is for it."""
    at = place(next(iter(card.fields.values())).at)
    if card.fabric == "efa":
        yield card.fabric, {"mode": Entry("device-only", at)}
        return
    entries = {"mode": Entry("host-path", f"the only one of PVRDMA, {at}")}
    if host_network(cards) is not None:
        entries["subnet"] = Entry(card.fabric, "section subnets")
    yield card.fabric, entries


def _of_resources(card: Card, taken: set[str], prefixes: Mapping[str, str]) -> Iterator[Named]:
    for name in card.resources if card.virtual else ():
        if name in taken:
            continue
        entries = {"mode": Entry("device-only", "no network asks for it"), "resource_name": Entry(name)}
        if prefix := prefixes.get(name):
            entries["resource_prefix"] = Entry(prefix, "of the device plugin")
        yield inventory_name(name), entries


def host_network(cards: Iterable[Card]) -> tuple[IPNetwork, Said] | None:
    """The network that the PVRDMA devices have addresses of; None where it is not one."""
    found: dict[IPNetwork, Said] = {}
    for card in cards:
        if (said := card.fields.get("address")) is not None:
            found.setdefault(IPNetwork(str(said.value)).cidr, said)
    return next(iter(found.items())) if len(found) == 1 else None
