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
TWICE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  key: a\n  key: b\n"
TEXTS = [(BROKEN, "NP001"), (TWICE, "NP002"), (yaml.safe_dump(NO_TEXT), "NP752")]
POD = yaml.safe_dump(pod("p"))


def told(folder: Path, *options: str, **texts: str) -> set[tuple[str, str]]:
    """Code and severity of each finding; a name's last ``_`` stands for the dot."""
    for name, text in texts.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text)
    _, out, _ = netplan("validate", *options, "--format", "json", "--rendered", str(folder))
    return {(each["code"], each["severity"]) for each in json.loads(out)["diagnostics"]}


@pytest.mark.parametrize(("broken", "code"), TEXTS, ids=["text", "key", "object"])
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
@pytest.mark.parametrize(("broken", "code"), TEXTS, ids=["text", "key", "object"])
def test_what_is_wrong_with_what_is_about_networks_is_an_error(
    more: str, broken: str, code: str, tmp_path: Path
) -> None:
    text = broken.replace("data:\n", f"data:\n  {more}\n")
    assert (code, "error") in told(tmp_path, a_yaml=text, pod_yaml=POD)


@pytest.mark.parametrize(
    ("word", "severity"), [("process", "info"), ("groceries", "info"), ("jf_roce", "error")]
)
def test_a_word_inside_another_is_none(word: str, severity: str, tmp_path: Path) -> None:
    assert (told(tmp_path, a_yaml=f"# {word}\n{TWICE}", pod_yaml=POD)) >= {("NP002", severity)}


def test_a_kustomization_is_meant(tmp_path: Path) -> None:
    assert ("NP001", "error") in told(tmp_path, kustomization_yaml="resources: [a: b: c]\n", pod_yaml=POD)


@pytest.mark.parametrize(("broken", "code"), TEXTS, ids=["text", "key", "object"])
def test_a_file_by_itself_is_meant(broken: str, code: str, tmp_path: Path) -> None:
    assert told(tmp_path, a_yaml=broken) == {(code, "info")}
    assert told(tmp_path / "a.yaml") == {(code, "error")}
    _, out, _ = netplan("validate", "--format", "json", "--rendered", "-", input=f"{broken}---\n{POD}")
    assert [each["severity"] for each in json.loads(out)["diagnostics"]][:1] == ["error"]


@pytest.mark.parametrize(("broken", "code"), TEXTS, ids=["text", "key", "object"])
def test_beside_an_inventory_every_object_is_judged(broken: str, code: str, tmp_path: Path) -> None:
    site = str(Path(__file__).parents[2] / "inventories" / "minimal.yaml")
    assert (code, "error") in told(tmp_path, site, a_yaml=broken, pod_yaml=POD)


def test_two_objects_without_a_separator_are_one_finding(tmp_path: Path) -> None:
    """Three of them are two; a key that only one of them repeats is told of itself."""
    (tmp_path / "a.yaml").write_text(POD * 3 + "metadata: {}\n")
    _, out, _ = netplan("validate", "--format", "json", "--rendered", str(tmp_path / "a.yaml"))
    found = [each["message"] for each in json.loads(out)["diagnostics"] if each["code"] == "NP002"]
    second = (
        "a second object begins here without --- before it: apiVersion, kind, metadata, spec appear twice"
    )
    assert found[:2] == [second] * 2
    assert [text.partition(",")[0] for text in found[2:]] == ["key metadata appears twice"]
