"""``netplan import``: GPU resources that count parts of GPUs or replicas that pods share."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import listed
from tests.test_import import refused, todo_lines
from tests.test_import_workloads import FILE, cluster, container, pod, workloads

REPLICAS = {"nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.count": "8"}


def imported(capacity: dict[str, str], labels: dict[str, str] | None = None, asked: str = "") -> Imported:
    """Two hosts; ``asked``: a resource of which a pod asks for one."""
    texts = dict(cluster())
    name = next(name for name, text in texts.items() if "nvidia.com/gpu" in text)
    whole = yaml.safe_load(texts[name])
    for node in (each for each in whole["items"] if each["kind"] == "Node"):
        node["status"]["capacity"].pop("nvidia.com/gpu", None)
        node["status"]["capacity"] |= capacity
        node["metadata"]["labels"] |= labels or {}
    texts[name] = yaml.safe_dump(whole)
    one = container(0, **({asked: "1"} if asked else {}))
    return import_texts({**texts, FILE: listed([pod("a", owner=("Job", "j"), containers=[one])])}, "site")


def kind_of(result: Imported) -> Any:
    (found,) = yaml.safe_load(result.text)["host_types"].values()
    return found


def gpus_line(result: Imported) -> str:
    return next(text.strip() for text in result.text.splitlines() if text.startswith("    gpus:"))


@pytest.mark.parametrize("resource", ["nvidia.com/gpu.shared", "nvidia.com/gpu"])
def test_replicas_are_told(resource: str) -> None:
    """With and without ``renameByDefault``."""
    result = imported({resource: "32"}, REPLICAS, resource)
    found = kind_of(result)
    assert (found["gpus"], found.get("gpu_resource", "nvidia.com/gpu")) == (32, resource)
    assert "; 4 pods share each of 8 (replicas, nodes.yaml:" in gpus_line(result)
    assert workloads(result)["j"]["gpus"] == 1


def test_parts_of_gpus_are_counted_and_those_that_are_shared_said_so() -> None:
    parts = imported({"nvidia.com/mig-1g.5gb": "56"}, REPLICAS, "nvidia.com/mig-1g.5gb")
    found = kind_of(parts)
    assert (found["gpus"], found["gpu_resource"]) == (56, "nvidia.com/mig-1g.5gb")
    assert "share" not in gpus_line(parts)
    assert "; pods share them" in gpus_line(imported({"nvidia.com/mig-1g.5gb.shared": "28"}))


def test_more_than_an_inventory_can_have_are_asked() -> None:
    """They were left out, and the pods' question said that the hosts have none."""
    result = imported({"nvidia.com/gpu.shared": "80"}, REPLICAS, "nvidia.com/gpu.shared")
    found = kind_of(result)
    assert (found["gpus"], found["gpu_resource"]) == ("TODO", "nvidia.com/gpu.shared")
    assert "an inventory cannot express this: 80 of nvidia.com/gpu.shared on a node" in gpus_line(result)
    assert workloads(result)["j"]["gpus"] == 1
    assert set(todo_lines(result.text)) <= refused(result.text)
