"""GPUs by vendor: the resource that pods request, and the variables that their library reads."""

from __future__ import annotations

import re

import pytest
import yaml

from netplan.catalog import gpu_vendor, gpu_vendors, is_gpu
from netplan.model.inventory_schema import inventory_schema
from tests.pod_site import pods, rendered

KEY = inventory_schema()["properties"]["host_types"]["additionalProperties"]["properties"]["gpu_resource"]


def of(resource: str, more: str = "") -> str:
    return f"host_types: {{gpu: {{gpu_resource: {resource}}}}}\n{more}"


@pytest.mark.parametrize(
    ("resource", "vendor"),
    [
        ("nvidia.com/gpu", "nvidia"),
        ("nvidia.com/gpu.shared", "nvidia"),
        ("nvidia.com/mig-1g.5gb", "nvidia"),
        ("nvidia.com/mig-3g.20gb.me", "nvidia"),
        ("amd.com/gpu", "amd"),
        ("habana.ai/gaudi", "gaudi"),
        ("gpu.intel.com/i915", "intel"),
        ("gpu.intel.com/xe", "intel"),
    ],
)
def test_pods_ask_for_the_resource_of_the_host_type(resource: str, vendor: str) -> None:
    assert gpu_vendor(resource).name == vendor
    assert pods(of(resource)).limits[0] == (resource, "4")
    pod = yaml.safe_load(rendered(of(resource))["pod.yaml"])
    limits = pod["spec"]["containers"][0]["resources"]["limits"]
    assert [name for name in limits if is_gpu(name)] == [resource]


@pytest.mark.parametrize(
    "resource", ["nvidia.com/rail_0", "nvidia.com/gpu0", "amd.com/nic", "xgpu.intel.com/xe"]
)
def test_other_resources_are_no_gpus(resource: str) -> None:
    assert not is_gpu(resource)
    assert not re.search(KEY["pattern"], resource)


def test_the_schema_takes_what_the_catalog_has() -> None:
    assert KEY["pattern"] == f"^({'|'.join(vendor.resources for vendor in gpu_vendors())})$"
    assert is_gpu(KEY["default"])


def test_every_vendor_has_sources() -> None:
    assert all(vendor.sources for vendor in gpu_vendors())


def test_rccl_reads_the_variables_of_nccl() -> None:
    assert pods(of("amd.com/gpu")).env == pods().env


@pytest.mark.parametrize(
    ("resource", "set_", "left_out"),
    [
        ("habana.ai/gaudi", {"RDMAV_FORK_SAFE", "MLX5_SCATTER_TO_CQE"}, {"NCCL_*", "HCCL_OVER_OFI"}),
        ("gpu.intel.com/xe", set(), {"NCCL_*", "CCL_ATL_TRANSPORT", "FI_PROVIDER"}),
    ],
)
def test_other_libraries_get_no_variables_of_nccl(resource: str, set_: set[str], left_out: set[str]) -> None:
    plan = pods(of(resource))
    names = {e.name for e in plan.env}
    assert not [name for name in names if name.startswith("NCCL_")]
    assert names == {e.name for e in pods().env if not e.name.startswith("NCCL_")} | set_
    assert left_out <= {o.name for o in plan.omitted}
    assert not [o for o in plan.omitted if o.name.startswith("NCCL_") and o.name != "NCCL_*"]
    assert all("NCCL" not in word for job in plan.jobs for word in (*job.command, *dict(job.env)))


@pytest.mark.parametrize(
    ("resource", "off"),
    [
        ("amd.com/gpu", {"NCCL_IB_DISABLE": "1"}),
        ("habana.ai/gaudi", {"HCCL_OVER_OFI": "1", "FI_PROVIDER": "tcp"}),
        ("gpu.intel.com/i915", {"FI_PROVIDER": "tcp"}),
    ],
)
def test_the_tcp_job_of_each_library(resource: str, off: dict[str, str]) -> None:
    first, second = pods(of(resource, "workloads: {job: {test: {tcp_fallback: true}}}")).jobs
    assert dict(set(second.env) - set(first.env)) == off
