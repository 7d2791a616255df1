"""Gang scheduling: the settings for each scheduler and kind of job."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.model.inventory_schema import inventory_schema
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.pod_kinds import pod_templates
from netplan.verify.schemas import schema_of, validate
from tests.crd import validate_object
from tests.pod_site import rendered

pytestmark = pytest.mark.crd

KINDS = tuple(JOB_KINDS)
NOT_SUSPENDED = ("StatefulSet", "LeaderWorkerSet")
"""Kinds whose pods Kueue gates one by one."""


def job(scheduler: str | None, kind: str, queue: str | None = "llm") -> dict[str, dict[str, Any]]:
    """The objects of the first test job by kind; a StatefulSet's launcher is ``Launcher``."""
    gang = f"cluster: {{gang_scheduler: {scheduler or 'null'}}}"
    stated = f"workloads: {{job: {{jobs: [{kind}], queue: {queue or 'null'}}}}}"
    objects = yaml.safe_load_all(rendered(f"{gang}\n{stated}")["nccl-test.yaml"])
    found = {}
    for one in objects:
        assert list(validate(schema_of(one["apiVersion"], one["kind"]), one)) == []
        assert validate_object(one) == []
        found["Launcher" if one["metadata"]["name"].endswith("-launcher") else one["kind"]] = one
    return found


def template_of(found: dict[str, dict[str, Any]], kind: str) -> dict[str, Any]:
    """The last pod template: an MPIJob's workers come after its launcher."""
    *_, (_, template) = pod_templates(found[JOB_KINDS[kind].kind])
    return template


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"volcano-job"}))
def test_without_a_gang_scheduler_nothing_is_said_of_one(kind: str) -> None:
    text = str(job(None, kind, queue=None)).replace("process_group", "")  # torch's, of processes
    assert [w for w in ("schedul", "suspend", "PodGroup", "group", "queue") if w in text] == []


@pytest.mark.parametrize(
    ("scheduler", "policy"),
    [("volcano", {"minAvailable": 3, "queue": "llm"}), ("coscheduling", {"minAvailable": 3})],
)
def test_the_mpi_operator_makes_the_group_of_workers_and_launcher(scheduler: str, policy: Any) -> None:
    found = job(scheduler, "mpijob")
    assert found.keys() == {"MPIJob"}
    assert found["MPIJob"]["spec"]["runPolicy"] == {"cleanPodPolicy": "Running", "schedulingPolicy": policy}
    workers = found["MPIJob"]["spec"]["mpiReplicaSpecs"]["Worker"]
    assert workers["replicas"] == 2
    assert "schedulerName" not in workers["template"]["spec"]


@pytest.mark.parametrize("kind", ["indexed-job", "statefulset", "jobset", "leaderworkerset"])
@pytest.mark.parametrize(
    ("scheduler", "name", "place", "key", "spec"),
    [
        (
            "volcano",
            "volcano",
            "annotations",
            "scheduling.k8s.io/group-name",
            {"minMember": 2, "queue": "llm"},
        ),
        (
            "coscheduling",
            "scheduler-plugins-scheduler",
            "labels",
            "scheduling.x-k8s.io/pod-group",
            {"minMember": 2},
        ),
    ],
)
def test_other_kinds_come_with_their_group(
    kind: str, scheduler: str, name: str, place: str, key: str, spec: Any
) -> None:
    if (scheduler, kind) == ("volcano", "leaderworkerset"):
        return  # LWS makes that group
    found, owner = job(scheduler, kind), JOB_KINDS[kind].kind
    group, template = found["PodGroup"], template_of(found, kind)
    assert group["spec"] == spec
    assert template["metadata"][place][key] == group["metadata"]["name"]
    assert group["metadata"]["namespace"] == found[owner]["metadata"]["namespace"]
    assert template["spec"]["schedulerName"] == name
    assert list(found).index("PodGroup") < list(found).index(owner)
    assert "schedulerName" not in str(found.get("Launcher"))
    if place == "labels":  # a selector must still match, and must not include the group
        assert (
            found[owner]["spec"].get("selector", {}).get("matchLabels", {}).items()
            <= template["metadata"]["labels"].items()
        )


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"volcano-job"}))
def test_kueue_admits_every_object_that_has_pods(kind: str) -> None:
    found = {k: o for k, o in job("kueue", kind).items() if k not in ("Service", "ConfigMap")}
    assert [o["metadata"]["labels"] for o in found.values()] == [
        {"kueue.x-k8s.io/queue-name": "llm"} for _ in found
    ]
    suspended = {
        k: o["spec"].get("runPolicy", o["spec"]).get("suspend")
        for k, o in found.items()
        if k not in NOT_SUSPENDED
    }
    assert suspended == dict.fromkeys(suspended, True)
    assert [k for k in NOT_SUSPENDED if "suspend" in found.get(k, {}).get("spec", {})] == []


