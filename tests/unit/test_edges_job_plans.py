"""Edge cases, one fact per case: gangs, commands of jobs and quotas, by direct calls of their planners."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from netplan.model.job_kinds import JOB_KINDS
from netplan.plan import kueue, pod_jobs
from netplan.plan.gangs import plan_gang
from tests.unit.some import but, some

KIND: Any = some(own_gang=False, told={}, names_scheduler=False, launchers=1, operator="the operator")
JOB: Any = some(nodes=4, queue="llm")
VOLCANO, COSCHEDULING = "volcano", "scheduler-plugins-scheduler"


@pytest.mark.parametrize(
    ("scheduler", "kind", "named", "group", "queue", "told"),
    [
        ("volcano", {}, VOLCANO, True, "llm", None),
        ("volcano", {"told": {"volcano": "a flag"}}, None, False, "llm", "a flag"),
        (
            "volcano",
            {"told": {"volcano": "a flag"}, "names_scheduler": True},
            VOLCANO,
            False,
            "llm",
            "a flag",
        ),
        ("volcano", {"told": {"coscheduling": "a flag"}}, VOLCANO, True, "llm", None),
        ("volcano", {"own_gang": True}, None, False, "llm", None),
        ("volcano", {"own_gang": True, "names_scheduler": True}, VOLCANO, False, "llm", None),
        ("coscheduling", {}, COSCHEDULING, True, None, None),
        ("coscheduling", {"told": {"coscheduling": "a flag"}}, None, False, None, "a flag"),
        ("kueue", {}, None, False, "llm", None),
        ("kueue", {"names_scheduler": True}, None, False, "llm", None),
    ],
)
def test_who_makes_the_group_and_who_is_named(
    scheduler: str, kind: dict[str, Any], named: str | None, group: bool, queue: str | None, told: str | None
) -> None:
    fabric: Any = some(cluster=some(gang_scheduler=scheduler))
    gang = plan_gang(fabric, JOB, but(KIND, **kind), "j")
    assert gang is not None
    assert (gang.scheduler, gang.scheduler_name, gang.queue) == (scheduler, named, queue)
    assert gang.group == ("j" if group else None)
    assert (gang.maker, gang.told) == ("the operator" if told else None, told)
    assert gang.members == 5


@pytest.mark.parametrize(
    ("scheduler", "own", "there"),
    [
        (None, False, False),
        (None, True, False),
        ("volcano", True, True),
        ("kueue", True, False),
        ("coscheduling", True, False),
        ("kueue", False, True),
    ],
)
def test_a_kind_that_is_a_gang_of_volcano_is_no_other(scheduler: str | None, own: bool, there: bool) -> None:
    fabric: Any = some(cluster=some(gang_scheduler=scheduler))
    assert (plan_gang(fabric, JOB, but(KIND, own_gang=own), "j") is not None) is there


TEST = some(program="all_reduce_perf", args=("-b", "8"), mpirun_args=(), tcp_fallback=False)
WORK: Any = some(
    name="train", nodes=2, gpus=8, queue=None, image="i", jobs=("mpijob",), test=TEST, reads_nccl=True,
    gpu_type=None,
)  # fmt: skip
ROCE: Any = some(type="roce", cluster=some(gang_scheduler=None))
OVER_SSH, BY_OPERATOR = some(port=22), some(port=None)
BOUND = ["-bind-to", "none", "-map-by", "slot"]
HOSTS = ["--mca", "plm_rsh_args", "-o StrictHostKeyChecking=no"]
PATHS = ["-x", "PATH", "-x", "LD_LIBRARY_PATH"]


@pytest.mark.parametrize(
    ("stated", "kind", "fabric", "env", "options"),
    [
        ((), BY_OPERATOR, "roce", {}, [*BOUND, *PATHS]),
        ((), BY_OPERATOR, "efa", {}, [*BOUND, "--mca", "pml", "^cm", *PATHS]),
        (
            ("--mca", "pml", "ob1"),
            BY_OPERATOR,
            "efa",
            {},
            [*BOUND, "--mca", "pml", "ob1", *PATHS],
        ),
        (("-bind-to", "core"), BY_OPERATOR, "roce", {}, ["-map-by", "slot", "-bind-to", "core", *PATHS]),
        (("--bind-to", "core"), BY_OPERATOR, "roce", {}, ["-map-by", "slot", "--bind-to", "core", *PATHS]),
        (("--map-by", "node"), BY_OPERATOR, "roce", {}, ["-bind-to", "none", "--map-by", "node", *PATHS]),
        ((), BY_OPERATOR, "roce", {"PATH": "/p"}, [*BOUND, "-x", "LD_LIBRARY_PATH", "-x", "PATH=/p"]),
        ((), BY_OPERATOR, "roce", {"A": "1"}, [*BOUND, *PATHS, "-x", "A=1"]),
    ],
)
def test_options_of_mpirun(
    stated: tuple[str, ...], kind: Any, fabric: str, env: dict[str, str], options: list[str]
) -> None:
    work = but(WORK, test=but(TEST, mpirun_args=stated))
    found = pod_jobs._mpirun(but(ROCE, type=fabric), work, kind, 8, env)
    start = ["mpirun", "--allow-run-as-root", "-np", "16"]
    assert list(found) == [*start, *options, "all_reduce_perf", "-b", "8"]


def test_without_an_operator_mpirun_needs_a_host_file() -> None:
    found = list(pod_jobs._mpirun(ROCE, WORK, OVER_SSH, 8, {}))
    at = found.index("--hostfile")
    assert found[at + 2 : at + 5] == HOSTS
    assert "--hostfile" not in pod_jobs._mpirun(ROCE, WORK, BY_OPERATOR, 8, {})


AMD = some(gpu_vendor=some(over_tcp=(("UCX_TLS", "tcp"),)))
IB_OFF, SOCKET = {"NCCL_IB_DISABLE": "1"}, {"NCCL_NET": "Socket"}


@pytest.mark.parametrize(
    ("fabric", "work", "env", "off"),
    [
        ("roce", {}, {}, IB_OFF),
        ("infiniband", {}, {}, IB_OFF),
        ("efa", {}, {}, SOCKET),
        ("roce", {"gpu_type": AMD}, {}, IB_OFF),
        ("roce", {"gpu_type": AMD, "reads_nccl": False}, {}, {"UCX_TLS": "tcp"}),
        ("roce", {"gpu_type": None, "reads_nccl": False}, {}, IB_OFF),
        (
            "roce",
            {},
            {"HOROVOD_MPI_THREADS_DISABLE": "1"},
            {**IB_OFF, "HOROVOD_MPI_THREADS_DISABLE": "0"},
        ),
    ],
)
def test_what_turns_rdma_off(
    fabric: str, work: dict[str, Any], env: dict[str, str], off: dict[str, str]
) -> None:
    assert pod_jobs._without_rdma(but(ROCE, type=fabric), but(WORK, **work), env) == off


@pytest.mark.parametrize(
    ("work", "files"),
    [
        ({}, ["nccl-test.yaml"]),
        ({"image": None}, []),
        ({"jobs": ()}, []),
        ({"jobs": ("mpijob", "jobset")}, ["nccl-test.yaml", "jobset.yaml"]),
        ({"test": but(TEST, tcp_fallback=True)}, ["nccl-test.yaml", "nccl-test-tcp.yaml"]),
        (
            {"jobs": ("mpijob", "jobset"), "test": but(TEST, tcp_fallback=True)},
            ["nccl-test.yaml", "nccl-test-tcp.yaml", "jobset.yaml"],
        ),
    ],
)
def test_files_of_the_jobs(work: dict[str, Any], files: list[str]) -> None:
    found = pod_jobs.plan_jobs(ROCE, but(WORK, **work), [some(name="A", value="1")])
    assert [job.file for job in found] == files
    for job in found:
        env = dict(job.env)
        assert (env["NCCL_DEBUG"], env["A"]) == ("INFO", "1")
        assert ("NCCL_IB_DISABLE" in env) is (job.file == "nccl-test-tcp.yaml")


def test_what_does_not_read_nccl_is_not_told_to_say_more() -> None:
    (job,) = pod_jobs.plan_jobs(ROCE, but(WORK, reads_nccl=False), [])
    assert job.env == ()


@pytest.mark.parametrize(("gpus", "slots"), [(0, 1), (1, 1), (2, 2), (8, 8)])
def test_a_pod_without_gpus_has_one_slot(gpus: int, slots: int) -> None:
    (job,) = pod_jobs.plan_jobs(ROCE, but(WORK, gpus=gpus), [])
    assert (job.slots, job.replicas) == (slots, 2)
    assert job.command[2:4] == ("-np", str(2 * slots))


@pytest.mark.parametrize(
    ("kind", "gpus", "nccl", "program", "own"),
    [
        ("jobset", 8, True, "all_reduce_perf", True),
        ("jobset", 1, True, "/opt/x/all_reduce_perf_mpi", True),
        ("jobset", 0, True, "all_reduce_perf", False),
        ("jobset", 8, False, "all_reduce_perf", False),
        ("jobset", 8, True, "train.py", False),
        ("jobset", 8, True, "all_reduce_perf.sh", False),
        ("mpijob", 8, True, "all_reduce_perf", False),
    ],
)
def test_torchrun_starts_a_test_of_its_own_for_programs_of_mpi(
    kind: str, gpus: int, nccl: bool, program: str, own: bool
) -> None:
    work = but(WORK, gpus=gpus, reads_nccl=nccl, test=but(TEST, program=program))
    assert pod_jobs.runs_own_test(work, JOB_KINDS[kind]) is own


@pytest.mark.parametrize(
    ("program", "kind", "binary", "sleeps"),
    [
        ("train.py", "jobset", False, False),
        ("train", "jobset", True, False),
        ("train", "leaderworkerset", True, True),
    ],
)
def test_torchrun_is_told_of_programs_that_are_not_python(
    program: str, kind: str, binary: bool, sleeps: bool
) -> None:
    work = but(WORK, test=but(TEST, program=program))
    shell, option, script, zero, *rest = pod_jobs._torchrun(work, JOB_KINDS[kind])
    assert [shell, option, zero, *rest] == ["sh", "-c", "torchrun", program, "-b", "8"]
    assert ("--no-python" in script) is binary
    assert ("sleep infinity" in script) is sleeps
    assert script.startswith("exec ") is not sleeps


@pytest.mark.parametrize(
    ("kind", "master", "launcher"),
    [
        ("mpijob", None, False),
        ("jobset", "train-nccl-test-workers-0-0.train-nccl-test", False),
        ("leaderworkerset", None, False),
        ("statefulset", None, True),
    ],
)
def test_variables_of_the_pods_and_of_the_launcher(kind: str, master: str | None, launcher: bool) -> None:
    """LWS states the address of its leader itself; full names are for those that mpirun reaches over ssh."""
    (job,) = pod_jobs.plan_jobs(ROCE, but(WORK, jobs=(kind,)), [])
    assert dict(job.env).get("MASTER_ADDR") == master
    assert bool(job.launcher_env) is launcher


QUEUED = some(name="x", queue=None)


@pytest.mark.parametrize(
    ("stated", "scheduler", "queue", "found"),
    [
        (None, None, "llm", None),
        (None, "volcano", "llm", None),
        (None, "kueue", "llm", "llm"),
        (some(), "volcano", "llm", "llm"),
        (some(), None, None, "x"),
    ],
)
def test_the_queue_of_a_workload(
    stated: Any, scheduler: str | None, queue: str | None, found: str | None
) -> None:
    fabric: Any = some(cluster=some(kueue=stated, gang_scheduler=scheduler))
    assert kueue.local_queue(fabric, but(QUEUED, queue=queue)) == found


@pytest.mark.parametrize(
    ("release", "limit", "version"),
    [
        (None, 16, "v1beta1"),
        ((0, 8), 16, "v1beta1"),
        ((0, 13), 16, "v1beta1"),
        ((0, 14), 64, "v1beta1"),
        ((0, 15), 64, "v1beta2"),
        ((1, 0), 64, "v1beta2"),
    ],
)
def test_what_a_release_of_kueue_takes(release: Any, limit: int, version: str) -> None:
    found = quotas(some(release=release, rails="cover"))
    assert (found.limit, found.version) == (limit, version)


SMALL = some(name="b", gpus=8, gpu_resource="nvidia.com/gpu", node_selector=(("type", "b"),))
LARGE = but(SMALL, name="a", gpus=4, gpu_resource="amd.com/gpu")


def quotas(stated: Any) -> Any:
    """Of two types: one with two nodes and devices of two rails, one with a node."""
    rails = [
        some(resource="rdma/rail10", claimed=False, per_node={"b": 2}),
        some(resource="rdma/rail2", claimed=False, per_node={"b": 3}),
        some(resource="rdma/claimed", claimed=True, per_node={"b": 3}),
    ]
    asked = {"cpus": 4, "memory_mib": 100, "hugepages_2mi_mib": None, "pods_per_node": 1, "namespace": "n"}
    more_asked = {**asked, "cpus": 8}
    first = some(workload=some(host_types=(SMALL,), **more_asked), devices=rails, local_queue="q")
    second = some(workload=some(host_types=(SMALL, LARGE), **asked), devices=(), local_queue=None)
    hosts = [some(type=SMALL, count=2), some(type=LARGE, count=1)]
    cluster = some(kueue=stated, gang_scheduler="kueue")
    fabric: Any = some(site="lab", hosts=hosts, cluster=cluster)
    return kueue.plan_kueue(fabric, (first, second))


GPUS, RAILS, REST = (
    ("nvidia.com/gpu", "amd.com/gpu"),
    ("rdma/rail10", "rdma/rail2"),
    ("cpu", "memory", "pods"),
)


@pytest.mark.parametrize(
    ("stated", "covered", "excluded"),
    [
        (None, (*GPUS, *RAILS, *REST), False),
        (some(release=None, rails="cover"), (*GPUS, *RAILS, *REST), False),
        (some(release=None, rails="exclude"), (*GPUS, *REST), True),
    ],
)
def test_quotas_of_two_types(stated: Any, covered: tuple[str, ...], excluded: bool) -> None:
    found = quotas(stated)
    assert found.covered == covered
    assert found.by_exclusion is excluded
    assert found.excluded == ("rdma/rail",)
    assert [flavor.name for flavor in found.flavors] == ["lab-a", "lab-b"]
    large, small = (MappingProxyType(dict(flavor.quotas)) for flavor in found.flavors)
    assert (large["nvidia.com/gpu"], large["amd.com/gpu"], large["memory"], large["cpu"]) == (
        "0",
        "4",
        "100Mi",
        "4",
    )
    assert (small["nvidia.com/gpu"], small["amd.com/gpu"], small["memory"], small["pods"]) == (
        "16", "0", "200Mi", "220",
    )  # fmt: skip
    if not excluded:
        assert (small["rdma/rail10"], small["rdma/rail2"], large["rdma/rail2"]) == ("4", "6", "0")
    assert [(queue.name, queue.namespace) for queue in found.queues] == [("q", "n")]


def test_without_workloads_there_are_no_quotas() -> None:
    fabric: Any = some(cluster=some(kueue=some(), gang_scheduler=None))
    assert kueue.plan_kueue(fabric, ()) is None
