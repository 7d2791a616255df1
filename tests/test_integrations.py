"""Shipped integrations for CI systems and editors, run as far as possible without them: see docs/ci.md."""

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
    """Run a script as a CI runner does: bash with -e, in the repository's folder."""
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
    summary = {"GITHUB_STEP_SUMMARY": str(repository.parent / "summary.md")}
    return run(step["run"], repository, {**environment, **summary, "RUNNER_TEMP": str(runner)})


def summary_of(repository: Path) -> str:
    """The page that GitHub shows for the job; the next run starts a new one."""
    page = repository.parent / "summary.md"
    text = page.read_text()
    page.unlink()
    return text


def rendered(repository: Path) -> None:
    command = [sys.executable, "-m", "netplan", "render", "site.yaml", "-o", "out"]
    subprocess.run(command, cwd=repository, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)


def kustomization(repository: Path, name: str, rails: bool) -> None:
    """A Job of eight GPUs in the workload's namespace."""
    limits = {"nvidia.com/gpu": 8, **({"intel.com/rail_0": 1, "intel.com/rail_1": 1} if rails else {})}
    networks = "rail-0-leaf-1,rail-1-leaf-1"
    template = {
        "metadata": {"annotations": {"k8s.v1.cni.cncf.io/networks": networks}} if rails else {},
        "spec": {"containers": [{"name": "a", "image": "a:1", "resources": {"limits": limits}}]},
    }
    metadata = {"name": name, "namespace": "training"}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": template}}
    (repository / name).mkdir()
    (repository / name / "job.yaml").write_text(json.dumps(job))
    (repository / name / "kustomization.yaml").write_text("resources: [job.yaml]\n")


