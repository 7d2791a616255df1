"""Folds the networks of pods: one per rail of the same kind become one network of the inventory."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Conflict, Of, Said, Site, Value
from netplan.importing.hosts import HostKind, unused
from netplan.importing.masters import interfaces_of
from netplan.model.values import AddressSpan, has_host_bits, natural, parse_address, parse_network

_STEM = re.compile(r"([a-z]+(?:-[a-z]+)*)")
POOLS = ("pool", "second_pool")
"""One, or one for each IP version."""
_SAME = ("mode", "writer", "ipam", "other_ipam", "routing", "mtu", "block_size")
SETTINGS = (
    "trust",
    "spoofchk",
    "link_state",
    "vlan_qos",
    "min_tx_rate_mbps",
    "max_tx_rate_mbps",
    "pkey",
    "vf_range",
    "share_max",
)


@dataclass(frozen=True, slots=True)
class FoundNetwork:
    """A network of the cluster; ``rail``: of its resource's cards, where they are on several that of its
    VLAN; None if neither tells one."""

    of: Of
    fields: Mapping[str, Said]
    rail: int | None

    def text(self, name: str) -> str:
        said = self.fields.get(name)
        return str(said.value) if said else ""

    def number(self, name: str) -> int | None:
        said = self.fields.get(name)
        return said.value if said and isinstance(said.value, int) else None

    @property
    def pools(self) -> tuple[str, ...]:
        return tuple(filter(None, map(self.text, POOLS)))


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """A network of the inventory. ``rails``: empty if it is on no rail."""

    name: str
    parts: tuple[FoundNetwork, ...]
    namespaces: tuple[str, ...]
    resources: tuple[str, ...]
    rails: frozenset[int]

    @property
    def first(self) -> FoundNetwork:
        return self.parts[0]


@dataclass(frozen=True, slots=True)
class SeenSubnet:
    """A subnet of a rail, from a pool or a leaf's VLAN interface."""

    rail: int
    network: IPNetwork
    gateway: str
    said: Said
    leaf: str = ""
    pool: str = ""


def attachments_of(site: Site, cards: Sequence[Card], vlans: Mapping[Of, Said]) -> list[FoundNetwork]:
    """``vlans``: card -> VLAN of its switch port."""
    rails: dict[str, set[int | None]] = {}
    in_vlan: dict[Value, set[int | None]] = {}
    for card in cards:
        if card.of in vlans:
            in_vlan.setdefault(vlans[card.of].value, set()).add(card.rail)
        for resource in card.resources:
            rails.setdefault(resource, set()).add(card.rail)
    found = []
    shares = _shares(site)
    behind = interfaces_of(site, cards, shares)
    for of in site.every("network"):
        fields = {**site.fields("network", of), **_either(site, of, rails)}
        master = fields.get("master")
        on = rails.get(str(fields["resource"].value), set()) if "resource" in fields else set()
        if master is not None and "resource" not in fields:  # a pod requests the resource of the interface
            on, names = behind.get(str(master.value), (set(), {}))
            if len(names) == 1:
                fields["resource"] = next(iter(names.values()))
        if len(on) > 1 and "vlan" in fields:
            on = on & in_vlan.get(fields["vlan"].value, set())
        rail = next(iter(on)) if len(on) == 1 else None
        if (resource_said := fields.get("resource")) is not None:
            fields |= shares.get(str(resource_said.value), {})
        if "mode" in fields:
            found.append(FoundNetwork(of, fields, rail))
    return found


def _either(site: Site, of: Of, resources: Container[str]) -> dict[str, Said]:
    """Of a mode, resource or master that dumps disagree about, the one that cards have, else the first: the
    network stays on its rail, and the page asks which it is."""
    found: dict[str, Said] = {}
    for name in ("mode", "resource", "master"):
        if (conflict := site.conflict("network", of, name)) is not None:
            stated = [said for said in (conflict.one, conflict.other) if said.value]
            found[name] = next((said for said in stated if said.value in resources), stated[0])
    return found


