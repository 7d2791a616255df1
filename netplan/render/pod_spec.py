"""Parts of a pod as data, used in patches and in netplan's own pods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.model.hardware import ZONE_LABEL, Labels
from netplan.model.workloads import Placement, Volume, WorkloadPlan
from netplan.render.dump import written
from netplan.render.pod_extra import with_extra


def env_list(values: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in values.items()]


def pod_env(plan: WorkloadPlan) -> dict[str, str]:
    return {e.name: e.value for e in plan.env}


def volume(entry: Volume) -> dict[str, Any]:
    if entry.host_path is not None:
        return {"name": entry.name, "hostPath": {"path": entry.host_path, "type": "Directory"}}
    size = f"{entry.size_mib}Mi" if entry.size_mib is not None else None
    return {"name": entry.name, "emptyDir": written({"medium": "Memory", "sizeLimit": size})}


def mount(entry: Volume) -> dict[str, str]:
    return {"name": entry.name, "mountPath": entry.mount_path}


def security_context(plan: WorkloadPlan) -> dict[str, Any]:
    """Security context of the RDMA container. An API server refuses privileged with allowPrivilegeEscalation
    false (kubernetes pkg/apis/core/validation/validation.go, ValidateSecurityContext)."""
    if plan.workload.privileged:
        return {"privileged": True, "allowPrivilegeEscalation": True}
    return {"capabilities": {"add": list(plan.capabilities)}} if plan.capabilities else {}


def pod_claims(plan: WorkloadPlan) -> list[dict[str, str]]:
    claim = plan.claim
    return [{"name": claim.name, "resourceClaimTemplateName": claim.template}] if claim is not None else []


def container_claims(plan: WorkloadPlan) -> list[dict[str, str]]:
    """Reference to the claim with all of its requests."""
    return [{"name": plan.claim.name}] if plan.claim is not None else []


_SMALL = {"cpu": "100m", "memory": "64Mi"}
"""Resources of the init container. A pod is Guaranteed only if each of its containers, init containers
included, has equal requests and limits (kubernetes.io, pod QoS; kubernetes/kubernetes#93282). They add
nothing to the pod's total, which is the larger of init containers and containers."""


def script_container(plan: WorkloadPlan, script: str) -> dict[str, Any]:
    """The init container that installs the rail routes; it needs NET_RAW for gratuitous ARP.

    It runs as root even in a pod that otherwise may not: a container's own setting takes precedence, and
    kubelet refuses runAsUser 0 with runAsNonRoot (redpanda-data/redpanda-operator#1163, rancher/charts#805).
    """
    announces = any(r.announce for r in plan.scripted)
    return {
        "name": "rail-routes",
        "image": plan.workload.image,
        "command": ["sh", "-c", script],
        "resources": {"requests": dict(_SMALL), "limits": dict(_SMALL)},
        "securityContext": {
            "runAsUser": 0,
            "runAsNonRoot": False,
            "capabilities": {"add": ["NET_ADMIN", *(["NET_RAW"] if announces else [])]},
        },
    }


def affinity(placement: Placement, labels: Mapping[str, str], spread: bool) -> dict[str, Any]:
    """Affinity to nodes with any of several label sets, and to one zone if no label set implies it; with
    ``spread`` one pod per node."""
    term = {"labelSelector": {"matchLabels": dict(labels)}}
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    several = len(placement.selectors) > 1 and not placement.unlabelled
    nodes = {required: {"nodeSelectorTerms": [_term(s) for s in placement.selectors]}} if several else None
    zone = {**term, "topologyKey": ZONE_LABEL}
    by_affinity = placement.same_zone is not None and placement.zone is None and labels
    node = {**term, "topologyKey": "kubernetes.io/hostname"}
    return written(
        {
            "nodeAffinity": nodes,
            "podAffinity": {required: [zone]} if by_affinity else None,
            "podAntiAffinity": {required: [node]} if spread else None,
        }
    )


def _term(labels: Labels) -> dict[str, Any]:
    return {"matchExpressions": [{"key": k, "operator": "In", "values": [v]} for k, v in labels]}


def node_selector(placement: Placement) -> dict[str, str]:
    """The label set that selects every node; several need an affinity instead."""
    only = len(placement.selectors) == 1 and not placement.unlabelled
    return dict(placement.selectors[0]) if only else {}


def pod_template(
    plan: WorkloadPlan,
    script: str | None,
    labels: Mapping[str, str],
    container: Mapping[str, Any],
    spread: bool,
) -> dict[str, Any]:
    """``metadata`` and ``spec`` of an RDMA pod; keys of ``container`` override netplan's."""
    main = written(
        {
            "name": plan.workload.container,
            "image": plan.workload.image,
            "env": env_list(pod_env(plan)),
            "securityContext": security_context(plan),
            "resources": written({"limits": dict(plan.limits), "claims": container_claims(plan)}),
            "volumeMounts": [mount(v) for v in plan.volumes],
        }
    )
    spec = written(
        {
            "runtimeClassName": plan.workload.runtime_class,
            "resourceClaims": pod_claims(plan),
            "nodeSelector": node_selector(plan.placement),
            "affinity": affinity(plan.placement, labels, spread),
            "initContainers": [script_container(plan, script)] if script is not None else None,
            "containers": [{**main, **container}],
            "volumes": [volume(v) for v in plan.volumes],
        }
    )
    return {
        "metadata": written({"labels": dict(labels), "annotations": dict(plan.annotations)}),
        "spec": with_extra(spec, plan.extra),
    }
