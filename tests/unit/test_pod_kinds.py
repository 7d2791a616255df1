"""The component applied to every kind of job, with every available kustomize (``tests.kustomize``)."""

from __future__ import annotations

import json
import tempfile
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.model.pod_kinds import POD_KINDS, WITHOUT_PODS, pod_templates
from netplan.render.dump import dump_yaml
from netplan.render.pod_extra import with_extra
from netplan.render.pod_patches import WITHOUT_GPUS, WITHOUT_MEMORY, component, rails, replacements
from tests import kustomize
from tests.crd import validate_object
from tests.job_manifests import BARE, GPUS, HEAD, KINDS, RICH, at, job, without
from tests.pod_site import pods, rendered

NETWORKS = "k8s.v1.cni.cncf.io/networks"
SBR = "networks: {rail: {routing: sbr}}"
UNKNOWN = "netplan-does-not-know-this-kind-or-annotation"
SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "own"}, "spec": {"ports": []}}
HEAD_WITH_GPUS = {"spec": {"containers": [{**HEAD["spec"]["containers"][0], "resources": GPUS}]}}
IN_CRDS = [
    kind
    for kind in KINDS
    if kind not in ("PyTorchJob", "MPIJob v1", "Deployment", "DaemonSet", "CronJob", "RayService")
]
"""Kinds with an upstream schema or one in ``tests.core_kinds``."""


def trained() -> dict[str, Any]:
    """A TrainJob that requests GPUs."""
    trainer = {"numNodes": 2, "resourcesPerNode": {"limits": {"nvidia.com/gpu": "4"}}}
    spec = {"runtimeRef": {"name": "torch-distributed"}, "trainer": trainer}
    metadata = {"name": "own", "namespace": "train"}
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": metadata,
        "spec": spec,
    }


def chosen(body: dict[str, Any], value: str) -> dict[str, Any]:
    """The object with the annotation that selects the templates that get rails."""
    out = deepcopy(body)
    out["metadata"].setdefault("annotations", {})["netplan/rails"] = value
    return out


def with_head(body: dict[str, Any]) -> dict[str, Any]:
    """The object with GPUs also in its launcher or head."""
    text = json.dumps(body).replace(json.dumps(HEAD), json.dumps(HEAD_WITH_GPUS))
    found: dict[str, Any] = json.loads(text)
    return found


def first_sidecar(body: dict[str, Any]) -> dict[str, Any]:
    """The object with the container without GPUs first."""
    own, bare = json.dumps(RICH["spec"]["containers"]), RICH["spec"]["containers"][::-1]
    found: dict[str, Any] = json.loads(json.dumps(body).replace(own, json.dumps(bare)))
    return found


def attached() -> dict[str, Any]:
    """A job whose second template states its own networks."""
    own = job("JobSet", RICH)
    template = own["spec"]["replicatedJobs"][1]["template"]["spec"]["template"]
    template["metadata"]["annotations"][NETWORKS] = "train/own"
    return own


def _roles(*names: str) -> str:
    return f"workloads: {{job: {{roles: [{', '.join(names)}]}}}}"


def _of(api_version: str, kind: str) -> dict[str, Any]:
    template = {"template": deepcopy(BARE)}
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "own"}, "spec": template}


def _without_limits() -> dict[str, Any]:
    own = trained()
    del own["spec"]["trainer"]["resourcesPerNode"]
    return own


def _requests_only() -> dict[str, Any]:
    own = trained()
    own["spec"]["trainer"]["resourcesPerNode"] = {"requests": {"nvidia.com/gpu": "4"}}
    return own


def _gpus(name: str) -> dict[str, Any]:
    own = job("Job", BARE)
    own["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": {name: "4"}}
    return own


def _renamed() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        json.dumps(job("TrainingRuntime", BARE)).replace(
            '"name": "node", "image"', '"name": "other", "image"'
        )
    )
    return found


