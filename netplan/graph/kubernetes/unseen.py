"""What a run could not see, as sentences for the end of its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from netplan.graph.kubernetes.asking import elsewhere, gpu_pods
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.graph.kubernetes.selections import opted_out
from netplan.reading.kubernetes.crds import shipped
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.report import count, few

_INSTALLERS = {
    ("argoproj.io", "Application"),
    ("argoproj.io", "ApplicationSet"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"),
    ("kustomize.toolkit.fluxcd.io", "Kustomization"),
}
"""Kinds that install objects which are not in the tree."""
_SHOWN = 6


def unseen(cluster: ObjectGraph) -> Iterator[str]:
    """Pods that may be elsewhere or in an unknown form, and GPU pods marked as needing no rails."""
    things = cluster.tree.things
    installers = [t for t in things if (t.group, t.kind) in _INSTALLERS]
    if installers:
        yield f"what {_kinds(installers)} install was not seen"
    if cluster.needs is None:
        return
    asking = gpu_pods(cluster)
    if not asking:
        yield "no pod template requests GPUs"
    if out := sum(opted_out(a.pod) for a in asking):
        yield f"{count(out, 'GPU pod')} marked as needing no rails"
    if claiming := _claiming(cluster):
        yield f"what the claims of {count(claiming, 'pod')} give is not known here"
    unknown = _unknown(cluster, things)
    if unknown:
        yield f"no pod template found in {_kinds(unknown)}"


def _claiming(cluster: ObjectGraph) -> int:
    """Number of pods in the workloads' namespaces that request no GPUs but may get some by a claim: from
    a template that is not here, or from a site-specific DeviceClass."""
    asking = {(id(a.thing), a.pod.path) for a in gpu_pods(cluster)}
    namespaces = {need.namespace for need in cluster.needs or ()}
    claims = {need.claim for need in cluster.needs or ()}
    return sum(
        pod.thing.namespace in namespaces
        and (id(pod.thing), pod.path) not in asking
        and any(mapping(e).get("resourceClaimTemplateName") not in claims for e in _entries(pod))
        for pod in cluster.pods
    )


def _entries(pod: Pod) -> list[Any]:
    return listing(pod.spec.get("resourceClaims"))


def _unknown(cluster: ObjectGraph, things: tuple[Thing, ...]) -> list[Thing]:
    """Custom resources of kinds unknown to netplan in which neither pods nor GPUs were found."""
    found = {id(pod.thing) for pod in cluster.pods}
    found |= {id(a.thing) for a in gpu_pods(cluster)} | {id(p.thing) for p in elsewhere(cluster)}
    namespaces = {need.namespace for need in cluster.needs or ()}
    return [
        t for t in things if t.namespace in namespaces and _custom(t) and not t.owned and id(t) not in found
    ]


_NO_PODS = frozenset(
    {
        "kueue.x-k8s.io",
        "scheduling.x-k8s.io",
        "scheduling.volcano.sh",
        "cert-manager.io",
        "monitoring.coreos.com",
    }
)
"""API groups none of whose kinds holds pods, beside those of Kubernetes and those with a field list."""


def _custom(thing: Thing) -> bool:
    group = thing.group
    builtin = "." not in group or group.endswith(".k8s.io") or group in _NO_PODS
    return not builtin and (group, thing.kind) not in shipped()


def _kinds(things: list[Thing]) -> str:
    """``2 HelmRelease, 1 Application``"""
    numbers = Counter(t.kind for t in things)
    shown = [f"{n:,} {kind}" for kind, n in sorted(numbers.items())]
    return few(shown, _SHOWN, "more kinds")