@pytest.mark.kustomize
def test_the_action_finds_pods_without_their_rails(repository: Path):
    kustomization(repository, "good", rails=True)
    kustomization(repository, "bad", rails=False)
    done = act(repository, inventory="site.yaml", kustomize="good\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 errors" in summary_of(repository)
    done = act(repository, inventory="site.yaml", kustomize="good\nbad\n")
    assert done.returncode == 1
    (annotation,) = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert "NP746" in annotation
    page = summary_of(repository)
    assert page.startswith("### netplan: failed")
    assert page.count("error NP746") == 1
    assert act(repository, inventory="site.yaml", kustomize="missing").returncode == 2
    done = act(repository, inventory="bad.yaml", kustomize="bad")
    assert [found.code for found in formats.read("github", done.stdout)] == ["NP205"]


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


def test_the_action_says_what_could_not_be(repository: Path):
    done = act(repository, inventory="missing.yaml", sarif="report.sarif")
    assert done.returncode == 2
    assert done.stdout.startswith("::error title=netplan could not run::'missing.yaml' does not exist")
    assert '"executionSuccessful": false' in (repository / "report.sarif").read_text()
    assert summary_of(repository).startswith(
        "### netplan: could not run (exit 2)\n\n    Error: 'missing.yaml' does not exist"
    )


def test_the_action_writes_a_summary(repository: Path):
    act(repository, inventory="site.yaml")
    assert summary_of(repository).startswith("### netplan: passed\n\n    ")
    act(repository, inventory="bad.yaml")
    lines = summary_of(repository).splitlines()
    assert lines[:2] == ["### netplan: failed", ""]
    assert all(line.startswith("    ") for line in lines[2:])
    assert any("error NP205" in line for line in lines)
    assert lines[-1].startswith("    1 error, 0 warnings")


def test_the_action_compares_rendered_files(repository: Path):
    assert act(repository, inventory="site.yaml", rendered="out").returncode == 1
    rendered(repository)
    done = act(repository, inventory="site.yaml", rendered="out")
    assert done.returncode == 0
    assert "::group::" not in done.stdout


def test_the_action_annotates_each_finding_once(repository: Path):
    rendered(repository)
    (repository / "site.yaml").write_text(f"{(repository / 'site.yaml').read_text()}accept:\n{UNUSED}")
    done = act(repository, inventory="site.yaml", rendered="out")
    annotations = [line for line in done.stdout.splitlines() if line.startswith(("::warning", "::notice"))]
    assert [line for line in annotations if "title=NP113 " in line]
    assert len(annotations) == len(set(annotations))


UNUSED = "  - {check: NP404, at: fabric.mtu, reason: none}\n"


def test_the_action_shows_what_is_stale_and_runs_none_of_it(repository: Path):
    rendered(repository)
    (edited,) = (repository / "out").glob("pods/*/pod.yaml")
    edited.write_text(edited.read_text().replace("apiVersion: v1", "::error::planted\napiVersion: v2"))
    done = act(repository, inventory="site.yaml", rendered="out", sarif="report.sarif")
    assert (done.returncode, done.stderr) == (1, "")
    report, group, log = done.stdout.partition("::group::")
    assert [found.code for found in formats.read("github", report) if found.severity == "error"] == ["NP019"]
    opened, stopped, *diff, resumed, closed = f"{group}{log}".splitlines()
    assert (opened, closed) == ("::group::What netplan render would change", "::endgroup::")
    token = stopped.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert resumed == f"::{token}::"
    assert {"-::error::planted", "-apiVersion: v2", "+apiVersion: v1"} <= set(diff)
    page = summary_of(repository)
    assert "\n#### Files that are not up to date\n\n    would change pods/" in page
    assert "\n    -apiVersion: v2\n" in page
    run = formats.sarif_run((repository / "report.sarif").read_text())
    assert [found["ruleId"] for found in run["results"] if found["level"] == "error"] == ["NP019"]


def test_a_summary_stays_below_the_limit_of_github(repository: Path):
    rendered(repository)
    (edited,) = (repository / "out").glob("pods/*/pod.yaml")
    edited.write_text("more\n" * 5_000)
    done = act(repository, inventory="site.yaml", rendered="out")
    page = summary_of(repository)
    assert done.stdout.count("-more\n") == 5_000
    assert page.count("-more\n") < 1_000
    assert page.endswith("\nThe log has the rest.\n")


def test_the_action_says_what_a_change_does(repository: Path):
    committed(repository)
    text = (repository / "site.yaml").read_text()
    (repository / "site.yaml").write_text(text.replace("dscp: 26", "dscp: 28"))
    done = act(repository, inventory="site.yaml", base="HEAD", effects="effects.md")
    assert done.returncode == 0, done.stderr
    page = summary_of(repository)
    assert "### netplan diff" in page
    assert "fabric.qos.classes.roce.dscp  26 -> 28" in page
    assert (repository / "effects.md").read_text() in page
    done = act(repository, inventory="site.yaml", base="absent")
    assert done.returncode == 0
    assert "Not compared with the base:\n\n    Error: git does not have absent" in summary_of(repository)
    act(repository, inventory="site.yaml\nsite.yaml", base="HEAD")
    assert "name one file or directory" in summary_of(repository)


def test_the_gitlab_job_says_what_a_change_does(repository: Path):
    committed(repository)
    done = gitlab(repository, "site.yaml", base="HEAD")
    assert done.returncode == 0, done.stderr
    assert (repository / "netplan-diff.md").read_text() == "### netplan diff\n\nNothing changes.\n"


OVERLAY = "fabric: {qos: {classes: {roce: {dscp: %s}}}}\n"


def of_environments(repository: Path) -> None:
    """Set up a base with an overlay, rendered and committed; then change the overlay."""
    (repository / "prod.yaml").write_text(OVERLAY % 28)
    netplan_run(repository, "render", "site.yaml", "--overlay", "prod.yaml", "-o", "out")
    committed(repository)
    (repository / "prod.yaml").write_text(OVERLAY % 30)


def netplan_run(repository: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "netplan", *arguments], cwd=repository, env=environment, check=True)


