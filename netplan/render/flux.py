"""``kubernetes/flux/``: a Kustomization per stage, one for the charts, and a HelmRelease per chart.

Fields: the CRDs of fluxcd/kustomize-controller at 186fb3b2, fluxcd/helm-controller at 0f61a860 and
fluxcd/source-controller at 39b711b1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import yaml

from netplan.model.artifact import Artifact
from netplan.model.cluster import Flux
from netplan.model.gitops import GitOpsChart, GitOpsPlan
from netplan.model.plan import Plan
from netplan.model.stages import KINDS, Stage
from netplan.render.dump import written
from netplan.render.gitops import Step, named, robot_file, steps
from netplan.render.objects import ROOT

_FOLDER = "flux"
_SOURCE = "source.toolkit.fluxcd.io/v1"
_CHART_TIMEOUT = "30m"


def render_flux(plan: Plan, artifacts: Sequence[Artifact]) -> Iterator[Artifact]:
    gitops = plan.gitops
    if gitops is None or gitops.flux is None:
        return
    todo = steps(gitops, [artifact.path for artifact in artifacts])
    if not todo:
        return
    site, flux = plan.fabric.site, gitops.flux
    objects = [_repository(gitops, flux, site)]
    for before, step in pairwise((None, *todo)):
        assert step is not None
        objects.append(_kustomization(gitops, flux, site, step, before))
    about = "the repository, and a Kustomization for each step"
    yield robot_file(site, f"{_FOLDER}/site.yaml", objects, about)
    yield from _charts(gitops, flux, site, {artifact.path: artifact.text for artifact in artifacts})


def _charts(gitops: GitOpsPlan, flux: Flux, site: str, files: Mapping[str, str]) -> Iterator[Artifact]:
    """Repositories and releases. The values of values.yaml are inlined: Flux cannot read values from a file
    in git."""
    for source, url in sorted({(chart.source, chart.url) for chart in gitops.charts}):
        body = named(f"{_SOURCE} HelmRepository", f"{gitops.prefix}-{source}", flux.namespace, site)
        body["spec"] = {"interval": "1h", "url": url}
        path = f"{_FOLDER}/charts/repository-{source}.yaml"
        yield robot_file(site, path, [body], f"charts of {source}")
    for earlier, chart in pairwise((None, *gitops.charts)):
        assert chart is not None
        body = _release(gitops, flux, site, chart, earlier)
        body["spec"]["values"] = yaml.safe_load(files[f"{ROOT}/{chart.values}"])
        yield robot_file(site, f"{_FOLDER}/charts/{chart.name}.yaml", [body], f"chart {chart.name}")


def _repository(gitops: GitOpsPlan, flux: Flux, site: str) -> dict[str, Any]:
    spec = {
        "interval": "5m",
        "url": gitops.repository,
        "ref": {"branch": gitops.branch},
        "secretRef": {"name": flux.secret} if flux.secret is not None else None,
    }
    head = named(f"{_SOURCE} GitRepository", gitops.prefix, flux.namespace, site)
    return {**head, "spec": written(spec)}


def _kustomization(
    gitops: GitOpsPlan, flux: Flux, site: str, step: Step, before: Step | None
) -> dict[str, Any]:
    """Uses ``wait``, not ``healthChecks``, which it overrides: every object counts. Objects of a deleted
    Kustomization stay in the cluster, and HelmReleases are never pruned."""
    folder = step.stage.folder if step.stage is not None else f"{_FOLDER}/charts"
    head = named(
        "kustomize.toolkit.fluxcd.io/v1 Kustomization", f"{gitops.prefix}-{step.name}", flux.namespace, site
    )
    spec = {
        "dependsOn": [{"name": f"{gitops.prefix}-{before.name}"}] if before is not None else None,
        "sourceRef": {"kind": "GitRepository", "name": gitops.prefix},
        "path": f"./{gitops.root}/{folder}",
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": step.stage.timeout if step.stage is not None else _CHART_TIMEOUT,
        "prune": gitops.prune and step.stage is not None,
        "deletionPolicy": "Orphan",
        "wait": True,
        "healthCheckExprs": _health(step.stage) if step.stage is not None else None,
    }
    return {**head, "spec": written(spec)}


def _health(stage: Stage) -> list[dict[str, str]]:
    """Health expressions for kinds that kstatus does not know; it considers an object without conditions
    ready at once."""
    return [
        {
            "apiVersion": placement.reports,
            "kind": key.partition(".")[0],
            "failed": "status.state == 'error'",
            "current": "status.state == 'ready'",
        }
        for key, placement in KINDS.items()
        if placement.reports and placement.stage is stage
    ]


def _release(
    gitops: GitOpsPlan, flux: Flux, site: str, chart: GitOpsChart, earlier: GitOpsChart | None
) -> dict[str, Any]:
    """HelmRelease with the name and namespace that ``helm install`` would use, so that Flux adopts an
    existing release. CRDs of a new version are not installed by default, hence ``crds``."""
    action: dict[str, Any] = {"crds": "CreateReplace", "remediation": {"retries": 3}}
    if not chart.waits:
        action = {**action, "disableWait": True}
    spec = {
        "interval": "1h",
        "timeout": _CHART_TIMEOUT,
        "dependsOn": [{"name": f"{gitops.prefix}-{earlier.name}"}] if earlier is not None else None,
        "releaseName": chart.name,
        "targetNamespace": chart.namespace,
        "storageNamespace": chart.namespace,
        "chart": {
            "spec": {
                "chart": chart.name,
                "version": chart.version,
                "sourceRef": {"kind": "HelmRepository", "name": f"{gitops.prefix}-{chart.source}"},
            }
        },
        "install": {"createNamespace": True, **action},
        "upgrade": action,
    }
    head = named(
        "helm.toolkit.fluxcd.io/v2 HelmRelease", f"{gitops.prefix}-{chart.name}", flux.namespace, site
    )
    return {**head, "spec": written(spec)}
