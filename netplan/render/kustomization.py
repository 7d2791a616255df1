"""``kubernetes/kustomization.yaml``: every object below it, so that kustomize and GitOps tools take the
folder as it stands."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.model.artifact import Artifact
from netplan.render.dump import dump_yaml

_ROOT = "kubernetes/"


def render_kustomization(site: str, artifacts: Iterable[Artifact]) -> Artifact:
    """Helm values are no objects and are left out."""
    paths = sorted(
        a.path.removeprefix(_ROOT)
        for a in artifacts
        if a.path.startswith(_ROOT) and a.path.endswith(".yaml") and not a.path.endswith("/values.yaml")
    )
    body = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": paths}
    return Artifact(
        path=f"{_ROOT}kustomization.yaml",
        text=dump_yaml([body], f"site {site}"),
        kind="kustomization",
        entities=("site",),
    )
