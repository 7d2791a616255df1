"""A MutatingAdmissionPolicy that does to labelled pods what the kustomize component does to jobs.

It uses JSON patches only: an apply configuration may not touch atomic lists and maps, such as
capabilities.add, tolerations and nodeSelector. A list is always written whole, with our entry replacing an
entry of the pod that has the same key. A failing ``test`` would only skip the patch, so a refusal is a
``remove`` of a path that no pod has: with failurePolicy Fail this denies the pod, and the message shows the
path.

Sources: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go
and patch/json_patch.go beside it; staging/src/k8s.io/apiserver/pkg/cel/environment/base.go (literals are of
one type, hence dyn()) and pkg/cel/library/lists.go (indexOf).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.model.admission import LABEL
from netplan.model.pod_kinds import CONTAINER
from netplan.model.workloads import WorkloadPlan
from netplan.records import dataclass
from netplan.render.pod_patches import (
    KEYS,
    WITHOUT_GPUS,
    PodValue,
    asks_for_gpus,
    pod_values,
)  # fmt: skip

ALREADY_SET = "already-set-in-the-pod"
CHOSEN = "containers"
"""CEL variable with the indices of the containers that get the devices."""


def policy(plan: WorkloadPlan, api_version: str, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The policy and its binding. ``body``: content of pod-rails.yaml."""
    name = f"netplan-{plan.workload.namespace}-{plan.name}"
    spec = {
        "failurePolicy": "Fail",
        "reinvocationPolicy": "Never",
        "matchConstraints": _matched(plan),
        **_changes(plan, list(pod_values(body))),
    }
    about: dict[str, Any] = {"apiVersion": api_version, "kind": "MutatingAdmissionPolicy"}
    bound = {**about, "kind": "MutatingAdmissionPolicyBinding"}
    metadata = {"metadata": {"name": name}}
    return [{**about, **metadata, "spec": spec}, {**bound, **metadata, "spec": {"policyName": name}}]


def _changes(plan: WorkloadPlan, values: list[PodValue]) -> dict[str, Any]:
    """Variables and mutations of the policy: one variable per list; refusals, changes of the pod, changes of
    its containers."""
    places = [_Place(p) for p in dict.fromkeys(_at(v) for v in values)]
    lists = {p: [v.value for v in values if _at(v) == p.path] for p in places if _is_list(p, values)}
    singles = [v for v in values if _Place(_at(v)) not in lists]
    variables = {CHOSEN: _chosen(plan, values), **{p.variable: _literal(new) for p, new in lists.items()}}
    mutations = [[*_refusals(singles)], *(_additions(inside, singles, lists) for inside in (False, True))]
    return {
        "variables": [{"name": name, "expression": text} for name, text in variables.items()],
        "mutations": [
            {"patchType": "JSONPatch", "jsonPatch": {"expression": " +\n".join(m)}} for m in mutations if m
        ],
    }


def _additions(inside: bool, singles: list[PodValue], lists: Mapping[_Place, list[Any]]) -> list[str]:
    """Expressions for the chosen containers, or with ``inside`` false for the rest of the pod: missing maps,
    values, lists."""
    own = [v for v in singles if _Place(_at(v)).inside == inside]
    merged = [p for p in lists if p.inside == inside]
    places = dict.fromkeys([*(_Place(_at(v)) for v in own), *merged])
    sets = [s for v in own for s in _set(v)]
    return [*_parents(list(places), lists), *sets, *(_merged(p, lists[p]) for p in merged)]


def _matched(plan: WorkloadPlan) -> dict[str, Any]:
    namespace = {"kubernetes.io/metadata.name": plan.workload.namespace}
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    return {
        "namespaceSelector": {"matchLabels": namespace},
        "objectSelector": {"matchLabels": {LABEL: plan.name}},
        "resourceRules": [rule],
    }


@dataclass(frozen=True, slots=True)
class _Place:
    """A map or list in a pod. ``inside``: in a chosen container, whose index is then the CEL variable
    ``i``."""

    path: tuple[str, ...]

    @property
    def inside(self) -> bool:
        return self.path[: len(CONTAINER)] == CONTAINER

    @property
    def _root(self) -> tuple[str, ...]:
        """The leading part of the path that every pod has."""
        return self.path[: len(CONTAINER)] if self.inside else self.path[:1]

    @property
    def steps(self) -> tuple[str, ...]:
        return self.path[len(self._root) :]

    @property
    def variable(self) -> str:
        return "_".join(self.steps)

    @property
    def expression(self) -> str:
        root = "object.spec.containers[i]" if self.inside else f"object.{self.path[0]}"
        return ".".join((root, *self.steps))

    @property
    def parents(self) -> Iterator[_Place]:
        """This place and the enclosing maps that a pod may lack, outermost first."""
        for end in range(len(self._root) + 1, len(self.path) + 1):
            yield _Place(self.path[:end])

    @property
    def there(self) -> str:
        return " && ".join(f"has({p.expression})" for p in self.parents)

    def pointer(self, *more: str) -> str:
        """CEL expression for the JSON pointer to this place, or to ``more`` below it."""
        parts = [part.replace("~", "~0").replace("/", "~1") for part in (*self.steps, *more)]
        below = "".join(f"/{part}" for part in parts)
        if self.inside:
            return f'"/spec/containers/" + string(i) + {_literal(below)}'
        return _literal(f"/{self.path[0]}{below}")

    def each(self, operation: str, condition: str = "") -> str:
        """CEL list with the operation where the condition holds: once for the pod, or once per chosen
        container."""
        if self.inside:
            found = f".filter(i, {condition})" if condition else ""
            return f"variables.{CHOSEN}{found}.map(i, {operation})"
        return f"({condition} ? [{operation}] : [])" if condition else f"[{operation}]"


