"""The sections ``vlans`` and ``subnets``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.beside_rails import lines_beside
from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, Value, place
from netplan.importing.machines_page import host_network
from netplan.importing.networks import NetworkRow, owners_of, subnet_of_pool
from netplan.importing.pool_clashes import pool_clash
from netplan.importing.pool_nodes import vlans_of_leaves
from netplan.importing.pools_page import pool_entries
from netplan.importing.text import INEXPRESSIBLE, Entry, block, clash, line, todo
from netplan.importing.virtual_gateways import shared_addresses
from netplan.importing.vlans import rail_vlans, untagged_vlan
from netplan.model.inventory_text import flow


def subnet_lines(site: Site, rows: Iterable[NetworkRow], cards: Sequence[Card]) -> list[str]:
    """Subnets and VLANs of networks that are on no rail, and the subnet of PVRDMA devices."""
    subnets: list[str] = []
    vlans: list[str] = []
    if (hosts := host_network(cards)) is not None:
        subnets += block(1, "pvrdma", {"cidr": Entry(str(hosts[0]), place(hosts[1].at))})
    rows = list(rows)
    owners = owners_of(rows)
    of_rails, apart = _vlans_of_rails(site, rows, cards), vlans_of_leaves(site, rows)
    names: dict[Value, str] = {}
    for row in rows:
        found = None if row.rails else subnet_of_pool(site, row.first.text("pool"))
        if found is None or owners[row.first.text("pool")] != row.name:
            continue
        network, gateway, said = found
        entries = {"cidr": Entry(str(network), place(said.at))}
        vlan = row.first.fields.get("vlan") if row.first.number("vlan") else untagged_vlan(site, row, cards)
        asked = _asked(site, row, vlan, of_rails) or apart.get(row.name)
        if asked is not None:
            entries["vlan"] = asked
        elif vlan is not None:
            if names.setdefault(vlan.value, row.name) == row.name:
                vlans.append(line(1, row.name, Entry(flow({"id": vlan.value}), place(vlan.at))))
            entries["vlan"] = Entry(names[vlan.value])
        if gateway:
            entries["gateway"] = Entry(gateway)
            entries["gateway_owner"] = _owner(site, gateway, vlan)
        entries.update(pool_entries(site, row.first.text("pool")))
        entries.update(_disputed(site, row.first.text("pool")))
        subnets += block(1, row.name, entries)
    beside = lines_beside(site, cards)
    vlans, subnets = [*vlans, *beside[0]], [*subnets, *beside[1]]
    return [*(["vlans:", *vlans] if vlans else []), *(["subnets:", *subnets] if subnets else [])]


def _asked(
    site: Site, row: NetworkRow, vlan: Said | None, of_rails: Mapping[Value, tuple[int, Said]]
) -> Entry | None:
    if (conflict := site.conflict("network", row.first.of, "vlan")) is not None:
        return clash(conflict)
    return (
        _of_a_rail(row, vlan, *of_rails[vlan.value]) if vlan is not None and vlan.value in of_rails else None
    )


def _disputed(site: Site, pool: str) -> Iterator[tuple[str, Entry]]:
    """Keys of a subnet about which dumps of its pool disagree."""
    for key, field in (("gateway", "gateway"), ("routes", "route/"), ("exclude", "excluded/")):
        if (asked := pool_clash(site, [pool], field)) is not None:
            yield key, asked


def _owner(site: Site, gateway: str, vlan: Said | None) -> Entry:
    for of in site.every("svi") if vlan is not None else ():
        for address, said in site.prefixed("svi", of, "address/"):
            if vlan is not None and of[1] == str(vlan.value) and address.partition("/")[0] == gateway:
                return Entry("leaf", f"{of[0]} VLAN {of[1]} {address}, {place(said.at)}")
    for of in site.every("svi"):
        for ip, said in shared_addresses(site, of).items():
            if str(ip) == gateway:
                return todo(
                    "leaf or external", f"{of[0]} VLAN {of[1]} shares it ({said.value}, {place(said.at)})"
                )
    return todo("leaf or external", "which router has the address")


def _vlans_of_rails(
    site: Site, rows: Sequence[NetworkRow], cards: Sequence[Card]
) -> dict[Value, tuple[int, Said]]:
    """VLAN -> the one rail that is in it."""
    seen = rail_vlans(site, cards, rows)
    times = Counter(vlan for mine in seen.values() for vlan in mine)
    own = ((rail, vlan, said) for rail, mine in seen.items() for vlan, said in mine.items())
    return {vlan: (rail, said) for rail, vlan, said in own if vlan and times[vlan] == 1}


def _of_a_rail(row: NetworkRow, vlan: Said, rail: int, said: Said) -> Entry:
    what = f"{INEXPRESSIBLE}: VLAN {vlan.value} of {row.name}, which is on no rail"
    way_out = "give it another VLAN"
    if not row.first.number("vlan"):  # what its ports have untagged
        way_out = "remove network and subnet here and keep its object, or give it HCAs of its own"
    return todo(f"{what} ({place(vlan.at)}), is that of rail {rail} ({place(said.at)})", way_out)