def test_lws_makes_the_group_for_volcano() -> None:
    found = job("volcano", "leaderworkerset")
    assert found.keys() == {"LeaderWorkerSet"}
    assert found["LeaderWorkerSet"]["metadata"]["annotations"] == {"scheduling.volcano.sh/queue-name": "llm"}
    template = template_of(found, "leaderworkerset")
    assert template["spec"]["schedulerName"] == "volcano"
    assert "scheduling.k8s.io/group-name" not in template["metadata"]["annotations"]


def test_ranks_of_a_jobset_meet_at_its_first_pod() -> None:
    """Names as in kubernetes-sigs/jobset pkg/util/placement/placement.go."""
    found = job(None, "jobset", queue=None)
    body = found["JobSet"]["spec"]
    (workers,) = body["replicatedJobs"]
    container = template_of(found, "jobset")["spec"]["containers"][0]
    env = {e["name"]: e["value"] for e in container["env"]}
    assert env["MASTER_ADDR"] == f"job-nccl-test-{workers['name']}-0-0.job-nccl-test"
    assert body["network"]["publishNotReadyAddresses"] is True
    assert (workers["template"]["spec"]["completions"], workers["template"]["spec"]["parallelism"]) == (2, 2)
    assert '--node_rank "$JOB_COMPLETION_INDEX"' in container["command"][2]


def test_ranks_of_a_leaderworkerset_meet_at_its_leader() -> None:
    """LWS sets the variables; its pods restart when they end, so a successful test waits."""
    found = job(None, "leaderworkerset", queue=None)
    assert found["LeaderWorkerSet"]["spec"]["leaderWorkerTemplate"]["size"] == 2
    container = template_of(found, "leaderworkerset")["spec"]["containers"][0]
    script = container["command"][2]
    assert '--node_rank "$LWS_WORKER_INDEX" --master_addr "$LWS_LEADER_ADDRESS"' in script
    assert script.endswith('"$@" && exec sleep infinity')
    assert "MASTER_ADDR" not in {e["name"] for e in container["env"]}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_the_inventory_is_written(kind: str) -> None:
    jobs = inventory_schema()["properties"]["workloads"]["additionalProperties"]["properties"]["jobs"]
    assert jobs["items"]["enum"] == list(JOB_KINDS)
    found = job(None, kind, queue=None)
    row = JOB_KINDS[kind]
    assert (found[row.kind]["apiVersion"], found[row.kind]["kind"]) == (row.api_version, row.kind)
    assert row.source


@pytest.mark.parametrize(("scheduler", "queue"), [("volcano", "llm"), ("volcano", None), (None, None)])
def test_a_volcano_job_is_a_gang_by_itself(scheduler: str | None, queue: str | None) -> None:
    """Names as in volcano-sh/volcano pkg/controllers/job/helpers/helpers.go."""
    found = job(scheduler, "volcano-job", queue=queue)
    assert found.keys() == {"Job"}
    body, template = found["Job"]["spec"], template_of(found, "volcano-job")
    assert (body["schedulerName"], body["minAvailable"], body.get("queue")) == ("volcano", 2, queue)
    assert body["tasks"][0]["replicas"] == 2
    assert "group-name" not in str(template["metadata"]["annotations"])
    container = template["spec"]["containers"][0]
    env = {e["name"]: e["value"] for e in container["env"]}
    assert env["MASTER_ADDR"] == f"job-nccl-test-{body['tasks'][0]['name']}-0.job-nccl-test"
    assert '--node_rank "$VC_TASK_INDEX"' in container["command"][2]
    assert body["plugins"] == {"svc": ["--publish-not-ready-addresses=true"], "env": []}


@pytest.mark.parametrize("scheduler", ["kueue", "coscheduling"])
def test_other_schedulers_have_no_part_in_a_volcano_job(scheduler: str) -> None:
    found = job(scheduler, "volcano-job", queue="llm" if scheduler == "kueue" else None)
    assert found.keys() == {"Job"}
    assert "labels" not in found["Job"]["metadata"]
    assert "queue" not in found["Job"]["spec"]
