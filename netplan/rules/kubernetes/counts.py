"""NP763, NP769: compares the devices of a pod with its attachments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from netplan.catalog import is_gpu
from netplan.diagnostics import Severity
from netplan.graph.kubernetes.attachments import attachments_of
from netplan.graph.kubernetes.cluster import ANY, Nad, ObjectGraph, Pod, quantities, same_resource
from netplan.graph.kubernetes.producers import USER_SPACE
from netplan.graph.kubernetes.selections import annotation_at, networks_text, pod_selections
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.records import dataclass
from netplan.report import count
from netplan.rules.kubernetes.misnamed_resources import is_misnamed_resource
from netplan.rules.kubernetes.plugins import PLUGINS
from netplan.rules.kubernetes.pods import annotated, injected, rdma_resources
from netplan.rules.kubernetes.registry import ObjectFinding, rule


@dataclass(frozen=True, slots=True)
class Counted:
    """A resource, how many attachments surely take it, how many may where a network is defined in several
    ways, and the devices requested."""

    resource: str
    least: int
    most: int
    asked: int


def _counted(
    cluster: ObjectGraph, pod: Pod, counts: Callable[[ObjectGraph, Pod, Nad], bool] = lambda *_: True
) -> Iterator[Counted]:
    """Empty if claims or an unknown network decide. ``counts``: whether an attachment of a network consumes
    a device."""
    choices = [attachment.definitions for attachment in attachments_of(cluster, pod)]
    if not all(choices) or pod.claimed is None or _is_misnamed_network(cluster, pod, choices):
        return
    named = [[n.resource if counts(cluster, pod, n) else None for n in choice] for choice in choices]
    names = _settled(cluster, pod, named)
    yield from _of_resources(pod, named, names)
    if all(n.resource for choice in choices for n in choice):  # one without a resource may use any device
        yield from _unattached(cluster, pod, names)


def _is_misnamed_network(cluster: ObjectGraph, pod: Pod, choices: list[tuple[Nad, ...]]) -> bool:
    """Whether a network names a resource in place of the one that the pod requests, which NP757 reports."""
    resources = {n.resource for choice in choices for n in choice if n.resource}
    return any(is_misnamed_resource(cluster, r) and not pod.asked(r) for r in resources)


def _settled(cluster: ObjectGraph, pod: Pod, named: list[list[str | None]]) -> list[str]:
    """Resources that something may produce, under this name."""
    stated = dict.fromkeys(resource for each in named for resource in each if resource)
    return [r for r in stated if cluster.producible(r) and not _misnamed(cluster, pod, r)]


def _of_resources(pod: Pod, named: list[list[str | None]], names: list[str]) -> Iterator[Counted]:
    """``named``: of each attachment the resources that its definitions have."""
    settled = {name: next(r for r in names if same_resource(r, name)) for name in names}
    each_of = [[settled.get(r) if r else None for r in each] for each in named]
    for resource in dict.fromkeys(settled.values()):
        if resource.startswith(_IN_PERCENT) and pod.asked(resource):
            continue
        least = sum(all(r == resource for r in each) for each in each_of)
        most = sum(resource in each for each in each_of)
        yield Counted(resource, least, most, pod.asked(resource))


_IN_PERCENT = "koordinator.sh/"
"""Prefix of resources that are requested in percent of a device: how many devices 100 brings, the scheduler
decides (koordinator-sh/koordinator 138d4578 pkg/scheduler/plugins/deviceshare/utils.go,
ValidatePercentageResource)."""
DEFAULT_NETWORK = "v1.multus-cni.io/default-network"
"""Annotation that replaces the cluster's default network."""
_ON_DEVICE = frozenset({"sriov", "ib-sriov", "host-device", "accelerated-bridge", "afxdp"})
"""Main plugins that fail without a device passed in by Multus (intel/afxdp-plugins-for-kubernetes
internal/cni/cni.go, CmdAdd: by its name)."""


def takes_device(cluster: ObjectGraph, pod: Pod, network: Nad) -> bool:
    """Whether an attachment consumes a device: macvlan, ipvlan, bridge, ovs and similar do not. A
    plugin that is not known does, if the pod requests the resource, or has it under another prefix."""
    if cluster.whole or not network.plugins or network.types[0] in _ON_DEVICE:
        return True
    if network.types[0] not in PLUGINS and network.resource and pod.asked(network.resource):
        return True
    prefix, _, name = str(network.resource).rpartition("/")
    return prefix != ANY and any(
        r.rpartition("/")[2] == name != r for r in pod.resources() - {network.resource}
    )


def _in_user_space(cluster: ObjectGraph, pod: Pod, resource: str) -> bool:
    """Whether the pod can use a device without an interface: by a user-space driver, or with DPDK, for which
    the resource of a pod without networks may be named."""
    if cluster.whole:
        return False
    if "dpdk" in resource.rpartition("/")[2].lower() and not attachments_of(cluster, pod):
        return True
    policies = [p for p in cluster.producers(resource) if p.spec.get("deviceType") == "vfio-pci"]
    entries = [
        entry
        for config in cluster.configs
        for _, entry in config.entries
        if same_resource(config.full(entry), resource) and _drivers(entry) & USER_SPACE
    ]
    return bool(policies or entries) or (_by_dpdk(pod) and not _is_rdma(cluster, resource))


def _is_rdma(cluster: ObjectGraph, resource: str) -> bool:
    return any(same_resource(resource, name) for name in rdma_resources(cluster))


def _by_dpdk(pod: Pod) -> bool:
    """Huge pages and no GPU: DPDK allocates its memory from huge pages."""
    both = (*pod.containers(), *pod.containers("initContainers"))
    limits = {name for _, container in both for name in quantities(container, "limits")}
    return any(name.startswith("hugepages-") for name in limits) and not any(map(is_gpu, limits))


