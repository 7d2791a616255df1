"""NP737: what pods claim of DRA drivers, read back from pods, templates and classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from netplan.verify.cluster import Cluster, Pod
from netplan.verify.tree import Finding, Object

FOREIGN_CLASSES = frozenset({"sriovnetwork.k8snetworkplumbingwg.io"})
"""Classes that charts bring which no object of this tree stands for."""


def claiming_pods(cluster: Cluster) -> Sequence[Pod]:
    return [pod for pod in cluster.pods if pod.claims or pod.claimed]


def claims(cluster: Cluster, pod: Pod) -> Iterator[Finding]:
    """A claim leads from the container by the pod to a template and from there to a class.

    **Why.** A pod whose template does not exist in its namespace stays Pending; a container that does not
    name the claim starts without the RDMA device.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation.
    """
    templates = {(o.namespace, o.name): o for o in cluster.tree.objects if o.kind == "ResourceClaimTemplate"}
    classes = {o.name for o in cluster.tree.objects if o.kind == "DeviceClass"} | FOREIGN_CLASSES
    where = f"{pod.thing}: {pod.where}.spec"
    if set(pod.claimed) != set(pod.claims):
        named = ", ".join(sorted(pod.claimed)) or "none"
        yield Finding(
            pod.thing.artifact, f"{where}: containers name the claims {named}, the pod has {list(pod.claims)}"
        )
    for template in pod.claims.values():
        found = templates.get((pod.thing.namespace, template))
        if found is None:
            yield Finding(
                pod.thing.artifact, f"{where}.resourceClaims names {template}, which does not exist here"
            )
            continue
        unknown = sorted({r["exactly"]["deviceClassName"] for r in _requests(found)} - classes)
        if unknown:
            yield Finding(found.artifact, f"{found} names class {unknown[0]}, which does not exist here")


def _requests(template: Object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = template.spec["spec"]["devices"]["requests"]
    return found
