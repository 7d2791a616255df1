"""NP618: rails with a subnet of its own for every node."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.fabric import Fabric, Network, Workload


def _on_own_links(fabric: Fabric) -> tuple[Network, ...]:
    rails = fabric.rails
    if rails is None or rails.segment != "host":
        return ()
    return tuple(n for n in fabric.networks if n.per_rail and n.by_ipam.addresses)


def _users(fabric: Fabric, network: Network) -> tuple[Workload, ...]:
    return tuple(w for w in fabric.workloads if network in w.networks)


def _nodes(fabric: Fabric, network: Network) -> int:
    """Nodes that pods of a network may be on; all if no workload uses it."""
    return max((len(w.hosts) for w in _users(fabric, network)), default=len(fabric.hosts))


@check(
    "NP618",
    "pods do not reach the other nodes of their rail",
    on=Fabric,
    counts=lambda fabric: len(_on_own_links(fabric)),
)
def no_way_to_other_nodes(fabric: Fabric) -> Iterator[Finding]:
    """With `rails.segment: host` each node has its own subnet on each rail: pods need a gateway and a route
    to it, whatever `fabric.cross_rail` is.

    **Why.** Without the route a packet to another node's pod leaves on the pod network; a queue pair looks
    for the peer on its own link, where nobody answers ARP.
    **Fix.** Set `rails.gateway: first`, and `routing: sbr` or `script` for the network.
    **Source.** RFC 1122 section 3.3.1: what is not on the link is sent to a gateway; torvalds/linux 7483d45f
    drivers/infiniband/core/addr.c (RoCE looks the route up in the pod).
    """
    for network in _on_own_links(fabric):
        if _nodes(fabric, network) > 1 and (fault := _fault(fabric, network)):
            at, why, hint = fault
            what = f"pods of network {network.name} do not reach those of other nodes: each node has its own"
            yield Finding(at, f"{what} subnets, and {why}", hint)


def _fault(fabric: Fabric, network: Network) -> tuple[Path, str, str] | None:
    """(place, why, what to do). Networks of workloads with unbound sockets are for NP635; NP608, NP644,
    NP646 and NP649 say that the other ways to route need a gateway."""
    rails = fabric.rails
    if rails is None or network.by_routing.installs not in ("nothing", "script"):
        return None
    if rails.gateway == "none":
        return (*rails.at, "gateway"), "rails.gateway is none", "set rails.gateway: first"
    if not network.by_routing.routed and not any(w.unbound_traffic for w in _users(fabric, network)):
        ways = "sbr" if 6 in rails.families else "sbr or script"  # NP608
        return (*network.at, "routing"), "routing is none", f"set routing: {ways}"
    return None
