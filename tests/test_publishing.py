"""Releases: CI on every Python, actions pinned by commit, reproducible files, man pages, completions."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.cli import program
from netplan.model.inventory_schema import inventory_schema
from tools import provenance, share

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PYTHONS = [
    word.rpartition(" :: ")[2]
    for word in PROJECT["project"]["classifiers"]
    if re.search(r"Python :: 3\.\d+$", word)
]


def loaded(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_gate_runs_on_every_python_of_the_project():
    assert PYTHONS == ["3.11", "3.12", "3.13", "3.14"]
    github, gitlab = loaded(".github/workflows/ci.yml")["jobs"]["gate"], loaded(".gitlab-ci.yml")["gate"]
    assert github["strategy"]["matrix"]["python"] == PYTHONS
    assert gitlab["parallel"]["matrix"] == [{"PYTHON_VERSION": PYTHONS}]
    assert "bash .ci/run" in [step.get("run") for step in github["steps"]]
    assert "bash .ci/run" in gitlab["script"]


@pytest.mark.parametrize("name", ["ci", "release"])
def test_a_workflow_pins_actions_and_asks_for_no_more_than_it_needs(name):
    workflow = loaded(f".github/workflows/{name}.yml")
    assert workflow["permissions"] == {"contents": "read"}
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action)] == []
    assert "secrets." not in (ROOT / f".github/workflows/{name}.yml").read_text()


def test_what_share_holds_is_made_from_the_commands_of_today():
    made = share.texts()
    stored = {str(path.relative_to(share.SHARE)) for path in share.SHARE.rglob("*") if path.is_file()}
    assert stored == set(made)
    assert {name: (share.SHARE / name).read_text(encoding="utf-8") for name in made} == made


def test_the_man_page_has_every_command_and_option():
    page = share.man_page()
    for name, command in program.commands.items():
        assert f"\n.SS netplan {name} ".replace("-", "\\-") in page
        for option in command.params:
            for flag in option.opts if option.param_type_name == "option" else ():
                assert flag.replace("-", "\\-") in page
    requests = {line.split(" ")[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi"}


def test_roff_takes_the_man_page():
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    path = share.SHARE / "man/man1/netplan.1"
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes_by_the_file_of_the_wheel():
    file = share.SHARE / "bash-completion/completions/netplan"
    words = 'COMP_WORDS=(netplan rend); COMP_CWORD=1; _netplan_completion netplan; echo "${COMPREPLY[@]}"'
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", f". {file}; {words}"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["render"], done.stderr


def test_the_statement_names_what_was_built_and_of_what(tmp_path):
    (tmp_path / "a.whl").write_bytes(b"wheel")
    digest = hashlib.sha256(b"wheel").hexdigest()
    assert provenance.digest(tmp_path / "a.whl") == digest
    said = provenance.statement({"a.whl": digest}, "c" * 40)
    assert said["subject"] == [{"name": "a.whl", "digest": {"sha256": digest}}]
    needed = said["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert needed[0]["digest"] == {"gitCommit": "c" * 40}
    tools = {entry["uri"].partition("@")[0]: entry["annotations"]["sha256"] for entry in needed[1:]}
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in tools["pkg:pypi/hatchling"])


def test_the_schema_has_a_url_for_its_version():
    entry, schema = json.loads((ROOT / "docs/schemastore.json").read_text()), inventory_schema()
    (version,) = schema["properties"]["version"]["enum"]
    assert entry["versions"] == {str(version): schema["$id"]}
    assert entry["url"] == schema["$id"]


def built(folder: Path, day: int, mask: int) -> dict[str, bytes]:
    """Wheel and sdist of a copy of the tracked files, built with another time and umask."""
    copy = folder / "copy"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        place = copy / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place)
        place.chmod(0o666 & ~mask)
        os.utime(place, (day * 86400, day * 86400))
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder / "dist")]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=True, umask=mask)
    return {path.name: path.read_bytes() for path in (folder / "dist").iterdir()}


@pytest.mark.full
def test_two_builds_have_the_same_bytes(tmp_path):
    first, second = built(tmp_path / "a", 15000, 0o022), built(tmp_path / "b", 20000, 0o027)
    assert sorted(name.rpartition("0")[2] for name in first) == ["-py3-none-any.whl", ".tar.gz"]
    assert {name: hashlib.sha256(data).hexdigest() for name, data in first.items()} == {
        name: hashlib.sha256(data).hexdigest() for name, data in second.items()
    }
    (wheel,) = (tmp_path / "a" / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert [
        name for name in share.texts() if not any(part.endswith(f"data/share/{name}") for part in names)
    ] == []
