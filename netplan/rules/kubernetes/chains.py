"""NP770, NP771: the plugin chain of a network."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.reading.kubernetes.objects import CONFIG, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.networks import networks, users
from netplan.rules.kubernetes.registry import ObjectFinding, rule

CHAIN = ("rdma", "coordinator", "tuning", "sbr")
"""Order of the chained plugins in netplan's own tree; sbr moves only routes that exist by then
(containernetworking/plugins v1.9.1 plugins/meta/sbr/main.go, doRoutes)."""
WRITE_ROUTES = frozenset({"coordinator", "route-override"})
"""Chained plugins that add or change routes."""
_RANKS = {kind: CHAIN.index(kind) for kind in CHAIN} | dict.fromkeys(WRITE_ROUTES, CHAIN.index("coordinator"))
META_PLUGINS = frozenset({*CHAIN, "bandwidth", "route-override", "portmap", "firewall"})
"""Plugins that modify an interface created by another one."""


@rule("NP770", "plugin chain that fails", on=networks)
def chain_works(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """A chain begins with a plugin that creates an interface; every plugin has a type. That of OVN-Kubernetes
    names its own NAD and has no IPAM plugin; NADs of one of its networks agree (a note in files of others
    that nothing joins).

    **Why.** rdma, tuning, sbr and others act on the interface created before them and fail without one.
    ib-sriov with rdmaIsolation moves the RDMA device itself, so a chained rdma no longer finds it.
    OVN-Kubernetes refuses the NAD: net-attach-def name is inconsistent with config; so does kube-ovn:
    server_socket is required in cni.conf.
    **Fix.** Put the interface's plugin first; write the NAD's own namespace/name into netAttachDefName.
    **Source.** containernetworking/plugins 3d27709 plugins/meta/sbr/main.go (must be called as chained
    plugin); k8snetworkplumbingwg/multus-cni#1351; k8snetworkplumbingwg/ib-sriov-cni 543060d
    cmd/ib-sriov-cni/main.go (RdmaIsolation);
    ovn-org/ovn-kubernetes 6c366bb go-controller/pkg/util/multi_network.go (ValidateNetConf, canReconcile);
    kubeovn/kube-ovn 023c8e1 cmd/cni/cni.go (loadNetConf).
    """
    for at, plugin in network.plugins:
        lacking = not isinstance(plugin.get("type"), str) or not plugin["type"]
        if lacking and not network.thing.partial and not _is_store(cluster, network):
            yield ObjectFinding(network.thing, at, "a plugin has no type", 'add "type"')
    at, _first = network.plugins[0]
    types = network.types
    if types[0] in META_PLUGINS:
        message = f"the chain begins with {types[0]}, which needs an existing interface"
        yield ObjectFinding(network.thing, at, message, "put the plugin that creates the interface first")
    for (at, plugin), kind in zip(network.plugins, types, strict=True):
        if kind == "ib-sriov" and plugin.get("rdmaIsolation") is True and "rdma" in types:
            message = "rdmaIsolation moves the RDMA device, but rdma is chained too"
            yield ObjectFinding(network.thing, (*at, "rdmaIsolation"), message, "remove one of the two")
        if kind in CHAIN and _again(cluster, network, at, kind):
            yield ObjectFinding(network.thing, at, f"{kind} is chained twice", "remove one")
        yield from _without_socket(network, at, plugin)
        if kind == _OVN and plugin.get("name") != "default":
            yield from _of_ovn(cluster, network, at, plugin)


_SOCKET = "server_socket"
_KUBE_OVN = "kube-ovn"


def _without_socket(network: Nad, at: Path, plugin: dict[str, Any]) -> Iterator[ObjectFinding]:
    """kube-ovn asks its daemon, as a plugin and as an IPAM."""
    ipam = mapping(plugin.get("ipam"))
    own, place = (plugin, at) if plugin.get("type") == _KUBE_OVN else (ipam, (*at, "ipam"))
    stated = plugin.get(_SOCKET) or ipam.get(_SOCKET)
    if own.get("type") == _KUBE_OVN and not stated and not network.thing.partial:
        near = next(iter(difflib.get_close_matches(_SOCKET, [*map(str, own)], 1)), "")
        hint = f"write {_SOCKET} in place of {near}" if near else "write the path of the daemon's socket"
        message = f"kube-ovn needs {_SOCKET}, which is missing"
        yield ObjectFinding(network.thing, (*place, near) if near else place, message, hint)


def _of_ovn(cluster: ObjectGraph, network: Nad, at: Path, plugin: dict[str, Any]) -> Iterator[ObjectFinding]:
    ipam = mapping(plugin.get("ipam")).get("type")
    if ipam and not templated(ipam):
        message = f"ovn-k8s-cni-overlay does not run the IPAM plugin {ipam}"
        hint = "remove ipam" if plugin.get("subnets") else "write subnets instead of ipam"
        yield ObjectFinding(network.thing, (*at, "ipam"), message, hint)
    yield from _unlike_others(cluster, network, at, plugin)
    named = plugin.get("netAttachDefName")
    final = network.thing.file not in cluster.tree.renamed and not templated(network.name)
    if not isinstance(named, str) or templated(named) or not final:
        return
    namespace = network.namespace or named.rpartition("/")[0] or "default"
    if not templated(namespace) and named != f"{namespace}/{network.name}":
        message = f"netAttachDefName is {named}, not {namespace}/{network.name}"
        hint = f"write {namespace}/{network.name}, the namespace and name of this NAD"
        yield ObjectFinding(network.thing, (*at, "netAttachDefName"), message, hint)


_OVN = "ovn-k8s-cni-overlay"
_OF_NETWORK = (
    "topology",
    "mtu",
    "vlanID",
    "allowPersistentIPs",
    "role",
    "subnets",
    "excludeSubnets",
    "joinSubnet",
)
"""What all NADs of a network of OVN-Kubernetes state alike (ovn-org/ovn-kubernetes 6c366bb4
go-controller/pkg/util/multi_network.go, canReconcile)."""


def _unlike_others(
    cluster: ObjectGraph, network: Nad, at: Path, plugin: dict[str, Any]
) -> Iterator[ObjectFinding]:
    """NADs of one network, which its name says, are made from one configuration; the first one counts."""
    name = _network_name(network, plugin)
    first, other = cluster.once("networks of OVN-Kubernetes", lambda: _first_of_ovn(cluster))[name]
    unlike = [key for key in _OF_NETWORK if _plain(plugin.get(key)) != _plain(other.get(key))]
    final = name and not any(templated(each.get(key)) for each in (plugin, other) for key in _OF_NETWORK)
    if unlike and final and first is not network and cluster.together(first.thing, network.thing):
        key = unlike[0]
        values = [repr(each.get(key)) if key in each else "not set" for each in (plugin, other)]
        message = f"{key} of network {name} is {values[0]}, in {first.thing} {values[1]}"
        hint = "write the same in all NADs of a network, or give it a name of its own"
        unsure = not cluster.joined(first.thing, network.thing)
        yield ObjectFinding(network.thing, (*at, key) if key in plugin else at, message, hint, unsure=unsure)


def _first_of_ovn(cluster: ObjectGraph) -> dict[str, tuple[Nad, dict[str, Any]]]:
    """Name of a network of OVN-Kubernetes -> its first NAD, and the plugin there."""
    found: dict[str, tuple[Nad, dict[str, Any]]] = {}
    for network in networks(cluster):
        for _, plugin in network.plugins:
            if plugin.get("type") == _OVN:
                found.setdefault(_network_name(network, plugin), (network, plugin))
    return found


def _network_name(network: Nad, plugin: dict[str, Any]) -> str:
    config = mapping(network.thing.texts.get(CONFIG))
    name = config.get("name") or plugin.get("name")
    return name if isinstance(name, str) and not templated(name) else ""


def _plain(value: Any) -> Any:
    """A list of subnets in any order, also as one text."""
    return sorted(part.strip() for part in value.split(",")) if isinstance(value, str) else value or None


def _is_store(cluster: ObjectGraph, network: Nad) -> bool:
    """Whether it states an IPAM alone and no pod attaches it: a controller with an IPAM of its own reads it
    (neondatabase/autoscaling pkg/neonvm/ipam)."""
    stated = {key for plugin in network.chain for key, value in plugin.items() if value not in (None, "")}
    return "ipam" in stated and stated <= {"ipam", "name", "cniVersion"} and not users(cluster, network)


def _again(cluster: ObjectGraph, network: Nad, at: Path, kind: str) -> bool:
    """Whether another plugin of this type precedes the one at ``at``. Two tuning plugins work: one for the
    MAC address that a pod asks for, one for sysctls."""
    if kind == "tuning" and not cluster.whole:
        return False
    first = next(place for place, plugin in network.plugins if plugin.get("type") == kind)
    return first != at


@rule("NP771", "plugin chain in the wrong order", on=networks, severity=Severity.WARNING)
def order(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """sbr comes after plugins that write routes (coordinator, route-override). netplan writes rdma,
    tuning, sbr.

    **Why.** sbr moves the routes it finds into a table of its own; routes written later stay in table main.
    **Fix.** Put sbr last.
    **Source.** containernetworking/plugins 3d27709 plugins/meta/sbr/main.go (doRoutes).
    """
    if network.types[0] in META_PLUGINS:  # NP770 reports it
        return
    placed = [(at, t) for (at, _plugin), t in zip(network.plugins, network.types, strict=True)]
    if not cluster.whole:
        placed = [(at, kind) for at, kind in placed if kind in WRITE_ROUTES or kind == "sbr"]
    for (_at, before), (at, kind) in pairwise((at, kind) for at, kind in placed if kind in _RANKS):
        if _RANKS[kind] < _RANKS[before]:
            message = f"{kind} comes after {before}"
            yield ObjectFinding(network.thing, at, message, "put sbr last in the chain, tuning before it")
