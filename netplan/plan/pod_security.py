"""The Pod Security level that a namespace's pods need."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.model.cluster import Cluster
from netplan.model.overview import NamespaceSecurity
from netplan.model.workloads import WorkloadPlan

IPC_LOCK = "IPC_LOCK"
"""Baseline lets no container add it, and refuses privileged containers and hostPath volumes
(kubernetes/pod-security-admission policy/check_capabilities_baseline.go, check_hostPathVolumes.go,
check_privileged.go)."""

_Causes = dict[tuple[str, ...], list[str]]
"""Violations of baseline in a pod -> workloads whose pods have exactly these."""

_OPERATOR = "its daemons run privileged and mount host paths"
"""k8snetworkplumbingwg/sriov-network-operator deployment/sriov-network-operator-chart/README.md;
docs.nvidia.com, Network Operator v24.7.0, advanced configurations; GPU Operator, security considerations."""

_OPENSHIFT = "a SecurityContextConstraints of the pods' service account must allow the same"
"""docs.redhat.com, OpenShift Container Platform, managing security context constraints."""

_BASELINE = (
    "nothing that netplan adds is rejected; restricted also requires runAsNonRoot, a seccompProfile and "
    "dropped capabilities, which the image must support and these pods do not set"
)
"""kubernetes/pod-security-admission policy/check_runAsNonRoot.go, check_seccompProfile_restricted.go,
check_capabilities_restricted.go."""


def plan_pod_security(cluster: Cluster, workloads: Iterable[WorkloadPlan]) -> tuple[NamespaceSecurity, ...]:
    causes: dict[str, _Causes] = {}
    for plan in workloads:
        mine = causes.setdefault(plan.workload.namespace, {})
        mine.setdefault(tuple(_causes(plan)), []).append(plan.name)
    operators = (cluster.network_operator, cluster.sriov_operator, cluster.gpu_operator)
    own = {o.namespace for o in operators if o is not None}
    openshift = cluster.distribution == "openshift"
    return tuple(
        _level(name, causes.get(name, {}), name in own, openshift) for name in sorted({*causes, *own})
    )


def _level(namespace: str, causes: _Causes, operator: bool, openshift: bool) -> NamespaceSecurity:
    reasons = [f"{' and '.join(names)}: {', '.join(found)}" for found, names in causes.items() if found]
    if reasons and openshift:
        reasons.append(_OPENSHIFT)
    if operator:
        reasons.insert(0, _OPERATOR)
    kinds = {cause for found in causes for cause in found}
    return NamespaceSecurity(
        namespace=namespace,
        level="privileged" if reasons else "baseline",
        why="; ".join(reasons) or _BASELINE,
        by_memlock=not operator and kinds == {_adds([IPC_LOCK])},
    )


def _adds(capabilities: Iterable[str]) -> str:
    return f"the container adds {', '.join(capabilities)}"


def _causes(plan: WorkloadPlan) -> list[str]:
    found = []
    if plan.workload.privileged:
        found.append("the container runs privileged")
    if plan.capabilities:
        found.append(_adds(plan.capabilities))
    mounted = [v.host_path for v in plan.volumes if v.host_path is not None]
    if mounted:
        found.append(f"the pod mounts {', '.join(mounted)} of the host")
    if plan.scripted:
        announces = any(r.announce for r in plan.scripted)
        found.append(f"the init container adds NET_ADMIN{' and NET_RAW' if announces else ''}")
    return found
