"""Pods that request GPUs, checked with an inventory: each kind of job is reported without rails, not with."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Diagnostic, Severity
from netplan.graph.kubernetes.needs import Nodes, may_land
from netplan.others import rendered_texts
from netplan.pipeline import Result, run
from tests import kustomize, upstream
from tests.cli_runs import netplan
from tests.test_foreign import BOMB, WEIRD, _changed, _leaves

HERE = Path(__file__).parent
INVENTORIES = HERE.parent / "inventories"
NETWORKS = "k8s.v1.cni.cncf.io/networks"
RAILS = "training/rail-0-leaf-1@rail0,training/rail-1-leaf-1@rail1"
DEVICES = {"intel.com/rail_0": 1, "intel.com/rail_1": 1}
CRDS = upstream.root() / "crds-jobs"
Object = dict[str, Any]
CODES = {"NP693", "NP746", "NP747", "NP748"}


@cache
def site(name: str) -> Result:
    return run([str(INVENTORIES / f"{name}.yaml")])


def judged(*objects: Object, inventory: str | None = "minimal", crds: bool = False) -> list[Diagnostic]:
    own = [json.loads(json.dumps(o)) for o in objects]  # without YAML anchors for equal parts
    text = "---\n".join(yaml.safe_dump(o, sort_keys=False) for o in own)
    given = {p.name: p.read_text() for p in CRDS.glob("*.yaml")} if crds else None
    beside = site(inventory) if inventory else None
    found = rendered_texts({"x.yaml": text}, given, site=beside).diagnostics
    return [d for d in found if d.source and d.source.file == "x.yaml"]


def guard(*objects: Object, inventory: str | None = "minimal") -> list[str]:
    return [d.code for d in judged(*objects, inventory=inventory) if d.code in CODES]


def template(
    rails: bool, gpu: str = "nvidia.com/gpu", *, restart: str = "Never", name: str = "main"
) -> Object:
    limits = {gpu: 8, **(DEVICES if rails else {})}
    capabilities = {"capabilities": {"add": ["IPC_LOCK"]}}
    container = {
        "name": name,
        "image": "a/b:1",
        "securityContext": capabilities,
        "resources": {"limits": limits},
    }
    metadata = {"annotations": {NETWORKS: RAILS}} if rails else {}
    return {"metadata": metadata, "spec": {"restartPolicy": restart, "containers": [container]}}


def launcher() -> Object:
    return {"spec": {"containers": [{"name": "launcher", "image": "a/b:1"}]}}


def thing(api: str, kind: str, spec: Object, **metadata: Any) -> Object:
    named = {"name": "train", "namespace": "training", **metadata}
    return {"apiVersion": api, "kind": kind, "metadata": named, "spec": spec}


def replicas(key: str, *roles: str) -> Callable[[Object], Object]:
    return lambda t: {key: {role: {"replicas": 1, "template": t} for role in roles}}


def mpi(t: Object) -> Object:
    roles = {"Launcher": {"replicas": 1, "template": launcher()}, "Worker": {"replicas": 2, "template": t}}
    return {"slotsPerWorker": 8, "mpiReplicaSpecs": roles}


def ray(t: Object) -> Object:
    workers = [
        {
            "groupName": "gpu",
            "replicas": 2,
            "minReplicas": 2,
            "maxReplicas": 2,
            "rayStartParams": {},
            "template": t,
        }
    ]
    return {"headGroupSpec": {"rayStartParams": {}, "template": launcher()}, "workerGroupSpecs": workers}


def jobset(t: Object) -> Object:
    job = {"parallelism": 2, "completions": 2, "backoffLimit": 0, "template": t}
    return {"replicatedJobs": [{"name": "node", "replicas": 1, "template": {"spec": job}}]}


def argo(t: Object) -> Object:
    (container,) = t["spec"]["containers"]
    one = {"name": "train", "metadata": t["metadata"], "container": container}
    return {
        "entrypoint": "train",
        "templates": [{"name": "main", "steps": [[{"name": "a", "template": "train"}]]}, one],
    }


def wrapped(t: Object) -> Object:
    inner = thing("kubeflow.org/v1", "PyTorchJob", replicas("pytorchReplicaSpecs", "Master", "Worker")(t))
    return {"components": [{"template": inner}]}


def group(t: Object, **leader: Object) -> Object:
    return {"replicas": 1, "leaderWorkerTemplate": {"size": 2, "workerTemplate": t, **leader}}


def volcano(t: Object) -> Object:
    return {"tasks": [{"name": "worker", "replicas": 2, "template": t}]}


def unknown(t: Object) -> Object:
    return {"stages": {"a": {"pods": [{"deep": {"template": t}}]}}}


TRAINER, LWS = "trainer.kubeflow.org/v1alpha1", "leaderworkerset.x-k8s.io/v1"
KINDS: dict[str, tuple[str, str, Callable[[Object], Object], int]] = {
    "Deployment": ("apps/v1", "Deployment", lambda t: {"replicas": 2, "selector": {}, "template": t}, 1),
    "StatefulSet": ("apps/v1", "StatefulSet", lambda t: {"serviceName": "a", "template": t}, 1),
    "Job": ("batch/v1", "Job", lambda t: {"completions": 2, "parallelism": 2, "template": t}, 1),
    "CronJob": ("batch/v1", "CronJob", lambda t: {"jobTemplate": {"spec": {"template": t}}}, 1),
    "MPIJob v2beta1": ("kubeflow.org/v2beta1", "MPIJob", mpi, 1),
    "MPIJob v1": ("kubeflow.org/v1", "MPIJob", mpi, 1),
    "PyTorchJob": ("kubeflow.org/v1", "PyTorchJob", replicas("pytorchReplicaSpecs", "Master", "Worker"), 2),
    "TFJob": ("kubeflow.org/v1", "TFJob", replicas("tfReplicaSpecs", "Worker"), 1),
    "TrainingRuntime": (TRAINER, "TrainingRuntime", lambda t: {"template": {"spec": jobset(t)}}, 1),
    "JobSet": ("jobset.x-k8s.io/v1alpha2", "JobSet", jobset, 1),
    "LeaderWorkerSet": (LWS, "LeaderWorkerSet", group, 1),
    "LeaderWorkerSet with a leader": (LWS, "LeaderWorkerSet", lambda t: group(t, leaderTemplate=t), 2),
    "RayCluster": ("ray.io/v1", "RayCluster", ray, 1),
    "RayJob": ("ray.io/v1", "RayJob", lambda t: {"entrypoint": "a", "rayClusterSpec": ray(t)}, 1),
    "RayService": ("ray.io/v1", "RayService", lambda t: {"rayClusterConfig": ray(t)}, 1),
    "Volcano Job": ("batch.volcano.sh/v1alpha1", "Job", volcano, 1),
    "Argo Workflow": ("argoproj.io/v1alpha1", "Workflow", argo, 1),
    "Argo CronWorkflow": ("argoproj.io/v1alpha1", "CronWorkflow", lambda t: {"workflowSpec": argo(t)}, 1),
    "AppWrapper": ("workload.codeflare.dev/v1beta2", "AppWrapper", wrapped, 2),
    "a kind nobody knows": ("example.com/v1", "LlmJob", unknown, 1),
}  # fmt: skip


def of_kind(kind: str, rails: bool) -> Object:
    api, name, spec, _ = KINDS[kind]
    return thing(api, name, spec(template(rails)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_without_its_rails_is_found_at_each_template(kind: str) -> None:
    found = judged(of_kind(kind, rails=False))
    assert [d.code for d in found] == ["NP746"] * KINDS[kind][3]
    assert len({(d.source.line if d.source else 0) for d in found}) == KINDS[kind][3]
    assert all(d.message.startswith(f"{KINDS[kind][1]} training/train: ") for d in found)
    assert all(
        "training/rail-1-leaf-1" in d.message and "0 of 1 intel.com/rail_0" in d.message for d in found
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_with_its_rails_passes(kind: str) -> None:
    assert judged(of_kind(kind, rails=True)) == []


@pytest.mark.parametrize("rails", [True, False])
def test_the_crds_of_the_job_kinds_take_these_manifests(rails: bool) -> None:
    if not CRDS.is_dir():
        pytest.skip(f"{CRDS} is not there")
    objects = [of_kind(kind, rails) for kind in KINDS]
    for number, o in enumerate(objects):
        o["metadata"]["name"] = f"train-{number}"
    assert {d.code for d in judged(*objects, crds=True)} == (set() if rails else {"NP746"})


def test_a_pod_is_a_template_itself() -> None:
    pods = [{"apiVersion": "v1", "kind": "Pod", **template(rails)} for rails in (True, False)]
    for pod, expected in zip(pods, ([], ["NP746"]), strict=True):
        pod["metadata"] |= {"name": "a", "namespace": "training"}
        assert guard(pod) == expected


SITES = sorted(p.stem for p in INVENTORIES.glob("*.yaml"))


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", SITES)
def test_what_netplan_writes_passes(name: str) -> None:
    result = site(name)
    assert result.plan is not None
    texts = {a.path: a.text for a in result.artifacts if a.path.endswith((".yaml", ".json"))}
    found = rendered_texts(texts, site=result)
    assert set(found.diagnostics) - set(result.diagnostics) == {
        d for d in found.diagnostics if d.severity is Severity.INFO and d.source and d.source.file in texts
    }
    assert bool(found.checked["NP746"]) is any(
        w.workload.gpus and w.workload.image for w in result.plan.workloads
    )


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", SITES)
def test_every_inventory_with_workloads_finds_a_job_that_was_added_outside(name: str) -> None:
    result = site(name)
    assert result.plan is not None
    for workload in result.plan.workloads:
        gpu = next((limit for limit, _ in workload.limits if limit.endswith(("/gpu", "/gaudi"))), None)
        if gpu is None:
            continue
        added = thing(
            "kubeflow.org/v1", "PyTorchJob", replicas("pytorchReplicaSpecs", "Worker")(template(False, gpu))
        )
        added["metadata"]["namespace"] = workload.workload.namespace
        found = judged(added, inventory=name)
        assert [d.code for d in found] == ["NP746"], workload.name


# -- TrainJobs: resources here, annotation in the runtime


def train_job(resources: Object, kind: str | None = None, **more: Any) -> Object:
    ref = {"name": "rails", **({"kind": kind} if kind else {})}
    spec = {"runtimeRef": ref, "trainer": {"numNodes": 2, "resourcesPerNode": {"limits": resources}}, **more}
    return thing("trainer.kubeflow.org/v1alpha1", "TrainJob", spec)


def runtime(rails: bool, gpus: bool, kind: str = "ClusterTrainingRuntime") -> Object:
    t = template(rails, name="node")
    if not gpus:
        t["spec"]["containers"][0]["resources"] = {}
    body = thing(
        "trainer.kubeflow.org/v1alpha1", kind, {"mlPolicy": {"torch": {}}, "template": {"spec": jobset(t)}}
    )
    jobs = body["spec"]["template"]["spec"]["replicatedJobs"]
    jobs[0]["template"]["metadata"] = {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}}
    jobs.insert(0, {"name": "data", "template": {"spec": {"template": launcher()}}})
    body["metadata"] = {"name": "rails"} | ({"namespace": "training"} if kind == "TrainingRuntime" else {})
    return body


GPUS = {"nvidia.com/gpu": 8}
PATCH = {"annotations": {NETWORKS: RAILS}}
NODE = {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"metadata": PATCH}}}}]}
PATCHES = {
    "podTemplateOverrides": [{"targetJobs": [{"name": "node"}], "metadata": PATCH}],
    "runtimePatches": [{"manager": "example.com/a", "trainingRuntimeSpec": {"template": {"spec": NODE}}}],
}


@pytest.mark.parametrize(
    ("objects", "codes"),
    [
        ([train_job(GPUS)], ["NP748"]),
        ([train_job(GPUS | DEVICES)], ["NP748"]),
        ([train_job(GPUS), runtime(False, False)], ["NP746"]),
        ([train_job(GPUS | DEVICES), runtime(False, False)], ["NP746"]),
        ([train_job(GPUS | DEVICES), runtime(True, False)], []),
        ([train_job(GPUS), runtime(True, True)], ["NP748"]),
        ([train_job({}), runtime(False, True)], ["NP746"]),
        ([train_job({}), runtime(True, True)], []),
        ([runtime(False, True)], []),
        ([train_job({}, "TrainingRuntime"), runtime(False, True, "TrainingRuntime")], ["NP746"]),
        ([train_job(GPUS | DEVICES, podTemplateOverrides=PATCHES["podTemplateOverrides"])], []),
        ([train_job(GPUS | DEVICES, runtimePatches=PATCHES["runtimePatches"]), runtime(False, False)], []),
        ([train_job({"cpu": 4})], []),
    ],
)
def test_train_jobs(objects: list[Object], codes: list[str]) -> None:
    assert guard(*objects) == codes


# -- which GPUs, which nodes, which namespace


@pytest.mark.parametrize(
    ("gpu", "amount", "codes"),
    [
        ("nvidia.com/gpu", 8, ["NP746"]),
        ("nvidia.com/gpu", "1", ["NP746"]),
        ("nvidia.com/gpu", "${GPUS}", ["NP746"]),
        ("nvidia.com/gpu", 0, []),
        ("nvidia.com/gpu", "0", []),
        ("nvidia.com/gpu", None, []),
        ("nvidia.com/gpu.shared", 1, ["NP746"]),
        ("nvidia.com/mig-1g.10gb", 1, ["NP746"]),
        ("amd.com/gpu", 8, []),  # the workload's nodes have NVIDIA's
        ("habana.ai/gaudi", 8, []),
        ("gpu.intel.com/xe_monitoring", 1, []),
    ],
)
def test_which_resources_are_gpus_of_the_workload(gpu: str, amount: Any, codes: list[str]) -> None:
    t = template(False)
    t["spec"]["containers"][0]["resources"] = {"limits": {gpu: amount}}
    assert guard(thing("batch/v1", "Job", {"template": t})) == codes


@pytest.mark.parametrize(
    "gpu", ["nvidia.com/gpu", "amd.com/gpu", "habana.ai/gaudi", "gpu.intel.com/xe", "gpu.intel.com/i915"]
)
def test_gpus_of_every_vendor_are_seen_without_an_inventory(gpu: str) -> None:
    with_rails, without = template(True, gpu), template(False, gpu)
    jobs = [thing("batch/v1", "Job", {"template": t}, name=n) for t, n in ((with_rails, "a"), (without, "b"))]
    assert guard(*jobs, inventory=None) == ["NP693"]
    assert guard(jobs[1], inventory=None) == []
    few = template(False, gpu)
    few["spec"]["containers"][0]["resources"]["limits"] = {gpu: 1}
    assert guard(jobs[0], thing("batch/v1", "Job", {"template": few}, name="c"), inventory=None) == []
    assert guard(jobs[0], jobs[1] | {"metadata": {"name": "b", "namespace": "other"}}, inventory=None) == []


def test_gpus_that_a_claim_gives_are_gpus() -> None:
    claim = {
        "devices": {
            "requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 8}}]
        }
    }
    made = thing("resource.k8s.io/v1", "ResourceClaimTemplate", {"spec": claim}, name="gpus")
    t = template(False)
    t["spec"]["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
    t["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "gpus"}]
    assert guard(made, thing("batch/v1", "Job", {"template": t})) == ["NP746"]
    assert guard(thing("batch/v1", "Job", {"template": t})) == []  # nothing says what the claim is


def test_a_run_says_that_claims_may_give_gpus() -> None:
    t = template(False)
    t["spec"]["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
    t["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "gpus"}]
    text = yaml.safe_dump(thing("batch/v1", "Job", {"template": t}))
    said = "what the claims of 1 pod give is not known here"
    assert said in rendered_texts({"x.yaml": text}, site=site("minimal")).skipped
    away = text.replace("namespace: training", "namespace: other")
    assert said not in rendered_texts({"x.yaml": away}, site=site("minimal")).skipped


def test_requests_and_init_containers_count() -> None:
    t = template(False)
    (container,) = t["spec"]["containers"]
    container["resources"] = {"requests": {"nvidia.com/gpu": 8}}
    assert "NP746" in guard(thing("batch/v1", "Job", {"template": t}))
    t = template(False)
    t["spec"]["initContainers"] = t["spec"]["containers"]
    t["spec"]["containers"] = [{"name": "a", "image": "b"}]
    assert guard(thing("batch/v1", "Job", {"template": t})) == ["NP746"]


NODES = Nodes(
    labels=frozenset({(("pool", "gpu"), ("rack", "r1")), (("pool", "gpu"), ("rack", "r2"))}),
    others=frozenset(
        {(("pool", "cpu"),), (("pool", "gpu"), ("rack", "r9")), (("team", "a"), ("pool", "cpu"))}
    ),
    names=frozenset({"gpu-1"}),
    other_names=frozenset({"cpu-1"}),
)


def _affinity(*terms: list[Object], key: str = "requiredDuringSchedulingIgnoredDuringExecution") -> Object:
    selector = {"nodeSelectorTerms": [{"matchExpressions": list(term)} for term in terms]}
    return {"affinity": {"nodeAffinity": {key: selector}}}


def _row(key: str, operator: str, *values: str) -> Object:
    return {"key": key, "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("spec", "lands"),
    [
        ({}, True),
        ({"nodeSelector": {"pool": "gpu"}}, True),
        ({"nodeSelector": {"pool": "cpu"}}, False),
        ({"nodeSelector": {"rack": "r2", "pool": "gpu"}}, True),
        ({"nodeSelector": {"rack": "r3"}}, False),
        ({"nodeSelector": {"product": "H100"}}, True),  # a label the inventory does not state
        ({"nodeSelector": {"team": "a"}}, False),  # one it states of other hosts only
        ({"nodeSelector": {"pool": "${POOL}"}}, True),
        ({"nodeSelector": {"pool": "$POOL"}}, True),
        ({"nodeSelector": None}, True),
        ({"nodeSelector": ["x"]}, True),
        ({"nodeSelector": {"pool": 7}}, False),
        ({"nodeName": "gpu-1"}, True),
        ({"nodeName": "cpu-1"}, False),
        ({"nodeName": "cpu-9"}, True),
        ({"nodeSelector": {"kubernetes.io/hostname": "cpu-1"}}, False),
        (_affinity([_row("pool", "In", "cpu", "gpu")]), True),
        (_affinity([_row("pool", "In", "cpu")]), False),
        (_affinity([_row("pool", "In", "cpu")], [_row("rack", "In", "r1")]), True),
        (_affinity([_row("pool", "In", "gpu"), _row("rack", "In", "r3")]), False),
        (_affinity([_row("pool", "NotIn", "gpu")]), False),
        (_affinity([_row("pool", "NotIn", "cpu")]), True),
        (_affinity([_row("pool", "DoesNotExist")]), False),
        (_affinity([_row("pool", "Exists")]), True),
        (_affinity([_row("x", "In", "y")]), True),
        (_affinity([_row("pool", "In", "cpu")], key="preferredDuringSchedulingIgnoredDuringExecution"), True),
        ({"affinity": {"nodeAffinity": 7}}, True),
        (_affinity(["x"]), True),  # type: ignore[list-item]
    ],
)  # fmt: skip
def test_where_a_pod_may_land(spec: Object, lands: bool) -> None:
    assert may_land(spec, NODES) is lands


@pytest.mark.parametrize(
    ("namespace", "gpus", "codes"),
    [
        ("training", 1, ["NP746"]),
        (None, 8, ["NP746"]),
        ("research", 8, ["NP748"]),
        ("research", 1, []),
        ("research", "${N}", []),
    ],
)
def test_namespaces(namespace: str | None, gpus: Any, codes: list[str]) -> None:
    t = template(False)
    t["spec"]["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": gpus}
    job = thing("batch/v1", "Job", {"template": t}, namespace=namespace)
    if namespace is None:
        del job["metadata"]["namespace"]
    assert guard(job) == codes


def test_a_job_of_another_namespace_that_has_networks_is_its_own_affair() -> None:
    t = template(False)
    t["metadata"] = {"annotations": {NETWORKS: "fast"}}
    assert guard(thing("batch/v1", "Job", {"template": t}, namespace="research")) == []


def test_an_object_in_a_wrapper_has_its_own_namespace() -> None:
    outer = of_kind("AppWrapper", rails=False)
    outer["spec"]["components"][0]["template"]["metadata"]["namespace"] = "elsewhere"
    assert guard(outer) == ["NP748", "NP748"]


# -- rails that exist but are wrong


def _job(text: str | None, limits: Object, **more: Any) -> Object:
    t = template(True)
    t["metadata"] = {"annotations": {NETWORKS: text}} if text is not None else {}
    t["spec"]["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": 8, **limits}
    t["spec"] |= more
    return thing("batch/v1", "Job", {"template": t})


@pytest.mark.parametrize(
    ("job", "codes"),
    [
        (_job(RAILS, DEVICES), []),
        (_job("rail-0-leaf-1,rail-1-leaf-1", DEVICES), []),
        (
            _job(
                json.dumps([{"name": "rail-0-leaf-1"}, {"name": "rail-1-leaf-1", "namespace": "training"}]),
                DEVICES,
            ),
            [],
        ),
        (_job("training/rail-0-leaf-1", DEVICES), ["NP746"]),
        (_job("default/rail-0-leaf-1,default/rail-1-leaf-1", DEVICES), ["NP746"]),
        (_job(RAILS, {"intel.com/rail_0": 1}), ["NP746"]),
        (_job(RAILS, {"intel.com/rail_0": "${N}", "intel.com/rail_1": 1}), []),
        (_job(RAILS, {"intel.com/rail_0": "$N", "intel.com/rail_1": 1}), []),
        (_job(RAILS, {"intel.com/rail_0": 0, "intel.com/rail_1": 1}), ["NP746"]),
        (_job("${NETWORKS}", DEVICES), []),
        (_job("", {}), []),  # declared to need none
        (_job("[]", {}), []),
        (_job(None, DEVICES), ["NP746"]),
        (_job("UPPER/x", DEVICES), []),  # reported by NP762
        (_job(RAILS, DEVICES, hostNetwork=False), []),
        (_job(None, {}, hostNetwork=True), ["NP748"]),
    ],
)
def test_rails_that_are_there_in_part(job: Object, codes: list[str]) -> None:
    assert guard(job) == codes


def test_four_of_eight_rails_are_named() -> None:
    result = site("superpod-h100")
    assert result.plan is not None
    workload = next(w for w in result.plan.workloads if len(w.nics) >= 8)
    text = dict(workload.annotations)[NETWORKS]
    half = ",".join(text.split(",")[:4])
    job = _job(half, {d.resource: d.count for d in workload.devices})
    job["metadata"]["namespace"] = workload.workload.namespace
    (found,) = judged(job, inventory="superpod-h100")
    assert f"4 of {len(workload.nics)} networks attached, " in found.message
    assert found.path[-1] == NETWORKS


@pytest.mark.parametrize(
    "key",
    [
        "k8s.v1.cni.cncf.io/network",
        "k8s.v1.cni.cncf.io/Networks",
        "k8s.cni.cncf.io/networks",
        "k8s.v1.cncf.io/networks",
        "kubernetes.v1.cni.cncf.io/networks",
        "k8s.v1.cni.cncf.io/netwroks",
    ],
)
@pytest.mark.parametrize("inventory", ["minimal", None])
def test_a_misspelt_key_is_one_finding(key: str, inventory: str | None) -> None:
    job = _job(None, DEVICES)
    job["spec"]["template"]["metadata"] = {"annotations": {key: RAILS}}
    assert guard(job, inventory=inventory) == ["NP747"]


@pytest.mark.parametrize(
    "key",
    [
        "k8s.v1.cni.cncf.io/network-status",
        "k8s.v1.cni.cncf.io/networks-status",
        "k8s.v1.cni.cncf.io/resourceName",
        "v1.multus-cni.io/default-network",
        "networks",
    ],
)
def test_other_keys_are_other_keys(key: str) -> None:
    job = _job(RAILS, DEVICES)
    job["spec"]["template"]["metadata"]["annotations"][key] = "x"
    assert guard(job) == []
    del job["spec"]["template"]["metadata"]["annotations"][NETWORKS]
    assert guard(job) == ["NP746"]


@pytest.mark.parametrize(
    "kind", ["Deployment", "StatefulSet", "Job", "CronJob", "JobSet", "LeaderWorkerSet", "Volcano Job"]
)
def test_an_annotation_of_the_object_is_no_annotation_of_its_pods(kind: str) -> None:
    job = of_kind(kind, rails=False)
    job["metadata"]["annotations"] = {NETWORKS: RAILS}
    codes = guard(job)
    assert codes.count("NP747") == 1
    assert codes.count("NP746") <= 1  # for the devices, which are also missing


def test_a_wrong_name_is_reported_once() -> None:
    nad = {"cniVersion": "1.0.0", "type": "host-device", "device": "a", "ipam": {}}
    made = thing(
        "k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", {"config": json.dumps(nad)}, name="rail-0-leaf-1"
    )
    job = _job("training/rail-0-leaf-1@a,training/rail-0-leaf-2@b", DEVICES)
    assert [d.code for d in judged(made, job)] == ["NP758"]


# -- GPUs in unknown places, and what a run does not see


def test_argo_fields_that_make_a_pod() -> None:
    flow = of_kind("Argo Workflow", rails=False)
    flow["spec"]["podMetadata"] = {"annotations": {NETWORKS: RAILS}}
    assert guard(flow) == ["NP746"]
    flow["spec"]["podSpecPatch"] = yaml.safe_dump(
        {"containers": [{"name": "main", "resources": {"limits": DEVICES}}]}
    )
    assert guard(flow) == []
    flow["spec"]["podMetadata"] = {}
    assert guard(flow) == ["NP746"]
    flow["spec"]["podSpecPatch"] = "{{not final"
    assert guard(flow) == ["NP746"]
    flow["spec"]["nodeSelector"] = {"example.com/host-type": "workstation"}
    assert guard(flow) == []


def test_an_object_in_a_text_of_argo_is_read() -> None:
    inner = of_kind("PyTorchJob", rails=False)
    flow = thing(
        "argoproj.io/v1alpha1", "Workflow", {"templates": [{"name": "a", "resource": {"action": "create"}}]}
    )
    flow["spec"]["templates"][0]["resource"]["manifest"] = yaml.safe_dump(inner)
    found = [d for d in judged(flow) if d.code in CODES]
    assert [d.code for d in found] == ["NP746", "NP746"]
    assert all(d.path[:5] == ("spec", "templates", 0, "resource", "manifest") for d in found)
    flow["spec"]["templates"][0]["resource"]["manifest"] = yaml.safe_dump(of_kind("PyTorchJob", rails=True))
    assert guard(flow) == []


QUOTA = {"name": "a", "resources": [{"name": "nvidia.com/gpu", "nominalQuota": 8}]}
QUOTAS = [
    thing("v1", "ResourceQuota", {"hard": {"requests.nvidia.com/gpu": "16"}}),
    thing("v1", "LimitRange", {"limits": [{"type": "Container", "max": {"nvidia.com/gpu": "8"}}]}),
    thing("kueue.x-k8s.io/v1beta1", "ClusterQueue", {"resourceGroups": [{"flavors": [QUOTA]}]}),
    thing("karpenter.sh/v1", "NodePool", {"limits": {"nvidia.com/gpu": "16"}}),
    thing("scheduling.volcano.sh/v1beta1", "PodGroup", {"minResources": {"nvidia.com/gpu": "16"}}),
    {**thing("v1", "Node", {}), "status": {"capacity": {"nvidia.com/gpu": "8"}}},
]  # fmt: skip


@pytest.mark.parametrize("quota", QUOTAS, ids=lambda o: str(o["kind"]))
def test_quotas_and_nodes_ask_for_nothing(quota: Object) -> None:
    assert guard(quota) == []


@pytest.mark.parametrize("gpu", ["nvidia.com/gpu", "gpu"])
def test_gpus_at_an_unknown_place_are_said(gpu: str) -> None:
    unknown = thing(
        "nvidia.com/v1alpha1",
        "DynamoGraphDeployment",
        {"services": {"decode": {"resources": {"limits": {gpu: "8"}}}}},
    )
    assert guard(unknown) == ["NP748"]
    assert guard(unknown | {"metadata": {"name": "a", "namespace": "serving"}}) == []


def test_a_run_says_what_it_did_not_see() -> None:
    objects = [
        thing("example.com/v1", "LlmJob", {"gpusPerNode": 8}),
        thing("helm.toolkit.fluxcd.io/v2", "HelmRelease", {}),
        _job("", {}),
    ]
    texts = {"x.yaml": "---\n".join(map(yaml.safe_dump, objects))}
    notes = rendered_texts(texts, site=site("minimal")).skipped
    assert "what 1 HelmRelease install was not seen" in notes
    assert "no pod template found in 1 HelmRelease, 1 LlmJob" in notes
    assert "1 GPU pod marked as needing no rails" in notes
    only = rendered_texts({"x.yaml": yaml.safe_dump(objects[0])}, site=site("minimal"))
    assert "no pod template requests GPUs" in only.skipped
    assert "NP746" in only.not_applicable


@pytest.mark.parametrize("amount", ["9" * 5000, 10**300, "²", -1, 1.5, True, [], {}])
@pytest.mark.parametrize("resource", ["nvidia.com/gpu", "intel.com/rail_0"])
@pytest.mark.parametrize("namespace", ["training", "other"])
def test_odd_amounts_are_no_crash(amount: Any, resource: str, namespace: str) -> None:
    job = _job(RAILS, DEVICES | {resource: amount})
    job["metadata"]["namespace"] = namespace
    for inventory in ("minimal", None):
        assert set(guard(job, inventory=inventory)) <= {"NP746"}


def test_an_odd_volume_is_no_crash() -> None:
    job = _job(None, {}, volumes=[{"hostPath": {"path": {"a": 1}}}, {"hostPath": []}, 7])
    job["metadata"]["namespace"] = "default"
    assert guard(job, inventory="vsphere-pvrdma") == ["NP746"]
    job["spec"]["template"]["spec"]["volumes"].append({"name": "a", "hostPath": {"path": "/dev/infiniband"}})
    assert guard(job, inventory="vsphere-pvrdma") == ["NP746"]  # not mounted
    (container,) = job["spec"]["template"]["spec"]["containers"]
    container["volumeMounts"] = [{"name": "a", "mountPath": "/dev/infiniband"}, {"name": {"a": 1}}]
    assert guard(job, inventory="vsphere-pvrdma") == []


def _split(*limits: Object, key: str = "containers") -> Object:
    """A job with networks and containers that request these."""
    job = _job(RAILS, {})
    spec = job["spec"]["template"]["spec"]
    (main,) = spec["containers"]
    made = [{**main, "name": f"c{n}", "resources": {"limits": own}} for n, own in enumerate(limits)]
    spec["containers"] = [made[0]]
    spec[key] = [*spec.get(key, []), *made[1:]]
    return job


@pytest.mark.parametrize(
    ("job", "codes"),
    [
        (_split(GPUS | DEVICES, {}), []),
        (_split(GPUS, DEVICES), ["NP746"]),
        (_split(GPUS, DEVICES, key="initContainers"), ["NP746"]),
        (_split(GPUS | {"intel.com/rail_0": 1}, {"intel.com/rail_1": 1}), ["NP746"]),
        (_split(GPUS | {"intel.com/rail_0": 1}, GPUS | {"intel.com/rail_1": 1}), []),  # one rail each
        (_split(GPUS | DEVICES, GPUS), ["NP746"]),
    ],
)
def test_devices_are_where_the_gpus_are(job: Object, codes: list[str]) -> None:
    found = [d for d in judged(job) if d.code in CODES]
    assert [d.code for d in found] == codes
    assert all("has the GPUs and" in d.message for d in found)


@pytest.mark.parametrize(
    ("inventory", "namespace", "networks", "devices", "codes"),
    [
        ("minimal", "training", RAILS, DEVICES, ["NP746"]),
        ("minimal", "training", None, DEVICES, ["NP748"]),
        ("minimal", "training", "", DEVICES, []),
        ("eks-efa", "default", None, {}, ["NP746"]),
        ("eks-efa", "default", None, {"vpc.amazonaws.com/efa": 4, "memory": "1Gi"}, []),
        ("vsphere-pvrdma", "default", None, {}, ["NP746"]),
    ],
)
def test_the_network_of_the_node(
    inventory: str, namespace: str, networks: str | None, devices: Object, codes: list[str]
) -> None:
    """No CNI plugin runs for the pod, but it can still use devices and paths of the node."""
    job = _job(networks, devices, hostNetwork=True)
    job["metadata"]["namespace"] = namespace
    found = [d for d in judged(job, inventory=inventory) if d.code in CODES]
    assert [d.code for d in found] == codes
    if networks:
        assert "hostNetwork: Multus attaches none of its 2 networks" in found[0].message


CARDS = [f"training/rail-{n}-leaf-{n + 1}@rail{n}" for n in range(4)]
INIT = {"name": "rail-routes", "image": "a/b:1", "securityContext": {"capabilities": {"add": ["NET_ADMIN"]}}}


def _with_script(networks: list[str], **spec: Any) -> Object:
    whole = site("iei-rocev2").plan
    assert whole is not None
    (plan,) = [w for w in whole.workloads if w.scripted]
    wanted = {nic.interface: nic.reference.rpartition("@")[0] for nic in plan.nics}
    texts = [
        f"{wanted[i.rpartition('@')[2]]}@{n.rpartition('@')[2]}" for i, n in zip(CARDS, networks, strict=True)
    ]
    devices = {d.resource: d.count for d in plan.devices}
    job = _job(",".join(texts), devices, **spec)
    job["metadata"]["namespace"] = plan.workload.namespace
    job["spec"]["template"]["spec"]["nodeSelector"] = dict(plan.placement.selectors[0])
    return job


@pytest.mark.parametrize(
    ("job", "part"),
    [
        (_with_script(CARDS, initContainers=[INIT]), ""),
        (_with_script(CARDS, initContainers=[{**INIT, "name": "own"}]), ""),
        (_with_script(CARDS), "no init container rail-routes"),
        (_with_script([*CARDS[1::-1], *CARDS[2:]], initContainers=[INIT]), "is rail1, not rail0"),
    ],
    ids=["as rendered", "under another name", "left out", "two names swapped"],
)
def test_the_script_of_the_routes_is_there_and_finds_its_interfaces(job: Object, part: str) -> None:
    found = [d for d in judged(job, inventory="iei-rocev2") if d.code in CODES]
    assert [d.code for d in found] == (["NP746"] if part else [])
    assert all(part in d.message for d in found)


def test_claims_and_mounts_are_where_the_gpus_are() -> None:
    job = _split(GPUS, {})
    job["spec"]["template"]["metadata"] = {}
    spec = job["spec"]["template"]["spec"]
    spec["initContainers"] = [INIT]
    spec["resourceClaims"] = [{"name": "rails", "resourceClaimTemplateName": "training"}]
    gpu, sidecar = spec["containers"]
    for has, codes in ((sidecar, ["NP746"]), (gpu, [])):
        has["resources"]["claims"] = [{"name": "rails"}, {"name": {"a": 1}}]
        assert guard(job, inventory="dgx-h100-dra") == codes
    job["metadata"]["namespace"] = "default"
    spec["volumes"] = [{"name": "verbs", "hostPath": {"path": "/dev/infiniband"}}]
    for has, codes in ((sidecar, ["NP746"]), (gpu, [])):
        has["volumeMounts"] = [{"name": "verbs", "mountPath": "/dev/infiniband"}]
        assert guard(job, inventory="vsphere-pvrdma") == codes


def test_a_patch_of_a_train_job_mounts_what_its_container_needs() -> None:
    job = train_job({"nvidia.com/gpu": 1})
    job["metadata"]["namespace"] = "default"
    mounts = [{"name": "verbs", "mountPath": "/dev/infiniband"}]
    spec = {
        "volumes": [{"name": "verbs", "hostPath": {"path": "/dev/infiniband"}}],
        "containers": [{"name": "node", "volumeMounts": mounts}],
    }
    step = {"name": "node", "template": {"spec": {"template": {"spec": spec}}}}
    patch = {"manager": "a/b", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [step]}}}}
    assert guard(job, inventory="vsphere-pvrdma") == ["NP748"]
    job["spec"]["runtimePatches"] = [patch]
    assert guard(job, inventory="vsphere-pvrdma") == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(12))
def test_any_value_anywhere_is_no_crash(number: int) -> None:
    """Parts of every kind of job become odd values, with and without an inventory."""
    claim = {"spec": {"devices": {"requests": [{"name": "a", "deviceClassName": "gpu.nvidia.com"}]}}}
    objects = [*(of_kind(kind, rails=True) for kind in KINDS), train_job(GPUS | DEVICES, **PATCHES)]  # type: ignore[arg-type]
    objects += [runtime(True, True), thing("resource.k8s.io/v1", "ResourceClaimTemplate", claim, name="a")]
    full = {
        "nodeSelector": {"a": "b"},
        "hostNetwork": True,
        "resourceClaims": [{"resourceClaimTemplateName": "a"}],
    }
    full |= {"volumes": [{"hostPath": {"path": "/dev"}}], **_affinity([_row("a", "In", "b")])}
    objects.append(_job(RAILS, DEVICES, **full))
    odd = [*WEIRD, "9" * 5000, "$x", {"resources": {"limits": {"nvidia.com/gpu": "8"}}}]
    beside = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects[-3:]})
    tried = 0
    for index, body in enumerate(objects):
        for place, path in enumerate(_leaves(body)[1:]):
            if place % 12 == number:
                changed = json.dumps(_changed(body, path, odd[(place + index) % len(odd)]))
                for name, namespace in (("vsphere-pvrdma", "default"), ("dgx-h100-dra", "training")):
                    there = changed.replace('"training"', f'"{namespace}"')
                    rendered_texts({"x.json": there, "y.json": beside}, site=site(name))
                rendered_texts({"x.json": changed, "y.json": beside})
                tried += 1
    assert tried > 30


# -- the command


STREAM = yaml.safe_dump_all([of_kind("MPIJob v2beta1", True), of_kind("PyTorchJob", False)])
MINIMAL = str(INVENTORIES / "minimal.yaml")


def test_a_job_added_outside_is_found_in_a_stream() -> None:
    status, _, errors = netplan("validate", MINIMAL, "--rendered", "-", input=STREAM)
    assert status == 1
    assert errors.count("error NP746") == 2
    assert "<stdin>:" in errors
    assert (
        "PyTorchJob training/train: requests 8 nvidia.com/gpu but lacks rails of workload training" in errors
    )
    assert "component pods/training" in errors
    fixed = yaml.safe_dump_all([of_kind("MPIJob v2beta1", True), of_kind("PyTorchJob", True)])
    status, _, errors = netplan("validate", MINIMAL, "--rendered", "-", input=fixed)
    assert (status, "error" in errors.splitlines()[0]) == (0, False)


def test_a_stream_is_judged_without_an_inventory() -> None:
    status, _, errors = netplan("validate", "--rendered", "-", input=STREAM)
    assert status == 0
    assert errors.count("note NP693") == 2
    assert netplan("validate", "--strict", "--rendered", "-", input=STREAM)[0] == 0


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "github", "gitlab"])
def test_every_format_has_the_findings_of_both(form: str, tmp_path: Path) -> None:
    inventory = tmp_path / "site.yaml"
    inventory.write_text(Path(MINIMAL).read_text())
    status, report, _ = netplan("validate", str(inventory), "--rendered", "-", "--format", form, input=STREAM)
    assert status == 1
    assert "NP746" in report
    assert "NP846" in report  # a note about the inventory


def test_an_inventory_with_errors_leaves_the_pods_alone(tmp_path: Path) -> None:
    inventory = tmp_path / "site.yaml"
    inventory.write_text(Path(MINIMAL).read_text().replace("gpus: 8", "gpus: eight"))
    status, _, errors = netplan("validate", str(inventory), "--rendered", "-", input=STREAM)
    assert status == 1
    assert "NP011" in errors
    assert "NP746" not in errors
    assert "pods were not compared with the workloads" in errors


CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("", 2, "standard input holds no Kubernetes object"),
        ("# nothing\n---\n", 2, "did the command before the pipe fail?"),
        ("Error: no such file\n", 2, "standard input holds no Kubernetes object"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {name: '{{x}}'}\nspec: [\n", 1, "<stdin>:5:1: error NP001"),
        (f"{CONFIG}---\nreplicas: 2\n", 0, "1 document without apiVersion"),
        ('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}', 0, "0 errors"),
        (BOMB, 1, "NP004"),
        ("apiVersion: v1\nkind: ConfigMap\ndata: {a: " + "x" * (33 * 2**20) + "}\n", 1, "NP004"),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \udcff}\n", 1, "NP001"),
    ],
    ids=["empty", "comments", "a message", "broken", "no object", "JSON", "bomb", "too large", "not UTF-8"],
)  # fmt: skip
def test_what_may_come_through_a_pipe(text: str, status: int, message: str) -> None:
    given = text.encode("utf-8", "surrogateescape")
    found, _, errors = netplan("validate", "--rendered", "-", input=given)
    assert found == status, errors
    assert message in errors


@pytest.mark.kustomize
def test_the_pipe_of_the_readme_finds_a_job_that_the_component_does_not_reach(tmp_path: Path) -> None:
    """An object added by an outer kustomization is not seen by a component of an inner one."""
    for path, o in (
        ("inner/mpi.yaml", of_kind("MPIJob v2beta1", True)),
        ("llm.yaml", of_kind("PyTorchJob", False)),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(yaml.safe_dump(o))
    (tmp_path / "inner/kustomization.yaml").write_text("resources: [mpi.yaml]\n")
    (tmp_path / "kustomization.yaml").write_text("namespace: training\nresources: [inner, llm.yaml]\n")
    built = yaml.safe_dump_all(kustomize.build(tmp_path))
    status, _, errors = netplan("validate", MINIMAL, "--rendered", "-", input=built)
    assert (status, errors.count("error NP746")) == (1, 2)
