"""GPU slices and shared GPUs in an inventory: the rendered objects match netplan's own schemas."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.pipeline import run
from tests.test_guard import INVENTORIES


@pytest.mark.parametrize("resource", ["nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb"])
def test_every_name_that_the_schema_takes_can_be_rendered(resource: str, tmp_path: Path) -> None:
    data = yaml.safe_load((INVENTORIES / "kitchen-sink.yaml").read_text())
    for kind in data["host_types"].values():
        if kind.get("gpus"):
            kind["gpu_resource"] = resource
    inventory = tmp_path / "site.yaml"
    inventory.write_text(yaml.safe_dump(data, sort_keys=False))
    result = run([str(inventory)])
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []
    job = next(a.text for a in result.artifacts if a.path == "pods/training/indexed-job.yaml")
    assert f"{resource}: '4'" in job
