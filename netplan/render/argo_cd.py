"""``kubernetes/argocd/``: an Application per stage and chart, a parent of them all, and the health checks.

The parent exists because a sync wave waits for the health of its Applications, and charts need Applications
of their own. Fields: the CRD of argoproj/argo-cd at 37ee0097 and docs/ there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.cluster import ArgoCd
from netplan.model.gitops import GitOpsChart, GitOpsPlan
from netplan.model.plan import Plan
from netplan.model.stages import KINDS
from netplan.render.gitops import Step, named, robot_file, steps

_APPLICATION = "argoproj.io/v1alpha1 Application"
_FOLDER = "argocd"

_SERVER_SIDE = {"argocd.argoproj.io/compare-options": "ServerSideDiff=true"}
"""Without it, fields that a CRD defaults show as differences (docs/user-guide/diff-strategies.md)."""

_RETRY = {"limit": 10, "backoff": {"duration": "30s", "factor": 2, "maxDuration": "5m"}}
"""About 40 min: as long as an operator may take to install its CRDs."""

_OF_APPLICATION = """\
hs = {}
hs.status = "Progressing"
hs.message = "not assessed yet"
if obj.status ~= nil and obj.status.health ~= nil then
  hs.status = obj.status.health.status
  hs.message = obj.status.health.message
end
return hs
"""
"""Since 1.8 Argo CD no longer assesses the health of Applications itself (docs/operator-manual/health.md);
without this script waves of Applications do not wait."""

_OF_STATE = """\
hs = {}
hs.status = "Progressing"
hs.message = "no state reported yet"
if obj.status ~= nil and obj.status.state ~= nil then
  hs.message = obj.status.state
  if obj.status.state == "ready" then
    hs.status = "Healthy"
  elseif obj.status.state == "error" then
    hs.status = "Degraded"
  end
end
return hs
"""
"""status.state is ready, notReady, ignore or error (CRDs of the Network Operator, 24.10 to 26.7). Argo CD has
no health check for these kinds and considers each healthy as soon as it exists."""


def render_argo_cd(plan: Plan, artifacts: Sequence[Artifact]) -> Iterator[Artifact]:
    gitops = plan.gitops
    if gitops is None or gitops.argo_cd is None:
        return
    todo = steps(gitops, [artifact.path for artifact in artifacts])
    if not todo:
        return
    site = plan.fabric.site
    yield robot_file(
        site, f"{_FOLDER}/health.yaml", [_health(gitops.argo_cd)], "to merge into argocd-cm, not to apply"
    )
    root = _application(gitops, gitops.argo_cd, site, "")
    root["spec"] |= {
        "source": _source(gitops, f"{_FOLDER}/applications"),
        "destination": {
            "server": "https://kubernetes.default.svc",
            "namespace": gitops.argo_cd.namespace,
        },
        "syncPolicy": _policy(gitops.prune, "ServerSideApply=true"),
    }
    yield robot_file(site, f"{_FOLDER}/site.yaml", [root], "the Application over all others")
    for name, body in _children(gitops, gitops.argo_cd, site, todo):
        yield robot_file(site, f"{_FOLDER}/applications/{name}.yaml", [body], f"Application {name}")


def _children(
    gitops: GitOpsPlan, argo_cd: ArgoCd, site: str, todo: Sequence[Step]
) -> Iterator[tuple[str, dict[str, Any]]]:
    wave = 0
    for step in todo:
        if step.stage is not None:
            body = _application(gitops, argo_cd, site, step.name, wave)
            body["spec"] |= {
                "source": _source(gitops, step.stage.folder),
                "destination": {"name": argo_cd.cluster},
                "syncPolicy": _policy(gitops.prune, "ServerSideApply=true"),
            }
            yield step.name, body
            wave += 1
        for chart in step.charts:
            body = _application(gitops, argo_cd, site, chart.name, wave)
            body["spec"] |= {
                "sources": _chart_sources(gitops, chart),
                "destination": {"name": argo_cd.cluster, "namespace": chart.namespace},
                "syncPolicy": _policy(False, "CreateNamespace=true", "ServerSideApply=true"),
            }
            yield chart.name, body
            wave += 1


def _application(
    gitops: GitOpsPlan, argo_cd: ArgoCd, site: str, name: str, wave: int | None = None
) -> dict[str, Any]:
    """Head of an Application, without the finalizer that would remove its resources together with it."""
    annotations = _SERVER_SIDE
    if wave is not None:
        annotations = {"argocd.argoproj.io/sync-wave": str(wave), **_SERVER_SIDE}
    full = f"{gitops.prefix}-{name}" if name else gitops.prefix
    head = named(_APPLICATION, full, argo_cd.namespace, site, annotations)
    return {**head, "spec": {"project": argo_cd.project}}


def _source(gitops: GitOpsPlan, folder: str) -> dict[str, Any]:
    return {
        "repoURL": gitops.repository,
        "targetRevision": gitops.branch,
        "path": f"{gitops.root}/{folder}",
    }


def _chart_sources(gitops: GitOpsPlan, chart: GitOpsChart) -> list[dict[str, Any]]:
    """The chart, with its values from git: ``$values`` is the root of the source with that name
    (docs/user-guide/multiple_sources.md)."""
    helm = {"releaseName": chart.name, "valueFiles": [f"$values/{gitops.root}/{chart.values}"]}
    return [
        {"repoURL": chart.url, "chart": chart.name, "targetRevision": chart.version, "helm": helm},
        {"repoURL": gitops.repository, "targetRevision": gitops.branch, "ref": "values"},
    ]


def _policy(prune: bool, *options: str) -> dict[str, Any]:
    """Sync policy. Charts are never pruned: pruning a CRD would delete all of its objects."""
    return {
        "automated": {"prune": prune, "selfHeal": True},
        "syncOptions": list(options),
        "retry": _RETRY,
    }


def _health(argo_cd: ArgoCd) -> dict[str, Any]:
    """Health scripts to merge into argocd-cm, with the label by which Argo CD finds that ConfigMap."""
    kinds = [key for key, placement in KINDS.items() if placement.reports]
    scripts = {"argoproj.io_Application": _OF_APPLICATION}
    for kind, _, group in (key.partition(".") for key in kinds):
        scripts[f"{group}_{kind}"] = _OF_STATE
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": "argocd-cm",
            "namespace": argo_cd.namespace,
            "labels": {"app.kubernetes.io/name": "argocd-cm", "app.kubernetes.io/part-of": "argocd"},
        },
        "data": {f"resource.customizations.health.{key}": text for key, text in scripts.items()},
    }
