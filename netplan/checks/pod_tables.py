"""NP64x and NP65x: back ends that choose their own routing tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric, Network
from netplan.model.plan import Plan
from netplan.model.workloads import RailRoutes, WorkloadPlan

LEAST = {
    "plugins": (1, 6, 0),
    "sriov_cni": (2, 10, 1),
    "whereabouts": (0, 8, 0),
}
"""Key of ``cluster.cni_plugins`` -> oldest sufficient version.

plugins: the main plugins honour ``table`` and ``scope`` of a route, and sbr has ``table``
(containernetworking/plugins pkg/ipam/ipam_linux.go, plugins/meta/sbr/main.go). sriov_cni: 2.10.0 is built
with a library of 2024-03 that drops ``table`` (k8snetworkplumbingwg/sriov-cni v2.10.0 go.mod:
containernetworking/plugins v1.4.2-0.20240312120516). whereabouts: the first that is built with a CNI release
whose Route has Table and Scope, 1.2.0 (its go.mod; containernetworking/cni pkg/types/types.go).
"""


def _by_table(fabric: Fabric) -> list[Network]:
    return [n for n in fabric.networks if n.by_routing.installs == "ipam"]


def _count(fabric: Fabric) -> int:
    return len(_by_table(fabric))


@check("NP643", "IPAM routes with tables need newer plugins", on=Fabric, counts=_count)
def too_old(fabric: Fabric) -> Iterator[Finding]:
    """`routing: table` writes routes with a table; plugins that are too old drop the table.

    **Why.** The rail's routes then end up in table main: its default route takes precedence over that of
    the pod network and the pod loses the cluster network, or ADD fails with "file exists". The rules
    point to an empty table.
    **Fix.** State the plugin versions of the nodes in `cluster.cni_plugins`; if they are too old, use
    `routing: sbr` or `script`.
    **Source.** containernetworking/plugins 3d27709f pkg/ipam/ipam_linux.go at v1.5.1 and v1.6.0;
    k8snetworkplumbingwg/sriov-cni v2.10.0 go.mod; measured with plugins 1.1.1 and 1.9.1.
    """
    for network in _by_table(fabric):
        asked = network.by_mode.table_programs, network.by_ipam.table_programs
        for program in (name for programs in asked for name in programs or ()):
            least = LEAST[program]
            stated = getattr(fabric.cluster.cni_plugins, program)
            if stated is None or stated < least:
                has = "does not state it" if stated is None else f"states {_text(stated)}"
                what = f"network {network.name} has routing table, which needs {program} {_text(least)}"
                yield Finding(
                    (*network.at, "routing"),
                    f"{what} or newer, cluster.cni_plugins {has}",
                    f"state {program} of the nodes in cluster.cni_plugins, or set routing: sbr or script",
                )


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


@check("NP644", "IPAM cannot put the routes of a network into tables", on=Fabric, counts=_count)
def not_by_ipam(fabric: Fabric) -> Iterator[Finding]:
    """The routes are part of the NetworkAttachmentDefinition, the same for every node and pod.

    **Why.** nv-ipam's routes have no table; a NAD cannot hold a gateway that differs from node to node;
    an on-link route has gateway 0.0.0.0, which was tested for IPv4 only.
    **Fix.** Set `routing: script`, which finds its gateway in the pod, or `sbr`.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34 pkg/cni/plugin/plugin.go (its routes have no table);
    containernetworking/plugins v1.6.0 pkg/ipam/ipam_linux.go.
    """
    for network in _by_table(fabric):
        if why := _why_not(fabric, network):
            what = f"network {network.name} has routing table, but {why}"
            yield Finding((*network.at, "routing"), what, "set routing: script or sbr")


def _why_not(fabric: Fabric, network: Network) -> str:
    rails = fabric.rails
    if network.by_ipam.table_programs is None:
        return f"ipam is {network.ipam}"
    if network.by_mode.table_programs is None:
        return f"mode is {network.mode}"
    if rails is None or not network.per_rail:
        return "it is not for each rail"
    if rails.segment == "host":
        return "rails.segment is host"
    if rails.gateway == "none":
        return "the rails have no gateway"
    if (v6 := rails.range_of(6)) is not None:
        return f"{v6.network} of the rails is IPv6"
    return ""


def _routes(plan: Plan) -> int:
    return sum(len(w.routes) for w in plan.workloads)


@check("NP645", "interfaces of a pod share a routing table", on=Plan, counts=_routes)
def shared_table(plan: Plan) -> Iterator[Finding]:
    """Two interfaces on one rail have the same subnet. Table and rule priority of rail r are 700 + r,
    whatever component writes them; the rule of `script` and `claim` is for the whole subnet, those of `sbr`
    and `table` are for an address.

    **Why.** The routes of the second interface replace or join those of the first, in the rail's table or in
    table main, or its packets match the rule of the first: packets from one address leave on the other
    interface.
    **Fix.** Give the workload one network per rail, or set `routing: sbr` for both.
    **Source.** ip-rule(8), ip-route(8): a table is looked up for every rule that names it, and rules are
    looked at by priority.
    """
    for w in plan.workloads:
        for group in _by_rail(w):
            if what := _shared(group):
                hint = "set routing: sbr for both, or give the workload one of the networks"
                yield Finding((*w.workload.at, "networks"), what.format(w.name), hint)


def _by_rail(w: WorkloadPlan) -> list[list[RailRoutes]]:
    """Interfaces that share a rail and an IP version, in the order in which they are attached."""
    found: dict[tuple[int, int], list[RailRoutes]] = defaultdict(list)
    for routes in w.routes:
        found[routes.rail, routes.version].append(routes)
    return [group for _, group in sorted(found.items()) if len(group) > 1]


def _shared(group: list[RailRoutes]) -> str:
    """What two interfaces of one subnet share, with {} for the workload; "" if nothing."""
    for one, other in combinations(group, 2):
        first, second = sorted((one.interface, other.interface))
        if one.table is not None and one.table == other.table:
            return f"interfaces {first} and {second} of {{}} both have routing table {one.table}"
        owner, guest = (one, other) if one.source is not None else (other, one)
        if owner.source is not None:
            rule = f"the rule of {owner.interface} of {{}} for packets from {owner.source}"
            return f"{rule} takes those of {guest.interface} too"
        if not one.tabled and other.connected_in_main:  # of equal routes the one added last comes first
            return f"interfaces {first} and {second} of {{}} have routes to one subnet in table main"
    return ""
