"""Networks beside those of the rails: over the devices of a rail, in a VLAN and subnet of their own."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Of, Site, place
from netplan.importing.networks import FoundNetwork, NetworkRow, network_rows, stem, subnet_of_pool
from netplan.importing.numbering import rail_space
from netplan.importing.text import Entry, todo
from netplan.model.modes import mode_of

_COMPARED = 16
"""Networks of a rail that another one is compared with: it bounds the work that a dump can cause."""


def rows_of(attachments: Iterable[FoundNetwork], site: Site, cards: Iterable[Card]) -> list[NetworkRow]:
    """The networks of the inventory. A rail has the VLAN and the subnet of the networks that are on the most
    rails; another one over the same cards, such as that of a storage, is on no rail. Of two on all rails
    those are the rails' whose pods send untagged."""
    parts = [*attachments]
    families: dict[str, list[FoundNetwork]] = {}
    for part in parts:
        families.setdefault(stem(part.of[1]), []).append(part)
    widest, shared = _widest(families.values()), _sharing(cards)
    beside = {part.of for own in families.values() if _is_beside(own, widest, site, shared) for part in own}
    beside |= _of_one_card(site, parts, cards)
    return network_rows((replace(part, rail=None) if part.of in beside else part for part in parts), site)


def _of_one_card(site: Site, parts: Sequence[FoundNetwork], cards: Iterable[Card]) -> frozenset[Of]:
    """The networks, if all are on one rail of several and no range of all rails has its subnet where the rail
    would have it: the other rails have none."""
    rails, count = _rails(parts), 1 + max((card.rail or 0 for card in cards), default=0)
    if len(rails) != 1 or count == 1 or site.every("svi"):
        return frozenset()
    rail = next(iter(rails))
    own = [part for part in parts if part.rail == rail]
    networks = {network for part in own for network in _networks(part, site)}
    fits = all(rail_space([{(rail, 0): network}], count) is not None for network in networks)
    return frozenset() if fits else frozenset(part.of for part in own)


def _widest(families: Iterable[Sequence[FoundNetwork]]) -> dict[int, tuple[int, list[FoundNetwork]]]:
    """Rail -> number of the rails of the families that are on the most, and their networks there.
    ``families``: networks whose names differ in numbers alone."""
    found: dict[int, tuple[int, list[FoundNetwork]]] = {}
    for family in families:
        count = len(_rails(family))
        for rail in _rails(family):
            own = [part for part in family if part.rail == rail]
            most, others = found.get(rail, (0, []))
            if count >= most:
                found[rail] = count, [*(others if count == most else ()), *own][:_COMPARED]
    return found


def _sharing(cards: Iterable[Card]) -> Callable[[str, str], bool]:
    """Whether two resources are of the same cards, of some at least."""
    devices: dict[str, set[Of]] = {}
    for card in cards:
        for name in card.resources:
            devices.setdefault(name, set()).add(card.of)

    @cache
    def shared(one: str, other: str) -> bool:
        return one == other or not devices.get(one, set()).isdisjoint(devices.get(other, set()))

    return shared


def _is_beside(
    family: Sequence[FoundNetwork],
    widest: Mapping[int, tuple[int, Sequence[FoundNetwork]]],
    site: Site,
    shared: Callable[[str, str], bool],
) -> bool:
    """On fewer rails than another; on as many, where it tags and the other sends untagged, into the VLAN that
    the ports have."""
    count, mine = len(_rails(family)), {part.of for part in family}
    for part in family:
        most, own = widest.get(-1 if part.rail is None else part.rail, (0, ()))
        own = [other for other in own if shared(part.text("resource"), other.text("resource"))]
        if most <= count:
            own = _untagged(part, own, mine) if most == count else []
        if not own or not all(_apart(part, other, site) for other in own):
            return False
    return True


def _untagged(part: FoundNetwork, others: Iterable[FoundNetwork], mine: Container[Of]) -> list[FoundNetwork]:
    """Those of other families, if the network tags and none of them does."""
    own = [other for other in others if other.of not in mine]
    return own if part.number("vlan") and not any(other.number("vlan") for other in own) else []


def _rails(family: Iterable[FoundNetwork]) -> set[int]:
    return {part.rail for part in family if part.rail is not None}


def _apart(one: FoundNetwork, other: FoundNetwork, site: Site) -> bool:
    """In another VLAN; of the same, a network of another kind in another subnet, as leaves may have a subnet
    each."""
    doubts = (site.conflict("network", part.of, "vlan") for part in (one, other))
    nets = [[*_networks(part, site)] for part in (one, other)]
    shared = any(mine in his or his in mine for mine in nets[0] for his in nets[1])
    if shared or any(doubts):
        return False
    if (one.number("vlan") or 0) != (other.number("vlan") or 0):
        return True
    kinds = {(part.text("mode"), part.text("ipam")) for part in (one, other)}
    return all(nets) and len(kinds) > 1


def _networks(part: FoundNetwork, site: Site) -> Iterator[IPNetwork]:
    found = (subnet_of_pool(site, pool) for pool in part.pools)
    yield from (each[0] for each in found if each is not None)


def shared_resource(row: NetworkRow, rows: Iterable[NetworkRow]) -> Mapping[str, Entry]:
    """Questions where another network asks for the same resource: an inventory has a resource, and its
    devices, for one network alone."""
    sharing = [other for other in rows if not {*other.resources}.isdisjoint(row.resources)]
    others = [other for other in sharing if other is not row]
    mode = mode_of(row.first.text("mode"))
    if not others or mode is None:
        return {}
    other = others[0]
    name = next(name for name in row.resources if name in other.resources)
    part = next(part for part in other.parts if part.text("resource") == name)
    where = f"network {other.name} has resource {name} too ({place(part.fields['resource'].at)})"
    found: dict[str, Entry] = {}
    if mode.takes == "vf":
        what = "VFs of each PF for this network alone, such as 0-3"
        found["vf_range"] = todo(what, where)
    elif mode.sharing != "always":
        found["hcas"] = todo("HCAs for this network alone", where)
    if max(sharing, key=lambda each: len(each.rails)) is not row:
        found["resource_name"] = todo("a name of its own, which its pods then ask for", where)
    return found
