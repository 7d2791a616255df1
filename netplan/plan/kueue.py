"""Quotas for Kueue: GPUs, rails, CPUs, memory and pods in one group, so that all come from one flavor.

A workload that asks for a resource no ClusterQueue covers waits for ever, unless Kueue's Configuration leaves
it out (kubernetes-sigs/kueue pkg/scheduler/flavorassigner; apis/config/v1beta2, excludeResourcePrefixes).
"""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.cluster import Kueue
from netplan.model.fabric import Fabric, Workload
from netplan.model.hardware import HostType
from netplan.model.kueue import KueueFlavor, KueuePlan, LocalQueue
from netplan.model.workloads import WorkloadPlan

NEW_API = (0, 15)
"""First release with v1beta2 (kubernetes-sigs/kueue config/components/crd/bases at v0.15.0)."""

LIMITS: Mapping[tuple[int, int], int] = {(0, 0): 16, (0, 14): 64}
"""Release -> most resources of a group (kubernetes-sigs/kueue config/components/crd/bases at v0.8.0 to
v0.19.0, coveredResources maxItems). A release that is not stated counts as an old one."""

PODS_PER_NODE = 110
"""Kubernetes, considerations for large clusters: no more than 110 pods to a node; the kubelet's default."""

_OTHERS = ("cpu", "memory", "hugepages-2Mi", "pods")


def plan_kueue(fabric: Fabric, workloads: tuple[WorkloadPlan, ...]) -> KueuePlan | None:
    """None where the cluster runs no Kueue, as far as the inventory says."""
    stated = fabric.cluster.kueue
    if not workloads or (stated is None and fabric.cluster.gang_scheduler != "kueue"):
        return None
    kueue = stated or Kueue(release=None, rails="cover")
    release = kueue.release or (0, 0)
    rails = tuple(dict.fromkeys(d.resource for w in workloads for d in w.devices if not d.claimed))
    types = {t.name: t for w in workloads for t in w.workload.host_types}
    amounts = {name: _amounts(fabric, types[name], workloads) for name in sorted(types)}
    gpus = dict.fromkeys(t.gpu_resource for t in types.values())
    order = (*gpus, *(rails if kueue.rails == "cover" else ()), *_OTHERS)
    covered = tuple(r for r in order if any(r in found for found in amounts.values()))
    return KueuePlan(
        version="v1beta2" if release >= NEW_API else "v1beta1",
        cluster_queue=f"{fabric.site}-rdma",
        covered=covered,
        limit=max(limit for since, limit in LIMITS.items() if release >= since),
        flavors=tuple(
            KueueFlavor(
                name=f"{fabric.site}-{name}",
                node_labels=types[name].node_selector,
                quotas=tuple((r, f"{found.get(r, 0)}{_UNITS.get(r, '')}") for r in covered),
            )
            for name, found in amounts.items()
        ),
        queues=_queues(workloads),
        excluded=tuple(dict.fromkeys(r.rstrip("0123456789") for r in rails)),
        by_exclusion=kueue.rails == "exclude",
    )


_UNITS = {"memory": "Mi", "hugepages-2Mi": "Mi"}


def _amounts(fabric: Fabric, kind: HostType, workloads: tuple[WorkloadPlan, ...]) -> dict[str, int]:
    """What all nodes of a type have. Of CPUs and memory the inventory knows only what pods ask for: the quota
    is that of the workload that fills the nodes most."""
    nodes = sum(h.count for h in fabric.hosts if h.type.name == kind.name)
    here = [w for w in workloads if kind in w.workload.host_types]
    found = {kind.gpu_resource: kind.gpus * nodes} if kind.gpus else {}
    for device in (d for w in here for d in w.devices if not d.claimed):
        found[device.resource] = device.per_node.get(kind.name, 0) * nodes
    for resource, asked in (
        ("cpu", [(w.workload.cpus, w) for w in here]),
        ("memory", [(w.workload.memory_mib, w) for w in here]),
        ("hugepages-2Mi", [(w.workload.hugepages_2mi_mib, w) for w in here]),
    ):
        on_a_node = [amount * w.workload.pods_per_node for amount, w in asked if amount is not None]
        found |= {resource: max(on_a_node) * nodes} if on_a_node else {}
    return found | {"pods": PODS_PER_NODE * nodes}


def local_queue(fabric: Fabric, workload: Workload) -> str | None:
    """Of one workload; Volcano's queue of that name is another matter."""
    if fabric.cluster.kueue is None and fabric.cluster.gang_scheduler != "kueue":
        return None
    return workload.queue or workload.name


def _queues(workloads: tuple[WorkloadPlan, ...]) -> tuple[LocalQueue, ...]:
    found = {(w.workload.namespace, w.local_queue) for w in workloads if w.local_queue is not None}
    return tuple(LocalQueue(name=name, namespace=namespace) for namespace, name in sorted(found))
