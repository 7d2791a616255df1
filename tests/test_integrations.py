"""What ships for CI systems and editors, run as far as it runs without them: see docs/ci.md."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.cli import program as netplan_group
from netplan.cli.terminal import FORMATS
from tests import formats
from tests.inventories import text_of
from tests.overlay import CHECKS, FILE, case_texts

ROOT = Path(__file__).resolve().parent.parent
EXPRESSION = re.compile(r"\$\{\{ *(?P<context>[\w.-]+) *\}\}")
BROKEN = case_texts(CHECKS / "NP205" / "bad-link-local.yaml")[FILE]


def loaded(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def run(script: str, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A script as a runner runs it: bash with -e, in the folder of the repository it looks at."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def program(path: Path, *command: str) -> None:
    """An executable that runs ``command`` with its own arguments."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A user's repository with one good and one bad inventory."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "site.yaml").write_text(text_of("minimal"))
    (folder / "bad.yaml").write_text(BROKEN)
    return folder


# ---------------------------------------------------------------------------------------- GitHub


def action_steps() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = loaded("action.yml")["runs"]["steps"]
    return steps


def act(repository: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the action's last step with these inputs, as the runner would."""
    defaults = {key: value.get("default", "") for key, value in loaded("action.yml")["inputs"].items()}
    given = defaults | {key.replace("_", "-"): value for key, value in inputs.items()}
    contexts = {f"inputs.{key}": value for key, value in given.items()} | {"github.action_path": str(ROOT)}
    runner = repository.parent / "runner"
    program(runner / "netplan/bin/python", sys.executable)
    step = action_steps()[-1]
    environment = {
        key: EXPRESSION.sub(lambda found: contexts[found["context"]], value)
        for key, value in step["env"].items()
    }
    return run(step["run"], repository, {**environment, "RUNNER_TEMP": str(runner)})


def test_the_action_has_what_github_asks_for():
    action = loaded("action.yml")
    assert set(action) == {"name", "description", "inputs", "runs"}
    assert action["runs"]["using"] == "composite"
    for key, value in action["inputs"].items():
        assert re.fullmatch(r"[a-z][a-z-]*", key)
        assert value["description"]
        assert value.get("required") is True or isinstance(value["default"], str)
    for step in action["runs"]["steps"]:
        assert set(step) == {"name", "shell", "env", "run"}
        assert step["shell"] == "bash"


def test_inputs_reach_scripts_only_through_the_environment():
    used = set()
    for step in action_steps():
        assert "${{" not in step["run"]
        used |= {found["context"] for value in step["env"].values() for found in EXPRESSION.finditer(value)}
    assert used == {f"inputs.{key}" for key in loaded("action.yml")["inputs"]} | {"github.action_path"}


def test_the_action_passes_a_good_inventory(repository: Path):
    done = act(repository, inventory="site.yaml\n", strict="true")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("0 errors, 0 warnings")


def test_the_action_annotates_and_fails_a_bad_one(repository: Path):
    done = act(repository, inventory="bad.yaml", sarif="report.sarif")
    assert (done.returncode, done.stderr) == (1, "")
    assert [found.code for found in formats.read("github", done.stdout)] == ["NP205"]
    run = formats.sarif_run((repository / "report.sarif").read_text())
    assert [found["ruleId"] for found in run["results"]] == ["NP205"]


def test_the_action_takes_codes_and_several_files(repository: Path):
    (repository / "part.yaml").write_text("accept: []\n")
    done = act(repository, inventory="bad.yaml\npart.yaml\n", ignore="NP2", as_of="2026-01-01")
    assert done.returncode == 0, done.stdout
    assert "1 finding left out (1 error)" in done.stdout


def test_the_action_ends_at_a_report_that_could_not_be(repository: Path):
    done = act(repository, inventory="missing.yaml", sarif="report.sarif")
    assert (done.returncode, done.stdout) == (2, "")
    assert '"executionSuccessful": false' in (repository / "report.sarif").read_text()


def test_the_action_compares_rendered_files(repository: Path):
    assert act(repository, inventory="site.yaml", rendered="out").returncode == 1
    command = [sys.executable, "-m", "netplan", "render", "site.yaml", "-o", "out"]
    subprocess.run(command, cwd=repository, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert act(repository, inventory="site.yaml", rendered="out").returncode == 0


HOSTILE = (
    "$(touch pwned)",
    "`touch pwned`",
    "x; touch pwned",
    "' || touch pwned #",
    '"; touch pwned; "',
    "--help",
)


@pytest.mark.sample(6)
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("key", ["inventory", "rendered", "select", "ignore", "as_of", "strict"])
def test_no_input_becomes_a_command(repository: Path, key: str, text: str):
    done = act(repository, **{"inventory": "site.yaml", key: text})
    assert not list(repository.rglob("pwned"))
    assert done.returncode == (0 if key == "strict" else 1 if key == "rendered" else 2), done.stdout


# ---------------------------------------------------------------------------------------- GitLab


def job() -> dict[str, Any]:
    found: dict[str, Any] = loaded("ci/gitlab.yml")["netplan"]
    return found


def gitlab(repository: Path, inventory: str, options: str = "") -> subprocess.CompletedProcess[str]:
    program(repository.parent / "bin/netplan", sys.executable, "-m", "netplan")
    variables = loaded("ci/gitlab.yml")["variables"] | {
        "NETPLAN_INVENTORY": inventory,
        "NETPLAN_OPTIONS": options,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{repository.parent / 'bin'}:{os.environ['PATH']}",
    }
    return run("\n".join(job()["script"]), repository, variables)


def test_the_gitlab_job_uploads_what_it_writes():
    written = set(re.findall(r"> (\S+)", "\n".join(job()["script"])))
    artifacts = job()["artifacts"]
    assert written == set(artifacts["paths"]) == set(artifacts["reports"].values())
    assert set(artifacts["reports"]) == {"codequality", "junit"}
    assert artifacts["when"] == "always"
    assert all(isinstance(value, str) for value in loaded("ci/gitlab.yml")["variables"].values())


@pytest.mark.parametrize(
    ("inventory", "options", "status", "found"),
    [
        ("site.yaml", "", 0, []),
        ("bad.yaml", "", 1, ["NP205"]),
        ("bad.yaml", "--strict --ignore NP2", 0, []),
    ],
)
def test_the_gitlab_job(repository: Path, inventory: str, options: str, status: int, found: list[str]):
    done = gitlab(repository, inventory, options)
    assert done.returncode == status, done.stderr
    quality = (repository / "gl-code-quality-report.json").read_text()
    assert [f.code for f in formats.read("gitlab", quality) if f.severity == "error"] == found
    assert formats.junit_cases((repository / "netplan-junit.xml").read_text())


def test_the_gitlab_job_ends_where_nothing_could_be_checked(repository: Path):
    assert gitlab(repository, "missing.yaml").returncode == 2
    (entry,) = formats.gitlab_entries((repository / "gl-code-quality-report.json").read_text())
    assert entry["severity"] == "blocker"
    assert not (repository / "netplan-junit.xml").exists()


# ------------------------------------------------------------------------------------- pre-commit


def test_the_pre_commit_manifest_is_valid():
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.full
@pytest.mark.wheel
@pytest.mark.xdist_group("wheel")
def test_the_pre_commit_hooks_run(repository: Path, tmp_path: Path):
    """As pre-commit does it: an environment of its own, with netplan installed from a clone."""
    source = tmp_path / "source"
    for name in ("netplan", "schemas", "templates", "inventories"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, source / name)
    revision = committed(source)
    (repository / "bad.yaml").unlink()
    hooks = [
        {"id": "netplan-validate", "args": ["--strict", "site.yaml"]},
        {"id": "netplan-render-check", "args": ["site.yaml", "-o", "out"]},
    ]
    config = {"repos": [{"repo": str(source), "rev": revision, "hooks": hooks}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    committed(repository)
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose"]
    options: Any = {
        "cwd": repository,
        "env": environment,
        "capture_output": True,
        "text": True,
        "check": False,
    }
    done = subprocess.run(command, timeout=600, **options)
    assert "0 errors, 0 warnings" in done.stdout, done.stdout + done.stderr
    assert re.search(r"netplan validate\.+Passed", done.stdout)
    assert re.search(r"netplan render --check\.+Failed", done.stdout)
    assert done.returncode == 1


def committed(folder: Path) -> str:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "all")
    return git("rev-parse", "HEAD")


# -------------------------------------------------------------------------------------- container


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def test_the_container_runs_as_nobody_and_installs_only_what_is_locked():
    steps = instructions()
    (user,) = [value for word, value in steps if word == "USER"]
    assert all(int(number) > 0 for number in user.split(":"))
    bases = [value for word, value in steps if word == "FROM"]
    assert [base.partition(" ")[0] for base in bases] == ["${BASE}"] * 2
    last = [word for word, _ in steps][[word for word, _ in steps].index("FROM", 2) :]
    assert "RUN" not in last
    pips = [
        part for word, value in steps if word == "RUN" for part in value.split("&&") if "/bin/pip" in part
    ]
    assert len(pips) == 4
    assert all("--require-hashes" in pip or "--no-deps" in pip for pip in pips)
    entry = dict(steps)["ENTRYPOINT"]
    assert json.loads(entry) == ["/opt/netplan/bin/netplan"]


def test_everything_the_container_copies_is_there_and_not_ignored():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    for word, value in instructions():
        if word == "COPY" and not value.startswith("--from"):
            for source in value.split()[:-1]:
                assert (ROOT / source).exists()
                assert f"!{source.split('/')[0]}" in ignored


@pytest.mark.full
@pytest.mark.wheel
@pytest.mark.xdist_group("wheel")
def test_the_steps_of_the_container_work(tmp_path: Path):
    """Its COPY and RUN steps in a folder instead of an image."""
    build, venv, source, dist = (tmp_path / name for name in ("build", "netplan", "src", "dist"))
    source.mkdir()
    places = {"/build": str(build), "/opt/netplan": str(venv), "/dist": str(dist)}
    for word, value in instructions():
        if word == "COPY" and not value.startswith("--from"):
            *sources, target = value.split()
            for name in sources:
                into = source / target / Path(name).name if target.endswith("/") else source / target
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copytree(ROOT / name, into) if (ROOT / name).is_dir() else shutil.copy(
                    ROOT / name, into
                )
        elif word == "RUN":
            script = re.sub(
                r"(?<![\w/])(?:/build|/opt/netplan|/dist)\b", lambda found: places[found[0]], value
            )
            pip = {key: text for key, text in os.environ.items() if key.startswith("PIP_")}
            done = run(script.replace("python -m venv", f"{sys.executable} -m venv"), source, pip)
            assert done.returncode == 0, done.stderr
    command = [str(venv / "bin/netplan"), "validate", str(ROOT / "inventories/minimal.yaml")]
    assert subprocess.run(command, cwd="/", capture_output=True, check=False).returncode == 0


# ---------------------------------------------------------------------------- shells and editors


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("name", ["netplan", "rdma-netplan"])
def test_completion_scripts_are_made(tmp_path: Path, shell: str, name: str):
    program(tmp_path / name, sys.executable, "-c", f"from netplan.cli import main; main({name!r})")
    variable = f"_{name.upper().replace('-', '_')}_COMPLETE"
    environment = {variable: f"{shell}_source", "PYTHONPATH": str(ROOT)}
    done = run(str(tmp_path / name), tmp_path, environment)
    assert done.returncode == 0, done.stderr
    assert f"{variable}={shell}_complete" in done.stdout
    if shell == "bash":
        check = subprocess.run(["bash", "-n"], input=done.stdout, capture_output=True, text=True, check=False)
        assert (check.returncode, check.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("netplan va", {"validate"}),
        ("netplan validate --format s", {"sarif"}),
        ("netplan validate --select NP40", {f"NP40{n}" for n in range(1, 10)}),
        ("netplan validate --ignore NP801,np80", {f"NP801,NP80{n}" for n in range(1, 10)}),
        ("netplan render --only sw", {"switches"}),
        ("netplan explain NP40", {f"NP40{n}" for n in range(1, 10)}),
        ("netplan explain np801", {"NP801"}),
        ("netplan explain mo", {"models"}),
        ("netplan init --from m", {"minimal", "multi-vendor"}),
    ],
)
def test_tab_completes(tmp_path: Path, line: str, offered: set[str]):
    program(tmp_path / "netplan", sys.executable, "-c", "from netplan.cli import main; main('netplan')")
    words = line.split()
    environment = {
        "_NETPLAN_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "PYTHONPATH": str(ROOT),
    }
    done = run(str(tmp_path / "netplan"), tmp_path, environment)
    assert {found.partition(",")[2] for found in done.stdout.splitlines()} == offered


def test_editors_find_the_schema():
    """The first line of every shipped inventory names the schema, relative to the file."""
    for path in sorted((ROOT / "inventories").glob("*.yaml")):
        first = path.read_text().split("\n", 1)[0]
        assert first.startswith("# yaml-language-server: $schema="), path.name
        target = path.parent / first.partition("=")[2]
        assert json.loads(target.read_text())["properties"]["site"]


# ------------------------------------------------------------------------------------------- page


PAGE = (ROOT / "docs" / "ci.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


def test_the_yaml_of_the_page_is_yaml():
    texts = [text for language, text in BLOCKS if language == "yaml"]
    assert len(texts) >= 5
    for text in texts:
        yaml.safe_load(text)
    (workflow,) = [text for text in texts if "runs-on" in text]
    steps = yaml.safe_load(workflow)["jobs"]["netplan"]["steps"]
    (ours,) = [step for step in steps if "inventory" in step.get("with", {})]
    assert set(ours["with"]) <= set(loaded("action.yml")["inputs"])
    (include,) = [yaml.safe_load(text) for text in texts if "include:" in text]
    assert set(include["variables"]) <= set(loaded("ci/gitlab.yml")["variables"])
    (hooks,) = [yaml.safe_load(text)["repos"][0]["hooks"] for text in texts if "repos:" in text]
    assert {hook["id"] for hook in hooks} == {hook["id"] for hook in loaded(".pre-commit-hooks.yaml")}


def test_the_page_names_options_formats_and_files_that_exist():
    options = {
        name
        for command in ("validate", "render", "init")
        for p in netplan_group.commands[command].params
        for name in p.opts
    }
    others = {"--require-hashes", "--build-arg", "--rm", "--network"}  # of pip and podman
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= options | others
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == FORMATS
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE):
        assert (ROOT / "docs" / target).is_file(), target
