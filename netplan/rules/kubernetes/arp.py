"""NP529: how several attachments of one pod affect each other in its network namespace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.addresses import IpNetwork
from netplan.graph.kubernetes.attachments import attachments_of
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, Pod, same_resource
from netplan.graph.kubernetes.selections import annotation_at
from netplan.graph.kubernetes.supplies import supplies_of
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.pods import rdma_resources
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.subnets import may_route

RAIL_SYSCTLS: Mapping[str, tuple[int, ...]] = {
    "arp_ignore": (1, 2),
    "arp_announce": (2,),
    "rp_filter": (0, 2),
}
"""Setting -> accepted values; the kernel uses the greater of ``all`` and the interface
(docs.kernel.org/networking/ip-sysctl.html)."""

ETHERNET = frozenset({"sriov", "host-device", "macvlan"})
"""Main plugins whose interfaces answer ARP in the pod."""


Shared = tuple[str, str, IpNetwork]
"""Two interfaces and the subnet of both."""


@dataclass(frozen=True, slots=True)
class Crowded:
    """A pod and its interfaces that answer ARP, each with its network. ``settings``: values by sysctl.
    ``silent``: none sets any of these sysctls; ``subnet``: the first that two of the interfaces share."""

    pod: Pod
    attached: tuple[tuple[str, Nad], ...]
    settings: Mapping[str, list[int]]
    silent: bool
    subnet: Shared | None


def _crowded(cluster: ObjectGraph) -> list[Crowded]:
    """Pods with several such interfaces. In files of others only if some network of the pod sets one of these
    sysctls, or two interfaces share a subnet: whoever sets none may set them on the node or in a script."""
    found = []
    for pod in cluster.pods:
        attached = tuple(_answering(cluster, pod))
        settings = _settings(pod, attached)
        stated = {key.rpartition(".")[2] for key in settings} & RAIL_SYSCTLS.keys()
        silent = not cluster.whole and not stated
        shared = _shared(cluster, attached) if silent and not may_route(pod) else None
        if len(attached) > 1 and (shared or not silent):
            found.append(Crowded(pod, attached, settings, silent, shared))
    return found


def _shared(cluster: ObjectGraph, attached: Sequence[tuple[str, Nad]]) -> Shared | None:
    """The first two interfaces with RDMA, of different networks, that are surely in one subnet."""
    rails = {id(n): (nic, n) for nic, n in attached[:_MOST] if _has_rdma(cluster, n)}.values()
    subnets = [(nic, s.subnet) for nic, n in rails for s in supplies_of(cluster, n) if s.subnet]
    pairs = ((a, b, net) for (a, net), (b, other) in combinations(subnets, 2) if a != b and net == other)
    return next(pairs, None)


def _has_rdma(cluster: ObjectGraph, network: Nad) -> bool:
    resource = network.resource
    made = resource is not None and any(same_resource(resource, name) for name in rdma_resources(cluster))
    return made or "rdma" in network.types


_MOST = 64
"""Limit on interfaces of one pod that are compared with each other."""


def _answering(cluster: ObjectGraph, pod: Pod) -> Iterator[tuple[str, Nad]]:
    """Attachments with addresses; NP758 reports names that do not exist."""
    for attachment in attachments_of(cluster, pod):
        network = attachment.network
        if network is not None and network.types and network.types[0] in ETHERNET and network.ipams:
            yield attachment.interface, network


def _settings(pod: Pod, attached: tuple[tuple[str, Nad], ...]) -> dict[str, list[int]]:
    """Values by sysctl, from the tuning plugins of the networks and from the pod's own security context."""
    stated = [(key, value) for nic, network in attached for key, value in _sysctls(network, nic)]
    for entry in listing(inside(pod.spec, ("securityContext", "sysctls"))):
        stated.append((str(inside(entry, ("name",))), inside(entry, ("value",))))
    found: dict[str, list[int]] = {}
    for key, value in stated:
        if str(value).isdecimal() and len(str(value)) < 4:
            found.setdefault(key, []).append(int(value))
    return found


def _sysctls(network: Nad, interface: str) -> Iterator[tuple[str, Any]]:
    for plugin in network.chain:
        for key, value in mapping(plugin.get("sysctl")).items():
            yield key.replace("IFNAME", interface).replace("/", "."), value


