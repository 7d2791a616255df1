"""Manifests for Argo CD and Flux, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.gitops import GitOpsChart, GitOpsPlan
from netplan.model.stages import PREREQUISITES, Stage, present
from netplan.records import dataclass
from netplan.render.dump import dump_yaml
from netplan.render.objects import ROOT, labels

ENTITY = "cluster.gitops"


@dataclass(frozen=True, slots=True)
class Step:
    """A stage, or all charts together, as one step of that order."""

    name: str
    stage: Stage | None
    charts: tuple[GitOpsChart, ...]


def steps(plan: GitOpsPlan, paths: Iterable[str]) -> list[Step]:
    """Namespaces, then the charts, then what needs their CRDs. ``paths``: files below ``kubernetes/``."""
    stages = present(paths)
    first = [Step(s.name, s, ()) for s in stages if s is PREREQUISITES]
    charts = [Step("charts", None, plan.charts)] if plan.charts else []
    return [*first, *charts, *(Step(s.name, s, ()) for s in stages if s is not PREREQUISITES)]


def named(
    kind: str, name: str, namespace: str, site: str, annotations: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Head of an object. ``kind`` includes the apiVersion: ``argoproj.io/v1alpha1 Application``."""
    api_version, _, word = kind.partition(" ")
    metadata: dict[str, Any] = {"name": name, "namespace": namespace, "labels": labels(site)}
    if annotations:
        metadata["annotations"] = dict(annotations)
    return {"apiVersion": api_version, "kind": word, "metadata": metadata}


def robot_file(site: str, path: str, objects: Sequence[Mapping[str, Any]], about: str) -> Artifact:
    """File for Argo CD or Flux. ``path``: below ``kubernetes/``; its first folder is the kind of artifact."""
    return Artifact(
        path=f"{ROOT}/{path}",
        text=dump_yaml(list(objects), f"site {site}: {about}"),
        kind=path.split("/")[0],
        entities=(ENTITY,),
    )
