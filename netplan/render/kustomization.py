"""A kustomization per stage below ``kubernetes/`` and one for all stages, ready for kubectl and GitOps
tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.model.artifact import Artifact
from netplan.model.stages import folder_of, present
from netplan.render.dump import dump_yaml
from netplan.render.objects import ROOT, kustomization


def render_kustomizations(site: str, artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
    """Helm values are not objects, lie outside the stages and are left out. An empty stage has no file."""
    paths = sorted(artifact.path for artifact in artifacts)
    stages = present(paths)
    for stage in stages:
        folder = f"{stage.folder}/"
        files = [p.removeprefix(f"{ROOT}/{folder}") for p in paths if folder_of(p) == stage.folder]
        yield _kustomization(folder, f"site {site}: {stage.holds}", files)
    yield _kustomization("", f"site {site}: all stages", [stage.folder for stage in stages])


def _kustomization(folder: str, header: str, resources: list[str]) -> Artifact:
    return Artifact(
        path=f"{ROOT}/{folder}kustomization.yaml",
        text=dump_yaml([kustomization(resources)], header),
        kind="kustomization",
        entities=("site",),
    )
