"""Files of Kubernetes objects below ``kubernetes/``: stage, labels, and protection from pruning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.stages import KINDS, Removal, StagePlacement, qualified
from netplan.render.dump import dump_yaml

ROOT = "kubernetes"

_KEEP: Mapping[Removal, tuple[str, ...]] = {
    Removal.PRUNE: (),
    Removal.ASK: ("Prune=confirm", "Delete=confirm"),
    Removal.NEVER: ("Prune=false", "Delete=false"),
}
"""Sync options of Argo CD; Flux has one word for both.

Sources: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/ (No Prune Resources,
Resource Pruning With Confirmation, Skip Dry Run for new custom resources types);
https://fluxcd.io/flux/components/kustomize/kustomizations/ (Prune).
"""


def object_file(
    site: str, path: str, objects: Sequence[Mapping[str, Any]], about: str, entities: Iterable[str]
) -> Artifact:
    """File of objects that share a stage. ``path``: below the stage's folder; its first folder is the kind of
    artifact."""
    (stage,) = {_placement(o).stage for o in objects}
    return Artifact(
        path=f"{ROOT}/{stage.folder}/{path}",
        text=dump_yaml([marked(o, site) for o in objects], f"site {site}: {about}"),
        kind=path.split("/")[0],
        entities=tuple(entities),
    )


def kustomization(resources: list[str]) -> dict[str, Any]:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": resources,
    }


def labels(site: str) -> dict[str, str]:
    """Recommended labels (https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/).
    Not ``app.kubernetes.io/instance``, which Argo CD can be set to track its objects by."""
    return {"app.kubernetes.io/managed-by": "netplan", "app.kubernetes.io/part-of": site}


def marked(body: Mapping[str, Any], site: str) -> dict[str, Any]:
    """The object with its labels and annotations.

    They are in the file, not in a kustomization, so that ``kubectl apply -f`` and ``-k`` give the same
    object. A Namespace gets no labels: it is shared with everything else in it, and a forced server-side
    apply would take the labels from their owner.
    """
    removal = _placement(body).removal
    metadata = dict(body["metadata"])
    if removal is not Removal.NEVER:
        metadata["labels"] = labels(site) | metadata.get("labels", {})
    annotations = metadata.get("annotations", {}) | _for_robots(_placement(body))
    if annotations:
        metadata["annotations"] = annotations
    return {**body, "metadata": metadata}


def _for_robots(placement: StagePlacement) -> dict[str, str]:
    late = ("SkipDryRunOnMissingResource=true",) if placement.late else ()
    options = {"argocd.argoproj.io/sync-options": ",".join((*_KEEP[placement.removal], *late))}
    kept = {"kustomize.toolkit.fluxcd.io/prune": "disabled"} if _KEEP[placement.removal] else {}
    return {key: value for key, value in options.items() if value} | kept


def _placement(body: Mapping[str, Any]) -> StagePlacement:
    return KINDS[qualified(body["apiVersion"], body["kind"])]
