"""Errors between objects: warnings in a directory that others wrote, errors in what will be applied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netplan.explain import entries, entry_text
from tests.cli_runs import netplan
from tests.inventories import compiled, outputs

CASE = Path(__file__).parent / "checks" / "NP758" / "bad-name.yaml"
"""A pod that names a network which is there under a similar name."""


def told(*arguments: str, **options: str) -> tuple[int, list[str]]:
    """Exit status, and the severities of NP758."""
    status, out, _ = netplan("validate", "--format", "json", *arguments, **options)
    found = json.loads(out)["diagnostics"]
    return status, [each["severity"] for each in found if each["code"] == "NP758"]


def test_a_directory_of_others_may_hold_parts(tmp_path: Path) -> None:
    (tmp_path / "objects.yaml").write_text(CASE.read_text())
    assert told("--rendered", str(tmp_path)) == (0, ["warning"])
    assert told("--rendered", str(tmp_path), "--strict") == (1, ["warning"])


def test_standard_input_is_what_will_be_applied() -> None:
    assert told("--rendered", "-", input=CASE.read_text()) == (1, ["error"])


def test_an_object_of_a_cluster_runs(tmp_path: Path) -> None:
    live = "name: train\n  uid: 7c6e2d0a-0b6f-4f5e-9a53-3f6f0d2c1b8e\n  resourceVersion: '417'\n"
    text = CASE.read_text()
    assert text.count("name: train\n") == 1
    (tmp_path / "objects.yaml").write_text(text.replace("name: train\n", live))
    assert told("--rendered", str(tmp_path)) == (1, ["error"])


def test_a_tree_of_netplan_is_complete(tmp_path: Path) -> None:
    for path, text in outputs(compiled("minimal")).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "objects.yaml").write_text(CASE.read_text())
    assert told("--rendered", str(tmp_path)) == (1, ["error"])


@pytest.mark.parametrize(
    ("code", "grade"),
    [("NP758", "error, in directories that others wrote warning"), ("NP752", "error"), ("NP747", "warning")],
)
def test_explain_says_both_severities(code: str, grade: str) -> None:
    assert entry_text(entries()[code]).startswith(f"{code} ({grade}, foreign): ")
