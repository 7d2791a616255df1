"""NP911, NP912, NP914, NP917: names that one object takes from another, and names that must differ."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netplan.catalog import is_gpu
from netplan.verify.cluster import RESOURCE_ANNOTATION, Cluster, PluginConfig, Pod
from netplan.verify.tree import Finding, Object

NETWORKS_ANNOTATION = "k8s.v1.cni.cncf.io/networks"

FOREIGN = frozenset({"nvidia.com/gpu", "vpc.amazonaws.com/efa"})
"""Resources of device plugins that no object of this tree configures, beside those of GPUs."""

_SELECTION = re.compile(r"(?:(?P<ns>[a-z0-9-]+)/)?(?P<name>[a-z0-9-]+)(?:@(?P<interface>[^\s/:@]{1,15}))?\Z")
"""One element of the comma form (k8snetworkplumbingwg/multus-cni v4.3.0 pkg/k8sclient/k8sclient.go,
parsePodNetworkObjectName)."""


@dataclass(frozen=True, slots=True)
class Want:
    """An object that needs a resource."""

    thing: Object
    where: str
    resource: str


def wanted(cluster: Cluster) -> list[Want]:
    """Resources that networks and pods name."""
    place = f'$.metadata.annotations["{RESOURCE_ANNOTATION}"]'
    out = []
    for n in cluster.each_network:
        if n.resource is not None:
            where = place if n.thing.kind == "NetworkAttachmentDefinition" else "$.spec.resourceName"
            out.append(Want(n.thing, where, n.resource))
    for pod in cluster.pods:
        extended = [r for r in pod.limits if "/" in r and r not in FOREIGN and not is_gpu(r)]
        out += [Want(pod.thing, f"{pod.where}.spec", resource) for resource in extended]
    return out


def produced(cluster: Cluster, want: Want) -> Iterator[Finding]:
    """A resource has one full name in three places: plugin configuration or policy, NAD and pod.

    **Why.** Nothing in the cluster compares them. A pod that asks for a name nobody produces stays Pending; a
    NAD with such a name gets no device, and its plugin fails with "VF pci addr is required".
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin README.md; multus-cni docs/how-to-use.md.
    """
    if cluster.settled(want.resource) not in cluster.made:
        known = ", ".join(sorted(cluster.made)[:8]) or "none"
        message = f"{want.where} names {want.resource}, which nothing here produces (produced: {known})"
        yield Finding(want.thing.artifact, f"{want.thing}: {message}")


def attached_pods(cluster: Cluster) -> list[Pod]:
    return [pod for pod in cluster.pods if NETWORKS_ANNOTATION in pod.annotations]


def attachments(cluster: Cluster, pod: Pod) -> Iterator[Finding]:
    """Multus gives each attachment one of the pod's devices of the NAD's resource, in the annotation's order.

    **Why.** With fewer devices than attachments the last ones get none and their plugin fails; with more,
    devices are taken from other pods. A NAD that does not exist in the namespace keeps the pod from starting.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go and pkg/kubeletclient/.
    """
    where = f'{pod.thing}: {pod.where}.metadata.annotations["{NETWORKS_ANNOTATION}"]'
    try:
        selections = _selections(pod.annotations[NETWORKS_ANNOTATION])
    except ValueError as error:
        yield Finding(pod.thing.artifact, f"{where} is not a list of networks: {error}")
        return
    keys = [key for key, _ in selected(pod)]
    missing = sorted({f"{ns}/{name}" for ns, name in keys if (ns, name) not in cluster.networks})
    if missing:
        yield Finding(pod.thing.artifact, f"{where} names {', '.join(missing)}, which does not exist here")
    twice = [i for i, n in Counter(i for _, _, i in selections if i).items() if n > 1]
    if twice:
        yield Finding(pod.thing.artifact, f"{where} names interface {', '.join(twice)} twice")
    if not missing:
        yield from _device_counts(cluster, pod, keys)


def selected(pod: Pod) -> list[tuple[tuple[str, str], str | None]]:
    """((namespace, name), interface) of each attachment; none where the annotation does not parse."""
    try:
        selections = _selections(pod.annotations[NETWORKS_ANNOTATION])
    except ValueError:
        return []
    return [((namespace or pod.thing.namespace, name), nic) for namespace, name, nic in selections]


def _device_counts(cluster: Cluster, pod: Pod, keys: list[tuple[str, str]]) -> Iterator[Finding]:
    """Resources that nothing produces are left out: NP911 has them."""
    on_networks = {cluster.settled(n.resource) for n in cluster.each_network if n.resource is not None}
    resources = (cluster.networks[key][0].resource for key in keys)
    attached = Counter(cluster.settled(r) for r in resources if r is not None)
    asked = {cluster.settled(r): amounts for r, amounts in pod.limits.items()}
    for resource in sorted((attached.keys() | (asked.keys() & on_networks)) & cluster.made):
        amounts = asked.get(resource, ())
        total = sum(int(a) for a in amounts if a.isdecimal())
        if total != attached[resource]:
            counts = f"asks for {total} of {resource} and has {attached[resource]} attachments of it"
            yield Finding(pod.thing.artifact, f"{pod.thing}: {pod.where} {counts}")


def _selections(text: str) -> list[tuple[str | None, str, str | None]]:
    """(namespace, name, interface) of each attachment. Raises ValueError."""
    if any(mark in text for mark in '[{"'):
        listed = json.loads(text)
        if not isinstance(listed, list) or not all(isinstance(e, dict) and "name" in e for e in listed):
            raise ValueError("an element has no name")
        return [(e.get("namespace"), e["name"], e.get("interface")) for e in listed]
    out = []
    for element in text.split(","):
        match = _SELECTION.match(element.strip())
        if match is None:
            raise ValueError(f"{element.strip()!r} is not namespace/name@interface")
        out.append((match["ns"], match["name"], match["interface"]))
    return out


def plugin_configs(cluster: Cluster) -> tuple[PluginConfig, ...]:
    return cluster.configs


def resources_apart(cluster: Cluster, config: PluginConfig) -> Iterator[Finding]:
    """Resources of one device plugin have names of their own, in the SR-IOV plugin also devices of their own.

    **Why.** A name that appears twice stops the plugin. The SR-IOV plugin gives a device to the first
    resource that matches, so a second one with that selector is never advertised; RDMA-shared may share.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** sriov-network-device-plugin cmd/sriovdp/manager.go; k8s-rdma-shared-dev-plugin
    pkg/resources/resources_manager.go.
    """
    artifact = config.thing.artifact
    # names must differ whatever the prefix (resources_manager.go of the plugin, at 410b0f3)
    names = [e["resourceName"] for e in config.entries] if config.shared else list(config.names)
    for name, times in Counter(names).items():
        if times > 1:
            yield Finding(artifact, f"{config} has {times} resources named {name}")
    first: dict[str, str] = {}
    for name, entry in zip(config.names, config.entries, strict=True):
        for selector in [] if config.shared else _selector_list(entry["selectors"]):
            other = first.setdefault(json.dumps(selector, sort_keys=True), name)
            if other != name:
                yield Finding(artifact, f"{config} selects the same devices for {other} and {name}")


def _selector_list(selectors: Any) -> list[Any]:
    return selectors if isinstance(selectors, list) else [selectors]


@dataclass(frozen=True, slots=True)
class Identity:
    """What an API server tells objects apart by, and the objects that have it."""

    name: str
    things: tuple[Object, ...]


def identities(cluster: Cluster) -> list[Identity]:
    """Of all objects with a name, and of the NADs that operators will generate."""
    found: dict[str, list[Object]] = defaultdict(list)
    for o in cluster.tree.objects:
        if o.name and o.kind != "NetworkAttachmentDefinition":
            found[f"{o.api_version} {o}"].append(o)
    for (namespace, name), networks in cluster.networks.items():
        found[f"NetworkAttachmentDefinition {namespace}/{name}"] = [n.thing for n in networks]
    return [Identity(name, tuple(things)) for name, things in found.items()]


def unique(cluster: Cluster, identity: Identity) -> Iterator[Finding]:
    """Two objects of one kind and namespace have two names; so have a NAD and one that an operator generates.

    **Why.** The second object replaces the first when it is applied. An operator does not touch a NAD that it
    did not make, so its network of that name never appears.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** kubernetes.io/docs/concepts/overview/working-with-objects/names; sriov-network-operator
    controllers/generic_network_controller.go.
    """
    first, *others = identity.things
    for other in others:
        message = f"{other} and {first} in {first.artifact.path} are both {identity.name}"
        yield Finding(other.artifact, message)
