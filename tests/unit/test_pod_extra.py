"""Pod-spec fields stated by a site: their origin, where they are rendered, how they are merged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.model.inventory_schema import inventory_schema
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.pod_fields import OWN
from netplan.render.pod_extra import launcher_extra, with_extra
from tests import openapi, upstream
from tests.pod_site import pods, rendered
from tools import pod_fields

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
EXTRA: dict[str, Any] = {
    "tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}],
    "imagePullSecrets": [{"name": "registry"}],
    "priorityClassName": "high",
    "serviceAccountName": "trainer",
    "terminationGracePeriodSeconds": 30,
    "automountServiceAccountToken": False,
    "securityContext": {"fsGroup": 1000, "sysctls": [{"name": "net.core.somaxconn", "value": "1024"}]},
    "dnsConfig": {"options": [{"name": "ndots", "value": "1"}]},
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": "rack",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app": "x"}},
        }
    ],
    "affinity": {
        "nodeAffinity": {
            REQUIRED: {
                "nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "a", "operator": "In", "values": ["1", "2"]}]}
                ]
            },
            PREFERRED: [{"weight": 1, "preference": {"matchFields": [{"key": "f", "operator": "Exists"}]}}],
        },
        "podAntiAffinity": {
            REQUIRED: [{"topologyKey": "rack", "labelSelector": {"matchLabels": {"b": "c"}}}]
        },
    },
}


def over(extra: dict[str, Any]) -> str:
    return json.dumps({"workloads": {"job": {"extra": extra}}}) + "\n"


@cache
def tree() -> dict[str, str]:
    jobs = {"jobs": [*JOB_KINDS], "extra": EXTRA}
    return dict(rendered(json.dumps({"workloads": {"job": jobs}})))


def specs(value: Any) -> Iterator[dict[str, Any]]:
    """Every pod spec, which is any mapping with containers."""
    if isinstance(value, dict):
        if "containers" in value:
            yield value
        for below in value.values():
            yield from specs(below)
    elif isinstance(value, list):
        for below in value:
            yield from specs(below)


def every_spec() -> list[dict[str, Any]]:
    files = (
        "pod.yaml",
        "nccl-test.yaml",
        "indexed-job.yaml",
        "statefulset.yaml",
        "jobset.yaml",
        "leaderworkerset.yaml",
        "volcano-job.yaml",
    )
    return [spec for file in files for spec in specs(list(yaml.safe_load_all(tree()[file])))]


@pytest.mark.crd
def test_the_schema_is_that_of_the_openapi_documents() -> None:
    assert pod_fields.text(upstream.root()) == pod_fields.TARGET.read_text()


@pytest.mark.crd
def test_every_field_of_a_pod_is_netplans_or_the_sites() -> None:
    extra = inventory_schema()["properties"]["workloads"]["additionalProperties"]["properties"]["extra"]
    for version in pod_fields.VERSIONS:
        known = openapi.definitions(version)[pod_fields.POD_SPEC]["properties"]
        assert known.keys() - extra["properties"].keys() <= OWN.keys()
    assert not extra["properties"].keys() & OWN.keys()


@pytest.mark.crd
@pytest.mark.parametrize("version", pod_fields.VERSIONS)
def test_every_pod_is_one_that_the_api_server_knows(version: str) -> None:
    validator = openapi.validator(pod_fields.POD_SPEC, version)
    assert len(every_spec()) == 9
    assert [e.message for spec in every_spec() for e in validator.iter_errors(spec)] == []
    assert not validator.is_valid({**every_spec()[0], "tolerationz": []})


def test_every_pod_has_the_fields_and_launchers_those_that_are_not_about_nodes() -> None:
    plain = EXTRA.keys() - {"affinity", "topologySpreadConstraints"}
    names = [spec["containers"][0]["name"] for spec in every_spec()]
    assert names.count("launcher") == 2
    for spec in every_spec():
        assert all(spec[key] == EXTRA[key] for key in plain)
        launcher = spec["containers"][0]["name"] == "launcher"
        assert ("affinity" in spec, "topologySpreadConstraints" in spec) == (not launcher, not launcher)


def test_affinity_is_added_to_netplans_own() -> None:
    job = next(d for d in yaml.safe_load_all(tree()["indexed-job.yaml"]) if d["kind"] == "Job")
    terms = job["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"][REQUIRED]
    assert [t["topologyKey"] for t in terms] == ["kubernetes.io/hostname", "rack"]


def test_node_terms_of_both_must_hold() -> None:
    """Terms are alternatives: (a or b) and (c or d) makes four terms."""

    def terms(*keys: str) -> dict[str, Any]:
        found = [{"matchExpressions": [{"key": key, "operator": "Exists"}]} for key in keys]
        return {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": found}}}}

    site = terms("c", "d")["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
    site[1] = {"matchFields": [{"key": "d", "operator": "Exists"}]}
    extra = {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": tuple(site)}}}}
    merged = with_extra({**terms("a", "b"), "containers": []}, extra)
    found = merged["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
    keys = [sorted(e["key"] for part in term.values() for e in part) for term in found]
    assert keys == [["a", "c"], ["a", "d"], ["b", "c"], ["b", "d"]]
    assert found[1].keys() == {"matchExpressions", "matchFields"}


def test_lists_grow_and_other_fields_stay_beside_netplans() -> None:
    own = {"tolerations": [{"key": "a"}], "runtimeClassName": "nvidia", "containers": []}
    merged = with_extra(own, {"tolerations": ({"key": "b"},), "priorityClassName": "high"})
    assert merged == {**own, "tolerations": [{"key": "a"}, {"key": "b"}], "priorityClassName": "high"}
    assert launcher_extra({"affinity": {}, "topologySpreadConstraints": (), "hostPID": True}) == {
        "hostPID": True
    }


def test_the_init_container_is_root_where_the_pod_may_not_be() -> None:
    def context(extra: dict[str, Any]) -> dict[str, Any]:
        pod = yaml.safe_load(rendered(over(extra))["pod.yaml"])
        (init,) = pod["spec"]["initContainers"]
        return dict(init["securityContext"])

    for extra in ({"securityContext": {"runAsNonRoot": True, "runAsUser": 1000}}, {}):
        found = context(extra)  # other jobs may forbid root where netplan's pods do not
        assert (found["runAsUser"], found["runAsNonRoot"]) == (0, False)


def test_the_plan_has_the_fields_for_others_to_apply() -> None:
    assert dict(pods(over({"priorityClassName": "high"})).extra) == {"priorityClassName": "high"}
    assert pods().extra == {}


def test_a_secret_without_a_name_is_written_as_it_is() -> None:
    """Kubernetes takes it (LocalObjectReference: name may be empty)."""
    files = rendered(over({"imagePullSecrets": [{}]}))
    assert yaml.safe_load(files["pod.yaml"])["spec"]["imagePullSecrets"] == [{}]
