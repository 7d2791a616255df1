"""NP6xx: how packets leave the pods: routes, addresses, traffic class and GID."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.plan import Plan
from netplan.model.workloads import collective_networks


def _workloads(plan: Plan) -> int:
    return len(plan.workloads)


def _used(fabric: Fabric) -> Iterator[tuple[Workload, Network]]:
    return ((w, n) for w in fabric.workloads for n in w.networks)


def _used_count(fabric: Fabric) -> int:
    return sum(1 for _ in _used(fabric))


@check("NP606", "stated variable or annotation that netplan derives", on=Plan, counts=_workloads)
def env_collision(plan: Plan) -> Iterator[Finding]:
    """Derived values follow from the inventory; a second value would contradict them or go stale.

    **Why.** An NCCL_IB_TC that does not match the switches' DSCP puts training traffic into a lossy
    queue; a second list of networks replaces the rails.
    **Fix.** Remove it from `env` or `annotations`, or change the key it follows from. If a cloud
    prescribes another value, state it with the reason: `{value: ..., reason: ...}`.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_TC and NCCL_IB_HCA;
    k8snetworkplumbingwg/multus-cni 95a09323 docs/how-to-use.md: one annotation lists all networks of a pod.
    """
    for w in plan.workloads:
        stated = dict(w.workload.env)
        for name, count in Counter(e.name for e in w.env).items():
            if count > 1:
                derived = next(e.value for e in w.env if e.name == name)
                what = f"variable {name} of {w.name} is stated as {stated[name]} and derived as {derived}"
                hint = f"remove {name} from env, or state value and reason if it is prescribed"
                yield Finding((*w.workload.at, "env", name), what, hint)
        for name, count in Counter(name for name, _ in w.annotations).items():
            if count > 1:
                what = f"annotation {name} of {w.name} is stated, but netplan derives it from the networks"
                at = (*w.workload.at, "annotations", name)
                yield Finding(at, what, f"remove {name} from annotations")


def _scripted(plan: Plan) -> int:
    return sum(bool(w.scripted) for w in plan.workloads)


@check(
    "NP653",
    "no container runs the script that installs rail routes",
    on=Plan,
    counts=_scripted,
    severity=Severity.WARNING,
)
def no_image_for_the_script(plan: Plan) -> Iterator[Finding]:
    """`routing: script` runs in an init container with the workload's own image.

    **Why.** Without an image the patches contain no init container: pods start, but their rails carry
    nothing to other subnets.
    **Fix.** State `image`, or run pods/<workload>/rail-routes.sh in the pods by other means and accept
    this finding.
    **Source.** kubernetes.io/docs/concepts/workloads/pods/init-containers; netplan's own rule: the script
    runs in the workload's own image.
    """
    for w in plan.workloads:
        if w.scripted and w.workload.image is None:
            names = ", ".join(dict.fromkeys(n.name for n in w.workload.networks if n.by_routing.script))
            what = f"workload {w.name} states no image, but network {names} has routing script"
            yield Finding(w.workload.at, what, "state image, or run rail-routes.sh by other means")


def _routed_networks(fabric: Fabric) -> int:
    return sum(n.by_routing.routed for n in fabric.networks)


@check("NP608", "rail routes cannot be installed", on=Fabric, counts=_routed_networks)
def unroutable(fabric: Fabric) -> Iterator[Finding]:
    """Source-based routing needs an address from an IPAM that also knows the gateway.

    **Why.** sbr without a gateway adds a rule but no default route, so traffic to other subnets leaves on
    the pod network. On routed IPv6 host links netplan's script cannot derive the gateway from the
    address.
    **Fix.** Give the rails a gateway and the network an IPAM with pools, or set `routing: none`.
    **Source.** containernetworking/plugins 3d27709f plugins/meta/sbr/main.go; behaviour measured with the
    real plugin.
    """
    for network in fabric.networks:
        why = _why_unroutable(fabric, network) if network.by_routing.routed else ""
        if why:
            hint = "set routing: none, or give the network a gateway and nv-ipam, whereabouts or host-local"
            yield Finding(
                (*network.at, "routing"),
                f"network {network.name} has routing {network.routing}, but {why}",
                hint,
            )


def _pools(plan: Plan) -> int:
    return len(plan.kubernetes.pools)


@check(
    "NP617",
    "pool routes reach a network that does not want them",
    on=Plan,
    counts=_pools,
    severity=Severity.WARNING,
)
def unwanted_routes(plan: Plan) -> Iterator[Finding]:
    """nv-ipam gives the routes of a pool to every network that uses it, and only sbr moves them out of
    table main.

    **Why.** With `routing: none` they stay in main, where the last interface wins for every rail.
    **Fix.** Give both networks `routing: sbr` or `script`, or segments of their own.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c pkg/cni/plugin/plugin.go; behaviour measured with the real
    plugins.
    """
    routed = {pool.name for pool in plan.kubernetes.pools if pool.routes and pool.segment.rail is not None}
    for attachment in plan.kubernetes.attachments:
        network, ipam = attachment.network, attachment.ipam
        if ipam is None or network.by_routing.routed:
            continue
        shared = sorted(routed & set(ipam.pools))
        if shared:
            what = f"{attachment.name} takes addresses from pool {shared[0]}, but does not move its routes"
            yield Finding((*network.at, "routing"), what, "set routing: sbr or script for this network too")


def _why_unroutable(fabric: Fabric, network: Network) -> str:
    """Reason, or "". NP644, NP646 and NP649 cover the other back ends."""
    installs = network.by_routing.installs
    if installs not in ("sbr", "script"):
        return ""
    if not network.by_ipam.addresses and not fabric.cluster.owners.of_devices.moves_interface:
        return f"ipam is {network.ipam}"
    return _why_not_sbr(fabric, network) if installs == "sbr" else _why_not_script(fabric, network)


def _why_not_sbr(fabric: Fabric, network: Network) -> str:
    rails, subnet = fabric.rails, network.subnet
    if network.ipam == "static":
        return f"ipam is {network.ipam}"
    if network.by_ipam.one_gateway and rails is not None and len(rails.families) > 1:
        return f"{network.ipam} hands out the gateway of one address family only"
    if subnet is not None:
        return f"subnet {subnet.name} has no gateway" if subnet.gateway is None else ""
    return "the rails have no gateway" if rails is None or rails.gateway == "none" else ""


def _why_not_script(fabric: Fabric, network: Network) -> str:
    rails = fabric.rails
    if network.subnet is not None:
        return "the script installs only routes of rails"
    if rails is not None and rails.segment == "host" and 6 in rails.families:
        return "the rails are routed IPv6 host links"
    return ""


def _rail_networks(fabric: Fabric) -> int:
    return sum(n.per_rail and n.by_ipam.addresses for n in fabric.networks)


@check(
    "NP609",
    "rails that should reach each other are not routed",
    on=Fabric,
    counts=_rail_networks,
    severity=Severity.WARNING,
)
def not_routed(fabric: Fabric) -> Iterator[Finding]:
    """`cross_rail: any` means that every rail reaches every other rail, which needs a gateway per rail.

    **Why.** NCCL picks NICs of different rails for a connection and fails with retry errors, although ping on
    one rail works.
    **Fix.** Set `rails.gateway`, or `fabric.cross_rail: aligned`, which makes NCCL stay on its rail.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_CROSS_NIC.
    """
    rails = fabric.rails
    if fabric.type == "roce" and rails is not None and rails.gateway == "none" and fabric.cross_rail == "any":
        what = "fabric.cross_rail is any, but rails.gateway is none, so no rail reaches another"
        yield Finding(
            ("fabric", "cross_rail"), what, "set fabric.cross_rail to aligned or rails.gateway to first"
        )


SPARSE_SEARCH = (2, 26, 2)
"""First NCCL that continues its search past a hole in the GID table (NVIDIA/nccl v2.26.2-1
src/transport/net_ib.cc, ncclIbRoceGetVersionNum: EINVAL; not in v2.25.1-1)."""


@check(
    "NP611",
    "NCCL version cannot find the GID of macvlan pods",
    on=Fabric,
    counts=_used_count,
    severity=Severity.WARNING,
)
def sparse_gids(fabric: Fabric) -> Iterator[Finding]:
    """The GID of a macvlan or ipvlan pod is in the PF's table, at an index that differs from pod to pod.

    **Why.** No fixed NCCL_IB_GID_INDEX works, and before 2.26.2 NCCL's own search stops at the first gap
    in the table: "read failed in ncclIbRoceGetVersionNum".
    **Fix.** Use NCCL 2.26.2 or newer in the image, or `mode: sriov`.
    **Source.** k8snetworkplumbingwg/multus-cni#1100; NVIDIA/nccl#1573 and #1587.
    """
    for w, network in ((each, n) for each in fabric.workloads for n in collective_networks(each)):
        if network.by_mode.gids == "pf" and w.nccl_version is not None and w.nccl_version < SPARSE_SEARCH:
            version, least = (".".join(map(str, each)) for each in (w.nccl_version, SPARSE_SEARCH))
            what = (
                f"{w.name} has NCCL {version} on {network.mode} network {network.name}, {least} or "
                "newer is needed"
            )
            hint = f"use an image with NCCL {least} or newer, or mode sriov"
            yield Finding((*w.at, "nccl_version"), what, hint)


@check("NP613", "static address shared by several pods", on=Fabric, counts=_used_count)
def static_addresses(fabric: Fabric) -> Iterator[Finding]:
    """All pods of a workload come from the same template and so have the same static addresses.

    **Why.** Several pods answer ARP for one address; traffic goes to whichever answered last.
    **Fix.** Use nv-ipam, whereabouts or host-local.
    **Source.** containernetworking/plugins 3d27709f plugins/ipam/static.
    """
    for w, network in _used(fabric):
        pods = w.nodes * w.pods_per_node
        if network.ipam == "static" and pods > 1:
            what = f"workload {w.name} runs {pods} pods at once, but network {network.name} has ipam static"
            yield Finding((*network.at, "ipam"), what, "set ipam to nv-ipam or whereabouts")


@check("NP614", "RDMA traffic of a workload without a single lossless class", on=Fabric, counts=_used_count)
def no_class(fabric: Fabric) -> Iterator[Finding]:
    """A pod has one traffic class byte, NCCL_IB_TC, for all its RDMA traffic.

    **Why.** Without it NCCL sends DSCP 0, which is best effort; packets of best effort and of any other
    lossy class are lost under load.
    **Fix.** Set `traffic_class` of the network to a lossless class, the same for all networks of a workload.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_TC.
    """
    if fabric.qos is None or fabric.type != "roce":
        return
    names = ", ".join(c.name for c in fabric.qos.lossless)
    networks = {n.name: n for _, n in _used(fabric)}
    for network in networks.values() if names else ():
        if network.traffic_class is None:
            has = f"network {network.name} states no traffic_class"
            what = f"{has}, fabric.qos has the lossless classes {names}"
            yield Finding(network.at, what, f"set traffic_class to one of {names}")
    for w in fabric.workloads:
        yield from _not_one_lossless(w, names)


def _not_one_lossless(w: Workload, lossless: str) -> Iterator[Finding]:
    """``lossless``: names of the lossless classes, for the hint; "" if there are none."""
    used = {n.traffic_class.name: n for n in collective_networks(w) if n.traffic_class is not None}
    if len(used) > 1:
        what = (
            f"the rails of {w.name} have traffic classes {', '.join(sorted(used))}, but a pod can use "
            "only one"
        )
        hint = "give the networks one traffic_class, or write two workloads"
        yield Finding((*w.at, "networks"), what, hint)
        return
    for name, n in used.items() if lossless else ():
        if n.traffic_class is not None and not n.traffic_class.lossless:
            what = f"traffic_class {name} of network {n.name}, on the rails of {w.name}, is not lossless"
            yield Finding((*n.at, "traffic_class"), what, f"name one of {lossless}")
