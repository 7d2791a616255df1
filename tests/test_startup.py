"""What a small ``validate`` does without: counted, never timed. `benchmarks/run.py` measures it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from netplan import resources

_ASK = """
import json, sys
try:
    from netplan.cli import main
    main("netplan")
except SystemExit as end:
    print(json.dumps([end.code, sorted(sys.modules)]))
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
"""Modules that a run without findings has no use for."""


def loaded(*arguments: str | Path) -> set[str]:
    """Modules that a run of netplan has loaded at its end."""
    command = [sys.executable, "-c", _ASK, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 0
    return set(modules)


@pytest.fixture(scope="module")
def validate() -> set[str]:
    return loaded("validate", "--quiet", resources.inventories() / "iei-rocev2.yaml")


@pytest.mark.parametrize("name", NOT_LOADED)
def test_a_validate_does_not_load(validate, name):
    assert name not in validate