REFUSALS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "unknown kind": (UNKNOWN, "", _of("example.com/v1", "Trainer")),
    "known kind of another group": (UNKNOWN, "", _of("example.com/v1", "Job")),
    "kind that a core one is named like": (UNKNOWN, "", _of("serving.knative.dev/v1", "Service")),
    "pods inside another object": (UNKNOWN, "", _of("workload.codeflare.dev/v1beta2", "AppWrapper")),
    "steps instead of pods": (UNKNOWN, "", _of("argoproj.io/v1alpha1", "Workflow")),
    "choice of what is not there": (UNKNOWN, "", chosen(job("RayCluster", BARE), "worker")),
    "choice where there is none": (UNKNOWN, "", chosen(job("JobSet", BARE), "first")),
    "trainjob that cannot carry an init container": (UNKNOWN, "", trained()),
    "trainjob that leaves its GPUs to the runtime": ("resourcesPerNode", SBR, _without_limits()),
    "trainjob of requests only": ("nonexistent key: limits", SBR, _requests_only()),
    "own networks": ("already-set-in-the-job", "", attached()),
    "role that is not there": ("netplan-jobs.[name=", _roles("third"), job("JobSet", BARE)),
    "one of two roles": ("netplan-groups.[groupName=", _roles("first", "third"), job("RayJob", BARE)),
    "runtime without a step of that name": (
        "netplan-steps.[name=",
        _roles("dataset-initializer", "trainer"),
        job("TrainingRuntime", BARE),
    ),
    "no container with GPUs": (WITHOUT_GPUS, "", job("Job", HEAD)),
    "no container with GPUs, no devices before": (WITHOUT_GPUS, SBR, job("StatefulSet", HEAD)),
    "GPUs of another vendor": (WITHOUT_GPUS, "", _gpus("amd.com/gpu")),
    "a resource that is named like GPUs": (WITHOUT_GPUS, "", _gpus("nvidia.com/gpu_nic")),
    "head without GPUs": (WITHOUT_GPUS, "", chosen(job("RayCluster", BARE), "all")),
    "runtime without the trainer's container": (".containers.[name=", "", _renamed()),
    "no list of templates": ("'replicatedJobs'", "", {**job("JobSet", BARE), "spec": {}}),
}
"""Reason for rejection -> (part of kustomize's message, inventory, object)."""


