"""The config-management plugin of examples/argocd-plugin, called as Argo CD calls it, and ``render -o -``."""

from __future__ import annotations

import json
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

from netplan.model.stages import STAGES
from tests.cli_runs import netplan
from tests.inventories import SHIPPED, compiled, outputs, text_of
from tests.kustomize import build

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples" / "argocd-plugin"
PLUGIN = yaml.safe_load((FOLDER / "plugin.yaml").read_text())


def objects(name: str) -> list[Any]:
    """Objects of the tree, stage by stage."""
    folders = tuple(f"kubernetes/{stage.folder}/" for stage in STAGES)
    tree = outputs(compiled(name))
    files = sorted(p for p in tree if p.startswith(folders) and not p.endswith("/kustomization.yaml"))
    return [body for path in files for body in yaml.safe_load_all(tree[path])]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SHIPPED)
def test_the_stream_is_the_objects_of_the_tree(name: str):
    status, out, err = netplan("render", f"inventories/{name}.yaml", "-o", "-")
    assert status == 0
    assert list(yaml.safe_load_all(out)) == objects(name)
    assert "not printed: files of " in err
    assert netplan("render", f"inventories/{name}.yaml", "-o", "-", "-q")[1:] == (out, "")


@pytest.mark.parametrize("more", [["--check"], ["--adopt"], ["--only", "switches"], ["--format", "json"]])
def test_options_of_a_directory_are_refused(more: list[str]):
    status, out, err = netplan("render", "inventories/minimal.yaml", "-o", "-", *more)
    assert status == 2
    assert "-o -" in (err if "json" not in more else out)


@pytest.mark.parametrize("more", [[], ["--select", "NP8"]])
def test_with_an_error_nothing_is_printed(tmp_path: Path, more: list[str]):
    """A program that prunes would delete objects missing in the stream."""
    site = tmp_path / "site.yaml"
    site.write_text(text_of("minimal").replace("version: 1", "version: 1\nmtu: 9000", 1))
    status, out, err = netplan("render", str(site), "-o", "-", *more)
    assert (status, out) == (1, "")
    assert "nothing written" in err


@pytest.fixture
def clusters(tmp_path: Path) -> Path:
    """A repository: a base, a cluster that overlays it, and a cluster with its own inventory."""
    repository = tmp_path / "repository"
    for name in ("prod", "own"):
        (repository / "clusters" / name).mkdir(parents=True)
    (repository / "site.yaml").write_text(text_of("minimal"))
    (repository / "clusters" / "prod" / "inventory.yaml").write_text("site: prod\n")
    (repository / "clusters" / "own" / "inventory.yaml").write_text(text_of("minimal"))
    (tmp_path / "secret.yaml").write_text("token: 1\n")
    program = tmp_path / "bin" / "netplan"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m netplan "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return repository


def environment(path: str, parameters: list[Mapping[str, Any]]) -> dict[str, str]:
    """Variables set by Argo CD: argoproj/argo-cd at 37ee0097cf851bc2dd7665fc081bbce61a7e836e,
    docs/user-guide/build-environment.md and ApplicationSourcePluginParameters.Environ in
    pkg/apis/application/v1alpha1/types.go."""
    given = {"ARGOCD_APP_SOURCE_PATH": path, "ARGOCD_APP_PARAMETERS": json.dumps(parameters)}
    for parameter in parameters:
        name = "PARAM_" + re.sub("[^A-Z0-9_]", "_", parameter["name"].upper())
        if "string" in parameter:
            given[name] = parameter["string"]
        given |= {f"{name}_{i}": value for i, value in enumerate(parameter.get("array", ()))}
    return given


