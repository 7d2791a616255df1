"""NP636, NP637, NP680: pod-spec fields set by the site. The schema validates their names and types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric
from netplan.model.inventory_schema import schema_at
from netplan.model.plan import Plan

_SCHEDULERS = ("volcano", "coscheduling")


def _with_extra(fabric: Fabric) -> int:
    return sum(bool(w.extra) for w in fabric.workloads)


@check("NP636", "pod field missing from this Kubernetes version", on=Fabric, counts=_with_extra)
def field_of_another_version(fabric: Fabric) -> Iterator[Finding]:
    """`extra` takes the fields of the oldest and the newest Kubernetes version that netplan knows.

    **Why.** An older API server rejects the field or silently drops it, so it has no effect.
    **Fix.** Remove the field, or correct `cluster.kubernetes_version`.
    **Source.** kubernetes/kubernetes v1.34.4 api/openapi-spec/swagger.json (core/v1 PodSpec), and at v1.30
    """
    version = fabric.cluster.kubernetes_version
    known = schema_at("workloads", "*", "extra")
    if version is None:
        return
    for w in fabric.workloads:
        for at, absent in _marked(w.extra, known, ()):
            lacking = [text for text in absent if _covers(text, version)]
            if lacking:
                field = ".".join(map(str, at))
                shown = ".".join(map(str, version))
                what = f"extra of {w.name} has {field}, which Kubernetes {shown} lacks"
                yield Finding((*w.at, "extra", *at), what, f"remove {field}, or correct kubernetes_version")


def _marked(value: Any, schema: Mapping[str, Any], at: Path) -> Iterator[tuple[Path, list[str]]]:
    """(field, Kubernetes versions that lack it) of every field that some version lacks."""
    if "x-netplan-not-in" in schema:
        yield at, schema["x-netplan-not-in"]
    if isinstance(value, Mapping):
        for key, below in value.items():
            part = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            yield from _marked(below, part, (*at, key))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _marked(item, schema["items"], (*at, index))


def _covers(lacking: str, version: tuple[int, int]) -> bool:
    """Whether ``version`` lacks a field too: versions up to ``lacking`` do, versions above are not judged."""
    major, minor = map(int, lacking.split("."))
    return version <= (major, minor)


@check("NP637", "pod field that the gang scheduler sets", on=Fabric, counts=_with_extra)
def field_of_the_gang(fabric: Fabric) -> Iterator[Finding]:
    """With Volcano and coscheduling, netplan or the job's operator writes schedulerName.

    **Why.** Another scheduler ignores the PodGroup, so the pods are bound one by one.
    **Fix.** Remove `extra.schedulerName`, or `cluster.gang_scheduler`.
    **Source.** kubernetes/website 2e1774a1 content/en/docs/tasks/extend-kubernetes/
    configure-multiple-schedulers.md: a scheduler binds the pods that name it in schedulerName
    """
    scheduler = fabric.cluster.gang_scheduler
    for w in fabric.workloads if scheduler in _SCHEDULERS else ():
        if "schedulerName" in w.extra:
            name = w.extra["schedulerName"]
            what = f"extra of {w.name} has schedulerName {name}, cluster.gang_scheduler is {scheduler}"
            yield Finding((*w.at, "extra", "schedulerName"), what, "remove schedulerName, or gang_scheduler")


def _planned_with_extra(plan: Plan) -> int:
    return sum(bool(w.extra) for w in plan.workloads)


@check(
    "NP680",
    "IPC_LOCK has no effect for this user",
    on=Plan,
    counts=_planned_with_extra,
    severity=Severity.WARNING,
)
def capability_of_another_user(plan: Plan) -> Iterator[Finding]:
    """Pods whose containers add IPC_LOCK run as root.

    **Why.** Added capabilities have no effect for other users: RDMA memory counts against the memlock
    limit, and ibv_reg_mr fails with ENOMEM.
    **Fix.** Run as root, or raise the container runtime's limit and state `cluster.memlock: runtime`.
    **Source.** NVIDIA/nvidia-container-toolkit#2037; kubernetes/enhancements 64765b4b
    keps/sig-security/2763-ambient-capabilities
    """
    for w in plan.workloads:
        security = w.extra.get("securityContext", {})
        user, no_root = security.get("runAsUser"), security.get("runAsNonRoot")
        if w.capabilities and (user or (user is None and no_root)):
            said = f"runAsUser {user}" if user else "runAsNonRoot"
            key = "runAsUser" if user else "runAsNonRoot"
            what = f"extra of {w.name} has {said}, but IPC_LOCK works for root only"
            hint = f"remove {key}, or raise the runtime's memlock limit and set cluster.memlock: runtime"
            yield Finding((*w.workload.at, "extra", "securityContext", key), what, hint)
