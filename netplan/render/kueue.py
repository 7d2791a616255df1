"""``pods/kueue.yaml``: quotas and queues for the cluster's admin (kubernetes-sigs/kueue apis/kueue)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kueue import KueueFlavor, KueuePlan
from netplan.render.dump import dump_yaml, written

GROUP = "kueue.x-k8s.io"
NAMESPACE_LABEL = "kubernetes.io/metadata.name"
"""Label that the API server sets on every namespace (Kubernetes, well-known labels)."""


def render_kueue(plan: KueuePlan | None, site: str) -> Iterator[Artifact]:
    if plan is not None:
        objects = [*(_flavor(plan, f) for f in plan.flavors), _cluster_queue(plan), *_local_queues(plan)]
        text = dump_yaml(objects, "\n".join(_header(plan, site)))
        yield Artifact(path="pods/kueue.yaml", text=text, kind="pods", entities=("cluster",))


def _header(plan: KueuePlan, site: str) -> Iterator[str]:
    yield f"site {site}: quotas of Kueue, for the cluster's admin; no kustomization has this file"
    if not plan.excluded:
        return
    prefixes = ", ".join(f'"{prefix}"' for prefix in plan.excluded)
    if plan.by_exclusion:
        yield "the rails are not in the quota: a job waits forever unless Kueue's Configuration has"
    else:
        yield "to leave the rails out of the quota instead, Kueue's Configuration (one for the cluster) takes"
    yield f"  resources: {{excludeResourcePrefixes: [{prefixes}]}}"


def _object(plan: KueuePlan, kind: str, metadata: dict[str, str], spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": f"{GROUP}/{plan.version}", "kind": kind, "metadata": metadata, "spec": spec}


def _flavor(plan: KueuePlan, flavor: KueueFlavor) -> dict[str, Any]:
    spec = written({"nodeLabels": dict(flavor.node_labels)})
    return _object(plan, "ResourceFlavor", {"name": flavor.name}, spec)


def _cluster_queue(plan: KueuePlan) -> dict[str, Any]:
    namespaces = sorted({queue.namespace for queue in plan.queues})
    selector = {"key": NAMESPACE_LABEL, "operator": "In", "values": namespaces}
    flavors = [
        {"name": f.name, "resources": [{"name": r, "nominalQuota": quota} for r, quota in f.quotas]}
        for f in plan.flavors
    ]
    spec = {
        "namespaceSelector": {"matchExpressions": [selector]},
        "resourceGroups": [{"coveredResources": list(plan.covered), "flavors": flavors}],
    }
    return _object(plan, "ClusterQueue", {"name": plan.cluster_queue}, spec)


def _local_queues(plan: KueuePlan) -> list[dict[str, Any]]:
    spec = {"clusterQueue": plan.cluster_queue}
    return [
        _object(plan, "LocalQueue", {"name": queue.name, "namespace": queue.namespace}, dict(spec))
        for queue in plan.queues
    ]
