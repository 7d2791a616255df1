"""Subnets of networks that are on no rail: what the objects of a cluster have against the inventory."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import Site, place
from netplan.importing.joining.known import Change, Known
from netplan.importing.networks import NetworkRow, subnet_of_pool
from netplan.importing.text import listed
from netplan.model.fabric import Network, Subnet
from netplan.model.values import parse_address, parse_network

Unlike = tuple[str, str, str, str]
"""Key of the subnet, what the inventory has, what the objects have, where."""


def subnet_changes(known: Known, site: Site, network: Network, row: NetworkRow) -> Iterator[Change]:
    subnet = network.subnet
    if subnet is None or row.rails:
        return
    for key, own, said, at in (*_vlan(network, subnet, row), *_range(site, subnet, row)):
        what = f"{key}: {own} ({known.at((*subnet.at, key))}) or {said} ({at})"
        yield Change("differs", f"subnet {subnet.name}", what)


def _vlan(network: Network, subnet: Subnet, row: NetworkRow) -> Iterator[Unlike]:
    """Where the VF tags: what the ports have untagged is not in the object."""
    said = row.first.fields.get("vlan")
    own = subnet.vlan.id if subnet.vlan is not None else 0
    if said is not None and said.value and network.tagging != "port" and said.value != own:
        yield "vlan", f"{own or 'none'}", f"VLAN {said.value}", place(said.at)


def _range(site: Site, subnet: Subnet, row: NetworkRow) -> Iterator[Unlike]:
    pool = row.first.text("pool")
    seen = subnet_of_pool(site, pool)
    if seen is None:
        return
    network, gateway, said = seen
    if network != subnet.cidr:
        yield "cidr", str(subnet.cidr), str(network), place(said.at)
    stated = parse_address(gateway)
    if gateway != "?" and stated != subnet.gateway:
        yield "gateway", f"{subnet.gateway or 'none'}", gateway or "none", place(said.at)
    routes = dict(site.prefixed("pool", (pool,), "route/"))
    found = {parse_network(text) for text in routes}
    if gateway and found != {*subnet.routes}:
        at = place(next(iter(routes.values())).at) if routes else place(said.at)
        yield "routes", listed(map(str, subnet.routes)) or "none", listed(routes) or "none", at
