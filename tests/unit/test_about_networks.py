"""What is wrong in a directory of others with what has nothing to do with networks is only a note."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli_runs import netplan
from tests.unit.test_edges_asked import pod

BROKEN = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  key: a: b\n"
NO_TEXT = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"key": {"a": "b"}}}
POD = yaml.safe_dump(pod("p"))


def told(folder: Path, *options: str, **texts: str) -> set[tuple[str, str]]:
    """Code and severity of each finding; a name's last ``_`` stands for the dot."""
    for name, text in texts.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text)
    _, out, _ = netplan("validate", *options, "--format", "json", "--rendered", str(folder))
    return {(each["code"], each["severity"]) for each in json.loads(out)["diagnostics"]}


@pytest.mark.parametrize(
    ("broken", "code"), [(BROKEN, "NP001"), (yaml.safe_dump(NO_TEXT), "NP752")], ids=["text", "object"]
)
def test_what_is_wrong_with_what_is_about_no_networks_is_a_note(
    broken: str, code: str, tmp_path: Path
) -> None:
    """A directory of others may hold templates and fixtures; a kustomization says what is applied."""
    assert told(tmp_path, a_yaml=broken, pod_yaml=POD) >= {(code, "info")}
    listed = "resources: [a.yaml, pod.yaml]\n"
    assert told(tmp_path, kustomization_yaml=listed) >= {(code, "error")}


@pytest.mark.parametrize(
    "more", ["k8s.v1.cni.cncf.io/networks: rail", "rdma/rail0: 1", "NCCL_IB_HCA: mlx5", "sriov: true"]
)
@pytest.mark.parametrize(("broken", "code"), [(BROKEN, "NP001"), (yaml.safe_dump(NO_TEXT), "NP752")])
def test_what_is_wrong_with_what_is_about_networks_is_an_error(
    more: str, broken: str, code: str, tmp_path: Path
) -> None:
    text = broken.replace("data:\n", f"data:\n  {more}\n")
    assert (code, "error") in told(tmp_path, a_yaml=text, pod_yaml=POD)


def test_a_kustomization_is_meant(tmp_path: Path) -> None:
    assert ("NP001", "error") in told(tmp_path, kustomization_yaml="resources: [a: b: c]\n", pod_yaml=POD)


def test_a_file_by_itself_is_meant(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    _, out, _ = netplan("validate", "--format", "json", "--rendered", str(tmp_path / "a.yaml"))
    assert [each["severity"] for each in json.loads(out)["diagnostics"]] == ["error"]
    _, out, _ = netplan("validate", "--format", "json", "--rendered", "-", input=f"{BROKEN}---\n{POD}")
    assert [each["severity"] for each in json.loads(out)["diagnostics"]][:1] == ["error"]


def test_beside_an_inventory_every_object_is_judged(tmp_path: Path) -> None:
    site = str(Path(__file__).parents[2] / "inventories" / "minimal.yaml")
    assert ("NP752", "error") in told(tmp_path, site, a_yaml=yaml.safe_dump(NO_TEXT), pod_yaml=POD)
