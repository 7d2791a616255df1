"""VLANs of the rails: their ids, and who tags, the VF or the switch port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from netplan.importing.cards import Card
from netplan.importing.facts import Conflict, Of, Said, Site, place, texts_in
from netplan.importing.networks import FoundNetwork, NetworkRow
from netplan.importing.nvue_names import in_bridge
from netplan.importing.port_clashes import tagged_otherwise
from netplan.importing.switch_lags import in_lag
from netplan.importing.text import INEXPRESSIBLE, Entry, clash, listed, todo
from netplan.importing.unread_vlans import unread_vlans
from netplan.model.inventory_text import flow_list
from netplan.model.modes import mode_of

Ids = Mapping[int, Mapping[int, Said]]
"""Rail -> VLANs of its networks and switch ports; 0 for a network without VLAN."""


@dataclass(frozen=True, slots=True)
class Membership:
    """VLANs of a switch port. ``access``: the untagged one; ``tagged``: their numbers as texts."""

    port: Of
    access: Said | None
    tagged: Said | None

    @property
    def tags(self) -> tuple[int, ...]:
        return tuple(map(int, texts_in(self.tagged.value if self.tagged is not None else None)))

    @property
    def one(self) -> Said | None:
        """The untagged VLAN, else the only tagged one."""
        return self.access if self.access is not None else self.only_tagged

    @property
    def only_tagged(self) -> Said | None:
        one = self.tagged is not None and len(self.tags) == 1
        return Said(self.tags[0], self.tagged.at) if one and self.tagged is not None else None


def membership_of(site: Site, card: Card) -> Membership | None:
    """Of the switch port a card is on; None if it has no VLAN, or no dump names the port."""
    said = site.said("card", card.of, "port")
    if said is None or not isinstance(said.value, tuple):
        return None
    found = Membership(
        said.value, site.said("port", said.value, "access"), site.said("port", said.value, "tagged")
    )
    return found if found.access or found.tagged else None


def vlans_of(site: Site, cards: Iterable[Card]) -> dict[Of, Said]:
    """Card -> VLAN of its switch port, where there is one. A native VLAN that ports of several cards of a
    node share, such as one for PXE, is not a rail's: the only tagged VLAN beside it is."""
    ports = {card.of: port for card in cards if (port := membership_of(site, card)) is not None}
    native = Counter((of[0], port.access.value) for of, port in ports.items() if port.access is not None)
    found: dict[Of, Said] = {}
    for of, port in ports.items():
        shared = port.access is not None and native[of[0], port.access.value] > 1
        vlan = port.only_tagged if shared and port.only_tagged is not None else port.one
        if vlan is not None:
            found[of] = vlan
    return found


def rail_vlans(site: Site, cards: Iterable[Card], rows: Iterable[NetworkRow]) -> dict[int, dict[int, Said]]:
    found: dict[int, dict[int, Said]] = {}
    for part in (part for row in rows for part in row.parts):
        if part.rail is not None:
            said = part.fields.get("vlan", Said(0, part.fields["mode"].at))
            if isinstance(said.value, int):
                found.setdefault(part.rail, {}).setdefault(said.value, said)
    behind = [card for card in cards if card.rail is not None]
    seen = vlans_of(site, behind)
    for card in behind:
        port, vlan = membership_of(site, card), seen.get(card.of)
        own = found.get(card.rail, {}) if card.rail is not None else {}
        agreed = port is not None and not own.keys().isdisjoint(port.tags)
        if vlan is not None and isinstance(vlan.value, int) and card.rail is not None and not agreed:
            found.setdefault(card.rail, {}).setdefault(vlan.value, vlan)
    return found


def vlan_ids_entry(
    site: Site, rows: Sequence[NetworkRow], seen: Ids, count: int, cards: Sequence[Card]
) -> Entry | None:
    """None if the rails have no VLAN as far as any dump tells."""
    for part in (part for row in rows for part in row.parts):
        if conflict := site.conflict("network", part.of, "vlan"):
            return clash(conflict)
    none = all(set(vlans) <= {0} for vlans in seen.values())
    contradicted = next(_contradicted(site, cards), None)
    unread = unread_vlans(site, rows, cards)
    closed = contradicted is not None or unread or any(_not_taken(site, cards)) or any(_unread(site, cards))
    if none and not closed:
        return None
    own = _tagged(seen)
    if (entry := _of_each(own, count)) is not None:
        decide = f"decide, sources disagree: {contradicted}"
        return entry if contradicted is None else todo(decide, f"other ports have {entry.value}")
    unseen = {rail: _unseen(site, cards, rail, unread) for rail in range(count) if not own.get(rail)}
    return _asked(own, count, unseen)


def _asked(own: Ids, count: int, unseen: Mapping[int, str]) -> Entry:
    several = any(len(vlans) > 1 for vlans in own.values())
    texts = (
        f"rail {rail}: {_seen(own.get(rail, {}), several) or unseen.get(rail, '')}" for rail in range(count)
    )
    what = "a VLAN of its own for each rail"
    if all(len(own.get(rail, {})) == 1 for rail in range(count)):
        what = (
            f"{INEXPRESSIBLE}: rails that share a VLAN; state {what}, which moves their ports and addresses"
        )
    return todo(what, f"seen {listed(texts)}")


