"""Objects that their schema refuses, and IPAMs that trace does not read: one reason for one cause."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests.edits.judges import trace
from tests.unit.test_trace_objects import rendered, verdict

POOL = "kubernetes/30-networks/ipam/rail0-leaf-1.yaml"
NADS = "kubernetes/30-networks/network-attachments/training/rail.yaml"
STAGE = "kubernetes/30-networks/kustomization.yaml"
DHCP = (
    f"IPAM dhcp of rail-0-leaf-1 states no address or range that trace reads ({NADS}:21): addresses of "
    "static, a range of whereabouts or host-local, or a pool there would prove it"
)


def edited(file: str, old: str, new: str, site: str = "sonic") -> tuple[str, list[str]]:
    """The verdict, and the sentences that an edit adds."""
    tree: Mapping[str, str] = rendered(site)
    text, count = re.subn(old, new, tree[file], count=1, flags=re.DOTALL)
    assert count == 1
    said = trace({**tree, file: text})
    return verdict(said), sorted(t for t in said - trace(tree) if not t.endswith((": LOST ", ": UNPROVED ")))


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        (
            POOL,
            "subnet: 172.16.0.0/24",
            "subnet: null",
            "IPPool kube-system/rail0-leaf-1 is refused: $.spec.subnet: None is not of type 'string' "
            f"({POOL}:14)",
        ),
        (
            POOL,
            "  subnet: 172.16.0.0/24\n",
            "",
            "IPPool kube-system/rail0-leaf-1 is refused: $.spec: 'subnet' is a required property "
            f"({POOL}:13)",
        ),
        (
            NADS,
            r"  config: \|.*?---",
            "  config: 3\n---",
            "NetworkAttachmentDefinition training/rail-0-leaf-1 is refused: $.spec.config: 3 is not of type "
            f"'string' ({NADS}:13)",
        ),
        (
            STAGE,
            r"resources:.*",
            "resources: null\n",
            f"Kustomization is refused: $.resources: None is not of type 'array' ({STAGE}:4)",
        ),
    ],
    ids=["pool, null", "pool, missing", "network", "kustomization"],
)
def test_a_refused_object_is_the_one_reason(file: str, old: str, new: str, reason: str) -> None:
    assert edited(file, old, new) == ("refuted", [reason])


def test_a_pool_with_routes_and_no_gateway_is_refused() -> None:
    found, said = edited(POOL, "  gateway: 172.16.0.1\n", "")
    text = "IPPool kube-system/rail0-leaf-1 is refused: $.spec: 'gateway' is a dependency of 'routes'"
    assert found == "refuted"
    assert f"{text} ({POOL}:13)" in said
    assert [each for each in said if "does not exist" in each or "no such address" in each] == []


def test_a_part_that_is_dropped_refuses_no_object() -> None:
    _, said = edited(POOL, "nodeSelector:", "exclusions: 3\n  nodeSelector:")
    assert [each for each in said if "is refused" in each] == []
    assert any("$.spec.exclusions: 3 is not of type 'array'; it is not read" in each for each in said)


@pytest.mark.parametrize(("key", "kind"), [("resourceName", "string"), ("numVfs", "integer")])
def test_a_policy_without_a_value_is_the_reason_that_nothing_produces_its_resource(
    key: str, kind: str
) -> None:
    file = "kubernetes/40-device-plugins/sriov/policies-dgx1.yaml"
    found, said = edited(file, rf"{key}: \S+", f"{key}: null", "dgx1-multirail")
    policy = "SriovNetworkNodePolicy nvidia-network-operator/rdma-dgx1-roce0"
    assert found == "refuted"
    assert [text.partition(" (")[0] for text in said if "sriov_rdma_0" in text or policy in text] == [
        f"{policy} is refused: $.spec.{key}: None is not of type '{kind}'"
    ]


@pytest.mark.parametrize("ipam", ["dhcp", "calico-ipam"])
def test_an_ipam_that_is_not_read_is_not_proved(ipam: str) -> None:
    found, said = edited(NADS, r'"ipam": \{.*?\}', f'"ipam": {{"type": "{ipam}"}}')
    assert (found, said) == ("not proved", [DHCP.replace("dhcp", ipam)])


@pytest.mark.parametrize(
    "ipam",
    ['{"type": "static"}', '{"type": "whereabouts"}', '{"type": "host-local", "subnet": "10.0.0.0/8"}'],
)
def test_an_ipam_without_a_range_that_is_read_is_not_refuted(ipam: str) -> None:
    found, said = edited(NADS, r'"ipam": \{.*?\}', f'"ipam": {ipam}')
    assert found == "not proved", said
    assert any("of rail-0-leaf-1 states no address or range that trace reads" in each for each in said), said