def _drivers(entry: dict[str, Any]) -> set[str]:
    selectors = entry.get("selectors")
    each = selectors if isinstance(selectors, list) else [selectors]
    return {str(driver) for selector in each for driver in listing(mapping(selector).get("drivers"))}


def _unattached(cluster: ObjectGraph, pod: Pod, names: list[str]) -> Iterator[Counted]:
    """Resources of networks none of which the pod attaches."""
    used = cluster.once(
        "resources of networks", lambda: {n.resource: n for n in cluster.networks if n.resource}
    )
    for resource in sorted(pod.resources()):
        on_networks, mine = (any(same_resource(resource, name) for name in each) for each in (used, names))
        counted = not resource.startswith(_IN_PERCENT)
        if counted and on_networks and not mine and cluster.producible(resource):
            yield Counted(resource, 0, 0, pod.asked(resource))


def _misnamed(cluster: ObjectGraph, pod: Pod, resource: str) -> bool:
    """Whether the pod requests the resource under another prefix; NP757 or NP669 reports that."""
    name = resource.rpartition("/")[2]
    others = [r for r in pod.resources() if r.rpartition("/")[2] == name and not same_resource(r, resource)]
    return any(cluster.producers(r) for r in (*others, resource)) if others else False


def _prefixed(cluster: ObjectGraph, pod: Pod, resource: str) -> str:
    """A resource of the operator whose prefix is not known, with that of the pod's other requests for
    resources of the operator."""
    prefix, _, name = resource.rpartition("/")
    if prefix != ANY:
        return resource
    own = (r.rpartition("/") for r in sorted(pod.resources()))
    known = next((p for p, _, n in own if f"{ANY}/{n}" in cluster.made), ANY)
    return f"{known}/{name}"


def _shown(cluster: ObjectGraph, pod: Pod, resource: str) -> str:
    return next(
        (r for r in sorted(pod.resources()) if same_resource(r, resource)), resource.removeprefix("*/")
    )


@rule("NP763", "pod with fewer devices than attachments", on=annotated, between=True)
def enough_devices(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """Multus gives each attachment one of the devices the pod requests of the NAD's resource.

    **Why.** An attachment without a device fails when the pod starts: "VF pci addr is required".
    **Fix.** Request as many devices as the pod has attachments of the resource, under its full name in
    the NAD.
    **Source.** k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go, pkg/kubeletclient;
    k8snetworkplumbingwg/sriov-network-device-plugin#490.
    """
    for each in () if pod.thing.runs else _counted(cluster, pod, takes_device):
        resource = _prefixed(cluster, pod, each.resource)
        if each.asked < each.least and not (each.asked == 0 and injected(cluster, resource)):
            name = _shown(cluster, pod, resource)
            need = f"{count(each.least, 'attachment')} need{'s' if each.least == 1 else ''}"
            message = f"{need} {name}, but its containers request {each.asked}"
            hint = f"set {name}: '{each.least}' in the limits"
            yield ObjectFinding(pod.thing, annotation_at(pod), message, hint)


def _holding(cluster: ObjectGraph) -> list[Pod]:
    """Pods with a networks annotation, and those without one that request a resource of a network of their
    namespace: a VF with RDMA or an interface, on Ethernet."""
    return [pod for pod in cluster.pods if pod_selections(pod) is not None or _of_networks(cluster, pod)]


def _of_networks(cluster: ObjectGraph, pod: Pod) -> bool:
    elsewhere = networks_text(pod) is not None or DEFAULT_NETWORK in pod.annotations or pod.thing.partial
    if cluster.whole or elsewhere or pod.spec.get("hostNetwork") is True or pod.claimed is None:
        return False
    return any(_on_ethernet(cluster, pod, resource) for resource in pod.resources())


def _on_ethernet(cluster: ObjectGraph, pod: Pod, resource: str) -> bool:
    policies = [p for p in cluster.policies if same_resource(_full(cluster, p), resource)]
    kinds = {
        (str(p.spec.get("deviceType") or "netdevice"), str(p.spec.get("linkType") or "eth").lower())
        for p in policies
    }
    here = (n for n in cluster.networks if n.namespace is None or pod.thing.namespace in (None, n.namespace))
    return kinds == {("netdevice", "eth")} and any(
        n.resource is not None and same_resource(n.resource, resource) for n in here
    )


def _full(cluster: ObjectGraph, policy: Thing) -> str:
    return f"{cluster.prefix}/{policy.spec.get('resourceName')}"


@rule("NP769", "pod with more devices than attachments", on=_holding, severity=Severity.WARNING)
def spare_devices(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """Devices without an attachment stay in the host's network namespace, without an interface in the
    pod. Devices with a user-space driver (vfio-pci), and those of pods with huge pages, need no
    attachment. Resources of Koordinator are requested in percent of a device, and not counted.

    **Why.** They are lost to other pods; with RoCE they have no address, so nothing can use them.
    **Fix.** Attach a network for each device, or request fewer.
    **Source.** k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go (one device ID for each
    attachment of a resource); Mellanox/k8s-rdma-shared-dev-plugin#72.
    """
    for each in _counted(cluster, pod):
        if each.asked > each.most and not _in_user_space(cluster, pod, each.resource):
            name = _shown(cluster, pod, each.resource)
            verb = "is" if each.most == 1 else "are"
            message = f"its containers request {each.asked} of {name}, but {each.most} {verb} attached"
            at = annotation_at(pod) if pod_selections(pod) is not None else pod.path
            hint = "make the two numbers equal: without an attachment a device has no interface in the pod"
            yield ObjectFinding(pod.thing, at, message, hint)