def built(
    folder: Path,
    *objects: dict[str, Any],
    over: str = "",
    files: dict[str, str] | None = None,
    command: tuple[str, ...] | None = None,
) -> list[dict[str, Any]]:
    """Output of kustomize for these objects and the component."""
    (folder / "own.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    (folder / "kustomization.yaml").write_text("resources: [own.json]\ncomponents: [job]\n")
    for path, text in (files or rendered(over)).items():
        file = folder / "job" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return kustomize.build(folder, command)


def refused(folder: Path, *objects: dict[str, Any], over: str = "", command: Any = None) -> str:
    """Kustomize's error message for these objects."""
    with pytest.raises(AssertionError) as caught:
        built(folder, *objects, over=over, command=command)
    return str(caught.value)


def assert_kept(found: Any, own: Any) -> None:
    """Every value of ``own`` is in ``found`` at the same place; lists begin with their own entries."""
    if isinstance(own, dict):
        for key, value in own.items():
            assert_kept(found[key], value)
    elif isinstance(own, list):
        assert len(found) >= len(own)
        for entry, value in zip(found, own, strict=False):
            assert_kept(entry, value)
    else:
        assert found == own


def assert_added(found: dict[str, Any], own: dict[str, Any], over: str = "") -> None:
    """The pod template gained exactly what the example pod has, except GPUs, and each only once."""
    (wanted,) = yaml.safe_load_all(rendered(over)["pod.yaml"])
    first, ours = found["spec"]["containers"][0], wanted["spec"]["containers"][0]
    before = own["spec"]["containers"][0]
    annotations = own.get("metadata", {}).get("annotations", {}) | wanted["metadata"]["annotations"]
    assert found["metadata"]["annotations"] == annotations
    for key in ("initContainers", "volumes"):
        assert found["spec"].get(key, []) == own["spec"].get(key, []) + wanted["spec"].get(key, [])
    for key in ("env", "volumeMounts"):
        assert first[key] == before.get(key, []) + ours[key]
    assert (
        found["spec"]["nodeSelector"] == own["spec"].get("nodeSelector", {}) | wanted["spec"]["nodeSelector"]
    )
    mine = {k: v for k, v in ours["resources"]["limits"].items() if k != "nvidia.com/gpu"}
    assert first["resources"]["limits"] == before.get("resources", {}).get("limits", {}) | mine
    added = before.get("securityContext", {"capabilities": {"add": []}})["capabilities"]["add"]
    assert first["securityContext"]["capabilities"]["add"] == [*added, "IPC_LOCK"]
    assert found["spec"]["containers"][1:] == own["spec"]["containers"][1:]


@cache
def _everything(rich: bool, over: str) -> dict[str, dict[str, Any]]:
    """One build with a job of every kind: kind -> resulting object."""
    jobs = {kind: job(kind, RICH if rich else BARE) for kind in KINDS}
    for kind, own in jobs.items():
        own["metadata"]["name"] = kind.lower().replace(" ", "-")
    with tempfile.TemporaryDirectory() as folder:
        found = built(Path(folder), *jobs.values(), over=over)
    by_name = {body["metadata"]["name"]: body for body in found}
    assert len(by_name) == len(jobs)
    return {kind: by_name[own["metadata"]["name"]] for kind, own in jobs.items()}


@pytest.mark.kustomize
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rich", [False, True], ids=["bare", "rich"])
@pytest.mark.parametrize("over", ["", SBR], ids=["script", "sbr"])
def test_every_template_gets_everything_and_nothing_else_changes(kind: str, rich: bool, over: str) -> None:
    template = RICH if rich else BARE
    own, patched = job(kind, template), deepcopy(_everything(rich, over)[kind])
    patched["metadata"]["name"] = "own"
    for path in KINDS[kind]:
        assert_kept(at(patched, path), at(own, path))
        assert_added(at(patched, path), template, over)
    assert without(patched, KINDS[kind]) == without(own, KINDS[kind])


@pytest.mark.kustomize
@pytest.mark.crd
@pytest.mark.parametrize("kind", IN_CRDS)
def test_an_api_server_takes_the_job_before_and_after(kind: str) -> None:
    assert validate_object(job(kind, RICH)) == []
    assert validate_object(_everything(True, "")[kind]) == []


@pytest.mark.kustomize
@pytest.mark.parametrize("command", kustomize.commands(), ids=" ".join)
def test_every_kustomize_makes_the_same_and_refuses_the_same(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    jobs = []
    for number, kind in enumerate(KINDS):
        jobs.append(job(kind, RICH))
        jobs[-1]["metadata"]["name"] = f"own-{number}"
    objects = [*jobs, trained(), SERVICE]
    assert built(tmp_path, *objects, over=SBR, command=command) == built(tmp_path, *objects, over=SBR)
    for message, over, own in REFUSALS.values():
        assert message in refused(tmp_path, own, over=over, command=command)


@pytest.mark.kustomize
@pytest.mark.parametrize("name", REFUSALS)
def test_refused(tmp_path: Path, name: str) -> None:
    message, over, own = REFUSALS[name]
    assert message in refused(tmp_path, own, over=over)


@pytest.mark.kustomize
@pytest.mark.parametrize("group", WITHOUT_PODS)
def test_objects_without_pods_pass_and_stay_as_they_are(tmp_path: Path, group: str) -> None:
    kinds = WITHOUT_PODS[group].replace(".*", "Anything").split("|")
    version = f"{group}/v1" if group else "v1"
    objects = [
        {"apiVersion": version, "kind": k, "metadata": {"name": "own"}} for k in kinds if k != "Namespace"
    ]
    assert sorted(built(tmp_path, *objects), key=str) == sorted(objects, key=str)


@pytest.mark.kustomize
def test_the_components_own_files_and_netplans_jobs_pass(tmp_path: Path) -> None:
    """A test job that already has its rails is rejected, or left alone if its annotation says so."""
    (own,) = yaml.safe_load_all(rendered(SBR)["nccl-test.yaml"])
    assert "already-set-in-the-job" in refused(tmp_path, own, over=SBR)
    (left,) = built(tmp_path, chosen(own, "none"), over=SBR)
    assert left == chosen(own, "none")


@pytest.mark.kustomize
@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("MPIJob", "all", ("Launcher", "Worker")),
        ("MPIJob", "Launcher", ("Launcher",)),
        ("MPIJob", "none", ()),
        ("PyTorchJob", "Master", ("Master",)),
        ("PyTorchJob", "Worker", ("Worker",)),
    ],
)
def test_the_annotation_chooses_roles(
    tmp_path: Path, kind: str, value: str, expected: tuple[str, ...]
) -> None:
    own = chosen(with_head(job(kind, RICH)), value)
    (patched,) = built(tmp_path, own)
    specs = "mpiReplicaSpecs" if kind == "MPIJob" else "pytorchReplicaSpecs"
    paths = tuple(("spec", specs, role, "template") for role in expected)
    for path in paths:
        assert_added(at(patched, path), at(own, path))
    assert without(patched, paths) == without(own, paths)


