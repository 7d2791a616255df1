"""Charts and stages handed to Argo CD and Flux."""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePosixPath

from netplan.model.cluster import Cluster, GitOps
from netplan.model.fabric import Fabric
from netplan.model.gitops import CHART_REPOSITORIES, GitOpsChart, GitOpsPlan
from netplan.model.operator_releases import chart_of
from netplan.model.overview import ChartStep
from netplan.plan.charts import GPU_OPERATOR

PREFIX_MAX = 30
"""Names of Applications and Kustomizations become label values of at most 63 characters; the longest step
name has 25."""


_READY_LATER = (GPU_OPERATOR,)
"""Charts with an object that is ready only after a later stage. The ClusterPolicy waits for the driver pods,
and these for the driver of the NicClusterPolicy. From 1.5 on (Flux 2.8) helm-controller waits for every
object of a release by kstatus, before only for workloads (fluxcd/helm-controller CHANGELOG.md 1.5.0,
docs/spec/v2/helmreleases.md "Wait strategy"; NVIDIA/gpu-operator
deployments/gpu-operator/templates/clusterpolicy.yaml)."""


def plan_gitops(fabric: Fabric, steps: tuple[ChartStep, ...]) -> GitOpsPlan | None:
    """None unless the inventory states where the tree is kept in git."""
    stated = fabric.cluster.gitops
    if stated is None:
        return None
    charts = [_chart(step, stated, fabric.cluster) for step in steps if stated.charts]
    return GitOpsPlan(
        prefix=_prefix(fabric.site),
        repository=stated.repository,
        branch=stated.branch,
        root=str(PurePosixPath(stated.path) / "kubernetes"),
        prune=stated.prune,
        charts=tuple(chart for chart in charts if chart.version),
        unversioned=tuple(chart.name for chart in charts if not chart.version),
        argo_cd=stated.argo_cd,
        flux=stated.flux,
    )


def _prefix(site: str) -> str:
    """The site's name; if it is too long, its end is replaced by a digest."""
    if len(site) <= PREFIX_MAX:
        return site
    return f"{site[: PREFIX_MAX - 7].rstrip('-')}-{sha256(site.encode()).hexdigest()[:6]}"


def _chart(step: ChartStep, stated: GitOps, cluster: Cluster) -> GitOpsChart:
    source, _, name = step.chart.partition("/")
    return GitOpsChart(
        name=name,
        source=source,
        url=CHART_REPOSITORIES[source],
        version=stated.chart_versions.get(name) or _released(name, cluster),
        namespace=step.namespace,
        values=step.values,
        waits=step.chart not in _READY_LATER,
    )


def _released(name: str, cluster: Cluster) -> str:
    """Chart version that matches the Network Operator's images, or its release; empty if unknown."""
    operator = cluster.network_operator
    if operator is None or name != "network-operator":
        return ""
    known = operator.releases.find(operator.release)
    return chart_of(operator.version, operator.release) or (known.chart if known is not None else "")
