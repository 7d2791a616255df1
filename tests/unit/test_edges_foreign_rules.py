"""Facts of one line each, at their edge: rules about Kubernetes objects that look at several of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.rules.kubernetes.registry import run_rules
from tests.unit.edges import things
from tests.unit.test_edges_asked import attachment, pod, spider
from tests.unit.test_edges_rules import MACVLAN, found, job, nad, named, pool, thing, vf_policy


def graph(*given: dict[str, Any]) -> ObjectGraph:
    return things({"kubernetes/a.yaml": yaml.safe_dump_all(given, sort_keys=False)})


@pytest.mark.parametrize(
    ("security", "told"),
    [
        ({}, 1),
        ({"privileged": True}, 0),
        ({"privileged": False}, 1),
        ({"capabilities": {"add": ["IPC_LOCK"]}}, 0),
        ({"capabilities": {"add": ["NET_RAW", "CAP_IPC_LOCK"]}}, 0),
        ({"capabilities": {"add": ["ALL"]}}, 0),
        ({"capabilities": {"add": ["NET_RAW"]}}, 1),
    ],
)
def test_a_container_with_rdma_may_lock_memory(security: dict[str, Any], told: int) -> None:
    own = {"name": "a", "image": "b", "resources": {"limits": {"openshift.io/rail": 1}}}
    given = pod("", containers=[{**own, "securityContext": security}])
    assert len(found("NP765", vf_policy(isRdma=True), given)) == told
    assert found("NP765", vf_policy(isRdma=False), given) == []


@pytest.mark.parametrize(
    ("length", "workers", "words"),
    [
        (54, 10, []),
        (55, 10, ["has 64 characters"]),
        (53, 11, []),
        (54, 11, ["has 64 characters"]),
        (54, 1, []),
        (55, 1, ["has 64 characters"]),
        (60, 0, ["has 69 characters", "Worker has no replicas"]),
        (54, 0, ["Worker has no replicas"]),
    ],
)
def test_the_last_worker_of_a_job_has_a_name_of_at_most_63_characters(
    length: int, workers: int, words: list[str]
) -> None:
    texts = found("NP768", job("j" * length, workers))
    assert len(texts) == len(words), texts
    assert all(word in text for word, text in zip(words, texts, strict=True))


def at_home(*namespaces: str | None, kind: str = "policy") -> list[dict[str, Any]]:
    """Objects of these namespaces; None: it states none."""
    made = []
    for number, namespace in enumerate(namespaces):
        api, spec = "sriovnetwork.openshift.io/v1", {"resourceName": "rail", "networkNamespace": "apps"}
        plain = vf_policy() if kind == "policy" else thing(api, "SriovNetwork", **spec)
        given = named(plain, f"{kind}-{number}")
        given["metadata"] |= {"namespace": namespace}
        if namespace is None:
            del given["metadata"]["namespace"]
        made.append(given)
    return made


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (at_home("x", "x"), []),
        (at_home("x", "y"), []),
        (at_home("x", "x", "y"), ["policy-2"]),
        (at_home("x", "x", "y", "y"), []),
        (at_home("x", "x", "y", None, None), ["policy-2"]),
        (at_home("x", "network-operator"), ["policy-0"]),
        (at_home("x", "y") + at_home("x", kind="network"), ["policy-1"]),
        (at_home("x", "x", "y") + at_home(None, None, kind="network"), ["policy-2"]),
    ],
)
def test_the_namespace_of_an_operator_is_that_of_most_of_its_objects(
    given: list[dict[str, Any]], told: list[str]
) -> None:
    texts = [text for text in found("NP755", *given) if "only one of them is read" in text]
    assert [text.partition(":")[0].rpartition("/")[2] for text in texts] == told


@pytest.mark.parametrize(
    ("ipam", "told"),
    [
        ({"subnet": "10.0.0.0/24", "gateway": "10.0.0.254"}, []),
        ({"subnet": "10.0.0.0/24", "gateway": "10.0.1.0"}, ["gateway 10.0.1.0 is not in 10.0.0.0/24"]),
        ({"subnet": "10.0.0.0/31", "gateway": "10.0.0.2"}, ["gateway 10.0.0.2 is not in 10.0.0.0/31"]),
        ({"subnet": "10.0.0.0/32", "gateway": "10.0.0.2"}, []),
        ({"subnet": "10.0.0.0/24", "gateway": "fd00::1"}, []),
        ({"subnet": "10.0.0.0/24", "gateway": "${GATEWAY}"}, []),
        ({"subnet": "10.0.0.0/24", "gateway": "10.0.1"}, []),
        ({"subnet": "10.0.0.0/24"}, []),
        ({"gateway": "10.0.1.0"}, []),
        ({"type": "nv-ipam", "poolName": "far", "gateway": "10.0.1.0"}, []),
    ],
)
def test_a_gateway_is_in_the_subnet_of_its_range(ipam: dict[str, Any], told: list[str]) -> None:
    """Where a route uses it. That of a pool is for NP778 to judge."""
    for routes, used in (
        ([{"dst": "10.9.0.0/16"}], True),
        ([{"dst": "10.9.0.0/16", "gw": "10.0.0.1"}], False),
    ):
        given = nad({**MACVLAN, "ipam": {"type": "host-local", **ipam, "routes": routes}})
        texts = found("NP678", given, named(pool(gateway="10.0.1.0"), "far"))
        assert [text.partition(": ")[2] for text in texts] == (told if used else [])


@pytest.mark.parametrize("name", ["NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS"])
@pytest.mark.parametrize(
    ("value", "told"), [("0", 0), ("255", 0), ("256", 1), ("2550", 1), ("1" * 5000, 1), ("-1", 0)]
)
def test_a_traffic_class_is_a_byte(name: str, value: str, told: int) -> None:
    env = [{"name": name, "value": value}]
    texts = found("NP417", pod("", containers=[{"name": "a", "image": "b", "env": env}]))
    assert len(texts) == told
    assert all(f"{name} is {value[:9]}" in text for text in texts)


def many(networks: str, replicas: int) -> dict[str, Any]:
    one = pod(networks)
    template = {"metadata": {"annotations": one["metadata"]["annotations"]}, "spec": one["spec"]}
    return thing("apps/v1", "Deployment", replicas=replicas, template=template)


@pytest.mark.parametrize(
    ("networks", "replicas", "told"),
    [("rail", 1, 0), ("rail", 2, 1), ("rail,other", 2, 1), ("other,rail", 2, 1), ("other", 2, 0)],
)
def test_leases_of_a_node_are_not_for_pods_of_several(networks: str, replicas: int, told: int) -> None:
    local = nad({**MACVLAN, "ipam": {"type": "host-local", "subnet": "10.0.0.0/24"}})
    assert len(found("NP776", local, attachment("other"), many(networks, replicas))) == told


@pytest.mark.parametrize(
    ("networks", "replicas", "kind", "told"),
    [
        ("rail", 4, "ippool", 0),
        ("rail", 5, "ippool", 1),
        ("other,rail", 5, "ippool", 1),
        ("rail", 5, "spiderpool", 0),
    ],
)
def test_a_pool_has_an_address_for_each_pod(networks: str, replicas: int, kind: str, told: int) -> None:
    """A pool of Spiderpool is none of nv-ipam."""
    drawn = nad({**MACVLAN, "ipam": {"type": "nv-ipam", "poolName": "small", "poolType": kind}})
    pools = [pool(subnet="10.0.0.0/30", perNodeBlockSize=1), spider(subnet="10.0.0.0/30")]
    given = (named(each, "small") for each in pools)
    assert len(found("NP780", drawn, attachment("other"), *given, many(networks, replicas))) == told


@pytest.mark.parametrize(("taken", "told"), [("10.0.0.0/29", 1), ("::10.0.0.0/125", 0)])
def test_what_a_range_leaves_out_is_of_its_ip_version(taken: str, told: int) -> None:
    ipam = {"type": "whereabouts", "range": "10.0.0.0/28", "exclude": [taken]}
    assert len(found("NP780", nad({**MACVLAN, "ipam": ipam}), many("rail", 8))) == told


def sriov(resource: str, **more: Any) -> dict[str, Any]:
    return named(
        nad({"type": "sriov", **more}), "rail", annotations={"k8s.v1.cni.cncf.io/resourceName": resource}
    )


@pytest.mark.parametrize(("resource", "count"), [("openshift.io/rail", 1), ("openshift.io/other", 0)])
def test_a_network_without_a_policy_is_not_among_those_checked_against_one(resource: str, count: int) -> None:
    _, counts = run_rules(graph(vf_policy(linkType="ib"), sriov(resource)), ["NP671", "NP672"])
    assert counts == {"NP671": count, "NP672": count}


def plugin(*names: str) -> dict[str, Any]:
    entries = [{"resourcePrefix": n.split("/")[0], "resourceName": n.split("/")[1]} for n in names]
    given = named(thing("v1", "ConfigMap"), "sriovdp-config")
    del given["spec"]
    return {**given, "data": {"config.json": json.dumps({"resourceList": entries})}}


@pytest.mark.parametrize(
    ("asked", "made", "told"),
    [
        ("a.com/rail", ["a.com/rail"], 0),
        ("b.com/rail", ["a.com/rail"], 0),
        ("b.com/rail", ["b.com/rail"], 0),
        ("b.com/rail", ["a.com/rail", "b.com/rail"], 0),
        ("b.com/rail", ["a.com/else"], 1),
        ("b.com/else", ["a.com/rail", "b.com/else"], 1),
    ],
)
def test_devices_of_another_prefix_are_a_name_to_correct_and_not_a_number(
    asked: str, made: list[str], told: int
) -> None:
    own = {"name": "a", "image": "b", "resources": {"limits": {asked: 1}}}
    assert len(found("NP763", sriov("a.com/rail"), plugin(*made), pod("rail", containers=[own]))) == told


OTHER_PREFIX = (
    "b.com/rail has a different prefix from a.com/rail, which NetworkAttachmentDefinition apps/rail uses"
)


@pytest.mark.parametrize(
    ("prefix", "beside", "told"),
    [
        (
            "b.com",
            [],
            [OTHER_PREFIX],
        ),
        ("a.com", [], []),
        ("b.com", ["c.com/rail"], []),
        (
            "b.com",
            ["c.com/else"],
            [OTHER_PREFIX],
        ),
    ],
)
def test_the_operator_has_one_prefix(prefix: str, beside: list[str], told: list[str]) -> None:
    """A name that another plugin makes too may be that of either."""
    own = {"name": "a", "image": "b", "resources": {"limits": {f"{prefix}/rail": 1}}}
    given = [vf_policy(), sriov("a.com/rail"), pod("rail", containers=[own])]
    texts = found("NP669", *given, *([plugin(*beside)] if beside else []))
    assert [text.partition(": ")[2] for text in texts] == told
