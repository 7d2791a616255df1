"""NP633, NP679, NP699: checks selectors of policies and pods against the existing policies and hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.attachments import attachments_of
from netplan.graph.kubernetes.cluster import SRIOV, Nad, ObjectGraph, Pod, same_resource
from netplan.graph.kubernetes.producers import Producer, producers_of
from netplan.model.site import SiteHost
from netplan.reading.kubernetes.objects import mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import few
from netplan.rules.kubernetes.misnamed_resources import near
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.wanted_resources import Want


def _of_operator(cluster: ObjectGraph) -> list[Nad]:
    """Networks whose NADs the SR-IOV operator generates, provided that the operator's policies are here
    too."""
    told = any(isinstance(policy.spec.get("resourceName"), str) for policy in cluster.policies)
    return [n for n in cluster.networks if told and n.thing.group == SRIOV and n.resource]


@rule(
    "NP679", "resource that none of the operator's policies creates", on=_of_operator, severity=Severity.INFO
)
def made_by_a_policy(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """The operator's network uses the VFs of a policy with the same `resourceName`; the directory has
    policies, but none with this name.

    **Why.** The NAD names a resource that no node advertises, so pods that use it stay Pending.
    **Fix.** Write the resource of a policy, or add the policy. If the policy is in another directory,
    suppress the finding with `--ignore`.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e2001 README.md (SriovNetwork: resourceName of
    the policy), controllers/sriovnetworknodepolicy_controller.go.
    """
    resource = network.resource or ""
    want = Want(network.thing, network.resource_at, resource, True)
    if not producers_of(cluster, resource) and not near(cluster, want):
        stated = [p.spec.get("resourceName") for p in cluster.policies]
        made = sorted({name for name in stated if isinstance(name, str) and not templated(name)})
        if any(name not in made for name in stated):  # a policy without a name may be the one
            return
        name = resource.rpartition("/")[2]
        if name in cluster.tree.loose:
            return
        message = f"no policy in the directory makes {name}; they make {few(made, 6)}"
        yield ObjectFinding(
            network.thing, network.resource_at, message, "write one of these, or add the policy"
        )


@dataclass(frozen=True, slots=True)
class Aimed:
    """A producer, and the hosts of the site that its labels do not rule out."""

    producer: Producer
    hosts: tuple[SiteHost, ...]


def _open(hosts: tuple[SiteHost, ...], labels: Mapping[str, Any]) -> tuple[SiteHost, ...]:
    """Hosts whose labels do not contradict these; a label that is not stated may have any value."""
    stated = {k: v for k, v in labels.items() if isinstance(v, str) and not templated(v)}
    return tuple(h for h in hosts if all(h.labels.get(key, value) == value for key, value in stated.items()))


def _aimed(cluster: ObjectGraph) -> list[Aimed]:
    """Producers of resources that a network or pod names; only if there is a ``site.json``."""
    if cluster.site is None or not cluster.site.hosts:
        return []
    wanted = [n.resource for n in cluster.networks if n.resource]
    wanted += [name for pod in cluster.pods for name in pod.resources()]
    found = {(id(p.thing), p.at): p for name in dict.fromkeys(wanted) for p in producers_of(cluster, name)}
    return [Aimed(p, _open(cluster.site.hosts, p.labels)) for p in found.values()]


@rule("NP699", "policy that fits no host of the site", on=_aimed, severity=Severity.WARNING)
def some_host(cluster: ObjectGraph, aimed: Aimed) -> Iterator[ObjectFinding]:
    """With a `site.json` in the directory: the policy's labels must match a host in it, and its ports the
    HCAs of that host.

    **Why.** A policy that selects no node, or no port on a node, creates no VFs, and nothing reports it:
    its resource is missing on every node, and pods that request it stay Pending.
    **Fix.** Write labels, interface names and PCI addresses as in `site.json`; if a host has changed,
    change the inventory and render again.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e2001 api/v1/helper.go
    (SriovNetworkNodePolicy.Selected, SriovNetworkNicSelector.Selected);
    k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 README.md, selectors.
    """
    producer, hosts = aimed.producer, aimed.hosts
    if not hosts:
        labels = ", ".join(f"{key}={value}" for key, value in producer.labels.items())
        message = f"it is for nodes with {labels}, which no host of site.json has"
        yield ObjectFinding(producer.thing, ("spec", "nodeSelector"), message, "use labels that hosts have")
        return
    hcas = [hca for host in hosts for hca in host.hcas]
    for selected in producer.selected:
        for named, known, what in (
            (selected.pci, {h.pci for h in hcas}, "PCI address"),
            (selected.ports, {h.netdev for h in hcas}, "interface"),
        ):
            if named and None not in known and not known & {*named}:
                shown = ", ".join(sorted(map(str, known))[:6]) or "none"
                message = (
                    f"{', '.join(named[:4])} is not the {what} of any HCA of its hosts (they have {shown})"
                )
                yield ObjectFinding(producer.thing, selected.at, message, f"use the {what} of an HCA")


def _placed(cluster: ObjectGraph) -> list[Pod]:
    """Pods with rails or their devices; only if there is a ``site.json``."""
    if cluster.site is None or not cluster.site.hosts:
        return []
    return [p for p in cluster.pods if mapping(p.spec.get("nodeSelector")) and _has_rails(cluster, p)]


def _has_rails(cluster: ObjectGraph, pod: Pod) -> bool:
    made = [producer for name in pod.resources() for producer in producers_of(cluster, name)]
    named = any(same_resource(p.resource, name) for p in made for name in pod.resources())
    return named or any(a.network is not None for a in attachments_of(cluster, pod))


@rule("NP633", "pod that fits no host of the site", on=_placed, severity=Severity.WARNING)
def some_node(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """With a `site.json` in the directory: the node selector of a pod with rails must match a host in it.

    **Why.** No node matches, and the pod stays Pending.
    **Fix.** Write labels that hosts in `site.json` have; if a host has changed, change the inventory and
    render again.
    **Source.** kubernetes/kubernetes v1.34.4 api/openapi-spec/swagger.json (PodSpec.nodeSelector:
    must match a node's labels).
    """
    selector = mapping(pod.spec.get("nodeSelector"))
    hosts = cluster.site.hosts if cluster.site is not None else ()
    if not _open(hosts, selector):
        labels = ", ".join(f"{key}={value}" for key, value in selector.items())
        at: Path = (*pod.path, "spec", "nodeSelector")
        message = f"no host of site.json has the labels {labels}"
        yield ObjectFinding(pod.thing, at, message, "use labels that hosts have")
