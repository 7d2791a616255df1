"""Workflows of the forges by their public schemas, and what shellcheck says of every shell script."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").iterdir())
WORKFLOWS = sorted(path for top in (ROOT, *EXAMPLES) for path in top.glob(".github/workflows/*.yml"))
ACTION = ROOT / "action.yml"
GITLAB = [ROOT / "ci/gitlab.yml", *(path for top in (ROOT, *EXAMPLES) for path in top.glob(".gitlab-ci.yml"))]
SCRIPTS = [ROOT / name for name in (".ci/run", "requirements/compile.sh", "netplan/importing/collect.sh")]
RENDERED = sorted(path for part in ("hosts", "pods") for path in ROOT.glob(f"tests/golden/*/{part}/*/*.sh"))
FILES = {"github-workflows": WORKFLOWS, "github-actions": [ACTION], "gitlab-ci": GITLAB}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_pipeline_and_script_is_looked_at():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = {name for name in listed.stdout.split("\0") if not name.startswith("tests/golden/changes/")}
    pipelines = {
        name for name in tracked if re.search(r"(^|/)(workflows/[^/]+|action|\.?gitlab(-ci)?)\.yml$", name)
    }
    assert {named(path) for paths in FILES.values() for path in paths} == pipelines
    scripts = {name for name in tracked if name.endswith(".sh") or name == ".ci/run"}
    assert {named(path) for path in (*SCRIPTS, *RENDERED)} == scripts


def refused(schema: str, *files: str) -> str:
    """What is wrong with the files, by a schema of SchemaStore or GitLab that check-jsonschema carries."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout if done.returncode else ""


@pytest.mark.parametrize("schema", FILES)
def test_the_schema_takes_the_pipelines(schema: str):
    assert refused(schema, *map(named, FILES[schema])) == ""


def test_the_schema_refuses_a_key_that_the_forge_does_not_have(tmp_path: Path):
    text = (ROOT / ".github/workflows/ci.yml").read_text().replace("timeout-minutes:", "timeout_minutes:")
    (tmp_path / "ci.yml").write_text(text)
    assert "timeout_minutes" in refused("github-workflows", str(tmp_path / "ci.yml"))


def runs(content: Any) -> Iterator[str]:
    """The scripts of an action or a workflow. GitHub replaces ``${{ }}`` before the shell sees it."""
    jobs = content["jobs"].values() if "jobs" in content else [content["runs"]]
    for job in jobs:
        for step in job["steps"]:
            if "run" in step:
                yield "#!/bin/bash\n" + re.sub(r"\$\{\{.*?\}\}", "expression", step["run"])


def jobs(content: Any) -> Iterator[str]:
    """The scripts of GitLab's jobs: the lines of one job are one shell."""
    for job in content.values():
        if isinstance(job, dict) and "script" in job:
            yield "\n".join(["#!/bin/sh", *job.get("before_script", ()), *job["script"]])


def shellcheck(folder: Path, texts: dict[str, str]) -> str:
    """Errors and warnings. Not notes: they ask for quotes where options are meant to be split into words."""
    for name, text in texts.items():
        (folder / name.replace("/", "_")).write_text(text)
    command = [str(Path(sys.executable).parent / "shellcheck"), "--norc", "-S", "warning", "-f", "gcc"]
    files = sorted(map(str, folder.iterdir()))
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stderr, done.returncode in (0, 1)) == ("", True)
    return done.stdout


def test_shellcheck_takes_every_script(tmp_path: Path):
    texts = {named(path): path.read_text() for path in (*SCRIPTS, *RENDERED)}
    for read, paths in ((runs, [ACTION, *WORKFLOWS]), (jobs, GITLAB)):
        for path in paths:
            blocks = list(read(yaml.safe_load(path.read_text())))
            assert blocks, path
            texts |= {f"{named(path)} {number}": block for number, block in enumerate(blocks, start=1)}
    assert shellcheck(tmp_path, texts) == ""


def test_shellcheck_sees_a_fault(tmp_path: Path):
    assert "SC2164" in shellcheck(tmp_path, {"a": "#!/bin/sh\ncd /absent\nrm x\n"})
