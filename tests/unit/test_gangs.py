"""Gang scheduling: what each scheduler is told, for each kind of job."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.verify.schemas import validate
from tests.crd import validate_object
from tests.pod_site import rendered

pytestmark = pytest.mark.crd

KINDS = ("mpijob", "indexed-job", "statefulset")


def job(scheduler: str | None, kind: str, queue: str | None = "llm") -> dict[str, dict[str, Any]]:
    """The objects of the first test job by kind; a StatefulSet's launcher is ``Launcher``."""
    gang = f"cluster: {{gang_scheduler: {scheduler or 'null'}}}"
    stated = f"workloads: {{job: {{jobs: [{kind}], queue: {queue or 'null'}}}}}"
    objects = yaml.safe_load_all(rendered(f"{gang}\n{stated}")["nccl-test.yaml"])
    found = {}
    for one in objects:
        assert list(validate(f"{one['kind']}.json", one)) == []
        assert validate_object(one) == []
        found["Launcher" if one["metadata"]["name"].endswith("-launcher") else one["kind"]] = one
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_gang_scheduler_nothing_is_said_of_one(kind: str) -> None:
    text = str(job(None, kind, queue=None))
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


@pytest.mark.parametrize(("kind", "owner"), [("indexed-job", "Job"), ("statefulset", "StatefulSet")])
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
    kind: str, owner: str, scheduler: str, name: str, place: str, key: str, spec: Any
) -> None:
    found = job(scheduler, kind)
    group, template = found["PodGroup"], found[owner]["spec"]["template"]
    assert group["spec"] == spec
    assert template["metadata"][place][key] == group["metadata"]["name"]
    assert group["metadata"]["namespace"] == found[owner]["metadata"]["namespace"]
    assert template["spec"]["schedulerName"] == name
    assert list(found).index("PodGroup") < list(found).index(owner)
    assert "schedulerName" not in str(found.get("Launcher"))
    if place == "labels":  # a selector must still match, and the group must not become part of it
        assert (
            found[owner]["spec"].get("selector", {}).get("matchLabels", {}).items()
            <= template["metadata"]["labels"].items()
        )


@pytest.mark.parametrize("kind", KINDS)
def test_kueue_admits_every_object_that_has_pods(kind: str) -> None:
    found = {k: o for k, o in job("kueue", kind).items() if k not in ("Service", "ConfigMap")}
    assert [o["metadata"]["labels"] for o in found.values()] == [
        {"kueue.x-k8s.io/queue-name": "llm"} for _ in found
    ]
    suspended = {
        k: o["spec"].get("runPolicy", o["spec"]).get("suspend")
        for k, o in found.items()
        if k != "StatefulSet"
    }
    assert suspended == dict.fromkeys(suspended, True)
    assert "suspend" not in found.get("StatefulSet", {}).get("spec", {})
