"""``netplan import --into``: pods of the dumps against the workloads of an inventory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli_runs import netplan
from tests.dumped_site import listed
from tests.inventories import text_of
from tests.test_import_workloads import FILE, RAILS, cluster, container, pod


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("gpus: 8", "gpus: 8", ""),
        ("gpus: 8", "gpus: 4", "pods of train: gpus: training 4 or 8 (pods.yaml:9)"),
        ("namespace: training", "namespace: other", "workload train: 3 pods on rail, namespace training"),
        ("pods_per_node: 2", "pods_per_node: 1", "pods of train: pods_per_node: 1 (site.yaml:"),
    ],
)
def test_pods_are_compared_with_the_workloads_of_an_inventory(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of("minimal")
    text = text.replace("\n    networks: [rail]\n", "\n    networks: [rail]\n    pods_per_node: 2\n")
    assert text.count("pods_per_node: 2") == 1
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.yaml").write_text(text.replace("[training]", "[training, other]").replace(old, new))
    pods = [
        pod(f"t-{n}", owner=("Job", "train"), node=node)
        for n, node in enumerate(("gpu-01", "gpu-01", "gpu-02"))
    ]
    for name, dump in {**cluster(), FILE: listed(pods)}.items():
        (tmp_path / name).write_text(dump)
    _, out, err = netplan("import", *cluster(), FILE, "--into", "site.yaml", "-o", "new.yaml")
    told = [line for line in out.splitlines() if "pods of" in line or "workload" in line]
    assert (len(told), all(said in line for line in told)) == (bool(said), True), out + err
    assert (tmp_path / "new.yaml").is_file() == said.startswith("workload")


def into(folder: Path, *pods: dict[str, Any]) -> str:
    """What --into says of the pods beside an inventory with a workload of all rails and 8 GPUs."""
    text = text_of("minimal").replace("cluster:\n", 'cluster:\n  kubernetes_version: "1.32"\n', 1)
    (folder / "site.yaml").write_text(text)
    for name, dump in {**cluster(), FILE: listed(list(pods))}.items():
        (folder / name).write_text(dump)
    return netplan("import", *cluster(), FILE, "--into", "site.yaml")[1]


DEVICES: dict[str, Any] = {"intel.com/rail_0": "1", "intel.com/rail_1": "1"}


@pytest.mark.parametrize(
    ("pods", "said"),
    [
        ([pod("t", "rail-0-leaf-1")], "pods of t: its pods are on rails 0 of network rail, which has 2"),
        ([pod("t", f"{RAILS}, {RAILS}")], "pods of t: its pods are on network rail more than once"),
        ([pod("t", ""), pod("u", "", containers=[container()])], ""),
        (
            [pod("t"), pod("u", containers=[container(gpus=2)])],
            "  workload u: 1 pod on rail, namespace training (pods.yaml:",
        ),
    ],
)
def test_pods_that_no_workload_is_for_are_differences(
    pods: list[dict[str, Any]], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = into(tmp_path, *pods)
    assert said in out
    assert ("pods of" in out or "workload" in out) == bool(said)


def test_devices_without_networks_are_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = into(tmp_path, pod("t", "", containers=[container(**DEVICES)]))
    assert "pods of t: its pods take rail_0, rail_1 without a network of it (pods.yaml:" in out


def test_pods_that_contradict_each_other_do_not_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    job = ("Job", "t")
    other = pod("t-1", owner=job, node="gpu-02", containers=[container(gpus=4)])
    out = into(tmp_path, pod("t-0", owner=job), other)
    assert out.startswith("where the dumps agree with each other, they match site.yaml")
