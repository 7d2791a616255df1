"""The upgrade page lists exactly the objects that moved since the first edition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.load import load_texts
from netplan.pipeline import compile_texts
from tests.factories import merged
from tests.staged_cluster import stages

REPOSITORY = Path(__file__).resolve().parent.parent
FIRST: dict[str, list[str]] = yaml.safe_load((REPOSITORY / "tests" / "first_edition.yaml").read_text())
PAGE = REPOSITORY / "docs" / "upgrade.md"

BY_OPERATOR = "infiniband with owners.nads operator"
OVERLAYS: dict[str, tuple[str, dict[str, Any]]] = {
    BY_OPERATOR: (
        "tests/checks/bases/infiniband.yaml",
        {"cluster": {"owners": {"nads": "operator"}}, "networks": {"ib": {"pkey": None}}},
    )
}


def today(name: str) -> dict[str, dict[str, Any]]:
    """Objects by identity, in the format of tests/first_edition.yaml."""
    path, over = OVERLAYS.get(name, (name, {}))
    data = load_texts({"site.yaml": (REPOSITORY / path).read_text()}).data
    result = compile_texts({"site.yaml": json.dumps(merged(data, over))})
    tree = {a.path: a.text for a in result.artifacts}
    return {_identity(o): o for _, objects in stages(tree) for o in objects}


def _identity(body: dict[str, Any]) -> str:
    metadata = body["metadata"]
    place = f"{metadata['namespace']}/" if "namespace" in metadata else ""
    return f"{body['apiVersion']} {body['kind']} {place}{metadata['name']}"


def changes(name: str) -> set[tuple[str, str]]:
    """(kind, new | gone | moved); moved: the same kind and name in another namespace."""
    before, now = set(FIRST[name]), set(today(name))
    came, went = ({_place(i) for i in found} for found in (now - before, before - now))
    moved = {kind_name for kind_name, _ in came} & {kind_name for kind_name, _ in went}
    out = {(kind, "moved") for _, kind, _ in moved}
    out |= {(kind, "new") for (api, kind, thing), _ in came if (api, kind, thing) not in moved}
    return out | {(kind, "gone") for (api, kind, thing), _ in went if (api, kind, thing) not in moved}


def _place(identity: str) -> tuple[tuple[str, str, str], str]:
    api, kind, path = identity.split()
    namespace, _, name = path.rpartition("/")
    return (api, kind, name), namespace


def listed() -> set[tuple[str, str]]:
    table = PAGE.read_text().split("## Objects that moved")[1].split("\n## ")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("|")][2:]
    return {(row[1].strip(), row[2].strip()) for row in rows}


def test_the_page_lists_what_moved_and_no_more():
    assert set().union(*(changes(name) for name in FIRST)) == listed()


@pytest.mark.parametrize("name", FIRST)
def test_nothing_is_lost_and_what_moved_generates_the_same_nad(name: str):
    now = today(name)
    for identity in sorted(set(FIRST[name]) - set(now)):
        (api, kind, thing), namespace = _place(identity)
        (heir,) = (o for i, o in now.items() if _place(i)[0] == (api, kind, thing))
        assert heir["spec"]["networkNamespace"] == namespace


def test_a_renamed_object_would_be_noticed(monkeypatch: pytest.MonkeyPatch):
    name = "tests/checks/bases/operator.yaml"
    api = "nv-ipam.nvidia.com/v1alpha1 IPPool nvidia-network-operator"
    monkeypatch.setitem(FIRST, name, [*FIRST[name], f"{api}/renamed"])
    assert ("IPPool", "gone") in changes(name) - listed()


def test_the_page_names_the_folders_of_today():
    text = PAGE.read_text()
    assert all(
        f"kubernetes/{folder}" in text for folder in ("20-operator", "30-networks", "40-device-plugins")
    )
