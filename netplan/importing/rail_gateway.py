"""``rails.gateway``: which address of its subnet the gateway of a rail has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.facts import Site, place
from netplan.importing.gateway_owner import other_gateways, pool_gateways
from netplan.importing.networks import NetworkRow, SeenSubnet
from netplan.importing.numbering import gateway_word
from netplan.importing.pool_clashes import pool_clash, pools_of
from netplan.importing.second_addresses import clashing
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo
from netplan.model.values import parse_address


def gateway_entry(site: Site, rows: Iterable[NetworkRow], seen: Sequence[SeenSubnet]) -> Mapping[str, Entry]:
    """Whatever the ranges are: the default may be another one than that which pods have."""
    on_rails = [row for row in rows if row.rails]
    asked = pool_clash(site, pools_of(on_rails), "gateway")
    if not (asked or seen):
        drawn = (part.fields.get("pool") for row in on_rails for part in row.parts)
        said = next(filter(None, drawn), None)
        return (
            {} if said is None else {"gateway": todo("first, last or none", f"{_NO_POOL}, {place(said.at)}")}
        )
    return {"gateway": asked or _gateway(site, seen)}


_NO_POOL = "the pools that networks of the rails draw on are in no dump"


def _gateway(site: Site, seen: Sequence[SeenSubnet]) -> Entry:
    others = other_gateways(site)
    if clashes := [others[str(subnet.network)] for subnet in seen if str(subnet.network) in others]:
        return todo("first, last or none; sources disagree about the gateway", listed(dict.fromkeys(clashes)))
    if clash := next(_other_interfaces(site, seen), ""):
        return todo("first, last or none; decide, sources disagree", clash)
    words = {gateway_word(subnet.network, subnet.gateway) for subnet in seen}
    if len(words) == 1 and (word := words.pop()):
        return Entry(word, place(seen[0].said.at))
    what = "first, last or none"
    if any(parse_address(s.gateway) is not None and not gateway_word(s.network, s.gateway) for s in seen):
        what = f"{INEXPRESSIBLE}: a gateway that is neither the first nor the last address; {what} moves it"
    return todo(what, _gateways(site, seen))


def _other_interfaces(site: Site, seen: Iterable[SeenSubnet]) -> Iterator[str]:
    """VLAN interfaces of the rails that two files give two addresses."""
    places = {subnet.said.at for subnet in seen}
    for kind, one, other, text in clashing(site):
        if kind == "svi" and places & {one.at, other.at}:
            yield text


def _gateways(site: Site, seen: Sequence[SeenSubnet]) -> str:
    """The first gateway of each kind (neither, first, last, none), and what the pool of its subnet has."""
    kinds = {gateway_word(s.network, s.gateway): s for s in reversed(seen)}
    pools = pool_gateways(site)
    told = []
    for word, subnet in sorted(kinds.items()):
        said = pools.get(str(subnet.network), ("", None))[1] if subnet.leaf else None
        also = f", its pool {said.value} ({place(said.at)})" if said is not None else ""
        where = f"rail {subnet.rail}{' ' * bool(subnet.leaf)}{subnet.leaf}"
        told.append(
            f"{where} {subnet.gateway or 'none'} ({word or 'neither'}, {place(subnet.said.at)}){also}"
        )
    return "; ".join(told)