def generate(clusters: Path, path: str, **parameters: Any) -> subprocess.CompletedProcess[str]:
    """Run the generate command in the folder of the Application."""
    listed: list[Mapping[str, Any]] = [
        {"name": name, "array" if isinstance(value, list) else "string": value}
        for name, value in parameters.items()
    ]
    command = PLUGIN["spec"]["generate"]
    return subprocess.run(
        [*command["command"], *command["args"]],
        cwd=clusters / path,
        env={
            "PATH": f"{clusters.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
            **environment(path, listed),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


PROD = {"inventory": ["../../site.yaml"], "overlays": ["inventory.yaml"]}


def test_a_cluster_with_an_inventory_of_its_own_needs_no_parameter(clusters: Path):
    done = generate(clusters, "clusters/own")
    assert done.returncode == 0, done.stderr
    assert list(yaml.safe_load_all(done.stdout)) == objects("minimal")
    (clusters / "inventory.yaml").write_text(text_of("minimal"))
    assert generate(clusters, ".").stdout == done.stdout


def test_overlays_are_parameters(clusters: Path):
    done = generate(clusters, "clusters/prod", **PROD)
    assert done.returncode == 0, done.stderr
    sites = {
        o["metadata"].get("labels", {}).get("app.kubernetes.io/part-of")
        for o in yaml.safe_load_all(done.stdout)
    }
    assert sites - {None} == {"prod"}
    more = clusters / "clusters" / "prod" / "more.yaml"
    more.write_text("site: last\n")
    done = generate(
        clusters, "clusters/prod", inventory=PROD["inventory"], overlays=["inventory.yaml", "more.yaml"]
    )
    assert "part-of: last" in done.stdout


@pytest.mark.full
def test_strict(clusters: Path):
    warned = {"accept": [{"check": "NP409", "at": "fabric", "reason": "none"}]}
    (clusters / "clusters" / "prod" / "inventory.yaml").write_text(yaml.safe_dump(warned))
    assert generate(clusters, "clusters/prod", **PROD, strict="false").returncode == 0
    assert generate(clusters, "clusters/prod", **PROD, strict="true").returncode == 1
    assert "neither true nor false" in generate(clusters, "clusters/prod", strict="yes").stderr


REFUSED = [
    ({"inventory": ["../../../secret.yaml"]}, "outside the repository"),
    ({"overlays": ["/etc/passwd"]}, "outside the repository"),
    ({"overlays": ["link.yaml"]}, "outside the repository"),
    ({"overlays": ["--nos-dir=/"]}, "begins with a dash"),
    ({"inventory": ["missing.yaml"]}, "does not exist"),
    ({"inventory": [".."]}, "is not a file"),
    ({"inventory": ["$(id)"]}, "does not exist"),
]


@pytest.mark.parametrize(
    ("parameters", "why"), REFUSED, ids=[why + str(n) for n, (_, why) in enumerate(REFUSED)]
)
def test_a_parameter_reads_nothing_but_the_repository(
    clusters: Path, parameters: dict[str, list[str]], why: str
):
    (clusters / "clusters" / "own" / "link.yaml").symlink_to(clusters.parent / "secret.yaml")
    done = generate(clusters, "clusters/own", **parameters)
    assert done.returncode == 1
    assert done.stdout == ""
    assert why in done.stderr
    assert "token" not in done.stderr


def test_an_error_ends_with_a_status_and_nothing_to_prune_by(clusters: Path):
    (clusters / "clusters" / "own" / "inventory.yaml").write_text("version: 1\n")
    done = generate(clusters, "clusters/own")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error NP" in done.stderr


def test_the_plugin_file_has_the_fields_that_argo_cd_reads():
    """PluginConfigSpec and its parts in cmpserver/plugin/config.go at that commit; announcements of
    parameters as in docs/operator-manual/config-management-plugins.md."""
    assert set(PLUGIN) == {"apiVersion", "kind", "metadata", "spec"}
    assert (PLUGIN["apiVersion"], PLUGIN["kind"]) == ("argoproj.io/v1alpha1", "ConfigManagementPlugin")
    assert set(PLUGIN["spec"]) <= {
        "version", "init", "generate", "discover", "parameters", "preserveFileMode", "provideGitCreds",
    }  # fmt: skip
    assert set(PLUGIN["spec"]["generate"]) == {"command", "args"}
    assert set(PLUGIN["spec"]["discover"]) == {"fileName"}
    assert set(PLUGIN["spec"]["parameters"]) == {"static"}
    for announced in PLUGIN["spec"]["parameters"]["static"]:
        assert set(announced) <= {
            "name", "title", "tooltip", "required", "itemType", "collectionType", "string", "array", "map",
        }  # fmt: skip
        assert announced["collectionType"] in announced


@pytest.mark.kustomize
def test_the_sidecar_joins_the_repo_server(tmp_path: Path):
    shutil.copytree(FOLDER, tmp_path / "plugin")
    server = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "argocd-repo-server", "namespace": "argocd"},
        "spec": {
            "template": {
                "spec": {
                    "containers": [{"name": "argocd-repo-server", "image": "argocd:1"}],
                    "volumes": [{"name": name, "emptyDir": {}} for name in ("var-files", "plugins", "tmp")],
                }
            }
        },
    }
    (tmp_path / "server.yaml").write_text(json.dumps(server))
    (tmp_path / "kustomization.yaml").write_text("resources: [server.yaml]\ncomponents: [plugin]\n")
    built = {body["kind"]: body for body in build(tmp_path)}
    pod = built["Deployment"]["spec"]["template"]["spec"]
    by_name = {container["name"]: container for container in pod["containers"]}
    assert set(by_name) == {"argocd-repo-server", "netplan"}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert {mount["name"] for mount in by_name["netplan"]["volumeMounts"]} <= set(volumes)
    config = built["ConfigMap"]
    assert volumes["netplan-plugin"]["configMap"]["name"] == config["metadata"]["name"] != "netplan-plugin"
    assert yaml.safe_load(config["data"]["plugin.yaml"]) == PLUGIN
    (mount,) = (m for m in by_name["netplan"]["volumeMounts"] if m["name"] == "netplan-plugin")
    assert mount["mountPath"] == "/home/argocd/cmp-server/config/plugin.yaml"
