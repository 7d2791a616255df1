"""What Argo CD and Flux need: where the tree is in git, and which charts come before its stages."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.cluster import ArgoCd, Flux
from netplan.records import dataclass

CHART_REPOSITORIES: Mapping[str, str] = {
    "nvidia": "https://helm.ngc.nvidia.com/nvidia",
    "eks": "https://aws.github.io/eks-charts",
}
"""Name under which a chart's documentation adds a Helm repository -> its URL.

Sources: https://docs.nvidia.com/networking/display/kubernetes2570/quick-start/quick-start-k8s.html and
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/install-gpu-operator.html;
https://github.com/aws/eks-charts (README.md).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitOpsChart:
    """``source``: name of the Helm repository, ``values``: file below ``kubernetes/``. ``waits``: whether its
    release waits until its resources are ready."""

    name: str
    source: str
    url: str
    version: str
    namespace: str
    values: str
    waits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GitOpsPlan:
    """``prefix``: of the names of all objects; ``root``: path of ``kubernetes/`` in the repository.

    ``charts``: in order of installation. ``unversioned``: charts left to the site because no version is
    known.
    """

    prefix: str
    repository: str
    branch: str
    root: str
    prune: bool
    charts: tuple[GitOpsChart, ...]
    unversioned: tuple[str, ...]
    argo_cd: ArgoCd | None
    flux: Flux | None
