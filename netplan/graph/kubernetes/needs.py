"""What the pods of the inventory's workloads have, and which nodes they run on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from netplan.graph.kubernetes.node_selection import HOSTNAME, REQUIRED
from netplan.model.fabric import Workload
from netplan.model.hardware import Host, Labels
from netplan.model.plan import Plan
from netplan.model.workloads import PodNic, WorkloadPlan, collective_networks
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass

_INSTANCE_TYPES = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nodes:
    """``labels``: the distinct label sets of a workload's nodes, as far as the inventory states them;
    ``others``: those of its other hosts. ``names``, ``other_names``: of nodes with fixed names."""

    labels: frozenset[Labels]
    others: frozenset[Labels]
    names: frozenset[str]
    other_names: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """``limits``: all resource limits of the workload's pods. ``networks``: (namespace, name) of each
    rail; ``devices``: (resource, number) of the rails, except those that the claim template ``claim``
    allocates. ``host_paths``: directories of the node that a pod mounts. ``scripted``: (namespace, name,
    interface) of networks whose routes an init container installs on that interface."""

    workload: str
    namespace: str
    gpus: int
    limits: tuple[str, ...]
    networks: tuple[tuple[str, str], ...]
    devices: tuple[tuple[str, int], ...]
    claim: str | None
    host_paths: tuple[str, ...]
    scripted: tuple[tuple[str, str, str], ...]
    nodes: Nodes


def needs_of(plan: Plan) -> tuple[Need, ...]:
    """Of every workload with GPUs and rails."""
    found = (_need(w, plan.fabric.hosts) for w in plan.workloads if w.workload.gpus)
    return tuple(n for n in found if n.networks or n.devices or n.claim or n.host_paths)


def _need(plan: WorkloadPlan, hosts: Iterable[Host]) -> Need:
    workload = plan.workload
    rails = {n.name for n in collective_networks(workload)}
    nics = [nic for nic in plan.nics if nic.attachment.network.name in rails]
    claim = plan.claim.template if plan.claim else None
    return Need(
        workload=workload.name,
        namespace=workload.namespace,
        gpus=workload.gpus,
        limits=tuple(name for name, _ in plan.limits),
        networks=tuple(
            _reference(nic) for nic in nics if nic.attachment.owner_kind != "ResourceClaimTemplate"
        ),
        devices=_devices(plan, rails),
        claim=claim,
        host_paths=tuple(v.host_path for v in plan.volumes if v.host_path is not None),
        scripted=_scripted(plan),
        nodes=_nodes(workload, hosts),
    )


def _reference(nic: PodNic) -> tuple[str, str]:
    return nic.namespace, nic.attachment.name


def _scripted(plan: WorkloadPlan) -> tuple[tuple[str, str, str], ...]:
    interfaces = {routes.interface for routes in plan.scripted}
    return tuple((*_reference(nic), nic.interface) for nic in plan.nics if nic.interface in interfaces)


def _devices(plan: WorkloadPlan, rails: set[str]) -> tuple[tuple[str, int], ...]:
    """Resources of the rails; one used only by networks that are not rails (storage, say) is left out."""
    beside = {
        nic.attachment.resource.full_name
        for nic in plan.nics
        if nic.attachment.resource is not None and nic.attachment.network.name not in rails
    }
    return tuple((d.resource, d.count) for d in plan.devices if not d.claimed and d.resource not in beside)


def _nodes(workload: Workload, hosts: Iterable[Host]) -> Nodes:
    own = {h.name for h in workload.hosts}
    mine = [h for h in workload.hosts if h.type.node]
    rest = [h for h in hosts if h.name not in own]
    return Nodes(
        labels=frozenset(_labels(h) for h in mine),
        others=frozenset(_labels(h) for h in rest if h.type.node),
        names=frozenset(h.name for h in mine if h.named),
        other_names=frozenset(h.name for h in rest if h.named),
    )


def _labels(host: Host) -> Labels:
    kind = host.type.instance_type
    return (*host.all_labels, *((key, kind) for key in _INSTANCE_TYPES if kind is not None))


def may_land(spec: dict[str, Any], nodes: Nodes) -> bool:
    """Whether a pod may run on one of the nodes, judged by the labels and names the inventory states: its
    nodeSelector, required node affinity and nodeName (docs/foreign.md)."""
    selector = {k: v for k, v in mapping(spec.get("nodeSelector")).items() if not _open(v)}
    named = [spec.get("nodeName"), selector.pop(HOSTNAME, None)]
    if any(n in nodes.other_names and n not in nodes.names for n in named if isinstance(n, str)):
        return False
    if _labels_of_others(selector, nodes):
        return False
    terms = listing(inside(spec, ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")))
    return not nodes.labels or any(_fits(dict(labels), selector, terms) for labels in nodes.labels)


def _labels_of_others(selector: dict[str, Any], nodes: Nodes) -> bool:
    """Whether a selector names labels that other hosts have and none of these nodes has."""
    wanted = set(selector.items()) if all(isinstance(v, str) for v in selector.values()) else set()
    if not wanted or any(wanted <= set(labels) for labels in nodes.labels):
        return False
    return any(wanted <= set(labels) for labels in nodes.others)


def _open(value: Any) -> bool:
    """Whether the text is not final yet: a label never contains ``$``, which envsubst replaces even
    without braces."""
    return templated(value) or (isinstance(value, str) and "$" in value)


def _fits(labels: dict[str, str], selector: dict[str, Any], terms: list[Any]) -> bool:
    """Whether the labels match; a label that the inventory does not state may have any value."""
    if any(key in labels and labels[key] != value for key, value in selector.items()):
        return False
    return not terms or any(
        all(_matches(labels, mapping(e)) for e in listing(mapping(term).get("matchExpressions")))
        for term in terms
    )


def _matches(labels: dict[str, str], expression: dict[str, Any]) -> bool:
    key, operator = str(expression.get("key")), expression.get("operator")
    values = listing(expression.get("values"))
    if key not in labels or any(_open(value) for value in values):
        return True
    if operator == "In":
        return labels[key] in values
    if operator == "NotIn":
        return labels[key] not in values
    return operator != "DoesNotExist"
