"""SR-IOV policies that take VFs from each other: which one must be removed or reduced first."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.changes.objects import Objects
from netplan.changes.policies import KIND, clashes, cleared, ordered
from tests.unit.edges import things


def policy(name: str, *pfs: str, nodes: str = "gpu", vfs: int = 8, roots: tuple[str, ...] = ()) -> Any:
    spec = {
        "numVfs": vfs,
        "resourceName": f"r-{name}",
        "nodeSelector": {"type": nodes},
        "nicSelector": {"pfNames": list(pfs), "rootDevices": list(roots)},
    }
    metadata = {"name": name, "namespace": "ns"}
    return {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": KIND, "metadata": metadata, "spec": spec}


def keyed(*policies: Any) -> Objects:
    found = things({"kubernetes/policies.yaml": yaml.safe_dump_all(policies)}).policies
    return {(KIND, "ns", thing.name): thing for thing in found}


def found(old: Any, new: Any) -> list[tuple[str, str, str]]:
    """(new policy, old policy, resource of the old one)"""
    return [(each.new[2], each.old[2], each.resource) for each in clashes(keyed(*old), keyed(*new))]


@pytest.mark.parametrize(
    ("old", "new", "clash"),
    [
        (policy("a", "p#0-3"), policy("b", "p#0-3"), True),
        (policy("a", "p#0-3"), policy("b", "p#4-7"), False),
        (policy("a", "p#0-3"), policy("b", "p#3-7"), True),
        (policy("a", "p"), policy("b", "p#7-7"), True),
        (policy("a", "p", vfs=7), policy("b", "p#7-7"), False),
        (policy("a", "p#0-3"), policy("b", "q#0-3"), False),
        (policy("a", "p#0-3"), policy("b", "p#0-3", nodes="cpu"), False),
        (policy("a", roots=("0000:19:00.0",)), policy("b", roots=("0000:19:00.0",)), True),
        (policy("a", "p#0-3"), policy("a", "p#0-3", vfs=4), False),
    ],
)
def test_policies_that_take_vfs_of_a_policy_that_is_gone(old: Any, new: Any, clash: bool) -> None:
    assert found([old], [new]) == ([("b", "a", "r-a")] if clash else [])
    expected = {(KIND, "ns", "a")} if clash else set()
    assert cleared(clashes(keyed(old), keyed(new)), keyed(new)) == expected


def test_one_that_gives_vfs_up_is_applied_before_the_one_that_takes_them() -> None:
    old = keyed(policy("a", "p#0-3"), policy("b", "p#4-5"), policy("c", "p#6-7"))
    new = keyed(policy("a", "p#0-4"), policy("b", "p#5-6"), policy("c", "p#7-7"))
    both = clashes(old, new)
    assert not cleared(both, new)
    assert [key[2] for key in ordered(sorted(new), both, new)] == ["c", "b", "a"]


def test_of_two_that_swap_their_vfs_one_is_deleted_first() -> None:
    old = keyed(policy("a", "p#0-3"), policy("b", "p#4-7"))
    new = keyed(policy("a", "p#4-7"), policy("b", "p#0-3"))
    both = clashes(old, new)
    assert [key[2] for key in cleared(both, new)] == ["a"]
    assert [key[2] for key in ordered(sorted(new), both, new)] == ["b", "a"]


def test_a_policy_that_stays_is_no_clash() -> None:
    old, new = policy("a", "p#0-3"), policy("b", "p#0-3")
    assert found([old], [old, new]) == []
