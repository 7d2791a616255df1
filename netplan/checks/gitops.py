"""NP739: charts that neither Argo CD nor Flux deploys."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan


def _chart_count(plan: Plan) -> int:
    gitops = plan.gitops
    if gitops is None or (gitops.argo_cd is None and gitops.flux is None):
        return 0
    return len(gitops.charts) + len(gitops.unversioned)


@check("NP739", "chart version not stated", on=Plan, counts=_chart_count, severity=Severity.INFO)
def unversioned(plan: Plan) -> Iterator[Finding]:
    """Argo CD and Flux install each chart at the version stated in the inventory.

    **Why.** Without a version both install the newest one and upgrade on their own. netplan derives the
    version of the Network Operator's chart from its release, and of no other chart; a chart without a
    version gets no Application or HelmRelease, and the stages do not wait for it.
    **Fix.** State the version in `cluster.gitops.chart_versions`, or install the chart before the stages.
    **Source.** https://argo-cd.readthedocs.io/en/stable/user-guide/tracking_strategies/ (Helm);
    https://fluxcd.io/flux/components/helm/helmreleases/ (Chart template: version defaults to the latest)
    """
    gitops = plan.gitops
    for chart in gitops.unversioned if gitops is not None else ():
        what = f"chart {chart} has no stated version: neither Argo CD nor Flux installs it"
        at = ("cluster", "gitops")
        yield Finding(at, what, f"state chart_versions.{chart}, or install it yourself before the stages")