def _at(value: PodValue) -> tuple[str, ...]:
    return value.place[:-1]


def _is_list(place: _Place, values: list[PodValue]) -> bool:
    return any(_at(v) == place.path and v.listed for v in values)


def _chosen(plan: WorkloadPlan, values: list[PodValue]) -> str:
    gpu = asks_for_gpus(plan, values)
    if gpu is None:
        return "[0]"
    limit = f"has(c.resources.limits) && {_literal(gpu)} in c.resources.limits"
    asks = f"has(c.resources) && (({limit}) || has(c.resources.claims))"
    index = "object.spec.containers.map(n, n.name).indexOf(c.name)"
    return f"object.spec.containers.filter(c, {asks}).map(c, {index})"


def _refusals(values: list[PodValue]) -> Iterator[str]:
    none = f'JSONPatch{{op: "remove", path: {_literal("/" + WITHOUT_GPUS)}}}'
    yield f"(size(variables.{CHOSEN}) == 0 ? [{none}] : [])"
    for value in values:
        if value.refused:
            place, key = _Place(_at(value)), value.place[-1]
            path = f"{_literal('/' + ALREADY_SET)} + {place.pointer(key)}"
            inside = f"{_literal(key)} in {place.expression}"
            condition = f"{place.there} && {inside}" if place.steps else inside
            yield place.each(f'JSONPatch{{op: "remove", path: {path}}}', condition)


def _parents(places: list[_Place], lists: Mapping[_Place, Any]) -> Iterator[str]:
    """Creates the maps that the pod lacks. Lists need none of this, because they are written whole."""
    wanted = dict.fromkeys(parent for place in places for parent in place.parents if parent not in lists)
    if any(p.steps == ("resources", "limits") for p in wanted):
        wanted[_Place((*CONTAINER, "resources", "requests"))] = None
    for place in wanted:
        yield place.each(_operation(place.pointer(), "{}"), f"!({place.there})")


def _set(value: PodValue) -> Iterator[str]:
    """Sets a value; for a limit also the request, because the API server has already copied the pod's own
    limit there and the two must be equal."""
    place, key = _Place(_at(value)), value.place[-1]
    yield place.each(_operation(place.pointer(key), _literal(value.value)))
    if place.inside and place.steps == ("resources", "limits"):
        requests = _Place((*CONTAINER, "resources", "requests"))
        yield requests.each(_operation(requests.pointer(key), _literal(value.value)))


def _merged(place: _Place, new: list[Any]) -> str:
    """Writes the pod's list with the variable's entries: entries with the same key are replaced, others
    appended."""
    own, added, key = place.expression, f"variables.{place.variable}", KEYS.get(place.steps[-1])
    if key is not None:
        same = f"{added}.filter(n, n.{key} == e.{key})"
        old = f"{own}.map(e, {added}.exists(n, n.{key} == e.{key}) ? {same}[0] : e)"
        more = f"{added}.filter(n, !({place.there} && {own}.exists(e, e.{key} == n.{key})))"
    elif isinstance(new[0], dict):
        old, more = own, added
    else:
        old, more = own, f"{added}.filter(n, !({place.there} && n in {own}))"
    return place.each(_operation(place.pointer(), f"({place.there} ? {old} : []) + {more}"))


def _operation(path: str, value: str) -> str:
    return f'JSONPatch{{op: "add", path: {path}, value: {value}}}'


def _literal(value: Any) -> str:
    """The data as a CEL literal. Entries of a list or map must have one type, so mixed ones are wrapped in
    dyn()."""
    if isinstance(value, dict):
        mixed = any(not isinstance(each, str) for each in value.values())
        return "{" + ", ".join(f"{_literal(k)}: {_entry(v, mixed)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        mixed = any(not isinstance(each, str) for each in value)
        return "[" + ", ".join(_entry(each, mixed) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _entry(value: Any, mixed: bool) -> str:
    return f"dyn({_literal(value)})" if mixed else _literal(value)
