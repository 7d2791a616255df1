"""Numbers and booleans where texts are meant: a folder is judged as what kustomize builds of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from netplan.rendered import check_texts
from tests import kustomize

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a", "annotations": {"x": True, "y": 3}, "labels": {"l": False}},
    "spec": {
        "nodeSelector": {"n": 1},
        "containers": [{"name": "a", "image": "b", "env": [{"name": "X", "value": 1}]}],
    },
}
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "a", "annotations": {"z": 7}},
    "spec": {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {
            "metadata": {"annotations": {"x": True}, "labels": {"a": "b"}},
            "spec": {"containers": [{"name": "a", "image": "b"}]},
        },
    },
}
OBJECTS = yaml.safe_dump_all([POD, DEPLOYMENT])


def found(texts: dict[str, str]) -> list[tuple[str, str, str]]:
    return sorted(
        (d.code, ".".join(map(str, d.path)), d.message)
        for d in check_texts(texts).diagnostics
        if d.code in ("NP752", "NP797")
    )


@pytest.mark.kustomize
def test_a_folder_is_judged_as_what_is_built_of_it(tmp_path: Path) -> None:
    index = {"resources": ["objects.yaml"]}
    (tmp_path / "objects.yaml").write_text(OBJECTS)
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(index))
    built = yaml.safe_dump_all(kustomize.build(tmp_path))
    folder = {"objects.yaml": OBJECTS, "kustomization.yaml": yaml.safe_dump(index)}
    assert found(folder) == found({"-": built})
    assert [place for _, place, _ in found(folder)] == [
        "metadata.labels.l",
        "spec.containers.0.env.0.value",
        "spec.nodeSelector.n",
        "spec.template.metadata.annotations.x",
    ]


def test_without_a_kustomization_annotations_are_judged() -> None:
    alone = [place for code, place, _ in found({"objects.yaml": OBJECTS}) if "annotations" in place]
    assert alone == [
        "metadata.annotations.x",
        "metadata.annotations.y",
        "metadata.annotations.z",
        "spec.template.metadata.annotations.x",
    ]