@rule("NP529", "ARP flux between the rails of a pod", on=_crowded, severity=Severity.WARNING)
def answers(cluster: ObjectGraph, crowded: Crowded) -> Iterator[ObjectFinding]:
    """An interface answers ARP for its own addresses only, uses them as ARP source, and accepts packets
    from any rail. Said at the first of the pods on the same networks. In files of others, where no network of
    a pod sets any of this, it is a note about two rails in one subnet: nodes or scripts may set it.

    **Why.** By default Linux answers for any address of the host on any interface: a peer then sends to the
    wrong VF, ping works and RoCE fails. Strict reverse-path filtering drops packets from another rail,
    and with arp_filter the wrong interface answers unless source rules, such as those of sbr, lead back.
    **Fix.** Chain tuning with arp_ignore 1, arp_announce 2 and rp_filter 0 for IFNAME on every rail.
    **Source.** torvalds/linux 60a2f25d net/ipv4/arp.c (arp_ignore); Mellanox/network-operator b06827e0
    README.md; docs.kernel.org networking/ip-sysctl (arp_ignore, arp_announce, rp_filter).
    """
    thing, at = crowded.pod.thing, annotation_at(crowded.pod)
    for problem in _problems(cluster, crowded):
        first, *others = cluster.once("pods with ARP flux", lambda: _pods_by_problem(cluster))[problem]
        if first is crowded.pod:
            message, hint = problem
            more = and_more(len(others), "pod")
            yield ObjectFinding(thing, at, f"{message}{more}", hint, unsure=crowded.silent)


Problem = tuple[str, str]
"""Message and hint: pods on the same networks have the same ones."""


def _pods_by_problem(cluster: ObjectGraph) -> dict[Problem, list[Pod]]:
    found: dict[Problem, list[Pod]] = {}
    for crowded in _crowded(cluster):
        for problem in _problems(cluster, crowded):
            found.setdefault(problem, []).append(crowded.pod)
    return found


def _problems(cluster: ObjectGraph, crowded: Crowded) -> list[Problem]:
    if any(templated(value) for _, n in crowded.attached for _, value in _sysctls(n, "")):
        return []
    if crowded.subnet is not None:
        first, second, subnet = crowded.subnet
        message = f"{first} and {second} are both in {subnet}, and no network of the pod sets arp_ignore"
        return [(message, "set arp_ignore, arp_announce and rp_filter in a tuning plugin of each network")]
    return list(dict.fromkeys((*_unset(crowded), *_filtering(cluster, crowded))))


def _filtering(cluster: ObjectGraph, crowded: Crowded) -> Iterator[Problem]:
    found: dict[int, tuple[Nad, list[str]]] = {}
    for interface, network in crowded.attached:
        if _filters(network, interface) and (cluster.whole or "sbr" not in network.types):
            found.setdefault(id(network), (network, []))[1].append(interface)
    for network, interfaces in found.values():
        verb = "sets" if len(interfaces) == 1 else "set"
        message = f"{', '.join(interfaces)} ({network.thing}) {verb} arp_filter"
        yield message, f"remove arp_filter from {network}"


def _filters(network: Nad, interface: str) -> bool:
    return any(key.endswith(".arp_filter") and value != "0" for key, value in _sysctls(network, interface))


def _unset(crowded: Crowded) -> Iterator[Problem]:
    """One for each setting that an interface effectively lacks."""
    for name, wanted in RAIL_SYSCTLS.items():
        for interface, network in crowded.attached:
            keys = (f"net.ipv4.conf.{part}.{name}" for part in ("all", interface))
            values = [value for key in keys for value in crowded.settings.get(key, ())]
            if not values or max(values) not in wanted:
                said = f"sets {name} to {max(values)}" if values else f"does not set {name}"
                takes = f"it takes {' or '.join(map(str, wanted))}"
                message = f"{interface} ({network.thing}) {said} in all and the interface, {takes}"
                hint = f"set net.ipv4.conf.IFNAME.{name} to {wanted[0]} in a tuning plugin of {network}"
                yield message, hint
