"""Quotas for Kueue: GPUs, rails, CPUs, memory and pods in one resource group, so that all come from one
flavor.

A workload that requests a resource no ClusterQueue covers waits forever, unless Kueue's Configuration
excludes it (kubernetes-sigs/kueue pkg/scheduler/flavorassigner; apis/config/v1beta2,
excludeResourcePrefixes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from netplan.model.cluster import Kueue
from netplan.model.fabric import Fabric, Workload
from netplan.model.hardware import HostType
from netplan.model.kueue import KueueFlavor, KueuePlan, LocalQueue
from netplan.model.workloads import WorkloadPlan

NEW_API = (0, 15)
"""First release with v1beta2 (kubernetes-sigs/kueue config/components/crd/bases at v0.15.0)."""

LIMITS: Mapping[tuple[int, int], int] = {(0, 0): 16, (0, 14): 64}
"""Release -> maximum number of resources in a group (kubernetes-sigs/kueue config/components/crd/bases at
v0.8.0 to v0.19.0, coveredResources maxItems). An unstated release gets the oldest limit."""

PODS_PER_NODE = 110
"""Kubernetes, considerations for large clusters: no more than 110 pods per node; the kubelet's default."""

_OTHERS = ("cpu", "memory", "hugepages-2Mi", "pods")


def plan_kueue(fabric: Fabric, workloads: tuple[WorkloadPlan, ...]) -> KueuePlan | None:
    """Queues and quotas; None if the inventory states no Kueue."""
    if not workloads or not _runs_kueue(fabric):
        return None
    kueue = fabric.cluster.kueue or Kueue(release=None, rails="cover")
    release = kueue.release or min(LIMITS)
    rails = _rails(workloads)
    types = {t.name: t for w in workloads for t in w.workload.host_types}
    amounts = {name: _amounts(fabric, types[name], workloads) for name in sorted(types)}
    gpus = tuple(dict.fromkeys(t.gpu_resource for t in types.values()))
    order = (*gpus, *rails, *_OTHERS) if kueue.rails == "cover" else (*gpus, *_OTHERS)
    covered = _in_any(order, amounts.values())
    version = "v1beta2" if release >= NEW_API else "v1beta1"
    return KueuePlan(
        version=version,
        cluster_queue=f"{fabric.site}-rdma",
        covered=covered,
        limit=_limit(release),
        flavors=tuple(_flavor(fabric, types[name], covered, amounts[name]) for name in amounts),
        queues=_queues(workloads),
        excluded=tuple(dict.fromkeys(r.rstrip("0123456789") for r in rails)),
        by_exclusion=kueue.rails == "exclude",
    )


def _runs_kueue(fabric: Fabric) -> bool:
    return fabric.cluster.kueue is not None or fabric.cluster.gang_scheduler == "kueue"


def _limit(release: tuple[int, int]) -> int:
    return max(limit for since, limit in LIMITS.items() if release >= since)


def _in_any(order: Iterable[str], found: Iterable[Mapping[str, int]]) -> tuple[str, ...]:
    there = {resource for amounts in found for resource in amounts}
    return tuple(resource for resource in order if resource in there)


def _rails(workloads: tuple[WorkloadPlan, ...]) -> tuple[str, ...]:
    """Extended resources of the pods' devices. Claimed devices count toward no quota here."""
    return tuple(dict.fromkeys(d.resource for w in workloads for d in w.devices if not d.claimed))


_UNITS = {"memory": "Mi", "hugepages-2Mi": "Mi"}


def _flavor(
    fabric: Fabric, kind: HostType, covered: tuple[str, ...], found: Mapping[str, int]
) -> KueueFlavor:
    return KueueFlavor(
        name=f"{fabric.site}-{kind.name}",
        node_labels=kind.node_selector,
        quotas=tuple((r, f"{found.get(r, 0)}{_UNITS.get(r, '')}") for r in covered),
    )


_ASKED: Mapping[str, Callable[[Workload], int | None]] = {
    "cpu": lambda w: w.cpus,
    "memory": lambda w: w.memory_mib,
    "hugepages-2Mi": lambda w: w.hugepages_2mi_mib,
}
"""Resource -> amount a pod of a workload requests, None if not stated."""


def _amounts(fabric: Fabric, kind: HostType, workloads: tuple[WorkloadPlan, ...]) -> dict[str, int]:
    """Amounts on all nodes of a type together.

    For CPUs, memory and huge pages the inventory has only the pods' requests, so each quota is the largest
    demand that any one workload puts on the nodes.
    """
    nodes = sum(h.count for h in fabric.hosts if h.type.name == kind.name)
    here = [w for w in workloads if kind in w.workload.host_types]
    on_a_node = {"pods": PODS_PER_NODE}
    if kind.gpus:
        on_a_node[kind.gpu_resource] = kind.gpus
    for device in (d for w in here for d in w.devices if not d.claimed):
        on_a_node[device.resource] = device.per_node.get(kind.name, 0)
    for resource, asked in _ASKED.items():
        found = [amount * w.workload.pods_per_node for w in here if (amount := asked(w.workload)) is not None]
        if found:
            on_a_node[resource] = max(found)
    return {resource: amount * nodes for resource, amount in on_a_node.items()}


def local_queue(fabric: Fabric, workload: Workload) -> str | None:
    """LocalQueue of one workload; None without Kueue. Volcano's queue of the same name is unrelated."""
    return workload.queue or workload.name if _runs_kueue(fabric) else None


def _queues(workloads: tuple[WorkloadPlan, ...]) -> tuple[LocalQueue, ...]:
    found = {(w.workload.namespace, w.local_queue) for w in workloads if w.local_queue is not None}
    return tuple(LocalQueue(name=name, namespace=namespace) for namespace, name in sorted(found))
