"""NP691, NP772, NP774 to NP776: networks: their routes and addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.attachments import attachments_of
from netplan.graph.kubernetes.cluster import NVIDIA, Nad, ObjectGraph, Pod
from netplan.graph.kubernetes.node_selection import on_one_node
from netplan.graph.kubernetes.producers import in_user_space
from netplan.graph.kubernetes.selections import pod_selections
from netplan.graph.kubernetes.supplies import pools_of
from netplan.reading.kubernetes.objects import META, listing, mapping
from netplan.rules.kubernetes.gateways import is_to_a_pod
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.static_addresses import ON_ONE_NODE, ignored_by_static

IPOIB = re.compile(r"ib(\d+|[ps]\d\w*)(\.[0-9a-f]{4})?\Z")
"""Names that the kernel and udev give to IPoIB interfaces."""


def networks(cluster: ObjectGraph) -> list[Nad]:
    return [n for n in cluster.networks if n.plugins]


_SETS_DEFAULT = re.compile(r"\bip\s+(?:-\S+\s+)*r(?:oute)?\s+(?:d|del|delete|replace|change|c)\s+default\b")


def _sets_default(pod: Pod) -> bool:
    """Whether a command of the pod takes away or replaces its default route, or it does without the cluster's
    DNS: it is meant to use another network."""
    if pod.spec.get("dnsPolicy") == "None":
        return True
    both = (*pod.containers("initContainers"), *pod.containers())
    words = (str(word) for _, c in both for key in ("command", "args") for word in listing(c.get(key)))
    return any(map(_SETS_DEFAULT.search, words))


def _attached(cluster: ObjectGraph) -> list[Nad]:
    """Networks that pods of the tree attach in addition to the pod network, none of which moves the default
    route or sets its own: where one does, the route is meant."""
    if cluster.whole:
        return networks(cluster)
    chosen: set[int] = set()
    meant: set[int] = set()
    for pod in cluster.pods:
        attached = [a.definitions for a in attachments_of(cluster, pod) if a.definitions]
        found = meant if _is_meant(pod, attached) else chosen
        found.update(id(network) for definitions in attached for network in definitions)
    return [n for n in networks(cluster) if id(n) in chosen - meant and not _N6.search(n.name)]


def _is_meant(pod: Pod, attached: Sequence[Sequence[Nad]]) -> bool:
    """``attached``: definitions of each of its networks."""
    moved = any(selection.default_route for selection in pod_selections(pod) or ())
    return moved or any(all(map(_leads_back, each)) for each in attached) or _sets_default(pod)


_OF_CLUSTER = 16
"""Longest prefix of pods and services of a cluster: kubeadm and k3s give them /16, home clusters less."""


def _leads_back(network: Nad) -> bool:
    """Whether its routes lead to prefixes as large as those of the pods and services of a cluster, and none
    anywhere else."""
    routes = [route for _, ipam in network.ipams for route in listing(ipam.get("routes"))]
    targets = (str(mapping(route).get("dst")) for route in routes)
    lengths = (dst.rpartition("/")[2] for dst in targets if "/" in dst and "." in dst)
    wide = any(length.isdecimal() and 0 < int(length) <= _OF_CLUSTER for length in lengths)
    return wide and not any(map(_is_default, routes))


_N6 = re.compile(r"(?:\A|[-_.])n6(?:[-_.]|net|\Z)")
"""The way of a UPF to the data network, whose default route is meant (3GPP TS 23.501, reference point N6)."""


def _unattached(cluster: ObjectGraph) -> list[Nad]:
    attached = {id(network) for network in _attached(cluster)}
    return [n for n in networks(cluster) if id(n) not in attached]


@rule("NP772", "default route on a secondary network", on=_attached, severity=Severity.WARNING)
def default_route(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """A default route of an attachment takes precedence over that of the pod network, unless sbr moves it. To
    a pod that is the gateway on the same bridge or link, it is meant.

    **Why.** The pod's other traffic, to the API server, DNS and other pods, leaves on the rail and is lost.
    **Fix.** Write the prefixes of the fabric as routes, or chain sbr without a table.
    **Source.** containernetworking/plugins 3d27709 pkg/ipam/ipam_linux.go (RouteAddEcmp: the kernel puts a
    second default before the first).
    """
    yield from _default_routes(cluster, network)


@rule("NP691", "network with a default route", on=_unattached, severity=Severity.INFO)
def may_be_default(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """A default route of an attachment takes precedence over that of the pod network; no pod in the
    directory shows what is intended.

    **Why.** A pod that needs the cluster network loses access to it.
    **Fix.** Write the prefixes of the fabric as routes, unless the network is meant to carry the pods'
    default traffic.
    **Source.** containernetworking/plugins 3d27709 pkg/ipam/ipam_linux.go (RouteAddEcmp).
    """
    yield from _default_routes(cluster, network)


_WITHOUT_ROUTES = frozenset({"userspace", "cilium-cni"})
"""Main plugins that set no route of the IPAM: userspace writes its result into a file for DPDK or VPP
(intel/userspace-cni-network-plugin userspace/cni/cni.go), cilium-cni takes its routes from the agent
(cilium/cilium plugins/cilium-cni/cmd/cmd.go)."""


def _stays(cluster: ObjectGraph, network: Nad) -> bool:
    """Whether the pod's own default route stays in use: sbr moves that of the network, or there is none."""
    moved = any(p.get("type") == "sbr" and "table" not in p for _, p in network.plugins)
    of_dpdk = network.types[0] == "sriov" and in_user_space(cluster, network)
    without = network.types[0] in _WITHOUT_ROUTES or of_dpdk
    return (moved and not cluster.whole) or without


