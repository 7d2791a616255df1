"""Merges the site's own pod spec fields with netplan's."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

WITH_DEVICES = ("affinity", "topologySpreadConstraints")
"""Fields that place pods with rails; a launcher has no rails, so they do not apply to it."""

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_TERMS = "nodeSelectorTerms"


def with_extra(spec: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """A pod spec with the site's fields before netplan's. Lists are concatenated, affinity has to satisfy
    both."""
    added = {key: _thawed(value) for key, value in extra.items()}
    for key in added.keys() & spec.keys():
        added[key] = _affinity(spec[key], added[key]) if key == "affinity" else _joined(spec[key], added[key])
    return {**added, **{key: value for key, value in spec.items() if key not in added}}


def launcher_extra(extra: Mapping[str, Any]) -> dict[str, Any]:
    """The site's fields for a pod that takes neither devices nor rails."""
    return {key: value for key, value in extra.items() if key not in WITH_DEVICES}


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(below) for key, below in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _joined(own: Any, more: Any) -> Any:
    """Lists concatenated, netplan's first; of single values netplan's."""
    return [*own, *more] if isinstance(own, list) and isinstance(more, list) else own


def _affinity(own: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Both sets of conditions. Pod terms and preferences can simply be concatenated, because they are
    ANDed."""
    out = dict(own)
    for kind, conditions in more.items():
        here = out.get(kind, {})
        out[kind] = here | {
            key: _nodes(here[key], value)
            if key == _REQUIRED and kind == "nodeAffinity"
            else [*here[key], *value]
            for key, value in conditions.items()
            if key in here
        }
        out[kind] |= {key: value for key, value in conditions.items() if key not in here}
    return out


def _nodes(own: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """A node must match one term of each side. Terms are alternatives, so every pair becomes one combined
    term."""
    pairs = product(own[_TERMS], more[_TERMS])
    return {
        _TERMS: [
            {k: [*a.get(k, []), *b.get(k, [])] for k in (*a, *(k for k in b if k not in a))} for a, b in pairs
        ]
    }
