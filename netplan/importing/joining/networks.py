"""Networks, addresses of rails, GPUs and labels: what the objects of a cluster have against the inventory."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from netplan.importing.cards import label_of
from netplan.importing.facts import Site, place
from netplan.importing.hosts import gpus_said
from netplan.importing.joining.known import Change, Known
from netplan.importing.joining.pools import pool_changes
from netplan.importing.joining.renamed_networks import stated_names
from netplan.importing.joining.subnets import subnet_changes
from netplan.importing.networks import (
    SETTINGS,
    NetworkRow,
    rail_subnets,
)
from netplan.importing.pkeys import FIELD, written
from netplan.importing.pools_page import absent_pools
from netplan.importing.text import listed
from netplan.model.fabric import Network
from netplan.model.plan import Plan
from netplan.model.ranges import gathered
from netplan.model.values import natural

_IN_OBJECTS = ("sbr", "table")
"""Routing that the object of a network states; scripts and claims are elsewhere."""
_FIELDS = ("mode", "ipam", "routing", *SETTINGS)


def network_changes(
    known: Known, site: Site, rows: Sequence[NetworkRow], plan: Plan, objects: Container[str]
) -> Iterator[Change]:
    """Networks, and the pools of rails by subnet. A network that no dump has runs nothing yet, or is
    gone. ``objects``: files of Kubernetes objects, whose names are compared with the rendered ones."""
    stated = {network.name: network for network in known.fabric.networks}
    found: dict[str, list[NetworkRow]] = {}
    for name, row in stated_names(site, rows, stated, plan):
        found.setdefault(name, []).append(row)
    with_objects = {each.network.name for each in plan.kubernetes.attachments}
    for name, network in stated.items() if rows else ():
        if name not in found and name in with_objects:
            yield Change("gone", f"network {name}", known.written_at(network.at))
    for name, own in found.items():
        if name in stated:
            yield from _network(known, site, stated[name], own, plan)
            yield from _renamed(known, stated[name], own, plan, objects)
        else:
            there = listed("/".join(part.of) for row in own for part in row.parts)
            yield Change("new", f"network {name}", f"{there} ({place(own[0].first.fields['mode'].at)})")
    yield from _subnets(known, site, rows, plan)
    yield from pool_changes(known, site, rows, plan)
    for pool, part, drawn in absent_pools(site, (part for row in rows for part in row.parts)):
        yield Change("gone", f"pool {pool}", f"network {'/'.join(part.of)} draws on it ({place(drawn.at)})")


def _renamed(
    known: Known, network: Network, rows: Iterable[NetworkRow], plan: Plan, objects: Container[str]
) -> Iterator[Change]:
    planned = [each.name for each in plan.kubernetes.attachments if each.network.name == network.name]
    parts = [part for row in rows for part in row.parts if part.of[1] not in planned]
    others = [part for part in parts if part.fields["mode"].at.file not in objects]
    if planned and others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        at = place(others[0].fields["mode"].at)
        what = f"name: {listed(planned)} ({known.written_at(network.at)}) or {others[0].of[1]} ({at}){more}"
        yield Change("differs", f"network {network.name}", what)


def _network(
    known: Known, site: Site, network: Network, rows: Sequence[NetworkRow], plan: Plan
) -> Iterator[Change]:
    for row in rows:
        rails = f", rail {listed([*map(str, sorted(row.rails))])}" * (len(rows) > 1)
        for key, own, said, at in _unlike(network, row, plan):
            what = f"{key}: {own} ({known.at((*network.at, key))}) or {said} ({at})"
            yield Change("differs", f"network {network.name}{rails}", what)
        yield from subnet_changes(known, site, network, row)
    yield from _missing(known, network, rows, plan)


Unlike = Iterator[tuple[str, str, str, str]]
"""(key, what the inventory gives, what the objects have, where)."""


def _unlike(network: Network, row: NetworkRow, plan: Plan) -> Unlike:
    at = place(row.first.fields["mode"].at)
    yield from _settings(network, row, at)
    yield from _tags(network, row)
    if row.namespaces and {*row.namespaces} != {*network.namespaces}:
        yield "namespaces", listed(network.namespaces), listed(row.namespaces), at
    ours = (each for each in plan.kubernetes.resources if each.network == network.name)
    planned = [each.name for each in ours if not each.rails or row.rails.intersection(each.rails)]
    if row.resources and planned and {*row.resources} != {*planned}:
        where = row.first.fields.get("resource")
        yield "resource_name", listed(planned), listed(row.resources), place(where.at) if where else at


def _settings(network: Network, row: NetworkRow, at: str) -> Unlike:
    for key in _FIELDS:
        said, stated = row.first.fields.get(key), _stated(network, key)
        if said is not None and _text(said.value) != stated:
            yield key, stated, _text(said.value), place(said.at)
    if len(row.rails) > 1 and network.routing in _IN_OBJECTS and not row.first.text("routing"):
        yield "routing", network.routing, "none in the object", at


def _tags(network: Network, row: NetworkRow) -> Unlike:
    """Objects that send tagged where the port tags, and the reverse."""
    for part in row.parts if network.by_mode.tags else ():
        tagged, said = bool(part.number("vlan")), part.fields.get("vlan")
        if said is not None and tagged == (network.tagging == "port"):
            what = (
                f"{'/'.join(part.of)} with VLAN {said.value}" if tagged else f"{'/'.join(part.of)} untagged"
            )
            yield "tagging", network.tagging, what, place(said.at)
            return


def _stated(network: Network, key: str) -> str:
    return (
        written(network.pkey) if key == FIELD and network.pkey is not None else _text(getattr(network, key))
    )


def _text(value: object) -> str:
    """As an inventory has it: a range of VFs is two numbers."""
    if value is None:
        return "not stated"
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _missing(known: Known, network: Network, rows: Iterable[NetworkRow], plan: Plan) -> Iterator[Change]:
    """Rails of which the others have an object of the network, and one has none."""
    mine = (each.rails for each in plan.kubernetes.resources if each.network == network.name)
    there = {rail for row in rows for rail in row.rails}
    rails = {rail for each in mine for rail in each} - there
    if network.per_rail and there and rails:
        what = f"no object on rail {listed([*map(str, sorted(rails))])} ({known.written_at(network.at)})"
        yield Change("gone", f"network {network.name}", what)


def _subnets(known: Known, site: Site, rows: Sequence[NetworkRow], plan: Plan) -> Iterator[Change]:
    """Pools of rails that no segment of the rail has, or with another gateway."""
    planned: dict[int, dict[str, str]] = {}
    for segment in plan.addresses.segments:
        if segment.rail is not None and not segment.host_prefixes:
            own = planned.setdefault(segment.rail, {})
            own |= {str(each.network): str(each.gateway or "") for each in segment.subnets}
    for seen in rail_subnets(site, rows):
        own, network = planned.get(seen.rail, {}), str(seen.network)
        at, where = place(seen.said.at), known.at(("rails", "supernets"))
        if own and network not in own:
            yield Change(
                "differs", f"rail {seen.rail}", f"subnet: {listed([*own])} ({where}) or {network} ({at})"
            )
        elif own and seen.gateway not in ("", "?", own[network]):
            stated = own[network] or "no gateway"
            what = f"gateway of {network}: {stated} ({where}) or {seen.gateway} ({at})"
            yield Change("differs", f"rail {seen.rail}", what)


def node_changes(known: Known, site: Site) -> Iterator[Change]:
    """GPUs and labels of nodes that the inventory names; nodes alike in one change, with the place of the
    first."""
    found: dict[str, tuple[str, list[str]]] = {}
    for name in sorted(known.hosts, key=natural):
        if any(site.prefixed("node", (name,), "label/")):  # else no dump has the node
            for what, at in _of_node(known, site, name):
                found.setdefault(what, (at, []))[1].append(name)
    for what, (at, names) in found.items():
        yield Change("differs", gathered(names), f"{what} ({at})" if at else what)


def _of_node(known: Known, site: Site, name: str) -> Iterator[tuple[str, str]]:
    kind = known.hosts[name].type
    gpus = dict(gpus_said(site, name))
    said = gpus.get(kind.gpu_resource)
    if said is not None and said.value != kind.gpus:
        at = known.at((*kind.at, "gpus"))
        yield f"gpus: {kind.gpus} ({at}) or {said.value}", place(said.at)
    elif said is None and gpus:
        at, (other, seen) = known.at((*kind.at, "gpu_resource")), next(iter(gpus.items()))
        yield f"gpu_resource: {kind.gpu_resource} ({at}) or {other} {seen.value}", place(seen.at)
    host = known.hosts[name]
    stated = ((kind.node_selector, (*kind.at, "node_selector")), (host.labels, (*host.at, "labels")))
    for key, value, path in ((*pair, path) for labels, path in stated for pair in labels):
        own = label_of(site, name, key)
        if own != value:
            at = known.at(path)
            yield f"label {key}: {value} ({at}) or {'none' if own is None else own} on the node", ""
