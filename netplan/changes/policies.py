"""SR-IOV policies that take the VFs of another one.

The operator's webhook refuses a policy whose VFs of a PF overlap those of another policy for the node
(k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go, validatePfNames,
validateRootDevices); without the webhook one of the two is left out (api/v1/helper.go, mergeConfigs).
So the one that has them gives them up first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from netplan.changes.objects import Key
from netplan.reading.kubernetes.objects import inside, listing, mapping

KIND = "SriovNetworkNodePolicy"
_PF = re.compile(r"([^#]+)(?:#([0-9]{1,4})-([0-9]{1,4}))?")
Taken = tuple[str, int, int]
"""PF, first and last VF."""


@dataclass(frozen=True, slots=True)
class Clash:
    """``new`` takes VFs that ``old`` has; ``resource``: that of the old one."""

    new: Key
    old: Key
    resource: str

    @property
    def text(self) -> str:
        new, old = self.new[2], self.old[2]
        has = f"{KIND} {new} takes VFs that {old} has, and the operator takes one of both"
        return f"{has}: {old} is deleted first, and its pods are stopped before that"


def clashes(before: Mapping[Key, Any], after: Mapping[Key, Any]) -> tuple[Clash, ...]:
    """Of policies that change or are new with those that run: an old one has to go, or shrink, first."""
    fresh = {key: body for key, body in after.items() if key[0] == KIND and before.get(key) != body}
    older = {key: body for key, body in before.items() if key[0] == KIND and after.get(key) != body}
    return tuple(
        Clash(key, other, str(inside(was, ("spec", "resourceName"))))
        for key, body in fresh.items()
        for other, was in older.items()
        if other != key and _overlap(body, was)
    )


def cleared(found: tuple[Clash, ...], after: Mapping[Key, Any]) -> frozenset[Key]:
    """Policies that have to be deleted first: those that are gone, and those that swap their VFs."""
    return frozenset(each.old for each in found if each.old not in after) | _swapped(found, after)


def _swapped(found: tuple[Clash, ...], after: Mapping[Key, Any]) -> frozenset[Key]:
    taken: set[Key] = set()
    while True:
        try:
            TopologicalSorter(_first(found, after, taken)).prepare()
        except CycleError as error:
            taken.add(min(error.args[1]))
        else:
            return frozenset(taken)


def _first(found: tuple[Clash, ...], after: Mapping[Key, Any], without: set[Key]) -> dict[Key, set[Key]]:
    """Policy -> those that are applied before it."""
    first: dict[Key, set[Key]] = {}
    for each in found:
        if each.old in after and each.old not in without:
            first.setdefault(each.new, set()).add(each.old)
    return first


def ordered(keys: list[Key], found: tuple[Clash, ...], after: Mapping[Key, Any]) -> list[Key]:
    """``keys``, of which a policy that gives VFs up comes before the one that takes them."""
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


def _overlap(one: Any, other: Any) -> bool:
    """On a node that both may select."""
    left, right = (mapping(inside(body, ("spec", "nodeSelector"))) for body in (one, other))
    if any(right.get(key, value) != value for key, value in left.items()):
        return False
    roots = [set(_texts(body, "rootDevices")) for body in (one, other)]
    if roots[0] & roots[1]:
        return True
    return any(a[0] == b[0] and a[1] <= b[2] and b[1] <= a[2] for a in _taken(one) for b in _taken(other))


def _taken(body: Any) -> Iterator[Taken]:
    """A PF without a range gives all of its VFs."""
    count = inside(body, ("spec", "numVfs"))
    last = count - 1 if type(count) is int else 0
    for text in _texts(body, "pfNames"):
        if match := _PF.fullmatch(text):
            yield match[1], int(match[2] or 0), last if match[3] is None else int(match[3])


def _texts(body: Any, key: str) -> list[str]:
    return [each for each in listing(inside(body, ("spec", "nicSelector", key))) if isinstance(each, str)]
