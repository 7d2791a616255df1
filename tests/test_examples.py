"""``examples/gitops``: a repository of three clusters, every part run as far as possible offline."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import test_argocd_plugin as argocd_plugin
from tests.crd import validate_object
from tests.kustomize import build

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "gitops"
CLUSTERS = ("dev", "stage", "prod")


def loaded(name: str) -> list[Any]:
    return list(yaml.safe_load_all((EXAMPLE / name).read_text()))


def program(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def run(repository: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as GitHub and GitLab runners do; ``netplan`` is this one, ``gh`` and ``curl`` record their
    arguments."""
    tools = repository.parent / "bin"
    program(tools / "netplan", f'PYTHONPATH={ROOT} exec {sys.executable} -m netplan "$@"')
    for name in ("gh", "curl"):
        program(tools / name, f'printf "%s\\n" "$@" > {repository.parent}/{name}.txt')
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=repository,
        env={
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(repository.parent),
            "NETPLAN_CACHE_DIR": str(repository.parent / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


COMMIT = "git -c user.name=a -c user.email=a@example.com commit --quiet -m example"


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example after the commands of its README, committed."""
    repository = tmp_path_factory.mktemp("example") / "repository"
    shutil.copytree(EXAMPLE, repository)
    (commands,) = re.findall("```bash\n(.*?)```", (EXAMPLE / "README.md").read_text(), re.DOTALL)
    done = run(repository, f"git init --quiet\n{commands}\ngit add -A\n{COMMIT}\n")
    assert done.returncode == 0, done.stderr
    assert "0 errors, 0 warnings" in done.stderr
    done = run(repository, "git update-ref refs/remotes/origin/main HEAD && git status --short")
    assert done.stdout == ""
    return repository


@pytest.fixture
def repository(rendered: Path, tmp_path: Path) -> Path:
    """A separate repository for a test."""
    return Path(shutil.copytree(rendered, tmp_path / "repository"))


def tree(repository: Path, cluster: str, name: str) -> list[Any]:
    text = (repository / "rendered" / cluster / "kubernetes" / name).read_text()
    return list(yaml.safe_load_all(text))


def test_each_cluster_is_its_own(rendered: Path):
    """Site, paths and subnets, which two clusters must not share."""
    pools = {
        c: tree(rendered, c, "30-networks/ipam/rail0-leaf-1.yaml")[0]["spec"]["subnet"] for c in CLUSTERS
    }
    assert pools == {"dev": "172.16.0.0/24", "stage": "172.16.16.0/24", "prod": "172.16.32.0/24"}
    for cluster in CLUSTERS:
        (source,) = {
            o["spec"]["url"] for o in tree(rendered, cluster, "flux/site.yaml") if "url" in o["spec"]
        }
        assert source == "https://git.example.com/platform/network.git"
        assert tree(rendered, cluster, "argocd/site.yaml")[0]["metadata"]["name"] == cluster


@pytest.mark.kustomize
def test_kustomize_builds_what_the_stream_has(rendered: Path):
    def named(bodies: list[Any]) -> set[tuple[str, str]]:
        return {(body["kind"], body["metadata"]["name"]) for body in bodies}

    done = run(rendered, "netplan render site.yaml --overlay clusters/prod/inventory.yaml -o -")
    built = build(rendered / "rendered" / "prod" / "kubernetes")
    assert named(built) == named(list(yaml.safe_load_all(done.stdout)))


# ------------------------------------------------------------------------------------ Argo CD, Flux


def with_cluster(value: Any, cluster: str) -> Any:
    """A Go template with one variable filled in, as by the list generator."""
    if isinstance(value, dict):
        return {key: with_cluster(inner, cluster) for key, inner in value.items()}
    return value.replace("{{.cluster}}", cluster) if isinstance(value, str) else value


def test_the_applications_are_those_that_netplan_writes(rendered: Path):
    (body,) = loaded("argocd/applicationset.yaml")
    elements = body["spec"]["generators"][0]["list"]["elements"]
    assert [element["cluster"] for element in elements] == list(CLUSTERS)
    for cluster in CLUSTERS:
        made = with_cluster(body["spec"]["template"], cluster)
        (ours,) = tree(rendered, cluster, "argocd/site.yaml")
        assert made["spec"] == ours["spec"]
        assert made["metadata"]["annotations"] == ours["metadata"]["annotations"]
        assert (rendered / made["spec"]["source"]["path"]).is_dir()


@pytest.mark.full
@pytest.mark.crd
def test_the_crds_take_what_argo_cd_and_flux_are_given():
    """There is no CRD of GitRepository here: its fields follow
    fluxcd.io/flux/components/source/gitrepositories/."""
    bodies = [
        body for name in ("argocd/applicationset.yaml", "argocd/dev-by-plugin.yaml") for body in loaded(name)
    ]
    repository, kustomization = loaded("flux/prod.yaml")
    assert [(b["kind"], e) for b in [*bodies, kustomization] for e in validate_object(b)] == []
    assert repository["apiVersion"] == "source.toolkit.fluxcd.io/v1"
    assert set(repository["spec"]) == {"interval", "url", "ref", "ignore"}


def test_flux_finds_the_folder(rendered: Path):
    source, kustomization = loaded("flux/prod.yaml")
    assert kustomization["spec"]["sourceRef"] == {"kind": source["kind"], "name": source["metadata"]["name"]}
    assert [p.name for p in (rendered / kustomization["spec"]["path"]).glob("*.yaml")] == ["site.yaml"]


def test_the_plugin_gives_the_objects_of_the_tree(rendered: Path):
    (body,) = loaded("argocd/dev-by-plugin.yaml")
    source = body["spec"]["source"]
    assert source["plugin"]["name"] == argocd_plugin.PLUGIN["metadata"]["name"]
    given = {parameter["name"]: parameter["array"] for parameter in source["plugin"]["parameters"]}
    run(rendered, "true")  # puts netplan on the command's PATH
    done = argocd_plugin.generate(rendered, source["path"], **given)
    assert done.returncode == 0, done.stderr
    stages = sorted((rendered / "rendered" / "dev" / "kubernetes").glob("[0-9]*/**/*.yaml"))
    files = [path for path in stages if path.name != "kustomization.yaml"]
    expected = [body for path in files for body in yaml.safe_load_all(path.read_text())]
    assert list(yaml.safe_load_all(done.stdout)) == expected


# ------------------------------------------------------------------------------------ CI


def changed(repository: Path) -> None:
    """Change the inventory of cluster stage, but not its tree."""
    overlay = repository / "clusters" / "stage" / "inventory.yaml"
    overlay.write_text(overlay.read_text() + "fabric: {qos: {classes: {roce: {dscp: 28}}}}\n")


WORKFLOW = yaml.safe_load((EXAMPLE / ".github/workflows/network.yml").read_text())


def github(repository: Path, job: str, contexts: Mapping[str, str]) -> list[subprocess.CompletedProcess[str]]:
    """Run the steps of a job that run commands, except the installation."""
    found = []
    for step in WORKFLOW["jobs"][job]["steps"]:
        if "run" in step and step.get("name") != "Install":
            stated = {**WORKFLOW["jobs"][job].get("env", {}), **step.get("env", {})}
            values = {
                key: re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda m: contexts[m[1]], value)
                for key, value in stated.items()
            }
            assert "${{" not in step["run"]  # the shell would execute text inserted into a script
            summary = {"GITHUB_STEP_SUMMARY": str(repository.parent / "summary.md")}
            found.append(run(repository, step["run"], **values, **summary))
    return found


STAGE = {"matrix.cluster": "stage", "github.base_ref": "main"}


@pytest.mark.full
def test_the_workflow_of_github(repository: Path):
    assert [done.returncode for done in github(repository, "check", STAGE)] == [0, 0]
    assert (repository / "effects/stage.md").read_text() == "### stage\n\nNothing changes.\n"
    changed(repository)
    check, effects = github(repository, "check", STAGE)
    assert (check.returncode, effects.returncode) == (1, 0)
    assert "NP019" in check.stdout
    page = (repository / "effects/stage.md").read_text()
    assert page.startswith("### stage\n")
    assert "fabric.qos.classes.roce.dscp" in page
    assert (repository.parent / "summary.md").read_text().endswith(page)
    (repository / "effects/prod.md").write_text("### prod\n")
    contexts = {"github.token": "t", "github.repository": "a/b", "github.event.pull_request.number": "7"}
    assert [done.returncode for done in github(repository, "comment", contexts)] == [0]
    asked = (repository.parent / "gh.txt").read_text().split()
    assert asked == ["pr", "comment", "7", "--body-file", "comment.md", "--edit-last", "--create-if-none"]
    assert (repository / "comment.md").read_text() == f"### prod\n{page}"
    (repository / "clusters/stage/inventory.yaml").write_text("site: [\n")
    assert [done.returncode for done in github(repository, "check", STAGE)] == [1, 1]


def test_the_jobs_are_for_these_clusters():
    assert WORKFLOW["jobs"]["check"]["strategy"]["matrix"] == {"cluster": list(CLUSTERS)}
    job = yaml.safe_load((EXAMPLE / ".gitlab-ci.yml").read_text())["network"]
    assert job["parallel"] == {"matrix": [{"CLUSTER": list(CLUSTERS)}]}
    assert sorted(path.name for path in (EXAMPLE / "clusters").iterdir()) == sorted(CLUSTERS)


@pytest.mark.full
def test_the_job_of_gitlab(repository: Path):
    job = yaml.safe_load((EXAMPLE / ".gitlab-ci.yml").read_text())["network"]
    script = "\n".join(job["script"])
    given = {"CLUSTER": "stage", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD"}
    assert run(repository, script, **given).returncode == 0
    assert not (repository.parent / "curl.txt").exists()
    changed(repository)
    about = {"CI_API_V4_URL": "https://gitlab/api/v4", "CI_PROJECT_ID": "1", "CI_MERGE_REQUEST_IID": "2"}
    done = run(repository, script, **given, **about, NOTES_TOKEN="secret")
    assert done.returncode == 1
    assert "NP019" in (repository / "quality-stage.json").read_text()
    assert "fabric.qos.classes.roce.dscp" in (repository / "effects-stage.md").read_text()
    asked = (repository.parent / "curl.txt").read_text().split("\n")
    assert "https://gitlab/api/v4/projects/1/merge_requests/2/notes" in asked
    assert "body@effects-stage.md" in asked


@pytest.mark.full
def test_the_hooks_keep_inventory_and_trees_together(repository: Path):
    (repo,) = yaml.safe_load((EXAMPLE / ".pre-commit-config.yaml").read_text())["repos"]
    ours = {
        hook["id"]: hook["entry"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    }
    commands = [f"{ours[hook['id']]} {' '.join(hook['args'])}" for hook in repo["hooks"]]
    assert [command.rpartition("/")[2] for command in commands] == list(CLUSTERS)
    changed(repository)
    run(repository, "git add clusters")
    assert [run(repository, command).returncode for command in commands] == [0, 1, 0]
    run(repository, "git add rendered")
    assert run(repository, commands[1]).returncode == 0