def _of_each(own: Ids, count: int) -> Entry | None:
    """None unless each rail has a VLAN of its own."""
    one = {rail: next(iter(vlans)) for rail, vlans in own.items() if len(vlans) == 1}
    ids = [one[rail] for rail in range(count) if rail in one]
    if len(ids) < count or len(set(ids)) < count:
        return None
    return Entry(_written(ids), place(own[0][ids[0]].at))


def _tagged(seen: Ids) -> dict[int, dict[int, Said]]:
    return {rail: {vlan: said for vlan, said in vlans.items() if vlan} for rail, vlans in seen.items()}


def _seen(vlans: Mapping[int, Said], several: bool) -> str:
    """``several``: with their places, where a rail has more than one, so that sources contradict each
    other."""
    if not several or len(vlans) == 1:
        return ", ".join(map(str, vlans))
    return " or ".join(f"{vlan} ({place(said.at)})" for vlan, said in vlans.items())


def _contradicted(site: Site, cards: Iterable[Card]) -> Iterator[Conflict]:
    """VLANs of the ports of cards."""
    for card in cards:
        port = site.listed("card", card.of, "port")
        if card.rail is not None and port:
            found = (site.conflict("port", port, field) for field in ("access", "tagged"))
            yield from filter(None, found)


def _unread(site: Site, cards: Iterable[Card]) -> Iterator[str]:
    """Switches behind rails of which only neighbours tell: netplan puts their ports into the rail's VLAN."""
    for card in cards:
        port = site.listed("card", card.of, "port")
        unread = bool(port) and site.said("switch", (port[0],), "nos") is None
        if card.rail is not None and unread and card.text("link") == "ethernet":
            yield port[0]


def _not_taken(site: Site, cards: Iterable[Card]) -> Iterator[str]:
    """Ports of rails whose VLANs are those of a LAG, or of a bridge that is not read."""
    for card in cards:
        port = site.listed("card", card.of, "port")
        if card.rail is None or not port:
            continue
        if (lag := in_lag(site, port)) is not None:
            yield f"{' '.join(port)} is in a LAG ({place(lag.at)})"
        elif (bridge := in_bridge(site, port)) is not None:
            yield f"{' '.join(port)} is in bridge {bridge.value} ({place(bridge.at)})"


def _unseen(site: Site, cards: Iterable[Card], rail: int, unread: Mapping[int, str]) -> str:
    """Why a rail has no VLAN: the contradicting values of its first port, or whose dump lacks."""
    mine = [card for card in cards if card.rail == rail]
    if conflict := next(_contradicted(site, mine), None):
        return f"{' '.join(conflict.of)} {conflict.values}"
    if why := next(_not_taken(site, mine), ""):
        return why
    leaves = dict.fromkeys(port[0] for card in mine if (port := site.listed("card", card.of, "port")))
    if not leaves:
        return "no dump has the cables of its cards"
    lacking = [leaf for leaf in leaves if site.said("switch", (leaf,), "nos") is None]
    if lacking:
        return f"no dump of the configuration of {listed(lacking)}"
    return unread.get(rail) or f"no VLAN on its ports of {listed(leaves)}"


def _written(ids: Sequence[int]) -> object:
    """``100-103`` if they count up with the rails, else a list."""
    if len(ids) == 1:
        return ids[0]
    counts_up = list(ids) == list(range(ids[0], ids[0] + len(ids)))
    return f"{ids[0]}-{ids[-1]}" if counts_up else flow_list(ids)


@dataclass(frozen=True, slots=True)
class _Tagging:
    """Tagging by a network and one port; ``how``: None if they contradict each other."""

    how: Literal["vf", "port"] | None
    why: str


def tagging_entry(site: Site, row: NetworkRow, cards: Sequence[Card]) -> Entry | None:
    """``networks.NAME.tagging``; None if no switch port tells and none has a VLAN that is not read, or where
    the VF tags, as by default."""
    mode = mode_of(row.first.text("mode"))
    in_doubt = any(site.conflict("network", part.of, "vlan") for part in row.parts)
    if mode is None or not mode.tags or in_doubt:
        return None
    found: dict[Literal["vf", "port"] | None, str] = {}
    behind = [*_behind(site, row, cards)]
    if other := next(filter(None, (tagged_otherwise(site, port.port) for _, port in behind)), None):
        return todo("vf or port; decide, sources disagree", other)
    for part, port in behind:
        if (each := _together(part, port)) is not None:
            found.setdefault(each.how, each.why)
    if not found:
        return _unread_tagging(site, row, cards)
    if set(found) == {"vf"}:
        return None
    if set(found) == {"port"}:
        return Entry("port", found["port"])
    return todo("decide, vf or port", found.get(None) or f"{found['port']}, but {found['vf']}")