def _is_chosen(cluster: ObjectGraph, network: Nad) -> bool:
    """Whether the same network is in the file under another name without routes: pods choose."""

    def make() -> dict[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for each in networks(cluster):
            if not _states_routes(each):
                found.setdefault((each.thing.file, _without_routes(each)), set()).add(each.name)
        return found

    without = cluster.once("networks without routes", make)
    alike = without.get((network.thing.file, _without_routes(network)), set())
    return _states_routes(network) and bool(alike - {network.name})


def _states_routes(network: Nad) -> bool:
    return any(ipam.get("routes") for _, ipam in network.ipams)


def _without_routes(network: Nad) -> str:
    plain = [{key: value for key, value in p.items() if key != "name"} for p in network.chain]
    for plugin in plain:
        if isinstance(plugin.get("ipam"), dict):
            plugin["ipam"] = {key: value for key, value in plugin["ipam"].items() if key != "routes"}
    return json.dumps(plain, sort_keys=True)


def _default_routes(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    if _stays(cluster, network) or (not cluster.whole and _is_chosen(cluster, network)):
        return
    for at, ipam in network.ipams:
        yield from _stated_default(cluster, network, at, ipam)
        for pool in pools_of(cluster, network, ipam):
            routes = () if pool is None else listing(pool.spec.get("routes"))
            named = next((f"has a route to {r['dst']}" for r in routes if _is_default(r)), "")
            if pool is not None and pool.spec.get("defaultGateway") is True:
                named = "sets defaultGateway"
            if named:
                message = f"{pool} {named}, and nothing moves the route"
                hint = "chain sbr, or write routes of the fabric into the pool"
                yield ObjectFinding(network.thing, (*at, "poolName"), message, hint)


def _stated_default(
    cluster: ObjectGraph, network: Nad, at: Path, ipam: dict[str, Any]
) -> Iterator[ObjectFinding]:
    for index, route in enumerate(listing(ipam.get("routes"))):
        if _is_default(route) and (cluster.whole or not is_to_a_pod(cluster, network, ipam, route)):
            message = f"its addresses come with a default route, {route['dst']}, and nothing moves it"
            yield ObjectFinding(network.thing, (*at, "routes", index), message, "write the fabric's prefixes")


def _is_default(route: Any) -> bool:
    return mapping(route).get("dst") in ("0.0.0.0/0", "::/0") and "table" not in route


@rule("NP774", "key that no release has", on=networks, severity=Severity.WARNING)
def unreleased(_: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """Some keys exist only on a development branch or in recent releases, or are those of another IPAM:
    static reads `addresses`, `routes` and `dns`, and no range, subnet or gateway beside them.

    **Why.** A released plugin or CRD silently ignores them.
    **Fix.** Remove the key, or make sure the version in the cluster has it.
    **Source.** containernetworking/plugins 3d27709f plugins/meta/sbr/main.go at v1.9.1 (gateways,
    addSourceHints are on main only), 3d27709 plugins/ipam/static/main.go (IPAMConfig);
    Mellanox/network-operator (metaPlugins of MacvlanNetwork and HostDeviceNetwork after v26.7.0-rc.2).
    """
    for at, plugin in network.plugins:
        for key in ("gateways", "addSourceHints") if plugin.get("type") == "sbr" else ():
            if key in plugin:
                message = f"sbr has {key} on its main branch only, in no release up to 1.9.1"
                yield ObjectFinding(network.thing, (*at, key), message, "remove it")
    for at, ipam in network.ipams:
        if lost := ignored_by_static(ipam):
            message = f"static ignores {', '.join(lost)}: it reads addresses, routes and dns"
            hint = "write addresses, or take an IPAM that has ranges"
            yield ObjectFinding(network.thing, (*at, lost[0]), message, hint)
    if network.thing.group == NVIDIA and network.thing.get(*META):
        kind = network.thing.kind
        when = "in no release up to 26.7" if kind == "IPoIBNetwork" else "after release 26.7 only"
        message = f"{kind} has metaPlugins {when}"
        yield ObjectFinding(
            network.thing, META, message, "write the NAD by hand, or make sure of the release"
        )


def _on_master(cluster: ObjectGraph) -> list[Nad]:
    """In files of others: of netplan's own hosts the link layer is known, whatever an interface is called."""
    own = cluster.whole or cluster.site is not None
    return [] if own else [n for n in networks(cluster) if n.types[0] in ("macvlan", "ipvlan")]


@rule("NP775", "macvlan or ipvlan on InfiniBand", on=_on_master)
def master(_: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """An IPoIB interface has no Ethernet address, so macvlan and ipvlan l2 cannot use it. Known by its name;
    not asked of what netplan rendered, whose inventory has the link layer.

    **Why.** The pod does not start: failed to create macvlan: invalid argument.
    **Fix.** Use IPoIBNetwork or the ipoib plugin; for virtual functions, ib-sriov.
    **Source.** torvalds/linux 5847994d drivers/net/macvlan.c (macvlan_port_create: ARPHRD_ETHER only);
    Mellanox/network-operator#1017; Mellanox/k8s-rdma-shared-dev-plugin#95.
    """
    at, plugin = network.plugins[0]
    interface = plugin.get("master")
    if isinstance(interface, str) and IPOIB.match(interface):
        message = f"the master of {network.types[0]} is {interface}, an IPoIB interface"
        yield ObjectFinding(network.thing, (*at, "master"), message, "use the ipoib plugin")


def users(cluster: ObjectGraph, network: Nad) -> list[Pod]:
    """Pods that attach the network."""
    return [pod for pod in cluster.pods if any(network in a.networks for a in attachments_of(cluster, pod))]


def _node_local(cluster: ObjectGraph) -> list[Nad]:
    return [n for n in networks(cluster) if any(i.get("type") == "host-local" for _, i in n.ipams)]


@rule("NP776", "host-local for pods on several nodes", on=_node_local, severity=Severity.WARNING)
def host_local(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """host-local keeps its leases in files on the node, which other nodes do not see.

    **Why.** Two nodes give the same address to two pods of one subnet.
    **Fix.** Use nv-ipam or whereabouts; host-local is for a range that only one node has.
    **Source.** containernetworking/plugins 3d27709 plugins/ipam/host-local/backend/disk/backend.go (leases
    below /var/lib/cni/networks); k8snetworkplumbingwg/multus-cni#640, #1150, #144, #278.
    """
    if network.types[0] in ON_ONE_NODE:
        return
    for pod in users(cluster, network):
        if (pod.replicas or 1) > 1 and not on_one_node(pod.spec):
            at = next(at for at, ipam in network.ipams if ipam.get("type") == "host-local")
            runs = f"{pod.thing} at {pod.thing.source(())} runs {pod.replicas} or more pods"
            message = f"host-local, and {runs} on it"
            yield ObjectFinding(network.thing, (*at, "type"), message, "use nv-ipam or whereabouts")
            return
