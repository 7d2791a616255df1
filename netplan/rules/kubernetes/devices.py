"""NP669 to NP672: a resource and its devices: prefix, VLAN, RDMA, link type."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ANY, SRIOV, Nad, ObjectGraph, pool_names
from netplan.graph.kubernetes.producers import Producer, producers_of
from netplan.graph.kubernetes.tags import vlan_of_master
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.wanted_resources import Want, wanted


@dataclass(frozen=True, slots=True)
class Prefixed:
    """An object and the places in it that name a policy's resource with a prefix. ``likely``: the prefix that
    most objects have, ``tied`` if another has as many; ``named``: who names each resource; ``alone``: whether
    networks and pods of its folder all have one other prefix."""

    thing: Thing
    wants: list[Want]
    likely: str
    tied: bool
    named: dict[str, list[Thing]]
    alone: bool


def _by_policy(cluster: ObjectGraph) -> list[Prefixed]:
    """Empty if a Helm value states the prefix. An object counts once for each prefix it has; of prefixes with
    as many objects, the likely one is that of more networks."""
    if cluster.prefix != ANY:
        return []
    made: dict[str, set[str]] = {}
    for full in cluster.made:
        made.setdefault(full.rpartition("/")[2], set()).add(full.rpartition("/")[0])
    places: dict[int, list[Want]] = {}
    named: dict[str, dict[int, Thing]] = {}
    owners: dict[str, dict[int, bool]] = {}
    for want in wanted(cluster):
        prefix, _slash, name = want.resource.rpartition("/")
        if prefix != ANY and made.get(name) == {ANY}:
            places.setdefault(id(want.thing), []).append(want)
            named.setdefault(want.resource, {})[id(want.thing)] = want.thing
            owners.setdefault(prefix, {})[id(want.thing)] = want.on_network
    counted = {prefix: (len(each), sum(each.values())) for prefix, each in owners.items()}
    ranked = sorted(counted, key=lambda prefix: counted[prefix], reverse=True)
    tied = len(ranked) > 1 and counted[ranked[0]][0] == counted[ranked[1]][0]
    who = {resource: [*things.values()] for resource, things in named.items()}
    setups = _setups(places.values())
    return [
        Prefixed(wants[0].thing, wants, ranked[0], tied, who, _folder(wants[0]) in setups)
        for wants in places.values()
    ]


def _folder(want: Want) -> str:
    return posixpath.dirname(want.thing.file)


def _setups(places: Iterable[list[Want]]) -> set[str]:
    """Folders that each have networks and pods under one prefix: of another platform, where the prefix is
    another one."""
    found: dict[str, set[tuple[str, bool]]] = {}
    for want in chain.from_iterable(places):
        found.setdefault(_folder(want), set()).add((want.resource.rpartition("/")[0], want.on_network))
    one = {folder for folder, own in found.items() if len(own) == len({kind for _, kind in own}) == 2}
    return {folder for folder in one if len({prefix for prefix, _ in found[folder]}) == 1}


@rule("NP669", "resources of one operator under two prefixes", on=_by_policy, severity=Severity.WARNING)
def one_prefix(_: ObjectGraph, found: Prefixed) -> Iterator[ObjectFinding]:
    """The SR-IOV operator advertises all resources under one prefix, RESOURCE_PREFIX. Of a folder of others
    whose networks and pods all have another one it is a note: it may be for another platform.

    **Why.** Nothing is advertised under the other prefix: the pod stays Pending, and the NAD gets no device.
    **Fix.** Use one prefix in NADs and pods; `kubectl describe node` shows the operator's.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200
    deployment/sriov-network-operator-chart/values.yaml (resourcePrefix),
    controllers/sriovnetworknodepolicy_controller.go.
    """
    others = [w for w in found.wants if not w.resource.startswith(f"{found.likely}/")]
    if others:
        first = others[0]
        likely = f"{found.likely}/{first.resource.rpartition('/')[2]}"
        whole = {want.resource for want in others}
        more = and_more(len(whole) - 1, "resource")
        message = f"{first.resource}{more} has a different prefix from {_whose(found, likely)}"
        either = "use one prefix, the operator's: kubectl describe node shows it"
        hint = either if found.tied else f"write {likely}"
        yield ObjectFinding(found.thing, first.at, message, hint, unsure=found.alone)


def _whose(found: Prefixed, likely: str) -> str:
    """A resource under the likely prefix, with those that name it, or with one that names another."""
    users = found.named.get(likely, [])
    if not users:
        likely, users = next((r, who) for r, who in found.named.items() if r.startswith(f"{found.likely}/"))
    return f"{likely}, which {'other objects use' if len(users) > 1 else f'{users[0]} uses'}"


Tagged = tuple[Nad, Path, int]
"""Network, place of its VLAN, the VLAN ID."""


def _sharing(cluster: ObjectGraph) -> list[tuple[str, list[Tagged]]]:
    """Pools and ranges, each with the networks that take addresses from it and state a VLAN."""
    found: dict[str, list[Tagged]] = {}
    for network in cluster.networks:
        tagged = _tagged(network)
        if tagged is not None:
            for name in (name for _, ipam in network.ipams for name in _sources(network, ipam)):
                found.setdefault(name, []).append((network, *tagged))
    return list(found.items())


def _sources(network: Nad, ipam: dict[str, Any]) -> Iterator[str]:
    yield from (f"pool {kind} {name}" for kind, name in pool_names(network, ipam))
    if ipam.get("type") == "whereabouts" and isinstance(ipam.get("range"), str):
        own = f" of {ipam['network_name']}" if ipam.get("network_name") else ""
        yield f"range {ipam['range']}{own}"


def _tagged(network: Nad) -> tuple[Path, int] | None:
    """The VLAN of the main plugin, stated or by the name of its host interface, and where."""
    for at, plugin in network.plugins[:1]:
        vlan = plugin.get("vlan")
        if type(vlan) is int and vlan:
            return (*at, "vlan"), vlan
        if not vlan and (vlan := vlan_of_master(plugin)) is not None:
            return (*at, "master"), vlan
    return None


@rule("NP670", "pool shared by two VLANs", on=_sharing, severity=Severity.WARNING)
def one_vlan(cluster: ObjectGraph, found: tuple[str, list[Tagged]]) -> Iterator[ObjectFinding]:
    """Addresses of one subnet belong to one VLAN: that of `vlan`, or of a `master` such as bond0.20. For a
    range without a gateway and routes, of networks in two namespaces, it is a note in files of others.

    **Why.** Pods treat each other as neighbours, but their ARP requests stay in their own VLAN; the
    gateway is in only one of the two.
    **Fix.** Give each VLAN a pool of its own, or both networks the same VLAN.
    **Source.** RFC 1122 3.3.1.1; Mellanox/nvidia-k8s-ipam 3ce4a34c README.md (a pool is one subnet).
    """
    name, (first, *others) = found
    for network, at, vlan in others:
        if vlan != first[2] and cluster.together(network.thing, first[0].thing):
            message = f"it uses addresses of {name} in VLAN {vlan}, but {first[0]} does so in VLAN {first[2]}"
            hint, unsure = "give each VLAN a pool of its own", _are_islands(name, network, first[0])
            yield ObjectFinding(network.thing, at, message, hint, unsure=unsure)
            return


def _are_islands(source: str, *networks: Nad) -> bool:
    """Whether the addresses are of a range, not a pool, of networks of two namespaces, and no way leads out
    of either: two tenants may have the same private prefix."""
    ipams = [ipam for network in networks for _, ipam in network.ipams]
    two = len({network.namespace for network in networks}) > 1
    return two and source.startswith("range ") and not any(i.get("gateway") or i.get("routes") for i in ipams)


def _with_policies(cluster: ObjectGraph) -> list[tuple[Nad, list[Thing]]]:
    found = ((n, cluster.policies_of(n)) for n in cluster.networks if n.plugins)
    return [(network, policies) for network, policies in found if policies]


@dataclass(frozen=True, slots=True)
class Offered:
    """A place that makes VFs with or without RDMA, and the networks on them. ``value``: of `isRdma` there;
    ``stray``: where it stands beside the selectors."""

    thing: Thing
    at: Path
    value: Any
    networks: list[Nad]
    stray: Path = ()


def _with_networks(cluster: ObjectGraph) -> list[Offered]:
    """Policies and entries of the SR-IOV device plugin with the networks that take their VFs, without those
    that another one gives RDMA."""
    found: dict[tuple[int, Path], Offered] = {}
    for network in (n for n in cluster.networks if n.plugins and n.resource):
        makers = producers_of(cluster, network.resource or "")
        places = [p for m in makers if cluster.together(network.thing, m.thing) for p in _places_of_rdma(m)]
        with_rdma = any(place.value is True for place in places)
        for place in places:
            offered = found.setdefault((id(place.thing), place.at), place)
            offered.networks.extend([] if with_rdma else [network])
    return [*found.values()]


def _places_of_rdma(maker: Producer) -> Iterator[Offered]:
    if maker.config is not None:
        entry = next(entry for at, entry in maker.config.entries if at == maker.at)
        stray: Path = (*maker.at, "isRdma") if "isRdma" in entry else ()
        for selected in () if maker.config.shared else maker.selected:
            yield Offered(maker.thing, (*selected.at, "isRdma"), selected.given.get("isRdma"), [], stray)
    elif maker.thing.group == SRIOV:
        yield Offered(maker.thing, ("spec", "isRdma"), maker.thing.spec.get("isRdma"), [])


@rule("NP671", "policy without RDMA for a network with RDMA", on=_with_networks, severity=Severity.WARNING)
def rdma_devices(_: ObjectGraph, found: Offered) -> Iterator[ObjectFinding]:
    """The device plugin passes on the RDMA device files of VFs whose policy or selector has `isRdma: true`
    only.

    **Why.** The rdma plugin moves the RDMA device into the pod, and /dev/infiniband is missing there: no
    program can open it.
    **Fix.** Write `isRdma: true` into the policy, or into the selector of the device plugin.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetworknodepolicy_types.go
    (isRdma, false by default); k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 README.md
    (isRdma mounts the RDMA devices; a selector since bd43f356).
    """
    moving = [n for n in found.networks if "rdma" in n.types or n.chain[0].get("rdmaIsolation") is True]
    if moving and found.value in (None, False):
        stated = "isRdma is not set" if found.value is None else "isRdma is false"
        at, hint = found.at, "write isRdma: true"
        if found.stray:
            at, hint = found.stray, "move it into selectors"
            stated = "isRdma stands beside selectors, where the device plugin does not read it"
        more = and_more(len(moving) - 1, "network")
        yield ObjectFinding(found.thing, at, f"{stated}, but the chain of {moving[0]}{more} has RDMA", hint)


_LINKS = {"sriov": ("ib", "eth", "InfiniBand"), "ib-sriov": ("eth", "ib", "Ethernet")}
"""Plugin -> link type it cannot use, the one it needs, and the first as text."""


@rule("NP672", "network on VFs of the wrong link type", on=_with_policies, between=True)
def link_type(_: ObjectGraph, found: tuple[Nad, list[Thing]]) -> Iterator[ObjectFinding]:
    """SriovNetwork and the sriov plugin are for Ethernet, SriovIBNetwork and ib-sriov for InfiniBand.

    **Why.** The plugin sets a VLAN or GUID, which the other link type does not have, and fails; the pod
    does not start.
    **Fix.** Use the other kind of network, or correct `linkType` of the policy.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go (CniType of
    SriovIBNetwork), api/v1/sriovnetworknodepolicy_types.go (linkType); k8snetworkplumbingwg/ib-sriov-cni
    543060da README.md.
    """
    network, policies = found
    wrong, needed, words = _LINKS.get(network.types[0], ("", "", ""))
    kinds = {str(p.spec.get("linkType")).lower() for p in policies}
    if wrong and kinds == {wrong}:
        policy = policies[0]
        place = policy.source(("spec", "linkType"))
        message = f"{network.types[0]} needs linkType {needed}, but its VFs are {words}: {policy} at {place}"
        yield ObjectFinding(
            network.thing, network.resource_at, message, f"write linkType: {needed}, or change the kind"
        )
