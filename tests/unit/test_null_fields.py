"""NP752: required fields of Kubernetes' own workloads that are null."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_objects import said

OWN = {"name": "a", "image": "b"}


def pod(*containers: Any, **spec: Any) -> dict[str, Any]:
    return {"containers": [*containers] or [OWN], **spec}


def of(kind: str, api: str = "apps/v1", **spec: Any) -> dict[str, Any]:
    meta = {"name": "x", "namespace": "apps"}
    return {"apiVersion": api, "kind": kind, "metadata": meta, "spec": spec}


SELECTED: dict[str, Any] = {"selector": {"matchLabels": {"a": "b"}}}
CRON: dict[str, Any] = {"schedule": "@daily"}


@pytest.mark.parametrize(
    ("thing", "places"),
    [
        (of("Pod", "v1", **pod()), []),
        ({**of("Pod", "v1"), "spec": None}, ["spec"]),
        (of("Pod", "v1", containers=None), ["spec.containers"]),
        (of("Pod", "v1"), []),
        (
            of("Pod", "v1", **pod({"name": None, "image": None})),
            ["spec.containers.0.name", "spec.containers.0.image"],
        ),
        (of("Pod", "v1", **pod(OWN, {"name": "b"})), []),
        (
            of("Pod", "v1", **pod(initContainers=[{"name": None, "image": "b"}])),
            ["spec.initContainers.0.name"],
        ),
        (of("Deployment", selector=None, template={"spec": pod()}), ["spec.selector"]),
        (of("Deployment", **SELECTED, template=None), ["spec.template"]),
        (
            of("Deployment", **SELECTED, template={"spec": pod({"name": None})}),
            ["spec.template.spec.containers.0.name"],
        ),
        (of("Deployment", "example.com/v1", selector=None, template=None), []),
        (of("DaemonSet", selector=None, template={"spec": pod()}), ["spec.selector"]),
        (of("Job", "batch/v1", template=None), ["spec.template"]),
        (of("Job", "batch/v1", selector=None, template={"spec": pod()}), []),
        (of("CronJob", "batch/v1", **CRON, jobTemplate=None), ["spec.jobTemplate"]),
        (
            of("CronJob", "batch/v1", **CRON, jobTemplate={"spec": {"template": None}}),
            ["spec.jobTemplate.spec.template"],
        ),
        (
            of("CronJob", "batch/v1", schedule=None, jobTemplate={"spec": {"template": {"spec": pod()}}}),
            ["spec.schedule"],
        ),
        (
            of(
                "CronJob",
                "batch/v1",
                **CRON,
                jobTemplate={"spec": {"template": {"spec": {"containers": None}}}},
            ),
            ["spec.jobTemplate.spec.template.spec.containers"],
        ),
    ],
)
def test_what_is_null_is_missing(thing: dict[str, Any], places: list[str]) -> None:
    found = said("NP752", [thing])
    assert [each.partition(": ")[0] for each in found] == places
    assert all(each.endswith("is required and null") for each in found)


def test_a_patch_may_state_what_is_null() -> None:
    patch: dict[str, Any] = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    patch |= {"resources": ["a.yaml"], "patches": [{"target": {"kind": "Pod"}, "path": "patch.yaml"}]}
    files = {"a.yaml": [of("Pod", "v1", containers=None)], "kustomization.yaml": [patch], "patch.yaml": []}
    assert said("NP752", files) == []


@pytest.mark.parametrize(("name", "codes"), [(None, []), ("rail1", ["NP756"])])
def test_a_policy_without_a_name_is_told_in_place_of_the_network_that_needs_it(
    name: str | None, codes: list[str]
) -> None:
    api = "sriovnetwork.openshift.io/v1"
    policy = of("SriovNetworkNodePolicy", api, resourceName=name, numVfs=8, nicSelector={"vendor": "15b3"})
    nad = of("NetworkAttachmentDefinition", "k8s.cni.cncf.io/v1", config='{"type": "sriov"}')
    nad["metadata"] |= {"annotations": {"k8s.v1.cni.cncf.io/resourceName": "intel.com/storage"}}
    assert [code for code in ("NP756", "NP757") if said(code, [policy, nad])] == codes
    missing = [each for each in said("NP752", [policy, nad]) if each.startswith("spec.resourceName: ")]
    assert missing == ([] if name else ["spec.resourceName: resourceName is required and null"])
