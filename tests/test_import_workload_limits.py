"""What validate would refuse of pods as they run is a question at the workload."""

from __future__ import annotations

import pytest

from tests.test_import_storage import OWN, site
from tests.test_import_workloads import comment_of, container, imported, pod, workloads


def test_more_gpus_on_a_node_than_it_has_are_asked() -> None:
    """Two dumps of two times, or GPUs that pods share."""
    result = imported(pod("a-0", owner=("Job", "a")), pod("a-1", owner=("Job", "a")))
    assert workloads(result)["a"]["pods_per_node"] == "TODO"
    assert "2 pods of 8 GPUs on one node, and a host type has 8 (NP603)" in comment_of(
        result, "pods_per_node"
    )


@pytest.mark.parametrize(("limits", "asked"), [({}, True), ({"cpu": "8"}, False), ({"cpu": "8m"}, False)])
def test_huge_pages_without_cpu_or_memory_are_asked(limits: dict[str, str], asked: bool) -> None:
    pages = {"hugepages-2Mi": "2Gi", **limits}
    result = imported(pod("a", containers=[container(8, **pages)]))
    assert (workloads(result)["a"].get("memory_mib") == "TODO") == asked
    assert ("NP615" in result.text) == asked


@pytest.mark.parametrize("kind", OWN)
def test_rdma_devices_beside_those_of_the_rails_are_asked(kind: str) -> None:
    """Nothing in the dumps says by which names NCCL and UCX find the rails."""
    objects, _ = OWN[kind]
    rails = "rail-0, rail-1"
    result = site(*objects, pod("a", f"{rails}, storage", "gpu-1", namespace="ml"))
    assert workloads(result)["a"]["env"] == "TODO"
    assert "pods see RDMA devices of storage beside the rails (NP656)" in comment_of(result, "env")
    assert "env" not in workloads(site(*objects, pod("a", rails, "gpu-1", namespace="ml")))["a"]