CHANGED = "fabric.qos.classes.roce.dscp  28 -> 30"


def test_the_action_takes_overlays(repository: Path):
    of_environments(repository)
    done = act(repository, inventory="site.yaml", overlays="prod.yaml", rendered="out", base="HEAD")
    assert done.returncode == 1, done.stdout + done.stderr
    page = summary_of(repository)
    assert CHANGED in page
    assert "NP019" in done.stdout
    assert act(repository, inventory="site.yaml", overlays="prod.yaml").returncode == 0


def test_the_gitlab_job_takes_overlays(repository: Path):
    of_environments(repository)
    done = gitlab(repository, "site.yaml", rendered="out", base="HEAD", overlays="prod.yaml")
    assert done.returncode == 1, done.stdout + done.stderr
    assert CHANGED in (repository / "netplan-diff.md").read_text()
    assert gitlab(repository, "site.yaml", overlays="absent.yaml").returncode == 2


def of_a_fabric(repository: Path) -> list[str]:
    """Set up the example of two clusters, rendered and committed; then add a host and render again."""
    shutil.copytree(ROOT / "examples" / "shared-fabric", repository, dirs_exist_ok=True)
    clusters = ["clusters/infer.yaml", "clusters/train.yaml"]
    netplan_run(repository, "render", "--fabric", "fabric", *clusters, "-o", "out")
    committed(repository)
    own = repository / clusters[0]
    own.write_text(own.read_text().replace("[01-04]", "[01-05]").replace("[16-28/4]", "[16-32/4]"))
    netplan_run(repository, "render", "--fabric", "fabric", *clusters, "-o", "out")
    return clusters


def test_the_action_takes_clusters_of_one_fabric(repository: Path):
    clusters = of_a_fabric(repository)
    done = act(repository, inventory="\n".join(clusters), fabric="fabric", rendered="out", base="HEAD")
    assert done.returncode == 0, done.stdout + done.stderr
    page = summary_of(repository)
    assert "### netplan diff: infer" in page
    assert "### netplan diff: train" in page
    assert "ports new: Ethernet32" in page


def test_the_gitlab_job_takes_clusters_of_one_fabric(repository: Path):
    clusters = of_a_fabric(repository)
    done = gitlab(repository, " ".join(clusters), rendered="out", base="HEAD", fabric="fabric")
    assert done.returncode == 0, done.stdout + done.stderr
    page = (repository / "netplan-diff.md").read_text()
    assert "## infer\n" in page
    assert page.count("ports new: Ethernet32") == 2


@pytest.mark.parametrize("runner", ["action", "gitlab"])
def test_nothing_of_the_repository_is_imported(repository: Path, runner: str):
    for name in ("click", "yaml", "netplan"):
        (repository / f"{name}.py").write_text("raise SystemExit(99)\n")
    done = act(repository, inventory="site.yaml") if runner == "action" else installed(repository)
    assert done.returncode == 0, done.stdout + done.stderr


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
@pytest.mark.parametrize(
    "key", ["inventory", "kustomize", "rendered", "base", "effects", "select", "ignore", "as_of", "strict"]
)
def test_no_input_becomes_a_command(repository: Path, key: str, text: str):
    done = act(repository, **{"inventory": "site.yaml", key: text})
    assert not list(repository.rglob("pwned"))
    expected = {"strict": 0, "base": 0, "effects": 0, "rendered": 1}
    assert done.returncode == expected.get(key, 2), done.stdout


# ---------------------------------------------------------------------------------------- GitLab


def job() -> dict[str, Any]:
    found: dict[str, Any] = loaded("ci/gitlab.yml")["netplan"]
    return found


