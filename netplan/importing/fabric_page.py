"""The sections ``fabric``, ``rails``, ``vlans``, ``subnets`` and ``networks``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from netplan.importing.cards import Card, most_common
from netplan.importing.facts import Site, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import (
    SETTINGS,
    NetworkRow,
    SeenSubnet,
    rail_subnets,
    rail_vlans,
    subnet_of_pool,
)
from netplan.importing.numbering import gateway_word, rail_space, vlan_span
from netplan.importing.text import Entry, block, clash, flow, flow_list, line, todo

_FABRICS = {"ethernet": "roce", "infiniband": "infiniband"}


def fabric_lines(cards: Iterable[Card], rows: Sequence[NetworkRow]) -> list[str]:
    on_rails = [card for card in cards if card.rail is not None]
    entries: dict[str, Entry | Sequence[str]] = {"type": _type(on_rails), "mtu": _mtu(on_rails, rows)}
    if entries["type"] != Entry("infiniband"):
        entries["qos"] = todo("classes, ECN and PFC", "no switch configuration is in the dumps")
    return block(0, "fabric", entries)


def _type(cards: Sequence[Card]) -> Entry:
    links = {card.text("link"): card for card in cards if card.text("link")}
    if len(links) == 1:
        for link, card in links.items():
            return Entry(_FABRICS[link], f"link type of the cards, {place(card.fields['link'].at)}")
    return todo(
        "roce or infiniband", "show_gids, or ibstat, on a node" if not links else "the cards are of both"
    )


def _mtu(cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Entry:
    """What pods see: of the networks, else of the physical functions."""
    stated = [part.fields["mtu"] for row in rows for part in row.parts if "mtu" in part.fields]
    stated = stated or [card.fields["mtu"] for card in cards if "mtu" in card.fields]
    said = most_common(stated)
    if said is None:
        return todo("IP MTU of a pod", "ip link, in a pod")
    odd = next((other for other in stated if other.value != said.value), None)
    more = f"; {odd.value} in {place(odd.at)}" if odd else ""
    return Entry(said.value, f"{place(said.at)}{more}")


def rail_lines(site: Site, cards: Iterable[Card], rows: Sequence[NetworkRow]) -> list[str]:
    numbers = [card.rail for card in cards if card.rail is not None]
    if not numbers:
        return []
    count = max(numbers) + 1
    entries: dict[str, Entry | Sequence[str]] = {"count": Entry(count, "rails of the cards")}
    vlan = _vlan_ids(site, rows, count)
    if vlan is not None:
        entries["vlan_ids"] = vlan
    entries.update(_space(rail_subnets(site, rows), count))
    return block(0, "rails", entries)


def _vlan_ids(site: Site, rows: Sequence[NetworkRow], count: int) -> Entry | None:
    """None where the rails are untagged, as far as anything says."""
    for part in (part for row in rows for part in row.parts):
        if conflict := site.conflict("network", part.of, "vlan"):
            return clash(conflict)
    seen = rail_vlans(rows)
    if all(set(vlans) <= {0} for vlans in seen.values()):
        return None
    tagged = {rail: {vlan: said for vlan, said in vlans.items() if vlan} for rail, vlans in seen.items()}
    one = {rail: next(iter(vlans)) for rail, vlans in tagged.items() if len(vlans) == 1}
    span = vlan_span(one, count)
    if span:
        return Entry(span, place(tagged[0][one[0]].at))
    texts = "; ".join(f"rail {rail}: {', '.join(map(str, vlans))}" for rail, vlans in sorted(tagged.items()))
    return todo("VLAN ids that count up with the rails", f"seen {texts}")


def _space(seen: Sequence[SeenSubnet], count: int) -> dict[str, Entry]:
    if not seen:
        return {"supernets": todo("address space of the rails", "no pool of a rail is in the dumps")}
    table = ", ".join(f"rail {s.rail}: {s.network} ({place(s.said.at)})" for s in seen)
    one = {(s.rail, 0): s.network for s in seen}
    space = rail_space(one, count) if len(one) == len(seen) else None
    if space is None:
        return {"supernets": todo("[range], rail_prefixes and prefixes that give these subnets", table)}
    words = {gateway_word(s.network, s.gateway) for s in seen}
    word = words.pop() if len(words) == 1 else ""
    gateway = Entry(word, place(seen[0].said.at))
    return {
        "supernets": Entry(flow_list([str(space.supernet)]), f"the smallest that gives {table}"),
        "rail_prefixes": Entry(flow_list([space.rail_prefix])),
        "prefixes": Entry(flow_list([space.prefix])),
        "gateway": gateway if word else todo("first, last or none", "the pools' gateways are none of them"),
    }


def network_lines(site: Site, rows: Sequence[NetworkRow], kinds: Sequence[HostKind]) -> list[str]:
    prefixes = _prefixes(site)
    lines = [text for row in rows for text in _network(site, row, kinds, prefixes)]
    return ["networks:", *lines] if lines else []


def _network(
    site: Site, row: NetworkRow, kinds: Sequence[HostKind], prefixes: Mapping[str, str]
) -> list[str]:
    first = row.first
    at = place(first.fields["mode"].at)
    entries: dict[str, Entry | Sequence[str]] = {}
    if row.rails:
        entries["for_each"] = Entry("rails", f"of {len(row.parts)} networks: {_names(row)}")
    entries["mode"] = Entry(first.text("mode"), at)
    own = _hosts(row, kinds)
    if len(own) < len(kinds) and own:
        entries["hosts"] = Entry(flow_list(own), "host types with its resource")
    if not row.rails and subnet_of_pool(site, first.text("pool")) is not None:
        entries["subnet"] = Entry(row.name, "section subnets")
    if "ipam" in first.fields:
        entries["ipam"] = Entry(first.text("ipam"), place(first.fields["ipam"].at))
    entries["namespaces"] = Entry(flow_list(row.namespaces))
    entries.update(_resource(row, prefixes))
    entries["routing"] = _routing(row)
    for name in SETTINGS:
        if name in first.fields:
            said = first.fields[name]
            entries[name] = Entry(said.value, place(said.at))
    for part in row.parts:
        for conflict in site.about("network", part.of):
            if conflict.field in ("ipam", "routing", *SETTINGS):
                entries[conflict.field] = clash(conflict)
    return block(1, row.name, entries)


def _names(row: NetworkRow) -> str:
    names = [part.of[1] for part in row.parts]
    return ", ".join(dict.fromkeys(names if len(names) < 5 else [*names[:3], "...", names[-1]]))


def _hosts(row: NetworkRow, kinds: Sequence[HostKind]) -> list[str]:
    wanted = set(row.resources)
    return [kind.name for kind in kinds if any(wanted & set(card.resources) for card in kind.cards)]


def _resource(row: NetworkRow, prefixes: Mapping[str, str]) -> dict[str, Entry]:
    """Name and prefix of the resources, where they are those that netplan would write."""
    if not row.resources:
        return {}
    said = row.first.fields["resource"]
    entries: dict[str, Entry] = {}
    several = len(row.resources) > 1
    if len(row.rails) > 1 and not several:
        entries["resource"] = Entry("shared", place(said.at))
    stem = row.resources[0].removesuffix("_0") if several else row.resources[0]
    if several and any(f"{stem}_{p.rail}" != p.text("resource") for p in row.parts):
        entries["resource_name"] = todo("the resources get this name and the rail", ", ".join(row.resources))
    else:
        entries["resource_name"] = Entry(stem, place(said.at))
    own = {prefixes.get(name, "") for name in row.resources}
    if len(own) == 1 and (prefix := own.pop()):
        entries["resource_prefix"] = Entry(prefix, "of the device plugin")
    return entries


def _prefixes(site: Site) -> Mapping[str, str]:
    """Resource -> the prefix that a device plugin gives it."""
    found = ((of[0], site.text("resource", of, "prefix")) for of in site.every("resource"))
    return {name: prefix for name, prefix in found if prefix}


def _routing(row: NetworkRow) -> Entry:
    said = row.first.fields.get("routing")
    if said is not None:
        return Entry(str(said.value), place(said.at))
    if len(row.rails) < 2:
        return Entry("none", "one rail, no sbr in the chain")
    return todo("script, table, claim, spiderpool or none", "neither sbr nor a table is in the networks")


def subnet_lines(site: Site, rows: Iterable[NetworkRow]) -> list[str]:
    """Subnets and VLANs of networks on no rail."""
    subnets: list[str] = []
    vlans: list[str] = []
    for row in rows:
        found = None if row.rails else subnet_of_pool(site, row.first.text("pool"))
        if found is None:
            continue
        network, gateway, said = found
        entries = {"cidr": Entry(str(network), place(said.at))}
        if vlan := row.first.fields.get("vlan"):
            vlans.append(line(1, row.name, Entry(flow({"id": vlan.value}), place(vlan.at))))
            entries["vlan"] = Entry(row.name)
        if gateway:
            entries["gateway"] = Entry(gateway)
            entries["gateway_owner"] = todo("leaf or external", "which router has the address")
        subnets += block(1, row.name, entries)
    return [*(["vlans:", *vlans] if vlans else []), *(["subnets:", *subnets] if subnets else [])]
