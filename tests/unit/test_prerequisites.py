"""Prerequisites, the order of charts, and the Pod Security level of each namespace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from netplan import resources
from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.model.overview import Overview, Prerequisite
from netplan.pipeline import Result, compile_texts
from netplan.plan.primary_networks import CNIS
from tests.factories import merged
from tests.inventories import SHIPPED, compiled, outputs
from tests.overlay import CHECKS

BASELINE = {
    *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"),
    *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
}
"""Copied by hand from kubernetes/pod-security-admission policy/check_capabilities_baseline.go."""

GPU_OPERATOR = {"gpu_operator": {"namespace": "gpu-operator"}}
DRANET = """
cluster: {kubernetes_version: "1.34", owners: {device_plugin: dranet, vfs: none}}
host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
hosts:
  gpu-[1-2]: null
  gpu-1: {type: gpu, id: 1, hcas: {roce0: {address: 172.16.0.11/24}, roce1: {address: 172.16.5.11/24}}}
  gpu-2: {type: gpu, id: 2, hcas: {roce0: {address: 172.16.0.12/24}, roce1: {address: 172.16.5.12/24}}}
networks: {rail: {mode: host-device, ipam: none, routing: claim}}
"""

SPIDER = """
cluster: {spiderpool: {release: "1.0"}}
networks: {rail: {ipam: spiderpool, routing: spiderpool}}
"""


def built(base: str, over: Any) -> Result:
    """A base inventory of the checks with an overlay; it must have no errors."""
    path = CHECKS / ("base.yaml" if base == "base" else f"bases/{base}.yaml")
    given = load_texts({"over.yaml": over}).data if isinstance(over, str) else over
    data = merged(load_texts({"base.yaml": path.read_text()}).data, given or {})
    result = compile_texts({"case.yaml": json.dumps(data)})
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return result


def overview(base: str, over: Any) -> Overview:
    plan = built(base, over).plan
    assert plan is not None
    return plan.overview


def cluster(base: str = "base", **keys: Any) -> dict[str | None, Prerequisite]:
    """Program, or None -> prerequisite."""
    return {p.program: p for p in overview(base, {"cluster": keys}).prerequisites}


def of_the_cni(**keys: Any) -> Prerequisite:
    return next(p for p in overview("base", {"cluster": keys}).prerequisites if "beside" in p.name)


@pytest.mark.parametrize(
    ("nfd", "charts"),
    [
        ("network-operator", ["nvidia/network-operator", "nvidia/gpu-operator"]),
        ("gpu-operator", ["nvidia/gpu-operator", "nvidia/network-operator"]),
        ("cluster", ["nvidia/network-operator", "nvidia/gpu-operator"]),
    ],
)
def test_the_chart_that_brings_nfd_comes_first(nfd: str, charts: list[str]) -> None:
    """The network-operator chart creates a NodeFeatureRule even if nfd.enabled is false."""
    found = overview("operator", {"cluster": {"nfd": nfd, **GPU_OPERATOR}})
    first, second = found.charts
    assert [first.chart, second.chart] == charts
    assert first.after == ()
    assert second.after == (() if nfd == "cluster" else (first.chart,))
    by_cluster = nfd == "cluster"
    assert [c.needs for c in found.charts] == [("nfd",) if by_cluster else ()] * 2
    assert any(p.program == "nfd" for p in found.prerequisites) is by_cluster


def test_the_page_lists_charts_in_that_order() -> None:
    over = {"cluster": {"nfd": "gpu-operator", **GPU_OPERATOR}}
    page = outputs(built("operator", over))["kubernetes/README.md"]
    assert page.index("| `nvidia/gpu-operator` |") < page.index("| `nvidia/network-operator` |")


def test_webhooks_wait_for_cert_manager() -> None:
    keys: dict[str, Any] = {"network_operator": {"admission_webhooks": True}, "present": ["cert-manager"]}
    found = overview("operator", {"cluster": keys})
    assert found.charts[0].needs == ("cert-manager",)
    (entry,) = [p for p in found.prerequisites if p.program == "cert-manager"]
    assert entry.stated


def test_what_is_stated_is_marked() -> None:
    page = outputs(built("base", {"cluster": {"present": ["multus"]}}))["kubernetes/README.md"]
    assert "| Multus (stated) |" in page
    assert "| sriov-cni |" in page


def schema_of(*path: str) -> Any:
    found = json.loads((resources.schemas() / "inventory.schema.json").read_text())
    for key in path:
        found = found["properties"][key]
    return found


def test_every_primary_cni_has_its_row() -> None:
    names = schema_of("cluster", "primary_network", "cni")["enum"]
    assert set(CNIS) == set(names)
    assert [n for n in names if not CNIS[n].source] == []


@pytest.mark.parametrize(
    ("distribution", "version", "expected", "absent"),
    [
        ("kubernetes", "1.33", "`cni.exclusive: false`", "rke2"),
        ("rke2", "1.30", "HelmChartConfig `rke2-cilium`", "from v"),
        ("rke2", "1.33", "from v1.33.6 (+rke2r1)", "v1.34.2"),
        ("rke2", None, "from v1.31.14, v1.32.10, v1.33.6, v1.34.2 (+rke2r1)", "nothing"),
        ("rke2", "1.35", "nothing to set", "exclusive"),
    ],
)
def test_cilium_must_leave_multus_alone(
    distribution: str, version: str | None, expected: str, absent: str
) -> None:
    keys = {"distribution": distribution, "primary_network": {"cni": "cilium"}}
    if version is not None:
        keys["kubernetes_version"] = version
    settings = of_the_cni(**keys).settings
    assert expected in settings
    assert absent not in settings.partition(" (rancher")[0]


def test_calico_needs_nothing() -> None:
    assert of_the_cni().settings.startswith("nothing to set")


def test_k3s_has_its_own_cni_directories() -> None:
    assert "/var/lib/rancher/k3s/agent/etc/cni/net.d" in cluster(distribution="k3s")["multus"].settings


def test_dranet_needs_no_multus() -> None:
    found = {p.program for p in overview("base", DRANET).prerequisites}
    assert "dranet" in found
    assert "multus" not in found
    assert [p for p in overview("base", DRANET).prerequisites if "beside" in p.name] == []


def test_kueue_is_told_the_resources_of_the_rails() -> None:
    settings = cluster(gang_scheduler="kueue")["kueue"].settings
    assert "covers `nvidia.com/gpu`, `intel.com/rail_0`, `intel.com/rail_1`" in settings
    assert "excludeResourcePrefixes: [intel.com/rail_0, intel.com/rail_1]" in settings


def _every_program() -> Iterator[str | None]:
    webhooks: dict[str, Any] = {"network_operator": {"admission_webhooks": True}, "nfd": "cluster"}
    sites: list[tuple[str, Any]] = [
        ("base", {"cluster": {"rdma_mode": "exclusive"}, "workloads": {"train": {"jobs": ["mpijob"]}}}),
        ("base", "networks: {rail: {ipam: whereabouts}}"),
        ("base", SPIDER),
        ("base", DRANET),
        ("base", 'cluster: {kubernetes_version: "1.34", owners: {device_plugin: dra-driver-sriov}}'),
        ("shared", "cluster: {owners: {device_plugin: manual}}"),
        ("infiniband", "cluster: {owners: {device_plugin: manual, vfs: host}, sriov_operator: null}"),
        ("infiniband", {}),
        ("operator", {"cluster": {**webhooks, "present": ["cert-manager"]}}),
        ("base", {"workloads": {"train": {"jobs": ["jobset", "leaderworkerset"], "nodes": 2}}}),
        *(("base", {"cluster": {"gang_scheduler": g}}) for g in ("volcano", "kueue", "coscheduling")),
    ]
    for base, over in sites:
        yield from (p.program for p in overview(base, over).prerequisites)


JOBS = {"jobs": ["jobset", "leaderworkerset", "volcano-job"], "nodes": 2}


def test_each_kind_of_job_needs_its_controller() -> None:
    found = {p.program: p for p in overview("base", {"workloads": {"train": JOBS}}).prerequisites}
    assert {"jobset", "lws", "volcano"} <= set(found)
    assert found["lws"].why == "the test job of train is a LeaderWorkerSet"
    assert "jobset" not in cluster()
    stated = {"cluster": {"present": ["jobset", "lws"]}, "workloads": {"train": JOBS}}
    assert [p.program for p in overview("base", stated).prerequisites if p.stated] == ["jobset", "lws"]


def test_kueue_is_needed_beside_another_gang_scheduler() -> None:
    plan = compiled("kitchen-sink").plan
    assert plan is not None
    programs = [p.program for p in plan.overview.prerequisites]
    assert programs.count("kueue") == 1
    assert programs.count("volcano") == 1


def test_objects_that_pods_name_are_listed() -> None:
    plan = compiled("kitchen-sink").plan
    assert plan is not None
    named = [p.name for p in plan.overview.prerequisites if p.why == "pods of training name it"]
    assert named == [
        "the PriorityClass `training`",
        "the ServiceAccount `trainer` in namespace training",
        "the Secret `registry` in namespace training",
    ], "the RuntimeClass nvidia is the GPU Operator's"
    alone = overview("base", {"workloads": {"train": {"runtime_class": "nvidia"}}}).prerequisites
    assert "the RuntimeClass `nvidia`" in [p.name for p in alone]


def test_openshift_nodes_take_the_files_by_machine_config() -> None:
    def said(**cluster: Any) -> str:
        over = {"cluster": {"distribution": "openshift", **cluster}}
        return next(follows for what, _, follows in overview("base", over).facts if what == "distribution")

    assert "`host_delivery.butane: openshift`" in said()
    assert "delivery/butane/" in said(host_delivery={"butane": "openshift"})


def test_each_program_that_can_be_stated_is_one_that_a_site_may_need() -> None:
    named = set(schema_of("cluster", "present")["items"]["enum"])
    assert named == {p for p in _every_program() if p is not None}


@pytest.mark.parametrize(
    ("distribution", "expected"),
    [
        ("kubernetes", ["containerd.service.d/10-rdma-memlock.conf", "/etc/crio/crio.conf.d"]),
        ("k3s", ["k3s-agent.service.d/10-rdma-memlock.conf"]),
        ("openshift", ["MachineConfig", '`default_ulimits = ["memlock=-1:-1"]`']),
    ],
)
def test_a_runtime_without_limit_is_a_prerequisite(distribution: str, expected: list[str]) -> None:
    over = {"cluster": {"memlock": "runtime", "distribution": distribution}}
    found = overview("base", over).prerequisites
    (entry,) = [p for p in found if "memlock" in p.name]
    assert [text for text in expected if text not in entry.settings] == []


@pytest.mark.parametrize(
    ("over", "level", "why", "by_memlock"),
    [
        ({}, "privileged", "the container adds IPC_LOCK", True),
        ({"cluster": {"memlock": "runtime"}}, "baseline", "restricted also requires runAsNonRoot", False),
        ({"networks": {"rail": {"routing": "script"}}}, "privileged", "init container adds NET_ADMIN", False),
        ({"workloads": {"train": {"privileged": True}}}, "privileged", "runs privileged", False),
    ],
)
def test_a_namespace_needs_what_its_pods_have(
    over: dict[str, Any], level: str, why: str, by_memlock: bool
) -> None:
    (row,) = overview("base", over).security
    assert (row.namespace, row.level, row.by_memlock) == ("training", level, by_memlock)
    assert why in row.why


def _pods(tree: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Namespace and spec of every pod and pod template below pods/."""
    for path, text in tree.items():
        if path.startswith("pods/") and path.endswith(".yaml") and "/patches/" not in path:
            for one in yaml.safe_load_all(text):
                if isinstance(one, dict) and "kind" in one:
                    yield from _specs(one, one.get("metadata", {}).get("namespace"))


