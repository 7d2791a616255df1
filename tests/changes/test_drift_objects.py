"""``netplan diff SITE --cluster DUMP``: objects of a cluster versus the planned ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift
from netplan.changes.drift_objects import object_drift
from netplan.changes.objects import LEFT_OUT
from netplan.load import InputError
from tests.changes.pairs import edited
from tests.cli_runs import netplan
from tests.inventories import FOLDER

NAME = "iei-rocev2"


def planned() -> list[dict[str, Any]]:
    """Rendered objects with the fields that an API server adds."""
    texts = edited(NAME, {}).texts
    files = [t for p, t in texts.items() if p.startswith("kubernetes/") and p.endswith(".yaml")]
    found = [body for text in files for body in yaml.safe_load_all(text) if body]
    live = [
        copy.deepcopy(body) for body in found if body.get("kind") not in LEFT_OUT and "apiVersion" in body
    ]
    for number, body in enumerate(live):
        body["metadata"] |= {"uid": f"{number}", "resourceVersion": "7", "generation": 1}
        body["metadata"].setdefault("annotations", {})["kubectl.kubernetes.io/last-applied-configuration"] = (
            "{}"
        )
        body["status"] = {"allocations": [{"nodeName": "gpu-001"}]}
        body.setdefault("spec", {})["defaultedByTheServer"] = True
    return live


def compared(tmp_path: Path, objects: list[dict[str, Any]]) -> Drift:
    dump = tmp_path / "dump.yaml"
    dump.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": objects}, sort_keys=False))
    side = edited(NAME, {})
    return object_drift(side, facts_of(side), str(dump))


def rows(found: Drift) -> list[str]:
    return [f"{each.target}: {each.change}" for each in found.found]


def test_what_the_server_adds_is_no_drift(tmp_path: Path) -> None:
    found = compared(tmp_path, planned())
    assert rows(found) == []
    assert "IPPool" in found.compared
    assert "NetworkAttachmentDefinition" in found.compared


def _vlan(objects: list[dict[str, Any]]) -> None:
    nad = next(body for body in objects if body["kind"] == "NetworkAttachmentDefinition")
    config = json.loads(nad["spec"]["config"])
    config["plugins"][0]["vlan"] = 999
    nad["spec"]["config"] = json.dumps(config, indent=4)


def _pool(objects: list[dict[str, Any]]) -> None:
    pool = next(body for body in objects if body["kind"] == "IPPool")
    pool["spec"]["subnet"] = "10.9.0.0/24"


def _label(objects: list[dict[str, Any]]) -> None:
    del next(body for body in objects if body["kind"] == "IPPool")["metadata"]["labels"]


def _gone(objects: list[dict[str, Any]]) -> None:
    del objects[next(i for i, body in enumerate(objects) if body["kind"] == "IPPool")]


def _moved(objects: list[dict[str, Any]]) -> None:
    body = next(body for body in objects if body["kind"] == "IPPool")
    body["metadata"] |= {"namespace": "elsewhere", "labels": {}}
    del body["spec"]["defaultedByTheServer"]  # of another object each field counts


def _earlier(objects: list[dict[str, Any]]) -> None:
    pool = copy.deepcopy(next(body for body in objects if body["kind"] == "IPPool"))
    pool["metadata"]["name"] = "rail9-leaf-9"
    objects.append(pool)


def _somebody_else(objects: list[dict[str, Any]]) -> None:
    _earlier(objects)
    del objects[-1]["metadata"]["labels"]


def _unrelated(objects: list[dict[str, Any]]) -> None:
    _somebody_else(objects)
    objects[-1]["spec"]["subnet"] = "10.9.0.0/24"


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (_vlan, "NetworkAttachmentDefinition training/"),
        (_pool, "10.9.0.0/24 -> "),
        (_label, "metadata.labels"),
        (_gone, ": missing"),
        (_moved, ": missing; one of this name is in namespace elsewhere"),
        (_earlier, "IPPool kube-system/rail9-leaf-9: not planned"),
        (
            _somebody_else,
            "IPPool kube-system/rail9-leaf-9: not planned: 172.16.0.0/24, also of planned IPPool",
        ),
        (_unrelated, ""),
    ],
)
def test_what_differs_is_said(
    tmp_path: Path, edit: Callable[[list[dict[str, Any]]], None], said: str
) -> None:
    objects = planned()
    edit(objects)
    found = compared(tmp_path, objects)
    assert len(found.found) == bool(said), rows(found)
    assert said in "".join(rows(found))
    if "999" in said:
        assert ":" in found.found[0].place


def test_a_changed_field_has_its_line(tmp_path: Path) -> None:
    objects = planned()
    _pool(objects)
    found = compared(tmp_path, objects)
    file, _, line = found.found[0].place.rpartition(":")
    assert "10.9.0.0/24" in Path(file).read_text().splitlines()[int(line) - 1]


def test_kinds_that_the_dump_lacks_are_named(tmp_path: Path) -> None:
    pools = [body for body in planned() if body["kind"] == "IPPool"]
    found = compared(tmp_path, pools)
    assert found.compared == ("IPPool",)
    assert "NetworkAttachmentDefinition" in found.notes[0]


@pytest.mark.parametrize("text", ["", "a: [", "no: object", "{}"])
def test_what_is_no_dump_is_refused(tmp_path: Path, text: str) -> None:
    dump = tmp_path / "dump.yaml"
    dump.write_text(text)
    side = edited(NAME, {})
    with pytest.raises(InputError):
        object_drift(side, facts_of(side), str(dump))


def test_the_command(tmp_path: Path) -> None:
    objects = planned()
    dump = tmp_path / "dump.yaml"
    dump.write_text(yaml.safe_dump_all(objects, sort_keys=False))
    site = str(FOLDER / f"{NAME}.yaml")
    status, out, _ = netplan("diff", site, "--cluster", str(dump))
    assert status == 0
    assert "IPPool: as planned" in out
    _vlan(objects)
    dump.write_text(yaml.safe_dump_all(objects, sort_keys=False))
    status, out, _ = netplan("diff", site, "--cluster", str(dump))
    assert status == 1
    assert "running -> planned\n" in out
    assert "999 -> " in out
    assert str(dump) in out
