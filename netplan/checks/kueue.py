"""NP639, NP647: features that the Kueue release supports."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.plan import Plan


def _kueue(plan: Plan) -> int:
    return int(plan.kueue is not None)


def _place(fabric: Fabric) -> Path:
    """Place of the release, or else of the key that names Kueue."""
    stated = fabric.cluster.kueue
    if stated is None:
        return ("cluster", "gang_scheduler")
    return ("cluster", "kueue", "release") if stated.release is not None else ("cluster", "kueue")


def _release(fabric: Fabric) -> str:
    stated = fabric.cluster.kueue
    if stated is None or stated.release is None:
        return "release not stated"
    return f"release {'.'.join(map(str, stated.release))}"


@check("NP639", "more resources than a Kueue quota can cover", on=Plan, counts=_kueue)
def too_many_covered(plan: Plan) -> Iterator[Finding]:
    """GPUs, rails, CPUs, memory and pods are in one resource group, so that all of them come from the
    same nodes.

    **Why.** The API server rejects the ClusterQueue: coveredResources takes up to 16 resources, 64 from
    Kueue 0.14. A job with a resource that no quota covers waits forever.
    **Fix.** State `cluster.kueue.release`, upgrade Kueue, or set `cluster.kueue.rails` to exclude.
    **Source.** kubernetes-sigs/kueue ff69552e config/components/crd/bases/kueue.x-k8s.io_clusterqueues.yaml,
    maxItems of coveredResources at v0.13.0 and v0.14.0; pkg/scheduler/flavorassigner/flavorassigner.go
    """
    kueue = plan.kueue
    if kueue is not None and len(kueue.covered) > kueue.limit:
        covers = f"the quota covers {len(kueue.covered)} resources"
        hint = "set cluster.kueue.rails to exclude, or upgrade to Kueue 0.14 or newer and state its release"
        yield Finding(
            _place(plan.fabric), f"{covers}, Kueue takes {kueue.limit} ({_release(plan.fabric)})", hint
        )


def _queued(plan: Plan) -> int:
    here = plan.fabric.cluster.gang_scheduler == "kueue"
    return sum(len(w.jobs) for w in plan.workloads) if here else 0


@check(
    "NP647",
    "job kind that Kueue does not manage by default",
    on=Plan,
    counts=_queued,
    severity=Severity.INFO,
)
def integration_off(plan: Plan) -> Iterator[Finding]:
    """Kueue manages only the job kinds whose integration is enabled in its Configuration.

    **Why.** A kind without integration bypasses the quota, and its pods are scheduled one by one.
    **Fix.** List it, and pod, in `integrations.frameworks` of Kueue's Configuration.
    **Source.** kubernetes-sigs/kueue ff69552e config/components/manager/controller_manager_config.yaml at
    v0.9.0 to v0.19.0
    """
    stated = plan.fabric.cluster.kueue
    release = stated.release if stated is not None and stated.release is not None else (0, 0)
    for w in plan.workloads if _queued(plan) else ():
        for job in w.jobs:
            kind = JOB_KINDS[job.kind]
            if not kind.framework:
                what, hint = (
                    f"{job.name} is {kind.object}, which Kueue does not manage",
                    "use another kind of job",
                )
                yield Finding((*w.workload.at, "jobs"), what, hint)
            if not kind.framework or release >= kind.queued_since:
                continue
            since = ".".join(map(str, kind.queued_since))
            what = f"{job.name} is {kind.object}, which Kueue manages by default only from {since}"
            hint = f"list pod and {kind.framework} in integrations.frameworks of Kueue's Configuration"
            yield Finding((*w.workload.at, "jobs"), f"{what} ({_release(plan.fabric)})", hint)