def gitlab(
    repository: Path,
    inventory: str,
    options: str = "",
    rendered: str = "",
    kustomize: str = "",
    base: str = "",
    **more: str,
) -> subprocess.CompletedProcess[str]:
    program(repository.parent / "bin/netplan", sys.executable, "-P", "-m", "netplan")
    variables = loaded("ci/gitlab.yml")["variables"] | {
        "NETPLAN_INVENTORY": inventory,
        "NETPLAN_OPTIONS": options,
        "NETPLAN_RENDERED": rendered,
        "NETPLAN_KUSTOMIZE": kustomize,
        "NETPLAN_BASE": base,
        **{f"NETPLAN_{name.upper()}": value for name, value in more.items()},
        "PYTHONPATH": str(ROOT),
        "PATH": f"{repository.parent / 'bin'}:{os.environ['PATH']}",
    }
    return run("\n".join(job()["script"]), repository, variables)


def test_the_gitlab_job_uploads_what_it_writes():
    written = set(re.findall(r"> (\S+)", "\n".join(job()["script"])))
    artifacts = job()["artifacts"]
    assert written == set(artifacts["paths"]) == {*artifacts["reports"].values(), "netplan-diff.md"}
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


def test_the_gitlab_job_compares_rendered_files(repository: Path):
    rendered(repository)
    assert gitlab(repository, "site.yaml", rendered="out").returncode == 0
    (edited,) = (repository / "out").glob("pods/*/pod.yaml")
    edited.write_text("old\n")
    done = gitlab(repository, "site.yaml", rendered="out")
    assert done.returncode == 1
    assert "\n-old\n" in done.stdout
    quality = (repository / "gl-code-quality-report.json").read_text()
    assert [found.code for found in formats.read("gitlab", quality) if found.severity == "error"] == ["NP019"]


@pytest.mark.kustomize
def test_the_gitlab_job_finds_pods_without_their_rails(repository: Path):
    kustomization(repository, "good", rails=True)
    kustomization(repository, "bad", rails=False)
    assert gitlab(repository, "site.yaml", kustomize="good").returncode == 0
    done = gitlab(repository, "site.yaml", "--strict", kustomize="good bad")
    assert done.returncode == 1
    assert done.stderr.count("error NP746") == 1
    assert gitlab(repository, "site.yaml", kustomize="missing").returncode == 2
    assert gitlab(repository, "bad.yaml", kustomize="good").returncode == 1


@pytest.mark.parametrize("name", ["--help", "--config-db"])
def test_no_gitlab_input_is_an_option(repository: Path, name: str):
    assert gitlab(repository, name).returncode == 2


def test_gitlab_options_are_no_patterns(repository: Path):
    (repository / "--strict").touch()
    assert gitlab(repository, "site.yaml", "--s*").returncode == 2


def test_the_gitlab_job_ends_where_nothing_could_be_checked(repository: Path):
    assert gitlab(repository, "missing.yaml").returncode == 2
    (entry,) = formats.gitlab_entries((repository / "gl-code-quality-report.json").read_text())
    assert entry["severity"] == "blocker"
    assert not (repository / "netplan-junit.xml").exists()


PYTHON = """#!/bin/sh
# Stands for python3: an environment is one that can do this, and what pip is asked for is written down.
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip") printf '%s\\n' "$@" > pip.txt ;;
  *) exec {python} "$@" ;;
esac
"""


