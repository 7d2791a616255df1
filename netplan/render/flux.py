"""``kubernetes/flux/``: a Kustomization for each stage, one for the charts, and a HelmRelease for each chart.

Fields: the CRDs of fluxcd/kustomize-controller at 186fb3b2, fluxcd/helm-controller at 0f61a860 and
fluxcd/source-controller at 39b711b1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    site, flux = plan.fabric.site, gitops.flux
    objects = [_repository(gitops, flux, site)]
    before: Step | None = None
    for step in steps(gitops, artifacts):
        objects.append(_kustomization(gitops, flux, site, step, before))
        before = step
    yield robot_file(
        site, f"{_FOLDER}/site.yaml", objects, "the repository, and a Kustomization for each step"
    )
    for source in sorted({chart.source for chart in gitops.charts}):
        url = next(chart.url for chart in gitops.charts if chart.source == source)
        body = named(f"{_SOURCE} HelmRepository", f"{gitops.prefix}-{source}", flux.namespace, site)
        path = f"{_FOLDER}/charts/repository-{source}.yaml"
        yield robot_file(
            site, path, [{**body, "spec": {"interval": "1h", "url": url}}], f"charts of {source}"
        )
    values = {artifact.path: artifact.text for artifact in artifacts}
    for earlier, chart in pairwise((None, *gitops.charts)):
        assert chart is not None
        body = _release(gitops, flux, site, chart, earlier)
        body["spec"]["values"] = yaml.safe_load(values[f"{ROOT}/{chart.values}"])
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
    """``wait`` and not ``healthChecks``: the one makes the other ignored, and every object counts. What is
    left behind by a Kustomization that is removed stays in the cluster; HelmReleases are never pruned."""
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
    """Kinds that kstatus does not know: it takes an object without conditions for ready at once."""
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
    """Under the name and in the namespace that ``helm install`` would give it, so that Flux takes over a
    release that is there. CRDs of a new version are not installed unless asked for."""
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
        "install": {"createNamespace": True, "crds": "CreateReplace", "remediation": {"retries": 3}},
        "upgrade": {"crds": "CreateReplace", "remediation": {"retries": 3}},
    }
    head = named(
        "helm.toolkit.fluxcd.io/v2 HelmRelease", f"{gitops.prefix}-{chart.name}", flux.namespace, site
    )
    return {**head, "spec": written(spec)}
