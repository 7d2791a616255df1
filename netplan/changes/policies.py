"""SR-IOV policies that take VFs from another policy.

The operator's webhook rejects a policy whose VFs of a PF overlap those of another policy for the node
(k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go, validatePfNames,
validateRootDevices); without the webhook one of the two is dropped (api/v1/helper.go, mergeConfigs). So the
policy that has the VFs must release them first.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from netplan.changes.objects import Key, Objects
from netplan.rules.kubernetes.policy_pairs import take_the_same

KIND = "SriovNetworkNodePolicy"


@dataclass(frozen=True, slots=True)
class Clash:
    """``new`` takes VFs from ``old``; ``resource``: of the old policy."""

    new: Key
    old: Key
    resource: str

    @property
    def text(self) -> str:
        new, old = self.new[2], self.old[2]
        has = f"{KIND} {new} uses VFs that {old} has, and the operator applies only one of the two"
        return f"{has}: {old} is deleted first, and its pods are stopped before that"


def clashes(before: Objects, after: Objects) -> tuple[Clash, ...]:
    """Clashes of new or changed policies with running ones: the old one must go or shrink first."""
    fresh, older = _unlike(after, before), _unlike(before, after)
    return tuple(
        Clash(key, other, str(was.spec.get("resourceName")))
        for key, policy in fresh.items()
        for other, was in older.items()
        if other != key and take_the_same(policy, was)
    )


def _unlike(mine: Objects, others: Objects) -> Objects:
    """Policies of one side that the other lacks or has in another form."""
    policies = {key: thing for key, thing in mine.items() if key[0] == KIND}
    return {k: thing for k, thing in policies.items() if k not in others or others[k].body != thing.body}


def cleared(found: tuple[Clash, ...], after: Container[Key]) -> frozenset[Key]:
    """Policies to delete first: those that are gone, and those that swap VFs."""
    return frozenset(each.old for each in found if each.old not in after) | _swapped(found, after)


def _swapped(found: tuple[Clash, ...], after: Container[Key]) -> frozenset[Key]:
    taken: set[Key] = set()
    while True:
        try:
            TopologicalSorter(_first(found, after, taken)).prepare()
        except CycleError as error:
            taken.add(min(error.args[1]))
        else:
            return frozenset(taken)


def _first(found: tuple[Clash, ...], after: Container[Key], without: set[Key]) -> dict[Key, set[Key]]:
    """Policy -> policies to apply before it."""
    first: dict[Key, set[Key]] = {}
    for each in found:
        if each.old in after and each.old not in without:
            first.setdefault(each.new, set()).add(each.old)
    return first


def ordered(keys: list[Key], found: tuple[Clash, ...], after: Container[Key]) -> list[Key]:
    """``keys``, with each policy that releases VFs before the one that takes them."""
    first = _first(found, after, set(cleared(found, after)))
    out: dict[Key, None] = {}

    def add(key: Key) -> None:
        for other in sorted(first.get(key, ())):
            if other not in out:
                add(other)
        out[key] = None

    for key in keys:
        add(key)
    return [key for key in out if key in keys]
