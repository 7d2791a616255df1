"""Files for Argo CD and Flux: order, paths into the tree, and the effect of each inventory value."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

import pytest
import yaml

from netplan.load import load_texts
from netplan.model.artifact import Artifact
from netplan.model.stages import KINDS
from netplan.pipeline import Result, compile_texts
from tests.crd import validate_object
from tests.factories import merged
from tests.inventories import SHIPPED, compiled, outputs, text_of
from tests.staged_cluster import late

ROOT = "sites/kitchen-sink/kubernetes"
GITOPS = {"repository": "https://git.example.com/c.git", "path": "site", "argo_cd": {}, "flux": {}}
WAVE = "argocd.argoproj.io/sync-wave"


def with_gitops(name: str, **over: Any) -> Result:
    data = load_texts({"site.yaml": text_of(name)}).data
    return compile_texts({"site.yaml": json.dumps(merged(data, {"cluster": {"gitops": GITOPS | over}}))})


def robots(tree: dict[str, str], tool: str) -> list[dict[str, Any]]:
    return [
        o
        for path, text in sorted(tree.items())
        if path.startswith(f"kubernetes/{tool}/")
        for o in yaml.safe_load_all(text)
    ]


def of_kind(tree: dict[str, str], tool: str, kind: str) -> list[dict[str, Any]]:
    return [o for o in robots(tree, tool) if o["kind"] == kind]


def children(tree: dict[str, str]) -> list[dict[str, Any]]:
    """Applications below the root Application, by sync wave."""
    found = [o for o in of_kind(tree, "argocd", "Application") if WAVE in o["metadata"]["annotations"]]
    return sorted(found, key=lambda o: int(o["metadata"]["annotations"][WAVE]))


def folders(tree: dict[str, str]) -> set[str]:
    return {str(parent) for path in tree for parent in PurePosixPath(path).parents}


@pytest.mark.crd
@pytest.mark.parametrize("name", SHIPPED)
def test_the_crds_take_every_file(name: str):
    tree = outputs(with_gitops(name))
    objects = [*robots(tree, "argocd"), *robots(tree, "flux")]
    nothing_to_apply = name in ("eks-efa", "vsphere-pvrdma")
    assert ({"Application", "GitRepository"} <= {o["kind"] for o in objects}) != nothing_to_apply
    assert [(o["kind"], e) for o in objects for e in validate_object(o)] == []


@pytest.mark.crd
@pytest.mark.parametrize(
    ("tool", "kind"), [("argocd", "Application"), ("flux", "Kustomization"), ("flux", "HelmRelease")]
)
def test_a_field_that_the_crd_lacks_is_refused(tool: str, kind: str):
    (body, *_) = of_kind(outputs(compiled("kitchen-sink")), tool, kind)
    (error,) = validate_object(merged(body, {"spec": {"syncWaves": 1}}))
    assert "'syncWaves' was unexpected" in error


def test_without_the_key_there_are_no_files():
    data = load_texts({"site.yaml": text_of("kitchen-sink")}).data
    tree = outputs(compile_texts({"site.yaml": json.dumps(merged(data, {"cluster": {"gitops": None}}))}))
    assert [*robots(tree, "argocd"), *robots(tree, "flux")] == []
    assert "state `cluster.gitops`" in tree["kubernetes/README.md"]


@pytest.mark.parametrize(("stated", "other"), [("argo_cd", "flux"), ("flux", "argocd")])
def test_one_tool_alone(stated: str, other: str):
    tree = outputs(with_gitops("minimal", **{"argo_cd": None, "flux": None} | {stated: {}}))
    assert robots(tree, other) == []
    assert robots(tree, stated.replace("_", ""))


EXPECTED = ["prerequisites", "network-operator", "gpu-operator", "operator", "networks", "device-plugins"]


def test_argo_cd_syncs_namespaces_then_charts_then_the_stages_in_order():
    tree = outputs(compiled("kitchen-sink"))
    names = [o["metadata"]["name"].removeprefix("kitchen-sink-") for o in children(tree)]
    assert sorted(names[:3]) == sorted(EXPECTED[:3])
    assert names[3:] == EXPECTED[3:]
    assert [o["metadata"]["annotations"][WAVE] for o in children(tree)] == [str(i) for i in range(6)]


def test_flux_waits_for_each_step_before_the_next():
    tree = outputs(compiled("kitchen-sink"))
    steps = of_kind(tree, "flux", "Kustomization")
    names = [o["metadata"]["name"] for o in steps]
    assert [n.removeprefix("kitchen-sink-") for n in names] == ["prerequisites", "charts", *EXPECTED[3:]]
    before = [[d["name"] for d in o["spec"].get("dependsOn", ())] for o in steps]
    assert before == [[], *([name] for name in names[:-1])]
    assert all(o["spec"]["wait"] and "healthChecks" not in o["spec"] for o in steps)
    assert {o["spec"]["deletionPolicy"] for o in steps} == {"Orphan"}


def test_flux_knows_when_the_operator_is_ready():
    by_name = {
        o["metadata"]["name"]: o for o in of_kind(outputs(compiled("kitchen-sink")), "flux", "Kustomization")
    }
    (check,) = by_name["kitchen-sink-operator"]["spec"]["healthCheckExprs"]
    assert (check["kind"], check["current"]) == ("NicClusterPolicy", "status.state == 'ready'")
    assert by_name["kitchen-sink-operator"]["spec"]["timeout"] == "30m"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_path_is_in_the_tree(name: str):
    tree = outputs(with_gitops(name))
    kustomizations = of_kind(tree, "flux", "Kustomization")
    applications = of_kind(tree, "argocd", "Application")
    paths = [o["spec"]["path"].removeprefix("./") for o in kustomizations]
    paths += [o["spec"]["source"]["path"] for o in applications if "source" in o["spec"]]
    assert {path.removeprefix("site/") for path in paths} <= folders(tree)
    values = [
        f
        for o in applications
        for s in o["spec"].get("sources", ())
        for f in s.get("helm", {}).get("valueFiles", ())
    ]
    assert {f.removeprefix("$values/site/") for f in values} <= tree.keys()


def test_flux_has_the_values_of_the_values_file():
    tree = outputs(compiled("kitchen-sink"))
    releases = of_kind(tree, "flux", "HelmRelease")
    assert [o["spec"]["releaseName"] for o in releases] == ["gpu-operator", "network-operator"]
    for o in releases:
        path = f"kubernetes/{o['spec']['releaseName']}/values.yaml"
        assert o["spec"]["values"] == yaml.safe_load(tree[path])
        assert o["spec"]["upgrade"]["crds"] == o["spec"]["install"]["crds"] == "CreateReplace"


def test_the_chart_of_the_network_operator_is_that_of_its_images():
    result = compiled("kitchen-sink")
    assert result.fabric is not None
    operator = result.fabric.cluster.network_operator
    assert operator is not None
    assert operator.version == "network-operator-v26.4.0"
    (source,) = [
        s
        for o in of_kind(outputs(result), "argocd", "Application")
        for s in o["spec"].get("sources", ())
        if s.get("chart") == "network-operator"
    ]
    assert source["targetRevision"] == "26.4.0"


def test_a_chart_without_a_version_is_left_to_the_site():
    result = with_gitops("eks-efa")
    tree = outputs(result)
    assert of_kind(tree, "flux", "HelmRelease") == []
    assert "aws-efa-k8s-device-plugin" not in "".join(map(json.dumps, robots(tree, "argocd")))
    assert [d.code for d in result.diagnostics] == ["NP739"]
    assert "Neither installs aws-efa-k8s-device-plugin" in tree["kubernetes/README.md"]
    stated = outputs(with_gitops("eks-efa", chart_versions={"aws-efa-k8s-device-plugin": "0.5.3"}))
    (release,) = of_kind(stated, "flux", "HelmRelease")
    assert release["spec"]["chart"]["spec"]["version"] == "0.5.3"
    assert release["spec"]["targetNamespace"] == "kube-system"


def test_charts_of_the_sites_own():
    result = with_gitops("crusoe-k3s-infiniband", charts=False)
    tree = outputs(result)
    assert [d.code for d in result.diagnostics] == []
    assert of_kind(tree, "flux", "HelmRelease") == []
    assert [o for o in of_kind(tree, "argocd", "Application") if "sources" in o["spec"]] == []
    steps = [o["metadata"]["name"] for o in of_kind(tree, "flux", "Kustomization")]
    assert steps
    assert not [name for name in steps if name.endswith("-charts")]


def test_prune_off_is_off_everywhere():
    on, off = outputs(with_gitops("minimal")), outputs(with_gitops("minimal", prune=False))
    for tree, wanted in ((on, True), (off, False)):
        applications = of_kind(tree, "argocd", "Application")
        assert {o["spec"]["syncPolicy"]["automated"]["prune"] for o in applications} == {wanted}
        assert {o["spec"]["prune"] for o in of_kind(tree, "flux", "Kustomization")} == {wanted}


def test_charts_are_never_pruned():
    tree = outputs(compiled("kitchen-sink"))
    charts = [o for o in of_kind(tree, "argocd", "Application") if "sources" in o["spec"]]
    assert {o["spec"]["syncPolicy"]["automated"]["prune"] for o in charts} == {False}
    by_name = {o["metadata"]["name"]: o["spec"] for o in of_kind(tree, "flux", "Kustomization")}
    assert by_name["kitchen-sink-charts"]["prune"] is False


def test_removing_an_application_removes_nothing_it_applied():
    assert not any("finalizers" in o["metadata"] for o in robots(outputs(compiled("kitchen-sink")), "argocd"))


def test_a_wave_waits_for_what_has_a_health_check():
    (config,) = of_kind(outputs(compiled("kitchen-sink")), "argocd", "ConfigMap")
    assert config["metadata"]["labels"]["app.kubernetes.io/part-of"] == "argocd"
    prefix = "resource.customizations.health."
    kinds = {key.removeprefix(prefix) for key in config["data"]}
    reporting = {key.split(".")[0] for key, placement in KINDS.items() if placement.reports}
    assert kinds == {"argoproj.io_Application", *(f"mellanox.com_{kind}" for kind in reporting)}
    assert all(text.rstrip().endswith("return hs") for text in config["data"].values())


@pytest.mark.crd
def test_what_reports_a_state_has_one_in_its_crd():
    from tests.crd import _definitions

    for key, placement in KINDS.items():
        kind, _, group = key.partition(".")
        definition = _definitions("26.4").get((group, kind))
        for version in definition["versions"] if definition is not None else ():
            status = version["schema"]["openAPIV3Schema"]["properties"].get("status", {})
            states = status.get("properties", {}).get("state", {}).get("enum", [])
            reports = f"{group}/{version['name']}" == placement.reports
            assert reports == ({"ready", "error"} <= set(states)), key


@pytest.mark.crd
def test_flux_gets_no_kind_whose_crd_comes_with_its_own_stage():
    """Flux dry-runs a whole Kustomization at once."""
    asks = {placement.stage for key, placement in KINDS.items() if key.startswith("NicClusterPolicy")}
    (group_kinds,) = [{f"{kind}.{group}" for group, kind in late("26.7")} & KINDS.keys()]
    assert not {KINDS[key].stage for key in group_kinds} & asks


def test_names_of_a_long_site_stay_labels_and_differ_by_site():
    sites = ["a" * 63, "a" * 62 + "b"]
    names = []
    for site in sites:
        data = load_texts({"site.yaml": text_of("kitchen-sink")}).data
        tree = outputs(compile_texts({"site.yaml": json.dumps(merged(data, {"site": site}))}))
        names.append({o["metadata"]["name"] for o in robots(tree, "flux")})
    assert max(len(name) for found in names for name in found) <= 63
    assert not names[0] & names[1]


@pytest.mark.parametrize(
    "url",
    [
        "https://user:secret@git.example.com/c.git",
        "git@git.example.com:c.git",
        "file:///srv/c.git",
        "https://git.example.com/c.git?x=1",
    ],
)
def test_a_repository_with_credentials_or_of_another_form_is_refused(url: str):
    assert [d.code for d in with_gitops("minimal", repository=url).diagnostics] == ["NP014"]


@pytest.mark.parametrize("path", ["../up", "/srv", "a//b", "a/../b", "a b", ""])
def test_a_path_out_of_the_repository_is_refused(path: str):
    assert [d.code for d in with_gitops("minimal", path=path).diagnostics] == ["NP014"]


def test_the_top_of_the_repository():
    tree = outputs(with_gitops("minimal", path="."))
    assert {o["spec"]["path"].split("/")[1] for o in of_kind(tree, "flux", "Kustomization")} == {"kubernetes"}


def test_kinds_of_files_for_only():
    kinds = {a.path.split("/")[1]: a.kind for a in compiled("kitchen-sink").artifacts if _robot(a)}
    assert kinds == {"argocd": "argocd", "flux": "flux"}


def _robot(artifact: Artifact) -> bool:
    return artifact.path.startswith(("kubernetes/argocd/", "kubernetes/flux/"))
