"""NP634 and NP635: sockets not bound to an address, in workloads that declare them."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Network
from netplan.model.plan import Plan
from netplan.model.workloads import RailRoutes, WorkloadPlan

HINT = "set routing: script for {}, or bind every socket to the address of a rail and remove unbound_traffic"


def _unbound(plan: Plan) -> Iterator[tuple[WorkloadPlan, Network, RailRoutes]]:
    """Per workload with such sockets, network and address family: the routes of the first interface."""
    for w in plan.workloads:
        if w.workload.unbound_traffic:
            of = {nic.interface: nic.attachment.network for nic in w.nics}
            first = {(of[r.interface].name, r.version): r for r in reversed(w.routes)}
            yield from ((w, of[r.interface], r) for r in reversed(first.values()))


def _count(plan: Plan) -> int:
    return sum(1 for _ in _unbound(plan))


@check("NP634", "unbound sockets leave on the pod network", on=Plan, counts=_count)
def not_in_main(plan: Plan) -> Iterator[Finding]:
    """A socket without a source address uses table main only, and sbr moves the rails' routes out of it.

    **Why.** With `routing: sbr` the connected routes are in the rail's table, which only packets from its
    address use. An rdma_cm client without a source address resolves to the pod network, which is not an
    RDMA device; TCP meant for the rails goes over the pod network.
    **Fix.** Set `routing: script`, which leaves the connected routes in main, or bind every socket.
    **Source.** containernetworking/plugins v1.9.1 plugins/meta/sbr/main.go, doRoutes (deletes the interface's
    routes in table main); measured with 1.1.1 and 1.9.1.
    """
    told = set()
    for w, network, routes in _unbound(plan):
        if not routes.connected_in_main and (w.name, network.name) not in told:
            told.add((w.name, network.name))
            what = (
                f"workload {w.name} has unbound_traffic true, and network {network.name} has routing "
                f"{routes.back_end}: such sockets leave on the pod network"
            )
            yield Finding((*w.workload.at, "unbound_traffic"), what, HINT.format(network.name))


@check("NP635", "unbound sockets do not reach the other nodes of their rail", on=Plan, counts=_count)
def no_supernet(plan: Plan) -> Iterator[Finding]:
    """With a subnet per node, table main needs a route to the rail's other subnets.

    **Why.** The connected route covers only the node's own link; everything else that is not bound to an
    address follows the pod's default route, over the pod network.
    **Fix.** Set `routing: script`, which adds a route for the rail's whole prefix to main, or bind every
    socket.
    **Source.** ip-rule(8): a rule `from` an address does not match a socket without one. Measured in network
    namespaces: 10 of 12 flows arrive without the rail's prefix in table main, 12 of 12 with it.
    """
    for w, network, routes in _unbound(plan):
        if routes.subnet is None and routes.connected_in_main and not routes.main_via:
            what = (
                f"workload {w.name} has unbound_traffic true, network {network.name} has routing "
                f"{routes.back_end} and each node its own IPv{routes.version} subnets: table main has no way "
                "to the others"
            )
            yield Finding((*w.workload.at, "unbound_traffic"), what, HINT.format(network.name))
