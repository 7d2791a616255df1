"""Pods of Argo Workflows: a template is a pod without being a PodTemplateSpec (argoproj/argo-workflows
7ea36dc pkg/apis/workflow/v1alpha1/workflow_types.go, Template)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.graph.kubernetes.gather import pods_in
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated

ARGO = "argoproj.io"
WORKFLOWS = {
    "Workflow": ("spec",),
    "WorkflowTemplate": ("spec",),
    "ClusterWorkflowTemplate": ("spec",),
    "CronWorkflow": ("spec", "workflowSpec"),
}


def argo_pods(cluster: ObjectGraph) -> Iterator[Pod]:
    """The pod of each template that has one, and the pods of objects that a template creates."""
    for kind, place in WORKFLOWS.items():
        for thing in cluster.of(ARGO, kind):
            spec = mapping(inside(thing.body, place))
            for index, template in enumerate(listing(spec.get("templates"))):
                at: Path = (*place, "templates", index)
                if isinstance(template, dict):
                    yield from _pod(thing, spec, template, at)
                    yield from _created(thing, template, at)


def _pod(thing: Thing, spec: dict[str, Any], template: dict[str, Any], at: Path) -> Iterator[Pod]:
    own = [template.get(key) for key in ("container", "script")]
    both = listing(inside(template, ("containerSet", "containers")))
    containers = [c for c in (*own, *both, *listing(template.get("sidecars"))) if isinstance(c, dict)]
    if not containers:
        return
    shared, mine = (
        mapping(inside(spec, ("podMetadata", "annotations"))),
        mapping(inside(template, ("metadata", "annotations"))),
    )
    pod: dict[str, Any] = {
        "containers": containers,
        "initContainers": listing(template.get("initContainers")),
    }
    for key in ("nodeSelector", "affinity", "hostNetwork", "volumes"):
        pod[key] = template.get(key, spec.get(key))
    for source in (spec, template):
        _patch(pod, source.get("podSpecPatch"))
    body = {"metadata": {"annotations": {**shared, **mine}}, "spec": pod}
    yield Pod(thing=thing, path=at, template=body, replicas=None)


def _patch(pod: dict[str, Any], text: Any) -> None:
    """Applies a ``podSpecPatch``: additions to the main container, and pod fields it sets."""
    if not isinstance(text, str) or not text.strip() or templated(text):
        return
    documents = parse("", text, Places(SourceMap())).documents
    patch = mapping(documents[0][0]) if documents else {}
    pod["containers"] = [
        *pod["containers"],
        *(c for c in listing(patch.get("containers")) if isinstance(c, dict)),
    ]
    pod.update({key: value for key, value in patch.items() if key not in ("containers", "initContainers")})


def _created(thing: Thing, template: dict[str, Any], at: Path) -> Iterator[Pod]:
    """Pods of ``resource.manifest``, an object embedded as text."""
    text = inside(template, ("resource", "manifest"))
    if isinstance(text, str) and text.strip():
        for body, _ in parse("", text, Places(SourceMap())).documents:
            yield from pods_in(thing, (*at, "resource", "manifest"), body)