def installed(repository: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run all steps of the job, with netplan installed from a clone of its repository."""
    source = repository.parent / "source"
    for name in ("netplan", "schemas", "templates", "requirements"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    program(repository.parent / "bin/python3", "false")
    (repository.parent / "bin/python3").write_text(PYTHON.format(python=shlex.quote(sys.executable)))
    pinned = {"NETPLAN_SOURCE": source.as_uri(), "NETPLAN_COMMIT": committed(source)}
    given = {
        **loaded("ci/gitlab.yml")["variables"],
        **pinned,
        "NETPLAN_INVENTORY": "site.yaml",
        "TMPDIR": str(repository.parent),
        "PATH": f"{repository.parent / 'bin'}:{os.environ['PATH']}",
        **variables,
    }
    return run("\n".join([*job()["before_script"], *job()["script"]]), repository, given)


def test_the_gitlab_job_installs_the_lock_of_a_pinned_source(repository: Path):
    done = installed(repository)
    assert done.returncode == 0, done.stderr
    *options, lock = (repository / "pip.txt").read_text().splitlines()
    assert options[:3] == ["-m", "pip", "install"]
    assert options[-2:] == ["--require-hashes", "-r"]
    assert Path(lock).read_text() == (ROOT / "requirements/runtime.txt").read_text()
    assert Path(lock).is_relative_to(repository.parent)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("NETPLAN_SOURCE", "", "NETPLAN_SOURCE is empty"),
        ("NETPLAN_COMMIT", "", "NETPLAN_COMMIT is not the full hash of a commit: "),
        ("NETPLAN_COMMIT", "main", "NETPLAN_COMMIT is not the full hash of a commit: main"),
        ("NETPLAN_COMMIT", "abc1234", "NETPLAN_COMMIT is not the full hash of a commit: abc1234"),
        ("NETPLAN_COMMIT", "0" * 40, "0000000"),
    ],
)
def test_the_gitlab_job_takes_nothing_that_can_change(
    repository: Path, variable: str, value: str, message: str
):
    done = installed(repository, **{variable: value})
    assert done.returncode != 0
    assert message in done.stderr
    assert not (repository / "pip.txt").exists()


# ------------------------------------------------------------------------------------- pre-commit


def test_the_pre_commit_manifest_is_valid():
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.full
@pytest.mark.wheel
@pytest.mark.xdist_group("wheel")
def test_the_pre_commit_hooks_run(repository: Path, tmp_path: Path):
    """As in pre-commit: a separate environment with netplan installed from a clone."""
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


OF_A_FABRIC = ["--fabric", "fabric", "clusters/train.yaml", "clusters/infer.yaml"]
OF_A_BASE = ["site.yaml", "--overlay", "prod.yaml"]


def hook(repository: Path, name: str, *arguments: str) -> int:
    """Run a hook as git does: its entry with the configured arguments, in the top folder."""
    (entry,) = (each["entry"] for each in loaded(".pre-commit-hooks.yaml") if each["id"] == name)
    _, *words = shlex.split(entry)
    command = [sys.executable, "-m", "netplan", *words, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=repository, env=environment, capture_output=True, check=False
    ).returncode


@pytest.mark.parametrize(
    ("args", "file", "old", "new"),
    [
        (OF_A_FABRIC, "clusters/infer.yaml", "[16-28/4]", "[20-32/4]"),
        (OF_A_BASE, "prod.yaml", "28", "30"),
    ],
    ids=["fabric", "overlay"],
)
def test_the_hooks_take_several_files(repository: Path, args: list[str], file: str, old: str, new: str):
    shutil.copytree(ROOT / "examples" / "shared-fabric", repository, dirs_exist_ok=True)
    (repository / "prod.yaml").write_text(OVERLAY % 28)
    committed(repository)
    assert hook(repository, "netplan-validate", *args) == 0
    assert hook(repository, "netplan-render", *args, "-o", "out") == 1
    committed(repository)
    assert hook(repository, "netplan-render", *args, "-o", "out") == 0
    (repository / file).write_text((repository / file).read_text().replace(old, new))
    assert hook(repository, "netplan-render-check", *args, "-o", "out") == 1
    assert hook(repository, "netplan-render", *args, "-o", "out") == 1


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
        ("netplan validate --ignore NP801,np80", {f"NP801,NP80{n}" for n in range(10)}),
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
    others = {"--require-hashes", "--build-arg", "--rm", "--network"}  # options of pip and podman
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= options | others
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == FORMATS
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE):
        assert (ROOT / "docs" / target).is_file(), target
