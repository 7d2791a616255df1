"""Plan of pods, value by value: nodes, interfaces, devices, routes and jobs."""

from __future__ import annotations

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model.workloads import RailRoutes
from netplan.plan.torch_test import PROGRAM
from tests.pod_site import HOST_SEGMENTS, pods


def nets(*texts: str) -> tuple[IPNetwork, ...]:
    return tuple(IPNetwork(t) for t in texts)


def test_a_pod_is_bound_to_its_leaf_group() -> None:
    place = pods().placement
    assert (place.group, place.selectors, place.nodes) == ("leaf-1", ((("pod", "a"), ("type", "gpu")),), 2)
    assert (place.unplaced, place.unlabelled, place.same_zone) == ((), (), None)


def test_hosts_of_two_leaf_groups_are_marked() -> None:
    assert pods("workloads: {job: {hosts: [gpu]}}").placement.unplaced == ("leaf-1", "leaf-3")


def test_with_a_link_per_host_any_host_will_do() -> None:
    place = pods(f"{HOST_SEGMENTS}\nworkloads: {{job: {{hosts: [gpu]}}}}").placement
    assert (place.group, place.unplaced, place.nodes) == (None, (), 4)


def test_interfaces_are_named_by_rail_and_attached_on_the_own_leaf() -> None:
    assert [n.reference for n in pods().nics] == [
        "train/rail-0-leaf-1@rail0",
        "train/rail-1-leaf-2@rail1",
    ]


def test_the_other_group_attaches_on_its_own_leaves() -> None:
    assert [n.reference for n in pods('workloads: {job: {hosts: ["gpu-[3-4]"]}}').nics] == [
        "train/rail-0-leaf-3@rail0",
        "train/rail-1-leaf-4@rail1",
    ]


SECOND = """
networks:
  {name}: {{for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [train]}}
workloads: {{job: {{networks: [rail, {name}]}}}}
"""


@pytest.mark.parametrize(
    ("name", "interfaces"),
    [
        ("bulk", ["rail0", "rail1", "bulk0", "bulk1"]),
        ("fourteen-chars", ["rail0", "rail1", "fourteen-chars0", "fourteen-chars1"]),
        ("fifteen-letters", ["rail0", "rail1", "net3", "net4"]),
    ],
)
def test_a_second_network_on_the_rails(name: str, interfaces: list[str]) -> None:
    assert [n.interface for n in pods(SECOND.format(name=name)).nics] == interfaces


def test_one_device_of_each_rail() -> None:
    requests = [(d.resource, d.count, dict(d.per_node)) for d in pods().devices]
    assert requests == [("intel.com/rail_0", 1, {"gpu": 4}), ("intel.com/rail_1", 1, {"gpu": 4})]


def test_a_shared_resource_is_asked_for_once_per_attachment() -> None:
    (device,) = pods("networks: {rail: {resource: shared}}").devices
    assert (device.resource, device.count) == ("intel.com/rail", 2)


def test_limits_in_order() -> None:
    over = "workloads: {job: {cpus: 16, memory_mib: 1024, hugepages_2mi_mib: 512}}"
    assert pods(over).limits == (
        ("nvidia.com/gpu", "4"),
        ("intel.com/rail_0", "1"),
        ("intel.com/rail_1", "1"),
        ("hugepages-2Mi", "512Mi"),
        ("cpu", "16"),
        ("memory", "1024Mi"),
    )


@pytest.mark.parametrize(
    ("over", "capabilities"),
    [
        ("", ("IPC_LOCK",)),
        ("cluster: {memlock: runtime}", ()),
        ("workloads: {job: {privileged: true}}", ()),
    ],
)
def test_memory_locking(over: str, capabilities: tuple[str, ...]) -> None:
    assert pods(over).capabilities == capabilities


def test_host_path_pods_mount_the_verbs_devices() -> None:
    plan = pods("networks: {rail: {for_each: null, mode: host-path, ipam: none, routing: none}}")
    assert [(v.mount_path, v.host_path) for v in plan.volumes] == [
        ("/dev/shm", None),
        ("/dev/infiniband", "/dev/infiniband"),
    ]
    assert (plan.nics, plan.devices, plan.annotations) == ((), (), ())


def rail0(over: str = "") -> RailRoutes:
    return pods(over).routes[0]


def test_script_routes_of_a_rail() -> None:
    found = rail0()
    assert (found.table, found.priority, found.source) == (700, 700, IPNetwork("172.16.0.0/24"))
    assert (found.subnet, found.gateway) == (IPNetwork("172.16.0.0/24"), IPAddress("172.16.0.1"))
    # both rails' ranges, and the other rail's subnet of this leaf group, as specific as its connected route
    assert found.via == nets("172.16.0.0/21", "172.16.8.0/21", "172.16.9.0/24")
    assert (found.main_via, found.default, found.connected_in_main) == (
        nets("172.16.0.0/21"),
        "unreachable",
        True,
    )


def test_tables_follow_the_rail() -> None:
    assert [(r.interface, r.table) for r in pods().routes] == [("rail0", 700), ("rail1", 701)]


def test_aligned_rails_have_no_route_to_each_other() -> None:
    assert rail0("fabric: {cross_rail: aligned}").via == nets("172.16.0.0/21")


def test_sbr_takes_tables_from_100_and_moves_the_connected_route() -> None:
    first, second = pods("networks: {rail: {routing: sbr}}").routes
    assert (first.table, second.table, first.priority, first.source) == (100, 101, None, None)
    assert (first.default, first.connected_in_main, first.main_via) == ("gateway", False, ())


