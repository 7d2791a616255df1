"""A kustomization in each stage below ``kubernetes/``, and one over all of them, so that kubectl and GitOps
tools take either as it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from netplan.model.artifact import Artifact
from netplan.model.stages import STAGES
from netplan.render.dump import dump_yaml
from netplan.render.objects import ROOT


def render_kustomizations(site: str, artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
    """Helm values are no objects, lie beside the stages and are left out. An empty stage is not
    written."""
    files: dict[str, list[str]] = defaultdict(list)
    for artifact in artifacts:
        root, folder, *rest = artifact.path.split("/")
        if root == ROOT:
            files[folder].append("/".join(rest))
    stages = [stage for stage in STAGES if stage.folder in files]
    for stage in stages:
        yield _kustomization(f"{stage.folder}/", f"site {site}: {stage.holds}", sorted(files[stage.folder]))
    yield _kustomization("", f"site {site}: all stages", [stage.folder for stage in stages])


def _kustomization(folder: str, header: str, resources: list[str]) -> Artifact:
    body = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": resources,
    }
    return Artifact(
        path=f"{ROOT}/{folder}kustomization.yaml",
        text=dump_yaml([body], header),
        kind="kustomization",
        entities=("site",),
    )
