"""The stages below kubernetes/: each is accepted after the previous ones, and no object is in two stages."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan import resources
from netplan.model.operator_releases import shown
from netplan.model.stages import KINDS, STAGES, Removal, qualified
from netplan.pipeline import compile_texts
from tests import kustomize
from tests.inventories import SHIPPED, compiled, outputs, text_of
from tests.staged_cluster import late, refused, stages
from tests.test_release_matrix import EXPECTED, RELEASES, WITH_OPERATOR, compiled_for

WITHOUT_OBJECTS = {"eks-efa", "vsphere-pvrdma"}
"""Inventories without objects: pods are in namespace default, and devices are managed elsewhere."""

ACCEPTED = [(n, r) for n in WITH_OPERATOR for r in RELEASES if (n, r) not in EXPECTED]
"""(inventory, release) pairs in which the release has all required features."""


def release_of(name: str) -> str:
    fabric = compiled(name).fabric
    assert fabric is not None
    operator = fabric.cluster.network_operator
    return shown(operator.release) if operator is not None else "26.4"


@pytest.mark.crd
@pytest.mark.parametrize("name", SHIPPED)
def test_each_stage_is_accepted_with_the_crds_of_its_time(name: str):
    applied = stages(outputs(compiled(name)))
    assert bool(applied) == (name not in WITHOUT_OBJECTS)
    assert refused(applied, release_of(name)) == []


@pytest.mark.crd
@pytest.mark.sample(8)
@pytest.mark.parametrize(("name", "release"), ACCEPTED)
def test_each_stage_is_accepted_by_every_release(name: str, release: str):
    assert refused(stages(outputs(compiled_for(name, RELEASES[release]))), release) == []


@pytest.mark.crd
def test_in_one_apply_the_pools_are_refused():
    everything = [o for _, objects in stages(outputs(compiled("kitchen-sink"))) for o in objects]
    found = refused([("all", everything)], "26.4")
    assert {line.split()[1] for line in found} == {"IPPool", "NicConfigurationTemplate"}


@pytest.mark.crd
@pytest.mark.parametrize("kind", ["IPPool", "NicConfigurationTemplate"])
def test_an_object_one_stage_before_its_crd_is_refused(kind: str):
    applied = deepcopy(stages(outputs(compiled("kitchen-sink"))))
    home = next(objects for _, objects in applied if any(o["kind"] == kind for o in objects))
    moved = next(o for o in home if o["kind"] == kind)
    home.remove(moved)
    early = next(objects for folder, objects in applied if folder.endswith("20-operator"))
    early.append(moved)
    (found,) = refused(applied, "26.4")
    assert found.startswith(f"kubernetes/20-operator: {kind} no matches for kind")


@pytest.mark.crd
def test_an_object_without_its_namespace_is_refused():
    applied = deepcopy(stages(outputs(compiled("minimal"))))
    applied[0][1].clear()
    found = refused(applied, "26.4")
    assert found
    assert all("namespace training not found" in line for line in found)


@pytest.mark.crd
@pytest.mark.parametrize("release", RELEASES)
def test_the_table_knows_which_crds_the_operator_applies(release: str):
    brought = {f"{kind}.{group}" for group, kind in late(release)}
    marked = {key for key, placement in KINDS.items() if placement.late}
    assert brought & KINDS.keys() <= marked
    if release == "26.7":
        assert brought & KINDS.keys() == marked


def test_every_stage_has_a_kind_and_every_kind_a_schema():
    kinds = {path.name.split(".")[0] for path in (resources.schemas() / "kubernetes").glob("*.json")}
    assert {key.split(".")[0] for key in KINDS} <= kinds
    assert {placement.stage for placement in KINDS.values()} == set(STAGES)
    assert [stage.folder for stage in STAGES] == sorted(stage.folder for stage in STAGES)


def identity(body: dict[str, Any]) -> tuple[str, str, str, str]:
    metadata = body["metadata"]
    return body["apiVersion"], body["kind"], metadata.get("namespace", ""), metadata["name"]


def canonical(objects: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(o, sort_keys=True) for o in objects)


@pytest.mark.kustomize
@pytest.mark.parametrize("name", SHIPPED)
def test_the_stages_together_are_the_whole(name: str, tmp_path: Path):
    tree = outputs(compiled(name))
    for path, text in tree.items():
        if path.startswith("kubernetes/"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
    root = tmp_path / "kubernetes"
    written = [o for _, objects in stages(tree) for o in objects]
    apart = [
        o for stage in STAGES if (root / stage.folder).is_dir() for o in kustomize.build(root / stage.folder)
    ]
    assert canonical(apart) == canonical(kustomize.build(root)) == canonical(written)


SERVER_SIDE = {"creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"}


def dropped(value: Any, path: str = "$") -> list[str]:
    """Places that a server or kustomize would change: nulls, empty maps, server-side fields."""
    if isinstance(value, dict):
        own = [f"{path}.{key}" for key in value if key in SERVER_SIDE]
        return (
            own
            + [found for key, below in value.items() for found in dropped(below, f"{path}.{key}")]
            + ([path] if not value else [])
        )
    if isinstance(value, list):
        return [found for index, below in enumerate(value) for found in dropped(below, f"{path}[{index}]")]
    return [path] if value is None else []


@pytest.mark.parametrize("name", SHIPPED)
def test_a_second_apply_has_nothing_to_change(name: str):
    """As far as testable without a server: object names are unique, and every field is kept as written.
    Defaults filled in by a CRD have no owner and are not a change."""
    objects = [o for _, found in stages(outputs(compiled(name))) for o in found]
    assert [i for i, n in Counter(map(identity, objects)).items() if n > 1] == []
    assert [f for o in objects for f in dropped(o)] == []
    assert [identity(o) for o in objects if "status" in o] == []


LABELS = {"app.kubernetes.io/managed-by", "app.kubernetes.io/part-of"}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_object_says_who_wrote_it_for_which_site(name: str):
    tree = outputs(compiled(name))
    for _, objects in stages(tree):
        for o in objects:
            labels = o["metadata"].get("labels", {})
            own = {key: value for key, value in labels.items() if key in LABELS}
            wanted = {"app.kubernetes.io/managed-by": "netplan", "app.kubernetes.io/part-of": name}
            assert own == ({} if o["kind"] == "Namespace" else wanted)
    # a label in a pod template would restart the pods
    assert not [path for path, text in tree.items() if path.startswith("pods/") and "part-of" in text]


def test_the_longest_site_name_is_a_label():
    site = "s" * 63
    text = text_of("minimal").replace("site: minimal", f"site: {site}")
    result = compile_texts({"site.yaml": text})
    (_, (nad, *_)) = next(s for s in stages(outputs(result)) if s[0].endswith("networks"))
    assert nad["metadata"]["labels"]["app.kubernetes.io/part-of"] == site


OPTIONS = "argocd.argoproj.io/sync-options"
FLUX = "kustomize.toolkit.fluxcd.io/prune"


@pytest.mark.parametrize("name", SHIPPED)
def test_robots_remove_nothing_that_hurts_unasked(name: str):
    words = {Removal.ASK: "confirm", Removal.NEVER: "false"}
    for o in (o for _, objects in stages(outputs(compiled(name))) for o in objects):
        annotations = o["metadata"].get("annotations", {})
        placement = KINDS[qualified(o["apiVersion"], o["kind"])]
        word = words.get(placement.removal)
        options = set(annotations.get(OPTIONS, "").split(",")) - {""}
        late_option = {"SkipDryRunOnMissingResource=true"} if placement.late else set()
        assert options == ({f"Prune={word}", f"Delete={word}"} if word else set()) | late_option
        assert annotations.get(FLUX) == ("disabled" if word else None)


def test_what_drains_nodes_or_holds_addresses_is_asked_for():
    asked = {key.split(".")[0] for key, placement in KINDS.items() if placement.removal is Removal.ASK}
    assert asked == {
        "CIDRPool",
        "IPPool",
        "NicClusterPolicy",
        "SpiderIPPool",
        "SriovNetworkNodePolicy",
        "SriovNetworkPoolConfig",
    }


def test_a_page_names_each_stage_and_what_to_wait_for():
    page = outputs(compiled("kitchen-sink"))["kubernetes/README.md"]
    found = [line for line in page.splitlines() if line.startswith("| `kubectl apply --server-side -k ")]
    index = yaml.safe_load(outputs(compiled("kitchen-sink"))["kubernetes/kustomization.yaml"])
    assert [line.split()[5].rstrip("`") for line in found] == index["resources"]
    assert "kubectl wait nicclusterpolicy" in next(line for line in found if "20-operator" in line)
