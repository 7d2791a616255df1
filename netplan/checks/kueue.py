"""NP639, NP647: what Kueue's release takes."""

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
    """Of the release, or of the key that says that there is Kueue."""
    stated = fabric.cluster.kueue
    if stated is None:
        return ("cluster", "gang_scheduler")
    return ("cluster", "kueue", "release") if stated.release is not None else ("cluster", "kueue")


def _release(fabric: Fabric) -> str:
    stated = fabric.cluster.kueue
    if stated is None or stated.release is None:
        return "release not stated"
    return f"release {'.'.join(map(str, stated.release))}"


@check("NP639", "more resources than a quota of Kueue covers", on=Plan, counts=_kueue)
def too_many_covered(plan: Plan) -> Iterator[Finding]:
    """GPUs, rails, CPUs, memory and pods are in one resource group, so that all come from the same nodes.

    **Why.** The API server refuses the ClusterQueue: coveredResources takes 16 resources, from 0.14 on 64. A
    job with a resource that no quota covers waits for ever.
    **Fix.** State `cluster.kueue.release`, upgrade Kueue, or set `cluster.kueue.rails` to exclude.
    **Source.** kubernetes-sigs/kueue config/components/crd/bases/kueue.x-k8s.io_clusterqueues.yaml, maxItems
    of coveredResources at v0.13.0 and v0.14.0; pkg/scheduler/flavorassigner/flavorassigner.go
    """
    kueue = plan.kueue
    if kueue is not None and len(kueue.covered) > kueue.limit:
        covers = f"the quota covers {len(kueue.covered)} resources"
        hint = "set cluster.kueue.rails to exclude, or take Kueue 0.14 or newer and state its release"
        yield Finding(
            _place(plan.fabric), f"{covers}, Kueue takes {kueue.limit} ({_release(plan.fabric)})", hint
        )


def _queued(plan: Plan) -> int:
    here = plan.fabric.cluster.gang_scheduler == "kueue"
    return sum(len(w.jobs) for w in plan.workloads) if here else 0


@check(
    "NP647",
    "a kind of job that Kueue does not take by default",
    on=Plan,
    counts=_queued,
    severity=Severity.INFO,
)
def integration_off(plan: Plan) -> Iterator[Finding]:
    """Kueue admits the kinds of job whose integration is on in its Configuration.

    **Why.** A kind without integration runs past the quota, its pods scheduled one by one.
    **Fix.** List it in `integrations.frameworks` of Kueue's Configuration, with pod beside it.
    **Source.** kubernetes-sigs/kueue config/components/manager/controller_manager_config.yaml at v0.9.0 to
    v0.19.0
    """
    stated = plan.fabric.cluster.kueue
    release = stated.release if stated is not None and stated.release is not None else (0, 0)
    for w in plan.workloads if _queued(plan) else ():
        for job in w.jobs:
            kind = JOB_KINDS[job.kind]
            if not kind.framework:
                what, hint = (
                    f"{job.name} is {kind.object}, which Kueue does not take",
                    "take another kind of job",
                )
                yield Finding((*w.workload.at, "jobs"), what, hint)
            if not kind.framework or release >= kind.queued_since:
                continue
            since = ".".join(map(str, kind.queued_since))
            what = f"{job.name} is {kind.object}, which Kueue takes by default from {since} on"
            hint = f"list pod and {kind.framework} in integrations.frameworks of Kueue's Configuration"
            yield Finding((*w.workload.at, "jobs"), f"{what} ({_release(plan.fabric)})", hint)
