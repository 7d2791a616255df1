"""Which nodes a pod or pool selects, by the labels of a node; a label not listed does not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.records import dataclass

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
Labels = Mapping[str, str]
_Holds = Callable[[str | None, list[str]], bool]


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.lstrip("-").isdecimal() else None


def _compared(value: str | None, values: list[str], greater: bool) -> bool:
    own, bound = _number(value), _number(values[0] if values else None)
    return own is not None and bound is not None and (own > bound if greater else own < bound)


_OPERATORS: Mapping[str, _Holds] = {
    "In": lambda value, values: value in values,
    "NotIn": lambda value, values: value not in values,
    "Exists": lambda value, _: value is not None,
    "DoesNotExist": lambda value, _: value is None,
    "Gt": lambda value, values: _compared(value, values, greater=True),
    "Lt": lambda value, values: _compared(value, values, greater=False),
}
"""Operators of a node selector requirement (Kubernetes API reference, core/v1 NodeSelectorRequirement)."""


@dataclass(frozen=True, slots=True)
class Requirement:
    key: str
    operator: str
    values: tuple[str, ...]

    def holds(self, labels: Labels) -> bool:
        test = _OPERATORS.get(self.operator)
        return test is not None and test(labels.get(self.key), list(self.values))


Term = tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class NodeSelection:
    """All of ``labels`` must match and, if there are ``terms``, one of those."""

    labels: tuple[tuple[str, str], ...] = ()
    terms: tuple[Term, ...] = ()

    def takes(self, labels: Labels) -> bool:
        if any(labels.get(key) != value for key, value in self.labels):
            return False
        return not self.terms or any(all(one.holds(labels) for one in term) for term in self.terms)


def surely_meet(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two selectors by labels surely select a common node: the labels of one are a subset of the
    other's."""
    fewer, more = sorted((one, other), key=len)
    return fewer.items() <= more.items()


def of_pod(spec: Mapping[str, Any]) -> NodeSelection:
    """nodeSelector and required node affinity of a pod spec that has passed its schema."""
    affinity: Any = spec.get("affinity", {}).get("nodeAffinity", {})
    required = affinity.get(REQUIRED, {})
    return NodeSelection(tuple(spec.get("nodeSelector", {}).items()), tuple(_terms(required)))


HOSTNAME = "kubernetes.io/hostname"
_NAME = "metadata.name"
"""The field of a node that ``matchFields`` takes."""


def on_one_node(spec: Mapping[str, Any]) -> bool:
    """Whether a pod spec names a single node: by name, or by its label or field in a selector."""
    if spec.get("nodeName") or mapping(spec.get("nodeSelector")).get(HOSTNAME):
        return True
    terms = listing(inside(spec, ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")))
    rows = [mapping(row) for key in ("matchExpressions", "matchFields") for row in _rows(terms, key)]
    named = (row for row in rows if row.get("key") in (HOSTNAME, _NAME) and row.get("operator") == "In")
    return len(terms) == 1 and any(len(listing(row.get("values"))) == 1 for row in named)


def _rows(terms: list[Any], key: str) -> Iterable[Any]:
    return (row for term in terms for row in listing(mapping(term).get(key)))


def of_terms(selector: Mapping[str, Any]) -> NodeSelection:
    """A node selector with ``nodeSelectorTerms``, as pools have it."""
    return NodeSelection(terms=tuple(_terms(selector)))


def _terms(selector: Mapping[str, Any]) -> Iterable[Term]:
    for term in selector.get("nodeSelectorTerms", ()):
        yield tuple(
            Requirement(e["key"], e["operator"], tuple(map(str, e.get("values", ()))))
            for e in term.get("matchExpressions", ())
        )