def _specs(value: Any, namespace: str | None) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("containers"), list):
            yield {"namespace": namespace, **value}
        for below in value.values():
            yield from _specs(below, namespace)
    elif isinstance(value, list):
        for below in value:
            yield from _specs(below, namespace)


def _refused_under_baseline(spec: dict[str, Any]) -> bool:
    contexts = [c.get("securityContext", {}) for c in (*spec["containers"], *spec.get("initContainers", ()))]
    added = {c for s in contexts for c in s.get("capabilities", {}).get("add", ())}
    mounted = any("hostPath" in v for v in spec.get("volumes", ()))
    return mounted or bool(added - BASELINE) or any(s.get("privileged") for s in contexts)


@pytest.mark.parametrize("name", SHIPPED)
def test_levels_are_those_that_the_rendered_pods_need(name: str) -> None:
    result = compiled(name)
    assert result.plan is not None
    stated = {row.namespace: row.level for row in result.plan.overview.security}
    refused: dict[str, bool] = {}
    for spec in _pods(outputs(result)):
        namespace = spec["namespace"]
        refused[namespace] = refused.get(namespace, False) or _refused_under_baseline(spec)
    assert refused
    assert {n: "privileged" if on else "baseline" for n, on in refused.items()} == {
        n: stated[n] for n in refused
    }