def first_conflict(site: Site, rows: Iterable[NetworkRow], *names: str) -> Conflict | None:
    """The first contradiction of dumps about one of these fields of the networks."""
    parts = (part for row in rows for part in row.parts)
    found = (site.conflict("network", part.of, name) for part in parts for name in names)
    return next(filter(None, found), None)


def _shares(site: Site) -> dict[str, dict[str, Said]]:
    """Resource -> the VFs of each PF that it takes, where they are not all, and its units on a node."""
    found: dict[str, dict[str, Said]] = {}
    for of in site.every("resource"):
        span, share = site.said("resource", of, "vf_range"), site.said("resource", of, "share_max")
        count = site.number("resource", of, "vfs")
        if span is not None and span.value != f"0-{(count or 0) - 1}":
            found.setdefault(of[0], {}).setdefault("vf_range", span)
        if share is not None:
            found.setdefault(of[0], {}).setdefault("share_max", share)
    return found


def network_rows(attachments: Iterable[FoundNetwork], site: Site) -> list[NetworkRow]:
    groups: dict[tuple[object, ...], list[FoundNetwork]] = {}
    for part in attachments:
        stated = [part.text(name) for name in (*_SAME, *SETTINGS)]
        single = "" if part.rail is not None else part.of[1]
        key = (stem(part.of[1]), part.rail is None, single, *stated)
        groups.setdefault(key, []).append(part)
    rows: list[NetworkRow] = []
    taken, spaces = set[str](), dict[str, set[str]]()
    alike = [part for group in groups.values() for part in _alike(group)]
    for parts in alike:
        parts.sort(key=lambda part: (part.rail or 0, natural(part.of[1])))
    for parts in _of_namespaces(site, alike):
        name, own = name_of(parts[0]), {part.of[0] for part in parts}
        if name in taken and spaces.setdefault(name, set()).isdisjoint(own):
            name = inventory_name(f"{name}-{parts[0].of[0]}")
        spaces.setdefault(name, set()).update(own)
        rows.append(
            NetworkRow(
                unused(name, taken),
                tuple(parts),
                tuple(sorted(own, key=natural)),
                tuple(dict.fromkeys(filter(None, (part.text("resource") for part in parts)))),
                frozenset(part.rail for part in parts if part.rail is not None),
            )
        )
    return rows


def name_of(part: FoundNetwork) -> str:
    """In the inventory, where no other network has it."""
    return stem(part.of[1]) if part.rail is not None else inventory_name(part.of[1])


def _alike(parts: Iterable[FoundNetwork]) -> Iterator[list[FoundNetwork]]:
    """The networks of the namespaces that have them on the same rails, with the same resources: an inventory
    has a network in each of its namespaces."""
    by_namespace: dict[str, list[FoundNetwork]] = {}
    for part in parts:
        by_namespace.setdefault(part.of[0], []).append(part)
    found: dict[frozenset[tuple[int | None, str]], list[FoundNetwork]] = {}
    for own in by_namespace.values():
        key = frozenset((part.rail, part.text("resource")) for part in own)
        found.setdefault(key, []).extend(own)
    yield from found.values()


def _of_namespaces(site: Site, groups: Iterable[list[FoundNetwork]]) -> list[list[FoundNetwork]]:
    """Those that differ in names and namespaces alone are one network, which an inventory has in several
    namespaces: a resource is of one network there. The first one's name is taken."""
    found: dict[object, list[list[FoundNetwork]]] = {}
    merged: list[list[FoundNetwork]] = []
    for parts in groups:
        same = found.setdefault(frozenset(_contents(site, part) for part in parts), [])
        spaces = {part.of[0] for part in parts}
        known = next((own for own in same if spaces.isdisjoint(part.of[0] for part in own)), None)
        if known is not None and all(part.text("resource") for part in parts):
            known += parts
        else:
            same.append(parts)
            merged.append(parts)
    return merged