@pytest.mark.kustomize
@pytest.mark.parametrize("role", ["Master", "Worker"])
def test_a_pytorchjob_of_one_role_says_so(tmp_path: Path, role: str) -> None:
    own = job("PyTorchJob", BARE)
    specs = own["spec"]["pytorchReplicaSpecs"]
    del specs[{"Master": "Worker", "Worker": "Master"}[role]]
    assert "doc is missing" in refused(tmp_path, own)
    (patched,) = built(tmp_path, chosen(own, role))
    assert list(patched["spec"]["pytorchReplicaSpecs"]) == [role]
    assert_added(patched["spec"]["pytorchReplicaSpecs"][role]["template"], BARE)


@pytest.mark.kustomize
def test_a_leader_template_is_made_by_nobody_and_forgotten_by_nobody(tmp_path: Path) -> None:
    own = job("LeaderWorkerSet", BARE)
    assert "leaderTemplate" not in built(tmp_path, own)[0]["spec"]["leaderWorkerTemplate"]
    own["spec"]["leaderWorkerTemplate"]["leaderTemplate"] = deepcopy(HEAD_WITH_GPUS)
    assert "/spec/leaderWorkerTemplate/leaderTemplate" in refused(tmp_path, own)
    (workers,) = built(tmp_path, chosen(own, "workers"))
    assert workers["spec"]["leaderWorkerTemplate"]["leaderTemplate"] == HEAD_WITH_GPUS
    (both,) = built(tmp_path, chosen(own, "all"))
    for name, before in (("leaderTemplate", HEAD_WITH_GPUS), ("workerTemplate", BARE)):
        assert_added(both["spec"]["leaderWorkerTemplate"][name], before)


@pytest.mark.kustomize
def test_a_ray_cluster_of_a_head_alone(tmp_path: Path) -> None:
    own = with_head(job("RayCluster", BARE))
    del own["spec"]["workerGroupSpecs"]
    assert "'workerGroupSpecs'" in refused(tmp_path, own)
    (patched,) = built(tmp_path, chosen(own, "head"))
    assert "workerGroupSpecs" not in patched["spec"]
    assert_added(patched["spec"]["headGroupSpec"]["template"], HEAD_WITH_GPUS)
    (all_of_it,) = built(tmp_path, chosen(with_head(job("RayCluster", BARE)), "all"))
    assert_added(all_of_it["spec"]["headGroupSpec"]["template"], HEAD_WITH_GPUS)
    assert_added(all_of_it["spec"]["workerGroupSpecs"][1]["template"], BARE)


@pytest.mark.kustomize
@pytest.mark.parametrize("kind", ["JobSet", "RayCluster", "RayJob", "RayService", "Volcano Job"])
def test_roles_choose_entries_of_lists(tmp_path: Path, kind: str) -> None:
    own = job(kind, RICH)
    (patched,) = built(tmp_path, own, over=_roles("second"))
    paths = KINDS[kind][1:]
    assert_added(at(patched, paths[0]), RICH)
    assert without(patched, paths) == without(own, paths)


@pytest.mark.kustomize
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "Runtime" not in kind])
def test_the_container_with_gpus_gets_the_devices(tmp_path: Path, kind: str) -> None:
    """The kubelet assigns devices per container: a sidecar that comes first does not need them."""
    own = first_sidecar(job(kind, RICH))
    assert own != job(kind, RICH)
    (patched,) = built(tmp_path, own)
    (usual,) = built(tmp_path, job(kind, RICH))
    for path in KINDS[kind]:
        containers = at(patched, path)["spec"]["containers"]
        assert containers == at(usual, path)["spec"]["containers"][::-1]


