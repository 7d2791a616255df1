from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import kustomize

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a", "annotations": {"keep": "1"}},
    "spec": {"containers": [{"name": "a", "image": "b"}]},
}


@pytest.mark.kustomize
def test_build_returns_the_objects(tmp_path: Path):
    (tmp_path / "kustomization.yaml").write_text("resources: [a.yaml]\nnamespace: training\n")
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert kustomize.build(tmp_path) == [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "training"}}
    ]


@pytest.mark.kustomize
def test_build_fails_with_the_words_of_kustomize(tmp_path: Path):
    (tmp_path / "kustomization.yaml").write_text("resources: [nowhere.yaml]\n")
    with pytest.raises(AssertionError, match=r"nowhere\.yaml"):
        kustomize.build(tmp_path)


@pytest.mark.kustomize
def test_json6902_adds_and_keeps():
    patches: list[dict[str, Any]] = [
        {"op": "add", "path": "/metadata/annotations/k8s.v1.cni.cncf.io~1networks", "value": "rail0"},
        {"op": "add", "path": "/spec/containers/0/resources", "value": {"limits": {"nvidia.com/rail0": "1"}}},
    ]
    assert kustomize.apply_json6902(patches, POD) == {
        **POD,
        "metadata": {"name": "a", "annotations": {"keep": "1", "k8s.v1.cni.cncf.io/networks": "rail0"}},
        "spec": {
            "containers": [
                {"name": "a", "image": "b", "resources": {"limits": {"nvidia.com/rail0": "1"}}},
            ]
        },
    }


@pytest.mark.kustomize
def test_json6902_on_a_path_that_is_not_there_fails():
    with pytest.raises(AssertionError, match="add operation does not apply"):
        kustomize.apply_json6902([{"op": "add", "path": "/spec/no/such", "value": 1}], POD)


@pytest.fixture
def kubectl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A separate PATH, into which the test writes a fake kubectl."""
    monkeypatch.setenv("PATH", str(tmp_path))
    _forget()
    yield tmp_path / "kubectl"
    _forget()


def _forget() -> None:
    for cached in (kustomize.missing, kustomize._command, kustomize._kubectl_version):
        cached.cache_clear()


def test_neither_binary(kubectl: Path):
    assert (kustomize.present(), kustomize.missing()) == (
        False,
        "neither kubectl (>= 1.27) nor kustomize is on the PATH",
    )


def test_kubectl_too_old(kubectl: Path):
    kubectl.write_text('#!/bin/sh\necho \'{"clientVersion": {"gitVersion": "v1.26.15+k3s1"}}\'\n')
    kubectl.chmod(0o755)
    assert (kustomize.present(), kustomize.missing()) == (
        True,
        "kubectl 1.26 is older than 1.27 and kustomize is not on the PATH",
    )


def test_kustomize_alone_will_do(kubectl: Path, monkeypatch: pytest.MonkeyPatch):
    binary = kubectl.with_name("kustomize")
    binary.write_text('#!/bin/sh\necho "kind: $1"\n')
    binary.chmod(0o755)
    assert kustomize.missing() is None
    assert kustomize.build(kubectl.parent) == [{"kind": "build"}]
    assert subprocess.run([binary, "x"], capture_output=True, check=True).stdout == b"kind: x\n"