def _contents(site: Site, part: FoundNetwork) -> tuple[object, ...]:
    """All that it states beside its name; of an IPAM with its pool in the network, what the pool states."""
    fields = {name: said.value for name, said in part.fields.items() if name not in POOLS}
    own = part.text("ipam") != "nv-ipam"
    pools = [
        frozenset((name, said.value) for name, said in site.fields("pool", (pool,)).items()) if own else pool
        for pool in part.pools
    ]
    return part.rail, frozenset(fields.items()), tuple(pools)


def renamed(row: NetworkRow) -> dict[str, list[FoundNetwork]]:
    """Namespace -> the networks that are called otherwise there than in the first one, or in all of them
    where another network has the name."""
    kept = row.parts if row.name == name_of(row.first) else ()
    names = {(part.rail, part.of[1]) for part in kept if part.of[0] == row.first.of[0]}
    found: dict[str, list[FoundNetwork]] = {}
    for part in row.parts:
        if (part.rail, part.of[1]) not in names:
            found.setdefault(part.of[0], []).append(part)
    return found


def hosts_of(row: NetworkRow, kinds: Iterable[HostKind]) -> list[str]:
    """Host types with a resource of the network."""
    wanted = set(row.resources)
    return [kind.name for kind in kinds if any(wanted & set(card.resources) for card in kind.cards)]


def kinds_of(row: NetworkRow, kinds: Sequence[HostKind]) -> list[HostKind]:
    """With a resource of the network; all where none has."""
    carriers = hosts_of(row, kinds)
    return [kind for kind in kinds if kind.name in carriers or not carriers]


def stem(name: str) -> str:
    """``rail-0-leaf-1`` -> ``rail``"""
    found = _STEM.match(name.lower())
    return found[1] if found else "network"


def exclusions_of(site: Site, pool: str) -> Iterator[tuple[AddressSpan, Said]]:
    """First and last address of each span that a pool never assigns."""
    for text, said in site.prefixed("pool", (pool,), "excluded/"):
        first, last = (parse_address(end) for end in text.split("-", 1))
        if first is not None and last is not None and first.version == last.version and first <= last:
            yield (first, last), said


def inventory_name(name: str) -> str:
    """The name in a form the inventory accepts."""
    clean = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-")
    return clean or "network"


def subnet_of_pool(site: Site, pool: str) -> tuple[IPNetwork, str, Said] | None:
    """(network, gateway, source); None if there is no such pool or it has no valid network."""
    said = site.said("pool", (pool,), "subnet")
    network = parse_network(str(said.value)) if said else None
    if said is None or network is None or has_host_bits(network):
        return None
    of_nodes = any(site.prefixed("pool", (pool,), "gateway"))  # gateway_index, gateway/NODE
    unknown = "?" if of_nodes or site.conflict("pool", (pool,), "gateway") else ""
    return network, site.text("pool", (pool,), "gateway") or unknown, said


def rail_subnets(site: Site, rows: Iterable[NetworkRow]) -> list[SeenSubnet]:
    """Each subnet of a rail once."""
    found: dict[tuple[int, str], SeenSubnet] = {}
    for part in (part for row in rows for part in row.parts):
        for pool in part.pools if part.rail is not None else ():
            seen = subnet_of_pool(site, pool)
            if seen is not None and part.rail is not None:
                network, gateway, said = seen
                found.setdefault(
                    (part.rail, str(network)), SeenSubnet(part.rail, network, gateway, said, pool=pool)
                )
    return list(found.values())


def pools_of_resources(site: Site) -> dict[str, str]:
    """Resource -> the pool that a dump has for it; empty without one."""
    return {of[0]: site.text("resource", of, "pool") for of in site.every("resource")}


def owners_of(rows: Iterable[NetworkRow]) -> dict[str, str]:
    """Pool -> the network that the subnet is named after; several may share it."""
    found: dict[str, str] = {}
    for row in rows:
        if not row.rails:
            found.setdefault(row.first.text("pool"), row.name)
    return found