@pytest.mark.kustomize
def test_a_sidecar_that_a_patch_puts_before_the_job_gets_nothing(tmp_path: Path) -> None:
    """kustomize puts containers of a strategic merge patch before the existing ones."""
    inner = tmp_path / "inner"
    inner.mkdir()
    sidecar = {"name": "sidecar", "image": "own:1"}
    patch = {**job("Job", BARE), "spec": {"template": {"spec": {"containers": [sidecar]}}}}
    (inner / "job.json").write_text(json.dumps(job("Job", BARE)))
    patched = {"resources": ["job.json"], "patches": [{"patch": json.dumps(patch)}]}
    (inner / "kustomization.yaml").write_text(json.dumps(patched))
    (base,) = kustomize.build(inner)
    assert [c["name"] for c in base["spec"]["template"]["spec"]["containers"]] == ["sidecar", "own"]
    (found,) = built(tmp_path, base)
    before, main = found["spec"]["template"]["spec"]["containers"]
    assert before == sidecar
    assert "intel.com/rail_0" in main["resources"]["limits"]


@pytest.mark.kustomize
@pytest.mark.parametrize(
    "resources",
    [
        {"requests": {"nvidia.com/gpu": 4}},
        {"limits": {"nvidia.com/gpu.shared": 4}},
        {"claims": [{"name": "gpus"}]},
    ],
)
def test_gpus_may_be_asked_for_in_other_ways(tmp_path: Path, resources: dict[str, Any]) -> None:
    own = job("Job", BARE)
    own["spec"]["template"]["spec"]["containers"][0]["resources"] = resources
    (patched,) = built(tmp_path, own)
    (main,) = patched["spec"]["template"]["spec"]["containers"]
    assert "intel.com/rail_0" in main["resources"]["limits"]


@pytest.mark.kustomize
def test_a_workload_without_gpus_takes_the_first_container(tmp_path: Path) -> None:
    own = job("Job", RICH)
    own["spec"]["template"]["spec"]["containers"][0]["resources"] = {}
    (patched,) = built(tmp_path, own, over="workloads: {job: {gpus: 0}}")
    first, second = patched["spec"]["template"]["spec"]["containers"]
    assert "intel.com/rail_0" in first["resources"]["limits"]
    assert "resources" not in second


@pytest.mark.kustomize
def test_a_role_is_the_whole_name(tmp_path: Path) -> None:
    own = job("JobSet", BARE)
    own["spec"]["replicatedJobs"][1]["name"] = "first-launcher"
    (patched,) = built(tmp_path, own, over=_roles("first"))
    assert patched["spec"]["replicatedJobs"][1] == own["spec"]["replicatedJobs"][1]