def _unread_tagging(site: Site, row: NetworkRow, cards: Sequence[Card]) -> Entry | None:
    """Of a network that sends untagged into ports whose VLANs are in lines that are not read."""
    unread = unread_vlans(site, [row], cards)
    for part in (part for part in row.parts if part.rail is not None and not part.number("vlan")):
        mine = [card for card in cards if card.rail == part.rail]
        why = unread.get(part.rail or 0) or next(_not_taken(site, mine), None)
        if why is not None:
            return todo("vf or port, which is that of ports with an untagged VLAN", f"{_sent(part)}; {why}")
    return None


@dataclass(frozen=True, slots=True)
class VlanClash:
    """``why``: what a network and a port of its cards say, both with their places."""

    why: str

    def __str__(self) -> str:
        return f"network {self.why}"


def vlan_clashes(site: Site, rows: Iterable[NetworkRow], cards: Sequence[Card]) -> Iterator[VlanClash]:
    """The first contradiction of each network that sends frames a port of its cards does not accept. A
    network without a single rail may have cards whose ports are not for it, but not only those."""
    for row in rows:
        mode = mode_of(row.first.text("mode"))
        behind: dict[Of, list[tuple[FoundNetwork, Membership]]] = {}
        for part, port in _behind(site, row, cards) if mode is not None and mode.tags else ():
            if site.conflict("network", part.of, "vlan") is None:
                behind.setdefault(part.of, []).append((part, port))
        for pairs in behind.values():
            odd = [why for why in (_refused(*pair) for pair in pairs) if why]
            if odd and (pairs[0][0].rail is not None or len(odd) == len(pairs)):
                yield VlanClash(odd[0])


def _refused(part: FoundNetwork, port: Membership) -> str:
    """Empty if the port accepts what the network sends."""
    together = _together(part, port)
    if together is None:
        return _apart(part, port)
    return together.why if together.how is None else ""


def untagged_vlan(site: Site, row: NetworkRow, cards: Iterable[Card]) -> Said | None:
    """The one VLAN that the ports behind a network without a VLAN of its own have untagged."""
    access = [port.access for part, port in _behind(site, row, cards) if not part.number("vlan")]
    values = {said.value if said is not None else 0 for said in access}
    return access[0] if len(values) == 1 else None


def _behind(site: Site, row: NetworkRow, cards: Iterable[Card]) -> Iterator[tuple[FoundNetwork, Membership]]:
    """Each network of the row with the ports of the cards that it can take."""
    by_resource: dict[str, list[Card]] = {}
    by_rail: dict[int | None, list[Card]] = {}
    by_name: dict[str, list[Card]] = {}
    for card in cards:
        by_rail.setdefault(card.rail, []).append(card)
        by_name.setdefault(card.text("netdev"), []).append(card)
        for name in card.resources:
            by_resource.setdefault(name, []).append(card)
    for part in row.parts:
        resource = part.text("resource")
        on_rail = by_rail.get(part.rail, []) if part.rail is not None else []
        alone = by_name.get(part.text("master"), []) if part.rail is None else on_rail
        for card in by_resource.get(resource, []) if resource else alone:
            elsewhere = part.rail is not None and card.rail != part.rail  # a resource may be of all rails
            if not elsewhere and (port := membership_of(site, card)) is not None:
                yield part, port


def _together(part: FoundNetwork, port: Membership) -> _Tagging | None:
    """None if the port does not carry the network's VLAN at all, which the ids of the VLANs show."""
    said = part.fields.get("vlan")
    vlan = said.value if said is not None else 0
    where, own = " ".join(port.port), _sent(part)
    untagged = port.access.value if port.access is not None else None
    if vlan in port.tags:
        return _Tagging("vf", own)
    if not vlan and port.access is not None:
        return _Tagging("port", f"{where} has VLAN {untagged} untagged, {place(port.access.at)}; {own}")
    if vlan and vlan == untagged and port.access is not None:
        return _Tagging(None, f"{own}; {where} has it untagged, {place(port.access.at)}")
    return _Tagging(None, _apart(part, port)) if not vlan else None


def _sent(part: FoundNetwork) -> str:
    said = part.fields.get("vlan")
    if said is None or not said.value:
        return f"{part.of[1]} sends untagged, {place((said or part.fields['mode']).at)}"
    return f"{part.of[1]} sends VLAN {said.value} tagged, {place(said.at)}"


def _apart(part: FoundNetwork, port: Membership) -> str:
    """The VLAN of the network, and those of a port that does not carry it."""
    has = [f"VLAN {port.access.value} untagged, {place(port.access.at)}"] if port.access is not None else []
    if port.tagged is not None:
        none = "" if port.access is not None else " and none untagged"
        has.append(f"VLAN {', '.join(map(str, port.tags[:4]))} tagged{none}, {place(port.tagged.at)}")
    return f"{_sent(part)}; {' '.join(port.port)} has {', '.join(has)}"
