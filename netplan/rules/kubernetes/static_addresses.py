"""NP684, and for NP774 and NP777: addresses of the static IPAM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.addresses import IpAddress, address_of
from netplan.graph.kubernetes.askers import askers, interfaces_of
from netplan.graph.kubernetes.attachments import PodInterface
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, Pod
from netplan.graph.kubernetes.tags import vlan_of_master
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.reading.kubernetes.partial import is_listed
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.alike import unnumbered
from netplan.rules.kubernetes.registry import ObjectFinding, rule

SUBNET = {4: 24, 6: 64}
"""Prefix lengths of a subnet, as a rule."""
ON_ONE_NODE = frozenset({"bridge", "ptp", "loopback", "dummy"})
"""Main plugins whose subnet does not leave the node."""
Segment = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Held:
    """A static address of an interface of a pod, and where it is stated or the network is attached. ``macs``:
    what the interface asks for; ``here``: whether its network is in the files."""

    pod: Pod
    at: Path
    network: str
    segment: Segment
    address: IpAddress
    macs: tuple[str, ...]
    here: bool


def _held(cluster: ObjectGraph) -> dict[int, list[Held]]:
    """By pod, also of those that a chart makes. Pods that a controller made are the same as those of its
    template; of a workload scaled to zero there are none."""

    def make() -> dict[int, list[Held]]:
        found: dict[int, list[Held]] = {}
        for asker in askers(cluster):
            if asker.thing.owned or (asker.pod is not None and asker.pod.replicas == 0):
                continue
            own = interfaces_of(cluster, asker)
            each = [held for attachment in own for held in _of(attachment.pod, attachment)]
            if each:
                found[id(each[0].pod)] = each
        return found

    return cluster.once("static addresses", make)


def _of(pod: Pod, attachment: PodInterface) -> Iterator[Held]:
    """Of a network that is defined in several ways, what all definitions say."""
    network = attachment.network
    if network is None:
        yield from _asked(pod, attachment)
    kinds = (_IN_TURN, "static") if attachment.ips else ("static",)
    if network is None or not all(_is_of(each, kinds) for each in attachment.definitions):
        return
    stated = {attachment.ips or static_addresses(each) for each in attachment.definitions}
    segments = {segment_of(each) for each in attachment.definitions}
    segment = segments.pop() if len(segments) == 1 else ("", str(network))
    yield from _each(pod, attachment, str(network), segment, stated.pop() if len(stated) == 1 else ())


def _asked(pod: Pod, attachment: PodInterface) -> Iterator[Held]:
    """Addresses that a pod asks for on a network that is not here: whatever its IPAM is, it has each once."""
    yield from _each(pod, attachment, attachment.reference, ("", attachment.reference), attachment.ips)


def _each(
    pod: Pod, attachment: PodInterface, network: str, segment: Segment, texts: Iterable[str]
) -> Iterator[Held]:
    for text in texts:
        try:
            address = address_of(text.partition("/")[0])
        except ValueError:  # a placeholder
            continue
        here = attachment.network is not None
        yield Held(pod, attachment.at, network, segment, address, attachment.macs, here)


_IN_TURN = "host-local"
"""The IPAM that gives the address asked for too, but remembers it on the node alone."""


def _is_of(network: Nad, kinds: tuple[str, ...]) -> bool:
    leaves = bool(network.plugins) and network.types[0] not in ON_ONE_NODE
    return leaves and any(ipam.get("type") in kinds for _, ipam in network.ipams)


def static_addresses(network: Nad) -> tuple[str, ...]:
    rows = [row for _, ipam in network.ipams for row in listing(ipam.get("addresses"))]
    return tuple(str(mapping(row).get("address")) for row in rows)


def static_problems(ipam: dict[str, Any]) -> Iterator[tuple[Path, str, str]]:
    """Of an IPAM of type static: path in it, message, hint; for NP777."""
    for index, row in enumerate(listing(ipam.get("addresses"))):
        text = mapping(row).get("address")
        if not isinstance(text, str) or templated(text) or "/" in text:
            continue
        try:
            length = SUBNET[address_of(text).version]
        except ValueError:
            continue
        message = f"{text} has no prefix length, which static needs"
        yield ("addresses", index, "address"), message, f"write it, such as {text}/{length}"


def segment_of(network: Nad) -> Segment:
    """What networks share if they are one layer 2 segment: host interface, bridge or resource, with the VLAN;
    else the network itself."""
    plugin = network.chain[0]
    link = plugin.get("master") or plugin.get("bridge") or network.resource
    vlan = plugin.get("vlan") or vlan_of_master(plugin) or 0
    return (str(link), str(vlan)) if link else ("", str(network))


def _with_addresses(cluster: ObjectGraph) -> list[Pod]:
    return [each[0].pod for each in _held(cluster).values()]


@rule("NP684", "static address on two pods", on=_with_addresses, severity=Severity.WARNING)
def static_twice(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """The static IPAM gives a pod the addresses of the network, or those that its annotation asks for, and
    keeps no record of them; host-local gives what the annotation asks for, once on each node. In files of
    others it is a note where both may be meant: numbered pods with several such addresses, each on networks
    of its own number, behind a load balancer with interfaces for each; pods of two files of which one stands
    in for the other, as it asks for the same MAC address, or is a bare pod with all addresses of another; the
    pods of a DaemonSet, which may be one; replicas on a network that is not in the files. Annotations in the
    values of a HelmRelease, or of KubeVirt's machines, are compared with those of others of their kind.

    **Why.** Two pods answer ARP for one address, and packets reach one or the other.
    **Fix.** Give each pod an address of its own, in `ips` of its annotation or in a network of its own; for
    replicas use nv-ipam or whereabouts.
    **Source.** containernetworking/plugins 3d27709 plugins/ipam/static/main.go (LoadIPAMConfig: `ips` instead
    of `addresses`; cmdAdd stores nothing), plugins/ipam/host-local/backend/disk/backend.go (leases in files
    of the node).
    """
    held = _held(cluster)[id(pod)]
    if (pod.replicas or 1) > 1:
        yield _of_replicas(pod, held)
        return
    clashes = [(own, other) for own in held for other in _others(cluster, own)]
    if clashes:
        own, other = clashes[0]
        more = _more(len({id(each) for each, _ in clashes}) - 1)
        where = f"of {other.pod.thing} at {other.pod.thing.source(other.at)}"
        whose = "of another of its interfaces" if other.pod is pod else where
        message = f"its address {own.address} on {own.network}{more} is that {whose} too"
        unsure = all(_stands_in(cluster, *pair) for pair in clashes)
        unsure = unsure or (len(clashes) > 1 and all(_are_instances(*pair) for pair in clashes))
        hint = "give each pod an address of its own"
        yield ObjectFinding(pod.thing, own.at, message, hint, unsure=unsure)


def _of_replicas(pod: Pod, held: list[Held]) -> ObjectFinding:
    """How many nodes a DaemonSet runs on, its object does not say."""
    first = held[0]
    on_nodes = pod.thing.kind == "DaemonSet"
    whose = "each of its pods gets" if on_nodes else f"its {pod.replicas} pods all get"
    message = f"{whose} {first.address}{_more(len(held) - 1)} on {first.network}"
    unsure = on_nodes or not first.here
    return ObjectFinding(pod.thing, first.at, message, "use nv-ipam or whereabouts", unsure=unsure)


def _stands_in(cluster: ObjectGraph, one: Held, other: Held) -> bool:
    """Whether one pod, of another file, stands in for the other: it asks for its MAC address too, or both are
    bare pods, of which one has every address of the other on the same networks."""
    pods = one.pod, other.pod
    if cluster.joined(pods[0].thing, pods[1].thing):
        return False
    held = [{(each.network, each.address) for each in _held(cluster)[id(pod)]} for pod in pods]
    bare = all(pod.thing.kind == "Pod" for pod in pods)
    return bool({*one.macs} & {*other.macs}) or (bare and (held[0] <= held[1] or held[1] <= held[0]))


def _are_instances(one: Held, other: Held) -> bool:
    """upf1 on net-upf1 and upf2 on net-upf2: a balancer in front may have an interface for each of them."""
    pods, networks = (
        [str(each) for each in pair]
        for pair in ((one.pod.thing, other.pod.thing), (one.network, other.network))
    )
    return all(a != b and unnumbered(a) == unnumbered(b) for a, b in (pods, networks))


def _more(others: int) -> str:
    return f" (and {others} more)" if others else ""


def _others(cluster: ObjectGraph, own: Held) -> list[Held]:
    """Earlier interfaces with the same address on the same segment, of this pod and of others."""

    def make() -> dict[tuple[Segment, IpAddress], list[Held]]:
        found: dict[tuple[Segment, IpAddress], list[Held]] = {}
        for each in _held(cluster).values():
            for one in each:
                found.setdefault((one.segment, one.address), []).append(one)
        return found

    same = cluster.once("static addresses by segment", make)[own.segment, own.address]
    earlier = same[: next(index for index, one in enumerate(same) if one is own)]
    return [one for one in earlier if one.pod is own.pod or _apart(cluster, one.pod, own.pod)]


def _apart(cluster: ObjectGraph, one: Pod, other: Pod) -> bool:
    """Whether both pods run at the same time: not two definitions of one, nor two parts of one object, nor
    one that the kustomization of its folder leaves out, nor pods of one name in two files: scenarios of a
    test, nor versions of one pod, nor what a chart makes and the values of which it may be made."""
    if not (one.template and other.template) and one.thing.kind != other.thing.kind:
        return False
    two = str(one.thing) != str(other.thing) and cluster.together(one.thing, other.thing)
    if one.thing.name == other.thing.name and one.thing.file != other.thing.file:
        return False
    if one.thing.file != other.thing.file and _are_versions(cluster, one, other):
        return False
    return two and all(is_listed(pod.thing.file, cluster.tree.kustomizations) for pod in (one, other))


def _are_versions(cluster: ObjectGraph, one: Pod, other: Pod) -> bool:
    """Whether two pods have the same interfaces, several, and names that begin with the same word and end
    in different ones, no numbers or letters: train-simple, train-fixed."""
    held = [[(each.segment, each.address) for each in _held(cluster)[id(pod)]] for pod in (one, other)]
    names = [pod.thing.name.split("-") for pod in (one, other)]
    in_words = all(len(name) > 1 and len(name[-1]) > 1 and not name[-1].isdecimal() for name in names)
    return held[0] == held[1] and len(held[0]) > 1 and names[0][0] == names[1][0] and in_words


_OF_RANGES = ("range", "range_start", "range_end", "rangeStart", "rangeEnd", "ranges", "exclude", "subnet")


def ignored_by_static(ipam: dict[str, Any]) -> list[str]:
    """Keys of other IPAMs. A subnet beside addresses says nothing else, nor does a gateway that an address
    has too."""
    if ipam.get("type") != "static":
        return []
    rows = [mapping(row) for row in listing(ipam.get("addresses"))]
    told = {"subnet"} if rows else set()
    told |= {"gateway"} if any(row.get("gateway") for row in rows) else set()
    return [key for key in (*_OF_RANGES, "gateway") if ipam.get(key) and key not in told]
