"""Files below pods/: their content, and that kustomize can apply the patches to users' jobs."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.pod_site import HOST_SEGMENTS, plan_of, rendered

SBR = "networks: {rail: {routing: sbr}}"
ALL_JOBS = "workloads: {job: {jobs: [mpijob, indexed-job, statefulset], test: {tcp_fallback: true}}}"
TWO_TYPES = """
host_types:
  gpu2:
    gpus: 8
    node_selector: {type: gpu2}
    hcas: {roce0: {model: connectx-5, rail: 0, speed_gbps: 100, use: vf, vfs: 4}}
hosts: {other-9: {type: gpu2, id: 9}}
rails: {segment: host, vlan_ids: null, prefixes: [31]}
workloads: {job: {hosts: [gpu, gpu2]}}
"""


def documents(path: str, over: str = "") -> list[Any]:
    return list(yaml.safe_load_all(rendered(over)[path]))


def test_files_of_a_scripted_workload() -> None:
    assert sorted(rendered()) == [
        "README.md",
        "check-rails.sh",
        "kustomization.yaml",
        "nccl-test.yaml",
        "pod.yaml",
        "rail-routes.sh",
        "rails/kustomization.yaml",
        "rails/pod-rails.yaml",
        "routes.yaml",
    ]


def test_without_an_image_there_is_neither_pod_nor_job() -> None:
    files = rendered("workloads: {job: {image: null}}")
    assert {"pod.yaml", "nccl-test.yaml"} & set(files) == set()
    assert "`workloads.job.image` is not stated" in files["README.md"]
    assert "initContainers" not in files["rails/pod-rails.yaml"]


def test_scripts_are_executable_and_everything_names_its_workload() -> None:
    from netplan.render.pods import render_pods

    plan = plan_of()
    artifacts = list(render_pods(plan.workloads, "lab"))
    assert sorted(a.path for a in artifacts if a.executable) == [
        "pods/job/check-rails.sh",
        "pods/job/rail-routes.sh",
    ]
    assert {(a.kind, a.entities) for a in artifacts} == {("pods", ("workloads.job",))}


def test_the_example_pod() -> None:
    (pod,) = documents("pod.yaml", SBR)
    assert pod == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "job",
            "namespace": "train",
            "annotations": {
                "k8s.v1.cni.cncf.io/networks": "train/rail-0-leaf-1@rail0,train/rail-1-leaf-2@rail1"
            },
        },
        "spec": {
            "restartPolicy": "Never",
            "nodeSelector": {"pod": "a", "type": "gpu"},
            "containers": [
                {
                    "name": "main",
                    "image": "example.com/train:1",
                    "env": [
                        {"name": "NCCL_SOCKET_IFNAME", "value": "=eth0"},
                        {"name": "NCCL_IB_TC", "value": "106"},
                        {"name": "UCX_IB_TRAFFIC_CLASS", "value": "106"},
                        {"name": "UCX_MAX_RNDV_RAILS", "value": "2"},
                    ],
                    "securityContext": {"capabilities": {"add": ["IPC_LOCK"]}},
                    "resources": {
                        "limits": {"nvidia.com/gpu": "4", "intel.com/rail_0": "1", "intel.com/rail_1": "1"}
                    },
                    "volumeMounts": [{"name": "rdma-shm", "mountPath": "/dev/shm"}],
                    "command": ["sleep", "infinity"],
                }
            ],
            "volumes": [{"name": "rdma-shm", "emptyDir": {"medium": "Memory"}}],
        },
    }


def test_the_init_container_runs_the_very_script() -> None:
    (container,) = documents("pod.yaml")[0]["spec"]["initContainers"]
    assert container["command"] == ["sh", "-c", rendered()["rail-routes.sh"]]
    assert container["securityContext"] == {
        "runAsUser": 0,
        "runAsNonRoot": False,
        "capabilities": {"add": ["NET_ADMIN"]},
    }
    assert container["resources"]["requests"] == container["resources"]["limits"]
    assert set(container["resources"]["limits"]) == {"cpu", "memory"}


def test_hosts_of_two_label_sets_take_an_affinity() -> None:
    spec = documents("pod.yaml", TWO_TYPES)[0]["spec"]
    terms = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    keys = [[e["values"] for e in t["matchExpressions"]] for t in terms["nodeSelectorTerms"]]
    assert ("nodeSelector" in spec, keys) == (False, [[["gpu"]], [["gpu2"]]])


def test_pods_of_an_mpijob_are_on_nodes_of_their_own() -> None:
    (job,) = documents("nccl-test.yaml")
    roles = job["spec"]["mpiReplicaSpecs"]
    worker = roles["Worker"]["template"]
    (term,) = worker["spec"]["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["topologyKey"] == "kubernetes.io/hostname"
    assert term["labelSelector"]["matchLabels"] == worker["metadata"]["labels"] == {"app": "job-nccl-test"}
    assert (job["spec"]["slotsPerWorker"], roles["Worker"]["replicas"]) == (4, 2)
    assert "annotations" not in roles["Launcher"]["template"].get("metadata", {})


MESH = "workloads: {job: {annotations: {linkerd.io/inject: disabled}, jobs: [mpijob, statefulset]}}"


def test_a_launcher_has_the_annotations_that_the_site_states() -> None:
    """Ranks reach a launcher behind a service mesh's sidecar only through the sidecar, or not at all."""
    (job,) = documents("nccl-test.yaml", MESH)
    launcher = documents("statefulset.yaml", MESH)[-1]["spec"]["template"]
    for template in (job["spec"]["mpiReplicaSpecs"]["Launcher"]["template"], launcher):
        assert template["metadata"] == {"annotations": {"linkerd.io/inject": "disabled"}}


