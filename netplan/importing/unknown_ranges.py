"""``rails.supernets`` where no subnet of a rail is in the dumps."""

from __future__ import annotations

from collections.abc import Sequence

from netplan.importing.cards import Card
from netplan.importing.crossed import Crossed, without
from netplan.importing.facts import Site, place
from netplan.importing.host_addresses import networks_of_hosts
from netplan.importing.networks import POOLS, NetworkRow, SeenSubnet, first_conflict
from netplan.importing.pool_clashes import pool_clash, pools_of
from netplan.importing.pool_interfaces import pool_faults
from netplan.importing.prefixes import other_prefixes
from netplan.importing.text import Entry, clash, listed, todo


def unknown_ranges(
    site: Site,
    rows: Sequence[NetworkRow],
    cards: Sequence[Card],
    seen: Sequence[SeenSubnet],
    crossed: Sequence[Crossed],
) -> dict[str, Entry]:
    """``supernets``, where no subnet of a rail is known, or dumps disagree about the pool of one, or the pool
    with the VLAN interfaces."""
    on_rails = [row for row in rows if row.rails]
    if (conflict := first_conflict(site, on_rails, *POOLS)) is not None:
        return {"supernets": clash(conflict)}
    if (asked := pool_clash(site, pools_of(on_rails), "subnet")) is not None:
        return {"supernets": asked}
    places = {each.said.at for each in seen}
    faults = pool_faults(site, on_rails, without(cards, crossed))
    others = (text for said, text in other_prefixes(site) if said.at in places)
    if fault := next((str(each) for each in (*faults, *others)), ""):
        table = listed(f"rail {s.rail}{' ' * bool(s.leaf)}{s.leaf}: {s.network}" for s in seen)
        return {"supernets": todo(f"decide, sources disagree: {fault}", f"seen {table}")}
    if seen:
        return {}
    what = "address space of the rails"
    if rows and not on_rails:
        what += ", or remove the key, as no network is on the rails"
    hosts = networks_of_hosts(site, cards)
    return {"supernets": todo(what, f"{_no_subnets(site)}{f'; hosts have {hosts}' if hosts else ''}")}


def _no_subnets(site: Site) -> str:
    """Why no subnet of a rail is known."""
    shown = (
        f"{leaf} VLAN {vlan} {said.value} ({place(said.at)})"
        for leaf, vlan in site.every("svi")
        for _, said in site.prefixed("svi", (leaf, vlan), "address/")
    )
    if interfaces := listed(shown):
        return f"no pool of a rail is in the dumps, and no port of a rail is in the VLAN of {interfaces}"
    return "no pool of a rail and no VLAN interface of a leaf is in the dumps"
