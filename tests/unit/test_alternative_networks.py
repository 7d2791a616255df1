"""A network that several files define in different ways: what is said of a pod holds for each of them."""

from __future__ import annotations

import json

import pytest
import yaml

from netplan.others import rendered_texts

LARGE, SMALL = ({"type": "whereabouts", "range": r} for r in ("10.1.0.0/16", "10.1.0.0/30"))
FROM_POOL = {"type": "nv-ipam", "poolName": "pool"}


def nad(resource: str, ipam: dict[str, str] = LARGE) -> str:
    config = {"cniVersion": "1.0.0", "name": "net", "type": "sriov", "ipam": ipam}
    metadata = {"name": "net", "namespace": "jobs"}
    return yaml.safe_dump(
        {
            "apiVersion": "k8s.cni.cncf.io/v1",
            "kind": "NetworkAttachmentDefinition",
            "metadata": {**metadata, "annotations": {"k8s.v1.cni.cncf.io/resourceName": resource}},
            "spec": {"config": json.dumps(config)},
        }
    )


def job(resource: str, replicas: int = 1) -> str:
    template = {
        "metadata": {"labels": {"app": "a"}, "annotations": {"k8s.v1.cni.cncf.io/networks": "net"}},
        "spec": {"containers": [{"name": "a", "image": "x", "resources": {"limits": {resource: "1"}}}]},
    }
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "a"}}, "template": template}
    metadata = {"name": "job", "namespace": "jobs"}
    return yaml.safe_dump({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec})


def pool(subnet: str) -> str:
    spec = {"subnet": subnet, "perNodeBlockSize": 1, "gateway": "10.0.0.1"}
    metadata = {"name": "pool", "namespace": "operators"}
    return yaml.safe_dump(
        {"apiVersion": "nv-ipam.nvidia.com/v1alpha1", "kind": "IPPool", "metadata": metadata, "spec": spec}
    )


def told(texts: dict[str, str]) -> list[str]:
    codes = (each.code for each in rendered_texts(texts).diagnostics)
    return sorted(code for code in codes if code in ("NP763", "NP769", "NP780"))


A, B, C = "intel.com/a", "intel.com/b", "intel.com/c"
LAYOUTS: list[tuple[dict[str, str], list[str]]] = [
    ({"1.yaml": nad(A), "2.yaml": nad(B), "job.yaml": job(A)}, []),
    ({"1.yaml": nad(B), "2.yaml": nad(A), "job.yaml": job(A)}, []),
    ({"1.yaml": nad(A), "2.yaml": nad(A, SMALL), "job.yaml": job(C)}, ["NP763"]),
    ({"1.yaml": nad(A), "job.yaml": nad(B) + "---\n" + job(A)}, ["NP763", "NP769"]),
    ({"1.yaml": nad(B), "job.yaml": nad(A) + "---\n" + job(A)}, []),
    ({"a/1.yaml": nad(A), "b/2.yaml": nad(B), "b/job.yaml": job(A)}, ["NP763", "NP769"]),
    ({"a/1.yaml": nad(B), "b/2.yaml": nad(A), "b/job.yaml": job(A)}, []),
    ({"a/1.yaml": nad(A), "b/2.yaml": nad(B), "jobs/job.yaml": job(A)}, []),
]


@pytest.mark.parametrize(("texts", "codes"), LAYOUTS)
def test_devices_are_compared_with_every_definition_of_a_network(
    texts: dict[str, str], codes: list[str]
) -> None:
    assert told(texts) == codes


@pytest.mark.parametrize(
    ("ranges", "codes"),
    [
        ((LARGE, SMALL), []),
        ((SMALL, LARGE), []),
        ((SMALL, SMALL), ["NP780"]),
    ],
)
def test_a_range_is_too_small_if_it_is_so_in_every_definition(
    ranges: tuple[dict[str, str], dict[str, str]], codes: list[str]
) -> None:
    one, other = (nad(A, ipam) for ipam in ranges)
    assert told({"1.yaml": one, "2.yaml": other, "job.yaml": job(A, 20)}) == codes


@pytest.mark.parametrize(
    ("folder", "subnets", "codes"),
    [
        ("", ("10.0.0.0/29", "10.0.0.0/24"), []),
        ("", ("10.0.0.0/24", "10.0.0.0/29"), []),
        ("", ("10.0.0.0/29", "10.0.0.0/28"), ["NP780"]),
        ("b/", ("10.0.0.0/29", "10.0.0.0/24"), []),
        ("b/", ("10.0.0.0/24", "10.0.0.0/29"), ["NP780"]),
    ],
)
def test_a_pool_is_too_small_if_it_is_so_in_every_definition(
    folder: str, subnets: tuple[str, str], codes: list[str]
) -> None:
    first, second = map(pool, subnets)
    texts = {
        "a/pool.yaml": first,
        "b/pool.yaml": second,
        f"{folder}net.yaml": nad(A, FROM_POOL),
        f"{folder}job.yaml": job(A, 20),
    }
    assert told(texts) == codes
