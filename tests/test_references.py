"""The shipped inventories end to end: golden trees, real schemas, real tools."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.model.stages import GITOPS, folder_of
from netplan.pipeline import Result
from netplan.show import PLAN, as_data, find
from tests import kustomize
from tests.crd import validate_object
from tests.golden_tree import condensed
from tests.inventories import FOLDER, REFERENCES, SHIPPED, compiled, outputs
from tests.sonic_yang import merged, yanglint

inventory = pytest.mark.parametrize("name", SHIPPED)


def objects_of(result: Result) -> list[tuple[str, dict[str, Any]]]:
    """Every Kubernetes object of an output tree with the path of its file."""
    found = []
    for artifact in result.artifacts:
        manifest = artifact.path.startswith("kubernetes/") or artifact.path.endswith(
            (
                "pod.yaml",
                "-test.yaml",
                "-test-tcp.yaml",
                "mpijob.yaml",
                "indexed-job.yaml",
                "statefulset.yaml",
            )
        )
        other = "/rails/" in artifact.path or artifact.path.endswith(("values.yaml", "kustomization.yaml"))
        if artifact.path.endswith(".yaml") and manifest and not other:
            found += [(artifact.path, o) for o in yaml.safe_load_all(artifact.text)]
    return found


@inventory
def test_nothing_fails_even_under_strict(name):
    found = [d for d in compiled(name).diagnostics if d.severity >= Severity.WARNING]
    assert found == []


@inventory
def test_artifacts_are_golden(name, golden_tree):
    golden_tree(name, condensed(name, outputs(compiled(name))))


@pytest.mark.parametrize("name", REFERENCES)
def test_plan_is_golden(name, golden_tree):
    item = find({PLAN: compiled(name).plan}, PLAN)
    golden_tree(f"plan/{name}", {"plan.yaml": yaml.safe_dump(as_data(item), sort_keys=False, width=120)})


@pytest.mark.crd
@pytest.mark.parametrize("bundle", [None, "nvidia"])
@inventory
def test_every_object_is_accepted_by_the_real_schemas(name, bundle):
    objects = objects_of(compiled(name))
    assert objects
    assert {
        path: validate_object(o, bundle=bundle) for path, o in objects if validate_object(o, bundle=bundle)
    } == {}


@pytest.mark.kustomize
@inventory
def test_kustomize_takes_the_folder_as_it_stands(name, tmp_path):
    tree = outputs(compiled(name))
    for path, text in tree.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    wanted = {
        (o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"])
        for path, o in objects_of(compiled(name))
        if path.startswith("kubernetes/") and folder_of(path) not in GITOPS
    }
    built = kustomize.build(tmp_path / "kubernetes")
    assert {(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in built} == wanted


def sonic_switches() -> list[tuple[str, str]]:
    """(inventory, switch) for every SONiC switch of the shipped inventories."""
    return [
        (name, switch)
        for name in SHIPPED
        for switch in sorted({p.split("/")[1] for p in outputs(compiled(name)) if p.endswith("/roce.json")})
    ]


@pytest.mark.yang
@pytest.mark.parametrize(("name", "switch"), sonic_switches())
def test_sonic_output_is_accepted_by_the_real_yang_models(name, switch):
    tree = outputs(compiled(name))
    config: dict[str, Any] = {}
    tables = (f"switches/{switch}/{name}.json" for name in ("interfaces", "roce"))  # without the JSON patch
    for path in tables:
        config = merged(config, json.loads(tree[path]))
    assert yanglint(config) == []
    forbidden = {"lanes", "hwsku", "platform", "mac"}
    assert [k for row in config["PORT"].values() for k in row if k in forbidden] == []


def test_a_pod_of_1024_gpus_is_whole() -> None:
    """No golden, as it has 281 files. The counts follow the rules in the inventory's comment."""
    result = compiled("superpod-h100")
    assert [d for d in result.diagnostics if d.severity > Severity.INFO] == []
    switches = {path.split("/")[1] for path in outputs(result) if path.startswith("switches/")} - {
        "README.md"
    }
    assert switches == {f"leaf-{n:02}" for n in range(1, 33)} | {f"spine-{n}" for n in range(1, 9)}
    pools = [yaml.safe_load(text) for path, text in outputs(result).items() if "/ipam/" in path]
    assert [len(pool["spec"]["staticAllocations"]) for pool in pools] == [128] * 8
    leaf = outputs(result)["switches/leaf-32/interfaces.txt"]
    assert leaf.count(" ip address 172.16.") == 32
    assert leaf.count(" remote-as 4200000001") == 32


def test_every_inventory_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == {*SHIPPED, "superpod-h100"}
