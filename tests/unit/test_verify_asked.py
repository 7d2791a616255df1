"""Rules that netplan's own tree is asked: each of these edits of a right tree is told once."""

from __future__ import annotations

from copy import deepcopy

import pytest

from netplan.rules.kubernetes.registry import RULES
from netplan.verify.left_out import LEFT_OUT
from netplan.verify.rules import OURS
from tests.unit.rendered_tree import (
    NETWORKS,
    POD,
    POLICIES,
    POOL_0,
    RAILS,
    Change,
    Documents,
    put,
    rail,
    verified,
)

POLICY = "SriovNetworkNodePolicy operator/rail-0"
SELECTOR = ("spec", "nicSelector")
NAD = "NetworkAttachmentDefinition training"


def other_key(tree: Documents) -> None:
    annotations = tree[POD][0]["metadata"]["annotations"]
    annotations[NETWORKS.removesuffix("s")] = annotations.pop(NETWORKS)


def one_pool(tree: Documents) -> None:
    """The second rail takes the addresses of the first, in its own VLAN."""
    second = rail(1, "ippool")
    second["spec"]["config"] = second["spec"]["config"].replace(
        '"poolName": "rail-1"', '"poolName": "rail-0"'
    )
    tree[RAILS][1] = second


def moved(path: str) -> Change:
    def change(tree: Documents) -> None:
        tree[path].append(deepcopy(tree[path][0]))
        tree[path][-1]["metadata"]["name"] = "another"
        tree[path][0]["metadata"]["namespace"] = "training"

    return change


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        pytest.param(
            one_pool,
            "NP913",
            f"{RAILS}: {NAD}/rail-1: it uses addresses of pool ippool rail-0 in VLAN 101, but "
            "training/rail-0 does so in VLAN 100",
            id="pool under two VLANs",
        ),
        pytest.param(
            put(POLICIES, "spec", "linkType", value="ib"),
            "NP919",
            f"{RAILS}: {NAD}/rail-0: sriov needs linkType eth, but its VFs are InfiniBand: {POLICY}",
            id="link type of a policy",
        ),
        pytest.param(
            put(POLICIES, *SELECTOR, "deviceID", value="158b"),
            "NP919",
            f"{POLICIES}: {POLICY}: deviceID 158b is of vendor 8086, not of 15b3",
            id="device ID of another vendor",
        ),
        pytest.param(
            put(POLICIES, "spec", "mtu", value=9_990),
            "NP919",
            f"{POLICIES}: {POLICY}: MTU 9990 is above 9978",
            id="MTU above that of the NIC",
        ),
        pytest.param(
            moved(POOL_0),
            "NP920",
            f"{POOL_0}: IPPool training/rail-0: it is in namespace training",
            id="namespace of a pool",
        ),
        pytest.param(
            moved(POLICIES),
            "NP920",
            f"{POLICIES}: SriovNetworkNodePolicy training/rail-0: it is in namespace training",
            id="namespace of a policy",
        ),
        pytest.param(
            other_key,
            "NP912",
            f"{POD}: Pod training/train: Multus does not read k8s.v1.cni.cncf.io/network",
            id="key of the annotation",
        ),
    ],
)
def test_an_edit_is_told_once(change: Change, code: str, message: str) -> None:
    (found,) = verified(change).diagnostics
    assert (found.code, found.message[: len(message)]) == (code, message)


def test_a_place_that_one_code_tells_is_not_told_by_another() -> None:
    """An MTU above that of the node's NIC, and above that of any NIC."""

    def change(tree: Documents) -> None:
        for nad in tree[RAILS]:
            nad["spec"]["config"] = nad["spec"]["config"].replace('"mtu": 9000', '"mtu": 9990')

    assert {found.code for found in verified(change).diagnostics} == {"NP312"}


def test_a_rule_is_asked_or_left_out_for_a_reason() -> None:
    asked = [rule for _, rules in OURS.values() for rule in rules]
    assert sorted([*asked, *LEFT_OUT, "NP753"]) == sorted(RULES)  # NP901 asks NP753
    assert all(LEFT_OUT.values())


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(put(POLICIES, *SELECTOR, "deviceID", value="1027"), id="NIC of a catalog"),
        pytest.param(put(POLICIES, "spec", "mtu", value=9_800), id="MTU that some NICs take"),
    ],
)
def test_what_an_inventory_may_say_is_not_told(change: Change) -> None:
    """`catalog.hcas` of a site may have NICs that no list of netplan has."""
    assert not verified(change).diagnostics
