"""``validate --rendered`` also finds a mistake in netplan's own tree, unless the files cannot show it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from netplan.others import rendered_texts
from tests.unit import test_verify as names
from tests.unit import test_verify_addressing as addresses
from tests.unit import test_verify_hosts as hosts
from tests.unit import test_verify_pods as pods
from tests.unit import test_verify_refused as refused
from tests.unit.rendered_tree import artifacts, documents

UNDECIDED = {
    "file not listed": "stages are netplan's own layout",
    "no kustomization in a stage": "stages are netplan's own layout",
    "no kustomization over the stages": "stages are netplan's own layout",
    "stages in another order": "stages are netplan's own layout",
    "pool before its CRD": "stages are netplan's own layout",
    "default route of a pool": "sbr moves it",
    "sbr without gateway": "host-local makes one up, the first address",
    "sbr on a pool without gateway": "the static prefixes have one; other nodes are not known",
    "link file one byte below": "a .link file is no Kubernetes object",
    "macvlan above its master": "a .link file is no Kubernetes object",
    "PFC on another priority": "a shell script is no Kubernetes object",
    "class of the CNPs": "a shell script is no Kubernetes object",
    "unknown plugin": "vrf is a plugin; netplan does not use it",
    "unknown IPAM": "dhcp is an IPAM; netplan does not use it",
    "CNI version": "1.1.0 is one; netplan does not use it",
    "capability": "bandwidth is one; netplan does not use it",
    "sbr not last": "tuning writes no routes",
    "rdma after tuning": "rdma moves the device whenever it runs",
    "white space that the operator strips": "it strips it outside values, which changes nothing",
    "number for a quantity": "Kubernetes takes numbers for quantities",
}


def _said(change: Any, texts: Any = None) -> set[tuple[str, str]]:
    tree = deepcopy(documents())
    change(tree)
    files = {a.path: a.text for a in artifacts(tree, texts) if a.path.endswith((".yaml", ".json"))}
    return {(d.code, d.message) for d in rendered_texts(files).diagnostics}


CASES = [
    *((c.id, c.values[0], None) for c in (*names.BROKEN, *addresses.BROKEN, *pods.ANSWERS, *refused.REFUSED)),
    *((c.id, c.values[0], c.values[1]) for c in hosts.BROKEN),
]


@pytest.mark.parametrize(("name", "change", "texts"), CASES, ids=[c[0] for c in CASES])
def test_found_or_not_decided(name: str, change: Any, texts: Any) -> None:
    more = _said(change, texts) - _said(lambda tree: None)
    assert bool(more) != (name in UNDECIDED), more


def test_every_reason_is_about_a_case() -> None:
    assert set(UNDECIDED) <= {str(c[0]) for c in CASES}