@pytest.mark.kustomize
@pytest.mark.crd
@pytest.mark.parametrize(
    ("over", "steps"), [("", ["node"]), ("workloads: {job: {roles: [a, b]}}", ["a", "b"])]
)
def test_a_trainjob_patches_its_runtime(tmp_path: Path, over: str, steps: list[str]) -> None:
    text = f"{SBR}\n{over}" if over else SBR
    own = trained()
    own["spec"]["trainer"]["env"] = [{"name": "OWN", "value": "1"}]
    (patched,) = built(tmp_path, own, over=text)
    assert validate_object(patched) == []
    (pod,) = yaml.safe_load_all(rendered(text)["pod.yaml"])
    main = pod["spec"]["containers"][0]
    trainer = patched["spec"]["trainer"]
    assert trainer["env"] == [{"name": "OWN", "value": "1"}, *main["env"]]
    assert trainer["resourcesPerNode"]["limits"] == main["resources"]["limits"]
    (patch,) = patched["spec"]["runtimePatches"]
    assert patch["manager"] == "netplan/rails"
    jobs = patch["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    assert [entry["name"] for entry in jobs] == steps
    container = {key: main[key] for key in ("securityContext", "volumeMounts")} | {"name": "node"}
    spec = {key: pod["spec"][key] for key in ("nodeSelector", "volumes")} | {"containers": [container]}
    metadata = {"annotations": pod["metadata"]["annotations"]}
    for entry in jobs:
        assert entry["template"]["spec"]["template"] == {"metadata": metadata, "spec": spec}


@pytest.mark.kustomize
def test_what_the_job_has_already_is_replaced_not_doubled(tmp_path: Path) -> None:
    own = job("JobSet", RICH)
    spec = own["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    main = spec["containers"][0]
    main["env"].insert(0, {"name": "NCCL_IB_TC", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}})
    main["resources"]["limits"]["intel.com/rail_0"] = 7
    main["volumeMounts"].append({"name": "own", "mountPath": "/dev/shm"})
    main["securityContext"]["capabilities"]["add"].append("IPC_LOCK")
    spec["volumes"].append({"name": "rdma-shm", "emptyDir": {}})
    (patched,) = built(tmp_path, own)
    spec = patched["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    main = spec["containers"][0]
    assert main["env"][:3] == [{"name": "NCCL_IB_TC", "value": "106"}, *RICH["spec"]["containers"][0]["env"]]
    assert [e["name"] for e in main["env"]].count("NCCL_IB_TC") == 1
    assert str(main["resources"]["limits"]["intel.com/rail_0"]) == "1"
    assert main["volumeMounts"][1:] == [{"name": "rdma-shm", "mountPath": "/dev/shm"}]
    assert main["securityContext"]["capabilities"]["add"] == ["SYS_PTRACE", "IPC_LOCK"]
    assert [v for v in spec["volumes"] if v["name"] == "rdma-shm"] == [
        {"name": "rdma-shm", "emptyDir": {"medium": "Memory"}}
    ]


@pytest.mark.kustomize
def test_further_fields_of_the_pod_and_texts_that_look_like_something_else(tmp_path: Path) -> None:
    plan = pods("""
workloads:
  job: {annotations: {a.b/c: "true", d: "1"}, env: {ON: "on"}, privileged: true, runtime_class: nvidia}
hosts: {"gpu-[1-2]": {labels: {numbered: "1", yes: "true"}}}
""")
    extra: dict[str, Any] = {
        "tolerations": (
            {"key": "gpu", "operator": "Exists"},
            {"key": "gpu", "operator": "Equal", "value": "no"},
        ),
        "imagePullSecrets": ({"name": "registry.example.com"},),
        "priorityClassName": "1",
        "serviceAccountName": "train",
        "affinity": {"nodeAffinity": {"own": (1,)}},
        "terminationGracePeriodSeconds": 5,
    }
    values = rails(replace(plan, extra=extra), None)
    files = {
        "kustomization.yaml": dump_yaml([component(plan, values)], ""),
        "rails/kustomization.yaml": dump_yaml([replacements(plan, values)], ""),
        "rails/pod-rails.yaml": dump_yaml([values], ""),
    }
    (patched,) = built(tmp_path, job("Deployment", RICH), files=files)
    template = patched["spec"]["template"]
    spec = template["spec"]
    assert {k: template["metadata"]["annotations"][k] for k in ("a.b/c", "d")} == {"a.b/c": "true", "d": "1"}
    assert {"name": "ON", "value": "on"} in spec["containers"][0]["env"]
    assert spec["nodeSelector"] == {"own": "1", "numbered": "1", "pod": "a", "type": "gpu", "yes": "true"}
    assert spec["containers"][0]["securityContext"] == {
        "capabilities": {"add": ["SYS_PTRACE"]},
        "privileged": True,
        "allowPrivilegeEscalation": True,
    }
    assert spec["tolerations"] == [*RICH["spec"]["tolerations"], *extra["tolerations"]]
    assert spec["runtimeClassName"] == "nvidia"
    thawed = with_extra({}, extra)
    assert {key: spec[key] for key in extra if key != "tolerations"} == {
        key: value for key, value in thawed.items() if key != "tolerations"
    }
    own = job("Deployment", BARE)
    own["spec"]["template"]["spec"]["affinity"] = {"podAffinity": {}}
    with pytest.raises(AssertionError, match="already-set-in-the-job"):
        built(tmp_path, own, files=files)


STATED = """
workloads: {job: {privileged: true, runtime_class: nvidia, extra: {
  serviceAccountName: train, priorityClassName: high, terminationGracePeriodSeconds: 5,
  shareProcessNamespace: true, securityContext: {fsGroup: 7}}}}
"""


@pytest.mark.kustomize
@pytest.mark.parametrize(
    "own",
    [
        {"serviceAccountName": "own"},
        {"serviceAccountName": "train"},
        {"priorityClassName": "own"},
        {"runtimeClassName": "own"},
        {"terminationGracePeriodSeconds": 30},
        {"shareProcessNamespace": False},
        {"securityContext": {"fsGroup": 1}},
        {"nodeSelector": {"type": "other"}},
        {"containers": [{**BARE["spec"]["containers"][0], "securityContext": {"privileged": False}}]},
        {
            "containers": [
                {**BARE["spec"]["containers"][0], "securityContext": {"allowPrivilegeEscalation": False}}
            ]
        },
    ],
    ids=str,
)
def test_what_the_job_says_of_itself_is_not_overwritten(tmp_path: Path, own: dict[str, Any]) -> None:
    body = job("Job", BARE)
    body["spec"]["template"]["spec"].update(own)
    assert "already-set-in-the-job" in refused(tmp_path, body, over=STATED)


HUGE = "workloads: {job: {hugepages_2mi_mib: 1024, memory_mib: 2048}}"


def _huge(resources: dict[str, Any]) -> dict[str, Any]:
    body = job("Job", RICH)
    spec = body["spec"]["template"]["spec"]
    spec["containers"][0]["resources"] = resources
    spec["containers"][1]["resources"] = {"limits": {"memory": "1Gi"}}
    return body


@pytest.mark.kustomize
@pytest.mark.parametrize(
    ("resources", "message"),
    [
        (GPUS, WITHOUT_MEMORY),
        ({"limits": {**GPUS["limits"], "memory": "4Gi", "hugepages-2Mi": "2Gi"}}, "already-set-in-the-job"),
    ],
)
def test_huge_pages_that_an_api_server_refuses_fail_the_build(
    tmp_path: Path, resources: dict[str, Any], message: str
) -> None:
    assert message in refused(tmp_path, _huge(resources), over=HUGE)


@pytest.mark.kustomize
def test_what_is_missing_first_is_said_first(tmp_path: Path) -> None:
    said = refused(tmp_path, job("Job", HEAD), over=HUGE)
    assert WITHOUT_GPUS in said
    assert WITHOUT_MEMORY not in said


@pytest.mark.kustomize
@pytest.mark.parametrize(
    "resources",
    [
        {"limits": {"memory": "4Gi", "nvidia.com/gpu": 4}},
        {"limits": {"nvidia.com/gpu": 4}, "requests": {"cpu": 4}},
        {"limits": {"cpu": "4"}, "requests": {"nvidia.com/gpu": 4}},
    ],
)
def test_huge_pages_go_to_the_container_with_the_gpus(tmp_path: Path, resources: dict[str, Any]) -> None:
    (patched,) = built(tmp_path, _huge(resources), over=HUGE)
    main, sidecar = patched["spec"]["template"]["spec"]["containers"]
    assert main["resources"]["limits"]["hugepages-2Mi"] == "1024Mi"
    assert sidecar["resources"] == {"limits": {"memory": "1Gi"}}


@pytest.mark.kustomize
def test_other_keys_of_the_same_maps_are_kept(tmp_path: Path) -> None:
    body = job("Job", BARE)
    own = {"nodeSelector": {"own": "1"}, "securityContext": {"runAsGroup": 1}}
    body["spec"]["template"]["spec"].update(own)
    (patched,) = built(tmp_path, body, over=STATED)
    spec = patched["spec"]["template"]["spec"]
    assert spec["nodeSelector"] == {"own": "1", "pod": "a", "type": "gpu"}
    assert spec["securityContext"] == {"runAsGroup": 1, "fsGroup": 7}
    assert (spec["terminationGracePeriodSeconds"], spec["shareProcessNamespace"]) == (5, True)
    assert (spec["serviceAccountName"], spec["runtimeClassName"]) == ("train", "nvidia")


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_finds_the_templates_of_every_kind(kind: str) -> None:
    own = job(kind, RICH)
    found = dict(pod_templates(own))
    trains = [where for where, t in found.items() if t["spec"]["containers"][0]["name"] in ("own", "node")]
    assert trains == [_json_path(path) for path in KINDS[kind]]
    assert [found[_json_path(path)] for path in KINDS[kind]] == [at(own, path) for path in KINDS[kind]]


def _json_path(path: tuple[str, ...]) -> str:
    return "$" + "".join(f"[{part}]" if part.isdecimal() else f".{part}" for part in path)


def test_targets_of_known_kinds_name_their_group() -> None:
    assert [kind for kind in POD_KINDS if not kind.group] == [POD_KINDS[0]]
    text = yaml.safe_load(rendered()["rails/kustomization.yaml"])
    targets = [patch["target"] for patch in text["patches"]]
    assert all("group" in target and "kind" in target for target in targets)
