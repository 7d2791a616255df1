"""Networks beside the rails that only some nodes have, by the selectors of their pools, and VLANs that are
another network on each leaf: an inventory has a network for whole host types, and a VLAN once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from netaddr import IPNetwork

from netplan.importing.cards import label_of
from netplan.importing.facts import Said, Site, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow, kinds_of, subnet_of_pool
from netplan.importing.text import INEXPRESSIBLE, Entry, todo
from netplan.model.inventory_text import flow_list
from netplan.model.ranges import gathered
from netplan.model.values import parse_network

SELECTS = "selects"
"""Field of a pool, with a key of labels: the values that its nodes have."""
_WAY_OUT = "remove network and subnet here and keep their objects"


def hosts_of_pool(site: Site, row: NetworkRow, kinds: Sequence[HostKind]) -> Mapping[str, Entry]:
    """``hosts`` of a network on no rail whose pool selects some of the nodes that have its HCAs."""
    selects = dict(site.prefixed("pool", (row.first.text("pool"),), f"{SELECTS}/"))
    own = kinds_of(row, kinds)
    chosen = {node for kind in own for node in kind.nodes if _has(site, node, selects)}
    whole = [kind.name for kind in own if chosen.issuperset(kind.nodes)]
    if row.rails or not selects or not chosen or len(whole) == len(own):
        return {}
    key, said = next(iter(selects.items()))
    shown = f"the pool selects {key}: {', '.join(map(str, _values(said)))} ({place(said.at)})"
    return {"hosts": _some(own, chosen, shown) or Entry(flow_list(whole), shown)}


def selected_nodes(site: Site, pool: str, nodes: Iterable[str]) -> list[str] | None:
    """Those of the nodes with the labels by which a pool selects; None where it selects by none."""
    selects = dict(site.prefixed("pool", (pool,), f"{SELECTS}/"))
    return [node for node in nodes if _has(site, node, selects)] if selects else None


def _some(kinds: Iterable[HostKind], chosen: Set[str], shown: str) -> Entry | None:
    """None if no host type has hosts of both kinds."""
    for kind in kinds:
        own = [node for node in kind.nodes if node in chosen]
        if own and len(own) < len(kind.nodes):
            what = f"{INEXPRESSIBLE}: a network of some hosts of {kind.name}: {shown}, {gathered(own)}"
            return todo(what, f"give them a host type of their own, or {_WAY_OUT}")
    return None


def _values(said: Said) -> tuple[object, ...]:
    return said.value if isinstance(said.value, tuple) else (said.value,)


def _has(site: Site, node: str, selects: Mapping[str, Said]) -> bool:
    return all(label_of(site, node, key) in _values(said) for key, said in selects.items())


def vlans_of_leaves(site: Site, rows: Iterable[NetworkRow]) -> dict[str, Entry]:
    """Network -> the question, for those on no rail in one VLAN whose interfaces are on different switches,
    each in the subnet of one of them."""
    found: dict[int, list[tuple[str, str, Said]]] = {}
    for row in rows:
        seen, vlan = subnet_of_pool(site, row.first.text("pool")), row.first.number("vlan")
        for switch, said in _interfaces(site, vlan, seen[0]) if seen and vlan and not row.rails else ():
            found.setdefault(vlan or 0, []).append((row.name, switch, said))
    entries: dict[str, Entry] = {}
    for vlan, mine in found.items():
        leaves: dict[str, set[str]] = {}
        for name, switch, _ in mine:
            leaves.setdefault(name, set()).add(switch)
        if len(leaves) > 1 and sum(map(len, leaves.values())) == len(set().union(*leaves.values())):
            shown = " and ".join(f"{switch} {said.value} ({place(said.at)})" for _, switch, said in mine[:2])
            what = f"{INEXPRESSIBLE}: VLAN {vlan} is another network on each leaf: {shown}"
            entries |= dict.fromkeys(leaves, todo(what, f"another VLAN on each leaf, or {_WAY_OUT}"))
    return entries


def _interfaces(site: Site, vlan: int, network: IPNetwork) -> Iterator[tuple[str, Said]]:
    for of in site.every("svi"):
        for address, said in site.prefixed("svi", of, "address/") if of[1] == str(vlan) else ():
            own = parse_network(address)
            if own is not None and own.ip in network:
                yield of[0], said