def test_a_launcher_of_ours_keeps_the_full_names_of_the_workers() -> None:
    spec = documents("statefulset.yaml", MESH)[-1]["spec"]["template"]["spec"]
    env = {e["name"]: e["value"] for e in spec["containers"][0]["env"]}
    assert env == dict.fromkeys(
        ("OMPI_MCA_orte_keep_fqdn_hostnames", "PRTE_MCA_prte_keep_fqdn_hostnames"), "true"
    )


WHOLE = """
host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
networks: {rail: {mode: host-device}}
"""


def test_an_address_that_stays_is_announced_by_nobody() -> None:
    own = rendered(f"{HOST_SEGMENTS}\n{WHOLE}")
    assert "| not needed |" in own["README.md"]
    assert "gratuitous_arp" not in own["routes.yaml"]
    assert "arping" not in own["rail-routes.sh"]
    moved = rendered(WHOLE)
    assert "gratuitous_arp: script" in moved["routes.yaml"]
    assert "arping" in moved["rail-routes.sh"]


@pytest.mark.parametrize(
    ("resource", "said"),
    [
        ("nvidia.com/gpu", "For NCCL 2.22.3."),
        ("amd.com/gpu", "For RCCL with the code of NCCL 2.22.3"),
        ("habana.ai/gaudi", "HCCL does not read"),
    ],
)
def test_a_release_of_nccl_is_no_release_of_another_library(resource: str, said: str) -> None:
    over = f"host_types: {{gpu: {{gpu_resource: {resource}}}}}\nworkloads: {{job: {{nccl_version: 2.22.3}}}}"
    assert said in rendered(over)["README.md"]


def test_the_readme_gives_mpirun_what_sshd_takes_away() -> None:
    text = rendered()["README.md"]
    assert "  -x NCCL_IB_TC=106 \\\n" in text
    assert "authorized_keys" not in text
    assert "authorized_keys" in rendered(MESH)["README.md"]
    assert "torch.distributed" in rendered("workloads: {job: {jobs: [indexed-job]}}")["README.md"]


def test_efa_jobs_stay_in_one_zone() -> None:
    worker = documents("nccl-test.yaml", "fabric: {type: efa, qos: null}")[0]["spec"]["mpiReplicaSpecs"][
        "Worker"
    ]
    (term,) = worker["template"]["spec"]["affinity"]["podAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]
    assert term["topologyKey"] == "topology.kubernetes.io/zone"


def test_a_statefulset_brings_service_host_file_and_launcher() -> None:
    kinds = [(d["kind"], d["metadata"]["name"]) for d in documents("statefulset.yaml", ALL_JOBS)]
    assert kinds == [
        ("Service", "job-statefulset"),
        ("StatefulSet", "job-statefulset"),
        ("ConfigMap", "job-statefulset-hosts"),
        ("Job", "job-statefulset-launcher"),
    ]
    config = documents("statefulset.yaml", ALL_JOBS)[2]
    assert config["data"] == {
        "hostfile": "job-statefulset-0.job-statefulset slots=4\njob-statefulset-1.job-statefulset slots=4\n"
    }


def test_an_indexed_job_is_found_by_name_before_it_is_ready() -> None:
    service, job = documents("indexed-job.yaml", ALL_JOBS)
    assert (service["spec"]["clusterIP"], service["spec"]["publishNotReadyAddresses"]) == ("None", True)
    assert job["spec"]["template"]["spec"]["subdomain"] == service["metadata"]["name"]
    assert (job["spec"]["completions"], job["spec"]["parallelism"]) == (2, 2)


def test_routes_as_data() -> None:
    first = documents("routes.yaml")[0]["interfaces"][0]
    assert first == {
        "interface": "rail0",
        "rail": 0,
        "family": "ipv4",
        "back_end": "script",
        "table": 700,
        "rule": {"priority": 700, "from": "172.16.0.0/24"},
        "routes": [
            {"to": "172.16.0.0/24", "scope": "link"},
            {"to": "172.16.0.0/21", "via": "172.16.0.1"},
            {"to": "172.16.8.0/21", "via": "172.16.0.1"},
            {"to": "172.16.9.0/24", "via": "172.16.0.1"},
            {"to": "default", "type": "unreachable"},
        ],
        "main": [{"to": "172.16.0.0/24", "scope": "link"}, {"to": "172.16.0.0/21", "via": "172.16.0.1"}],
    }


def test_routes_of_a_link_per_host() -> None:
    first = documents("routes.yaml", HOST_SEGMENTS)[0]["interfaces"][0]
    assert first["routes"][:2] == [
        {"to": "node-prefix", "scope": "link"},
        {"to": "172.16.0.0/21", "via": "node-gateway"},
    ]


@pytest.mark.parametrize("name", ["NCCL_IB_TC", "NCCL_IB_HCA", "NCCL_IB_GID_INDEX"])
def test_the_readme_explains_what_is_set_and_what_is_not(name: str) -> None:
    rows = [line for line in rendered()["README.md"].splitlines() if line.startswith(f"| `{name}` |")]
    assert len(rows) == 1


def test_table_cells_of_the_readme_hold_no_bar() -> None:
    text = rendered(ALL_JOBS)["README.md"]
    widths = {line.count("|") for line in text.splitlines() if line.startswith("| `NCCL")}
    assert widths == {3, 5}
