"""Helm values against the chart's ``values.yaml``: Helm silently ignores a key that the chart does not
have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml

from tests import upstream

OPEN = {"sriov-network-operator.sriovOperatorConfig.configDaemonNodeSelector"}
"""Maps whose keys the site chooses."""


@cache
def network_operator(release: str) -> dict[str, Any]:
    """Values of a release's chart, those of its sub-charts below their names."""
    folder = upstream.folder("chart-values") / "network-operator" / release
    own = _read(folder / "values.yaml")
    nested = {path.parent.name: _read(path) for path in folder.glob("charts/*/values.yaml")}
    return _merged(nested, own)


@cache
def chart(name: str) -> dict[str, Any]:
    return _read(upstream.folder("chart-values") / name / "values.yaml")


def unknown(values: Mapping[str, Any], known: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Dotted keys of ``values`` that ``known`` does not have."""
    for key, value in values.items():
        name = f"{above}{key}"
        if key not in known:
            yield name
        elif name not in OPEN and isinstance(value, Mapping):
            inner = known[key]
            yield from unknown(value, inner if isinstance(inner, Mapping) else {}, f"{name}.")


def _merged(one: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(one)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(out.get(key), Mapping)
        out[key] = _merged(out[key], value) if both else value
    return out


def _read(path: Any) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(path.read_text())
    return data