def test_sbr_takes_a_table_for_each_address() -> None:
    two = "{supernets: [172.16.0.0/20, 'fd00::/56'], prefixes: [24, 64]}"
    found = pods(f"networks: {{rail: {{routing: sbr}}}}\nrails: {two}").routes
    assert [(r.interface, r.version, r.table) for r in found] == [
        ("rail0", 4, 100),
        ("rail0", 6, 101),
        ("rail1", 4, 102),
        ("rail1", 6, 103),
    ]


def test_a_link_per_host_is_found_at_run_time() -> None:
    found = rail0(HOST_SEGMENTS)
    assert (found.subnet, found.gateway, found.source) == (None, None, IPNetwork("172.16.0.0/21"))
    assert found.via == found.main_via + nets("172.16.8.0/21")


def test_unrouted_rails_reach_nothing_beyond_the_link() -> None:
    found = rail0("rails: {gateway: none}")
    assert (found.via, found.main_via, found.default) == ((), (), "unreachable")


def test_without_a_back_end_there_is_no_table() -> None:
    found = rail0("networks: {rail: {routing: none}}")
    assert (found.table, found.via, found.default) == (None, (), "none")


def test_the_first_job_is_the_nccl_test() -> None:
    (job,) = pods().jobs
    assert (job.kind, job.file, job.name, job.replicas, job.slots) == (
        "mpijob",
        "nccl-test.yaml",
        "job-nccl-test",
        2,
        4,
    )
    assert job.command[:4] == ("mpirun", "--allow-run-as-root", "-np", "8")
    assert job.command[-1] == "all_reduce_perf"


@pytest.mark.parametrize(
    ("stated", "count"),
    [("[]", 1), ('["-bind-to", "core"]', 1), ('["--bind-to", "core"]', 0)],
)
def test_stated_mpirun_options_replace_netplans(stated: str, count: int) -> None:
    (job,) = pods(f"workloads: {{job: {{test: {{mpirun_args: {stated}}}}}}}").jobs
    assert job.command.count("-bind-to") == count


def test_further_jobs_are_named_by_kind() -> None:
    jobs = pods("workloads: {job: {jobs: [indexed-job, statefulset]}}").jobs
    assert [(j.kind, j.file, j.port) for j in jobs] == [
        ("indexed-job", "nccl-test.yaml", 29500),
        ("statefulset", "statefulset.yaml", 22),
    ]


def test_an_indexed_job_meets_at_pod_0() -> None:
    env = dict(pods("workloads: {job: {jobs: [indexed-job]}}").jobs[0].env)
    assert (env["MASTER_ADDR"], env["NNODES"], env["NGPUS"]) == ("job-nccl-test-0.job-nccl-test", "2", "4")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("python3", '"$MASTER_PORT" --no-python "$@"'),
        ("/opt/bench/all_reduce.py", '"$MASTER_PORT" "$@"'),
    ],
)
def test_torchrun_starts_only_a_python_file_with_python(program: str, words: str) -> None:
    """Otherwise torchrun runs it as a Python file: pytorch torch/distributed/run.py, --no-python."""
    (job,) = pods(f"workloads: {{job: {{jobs: [indexed-job], test: {{program: {program}}}}}}}").jobs
    assert job.command[2].endswith(words)
    assert job.command[3:] == ("torchrun", program)


@pytest.mark.parametrize("program", ["all_reduce_perf", "/opt/nccl-tests/build/alltoall_perf_mpi"])
@pytest.mark.parametrize("kind", ["indexed-job", "jobset", "leaderworkerset", "volcano-job"])
def test_torchrun_runs_a_test_of_its_own_where_the_program_needs_mpi(kind: str, program: str) -> None:
    """Without MPI each process of nccl-tests is a world of one rank that succeeds."""
    test = f"{{program: {program}, args: ['-b', '8']}}"
    (job,) = pods(f"workloads: {{job: {{jobs: [{kind}], test: {test}}}}}").jobs
    assert job.command[3:] == ("torchrun", "python3", "-c", PROGRAM)
    assert '"$MASTER_PORT" --no-python "$@"' in job.command[2]
    (left,) = pods(f"workloads: {{job: {{jobs: [{kind}], gpus: 0, test: {test}}}}}").jobs
    assert left.command[4:] == (program, "-b", "8")


@pytest.mark.parametrize(("kind", "kept"), [("statefulset", True), ("mpijob", False), ("indexed-job", False)])
def test_mpirun_keeps_the_full_names_of_a_host_file(kind: str, kept: bool) -> None:
    """POD.SERVICE has a dot; for an MPIJob, the operator sets this itself."""
    (job,) = pods(f"workloads: {{job: {{jobs: [{kind}]}}}}").jobs
    names = {"OMPI_MCA_orte_keep_fqdn_hostnames", "PRTE_MCA_prte_keep_fqdn_hostnames"}
    assert dict(job.launcher_env) == (dict.fromkeys(names, "true") if kept else {})


def test_the_tcp_job_differs_in_its_variables() -> None:
    over = "workloads: {job: {env: {HOROVOD_MPI_THREADS_DISABLE: '1'}, test: {tcp_fallback: true}}}"
    first, second = pods(over).jobs
    assert second.file == "nccl-test-tcp.yaml"
    assert set(second.env) - set(first.env) == {
        ("NCCL_IB_DISABLE", "1"),
        ("HOROVOD_MPI_THREADS_DISABLE", "0"),
    }


def test_without_an_image_there_is_no_job() -> None:
    assert pods("workloads: {job: {image: null}}").jobs == ()
