"""What a small ``validate`` does not load: counted, not timed. `benchmarks/run.py` measures the time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from netplan import resources

_ASK = """
import gc, json, sys
from netplan.cli import main
ran = lambda: sum(stage["collections"] for stage in gc.get_stats())
before = ran()
try:
    main("netplan")
except SystemExit as end:
    print(json.dumps([end.code, sorted(sys.modules), ran() - before, gc.get_freeze_count()]))
"""
NOT_LOADED = (
    "jsonschema",
    "referencing",
    "attr",
    "xml.sax",
    "netplan.report.junit",
    "netplan.trace",
    "netplan.changes",
)
"""Modules that a run without findings does not need."""


def run(*arguments: str | Path) -> tuple[set[str], int]:
    """(modules loaded at the end of a netplan run, runs of the garbage collector); at exit, the interpreter
    must have no objects left to scan."""
    command = [sys.executable, "-c", _ASK, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, modules, collections, frozen = json.loads(done.stdout.splitlines()[-1])
    assert status == 0
    assert frozen > 10_000
    return set(modules), collections


@pytest.fixture(scope="module")
def validate() -> tuple[set[str], int]:
    return run("validate", "--quiet", resources.inventories() / "iei-rocev2.yaml")


@pytest.mark.parametrize("name", NOT_LOADED)
def test_a_validate_does_not_load(validate, name):
    assert name not in validate[0]


def test_a_validate_collects_no_garbage(validate):
    assert validate[1] <= 5  # 190 at Python's own threshold


@pytest.mark.parametrize("name", ["pathlib", "urllib.parse", "netplan.pipeline", "netplan.cli.build"])
def test_the_version_does_not_load(name):
    assert name not in run("--version")[0]
