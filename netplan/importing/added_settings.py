"""What networks of rails have beyond those of the dumps: sysctls of pods, routes and gateways of their pools.
No key of an inventory leaves them out, so that they come with the first rollout."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from netplan.importing.facts import Remark, Site
from netplan.importing.kubernetes.networks import KIND, SYSCTLS
from netplan.importing.networks import FoundNetwork, NetworkRow
from netplan.model.modes import mode_of
from netplan.model.values import parse_network

_CHAINS = ("SriovNetwork", "NetworkAttachmentDefinition")
"""Kinds whose objects have chained plugins in every release."""
_TUNED = "netplan adds the tuning plugin, which sets arp_ignore 1, arp_announce 2 and rp_filter 0 in pods"
_GATED = "netplan gives all pools of rails one, as other pools or the leaves have"
_ROUTED = "netplan adds routes to the other networks of the rails"


def added_settings(site: Site, rows: Iterable[NetworkRow]) -> Iterator[Remark]:
    """Of networks on rails of Ethernet."""
    interfaces = _interfaces(site)
    for row in rows:
        mode = mode_of(row.first.text("mode"))
        if not row.rails or mode is None or not mode.attached or mode.link == "infiniband":
            continue
        pools = dict.fromkeys(pool for part in row.parts for pool in part.pools)
        several = len(pools) > 1
        yield from _gateways(site, pools, interfaces)
        for part in row.parts:
            if SYSCTLS not in part.fields and any(f"{KIND}{kind}" in part.fields for kind in _CHAINS):
                what = f"network {'/'.join(part.of)} without sysctls: {_TUNED}"
                yield Remark(part.fields["mode"].at, what, alike=_TUNED)
            yield from _routes(site, part) if several else ()


def _gateways(site: Site, pools: Iterable[str], interfaces: Container[str]) -> Iterator[Remark]:
    """Pools without one, beside others that have one, or in the subnet of a VLAN interface."""
    stated = {pool: site.said("pool", (pool,), "gateway") for pool in pools}
    for pool in (pool for pool, said in stated.items() if said is None and not _has_gateway(site, pool)):
        subnet = site.said("pool", (pool,), "subnet")
        if subnet is not None and (any(stated.values()) or str(subnet.value) in interfaces):
            yield Remark(subnet.at, f"pool {pool} without a gateway: {_GATED}", alike=_GATED, value=pool)


def _has_gateway(site: Site, pool: str) -> bool:
    """One that dumps disagree about, or one for each node."""
    of = (pool,)
    return bool(site.about("pool", of, "gateway")) or any(site.prefixed("pool", of, "gateway"))


def _interfaces(site: Site) -> set[str]:
    """Subnets of VLAN interfaces."""
    texts = (text for of in site.every("svi") for text, _ in site.prefixed("svi", of, "address/"))
    return {str(network.cidr) for network in map(parse_network, texts) if network is not None}


def _routes(site: Site, part: FoundNetwork) -> Iterator[Remark]:
    """Where the routes are moved by sbr: else no pool of a rail has any."""
    for pool in part.pools if part.text("routing") in ("sbr", "table") else ():
        gateway = site.said("pool", (pool,), "gateway")
        if gateway is not None and not any(site.prefixed("pool", (pool,), "route/")):
            yield Remark(gateway.at, f"pool {pool} without routes: {_ROUTED}", alike=_ROUTED)
