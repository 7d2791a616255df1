"""The lock files list all that is installed, by hash, and the bill of materials lists the lock file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import sbom

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("build", "runtime", "ci")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())


def locked(name: str) -> dict[str, sbom.Pin]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {pin.name: pin for pin in sbom.pins(text)}


def wanted(name: str) -> list[Requirement]:
    """Requirements that a lock file must satisfy."""
    build = [Requirement(text) for text in PROJECT["build-system"]["requires"]]
    runtime = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
    extras = PROJECT["project"]["optional-dependencies"]
    more = [Requirement(text) for extra in ("dev", "avd") for text in extras[extra]]
    return {"build": build, "runtime": runtime, "ci": [*build, *runtime, *more]}[name]


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_has_everything_at_an_allowed_version(name: str):
    pins = locked(name)
    assert len(pins) > 5
    for requirement in wanted(name):
        pin = pins[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(pin.version), requirement


@pytest.mark.parametrize("name", LOCKS)
def test_every_entry_of_a_lock_has_hashes_and_comes_from_the_index(name: str):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert all(pin.digests for pin in locked(name).values())
    entries = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(entries) == len(locked(name))
    assert not re.search(r"@ |://|--index|--find-links|--trusted", text)


def test_the_locks_agree():
    everything = locked("ci")
    for name in ("build", "runtime"):
        for pin in locked(name).values():
            assert everything[pin.name][:3] == pin[:3]


def test_a_lock_holds_beyond_the_system_it_was_made_on():
    """The list has wheels for every system and Python that netplan supports."""
    assert len(locked("runtime")["pyyaml"].digests) > 20


def test_the_runtime_lock_has_what_is_asked_for_and_its_needs_only():
    pins = locked("runtime")
    needed = {str(canonicalize_name(requirement.name)) for requirement in wanted("runtime")}
    while more := {pin.name for pin in pins.values() if set(pin.via) & needed} - needed:
        needed |= more
    assert set(pins) == needed


def bill() -> Any:
    command = [sys.executable, str(ROOT / "tools" / "sbom.py")]
    environment = {"PYTHONPATH": str(ROOT)}
    return json.loads(
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    )


def test_the_bill_of_materials_lists_the_lock():
    found, pins = bill(), locked("runtime")
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.5", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", found["serialNumber"])
    assert {c["name"]: c["version"] for c in found["components"]} == {
        p.name: p.version for p in pins.values()
    }
    for component in found["components"]:
        digests = [ref["hashes"][0]["content"] for ref in component["externalReferences"]]
        assert tuple(digests) == pins[component["name"]].digests
        assert component["purl"] == component["bom-ref"]


def test_the_bill_of_materials_says_what_needs_what():
    found = bill()
    needs = {entry["ref"]: entry["dependsOn"] for entry in found["dependencies"]}
    root = found["metadata"]["component"]["bom-ref"]
    assert set(needs) == {root} | {c["bom-ref"] for c in found["components"]}
    direct = {canonicalize_name(requirement.name) for requirement in wanted("runtime")}
    assert {ref.removeprefix("pkg:pypi/").partition("@")[0] for ref in needs[root]} == direct
    assert {ref for below in needs.values() for ref in below} == set(needs) - {root}


def test_the_bill_of_materials_is_the_same_every_time():
    assert bill() == bill()
