"""Facts of one line each, at their edge: pools and ranges, and what pods ask for by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from netplan.rules.kubernetes.kustomizations import _is_path as is_path
from tests.unit.test_edges_rules import cidr, found, nad, named, ranged, thing, vf_policy

Static = list[tuple[str, str, str]]


def allocated(entries: Static) -> dict[str, Any]:
    """(node, prefix, gateway) of each; without a gateway if it is empty."""
    rows = [{"nodeName": n, "prefix": p} | ({"gateway": g} if g else {}) for n, p, g in entries]
    return cidr(staticAllocations=rows)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([("a", "10.0.5.0/24", "")], []),
        ([("a", "10.1.5.0/24", "")], ["prefix 10.1.5.0/24 of a is not a /24 of 10.0.0.0/16"]),
        ([("a", "10.0.5.0/25", "")], ["prefix 10.0.5.0/25 of a is not a /24 of 10.0.0.0/16"]),
        ([("a", "fd00::/24", "")], ["prefix fd00::/24 of a is not a /24 of 10.0.0.0/16"]),
        (
            [("a", "10.0.5.0/25", ""), ("b", "10.0.6.0/25", "")],
            ["prefix length 24 is not that of the 2 static prefixes, /25"],
        ),
        (
            [("a", "10.0.5.0/24", ""), ("b", "10.0.6.0/25", "")],
            ["prefix 10.0.6.0/25 of b is not a /24 of 10.0.0.0/16"],
        ),
        ([("a", "10.0.5.0/24", "10.0.5.9")], []),
        ([("a", "10.0.5.0/24", "10.0.6.9")], ["gateway 10.0.6.9 of a is outside 10.0.5.0/24"]),
        ([("a", "10.0.5.0/24", ""), ("a", "10.0.6.0/24", "")], ["a has two prefixes"]),
        ([("a", "10.0.5.0/24", ""), ("b", "10.0.5.0/24", "")], ["prefix 10.0.5.0/24 is that of a and of b"]),
        ([("a", "10.0.5.0/24", ""), ("b", "10.0.6.0/24", "")], []),
    ],
)
def test_prefixes_given_to_nodes_by_name(entries: Static, said: list[str]) -> None:
    texts = found("NP778", allocated(entries))
    assert [text.partition(": ")[2] or text for text in texts] == said


def spider(**spec: Any) -> dict[str, Any]:
    given = thing("spiderpool.spidernet.io/v2beta1", "SpiderIPPool", **{"subnet": "10.0.0.0/24", **spec})
    del given["metadata"]["namespace"]
    return given


def pool_of(kind: str, stated: dict[str, Any], **changed: Any) -> dict[str, Any]:
    return thing("nv-ipam.nvidia.com/v1alpha1", kind, **{**stated, **changed})


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({}, []),
        ({"ipVersion": 4}, []),
        ({"ipVersion": 6}, ["ipVersion 6 is not that of 10.0.0.0/24"]),
        ({"gateway": "10.0.0.254"}, []),
        ({"gateway": None}, []),
        ({"gateway": "10.0.1.0"}, ["gateway 10.0.1.0 is outside 10.0.0.0/24"]),
        ({"ips": ["10.0.0.5-10.0.0.9"]}, []),
        ({"ips": ["10.0.0.5-10.0.0.5", "10.0.0.7"]}, []),
        ({"ips": ["10.0.0.9-10.0.0.5"]}, ["10.0.0.9-10.0.0.5 is not a range of 10.0.0.0/24"]),
        ({"ips": ["10.0.0.5-10.0.1.0"]}, ["10.0.0.5-10.0.1.0 is not a range of 10.0.0.0/24"]),
        ({"ips": ["9.255.255.255-10.0.0.5"]}, ["9.255.255.255-10.0.0.5 is not a range of 10.0.0.0/24"]),
        ({"ips": ["10.0.1.5"]}, ["10.0.1.5 is not a range of 10.0.0.0/24"]),
        ({"ips": ["10.0.0.5-10.0.0.9"], "gateway": "10.0.0.4"}, []),
        ({"ips": ["10.0.0.5-10.0.0.9"], "gateway": "10.0.0.10"}, []),
        (
            {"ips": ["10.0.0.5-10.0.0.9"], "gateway": "10.0.0.5"},
            ["gateway 10.0.0.5 is in 10.0.0.5-10.0.0.9, so a pod may get it"],
        ),
        (
            {"ips": ["10.0.0.2", "10.0.0.5-10.0.0.9"], "gateway": "10.0.0.9"},
            ["gateway 10.0.0.9 is in 10.0.0.5-10.0.0.9, so a pod may get it"],
        ),
    ],
)
def test_addresses_of_a_pool_of_spiderpool(spec: dict[str, Any], said: list[str]) -> None:
    texts = found("NP778", spider(**spec))
    assert [text.partition(": ")[2] or text for text in texts] == said


IP_POOL = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.1"}
CIDR_POOL = {"cidr": "10.0.0.0/16", "perNodeNetworkPrefix": 24, "gatewayIndex": 1}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (pool_of("IPPool", IP_POOL, subnet=None), ["subnet is required and null"]),
        (pool_of("IPPool", IP_POOL, perNodeBlockSize=None), ["perNodeBlockSize is required and null"]),
        (
            pool_of("IPPool", IP_POOL, perNodeBlockSize="8"),
            ['spec.perNodeBlockSize is "8", not a whole number'],
        ),
        (pool_of("IPPool", IP_POOL, gateway=None, defaultGateway=True), ["defaultGateway needs gateway"]),
        (pool_of("CIDRPool", CIDR_POOL, cidr=None), ["cidr is required and null"]),
        (
            pool_of("CIDRPool", CIDR_POOL, perNodeNetworkPrefix=None),
            ["perNodeNetworkPrefix is required and null"],
        ),
        (spider(subnet=None), ["subnet is required and null"]),
        ({**spider(), "spec": {}}, ["subnet is required and missing"]),
    ],
)
def test_a_value_that_a_pool_lacks_is_one_finding(given: dict[str, Any], said: list[str]) -> None:
    result = rendered_texts({"a.yaml": yaml.safe_dump(given, sort_keys=False)})
    texts = [each.message for each in result.diagnostics]
    assert [text.partition(": ")[2] for text in texts] == said


@pytest.mark.parametrize(
    ("span", "inside"),
    [
        ({"gateway": "10.0.0.1"}, True),
        ({"gateway": "10.0.0.254"}, True),
        ({"gateway": "10.0.0.255"}, False),
        ({"gateway": "10.0.1.1"}, False),
        ({"gateway": "10.0.0.1", "exclude": ["10.0.0.1/32"]}, False),
        ({"gateway": "10.0.0.1", "exclude": ["10.0.0.8/29", "10.0.0.0/30"]}, False),
        ({"gateway": "10.0.0.1", "exclude": ["10.0.0.8/29"]}, True),
        ({"gateway": "10.0.0.1", "range_start": "10.0.0.2"}, False),
        ({"gateway": "10.0.0.2", "range_start": "10.0.0.2"}, True),
        ({"gateway": "10.0.0.9", "range_end": "10.0.0.8"}, False),
        ({"gateway": "10.0.0.8", "range_end": "10.0.0.8"}, True),
        ({}, False),
    ],
)
def test_a_gateway_that_whereabouts_may_hand_out(span: dict[str, Any], inside: bool) -> None:
    said = found("NP777", ranged(range="10.0.0.0/24", **span))
    assert len(said) == inside
    assert all("is in the range but not excluded" in text for text in said)


def pod(networks: str, name: str = "train", **spec: Any) -> dict[str, Any]:
    own = {"containers": [{"name": "a", "image": "b"}], **spec}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "apps",
            "annotations": {"k8s.v1.cni.cncf.io/networks": networks},
        },
        "spec": own,
    }


def attachment(name: str, namespace: str | None = "apps") -> dict[str, Any]:
    given = named(nad({"type": "macvlan", "master": "eth7"}), name)
    if namespace is None:
        del given["metadata"]["namespace"]
    else:
        given["metadata"]["namespace"] = namespace
    return given


@pytest.mark.parametrize(("namespace", "where"), [("apps", "apps/rial-0"), ("${NAMESPACE}", "rial-0")])
def test_a_name_is_misspelt_whatever_the_namespace_will_be(namespace: str, where: str) -> None:
    given = pod("rial-0")
    given["metadata"]["namespace"] = namespace
    (said,) = found("NP758", attachment("rail-0"), attachment("rail-0", namespace), given)
    assert said.endswith(f"network {where} is not in the directory")
    given = pod("rail-0")
    given["metadata"]["namespace"] = namespace
    assert found("NP758", attachment("rail-0"), given) == []


@pytest.mark.parametrize(
    ("asked", "there", "code", "hint"),
    [
        ("rail-0", [("rail-0", "apps")], "", ""),
        ("rail-0", [("rail-0", "other")], "NP758", "write other/rail-0, or create it in apps"),
        ("other/rail-0", [("rail-0", "apps")], "NP758", "write apps/rail-0, or create it in other"),
        ("rial-0", [("rail-0", "apps")], "NP758", "did you mean rail-0?"),
        (
            "storage",
            [("rail-0", "apps"), ("rail-1", "apps")],
            "NP692",
            "networks of that namespace: rail-0, rail-1",
        ),
        ("storage", [("rail-0", "other")], "", ""),
        ("rial-0", [("rail-0", "other")], "", ""),
        ("rail-$N", [("rail-0", "apps")], "", ""),
        ("rail-0", [("rail-$N", "apps"), ("x", "apps")], "", ""),
        ("rail-1", [("rail-0", None)], "NP758", "did you mean rail-0?"),
        ("rail-0,rail-1", [("rail-0", None)], "", ""),
        ("rail-0,rail-1", [("rail-0", "apps")], "NP758", "did you mean rail-0?"),
        ("rail-0,rail-1", [("rail-0", "apps"), ("x", "other")], "NP758", "did you mean rail-0?"),
        ("rail-0,raal-0", [("rail-0", None)], "NP758", "did you mean rail-0?"),
        ("rail-0,rail", [("rail-0", None)], "", ""),
        ("rail_0,rail_12", [("rail_0", None)], "", ""),
    ],
)
def test_a_network_that_a_pod_names(
    asked: str, there: list[tuple[str, str | None]], code: str, hint: str
) -> None:
    """rail-1 after rail-0, which is in use and states no namespace, may be defined elsewhere."""
    given = [*(attachment(*each) for each in there), pod(asked)]
    result = rendered_texts({"a.yaml": yaml.safe_dump_all(given, sort_keys=False)})
    said = [(each.code, each.hint) for each in result.diagnostics if each.code in ("NP758", "NP692")]
    assert said == ([(code, hint)] if code else [])


@pytest.mark.parametrize(
    ("change", "twice"),
    [
        ({}, True),
        ({"name": "b"}, False),
        ({"namespace": "other"}, False),
        ({"kind": "Secret"}, False),
        ({"listed": ["one.yaml"]}, False),
        ({"listed": ["./one.yaml", "two.yaml"]}, True),
        ({"indexed": "Component"}, False),
    ],
)
def test_a_kustomization_lists_an_object_once(change: dict[str, Any], twice: bool) -> None:
    def stated(kind: str, name: str, namespace: str) -> str:
        return yaml.safe_dump(
            {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}}
        )

    indexed = change.get("indexed", "Kustomization")
    version = "kustomize.config.k8s.io/v1" + ("alpha1" if indexed == "Component" else "beta1")
    index = {
        "apiVersion": version,
        "kind": indexed,
        "resources": change.get("listed", ["one.yaml", "two.yaml"]),
    }
    texts = {
        "kustomization.yaml": yaml.safe_dump(index),
        "one.yaml": stated("ConfigMap", "a", "apps"),
        "two.yaml": stated(
            change.get("kind", "ConfigMap"), change.get("name", "a"), change.get("namespace", "apps")
        ),
    }
    result = rendered_texts(texts)
    assert len([each for each in result.diagnostics if each.code == "NP690"]) == twice


def sriov_network(**spec: Any) -> dict[str, Any]:
    own = {"resourceName": "rail", "networkNamespace": "apps", "ipam": "{}"}
    return thing("sriovnetwork.openshift.io/v1", "SriovNetwork", "rail", **own, **spec)


@pytest.mark.parametrize(
    ("mtu", "own", "said"),
    [
        (9000, 9000, None),
        (9000, 9001, "MTU 9001 is above 9000"),
        (9000, 1500, None),
        (0, 9000, None),
        (1, 9000, "MTU 9000 is above 1"),
        (None, 9000, None),
        ("9000", 9001, None),
    ],
)
def test_the_mtu_of_a_pod_fits_its_function(mtu: Any, own: int, said: str | None) -> None:
    """0 leaves the MTU as it is (api/v1/sriovnetworknodepolicy_types.go)."""
    policy = vf_policy(**({} if mtu is None else {"mtu": mtu}))
    network = sriov_network(metaPlugins=json.dumps({"type": "tuning", "mtu": own}))
    texts = found("NP312", policy, network)
    assert len(texts) == (said is not None), texts
    assert all(str(said) in text for text in texts)


def nv_pool(name: str, kind: str = "IPPool") -> dict[str, Any]:
    spec: dict[str, Any] = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.1"}
    cidrs: dict[str, Any] = {"cidr": "10.0.0.0/16", "perNodeNetworkPrefix": 24}
    return named(thing("nv-ipam.nvidia.com/v1alpha1", kind, **(spec if kind == "IPPool" else cidrs)), name)


def with_ipam(**ipam: Any) -> dict[str, Any]:
    return nad({"type": "macvlan", "master": "eth7", "ipam": ipam})


@pytest.mark.parametrize(
    ("ipam", "pools", "said"),
    [
        ({"type": "nv-ipam", "poolName": "p"}, [nv_pool("p")], None),
        (
            {"type": "nv-ipam", "poolName": "p"},
            [nv_pool("p", "CIDRPool")],
            "poolType is ippool, p is of kind CIDRPool",
        ),
        ({"type": "nv-ipam", "poolName": "p", "poolType": "cidrpool"}, [nv_pool("p", "CIDRPool")], None),
        ({"type": "nv-ipam", "poolName": "p"}, [nv_pool("q"), named(spider(), "p")], "p"),
        ({"type": "nv-ipam", "poolName": "p"}, [named(spider(), "p")], None),
        ({"type": "nv-ipam", "poolName": "p"}, [nv_pool("q-$N")], None),
        ({"type": "nv-ipam", "poolName": "p"}, [nv_pool("p"), named(spider(), "q-$N")], None),
        ({"type": "nv-ipam", "poolName": "x"}, [nv_pool("p"), named(spider(), "q-$N")], "x"),
        ({"type": "spiderpool", "default_ipv4_ippool": ["p"]}, [named(spider(), "p")], None),
        ({"type": "spiderpool", "default_ipv4_ippool": ["p"]}, [named(spider(), "q"), nv_pool("p")], "p"),
        ({"type": "spiderpool", "default_ipv4_ippool": ["p"]}, [nv_pool("p")], None),
        ({"type": "spiderpool", "default_ipv4_ippool": ["x"]}, [named(spider(), "q"), nv_pool("p-$N")], "x"),
    ],
)
def test_a_pool_is_looked_for_among_those_of_its_ipam(
    ipam: dict[str, Any], pools: list[dict[str, Any]], said: str | None
) -> None:
    texts = found("NP759", with_ipam(**ipam), *pools)
    assert len(texts) == (said is not None), texts
    assert all(str(said) in text for text in texts)
    assert not any("SpiderIPPool" in text and "nv-ipam" in json.dumps(ipam) for text in texts)
    assert not any(
        "IPPool" in text and "spiderpool" in json.dumps(ipam) and "of kind" in text for text in texts
    )


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("a.yaml", True),
        ("a.yml", True),
        ("a.json", True),
        ("../a", True),
        ("./a", True),
        ("/a", True),
        ("a", False),
        ("https://example.com/a.yaml", False),
        ("git::example.com/a?ref=b.yaml", False),
        ("./a?ref=b", False),
        ("./a:b", False),
        ("./${NAME}.yaml", False),
    ],
)
def test_entries_of_a_kustomization_that_are_paths(entry: str, path: bool) -> None:
    assert is_path(entry) is path


@pytest.mark.parametrize(
    ("resource", "said"),
    [("rail9", 1), (None, 0), ("${RAIL}", 0), (["rail1"], 0)],
)
def test_a_policy_without_a_final_resource_may_be_that_of_a_network(resource: Any, said: int) -> None:
    network = thing("sriovnetwork.openshift.io/v1", "SriovNetwork", resourceName="fabric")
    assert (
        len(found("NP679", network, vf_policy(resourceName="nic"), vf_policy(resourceName=resource))) == said
    )
